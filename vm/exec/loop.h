/* The dispatch loop: the one body of every instruction, included by loop_goto.c and loop_switch.c.
 *
 * The including file defines LOOP_NAME and, for labels as values, LOOP_GOTO.  The state of the running frame is in
 * locals; `pc` names the running instruction whenever something can fail.  What the verifier promises (module.h) is
 * not looked at again.
 *
 * TARGET(row, TYPE) opens a body, NEXT(fields, wides, ...) closes it.  Operands: R(k) scalar register in field k, B(k) buffer,
 * F(k) the field itself, W(fields, k) the k-th word behind `fields` fields.
 */
#include <inttypes.h>

#include "../memory/endian.h"
#define NUM_MATH_EXTERN
#include "../numeric/ops.h"
#include "exec.h"
#include "handlers.h"
#include "tiles.h"

/* One value at a time, a NaN is made canonical by a branch that is hardly ever taken: a chain of operations does not wait for a
   selection by way of integer registers.  The empty asm keeps the compiler from making one. */
#define ONE_BY_ONE(T, name, nan)                                                                                                   \
    static inline T name(T a)                                                                                                      \
    {                                                                                                                              \
        if (__builtin_expect(a != a, 0)) {                                                                                         \
            __asm__ volatile("");                                                                                                  \
            a = nan;                                                                                                               \
        }                                                                                                                          \
        return a;                                                                                                                  \
    }
ONE_BY_ONE(float, one_f32, num_float32(NUM_NAN_F32))
ONE_BY_ONE(double, one_f64, num_float64(NUM_NAN_F64))
#define num_addf_f32(a, b) one_f32(num_raw_addf_f32(a, b))
#define num_subf_f32(a, b) one_f32(num_raw_subf_f32(a, b))
#define num_mulf_f32(a, b) one_f32(num_raw_mulf_f32(a, b))
#define num_divf_f32(a, b) one_f32(num_raw_divf_f32(a, b))
#define num_addf_f64(a, b) one_f64(num_raw_addf_f64(a, b))
#define num_subf_f64(a, b) one_f64(num_raw_subf_f64(a, b))
#define num_mulf_f64(a, b) one_f64(num_raw_mulf_f64(a, b))
#define num_divf_f64(a, b) one_f64(num_raw_divf_f64(a, b))

#ifdef LOOP_GOTO
#define TARGET(row, T)                         BVM_CAT5(L_, BVM_OP_##row, _, T, ) :
#define TARGET_N(number, T)                    L_##number##_##T:
#define TARGET_TILE(form)                      L_tile_##form:
#define TARGET_2(a, T, b, U)                   L_##a##_##T##_##b##_##U:
#define TARGET_3(a, T, b, U, c, V)             L_##a##_##T##_##b##_##U##_##c##_##V:
#define TARGET_4(a, T, b, U, c, V, d, X)       L_##a##_##T##_##b##_##U##_##c##_##V##_##d##_##X:
#define TARGET_5(a, T, b, U, c, V, d, X, e, Y) L_##a##_##T##_##b##_##U##_##c##_##V##_##d##_##X##_##e##_##Y:
#define DISPATCH                               goto *labels[HANDLER]
#else
#define TARGET(row, T)                         case H(row, T):
#define TARGET_N(number, T)                    case H_##number##_##T:
#define TARGET_TILE(form)                      L_tile_##form:
#define TARGET_2(a, T, b, U)                   case HF(a, T, b, U):
#define TARGET_3(a, T, b, U, c, V)             case HF3(a, T, b, U, c, V):
#define TARGET_4(a, T, b, U, c, V, d, X)       case HF4(a, T, b, U, c, V, d, X):
#define TARGET_5(a, T, b, U, c, V, d, X, e, Y) case HF5(a, T, b, U, c, V, d, X, e, Y):
#define DISPATCH                               goto dispatch
#endif

/* Handler of the running instruction. */
#define HANDLER              bvm_field(pc, 0)
#define WORDS(fields, wides) ((fields) / 4 + 1 + (wides))
#define NEXT(fields, wides)                                                                                                        \
    do {                                                                                                                           \
        pc += WORDS(fields, wides);                                                                                                \
        DISPATCH;                                                                                                                  \
    } while (0)
#define F(k)         bvm_field(pc, (k) + 1)
#define R(k)         s[F(k)]
#define B(k)         b[F(k)]
#define W(fields, k) pc[(fields) / 4 + 1 + (k)]
#define STRING(k)    (k_module->m.strings[k].text)

/* Distances are in words; going back costs them, so every loop pays. */
#define JUMP(distance)                                                                                                             \
    do {                                                                                                                           \
        int64_t d_ = (int64_t)(distance);                                                                                          \
        if (d_ <= 0 && __builtin_expect((budget += d_ - 1) < 0, 0))                                                                \
            FUEL();                                                                                                                \
        pc += d_;                                                                                                                  \
        DISPATCH;                                                                                                                  \
    } while (0)
#define FUEL()                                                                                                                     \
    do {                                                                                                                           \
        worker->budget = budget;                                                                                                   \
        status = bvm_refuel(worker);                                                                                               \
        budget = worker->budget;                                                                                                   \
        if (status)                                                                                                                \
            goto failed;                                                                                                           \
    } while (0)
#define TRAP(...)                                                                                                                  \
    do {                                                                                                                           \
        status = bvm_trap(worker, BUFVM_TRAP, __VA_ARGS__);                                                                        \
        goto failed;                                                                                                               \
    } while (0)
/* Runs a call that may use fuel or frames. */
#define OUTSIDE(call)                                                                                                              \
    do {                                                                                                                           \
        worker->budget = budget;                                                                                                   \
        frame->pc = pc;                                                                                                            \
        worker->frame = frame;                                                                                                     \
        status = (call);                                                                                                           \
        budget = worker->budget;                                                                                                   \
        if (status)                                                                                                                \
            goto failed;                                                                                                           \
    } while (0)
#define ENTER(f)                                                                                                                   \
    do {                                                                                                                           \
        frame = (f);                                                                                                               \
        s = bvm_scalars(frame);                                                                                                    \
        b = bvm_buffers(frame);                                                                                                    \
        tiles = bvm_tiles(frame);                                                                                                  \
    } while (0)

/* The body of `loop`.  `turn` is the pc of the next turn. */
#define LOOP_TURN_BACK(turn)                                                                                                       \
    do {                                                                                                                           \
        int64_t sum_;                                                                                                              \
        bool wrapped_ = __builtin_add_overflow((int64_t)R(0), (int64_t)R(1), &sum_);                                               \
        R(0) = (uint64_t)sum_;                                                                                                     \
        if (!wrapped_ && sum_ < (int64_t)R(2)) {                                                                                   \
            int64_t back_ = (int64_t)W(3, 0);                                                                                      \
            if (__builtin_expect(back_ <= 0, 1) && __builtin_expect((budget += back_ - 1) < 0, 0))                                 \
                FUEL();                                                                                                            \
            pc = turn;                                                                                                             \
            DISPATCH;                                                                                                              \
        }                                                                                                                          \
        NEXT(3, 1);                                                                                                                \
    } while (0)
#define LOOP_TURN LOOP_TURN_BACK(pc + back_)

/* What the watched twin (loop_sanitize.c) is told beside what stands at `dispatch`. */
#ifdef LOOP_SANITIZE
#define WATCH_MADE()                                                                                                               \
    if ((status = bvm_sanitize_made(worker, frame, pc, &B(0), W(2, 0))))                                                           \
    goto failed
#define WATCH_ENDED() bvm_sanitize_ended(worker, frame, pc, &B(0))
#else
#define WATCH_MADE()                                                                                                               \
    do {                                                                                                                           \
    } while (0)
#define WATCH_ENDED() WATCH_MADE()
#endif

/* -- memory ---------------------------------------------------------------------------------------- */

#define SHIFT_I1            0
#define SHIFT_I8            0
#define SHIFT_I16           1
#define SHIFT_I32           2
#define SHIFT_I64           3
#define SHIFT_F16           1
#define SHIFT_BF16          1
#define SHIFT_F32           2
#define SHIFT_F64           3
#define SLOT_GET_I1(p)      (bvm_get8(p) & 1u)
#define SLOT_GET_I8(p)      ((uint64_t)(int8_t)bvm_get8(p))
#define SLOT_GET_I16(p)     ((uint64_t)(int16_t)bvm_get16(p))
#define SLOT_GET_I32(p)     ((uint64_t)(int32_t)bvm_get32(p))
#define SLOT_GET_I64(p)     bvm_get64(p)
#define SLOT_GET_F16(p)     bvm_get16(p)
#define SLOT_GET_BF16(p)    bvm_get16(p)
#define SLOT_GET_F32(p)     bvm_get32(p)
#define SLOT_GET_F64(p)     bvm_get64(p)
#define SLOT_PUT_I1(p, v)   bvm_put8(p, (uint8_t)((v)&1))
#define SLOT_PUT_I8(p, v)   bvm_put8(p, (uint8_t)(v))
#define SLOT_PUT_I16(p, v)  bvm_put16(p, (uint16_t)(v))
#define SLOT_PUT_I32(p, v)  bvm_put32(p, (uint32_t)(v))
#define SLOT_PUT_I64(p, v)  bvm_put64(p, v)
#define SLOT_PUT_F16(p, v)  bvm_put16(p, (uint16_t)(v))
#define SLOT_PUT_BF16(p, v) bvm_put16(p, (uint16_t)(v))
#define SLOT_PUT_F32(p, v)  bvm_put32(p, (uint32_t)(v))
#define SLOT_PUT_F64(p, v)  bvm_put64(p, v)

#define LOAD_VALUE(T, reg, index)                                                                                                  \
    const BvmReg *r_ = &(reg);                                                                                                     \
    uint64_t i_ = (index);                                                                                                         \
    if (__builtin_expect(i_ >= r_->length >> SHIFT_##T, 0)) {                                                                      \
        status = bvm_trap_access(worker, r_, i_, SHIFT_##T, false);                                                                \
        goto failed;                                                                                                               \
    }                                                                                                                              \
    uint64_t l_ = SLOT_GET_##T(r_->data + (i_ << SHIFT_##T));                                                                      \
    R(0) = l_
#define LOAD(T, reg, index)                                                                                                        \
    do {                                                                                                                           \
        LOAD_VALUE(T, reg, index);                                                                                                 \
    } while (0)
#define STORE(T, reg, index)                                                                                                       \
    do {                                                                                                                           \
        const BvmReg *r_ = &(reg);                                                                                                 \
        uint64_t i_ = (index);                                                                                                     \
        if (__builtin_expect(i_ >= r_->writable >> SHIFT_##T, 0)) {                                                                \
            status = bvm_trap_access(worker, r_, i_, SHIFT_##T, true);                                                             \
            goto failed;                                                                                                           \
        }                                                                                                                          \
        SLOT_PUT_##T(r_->data + (i_ << SHIFT_##T), R(0));                                                                          \
    } while (0)

/* -- elementwise rows ------------------------------------------------------------------------------ */

#define DIVIDES(number) ((number) >= BVM_OP_divsi && (number) <= BVM_OP_floordivsi)
/* Rows whose bodies are long go through the slot level, to keep this function small. */
#define BY_SLOT(number, T) (((number) >= BVM_OP_sqrt || BVM_##T == BVM_F16 || BVM_##T == BVM_BF16) && (number) != BVM_OP_select)
#define SLOTS(number, T, n)                                                                                                        \
    do {                                                                                                                           \
        etype = (number) << 5 | BVM_##T;                                                                                           \
        goto by_slot_##n;                                                                                                          \
    } while (0)
#define IN(T, k) NUM_FN(from_slot, T)(R(k))
#define FORM_1(T, number, name)                                                                                                    \
    TARGET_N(number, T)                                                                                                            \
    if (BY_SLOT(number, T))                                                                                                        \
        SLOTS(number, T, 1);                                                                                                       \
    R(0) = NUM_FN(slot, T)(NUM_FN(name, T)(IN(T, 1)));                                                                             \
    NEXT(2, 0);
#define FORM_2(T, number, name)                                                                                                    \
    TARGET_N(number, T)                                                                                                            \
    if (BY_SLOT(number, T))                                                                                                        \
        SLOTS(number, T, 2);                                                                                                       \
    if (DIVIDES(number) && IN(T, 2) == 0)                                                                                          \
        goto divided;                                                                                                              \
    R(0) = NUM_FN(slot, T)(NUM_FN(name, T)(IN(T, 1), IN(T, 2)));                                                                   \
    NEXT(3, 0);
#define FORM_3(T, number, name)                                                                                                    \
    TARGET_N(number, T)                                                                                                            \
    if (BY_SLOT(number, T))                                                                                                        \
        SLOTS(number, T, 3);                                                                                                       \
    R(0) = NUM_FN(slot, T)(NUM_FN(name, T)(IN(T, 1), IN(T, 2), IN(T, 3)));                                                         \
    NEXT(4, 0);
#define FORM_c(T, number, name)                                                                                                    \
    TARGET_N(number, T)                                                                                                            \
    R(0) = NUM_FN(name, T)(IN(T, 1), IN(T, 2));                                                                                    \
    NEXT(3, 0);
#define FORM_p(T, number, name)                                                                                                    \
    TARGET_N(number, T)                                                                                                            \
    R(0) = NUM_FN(name, T)(IN(T, 1));                                                                                              \
    NEXT(2, 0);
#define FORM_s(T, number, name)                                                                                                    \
    TARGET_N(number, T)                                                                                                            \
    R(0) = NUM_FN(slot, T)(NUM_FN(name, T)((uint8_t)R(1), IN(T, 2), IN(T, 3)));                                                    \
    NEXT(4, 0);
#define FORM_e(T, number, name)                                                                                                    \
    TARGET_N(number, T)                                                                                                            \
    SLOTS(number, T, 2);
#define FORM_x(T, number, name)                                                                                                    \
    TARGET_N(number, T)                                                                                                            \
    R(0) = convert(number, BVM_##T, F(2), R(1));                                                                                   \
    NEXT(3, 0);

/* -- pairs and triples (fused.def) ----------------------------------------------------------------- */

/* Goes on to the instruction behind one of `words` words. */
#define THEN(words) (pc += (words))
/* The second instructions, first as what ends them. */
#define AFTER_addi   NEXT(3, 0)
#define AFTER_subi   NEXT(3, 0)
#define AFTER_muli   NEXT(3, 0)
#define AFTER_andi   NEXT(3, 0)
#define AFTER_ori    NEXT(3, 0)
#define AFTER_xori   NEXT(3, 0)
#define AFTER_addf   NEXT(3, 0)
#define AFTER_subf   NEXT(3, 0)
#define AFTER_mulf   NEXT(3, 0)
#define AFTER_select NEXT(4, 0)
#define AFTER_load   NEXT(3, 0)
#define AFTER_store  NEXT(3, 0)
#define AFTER_loadx  NEXT(4, 0)
#define AFTER_storex NEXT(4, 0)
#define AFTER_jz     NEXT(1, 1)
#define AFTER_jnz    NEXT(1, 1)
#define AFTER_jeq    NEXT(2, 1)
#define AFTER_jne    NEXT(2, 1)
#define AFTER_jslt   NEXT(2, 1)
#define AFTER_jsge   NEXT(2, 1)
#define AFTER_loop   NEXT(3, 1)
#define AFTER_call
#define AFTER_ret

#define BINARY_PART(row, T) R(0) = NUM_FN(slot, T)(NUM_FN(row, T)(IN(T, 1), IN(T, 2)))
#define CHAIN_PART(row, T)  R(0) = NUM_FN(slot, T)(NUM_FN(row, T)(v_, IN(T, 2)))
#define SELECT_PART(T)      R(0) = NUM_FN(slot, T)(NUM_FN(select, T)(c_, IN(T, 2), IN(T, 3)))
#define JUMP_jeq(a, b)      ((a) == (b))
#define JUMP_jne(a, b)      ((a) != (b))
#define JUMP_jslt(a, b)     ((int64_t)(a) < (int64_t)(b))
#define JUMP_jsge(a, b)     ((int64_t)(a) >= (int64_t)(b))
#define WHEN_0_jz           JUMP(W(1, 0))
#define WHEN_1_jz           NEXT(1, 1)
#define WHEN_0_jnz          NEXT(1, 1)
#define WHEN_1_jnz          JUMP(W(1, 0))
#define FIRST_addi(T)       BINARY_PART(addi, T)
#define FIRST_subi(T)       BINARY_PART(subi, T)
#define FIRST_muli(T)       BINARY_PART(muli, T)
#define FIRST_andi(T)       BINARY_PART(andi, T)
#define FIRST_ori(T)        BINARY_PART(ori, T)
#define FIRST_xori(T)       BINARY_PART(xori, T)
#define FIRST_addf(T)       BINARY_PART(addf, T)
#define FIRST_mulf(T)       BINARY_PART(mulf, T)
#define FIRST_load(T)       LOAD(T, B(1), R(2))
#define FIRST_store(T)      STORE(T, B(1), R(2))
#define FIRST_storex(T)     STORE(T, B(1), R(2) + R(3))
#define WORDS_addi          1
#define WORDS_subi          1
#define WORDS_andi          1
#define WORDS_ori           1
#define WORDS_xori          1
#define WORDS_addf          1
#define WORDS_mulf          1
#define WORDS_load          1
#define WORDS_store         1
#define WORDS_storex        2
#define WORDS_addi_imm      2
#define WORDS_muli_imm      2
#define WORDS_mad_imm       2
#define WORDS_mad           2
#define WORDS_muli          1
#define INDEX_addi_imm      (R(1) + W(2, 0))
#define INDEX_muli_imm      (R(1) * W(2, 0))
#define INDEX_mad_imm       (R(1) * W(3, 0) + R(2))
#define INDEX_mad           (R(1) * R(2) + R(3))
#define INDEX_muli          (R(1) * R(2))
#define ACCESS_load(T, i)   LOAD(T, B(1), i)
#define ACCESS_loadx(T, i)  LOAD(T, B(1), (i) + R(3))
#define ACCESS_store(T, i)  STORE(T, B(1), i)
#define ACCESS_storex(T, i) STORE(T, B(1), (i) + R(3))
/* By the second row. */
#define NEXT_loop(a, T)                                                                                                            \
    THEN(WORDS_##a);                                                                                                               \
    LOOP_TURN
#define NEXT_compare(b)                                                                                                            \
    THEN(1);                                                                                                                       \
    if (JUMP_##b(R(0), R(1)))                                                                                                      \
    JUMP(W(2, 0))
#define NEXT_call(a, T)                                                                                                            \
    THEN(WORDS_##a);                                                                                                               \
    goto do_call
#define NEXT_ret(a, T)                                                                                                             \
    THEN(WORDS_##a);                                                                                                               \
    goto do_ret
#define NEXT_jeq(a, T)  NEXT_compare(jeq)
#define NEXT_jne(a, T)  NEXT_compare(jne)
#define NEXT_jslt(a, T) NEXT_compare(jslt)
#define NEXT_jsge(a, T) NEXT_compare(jsge)

#define PAIR_chain(a, T, b, U)                                                                                                     \
    NUM_CT(T) v_ = NUM_FN(a, T)(IN(T, 1), IN(T, 2));                                                                               \
    R(0) = NUM_FN(slot, T)(v_);                                                                                                    \
    THEN(1);                                                                                                                       \
    CHAIN_PART(b, U)
#define PAIR_raw(a, T, b, U)                                                                                                       \
    NUM_CT(T) v_ = NUM_RAW_FN(a, T)(IN(T, 1), IN(T, 2));                                                                           \
    R(0) = NUM_FN(slot, T)(v_);                                                                                                    \
    THEN(1);                                                                                                                       \
    CHAIN_PART(b, U)
#define PAIR_index(a, T, b, U)                                                                                                     \
    uint64_t v_ = INDEX_##a;                                                                                                       \
    R(0) = v_;                                                                                                                     \
    THEN(WORDS_##a);                                                                                                               \
    ACCESS_##b(U, v_)
#define TRUTH_JUMP(condition, jump)                                                                                                \
    if (condition) {                                                                                                               \
        R(0) = 1;                                                                                                                  \
        THEN(1);                                                                                                                   \
        WHEN_1_##jump;                                                                                                             \
    } else {                                                                                                                       \
        R(0) = 0;                                                                                                                  \
        THEN(1);                                                                                                                   \
        WHEN_0_##jump;                                                                                                             \
    }
#define PAIR_truth(a, T, b, U) TRUTH_JUMP(NUM_FN(a, T)(IN(T, 1), IN(T, 2)), b)
#define PAIR_against(a, T, b, U)                                                                                                   \
    uint64_t v_ = NUM_FN(slot, T)(NUM_FN(a, T)(IN(T, 1), IN(T, 2)));                                                               \
    R(0) = v_;                                                                                                                     \
    THEN(1);                                                                                                                       \
    if (JUMP_##b(v_, R(1)))                                                                                                        \
    JUMP(W(2, 0))
#define PAIR_count(a, T, b, U)                                                                                                     \
    uint8_t v_ = NUM_FN(a, T)(IN(T, 1), IN(T, 2));                                                                                 \
    R(0) = v_;                                                                                                                     \
    THEN(1);                                                                                                                       \
    CHAIN_PART(b, U)
#define PAIR_choose(a, T, b, U)                                                                                                    \
    uint8_t c_ = NUM_FN(a, T)(IN(T, 1), IN(T, 2));                                                                                 \
    R(0) = c_;                                                                                                                     \
    THEN(1);                                                                                                                       \
    SELECT_PART(U)
#define PAIR_next(a, T, b, U)                                                                                                      \
    FIRST_##a(T);                                                                                                                  \
    NEXT_##b(a, T)
#define TRIPLE_chain_loop(a, T, b, U, c, V)                                                                                        \
    PAIR_chain(a, T, b, U);                                                                                                        \
    THEN(1);                                                                                                                       \
    LOOP_TURN
#define TRIPLE_raw_loop(a, T, b, U, c, V)                                                                                          \
    PAIR_raw(a, T, b, U);                                                                                                          \
    THEN(1);                                                                                                                       \
    LOOP_TURN
#define TRIPLE_count_loop(a, T, b, U, c, V)                                                                                        \
    PAIR_count(a, T, b, U);                                                                                                        \
    THEN(1);                                                                                                                       \
    LOOP_TURN
#define TRIPLE_choose(a, T, b, U, c, V)                                                                                            \
    PAIR_choose(a, T, b, U);                                                                                                       \
    THEN(2);                                                                                                                       \
    SELECT_PART(V)
#define LOADED(T) NUM_FN(from_slot, T)(l_)
#define TRIPLE_truth(a, T, b, U, c, V)                                                                                             \
    LOAD_VALUE(T, B(1), R(2));                                                                                                     \
    THEN(1);                                                                                                                       \
    TRUTH_JUMP(NUM_FN(b, U)(LOADED(T), IN(U, 2)), c)
#define FOUR_past(a, T, b, U, c, V, d, X)                                                                                          \
    LOAD_VALUE(T, B(1), R(2));                                                                                                     \
    THEN(1);                                                                                                                       \
    if (NUM_FN(b, U)(LOADED(T), IN(U, 2))) {                                                                                       \
        R(0) = 1;                                                                                                                  \
        THEN(1);                                                                                                                   \
        NEXT(1, 1);                                                                                                                \
    }                                                                                                                              \
    R(0) = 0;                                                                                                                      \
    const uint64_t *turn_ = pc + (int16_t)bvm_field(pc + 1, 3); /* fuse.c put it there: one load on the way from turn to turn */   \
    THEN(1);                                                                                                                       \
    pc += (int64_t)W(1, 0);                                                                                                        \
    LOOP_TURN_BACK(turn_)
/* A running best is seldom better: a branch, so that no turn waits for the selections of the one before. */
#define BEST_LOOP(T, V)                                                                                                            \
    if (__builtin_expect(c_, 0)) {                                                                                                 \
        __asm__ volatile("");                                                                                                      \
        THEN(1);                                                                                                                   \
        R(0) = NUM_FN(slot, T)(IN(T, 2));                                                                                          \
        THEN(2);                                                                                                                   \
        R(0) = NUM_FN(slot, V)(IN(V, 2));                                                                                          \
    } else {                                                                                                                       \
        THEN(1);                                                                                                                   \
        R(0) = NUM_FN(slot, T)(IN(T, 3));                                                                                          \
        THEN(2);                                                                                                                   \
        R(0) = NUM_FN(slot, V)(IN(V, 3));                                                                                          \
    }                                                                                                                              \
    THEN(2);                                                                                                                       \
    LOOP_TURN
#define FOUR_choose_loop(a, T, b, U, c, V, d, X)                                                                                   \
    uint8_t c_ = NUM_FN(a, T)(IN(T, 1), IN(T, 2));                                                                                 \
    R(0) = c_;                                                                                                                     \
    BEST_LOOP(U, V)
#define FIVE_choose_loop(a, T, b, U, c, V, d, X, e, Y)                                                                             \
    LOAD_VALUE(T, B(1), R(2));                                                                                                     \
    THEN(1);                                                                                                                       \
    uint8_t c_ = NUM_FN(b, U)(LOADED(T), IN(U, 2));                                                                                \
    R(0) = c_;                                                                                                                     \
    BEST_LOOP(V, X)

/* Conversions that loops use have a path of their own. */
static __attribute__((noinline)) uint64_t convert(unsigned row, unsigned source, unsigned dest, uint64_t a)
{
    if (row == BVM_OP_sitof && dest == BVM_F32)
        return num_slot_f32(num_sitof_i64_f32(source == BVM_I1 ? -(int64_t)(a & 1) : num_sext(a, bvm_elem_bits(source))));
    if (row == BVM_OP_exts || row == BVM_OP_extu) {
        unsigned from = bvm_elem_bits(source);
        a = row == BVM_OP_exts ? (uint64_t)num_sext(a, from) : num_zext(a, from);
        return dest == BVM_I1 ? a & 1 : (uint64_t)num_sext(a, bvm_elem_bits(dest));
    }
    if (row == BVM_OP_fconv && source == BVM_F32 && dest == BVM_F64)
        return num_slot_f64(num_fconv_f32_f64(num_from_slot_f32(a)));
    if (row == BVM_OP_fconv && source == BVM_F64 && dest == BVM_F32)
        return num_slot_f32(num_fconv_f64_f32(num_from_slot_f64(a)));
    uint64_t v = 0;
    num_eval(row, source, dest, a, 0, 0, &v);
    return v;
}

/* code: row << 5 | element type. */
static uint64_t by_slot(unsigned code, uint64_t a, uint64_t b, uint64_t c)
{
    uint64_t v = 0;
    num_eval(code >> 5, code & 31, 0, a, b, c, &v);
    return v;
}

static const uint8_t shift_of[] = {
    [BVM_I1] = 0,  [BVM_I8] = 0,   [BVM_I16] = 1, [BVM_I32] = 2, [BVM_I64] = 3,
    [BVM_F16] = 1, [BVM_BF16] = 1, [BVM_F32] = 2, [BVM_F64] = 3,
};

BufvmStatus LOOP_NAME(BvmWorker *worker, BvmFrame *frame)
{
#ifdef LOOP_GOTO
    static const void *const labels[H_ALL] = {
#define ONE(T, number, ...)           [H_##number##_##T] = &&L_##number##_##T,
#define ONE_TILE(T, number, form)     [HT_##number##_##T] = &&L_tile_##form,
#define OP(number, name, TYPES, ...)  TYPES(ONE, number)
#define EW_TILES(TYPES, number, form) TYPES(ONE_TILE, number, form)
#define EW(number, name, TYPES, ...)  TYPES(ONE, number) EW_TILES(TYPES, number, BVM_FORM_##name)
#include "../bytecode/opcodes.def"
#undef ONE
#undef ONE_TILE
#undef OP
#undef EW
#define PAIR(shape, a, T, b, U) [HF(a, T, b, U)] = &&L_##a##_##T##_##b##_##U,
#define STEP(a, T, b, U)
#define STEP3(a, T, b, U, c, V)
#define STEP4(a, T, b, U, c, V, d, X)
#define TRIPLE(shape, a, T, b, U, c, V)     [HF3(a, T, b, U, c, V)] = &&L_##a##_##T##_##b##_##U##_##c##_##V,
#define FOUR(shape, a, T, b, U, c, V, d, X) [HF4(a, T, b, U, c, V, d, X)] = &&L_##a##_##T##_##b##_##U##_##c##_##V##_##d##_##X,
#define FIVE(shape, a, T, b, U, c, V, d, X, e, Y)                                                                                  \
    [HF5(a, T, b, U, c, V, d, X, e, Y)] = &&L_##a##_##T##_##b##_##U##_##c##_##V##_##d##_##X##_##e##_##Y,
#include "fused.def"
#undef PAIR
#undef STEP
#undef TRIPLE
#undef FOUR
#undef STEP3
#undef STEP4
#undef FIVE
    };
#endif
    BufvmModule *const k_module = worker->context->module;
    const uint32_t depth_limit = worker->context->limits.call_depth;
    uint64_t *s;
    BvmReg *b;
    uint8_t **tiles;
    const uint64_t *pc = frame->code->entry;
    int64_t budget = worker->budget;
    unsigned etype;
    BufvmStatus status;
#ifdef LOOP_SANITIZE
    const BvmSanitizer *watch = worker->context->sanitizer;
#endif
    ENTER(frame);

#ifdef LOOP_GOTO
    DISPATCH;
#else
dispatch:
#ifdef LOOP_SANITIZE
    if (bvm_is_watched(watch, pc) && (status = bvm_sanitize(worker, frame, pc)))
        goto failed;
#endif
    switch (HANDLER) {
#endif

    /* -- control ------------------------------------------------------------------------------- */

    TARGET(unreachable, NONE) TRAP("%s", STRING(W(0, 0)));
    TARGET(jmp, NONE) JUMP(W(0, 0));
    TARGET(jnz, NONE)
    if (R(0) & 1)
        JUMP(W(1, 0));
    NEXT(1, 1);
    TARGET(jz, NONE)
    if (!(R(0) & 1))
        JUMP(W(1, 0));
    NEXT(1, 1);
#define COMPARE_JUMP(row, type, op)                                                                                                \
    TARGET(row, I64)                                                                                                               \
    if ((type)R(0) op(type) R(1))                                                                                                  \
        JUMP(W(2, 0));                                                                                                             \
    NEXT(2, 1);
    COMPARE_JUMP(jeq, uint64_t, ==)
    COMPARE_JUMP(jne, uint64_t, !=)
    COMPARE_JUMP(jslt, int64_t, <)
    COMPARE_JUMP(jsge, int64_t, >=)
    COMPARE_JUMP(jult, uint64_t, <)
    COMPARE_JUMP(juge, uint64_t, >=)
    TARGET(loop, I64) LOOP_TURN;
    TARGET(switch, I64)
    {
        uint64_t v = R(0) - W(1, 0), n = W(1, 1);
        pc += WORDS(1, 2) + 2 * (v < n ? v : n); /* a jmp takes two words */
    }
    DISPATCH;
    TARGET(assert, NONE)
    if (!(R(0) & 1))
        TRAP("%s", STRING(W(1, 0)));
    NEXT(1, 1);

    {
        const BvmCode *callee;
        const uint64_t *list;
        TARGET(call_indirect, NONE)
        {
            uint64_t number = R(0);
            const BvmFunc *fn = number < k_module->m.nfunctions ? &k_module->m.functions[number] : NULL;
            if (!fn || !fn->referenced)
                TRAP("indirect call: %" PRIu64 " is not the number of a function that may be called so", number);
            if (fn->banks != W(1, 0))
                TRAP("indirect call: @%s has registers %s, the call passes %s", fn->name, STRING(fn->banks), STRING(W(1, 0)));
            callee = &k_module->codes[number];
            list = &W(1, 1);
            goto enter;
        }
        TARGET(call, NONE)
    do_call:
        callee = (const BvmCode *)(uintptr_t)W(0, 0);
        list = &W(0, 1);
    enter:;
    /* Known here before it is needed: a return does not look for it in the caller's code.  Without a result, a word of it. */
#define RETURN_TO(next) ((next)->resume = list + 1 + (list[0] + 3) / 4, (next)->result = bvm_list(list, callee->nargs))
        if ((budget -= callee->price) < 0)
            FUEL();
        frame->pc = pc;
        if (callee->is_simple && worker->depth < depth_limit && callee->frame_bytes <= (size_t)(worker->end - worker->top)) {
            BvmFrame *next = bvm_push_simple(worker, callee, frame);
            uint64_t *to = bvm_scalars(next);
            RETURN_TO(next);
            for (uint32_t i = 0; i < callee->nargs; i++)
                to[i] = s[bvm_list(list, i)];
            frame = next;
            s = to;
            b = bvm_buffers(next);
            pc = callee->entry;
            DISPATCH;
        }
        worker->frame = frame;
        BvmFrame *next = bvm_push(worker, callee, frame);
        if (!next) {
            status = worker->error.status;
            goto failed;
        }
        RETURN_TO(next);
        uint64_t *to_s = bvm_scalars(next);
        BvmReg *to_b = bvm_buffers(next);
        const char *kinds = callee->fn->sig.args;
        for (uint32_t i = 0; i < callee->nargs; i++) {
            uint16_t r = bvm_list(list, i);
            if (kinds[i] == 's') {
                *to_s++ = s[r];
            } else {
                bvm_reg_retain(&b[r]);
                *to_b++ = b[r];
            }
        }
        ENTER(next);
        pc = callee->entry;
        DISPATCH;
    }
    TARGET(ret, NONE)
do_ret : {
    BvmFrame *up = frame->up;
    if (!up) {
        frame->pc = pc;
        worker->frame = frame;
        worker->budget = budget;
        return BUFVM_OK;
    }
    const BvmCode *code = frame->code;
    const uint64_t *from = &W(0, 0);
    const uint64_t *list = up->pc + 2; /* call and call.indirect alike: the register of the latter is in the first word */
    uint64_t *up_s = bvm_scalars(up);
    if (code->is_simple) {
        if (code->nresults == 1) {
            up_s[frame->result] = s[bvm_list(from, 0)];
        } else {
            for (uint32_t i = 0; i < code->nresults; i++)
                up_s[bvm_list(list, code->nargs + i)] = s[bvm_list(from, i)];
        }
        pc = frame->resume;
        bvm_pop_simple(worker, frame);
        ENTER(up);
        DISPATCH;
    }
    BvmReg *up_b = bvm_buffers(up);
    const BvmBanks *sig = &code->fn->sig;
    for (uint32_t i = 0; i < sig->nresults; i++) {
        uint16_t r = bvm_list(from, i), t = bvm_list(list, sig->nargs + i);
        if (sig->results[i] == 's') {
            up_s[t] = s[r];
        } else {
            bvm_reg_retain(&b[r]);
            bvm_reg_drop(&up_b[t]);
            up_b[t] = b[r];
        }
    }
    pc = frame->resume;
    bvm_pop(worker, frame);
    ENTER(up);
    DISPATCH;
}
    TARGET(call_import, NONE)
    OUTSIDE(bvm_call_import(worker, frame, (uint32_t)W(0, 0), &W(0, 1)));
    pc += WORDS(0, 1) + 1 + (W(0, 1) + 3) / 4;
    DISPATCH;
    TARGET(grid, NONE)
    OUTSIDE(bvm_grid(worker, frame, (uint32_t)W(1, 0), (int64_t)R(0), &W(1, 1)));
    pc += WORDS(1, 1) + 1 + (W(1, 1) + 3) / 4;
    DISPATCH;
    TARGET(kernel, NONE)
    OUTSIDE(bvm_kernel(worker, frame, pc));
    pc += WORDS(0, 2) + 1 + (W(0, 2) + 3) / 4;
    DISPATCH;
    TARGET(probe, NONE) NEXT(0, 1);
    TARGET(report, NONE) NEXT(1, 1);
#define REPORTS(T, row) TARGET(row, T)
    T_MEM(REPORTS, report_values) NEXT(4, 0);
    T_MEM(REPORTS, t_report_values) NEXT(4, 0);
    TARGET(parallel, NONE) NEXT(1, 0);
    TARGET(local_size, NONE)
    R(0) = worker->local.available - frame->local_base;
    NEXT(1, 0);
    TARGET(func_ref, NONE)
    R(0) = W(1, 0);
    NEXT(1, 1);

    /* -- moves --------------------------------------------------------------------------------- */

    TARGET(mov, NONE)
    R(0) = R(1);
    NEXT(2, 0);
    TARGET(imm, NONE)
    R(0) = W(1, 0);
    NEXT(1, 1);
    TARGET(imm16, NONE)
    R(0) = (uint64_t)(int16_t)F(1);
    NEXT(2, 0);
    TARGET(addi_imm, I64)
    R(0) = R(1) + W(2, 0);
    NEXT(2, 1);
    TARGET(muli_imm, I64)
    R(0) = R(1) * W(2, 0);
    NEXT(2, 1);
    TARGET(mad_imm, I64)
    R(0) = R(1) * W(3, 0) + R(2);
    NEXT(3, 1);
    TARGET(mad, I64)
    R(0) = R(1) * R(2) + R(3);
    NEXT(4, 0);
    TARGET(sext, NONE)
    R(0) = (uint64_t)num_sext(R(1), F(2));
    NEXT(3, 0);
    TARGET(zext, NONE)
    R(0) = num_zext(R(1), F(2));
    NEXT(3, 0);

    /* -- bounds -------------------------------------------------------------------------------- */

    TARGET(check_index, I64)
    if (__builtin_expect(R(0) >= R(1) || (int64_t)R(1) < 0, 0)) {
        if (F(2) == BVM_DIM_OF_RANK)
            TRAP("dimension %" PRId64 " of a value of rank %" PRId64, (int64_t)R(0), (int64_t)R(1));
        else
            TRAP("index %" PRId64 " out of bounds for dimension %u of size %" PRId64, (int64_t)R(0), F(2), (int64_t)R(1));
    }
    NEXT(3, 0);
    TARGET(check_index_imm, I64)
    if (__builtin_expect(R(0) >= W(2, 0) || (int64_t)W(2, 0) < 0, 0))
        TRAP("index %" PRId64 " out of bounds for dimension %u of size %" PRId64, (int64_t)R(0), F(1), (int64_t)W(2, 0));
    NEXT(2, 1);
    TARGET(check_range, I64)
    if ((status = bvm_check_range(worker, (int64_t)R(0), (int64_t)R(1), (int64_t)R(2), (int64_t)R(3), F(4))))
        goto failed;
    NEXT(5, 0);
    TARGET(check_size, I64)
    if ((int64_t)R(0) < 0)
        TRAP("%s: %" PRId64, STRING(W(1, 0)), (int64_t)R(0));
    NEXT(1, 1);
    TARGET(check_equal, I64)
    if (R(0) != R(1))
        TRAP("%s: %" PRId64 " and %" PRId64, STRING(W(2, 0)), (int64_t)R(0), (int64_t)R(1));
    NEXT(2, 1);

    /* -- buffers ------------------------------------------------------------------------------- */

    TARGET(buffer_alloc, NONE)
    {
        BufvmBuffer *block;
        uint64_t align = W(2, 0) & UINT32_MAX;
        if ((int64_t)R(1) < 0)
            TRAP("buffer of negative size %" PRId64, (int64_t)R(1));
        if ((budget -= (int64_t)(R(1) >> 8)) < 0)
            FUEL();
        if ((status = bvm_pool_alloc(worker->context->pool, R(1), align, !(W(2, 0) & BVM_ALLOC_WRITTEN), &block, &worker->error)))
            goto failed;
        bvm_block_first_address(block, &worker->next_address, align);
        bvm_reg_drop(&B(0));
        B(0) = (BvmReg){block->data, block->bytes, block->bytes, (uintptr_t)block};
        WATCH_MADE();
    }
    NEXT(2, 1);
    TARGET(buffer_dealloc, NONE)
    if ((status = bvm_dealloc(worker, &B(0))))
        goto failed;
    WATCH_ENDED();
    NEXT(1, 0);
    TARGET(buffer_drop, NONE)
    bvm_reg_drop(&B(0));
    NEXT(1, 0);
    TARGET(buffer_mov, NONE)
    {
        BvmReg from = B(1);
        bvm_reg_retain(&from);
        bvm_reg_drop(&B(0));
        B(0) = from;
    }
    NEXT(2, 0);
    TARGET(buffer_view, NONE)
    {
        BvmReg view;
        if ((status = bvm_view(worker, &B(1), R(2), R(3), &view)))
            goto failed;
        bvm_reg_retain(&view);
        bvm_reg_drop(&B(0));
        B(0) = view;
    }
    NEXT(4, 0);
    TARGET(buffer_length, NONE)
    R(0) = B(1).length;
    NEXT(2, 0);
    TARGET(buffer_address, NONE)
    {
        BufvmBuffer *block = bvm_reg_block(&B(1));
        R(0) = block ? bvm_block_address(block, &worker->next_address, 64) + (uint64_t)(B(1).data - block->data) : 0;
    }
    NEXT(2, 0);
    TARGET(buffer_const, NONE)
    {
        BufvmBuffer *block = bvm_context_constant(worker, W(1, 0));
        if (!block) {
            status = worker->error.status;
            goto failed;
        }
        bvm_reg_drop(&B(0));
        B(0) = bvm_reg_of(block, false);
    }
    NEXT(1, 1);
    TARGET(buffer_global, NONE)
    bvm_reg_drop(&B(0));
    B(0) = bvm_reg_of(worker->context->globals[W(1, 0)], false);
    NEXT(1, 1);
    TARGET(buffer_local, NONE)
    {
        uint64_t at = frame->local_base + W(1, 0), n = W(1, 1);
        if (at > worker->local.available || n > worker->local.available - at)
            TRAP("workgroup local memory: bytes %" PRIu64 " to %" PRIu64 " needed, %" PRIu64 " available", at, at + n,
                 worker->local.available);
        uint8_t *block = worker->local.block.data; /* none where no function needs any: its empty parts lie nowhere */
        bvm_reg_drop(&B(0));
        B(0) = (BvmReg){block ? block + at : NULL, n, n, (uintptr_t)&worker->local.block | BVM_BORROWED};
    }
    NEXT(1, 2);
    TARGET(buffer_same, NONE)
    {
        BufvmBuffer *x = bvm_reg_block(&B(1)), *y = bvm_reg_block(&B(2));
        bool same = x == y;
        if (same && x && (atomic_load_explicit(&x->flags, memory_order_relaxed) & BVM_LOCAL)) /* slots of one block */
            same = B(1).data < B(2).data + B(2).length && B(2).data < B(1).data + B(1).length;
        R(0) = same;
    }
    NEXT(3, 0);
#define ACCESS(T, ...)                                                                                                             \
    TARGET(load, T)                                                                                                                \
    LOAD(T, B(1), R(2));                                                                                                           \
    NEXT(3, 0);                                                                                                                    \
    TARGET(store, T)                                                                                                               \
    STORE(T, B(1), R(2));                                                                                                          \
    NEXT(3, 0);                                                                                                                    \
    TARGET(loadx, T)                                                                                                               \
    LOAD(T, B(1), R(2) + R(3));                                                                                                    \
    NEXT(4, 0);                                                                                                                    \
    TARGET(storex, T)                                                                                                              \
    STORE(T, B(1), R(2) + R(3));                                                                                                   \
    NEXT(4, 0);
    T_MEM(ACCESS, )

    /* -- numbers ------------------------------------------------------------------------------- */

#define OP(...)
#define EW(number, name, TYPES, ...) TYPES(NUM_PASTE2(FORM_, BVM_FORM_##name), number, name)
#include "../bytecode/opcodes.def"
#undef OP
#undef EW
by_slot_1:
    R(0) = by_slot(etype, R(1), 0, 0);
    NEXT(2, 0);
by_slot_2:
    R(0) = by_slot(etype, R(1), R(2), 0);
    NEXT(3, 0);
by_slot_3:
    R(0) = by_slot(etype, R(1), R(2), R(3));
    NEXT(4, 0);
#define WIDTHS(T, ...)                                                                                                             \
    TARGET(fconv_round, T)                                                                                                         \
    etype = BVM_##T;                                                                                                               \
    goto do_fconv_round;                                                                                                           \
    TARGET(ftosi_width, T)                                                                                                         \
    etype = BVM_##T;                                                                                                               \
    goto do_ftosi_width;                                                                                                           \
    TARGET(ftoui_width, T)                                                                                                         \
    etype = BVM_##T;                                                                                                               \
    goto do_ftoui_width;
    T_FLOATS(WIDTHS, )
do_fconv_round:
    R(0) = num_float_convert(etype, R(1), F(2), F(3));
    NEXT(4, 0);
do_ftosi_width:
    R(0) = num_float_to_int(etype, R(1), F(2), true);
    NEXT(3, 0);
do_ftoui_width:
    R(0) = num_float_to_int(etype, R(1), F(2), false);
    NEXT(3, 0);

    /* -- pairs and triples ------------------------------------------------------------------------ */

#ifndef LOOP_SANITIZE /* joined instructions are not watched */
#define PAIR(shape, a, T, b, U)                                                                                                    \
    TARGET_2(a, T, b, U)                                                                                                           \
    {                                                                                                                              \
        PAIR_##shape(a, T, b, U);                                                                                                  \
        AFTER_##b;                                                                                                                 \
    }
#define STEP(a, T, b, U)
#define STEP3(a, T, b, U, c, V)
#define STEP4(a, T, b, U, c, V, d, X)
#define TRIPLE(shape, a, T, b, U, c, V)                                                                                            \
    TARGET_3(a, T, b, U, c, V)                                                                                                     \
    {                                                                                                                              \
        TRIPLE_##shape(a, T, b, U, c, V);                                                                                          \
        AFTER_##c;                                                                                                                 \
    }
#define FOUR(shape, a, T, b, U, c, V, d, X)                                                                                        \
    TARGET_4(a, T, b, U, c, V, d, X)                                                                                               \
    {                                                                                                                              \
        FOUR_##shape(a, T, b, U, c, V, d, X);                                                                                      \
        AFTER_##d;                                                                                                                 \
    }
#define FIVE(shape, a, T, b, U, c, V, d, X, e, Y)                                                                                  \
    TARGET_5(a, T, b, U, c, V, d, X, e, Y)                                                                                         \
    {                                                                                                                              \
        FIVE_##shape(a, T, b, U, c, V, d, X, e, Y);                                                                                \
        AFTER_##e;                                                                                                                 \
    }
#include "fused.def"
#undef PAIR
#undef STEP
#undef TRIPLE
#undef FOUR
#undef STEP3
#undef STEP4
#undef FIVE
#endif

    /* -- strips and tiles ------------------------------------------------------------------------ */

#define MOST_OF_A_TURN (UINT64_C(1) << 20) /* lanes times words that one poll may pay for */

    TARGET(strip, NONE)
    {
        int64_t total = (int64_t)R(1);
        uint64_t step = F(2) ? F(2) : 1;
        frame->strip_reg = F(0);
        R(0) = 0;
        if (total <= 0) {
            pc += (int64_t)W(3, 0);
            DISPATCH;
        }
        frame->strip_total = (uint64_t)total;
        frame->strip_step = step;
        frame->lanes = step < (uint64_t)total ? step : (uint64_t)total;
        frame->strip_pc = pc + WORDS(3, 1);
        frame->redo_pc = NULL;
        worker->turn_is_short = frame->lanes * W(3, 0) <= MOST_OF_A_TURN;
    }
    NEXT(3, 1);
    TARGET(strip_next, NONE)
    {
        uint64_t done = R(0) += frame->lanes;
        if (worker->turn_is_short && (budget -= (int64_t)(frame->lanes * -W(1, 0) >> 7)) < 0)
            FUEL();
        if (done < frame->strip_total) {
            uint64_t left = frame->strip_total - done;
            frame->lanes = left < frame->strip_step ? left : frame->strip_step;
            JUMP(W(1, 0));
        }
        frame->lanes = 0;
        worker->turn_is_short = false;
        if (frame->redo_pc) { /* no lane failed alone */
            pc = frame->redo_pc;
            status = frame->redo_status;
            goto failed;
        }
    }
    NEXT(1, 1);

#define CAPACITY(k) (frame->code->fn->tiles[F(k)].capacity)
#define LANES(k)    (frame->lanes ? (size_t)frame->lanes : (size_t)CAPACITY(k))
#define OWN(k)      (tiles[F(k)])
/* A short turn of a strip is paid at its end.  All other tile instructions, those outside of strips too, pay one by one: code
   without a jump back can ask for any amount of their work.  Behind each long one an interrupt is looked for. */
#define PAY(k)                                                                                                                     \
    do {                                                                                                                           \
        if (__builtin_expect(!worker->turn_is_short, 0) && ((budget -= (int64_t)(LANES(k) >> 4)) < 0 || LANES(k) > 4096))          \
            FUEL();                                                                                                                \
    } while (0)
    /* Elements first + i * step for i < n are all below count. */
#define TILE_RANGE(reg, first, step, n, shift, writes)                                                                             \
    uint64_t first_ = (first), step_ = (n) > 1 ? (step) : 1, count_ = ((writes) ? (reg).writable : (reg).length) >> (shift);       \
    if (__builtin_expect(!(step_ == 1 ? first_ < count_ && (n) <= count_ - first_ : bvm_stretch_inside(first_, step_, n, count_)), \
                         0)) {                                                                                                     \
        status = bvm_trap_access(worker, &(reg), bvm_stretch_bad(first_, step_, n, count_), shift, writes);                        \
        goto failed;                                                                                                               \
    }
/* One body for all element types: these bodies are long, and a strip pays the jump once. */
#define TYPED(T, row)                                                                                                              \
    TARGET(row, T)                                                                                                                 \
    etype = BVM_##T;                                                                                                               \
    goto do_##row;
    T_MEM(TYPED, t_load)
do_t_load : {
    PAY(0);
    size_t n = LANES(0);
    unsigned shift = shift_of[etype];
    const BvmReg *reg = &B(1);
    TILE_RANGE(*reg, R(2), R(3), n, shift, false)
    uint8_t *from = reg->data + (first_ << shift);
    bool may_view = pc[1] & BVM_VIEW_BIT;
    if (step_ == 1 && may_view) {
        OWN(0) = from;
    } else {
        if (may_view) /* a view by its other turns */
            OWN(0) = worker->strip + frame->code->tile_at[F(0)];
        bvm_tile_load(1u << shift, OWN(0), from, (int64_t)(step_ << shift), n);
        if (etype == BVM_I1)
            bvm_tile_bits(OWN(0), n);
    }
}
    NEXT(4, 0);
    T_MEM(TYPED, t_store)
do_t_store : {
    PAY(0);
    size_t n = LANES(0);
    unsigned shift = shift_of[etype];
    const BvmReg *reg = &B(1);
    TILE_RANGE(*reg, R(2), R(3), n, shift, true)
    uint8_t *to = reg->data + (first_ << shift);
    if (OWN(0) != to || step_ != 1) { /* not where t.dest has put it */
        uint8_t *own = pc[1] & BVM_VIEW_BIT ? worker->strip + frame->code->tile_at[F(0)] : OWN(0);
        if (OWN(0) != own) /* at another place, which may overlap this one */
            OWN(0) = memcpy(own, OWN(0), n << shift);
        bvm_tile_store(1u << shift, OWN(0), to, (int64_t)(step_ << shift), n);
    }
}
    NEXT(4, 0);
    T_MEM(TYPED, t_store_mask)
do_t_store_mask : {
    PAY(0);
    size_t n = LANES(0);
    unsigned shift = shift_of[etype];
    const BvmReg *reg = &B(1);
    uint64_t bad = bvm_stretch_bad_mask(R(2), R(3), OWN(4), n, reg->writable >> shift);
    if (bad != UINT64_MAX) {
        status = bvm_trap_access(worker, reg, R(2) + bad * R(3), shift, true);
        goto failed;
    }
    bvm_scatter_mask(1u << shift, OWN(0), OWN(4), reg->data, R(2), R(3), n);
}
    NEXT(5, 0);
    T_MEM(TYPED, t_splat)
do_t_splat:
    PAY(0);
    bvm_tile_splat(1u << shift_of[etype], OWN(0), etype == BVM_I1 ? R(1) & 1 : R(1), LANES(0));
    NEXT(2, 0);
    T_MEM(TYPED, t_gather)
    T_MEM(TYPED, t_gather_mask)
do_t_gather:
do_t_gather_mask : {
    PAY(0);
    bool masked = HANDLER >= H(t_gather_mask, I1);
    const uint8_t *mask = masked ? OWN(3) : NULL;
    unsigned shift = shift_of[etype];
    size_t n = LANES(0), bad = bvm_tile_bad_index(OWN(2), mask, B(1).length >> shift, n);
    if (bad < n) {
        status = bvm_trap_access(worker, &B(1), bvm_get64(OWN(2) + 8 * bad), shift, false);
        goto failed;
    }
    bvm_tile_gather(1u << shift, OWN(0), B(1).data, OWN(2), mask, n);
    if (etype == BVM_I1)
        bvm_tile_bits(OWN(0), n);
    pc += masked ? WORDS(4, 0) : WORDS(3, 0);
}
    DISPATCH;
    T_MEM(TYPED, t_extract)
do_t_extract:
    if (R(2) >= CAPACITY(1))
        TRAP("lane %" PRId64 " out of bounds for a vector of %u", (int64_t)R(2), CAPACITY(1));
    R(0) = bvm_tile_get(etype, OWN(1), R(2));
    NEXT(3, 0);
    T_MEM(TYPED, t_insert)
do_t_insert:
    if (R(2) >= CAPACITY(0))
        TRAP("lane %" PRId64 " out of bounds for a vector of %u", (int64_t)R(2), CAPACITY(0));
    bvm_tile_put(etype, OWN(0), R(2), R(1));
    NEXT(3, 0);
    T_MEM(TYPED, t_mov)
do_t_mov:
    PAY(0);
    memmove(OWN(0), OWN(1), LANES(0) << shift_of[etype]);
    NEXT(2, 0);
    TARGET(t_iota, I64)
    PAY(0);
    bvm_tile_iota(OWN(0), R(1), R(2), LANES(0));
    NEXT(3, 0);
    TARGET(t_check_index, I64)
    {
        PAY(0);
        size_t n = LANES(0);
        uint64_t size = (int64_t)R(1) < 0 ? 0 : R(1);
        size_t bad = bvm_tile_bad_index(OWN(0), NULL, size, n);
        if (bad < n)
            TRAP("index %" PRId64 " out of bounds for dimension %u of size %" PRId64, (int64_t)bvm_get64(OWN(0) + 8 * bad), F(2),
                 (int64_t)R(1));
    }
    NEXT(3, 0);
    TARGET(t_assert, NONE)
    {
        PAY(0);
        size_t n = LANES(0);
        if (bvm_tile_false(OWN(0), n) < n)
            TRAP("%s", STRING(W(1, 0)));
    }
    NEXT(1, 1);
#define REDUCE(T, name)                                                                                                            \
    TARGET(t_reduce_##name, T)                                                                                                     \
    PAY(1);                                                                                                                        \
    R(0) = worker->tile_table->reductions[H(t_reduce_##name, T) - H(t_reduce_addi, I8)](R(0), OWN(1), LANES(1));                   \
    NEXT(2, 0);
    T_INT(REDUCE, addi)
    T_INT(REDUCE, maxsi)
    T_INT(REDUCE, minsi)
    T_INT(REDUCE, maxui)
    T_INT(REDUCE, minui)
    T_INT(REDUCE, andi)
    T_INT(REDUCE, ori)
    T_INT(REDUCE, xori)
    T_FLT(REDUCE, addf)
    T_FLT(REDUCE, maximumf)
    T_FLT(REDUCE, minimumf)
    T_FLT(REDUCE, maxnumf)
    T_FLT(REDUCE, minnumf)

    T_MEM(TYPED, t_dest)
do_t_dest : {
    uint64_t first = R(2), n = LANES(0), count = B(1).writable >> shift_of[etype];
    bool in_place = pc[1] & BVM_VIEW_BIT && R(3) == 1 && first < count && n <= count - first;
    if (pc[1] & BVM_VIEW_BIT) /* others, full tiles too, stay where they are */
        OWN(0) = in_place ? B(1).data + (first << shift_of[etype]) : worker->strip + frame->code->tile_at[F(0)];
}
    NEXT(4, 0);
#define FUSED(T, row) TARGET(row, T)
    T_INT(FUSED, t_addi_ts)
    T_INT(FUSED, t_subi_ts)
    T_INT(FUSED, t_subi_st)
    T_INT(FUSED, t_muli_ts)
    T_INT(FUSED, t_andi_ts)
    T_INT(FUSED, t_ori_ts)
    T_INT(FUSED, t_xori_ts)
    T_INT(FUSED, t_shli_ts)
    T_INT(FUSED, t_shrsi_ts)
    T_INT(FUSED, t_shrui_ts)
    T_INT(FUSED, t_maxsi_ts)
    T_INT(FUSED, t_minsi_ts)
    T_INT(FUSED, t_maxui_ts)
    T_INT(FUSED, t_minui_ts)
    T_F32F64(FUSED, t_addf_ts)
    T_F32F64(FUSED, t_subf_ts)
    T_F32F64(FUSED, t_subf_st)
    T_F32F64(FUSED, t_mulf_ts)
    T_F32F64(FUSED, t_divf_ts)
    T_F32F64(FUSED, t_divf_st)
    T_F32F64(FUSED, t_maximumf_ts)
    T_F32F64(FUSED, t_minimumf_ts)
    T_F32F64(FUSED, t_maxnumf_ts)
    T_F32F64(FUSED, t_minnumf_ts)
    PAY(0);
    worker->tile_table->fused[HANDLER - H(t_addi_ts, I8)](tiles, s, pc, LANES(0));
    NEXT(3, 0);
    T_F32F64(FUSED, t_madd_ttt)
    T_F32F64(FUSED, t_madd_tts)
    T_F32F64(FUSED, t_madd_tst)
    T_F32F64(FUSED, t_madd_tss)
    T_F32F64(FUSED, t_msub_ttt)
    T_F32F64(FUSED, t_msub_tts)
    T_F32F64(FUSED, t_msub_tst)
    T_F32F64(FUSED, t_msub_tss)
    T_F32F64(FUSED, t_nmadd_ttt)
    T_F32F64(FUSED, t_nmadd_tts)
    T_F32F64(FUSED, t_nmadd_tst)
    T_F32F64(FUSED, t_nmadd_tss)
    T_F32F64(FUSED, t_mulmul_ttt)
    T_F32F64(FUSED, t_mulmul_tts)
    T_F32F64(FUSED, t_mulmul_tst)
    T_F32F64(FUSED, t_addmul_ttt)
    T_F32F64(FUSED, t_addmul_tts)
    T_F32F64(FUSED, t_addmul_tst)
    T_F32F64(FUSED, t_addmul_tss)
    T_F32F64(FUSED, t_submul_ttt)
    T_F32F64(FUSED, t_submul_tts)
    T_F32F64(FUSED, t_submul_tst)
    T_F32F64(FUSED, t_submul_tss)
    T_F32F64(FUSED, t_submul_stt)
    T_F32F64(FUSED, t_submul_sts)
    T_F32F64(FUSED, t_clampf_tss)
    T_LANES(FUSED, t_cmpsel_tttt)
    T_LANES(FUSED, t_cmpsel_tstt)
    T_LANES(FUSED, t_cmpsel_tsst)
    PAY(0);
    worker->tile_table->fused[HANDLER - H(t_addi_ts, I8)](tiles, s, pc, LANES(0));
    NEXT(4, 0);

    /* Tile forms of elementwise rows: one body for each shape, the function by number. */
#ifndef LOOP_GOTO
default:
    switch (bvm_tile_form(HANDLER)) {
    case '1':
        goto L_tile_1;
    case 'p':
        goto L_tile_p;
    case '2':
        goto L_tile_2;
    case 'c':
        goto L_tile_c;
    case 'e':
        goto L_tile_e;
    case 'x':
        goto L_tile_x;
    case '3':
        goto L_tile_3;
    default:
        goto L_tile_s;
    }
}
#endif
#define TILE_FN worker->tile_table->rows[HANDLER - H_TILES]
TARGET_TILE(1)
TARGET_TILE(p)
PAY(0);
TILE_FN(OWN(0), OWN(1), NULL, NULL, LANES(0), 0);
NEXT(2, 0);
TARGET_TILE(2)
if (HANDLER - HT_99_I8 <= HT_105_I64 - HT_99_I8 && HANDLER >= HT_99_I8) {
    size_t n = LANES(0);
    if (bvm_tile_zero(bvm_tile_divisor(HANDLER), OWN(2), n) < n)
        goto divided;
}
TARGET_TILE(c)
TARGET_TILE(e)
PAY(0);
TILE_FN(OWN(0), OWN(1), OWN(2), NULL, LANES(0), 0);
NEXT(3, 0);
TARGET_TILE(x)
PAY(0);
TILE_FN(OWN(0), OWN(1), NULL, NULL, LANES(0), F(2));
NEXT(3, 0);
TARGET_TILE(3)
TARGET_TILE(s)
PAY(0);
TILE_FN(OWN(0), OWN(1), OWN(2), OWN(3), LANES(0), 0);
NEXT(4, 0);

divided : status = bvm_trap(worker, BUFVM_TRAP, "integer division by zero");
failed : if (status == BUFVM_TRAP && frame->lanes > 1 && !frame->redo_pc)
{
    /* Nothing of this turn was stored, so its lanes can run again, one at a time. */
    uint64_t done = s[frame->strip_reg];
    frame->redo_pc = pc;
    frame->redo_status = status;
    frame->strip_total = done + frame->lanes;
    frame->strip_step = 1;
    frame->lanes = 1;
    pc = frame->strip_pc;
    DISPATCH;
}
frame->pc = pc;
worker->frame = frame;
worker->budget = budget;
worker->turn_is_short = false;
bvm_trap_where(worker, frame, pc);
return status;
}
