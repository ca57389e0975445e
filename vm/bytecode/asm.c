/* The assembler: text of disasm.c's form to a module file.
 *
 * One pass over the text outside of function bodies makes the tables and notes where bodies and exports
 * stand; a second reads those, so that calls may lead forward.  Names are found through the numbers
 * that the writer gives their strings.  Nothing nests, so nothing recurses.
 */
#include "file.h"
#include "opnames.h"

typedef enum Kind { END, WORD, NUMBER, STRING, NAME, PUNCT, ARROW } Kind; /* NAME: @word or @"string" */

typedef struct Token {
    Kind kind;
    char punct;
    bool negative;
    uint64_t value;   /* NUMBER: two's complement */
    const char *text; /* WORD: in the source; STRING, NAME: decoded, NUL-terminated */
    size_t n;
    size_t at; /* byte of its start */
    uint32_t line, col;
} Token;

/* A place to go back to. */
typedef struct Place {
    size_t at, line_start;
    uint32_t line;
} Place;

typedef struct Deferred { /* a body or an export, behind its first tokens */
    bool body;
    Place place;
    uint32_t function;
    BvmFunction header;
} Deferred;

typedef struct Entry {                          /* what a string names */
    uint32_t function, global, import, imports; /* number + 1; imports of that name */
    uint32_t label_epoch, label_word;
} Entry;

typedef struct Fixup {
    uint32_t word, label;
    Token token;
} Fixup;

typedef struct Mark { /* source of a word, counted over all functions */
    uint64_t word;
    uint32_t line, col;
    uint64_t at;
} Mark;

typedef struct Asm {
    BufvmAllocator allocator;
    BvmArena arena;
    BvmWriter *w;
    BufvmError *error;
    BufvmStatus status;
    const char *text;
    size_t n;
    Place place;
    Token token;
    BvmVec entries, deferred, functions, imports, marks; /* functions, imports: banks (const char *) */
    uint32_t nconstants;
    uint16_t rows[2048]; /* hash table of mnemonics: row + 1 */
    /* of the function */
    BvmVec code, lines, tiles, fixups;
    uint32_t epoch;
    uint64_t words; /* of the functions before */
    uint16_t *list;
    char *list_banks;
} Asm;

#define COUNT(vec, type) ((uint32_t)((vec).n / sizeof(type)))
#define AT(vec, type)    ((type *)(void *)(vec).data)
#define MAX_LIST         65536u

/* -- errors: the first one counts; after it the lexer only says END ------------------------ */

__attribute__((format(printf, 3, 4))) static bool fail_at(Asm *a, const Token *t, const char *format, ...)
{
    if (a->status != BUFVM_OK)
        return false;
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    a->status = bvm_fail(a->error, BUFVM_INVALID_ARGUMENT, t->at, "%s", text);
    if (a->error) {
        a->error->line = t->line;
        a->error->col = t->col;
    }
    return false;
}
#define fail(a, ...) fail_at(a, &(a)->token, __VA_ARGS__)

static bool no_memory(Asm *a)
{
    if (a->status == BUFVM_OK)
        a->status = bvm_fail(a->error, BUFVM_OUT_OF_MEMORY, 0, "out of memory while assembling");
    return false;
}

static bool push(Asm *a, BvmVec *v, const void *record, size_t n)
{
    return bvm_vec_append(&a->allocator, v, record, n) || no_memory(a);
}

/* -- lexer -------------------------------------------------------------------------------------- */

static bool is_word(char c, bool first)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || c == '.' || (!first && c >= '0' && c <= '9');
}
static int hex_digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}
static char peek(const Asm *a, size_t ahead)
{
    return ahead < a->n - a->place.at ? a->text[a->place.at + ahead] : 0;
}

static void skip_space(Asm *a)
{
    while (a->place.at < a->n) {
        char c = a->text[a->place.at];
        if (c == '/' && peek(a, 1) == '/') {
            const char *newline = memchr(a->text + a->place.at, '\n', a->n - a->place.at);
            a->place.at = newline ? (size_t)(newline - a->text) : a->n;
        } else if (c == '\n') {
            a->place.line_start = ++a->place.at;
            a->place.line++;
        } else if (c == ' ' || c == '\t' || c == '\r') {
            a->place.at++;
        } else {
            return;
        }
    }
}

static void lex_number(Asm *a, Token *t)
{
    t->kind = NUMBER;
    t->negative = peek(a, 0) == '-';
    a->place.at += t->negative;
    bool hex = peek(a, 0) == '0' && (peek(a, 1) == 'x' || peek(a, 1) == 'X'), overflow = false, any = false;
    a->place.at += hex ? 2 : 0;
    for (int d; (d = hex_digit(peek(a, 0))) >= 0 && (hex || d < 10); a->place.at++) {
        uint64_t base = hex ? 16 : 10;
        overflow = overflow || __builtin_mul_overflow(t->value, base, &t->value) ||
                   __builtin_add_overflow(t->value, (uint64_t)d, &t->value);
        any = true;
    }
    if (!any || overflow || (t->negative && t->value > UINT64_C(1) << 63))
        fail_at(a, t, any ? "the number does not fit 64 bits" : "digits expected");
    if (t->negative)
        t->value = 0 - t->value;
}

static void lex_string(Asm *a, Token *t)
{
    size_t start = ++a->place.at, end = start;
    while (end < a->n && a->text[end] != '"' && a->text[end] != '\n')
        end += a->text[end] == '\\' && end + 1 < a->n && a->text[end + 1] != '\n' ? 2 : 1;
    if (end >= a->n || a->text[end] != '"') {
        fail_at(a, t, "the string does not end on its line");
        return;
    }
    char *out = bvm_arena_alloc(&a->arena, end - start + 1);
    if (!out) {
        no_memory(a);
        return;
    }
    t->text = out;
    for (size_t i = start; i < end; i++) {
        char c = a->text[i];
        if (c == '\\') {
            char e = a->text[++i];
            int high = hex_digit(e), low = i + 1 < end ? hex_digit(a->text[i + 1]) : -1;
            if (e == 'n' || e == 't' || e == '"' || e == '\\') {
                c = (char)(e == 'n' ? '\n' : e == 't' ? '\t' : e);
            } else if (high >= 0 && low >= 0) {
                c = (char)(high << 4 | low);
                i++;
            } else {
                t->col += (uint32_t)(i - 1 - t->at);
                t->at = i - 1;
                fail_at(a, t, "unknown escape in a string");
                return;
            }
        }
        *out++ = c;
    }
    *out = 0;
    t->n = (size_t)(out - t->text);
    a->place.at = end + 1;
}

static void lex_word(Asm *a, Token *t)
{
    size_t start = a->place.at;
    while (a->place.at < a->n && is_word(a->text[a->place.at], false))
        a->place.at++;
    t->text = a->text + start;
    t->n = a->place.at - start;
}

static void lex_name(Asm *a, Token *t)
{
    a->place.at++;
    t->kind = NAME;
    if (peek(a, 0) == '"') {
        lex_string(a, t);
    } else {
        lex_word(a, t);
        char *copy = bvm_arena_alloc(&a->arena, t->n + 1);
        if (!copy) {
            no_memory(a);
            return;
        }
        memcpy(copy, t->text, t->n);
        copy[t->n] = 0;
        t->text = copy;
        if (t->n == 0)
            fail_at(a, t, "a name is expected after '@'");
    }
    if (a->status == BUFVM_OK && memchr(t->text, 0, t->n))
        fail_at(a, t, "a name may not hold a NUL");
}

static void advance(Asm *a)
{
    skip_space(a);
    Token *t = &a->token;
    *t = (Token){.kind = END, .at = a->place.at, .line = a->place.line, .col = (uint32_t)(a->place.at - a->place.line_start + 1)};
    if (a->status != BUFVM_OK || a->place.at >= a->n)
        return;
    char c = a->text[a->place.at];
    if (is_word(c, true)) {
        t->kind = WORD;
        lex_word(a, t);
    } else if ((c >= '0' && c <= '9') || (c == '-' && peek(a, 1) >= '0' && peek(a, 1) <= '9')) {
        lex_number(a, t);
    } else if (c == '"') {
        t->kind = STRING;
        lex_string(a, t);
    } else if (c == '@') {
        lex_name(a, t);
    } else if (c == '-' && peek(a, 1) == '>') {
        t->kind = ARROW;
        a->place.at += 2;
    } else if (c && strchr("()[]{},:=?#", c)) {
        t->kind = PUNCT;
        t->punct = c;
        a->place.at++;
    } else {
        fail_at(a, t, "unexpected byte 0x%02x%s%.1s", (unsigned char)c, c >= 0x20 && c < 0x7F ? ": " : "",
                c >= 0x20 && c < 0x7F ? &a->text[t->at] : "");
    }
    if (a->status != BUFVM_OK)
        t->kind = END;
}

static bool at_punct(const Asm *a, char c)
{
    return a->token.kind == PUNCT && a->token.punct == c;
}
static bool at_word(const Asm *a, const char *word)
{
    return a->token.kind == WORD && a->token.n == strlen(word) && memcmp(a->token.text, word, a->token.n) == 0;
}

static bool accept(Asm *a, char c)
{
    bool yes = at_punct(a, c);
    if (yes)
        advance(a);
    return yes;
}

static bool accept_word(Asm *a, const char *word)
{
    bool yes = at_word(a, word);
    if (yes)
        advance(a);
    return yes;
}

static bool expect(Asm *a, char c)
{
    return accept(a, c) || fail(a, "'%c' expected", c);
}
static bool expect_arrow(Asm *a)
{
    if (a->token.kind != ARROW)
        return fail(a, "'->' expected");
    advance(a);
    return a->status == BUFVM_OK;
}

static bool number(Asm *a, uint64_t most, const char *what, uint64_t *out)
{
    if (a->token.kind != NUMBER)
        return fail(a, "%s expected", what);
    if (a->token.negative || a->token.value > most)
        return fail(a, "%s must be between 0 and %llu", what, (unsigned long long)most);
    *out = a->token.value;
    advance(a);
    return a->status == BUFVM_OK;
}

static bool number32(Asm *a, const char *what, uint32_t *out)
{
    uint64_t value = 0;
    bool ok = number(a, UINT32_MAX, what, &value);
    *out = (uint32_t)value;
    return ok;
}

static bool string(Asm *a, const char **text, size_t *n)
{
    *text = "";
    if (a->token.kind != STRING)
        return fail(a, "a string is expected");
    *text = a->token.text;
    if (n)
        *n = a->token.n;
    else if (memchr(a->token.text, 0, a->token.n))
        return fail(a, "this string may not hold a NUL");
    advance(a);
    return a->status == BUFVM_OK;
}

static bool name(Asm *a, const char **text)
{
    *text = "";
    if (a->token.kind != NAME)
        return fail(a, "a name (@...) is expected");
    *text = a->token.text;
    advance(a);
    return a->status == BUFVM_OK;
}

static bool elem(Asm *a, unsigned *etype)
{
    *etype = a->token.kind == WORD ? bvm_elem_by_name(a->token.text, a->token.n) : BVM_NONE;
    if (*etype == BVM_NONE)
        return fail(a, "an element type is expected");
    advance(a);
    return true;
}

/* The record of what a string names; NULL when memory is out. */
static Entry *entry(Asm *a, const char *text, size_t n, uint32_t *string_number)
{
    uint32_t i = bvm_write_string(a->w, text, n);
    if (string_number)
        *string_number = i;
    size_t need = (i + (size_t)1) * sizeof(Entry);
    if (need > a->entries.n) {
        if (!bvm_vec_reserve(&a->allocator, &a->entries, need - a->entries.n)) {
            no_memory(a);
            return NULL;
        }
        memset(a->entries.data + a->entries.n, 0, need - a->entries.n);
        a->entries.n = need;
    }
    return &AT(a->entries, Entry)[i];
}

/* -- types and signatures -------------------------------------------------------------------------- */

/* `dynamic` stands for a ?. */
static bool dims(Asm *a, int64_t dynamic, int64_t *out, uint32_t *rank)
{
    if (!expect(a, '['))
        return false;
    *rank = 0;
    while (!at_punct(a, ']')) {
        if (*rank && !expect(a, ','))
            return false;
        if (*rank == BUFVM_MAX_RANK)
            return fail(a, "a type has at most %d dimensions", BUFVM_MAX_RANK);
        if (accept(a, '?')) {
            out[(*rank)++] = dynamic;
            continue;
        }
        if (a->token.kind != NUMBER)
            return fail(a, "a number or '?' is expected");
        out[(*rank)++] = (int64_t)a->token.value;
        advance(a);
    }
    return expect(a, ']');
}

static bool type(Asm *a, BvmTypeDesc *out)
{
    memset(out, 0, sizeof *out);
    out->kind = accept_word(a, "s") ? 's' : accept_word(a, "v") ? 'v' : accept_word(a, "u") ? 'u' : 0;
    unsigned etype;
    if (!out->kind)
        return fail(a, "a type (s, v or u) is expected");
    if (!elem(a, &etype))
        return false;
    out->etype = (uint8_t)etype;
    out->is_memref = accept_word(a, "memref");
    if (out->kind == 'v') {
        int64_t numbers[BUFVM_MAX_RANK];
        int64_t *copy = bvm_arena_alloc(&a->arena, sizeof numbers);
        if (!copy)
            return no_memory(a);
        if (!dims(a, -1, copy, &out->rank))
            return false;
        out->dims = copy;
        if (accept_word(a, "offset")) {
            uint64_t offset = 0;
            if (accept(a, '?'))
                out->offset = -1;
            else if (!number(a, INT64_MAX, "an offset", &offset))
                return false;
            else
                out->offset = (int64_t)offset;
        }
        uint32_t rank = 0;
        if (accept_word(a, "strides")) {
            int64_t *strides = bvm_arena_alloc(&a->arena, sizeof numbers);
            if (!strides)
                return no_memory(a);
            if (!dims(a, BVM_DYNAMIC_STRIDE, strides, &rank))
                return false;
            if (rank != out->rank)
                return fail(a, "%u strides for %u dimensions", rank, out->rank);
            out->strides = strides;
        }
    }
    return string(a, &out->written, NULL);
}

static bool types(Asm *a, BvmVec *out)
{
    if (!expect(a, '('))
        return false;
    for (bool first = true; !at_punct(a, ')'); first = false) {
        BvmTypeDesc desc;
        if ((!first && !expect(a, ',')) || !type(a, &desc) || !push(a, out, &desc, sizeof desc))
            return false;
    }
    return expect(a, ')');
}

/* (types) -> (types) */
static bool signature(Asm *a, BvmVec *args, BvmVec *results)
{
    return types(a, args) && expect_arrow(a) && types(a, results);
}

static const char *signature_banks(Asm *a, const BvmVec *args, const BvmVec *results)
{
    BvmVec text = {0};
    bool ok = true;
    for (uint32_t i = 0; i < COUNT(*args, BvmTypeDesc); i++)
        ok = ok && bvm_append_banks(&a->allocator, &text, &AT(*args, BvmTypeDesc)[i]);
    ok = ok && bvm_vec_append(&a->allocator, &text, ":", 1);
    for (uint32_t i = 0; i < COUNT(*results, BvmTypeDesc); i++)
        ok = ok && bvm_append_banks(&a->allocator, &text, &AT(*results, BvmTypeDesc)[i]);
    char *copy = ok ? bvm_arena_alloc(&a->arena, text.n + 1) : NULL;
    if (copy) {
        memcpy(copy, text.data, text.n);
        copy[text.n] = 0;
    } else {
        no_memory(a);
    }
    bvm_release(&a->allocator, text.data, text.capacity);
    return copy;
}

static void release(Asm *a, BvmVec *v)
{
    bvm_release(&a->allocator, v->data, v->capacity);
    *v = (BvmVec){0};
}

/* -- directives --------------------------------------------------------------------------------------- */

static bool version(Asm *a)
{
    uint32_t major = 0, minor = 0;
    if (a->token.kind != NUMBER)
        return fail(a, "a version is expected");
    Token at = a->token;
    if (!number32(a, "a version", &major))
        return false;
    if (a->token.kind == WORD && a->token.text[0] == '.') { /* ".0" lexes as a word */
        for (size_t i = 1; i < a->token.n; i++) {
            if (a->token.text[i] < '0' || a->token.text[i] > '9' || minor > 9999)
                return fail(a, "a version is two numbers");
            minor = minor * 10 + (uint32_t)(a->token.text[i] - '0');
        }
        advance(a);
    }
    if (major != BVM_VERSION_MAJOR || minor > BVM_VERSION_MINOR)
        return fail_at(a, &at, "version %u.%u, this assembler writes version %u.%u", major, minor, BVM_VERSION_MAJOR,
                       BVM_VERSION_MINOR);
    return true;
}

static bool attribute(Asm *a)
{
    const char *key, *value;
    if (!string(a, &key, NULL) || !string(a, &value, NULL))
        return false;
    bvm_write_attribute(a->w, key, value);
    return true;
}

static bool source(Asm *a)
{
    const char *file;
    if (!string(a, &file, NULL))
        return false;
    bvm_write_source_name(a->w, file);
    return true;
}

/* Digits up to the first byte that is none; starts behind the current token, for digits are no tokens. */
static bool hex(Asm *a, BvmVec *out)
{
    for (;;) {
        skip_space(a);
        if (hex_digit(peek(a, 0)) < 0)
            break;
        size_t start = a->place.at;
        while (hex_digit(peek(a, 0)) >= 0)
            a->place.at++;
        size_t digits = a->place.at - start;
        if (digits % 2) {
            a->token = (Token){.at = start, .line = a->place.line, .col = (uint32_t)(start - a->place.line_start + 1)};
            return fail(a, "an odd number of hex digits");
        }
        if (!bvm_vec_reserve(&a->allocator, out, digits / 2))
            return no_memory(a);
        for (size_t i = start; i < a->place.at; i += 2)
            out->data[out->n++] = (uint8_t)(hex_digit(a->text[i]) << 4 | hex_digit(a->text[i + 1]));
    }
    advance(a);
    return a->status == BUFVM_OK;
}

static bool numbered(Asm *a, char letter, uint64_t most, uint64_t *out)
{
    uint64_t value = 0;
    bool ok = a->token.kind == WORD && a->token.n >= 2 && a->token.n <= 11 && a->token.text[0] == letter;
    for (size_t i = 1; ok && i < a->token.n; i++) {
        ok = a->token.text[i] >= '0' && a->token.text[i] <= '9';
        value = value * 10 + (uint64_t)(a->token.text[i] - '0');
    }
    if (!ok || value > most)
        return ok ? fail(a, "the number is over %llu", (unsigned long long)most) : fail(a, "'%c' and a number expected", letter);
    *out = value;
    advance(a);
    return a->status == BUFVM_OK;
}

static bool constant(Asm *a)
{
    uint64_t k = 0, bytes = 0;
    Token at = a->token;
    if (!numbered(a, 'k', UINT32_MAX, &k) || !number(a, INT64_MAX, "a size", &bytes))
        return false;
    if (k != a->nconstants)
        return fail_at(a, &at, "constants are numbered in order, k%u is next", a->nconstants);
    BvmVec data = {0};
    bool splat = at_word(a, "splat"), ok = true;
    Token form = a->token;
    if (accept_word(a, "zero")) {
        ;
    } else if (splat || at_word(a, "data")) {
        if (!splat) {
            advance(a);
            if (!at_punct(a, '{'))
                return fail(a, "'{' expected");
        }
        ok = hex(a, &data) && (splat || expect(a, '}'));
        if (ok && (splat ? data.n == 0 || data.n > 16 || bytes % data.n || (data.n & (data.n - 1)) : data.n != bytes))
            ok = fail_at(a, &form, "%zu bytes are given for a constant of %llu", data.n, (unsigned long long)bytes);
    } else {
        return fail(a, "'data', 'splat' or 'zero' expected");
    }
    if (ok && bvm_write_constant(a->w, data.data, data.n, bytes, false) != k)
        ok = fail_at(a, &at, "a constant with this content exists");
    a->nconstants++;
    release(a, &data);
    return ok;
}

static bool import(Asm *a)
{
    const char *text;
    BvmVec args = {0}, results = {0};
    Token at = a->token;
    bool ok = name(a, &text) && signature(a, &args, &results);
    if (ok) {
        uint32_t i = bvm_write_import(a->w, text, COUNT(args, BvmTypeDesc), AT(args, BvmTypeDesc), COUNT(results, BvmTypeDesc),
                                      AT(results, BvmTypeDesc));
        const char *banks = signature_banks(a, &args, &results);
        Entry *e = entry(a, text, strlen(text), NULL);
        ok = banks && e && push(a, &a->imports, &banks, sizeof banks);
        if (ok && i != COUNT(a->imports, const char *) - 1)
            ok = fail_at(a, &at, "this import exists");
        if (ok) {
            e->import = i + 1;
            e->imports++;
        }
    }
    release(a, &args);
    release(a, &results);
    return ok;
}

static bool global(Asm *a)
{
    const char *text;
    uint64_t bytes = 0, init = 0;
    uint32_t align = 0;
    Token at = a->token;
    if (!name(a, &text) || !number(a, INT64_MAX, "a size", &bytes))
        return false;
    if (accept_word(a, "align") && !number32(a, "an alignment", &align))
        return false;
    bool initial = accept_word(a, "init");
    if (initial && !numbered(a, 'k', UINT32_MAX, &init))
        return false;
    bool read_only = accept_word(a, "readonly");
    Entry *e = entry(a, text, strlen(text), NULL);
    if (!e)
        return false;
    if (e->global)
        return fail_at(a, &at, "global @%.200s exists", text);
    e->global = bvm_write_global(a->w, text, bytes, align, initial ? (int64_t)init : -1, read_only) + 1;
    return true;
}

static bool skip_to_end_of_body(Asm *a)
{
    Token open = a->token;
    while (a->token.kind != END && !at_punct(a, '}'))
        advance(a);
    return a->status == BUFVM_OK && (accept(a, '}') || fail_at(a, &open, "the function is not closed by '}'"));
}

static bool function(Asm *a)
{
    const char *text;
    Deferred d = {.body = true};
    Token at = a->token;
    if (!name(a, &text) || !string(a, &d.header.banks, NULL))
        return false;
    if (accept_word(a, "scalars") && !number32(a, "a number of registers", &d.header.nscalars))
        return false;
    if (accept_word(a, "buffers") && !number32(a, "a number of registers", &d.header.nbuffers))
        return false;
    if (accept_word(a, "local") && !number(a, BVM_MAX_LOCAL, "a size", &d.header.local_bytes))
        return false;
    if (!at_punct(a, '{'))
        return fail(a, "'{' expected");
    d.place = a->place;
    Entry *e = entry(a, text, strlen(text), NULL);
    if (!e)
        return false;
    if (e->function)
        return fail_at(a, &at, "function @%.200s exists", text);
    d.header.name = text;
    d.function = bvm_write_declare(a->w, text, d.header.banks);
    e->function = d.function + 1;
    return push(a, &a->deferred, &d, sizeof d) && push(a, &a->functions, &d.header.banks, sizeof d.header.banks) &&
           skip_to_end_of_body(a);
}

static bool export(Asm *a)
{
    Deferred d = {.body = false, .place = {a->token.at, a->token.at - (a->token.col - 1), a->token.line}};
    while (a->token.kind != END && !(a->token.kind == WORD && a->token.text[0] == '.'))
        advance(a);
    return push(a, &a->deferred, &d, sizeof d);
}

static bool debug_op(Asm *a)
{
    uint32_t probe, line, col;
    const char *id, *loc, *written;
    if (!number32(a, "a probe number", &probe) || !string(a, &id, NULL) || !number32(a, "a line", &line) || !expect(a, ':') ||
        !number32(a, "a column", &col) || !string(a, &loc, NULL) || !string(a, &written, NULL))
        return false;
    bvm_write_debug_op(a->w, probe, id, line, col, loc, written);
    return true;
}

static bool debug_text(Asm *a)
{
    BvmVec text = {0};
    bool ok = expect(a, '{');
    while (ok && !at_punct(a, '}')) {
        const char *piece;
        size_t n = 0;
        ok = string(a, &piece, &n) && push(a, &text, piece, n);
    }
    ok = ok && expect(a, '}');
    if (ok)
        bvm_write_debug_text(a->w, (const char *)text.data, text.n);
    release(a, &text);
    return ok;
}

static bool directive(Asm *a)
{
    static const struct {
        const char *name;
        bool (*parse)(Asm *a);
    } directives[] = {
        {".version", version}, {".attribute", attribute}, {".source", source}, {".constant", constant}, {".import", import},
        {".global", global},   {".function", function},   {".export", export}, {".debug_op", debug_op}, {".debug_text", debug_text},
    };
    for (size_t i = 0; i < sizeof directives / sizeof *directives; i++)
        if (accept_word(a, directives[i].name))
            return a->status == BUFVM_OK && directives[i].parse(a);
    return fail(a, "a directive (.function, .export, ...) is expected");
}

/* -- instructions -------------------------------------------------------------------------------------------- */

static uint32_t hash_name(const char *text, size_t n)
{
    uint32_t h = 2166136261u;
    for (size_t i = 0; i < n; i++)
        h = (h ^ (unsigned char)text[i]) * 16777619u;
    return h ^ h >> 15;
}

static void fill_rows(Asm *a)
{
    for (unsigned row = 0; row < BVM_ROWS; row++)
        if (bvm_ops[row].name) {
            uint32_t k = hash_name(bvm_ops[row].name, strlen(bvm_ops[row].name)) % 2048;
            while (a->rows[k])
                k = (k + 1) % 2048;
            a->rows[k] = (uint16_t)(row + 1);
        }
}

static int find_row(const Asm *a, const char *text, size_t n)
{
    for (uint32_t k = hash_name(text, n) % 2048; a->rows[k]; k = (k + 1) % 2048) {
        const char *other = bvm_ops[a->rows[k] - 1].name;
        if (strlen(other) == n && memcmp(other, text, n) == 0)
            return a->rows[k] - 1;
    }
    return -1;
}

/* NAME[.ETYPE][.raw] */
static bool mnemonic(Asm *a, BvmInsn *insn)
{
    const char *text = a->token.text;
    size_t n = a->token.n;
    memset(insn, 0, sizeof *insn);
    if (n > 4 && memcmp(text + n - 4, ".raw", 4) == 0) {
        insn->nan_flag = true;
        n -= 4;
    }
    int row = find_row(a, text, n);
    if (row >= 0 && !(bvm_ops[row].etypes & 1))
        return fail(a, "'%s' needs an element type", bvm_ops[row].name);
    if (row < 0) {
        size_t dot = n;
        while (dot && text[dot - 1] != '.')
            dot--;
        insn->etype = dot ? (uint16_t)bvm_elem_by_name(text + dot, n - dot) : (uint16_t)0;
        row = insn->etype ? find_row(a, text, dot - 1) : -1;
    }
    if (row < 0)
        return fail(a, "unknown instruction '%.*s'", (int)(a->token.n < 100 ? a->token.n : 100), text);
    insn->row = (uint16_t)row;
    const BvmOpInfo *op = &bvm_ops[row];
    if (!(op->etypes >> insn->etype & 1))
        return fail(a, "'%s' does not take %s", op->name, bvm_elem_name(insn->etype));
    if (insn->nan_flag && !(op->form && bvm_elem_class(insn->etype) == 'F'))
        return fail(a, "'.raw' is only for elementwise float instructions");
    advance(a);
    return true;
}

/* One register of any bank. */
static bool any_register(Asm *a, char *bank, uint16_t *out)
{
    uint64_t value = 0;
    *bank = a->token.kind == WORD ? a->token.text[0] : 0;
    if (*bank != 's' && *bank != 'b' && *bank != 't')
        return fail(a, "a register is expected");
    if (!numbered(a, *bank, UINT16_MAX, &value))
        return false;
    *out = (uint16_t)value;
    return true;
}

static bool reg(Asm *a, char kind, uint16_t *out)
{
    uint64_t value = 0;
    char bank = strchr("wrm", kind) ? 's' : strchr("WbM", kind) ? 'b' : 't';
    if (a->token.kind != WORD || a->token.text[0] != bank)
        return fail(a, "a %s register (%c...) is expected", bank == 's' ? "scalar" : bank == 'b' ? "buffer" : "tile", bank);
    if (!numbered(a, bank, UINT16_MAX, &value))
        return false;
    *out = (uint16_t)value;
    return true;
}

static bool list(Asm *a, BvmInsn *insn)
{
    if (!expect(a, '('))
        return false;
    for (bool first = true; !at_punct(a, ')'); first = false) {
        if (!first && !expect(a, ','))
            return false;
        if (insn->nlist == MAX_LIST)
            return fail(a, "more than %u operands", MAX_LIST);
        if (!any_register(a, &a->list_banks[insn->nlist], &a->list[insn->nlist]))
            return false;
        insn->nlist++;
    }
    insn->list = a->list;
    return expect(a, ')');
}

/* The list from number `from` on must have these banks. */
static bool check_list(Asm *a, const Token *at, const BvmInsn *insn, uint32_t from, const char *banks, uint32_t n)
{
    if (insn->nlist - from != n)
        return fail_at(a, at, "%u operands in a list where %u are needed", insn->nlist - from, n);
    for (uint32_t i = 0; i < n; i++)
        if (a->list_banks[from + i] != banks[i])
            return fail_at(a, at, "operand %u of the list must be a %s register", i + 1, banks[i] == 's' ? "scalar" : "buffer");
    return true;
}

/* (arguments) -> (results) by a banks text */
static bool call_list(Asm *a, BvmInsn *insn, const char *banks, size_t n)
{
    Token at = a->token;
    BvmBanks sig;
    if (!bvm_banks_parse(banks, n, &sig))
        return fail(a, "the callee has no valid banks");
    if (!list(a, insn) || !check_list(a, &at, insn, 0, sig.args, sig.nargs) || !expect_arrow(a))
        return false;
    at = a->token;
    return list(a, insn) && check_list(a, &at, insn, sig.nargs, sig.results, sig.nresults);
}

static bool operand_list(Asm *a, const BvmFunction *f, BvmInsn *insn, const char *string_operand, size_t string_n)
{
    Token at = a->token;
    BvmBanks sig;
    const char *banks = f->banks;
    switch (insn->row) {
    case BVM_OP_call:
        banks = AT(a->functions, const char *)[insn->wide[0]];
        return call_list(a, insn, banks, strlen(banks));
    case BVM_OP_call_import:
        banks = AT(a->imports, const char *)[insn->wide[0]];
        return call_list(a, insn, banks, strlen(banks));
    case BVM_OP_call_indirect:
        return call_list(a, insn, string_operand, string_n);
    case BVM_OP_grid:
        banks = AT(a->functions, const char *)[insn->wide[0]];
        if (!bvm_banks_parse(banks, strlen(banks), &sig) || !sig.nargs)
            return fail(a, "a grid's function takes the workgroup's number");
        return list(a, insn) && check_list(a, &at, insn, 0, sig.args, sig.nargs - 1);
    default:
        if (!bvm_banks_parse(banks, strlen(banks), &sig))
            return fail(a, "the function has no valid banks");
        return list(a, insn) && check_list(a, &at, insn, 0, sig.results, sig.nresults);
    }
}

static bool kernel(Asm *a, BvmInsn *insn)
{
    unsigned number_of = 0;
    while (number_of < BVM_KERNELS && !(bvm_kernel_table[number_of].name && at_word(a, bvm_kernel_table[number_of].name)))
        number_of++;
    if (number_of == BVM_KERNELS)
        return fail(a, "a kernel's name is expected");
    advance(a);
    uint64_t rank = 0, flags = 0, word = number_of;
    if (!accept_word(a, "rank"))
        return fail(a, "'rank' expected");
    if (!number(a, BVM_KERNEL_MAX_RANK, "a rank", &rank))
        return false;
    word |= rank << 16;
    if (!accept_word(a, "types"))
        return fail(a, "'types' expected");
    char banks[8 + 24 * (BVM_KERNEL_MAX_RANK + 2)];
    uint32_t nbanks = 0;
    unsigned shift = 24;
    for (const char *k = bvm_kernel_table[number_of].operands; *k; k++) {
        unsigned etype = 0;
        bool view = *k == 'o' || *k == 'i';
        if (view && (!elem(a, &etype) || shift > 40))
            return false;
        word |= view ? (uint64_t)etype << shift : 0;
        shift += view ? 8 : 0;
        uint32_t slots = (uint32_t)(*k == 'N' ? rank : view ? rank + 1 : 1);
        if (nbanks + slots + view > sizeof banks)
            return fail(a, "the kernel has too many operands");
        if (view)
            banks[nbanks++] = 'b';
        memset(banks + nbanks, 's', slots);
        nbanks += slots;
    }
    if (accept_word(a, "flags") && !number(a, UINT16_MAX, "flags", &flags))
        return false;
    insn->wide[0] = word | flags << 48;
    if (accept_word(a, "parameter")) {
        if (a->token.kind != NUMBER)
            return fail(a, "a number is expected");
        insn->wide[1] = a->token.value;
        advance(a);
    }
    Token at = a->token;
    return list(a, insn) && check_list(a, &at, insn, 0, banks, nbanks);
}

static bool label(Asm *a, uint32_t word, uint64_t *value)
{
    if (a->token.kind != WORD)
        return fail(a, "a label is expected");
    uint32_t string_number = 0;
    const Entry *e = entry(a, a->token.text, a->token.n, &string_number);
    if (!e)
        return false;
    if (e->label_epoch == a->epoch) {
        *value = e->label_word;
    } else {
        Fixup fixup = {word, string_number, a->token};
        if (!push(a, &a->fixups, &fixup, sizeof fixup))
            return false;
    }
    advance(a);
    return a->status == BUFVM_OK;
}

static bool named(Asm *a, char kind, uint64_t *value)
{
    const char *text;
    Token at = a->token;
    if (!name(a, &text))
        return false;
    const Entry *e = entry(a, text, strlen(text), NULL);
    if (!e)
        return false;
    if (kind == 'n' && accept(a, '#')) {
        if (!number(a, UINT32_MAX, "an import's number", value))
            return false;
        return *value < COUNT(a->imports, const char *) ||
               fail_at(a, &at, "import number %llu does not exist", (unsigned long long)*value);
    }
    if (kind == 'n' && e->imports > 1)
        return fail_at(a, &at, "several imports have the name @%.200s: say which by @name#number", text);
    uint32_t found = kind == 'f' ? e->function : kind == 'g' ? e->global : e->import;
    *value = found - 1;
    return found || fail_at(a, &at, "no %s @%.200s", kind == 'f' ? "function" : kind == 'g' ? "global" : "import", text);
}

static bool wide(Asm *a, char kind, uint32_t word, uint64_t *value, const char **text, size_t *n)
{
    switch (kind) {
    case 'l':
        return label(a, word, value);
    case 'k':
        return numbered(a, 'k', UINT32_MAX, value);
    case 'g':
    case 'f':
    case 'n':
        return named(a, kind, value);
    case 's':
        if (!string(a, text, n))
            return false;
        *value = bvm_write_string(a->w, *text, *n);
        return true;
    default:
        if (a->token.kind != NUMBER)
            return fail(a, "a number is expected");
        *value = a->token.value;
        advance(a);
        return a->status == BUFVM_OK;
    }
}

static bool half(Asm *a, const BvmInsn *insn, unsigned field, uint16_t *out)
{
    uint64_t value = 0;
    unsigned etype = 0;
    if (field == 2 && (bvm_ops[insn->row].form == 'x' || insn->row == BVM_OP_fconv_round)) {
        bool ok = elem(a, &etype);
        *out = (uint16_t)etype;
        return ok;
    }
    if (a->token.kind == NUMBER && a->token.negative && a->token.value >= (uint64_t)-32768) { /* imm16 */
        *out = (uint16_t)a->token.value;
        advance(a);
        return a->status == BUFVM_OK;
    }
    bool ok = number(a, UINT16_MAX, "a 16-bit number", &value);
    *out = (uint16_t)value;
    return ok;
}

static bool operands(Asm *a, const BvmFunction *f, BvmInsn *insn)
{
    if (insn->row == BVM_OP_kernel)
        return kernel(a, insn);
    const char *kinds = bvm_ops[insn->row].kinds, *text = NULL;
    unsigned field = 0, nwide = 0;
    size_t n = 0;
    uint32_t wide_word = COUNT(a->code, uint64_t) + (uint32_t)bvm_wide_at(insn->row);
    for (const char *k = kinds; *k; k++) {
        bool ok;
        if (k != kinds && *k != '*' && !expect(a, ','))
            return false;
        if (*k == '*') {
            ok = operand_list(a, f, insn, text, n);
        } else if (*k == 'h') {
            ok = half(a, insn, field, &insn->regs[field]);
            field++;
        } else if (strchr(BVM_WIDE_KINDS, *k)) {
            ok = wide(a, *k, wide_word + nwide, &insn->wide[nwide], &text, &n);
            nwide++;
        } else {
            ok = reg(a, *k, &insn->regs[field++]);
        }
        if (!ok)
            return false;
    }
    return true;
}

static bool instruction(Asm *a, const BvmFunction *f)
{
    BvmInsn insn;
    Mark mark = {a->words + COUNT(a->code, uint64_t), a->token.line, a->token.col, a->token.at};
    if (!mnemonic(a, &insn) || !operands(a, f, &insn) || !push(a, &a->marks, &mark, sizeof mark))
        return false;
    size_t words = bvm_encode(&insn, NULL);
    if (COUNT(a->code, uint64_t) > UINT32_MAX - words - 65536)
        return fail(a, "the function is too long");
    if (!bvm_vec_reserve(&a->allocator, &a->code, words * 8))
        return no_memory(a);
    bvm_encode(&insn, AT(a->code, uint64_t) + a->code.n / 8);
    a->code.n += words * 8;
    return true;
}

/* -- bodies ----------------------------------------------------------------------------------------------------- */

static bool tile(Asm *a)
{
    uint64_t i = 0, capacity = 0;
    unsigned etype = 0;
    Token at = a->token;
    if (!numbered(a, 't', UINT16_MAX, &i) || !elem(a, &etype) || !number(a, UINT16_MAX, "a number of lanes", &capacity))
        return false;
    if (i != COUNT(a->tiles, BvmTileDecl))
        return fail_at(a, &at, "tiles are numbered in order, t%u is next", COUNT(a->tiles, BvmTileDecl));
    BvmTileDecl decl;
    memset(&decl, 0, sizeof decl);
    decl.etype = (uint8_t)etype;
    decl.capacity = (uint16_t)capacity;
    decl.full = accept_word(a, "full");
    return push(a, &a->tiles, &decl, sizeof decl);
}

static bool line(Asm *a)
{
    BvmLine l = {.word = COUNT(a->code, uint64_t)};
    return number32(a, "a line", &l.line) && expect(a, ':') && number32(a, "a column", &l.col) && push(a, &a->lines, &l, sizeof l);
}

/* A label if the token behind is ':', else an instruction. */
static bool statement(Asm *a, const BvmFunction *f)
{
    if (a->token.kind != WORD)
        return fail(a, "an instruction, a label or '}' is expected");
    if (accept_word(a, ".tile"))
        return tile(a);
    if (accept_word(a, ".line"))
        return line(a);
    if (peek(a, 0) != ':')
        return instruction(a, f);
    Entry *e = entry(a, a->token.text, a->token.n, NULL);
    if (!e)
        return false;
    if (e->label_epoch == a->epoch)
        return fail(a, "the label '%.*s' exists", (int)(a->token.n < 100 ? a->token.n : 100), a->token.text);
    e->label_epoch = a->epoch;
    e->label_word = COUNT(a->code, uint64_t);
    advance(a);
    return expect(a, ':');
}

static bool resolve_labels(Asm *a)
{
    for (uint32_t i = 0; i < COUNT(a->fixups, Fixup); i++) {
        const Fixup *f = &AT(a->fixups, Fixup)[i];
        const Entry *e = &AT(a->entries, Entry)[f->label];
        if (e->label_epoch != a->epoch)
            return fail_at(a, &f->token, "no label '%.*s' in this function", (int)(f->token.n < 100 ? f->token.n : 100),
                           f->token.text);
        AT(a->code, uint64_t)[f->word] = e->label_word;
    }
    return true;
}

static bool body(Asm *a, Deferred *d)
{
    a->code.n = a->lines.n = a->tiles.n = a->fixups.n = 0;
    a->epoch++;
    while (!at_punct(a, '}'))
        if (a->token.kind == END || !statement(a, &d->header))
            return fail(a, "'}' expected");
    if (!resolve_labels(a))
        return false;
    BvmFunction *f = &d->header;
    f->ntiles = COUNT(a->tiles, BvmTileDecl);
    f->tiles = AT(a->tiles, BvmTileDecl);
    f->ncode = COUNT(a->code, uint64_t);
    f->code = AT(a->code, uint64_t);
    f->nlines = COUNT(a->lines, BvmLine);
    f->lines = AT(a->lines, BvmLine);
    bvm_write_define(a->w, d->function, f);
    a->words += f->ncode;
    return true;
}

static bool export_body(Asm *a)
{
    const char *text;
    uint64_t function_number = 0;
    BvmVec args = {0}, results = {0};
    bool ok = name(a, &text) && expect(a, '=') && named(a, 'f', &function_number) && signature(a, &args, &results);
    if (ok)
        bvm_write_export(a->w, text, (uint32_t)function_number, COUNT(args, BvmTypeDesc), AT(args, BvmTypeDesc),
                         COUNT(results, BvmTypeDesc), AT(results, BvmTypeDesc));
    release(a, &args);
    release(a, &results);
    return ok;
}

static bool assemble(Asm *a)
{
    a->list = bvm_arena_alloc(&a->arena, MAX_LIST * sizeof *a->list);
    a->list_banks = bvm_arena_alloc(&a->arena, MAX_LIST);
    if (!a->list || !a->list_banks)
        return no_memory(a);
    fill_rows(a);
    advance(a);
    while (a->token.kind != END)
        if (!directive(a))
            return false;
    for (uint32_t i = 0; a->status == BUFVM_OK && i < COUNT(a->deferred, Deferred); i++) {
        Deferred *d = &AT(a->deferred, Deferred)[i];
        a->place = d->place;
        advance(a);
        if (!(d->body ? body(a, d) : export_body(a)))
            return false;
    }
    return a->status == BUFVM_OK;
}

/* -- entry ----------------------------------------------------------------------------------------------------------- */

/* Loads what was written; an error inside the code gets the place of its instruction in the text. */
static BufvmStatus verify(Asm *a, const uint8_t *data, size_t size)
{
    BvmModule module;
    BufvmError local, *error = a->error ? a->error : &local;
    BufvmStatus status = bvm_module_read(&a->allocator, data, size, UINT64_MAX, &module, error);
    bvm_module_free(&module);
    if (status != BUFVM_INVALID_MODULE)
        return status;
    uint64_t code = 0, bytes = 0;
    for (uint32_t i = 0; i < bvm_get32(data + 12); i++)
        if (bvm_get32(data + BVM_HEADER_BYTES + BVM_ENTRY_BYTES * i) == BVM_SECTION_CODE) {
            code = bvm_get64(data + BVM_HEADER_BYTES + BVM_ENTRY_BYTES * i + 8);
            bytes = bvm_get64(data + BVM_HEADER_BYTES + BVM_ENTRY_BYTES * i + 16);
        }
    error->line = error->col = 0;
    if (error->offset < code || error->offset - code >= bytes)
        return status;
    uint64_t word = (error->offset - code) / 8;
    const Mark *marks = AT(a->marks, Mark);
    uint32_t low = 0, high = COUNT(a->marks, Mark);
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (marks[middle].word <= word)
            low = middle + 1;
        else
            high = middle;
    }
    if (low) {
        error->line = marks[low - 1].line;
        error->col = marks[low - 1].col;
        error->offset = marks[low - 1].at;
    }
    return status;
}

BufvmStatus bvm_assemble_checked(const BufvmAllocator *allocator, const char *text, size_t n, bool check, void **data, size_t *size,
                                 BufvmError *error)
{
    *data = NULL;
    *size = 0;
    BufvmAllocator hook = bvm_allocator_or_default(allocator);
    Asm *a = bvm_realloc(&hook, NULL, 0, sizeof *a);
    if (!a)
        return bvm_fail(error, BUFVM_OUT_OF_MEMORY, 0, "out of memory while assembling");
    memset(a, 0, sizeof *a);
    a->allocator = hook;
    a->arena.allocator = &a->allocator;
    a->text = text;
    a->n = n;
    a->place.line = 1;
    a->error = error;
    a->w = bvm_writer_new(&hook);
    BufvmStatus status = BUFVM_OK;
    if (!a->w)
        no_memory(a);
    else if (assemble(a) || bvm_writer_failed(a->w)) /* the writer's own failure comes before what followed from it */
        a->status = bvm_writer_finish(a->w, data, size, error);
    if (a->status == BUFVM_OK && check) {
        a->status = verify(a, *data, *size);
        if (a->status != BUFVM_OK) {
            bvm_release(&hook, *data, *size);
            *data = NULL;
            *size = 0;
        }
    }
    status = a->status;
    bvm_writer_free(a->w);
    BvmVec *vecs[] = {&a->entries, &a->deferred, &a->functions, &a->imports, &a->marks, &a->code, &a->lines, &a->tiles, &a->fixups};
    for (size_t i = 0; i < sizeof vecs / sizeof *vecs; i++)
        release(a, vecs[i]);
    bvm_arena_free(&hook, a->arena.blocks);
    bvm_release(&hook, a, sizeof *a);
    return status;
}

BufvmStatus bvm_assemble(const BufvmAllocator *allocator, const char *text, size_t n, void **data, size_t *size, BufvmError *error)
{
    return bvm_assemble_checked(allocator, text, n, true, data, size, error);
}
