/* The reader: parses a module file into the tables of module.h and has the code verified.
 *
 * Trusts nothing.  The layout is canonical: sections in order of kind, each at the first aligned offset behind the
 * one before it, padding zero, no byte unused, so that nothing can overlap or hide.  Every field is
 * read once from the file into memory of the module (another process may write to a mapped file); constants alone stay in
 * place.  Work and memory are linear in the file's size.
 */
#include "file.h"

typedef struct Section {
    uint32_t count;
    uint64_t offset, bytes;
} Section;

typedef struct Reader {
    BvmModule *m;
    BvmArena arena; /* the module's */
    BvmArena temporary;
    const uint8_t *file;
    uint64_t size;
    Section sections[BVM_SECTIONS];
    BufvmError *error;
    /* per type */
    BufvmType *types;
    BvmTypeExtra *extras;
    uint32_t ntypes;
    BvmFunc *functions;
} Reader;

__attribute__((format(printf, 3, 4))) static BufvmStatus invalid(Reader *r, uint64_t offset, const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return bvm_fail(r->error, BUFVM_INVALID_MODULE, offset, "invalid module: %s (at byte %llu)", text, (unsigned long long)offset);
}

static BufvmStatus no_memory(Reader *r)
{
    return bvm_fail(r->error, BUFVM_OUT_OF_MEMORY, 0, "out of memory while loading a module");
}

static const uint8_t *section_data(const Reader *r, unsigned kind)
{
    return r->file + r->sections[kind].offset;
}

/* Checks that the section is `count` records of `record` bytes. */
static BufvmStatus check_records(Reader *r, unsigned kind, uint64_t record)
{
    const Section *s = &r->sections[kind];
    if (s->bytes != s->count * record)
        return invalid(r, s->offset, "section %u has %llu bytes, which are not %u records of %llu bytes", kind,
                       (unsigned long long)s->bytes, s->count, (unsigned long long)record);
    return BUFVM_OK;
}

static bool zero_bytes(const uint8_t *p, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++)
        if (p[i])
            return false;
    return true;
}

/* -- header and section table ------------------------------------------------------ */

static BufvmStatus read_table(Reader *r, uint32_t nsections)
{
    uint64_t end = BVM_HEADER_BYTES + BVM_ENTRY_BYTES * (uint64_t)nsections;
    if (end > r->size)
        return invalid(r, 12, "the section table is cut off");
    uint32_t last_kind = 0;
    for (uint32_t i = 0; i < nsections; i++) {
        uint64_t entry = BVM_HEADER_BYTES + BVM_ENTRY_BYTES * (uint64_t)i;
        const uint8_t *p = r->file + entry;
        uint32_t kind = bvm_get32(p);
        Section s = {bvm_get32(p + 4), bvm_get64(p + 8), bvm_get64(p + 16)};
        if (kind <= last_kind)
            return invalid(r, entry, "section kinds do not ascend");
        if (kind >= BVM_SECTIONS && r->m->minor <= BVM_VERSION_MINOR)
            return invalid(r, entry, "unknown section kind %u", kind);
        uint64_t start = bvm_align(end, kind >= BVM_SECTION_DATA ? 64 : 8);
        if (s.offset != start)
            return invalid(r, entry + 8, "section %u does not start at byte %llu", kind, (unsigned long long)start);
        if (s.bytes == 0 || start > r->size || s.bytes > r->size - start)
            return invalid(r, entry + 16, "section %u is empty or reaches past the end of the file", kind);
        if (!zero_bytes(r->file + end, start - end))
            return invalid(r, end, "padding before section %u is not zero", kind);
        if (kind < BVM_SECTIONS)
            r->sections[kind] = s;
        last_kind = kind;
        end = start + s.bytes;
    }
    if (end != r->size)
        return invalid(r, end, "the file goes on behind its last section");
    return BUFVM_OK;
}

static BufvmStatus read_header(Reader *r)
{
    static const uint8_t magic[8] = BVM_MAGIC;
    if (r->size < BVM_HEADER_BYTES || memcmp(r->file, magic, sizeof magic) != 0)
        return invalid(r, 0, "this is not a bufvm module");
    r->m->major = bvm_get16(r->file + 8);
    r->m->minor = bvm_get16(r->file + 10);
    if (r->m->major != BVM_VERSION_MAJOR)
        return bvm_fail(r->error, BUFVM_VERSION, 8, "the module has format version %u.%u, this library reads version %u.%u",
                        r->m->major, r->m->minor, BVM_VERSION_MAJOR, BVM_VERSION_MINOR);
    uint32_t nsections = bvm_get32(r->file + 12);
    uint64_t size = bvm_get64(r->file + 16);
    if (size != r->size)
        return invalid(r, 16, "the file should have %llu bytes and has %llu", (unsigned long long)size,
                       (unsigned long long)r->size);
    return read_table(r, nsections);
}

/* -- strings -------------------------------------------------------------------------- */

static BufvmStatus read_strings(Reader *r)
{
    const Section *s = &r->sections[BVM_SECTION_STRINGS];
    uint32_t n = s->count;
    if (n > s->bytes / 5)
        return invalid(r, s->offset, "%u strings do not fit their section", n);
    const uint8_t *ends = section_data(r, BVM_SECTION_STRINGS);
    uint64_t blob_n = s->bytes - 4 * (uint64_t)n;
    char *blob = bvm_arena_alloc(&r->arena, (size_t)blob_n);
    BvmText *strings = bvm_arena_array(&r->arena, n, sizeof *strings);
    uint32_t *exports = bvm_arena_array(&r->arena, n, sizeof *exports);
    if (!blob || !strings || !exports)
        return no_memory(r);
    memcpy(blob, ends + 4 * (uint64_t)n, (size_t)blob_n);
    memset(exports, 0xFF, n * sizeof *exports);
    uint64_t start = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint64_t end = bvm_get32(ends + 4 * (uint64_t)i);
        if (end < start || end >= blob_n)
            return invalid(r, s->offset + 4 * (uint64_t)i, "string %u ends outside of its section", i);
        if (blob[end])
            return invalid(r, s->offset + 4 * (uint64_t)n + end, "string %u has no terminator", i);
        uint32_t length = (uint32_t)(end - start);
        strings[i] = (BvmText){blob + start, length, memchr(blob + start, 0, length) != NULL};
        if (i) {
            const BvmText *before = &strings[i - 1];
            int order = memcmp(before->text, blob + start, before->n < length ? before->n : length);
            if (order > 0 || (order == 0 && before->n >= length))
                return invalid(r, s->offset + 4 * (uint64_t)i, "strings are not sorted and distinct at string %u", i);
        }
        start = end + 1;
    }
    if (start != blob_n)
        return invalid(r, s->offset + 4 * (uint64_t)n + start, "bytes behind the last string");
    r->m->strings = strings;
    r->m->nstrings = n;
    r->m->export_of_string = exports;
    return BUFVM_OK;
}

static BufvmStatus check_string(Reader *r, uint64_t offset, uint32_t number)
{
    return number < r->m->nstrings ? BUFVM_OK : invalid(r, offset, "string number %u is out of range", number);
}

/* A name: no NUL inside; if `taken` is given, unique among those that share it. */
static BufvmStatus check_name(Reader *r, uint64_t offset, uint32_t number, uint8_t *taken)
{
    BufvmStatus status = check_string(r, offset, number);
    if (status != BUFVM_OK)
        return status;
    if (r->m->strings[number].has_nul)
        return invalid(r, offset, "a name has a NUL in it");
    if (taken && taken[number]++)
        return invalid(r, offset, "the name '%.200s' is used twice", r->m->strings[number].text);
    return BUFVM_OK;
}

#define TRY(call)                                                                                                                  \
    do {                                                                                                                           \
        BufvmStatus status_ = (call);                                                                                              \
        if (status_ != BUFVM_OK)                                                                                                   \
            return status_;                                                                                                        \
    } while (0)

/* -- types and signatures --------------------------------------------------------------- */

static BufvmStatus read_dims(Reader *r, uint64_t offset, uint32_t rank, bool strides, int64_t *out)
{
    for (uint32_t k = 0; k < rank; k++, offset += 8) {
        out[k] = (int64_t)bvm_get64(r->file + offset);
        if (!strides && out[k] < -1)
            return invalid(r, offset, "a dimension is negative");
    }
    return BUFVM_OK;
}

/* Of a row-major view; 0: a size is not known or is 0, or they overflow. */
static uint64_t plain_bytes(unsigned etype, uint32_t rank, const int64_t *dims)
{
    uint64_t bytes = bvm_elem_bytes(etype);
    for (uint32_t i = 0; i < rank; i++)
        if (dims[i] <= 0 || __builtin_mul_overflow(bytes, (uint64_t)dims[i], &bytes))
            return 0;
    return bytes <= INT64_MAX ? bytes : 0;
}

static BufvmStatus read_types(Reader *r)
{
    const Section *s = &r->sections[BVM_SECTION_TYPES];
    uint64_t at = s->offset, end = s->offset + s->bytes;
    if (s->count > s->bytes / BVM_TYPE_BYTES)
        return invalid(r, s->offset, "%u types do not fit their section", s->count);
    r->types = bvm_arena_array(&r->temporary, s->count, sizeof *r->types);
    r->extras = bvm_arena_array(&r->temporary, s->count, sizeof *r->extras);
    if (!r->types || !r->extras)
        return no_memory(r);
    for (uint32_t i = 0; i < s->count; i++) {
        if (end - at < BVM_TYPE_BYTES)
            return invalid(r, at, "type %u is cut off", i);
        const uint8_t *p = r->file + at;
        uint8_t kind = p[0], etype = p[1], flags = p[2];
        uint32_t rank = bvm_get32(p + 4), written = bvm_get32(p + 8);
        int64_t offset = (int64_t)bvm_get64(p + 16);
        if ((kind != 's' && kind != 'v' && kind != 'u') || !bvm_elem_name(etype) || p[3] || bvm_get32(p + 12) || (flags & ~3u))
            return invalid(r, at, "type %u has an unknown kind, element type or flag", i);
        if (kind != 'v' && (rank || offset || (flags & BVM_TYPE_STRIDES)))
            return invalid(r, at, "type %u has dimensions, which only ranked views have", i);
        if (kind == 's' && (flags & BVM_TYPE_MEMREF))
            return invalid(r, at + 2, "type %u is a scalar and a memref", i);
        if (rank > BUFVM_MAX_RANK || ((flags & BVM_TYPE_STRIDES) && !rank))
            return invalid(r, at + 4, "type %u has rank %u", i, rank);
        if (offset < -1)
            return invalid(r, at + 16, "type %u has a negative offset", i);
        TRY(check_name(r, at + 8, written, NULL));
        bool strides = (flags & BVM_TYPE_STRIDES) != 0;
        uint64_t n = 8 * (uint64_t)rank;
        at += BVM_TYPE_BYTES;
        if ((strides ? 2 * n : n) > end - at)
            return invalid(r, at, "the dimensions of type %u are cut off", i);
        int64_t *dims = bvm_arena_alloc(&r->arena, (size_t)(strides ? 2 * n : n));
        if (!dims)
            return no_memory(r);
        TRY(read_dims(r, at, rank, false, dims));
        at += n;
        if (strides) {
            TRY(read_dims(r, at, rank, true, dims + rank));
            at += n;
        }
        r->types[i] = (BufvmType){
            .kind = kind == 's'   ? BUFVM_SCALAR
                    : kind == 'v' ? BUFVM_VIEW
                                  : BUFVM_NOTHING,
            .elem = etype,
            .is_memref = (flags & BVM_TYPE_MEMREF) != 0,
            .rank = rank,
            .dims = dims,
            .written = r->m->strings[written].text,
        };
        bool plain = kind == 'v' && !offset && !strides;
        r->extras[i] = (BvmTypeExtra){offset, strides ? dims + rank : NULL, plain ? plain_bytes(etype, rank, dims) : 0};
    }
    if (at != end)
        return invalid(r, at, "bytes behind the last type");
    r->ntypes = s->count;
    return BUFVM_OK;
}

/* Compares `text` with the banks of a type; *at moves behind them. */
static bool match_banks(const BvmText *text, uint32_t *at, const BufvmType *type, const BvmTypeExtra *extra)
{
    uint32_t buffers = type->kind == BUFVM_VIEW ? 1 : type->kind == BUFVM_NOTHING ? 2 : 0, slots = 0;
    if (type->kind == BUFVM_SCALAR)
        slots = bvm_elem_class(type->elem) == 'C' ? 2 : 1;
    if (type->kind == BUFVM_VIEW) {
        slots = extra->offset == -1;
        for (uint32_t i = 0; i < type->rank; i++)
            slots += (type->dims[i] == -1) + (uint32_t)(extra->strides && extra->strides[i] == BVM_DYNAMIC_STRIDE);
    }
    if (text->n - *at < buffers + slots)
        return false;
    for (uint32_t i = 0; i < buffers + slots; i++)
        if (text->text[(*at)++] != (i < buffers ? 'b' : 's'))
            return false;
    return true;
}

static bool match_signature(const BvmText *text, const BvmSignature *sig)
{
    uint32_t at = 0;
    for (uint32_t i = 0; i < sig->nargs; i++)
        if (!match_banks(text, &at, &sig->args[i], &sig->args_extra[i]))
            return false;
    if (at == text->n || text->text[at++] != ':')
        return false;
    for (uint32_t i = 0; i < sig->nresults; i++)
        if (!match_banks(text, &at, &sig->results[i], &sig->results_extra[i]))
            return false;
    return at == text->n;
}

static BufvmStatus read_signatures(Reader *r)
{
    const Section *s = &r->sections[BVM_SECTION_SIGNATURES];
    uint64_t at = s->offset, end = s->offset + s->bytes;
    if (s->count > s->bytes / 12)
        return invalid(r, s->offset, "%u signatures do not fit their section", s->count);
    BvmSignature *signatures = bvm_arena_array(&r->arena, s->count, sizeof *signatures);
    if (!signatures)
        return no_memory(r);
    for (uint32_t i = 0; i < s->count; i++) {
        if (end - at < 12)
            return invalid(r, at, "signature %u is cut off", i);
        BvmSignature *sig = &signatures[i];
        uint64_t start = at;
        sig->nargs = bvm_get32(r->file + at);
        sig->nresults = bvm_get32(r->file + at + 4);
        sig->banks = bvm_get32(r->file + at + 8);
        TRY(check_string(r, at + 8, sig->banks));
        at += 12;
        uint64_t total = (uint64_t)sig->nargs + sig->nresults;
        if (total > (end - at) / 4)
            return invalid(r, start, "the types of signature %u are cut off", i);
        BufvmType *types = bvm_arena_alloc(&r->arena, (size_t)total * sizeof *types);
        BvmTypeExtra *extras = bvm_arena_alloc(&r->arena, (size_t)total * sizeof *extras);
        if (!types || !extras)
            return no_memory(r);
        for (uint64_t k = 0; k < total; k++, at += 4) {
            uint32_t type = bvm_get32(r->file + at);
            if (type >= r->ntypes)
                return invalid(r, at, "type number %u is out of range", type);
            types[k] = r->types[type];
            extras[k] = r->extras[type];
        }
        sig->args = types;
        sig->results = types + sig->nargs;
        sig->args_extra = extras;
        sig->results_extra = extras + sig->nargs;
        if (!match_signature(&r->m->strings[sig->banks], sig))
            return invalid(r, start, "signature %u does not have the banks that its types ask for", i);
    }
    if (at != end)
        return invalid(r, at, "bytes behind the last signature");
    r->m->signatures = signatures;
    r->m->nsignatures = s->count;
    return BUFVM_OK;
}

static BufvmSignature api_signature(const Reader *r, uint32_t name, uint32_t signature)
{
    const BvmSignature *sig = &r->m->signatures[signature];
    return (BufvmSignature){r->m->strings[name].text, sig->nargs, sig->nresults, sig->args, sig->results, 0};
}

/* -- the tables of fixed records ------------------------------------------------------------ */

static uint8_t *name_marks(Reader *r)
{
    return bvm_arena_array(&r->temporary, r->m->nstrings, 1);
}

static BufvmStatus read_attributes(Reader *r)
{
    TRY(check_records(r, BVM_SECTION_ATTRIBUTES, BVM_ATTRIBUTE_BYTES));
    uint32_t n = r->sections[BVM_SECTION_ATTRIBUTES].count;
    BvmText(*attributes)[2] = bvm_arena_array(&r->arena, n, sizeof *attributes);
    uint8_t *taken = name_marks(r);
    if (!attributes || !taken)
        return no_memory(r);
    uint64_t at = r->sections[BVM_SECTION_ATTRIBUTES].offset;
    for (uint32_t i = 0; i < n; i++, at += BVM_ATTRIBUTE_BYTES) {
        uint32_t key = bvm_get32(r->file + at), value = bvm_get32(r->file + at + 4);
        TRY(check_name(r, at, key, taken));
        TRY(check_name(r, at + 4, value, NULL));
        attributes[i][0] = r->m->strings[key];
        attributes[i][1] = r->m->strings[value];
    }
    r->m->attributes = (const BvmText(*)[2])attributes;
    r->m->nattributes = n;
    return BUFVM_OK;
}

static BufvmStatus read_imports(Reader *r)
{
    TRY(check_records(r, BVM_SECTION_IMPORTS, BVM_IMPORT_BYTES));
    uint32_t n = r->sections[BVM_SECTION_IMPORTS].count;
    BvmImport *imports = bvm_arena_array(&r->arena, n, sizeof *imports);
    if (!imports)
        return no_memory(r);
    uint64_t at = r->sections[BVM_SECTION_IMPORTS].offset;
    for (uint32_t i = 0; i < n; i++, at += BVM_IMPORT_BYTES) {
        uint32_t name = bvm_get32(r->file + at), signature = bvm_get32(r->file + at + 4);
        TRY(check_name(r, at, name, NULL));
        if (signature >= r->m->nsignatures)
            return invalid(r, at + 4, "signature number %u is out of range", signature);
        imports[i] = (BvmImport){api_signature(r, name, signature), signature};
    }
    r->m->imports = imports;
    r->m->nimports = n;
    return BUFVM_OK;
}

static BufvmStatus read_constants(Reader *r)
{
    TRY(check_records(r, BVM_SECTION_CONSTANTS, BVM_CONSTANT_BYTES));
    const Section *data = &r->sections[BVM_SECTION_DATA];
    uint32_t n = r->sections[BVM_SECTION_CONSTANTS].count;
    BvmConstant *constants = bvm_arena_array(&r->arena, n, sizeof *constants);
    if (!constants)
        return no_memory(r);
    uint64_t at = r->sections[BVM_SECTION_CONSTANTS].offset, end = 0;
    for (uint32_t i = 0; i < n; i++, at += BVM_CONSTANT_BYTES) {
        uint64_t offset = bvm_get64(r->file + at), stored = bvm_get64(r->file + at + 8), bytes = bvm_get64(r->file + at + 16);
        bool splat = stored < bytes && stored <= 16 && !(stored & (stored - 1)) && (stored == 0 || bytes % stored == 0);
        if (bytes > INT64_MAX || !(splat || (stored == bytes && bytes)))
            if (stored || bytes)
                return invalid(r, at + 8, "constant %u stores %llu of %llu bytes", i, (unsigned long long)stored,
                               (unsigned long long)bytes);
        uint64_t start = bvm_align(end, bvm_constant_align(stored, bytes));
        if (offset != start)
            return invalid(r, at, "constant %u does not start at byte %llu of its section", i, (unsigned long long)start);
        if (stored && (start > data->bytes || stored > data->bytes - start))
            return invalid(r, at + 8, "constant %u reaches past its section", i);
        if (stored && !zero_bytes(section_data(r, BVM_SECTION_DATA) + end, start - end))
            return invalid(r, data->offset + end, "padding before constant %u is not zero", i);
        constants[i] = (BvmConstant){stored ? section_data(r, BVM_SECTION_DATA) + start : NULL, stored, bytes};
        end = stored ? start + stored : end;
    }
    if (end != data->bytes)
        return invalid(r, data->offset + end, "bytes behind the last constant");
    if (data->count)
        return invalid(r, data->offset, "the data section has a count");
    r->m->constants = constants;
    r->m->nconstants = n;
    return BUFVM_OK;
}

static BufvmStatus read_globals(Reader *r)
{
    TRY(check_records(r, BVM_SECTION_GLOBALS, BVM_GLOBAL_BYTES));
    uint32_t n = r->sections[BVM_SECTION_GLOBALS].count;
    BvmGlobal *globals = bvm_arena_array(&r->arena, n, sizeof *globals);
    uint8_t *taken = name_marks(r);
    if (!globals || !taken)
        return no_memory(r);
    uint64_t at = r->sections[BVM_SECTION_GLOBALS].offset;
    for (uint32_t i = 0; i < n; i++, at += BVM_GLOBAL_BYTES) {
        const uint8_t *p = r->file + at;
        uint32_t name = bvm_get32(p), flags = bvm_get32(p + 4), align = bvm_get32(p + 8), constant = bvm_get32(p + 12);
        uint64_t bytes = bvm_get64(p + 16);
        TRY(check_name(r, at, name, taken));
        if (flags & ~(BVM_GLOBAL_READ_ONLY | BVM_GLOBAL_INITIAL))
            return invalid(r, at + 4, "global %u has an unknown flag", i);
        if (align == 0 || (align & (align - 1)) || align > BVM_MAX_ALIGN)
            return invalid(r, at + 8, "global %u has alignment %u", i, align);
        bool initial = (flags & BVM_GLOBAL_INITIAL) != 0;
        if (initial ? constant >= r->m->nconstants || r->m->constants[constant].bytes != bytes : constant != 0)
            return invalid(r, at + 12, "the initial constant of global %u is missing or has another size", i);
        if (bytes > INT64_MAX)
            return invalid(r, at + 16, "global %u is too large", i);
        globals[i] = (BvmGlobal){r->m->strings[name].text, bytes, align, initial ? (int64_t)constant : -1,
                                 (flags & BVM_GLOBAL_READ_ONLY) != 0};
    }
    r->m->globals = globals;
    r->m->nglobals = n;
    return BUFVM_OK;
}

/* Sizes are taken from the sections of tiles, code and lines in order. */
typedef struct Slices {
    BvmTileDecl *tiles;
    uint64_t *code;
    BvmLine *lines;
    uint64_t ntiles, ncode, nlines; /* left */
} Slices;

static BufvmStatus read_function(Reader *r, uint64_t at, uint32_t i, BvmFunc *f, Slices *slices)
{
    const uint8_t *p = r->file + at;
    f->banks = bvm_get32(p + 4);
    f->nscalars = bvm_get32(p + 8);
    f->nbuffers = bvm_get32(p + 12);
    f->ntiles = bvm_get32(p + 16);
    f->ncode = bvm_get32(p + 20);
    f->nlines = bvm_get32(p + 24);
    f->local_own = bvm_get64(p + 32);
    f->local_need = bvm_get64(p + 40);
    if (bvm_get32(p + 28))
        return invalid(r, at + 28, "a reserved field of function %u is not zero", i);
    if (f->nscalars > BVM_MAX_REGISTERS || f->nbuffers > BVM_MAX_REGISTERS || f->ntiles > BVM_MAX_REGISTERS)
        return invalid(r, at + 8, "function %u has more than %u registers of a bank", i, BVM_MAX_REGISTERS);
    if (f->nscalars < f->sig.scalar_args || f->nbuffers < f->sig.buffer_args)
        return invalid(r, at + 8, "function %u has fewer registers than arguments", i);
    if (f->ntiles > slices->ntiles || f->ncode > slices->ncode || f->nlines > slices->nlines)
        return invalid(r, at + 16, "function %u has more tiles, code or lines than the sections hold", i);
    if (f->local_own > BVM_MAX_LOCAL || f->local_own % 64)
        return invalid(r, at + 32, "function %u has %llu bytes of local memory", i, (unsigned long long)f->local_own);
    f->tiles = slices->tiles;
    f->code = slices->code;
    f->lines = slices->lines;
    slices->tiles += f->ntiles;
    slices->code += f->ncode;
    slices->lines += f->nlines;
    slices->ntiles -= f->ntiles;
    slices->ncode -= f->ncode;
    slices->nlines -= f->nlines;
    for (uint32_t k = 0; k < f->ntiles; k++)
        f->tile_bytes += bvm_align((uint64_t)f->tiles[k].capacity * bvm_elem_bytes(f->tiles[k].etype), 64);
    return BUFVM_OK;
}

static BufvmStatus read_tiles(Reader *r, BvmTileDecl *tiles, uint32_t n)
{
    uint64_t at = r->sections[BVM_SECTION_TILES].offset;
    for (uint32_t i = 0; i < n; i++, at += BVM_TILE_BYTES) {
        uint32_t word = bvm_get32(r->file + at);
        tiles[i] = (BvmTileDecl){.etype = (uint8_t)word, .capacity = (uint16_t)(word >> 16), .full = (word >> 8 & 0xFF) == 1};
        char class = bvm_elem_class(tiles[i].etype);
        if (!class || class == 'C' || (word >> 8 & 0xFF) > 1 || tiles[i].capacity == 0)
            return invalid(r, at, "tile %u has an unknown element type or flag, or no lanes", i);
    }
    return BUFVM_OK;
}

static BufvmStatus read_slices(Reader *r, Slices *slices)
{
    TRY(check_records(r, BVM_SECTION_TILES, BVM_TILE_BYTES));
    TRY(check_records(r, BVM_SECTION_CODE, 8));
    TRY(check_records(r, BVM_SECTION_LINES, BVM_LINE_BYTES));
    uint32_t ntiles = r->sections[BVM_SECTION_TILES].count, ncode = r->sections[BVM_SECTION_CODE].count;
    uint32_t nlines = r->sections[BVM_SECTION_LINES].count;
    slices->tiles = bvm_arena_array(&r->arena, ntiles, sizeof *slices->tiles);
    slices->code = bvm_arena_array(&r->arena, ncode, sizeof *slices->code);
    slices->lines = bvm_arena_array(&r->arena, nlines, sizeof *slices->lines);
    if (!slices->tiles || !slices->code || !slices->lines)
        return no_memory(r);
    TRY(read_tiles(r, slices->tiles, ntiles));
    const uint8_t *code = section_data(r, BVM_SECTION_CODE), *lines = section_data(r, BVM_SECTION_LINES);
    for (uint64_t i = 0; i < ncode; i++)
        slices->code[i] = bvm_get64(code + 8 * i);
    for (uint64_t i = 0; i < nlines; i++, lines += BVM_LINE_BYTES)
        slices->lines[i] = (BvmLine){bvm_get32(lines), bvm_get32(lines + 4), bvm_get32(lines + 8)};
    slices->ntiles = ntiles;
    slices->ncode = ncode;
    slices->nlines = nlines;
    return BUFVM_OK;
}

static BufvmStatus read_functions(Reader *r)
{
    Slices slices = {0};
    TRY(read_slices(r, &slices));
    TRY(check_records(r, BVM_SECTION_FUNCTIONS, BVM_FUNCTION_BYTES));
    uint32_t n = r->sections[BVM_SECTION_FUNCTIONS].count;
    BvmFunc *functions = bvm_arena_array(&r->arena, n, sizeof *functions);
    uint8_t *taken = name_marks(r);
    uint32_t *same_banks =
        bvm_arena_array(&r->temporary, r->m->nstrings, sizeof *same_banks); /* a function + 1: each banks text is parsed once */
    if (!functions || !taken || !same_banks)
        return no_memory(r);
    uint64_t at = r->sections[BVM_SECTION_FUNCTIONS].offset;
    for (uint32_t i = 0; i < n; i++, at += BVM_FUNCTION_BYTES) {
        uint32_t name = bvm_get32(r->file + at), banks = bvm_get32(r->file + at + 4);
        TRY(check_name(r, at, name, taken));
        TRY(check_string(r, at + 4, banks));
        functions[i].name = r->m->strings[name].text;
        if (same_banks[banks])
            functions[i].sig = functions[same_banks[banks] - 1].sig;
        else if (!bvm_banks_parse(r->m->strings[banks].text, r->m->strings[banks].n, &functions[i].sig))
            return invalid(r, at + 4, "function %u has no valid banks", i);
        same_banks[banks] = i + 1;
        TRY(read_function(r, at, i, &functions[i], &slices));
        if (functions[i].banks != banks) /* the file changed between two looks */
            return invalid(r, at + 4, "function %u has no valid banks", i);
    }
    if (slices.ntiles || slices.ncode || slices.nlines)
        return invalid(r, r->sections[BVM_SECTION_FUNCTIONS].offset, "tiles, code or lines that belong to no function");
    r->functions = functions;
    r->m->functions = functions;
    r->m->nfunctions = n;
    return BUFVM_OK;
}

static BufvmStatus read_exports(Reader *r)
{
    TRY(check_records(r, BVM_SECTION_EXPORTS, BVM_EXPORT_BYTES));
    uint32_t n = r->sections[BVM_SECTION_EXPORTS].count;
    BvmExport *exports = bvm_arena_array(&r->arena, n, sizeof *exports);
    uint8_t *taken = name_marks(r);
    if (!exports || !taken)
        return no_memory(r);
    uint32_t *of_string = (uint32_t *)r->m->export_of_string;
    uint64_t at = r->sections[BVM_SECTION_EXPORTS].offset;
    for (uint32_t i = 0; i < n; i++, at += BVM_EXPORT_BYTES) {
        uint32_t name = bvm_get32(r->file + at), function = bvm_get32(r->file + at + 4), signature = bvm_get32(r->file + at + 8);
        TRY(check_name(r, at, name, taken));
        if (function >= r->m->nfunctions)
            return invalid(r, at + 4, "function number %u is out of range", function);
        if (signature >= r->m->nsignatures)
            return invalid(r, at + 8, "signature number %u is out of range", signature);
        if (r->m->signatures[signature].banks != r->m->functions[function].banks)
            return invalid(r, at + 8, "the signature of export '%.200s' does not fit its function", r->m->strings[name].text);
        exports[i] = (BvmExport){api_signature(r, name, signature), function, signature};
        of_string[name] = i;
    }
    r->m->exports = exports;
    r->m->nexports = n;
    return BUFVM_OK;
}

/* -- the -g sections --------------------------------------------------------------------------- */

static BufvmStatus read_sources(Reader *r)
{
    TRY(check_records(r, BVM_SECTION_SOURCES, BVM_SOURCE_BYTES));
    uint32_t n = r->sections[BVM_SECTION_SOURCES].count;
    const char **sources = bvm_arena_array(&r->arena, n, sizeof *sources);
    if (!sources)
        return no_memory(r);
    uint64_t at = r->sections[BVM_SECTION_SOURCES].offset;
    for (uint32_t i = 0; i < n; i++, at += BVM_SOURCE_BYTES) {
        uint32_t name = bvm_get32(r->file + at);
        TRY(check_name(r, at, name, NULL));
        sources[i] = r->m->strings[name].text;
    }
    r->m->sources = sources;
    r->m->nsources = n;
    return BUFVM_OK;
}

static BufvmStatus read_debug_ops(Reader *r)
{
    TRY(check_records(r, BVM_SECTION_DEBUG_OPS, BVM_DEBUG_OP_BYTES));
    uint32_t n = r->sections[BVM_SECTION_DEBUG_OPS].count;
    BvmDebugOp *ops = bvm_arena_array(&r->arena, n, sizeof *ops);
    if (!ops)
        return no_memory(r);
    uint64_t at = r->sections[BVM_SECTION_DEBUG_OPS].offset;
    for (uint32_t i = 0; i < n; i++, at += BVM_DEBUG_OP_BYTES) {
        const uint8_t *p = r->file + at;
        uint32_t names[3] = {bvm_get32(p + 4), bvm_get32(p + 16), bvm_get32(p + 20)};
        for (int k = 0; k < 3; k++)
            TRY(check_name(r, at + 4, names[k], NULL));
        ops[i] = (BvmDebugOp){bvm_get32(p),
                              bvm_get32(p + 8),
                              bvm_get32(p + 12),
                              r->m->strings[names[0]].text,
                              r->m->strings[names[1]].text,
                              r->m->strings[names[2]].text};
        if (i && ops[i].probe <= ops[i - 1].probe)
            return invalid(r, at, "probe numbers of the op table do not ascend");
    }
    r->m->debug_ops = ops;
    r->m->ndebug_ops = n;
    return BUFVM_OK;
}

static BufvmStatus read_debug_text(Reader *r)
{
    const Section *s = &r->sections[BVM_SECTION_DEBUG_TEXT];
    if (s->count)
        return invalid(r, s->offset, "the text section has a count");
    char *text = bvm_arena_alloc(&r->arena, (size_t)s->bytes);
    if (!text)
        return no_memory(r);
    memcpy(text, section_data(r, BVM_SECTION_DEBUG_TEXT), (size_t)s->bytes);
    r->m->debug_text = text;
    r->m->debug_text_bytes = s->bytes;
    return BUFVM_OK;
}

/* -- everything ------------------------------------------------------------------------------------ */

static BufvmStatus read_all(Reader *r)
{
    static BufvmStatus (*const parts[])(Reader *) = {
        read_header,  read_strings,   read_types,   read_signatures, read_attributes, read_imports,    read_constants,
        read_globals, read_functions, read_exports, read_sources,    read_debug_ops,  read_debug_text,
    };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        TRY(parts[i](r));
    BvmVerify verify = {r->m,
                        r->functions,
                        r->sections[BVM_SECTION_CODE].offset,
                        r->sections[BVM_SECTION_FUNCTIONS].offset,
                        r->sections[BVM_SECTION_LINES].offset,
                        r->error};
    TRY(bvm_verify(&verify));
    for (uint32_t i = 0; i < r->m->nexports; i++) {
        BvmExport *e = (BvmExport *)&r->m->exports[i];
        e->api.local_memory = r->m->functions[e->function].local_need;
    }
    return BUFVM_OK;
}

BufvmStatus bvm_module_read(const BufvmAllocator *allocator, const void *data, size_t size, uint64_t max_bytes, BvmModule *out,
                            BufvmError *error)
{
    memset(out, 0, sizeof *out);
    out->allocator = bvm_allocator_or_default(allocator);
    if (max_bytes == 0)
        max_bytes = UINT64_C(16) << 30;
    if (size > max_bytes)
        return bvm_fail(error, BUFVM_LIMIT, 0, "the module has %zu bytes, the limit is %llu", size, (unsigned long long)max_bytes);
    Reader r = {.m = out, .file = data, .size = size, .error = error};
    r.arena.allocator = r.temporary.allocator = &out->allocator;
    BufvmStatus status = read_all(&r);
    bvm_arena_free(&out->allocator, r.temporary.blocks);
    out->blocks = r.arena.blocks;
    if (status != BUFVM_OK)
        bvm_module_free(out);
    return status;
}

void bvm_module_free(BvmModule *module)
{
    BufvmAllocator allocator = module->allocator;
    if (module->blocks)
        bvm_arena_free(&allocator, module->blocks);
    memset(module, 0, sizeof *module);
}

/* -- look-ups ------------------------------------------------------------------------------------- */

bool bvm_module_find_string(const BvmModule *module, const char *text, size_t n, uint32_t *number)
{
    uint32_t low = 0, high = module->nstrings;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const BvmText *s = &module->strings[middle];
        int order = memcmp(s->text, text, s->n < n ? s->n : n);
        if (order == 0)
            order = (s->n > n) - (s->n < n);
        if (order == 0) {
            *number = middle;
            return true;
        }
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

bool bvm_module_find_export(const BvmModule *module, const char *name, uint32_t *number)
{
    uint32_t string;
    if (!bvm_module_find_string(module, name, strlen(name), &string) || module->export_of_string[string] == UINT32_MAX)
        return false;
    *number = module->export_of_string[string];
    return true;
}

const char *bvm_module_find_attribute(const BvmModule *module, const char *key)
{
    for (uint32_t i = 0; i < module->nattributes; i++)
        if (strcmp(module->attributes[i][0].text, key) == 0)
            return module->attributes[i][1].text;
    return NULL;
}

const BvmDebugOp *bvm_module_find_debug_op(const BvmModule *module, uint32_t probe)
{
    uint32_t low = 0, high = module->ndebug_ops;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (module->debug_ops[middle].probe < probe)
            low = middle + 1;
        else
            high = middle;
    }
    return low < module->ndebug_ops && module->debug_ops[low].probe == probe ? &module->debug_ops[low] : NULL;
}

bool bvm_function_line(const BvmFunc *function, uint32_t word, uint32_t *line, uint32_t *col)
{
    uint32_t low = 0, high = function->nlines; /* the first entry behind `word` */
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (function->lines[middle].word <= word)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0)
        return false;
    *line = function->lines[low - 1].line;
    *col = function->lines[low - 1].col;
    return true;
}
