/* vector.print as calls of the print helpers, in the format of the MLIR runner. */
#include "lower_vectors.h"

static void call(Vectors *l, Builder *b, Op *op, const char *name, Value *value)
{
    vmc_call_host(&l->host, b, op, name, value != NULL, &value);
}

/* The helper for a type as written; NULL where there is none. */
static const char *printer_of(const Type *written)
{
    if (written->kind == TYPE_INDEX)
        return "printU64";
    if (written->kind == TYPE_INT)
        return written->width > 64 ? NULL : written->sign == UNSIGNED ? "printU64" : "printI64";
    if (written->kind != TYPE_FLOAT)
        return NULL;
    switch (written->format) {
    case FLOAT_F16:
        return "printF16";
    case FLOAT_BF16:
        return "printBF16";
    case FLOAT_F32:
        return "printF32";
    case FLOAT_F64:
        return "printF64";
    default:
        return NULL;
    }
}

typedef struct Printing {
    Vectors *l;
    Op *op;
    Value *value, **at;
    const char *printer;
} Printing;

static void print_dim(const Printing *p, Builder *b, uint32_t d)
{
    const Type *type = p->value->type;
    if (d == type->rank) {
        call(p->l, b, p->op, p->printer, vec_get(b, p->value, p->at));
        return;
    }
    VecNest nest;
    VecChoice comma;
    call(p->l, b, p->op, "printOpen", NULL);
    vec_nest_begin(b, 1, &type->dims[d], 0, NULL, &nest);
    p->at[d] = nest.at[0];
    print_dim(p, &nest.body, d + 1);
    Value *last = vmc_build_index(&nest.body, type->dims[d] - 1);
    vec_choice_begin(&nest.body, vmc_cmpi(&nest.body, CMPI_SLT, nest.at[0], last), 0, NULL, &comma);
    call(p->l, &comma.yes, p->op, "printComma", NULL);
    vec_choice_end(&comma, 0, NULL, NULL);
    vec_nest_end(&nest, NULL);
    call(p->l, b, p->op, "printClose", NULL);
}

static bool print_value(Vectors *l, Op *op, Builder *b)
{
    Value *value = op->operands[0].value;
    const Type *written = vmc_map_ptr(&l->printed, op);
    Printing p = {.l = l, .op = op, .value = value, .printer = printer_of(written)};
    bool vector = value->type->kind == TYPE_TENSOR;
    p.at = ARENA_ARRAY(&l->ctx->arena, Value *, vector ? value->type->rank + 1 : 1);
    if (!p.printer) {
        Text text = {.arena = &l->ctx->arena};
        vmc_print_type(&text, written);
        vmc_error(&l->ctx->diag, op->pos, "'vector.print' does not print numbers of type %s", text.at);
        return false;
    }
    if (!vector) {
        call(l, b, op, p.printer, value);
    } else if (value->type->rank == 0) {
        call(l, b, op, "printOpen", NULL);
        call(l, b, op, p.printer, vec_get(b, value, NULL));
        call(l, b, op, "printClose", NULL);
    } else {
        print_dim(&p, b, 0);
    }
    return true;
}

/* A text as an argument is a tensor of its bytes, up to a NUL as C has it. */
static void print_text(Vectors *l, Op *op, Builder *b, const Attr *text)
{
    int64_t n = (int64_t)strnlen(text->s, text->n);
    const Type *type = vec_tensor(l->ctx, 1, &n, vmc_type_int(l->ctx, 8, SIGNLESS));
    if (n)
        call(l, b, op, "printString", vmc_build_const(b, vmc_attr_dense(l->ctx, type, text->s, (size_t)n, false, false), type));
}

bool vec_print(Vectors *l, Op *op, Builder *b, Value *mask, Value **results)
{
    (void)mask, (void)results;
    static const char *const marks[][2] = {
        {"newline", "printNewline"}, {"comma", "printComma"}, {"open", "printOpen"}, {"close", "printClose"}};
    const Attr *mark = vmc_get_attr(op, "punctuation"), *text = vmc_get_attr(op, "stringLiteral");
    if (text)
        print_text(l, op, b, text);
    if (op->noperands && !print_value(l, op, b))
        return false;
    if (text)
        return true;
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (mark ? strncmp(mark->s + 19, marks[i][0], strlen(marks[i][0])) == 0 : i == 0)
            call(l, b, op, marks[i][1], NULL);
    return true;
}
