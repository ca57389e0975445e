/* The parser's services for the grammar hooks of ops: asm.h. */
#include "parser.h"

#include <stdio.h>

Context *asm_context(Asm *p)
{
    return p->ctx;
}
Arena *asm_arena(Asm *p)
{
    return &p->ctx->arena;
}
SrcPos asm_pos(Asm *p)
{
    return vmc_pos_at(p, p->tok.start);
}
SrcPos asm_op_pos(Asm *p)
{
    return p->op->pos;
}

bool asm_error(Asm *p, SrcPos pos, const char *format, ...)
{
    if (p->fatal)
        return false;
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, format, args);
    va_end(args);
    size_t size = n < 0 ? 0 : (size_t)n;
    char *text = vmc_arena_alloc(&p->ctx->scratch, size + 1);
    text[0] = 0;
    if (n > 0)
        vsnprintf(text, size + 1, format, again);
    va_end(again);
    vmc_error(&p->ctx->diag, pos, "%s", text);
    return false;
}

/* ---- tokens -------------------------------------------------------------- */

bool asm_peek(Asm *p, const char *text)
{
    return vmc_tok_is(p, text);
}

bool asm_try(Asm *p, const char *text)
{
    if (!vmc_tok_is(p, text))
        return false;
    vmc_advance(p);
    return true;
}

bool asm_expect(Asm *p, const char *text)
{
    if (asm_try(p, text))
        return true;
    char what[64];
    snprintf(what, sizeof(what), "'%.50s'", text);
    return vmc_expected(p, what);
}

bool asm_try_keyword(Asm *p, const char **keyword)
{
    if (p->tok.kind != TOKEN_WORD)
        return false;
    *keyword = vmc_intern_token(p, 0);
    vmc_advance(p);
    return true;
}

bool asm_keyword(Asm *p, const char **keyword)
{
    return asm_try_keyword(p, keyword) || vmc_expected(p, "a keyword");
}

bool asm_peek_string(Asm *p)
{
    return p->tok.kind == TOKEN_STRING;
}

bool asm_string(Asm *p, const char **text, size_t *n)
{
    if (p->tok.kind != TOKEN_STRING)
        return vmc_expected(p, "a string");
    if (!vmc_decode_string(p, p->tok.start, p->tok.end, text, n))
        return false;
    vmc_advance(p);
    return true;
}

static bool signed_value(bool negative, uint64_t magnitude, int64_t *value)
{
    *value = negative ? (int64_t)(0 - magnitude) : (int64_t)magnitude;
    return !negative || magnitude <= (uint64_t)INT64_MAX + 1; /* past the signed range the bits are kept */
}

bool asm_try_integer(Asm *p, int64_t *value)
{
    bool negative = vmc_tok_is(p, "-") && p->tok.end[0] >= '0' && p->tok.end[0] <= '9';
    Token sign = p->tok;
    if (negative)
        p->tok = vmc_lex(p->tok.end, p->limit);
    uint64_t magnitude;
    if (p->tok.kind == TOKEN_INTEGER && vmc_token_u64(p, &magnitude) && signed_value(negative, magnitude, value)) {
        vmc_advance(p);
        return true;
    }
    if (negative)
        p->tok = sign;
    return false;
}

bool asm_integer(Asm *p, int64_t *value)
{
    return asm_try_integer(p, value) || vmc_expected(p, "an integer of at most 64 bits");
}

bool asm_symbol_name(Asm *p, const char **name)
{
    if (p->tok.kind != TOKEN_SYMBOL)
        return vmc_expected(p, "a symbol name such as @f");
    if (!vmc_decode_symbol(p, name))
        return false;
    vmc_advance(p);
    return true;
}

/* ---- operands and types -------------------------------------------------- */

bool asm_try_operand(Asm *p, AsmOperand *out)
{
    if (p->tok.kind != TOKEN_VALUE)
        return false;
    *out = (AsmOperand){vmc_intern_token(p, 1), 0, asm_pos(p)};
    const char *end = p->tok.end;
    vmc_advance(p);
    uint64_t number;
    if (vmc_tok_is(p, "#") && p->tok.start == end && p->tok.end[0] >= '0' && p->tok.end[0] <= '9') {
        vmc_advance(p);
        out->number =
            p->tok.kind == TOKEN_INTEGER && vmc_token_u64(p, &number) && number < UINT32_MAX ? (uint32_t)number : UINT32_MAX;
        vmc_advance(p);
    }
    return true;
}

bool asm_operand(Asm *p, AsmOperand *out)
{
    return asm_try_operand(p, out) || vmc_expected(p, "an operand such as %a");
}

bool asm_operand_list(Asm *p, AsmOperands *out)
{
    AsmOperand operand;
    if (!asm_try_operand(p, &operand))
        return true;
    for (;;) {
        VEC_PUSH(&p->ctx->scratch, out, operand);
        if (!asm_try(p, ","))
            return true;
        if (!asm_operand(p, &operand))
            return false;
    }
}

bool asm_operands_in(Asm *p, const char *open, const char *close, AsmOperands *out)
{
    return asm_expect(p, open) && asm_operand_list(p, out) && asm_expect(p, close);
}

bool asm_type(Asm *p, const Type **out)
{
    return vmc_parse_type(p, out);
}

bool asm_try_type(Asm *p, const Type **out)
{
    return vmc_starts_type(p) && vmc_parse_type(p, out);
}

bool asm_colon_type(Asm *p, const Type **out)
{
    return asm_expect(p, ":") && vmc_parse_type(p, out);
}

bool asm_type_list(Asm *p, AsmTypes *out)
{
    const Type *type;
    if (!vmc_starts_type(p))
        return true;
    do {
        if (!vmc_parse_type(p, &type))
            return false;
        VEC_PUSH(&p->ctx->scratch, out, type);
    } while (asm_try(p, ","));
    return true;
}

bool asm_paren_types(Asm *p, AsmTypes *out)
{
    return asm_expect(p, "(") && asm_type_list(p, out) && asm_expect(p, ")");
}

static bool arrow_result(Asm *p, AsmTypes *out)
{
    if (vmc_tok_is(p, "("))
        return asm_paren_types(p, out);
    const Type *type;
    if (!vmc_parse_type(p, &type))
        return false;
    VEC_PUSH(&p->ctx->scratch, out, type);
    return true;
}

bool asm_arrow_types(Asm *p, AsmTypes *out)
{
    return asm_expect(p, "->") && arrow_result(p, out);
}
bool asm_try_arrow_types(Asm *p, AsmTypes *out)
{
    return !asm_try(p, "->") || arrow_result(p, out);
}

bool asm_function_type(Asm *p, const Type **out)
{
    AsmTypes ins = {0}, outs = {0};
    if (p->tok.kind == TOKEN_BANG) { /* an alias */
        SrcPos pos = asm_pos(p);
        return vmc_parse_type(p, out) && ((*out)->kind == TYPE_FUNCTION || asm_error(p, pos, "expected a function type"));
    }
    if (!asm_paren_types(p, &ins) || !asm_arrow_types(p, &outs))
        return false;
    *out = vmc_type_function(p->ctx, (uint32_t)ins.n, ins.at, (uint32_t)outs.n, outs.at);
    return true;
}

bool asm_resolve(Asm *p, const AsmOperand *operand, const Type *type)
{
    Value *value = vmc_resolve_value(p, operand, type);
    if (value)
        VEC_PUSH(&p->ctx->scratch, &p->op->operands, value);
    return value != NULL;
}

bool asm_resolve_list(Asm *p, const AsmOperands *operands, const AsmTypes *types, SrcPos pos)
{
    if (operands->n != types->n)
        return asm_error(p, pos, "%zu operands but %zu types", operands->n, types->n);
    for (size_t i = 0; i < operands->n; i++)
        if (!asm_resolve(p, &operands->at[i], types->at[i]))
            return false;
    return true;
}

bool asm_resolve_all(Asm *p, const AsmOperands *operands, const Type *type)
{
    for (size_t i = 0; i < operands->n; i++)
        if (!asm_resolve(p, &operands->at[i], type))
            return false;
    return true;
}

void asm_add_operand(Asm *p, Value *value)
{
    VEC_PUSH(&p->ctx->scratch, &p->op->operands, value);
}
uint32_t asm_num_operands(Asm *p)
{
    return (uint32_t)p->op->operands.n;
}
const Type *asm_operand_type(Asm *p, uint32_t i)
{
    return i < p->op->operands.n ? p->op->operands.at[i]->type : NULL;
}
void asm_add_result(Asm *p, const Type *type)
{
    VEC_PUSH(&p->ctx->scratch, &p->op->results, type);
}

void asm_add_results(Asm *p, const AsmTypes *types)
{
    for (size_t i = 0; i < types->n; i++)
        asm_add_result(p, types->at[i]);
}

/* ---- attributes ---------------------------------------------------------- */

bool asm_attr(Asm *p, const Type *type_or_null, const Attr **out)
{
    return vmc_parse_attr(p, type_or_null, out);
}

bool asm_try_attr(Asm *p, const Type *type_or_null, const Attr **out)
{
    return vmc_starts_attr(p) && vmc_parse_attr(p, type_or_null, out);
}

void asm_add_attr(Asm *p, const char *name, const Attr *attr)
{
    OpBuild *op = p->op;
    for (size_t i = 0; i < op->attrs.n; i++) {
        if (strcmp(op->attrs.at[i].name, name) == 0) {
            op->attrs.at[i].attr = attr;
            return;
        }
    }
    NamedAttr entry = {vmc_name(p->ctx, name), attr};
    VEC_PUSH(&p->ctx->scratch, &op->attrs, entry);
}

const Attr *asm_get_attr(Asm *p, const char *name)
{
    for (size_t i = 0; i < p->op->attrs.n; i++)
        if (strcmp(p->op->attrs.at[i].name, name) == 0)
            return p->op->attrs.at[i].attr;
    return NULL;
}

/* Entries are unique among themselves; only the few that the op had before are compared. */
static bool add_entries(Asm *p, size_t n, const NamedAttr *entries, SrcPos pos)
{
    OpBuild *op = p->op;
    size_t before = op->attrs.n;
    for (size_t i = 0; i < n; i++) {
        bool replaced = false;
        for (size_t k = 0; k < before && !replaced; k++) {
            if (op->attrs.at[k].name != entries[i].name)
                continue;
            if (op->attrs.at[k].attr != entries[i].attr)
                return asm_error(p, pos, "attribute '%s' is given twice", entries[i].name);
            replaced = true;
        }
        if (!replaced)
            VEC_PUSH(&p->ctx->scratch, &op->attrs, entries[i]);
    }
    return true;
}

static bool parse_dict_into_op(Asm *p)
{
    SrcPos pos = asm_pos(p);
    NamedAttrs entries = {0};
    return vmc_parse_attr_entries(p, &entries) && add_entries(p, entries.n, entries.at, pos);
}

bool asm_attr_dict(Asm *p)
{
    if (vmc_tok_is(p, "{"))
        return parse_dict_into_op(p);
    if (p->tok.kind != TOKEN_HASH)
        return true;
    const Attr *attr = vmc_map_ptr(&p->attr_aliases, vmc_intern_token(p, 1));
    if (!attr || attr->kind != ATTR_DICT)
        return true;
    SrcPos pos = asm_pos(p);
    vmc_advance(p);
    for (size_t i = 0; i < attr->n; i++) {
        NamedAttr entry = {attr->names[i], attr->elems[i]};
        if (!add_entries(p, 1, &entry, pos))
            return false;
    }
    return true;
}

bool asm_attr_dict_keyword(Asm *p)
{
    if (!asm_try(p, "attributes"))
        return true;
    return vmc_tok_is(p, "{") ? parse_dict_into_op(p) : vmc_expected(p, "'{' behind `attributes`");
}

bool asm_properties(Asm *p)
{
    if (!vmc_tok_is(p, "<"))
        return true;
    vmc_advance(p);
    if (vmc_tok_is(p, "{"))
        return parse_dict_into_op(p) && asm_expect(p, ">");
    SrcPos pos = asm_pos(p);
    const Attr *attr;
    if (!vmc_parse_attr(p, NULL, &attr) || !asm_expect(p, ">"))
        return false;
    if (attr->kind != ATTR_DICT)
        return asm_error(p, pos, "the properties of an operation are a dictionary");
    for (size_t i = 0; i < attr->n; i++) {
        NamedAttr entry = {attr->names[i], attr->elems[i]};
        if (!add_entries(p, 1, &entry, pos))
            return false;
    }
    return true;
}

bool asm_affine_map(Asm *p, const AffineMap **map)
{
    SrcPos pos = asm_pos(p);
    const Attr *attr;
    if (!vmc_parse_attr(p, NULL, &attr))
        return false;
    if (attr->kind != ATTR_MAP && attr->kind != ATTR_SET)
        return asm_error(p, pos, "expected an affine map");
    *map = attr->map;
    return true;
}

static const Attr *i32_array(Asm *p, size_t n, const int32_t *values)
{
    unsigned char *data = vmc_arena_alloc(asm_arena(p), 4 * n + 1);
    for (size_t i = 0; i < 4 * n; i++)
        data[i] = (unsigned char)((uint32_t)values[i / 4] >> 8 * (i % 4));
    return vmc_attr_dense_array(p->ctx, vmc_type_int(p->ctx, 32, SIGNLESS), data, 4 * n);
}

void asm_set_segments(Asm *p, size_t n, const int32_t *sizes)
{
    asm_add_attr(p, "operandSegmentSizes", i32_array(p, n, sizes));
}

bool asm_dynamic_index_list(Asm *p, const char *open, const char *close, int64_t **statics, size_t *n, AsmOperands *operands)
{
    VEC(int64_t) values = {0};
    if (!asm_expect(p, open))
        return false;
    if (!vmc_tok_is(p, close)) {
        do {
            AsmOperand operand;
            int64_t value = VMC_DYNAMIC;
            if (asm_try_operand(p, &operand))
                VEC_PUSH(&p->ctx->scratch, operands, operand);
            else if (!asm_try(p, "?") && !asm_try_integer(p, &value))
                return vmc_expected(p, "an operand or an integer");
            VEC_PUSH(&p->ctx->scratch, &values, value);
        } while (asm_try(p, ","));
    }
    *statics = values.at;
    *n = values.n;
    return asm_expect(p, close);
}

/* ---- regions and successors ---------------------------------------------- */

Region *asm_new_region(Asm *p)
{
    Region *region = ARENA_NEW(&p->ctx->scratch, Region);
    VEC_PUSH(&p->ctx->scratch, &p->op->regions, region);
    VEC_PUSH(&p->ctx->scratch, &p->op->written, true);
    return region;
}

void asm_add_empty_region(Asm *p)
{
    asm_new_region(p);
    p->op->written.at[p->op->written.n - 1] = false;
}

uint32_t asm_num_regions(Asm *p)
{
    return (uint32_t)p->op->regions.n;
}
Region *asm_region_at(Asm *p, uint32_t i)
{
    return p->op->regions.at[i];
}

void asm_last_region_first(Asm *p)
{
    OpBuild *op = p->op;
    size_t n = op->regions.n;
    if (n < 2)
        return;
    Region *last = op->regions.at[n - 1];
    bool written = op->written.at[n - 1];
    memmove(op->regions.at + 1, op->regions.at, (n - 1) * sizeof(*op->regions.at));
    memmove(op->written.at + 1, op->written.at, (n - 1) * sizeof(*op->written.at));
    op->regions.at[0] = last;
    op->written.at[0] = written;
}

bool asm_region(Asm *p, const AsmArgs *entry_args)
{
    OpBuild *op = p->op;
    if (!vmc_tok_is(p, "{"))
        return vmc_expected(p, "'{'");
    return vmc_parse_region(p, asm_new_region(p), entry_args, op->def && (op->def->traits & TRAIT_ISOLATED));
}

bool asm_try_region(Asm *p, const AsmArgs *entry_args, bool *seen)
{
    *seen = vmc_tok_is(p, "{");
    return !*seen || asm_region(p, entry_args);
}

static bool parse_arg(Asm *p, bool typed, AsmArg *arg)
{
    *arg = (AsmArg){.name = {NULL, 0, asm_pos(p)}};
    if (p->tok.kind == TOKEN_VALUE) {
        arg->name.name = vmc_intern_token(p, 1);
        vmc_advance(p);
        if (typed && !asm_expect(p, ":"))
            return false;
    } else if (!typed) {
        return vmc_expected(p, "the name of an argument");
    }
    if (typed && !vmc_parse_type(p, &arg->type))
        return false;
    if (typed && vmc_tok_is(p, "{") && !vmc_parse_attr(p, NULL, &arg->attrs))
        return false;
    return vmc_parse_trailing_loc(p, &arg->loc);
}

bool asm_arg_list(Asm *p, const char *open, const char *close, AsmArgs *out, bool typed)
{
    if (!asm_expect(p, open))
        return false;
    if (!vmc_tok_is(p, close)) {
        do {
            AsmArg arg;
            if (!parse_arg(p, typed, &arg))
                return false;
            VEC_PUSH(&p->ctx->scratch, out, arg);
        } while (asm_try(p, ","));
    }
    return asm_expect(p, close);
}

bool asm_successor(Asm *p)
{
    OpBuild *op = p->op;
    if (p->tok.kind != TOKEN_BLOCK)
        return vmc_expected(p, "a block such as ^bb1");
    Block *block = vmc_block_ref(p, vmc_intern_token(p, 1), asm_pos(p));
    vmc_advance(p);
    SrcPos pos = asm_pos(p);
    AsmOperands operands = {0};
    AsmTypes types = {0};
    if (asm_try(p, "(")) {
        if (!asm_operand_list(p, &operands) || (operands.n && !asm_expect(p, ":")) || !asm_type_list(p, &types) ||
            !asm_expect(p, ")"))
            return false;
    }
    if (operands.n != types.n)
        return asm_error(p, pos, "%zu operands but %zu types", operands.n, types.n);
    for (size_t i = 0; i < operands.n; i++) {
        Value *value = vmc_resolve_value(p, &operands.at[i], types.at[i]);
        if (!value)
            return false;
        VEC_PUSH(&p->ctx->scratch, &op->successor_operands, value);
    }
    VEC_PUSH(&p->ctx->scratch, &op->successors, block);
    VEC_PUSH(&p->ctx->scratch, &op->successor_counts, (uint32_t)operands.n);
    return true;
}

bool asm_result_names(Asm *p, AsmOperands *out)
{
    for (size_t i = 0; i < p->op->names.n; i++)
        VEC_PUSH(&p->ctx->scratch, out, p->op->names.at[i]);
    return true;
}
