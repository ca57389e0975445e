/* Doubts: registers that hold something undefined, and the instructions of the watched dispatch loop that make, move and use them.
 */
#include <inttypes.h>
#include <string.h>

#include "tiles.h"
#include "watch.h"

static BvmWatch watch_of(unsigned row)
{
    size_t fields = 0;
    switch (row) {
    case BVM_OP_load:
    case BVM_OP_store:
    case BVM_OP_loadx:
    case BVM_OP_storex:
    case BVM_OP_t_load:
    case BVM_OP_t_store:
    case BVM_OP_t_store_mask:
    case BVM_OP_t_gather:
    case BVM_OP_t_gather_mask:
    case BVM_OP_report:
    case BVM_OP_report_values:
    case BVM_OP_t_report_values:
    case BVM_OP_parallel:
    case BVM_OP_buffer_local:
        return WATCH_ALWAYS;
    case BVM_OP_strip_next:
        return WATCH_DOUBTS;
    default:
        for (const char *k = bvm_ops[row].kinds; *k; k++)
            fields += *k == '*' ? 4 : strchr(BVM_FIELD_KINDS, *k) != NULL;
        return fields > 3 ? WATCH_DOUBTS : WATCH_NAMED;
    }
}

/* Handlers stand in the order of the rows, those of a row in the order of its element types (handlers.h). */
void bvm_sanitize_table(uint8_t watch[H_COUNT])
{
    unsigned handler = 0;
    for (unsigned row = 0; row < BVM_ROWS; row++)
        for (uint32_t etypes = bvm_ops[row].name ? bvm_ops[row].etypes : 0; etypes && handler < H_COUNT; etypes &= etypes - 1)
            watch[handler++] = (uint8_t)watch_of(row);
}

typedef BvmAt At;

static uint16_t field(const At *at, unsigned k)
{
    return bvm_field(at->pc, k + 1);
}
static uint64_t slot(const At *at, unsigned k)
{
    return bvm_scalars(at->frame)[field(at, k)];
}
static const BvmReg *buffer(const At *at, unsigned k)
{
    return &bvm_buffers(at->frame)[field(at, k)];
}
static size_t lanes_of(const At *at, unsigned k)
{
    return at->frame->lanes ? (size_t)at->frame->lanes : at->frame->code->fn->tiles[field(at, k)].capacity;
}

/* -- doubts ------------------------------------------------------------------------------------------ */

static BvmDoubt *doubt_of(const At *at, const BvmFrame *frame, bool is_tile, uint32_t reg)
{
    BvmSanitizer *z = at->z;
    for (uint32_t i = 0; i < z->ndoubts; i++)
        if (z->doubts[i].reg == reg && z->doubts[i].is_tile == is_tile && z->doubts[i].frame == frame)
            return &z->doubts[i];
    return NULL;
}

static void drop_doubt(BvmWorker *worker, BvmDoubt *doubt)
{
    BvmSanitizer *z = worker->context->sanitizer;
    if (doubt->lanes)
        bvm_mem_free(&worker->context->allocator, doubt->lanes, doubt->bytes);
    z->npending -= !doubt->frame;
    *doubt = z->doubts[--z->ndoubts];
    z->named = 0;
    for (uint32_t i = 0; i < z->ndoubts; i++)
        z->named |= UINT64_C(1) << (z->doubts[i].reg & 63);
}

static void settle(const At *at, const BvmFrame *frame, bool is_tile, uint32_t reg)
{
    BvmDoubt *doubt = doubt_of(at, frame, is_tile, reg);
    if (doubt)
        drop_doubt(at->worker, doubt);
}

static void report_use(const At *at, const char *what, BvmOrigin o)
{
    char made[BVM_MADE_TEXT];
    bvm_report(at->worker, at->frame, at->pc, "uninitialized",
               "%s uses byte %" PRIu64 " of a buffer of %" PRIu64 " bytes%s, loaded at %" PRIu32 ":%" PRIu32
               ", that was never written",
               what, o.offset, o.bytes, bvm_made_text(o.made, made), o.loaded.line, o.loaded.col);
}

static BvmOrigin origin_of(const At *at, const BufvmBuffer *block, uint64_t offset)
{
    return (BvmOrigin){block->shadow->made, bvm_source_of(at->frame, at->pc), offset, block->bytes};
}

/* Room for one more; NULL: the load itself is the report. */
static BvmDoubt *add_doubt(const At *at, const BvmFrame *frame, bool is_tile, uint32_t reg, BvmOrigin origin)
{
    settle(at, frame, is_tile, reg);
    if (at->z->ndoubts == BVM_DOUBTS) {
        report_use(at, "one load of many", origin);
        return NULL;
    }
    BvmDoubt *doubt = &at->z->doubts[at->z->ndoubts++];
    *doubt = (BvmDoubt){.frame = frame, .reg = reg, .is_tile = is_tile, .origin = origin};
    at->z->npending += !frame;
    at->z->named |= UINT64_C(1) << (reg & 63);
    return doubt;
}

/* A tile of n lanes whose doubtful ones the caller marks; NULL: no memory, or too many. */
static BvmDoubt *add_tile_doubt(const At *at, uint32_t reg, size_t n, BvmOrigin origin)
{
    uint8_t *lanes = bvm_mem_zalloc(&at->worker->context->allocator, n);
    BvmDoubt *doubt = lanes ? add_doubt(at, at->frame, true, reg, origin) : NULL;
    if (!doubt) {
        bvm_mem_free(&at->worker->context->allocator, lanes, n);
        return NULL;
    }
    doubt->lanes = lanes;
    doubt->nlanes = doubt->bytes = n;
    return doubt;
}

static bool any_lane(const BvmDoubt *doubt, size_t n)
{
    return memchr(doubt->lanes, 1, n < doubt->nlanes ? n : doubt->nlanes) != NULL;
}

/* Moves what is doubtful of one register to another. */
static void move_doubt(const At *at, const BvmFrame *from_frame, uint32_t from, const BvmFrame *to_frame, uint32_t to)
{
    BvmDoubt *doubt = doubt_of(at, from_frame, false, from);
    if (from_frame == to_frame && from == to)
        return;
    if (doubt)
        add_doubt(at, to_frame, false, to, doubt->origin);
    else
        settle(at, to_frame, false, to);
}

static void move_tile_doubt(const At *at, uint32_t from, uint32_t to)
{
    const BvmDoubt *doubt = doubt_of(at, at->frame, true, from);
    if (from == to)
        return;
    if (!doubt) {
        settle(at, at->frame, true, to);
        return;
    }
    BvmOrigin origin = doubt->origin;
    size_t n = doubt->nlanes;
    BvmDoubt *copy = add_tile_doubt(at, to, n, origin);
    doubt = doubt_of(at, at->frame, true, from);
    if (copy && doubt)
        memcpy(copy->lanes, doubt->lanes, n);
}

/* Reports a scalar register in doubt, once. */
static void use_scalar(const At *at, uint32_t reg, const char *what)
{
    BvmDoubt *doubt = doubt_of(at, at->frame, false, reg);
    if (!doubt)
        return;
    report_use(at, what, doubt->origin);
    drop_doubt(at->worker, doubt);
}

static void use_tile(const At *at, unsigned k, const char *what)
{
    BvmDoubt *doubt = doubt_of(at, at->frame, true, field(at, k));
    if (!doubt || !any_lane(doubt, lanes_of(at, k)))
        return;
    report_use(at, what, doubt->origin);
    drop_doubt(at->worker, doubt);
}

static void forget_frame(const At *at, const BvmFrame *frame, bool tiles_only)
{
    for (uint32_t i = at->z->ndoubts; i-- > 0;)
        if (at->z->doubts[i].frame == frame && (at->z->doubts[i].is_tile || !tiles_only))
            drop_doubt(at->worker, &at->z->doubts[i]);
}

void bvm_watch_drop_doubts(BvmWorker *worker)
{
    BvmSanitizer *z = worker->context->sanitizer;
    while (z->ndoubts)
        drop_doubt(worker, &z->doubts[z->ndoubts - 1]);
}

/* -- memory ------------------------------------------------------------------------------------------- */

/* load, loadx, store, storex: the place, or NULL if the instruction is about to trap. */
static BufvmBuffer *scalar_place(const At *at, bool indexed, unsigned bytes, uint64_t *offset)
{
    const BvmReg *reg = buffer(at, 1);
    uint64_t index = slot(at, 2) + (indexed ? slot(at, 3) : 0);
    BufvmBuffer *block = bvm_reg_block(reg);
    if (!block || index >= reg->length / bytes)
        return NULL;
    *offset = (uint64_t)(reg->data - block->data) + index * bytes;
    return block;
}

static BufvmStatus watch_load(const At *at, bool indexed)
{
    unsigned bytes = bvm_elem_bytes(at->etype);
    uint64_t offset;
    BufvmBuffer *block = scalar_place(at, indexed, bytes, &offset);
    if (at->z->ndoubts) {
        use_scalar(at, field(at, 2), "an index");
        if (indexed)
            use_scalar(at, field(at, 3), "an index");
        settle(at, at->frame, false, field(at, 0));
    }
    if (!block)
        return BUFVM_OK;
    bvm_watch_alive(at, block, "load from");
    if (block->shadow && !bvm_bits_access(block->shadow->bits, offset, bytes))
        add_doubt(at, at->frame, false, field(at, 0), origin_of(at, block, offset));
    return bvm_watch_race(at, block, offset, bytes, false);
}

static BufvmStatus watch_store(const At *at, bool indexed)
{
    unsigned bytes = bvm_elem_bytes(at->etype);
    uint64_t offset;
    BufvmBuffer *block = scalar_place(at, indexed, bytes, &offset);
    BufvmStatus status = BUFVM_OK;
    const BvmDoubt *doubt = NULL;
    if (at->z->ndoubts) {
        use_scalar(at, field(at, 2), "an index");
        if (indexed)
            use_scalar(at, field(at, 3), "an index");
        doubt = doubt_of(at, at->frame, false, field(at, 0));
    }
    if (!block || !buffer(at, 1)->writable)
        return BUFVM_OK;
    bvm_watch_alive(at, block, "store to");
    if (doubt) {
        if ((status = bvm_watch_shadow(at, block)))
            return status;
        bvm_bits_set(block->shadow->bits, offset, bytes, false);
    } else if (block->shadow) {
        bvm_bits_mark(block->shadow->bits, offset, bytes);
    }
    return bvm_watch_race(at, block, offset, bytes, true);
}

/* -- tiles in memory ------------------------------------------------------------------------------------ */

/* Lanes of a tile that stand in memory: first + k * step. */
typedef struct Stretch {
    BufvmBuffer *block;
    const BvmReg *reg;
    uint64_t first, step, base; /* elements; base: byte of element 0 */
    size_t n;
    unsigned bytes;
} Stretch;

static bool stretch_of(const At *at, Stretch *s)
{
    *s = (Stretch){.reg = buffer(at, 1), .first = slot(at, 2), .n = lanes_of(at, 0), .bytes = bvm_elem_bytes(at->etype)};
    s->block = bvm_reg_block(s->reg);
    s->step = s->n > 1 ? slot(at, 3) : 1;
    if (at->z->ndoubts) {
        use_scalar(at, field(at, 2), "an index");
        use_scalar(at, field(at, 3), "a stride");
    }
    if (!s->block)
        return false;
    s->base = (uint64_t)(s->reg->data - s->block->data);
    uint64_t count = s->reg->length / s->bytes;
    return s->step == 1 ? s->first < count && s->n <= count - s->first : bvm_stretch_inside(s->first, s->step, s->n, count);
}

static uint64_t lane_at(const Stretch *s, size_t k)
{
    return s->base + (s->first + k * s->step) * s->bytes;
}

static bool stretch_written(const Stretch *s)
{
    const uint8_t *bits = s->block->shadow->bits;
    if (s->step == 1)
        return bvm_bits_all(bits, lane_at(s, 0), s->n * s->bytes);
    for (size_t k = 0; k < s->n; k++)
        if (!bvm_bits_access(bits, lane_at(s, k), s->bytes))
            return false;
    return true;
}

static size_t first_unwritten(const Stretch *s)
{
    size_t k = 0;
    while (k + 1 < s->n && bvm_bits_access(s->block->shadow->bits, lane_at(s, k), s->bytes))
        k++;
    return k;
}

static BufvmStatus race_stretch(const At *at, const Stretch *s, const uint8_t *mask, bool writes)
{
    if (!at->z->race)
        return BUFVM_OK;
    if (s->step == 1 && !mask)
        return bvm_watch_race(at, s->block, lane_at(s, 0), s->n * s->bytes, writes);
    BufvmStatus status = BUFVM_OK;
    for (size_t k = 0; k < s->n && !status; k++)
        if (!mask || (mask[k] & 1))
            status = bvm_watch_race(at, s->block, lane_at(s, k), s->bytes, writes);
    return status;
}

static BufvmStatus watch_tile_load(const At *at)
{
    Stretch s;
    bool inside = stretch_of(at, &s);
    settle(at, at->frame, true, field(at, 0));
    if (!inside)
        return BUFVM_OK;
    bvm_watch_alive(at, s.block, "load from");
    if (s.block->shadow && !stretch_written(&s)) {
        BvmDoubt *doubt = add_tile_doubt(at, field(at, 0), s.n, origin_of(at, s.block, lane_at(&s, first_unwritten(&s))));
        for (size_t k = 0; doubt && k < s.n; k++)
            doubt->lanes[k] = !bvm_bits_access(s.block->shadow->bits, lane_at(&s, k), s.bytes);
    }
    return race_stretch(at, &s, NULL, false);
}

static BufvmStatus watch_tile_store(const At *at, const uint8_t *mask)
{
    Stretch s;
    if (!stretch_of(at, &s) || !s.reg->writable)
        return BUFVM_OK;
    const BvmDoubt *doubt = doubt_of(at, at->frame, true, field(at, 0));
    BufvmStatus status = doubt ? bvm_watch_shadow(at, s.block) : BUFVM_OK;
    if (status)
        return status;
    bvm_watch_alive(at, s.block, "store to");
    if (s.block->shadow && !doubt && !mask && s.step == 1)
        bvm_bits_set(s.block->shadow->bits, lane_at(&s, 0), s.n * s.bytes, true);
    else
        for (size_t k = 0; s.block->shadow && k < s.n; k++)
            if (!mask || (mask[k] & 1))
                bvm_bits_set(s.block->shadow->bits, lane_at(&s, k), s.bytes, !doubt || k >= doubt->nlanes || !doubt->lanes[k]);
    return race_stretch(at, &s, mask, true);
}

static BufvmStatus watch_gather(const At *at, const uint8_t *mask)
{
    const BvmReg *reg = buffer(at, 1);
    BufvmBuffer *block = bvm_reg_block(reg);
    unsigned bytes = bvm_elem_bytes(at->etype);
    size_t n = lanes_of(at, 0);
    const uint8_t *index = bvm_tiles(at->frame)[field(at, 2)];
    BufvmStatus status = BUFVM_OK;
    use_tile(at, 2, "an index");
    if (mask)
        use_tile(at, 3, "a mask");
    settle(at, at->frame, true, field(at, 0));
    if (!block || bvm_tile_bad_index(index, mask, reg->length / bytes, n) < n)
        return BUFVM_OK;
    bvm_watch_alive(at, block, "load from");
    BvmDoubt *doubt = NULL;
    bool tried = false;
    for (size_t k = 0; k < n && !status; k++) {
        uint64_t offset = (uint64_t)(reg->data - block->data) + bvm_get64(index + 8 * k) * bytes;
        if (mask && !(mask[k] & 1))
            continue;
        if (block->shadow && !bvm_bits_access(block->shadow->bits, offset, bytes)) {
            if (!tried)
                doubt = add_tile_doubt(at, field(at, 0), n, origin_of(at, block, offset));
            tried = true;
            if (doubt)
                doubt->lanes[k] = 1;
        }
        status = bvm_watch_race(at, block, offset, bytes, false);
    }
    return status;
}

/* -- selections ------------------------------------------------------------------------------------------- */

static void watch_select(const At *at)
{
    use_scalar(at, field(at, 1), "a condition");
    move_doubt(at, at->frame, field(at, slot(at, 1) & 1 ? 2 : 3), at->frame, field(at, 0));
}

static void watch_tile_select(const At *at)
{
    use_tile(at, 1, "a condition");
    const BvmDoubt *arms[2] = {doubt_of(at, at->frame, true, field(at, 3)), doubt_of(at, at->frame, true, field(at, 2))};
    size_t n = lanes_of(at, 0);
    const BvmDoubt *any = arms[0] ? arms[0] : arms[1];
    const uint8_t *mask = bvm_tiles(at->frame)[field(at, 1)];
    if (!any) {
        settle(at, at->frame, true, field(at, 0));
        return;
    }
    uint8_t *lanes = bvm_mem_zalloc(&at->worker->context->allocator, n);
    bool some = false;
    for (size_t k = 0; lanes && k < n; k++) {
        const BvmDoubt *arm = arms[mask[k] & 1];
        lanes[k] = arm && k < arm->nlanes && arm->lanes[k];
        some |= lanes[k];
    }
    BvmDoubt *doubt = some ? add_doubt(at, at->frame, true, field(at, 0), any->origin) : NULL;
    if (doubt) {
        doubt->lanes = lanes;
        doubt->nlanes = doubt->bytes = n;
        return;
    }
    bvm_mem_free(&at->worker->context->allocator, lanes, n);
    settle(at, at->frame, true, field(at, 0));
}

/* -- calls -------------------------------------------------------------------------------------------------- */

/* Doubts of arguments wait without a frame until the callee's first instruction. */
static void watch_call(const At *at, const uint64_t *list, const BvmBanks *sig)
{
    uint32_t scalar = 0;
    for (uint32_t i = 0; i < sig->nargs; i++) {
        if (sig->args[i] != 's')
            continue;
        const BvmDoubt *doubt = doubt_of(at, at->frame, false, bvm_list(list, i));
        if (doubt)
            add_doubt(at, NULL, false, scalar, doubt->origin);
        scalar++;
    }
}

static void arrive(const At *at)
{
    for (uint32_t i = 0; i < at->z->ndoubts; i++)
        if (!at->z->doubts[i].frame)
            at->z->doubts[i].frame = at->frame;
    at->z->npending = 0;
}

static void watch_return(const At *at)
{
    const BvmFrame *up = at->frame->up;
    const BvmBanks *sig = &at->frame->code->fn->sig;
    const uint64_t *from = at->pc + 1, *list = up ? up->pc + 2 : NULL;
    for (uint32_t i = 0; i < sig->nresults; i++) {
        if (sig->results[i] != 's')
            continue;
        if (!up)
            use_scalar(at, bvm_list(from, i), "a result");
        else
            move_doubt(at, at->frame, bvm_list(from, i), up, bvm_list(list, sig->nargs + i));
    }
    forget_frame(at, at->frame, false);
}

static void use_list(const At *at, const uint64_t *list, const char *kinds, uint32_t n, const char *what)
{
    for (uint32_t i = 0; i < n; i++)
        if (kinds[i] == 's')
            use_scalar(at, bvm_list(list, i), what);
}

static void watch_import(const At *at)
{
    const BvmModule *m = &at->worker->context->module->m;
    const BvmText *banks = &m->strings[m->signatures[m->imports[at->pc[1]].signature].banks];
    BvmBanks sig;
    const uint64_t *list = at->pc + 2;
    if (!bvm_banks_parse(banks->text, banks->n, &sig))
        return;
    use_list(at, list, sig.args, sig.nargs, "an argument of a host function");
    for (uint32_t i = 0; i < sig.nresults; i++)
        if (sig.results[i] == 's')
            settle(at, at->frame, false, bvm_list(list, sig.nargs + i));
}

/* The slots of a kernel: what it fills with moves, the others lead somewhere. */
static void watch_kernel_slots(const At *at)
{
    static const char *const operands[] = {
#define KERNEL(number, name, operands, doc) [number] = operands,
#include "../kernels/kernels.def"
#undef KERNEL
    };
    unsigned number = at->pc[1] & 0xffff, rank = at->pc[1] >> 16 & 0xff;
    const uint64_t *list = at->pc + 3;
    uint32_t next = 0;
    at->z->fill_in_doubt = false;
    for (const char *k = number < sizeof operands / sizeof *operands && operands[number] ? operands[number] : ""; *k; k++) {
        if (*k == 's') {
            at->z->fill_in_doubt = doubt_of(at, at->frame, false, bvm_list(list, next++)) != NULL;
            continue;
        }
        next += *k != 'N'; /* a buffer */
        for (uint32_t i = 0; i < (*k == 'N' ? rank : rank + 1); i++)
            use_scalar(at, bvm_list(list, next++), "a size, offset or stride");
    }
}

/* -- any instruction, while there are doubts ------------------------------------------------------------------ */

static const char *use_name(unsigned row)
{
    if (row >= BVM_OP_jnz && row <= BVM_OP_switch)
        return "a branch";
    if (row == BVM_OP_assert || row == BVM_OP_t_assert)
        return "an assertion";
    if ((row >= BVM_OP_check_index && row <= BVM_OP_check_equal) || row == BVM_OP_t_check_index)
        return "an index, size or stride";
    if (row >= BVM_OP_buffer_alloc && row <= BVM_OP_buffer_same)
        return "a size or offset";
    return "arithmetic";
}

static void watch_fields(const At *at)
{
    const char *what = use_name(at->row), *kinds = bvm_ops[at->row].kinds;
    unsigned k = 0;
    for (const char *kind = kinds; *kind; kind++) {
        if (*kind == 'r' || *kind == 'm')
            use_scalar(at, field(at, k), what);
        else if (*kind == 't' || *kind == 'A')
            use_tile(at, k, what);
        k += strchr(BVM_FIELD_KINDS, *kind) != NULL;
    }
    k = 0;
    for (const char *kind = kinds; *kind; kind++) {
        if (*kind == 'w')
            settle(at, at->frame, false, field(at, k));
        else if (*kind == 'T' && at->row != BVM_OP_t_dest)
            settle(at, at->frame, true, field(at, k));
        k += strchr(BVM_FIELD_KINDS, *kind) != NULL;
    }
}

static void watch_doubts(const At *at)
{
    const BvmModule *m = &at->worker->context->module->m;
    const BvmFunc *fn = at->frame->code->fn;
    switch (at->row) {
    case BVM_OP_mov:
    case BVM_OP_sext: /* bring what was loaded to the form of its type */
    case BVM_OP_zext:
        move_doubt(at, at->frame, field(at, 1), at->frame, field(at, 0));
        break;
    case BVM_OP_select:
        watch_select(at);
        break;
    case BVM_OP_select + BVM_TILE:
        watch_tile_select(at);
        break;
    case BVM_OP_t_mov:
        move_tile_doubt(at, field(at, 1), field(at, 0));
        break;
    case BVM_OP_t_splat: {
        const BvmDoubt *of = doubt_of(at, at->frame, false, field(at, 1));
        settle(at, at->frame, true, field(at, 0));
        BvmDoubt *doubt = of ? add_tile_doubt(at, field(at, 0), lanes_of(at, 0), of->origin) : NULL;
        if (doubt)
            memset(doubt->lanes, 1, doubt->nlanes);
        break;
    }
    case BVM_OP_call:
        watch_call(at, at->pc + 2, &m->functions[fn->code[at->pc + 1 - at->frame->code->code]].sig);
        break;
    case BVM_OP_call_indirect: {
        uint64_t number = slot(at, 0);
        use_scalar(at, field(at, 0), "an indirect call");
        if (number < m->nfunctions)
            watch_call(at, at->pc + 2, &m->functions[number].sig);
        break;
    }
    case BVM_OP_call_import:
        watch_import(at);
        break;
    case BVM_OP_ret:
        watch_return(at);
        break;
    case BVM_OP_grid: {
        const BvmFunc *callee = &m->functions[at->pc[1]];
        use_scalar(at, field(at, 0), "a number of workgroups");
        use_list(at, at->pc + 2, callee->sig.args, callee->sig.nargs - 1, "an argument of a workgroup");
        break;
    }
    case BVM_OP_kernel:
        watch_kernel_slots(at);
        break;
    case BVM_OP_strip_next:
        forget_frame(at, at->frame, true); /* a strip's tiles end with its turn */
        break;
    case BVM_OP_report: /* their own words */
    case BVM_OP_report_values:
    case BVM_OP_t_report_values:
        break;
    default:
        watch_fields(at);
    }
}

static BufvmStatus watch_local(const At *at)
{
    if (at->z->race)
        bvm_race_fresh(at->z->race, &at->worker->local.block, at->frame->local_base + at->pc[1], at->pc[2]);
    return BUFVM_OK;
}

BufvmStatus bvm_sanitize(BvmWorker *worker, BvmFrame *frame, const uint64_t *pc)
{
    unsigned code = frame->code->fn->code[pc - frame->code->code] & 0xffff;
    At at = {worker, worker->context->sanitizer, frame, pc, BVM_CODE_ROW(code), BVM_CODE_ETYPE(code)};
    if (at.z->npending)
        arrive(&at);
    uint8_t **tiles = bvm_tiles(frame);
    switch (at.row) {
    case BVM_OP_load:
    case BVM_OP_loadx:
        return watch_load(&at, at.row == BVM_OP_loadx);
    case BVM_OP_store:
    case BVM_OP_storex:
        return watch_store(&at, at.row == BVM_OP_storex);
    case BVM_OP_t_load:
        return watch_tile_load(&at);
    case BVM_OP_t_store:
        return watch_tile_store(&at, NULL);
    case BVM_OP_t_store_mask:
        return watch_tile_store(&at, tiles[field(&at, 4)]);
    case BVM_OP_t_gather:
        return watch_gather(&at, NULL);
    case BVM_OP_t_gather_mask:
        return watch_gather(&at, tiles[field(&at, 3)]);
    case BVM_OP_buffer_local:
        return watch_local(&at);
    case BVM_OP_parallel:
        return at.z->race ? bvm_race_mark(worker, field(&at, 0)) : BUFVM_OK;
    case BVM_OP_report:
        if (!(slot(&at, 0) & 1))
            bvm_report(worker, frame, pc, "report", "%s", worker->context->module->m.strings[pc[1]].text);
        break;
    case BVM_OP_report_values:
    case BVM_OP_t_report_values:
        bvm_report_values(worker, frame, pc, at.row, at.etype);
        break;
    default:
        break;
    }
    if (at.z->ndoubts)
        watch_doubts(&at);
    return BUFVM_OK;
}
