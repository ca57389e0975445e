/* Elements: dense<...>, array<...>, dense_resource<...> and the blobs at the end of a file.
 *
 * The type stands behind the literal, so the literal is first only delimited, then read
 * straight into storage of its type: one pass over the characters each, one copy of the
 * data, nothing in between.  Hex text is decoded into its final place.
 */
#include "../../vm/numeric/numeric.h"
#include "parser.h"

/* ---- storage ------------------------------------------------------------- */

static const Type *component(const Type *elem)
{
    return elem->kind == TYPE_COMPLEX ? elem->elem : elem;
}

static bool is_number_type(const Type *t)
{
    t = component(t);
    return t->kind == TYPE_INT || t->kind == TYPE_INDEX || t->kind == TYPE_FLOAT;
}

static uint32_t value_bits(const Type *part)
{
    return part->kind == TYPE_INT ? part->width : part->kind == TYPE_FLOAT ? vmc_float_bits(part->format) : 64;
}

/* Widths under 8 bits leave the upper bits of their byte zero; other odd widths are sign-extended. */
static void store(unsigned char *out, size_t size, const Type *part, uint64_t v)
{
    uint32_t bits = value_bits(part);
    if (bits < 8) {
        *out = (unsigned char)(v & ((1u << bits) - 1));
        return;
    }
    unsigned char fill = 0;
    if (part->kind == TYPE_INT && bits < 64)
        v = (uint64_t)num_sext(v, bits);
    if (part->kind == TYPE_INT && v >> 63)
        fill = 0xFF;
    for (size_t i = 0; i < size; i++)
        out[i] = i < 8 ? (unsigned char)(v >> (8 * i)) : fill;
}

static const signed char hex_values[256] = {
    ['0'] = 1,  ['1'] = 2,  ['2'] = 3,  ['3'] = 4,  ['4'] = 5,  ['5'] = 6,  ['6'] = 7,  ['7'] = 8,
    ['8'] = 9,  ['9'] = 10, ['a'] = 11, ['b'] = 12, ['c'] = 13, ['d'] = 14, ['e'] = 15, ['f'] = 16,
    ['A'] = 11, ['B'] = 12, ['C'] = 13, ['D'] = 14, ['E'] = 15, ['F'] = 16,
};

/* n pairs of digits; false when one is no digit. */
static bool decode_hex(const char *text, size_t n, unsigned char *out)
{
    int bad = 0;
    for (size_t i = 0; i < n; i++) {
        int high = hex_values[(unsigned char)text[2 * i]] - 1, low = hex_values[(unsigned char)text[2 * i + 1]] - 1;
        bad |= high | low; /* -1 where it is no digit */
        out[i] = (unsigned char)((unsigned)high << 4 | ((unsigned)low & 15u));
    }
    return bad >= 0;
}

/* ---- nested lists -------------------------------------------------------- */

typedef struct Reader {
    Asm *p;
    const char *at, *end; /* the literal */
    const Type *type, *part;
    size_t size; /* bytes of a component */
    unsigned char *out;
    uint64_t n, count; /* elements read, elements of the type */
    uint32_t level;
    int64_t *seen; /* entries so far of the open list at each level */
} Reader;

static bool fail(Reader *r, const char *what)
{
    return asm_error(r->p, vmc_pos_at(r->p, r->at), "%s", what);
}

static void skip(Reader *r)
{
    if ((unsigned char)*r->at <= ' ' || *r->at == '/')
        r->at = vmc_skip_blanks(r->at, r->end);
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool read_float(Reader *r, const char *start, bool negative)
{
    uint64_t bits;
    const char *at = r->at;
    if (*at == '.') {
        for (at++; is_digit(*at); at++)
            continue;
        const char *e = at;
        if (*e == 'e' || *e == 'E') {
            e += e[1] == '+' || e[1] == '-' ? 2 : 1;
            if (is_digit(*e)) {
                while (is_digit(*e))
                    e++;
                at = e;
            }
        }
    } else {
        return fail(r, "these elements need a decimal point (or are the hexadecimal of their bits)");
    }
    if (!vmc_float_literal(r->part, start, (size_t)(at - start), negative, &bits))
        return fail(r, "this is no number");
    store(r->out, r->size, r->part, bits);
    r->at = at;
    return true;
}

static bool read_hex(Reader *r, const char *start, bool negative)
{
    uint64_t v = 0;
    const char *at = start + 2;
    for (; hex_values[(unsigned char)*at]; at++) {
        if (v >> 60)
            return fail(r, "this number is past 64 bits");
        v = v << 4 | (uint64_t)(hex_values[(unsigned char)*at] - 1);
    }
    bool fits = r->part->kind == TYPE_FLOAT ? !negative && vmc_float_hex(r->part, v) : vmc_int_in_range(r->part, negative, v);
    if (!fits)
        return fail(r, r->part->kind == TYPE_FLOAT ? "this is no bit pattern of the element type"
                                                   : "this integer is out of the range of the element type");
    store(r->out, r->size, r->part, negative ? 0 - v : v);
    r->at = at;
    return true;
}

static bool read_word(Reader *r)
{
    size_t n = strncmp(r->at, "true", 4) == 0 ? 4 : strncmp(r->at, "false", 5) == 0 ? 5 : 0;
    if (!n)
        return fail(r, "expected a number");
    if (r->part->kind != TYPE_INT || r->part->width != 1)
        return fail(r, "`true` and `false` are elements of type i1");
    store(r->out, r->size, r->part, n == 4);
    r->at += n;
    return true;
}

/* One component into r->out. */
static bool read_number(Reader *r)
{
    skip(r);
    bool negative = *r->at == '-';
    if (negative) {
        r->at++;
        skip(r);
    }
    const char *start = r->at;
    if (!is_digit(*start))
        return negative ? fail(r, "expected a number") : read_word(r);
    if (start[0] == '0' && start[1] == 'x' && hex_values[(unsigned char)start[2]])
        return read_hex(r, start, negative);
    uint64_t v = 0;
    bool overflow = false;
    for (; is_digit(*r->at); r->at++)
        overflow |= __builtin_mul_overflow(v, UINT64_C(10), &v) || __builtin_add_overflow(v, (uint64_t)(*r->at - '0'), &v);
    if (r->part->kind == TYPE_FLOAT)
        return read_float(r, start, negative);
    if (*r->at == '.')
        return fail(r, "these elements are integers");
    if (overflow || !vmc_int_in_range(r->part, negative, v)) {
        r->at = start;
        return fail(r, "this integer is out of the range of the element type");
    }
    store(r->out, r->size, r->part, negative ? 0 - v : v);
    return true;
}

static bool expect_char(Reader *r, char c)
{
    skip(r);
    if (r->at >= r->end || *r->at != c)
        return asm_error(r->p, vmc_pos_at(r->p, r->at), "expected '%c' in the elements", c);
    r->at++;
    return true;
}

static bool read_element(Reader *r)
{
    if (r->type->elem->kind != TYPE_COMPLEX) {
        if (!read_number(r))
            return false;
        r->out += r->size;
        return true;
    }
    if (!expect_char(r, '(') || !read_number(r) || !expect_char(r, ','))
        return false;
    r->out += r->size;
    if (!read_number(r) || !expect_char(r, ')'))
        return false;
    r->out += r->size;
    return true;
}

static bool wrong_shape(Reader *r)
{
    Text text = {.arena = &r->p->ctx->scratch};
    vmc_print_type(&text, r->type);
    return asm_error(r->p, vmc_pos_at(r->p, r->at), "the nesting of the elements does not match the shape of %s", text.at);
}

static bool close_list(Reader *r)
{
    if (r->seen[r->level - 1] != r->type->dims[r->level - 1])
        return wrong_shape(r);
    r->level--;
    r->at++;
    return true;
}

/* [ ... ] with any nesting; no recursion, for the rank is the input's choice. */
static bool read_lists(Reader *r)
{
    uint32_t rank = r->type->rank;
    bool value_next = true; /* else a comma or a closing bracket */
    do {
        skip(r);
        if (r->at >= r->end)
            return fail(r, "expected ']' in the elements");
        if (*r->at == ']') {
            if (value_next && r->seen[r->level - 1])
                return fail(r, "expected an element behind the comma");
            if (!close_list(r))
                return false;
            value_next = false;
        } else if (!value_next) {
            if (*r->at != ',')
                return fail(r, "expected ',' or ']' in the elements");
            r->at++;
            value_next = true;
        } else {
            if (r->level && ++r->seen[r->level - 1] > r->type->dims[r->level - 1])
                return wrong_shape(r);
            if (*r->at == '[') {
                if (r->level == rank)
                    return wrong_shape(r);
                r->seen[r->level++] = 0;
                r->at++;
                continue;
            }
            if (r->level != rank || r->n++ == r->count)
                return wrong_shape(r);
            if (!read_element(r))
                return false;
            value_next = false;
        }
    } while (r->level);
    return r->n == r->count || wrong_shape(r);
}

static bool at_end(Reader *r)
{
    skip(r);
    return r->at >= r->end || fail(r, "expected the end of the elements");
}

static bool read_elements(Reader *r, const Attr **out)
{
    Arena *arena = &r->p->ctx->arena;
    size_t elem_size = (size_t)vmc_elem_bytes(r->type->elem);
    bool list = *r->at == '[';
    /* each element takes a character at least: a lying shape allocates nothing */
    if (list && r->count > (uint64_t)(r->end - r->at))
        return wrong_shape(r);
    size_t bytes = vmc_mul_size(&r->p->ctx->memory, list ? (size_t)r->count : 1, elem_size);
    unsigned char *data = vmc_arena_alloc(arena, bytes ? bytes : 1);
    r->out = data;
    if (list) {
        r->seen = ARENA_ARRAY(&r->p->ctx->scratch, int64_t, (size_t)r->type->rank + 1);
        if (!read_lists(r) || !at_end(r))
            return false;
    } else if (!read_element(r) || !at_end(r)) {
        return false;
    }
    *out = vmc_attr_dense(r->p->ctx, r->type, data, bytes, !list, true);
    return true;
}

/* ---- hex strings --------------------------------------------------------- */

/* Raw bytes of a literal or a blob to elements in memory: bits to bytes for i1, odd widths to powers of two. */
static unsigned char *widen(Asm *p, const Type *elem, const unsigned char *raw, size_t raw_size, uint64_t count, bool packed)
{
    const Type *part = component(elem);
    size_t size = (size_t)vmc_elem_bytes(part), text = (value_bits(part) + 7) / 8;
    uint64_t parts = packed ? count : raw_size / text;
    unsigned char *data = vmc_arena_alloc(&p->ctx->arena, vmc_mul_size(&p->ctx->memory, (size_t)parts, size) + 1);
    for (uint64_t k = 0; k < parts; k++) {
        uint64_t v = 0;
        if (packed)
            v = raw[k / 8] >> (k % 8) & 1;
        else
            for (size_t i = 0; i < text && i < 8; i++)
                v |= (uint64_t)raw[k * text + i] << (8 * i);
        store(data + k * size, size, part, v);
        if (!packed && text > 8) { /* wider than 64 bits: the bytes as they are, the rest by the sign */
            memcpy(data + k * size, raw + k * text, text);
            memset(data + k * size + text, raw[k * text + text - 1] & 0x80 ? 0xFF : 0, size - text);
        }
    }
    return data;
}

static bool is_packed(const Type *elem)
{
    return elem->kind == TYPE_INT && elem->width == 1;
}

/* Whether memory and raw bytes are the same; narrow types are checked for stray upper bits by widening them. */
static bool same_layout(const Type *elem)
{
    const Type *part = component(elem);
    return value_bits(part) >= 8 && (value_bits(part) + 7) / 8 == vmc_elem_bytes(part);
}

static bool read_hex_string(Reader *r, const char *text, size_t digits, const Attr **out)
{
    Asm *p = r->p;
    const Type *elem = r->type->elem, *part = r->part;
    size_t raw = digits / 2, parts = elem->kind == TYPE_COMPLEX ? 2 : 1, one = parts * ((value_bits(part) + 7) / 8);
    if (part->kind == TYPE_FLOAT && vmc_float_etype(part->format) == BVM_NONE)
        return fail(r, "hexadecimal elements of this type can not be read");
    bool packed = is_packed(elem);
    uint64_t want;
    if (packed)
        want = r->count / 8 + (r->count % 8 != 0);
    else if (__builtin_mul_overflow(r->count, (uint64_t)one, &want))
        return wrong_shape(r);
    bool splat = raw != want && raw == one;
    if (digits % 2 || (!splat && raw != want))
        return asm_error(p, vmc_pos_at(p, r->at), "this literal has %zu hexadecimal digits, its type needs %llu", digits,
                         (unsigned long long)(2 * want));
    unsigned char *data = vmc_arena_alloc(&p->ctx->arena, raw + 1);
    if (!decode_hex(text, raw, data))
        return fail(r, "this literal has a character that is no hexadecimal digit");
    size_t n = raw;
    if (packed && splat) {
        if (*data != 0 && *data != 1 && *data != 0xFF)
            return fail(r, "one byte for all elements of type i1 is 00 or FF");
        *data &= 1;
    } else if (packed) {
        data = widen(p, elem, data, raw, r->count, true);
        n = (size_t)r->count;
    } else if (!same_layout(elem)) {
        data = widen(p, elem, data, raw, 0, false);
        n = (size_t)(vmc_elem_bytes(elem) * (raw / one));
    }
    *out = vmc_attr_dense(p->ctx, r->type, data, n, splat, true);
    return true;
}

/* ---- dense --------------------------------------------------------------- */

/* The '>' that ends the literal which starts at `at`, or NULL. */
static const char *delimit(Asm *p, const char *at)
{
    static const bool plain[256] = {
        [' '] = 1, ['\t'] = 1, ['\n'] = 1, ['\r'] = 1, ['['] = 1,         [']'] = 1,         ['('] = 1,         [')'] = 1,
        [','] = 1, ['-'] = 1,  ['+'] = 1,  ['.'] = 1,  ['0' ... '9'] = 1, ['a' ... 'z'] = 1, ['A' ... 'Z'] = 1,
    };
    for (;;) {
        while (plain[(unsigned char)*at])
            at++;
        if (*at == '>')
            return at;
        if (*at == '"') {
            Token string = vmc_lex(at, p->limit);
            if (string.kind != TOKEN_STRING) {
                asm_error(p, vmc_pos_at(p, at), "%s", string.message);
                return NULL;
            }
            at = string.end;
        } else if (at[0] == '/' && at[1] == '/') {
            at = vmc_skip_blanks(at, p->limit);
        } else {
            vmc_relex(p, at);
            vmc_expected(p, "elements and '>'");
            p->fatal |= p->tok.kind == TOKEN_EOF;
            return NULL;
        }
    }
}

static bool check_type(Asm *p, const Type *type, SrcPos pos, uint64_t *count)
{
    if (type->kind != TYPE_TENSOR && type->kind != TYPE_VECTOR)
        return asm_error(p, pos, "elements are of a ranked tensor or vector type, not %s", vmc_type_text(p, type));
    uint64_t n = 1;
    bool overflow = false, empty = false;
    for (uint32_t i = 0; i < type->rank; i++) {
        if (type->dims[i] == VMC_DYNAMIC)
            return asm_error(p, pos, "elements need a type with a static shape, not %s", vmc_type_text(p, type));
        empty |= type->dims[i] == 0;
        overflow |= __builtin_mul_overflow(n, (uint64_t)type->dims[i], &n);
    }
    if (empty)
        n = 0;
    else if (overflow || n > INT64_MAX)
        return asm_error(p, pos, "the number of elements of %s is past 64 bits", vmc_type_text(p, type));
    if (!is_number_type(type->elem))
        return asm_error(p, pos, "elements of type %s can not be given as a literal", vmc_type_text(p, type));
    *count = n;
    return true;
}

static bool read_literal(Reader *r, const Attr **out)
{
    skip(r);
    if (r->at >= r->end) {
        if (r->count)
            return wrong_shape(r);
        *out = vmc_attr_dense(r->p->ctx, r->type, NULL, 0, false, true);
        return true;
    }
    if (*r->at != '"')
        return read_elements(r, out);
    Token string = vmc_lex(r->at, r->p->limit);
    size_t n = (size_t)(string.end - string.start);
    if (n < 4 || string.start[1] != '0' || (string.start[2] != 'x' && string.start[2] != 'X'))
        return fail(r, "elements as a string are hexadecimal and start with 0x");
    if (!read_hex_string(r, string.start + 3, n - 4, out))
        return false;
    r->at = string.end;
    return at_end(r);
}

bool vmc_parse_dense(Asm *p, const Type *type, const Attr **out)
{
    vmc_advance(p);
    if (!vmc_tok_is(p, "<"))
        return vmc_expected(p, "'<'");
    const char *start = p->tok.end, *end = delimit(p, start);
    if (!end)
        return false;
    vmc_relex(p, end + 1);
    SrcPos pos = asm_pos(p);
    if (!type) {
        if (!asm_expect(p, ":"))
            return false;
        pos = asm_pos(p);
        if (!vmc_parse_type(p, &type))
            return false;
    }
    Reader r = {.p = p, .at = start, .end = end, .type = type};
    if (!check_type(p, type, pos, &r.count))
        return false;
    r.part = component(type->elem);
    r.size = (size_t)vmc_elem_bytes(r.part);
    return read_literal(&r, out);
}

/* ---- array<...> ---------------------------------------------------------- */

bool vmc_parse_dense_array(Asm *p, const Attr **out)
{
    const Type *elem;
    if (!asm_expect(p, "<"))
        return false;
    SrcPos pos = asm_pos(p);
    if (!vmc_parse_type(p, &elem))
        return false;
    if (elem->kind == TYPE_COMPLEX || !is_number_type(elem))
        return asm_error(p, pos, "the elements of an array<...> are integers or floats");
    size_t size = (size_t)vmc_elem_bytes(elem);
    Text bytes = {.arena = &p->ctx->scratch};
    unsigned char *one = vmc_arena_alloc(&p->ctx->scratch, size);
    vmc_text_add(&bytes, "", 0);
    if (asm_try(p, ":") && !vmc_tok_is(p, ">")) {
        do {
            const Attr *value;
            bool word = vmc_tok_is(p, "true") || vmc_tok_is(p, "false");
            if (word ? !vmc_parse_attr(p, elem, &value) : !vmc_parse_number(p, elem, asm_try(p, "-"), &value))
                return false;
            store(one, size, elem, (uint64_t)value->i);
            vmc_text_add(&bytes, (const char *)one, size);
        } while (asm_try(p, ","));
    }
    *out = vmc_attr_dense_array(p->ctx, elem, bytes.at, bytes.n);
    return asm_expect(p, ">");
}

/* ---- elided constants ---------------------------------------------------- */

static uint64_t next_random(uint64_t *state)
{
    uint64_t x = *state += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

/* Floats are spread over [-1, 1) with 24 bits, so that they are exact in every wider format. */
static uint64_t random_value(const Type *part, uint64_t *state)
{
    uint64_t r = next_random(state);
    if (part->kind != TYPE_FLOAT)
        return r;
    double x = ((double)(r >> 40) - 8388608.0) / 8388608.0;
    uint64_t bits;
    memcpy(&bits, &x, 8);
    unsigned etype = vmc_float_etype(part->format);
    return etype == BVM_NONE ? bits : num_float_convert(BVM_F64, bits, etype, 0);
}

static bool read_seed(const char *policy, uint64_t *seed)
{
    *seed = 0;
    if (strncmp(policy, "random", 6) != 0)
        return false;
    if (policy[6] == 0)
        return true;
    if (policy[6] != ':' || !is_digit(policy[7]))
        return false;
    const char *at = policy + 7;
    for (; is_digit(*at); at++)
        *seed = *seed * 10 + (uint64_t)(*at - '0');
    return *at == 0;
}

static bool elided(Asm *p, const Type *type, uint64_t count, SrcPos pos, const Attr **out)
{
    const char *policy = p->options->elided;
    if (!policy)
        return asm_error(
            p, pos,
            "the values of this constant were elided when the file was printed; --elided=zero or --elided=random gives it some");
    const Type *part = component(type->elem);
    size_t size = (size_t)vmc_elem_bytes(part), parts = type->elem->kind == TYPE_COMPLEX ? 2 : 1;
    uint64_t seed, total;
    if (strcmp(policy, "zero") == 0) {
        unsigned char *zero = vmc_arena_zalloc(&p->ctx->arena, size * parts);
        *out = vmc_attr_dense(p->ctx, type, zero, size * parts, true, true);
        return true;
    }
    if (!read_seed(policy, &seed))
        return asm_error(p, pos, "--elided=%s: the choices are zero, random and random:SEED", policy);
    if (__builtin_mul_overflow(count, parts, &total) || total > SIZE_MAX / 16)
        return asm_error(p, pos, "this constant is too large to be made up");
    uint64_t state = seed ^ (uint64_t)pos.offset_plus_1 << 20; /* constants differ from each other */
    unsigned char *data = vmc_arena_alloc(&p->ctx->arena, vmc_mul_size(&p->ctx->memory, (size_t)total, size) + 1);
    for (uint64_t i = 0; i < total; i++)
        store(data + i * size, size, part, random_value(part, &state));
    *out = vmc_attr_dense(p->ctx, type, data, (size_t)total * size, false, true);
    return true;
}

/* ---- resources ----------------------------------------------------------- */

static bool resource_key(Asm *p, const char **key)
{
    size_t n;
    if (asm_try_keyword(p, key))
        return true;
    SrcPos pos = asm_pos(p);
    if (p->tok.kind != TOKEN_STRING)
        return vmc_expected(p, "the key of a resource");
    if (!asm_string(p, key, &n))
        return false;
    if (n == 0 || strlen(*key) != n)
        return asm_error(p, pos, "the key of a resource may not be empty or hold a NUL");
    *key = vmc_intern(&p->ctx->names, *key, n);
    return true;
}

bool vmc_parse_resource(Asm *p, const Type *type, const Attr **out)
{
    const char *key;
    uint64_t count;
    SrcPos pos = asm_pos(p);
    vmc_advance(p);
    if (!asm_expect(p, "<") || !resource_key(p, &key) || !asm_expect(p, ">"))
        return false;
    if (!type && !asm_colon_type(p, &type))
        return false;
    if (!check_type(p, type, pos, &count))
        return false;
    if (strcmp(key, "__elided__") == 0)
        return elided(p, type, count, pos, out);
    *out = vmc_attr_intern(p->ctx, &(Attr){.kind = ATTR_RESOURCE, .s = key, .type = type});
    Pending pending = {(Attr *)(uintptr_t)*out, pos};
    VEC_PUSH(&p->ctx->arena, &p->pending, pending);
    return true;
}

/* "0x", the alignment in four bytes, the data. */
static bool read_blob(Asm *p, const char *key)
{
    if (p->tok.kind != TOKEN_STRING)
        return vmc_expected(p, "a blob as a string");
    const char *text = p->tok.start + 1;
    size_t n = (size_t)(p->tok.end - p->tok.start) - 2;
    unsigned char head[4];
    if (n < 10 || n % 2 || text[0] != '0' || text[1] != 'x' || !decode_hex(text + 2, 4, head))
        return asm_error(p, asm_pos(p), "a blob is hexadecimal: 0x, the alignment in four bytes, the data");
    size_t size = (n - 10) / 2;
    unsigned char *data = vmc_arena_alloc(&p->ctx->arena, size + 1);
    if (!decode_hex(text + 10, size, data))
        return asm_error(p, asm_pos(p), "this blob has a character that is no hexadecimal digit");
    Attr *blob = ARENA_NEW(&p->ctx->arena, Attr);
    *blob = (Attr){.kind = ATTR_RESOURCE, .s = key, .data = data, .n = size};
    blob->i = (int64_t)head[0] | (int64_t)head[1] << 8 | (int64_t)head[2] << 16 | (int64_t)head[3] << 24;
    vmc_map_put_ptr(&p->ctx->resources, key, blob);
    vmc_advance(p);
    return true;
}

/* A value of no interest: string, number, keyword, or something in brackets. */
static bool skip_value(Asm *p)
{
    uint32_t depth = 0;
    do {
        if (p->tok.kind == TOKEN_EOF || p->tok.kind == TOKEN_ERROR || vmc_tok_is(p, "#-}"))
            return vmc_expected(p, "a value");
        if (vmc_tok_is(p, "{") || vmc_tok_is(p, "["))
            depth++;
        else if (vmc_tok_is(p, "}") || vmc_tok_is(p, "]"))
            depth--;
        vmc_advance(p);
    } while (depth);
    return true;
}

/* { key: value, ... } */
static bool parse_entries(Asm *p, const char *close, bool (*entry)(Asm *p, const char *key))
{
    if (asm_try(p, close))
        return true;
    do {
        const char *key;
        if (!resource_key(p, &key) || !asm_expect(p, ":") || !entry(p, key))
            return false;
    } while (asm_try(p, ","));
    return asm_expect(p, close);
}

static bool dialect_entry(Asm *p, const char *dialect)
{
    if (strcmp(dialect, "builtin") != 0)
        return skip_value(p);
    return asm_expect(p, "{") && parse_entries(p, "}", read_blob);
}

static bool section_entry(Asm *p, const char *section)
{
    if (strcmp(section, "dialect_resources") != 0)
        return skip_value(p);
    return asm_expect(p, "{") && parse_entries(p, "}", dialect_entry);
}

bool vmc_parse_file_metadata(Asm *p)
{
    return asm_expect(p, "{-#") && parse_entries(p, "#-}", section_entry);
}

static bool fill(Asm *p, Attr *attr, SrcPos pos)
{
    const Attr *blob = vmc_map_ptr(&p->ctx->resources, vmc_name(p->ctx, attr->s));
    const Type *elem = attr->type->elem;
    int64_t count;
    if (!blob)
        return asm_error(p, pos, "the file has no data for dense_resource<%s>", attr->s);
    if (!vmc_num_elements(attr->type, &count))
        return asm_error(p, pos, "dense_resource<%s> needs a type with a static shape", attr->s);
    uint64_t parts = elem->kind == TYPE_COMPLEX ? 2 : 1, raw = (value_bits(component(elem)) + 7) / 8 * parts;
    uint64_t n = (uint64_t)count, want;
    bool packed = is_packed(elem) && blob->n == n / 8 + (n % 8 != 0) && blob->n != n; /* i1 as bits, or as bytes */
    if (__builtin_mul_overflow(n, raw, &want) || (!packed && want != blob->n))
        return asm_error(p, pos, "dense_resource<%s> has %zu bytes of data, its type needs %llu", attr->s, blob->n,
                         (unsigned long long)want);
    if (packed || !same_layout(elem)) {
        attr->data = widen(p, elem, blob->data, blob->n, n, packed);
        attr->n = (size_t)(n * vmc_elem_bytes(elem));
    } else {
        attr->data = blob->data;
        attr->n = blob->n;
    }
    return true;
}

bool vmc_finish_resources(Asm *p)
{
    bool ok = true;
    if (p->ctx->diag.errors)
        return false; /* the end of the file may not have been read */
    for (size_t i = 0; i < p->pending.n; i++)
        if (!p->pending.at[i].attr->data)
            ok &= fill(p, p->pending.at[i].attr, p->pending.at[i].pos);
    return ok;
}
