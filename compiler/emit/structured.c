/* Selection of linalg.generic on memrefs: one kernel instruction, strips of tile code, or a nest of scalar loops.
 *
 * Each operand becomes a view with one stride a loop, so that its element at the loop indices is linear in them.
 * A strip computes many turns of one loop at once.  That equals the nest only if no turn reads what another wrote: where
 * an out and another operand may share memory other than element for element, the nest runs instead, chosen while
 * compiling where the buffers are known and at run time by buffer.same where they are not.
 */
#include "../passes/alias.h"
#include "select.h"

#include <stdio.h>

typedef struct Nest {
    Structured s;
    Num *sizes;    /* of the loops */
    View **views;  /* per operand: rank nloops, strides per loop; NULL for scalars */
    Num *indices;  /* of the loops, while emitting */
    uint32_t lane; /* loop of the lanes; nloops: none */
    uint32_t level;
    unsigned lanes; /* strip length */
} Nest;

/* ---- operands over the iteration space --------------------------------------------- */

static View *over_loops(Fn *f, const View *view, const AffineMap *map, uint32_t nloops)
{
    if (map->nresults != view->rank)
        return NULL;
    View *out = vmc_new_view(f, view->buffer, nloops, view->elem);
    int64_t *coefficients = ARENA_ARRAY(f->arena, int64_t, nloops + 1), constant;
    out->offset = view->offset;
    for (uint32_t l = 0; l < nloops; l++)
        out->strides[l] = vmc_num(0);
    for (uint32_t r = 0; r < map->nresults; r++) {
        if (!vmc_linear_subscript(map->results[r], nloops, coefficients, &constant))
            return NULL;
        out->offset = vmc_mad(f, view->strides[r], vmc_num(constant), out->offset);
        for (uint32_t l = 0; l < nloops; l++) {
            if (coefficients[l])
                out->strides[l] = vmc_mad(f, view->strides[r], vmc_num(coefficients[l]), out->strides[l]);
        }
    }
    return out;
}

static bool prepare_nest(Fn *f, Op *op, Nest *nest)
{
    memset(nest, 0, sizeof *nest);
    if (!vmc_structured(f->ctx, op, &nest->s) || !nest->s.body || op->nresults) {
        vmc_fail(f, op, "it is not a well-formed structured op on memrefs");
        return false;
    }
    const Structured *s = &nest->s;
    uint32_t noperands = s->nins + s->nouts;
    nest->lane = s->nloops;
    nest->sizes = ARENA_ARRAY(f->arena, Num, s->nloops + 1);
    nest->indices = ARENA_ARRAY(f->arena, Num, s->nloops + 1);
    nest->views = ARENA_ARRAY(f->arena, View *, noperands + 1);
    for (uint32_t k = 0; k < noperands; k++) {
        if (vmc_structured_is_scalar(s, k))
            continue;
        View *view = vmc_get_view(f, vmc_structured_operand(s, k));
        if (!view)
            return false;
        nest->views[k] = over_loops(f, view, s->maps[k], s->nloops);
        if (!nest->views[k]) {
            vmc_fail(f, op, "a subscript of operand %u is not linear", k);
            return false;
        }
    }
    for (uint32_t l = 0; l < s->nloops; l++) {
        uint32_t operand, dim;
        int64_t size = vmc_structured_static_size(s, l);
        if (size != VMC_DYNAMIC) {
            nest->sizes[l] = vmc_num(size);
        } else if (vmc_structured_size_source(s, l, &operand, &dim)) {
            nest->sizes[l] = vmc_get_view(f, vmc_structured_operand(s, operand))->sizes[dim];
        } else {
            vmc_fail(f, op, "no operand gives the size of loop %u", l);
            return false;
        }
    }
    return true;
}

/* ---- kernels ---------------------------------------------------------------------------- */

typedef struct KernelRow {
    uint32_t number;
    const char *name, *operands;
} KernelRow;
static const KernelRow kernels[] = {
#define KERNEL(number, name, operands, doc) {number, #name, operands},
#include "../../vm/kernels/kernels.def"
#undef KERNEL
};

static const KernelRow *find_kernel(const Attr *name)
{
    for (size_t i = 0; name && name->kind == ATTR_STRING && i < sizeof kernels / sizeof *kernels; i++) {
        if (strcmp(kernels[i].name, name->s) == 0)
            return &kernels[i];
    }
    return NULL;
}

static Reg scalar_operand(Fn *f, Value *value)
{
    Slot slot;
    Reg r = vmc_get_reg(f, value);
    if (vmc_slot(value->type, &slot) && slot.width > 1 && slot.width < 8)
        r = vmc_zext(f, r, slot.width); /* as the byte in memory */
    return r;
}

typedef struct KernelCall {
    RegList list;
    uint64_t first, second; /* immediates */
    unsigned views;
    bool numbers; /* the kernel converts its inputs: small floats are more to it than bytes */
} KernelCall;

static bool kernel_operand(Fn *f, const Op *op, const Nest *nest, char letter, uint32_t k, KernelCall *call)
{
    const View *view = nest->views[k];
    unsigned etype = 0;
    if (letter == 's') {
        VEC_PUSH(f->arena, &call->list, scalar_operand(f, vmc_structured_operand(&nest->s, k)));
        return true;
    }
    if (!view || !vmc_storage_elem(view->elem, &etype)) {
        vmc_fail(f, op, "operand %u is no buffer of its kernel", k);
        return false;
    }
    if (call->numbers && view->elem->kind == TYPE_FLOAT)
        etype = vmc_etype(view->elem);
    if (call->views < 3)
        call->first |= (uint64_t)etype << (24 + 8 * call->views++);
    VEC_PUSH(f->arena, &call->list, view->buffer);
    VEC_PUSH(f->arena, &call->list, vmc_use(f, view->offset));
    for (uint32_t l = 0; l < nest->s.nloops; l++)
        VEC_PUSH(f->arena, &call->list, vmc_use(f, view->strides[l]));
    return true;
}

static bool kernel_operands(Fn *f, const Op *op, const Nest *nest, const char *letters, const Attr *operands, KernelCall *call)
{
    const int64_t *order = NULL;
    ptrdiff_t n = operands ? vmc_attr_ints(f->ctx, operands, &order) : -1, next = 0;
    for (; *letters; letters++) {
        if (*letters == 'N') {
            for (uint32_t l = 0; l < nest->s.nloops; l++)
                VEC_PUSH(f->arena, &call->list, vmc_use(f, nest->sizes[l]));
            continue;
        }
        if (next >= n || order[next] < 0 || order[next] >= nest->s.nins + nest->s.nouts) {
            vmc_fail(f, op, "its bufvm.kernel attribute lists too few operands");
            return false;
        }
        if (!kernel_operand(f, op, nest, *letters, (uint32_t)order[next++], call))
            return false;
    }
    return true;
}

static bool named_row(Fn *f, const Op *op, const Attr *name, unsigned shift, uint64_t *parameter)
{
    int number = name && name->kind == ATTR_STRING ? bvm_op_by_name(name->s, name->n) : 0;
    if (number < 0)
        vmc_fail(f, op, "no row '%s' to combine with", name->s);
    else
        *parameter |= (uint64_t)number << shift;
    return number >= 0;
}

static void emit_kernel(Fn *f, Op *op, const Attr *attr)
{
    Nest nest;
    const KernelRow *row = find_kernel(vmc_dict_get(attr, "name"));
    const Attr *flags = vmc_dict_get(attr, "flags");
    if (!row) {
        vmc_fail(f, op, "its bufvm.kernel attribute names no kernel");
        return;
    }
    if (!prepare_nest(f, op, &nest))
        return;
    KernelCall call = {.first = row->number | (uint64_t)nest.s.nloops << 16, .numbers = strcmp(row->name, "contract") == 0};
    if (!kernel_operands(f, op, &nest, row->operands, vmc_dict_get(attr, "operands"), &call))
        return;
    if (!named_row(f, op, vmc_dict_get(attr, "combiner"), 0, &call.second) ||
        !named_row(f, op, vmc_dict_get(attr, "value"), 16, &call.second))
        return;
    if (flags && flags->kind == ATTR_INT)
        call.first |= (uint64_t)flags->i << 48;
    vmc_insn_list(f, ROW(kernel), NULL, WIDE(call.first, call.second), call.list.at, call.list.n, call.list.n);
}

/* ---- the nest, turn by turn -------------------------------------------------------------------- */

static void load_arguments(Fn *f, Nest *nest)
{
    const Structured *s = &nest->s;
    for (uint32_t k = 0; k < s->nins + s->nouts; k++) {
        Value *arg = s->body->args[k];
        if (!nest->views[k])
            vmc_set(f, arg, vmc_get(f, vmc_structured_operand(s, k)));
        else if (arg->uses)
            vmc_set(f, arg, vmc_load_val(f, nest->views[k], nest->indices));
    }
}

static void one_turn(Fn *f, Nest *nest)
{
    const Structured *s = &nest->s;
    Val **out = ARENA_ARRAY(f->arena, Val *, s->nouts + 1);
    for (uint32_t k = 0; k < s->nouts; k++) {
        out[k] = vmc_new_val(f, s->body->args[s->nins + k]->type);
        if (!out[k])
            return;
    }
    Target target = {out, s->nouts, 0};
    const Target *outer = f->yield;
    const Num *outer_indices = f->loop_indices;
    uint32_t outer_n = f->nloop_indices;
    load_arguments(f, nest);
    f->yield = &target;
    f->loop_indices = nest->indices;
    f->nloop_indices = s->nloops;
    vmc_emit_block(f, s->body);
    f->loop_indices = outer_indices;
    f->nloop_indices = outer_n;
    f->yield = outer;
    for (uint32_t k = 0; k < s->nouts; k++) {
        if (nest->views[s->nins + k])
            vmc_store_val(f, nest->views[s->nins + k], nest->indices, out[k]);
    }
}

static void scalar_level(Fn *f, Num index, void *user);

static void scalar_nest(Fn *f, Nest *nest)
{
    if (nest->level == nest->s.nloops)
        one_turn(f, nest);
    else
        vmc_for_loop(f, vmc_num(0), nest->sizes[nest->level], vmc_num(1), scalar_level, nest);
}

static void scalar_level(Fn *f, Num index, void *user)
{
    Nest *nest = user;
    nest->indices[nest->level++] = index;
    scalar_nest(f, nest);
    nest->level--;
}

static void emit_index(Fn *f, Op *op)
{
    int64_t dim = -1;
    if (!vmc_get_int(op, "dim", &dim) || dim < 0 || dim >= f->nloop_indices) {
        vmc_fail(f, op, "outside of a structured op with that dimension");
        return;
    }
    vmc_set_scalar(f, op, 0, f->loop_indices[dim]);
}

/* ---- what may share memory ------------------------------------------------------------------------ */

static Overlap overlap_of(Fn *f, const Structured *s, uint32_t a, uint32_t b)
{
    Overlap overlap = vmc_memref_overlap(f->ctx, vmc_structured_operand(s, a), vmc_structured_operand(s, b));
    return overlap == OVERLAP_SAME && s->maps[a] != s->maps[b] ? OVERLAP_SOME : overlap;
}

/* Jumps to *slow where all lanes write one element: a stride that is known at run time only may be 0. */
static void guard_strides(Fn *f, const Nest *nest, Label *slow)
{
    for (uint32_t o = nest->s.nins; o < nest->s.nins + nest->s.nouts; o++) {
        if (!nest->views[o] || nest->views[o]->strides[nest->lane].is_const)
            continue;
        Reg none = vmc_reg(f, BANK_SCALAR);
        *slow = *slow ? *slow : vmc_label(f);
        vmc_insn(f, ROW(cmpi_eq), BVM_I64, REGS(none, vmc_use(f, nest->views[o]->strides[nest->lane]), vmc_use(f, vmc_num(0))),
                 NULL);
        vmc_insn(f, ROW(jnz), BVM_NONE, REGS(none), WIDE(*slow));
    }
}

static void guard_same(Fn *f, Reg a, Reg b, Label *slow)
{
    Reg same = vmc_reg(f, BANK_SCALAR);
    *slow = *slow ? *slow : vmc_label(f);
    vmc_insn(f, ROW(buffer_same), BVM_NONE, REGS(same, a, b), NULL);
    vmc_insn(f, ROW(jnz), BVM_NONE, REGS(same), WIDE(*slow));
}

/* What the body loads by itself is apart from every out. */
static bool guard_body_loads(Fn *f, const Nest *nest, bool emit, Label *slow)
{
    const Structured *s = &nest->s;
    for (Op *op = s->body->first; op; op = op->next) {
        for (uint32_t o = s->nins; vmc_is(op, "memref.load") && o < s->nins + s->nouts; o++) {
            Overlap overlap = vmc_memref_overlap(f->ctx, vmc_structured_operand(s, o), vmc_operand(op, 0));
            if (overlap == OVERLAP_SOME || overlap == OVERLAP_SAME)
                return false;
            const View *view = overlap == OVERLAP_UNKNOWN && emit ? vmc_get_view(f, vmc_operand(op, 0)) : NULL;
            if (view && nest->views[o])
                guard_same(f, nest->views[o]->buffer, view->buffer, slow);
        }
    }
    return true;
}

/* Every out is compared with every operand and every load of the body: too many are not worth the time and the code. */
static bool too_many_pairs(const Structured *s)
{
    enum { MOST_PAIRS = 1 << 14 };
    uint64_t others = s->nins + s->nouts;
    for (const Op *op = s->body->first; op; op = op->next)
        others += vmc_is(op, "memref.load");
    return s->nouts * others > MOST_PAIRS;
}

/* Jumps to *slow where operands share memory at run time; false: they do, known now, or are too many to tell.  Two rounds, so
   that nothing is emitted in that case. */
static bool guard_overlap(Fn *f, const Nest *nest, bool emit, Label *slow)
{
    const Structured *s = &nest->s;
    if (too_many_pairs(s))
        return false;
    for (uint32_t o = s->nins; o < s->nins + s->nouts; o++) {
        for (uint32_t k = 0; k < s->nins + s->nouts; k++) {
            if (k == o || (k >= s->nins && k < o) || !nest->views[k] || !nest->views[o])
                continue;
            Overlap overlap = overlap_of(f, s, o, k);
            if (overlap == OVERLAP_SOME)
                return false;
            if (overlap != OVERLAP_UNKNOWN || !emit)
                continue;
            guard_same(f, nest->views[o]->buffer, nest->views[k]->buffer, slow);
        }
    }
    return guard_body_loads(f, nest, emit, slow);
}

/* ---- tile code --------------------------------------------------------------------------------------- */

/* How values of a type lie in the lanes of a tile. */
typedef struct Lane {
    unsigned etype;  /* of the tile; 0: they have no tiles */
    unsigned width;  /* of an integer between the types, sign-extended in its lane; 0: it fills it */
    unsigned format; /* of a float that is stored only: its bits lie in bytes, conversions alone understand them; else 0 */
    unsigned bits;   /* that memory holds of it, 0: all of the lane */
} Lane;

static Lane lane_of(const Type *type)
{
    Slot slot;
    if (!vmc_slot(type, &slot))
        return (Lane){0};
    bool whole = slot.width == 1 || slot.width == 8u * bvm_elem_bytes(slot.memory);
    unsigned bits = !whole && slot.width < 8 ? slot.width : 0;
    if (slot.is_small)
        return (Lane){.etype = slot.memory, .format = slot.etype, .bits = bits};
    return (Lane){.etype = slot.etype, .width = whole ? 0 : slot.width, .bits = bits};
}

static unsigned tile_etype(const Type *type)
{
    return lane_of(type).etype;
}

static bool is_plain(Lane lane)
{
    return lane.etype && !lane.width && !lane.format;
}

unsigned vmc_plain_lane(const Type *type)
{
    Lane lane = lane_of(type);
    return is_plain(lane) ? lane.etype : 0;
}

static bool takes(unsigned row, unsigned etype)
{
    return bvm_ops[row].kinds && (bvm_ops[row].etypes >> etype & 1);
}

/* Rows of i1 logic exist for masks as selects. */
static bool is_mask_logic(int row, unsigned etype)
{
    return etype == BVM_I1 && (row == (int)ROW(andi) || row == (int)ROW(ori) || row == (int)ROW(xori));
}

static bool tile_conversion(unsigned row, const Op *op, unsigned from, unsigned to)
{
    int64_t mode = 0;
    if (from == to && (row == ROW(exts) || row == ROW(extu) || row == ROW(fconv)))
        return true;
    if (to == BVM_I1 || (vmc_get_int(op, "roundingmode", &mode) && mode != 0))
        return false;
    return takes(row + BVM_TILE, from);
}

/* Floats that are stored only are converted and moved; integers between the types go through the next row, as rule says
   (vm/bytecode/opcodes.def). */
static bool takes_odd(const Op *op, int row, Lane from, Lane to)
{
    int64_t mode = 0;
    char form = bvm_ops[row].form, rule = bvm_ops[row].width_rule;
    if (from.format || to.format) {
        bool float_from = from.format || from.etype >= BVM_F16, float_to = to.format || to.etype >= BVM_F16;
        bool nearest = !vmc_get_int(op, "roundingmode", &mode) || mode == 0;
        return row == (int)ROW(fconv) && float_from && float_to && nearest;
    }
    if (form == 'x')
        return to.etype != BVM_I1 &&
               (row == (int)ROW(exts) || row == (int)ROW(extu) || row == (int)ROW(sitof) || row == (int)ROW(uitof));
    if (form == '?')
        return from.etype == BVM_I1;
    return (form == '1' || form == '2' || form == 'c') && (rule == 0 || strchr("lbu", rule)) &&
           takes((unsigned)row + BVM_TILE, from.etype);
}

static bool tile_op(const Op *op)
{
    int row = vmc_numeric_row(op);
    if (op->nresults != 1 || op->noperands == 0)
        return false;
    Lane from = lane_of(vmc_operand(op, 0)->type), to = lane_of(op->results[0].type);
    unsigned etype = from.etype, result = to.etype;
    bool plain = is_plain(from) && is_plain(to);
    if (plain && vmc_is(op, "arith.bitcast"))
        return (etype == BVM_I1) == (result == BVM_I1);
    if (!etype || !result || row < 0)
        return false;
    if (!plain)
        return takes_odd(op, row, from, to);
    switch (bvm_ops[row].form) {
    case 'x':
        return tile_conversion((unsigned)row, op, etype, result);
    case '?':
        return etype == BVM_I1 && takes((unsigned)row + BVM_TILE, result);
    case 'e':
        return takes((unsigned)row + BVM_TILE, etype) && tile_etype(vmc_operand(op, 1)->type) == BVM_I32;
    default:
        return is_mask_logic(row, etype) || takes((unsigned)row + BVM_TILE, etype);
    }
}

/* An element of any memref or tensor, by indices that are computed. */
static bool is_gather(const Op *op)
{
    const Value *source = op->noperands ? vmc_operand(op, 0) : NULL;
    return (vmc_is(op, "memref.load") || vmc_is(op, "tensor.extract")) && op->nresults == 1 && vmc_is_ranked(source->type) &&
           op->noperands == 1 + source->type->rank && is_plain(lane_of(op->results[0].type));
}

bool vmc_strip_supported(const Op *generic)
{
    const Block *body = generic->nregions ? generic->regions[0].first : NULL;
    if (!body || body->next)
        return false;
    for (uint32_t k = 0; k < body->nargs; k++) {
        if (!tile_etype(body->args[k]->type))
            return false;
    }
    for (const Op *op = body->first; op; op = op->next) {
        if (op->nregions)
            return false;
        if (vmc_is(op, "linalg.yield") || vmc_is(op, "linalg.index"))
            continue;
        if (op->def && (op->def->traits & TRAIT_CONSTANT) && op->nresults == 1 && tile_etype(op->results[0].type))
            continue;
        if (!tile_op(op) && !is_gather(op) && !vmc_is(op, "cf.assert"))
            return false;
    }
    return true;
}

bool vmc_strip_reports(const Op *generic)
{
    for (const Op *op = generic->regions[0].first->first; op; op = op->next)
        if (vmc_has_promises(op) && !is_plain(lane_of(vmc_operand(op, 0)->type)))
            return false;
    return true;
}

static unsigned widest(const Structured *s)
{
    unsigned most = 1;
    for (uint32_t k = 0; k < s->body->nargs; k++) {
        unsigned bytes = bvm_elem_bytes(tile_etype(s->body->args[k]->type));
        most = bytes > most ? bytes : most;
    }
    for (const Op *op = s->body->first; op; op = op->next) {
        for (uint32_t i = 0; i < op->nresults; i++) {
            unsigned bytes = bvm_elem_bytes(tile_etype(op->results[i].type));
            most = bytes > most ? bytes : most;
        }
    }
    return most;
}

typedef struct Strip {
    Nest *nest;
    Map tiles;  /* Value -> Reg */
    Map splats; /* value that is a slot -> Reg that has it in all lanes; it stays a slot for those that take one */
    TilePlan plan;
    const Value *placed; /* whose tile goes straight to the out, or NULL */
    Reg place;           /* that tile */
} Strip;

static Reg known_tile(const Strip *strip, const Value *value)
{
    uint64_t r = 0;
    return vmc_map_get(&strip->tiles, MAP_KEY(value), &r) ? (Reg)r : 0;
}

static Reg new_tile(Fn *f, const Strip *strip, unsigned etype)
{
    return vmc_tile_reg(f, etype, strip->nest->lanes);
}

static Reg splat(Fn *f, const Strip *strip, unsigned etype, Reg scalar)
{
    Reg t = new_tile(f, strip, etype);
    vmc_insn(f, ROW(t_splat), etype, REGS(t, scalar), NULL);
    return t;
}

static Reg tile_of(Fn *f, Strip *strip, Value *value)
{
    Reg t = known_tile(strip, value);
    uint64_t r = 0;
    if (t || vmc_map_get(&strip->splats, MAP_KEY(value), &r))
        return t ? t : (Reg)r;
    t = splat(f, strip, tile_etype(value->type), vmc_get_reg(f, value));
    vmc_map_put(&strip->splats, MAP_KEY(value), t);
    return t;
}

static void tile_select(Fn *f, Reg out, unsigned etype, Reg mask, Reg a, Reg b)
{
    vmc_insn(f, TILE_ROW(select), etype, REGS(out, mask, a, b), NULL);
}

static void mask_logic(Fn *f, Strip *strip, unsigned row, Reg out, Reg a, Reg b)
{
    if (row == ROW(andi)) {
        tile_select(f, out, BVM_I1, a, b, a);
    } else if (row == ROW(ori)) {
        tile_select(f, out, BVM_I1, a, a, b);
    } else {
        Reg no = splat(f, strip, BVM_I1, vmc_use(f, vmc_num(0))), yes = splat(f, strip, BVM_I1, vmc_use(f, vmc_num(1)));
        Reg inverse = new_tile(f, strip, BVM_I1);
        tile_select(f, inverse, BVM_I1, b, no, yes);
        tile_select(f, out, BVM_I1, a, inverse, b);
    }
}

/* t with an instruction that takes a slot. */
static Reg with_constant(Fn *f, const Strip *strip, unsigned row, unsigned etype, Reg t, int64_t c)
{
    Reg out = new_tile(f, strip, etype);
    vmc_insn(f, row, etype, REGS(out, t, vmc_use(f, vmc_num(c))), NULL);
    return out;
}

static Reg zero_extended(Fn *f, const Strip *strip, unsigned etype, Reg t, unsigned width)
{
    return with_constant(f, strip, ROW(t_andi_ts), etype, t, (int64_t)((UINT64_C(1) << width) - 1));
}

static Reg sign_extended(Fn *f, const Strip *strip, unsigned etype, Reg t, unsigned width)
{
    int64_t gap = 8 * (int64_t)bvm_elem_bytes(etype) - width;
    return with_constant(f, strip, ROW(t_shrsi_ts), etype, with_constant(f, strip, ROW(t_shli_ts), etype, t, gap), gap);
}

/* What memory held, as the lanes want it. */
static Reg lane_form(Fn *f, const Strip *strip, Lane lane, Reg t)
{
    return lane.width                 ? sign_extended(f, strip, lane.etype, t, lane.width)
           : lane.format && lane.bits ? zero_extended(f, strip, lane.etype, t, lane.bits)
                                      : t;
}

/* The tile of an op's result: its place in the out where it has one. */
static Reg result_tile(Fn *f, Strip *strip, const Op *op, unsigned etype)
{
    Nest *nest = strip->nest;
    if (&op->results[0] != strip->placed)
        return new_tile(f, strip, etype);
    const View *view = nest->views[nest->s.nins];
    Reg t = new_tile(f, strip, etype), at = vmc_use(f, vmc_linear_index(f, view, nest->indices));
    f->regs.at[t].role = TILE_PLACED;
    vmc_insn(f, ROW(t_dest), etype, REGS(t, view->buffer, at, vmc_use(f, view->strides[nest->lane])), NULL);
    strip->place = t;
    return t;
}

static void emit_fused(Fn *f, Strip *strip, Op *op, const FusedOp *fused)
{
    uint32_t fields[8] = {0};
    unsigned n = 1;
    for (; fused->modes[n - 1]; n++)
        fields[n] = fused->modes[n - 1] == 's' ? vmc_get_reg(f, fused->in[n - 1]) : tile_of(f, strip, fused->in[n - 1]);
    fields[n] = fused->immediate;
    fields[0] = result_tile(f, strip, op, fused->etype);
    vmc_insn(f, fused->row, fused->etype, fields, NULL);
    vmc_map_put(&strip->tiles, MAP_KEY(&op->results[0]), fields[0]);
}

/* An op that takes_odd. */
static void emit_odd(Fn *f, Strip *strip, Op *op)
{
    bool swap = false;
    unsigned row = (unsigned)vmc_numeric_row(op);
    Lane from = lane_of(vmc_operand(op, 0)->type), to = lane_of(op->results[0].type);
    char form = bvm_ops[row].form;
    bool is_unsigned = bvm_ops[row].width_rule == 'u' || row == ROW(extu) || row == ROW(uitof);
    Reg in[3] = {0, 0, 0}, out;
    for (uint32_t i = 0; i < op->noperands && i < 3; i++) {
        in[i] = tile_of(f, strip, vmc_operand(op, i));
        if (is_unsigned && from.width)
            in[i] = zero_extended(f, strip, from.etype, in[i], from.width);
    }
    if (form == 'c')
        (void)vmc_compare_row(op, &swap);
    if (row == ROW(fconv) ? from.format == to.format && from.etype == to.etype : form == 'x' && from.etype == to.etype) {
        out = in[0];
    } else {
        out = new_tile(f, strip, to.etype);
        if (form == 'x')
            vmc_insn(f, row + BVM_TILE, from.format ? from.format : from.etype, REGS(out, in[0], to.format ? to.format : to.etype),
                     NULL);
        else if (form == '?')
            tile_select(f, out, to.etype, in[0], in[1], in[2]);
        else
            vmc_insn(f, row + BVM_TILE, from.etype, REGS(out, in[swap], in[swap ? 0 : 1]), NULL);
    }
    if (to.width && form != '?')
        out = sign_extended(f, strip, to.etype, out, to.width);
    vmc_map_put(&strip->tiles, MAP_KEY(&op->results[0]), out);
}

static void emit_tile_op(Fn *f, Strip *strip, Op *op)
{
    bool swap = false;
    int row = vmc_numeric_row(op);
    unsigned etype = tile_etype(vmc_operand(op, 0)->type), result = tile_etype(op->results[0].type);
    char form = row < 0 ? 0 : bvm_ops[row].form;
    Reg in[3] = {0, 0, 0};
    for (uint32_t i = 0; i < op->noperands && i < 3; i++)
        in[i] = tile_of(f, strip, vmc_operand(op, i));
    if (vmc_is(op, "arith.bitcast") && etype != result) {
        Reg t = result_tile(f, strip, op, result);
        vmc_insn(f, ROW(t_mov), result, REGS(t, in[0]), NULL);
        vmc_map_put(&strip->tiles, MAP_KEY(&op->results[0]), t);
        return;
    }
    if ((form == 'x' || row < 0) && etype == result) {
        vmc_map_put(&strip->tiles, MAP_KEY(&op->results[0]), in[0]);
        return;
    }
    if (is_mask_logic(row, etype) && row == (int)ROW(xori))
        strip->placed = NULL; /* more than one instruction */
    Reg out = result_tile(f, strip, op, result);
    if (form == 'c')
        (void)vmc_compare_row(op, &swap);
    if (is_mask_logic(row, etype))
        mask_logic(f, strip, (unsigned)row, out, in[0], in[1]);
    else if (form == 'x')
        vmc_insn(f, (unsigned)row + BVM_TILE, etype, REGS(out, in[0], result), NULL);
    else if (form == '?')
        tile_select(f, out, result, in[0], in[1], in[2]);
    else
        vmc_insn(f, (unsigned)row + BVM_TILE, etype, REGS(out, in[swap], in[swap ? 0 : 1], in[2]), NULL);
    Insn *insn = &f->code.at[f->code.n - 1];
    if (etype >= BVM_F16 && result >= BVM_F16 && form != '?')
        insn->nan_flag = vmc_nan_invisible(&op->results[0]);
    vmc_map_put(&strip->tiles, MAP_KEY(&op->results[0]), out);
}

static Reg times(Fn *f, Strip *strip, Reg tile, Num factor)
{
    if (factor.is_const && factor.c == 1)
        return tile;
    Reg out = new_tile(f, strip, BVM_I64);
    vmc_insn(f, ROW(t_muli_ts), BVM_I64, REGS(out, tile, vmc_use(f, factor)), NULL);
    return out;
}

/* A load whose indices differ between the lanes. */
static void emit_gather(Fn *f, Strip *strip, Op *op)
{
    View *view = vmc_get_view(f, vmc_operand(op, 0));
    if (!view)
        return;
    Num base = view->offset;
    Reg number = 0; /* of the element, without base */
    for (uint32_t i = 0; i < view->rank; i++) {
        Value *index = vmc_operand(op, 1 + i);
        Reg t = known_tile(strip, index);
        if (!t) {
            Num n = vmc_get_num(f, index);
            vmc_check_index(f, n, view->sizes[i], i);
            base = vmc_mad(f, n, view->strides[i], base);
            continue;
        }
        vmc_insn(f, ROW(t_check_index), BVM_I64, REGS(t, vmc_use(f, view->sizes[i]), i), NULL);
        Reg term = times(f, strip, t, view->strides[i]), sum = number ? new_tile(f, strip, BVM_I64) : term;
        if (number)
            vmc_insn(f, TILE_ROW(addi), BVM_I64, REGS(sum, number, term), NULL);
        number = sum;
    }
    if (!base.is_const || base.c) {
        Reg sum = new_tile(f, strip, BVM_I64);
        vmc_insn(f, ROW(t_addi_ts), BVM_I64, REGS(sum, number, vmc_use(f, base)), NULL);
        number = sum;
    }
    unsigned etype = tile_etype(op->results[0].type);
    Reg out = new_tile(f, strip, etype);
    vmc_insn(f, ROW(t_gather), etype, REGS(out, view->buffer, number), NULL);
    vmc_map_put(&strip->tiles, MAP_KEY(&op->results[0]), out);
}

static bool all_scalar(const Strip *strip, const Op *op)
{
    for (uint32_t i = 0; i < op->noperands; i++) {
        if (known_tile(strip, vmc_operand(op, i)))
            return false;
    }
    return true;
}

static bool is_invariant(const Nest *nest, const View *view)
{
    return view->strides[nest->lane].is_const && view->strides[nest->lane].c == 0;
}

static void strip_loads(Fn *f, Strip *strip)
{
    Nest *nest = strip->nest;
    const Structured *s = &nest->s;
    for (uint32_t k = 0; k < s->nins + s->nouts; k++) {
        Value *arg = s->body->args[k];
        const View *view = nest->views[k];
        if (!view) {
            vmc_set(f, arg, vmc_get(f, vmc_structured_operand(s, k)));
        } else if (arg->uses && is_invariant(nest, view)) {
            vmc_set(f, arg, vmc_load_val(f, view, nest->indices));
        } else if (arg->uses) {
            unsigned etype = tile_etype(arg->type);
            Reg t = new_tile(f, strip, etype), at = vmc_use(f, vmc_linear_index(f, view, nest->indices));
            f->regs.at[t].role = TILE_LOADED;
            vmc_insn(f, ROW(t_load), etype, REGS(t, view->buffer, at, vmc_use(f, view->strides[nest->lane])), NULL);
            vmc_map_put(&strip->plan.tiles, MAP_KEY(arg), 1);
            vmc_map_put(&strip->tiles, MAP_KEY(arg), lane_form(f, strip, lane_of(arg->type), t));
        }
    }
}

static void strip_stores(Fn *f, Strip *strip, Op *yield)
{
    Nest *nest = strip->nest;
    const Structured *s = &nest->s;
    for (uint32_t k = 0; k < s->nouts && k < yield->noperands; k++) { /* all tiles first: nothing that can trap follows a store */
        if (nest->views[s->nins + k])
            tile_of(f, strip, vmc_operand(yield, k));
    }
    for (uint32_t k = 0; k < s->nouts && k < yield->noperands; k++) {
        const View *view = nest->views[s->nins + k];
        if (!view)
            continue;
        Lane lane = lane_of(vmc_operand(yield, k)->type);
        Reg t = tile_of(f, strip, vmc_operand(yield, k)), at = vmc_use(f, vmc_linear_index(f, view, nest->indices));
        if (lane.bits) /* the byte's upper bits are zero */
            t = zero_extended(f, strip, lane.etype, t, lane.bits);
        vmc_insn(f, ROW(t_store), lane.etype, REGS(t, view->buffer, at, vmc_use(f, view->strides[nest->lane])), NULL);
    }
}

/* The value that the body's last op computes for its only out: nothing that can trap follows it. */
static const Value *placed_value(const Strip *strip)
{
    const Structured *s = &strip->nest->s;
    const Op *yield = s->body->last, *last = yield ? yield->prev : NULL;
    if (!last || s->nouts != 1 || yield->noperands != 1 || last->nresults != 1 || vmc_operand(yield, 0) != &last->results[0])
        return NULL;
    int row = vmc_numeric_row(last);
    bool computed = (row >= 0 || vmc_is(last, "arith.bitcast")) && !last->results[0].uses->next;
    bool divides = row >= (int)ROW(divsi) && row <= (int)ROW(floordivsi); /* lanes run again where one of them traps */
    computed = computed && is_plain(lane_of(last->results[0].type)) && is_plain(lane_of(vmc_operand(last, 0)->type));
    return computed && !divides ? &last->results[0] : NULL;
}

static void plan_strip(Fn *f, Strip *strip)
{
    for (Op *op = strip->nest->s.body->first; op; op = op->next) {
        int64_t dim = -1;
        if (vmc_is(op, "linalg.index") && vmc_get_int(op, "dim", &dim) && dim == (int64_t)strip->nest->lane)
            vmc_map_put(&strip->plan.tiles, MAP_KEY(&op->results[0]), 1);
    }
    vmc_plan_tiles(f, strip->nest->s.body, &strip->plan);
    strip->placed = placed_value(strip);
}

/* What the op promises of the lanes of its operands, or of its result. */
static void report_tiles(Fn *f, Strip *strip, Op *op, bool on_result)
{
    Promise promises[MAX_PROMISES];
    uint32_t n = f->e->pc->options->debug ? vmc_promises(op, promises) : 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t operands = on_result ? 1 : op->noperands < 3 ? op->noperands : 3;
        for (uint32_t k = 0; k < operands && promises[i].on_result == on_result; k += 2) {
            Value *x = on_result ? &op->results[0] : vmc_operand(op, k), *y = k + 1 < operands ? vmc_operand(op, k + 1) : x;
            y = y->type == x->type ? y : x;
            Reg a = tile_of(f, strip, x), b = tile_of(f, strip, y);
            vmc_insn(f, ROW(t_report_values), tile_etype(x->type),
                     REGS(a, b, promises[i].number, vmc_promise_width(op, &promises[i])), NULL);
        }
    }
}

static void emit_any_tile_op(Fn *f, Strip *strip, Op *op)
{
    bool odd = vmc_numeric_row(op) >= 0 && !(is_plain(lane_of(vmc_operand(op, 0)->type)) && is_plain(lane_of(op->results[0].type)));
    report_tiles(f, strip, op, false);
    if (odd)
        emit_odd(f, strip, op);
    else
        emit_tile_op(f, strip, op);
    report_tiles(f, strip, op, true);
}

static void one_strip(Fn *f, Nest *nest)
{
    Map map = {.arena = f->arena};
    Strip strip = {.nest = nest, .tiles = map, .splats = map, .plan = {map, map, map}};
    Label top = vmc_label(f), end = vmc_label(f);
    Reg at = vmc_reg(f, BANK_SCALAR);
    vmc_insn(f, ROW(strip), BVM_NONE, REGS(at, vmc_use(f, nest->sizes[nest->lane]), nest->lanes), WIDE(end));
    vmc_place(f, top);
    nest->indices[nest->lane] = vmc_num_reg(at);
    strip_loads(f, &strip);
    plan_strip(f, &strip);
    for (Op *op = nest->s.body->first; op; op = op->next) {
        int64_t dim = -1;
        f->pos = op->pos;
        if (vmc_is(op, "linalg.yield")) {
            strip_stores(f, &strip, op);
        } else if (vmc_is(op, "linalg.index") && vmc_get_int(op, "dim", &dim) && dim >= 0 && dim < nest->s.nloops) {
            if (dim == (int64_t)nest->lane) {
                Reg t = new_tile(f, &strip, BVM_I64);
                vmc_insn(f, ROW(t_iota), BVM_I64, REGS(t, at, vmc_use(f, vmc_num(1))), NULL);
                vmc_map_put(&strip.tiles, MAP_KEY(&op->results[0]), t);
            } else {
                vmc_set_scalar(f, op, 0, nest->indices[dim]);
            }
        } else if (vmc_plan_absorbs(&strip.plan, op)) {
            continue;
        } else if (vmc_plan_fused(&strip.plan, op)) {
            emit_fused(f, &strip, op, vmc_plan_fused(&strip.plan, op));
        } else if (all_scalar(&strip, op)) {
            vmc_emit_op(f, op);
        } else if (is_gather(op)) {
            emit_gather(f, &strip, op);
        } else if (vmc_is(op, "cf.assert")) {
            vmc_insn(f, ROW(t_assert), BVM_NONE, REGS(tile_of(f, &strip, vmc_operand(op, 0))), WIDE(vmc_assert_text(f, op)));
        } else {
            emit_any_tile_op(f, &strip, op);
        }
    }
    vmc_insn(f, ROW(strip_next), BVM_NONE, REGS(at), WIDE(top));
    vmc_place(f, end);
}

static void strip_level(Fn *f, Num index, void *user);

static void strip_nest(Fn *f, Nest *nest)
{
    if (nest->level == nest->lane)
        nest->level++;
    if (nest->level >= nest->s.nloops)
        one_strip(f, nest);
    else
        vmc_for_loop(f, vmc_num(0), nest->sizes[nest->level], vmc_num(1), strip_level, nest);
}

static void strip_level(Fn *f, Num index, void *user)
{
    Nest *nest = user;
    uint32_t level = nest->level;
    nest->indices[nest->level++] = index;
    strip_nest(f, nest);
    nest->level = level;
}

/* Lanes that all write one element, or several elements of one out, are no lanes. */
static bool lanes_are_apart(const Nest *nest)
{
    for (uint32_t o = nest->s.nins; o < nest->s.nins + nest->s.nouts; o++) {
        if (nest->views[o] && is_invariant(nest, nest->views[o]))
            return false;
    }
    return nest->s.loops[nest->lane] == LOOP_PARALLEL;
}

/* Two ops are one pass over memory, for which a strip need not stay in the nearest cache; longer bodies keep their tiles there. */
static unsigned strip_lanes(const Structured *s)
{
    unsigned ops = 0, bytes = widest(s);
    for (const Op *op = s->body->first; op; op = op->next)
        ops += vmc_numeric_row(op) >= 0;
    return (ops <= 2 ? 32768u : ops <= 12 ? 4096u : 2048u) / (bytes > 4 ? 8u : 4u);
}

static void emit_strip(Fn *f, Op *op, int64_t lane)
{
    Nest nest;
    Label slow = 0, end = vmc_label(f);
    if (!prepare_nest(f, op, &nest))
        return;
    if (lane < 0 || lane >= nest.s.nloops || !vmc_strip_supported(op)) {
        vmc_fail(f, op, "its bufvm.strip attribute does not fit its body");
        return;
    }
    nest.lane = (uint32_t)lane;
    nest.lanes = strip_lanes(&nest.s);
    if (!lanes_are_apart(&nest) || !guard_overlap(f, &nest, false, &slow)) {
        nest.lane = nest.s.nloops;
        scalar_nest(f, &nest);
        return;
    }
    guard_overlap(f, &nest, true, &slow);
    guard_strides(f, &nest, &slow);
    strip_nest(f, &nest);
    if (slow) {
        vmc_jump(f, end);
        vmc_place(f, slow);
        nest.lane = nest.s.nloops;
        nest.level = 0;
        scalar_nest(f, &nest);
        vmc_place(f, end);
    }
}

/* Every loop runs once: neither a kernel nor lanes pay then. */
static bool is_one_turn(Fn *f, Op *op)
{
    Structured s;
    if (!vmc_structured(f->ctx, op, &s))
        return false;
    for (uint32_t l = 0; l < s.nloops; l++)
        if (vmc_structured_static_size(&s, l) != 1)
            return false;
    return true;
}

static void emit_one_turn(Fn *f, Op *op)
{
    Nest nest;
    if (!prepare_nest(f, op, &nest))
        return;
    for (uint32_t l = 0; l < nest.s.nloops; l++)
        nest.indices[l] = vmc_num(0);
    one_turn(f, &nest);
}

void vmc_emit_generic(Fn *f, Op *op)
{
    const Attr *kernel = vmc_get_attr(op, "bufvm.kernel");
    int64_t lane;
    bool outer = f->quiet;
    Nest nest;
    f->quiet = true;
    if (is_one_turn(f, op))
        emit_one_turn(f, op);
    else if (kernel)
        emit_kernel(f, op, kernel);
    else if (vmc_get_int(op, "bufvm.strip", &lane))
        emit_strip(f, op, lane);
    else if (prepare_nest(f, op, &nest))
        scalar_nest(f, &nest);
    f->quiet = outer;
}

const EmitRow vmc_structured_rows[] = {
    {"linalg.generic", vmc_emit_generic},
    {"linalg.index", emit_index},
    {NULL, NULL},
};
