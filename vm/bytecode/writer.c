/* Collects a module's parts and lays out the file.
 *
 * Equal content is stored once; strings are sorted in the file, so that its bytes do not depend on the order in
 * which they were asked for: while parts are collected they are known by provisional numbers,
 * which the layout pass replaces in the tables and in the code.  The layout runs twice over the same
 * code: once counting and marking the strings that are used, once writing.
 */
#include <stdlib.h>

#include "file.h"
#include "opnames.h"

/* Interned byte strings: items in order of arrival and a hash table of their numbers. */
typedef struct Item {
    const uint8_t *data;
    uint64_t n;
    uint64_t hash;
    uint64_t total; /* constants: bytes after expansion; else 0 */
} Item;

typedef struct Pool {
    BvmVec items;
    uint32_t *slots; /* number + 1, 0 empty */
    uint32_t nslots; /* a power of two, at most half full */
} Pool;

typedef struct Function {
    uint32_t name, banks;
    bool defined;
    BvmFunction body; /* pointers into the arena */
} Function;

typedef struct Export {
    uint32_t name, function, signature;
} Export;

typedef struct Global {
    uint32_t name, align;
    uint64_t bytes;
    int64_t constant;
    bool read_only;
} Global;

typedef struct DebugOp {
    uint32_t probe, stable_id, line, col, loc, types, order;
} DebugOp;

struct BvmWriter {
    BufvmAllocator allocator;
    BvmArena arena;
    BufvmStatus status;
    BufvmError error;
    Pool strings, constants, types, signatures;
    BvmVec functions, exports, imports, globals, attributes, sources, debug_ops;
    const char *debug_text;
    size_t debug_text_bytes;
    uint16_t *list_space;
    /* layout */
    uint8_t *used;    /* per string */
    uint32_t *number; /* per string: its number in the file */
    uint32_t *order;  /* file number to provisional number */
    uint32_t nused;
    uint32_t *signature_number, *signature_order, *type_number, *type_order; /* by first use: imports, exports */
    uint64_t *need;
    BvmVec edges;
};

#define COUNT(vec, type) ((uint32_t)((vec).n / sizeof(type)))
#define AT(vec, type)    ((type *)(void *)(vec).data)

static void fail(BvmWriter *w, BufvmStatus status, const char *text)
{
    if (w->status == BUFVM_OK) {
        w->status = status;
        bvm_fail(&w->error, status, 0, "%s", text);
    }
}

static void no_memory(BvmWriter *w)
{
    fail(w, BUFVM_OUT_OF_MEMORY, "out of memory while writing a module");
}

BvmWriter *bvm_writer_new(const BufvmAllocator *allocator)
{
    BufvmAllocator a = bvm_allocator_or_default(allocator);
    BvmWriter *w = bvm_realloc(&a, NULL, 0, sizeof *w);
    if (!w)
        return NULL;
    memset(w, 0, sizeof *w);
    w->allocator = a;
    w->arena.allocator = &w->allocator;
    return w;
}

static void free_vec(BvmWriter *w, BvmVec *v)
{
    bvm_release(&w->allocator, v->data, v->capacity);
}

static void free_pool(BvmWriter *w, Pool *pool)
{
    free_vec(w, &pool->items);
    bvm_release(&w->allocator, pool->slots, pool->nslots * sizeof *pool->slots);
}

void bvm_writer_free(BvmWriter *w)
{
    if (!w)
        return;
    Pool *pools[] = {&w->strings, &w->constants, &w->types, &w->signatures};
    for (size_t i = 0; i < sizeof pools / sizeof *pools; i++)
        free_pool(w, pools[i]);
    BvmVec *vecs[] = {&w->functions, &w->exports, &w->imports, &w->globals, &w->attributes, &w->sources, &w->debug_ops, &w->edges};
    for (size_t i = 0; i < sizeof vecs / sizeof *vecs; i++)
        free_vec(w, vecs[i]);
    bvm_arena_free(&w->allocator, w->arena.blocks);
    BufvmAllocator a = w->allocator;
    bvm_release(&a, w, sizeof *w);
}

bool bvm_writer_failed(const BvmWriter *w)
{
    return w->status != BUFVM_OK;
}

/* -- interning ---------------------------------------------------------------- */

/* Mixes eight bytes at a time; constants are large. */
static uint64_t hash_bytes(const uint8_t *p, uint64_t n, uint64_t seed)
{
    uint64_t h = seed ^ n * UINT64_C(0x9E3779B97F4A7C15);
    while (n) {
        uint64_t v = 0;
        size_t piece = n < 8 ? (size_t)n : 8;
        memcpy(&v, p, piece);
        h = (h ^ v) * UINT64_C(0xD6E8FEB86659FD93);
        h ^= h >> 32;
        p += piece;
        n -= piece;
    }
    return h ^ h >> 29;
}

static bool grow_slots(BvmWriter *w, Pool *pool)
{
    uint32_t n = COUNT(pool->items, Item), nslots = pool->nslots ? pool->nslots * 2 : 64;
    if (n < pool->nslots / 2)
        return true;
    if (n > UINT32_MAX / 8)
        return false;
    uint32_t *slots = bvm_realloc(&w->allocator, NULL, 0, nslots * sizeof *slots);
    if (!slots)
        return false;
    memset(slots, 0, nslots * sizeof *slots);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t k = (uint32_t)AT(pool->items, Item)[i].hash & (nslots - 1);
        while (slots[k])
            k = (k + 1) & (nslots - 1);
        slots[k] = i + 1;
    }
    bvm_release(&w->allocator, pool->slots, pool->nslots * sizeof *slots);
    pool->slots = slots;
    pool->nslots = nslots;
    return true;
}

static uint32_t intern(BvmWriter *w, Pool *pool, const void *data, uint64_t n, uint64_t total, bool borrowed)
{
    if (w->status != BUFVM_OK)
        return 0;
    if (n > SIZE_MAX - 64 || !grow_slots(w, pool)) {
        no_memory(w);
        return 0;
    }
    Item item = {data, n, hash_bytes(data, n, total), total};
    uint32_t k = (uint32_t)item.hash & (pool->nslots - 1);
    for (; pool->slots[k]; k = (k + 1) & (pool->nslots - 1)) {
        const Item *other = &AT(pool->items, Item)[pool->slots[k] - 1];
        if (other->hash == item.hash && other->n == n && other->total == total &&
            (n == 0 || memcmp(other->data, data, (size_t)n) == 0))
            return pool->slots[k] - 1;
    }
    if (!borrowed) {
        uint8_t *copy = bvm_arena_alloc(&w->arena, (size_t)n);
        if (!copy) {
            no_memory(w);
            return 0;
        }
        if (n)
            memcpy(copy, data, (size_t)n);
        item.data = copy;
    }
    if (!bvm_vec_append(&w->allocator, &pool->items, &item, sizeof item)) {
        no_memory(w);
        return 0;
    }
    pool->slots[k] = COUNT(pool->items, Item);
    return pool->slots[k] - 1;
}

static uint32_t append(BvmWriter *w, BvmVec *v, const void *record, size_t n)
{
    if (w->status == BUFVM_OK && !bvm_vec_append(&w->allocator, v, record, n))
        no_memory(w);
    return w->status == BUFVM_OK ? (uint32_t)(v->n / n - 1) : 0;
}

static void *copy_array(BvmWriter *w, const void *data, size_t n, size_t each)
{
    if (w->status != BUFVM_OK || n == 0)
        return NULL;
    void *copy = bvm_arena_array(&w->arena, n, each);
    if (copy)
        memcpy(copy, data, n * each);
    else
        no_memory(w);
    return copy;
}

uint32_t bvm_write_string(BvmWriter *w, const char *text, size_t n)
{
    return intern(w, &w->strings, text, n, 0, false);
}
static uint32_t cstring(BvmWriter *w, const char *text)
{
    return bvm_write_string(w, text ? text : "", text ? strlen(text) : 0);
}

static bool all_zero(const uint8_t *p, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++)
        if (p[i])
            return false;
    return true;
}

uint32_t bvm_write_constant(BvmWriter *w, const void *data, uint64_t n, uint64_t total_bytes, bool borrowed)
{
    if (n > total_bytes || (n && total_bytes % n) || (n && n < total_bytes && (n > 16 || (n & (n - 1))))) {
        fail(w, BUFVM_INVALID_ARGUMENT, "a splat constant needs an element of 1, 2, 4, 8 or 16 bytes that divides its size");
        return 0;
    }
    if (all_zero(data, n))
        n = 0;
    return intern(w, &w->constants, data, n, total_bytes, borrowed);
}

/* -- types and signatures ------------------------------------------------------ */

static uint32_t intern_type(BvmWriter *w, const BvmTypeDesc *type)
{
    if (type->rank > BUFVM_MAX_RANK) {
        fail(w, BUFVM_INVALID_ARGUMENT, "a type's rank is over 64");
        return 0;
    }
    uint8_t record[BVM_TYPE_BYTES + 16 * BUFVM_MAX_RANK] = {0};
    bool view = type->kind == 'v';
    uint32_t rank = view ? type->rank : 0;
    bool strides = view && type->strides && rank;
    record[0] = type->kind;
    record[1] = type->etype;
    record[2] = (uint8_t)((type->is_memref ? BVM_TYPE_MEMREF : 0) | (strides ? BVM_TYPE_STRIDES : 0));
    bvm_put64(record + 4, rank | (uint64_t)cstring(w, type->written) << 32);
    bvm_put64(record + 16, view ? (uint64_t)type->offset : 0);
    for (uint32_t i = 0; i < rank; i++) {
        bvm_put64(record + BVM_TYPE_BYTES + 8 * (size_t)i, (uint64_t)type->dims[i]);
        if (strides)
            bvm_put64(record + BVM_TYPE_BYTES + 8 * (size_t)(rank + i), (uint64_t)type->strides[i]);
    }
    return intern(w, &w->types, record, BVM_TYPE_BYTES + 8 * (size_t)rank * (strides ? 2 : 1), 0, false);
}

bool bvm_append_banks(const BufvmAllocator *a, BvmVec *text, const BvmTypeDesc *type)
{
    static const char letters[] = "bbssssssssssssssss"; /* buffers, then slots */
    size_t slots = 0, buffers = type->kind == 'v' ? 1 : type->kind == 'u' ? 2 : 0;
    if (type->kind == 's')
        slots = bvm_elem_class(type->etype) == 'C' ? 2 : 1;
    if (type->kind == 'v') {
        slots = type->offset == -1;
        for (uint32_t i = 0; i < type->rank; i++)
            slots += (type->dims[i] == -1) + (size_t)(type->strides && type->strides[i] == BVM_DYNAMIC_STRIDE);
    }
    bool ok = bvm_vec_append(a, text, letters, buffers);
    for (size_t piece; ok && slots; slots -= piece) {
        piece = slots < 16 ? slots : 16;
        ok = bvm_vec_append(a, text, letters + 2, piece);
    }
    return ok;
}

/* Also interns the signature's banks, which the reader looks up. */
static uint32_t intern_signature(BvmWriter *w, uint32_t nargs, const BvmTypeDesc *args, uint32_t nresults,
                                 const BvmTypeDesc *results)
{
    BvmVec record = {0}, banks = {0};
    uint32_t head[3] = {nargs, nresults, 0};
    bool ok = bvm_vec_append(&w->allocator, &record, head, sizeof head);
    for (uint64_t i = 0; ok && w->status == BUFVM_OK && i < (uint64_t)nargs + nresults; i++) {
        const BvmTypeDesc *type = i < nargs ? &args[i] : &results[i - nargs];
        uint32_t number = intern_type(w, type);
        if (i == nargs)
            ok = bvm_vec_append(&w->allocator, &banks, ":", 1);
        ok = ok && bvm_append_banks(&w->allocator, &banks, type);
        ok = ok && bvm_vec_append(&w->allocator, &record, &number, sizeof number);
    }
    if (ok && nresults == 0)
        ok = bvm_vec_append(&w->allocator, &banks, ":", 1);
    uint32_t number = 0;
    if (ok && w->status == BUFVM_OK) {
        head[2] = bvm_write_string(w, (const char *)banks.data, banks.n);
        memcpy(record.data, head, sizeof head);
        number = intern(w, &w->signatures, record.data, record.n, 0, false);
    } else if (!ok) {
        no_memory(w);
    }
    free_vec(w, &record);
    free_vec(w, &banks);
    return number;
}

uint32_t bvm_write_import(BvmWriter *w, const char *name, uint32_t nargs, const BvmTypeDesc *args, uint32_t nresults,
                          const BvmTypeDesc *results)
{
    Export record = {cstring(w, name), 0, intern_signature(w, nargs, args, nresults, results)};
    uint32_t n = COUNT(w->imports, Export);
    for (uint32_t i = 0; i < n && i < 64; i++) /* the few host functions of a program; a repetition costs a record, nothing else */
        if (AT(w->imports, Export)[i].name == record.name && AT(w->imports, Export)[i].signature == record.signature)
            return i;
    return append(w, &w->imports, &record, sizeof record);
}

void bvm_write_export(BvmWriter *w, const char *name, uint32_t function, uint32_t nargs, const BvmTypeDesc *args, uint32_t nresults,
                      const BvmTypeDesc *results)
{
    Export record = {cstring(w, name), function, intern_signature(w, nargs, args, nresults, results)};
    append(w, &w->exports, &record, sizeof record);
}

/* -- the other parts ------------------------------------------------------------ */

uint32_t bvm_write_global(BvmWriter *w, const char *name, uint64_t bytes, uint32_t align, int64_t constant_or_minus_1,
                          bool read_only)
{
    Global record = {cstring(w, name), align ? align : 64, bytes, constant_or_minus_1, read_only};
    return append(w, &w->globals, &record, sizeof record);
}

uint32_t bvm_write_declare(BvmWriter *w, const char *name, const char *banks)
{
    Function record = {.name = cstring(w, name), .banks = cstring(w, banks)};
    return append(w, &w->functions, &record, sizeof record);
}

void bvm_write_define(BvmWriter *w, uint32_t function, const BvmFunction *body)
{
    if (w->status != BUFVM_OK)
        return;
    if (function >= COUNT(w->functions, Function)) {
        fail(w, BUFVM_INVALID_ARGUMENT, "a function is defined that was not declared");
        return;
    }
    if (body->local_bytes > BVM_MAX_LOCAL) {
        fail(w, BUFVM_LIMIT, "a function's local memory is over 1 TiB");
        return;
    }
    Function *f = &AT(w->functions, Function)[function];
    f->body = *body;
    f->body.tiles = copy_array(w, body->tiles, body->ntiles, sizeof *body->tiles);
    f->body.code = copy_array(w, body->code, body->ncode, sizeof *body->code);
    BvmLine *lines = copy_array(w, body->lines, body->nlines, sizeof *lines);
    f->body.lines = lines;
    f->body.nlines = 0;
    for (uint32_t i = 0; lines && i < body->nlines; i++) { /* one entry a word, the last one given */
        if (f->body.nlines && lines[f->body.nlines - 1].word == body->lines[i].word)
            f->body.nlines--;
        lines[f->body.nlines++] = body->lines[i];
    }
    f->body.local_bytes = bvm_align(body->local_bytes, 64);
    f->defined = true;
}

void bvm_write_debug_text(BvmWriter *w, const char *text, size_t n)
{
    w->debug_text = copy_array(w, text, n, 1);
    w->debug_text_bytes = n;
}

void bvm_write_debug_op(BvmWriter *w, uint32_t probe, const char *stable_id, uint32_t line, uint32_t col, const char *loc,
                        const char *types)
{
    DebugOp record = {probe, cstring(w, stable_id), line, col, cstring(w, loc), cstring(w, types), COUNT(w->debug_ops, DebugOp)};
    append(w, &w->debug_ops, &record, sizeof record);
}

void bvm_write_source_name(BvmWriter *w, const char *file)
{
    uint32_t record = cstring(w, file);
    append(w, &w->sources, &record, sizeof record);
}

void bvm_write_attribute(BvmWriter *w, const char *key, const char *value)
{
    uint32_t record[2] = {cstring(w, key), cstring(w, value)};
    append(w, &w->attributes, record, sizeof record);
}

/* -- layout ----------------------------------------------------------------------- */

/* Bytes of the file, or only their number when data is NULL. */
typedef struct Out {
    uint8_t *data;
    uint64_t n;
} Out;

static void put(Out *o, const void *data, uint64_t n)
{
    if (o->data && n)
        memcpy(o->data + o->n, data, (size_t)n);
    o->n += n;
}

static void put_int(Out *o, uint64_t v, unsigned bytes)
{
    uint8_t le[8];
    bvm_put64(le, v);
    put(o, le, bytes);
}

static void put32(Out *o, uint32_t v)
{
    put_int(o, v, 4);
}
static void put64(Out *o, uint64_t v)
{
    put_int(o, v, 8);
}

static void pad(Out *o, uint64_t align)
{
    uint64_t to = bvm_align(o->n, align);
    if (o->data)
        memset(o->data + o->n, 0, (size_t)(to - o->n));
    o->n = to;
}

/* The number of a string in the file; while measuring, marks it as used. */
static uint32_t str(BvmWriter *w, uint32_t provisional)
{
    if (w->number)
        return w->number[provisional];
    w->used[provisional] = 1;
    return 0;
}

/* Each returns the count of its section. */
static uint32_t put_strings(BvmWriter *w, Out *o)
{
    uint64_t end = 0;
    for (uint32_t i = 0; i < w->nused; i++) {
        end += AT(w->strings.items, Item)[w->order[i]].n;
        if (end > UINT32_MAX) {
            fail(w, BUFVM_LIMIT, "the module's strings take more than 4 GiB");
            return 0;
        }
        put32(o, (uint32_t)end);
        end++;
    }
    for (uint32_t i = 0; i < w->nused; i++) {
        const Item *item = &AT(w->strings.items, Item)[w->order[i]];
        put(o, item->data, item->n);
        put(o, "", 1);
    }
    return w->nused;
}

static uint32_t put_types(BvmWriter *w, Out *o)
{
    uint32_t n = COUNT(w->types.items, Item);
    for (uint32_t i = 0; i < n; i++) {
        const Item *item = &AT(w->types.items, Item)[w->type_order[i]];
        put(o, item->data, 8);
        put32(o, str(w, bvm_get32(item->data + 8)));
        put(o, item->data + 12, item->n - 12);
    }
    return n;
}

static uint32_t put_signatures(BvmWriter *w, Out *o)
{
    uint32_t n = COUNT(w->signatures.items, Item);
    for (uint32_t i = 0; i < n; i++) {
        const Item *item = &AT(w->signatures.items, Item)[w->signature_order[i]];
        const uint32_t *record = (const uint32_t *)(const void *)item->data;
        put32(o, record[0]);
        put32(o, record[1]);
        put32(o, str(w, record[2]));
        for (size_t j = 3; j < item->n / 4; j++)
            put32(o, w->type_number[record[j]]);
    }
    return n;
}

static uint32_t put_attributes(BvmWriter *w, Out *o)
{
    uint32_t n = COUNT(w->attributes, uint32_t[2]);
    for (uint32_t i = 0; i < 2 * n; i++)
        put32(o, str(w, AT(w->attributes, uint32_t)[i]));
    return n;
}

static uint32_t put_imports(BvmWriter *w, Out *o)
{
    uint32_t n = COUNT(w->imports, Export);
    for (uint32_t i = 0; i < n; i++) {
        put32(o, str(w, AT(w->imports, Export)[i].name));
        put32(o, w->signature_number[AT(w->imports, Export)[i].signature]);
    }
    return n;
}

static uint32_t put_globals(BvmWriter *w, Out *o)
{
    uint32_t n = COUNT(w->globals, Global);
    for (uint32_t i = 0; i < n; i++) {
        const Global *g = &AT(w->globals, Global)[i];
        put32(o, str(w, g->name));
        put32(o, (g->read_only ? BVM_GLOBAL_READ_ONLY : 0) | (g->constant >= 0 ? BVM_GLOBAL_INITIAL : 0));
        put32(o, g->align);
        put32(o, g->constant >= 0 ? (uint32_t)g->constant : 0);
        put64(o, g->bytes);
    }
    return n;
}

static uint32_t put_functions(BvmWriter *w, Out *o)
{
    uint32_t n = COUNT(w->functions, Function);
    for (uint32_t i = 0; i < n; i++) {
        const Function *f = &AT(w->functions, Function)[i];
        put32(o, str(w, f->name));
        put32(o, str(w, f->banks));
        put32(o, f->body.nscalars);
        put32(o, f->body.nbuffers);
        put32(o, f->body.ntiles);
        put32(o, f->body.ncode);
        put32(o, f->body.nlines);
        put32(o, 0);
        put64(o, f->body.local_bytes);
        put64(o, w->need ? w->need[i] : 0);
    }
    return n;
}

static uint32_t put_tiles(BvmWriter *w, Out *o)
{
    uint64_t total = 0;
    for (uint32_t i = 0, n = COUNT(w->functions, Function); i < n; i++) {
        const BvmFunction *f = &AT(w->functions, Function)[i].body;
        for (uint32_t j = 0; j < f->ntiles; j++)
            put32(o, f->tiles[j].etype | (f->tiles[j].full ? 1u << 8 : 0u) | (uint32_t)f->tiles[j].capacity << 16);
        total += f->ntiles;
    }
    if (total > UINT32_MAX)
        fail(w, BUFVM_LIMIT, "the module has too many tiles");
    return (uint32_t)total;
}

/* What the need computation wants to know of an instruction. */
static void note_calls(BvmWriter *w, uint32_t function, const BvmInsn *insn)
{
    BvmEdge edge = {function, (uint32_t)insn->wide[0]};
    if (insn->row == BVM_OP_call_indirect)
        edge.to += COUNT(w->functions, Function);
    else if (insn->row != BVM_OP_call && insn->row != BVM_OP_grid)
        return;
    else if (insn->wide[0] >= COUNT(w->functions, Function))
        return; /* the reader refuses it */
    if (!bvm_vec_append(&w->allocator, &w->edges, &edge, sizeof edge))
        no_memory(w);
}

/* Writes one instruction with its strings renumbered; measuring, marks them and notes calls. */
static bool put_insn(BvmWriter *w, Out *o, uint32_t function, const uint64_t *words, size_t used, const BvmInsn *insn)
{
    const char *kinds = bvm_ops[insn->row].kinds;
    size_t at = 0, wide_at = bvm_wide_at(insn->row);
    while (at < wide_at)
        put64(o, words[at++]);
    for (const char *k = kinds; *k; k++) {
        if (!strchr(BVM_WIDE_KINDS, *k))
            continue;
        uint64_t value = words[at++];
        if (*k == 's') {
            if (value >= COUNT(w->strings.items, Item))
                return false;
            value = str(w, (uint32_t)value);
        }
        put64(o, value);
    }
    while (at < used)
        put64(o, words[at++]);
    if (!w->number && strchr(kinds, '*'))
        note_calls(w, function, insn);
    return true;
}

static uint32_t put_code(BvmWriter *w, Out *o)
{
    uint64_t total = 0;
    for (uint32_t i = 0, n = COUNT(w->functions, Function); i < n && w->status == BUFVM_OK; i++) {
        const BvmFunction *f = &AT(w->functions, Function)[i].body;
        for (size_t at = 0; at < f->ncode;) {
            BvmInsn insn;
            const char *why = "a string operand is out of range";
            size_t used = bvm_decode(f->code + at, f->ncode - at, &insn, w->list_space, &why);
            if (!used || !put_insn(w, o, i, f->code + at, used, &insn)) {
                const Item *name = &AT(w->strings.items, Item)[AT(w->functions, Function)[i].name];
                w->status = bvm_fail(&w->error, BUFVM_INVALID_ARGUMENT, 0, "function '%.*s', word %zu: %s",
                                     (int)(name->n < 200 ? name->n : 200), (const char *)name->data, at, why);
                return 0;
            }
            at += used;
        }
        total += f->ncode;
    }
    if (total > UINT32_MAX)
        fail(w, BUFVM_LIMIT, "the module's code is too long");
    return (uint32_t)total;
}

static uint32_t put_lines(BvmWriter *w, Out *o)
{
    uint64_t total = 0;
    for (uint32_t i = 0, n = COUNT(w->functions, Function); i < n; i++) {
        const BvmFunction *f = &AT(w->functions, Function)[i].body;
        for (uint32_t j = 0; j < f->nlines; j++) {
            put32(o, f->lines[j].word);
            put32(o, f->lines[j].line);
            put32(o, f->lines[j].col);
        }
        total += f->nlines;
    }
    if (total > UINT32_MAX)
        fail(w, BUFVM_LIMIT, "the module's line table is too long");
    return (uint32_t)total;
}

static uint32_t put_exports(BvmWriter *w, Out *o)
{
    uint32_t n = COUNT(w->exports, Export);
    for (uint32_t i = 0; i < n; i++) {
        put32(o, str(w, AT(w->exports, Export)[i].name));
        put32(o, AT(w->exports, Export)[i].function);
        put32(o, w->signature_number[AT(w->exports, Export)[i].signature]);
    }
    return n;
}

static uint32_t put_sources(BvmWriter *w, Out *o)
{
    uint32_t n = COUNT(w->sources, uint32_t);
    for (uint32_t i = 0; i < n; i++)
        put32(o, str(w, AT(w->sources, uint32_t)[i]));
    return n;
}

static uint32_t put_debug_ops(BvmWriter *w, Out *o)
{
    uint32_t n = COUNT(w->debug_ops, DebugOp);
    for (uint32_t i = 0; i < n; i++) {
        const DebugOp *d = &AT(w->debug_ops, DebugOp)[i];
        put32(o, d->probe);
        put32(o, str(w, d->stable_id));
        put32(o, d->line);
        put32(o, d->col);
        put32(o, str(w, d->loc));
        put32(o, str(w, d->types));
    }
    return n;
}

static uint32_t put_debug_text(BvmWriter *w, Out *o)
{
    put(o, w->debug_text, w->debug_text_bytes);
    return 0;
}

static uint32_t put_constants(BvmWriter *w, Out *o)
{
    uint32_t n = COUNT(w->constants.items, Item);
    uint64_t at = 0;
    for (uint32_t i = 0; i < n; i++) {
        const Item *item = &AT(w->constants.items, Item)[i];
        uint64_t start = bvm_align(at, bvm_constant_align(item->n, item->total));
        put64(o, start);
        put64(o, item->n);
        put64(o, item->total);
        if (item->n) /* all-zero constants take no room, not even padding */
            at = start + item->n;
    }
    return n;
}

static uint32_t put_data(BvmWriter *w, Out *o)
{
    uint32_t n = COUNT(w->constants.items, Item);
    uint64_t start = o->n, at = 0;
    for (uint32_t i = 0; i < n; i++) {
        const Item *item = &AT(w->constants.items, Item)[i];
        if (!item->n)
            continue;
        uint64_t to = bvm_align(at, bvm_constant_align(item->n, item->total));
        if (o->data)
            memset(o->data + start + at, 0, (size_t)(to - at));
        o->n = start + to;
        put(o, item->data, item->n);
        at = to + item->n;
    }
    return 0;
}

typedef uint32_t (*Section)(BvmWriter *w, Out *o);
static const Section sections[BVM_SECTIONS] = {
    [BVM_SECTION_STRINGS] = put_strings,
    [BVM_SECTION_TYPES] = put_types,
    [BVM_SECTION_SIGNATURES] = put_signatures,
    [BVM_SECTION_ATTRIBUTES] = put_attributes,
    [BVM_SECTION_IMPORTS] = put_imports,
    [BVM_SECTION_GLOBALS] = put_globals,
    [BVM_SECTION_FUNCTIONS] = put_functions,
    [BVM_SECTION_TILES] = put_tiles,
    [BVM_SECTION_CODE] = put_code,
    [BVM_SECTION_LINES] = put_lines,
    [BVM_SECTION_EXPORTS] = put_exports,
    [BVM_SECTION_SOURCES] = put_sources,
    [BVM_SECTION_DEBUG_OPS] = put_debug_ops,
    [BVM_SECTION_DEBUG_TEXT] = put_debug_text,
    [BVM_SECTION_CONSTANTS] = put_constants,
    [BVM_SECTION_DATA] = put_data,
};

static uint64_t section_align(unsigned kind)
{
    return kind == BVM_SECTION_DATA ? 64 : 8;
}

static int compare_probes(const void *a, const void *b)
{
    const DebugOp *x = a, *y = b;
    return x->probe != y->probe ? (x->probe < y->probe ? -1 : 1) : (x->order > y->order) - (x->order < y->order);
}

/* Ascending by probe; the first of several of one probe stays. */
static void sort_debug_ops(BvmWriter *w)
{
    DebugOp *ops = AT(w->debug_ops, DebugOp);
    uint32_t n = COUNT(w->debug_ops, DebugOp), kept = 1;
    qsort(ops, n, sizeof *ops, compare_probes);
    for (uint32_t i = 1; i < n; i++)
        if (ops[i].probe != ops[kept - 1].probe)
            ops[kept++] = ops[i];
    w->debug_ops.n = kept * sizeof *ops;
}

static const Item *string_item(const BvmWriter *w, uint32_t number)
{
    return &AT(w->strings.items, Item)[number];
}

static int compare_strings(const Item *a, const Item *b)
{
    int order = memcmp(a->data, b->data, (size_t)(a->n < b->n ? a->n : b->n));
    return order ? order : (a->n > b->n) - (a->n < b->n);
}

/* Merge sort of w->order: needs no context pointer and no more than one spare array. */
static void sort_strings(BvmWriter *w, uint32_t *spare)
{
    for (uint64_t width = 1; width < w->nused; width *= 2) {
        for (uint64_t start = 0; start < w->nused; start += 2 * width) {
            uint64_t middle = start + width < w->nused ? start + width : w->nused;
            uint64_t end = start + 2 * width < w->nused ? start + 2 * width : w->nused;
            uint64_t i = start, j = middle;
            for (uint64_t k = start; k < end; k++) {
                bool left =
                    j == end || (i < middle && compare_strings(string_item(w, w->order[i]), string_item(w, w->order[j])) <= 0);
                spare[k] = w->order[left ? i++ : j++];
            }
        }
        memcpy(w->order, spare, w->nused * sizeof *spare);
    }
}

/* Gives the used strings their numbers of the file. */
static void number_strings(BvmWriter *w)
{
    uint32_t n = COUNT(w->strings.items, Item);
    w->order = bvm_arena_array(&w->arena, n, sizeof *w->order);
    uint32_t *spare = bvm_arena_array(&w->arena, n, sizeof *spare);
    uint32_t *number = bvm_arena_array(&w->arena, n, sizeof *number);
    if (!w->order || !spare || !number) {
        no_memory(w);
        return;
    }
    for (uint32_t i = 0; i < n; i++)
        if (w->used[i])
            w->order[w->nused++] = i;
    sort_strings(w, spare);
    for (uint32_t i = 0; i < w->nused; i++)
        number[w->order[i]] = i;
    w->number = number;
}

/* Numbers signatures in the order of imports and exports, types in that of the signatures: the file does not show in
   which order they were asked for. */
static void number_signatures(BvmWriter *w)
{
    uint32_t nsignatures = COUNT(w->signatures.items, Item), ntypes = COUNT(w->types.items, Item), done = 0, types_done = 0;
    w->signature_number = bvm_arena_array(&w->arena, nsignatures, sizeof(uint32_t));
    w->signature_order = bvm_arena_array(&w->arena, nsignatures, sizeof(uint32_t));
    w->type_number = bvm_arena_array(&w->arena, ntypes, sizeof(uint32_t));
    w->type_order = bvm_arena_array(&w->arena, ntypes, sizeof(uint32_t));
    if (!w->signature_number || !w->signature_order || !w->type_number || !w->type_order) {
        no_memory(w);
        return;
    }
    memset(w->signature_number, 0xFF, nsignatures * sizeof(uint32_t));
    memset(w->type_number, 0xFF, ntypes * sizeof(uint32_t));
    uint32_t nimports = COUNT(w->imports, Export), nexports = COUNT(w->exports, Export);
    for (uint32_t i = 0; i < nimports + nexports; i++) {
        uint32_t s = i < nimports ? AT(w->imports, Export)[i].signature : AT(w->exports, Export)[i - nimports].signature;
        if (w->signature_number[s] != UINT32_MAX)
            continue;
        w->signature_number[s] = done;
        w->signature_order[done++] = s;
        const Item *item = &AT(w->signatures.items, Item)[s];
        const uint32_t *record = (const uint32_t *)(const void *)item->data;
        for (size_t j = 3; j < item->n / 4; j++)
            if (w->type_number[record[j]] == UINT32_MAX) {
                w->type_number[record[j]] = types_done;
                w->type_order[types_done++] = record[j];
            }
    }
}

static void compute_need(BvmWriter *w)
{
    uint32_t n = COUNT(w->functions, Function), nstrings = COUNT(w->strings.items, Item), bad = 0;
    uint64_t *own = bvm_arena_array(&w->arena, n, sizeof *own);
    uint64_t *need = bvm_arena_array(&w->arena, (size_t)n + nstrings, sizeof *need);
    uint32_t *banks = bvm_arena_array(&w->arena, n, sizeof *banks);
    uint8_t *referenced = bvm_arena_array(&w->arena, n, 1);
    if (!own || !need || !banks || !referenced) {
        no_memory(w);
        return;
    }
    for (uint32_t i = 0; i < n; i++) {
        const Function *f = &AT(w->functions, Function)[i];
        own[i] = f->body.local_bytes;
        banks[i] = f->banks;
    }
    for (uint32_t i = 0; i < n; i++) {
        const BvmFunction *f = &AT(w->functions, Function)[i].body;
        BvmInsn insn;
        for (size_t at = 0; at < f->ncode; at += bvm_decode(f->code + at, f->ncode - at, &insn, w->list_space, NULL))
            if (BVM_CODE_ROW(f->code[at]) == BVM_OP_func_ref && f->code[at + 1] < n)
                referenced[f->code[at + 1]] = 1;
    }
    BufvmStatus status = bvm_local_need(&w->allocator, n, nstrings, own, banks, referenced, AT(w->edges, BvmEdge),
                                        COUNT(w->edges, BvmEdge), need, &bad);
    if (status == BUFVM_INVALID_ARGUMENT) {
        const Item *name = bad < n ? string_item(w, AT(w->functions, Function)[bad].name) : NULL;
        w->status = bvm_fail(&w->error, status, 0, "function '%.*s' calls itself, directly or not, and has local memory",
                             name ? (int)(name->n < 200 ? name->n : 200) : 0, name ? (const char *)name->data : "");
    } else if (status != BUFVM_OK) {
        fail(w, status, "local memory of the functions cannot be computed");
    }
    w->need = need;
}

/* Both passes: the header and the table behind it, then every section that has bytes. */
static void layout(BvmWriter *w, Out *o, bool with_strings)
{
    uint64_t table[BVM_SECTIONS][3] = {{0}}; /* count, offset, bytes */
    uint32_t nsections = 0;
    uint64_t sizes[BVM_SECTIONS] = {0};
    for (unsigned k = with_strings ? 1 : 2; k < BVM_SECTIONS; k++) { /* bytes are needed before offsets */
        Out measure = {NULL, 0};
        sections[k](w, &measure);
        if (w->status != BUFVM_OK)
            return;
        sizes[k] = measure.n;
        nsections += measure.n != 0;
    }
    o->n = BVM_HEADER_BYTES + BVM_ENTRY_BYTES * (uint64_t)nsections;
    for (unsigned k = with_strings ? 1 : 2; k < BVM_SECTIONS; k++) {
        if (!sizes[k])
            continue;
        pad(o, section_align(k));
        table[k][1] = o->n;
        table[k][0] = o->data ? sections[k](w, o) : 0;
        if (!o->data)
            o->n += sizes[k];
        table[k][2] = o->n - table[k][1];
    }
    if (!o->data)
        return;
    Out head = {o->data, 0};
    put(&head, BVM_MAGIC, 8);
    put_int(&head, BVM_VERSION_MAJOR, 2);
    put_int(&head, BVM_VERSION_MINOR, 2);
    put32(&head, nsections);
    put64(&head, o->n);
    for (unsigned k = 1; k < BVM_SECTIONS; k++)
        if (sizes[k]) {
            put32(&head, k);
            put32(&head, (uint32_t)table[k][0]);
            put64(&head, table[k][1]);
            put64(&head, table[k][2]);
        }
}

static void check_defined(BvmWriter *w)
{
    for (uint32_t i = 0, n = COUNT(w->functions, Function); i < n && w->status == BUFVM_OK; i++)
        if (!AT(w->functions, Function)[i].defined) {
            const Item *name = string_item(w, AT(w->functions, Function)[i].name);
            w->status = bvm_fail(&w->error, BUFVM_INVALID_ARGUMENT, 0, "function '%.*s' is declared and not defined",
                                 (int)(name->n < 200 ? name->n : 200), (const char *)name->data);
        }
}

BufvmStatus bvm_writer_finish(BvmWriter *w, void **data, size_t *size, BufvmError *error)
{
    *data = NULL;
    *size = 0;
    Out out = {NULL, 0};
    check_defined(w);
    if (w->status == BUFVM_OK) {
        w->list_space = bvm_arena_alloc(&w->arena, 65536 * sizeof *w->list_space);
        w->used = bvm_arena_array(&w->arena, COUNT(w->strings.items, Item), 1);
        if (!w->list_space || !w->used)
            no_memory(w);
    }
    if (w->status == BUFVM_OK && w->debug_ops.n)
        sort_debug_ops(w);
    if (w->status == BUFVM_OK)
        number_signatures(w);
    if (w->status == BUFVM_OK)
        layout(w, &out, false);
    if (w->status == BUFVM_OK)
        compute_need(w);
    if (w->status == BUFVM_OK)
        number_strings(w);
    if (w->status == BUFVM_OK)
        layout(w, &out, true);
    if (w->status == BUFVM_OK && out.n > SIZE_MAX)
        fail(w, BUFVM_LIMIT, "the module does not fit the address space");
    if (w->status == BUFVM_OK) {
        uint8_t *bytes = bvm_realloc(&w->allocator, NULL, 0, (size_t)out.n);
        if (bytes) {
            uint64_t total = out.n;
            out.data = bytes;
            layout(w, &out, true);
            *data = bytes;
            *size = (size_t)total;
        } else {
            no_memory(w);
        }
    }
    if (w->status != BUFVM_OK && error)
        *error = w->error;
    return w->status;
}
