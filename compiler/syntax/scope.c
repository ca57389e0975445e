/* Names of values: scopes, forward references, and silence after errors.
 *
 * A name belongs to the closest region that is isolated from above.  It is visible from
 * where it is used first (a forward reference) or defined to the end of the region in
 * which it is defined; one map serves all scopes, and what a scope has defined is taken
 * back when it ends.
 */
#include "parser.h"

static Binding *lookup(Asm *p, const char *name)
{
    Binding *b = vmc_map_ptr(&p->names, name);
    return b && b->isolation == p->isolation ? b : NULL;
}

static Binding *bind(Asm *p, const char *name, SrcPos pos)
{
    Binding *b = p->free_bindings;
    if (b)
        p->free_bindings = b->outer;
    else
        b = vmc_arena_alloc(&p->ctx->arena, sizeof(Binding));
    *b = (Binding){0};
    b->name = name;
    b->outer = vmc_map_ptr(&p->names, name);
    b->id = ++p->next_binding;
    b->isolation = p->isolation;
    b->pos = pos;
    vmc_map_put_ptr(&p->names, name, b);
    return b;
}

static void unbind(Asm *p, Binding *b)
{
    if (vmc_map_ptr(&p->names, b->name) == b)
        vmc_map_put_ptr(&p->names, b->name, b->outer);
    b->outer = p->free_bindings;
    p->free_bindings = b;
}

void vmc_push_scope(Asm *p, bool isolated)
{
    if (isolated)
        p->isolation = ++p->next_isolation;
    Scope scope = {p->defs.n, p->forwards.n, p->isolation, isolated};
    VEC_PUSH(&p->ctx->arena, &p->scopes, scope);
}

static void report_undefined(Asm *p, const Scope *scope)
{
    for (size_t i = scope->first_forward; i < p->forwards.n; i++) {
        Binding *b = p->forwards.at[i];
        if (!b->defined && !b->poisoned && !p->broken)
            vmc_error(&p->ctx->diag, b->forwards->pos, "'%%%s' is used but never defined", b->name);
        if (!b->defined)
            unbind(p, b);
    }
    p->forwards.n = scope->first_forward;
}

void vmc_pop_scope(Asm *p)
{
    Scope scope = p->scopes.at[--p->scopes.n];
    for (size_t i = p->defs.n; i > scope.first_def; i--)
        unbind(p, p->defs.at[i - 1]);
    p->defs.n = scope.first_def;
    if (!scope.isolated)
        return;
    report_undefined(p, &scope);
    p->isolation = p->scopes.n ? p->scopes.at[p->scopes.n - 1].isolation : 0;
}

static void wrong_type(Asm *p, SrcPos pos, const Binding *b, uint32_t number, const Type *used, const Type *defined, SrcPos other,
                       const char *note)
{
    Text text = {.arena = &p->ctx->scratch};
    vmc_text_fmt(&text, "'%%%s", b->name);
    if (b->n > 1)
        vmc_text_fmt(&text, "#%u", number);
    vmc_text_str(&text, "' is used as ");
    vmc_print_type(&text, used);
    vmc_text_str(&text, " but its type is ");
    vmc_print_type(&text, defined);
    vmc_error(&p->ctx->diag, pos, "%s", text.at);
    vmc_note(&p->ctx->diag, other, "%s", note);
}

static Value *stand_in(Asm *p, const Type *type, SrcPos pos)
{
    Value *value = ARENA_NEW(&p->ctx->arena, Value);
    value->type = type;
    value->pos = pos;
    return value;
}

static uint64_t forward_key(const Binding *b, uint32_t number)
{
    return (uint64_t)b->id << 32 | number;
}

static Value *forward_value(Asm *p, Binding *b, const AsmOperand *operand, const Type *type)
{
    uint64_t found;
    if (vmc_map_get(&p->forward_refs, forward_key(b, operand->number), &found)) {
        ForwardRef *ref = (ForwardRef *)(uintptr_t)found;
        if (ref->value->type != type) {
            wrong_type(p, operand->pos, b, operand->number, type, ref->value->type, ref->pos, "it is used before here");
            return NULL;
        }
        return ref->value;
    }
    ForwardRef *ref = ARENA_NEW(&p->ctx->arena, ForwardRef);
    *ref = (ForwardRef){operand->number, stand_in(p, type, operand->pos), operand->pos, b->forwards};
    b->forwards = ref;
    vmc_map_put(&p->forward_refs, forward_key(b, operand->number), MAP_KEY(ref));
    return ref->value;
}

Value *vmc_resolve_value(Asm *p, const AsmOperand *operand, const Type *type)
{
    Binding *b = lookup(p, operand->name);
    if (!b) {
        b = bind(p, operand->name, operand->pos);
        VEC_PUSH(&p->ctx->arena, &p->forwards, b);
    }
    if (b->poisoned)
        return stand_in(p, type, operand->pos);
    if (!b->defined)
        return forward_value(p, b, operand, type);
    if (operand->number >= b->n) {
        asm_error(p, operand->pos, "'%%%s' has %u result%s: there is no #%u", b->name, b->n, b->n == 1 ? "" : "s", operand->number);
        vmc_note(&p->ctx->diag, b->pos, "it is defined here");
        return NULL;
    }
    Value *value = b->arg ? b->arg : &b->results[operand->number];
    if (value->type != type && !vmc_adopt_type(value, type)) {
        wrong_type(p, operand->pos, b, operand->number, type, value->type, b->pos, "it is defined here");
        return NULL;
    }
    return value;
}

Value *vmc_known_value(Asm *p, const AsmOperand *operand)
{
    Binding *b = lookup(p, operand->name);
    if (!b || !b->defined || operand->number >= b->n)
        return NULL;
    return b->arg ? b->arg : &b->results[operand->number];
}

static bool settle_forwards(Asm *p, Binding *b)
{
    bool ok = true;
    for (ForwardRef *ref = b->forwards; ref; ref = ref->next) {
        if (ref->number >= b->n) {
            asm_error(p, ref->pos, "'%%%s' has %u result%s: there is no #%u", b->name, b->n, b->n == 1 ? "" : "s", ref->number);
            ok = false;
            continue;
        }
        Value *value = b->arg ? b->arg : &b->results[ref->number];
        if (value->type != ref->value->type && !vmc_adopt_type(value, ref->value->type)) {
            wrong_type(p, ref->pos, b, ref->number, ref->value->type, value->type, b->pos, "it is defined here");
            ok = false;
            continue;
        }
        vmc_replace_uses(ref->value, value);
    }
    return ok;
}

static bool define(Asm *p, const char *name, Value *results, Value *arg, uint32_t n, SrcPos pos)
{
    Binding *b = lookup(p, name);
    if (b && (b->defined || b->poisoned)) {
        if (b->poisoned)
            return true;
        asm_error(p, pos, "'%%%s' is defined already", name);
        vmc_note(&p->ctx->diag, b->pos, "here");
        return false;
    }
    if (!b)
        b = bind(p, name, pos);
    b->defined = true;
    b->results = results;
    b->arg = arg;
    b->n = n;
    b->pos = pos;
    VEC_PUSH(&p->ctx->arena, &p->defs, b);
    return settle_forwards(p, b);
}

bool vmc_define_results(Asm *p, const char *name, Value *results, uint32_t n, SrcPos pos)
{
    return define(p, name, results, NULL, n, pos);
}
bool vmc_define_arg(Asm *p, const char *name, Value *arg, SrcPos pos)
{
    return define(p, name, NULL, arg, 1, pos);
}

void vmc_poison(Asm *p, const char *name, SrcPos pos)
{
    Binding *b = lookup(p, name);
    if (b && b->defined)
        return;
    if (!b)
        b = bind(p, name, pos);
    b->poisoned = true;
    VEC_PUSH(&p->ctx->arena, &p->defs, b);
}
