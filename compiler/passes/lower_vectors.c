/* Vectors become tensors of the same shape, and the ops of the vector dialect become core ops on them.
 *
 * Types first: vector<4x8xf32> is tensor<4x8xf32>, in signatures, block arguments and constants too; a memref of vectors has
 * their dims behind its own; signed integers become signless (how they print is noted before).  Then each vector op is replaced,
 * at its place; arith and math ops on vectors are ops on tensors now, which generalize knows.  A module without vectors is left
 * as it is.
 */
#include "lower_vectors.h"

#include "../dialects/shapes.h"

typedef struct Rule {
    const char *name;
    VecLower lower;
    bool maskable; /* may stand in a vector.mask */
} Rule;

static const Rule rules[] = {
    {"vector.splat", vec_splat, false},
    {"vector.broadcast", vec_splat, false},
    {"vector.from_elements", vec_from_elements, false},
    {"vector.to_elements", vec_to_elements, false},
    {"vector.step", vec_step, false},
    {"vector.fma", vec_fma, false},
    {"vector.reduction", vec_reduction, true},
    {"vector.multi_reduction", vec_multi_reduction, true},
    {"vector.scan", vec_scan, false},
    {"vector.contract", vec_contract, true},
    {"vector.outerproduct", vec_outerproduct, true},
    {"vector.matrix_multiply", vec_matrix_multiply, false},
    {"vector.flat_transpose", vec_flat_transpose, false},
    {"vector.shuffle", vec_shuffle, false},
    {"vector.interleave", vec_interleave, false},
    {"vector.deinterleave", vec_deinterleave, false},
    {"vector.extractelement", vec_extract_element, false},
    {"vector.insertelement", vec_insert_element, false},
    {"vector.extract", vec_extract, false},
    {"vector.insert", vec_insert, false},
    {"vector.extract_strided_slice", vec_extract_strided, false},
    {"vector.insert_strided_slice", vec_insert_strided, false},
    {"vector.transpose", vec_transpose, false},
    {"vector.shape_cast", vec_shape_cast, false},
    {"vector.bitcast", vec_bitcast, false},
    {"vector.type_cast", vec_type_cast, false},
    {"vector.constant_mask", vec_mask_of, false},
    {"vector.create_mask", vec_mask_of, false},
    {"vector.transfer_read", vec_transfer_read, true},
    {"vector.transfer_write", vec_transfer_write, true},
    {"vector.load", vec_load_box, false},
    {"vector.store", vec_store_box, false},
    {"vector.maskedload", vec_masked_load, true},
    {"vector.maskedstore", vec_masked_store, true},
    {"vector.expandload", vec_expand_load, false},
    {"vector.compressstore", vec_compress_store, false},
    {"vector.gather", vec_gather, true},
    {"vector.scatter", vec_scatter, true},
    {"vector.print", vec_print, false},
    /* of vectors: */
    {"memref.load", vec_load_box, false},
    {"memref.store", vec_store_box, false},
    {"affine.load", vec_load_box, false},
    {"affine.store", vec_store_box, false},
    {"affine.vector_load", vec_load_box, false},
    {"affine.vector_store", vec_store_box, false},
    {"ub.poison", vec_poison, false},
};

typedef struct Work {
    Op *op;
    const Rule *rule; /* NULL: vector.mask */
} Work;

typedef struct Pass {
    Vectors l;
    Map rules; /* OpDef -> Rule */
    const OpDef *mask;
    bool any;
    VEC(Work) work;
} Pass;

/* ---- types ---------------------------------------------------------------------------------- */

enum { SEEN = 1, HAS_VECTOR = 2, HAS_SCALABLE = 4, HAS_OTHERS = 8 };

/* What stands in the type: a vector; one whose size is not known; vectors as elements of what does not become a memref of scalars.
   Types share their parts: each is looked at once. */
static uint64_t vectors_in(Vectors *l, const Type *type)
{
    uint64_t found = 0;
    if (vmc_map_get(&l->seen, MAP_KEY(type), &found))
        return found;
    found = SEEN;
    if (type->kind == TYPE_VECTOR)
        found |= HAS_VECTOR | (type->scalable ? HAS_SCALABLE : 0);
    if (vmc_is_shaped(type) && type->elem) {
        int64_t offset, *strides = ARENA_ARRAY(&l->ctx->arena, int64_t, type->rank + 1);
        bool flat = vmc_is_memref(type) && (!type->layout || vmc_memref_strides(l->ctx, type, &offset, strides));
        found |= vectors_in(l, type->elem) | (type->elem->kind == TYPE_VECTOR && !flat ? HAS_OTHERS : 0);
    }
    if (type->kind == TYPE_FUNCTION || type->kind == TYPE_TUPLE)
        for (uint32_t i = 0; i < type->nins; i++)
            found |= vectors_in(l, type->ins[i]);
    if (type->kind == TYPE_FUNCTION)
        for (uint32_t i = 0; i < type->nouts; i++)
            found |= vectors_in(l, type->outs[i]);
    vmc_map_put(&l->seen, MAP_KEY(type), found);
    return found;
}

static const Type *convert(Vectors *l, const Type *type);

static const Type **convert_list(Vectors *l, uint32_t n, const Type *const *types)
{
    const Type **out = ARENA_ARRAY(&l->ctx->arena, const Type *, n + 1);
    for (uint32_t i = 0; i < n; i++)
        out[i] = convert(l, types[i]);
    return out;
}

/* A memref of vectors: their dims behind its own, its strides in elements. */
static const Type *convert_memref(Vectors *l, const Type *type)
{
    Context *ctx = l->ctx;
    const Type *vector = type->elem, *elem = convert(l, vector->elem);
    uint32_t rank = type->rank + vector->rank;
    int64_t offset, count = 1, *dims = ARENA_ARRAY(&ctx->arena, int64_t, rank + 1),
                    *strides = ARENA_ARRAY(&ctx->arena, int64_t, rank + 1);
    for (uint32_t i = 0; i < rank; i++)
        dims[i] = i < type->rank ? type->dims[i] : vector->dims[i - type->rank];
    if (!type->layout)
        return vmc_type_memref(ctx, rank, dims, elem, NULL, type->space);
    if (!vmc_memref_strides(ctx, type, &offset, strides))
        return type;
    for (uint32_t i = rank; i-- > type->rank;) {
        strides[i] = count;
        count = vmc_dim_mul(count, dims[i]);
    }
    for (uint32_t i = 0; i < type->rank; i++)
        strides[i] = vmc_dim_mul(strides[i], count);
    return vmc_type_memref(ctx, rank, dims, elem, vmc_strided_layout(ctx, rank, dims, vmc_dim_mul(offset, count), strides),
                           type->space);
}

static const Type *convert_fresh(Vectors *l, const Type *type)
{
    Context *ctx = l->ctx;
    switch (type->kind) {
    case TYPE_INT:
        return vmc_type_int(ctx, type->width, SIGNLESS);
    case TYPE_VECTOR:
        return vec_tensor(ctx, type->rank, type->dims, convert(l, type->elem));
    case TYPE_TENSOR:
        return vmc_type_tensor(ctx, type->rank, type->dims, convert(l, type->elem), type->layout);
    case TYPE_UNRANKED_TENSOR:
        return vmc_type_unranked_tensor(ctx, convert(l, type->elem));
    case TYPE_MEMREF:
        if (type->elem->kind == TYPE_VECTOR)
            return convert_memref(l, type);
        return vmc_type_memref(ctx, type->rank, type->dims, convert(l, type->elem), type->layout, type->space);
    case TYPE_UNRANKED_MEMREF:
        return vmc_type_unranked_memref(ctx, convert(l, vmc_elem_or_self(type->elem)), type->space);
    case TYPE_FUNCTION:
        return vmc_type_function(ctx, type->nins, convert_list(l, type->nins, type->ins), type->nouts,
                                 convert_list(l, type->nouts, type->outs));
    default:
        return type;
    }
}

static const Type *convert(Vectors *l, const Type *type)
{
    const Type *known = vmc_map_ptr(&l->types, type);
    if (known)
        return known;
    const Type *out = convert_fresh(l, type);
    vmc_map_put(&l->types, MAP_KEY(type), MAP_KEY(out));
    return out;
}

static const Attr *convert_constant(Vectors *l, const Attr *attr)
{
    Context *ctx = l->ctx;
    const Type *type = attr->type ? convert(l, attr->type) : NULL;
    if (type == attr->type)
        return attr;
    switch (attr->kind) {
    case ATTR_INT:
        return vmc_attr_int(ctx, type, attr->i);
    case ATTR_DENSE:
        return vmc_attr_dense(ctx, type, attr->data, attr->n, attr->splat, false);
    case ATTR_RESOURCE: {
        Attr copy = *attr;
        copy.type = type;
        return vmc_attr_intern(ctx, &copy);
    }
    default:
        return attr;
    }
}

/* Types as the caller knows them: tensors for vectors, but with their signs. */
static void keep_signature(Vectors *l, Op *func, const Type *type)
{
    static const char *const names[2] = {"bufvm.arg_types", "bufvm.result_types"};
    Context *ctx = l->ctx;
    for (int k = 0; k < 2; k++) {
        uint32_t n = k ? type->nouts : type->nins;
        const Attr **list = ARENA_ARRAY(&ctx->arena, const Attr *, n + 1);
        for (uint32_t i = 0; i < n; i++) {
            const Type *t = (k ? type->outs : type->ins)[i];
            if (t->kind == TYPE_VECTOR)
                t = vec_tensor(ctx, t->rank, t->dims, t->elem);
            else if (vmc_is_memref(t) && t->elem->kind == TYPE_VECTOR)
                t = convert(l, t);
            list[i] = vmc_attr_type(ctx, t);
        }
        if (!vmc_get_attr(func, names[k]))
            vmc_set_attr(ctx, func, names[k], vmc_attr_array(ctx, n, list));
    }
}

static void convert_attributes(Vectors *l, Op *op)
{
    static const char *const typed[] = {"function_type", "type"};
    for (size_t i = 0; i < 2; i++) {
        const Attr *attr = vmc_get_attr(op, typed[i]);
        if (!attr || attr->kind != ATTR_TYPE)
            continue;
        const Type *type = convert(l, attr->type);
        if (type == attr->type)
            continue;
        if (type->kind == TYPE_FUNCTION && vmc_is(op, "func.func"))
            keep_signature(l, op, attr->type);
        vmc_set_attr(l->ctx, op, typed[i], vmc_attr_type(l->ctx, type));
    }
    const Attr *value = vmc_get_attr(op, "value"),
               *initial = vmc_is(op, "memref.global") ? vmc_get_attr(op, "initial_value") : NULL;
    if (value && vmc_has_trait(op, TRAIT_CONSTANT))
        vmc_set_attr(l->ctx, op, "value", convert_constant(l, value));
    if (initial && initial->kind != ATTR_UNIT)
        vmc_set_attr(l->ctx, op, "initial_value", convert_constant(l, initial));
}

static bool convert_op(Op *op, void *user)
{
    Vectors *l = user;
    convert_attributes(l, op);
    for (uint32_t i = 0; i < op->nresults; i++)
        op->results[i].type = convert(l, op->results[i].type);
    for (uint32_t r = 0; r < op->nregions; r++)
        for (Block *block = op->regions[r].first; block; block = block->next)
            for (uint32_t i = 0; i < block->nargs; i++)
                block->args[i]->type = convert(l, block->args[i]->type);
    return true;
}

/* ---- views of memrefs of vectors --------------------------------------------------------------- */

static const Type *vector_of_memref(const Op *op)
{
    for (uint32_t i = 0; i < op->noperands + op->nresults; i++) {
        const Type *type = i < op->noperands ? op->operands[i].value->type : op->results[i - op->noperands].type;
        if (vmc_is_memref(type) && type->elem->kind == TYPE_VECTOR)
            return type->elem;
    }
    return NULL;
}

static void append_ints(Context *ctx, Op *op, const char *name, uint32_t n, const int64_t *values)
{
    const int64_t *old = NULL;
    ptrdiff_t count = vmc_attr_ints(ctx, vmc_get_attr(op, name), &old);
    uint32_t kept = count > 0 ? (uint32_t)count : 0;
    int64_t *all = ARENA_ARRAY(&ctx->arena, int64_t, kept + n + 1);
    for (uint32_t i = 0; i < kept + n; i++)
        all[i] = i < kept ? old[i] : values[i - kept];
    vmc_set_attr(ctx, op, name, vmc_attr_i64_array(ctx, kept + n, all));
}

static void extend_subview(Context *ctx, Op *op, const Type *vector)
{
    int64_t *zeros = ARENA_ARRAY(&ctx->arena, int64_t, vector->rank + 1),
            *ones = ARENA_ARRAY(&ctx->arena, int64_t, vector->rank + 1);
    for (uint32_t i = 0; i < vector->rank; i++)
        ones[i] = 1;
    append_ints(ctx, op, "static_offsets", vector->rank, zeros);
    append_ints(ctx, op, "static_sizes", vector->rank, vector->dims);
    append_ints(ctx, op, "static_strides", vector->rank, ones);
}

/* Each dim of the vectors is a group of its own. */
static void extend_groups(Context *ctx, Op *op, const Type *vector)
{
    const Attr *old = vmc_get_attr(op, "reassociation");
    uint32_t next = 0;
    const Attr **groups = ARENA_ARRAY(&ctx->arena, const Attr *, old->n + vector->rank + 1);
    for (size_t i = 0; i < old->n; i++) {
        groups[i] = old->elems[i];
        next += (uint32_t)groups[i]->n;
    }
    for (uint32_t i = 0; i < vector->rank; i++) {
        const Attr *dim = vmc_attr_i64(ctx, next + i);
        groups[old->n + i] = vmc_attr_array(ctx, 1, &dim);
    }
    vmc_set_attr(ctx, op, "reassociation", vmc_attr_array(ctx, old->n + vector->rank, groups));
    if (vmc_is(op, "memref.expand_shape") && vmc_get_attr(op, "static_output_shape"))
        append_ints(ctx, op, "static_output_shape", vector->rank, vector->dims);
}

/* What keeps its meaning when a memref of vectors gets their dims behind its own; views are extended. */
static bool adapt(Vectors *l, Op *op, const Type *vector)
{
    static const char *const same[] = {"memref.alloc", "memref.alloca", "memref.dealloc",     "memref.dim",  "memref.cast",
                                       "memref.copy",  "memref.load",   "memref.store",       "memref.view", "memref.get_global",
                                       "affine.load",  "affine.store",  "affine.for",         "affine.if",   "affine.yield",
                                       "arith.select", "memref.global", "memref.alloca_scope"};
    static const char *const dialects[] = {"vector.", "func.", "scf.", "cf."};
    for (size_t i = 0; i < sizeof dialects / sizeof *dialects; i++)
        if (strncmp(op->name, dialects[i], strlen(dialects[i])) == 0)
            return true;
    for (size_t i = 0; i < sizeof same / sizeof *same; i++)
        if (vmc_is(op, same[i]))
            return true;
    if (vmc_is(op, "memref.subview"))
        extend_subview(l->ctx, op, vector);
    else if (vmc_is(op, "memref.expand_shape") || vmc_is(op, "memref.collapse_shape"))
        extend_groups(l->ctx, op, vector);
    else
        vmc_error(&l->ctx->diag, op->pos, "'%s' is not supported on a memref of vectors", op->name);
    return true;
}

/* ---- the pass ---------------------------------------------------------------------------------------- */

static bool look_at(Op *op, void *user)
{
    Pass *p = user;
    Context *ctx = p->l.ctx;
    uint64_t found = strncmp(op->name, "vector.", 7) == 0 ? HAS_VECTOR : 0;
    for (uint32_t i = 0; i < op->nresults; i++)
        found |= vectors_in(&p->l, op->results[i].type);
    for (uint32_t r = 0; r < op->nregions; r++)
        for (Block *block = op->regions[r].first; block; block = block->next)
            for (uint32_t i = 0; i < block->nargs; i++)
                found |= vectors_in(&p->l, block->args[i]->type);
    const Attr *function = vmc_get_attr(op, "function_type");
    if (function && function->kind == ATTR_TYPE)
        found |= vectors_in(&p->l, function->type);
    p->any |= (found & HAS_VECTOR) != 0;
    if (found & HAS_SCALABLE || vmc_is(op, "vector.vscale"))
        vmc_error(&ctx->diag, op->pos,
                  "'%s' has a scalable vector, whose size is not known: only vectors of fixed size are supported", op->name);
    else if (found & HAS_OTHERS)
        vmc_error(&ctx->diag, op->pos,
                  "'%s' has a tensor of vectors, or a memref of vectors whose layout has no strides: these are not supported",
                  op->name);
    else
        return true;
    p->l.ok = false;
    return true;
}

static bool collect(Op *op, void *user)
{
    Pass *p = user;
    const Type *vector = vector_of_memref(op);
    if (vector)
        adapt(&p->l, op, vector);
    if (vmc_is(op, "vector.print") && op->noperands)
        vmc_map_put(&p->l.printed, MAP_KEY(op), MAP_KEY(vmc_elem_or_self(op->operands[0].value->type)));
    const Op *parent = vmc_parent_op(op);
    if (parent && parent->def == p->mask)
        return true; /* goes with its mask */
    const Rule *rule = op->def ? vmc_map_ptr(&p->rules, op->def) : NULL;
    bool ours = strncmp(op->name, "vector.", 7) == 0;
    if (rule && !ours) { /* memref.load and the like: of vectors only */
        const Type *type = op->nresults ? op->results[0].type : op->operands[0].value->type;
        rule = type->kind == TYPE_VECTOR ? rule : NULL;
    }
    if (rule || (op->def && op->def == p->mask))
        VEC_PUSH(&p->l.ctx->arena, &p->work, ((Work){op, rule}));
    else if (ours) {
        vmc_error(&p->l.ctx->diag, op->pos, "'%s' is not supported", op->name);
        p->l.ok = false;
    }
    return true;
}

/* Where a lane is off: that of passthru. */
static Value *passed_through(Builder *b, Value *mask, Value *value, Value *passthru)
{
    const Type *type = value->type;
    bool lanes = type->kind == TYPE_TENSOR && type->rank == mask->type->rank &&
                 (!type->rank || memcmp(type->dims, mask->type->dims, type->rank * sizeof *type->dims) == 0);
    if (!lanes)
        return value;
    Value *operands[3] = {mask, value, passthru};
    return vmc_build1(b, "arith.select", type, 3, operands);
}

/* An elementwise op runs on all lanes; where it could trap, those that are off get a divisor of one. */
static void unmask_elementwise(Context *ctx, Op *mask, Op *inner)
{
    Builder b = vmc_before(ctx, mask);
    if (!vmc_has_trait(inner, TRAIT_SPECULATABLE) && inner->noperands == 2) {
        const Type *type = inner->operands[1].value->type;
        Value *operands[3] = {mask->operands[0].value, inner->operands[1].value,
                              vmc_build_const(&b, vmc_attr_of_slot(ctx, type, 1), type)};
        vmc_set_operand(inner, 1, vmc_build1(&b, "arith.select", type, 3, operands));
    }
    vmc_op_unlink(inner);
    vmc_op_insert_before(inner, mask);
}

static bool is_maskable_elementwise(const Op *inner, const Value *mask)
{
    const Type *type = inner->nresults == 1 ? inner->results[0].type : NULL;
    if (!vmc_has_trait(inner, TRAIT_ELEMENTWISE) || !type || type->kind != TYPE_TENSOR || type->rank != mask->type->rank)
        return false;
    for (uint32_t i = 0; i < type->rank; i++)
        if (type->dims[i] != mask->type->dims[i])
            return false;
    return vmc_has_trait(inner, TRAIT_SPECULATABLE) || type->elem->kind == TYPE_INT || type->elem->kind == TYPE_INDEX;
}

static bool lower_mask(Pass *p, Op *op, Value **results)
{
    Block *body = vmc_entry(op, 0);
    Op *inner = body->first == body->last ? NULL : body->first;
    Builder b = vmc_before(p->l.ctx, op);
    Value *mask = op->operands[0].value;
    if (inner && is_maskable_elementwise(inner, mask)) {
        unmask_elementwise(p->l.ctx, op, inner);
    } else if (inner) {
        const Rule *rule = inner->def ? vmc_map_ptr(&p->rules, inner->def) : NULL;
        if (!rule || !rule->maskable) {
            vmc_error(&p->l.ctx->diag, inner->pos, "'%s' can not be masked", inner->name);
            return false;
        }
        Value **values = ARENA_ARRAY(&p->l.ctx->arena, Value *, inner->nresults + 1);
        if (!rule->lower(&p->l, inner, &b, mask, values))
            return false;
        for (uint32_t i = 0; i < inner->nresults; i++)
            vmc_replace_uses(&inner->results[i], values[i]);
        vmc_op_erase(inner);
    }
    for (uint32_t i = 0; i < op->nresults; i++)
        results[i] = body->last->operands[i].value;
    if (op->noperands > 1)
        results[0] = passed_through(&b, mask, results[0], op->operands[1].value);
    return true;
}

static bool lower_op(Pass *p, const Work *work)
{
    Op *op = work->op;
    Value **results = ARENA_ARRAY(&p->l.ctx->arena, Value *, op->nresults + 1);
    Builder b = vmc_before(p->l.ctx, op);
    b.loc = op->loc;
    if (!(work->rule ? work->rule->lower(&p->l, op, &b, NULL, results) : lower_mask(p, op, results)))
        return false;
    for (uint32_t i = 0; i < op->nresults; i++) {
        if (op->results[i].name && results[i]->op && !results[i]->name)
            results[i]->name = op->results[i].name;
        vmc_replace_uses(&op->results[i], results[i]);
    }
    vmc_op_erase(op);
    return true;
}

bool vmc_pass_lower_vectors(PassContext *pc)
{
    Context *ctx = pc->ctx;
    Pass p = {.l = {.pc = pc,
                    .ctx = ctx,
                    .types = {.arena = &ctx->arena},
                    .seen = {.arena = &ctx->arena},
                    .printed = {.arena = &ctx->arena},
                    .ok = true},
              .rules = {.arena = &ctx->arena},
              .mask = vmc_find_def(ctx, "vector.mask")};
    vmc_walk(ctx->module, look_at, &p);
    if (!p.any || !p.l.ok)
        return p.l.ok;
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++)
        vmc_map_put_ptr(&p.rules, vmc_find_def(ctx, rules[i].name), &rules[i]);
    vmc_host_calls_init(&p.l.host, ctx);
    vmc_walk(ctx->module, collect, &p);
    if (!p.l.ok || ctx->diag.errors)
        return false;
    vmc_walk(ctx->module, convert_op, &p.l);
    bool ok = true;
    for (size_t i = 0; i < p.work.n; i++)
        ok &= lower_op(&p, &p.work.at[i]);
    return ok;
}
