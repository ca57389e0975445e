/* Grammar and verification of bufferization ops. */
#include "hooks_buffer.h"
#include "view_grammar.h"

static const Type *tensor_of(Context *ctx, const Type *memref)
{
    return memref->kind == TYPE_MEMREF ? vmc_type_tensor(ctx, memref->rank, memref->dims, memref->elem, NULL)
                                       : vmc_type_unranked_tensor(ctx, memref->elem);
}

/* `: memref` until LLVM 19, `: memref to tensor` since. */
bool vmc_to_tensor_parse(Asm *p, const OpDef *def)
{
    (void)def;
    Context *ctx = asm_context(p);
    AsmOperand memref;
    const Type *from, *to;
    if (!asm_operand(p, &memref))
        return false;
    if (asm_try(p, "restrict"))
        asm_add_attr(p, "restrict", vmc_attr_unit(ctx));
    if (asm_try(p, "writable"))
        asm_add_attr(p, "writable", vmc_attr_unit(ctx));
    if (!asm_attr_dict(p))
        return false;
    SrcPos pos = asm_pos(p);
    if (!asm_colon_type(p, &from))
        return false;
    if (!vmc_is_memref(from))
        return asm_error(p, pos, "expected a memref type");
    to = tensor_of(ctx, from);
    if (asm_try(p, "to") && !asm_type(p, &to))
        return false;
    asm_add_result(p, to);
    return asm_resolve(p, &memref, from);
}

void vmc_to_tensor_print(Printer *p, const Op *op)
{
    static const char *const skip[] = {"restrict", "writable", NULL};
    print_str(p, " ");
    print_value(p, op->operands[0].value);
    print_str(p, vmc_get_attr(op, "restrict") ? " restrict" : "");
    print_str(p, vmc_get_attr(op, "writable") ? " writable" : "");
    print_attr_dict(p, op, skip);
    print_str(p, " : ");
    print_type(p, op->operands[0].value->type);
    if (op->results[0].type != tensor_of(vmc_op_context(op), op->operands[0].value->type)) {
        print_str(p, " to ");
        print_type(p, op->results[0].type);
    }
}

/* `: memref` until LLVM 19, `: tensor to memref` since; read_only stood in front of the dictionary all along. */
bool vmc_to_buffer_parse(Asm *p, const OpDef *def)
{
    (void)def;
    Context *ctx = asm_context(p);
    AsmOperand tensor;
    const Type *from, *to;
    if (!asm_operand(p, &tensor))
        return false;
    if (asm_try(p, "read_only"))
        asm_add_attr(p, "read_only", vmc_attr_unit(ctx));
    if (!asm_attr_dict(p))
        return false;
    SrcPos pos = asm_pos(p);
    if (!asm_colon_type(p, &to))
        return false;
    if (vmc_is_tensor(to)) {
        from = to;
        if (!asm_expect(p, "to") || !asm_type(p, &to))
            return false;
    } else if (vmc_is_memref(to)) {
        from = tensor_of(ctx, to);
    } else {
        return asm_error(p, pos, "expected a memref or tensor type");
    }
    asm_add_result(p, to);
    return asm_resolve(p, &tensor, from);
}

void vmc_to_buffer_print(Printer *p, const Op *op)
{
    static const char *const skip[] = {"read_only", NULL};
    const Type *tensor = op->operands[0].value->type, *memref = op->results[0].type;
    print_str(p, " ");
    print_value(p, op->operands[0].value);
    print_str(p, vmc_get_attr(op, "read_only") ? " read_only" : "");
    print_attr_dict(p, op, skip);
    print_str(p, " : ");
    if (tensor != tensor_of(vmc_op_context(op), memref)) {
        print_type(p, tensor);
        print_str(p, " to ");
    }
    print_type(p, memref);
}

static bool same_contents(Context *ctx, Op *op, const Type *tensor, const Type *memref)
{
    bool ranked = tensor->kind == TYPE_TENSOR;
    if (ranked == (memref->kind == TYPE_MEMREF) && tensor->elem == memref->elem && vmc_shapes_compatible(tensor, memref))
        return true;
    return vmc_op_error(ctx, op, "expected a tensor and a memref of equal shape and element type");
}

bool vmc_to_tensor_verify(Context *ctx, Op *op)
{
    return same_contents(ctx, op, op->results[0].type, op->operands[0].value->type);
}

bool vmc_tensor_store_verify(Context *ctx, Op *op)
{
    return same_contents(ctx, op, op->operands[0].value->type, op->operands[1].value->type);
}

bool vmc_to_buffer_verify(Context *ctx, Op *op)
{
    return same_contents(ctx, op, op->operands[0].value->type, op->results[0].type);
}

bool vmc_alloc_tensor_verify(Context *ctx, Op *op)
{
    const Type *type = op->results[0].type;
    uint32_t dynamic = 0, given = vmc_operand_group(op, "dynamic_sizes").count;
    if (type->kind != TYPE_TENSOR)
        return vmc_op_error(ctx, op, "expected a ranked result");
    for (uint32_t i = 0; i < type->rank; i++)
        dynamic += type->dims[i] == VMC_DYNAMIC;
    if (vmc_operand_named(op, "copy"))
        return given == 0 || vmc_op_error(ctx, op, "dynamic sizes not needed when copying a tensor");
    return given == dynamic || vmc_op_error(ctx, op, "expected one size for each dynamic dimension");
}

bool vmc_bufferization_clone_verify(Context *ctx, Op *op)
{
    const Type *a = op->operands[0].value->type, *b = op->results[0].type;
    return (a->elem == b->elem && vmc_shapes_compatible(a, b)) || vmc_op_error(ctx, op, "expected equal shapes and element types");
}

bool vmc_materialize_verify(Context *ctx, Op *op)
{
    const Type *source = op->operands[0].value->type, *dest = op->operands[1].value->type;
    if (source->elem != dest->elem || !vmc_shapes_compatible(source, dest))
        return vmc_op_error(ctx, op, "expected a source and destination of equal shape and element type");
    if (vmc_is_tensor(dest) != (op->nresults == 1))
        return vmc_op_error(ctx, op, "gives a result exactly where the destination is a tensor");
    return true;
}

/* (memrefs : types) if (conditions) retain (memrefs : types) */
bool vmc_bufferization_dealloc_parse(Asm *p, const OpDef *def)
{
    (void)def;
    const Type *i1 = vmc_type_int(asm_context(p), 1, SIGNLESS);
    AsmOperands memrefs = {0}, conditions = {0}, retained = {0};
    AsmTypes memref_types = {0}, retained_types = {0};
    SrcPos pos = asm_pos(p);
    if (asm_try(p, "(")) {
        if (!asm_operand_list(p, &memrefs) || !asm_expect(p, ":") || !asm_type_list(p, &memref_types) || !asm_expect(p, ")") ||
            !asm_expect(p, "if") || !asm_operands_in(p, "(", ")", &conditions))
            return false;
    }
    if (asm_try(p, "retain")) {
        if (!asm_expect(p, "(") || !asm_operand_list(p, &retained) || !asm_expect(p, ":") || !asm_type_list(p, &retained_types) ||
            !asm_expect(p, ")"))
            return false;
    }
    int32_t sizes[3] = {(int32_t)memrefs.n, (int32_t)conditions.n, (int32_t)retained.n};
    asm_set_segments(p, 3, sizes);
    for (size_t i = 0; i < retained.n; i++)
        asm_add_result(p, i1);
    return asm_attr_dict(p) && asm_resolve_list(p, &memrefs, &memref_types, pos) && asm_resolve_all(p, &conditions, i1) &&
           asm_resolve_list(p, &retained, &retained_types, pos);
}

void vmc_bufferization_dealloc_print(Printer *p, const Op *op)
{
    static const char *const skip[] = {"operandSegmentSizes", "operand_segment_sizes", NULL};
    if (vmc_operand_group(op, "memrefs").count) {
        print_str(p, " (");
        print_operands(p, op, "memrefs");
        print_str(p, " : ");
        print_operand_types(p, op, "memrefs");
        print_str(p, ") if (");
        print_operands(p, op, "conditions");
        print_str(p, ")");
    }
    if (vmc_operand_group(op, "retained").count) {
        print_str(p, " retain (");
        print_operands(p, op, "retained");
        print_str(p, " : ");
        print_operand_types(p, op, "retained");
        print_str(p, ")");
    }
    print_attr_dict(p, op, skip);
}

bool vmc_bufferization_dealloc_verify(Context *ctx, Op *op)
{
    if (vmc_operand_group(op, "memrefs").count != vmc_operand_group(op, "conditions").count)
        return vmc_op_error(ctx, op, "must have the same number of conditions as memrefs to deallocate");
    return vmc_operand_group(op, "retained").count == op->nresults ||
           vmc_op_error(ctx, op, "must have the same number of updated conditions as retained memrefs");
}
