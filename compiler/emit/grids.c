/* Loops of independent turns (scf.for with bufvm.grid) become a function over workgroups and a grid instruction.
 *
 * What the body uses from outside is passed: constants are made again inside, scalars and memrefs are arguments in the form that
 * calls have.  The function's last argument is the number of the turn.  Its local memory is its own; the pass local-memory has
 * placed it as that of a callee.
 */
#include "select.h"

typedef struct Captures {
    Fn *f;
    const Op *loop;
    Map seen;
    VEC(Value *) values;
} Captures;

static bool note_operands(Op *op, void *user)
{
    Captures *c = user;
    for (uint32_t i = 0; i < op->noperands; i++) {
        Value *value = op->operands[i].value;
        uint64_t known;
        if (op == c->loop || vmc_defined_inside(c->loop, value) || vmc_map_get(&c->seen, MAP_KEY(value), &known))
            continue;
        vmc_map_put(&c->seen, MAP_KEY(value), 1);
        VEC_PUSH(c->f->arena, &c->values, value);
    }
    return true;
}

static bool is_constant(const Val *v)
{
    return v->kind == VAL_SCALAR && v->num[0].is_const;
}

/* A parameter of the function for a value of the caller's. */
static bool bind(Fn *inner, const Type *type, Val *v, uint32_t *next)
{
    RegList regs = {0};
    if (!v)
        return false;
    vmc_abi_regs(inner, type, v, &regs);
    for (size_t k = 0; k < regs.n; k++) {
        VReg *r = &inner->regs.at[regs.at[k]];
        r->is_fixed = true;
        r->physical = (uint16_t)next[r->bank]++;
    }
    return next[BANK_SCALAR] < 0x7fff && next[BANK_BUFFER] < 0x7fff;
}

static bool capture(Fn *f, Fn *inner, Captures *c, RegList *passed, Text *banks, uint32_t *next)
{
    for (size_t i = 0; i < c->values.n; i++) {
        Value *value = c->values.at[i];
        Val *outer = vmc_get(f, value);
        if (is_constant(outer)) {
            vmc_set(inner, value, vmc_scalar_val(inner, outer->num[0]));
            continue;
        }
        const char *of_value = vmc_abi_banks(f->ctx, f->arena, value->type);
        Val *v = of_value ? vmc_new_val(inner, value->type) : NULL;
        if (!v || !bind(inner, value->type, v, next))
            return false;
        vmc_text_str(banks, of_value);
        vmc_abi_regs(f, value->type, outer, passed);
        vmc_set(inner, value, v);
    }
    return true;
}

static void emit_turn(Fn *inner, Op *loop, Num number, Num lower, Num step)
{
    Block *block = vmc_entry(loop, 0);
    Target nowhere = {NULL, 0, 0};
    vmc_set(inner, block->args[0], vmc_scalar_val(inner, vmc_mad(inner, number, step, lower)));
    inner->yield = &nowhere;
    vmc_emit_block(inner, block);
    vmc_insn_list(inner, ROW(ret), NULL, NULL, NULL, 0, 0);
}

void vmc_emit_grid(Fn *f, Op *op)
{
    Num lower = vmc_get_num(f, vmc_operand(op, 0)), upper = vmc_get_num(f, vmc_operand(op, 1)),
        step = vmc_get_num(f, vmc_operand(op, 2));
    if (!lower.is_const || !upper.is_const || !step.is_const || step.c < 1 || lower.c < 0) {
        vmc_fail(f, op, "its bufvm.grid attribute needs constant bounds and step");
        return;
    }
    int64_t local = 0, count = upper.c > lower.c ? (upper.c - lower.c - 1) / step.c + 1 : 0;
    Fn inner = {.e = f->e, .ctx = f->ctx, .arena = f->arena, .op = f->op, .pos = op->pos, .quiet = f->quiet, .depth = f->depth};
    Text name = {.arena = f->arena}, banks = {.arena = f->arena};
    Captures captures = {.f = f, .loop = op, .seen = {.arena = f->arena}};
    RegList passed = {0};
    uint32_t next[BANKS] = {0};
    inner.values.arena = inner.constants.arena = f->arena;
    vmc_text_fmt(&name, "%s.grid%u", f->name, f->ngrids++);
    inner.name = name.at;
    if (vmc_get_int(op, "bufvm.local_bytes", &local) && local > 0)
        inner.local_bytes = (uint64_t)local;
    vmc_walk(op, note_operands, &captures);
    Reg number = vmc_reg(&inner, BANK_SCALAR);
    if (!capture(f, &inner, &captures, &passed, &banks, next)) {
        vmc_fail(f, op, "a value that its body uses cannot be passed to a workgroup");
        return;
    }
    inner.regs.at[number].is_fixed = true;
    inner.regs.at[number].physical = (uint16_t)next[BANK_SCALAR];
    vmc_text_str(&banks, "s:");
    for (size_t i = 0; i < captures.values.n; i++) {
        Value *value = captures.values.at[i];
        if (!is_constant(vmc_get(f, value)))
            vmc_complete_view(&inner, value->type, vmc_get(&inner, value));
    }
    Num turn = vmc_num_reg(number);
    turn.lo = 0;
    turn.hi = count > 0 ? count - 1 : 0;
    emit_turn(&inner, op, turn, lower, step);
    uint32_t function = bvm_write_declare(f->e->writer, inner.name, banks.at);
    f->failed |= inner.failed || !vmc_finish_function(&inner, function, banks.at);
    vmc_insn_list(f, ROW(grid), REGS(vmc_use(f, vmc_num(count))), WIDE(function), passed.at, passed.n, passed.n);
}
