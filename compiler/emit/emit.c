/* The module: functions, imports, exports, attributes, debug sections.
 *
 * Every function is declared first, so that calls can name it; a declaration without a body becomes an import when it
 * is called.  Functions of nested modules carry the modules' names in front: "inner.f".
 */
#include "select.h"

static FuncRec *record_of(Emitter *e, const Op *op)
{
    return vmc_map_ptr(&e->functions, op);
}

/* ---- types as the outside sees them ------------------------------------------------ */

static uint8_t desc_etype(const Type *type)
{
    Slot slot;
    if (type->kind == TYPE_COMPLEX && vmc_slot(type->elem, &slot))
        return slot.etype == BVM_F32 ? BVM_C64 : slot.etype == BVM_F64 ? BVM_C128 : BVM_NONE;
    return vmc_slot(type, &slot) ? slot.etype : BVM_NONE;
}

static int64_t minus_one_if_dynamic(int64_t v)
{
    return v == VMC_DYNAMIC ? -1 : v;
}

static const char *type_text(Emitter *e, const Type *type)
{
    Text text = {.arena = &e->ctx->arena};
    vmc_print_type(&text, type);
    return text.at;
}

/* `type` decides registers; `written` is what the source said. */
static bool describe(Emitter *e, const Op *op, const Type *type, const Type *written, BvmTypeDesc *out)
{
    Arena *arena = &e->ctx->arena;
    memset(out, 0, sizeof *out);
    out->etype = desc_etype(vmc_elem_or_self(type));
    out->written = type_text(e, written);
    out->is_memref = vmc_is_memref(written);
    if (out->etype == BVM_NONE || (type->kind != TYPE_MEMREF && vmc_is_shaped(type) && type->kind != TYPE_UNRANKED_MEMREF)) {
        vmc_error(&e->ctx->diag, op->pos, "a value of type %s cannot pass the border of the module", out->written);
        return false;
    }
    if (type->kind == TYPE_UNRANKED_MEMREF) {
        out->kind = 'u';
        return true;
    }
    if (type->kind != TYPE_MEMREF) {
        out->kind = 's';
        return true;
    }
    out->kind = 'v';
    out->rank = type->rank;
    int64_t *dims = ARENA_ARRAY(arena, int64_t, type->rank + 1), *strides = ARENA_ARRAY(arena, int64_t, type->rank + 1);
    if (!vmc_memref_strides(e->ctx, type, &out->offset, strides)) {
        vmc_error(&e->ctx->diag, op->pos, "the layout of %s is not strided", out->written);
        return false;
    }
    for (uint32_t i = 0; i < type->rank; i++) {
        dims[i] = minus_one_if_dynamic(type->dims[i]);
        strides[i] = strides[i] == VMC_DYNAMIC ? BVM_DYNAMIC_STRIDE : strides[i];
    }
    if (out->offset < 0 && out->offset != VMC_DYNAMIC) {
        vmc_error(&e->ctx->diag, op->pos, "the offset of %s is negative", out->written);
        return false;
    }
    out->offset = minus_one_if_dynamic(out->offset);
    out->dims = dims;
    out->strides = vmc_row_major(type) ? NULL : strides;
    return true;
}

static const Type *written_type(const Op *op, const char *attribute, uint32_t i, const Type *otherwise)
{
    const Attr *a = vmc_get_attr(op, attribute);
    if (a && a->kind == ATTR_ARRAY && i < a->n && a->elems[i]->kind == ATTR_TYPE)
        return a->elems[i]->type;
    return otherwise;
}

static bool describe_all(Emitter *e, const Op *op, const Type *function, BvmTypeDesc **args, BvmTypeDesc **results)
{
    Arena *arena = &e->ctx->arena;
    *args = ARENA_ARRAY(arena, BvmTypeDesc, function->nins + 1);
    *results = ARENA_ARRAY(arena, BvmTypeDesc, function->nouts + 1);
    for (uint32_t i = 0; i < function->nins; i++) {
        if (!describe(e, op, function->ins[i], written_type(op, "bufvm.arg_types", i, function->ins[i]), &(*args)[i]))
            return false;
    }
    for (uint32_t i = 0; i < function->nouts; i++) {
        if (!describe(e, op, function->outs[i], written_type(op, "bufvm.result_types", i, function->outs[i]), &(*results)[i]))
            return false;
    }
    return true;
}

/* ---- functions ------------------------------------------------------------------------- */

static const Type *function_type(const Op *op)
{
    const Attr *a = vmc_get_attr(op, "function_type");
    return a && a->kind == ATTR_TYPE && a->type->kind == TYPE_FUNCTION ? a->type : NULL;
}

static bool is_private(const Op *op)
{
    const char *visibility = vmc_get_string(op, "sym_visibility");
    return visibility && strcmp(visibility, "public") != 0;
}

static const char *qualified_name(Emitter *e, const Op *op)
{
    const char *name = vmc_get_string(op, "sym_name");
    Text parts = {.arena = &e->ctx->arena};
    VEC(const char *) outer = {0};
    for (const Op *at = vmc_parent_op(op); at && at != e->ctx->module; at = vmc_parent_op(at)) {
        const char *module = vmc_get_string(at, "sym_name");
        if (module)
            VEC_PUSH(&e->ctx->arena, &outer, module);
    }
    for (size_t i = outer.n; i-- > 0;)
        vmc_text_fmt(&parts, "%s.", outer.at[i]);
    vmc_text_str(&parts, name ? name : "");
    return parts.at;
}

static void add_record(Emitter *e, Op *op)
{
    FuncRec *rec = ARENA_NEW(&e->ctx->arena, FuncRec);
    const Type *type = function_type(op);
    rec->op = op;
    rec->name = qualified_name(e, op);
    rec->imported = op->nregions == 0 || op->regions[0].first == NULL;
    vmc_map_put_ptr(&e->functions, op, rec);
    if (rec->imported || !type)
        return;
    rec->banks = vmc_function_banks(e->ctx, &e->ctx->arena, type);
    if (!rec->banks) {
        vmc_error(&e->ctx->diag, op->pos, "cannot lower function '%s': its type %s has values without a form in the bytecode",
                  rec->name, type_text(e, type));
        return;
    }
    rec->number = bvm_write_declare(e->writer, rec->name, rec->banks);
    rec->declared = true;
}

static bool declare_import(Emitter *e, FuncRec *rec)
{
    const Type *type = function_type(rec->op);
    BvmTypeDesc *args, *results;
    if (rec->declared)
        return true;
    const char *name = vmc_get_string(rec->op, "bufvm.import"); /* several signatures of one host function */
    name = name ? name : vmc_get_string(rec->op, "sym_name");
    if (!type || !name || !describe_all(e, rec->op, type, &args, &results))
        return false;
    rec->number = bvm_write_import(e->writer, name, type->nins, args, type->nouts, results);
    rec->declared = true;
    return true;
}

FuncRec *vmc_function_of(Emitter *e, Op *from, const Attr *symbol)
{
    Op *op = vmc_resolve_symbol(from, symbol);
    FuncRec *rec = op ? record_of(e, op) : NULL;
    if (rec && rec->imported && !declare_import(e, rec))
        return NULL;
    return rec && rec->declared ? rec : NULL;
}

/* The arguments stand in the first registers of their banks, in the order of the signature. */
static bool bind_arguments(Fn *f, Block *entry)
{
    uint32_t next[BANKS] = {0};
    for (uint32_t i = 0; i < entry->nargs; i++) {
        Val *v = vmc_new_val(f, entry->args[i]->type);
        RegList regs = {0};
        if (!v)
            return false;
        vmc_abi_regs(f, entry->args[i]->type, v, &regs);
        for (size_t k = 0; k < regs.n; k++) {
            VReg *r = &f->regs.at[regs.at[k]];
            r->is_fixed = true;
            r->physical = (uint16_t)next[r->bank]++;
            if (next[r->bank] > 0x7fff) {
                vmc_error(&f->ctx->diag, f->op->pos, "function '%s' has too many arguments", f->name);
                return false;
            }
        }
        vmc_complete_view(f, entry->args[i]->type, v);
        vmc_set(f, entry->args[i], v);
    }
    return true;
}

static void emit_function(Emitter *e, FuncRec *rec)
{
    Arena *arena = &e->scratch;
    vmc_arena_init(arena, &e->ctx->memory);
    Fn f = {.e = e, .ctx = e->ctx, .arena = arena, .op = rec->op, .name = rec->name, .pos = rec->op->pos};
    f.values.arena = f.constants.arena = arena;
    uint32_t errors = e->ctx->diag.errors;
    int64_t local = 0;
    if (vmc_get_int(rec->op, "bufvm.local_bytes", &local) && local > 0)
        f.local_bytes = (uint64_t)local;
    if (bind_arguments(&f, rec->op->regions[0].first))
        vmc_emit_cfg(&f, &rec->op->regions[0]);
    if (e->ctx->diag.errors == errors)
        vmc_finish_function(&f, rec->number, rec->banks);
    vmc_arena_free(arena);
}

/* A function value has no form outside its module. */
static bool has_function_value(const Type *type)
{
    for (uint32_t i = 0; i < type->nins + type->nouts; i++)
        if ((i < type->nins ? type->ins[i] : type->outs[i - type->nins])->kind == TYPE_FUNCTION)
            return true;
    return false;
}

static void export_function(Emitter *e, FuncRec *rec)
{
    const Type *type = function_type(rec->op);
    BvmTypeDesc *args, *results;
    if (is_private(rec->op))
        return;
    if (has_function_value(type)) {
        vmc_warning(&e->ctx->diag, rec->op->pos, "'@%s' is not exported: function values do not pass the border of the module", rec->name);
        return;
    }
    if (!describe_all(e, rec->op, type, &args, &results))
        return;
    bvm_write_export(e->writer, rec->name, rec->number, type->nins, args, type->nouts, results);
}

/* ---- the walk over modules ---------------------------------------------------------------- */

typedef void (*FuncFn)(Emitter *e, Op *op);

static void each_function(Emitter *e, Op *module, FuncFn fn, uint32_t depth)
{
    Block *block = module->nregions ? module->regions[0].first : NULL;
    for (Op *op = block ? block->first : NULL; op; op = op->next) {
        if (vmc_is(op, "func.func"))
            fn(e, op);
        else if (vmc_is(op, "builtin.module") && depth < VMC_MAX_DEPTH)
            each_function(e, op, fn, depth + 1);
    }
}

static void check_top_level(Emitter *e, Op *module, uint32_t depth)
{
    Block *block = module->nregions ? module->regions[0].first : NULL;
    for (Op *op = block ? block->first : NULL; op; op = op->next) {
        if (vmc_is(op, "builtin.module") && depth < VMC_MAX_DEPTH)
            check_top_level(e, op, depth + 1);
        else if (!vmc_is(op, "func.func") && !vmc_is(op, "memref.global") && !vmc_is(op, "builtin.module"))
            vmc_error(&e->ctx->diag, op->pos, "cannot lower '%s': it has no meaning at the top of a module", op->name);
    }
}

static void compile_function(Emitter *e, Op *op)
{
    FuncRec *rec = record_of(e, op);
    if (rec->imported || !rec->declared)
        return;
    emit_function(e, rec);
    export_function(e, rec);
}

static void register_rows(Emitter *e, const EmitRow *rows)
{
    for (; rows->name; rows++)
        vmc_map_put_ptr(&e->handlers, vmc_name(e->ctx, rows->name), rows);
}

/* ---- debug sections -------------------------------------------------------------------------- */

static void write_debug_constant(Emitter *e, const Attr *attr)
{
    int64_t count = 0;
    if (!attr->data || !attr->type || !vmc_num_elements(attr->type, &count))
        return;
    uint64_t bytes = vmc_mul_size(&e->ctx->memory, (size_t)count, vmc_elem_bytes(attr->type->elem));
    if (attr->n <= bytes)
        bvm_write_constant(e->writer, attr->data, attr->n, bytes, true);
}

static void write_debug_text(Emitter *e)
{
    for (size_t k = 0; k < e->pc->input_constants.n; k++)
        write_debug_constant(e, e->pc->input_constants.at[k]);
    bvm_write_debug_text(e->writer, e->pc->input_text.at, e->pc->input_text.n);
}

/* ---- entry -------------------------------------------------------------------------------------- */

static const char *fp_name(BufvmcFp fp)
{
    return fp == BUFVMC_CONTRACT ? "contract" : fp == BUFVMC_FAST ? "fast" : "strict";
}

static bool write_module(Emitter *e)
{
    Op *module = e->ctx->module;
    uint32_t errors = e->ctx->diag.errors;
    bvm_write_source_name(e->writer, e->ctx->diag.file ? e->ctx->diag.file : "<stdin>");
    bvm_write_attribute(e->writer, "fp", fp_name(e->pc->fp));
    register_rows(e, vmc_scalar_rows);
    register_rows(e, vmc_complex_rows);
    register_rows(e, vmc_memory_rows);
    register_rows(e, vmc_view_rows);
    register_rows(e, vmc_control_rows);
    register_rows(e, vmc_structured_rows);
    check_top_level(e, module, 0);
    each_function(e, module, add_record, 0);
    each_function(e, module, compile_function, 0);
    if (e->pc->options->debug)
        write_debug_text(e);
    return e->ctx->diag.errors == errors;
}

/* Out of memory goes on to the caller's guard, after the writer and the running function's arena are freed. */
static void release(Emitter *e)
{
    vmc_arena_free(&e->scratch);
    bvm_writer_free(e->writer);
}

bool vmc_emit_module(PassContext *pc, void **data, size_t *size)
{
    Context *ctx = pc->ctx;
    BufvmAllocator allocator = {pc->options->realloc, pc->options->user};
    BufvmError error = {0};
    Emitter *e = ARENA_NEW(&ctx->arena, Emitter);
    jmp_buf *outer = ctx->memory.guard, guard;
    e->pc = pc;
    e->ctx = ctx;
    e->handlers.arena = e->functions.arena = e->globals.arena = &ctx->arena;
    vmc_arena_init(&e->scratch, &ctx->memory);
    e->writer = bvm_writer_new(allocator.realloc ? &allocator : NULL);
    if (!e->writer)
        vmc_out_of_memory(&ctx->memory);
    ctx->memory.guard = &guard;
    if (setjmp(guard) != 0) {
        ctx->memory.guard = outer;
        release(e);
        vmc_out_of_memory(&ctx->memory);
    }
    bool ok = write_module(e);
    BufvmStatus status = ok ? bvm_writer_finish(e->writer, data, size, &error) : BUFVM_OK;
    ctx->memory.guard = outer;
    release(e);
    if (status == BUFVM_OUT_OF_MEMORY)
        vmc_out_of_memory(&ctx->memory);
    if (status != BUFVM_OK)
        vmc_error(&ctx->diag, ctx->module->pos, "the module cannot be written: %s", error.text);
    return ok && status == BUFVM_OK;
}
