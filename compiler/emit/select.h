/* Inside of emission: what selection (scalar.c, memory.c, views.c, control.c, structured.c,
 * complex.c) sees of values and of the instruction buffer (machine.c).
 *
 * Selection walks the IR once and appends instructions over virtual registers, each with one bank.  A virtual register may
 * be written in several places (block arguments, results of structured ops); it lives from its first to its last
 * occurrence in the order of the code, and machine.c extends that over back edges.
 */
#ifndef VMC_SELECT_H
#define VMC_SELECT_H

#include "emit.h"

#include "../../vm/bytecode/opnames.h"
#include "../../vm/bytecode/writer.h"
#include "../dialects/linalg.h"

/* ---- instruction buffer -------------------------------------------------- */

typedef uint32_t Reg;   /* virtual register; 0 = none */
typedef uint32_t Label; /* 0 = none */

enum { BANK_SCALAR, BANK_BUFFER, BANK_TILE, BANKS };
enum { ROW_LABEL = 0xffff, ROW_NOTHING = 0xfffe }; /* rows that exist in the buffer alone */

typedef struct VReg {
    uint8_t bank, etype; /* etype and capacity of tiles */
    uint16_t capacity;
    bool is_fixed; /* a parameter: physical register `physical` */
    uint16_t physical;
    uint32_t uses, defs;   /* while optimising */
    uint32_t start, end;   /* live interval, in half instructions */
    Reg hint;              /* register to share with where it ends */
    bool stays, spills;    /* must not, does go to the spill buffer */
    uint32_t slot_plus_1;  /* its place there */
    Reg location, pending; /* scratch of parallel copies */
    uint8_t role;          /* tiles share registers with tiles of their role */
} VReg;
enum { TILE_COMPUTED, TILE_LOADED, TILE_PLACED }; /* roles: by t.load alone (it may be a view); behind t.dest */

typedef struct Insn {
    uint16_t row, etype;
    bool nan_flag;
    bool pinned;   /* case of a switch table: neither removed nor moved */
    uint32_t f[8]; /* registers (virtual) and 16-bit immediates, in the order of the row's kinds */
    uint64_t wide[4];
    Reg *list; /* `*`: the first nread registers are read, the others written */
    uint32_t nlist, nread;
    SrcPos pos;
} Insn;

typedef struct FuncRec { /* a function of the module */
    Op *op;
    const char *name; /* with the names of enclosing modules: "inner.f" */
    const char *banks;
    uint32_t number; /* of the writer: function, or import where there is no body */
    bool imported, declared;
} FuncRec;

typedef struct Emitter {
    PassContext *pc;
    Context *ctx;
    BvmWriter *writer;
    Map handlers;  /* interned op name -> index + 1 of the handler table */
    Map functions; /* Op -> FuncRec * */
    Map globals;   /* Op -> GlobalRec * */
    uint32_t probes;
    Arena scratch; /* of the function being emitted */
} Emitter;

/* A number: constant, or in a register; with what is known of its value. */
typedef struct Num {
    bool is_const;
    int64_t c; /* slot contents of a constant */
    Reg r;
    int64_t lo, hi; /* inclusive, signed, of the slot */
    Reg below;      /* the value is less than this register's, or 0 */
} Num;

typedef struct View { /* a memref: fields in elements */
    Reg buffer;
    uint32_t rank;
    Num offset;
    Num *sizes, *strides;
    const Type *elem;
} View;

typedef enum ValKind { VAL_NOTHING, VAL_SCALAR, VAL_COMPLEX, VAL_VIEW, VAL_UNRANKED } ValKind;
typedef struct Val {
    ValKind kind;
    Num num[2];             /* SCALAR, COMPLEX */
    View *view;             /* VIEW */
    Reg buffer, descriptor; /* UNRANKED */
} Val;

typedef struct Copy {
    Reg to;
    Num from;
} Copy;
typedef VEC(Copy) Copies;

typedef struct Target { /* where a yield goes */
    Val **to;
    uint32_t n;
    Label label; /* 0: fall out of the block */
} Target;

typedef struct Fn {
    Emitter *e;
    Context *ctx;
    Arena *arena; /* of this function's emission */
    Op *op;
    const char *name;
    VEC(Insn) code;
    VEC(VReg) regs; /* [0] unused */
    uint32_t nlabels;
    Map values;    /* Value -> Val * */
    Map constants; /* constant + 1 hashed by value -> Reg; written at the function's start */
    VEC(int64_t) pool;
    VEC(Reg) pool_regs;
    Reg zero; /* the constant 0, which a Map cannot have as key */
    SrcPos pos;
    bool failed; /* something was reported */
    uint32_t depth;
    uint32_t ordinal; /* of ops, for stable ids */
    uint32_t ngrids;  /* functions made of its loops */
    uint64_t local_bytes;
    const Target *yield;     /* of scf.yield and its kin */
    const Target *condition; /* of scf.condition: its after-block */
    const Num *loop_indices; /* linalg.index in a nest of scalar loops */
    uint32_t nloop_indices;
    const Target *reduce; /* accumulators of the enclosing scf.parallel */
    uint32_t next_reduce;
    Block *next_block; /* that stands behind the current one in the graph being emitted */
    bool quiet;        /* no probes: inside the body of a structured op */
    Copies copies;
    uint32_t tile_lanes; /* strip length of the strip being emitted */
} Fn;

#define REGS(...)      ((const uint32_t[8]){__VA_ARGS__})
#define WIDE(...)      ((const uint64_t[4]){__VA_ARGS__})
#define ROW(name)      BVM_OP_##name
#define TILE_ROW(name) (BVM_OP_##name + BVM_TILE)

/* machine.c */
Reg vmc_reg(Fn *f, unsigned bank);
Reg vmc_tile_reg(Fn *f, unsigned etype, unsigned capacity);
Insn *vmc_insn(Fn *f, unsigned row, unsigned etype, const uint32_t *fields, const uint64_t *wide); /* NULL: none */
Insn *vmc_insn_list(Fn *f, unsigned row, const uint32_t *fields, const uint64_t *wide, const Reg *list, size_t n, size_t nread);
Label vmc_label(Fn *f);
void vmc_place(Fn *f, Label label);
void vmc_jump(Fn *f, Label label);
/* All copies as if at once; the list is emptied. */
void vmc_parallel_copy(Fn *f, Copies *copies);
/* Registers, encoding, and bvm_write_define. */
bool vmc_finish_function(Fn *f, uint32_t number, const char *banks);

/* values.c */
typedef struct Slot {        /* how a scalar type lives in a slot */
    uint8_t etype;           /* of instructions: the next wider row for odd widths; i1 is BVM_I1 */
    uint8_t memory;          /* etype of loads and stores */
    uint8_t width;           /* bits; index 64 */
    bool is_float, is_small; /* small: storage only, computed in f32 */
} Slot;
bool vmc_slot(const Type *type, Slot *out); /* scalar types that fit a slot */
void vmc_fail(Fn *f, const Op *op, const char *format, ...) __attribute__((format(printf, 3, 4))); /* "cannot lower 'op': ..." */

Num vmc_num(int64_t c);
Num vmc_num_reg(Reg r);
Reg vmc_use(Fn *f, Num n); /* a register that holds it */
Num vmc_add(Fn *f, Num a, Num b);
Num vmc_mul(Fn *f, Num a, Num b);
Num vmc_mad(Fn *f, Num a, Num b, Num c);                    /* a * b + c */
Num vmc_checked_mul(Fn *f, Num a, Num b, const char *text); /* of sizes that are not negative; traps on overflow */
bool vmc_same(Num a, Num b);                                /* provably equal */
uint64_t vmc_text(Fn *f, const char *format, ...) __attribute__((format(printf, 2, 3))); /* string number */
void vmc_assign(Fn *f, Reg to, Num from);                                                /* one move */

Val *vmc_new_val(Fn *f,
                 const Type *type); /* fresh registers for what the type leaves open; NULL and reported where it has no form */
Val *vmc_scalar_val(Fn *f, Num n);
Val *vmc_view_val(Fn *f, View *view);
View *vmc_new_view(Fn *f, Reg buffer, uint32_t rank, const Type *elem);
Val *vmc_get(Fn *f, Value *value);
void vmc_set(Fn *f, Value *value, Val *val);
Num vmc_get_num(Fn *f, Value *value); /* of a scalar */
Reg vmc_get_reg(Fn *f, Value *value);
View *vmc_get_view(Fn *f, Value *value); /* ranked; NULL reported */
void vmc_copy_val(Fn *f, Copies *copies, Val *to, Val *from);
void vmc_set_scalar(Fn *f, Op *op, uint32_t result, Num n);
/* Registers that stand for a value in calls, in the order of the ABI. */
typedef VEC(Reg) RegList;
void vmc_abi_regs(Fn *f, const Type *type, Val *val, RegList *out);
bool vmc_row_major(const Type *memref); /* its strides follow from its sizes: they have no registers in calls */
/* After a call or at a function's start: the strides of a row-major view, which were not passed. */
void vmc_complete_view(Fn *f, const Type *type, Val *val);
char *vmc_function_banks(Context *ctx, Arena *arena, const Type *function); /* "bss:b"; NULL where a type has none */
char *vmc_abi_banks(Context *ctx, Arena *arena, const Type *type);          /* "bss"; NULL where it has none */

/* control.c */
void vmc_emit_op(Fn *f, Op *op);
void vmc_emit_block(Fn *f, Block *block);
void vmc_emit_cfg(Fn *f, Region *region);
uint64_t vmc_assert_text(Fn *f, const Op *op); /* string number of what cf.assert says */
void vmc_for_loop(Fn *f, Num lower, Num upper, Num step, void (*body)(Fn *f, Num index, void *user), void *user);

/* memory.c */
void vmc_mark_parallel(Fn *f, unsigned what); /* of the instruction `parallel`; nothing without -g */
enum { MARK_BEGIN, MARK_TURN, MARK_END, MARK_ATOMIC, MARK_PLAIN };
Num vmc_linear_index(Fn *f, const View *view, const Num *indices); /* element number; nothing is checked */
void vmc_check_index(Fn *f, Num index, Num size, uint32_t dim);
Val *vmc_load_val(Fn *f, const View *view, const Num *indices);
void vmc_store_val(Fn *f, const View *view, const Num *indices, Val *val);
uint64_t vmc_storage_elem(const Type *elem, unsigned *etype); /* bytes and the element type that moves it; 0: none */
void vmc_copy_views(Fn *f, const View *to, const View *from, unsigned flags);
void vmc_contiguous(Fn *f, View *view, const char *what); /* row-major strides from the sizes */
Reg vmc_alloc_bytes(Fn *f, Num bytes, uint64_t align); /* align: with the flags of buffer.alloc */

/* scalar.c */
void vmc_emit_numeric(Fn *f, Op *op);
int vmc_compare_row(const Op *op, bool *swap); /* row of arith.cmpi/cmpf/index.cmp, -1 if constant or unknown */
bool vmc_nan_invisible(const Value *value);
Reg vmc_convert(Fn *f, unsigned row, unsigned from, unsigned to, Reg a, bool nan_flag);
Reg vmc_sext(Fn *f, Reg r, unsigned width);
Reg vmc_zext(Fn *f, Reg r, unsigned width);
Reg vmc_normalise(Fn *f, Reg r, unsigned width); /* to slot form: sign-extended, i1 as 0 or 1 */

/* structured.c */
void vmc_emit_generic(Fn *f, Op *op);
unsigned vmc_plain_lane(const Type *type); /* element type of a tile whose lanes such values fill; 0: there is none */

/* promises.c */
enum { MAX_PROMISES = 8 };
typedef struct Promise { /* what must hold of an op's operands, or of its result */
    unsigned number;     /* promises.def */
    bool on_result;
} Promise;
uint32_t vmc_promises(const Op *op, Promise out[MAX_PROMISES]); /* how many */
unsigned vmc_promise_width(const Op *op, const Promise *promise);
bool vmc_has_promises(const Op *op);
void vmc_report_promises(Fn *f, Op *op, bool on_result); /* nothing without -g */

/* grids.c */
void vmc_emit_grid(Fn *f, Op *op);

/* tile_fuse.c */
typedef struct FusedOp { /* an op, or two, as one instruction */
    uint16_t row;
    unsigned etype, immediate;
    const char *modes; /* a letter an operand: t a tile, s a slot */
    Value *in[4];
    const Op *inner; /* computed by it too, or NULL */
} FusedOp;
typedef struct TilePlan {
    Map tiles;    /* values that are tiles -> 1; before planning: the arguments that are */
    Map fused;    /* Op -> FusedOp * */
    Map absorbed; /* ops that another one computes */
} TilePlan;
void vmc_plan_tiles(Fn *f, const Block *body, TilePlan *plan);
bool vmc_plan_absorbs(const TilePlan *plan, const Op *op);
const FusedOp *vmc_plan_fused(const TilePlan *plan, const Op *op); /* or NULL */

/* emit.c */
FuncRec *vmc_function_of(Emitter *e, Op *from, const Attr *symbol);

/* handlers: one row an op */
typedef void (*EmitFn)(Fn *f, Op *op);
typedef struct EmitRow {
    const char *name;
    EmitFn emit;
} EmitRow;
extern const EmitRow vmc_scalar_rows[], vmc_complex_rows[], vmc_memory_rows[], vmc_view_rows[], vmc_control_rows[],
    vmc_structured_rows[];

#endif
