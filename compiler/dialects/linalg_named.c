/* Named linalg ops: the table of rows, their indexing maps and bodies. */
#include "linalg.h"

#include "../../vm/numeric/numeric.h"
#include "linalg_internal.h"

typedef struct NamedRow {
    const char *name, *loops, *maps, *body;
} NamedRow;

static const NamedRow named_rows[] = {
#define NAMED(name_, loops_, maps_, body_, attrs_, doc_) {"linalg." name_, loops_, maps_, body_},
#include "linalg_named.def"
#undef NAMED
};

static const NamedRow *find_row(const char *name)
{
    if (strncmp(name, "linalg.", 7) != 0)
        return NULL;
    for (size_t i = 0; i < sizeof named_rows / sizeof named_rows[0]; i++)
        if (strcmp(named_rows[i].name, name) == 0)
            return &named_rows[i];
    return NULL;
}

bool vmc_is_named(const Op *op)
{
    return find_row(op->name) != NULL;
}

/* ---- maps ----------------------------------------------------------------- */

/* Attribute `strides` or `dilations`, entry k; 1 where it is left out. */
static int64_t window_entry(Context *ctx, const Op *op, char which, char digit)
{
    const Attr *attr = vmc_get_attr(op, which == 's' ? "strides" : "dilations");
    const int64_t *values = NULL;
    ptrdiff_t n = attr ? vmc_attr_ints(ctx, attr, &values) : 0;
    return digit - '0' < n ? values[digit - '0'] : 1;
}

static const AffineExpr *loop_dim(Context *ctx, const char *loops, char letter)
{
    const char *at = strchr(loops, letter);
    return at && letter ? vmc_affine_dim(ctx, (uint32_t)(at - loops)) : NULL;
}

/* [w*s0+X*d0], at the bracket; *text ends behind it. */
static const AffineExpr *window_expr(Context *ctx, const Op *op, const char *loops, const char **text)
{
    const AffineExpr *sum = NULL;
    const char *p = *text;
    while (*p != ']') {
        const AffineExpr *term = loop_dim(ctx, loops, p[1]);
        p += 2;
        if (*p == '*') {
            term = vmc_affine_binary(ctx, AFFINE_MUL, term, vmc_affine_const(ctx, window_entry(ctx, op, p[1], p[2])));
            p += 3;
        }
        sum = sum ? vmc_affine_binary(ctx, AFFINE_ADD, sum, term) : term;
    }
    *text = p + 1;
    return sum;
}

static const AffineMap *row_map(Context *ctx, const Op *op, const NamedRow *row, uint32_t nloops, const char **text)
{
    enum { MAX_RESULTS = 16 };
    const AffineExpr *results[MAX_RESULTS];
    uint32_t n = 0;
    const char *p = *text;
    const AffineMap *map = NULL;
    if (*p == '*') {
        map = vmc_affine_identity(ctx, nloops);
        p++;
    } else if (*p == '.') {
        p++;
    } else {
        while (*p && *p != ',' && *p != ':') {
            if (*p == '[')
                results[n++] = window_expr(ctx, op, row->loops, &p);
            else
                results[n++] = loop_dim(ctx, row->loops, *p++);
        }
    }
    *text = *p ? p + 1 : p;
    return map ? map : vmc_affine_map(ctx, nloops, 0, n, results, NULL);
}

static const AffineMap *const *attr_maps(Context *ctx, const Op *op, uint32_t n)
{
    const Attr *attr = vmc_get_attr(op, "indexing_maps");
    if (!attr || attr->kind != ATTR_ARRAY || attr->n != n)
        return NULL;
    const AffineMap **maps = ARENA_ARRAY(&ctx->arena, const AffineMap *, n + 1);
    for (uint32_t i = 0; i < n; i++) {
        if (attr->elems[i]->kind != ATTR_MAP)
            return NULL;
        maps[i] = attr->elems[i]->map;
    }
    return maps;
}

/* Loops of contract and elementwise: a dim of the out is parallel. */
static bool loops_from_maps(Context *ctx, Structured *s)
{
    uint32_t n = s->nins + s->nouts;
    s->maps = attr_maps(ctx, s->op, n);
    if (!s->maps) {
        if (vmc_get_attr(s->op, "indexing_maps") || !vmc_is_ranked(vmc_structured_operand(s, s->nins)->type))
            return false;
        s->nloops = vmc_structured_operand(s, s->nins)->type->rank;
        const AffineMap **maps = ARENA_ARRAY(&ctx->arena, const AffineMap *, n);
        for (uint32_t k = 0; k < n; k++)
            maps[k] = vmc_affine_identity(ctx, s->nloops);
        s->maps = maps;
    }
    s->nloops = s->maps[0]->ndims;
    LoopKind *loops = ARENA_ARRAY(&ctx->arena, LoopKind, s->nloops + 1);
    const AffineMap *out = s->maps[s->nins];
    for (uint32_t i = 0; i < s->nloops; i++)
        loops[i] = LOOP_REDUCTION;
    for (uint32_t r = 0; r < out->nresults; r++)
        if (out->results[r]->kind == AFFINE_DIM && out->results[r]->value < (int64_t)s->nloops)
            loops[out->results[r]->value] = LOOP_PARALLEL;
    s->loops = loops;
    return true;
}

bool vmc_named_structure(Context *ctx, Structured *s)
{
    const NamedRow *row = find_row(s->op->name);
    if (!row)
        return false;
    if (row->loops[0] == '?')
        return loops_from_maps(ctx, s);
    uint32_t n = s->nins + s->nouts;
    if (row->loops[0] == '*') {
        if (!vmc_is_ranked(vmc_structured_operand(s, s->nins)->type))
            return false;
        s->nloops = vmc_structured_operand(s, s->nins)->type->rank;
    } else {
        s->nloops = (uint32_t)strlen(row->loops);
    }
    LoopKind *loops = ARENA_ARRAY(&ctx->arena, LoopKind, s->nloops + 1);
    for (uint32_t i = 0; i < s->nloops; i++)
        loops[i] = row->loops[0] != '*' && row->loops[i] < 'a' ? LOOP_REDUCTION : LOOP_PARALLEL;
    s->loops = loops;
    s->maps = attr_maps(ctx, s->op, n);
    if (s->maps)
        return true;
    const AffineMap **maps = ARENA_ARRAY(&ctx->arena, const AffineMap *, n + 1);
    const char *text = row->maps;
    uint32_t k = 0;
    for (bool more = true; more && k < n; k++) {
        more = *text != '\0' || k == 0 || text[-1] == ':';
        if (more)
            maps[k] = row_map(ctx, s->op, row, s->nloops, &text);
        else
            return false;
    }
    /* An operand without dimensions of a whole-tensor op is read as a scalar. */
    for (uint32_t i = 0; row->loops[0] == '*' && i < s->nins; i++)
        if (vmc_structured_is_scalar(s, i) || (vmc_structured_operand(s, i)->type->rank == 0 && s->nloops))
            maps[i] = vmc_affine_map(ctx, s->nloops, 0, 0, NULL, NULL);
    s->maps = maps;
    return k == n && *text == '\0';
}

/* ---- bodies ----------------------------------------------------------------- */

typedef struct BodyFn {
    const char *name;
    uint32_t arity;
    const char *on_float, *on_int, *on_bool, *on_complex; /* NULL: no such body */
} BodyFn;

static const BodyFn body_fns[] = {
    {"add", 2, "arith.addf", "arith.addi", "arith.ori", "complex.add"},
    {"sub", 2, "arith.subf", "arith.subi", NULL, "complex.sub"},
    {"mul", 2, "arith.mulf", "arith.muli", "arith.andi", "complex.mul"},
    {"div", 2, "arith.divf", "arith.divsi", NULL, "complex.div"},
    {"div_unsigned", 2, NULL, "arith.divui", NULL, NULL},
    {"max_signed", 2, "arith.maximumf", "arith.maxsi", "arith.maxsi", NULL},
    {"min_signed", 2, "arith.minimumf", "arith.minsi", "arith.minsi", NULL},
    {"max_unsigned", 2, "arith.maximumf", "arith.maxui", "arith.maxui", NULL},
    {"min_unsigned", 2, "arith.minimumf", "arith.minui", "arith.minui", NULL},
    {"powf", 2, "math.powf", NULL, NULL, NULL},
    {"exp", 1, "math.exp", NULL, NULL, "complex.exp"},
    {"log", 1, "math.log", NULL, NULL, "complex.log"},
    {"abs", 1, "math.absf", "math.absi", NULL, NULL},
    {"ceil", 1, "math.ceil", NULL, NULL, NULL},
    {"floor", 1, "math.floor", NULL, NULL, NULL},
    {"negf", 1, "arith.negf", NULL, NULL, "complex.neg"},
    {"round", 1, "math.round", NULL, NULL, NULL},
    {"sqrt", 1, "math.sqrt", NULL, NULL, "complex.sqrt"},
    {"rsqrt", 1, "math.rsqrt", NULL, NULL, "complex.rsqrt"},
    {"tanh", 1, "math.tanh", NULL, NULL, "complex.tanh"},
    {"erf", 1, "math.erf", NULL, NULL, NULL},
};

Value *vmc_linalg_cast(Builder *b, Value *value, const Type *to, bool is_unsigned)
{
    const Type *from = value->type;
    const char *op = NULL;
    if (from == to)
        return value;
    if (to->kind == TYPE_INT && from->kind == TYPE_INT)
        op = from->width > to->width ? "arith.trunci" : is_unsigned ? "arith.extui" : "arith.extsi";
    else if ((to->kind == TYPE_INT && from->kind == TYPE_INDEX) || (to->kind == TYPE_INDEX && from->kind == TYPE_INT))
        op = "arith.index_cast";
    else if (to->kind == TYPE_INT && from->kind == TYPE_FLOAT)
        op = is_unsigned ? "arith.fptoui" : "arith.fptosi";
    else if (to->kind == TYPE_FLOAT && from->kind == TYPE_INT)
        op = is_unsigned ? "arith.uitofp" : "arith.sitofp";
    else if (to->kind == TYPE_FLOAT && from->kind == TYPE_FLOAT && vmc_float_bits(from->format) != vmc_float_bits(to->format))
        op = vmc_float_bits(from->format) < vmc_float_bits(to->format) ? "arith.extf" : "arith.truncf";
    if (op)
        return vmc_build1(b, op, to, 1, &value);
    /* Formats of equal width, and index to float, go through a type that holds every value. */
    const Type *between = NULL;
    if (to->kind == TYPE_FLOAT && from->kind == TYPE_FLOAT && vmc_float_bits(to->format) < 32)
        between = vmc_type_float(b->ctx, FLOAT_F32);
    else if (to->kind == TYPE_FLOAT && from->kind == TYPE_INDEX)
        between = vmc_type_int(b->ctx, 64, SIGNLESS);
    return between ? vmc_linalg_cast(b, vmc_linalg_cast(b, value, between, is_unsigned), to, is_unsigned) : NULL;
}

typedef struct BodyBuilder {
    Builder b;
    const char *text;
    Block *block;
    const Type *out;
    bool cast_unsigned;
    const char *fun; /* what fun(...) stands for */
    size_t fun_size;
} BodyBuilder;

Value *vmc_build_float(Builder *b, const Type *type, int64_t whole)
{
    unsigned etype = vmc_float_etype(type->format);
    uint64_t bits = etype ? num_int_to_float(64, true, (uint64_t)whole, etype) : 0; /* types without arithmetic are refused later */
    return vmc_build_const(b, vmc_attr_float_bits(b->ctx, type, bits), type);
}

static Value *index_as_i32(Builder *b, int64_t loop)
{
    const Type *index = vmc_type_index(b->ctx), *i32 = vmc_type_int(b->ctx, 32, SIGNLESS);
    NamedAttr attr = {vmc_name(b->ctx, "dim"), vmc_attr_i64(b->ctx, loop)};
    Value *value = &vmc_build(b, "linalg.index", 0, NULL, 1, &index, 1, &attr, 0)->results[0];
    return vmc_build1(b, "arith.index_cast", i32, 1, &value);
}

static Value *binary(Builder *b, const char *op, Value *lhs, Value *rhs)
{
    Value *operands[2] = {lhs, rhs};
    return vmc_build1(b, op, lhs->type, 2, operands);
}

/* Two steps of a linear congruential generator on seed, row and column; the i32 scaled from [-2^31, 2^31) to [min, max]. */
static Value *random_value(Builder *b, Value *const *args)
{
    Context *ctx = b->ctx;
    const Type *f64 = vmc_type_float(ctx, FLOAT_F64), *i32 = vmc_type_int(ctx, 32, SIGNLESS);
    enum { FACTOR = 1103515245, STEP = 12345 };
    const uint64_t shift = 0x41dfffffffc00000; /* 2^31 - 1 */
    const uint64_t scale = 0x3deffffff79322d5; /* 2.3283064e-10, as the decimal rounds */
    if (args[0]->type != f64 || args[1]->type != f64 || args[2]->type != i32)
        return NULL;
    Value *factor = vmc_build_const(b, vmc_attr_int(ctx, i32, FACTOR), i32),
          *step = vmc_build_const(b, vmc_attr_int(ctx, i32, STEP), i32), *state = args[2];
    for (int64_t loop = 0; loop < 2; loop++) {
        state = binary(b, "arith.addi", index_as_i32(b, loop), state);
        state = binary(b, "arith.addi", binary(b, "arith.muli", state, factor), step);
    }
    Value *whole = vmc_build1(b, "arith.sitofp", f64, 1, &state);
    whole = binary(b, "arith.addf", whole, vmc_build_const(b, vmc_attr_float_bits(ctx, f64, shift), f64));
    Value *range = binary(b, "arith.subf", args[1], args[0]);
    range = binary(b, "arith.mulf", range, vmc_build_const(b, vmc_attr_float_bits(ctx, f64, scale), f64));
    return binary(b, "arith.addf", binary(b, "arith.mulf", whole, range), args[0]);
}

static Value *body_call(BodyBuilder *bb, const char *name, size_t n, uint32_t arity, Value **args)
{
    Builder *b = &bb->b;
    const Type *type = args[0]->type;
    if (n == 10 && strncmp(name, "reciprocal", n) == 0 && type->kind == TYPE_FLOAT) {
        Value *one = vmc_build_float(b, type, 1);
        Value *operands[2] = {one, args[0]};
        return vmc_build1(b, "arith.divf", type, 2, operands);
    }
    if (n == 6 && strncmp(name, "square", n) == 0) {
        Value *operands[2] = {args[0], args[0]};
        return body_call(bb, "mul", 3, 2, operands);
    }
    if (n == 6 && strncmp(name, "select", n) == 0) {
        bool ok = arity == 3 && args[1]->type == args[2]->type && type->kind == TYPE_INT && type->width == 1;
        return ok ? vmc_build1(b, "arith.select", args[1]->type, 3, args) : NULL;
    }
    if (n == 6 && strncmp(name, "random", n) == 0)
        return random_value(b, args);
    for (uint32_t k = 1; k < arity; k++)
        if (args[k]->type != type)
            return NULL;
    for (size_t i = 0; i < sizeof body_fns / sizeof body_fns[0]; i++) {
        const BodyFn *fn = &body_fns[i];
        if (fn->arity != arity || strncmp(fn->name, name, n) != 0 || fn->name[n])
            continue;
        const char *op = type->kind == TYPE_FLOAT                             ? fn->on_float
                         : type->kind == TYPE_COMPLEX                         ? fn->on_complex
                         : type->kind == TYPE_INT && type->width == 1         ? fn->on_bool
                         : type->kind == TYPE_INT || type->kind == TYPE_INDEX ? fn->on_int
                                                                              : NULL;
        return op ? vmc_build1(b, op, type, arity, args) : NULL;
    }
    return NULL;
}

static Value *body_expr(BodyBuilder *bb)
{
    char c = *bb->text;
    if (c == '~' || c == '^' || c == '%') {
        bb->text++;
        Value *value = body_expr(bb);
        return value ? vmc_linalg_cast(&bb->b, value, bb->out, c == '^' || (c == '%' && bb->cast_unsigned)) : NULL;
    }
    size_t n = strcspn(bb->text, "(),");
    const char *name = bb->text;
    bb->text += n;
    if (*bb->text != '(') {
        uint32_t k = (uint32_t)(name[0] - 'a');
        return k < bb->block->nargs ? bb->block->args[k] : NULL;
    }
    Value *args[3];
    uint32_t arity = 0;
    do {
        bb->text++;
        args[arity] = body_expr(bb);
        if (!args[arity++])
            return NULL;
    } while (*bb->text == ',');
    bb->text++;
    if (n == 3 && strncmp(name, "fun", 3) == 0) {
        name = bb->fun;
        n = bb->fun_size;
    }
    return body_call(bb, name, n, arity, args);
}

/* The keyword of #linalg.binary_fn<add> and the like. */
static void enum_text(const Attr *attr, const char *fallback, const char **text, size_t *n)
{
    const char *open = attr && attr->kind == ATTR_OPAQUE ? strchr(attr->s, '<') : NULL;
    *text = open ? open + 1 : fallback;
    *n = strcspn(*text, "> ");
}

bool vmc_named_fill_body(Context *ctx, const char *name, SrcPos pos, Block *block, const Attr *cast, const Attr *fun)
{
    const NamedRow *row = find_row(name);
    if (!row || block->nargs == 0)
        return false;
    BodyBuilder bb = {
        .b = vmc_at_end(ctx, block, pos), .text = row->body, .block = block, .out = block->args[block->nargs - 1]->type};
    bb.cast_unsigned = cast && cast->kind == ATTR_OPAQUE && strstr(cast->s, "unsigned");
    enum_text(fun, strstr(name, "unary") ? "exp" : "add", &bb.fun, &bb.fun_size);
    Value *result;
    if (strcmp(row->body, "fun") == 0)
        result = block->nargs >= 2 && block->nargs <= 4 ? body_call(&bb, bb.fun, bb.fun_size, block->nargs - 1, block->args) : NULL;
    else
        result = body_expr(&bb);
    if (!result || result->type != bb.out) {
        Text types = {.arena = &ctx->arena};
        for (uint32_t i = 0; i < block->nargs; i++) {
            vmc_text_str(&types, i ? ", " : "");
            vmc_print_type(&types, block->args[i]->type);
        }
        vmc_error(&ctx->diag, pos, "'%s' has no body for element types %s", name, types.at);
        return false;
    }
    vmc_build(&bb.b, "linalg.yield", 1, &result, 0, NULL, 0, NULL, 0);
    return true;
}

bool vmc_named_body(Context *ctx, Op *op)
{
    if (!vmc_is_named(op) || op->nregions != 1)
        return false;
    if (op->regions[0].first)
        return true;
    Block *block = vmc_block_create(ctx);
    vmc_block_append(&op->regions[0], block);
    for (uint32_t k = 0; k < op->noperands; k++)
        vmc_block_add_arg(ctx, block, vmc_elem_or_self(op->operands[k].value->type), op->pos);
    const Attr *fun = vmc_get_attr(op, "fun");
    return vmc_named_fill_body(ctx, op->name, op->pos, block, vmc_get_attr(op, "cast"), fun ? fun : vmc_get_attr(op, "kind"));
}
