/* Makes a verified module ready to run: instruction words with handler numbers and relative labels, frame
 * layouts, and which functions may reach the host.
 */
#include <inttypes.h>
#include <string.h>

#include "exec.h"
#include "fuse.h"
#include "tiles.h"

enum { MOST_IMAGE = 256 };

#define ALIGN_UP(n, to) (((n) + (to)-1) / (to) * (to))

/* Handler of a row's first element type; the others follow in ascending order of their codes. */
static void handler_bases(uint16_t *base)
{
    unsigned next = 0;
    for (unsigned row = 0; row < BVM_ROWS; row++) {
        base[row] = (uint16_t)next;
        if (bvm_ops[row].name)
            next += (unsigned)__builtin_popcount(bvm_ops[row].etypes);
    }
}

static uint16_t handler(const uint16_t *base, const BvmInsn *insn)
{
    uint32_t before = bvm_ops[insn->row].etypes & ((UINT32_C(1) << insn->etype) - 1);
    return (uint16_t)(base[insn->row] + __builtin_popcount(before));
}

/* -- frames ---------------------------------------------------------------------------------------- */

/* Words of a function's image; 0: too many for what its code can mention, or to copy at each call. */
static uint32_t image_words(const BvmFunc *fn)
{
    size_t words = (8 * (size_t)fn->nscalars + sizeof(BvmReg) * (size_t)fn->nbuffers + 31) / 32 * 4;
    words = words ? words : 4;
    return words <= MOST_IMAGE && words <= 2 * (size_t)fn->ncode + 16 ? (uint32_t)words : 0;
}

static bool all_scalars(const char *kinds, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (kinds[i] != 's')
            return false;
    return true;
}

static size_t layout(BufvmModule *module, BvmCode *code, uint64_t *tile_at)
{
    const BvmFunc *fn = code->fn;
    size_t full = 0, strip = 0;
    for (uint32_t t = 0; t < fn->ntiles; t++) {
        size_t bytes = ALIGN_UP((size_t)fn->tiles[t].capacity * bvm_elem_bytes(bvm_tile_storage(fn->tiles[t].etype)), 64);
        size_t *at = fn->tiles[t].full ? &full : &strip;
        tile_at[t] = *at;
        *at += bytes;
    }
    code->tile_at = tile_at;
    code->nscalars = fn->nscalars;
    code->nbuffers = fn->nbuffers;
    code->ntiles = fn->ntiles;
    code->nargs = fn->sig.nargs;
    code->nresults = fn->sig.nresults;
    code->full_bytes = full;
    code->buffers_at = sizeof(BvmFrame) + 8 * (size_t)fn->nscalars;
    code->tiles_at = code->buffers_at + sizeof(BvmReg) * (size_t)fn->nbuffers;
    code->lanes_at = code->tiles_at + sizeof(uint8_t *) * (size_t)fn->ntiles;
    size_t end = code->lanes_at + (full ? full + 64 : 0), image_end = sizeof(BvmFrame) + 8 * (size_t)code->image_words;
    code->frame_bytes = ALIGN_UP(end > image_end ? end : image_end, 16);
    code->price = (int64_t)(code->frame_bytes >> 6);
    code->local_own = fn->local_own;
    code->is_simple = code->image && !fn->nbuffers && !fn->ntiles && all_scalars(fn->sig.args, fn->sig.nargs) &&
                      all_scalars(fn->sig.results, fn->sig.nresults);
    if (strip > module->strip_bytes)
        module->strip_bytes = strip;
    return fn->ntiles;
}

/* -- words ----------------------------------------------------------------------------------------- */

typedef struct Edges {
    uint32_t (*pair)[2]; /* caller, callee */
    size_t n, capacity;
    uint32_t *hosts; /* functions that call imports or, conservatively, call indirectly */
    size_t nhosts;
} Edges;

static bool add_edge(const BufvmAllocator *a, Edges *e, uint32_t caller, uint32_t callee)
{
    if (e->n == e->capacity) {
        size_t capacity = e->capacity ? e->capacity * 2 : 64;
        void *grown = a->realloc(a->user, e->pair, e->capacity * sizeof *e->pair, capacity * sizeof *e->pair);
        if (!grown)
            return false;
        e->pair = grown;
        e->capacity = capacity;
    }
    e->pair[e->n][0] = caller;
    e->pair[e->n++][1] = callee;
    return true;
}

/* -- views ------------------------------------------------------------------------------------------ */

/* A t.load may leave its tile a view of the buffer when only loads write the tile, nothing is stored between each and the
   last use of what it loaded, and the tile gates no gather (what was checked must be what is used).  A t.dest may point its tile
   into a buffer when the tile is used in no other way than t.dest, one instruction that writes it, t.store. */
typedef enum TileState { TILE_IDLE, TILE_PLACED, TILE_WRITTEN } TileState;
typedef struct TileUse {
    uint32_t stores_before, strip; /* strip: of its last t.dest; where that put the tile holds in this strip alone */
    TileState state;               /* since its last t.dest */
    bool loaded, placed, bad_view, bad_dest;
} TileUse;

typedef struct Views {
    TileUse *tiles;
    uint32_t stores, strips;
    bool in_strip, looped; /* a loop inside a strip: order of the text is not order of time */
} Views;

static void note_read(const Views *v, TileUse *tile, unsigned row)
{
    bool gates = row == BVM_OP_t_gather || row == BVM_OP_t_gather_mask || row == BVM_OP_t_check_index;
    tile->bad_view |= gates || !v->in_strip || tile->stores_before != v->stores;
    tile->bad_dest |= row != BVM_OP_t_store || tile->state != TILE_WRITTEN;
    tile->state = TILE_IDLE;
}

static void note_write(Views *v, TileUse *tile, const BvmInsn *insn)
{
    bool load = insn->row == BVM_OP_t_load, dest = insn->row == BVM_OP_t_dest;
    tile->bad_view |= !load || !v->in_strip || insn->etype == BVM_I1;
    tile->bad_dest |= load || !v->in_strip || (!dest && (tile->state != TILE_PLACED || tile->strip != v->strips));
    tile->loaded |= load;
    tile->placed |= dest;
    tile->state = dest ? TILE_PLACED : TILE_WRITTEN;
    tile->strip = v->strips;
    v->stores += tile->placed && !dest;
    tile->stores_before = v->stores;
}

static void note_tiles(Views *v, const BvmInsn *insn, bool writes)
{
    unsigned field = 0;
    for (const char *k = bvm_ops[insn->row].kinds; *k; k++) {
        if (!strchr(BVM_FIELD_KINDS, *k))
            continue;
        TileUse *tile = strchr("TtA", *k) ? &v->tiles[insn->regs[field]] : NULL;
        field++;
        if (tile && !writes && *k != 'T')
            note_read(v, tile, insn->row);
        if (tile && writes && *k != 't')
            note_write(v, tile, insn);
    }
}

static void note_views(Views *v, const BvmInsn *insn)
{
    v->stores +=
        insn->row == BVM_OP_store || insn->row == BVM_OP_storex || insn->row == BVM_OP_t_store || insn->row == BVM_OP_t_store_mask;
    if (insn->row == BVM_OP_strip || insn->row == BVM_OP_strip_next)
        v->in_strip = insn->row == BVM_OP_strip;
    v->strips += insn->row == BVM_OP_strip;
    v->looped |= v->in_strip && insn->row == BVM_OP_loop;
    note_tiles(v, insn, false);
    note_tiles(v, insn, true);
}

static void mark_views(const Views *v, const BvmFunc *fn, uint64_t *out, uint16_t *list)
{
    BvmInsn insn;
    const char *why;
    for (uint32_t at = 0; at < fn->ncode && fn->ntiles && !v->looped;
         at += (uint32_t)bvm_decode(fn->code + at, fn->ncode - at, &insn, list, &why)) {
        unsigned row = BVM_CODE_ROW(fn->code[at] & 0xffff);
        uint32_t number = (uint16_t)(fn->code[at] >> 16);
        if (row != BVM_OP_t_load && row != BVM_OP_t_dest && row != BVM_OP_t_store)
            continue;
        const TileUse *tile = &v->tiles[number];
        if (!fn->tiles[number].full && (row == BVM_OP_t_load ? !tile->bad_view : tile->placed && !tile->bad_dest))
            out[at + 1] |= BVM_VIEW_BIT;
    }
}

/* -- instructions ------------------------------------------------------------------------------------ */

/* Field number k (0 is the op) of an instruction that starts at words[0]. */
static void relative_label(uint64_t *words, uint32_t at, unsigned nfields, unsigned wide)
{
    uint64_t *w = words + at + nfields / 4 + 1 + wide;
    *w = (uint64_t)((int64_t)*w - (int64_t)at);
}

/* A constant that the function's code opens with, straight into the image.  False: that is over. */
static bool into_image(BvmCode *code, const BvmInsn *insn, uint32_t nscalar_args)
{
    if (!code->image || (insn->row != BVM_OP_imm && insn->row != BVM_OP_imm16) || insn->regs[0] < nscalar_args)
        return false;
    code->image[insn->regs[0]] = insn->row == BVM_OP_imm ? insn->wide[0] : (uint64_t)(int16_t)insn->regs[1];
    return true;
}

/* -- kernels whose operands are constants ---------------------------------------------------------------- */

/* Scalar registers that keep what the image gives them. */
static void note_written(const BvmInsn *insn, bool *is_fixed)
{
    unsigned field = 0;
    for (const char *k = bvm_ops[insn->row].kinds; *k; k++) {
        if (!strchr(BVM_FIELD_KINDS, *k))
            continue;
        if (*k == 'w' || *k == 'm')
            is_fixed[insn->regs[field]] = false;
        field++;
    }
    if (insn->row == BVM_OP_call || insn->row == BVM_OP_call_import || insn->row == BVM_OP_call_indirect)
        for (uint32_t i = 0; i < insn->nlist; i++) /* results, and buffers that do no harm */
            is_fixed[insn->list[i]] = false;
}

static BufvmStatus plan_kernels(BufvmModule *module, const BvmCode *code, uint64_t *out, uint16_t *list, const bool *is_fixed,
                                BufvmError *error)
{
    const BufvmAllocator *a = &module->allocator;
    const BvmFunc *fn = code->fn;
    BvmInsn insn;
    const char *why;
    for (uint32_t at = 0, n; at < fn->ncode; at += n) {
        n = (uint32_t)bvm_decode(fn->code + at, fn->ncode - at, &insn, list, &why);
        if (insn.row != BVM_OP_kernel)
            continue;
        if (module->nplans == module->plans_room) {
            size_t room = module->plans_room * 2 + 8, bytes = sizeof *module->plans;
            BvmKernelPlan *grown = a->realloc(a->user, module->plans, module->plans_room * bytes, room * bytes);
            if (!grown)
                return bvm_error(error, BUFVM_OUT_OF_MEMORY, "out of memory: loading a module");
            module->plans = grown;
            module->plans_room = room;
        }
        if (bvm_kernel_plan(fn->code + at, list, code->image, is_fixed, &module->plans[module->nplans]))
            out[at] |= (uint64_t)++module->nplans << 16;
    }
    return BUFVM_OK;
}

static uint32_t count_scalars(const BvmBanks *sig)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < sig->nargs; i++)
        n += sig->args[i] == 's';
    return n;
}

static BufvmStatus decode_function(BufvmModule *module, uint32_t number, const uint16_t *base, uint64_t *out, uint16_t *list,
                                   Edges *edges, TileUse *tiles, BvmFuse *fuse, BufvmError *error)
{
    BvmCode *code = &module->codes[number];
    uint32_t nscalar_args = count_scalars(&module->m.functions[number].sig);
    bool opening = true, has_kernels = false, *is_fixed = (bool *)(list + 65536 + BVM_ROWS);
    memset(is_fixed, code->image != NULL, code->nscalars);
    memset(is_fixed, 0, nscalar_args);
    code->entry = out;
    fuse->nstarts = 0;
    fuse->code = module->m.functions[number].code;
    const BvmFunc *fn = &module->m.functions[number];
    bool host = false;
    Views views = {.tiles = tiles};
    if (fn->ntiles)
        memset(tiles, 0, fn->ntiles * sizeof *tiles);
    if (fn->ncode)
        memcpy(out, fn->code, fn->ncode * sizeof *out);
    for (uint32_t at = 0; at < fn->ncode;) {
        BvmInsn insn;
        const char *why = "";
        size_t n = bvm_decode(fn->code + at, fn->ncode - at, &insn, list, &why);
        if (!n)
            return bvm_error(error, BUFVM_INVALID_MODULE, "@%s: word %" PRIu32 ": %s", fn->name, at, why);
        out[at] = (out[at] & ~UINT64_C(0xffff)) | handler(base, &insn);
        unsigned fields = 0, wides = 0;
        for (const char *k = bvm_ops[insn.row].kinds; *k; k++)
            fields += strchr("wrmWbMTtAh", *k) != NULL;
        for (const char *k = bvm_ops[insn.row].kinds; *k; k++) {
            if (*k == '*' || strchr("wrmWbMTtAh", *k))
                continue;
            if (*k == 'l')
                relative_label(out, at, fields, wides);
            if (insn.row == BVM_OP_call && *k == 'f') /* as the loop wants it */
                out[at + 1] = (uintptr_t)&module->codes[insn.wide[0]];
            if (*k == 'f' && insn.row != BVM_OP_func_ref &&
                !add_edge(&module->allocator, edges, number, (uint32_t)insn.wide[wides]))
                return bvm_error(error, BUFVM_OUT_OF_MEMORY, "out of memory: loading a module");
            wides++;
        }
        note_views(&views, &insn);
        if (!module->m.ndebug_ops) /* who observes a module of -g sees its instructions one by one */
            bvm_fuse(fuse, out, at, &insn);
        if (opening && (opening = into_image(code, &insn, nscalar_args)))
            code->entry = out + at + n;
        if (!opening && code->image)
            note_written(&insn, is_fixed);
        has_kernels |= insn.row == BVM_OP_kernel;
        host |= insn.row == BVM_OP_call_import || insn.row == BVM_OP_call_indirect;
        at += (uint32_t)n;
    }
    mark_views(&views, fn, out, list);
    if (has_kernels && code->image) {
        BufvmStatus status = plan_kernels(module, code, out, list, is_fixed, error);
        if (status)
            return status;
    }
    if (host) {
        module->codes[number].may_host = true;
        edges->hosts[edges->nhosts++] = number;
    }
    return BUFVM_OK;
}

/* Spreads may_host from callees to callers; the edges are sorted by callee, so each is looked at once. */
static BufvmStatus spread_host(BufvmModule *module, Edges *e, BufvmError *error)
{
    const BufvmAllocator *a = &module->allocator;
    size_t nf = module->m.nfunctions;
    if (!e->nhosts || !e->n)
        return BUFVM_OK;
    size_t *first = bvm_mem_zalloc(a, (nf + 2) * sizeof *first);
    uint32_t *callers = bvm_mem_alloc(a, e->n * sizeof *callers);
    if (first && callers) {
        for (size_t i = 0; i < e->n; i++)
            first[e->pair[i][1] + 2]++;
        for (size_t f = 2; f < nf + 2; f++)
            first[f] += first[f - 1];
        for (size_t i = 0; i < e->n; i++)
            callers[first[e->pair[i][1] + 1]++] = e->pair[i][0];
        while (e->nhosts) {
            uint32_t f = e->hosts[--e->nhosts];
            for (size_t i = first[f]; i < first[f + 1]; i++)
                if (!module->codes[callers[i]].may_host) {
                    module->codes[callers[i]].may_host = true;
                    e->hosts[e->nhosts++] = callers[i];
                }
        }
    }
    bool ok = first && callers;
    bvm_mem_free(a, first, (nf + 2) * sizeof *first);
    bvm_mem_free(a, callers, e->n * sizeof *callers);
    return ok ? BUFVM_OK : bvm_error(error, BUFVM_OUT_OF_MEMORY, "out of memory: loading a module");
}

BufvmStatus bvm_decode_module(BufvmModule *module, BufvmError *error)
{
    const BufvmAllocator *a = &module->allocator;
    size_t nf = module->m.nfunctions;
    size_t most_tiles = 0;
    for (size_t i = 0; i < nf; i++) {
        module->nwords += module->m.functions[i].ncode;
        module->ntiles += module->m.functions[i].ntiles;
        module->nimages += image_words(&module->m.functions[i]);
        if (most_tiles < module->m.functions[i].ntiles)
            most_tiles = module->m.functions[i].ntiles;
    }
    Edges edges = {0};
    size_t list_bytes = 65536 * sizeof(uint16_t) + BVM_ROWS * sizeof(uint16_t) + 65536 * sizeof(bool);
    module->codes = bvm_mem_zalloc(a, nf * sizeof *module->codes);
    module->words = bvm_mem_alloc(a, module->nwords * sizeof *module->words);
    module->tile_at = bvm_mem_alloc(a, module->ntiles * sizeof *module->tile_at);
    module->images = bvm_mem_zalloc(a, module->nimages * sizeof *module->images);
    BvmFuse *fuse = bvm_mem_alloc(a, sizeof *fuse);
    edges.hosts = bvm_mem_alloc(a, nf * sizeof *edges.hosts);
    uint16_t *list = bvm_mem_alloc(a, list_bytes);
    TileUse *tiles = bvm_mem_alloc(a, most_tiles * sizeof *tiles);
    BufvmStatus status = BUFVM_OK;
    if (!module->codes || !module->words || !module->tile_at || !module->images || !fuse || !edges.hosts || !list || !tiles) {
        status = bvm_error(error, BUFVM_OUT_OF_MEMORY, "out of memory: loading a module");
    } else {
        uint16_t *base = list + 65536;
        uint64_t *words = module->words;
        uint64_t *tile_at = module->tile_at;
        uint64_t *images = module->images;
        handler_bases(base);
        bvm_fuse_init(fuse);
        for (uint32_t i = 0; i < nf && !status; i++) {
            module->codes[i].fn = &module->m.functions[i];
            module->codes[i].code = words;
            module->codes[i].image_words = image_words(module->codes[i].fn);
            module->codes[i].image = module->codes[i].image_words ? images : NULL;
            images += module->codes[i].image_words;
            tile_at += layout(module, &module->codes[i], tile_at);
            status = decode_function(module, i, base, words, list, &edges, tiles, fuse, error);
            words += module->m.functions[i].ncode;
        }
        if (!status)
            status = spread_host(module, &edges, error);
    }
    bvm_mem_free(a, list, list_bytes);
    bvm_mem_free(a, fuse, sizeof *fuse);
    bvm_mem_free(a, tiles, most_tiles * sizeof *tiles);
    bvm_mem_free(a, edges.hosts, nf * sizeof *edges.hosts);
    bvm_mem_free(a, edges.pair, edges.capacity * sizeof *edges.pair);
    return status;
}

void bvm_decode_free(BufvmModule *module)
{
    const BufvmAllocator *a = &module->allocator;
    bvm_mem_free(a, module->codes, module->m.nfunctions * sizeof *module->codes);
    bvm_mem_free(a, module->words, module->nwords * sizeof *module->words);
    bvm_mem_free(a, module->images, module->nimages * sizeof *module->images);
    bvm_mem_free(a, module->tile_at, module->ntiles * sizeof *module->tile_at);
    bvm_mem_free(a, module->plans, module->plans_room * sizeof *module->plans);
}
