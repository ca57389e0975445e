/* Checks that -g adds for --sanitize: what an op promises or MLIR asks of its operands, as report.values instructions.
 *
 * They say nothing of the result, and nothing happens unless the program is watched.
 */
#include "select.h"

#include "../../vm/bytecode/promises.h"

static bool has_flag(const Op *op, const char *attribute, const char *flag)
{
    const Attr *a = vmc_get_attr(op, attribute);
    return a && (a->kind == ATTR_OPAQUE || a->kind == ATTR_STRING) && strstr(a->s, flag);
}

/* Under fastmath<nnan> and the like; <fast> is all of them. */
static bool promises_float(const Op *op, const char *flag)
{
    return has_flag(op, "fastmath", flag) || has_flag(op, "fastmath", "fast>");
}

static uint32_t overflow_promises(const Op *op, unsigned nsw, unsigned nuw, Promise *out)
{
    uint32_t n = 0;
    if (has_flag(op, "overflowFlags", "nsw"))
        out[n++] = (Promise){nsw, false};
    if (has_flag(op, "overflowFlags", "nuw"))
        out[n++] = (Promise){nuw, false};
    return n;
}

static uint32_t float_promises(const Op *op, Promise *out)
{
    uint32_t n = 0;
    bool is_float = op->nresults && vmc_elem_or_self(op->results[0].type)->kind == TYPE_FLOAT;
    if (promises_float(op, "nnan")) {
        out[n++] = (Promise){BVM_PROMISE_NNAN, false};
        if (is_float)
            out[n++] = (Promise){BVM_PROMISE_NNAN_RESULT, true};
    }
    if (promises_float(op, "ninf")) {
        out[n++] = (Promise){BVM_PROMISE_NINF, false};
        if (is_float)
            out[n++] = (Promise){BVM_PROMISE_NINF_RESULT, true};
    }
    return n;
}

uint32_t vmc_promises(const Op *op, Promise out[MAX_PROMISES])
{
    int row = vmc_numeric_row(op);
    switch (row) {
    case ROW(addi):
        return overflow_promises(op, BVM_PROMISE_NSW_ADD, BVM_PROMISE_NUW_ADD, out);
    case ROW(subi):
        return overflow_promises(op, BVM_PROMISE_NSW_SUB, BVM_PROMISE_NUW_SUB, out);
    case ROW(muli):
        return overflow_promises(op, BVM_PROMISE_NSW_MUL, BVM_PROMISE_NUW_MUL, out);
    case ROW(shli):
        out[0] = (Promise){BVM_PROMISE_SHIFT, false};
        return 1 + overflow_promises(op, BVM_PROMISE_NSW_SHL, BVM_PROMISE_NUW_SHL, out + 1);
    case ROW(shrsi):
    case ROW(shrui):
        out[0] = (Promise){BVM_PROMISE_SHIFT, false};
        return 1;
    case ROW(divsi):
    case ROW(remsi):
    case ROW(ceildivsi):
    case ROW(floordivsi):
        out[0] = (Promise){BVM_PROMISE_DIVIDE, false};
        return 1;
    case ROW(ftosi):
        out[0] = (Promise){BVM_PROMISE_TO_SIGNED, false};
        return 1;
    case ROW(ftoui):
        out[0] = (Promise){BVM_PROMISE_TO_UNSIGNED, false};
        return 1;
    case ROW(extu):
        return vmc_is(op, "arith.trunci") ? overflow_promises(op, BVM_PROMISE_NSW_TRUNC, BVM_PROMISE_NUW_TRUNC, out) : 0;
    default:
        return float_promises(op, out);
    }
}

bool vmc_has_promises(const Op *op)
{
    Promise promises[MAX_PROMISES];
    return vmc_promises(op, promises) != 0;
}

bool vmc_body_has_promises(const Op *generic)
{
    const Block *body = generic->nregions ? generic->regions[0].first : NULL;
    for (const Op *op = body ? body->first : NULL; op; op = op->next)
        if (vmc_has_promises(op))
            return true;
    return false;
}

/* The width that a promise is about: of the operands, or of what a conversion makes. */
unsigned vmc_promise_width(const Op *op, const Promise *promise)
{
    Slot slot;
    bool converts = promise->number == BVM_PROMISE_TO_SIGNED || promise->number == BVM_PROMISE_TO_UNSIGNED ||
                    promise->number == BVM_PROMISE_NSW_TRUNC || promise->number == BVM_PROMISE_NUW_TRUNC;
    const Type *type = converts ? op->results[0].type : vmc_operand(op, 0)->type;
    return vmc_slot(type, &slot) ? slot.width : 64;
}

static Reg wide_float(Fn *f, const Slot *slot, Reg r)
{
    return slot->is_small ? vmc_convert(f, ROW(fconv), slot->etype, BVM_F32, r, false) : r;
}

/* Those about the operands, or about the result, of an op on scalars. */
void vmc_report_promises(Fn *f, Op *op, bool on_result)
{
    Promise promises[MAX_PROMISES];
    uint32_t n = f->e->pc->options->debug ? vmc_promises(op, promises) : 0;
    for (uint32_t i = 0; i < n; i++) {
        Slot slot;
        const Value *first = on_result ? &op->results[0] : vmc_operand(op, 0);
        if (promises[i].on_result != on_result || !vmc_slot(first->type, &slot))
            continue;
        uint32_t operands = on_result ? 1 : op->noperands < 3 ? op->noperands : 3;
        for (uint32_t k = 0; k < operands; k += 2) { /* two at a time; a third is a pair with itself */
            Value *x = on_result ? &op->results[0] : vmc_operand(op, k), *y = k + 1 < operands ? vmc_operand(op, k + 1) : x;
            if (y->type != x->type)
                y = x;
            Reg a = wide_float(f, &slot, vmc_get_reg(f, x)), b = x == y ? a : wide_float(f, &slot, vmc_get_reg(f, y));
            vmc_insn(f, ROW(report_values), slot.is_small ? BVM_F32 : slot.etype,
                     REGS(a, b, promises[i].number, vmc_promise_width(op, &promises[i])), NULL);
        }
    }
}
