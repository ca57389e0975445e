/* Structure of the IR: what holds for every op, known or not; then each op against its row. */
#include "../dialects/dialect.h"
#include "ir.h"

typedef struct Verifier {
    Context *ctx;
    uint32_t errors_before;
    uint32_t depth;
} Verifier;

static void fail_type(Verifier *v, const Op *op, const Successor *s, uint32_t i)
{
    Text text = {.arena = &v->ctx->arena};
    vmc_print_type(&text, op->operands[s->first + i].value->type);
    vmc_text_str(&text, "' but the block argument has '");
    vmc_print_type(&text, s->block->args[i]->type);
    vmc_error(&v->ctx->diag, op->pos, "'%s': successor operand #%u has type '%s'", op->name, i, text.at);
}

static void verify_successors(Verifier *v, const Op *op)
{
    for (uint32_t k = 0; k < op->nsuccessors; k++) {
        const Successor *s = &op->successors[k];
        if (!s->block || s->block->parent != op->parent->parent) {
            vmc_error(&v->ctx->diag, op->pos, "'%s': successor #%u is not a block of the same region", op->name, k);
            continue;
        }
        if (s->block == op->parent->parent->first)
            vmc_error(&v->ctx->diag, op->pos, "'%s': the entry block of a region may not be a successor", op->name);
        if (op->def && s->count != s->block->nargs) { /* an op that is not known may pass values that are no operands */
            vmc_error(&v->ctx->diag, op->pos, "'%s': successor #%u gets %u operands but its block has %u arguments", op->name, k,
                      s->count, s->block->nargs);
            continue;
        }
        for (uint32_t i = 0; i < s->count && i < s->block->nargs; i++)
            if (op->operands[s->first + i].value->type != s->block->args[i]->type)
                fail_type(v, op, s, i);
    }
}

/* The closest enclosing op whose regions see nothing from outside. */
static Op *isolation_of(Op *op)
{
    for (op = vmc_parent_op(op); op; op = vmc_parent_op(op))
        if (vmc_has_trait(op, TRAIT_ISOLATED))
            return op;
    return NULL;
}

static void verify_operands(Verifier *v, Op *op, const Op *isolated)
{
    for (uint32_t i = 0; i < op->noperands; i++) {
        Value *value = op->operands[i].value;
        if (!value) {
            vmc_error(&v->ctx->diag, op->pos, "'%s': operand #%u is missing", op->name, i);
            continue;
        }
        if (!vmc_dominates(value, op)) {
            vmc_error(&v->ctx->diag, op->pos, "'%s': operand #%u does not dominate this use", op->name, i);
            vmc_note(&v->ctx->diag, value->pos, "it is defined here");
            continue;
        }
        if (isolated && !vmc_defined_inside(isolated, value)) {
            vmc_error(&v->ctx->diag, op->pos, "'%s': uses a value defined outside of '%s', which is isolated from above", op->name,
                      isolated->name);
            vmc_note(&v->ctx->diag, value->pos, "it is defined here");
        }
    }
}

static bool is_terminator(const Op *op)
{
    return op->def ? (op->def->traits & TRAIT_TERMINATOR) != 0 : true;
}

static void verify_op(Verifier *v, Op *op, Op *isolated);

static void verify_block(Verifier *v, Block *block, Op *isolated)
{
    const Op *parent = block->parent->parent;
    for (Op *op = block->first; op; op = op->next) {
        if (op->next && vmc_has_trait(op, TRAIT_TERMINATOR))
            vmc_error(&v->ctx->diag, op->pos, "'%s' must be the last op of its block", op->name);
        if (op->next && op->nsuccessors)
            vmc_error(&v->ctx->diag, op->pos, "'%s' has successors but is not the last op of its block", op->name);
        verify_op(v, op, isolated);
    }
    if (!parent || !parent->def || (parent->def->traits & TRAIT_GRAPH_REGION) || !strcmp(parent->name, "builtin.module"))
        return;
    if (!block->last)
        vmc_error(&v->ctx->diag, parent->pos, "'%s': a block of its region is empty: a terminator is needed", parent->name);
    else if (!is_terminator(block->last))
        vmc_error(&v->ctx->diag, block->last->pos, "'%s': a block must end with a terminator, but this is '%s'", parent->name,
                  block->last->name);
}

/* Two symbols of one table must not share a name: a reference could mean either.  Attributes are interned, so a name is its
 * address. */
static void verify_symbols(Verifier *v, const Op *table)
{
    ArenaMark mark = vmc_arena_mark(&v->ctx->scratch);
    Map seen = {.arena = &v->ctx->scratch};
    for (const Block *block = table->nregions ? table->regions[0].first : NULL; block; block = block->next)
        for (Op *op = block->first; op; op = op->next) {
            const Attr *name = vmc_get_attr(op, "sym_name");
            if (!name || !vmc_has_trait(op, TRAIT_SYMBOL))
                continue;
            const Op *first = vmc_map_ptr(&seen, name);
            if (first) {
                vmc_error(&v->ctx->diag, op->pos, "'@%s' is defined already", name->s);
                vmc_note(&v->ctx->diag, first->pos, "it is defined here");
            } else {
                vmc_map_put_ptr(&seen, name, op);
            }
        }
    vmc_arena_rewind(&v->ctx->scratch, mark);
}

static void verify_op(Verifier *v, Op *op, Op *isolated)
{
    if (v->depth >= VMC_MAX_DEPTH + 8) {
        vmc_error(&v->ctx->diag, op->pos, "ops are nested more than %d levels deep", VMC_MAX_DEPTH);
        return;
    }
    v->depth++;
    uint32_t before = v->ctx->diag.errors;
    verify_operands(v, op, isolated);
    if (op->parent && op->parent->parent)
        verify_successors(v, op);
    if (op->def && v->ctx->diag.errors == before && !vmc_verify_against_def(v->ctx, op) && v->ctx->diag.errors == before)
        vmc_error(&v->ctx->diag, op->pos, "'%s' is not valid", op->name);
    if (vmc_has_trait(op, TRAIT_SYMBOL_TABLE))
        verify_symbols(v, op);
    Op *inner = vmc_has_trait(op, TRAIT_ISOLATED) ? op : isolated;
    for (uint32_t r = 0; r < op->nregions; r++) {
        vmc_dominance_changed(&op->regions[r]);
        for (Block *b = op->regions[r].first; b; b = b->next)
            verify_block(v, b, inner);
    }
    v->depth--;
}

bool vmc_verify(Context *ctx, Op *root)
{
    Verifier v = {.ctx = ctx, .errors_before = ctx->diag.errors};
    verify_op(&v, root, root->parent ? isolation_of(root) : NULL);
    return ctx->diag.errors == v.errors_before;
}
