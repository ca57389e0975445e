/* Selection of tile rows that take slots as operands or do two operations at once.
 *
 * A pair is fused where the inner result has no other use; each half still rounds, so no bit changes.  What is a tile and what a
 * slot decides between the rows of a family: the one that takes most slots as they are wins, the others are splat.
 */
#include "select.h"

typedef enum Family {
    F_addi,
    F_subi,
    F_muli,
    F_andi,
    F_ori,
    F_xori,
    F_shli,
    F_shrsi,
    F_shrui,
    F_maxsi,
    F_minsi,
    F_maxui,
    F_minui,
    F_addf,
    F_subf,
    F_mulf,
    F_divf,
    F_maximumf,
    F_minimumf,
    F_maxnumf,
    F_minnumf,
    F_madd,
    F_msub,
    F_nmadd,
    F_mulmul,
    F_addmul,
    F_submul,
    F_clampf,
    F_cmpsel
} Family;

typedef struct FusedRow {
    Family family;
    char modes[5];
    uint16_t row;
} FusedRow;
#define FUSED(family, modes)                                                                                                       \
    {                                                                                                                              \
        F_##family, #modes, ROW(t_##family##_##modes)                                                                              \
    }
static const FusedRow rows[] = {
    FUSED(addi, ts),    FUSED(subi, ts),    FUSED(subi, st),     FUSED(muli, ts),     FUSED(andi, ts),     FUSED(ori, ts),
    FUSED(xori, ts),    FUSED(shli, ts),    FUSED(shrsi, ts),    FUSED(shrui, ts),    FUSED(maxsi, ts),    FUSED(minsi, ts),
    FUSED(maxui, ts),   FUSED(minui, ts),   FUSED(addf, ts),     FUSED(subf, ts),     FUSED(subf, st),     FUSED(mulf, ts),
    FUSED(divf, ts),    FUSED(divf, st),    FUSED(maximumf, ts), FUSED(minimumf, ts), FUSED(maxnumf, ts),  FUSED(minnumf, ts),
    FUSED(madd, ttt),   FUSED(madd, tts),   FUSED(madd, tst),    FUSED(madd, tss),    FUSED(msub, ttt),    FUSED(msub, tts),
    FUSED(msub, tst),   FUSED(msub, tss),   FUSED(nmadd, ttt),   FUSED(nmadd, tts),   FUSED(nmadd, tst),   FUSED(nmadd, tss),
    FUSED(mulmul, ttt), FUSED(mulmul, tts), FUSED(mulmul, tst),  FUSED(addmul, ttt),  FUSED(addmul, tts),  FUSED(addmul, tst),
    FUSED(addmul, tss), FUSED(submul, ttt), FUSED(submul, tts),  FUSED(submul, tst),  FUSED(submul, tss),  FUSED(submul, stt),
    FUSED(submul, sts), FUSED(clampf, tss), FUSED(cmpsel, tttt), FUSED(cmpsel, tstt), FUSED(cmpsel, tsst),
};
#undef FUSED

/* The scalar row of a family of one operation; whether its operands may change places. */
static const struct {
    uint16_t row;
    Family family;
    bool commutes;
} singles[] = {
    {ROW(addi), F_addi, true},         {ROW(subi), F_subi, false},      {ROW(muli), F_muli, true},
    {ROW(andi), F_andi, true},         {ROW(ori), F_ori, true},         {ROW(xori), F_xori, true},
    {ROW(shli), F_shli, false},        {ROW(shrsi), F_shrsi, false},    {ROW(shrui), F_shrui, false},
    {ROW(maxsi), F_maxsi, true},       {ROW(minsi), F_minsi, true},     {ROW(maxui), F_maxui, true},
    {ROW(minui), F_minui, true},       {ROW(addf), F_addf, true},       {ROW(subf), F_subf, false},
    {ROW(mulf), F_mulf, true},         {ROW(divf), F_divf, false},      {ROW(maximumf), F_maximumf, true},
    {ROW(minimumf), F_minimumf, true}, {ROW(maxnumf), F_maxnumf, true}, {ROW(minnumf), F_minnumf, true},
};

/* outer(inner(a, b), c) or outer(c, inner(a, b)) */
static const struct {
    uint16_t outer, inner;
    unsigned at; /* operand of outer that inner is */
    Family family;
} pairs[] = {
    {ROW(addf), ROW(mulf), 0, F_madd},   {ROW(addf), ROW(mulf), 1, F_madd},           {ROW(subf), ROW(mulf), 0, F_msub},
    {ROW(subf), ROW(mulf), 1, F_nmadd},  {ROW(mulf), ROW(mulf), 0, F_mulmul},         {ROW(mulf), ROW(mulf), 1, F_mulmul},
    {ROW(mulf), ROW(addf), 0, F_addmul}, {ROW(mulf), ROW(addf), 1, F_addmul},         {ROW(mulf), ROW(subf), 0, F_submul},
    {ROW(mulf), ROW(subf), 1, F_submul}, {ROW(minimumf), ROW(maximumf), 0, F_clampf}, {ROW(minimumf), ROW(maximumf), 1, F_clampf},
};

/* Compares by their distance from cmpf_oeq and cmpi_eq: the opposite, and the one with operands exchanged. */
static const uint8_t float_opposite[] = {12, 11, 10, 9, 8, 7, 13, 5, 4, 3, 2, 1, 0, 6};
static const uint8_t float_exchanged[] = {0, 3, 4, 1, 2, 5, 6, 7, 10, 11, 8, 9, 12, 13};
static const uint8_t int_opposite[] = {1, 0, 5, 4, 3, 2, 9, 8, 7, 6};
static const uint8_t int_exchanged[] = {0, 1, 4, 5, 2, 3, 8, 9, 6, 7};

static bool takes(unsigned row, unsigned etype)
{
    return bvm_ops[row].etypes >> etype & 1;
}

static bool is_tile(const TilePlan *plan, const Value *value)
{
    uint64_t found = 0;
    return vmc_map_get(&plan->tiles, MAP_KEY(value), &found);
}

bool vmc_plan_absorbs(const TilePlan *plan, const Op *op)
{
    uint64_t found = 0;
    return vmc_map_get(&plan->absorbed, MAP_KEY(op), &found);
}

const FusedOp *vmc_plan_fused(const TilePlan *plan, const Op *op)
{
    uint64_t found = 0;
    return vmc_map_get(&plan->fused, MAP_KEY(op), &found) ? (const FusedOp *)(uintptr_t)found : NULL;
}

/* Number of slots that a row would take as they are; -1: it does not fit. */
static int fit(const TilePlan *plan, const FusedRow *row, Value *const *in)
{
    int slots = 0;
    for (unsigned i = 0; row->modes[i]; i++) {
        if (row->modes[i] != 's')
            continue;
        if (is_tile(plan, in[i]))
            return -1;
        slots++;
    }
    return slots;
}

static void try_rows(const TilePlan *plan, Family family, unsigned etype, FusedOp *candidate, FusedOp *best, int *best_fit)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (rows[i].family != family || !takes(rows[i].row, etype))
            continue;
        int slots = fit(plan, &rows[i], candidate->in);
        if (slots <= *best_fit)
            continue;
        candidate->row = rows[i].row;
        candidate->etype = etype;
        candidate->modes = rows[i].modes;
        *best = *candidate;
        *best_fit = slots;
    }
}

static void exchange(FusedOp *op, unsigned a, unsigned b)
{
    Value *v = op->in[a];
    op->in[a] = op->in[b];
    op->in[b] = v;
}

/* The value has no other use and was not made by two operations already. */
static bool only_for(const TilePlan *plan, const Value *value, const Op *user)
{
    const FusedOp *fused = value->op ? vmc_plan_fused(plan, value->op) : NULL;
    return value->op && value->op->parent == user->parent && value->uses && !value->uses->next && is_tile(plan, value) &&
           !(fused && fused->inner);
}

static bool select_pair(const TilePlan *plan, const Op *op, FusedOp *out)
{
    int row = vmc_numeric_row(op), best = -1;
    unsigned etype = vmc_plain_lane(op->results[0].type);
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        Value *inner = op->noperands == 2 ? vmc_operand(op, pairs[i].at) : NULL;
        if (row != pairs[i].outer || !only_for(plan, inner, op) || vmc_numeric_row(inner->op) != pairs[i].inner)
            continue;
        FusedOp candidate = {.in = {vmc_operand(inner->op, 0), vmc_operand(inner->op, 1), vmc_operand(op, 1 - pairs[i].at)},
                             .inner = inner->op};
        try_rows(plan, pairs[i].family, etype, &candidate, out, &best);
        exchange(&candidate, 0, 1);
        if (pairs[i].inner != ROW(subf))
            try_rows(plan, pairs[i].family, etype, &candidate, out, &best);
    }
    return best >= 0;
}

static bool select_single(const TilePlan *plan, const Op *op, FusedOp *out)
{
    int row = vmc_numeric_row(op), best = 0;
    for (size_t i = 0; i < sizeof singles / sizeof *singles && op->noperands == 2; i++) {
        if (row != singles[i].row)
            continue;
        FusedOp candidate = {.in = {vmc_operand(op, 0), vmc_operand(op, 1)}};
        unsigned etype = vmc_plain_lane(op->results[0].type);
        try_rows(plan, singles[i].family, etype, &candidate, out, &best);
        exchange(&candidate, 0, 1);
        if (singles[i].commutes)
            try_rows(plan, singles[i].family, etype, &candidate, out, &best);
    }
    return best > 0;
}

static bool select_choice(const TilePlan *plan, const Op *op, FusedOp *out)
{
    if (vmc_numeric_row(op) != ROW(select) || op->noperands != 3 || !only_for(plan, vmc_operand(op, 0), op))
        return false;
    Op *compare = vmc_operand(op, 0)->op;
    bool swap = false;
    int row = vmc_compare_row(compare, &swap), best = -1;
    unsigned etype = vmc_plain_lane(op->results[0].type);
    bool is_float = row >= ROW(cmpf_oeq) && row <= ROW(cmpf_uno), is_int = row >= ROW(cmpi_eq) && row <= ROW(cmpi_uge);
    if ((!is_float && !is_int) || !etype || vmc_plain_lane(vmc_operand(compare, 0)->type) != etype)
        return false;
    const uint8_t *opposite = is_float ? float_opposite : int_opposite, *exchanged = is_float ? float_exchanged : int_exchanged;
    FusedOp candidate = {.in = {vmc_operand(compare, swap), vmc_operand(compare, !swap), vmc_operand(op, 1), vmc_operand(op, 2)},
                         .inner = compare,
                         .immediate = (unsigned)row - (is_float ? ROW(cmpf_oeq) : ROW(cmpi_eq))};
    for (unsigned i = 0; i < 4; i++) {
        try_rows(plan, F_cmpsel, etype, &candidate, out, &best);
        candidate.immediate = i & 1 ? opposite[candidate.immediate] : exchanged[candidate.immediate];
        exchange(&candidate, i & 1 ? 2 : 0, i & 1 ? 3 : 1);
    }
    return best >= 0;
}

void vmc_plan_tiles(Fn *f, const Block *body, TilePlan *plan)
{
    for (Op *op = body->first; op; op = op->next) {
        bool tile = false;
        for (uint32_t i = 0; i < op->noperands; i++)
            tile |= is_tile(plan, vmc_operand(op, i));
        if (!tile || op->nresults != 1)
            continue;
        vmc_map_put(&plan->tiles, MAP_KEY(&op->results[0]), 1);
        if (f->e->pc->options->debug) /* each op by itself, as it is observed */
            continue;
        FusedOp *fused = ARENA_ARRAY(f->arena, FusedOp, 1);
        if (!select_pair(plan, op, fused) && !select_choice(plan, op, fused) && !select_single(plan, op, fused))
            continue;
        vmc_map_put(&plan->fused, MAP_KEY(op), (uintptr_t)fused);
        if (fused->inner)
            vmc_map_put(&plan->absorbed, MAP_KEY(fused->inner), 1);
    }
}
