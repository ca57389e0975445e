/* The parser's frame: tokens, operations, regions, the top level, and recovery after errors.
 *
 * After an error the parser skips to what looks like the start of an operation on a line of
 * its own, at the nesting of braces where the failed one began; names that the failed
 * operation would have defined are poisoned, so that their uses stay silent.
 */
#include "parser.h"

/* ---- tokens -------------------------------------------------------------- */

SrcPos vmc_pos_at(const Asm *p, const char *at)
{
    return (SrcPos){(uint32_t)(at - p->source) + 1};
}

void vmc_relex(Asm *p, const char *at)
{
    p->tok = vmc_lex(at, p->limit);
}

void vmc_advance(Asm *p)
{
    if (p->tok.kind == TOKEN_PUNCT && p->tok.end - p->tok.start == 1) {
        if (*p->tok.start == '{')
            p->braces++;
        else if (*p->tok.start == '}' && p->braces)
            p->braces--;
    }
    if (p->tok.kind != TOKEN_EOF)
        p->tok = vmc_lex(p->tok.end, p->limit);
}

bool vmc_tok_is(const Asm *p, const char *text)
{
    size_t n = (size_t)(p->tok.end - p->tok.start);
    return (p->tok.kind == TOKEN_PUNCT || p->tok.kind == TOKEN_WORD) && strncmp(p->tok.start, text, n) == 0 && text[n] == 0;
}

bool vmc_expected(Asm *p, const char *what)
{
    if (p->tok.kind == TOKEN_ERROR)
        return asm_error(p, asm_pos(p), "expected %s: %s", what, p->tok.message);
    if (p->tok.kind == TOKEN_EOF)
        return asm_error(p, asm_pos(p), "expected %s, saw the end of the file", what);
    size_t n = (size_t)(p->tok.end - p->tok.start);
    return asm_error(p, asm_pos(p), "expected %s, saw `%.*s%s`", what, (int)(n > 40 ? 40 : n), p->tok.start, n > 40 ? "..." : "");
}

bool vmc_enter(Asm *p)
{
    if (p->ctx->limits_depth >= VMC_MAX_DEPTH) {
        asm_error(p, asm_pos(p), "nested more than %d levels deep", VMC_MAX_DEPTH);
        p->fatal = true;
        return false;
    }
    p->ctx->limits_depth++;
    return true;
}

void vmc_leave(Asm *p)
{
    p->ctx->limits_depth--;
}

const char *vmc_intern_token(Asm *p, size_t skip)
{
    return vmc_intern(&p->ctx->names, p->tok.start + skip, (size_t)(p->tok.end - p->tok.start) - skip);
}

static int hex_digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

bool vmc_decode_string(Asm *p, const char *start, const char *end, const char **text, size_t *n)
{
    start++;
    end--;
    if (!memchr(start, '\\', (size_t)(end - start))) {
        *n = (size_t)(end - start);
        *text = vmc_arena_dup(&p->ctx->scratch, start, *n);
        return true;
    }
    char *out = vmc_arena_alloc(&p->ctx->scratch, (size_t)(end - start) + 1);
    *text = out;
    for (const char *at = start; at < end;) {
        if (*at != '\\') {
            *out++ = *at++;
            continue;
        }
        char c = at + 1 < end ? at[1] : 0;
        const char *plain = c ? strchr("n\nt\t\"\"\\\\", c) : NULL;
        if (c == 'n' || c == 't' || c == '"' || c == '\\') {
            *out++ = plain[1];
            at += 2;
        } else if (at + 2 < end && hex_digit(at[1]) >= 0 && hex_digit(at[2]) >= 0) {
            *out++ = (char)(hex_digit(at[1]) * 16 + hex_digit(at[2]));
            at += 3;
        } else {
            return asm_error(p, vmc_pos_at(p, at),
                             "unknown escape: a backslash stands before n, t, a quote, a backslash or two hex digits");
        }
    }
    *n = (size_t)(out - *text);
    *out = 0;
    return true;
}

bool vmc_decode_symbol(Asm *p, const char **name)
{
    size_t n;
    if (p->tok.start[1] != '"') {
        *name = vmc_intern_token(p, 1);
        return true;
    }
    if (!vmc_decode_string(p, p->tok.start + 1, p->tok.end, name, &n))
        return false;
    if (n == 0 || strlen(*name) != n)
        return asm_error(p, asm_pos(p), "a symbol name may not be empty or hold a NUL");
    *name = vmc_intern(&p->ctx->names, *name, n);
    return true;
}

bool vmc_token_u64(Asm *p, uint64_t *value)
{
    uint64_t v = 0;
    const char *at = p->tok.start;
    bool hex = p->tok.end - at > 2 && at[1] == 'x';
    uint64_t base = hex ? 16 : 10;
    for (at += hex ? 2 : 0; at < p->tok.end; at++)
        if (__builtin_mul_overflow(v, base, &v) || __builtin_add_overflow(v, (uint64_t)hex_digit(*at), &v))
            return false;
    *value = v;
    return true;
}

/* ---- locations and blocks ------------------------------------------------ */

bool vmc_parse_trailing_loc(Asm *p, const Attr **out)
{
    *out = NULL;
    if (p->tok.kind != TOKEN_WORD || !vmc_tok_is(p, "loc"))
        return true;
    vmc_advance(p);
    if (!asm_expect(p, "("))
        return false;
    if (p->tok.kind == TOKEN_HASH && !memchr(p->tok.start, '.', (size_t)(p->tok.end - p->tok.start))) {
        const char *alias = vmc_intern_token(p, 1);
        const Attr *known = vmc_map_ptr(&p->attr_aliases, alias);
        if (!known) {
            Attr *stand_in = ARENA_NEW(&p->ctx->arena, Attr);
            *stand_in = (Attr){.kind = ATTR_LOC, .s = alias, .bare = true, .line = asm_pos(p).offset_plus_1};
            known = stand_in;
        } else if (known->kind != ATTR_LOC) {
            return asm_error(p, asm_pos(p), "#%s is not a location", alias);
        }
        *out = known;
        vmc_advance(p);
        return asm_expect(p, ")");
    }
    return vmc_parse_loc_body(p, out) && asm_expect(p, ")");
}

void vmc_settle_loc(Asm *p, const Attr **slot)
{
    const Attr *loc = *slot;
    if (!loc || !loc->bare)
        return;
    LocFixup fixup = {loc->s, slot, {loc->line}};
    *slot = NULL;
    VEC_PUSH(&p->ctx->arena, &p->loc_fixups, fixup);
}

Block *vmc_block_ref(Asm *p, const char *label, SrcPos pos)
{
    RegionFrame *frame = p->region;
    Block *block = vmc_map_ptr(&frame->labels, label);
    if (block)
        return block;
    block = vmc_block_create(p->ctx);
    block->name = label;
    vmc_map_put_ptr(&frame->labels, label, block);
    BlockRef ref = {label, block, pos};
    VEC_PUSH(&p->ctx->arena, &frame->unseen, ref);
    return block;
}

/* ---- operations ---------------------------------------------------------- */

static bool parse_result_names(Asm *p, OpBuild *op)
{
    if (p->tok.kind != TOKEN_VALUE)
        return true;
    do {
        if (p->tok.kind != TOKEN_VALUE)
            return vmc_expected(p, "a name for a result");
        AsmOperand name = {vmc_intern_token(p, 1), 1, asm_pos(p)};
        vmc_advance(p);
        if (asm_try(p, ":")) {
            uint64_t n;
            if (p->tok.kind != TOKEN_INTEGER || !vmc_token_u64(p, &n) || n == 0 || n > UINT32_MAX)
                return vmc_expected(p, "a positive number of results");
            name.number = (uint32_t)n;
            vmc_advance(p);
        }
        VEC_PUSH(&p->ctx->scratch, &op->names, name);
    } while (asm_try(p, ","));
    return asm_expect(p, "=");
}

/* How many of the operands of a generic-form op go to each successor: its segments say, or it is the op's one variable group. */
static void spread_successor_operands(Asm *p, OpBuild *op)
{
    size_t n = op->successors.n, total = op->operands.n;
    if (!n || !op->def || op->successor_operands.n)
        return;
    const int64_t *sizes = NULL, *cases = NULL;
    const Attr *segments = asm_get_attr(p, "operandSegmentSizes");
    if (!segments)
        segments = asm_get_attr(p, "operand_segment_sizes");
    ptrdiff_t nsizes = vmc_attr_ints(p->ctx, segments, &sizes),
              ncases = vmc_attr_ints(p->ctx, asm_get_attr(p, "case_operand_segments"), &cases);
    int64_t *counts = ARENA_ARRAY(&p->ctx->scratch, int64_t, n);
    if (ncases >= 0 && (size_t)ncases + 1 == n && nsizes >= 2) {
        counts[0] = sizes[1];
        for (size_t i = 1; i < n; i++)
            counts[i] = cases[i - 1];
    } else if (nsizes >= (ptrdiff_t)n) {
        for (size_t i = 0; i < n; i++)
            counts[i] = sizes[(size_t)nsizes - n + i];
    } else if (n == 1) {
        size_t fixed = 0;
        for (uint32_t i = 0; i < op->def->noperands; i++)
            fixed += op->def->operands[i].arity == ARITY_ONE;
        counts[0] = (int64_t)(total > fixed ? total - fixed : 0);
    }
    uint64_t sum = 0;
    for (size_t i = 0; i < n; i++) {
        if (counts[i] < 0 || (uint64_t)counts[i] > total)
            return; /* the verifier reports the wrong counts */
        sum += (uint64_t)counts[i];
    }
    if (sum > total)
        return;
    for (size_t i = 0; i < n; i++)
        op->successor_counts.at[i] = (uint32_t)counts[i];
    /* the successors say it now; the printer makes the segments anew */
    static const char *const said[] = {"operandSegmentSizes", "operand_segment_sizes", "case_operand_segments"};
    size_t kept = 0;
    for (size_t i = 0; i < op->attrs.n; i++) {
        const char *name = op->attrs.at[i].name;
        if (strcmp(name, said[0]) != 0 && strcmp(name, said[1]) != 0 && strcmp(name, said[2]) != 0)
            op->attrs.at[kept++] = op->attrs.at[i];
    }
    op->attrs.n = kept;
}

static bool parse_generic_regions(Asm *p, OpBuild *op)
{
    if (!asm_try(p, "("))
        return true;
    do {
        Region *region = asm_new_region(p);
        if (!vmc_parse_region(p, region, NULL, op->def && (op->def->traits & TRAIT_ISOLATED)))
            return false;
    } while (asm_try(p, ","));
    return asm_expect(p, ")");
}

static bool parse_generic_successors(Asm *p)
{
    if (!asm_try(p, "["))
        return true;
    do {
        if (!asm_successor(p))
            return false;
    } while (asm_try(p, ","));
    return asm_expect(p, "]");
}

static bool parse_generic(Asm *p, OpBuild *op)
{
    const char *name;
    size_t n;
    SrcPos pos = asm_pos(p);
    if (!asm_string(p, &name, &n))
        return false;
    if (n == 0 || strlen(name) != n)
        return asm_error(p, pos, "the name of an operation may not be empty or hold a NUL");
    op->name = vmc_intern(&p->ctx->names, name, n);
    op->def = vmc_find_def(p->ctx, op->name);
    AsmOperands operands = {0};
    const Type *type;
    if (!asm_operands_in(p, "(", ")", &operands) || !parse_generic_successors(p) || !asm_properties(p) ||
        !parse_generic_regions(p, op) || !asm_attr_dict(p))
        return false;
    pos = asm_pos(p);
    if (!asm_expect(p, ":") || !asm_function_type(p, &type))
        return false;
    if (type->nins != operands.n)
        return asm_error(p, pos, "'%s' has %zu operands but %u operand types", op->name, operands.n, type->nins);
    for (size_t i = 0; i < operands.n; i++)
        if (!asm_resolve(p, &operands.at[i], type->ins[i]))
            return false;
    for (uint32_t i = 0; i < type->nouts; i++)
        asm_add_result(p, type->outs[i]);
    spread_successor_operands(p, op);
    return true;
}

static bool parse_custom(Asm *p, OpBuild *op)
{
    op->custom = true;
    op->name = vmc_intern_token(p, 0);
    op->def = vmc_find_def(p->ctx, op->name);
    if (!op->def) {
        const char *dot = strchr(op->name, '.');
        if (!dot)
            return asm_error(p, asm_pos(p), "unknown operation '%s'", op->name);
        if (vmc_is_known_dialect(op->name, (size_t)(dot - op->name)))
            return asm_error(p, asm_pos(p), "unknown operation '%s' of dialect '%.*s'", op->name, (int)(dot - op->name), op->name);
        if (p->options->allow_unregistered)
            return vmc_parse_kept_op(p, op);
        return asm_error(p, asm_pos(p),
                         "'%s': no such dialect is supported (--emit=parse --allow-unregistered keeps its operations as text)",
                         op->name);
    }
    vmc_advance(p);
    if (op->def->hooks.parse)
        return op->def->hooks.parse(p, op->def);
    if (op->def->format && op->def->format[0])
        return vmc_parse_format(p, op->def);
    return asm_error(p, op->pos, "'%s' can be written in generic form only", op->def->name);
}

static void add_terminator(Asm *p, Op *op, Region *region)
{
    if (!region->last)
        vmc_block_append(region, vmc_block_create(p->ctx));
    Block *block = region->last;
    if (block->last && vmc_has_trait(block->last, TRAIT_TERMINATOR)) /* an op that is not known is none, as MLIR has it */
        return;
    const OpDef *def = vmc_find_def(p->ctx, op->def->hooks.terminator);
    uint32_t nregions =
        def && def->nregions && def->regions[0].arity == ARITY_ONE ? 1 : 0; /* scf.forall.in_parallel has one, empty */
    OpState state = {.name = op->def->hooks.terminator, .pos = op->pos, .nregions = nregions};
    Op *terminator = vmc_op_create(p->ctx, &state);
    if (nregions)
        vmc_block_append(&terminator->regions[0], vmc_block_create(p->ctx));
    vmc_op_append(block, terminator);
}

/* What a region's braces promise though nothing stands in them. */
static void complete_regions(Asm *p, OpBuild *build, Op *op)
{
    if (!op->def)
        return;
    for (uint32_t i = 0; i < op->nregions; i++) {
        if (!build->written.at[i])
            continue;
        if (build->custom && (op->def->traits & TRAIT_IMPLICIT_TERMINATOR) && op->def->hooks.terminator)
            add_terminator(p, op, &op->regions[i]);
        else if (!op->regions[i].first && (op->def->traits & TRAIT_GRAPH_REGION))
            vmc_block_append(&op->regions[i], vmc_block_create(p->ctx));
    }
}

static Op *create_op(Asm *p, OpBuild *build)
{
    Context *ctx = p->ctx;
    for (size_t i = 0; i < build->successor_operands.n; i++)
        VEC_PUSH(&p->ctx->scratch, &build->operands, build->successor_operands.at[i]);
    OpState state = {.name = build->name,
                     .pos = build->pos,
                     .loc = build->loc,
                     .noperands = (uint32_t)build->operands.n,
                     .operands = build->operands.at,
                     .nresults = (uint32_t)build->results.n,
                     .result_types = build->results.at,
                     .nattrs = (uint32_t)build->attrs.n,
                     .attrs = build->attrs.at,
                     .nregions = (uint32_t)build->regions.n,
                     .nsuccessors = (uint32_t)build->successors.n,
                     .successors = build->successors.at,
                     .successor_counts = build->successor_counts.at};
    Op *op = vmc_op_create(ctx, &state);
    vmc_settle_loc(p, &op->loc);
    for (uint32_t i = 0; i < op->nregions; i++) {
        op->regions[i].first = build->regions.at[i]->first;
        op->regions[i].last = build->regions.at[i]->last;
        for (Block *b = op->regions[i].first; b; b = b->next)
            b->parent = &op->regions[i];
    }
    complete_regions(p, build, op);
    return op;
}

static bool is_number(const char *name)
{
    return name[0] >= '0' && name[0] <= '9';
}

static bool define_results(Asm *p, OpBuild *build, Op *op)
{
    uint64_t named = 0;
    for (size_t i = 0; i < build->names.n; i++)
        named += build->names.at[i].number;
    if (build->names.n && named != op->nresults)
        return asm_error(p, build->names.at[0].pos, "'%s' has %u result%s but %llu %s named", op->name, op->nresults,
                         op->nresults == 1 ? "" : "s", (unsigned long long)named, named == 1 ? "is" : "are");
    uint32_t first = 0;
    for (size_t i = 0; i < build->names.n; i++) {
        const AsmOperand *name = &build->names.at[i];
        for (uint32_t k = 0; k < name->number; k++) {
            op->results[first + k].pos = name->pos;
            op->results[first + k].name = is_number(name->name) ? NULL : name->name;
        }
        if (!vmc_define_results(p, name->name, &op->results[first], name->number, name->pos))
            return false;
        first += name->number;
    }
    return true;
}

static bool parse_op_body(Asm *p, OpBuild *op)
{
    if (!parse_result_names(p, op)) {
        p->broken = true;
        return false;
    }
    op->pos = asm_pos(p);
    if (p->tok.kind != TOKEN_STRING && p->tok.kind != TOKEN_WORD)
        return vmc_expected(p, "an operation");
    bool ok = p->tok.kind == TOKEN_STRING ? parse_generic(p, op) : parse_custom(p, op);
    return ok && vmc_parse_trailing_loc(p, &op->loc);
}

static bool parse_op(Asm *p, Block *block)
{
    OpBuild build = {0}, *outer = p->op;
    p->op = &build;
    bool ok = parse_op_body(p, &build);
    p->op = outer;
    if (ok) {
        Op *op = create_op(p, &build);
        vmc_op_append(block, op);
        ok = define_results(p, &build, op);
    }
    if (!ok)
        for (size_t i = 0; i < build.names.n; i++)
            vmc_poison(p, build.names.at[i].name, build.names.at[i].pos);
    return ok;
}

/* ---- recovery ------------------------------------------------------------ */

static bool at_line_start(const Asm *p)
{
    const char *at = p->tok.start;
    while (at > p->source && (at[-1] == ' ' || at[-1] == '\t' || at[-1] == '\r'))
        at--;
    return at == p->source || at[-1] == '\n';
}

static bool may_start_op(const Asm *p)
{
    const char *next = vmc_skip_blanks(p->tok.end, p->limit);
    switch (p->tok.kind) {
    case TOKEN_VALUE:
        return *next == '=' || *next == ':' || *next == ',';
    case TOKEN_STRING:
        return *next == '(';
    case TOKEN_WORD: {
        size_t n = (size_t)(p->tok.end - p->tok.start);
        return memchr(p->tok.start, '.', n) || vmc_find_def(p->ctx, vmc_intern(&p->ctx->names, p->tok.start, n));
    }
    case TOKEN_HASH:
    case TOKEN_BANG:
        return *next == '=';
    case TOKEN_BLOCK:
        return true;
    default:
        return vmc_tok_is(p, "{-#");
    }
}

bool vmc_at_op_start(const Asm *p)
{
    return at_line_start(p) && may_start_op(p);
}

/* `start` is the first token of the failed operation, `braces` how deep it stood. */
static void recover(Asm *p, const char *start, uint32_t braces)
{
    if (p->region)
        p->region->broken = true;
    while (!p->fatal && p->tok.kind != TOKEN_EOF) {
        if (p->tok.start > start) {
            if (p->braces <= braces && vmc_tok_is(p, "}"))
                return;
            if (p->braces <= braces && at_line_start(p) && may_start_op(p))
                return;
        }
        vmc_advance(p);
    }
}

/* ---- regions ------------------------------------------------------------- */

static bool bind_args(Asm *p, Block *block, const AsmArgs *args)
{
    bool ok = true;
    for (size_t i = 0; args && i < args->n; i++) {
        const AsmArg *arg = &args->at[i];
        Value *value = vmc_block_add_arg(p->ctx, block, arg->type, arg->name.pos);
        value->loc = arg->loc;
        vmc_settle_loc(p, &value->loc);
        if (!arg->name.name)
            continue;
        value->name = is_number(arg->name.name) ? NULL : arg->name.name;
        ok &= vmc_define_arg(p, arg->name.name, value, arg->name.pos);
    }
    return ok;
}

/* ^label(%a: T, ...): */
static Block *parse_block_header(Asm *p)
{
    const char *label = vmc_intern_token(p, 1);
    SrcPos pos = asm_pos(p);
    Block *block = vmc_map_ptr(&p->region->labels, label);
    if (block && block->parent) {
        asm_error(p, pos, "block '^%s' is defined already", label);
        return NULL;
    }
    if (!block) {
        block = vmc_block_create(p->ctx);
        block->name = label;
        vmc_map_put_ptr(&p->region->labels, label, block);
    }
    vmc_block_append(p->region->region, block);
    vmc_advance(p);
    AsmArgs args = {0};
    if (vmc_tok_is(p, "(") && !asm_arg_list(p, "(", ")", &args, true))
        return NULL;
    for (size_t i = 0; i < args.n; i++) {
        if (!args.at[i].name.name) {
            asm_error(p, pos, "argument #%zu of block '^%s' needs a name", i, label);
            return NULL;
        }
    }
    return bind_args(p, block, &args) && asm_expect(p, ":") ? block : NULL;
}

static bool parse_alias_definition(Asm *p);

/* Operations up to a label or the end of the region (or of the file, at the top level). */
static void parse_ops(Asm *p, Block *block, bool top)
{
    while (!p->fatal && p->tok.kind != TOKEN_EOF && (top || (p->tok.kind != TOKEN_BLOCK && !vmc_tok_is(p, "}")))) {
        const char *start = p->tok.start;
        uint32_t braces = p->braces;
        ArenaMark mark = vmc_arena_mark(&p->ctx->scratch);
        bool ok;
        if (top && (p->tok.kind == TOKEN_HASH || p->tok.kind == TOKEN_BANG))
            ok = parse_alias_definition(p);
        else if (top && vmc_tok_is(p, "{-#"))
            ok = vmc_parse_file_metadata(p);
        else
            ok = parse_op(p, block);
        vmc_arena_rewind(&p->ctx->scratch, mark);
        if (ok)
            continue;
        recover(p, start, braces);
        if (top && vmc_tok_is(p, "}")) {
            vmc_advance(p);
        }
    }
}

static void report_unseen_blocks(Asm *p, RegionFrame *frame)
{
    for (size_t i = 0; !frame->broken && i < frame->unseen.n; i++)
        if (!frame->unseen.at[i].block->parent)
            vmc_error(&p->ctx->diag, frame->unseen.at[i].pos, "block '^%s' is used but never defined", frame->unseen.at[i].name);
}

static void parse_blocks(Asm *p)
{
    while (!p->fatal && p->tok.kind == TOKEN_BLOCK) {
        const char *start = p->tok.start;
        uint32_t braces = p->braces;
        Block *block = parse_block_header(p);
        if (!block) {
            p->broken = true; /* its arguments are not known */
            recover(p, start, braces);
            block = vmc_block_create(p->ctx);
        }
        parse_ops(p, block, false);
    }
}

static bool parse_region_body(Asm *p, RegionFrame *frame, const AsmArgs *entry_args, SrcPos start)
{
    bool has_args = entry_args && entry_args->n;
    if (p->tok.kind == TOKEN_BLOCK && has_args)
        return asm_error(p, asm_pos(p), "the first block of this region has its arguments already and takes no label");
    if (has_args || (p->tok.kind != TOKEN_BLOCK && !vmc_tok_is(p, "}"))) {
        Block *block = vmc_block_create(p->ctx);
        vmc_block_append(frame->region, block);
        if (!bind_args(p, block, entry_args))
            p->broken = true;
        parse_ops(p, block, false);
    }
    parse_blocks(p);
    if (p->fatal)
        return false;
    if (!vmc_tok_is(p, "}")) {
        vmc_expected(p, "'}' at the end of a region");
        vmc_note(&p->ctx->diag, start, "the region starts here");
        p->fatal = true;
        return false;
    }
    report_unseen_blocks(p, frame);
    return true;
}

bool vmc_parse_region(Asm *p, Region *region, const AsmArgs *entry_args, bool isolated)
{
    SrcPos start = asm_pos(p);
    if (!vmc_tok_is(p, "{"))
        return vmc_expected(p, "'{'");
    if (!vmc_enter(p))
        return false;
    vmc_advance(p);
    RegionFrame frame = {.region = region, .labels = {.arena = &p->ctx->arena}, .outer = p->region};
    bool broken = p->broken;
    if (isolated)
        p->broken = false;
    p->region = &frame;
    vmc_push_scope(p, isolated);
    bool ok = parse_region_body(p, &frame, entry_args, start);
    if (p->fatal)
        p->broken = true;
    vmc_pop_scope(p);
    p->region = frame.outer;
    if (isolated)
        p->broken = broken;
    vmc_leave(p);
    if (ok)
        vmc_advance(p);
    return ok;
}

/* ---- top level ----------------------------------------------------------- */

static bool parse_alias_definition(Asm *p)
{
    bool is_type = p->tok.kind == TOKEN_BANG;
    SrcPos pos = asm_pos(p);
    const char *name = vmc_intern_token(p, 1);
    Map *aliases = is_type ? &p->type_aliases : &p->attr_aliases;
    char sigil = is_type ? '!' : '#';
    vmc_advance(p);
    if (!asm_expect(p, "="))
        return false;
    if (strchr(name, '.'))
        return asm_error(p, pos, "the name of an alias may not have a dot: %c%s", sigil, name);
    if (vmc_map_ptr(aliases, name))
        return asm_error(p, pos, "%c%s is defined already", sigil, name);
    uint32_t depth;
    const void *value;
    if (is_type) {
        const Type *type;
        (void)asm_try(p, "type"); /* `!a = type i32`: an older spelling */
        if (!vmc_parse_type(p, &type))
            return false;
        value = type;
        depth = type->depth;
    } else {
        const Attr *attr;
        if (!vmc_parse_attr(p, NULL, &attr))
            return false;
        value = attr;
        depth = attr->depth;
    }
    if (depth > VMC_MAX_DEPTH) {
        asm_error(p, pos, "%c%s is nested more than %d levels deep", sigil, name, VMC_MAX_DEPTH);
        p->fatal = true;
        return false;
    }
    vmc_map_put_ptr(aliases, name, value);
    return true;
}

static void finish_locations(Asm *p)
{
    for (size_t i = 0; i < p->loc_fixups.n; i++) {
        const LocFixup *f = &p->loc_fixups.at[i];
        const Attr *attr = vmc_map_ptr(&p->attr_aliases, f->alias);
        if (!attr && !p->ctx->diag.errors)
            vmc_error(&p->ctx->diag, f->pos, "#%s is used but never defined", f->alias);
        else if (attr && attr->kind != ATTR_LOC)
            vmc_error(&p->ctx->diag, f->pos, "#%s is not a location", f->alias);
        else
            *f->slot = attr;
    }
}

static bool check_source(Context *ctx)
{
    const char *source = ctx->diag.source;
    size_t n = ctx->diag.source_size;
    if (n >= UINT32_MAX - 1) {
        vmc_error(&ctx->diag, (SrcPos){0}, "the input has 4 GiB or more");
        return false;
    }
    if (n >= 4 && memcmp(source, "ML\xEFR", 4) == 0) {
        vmc_error(&ctx->diag, (SrcPos){0}, "this is MLIR bytecode, not text; `mlir-opt %s` prints it as text",
                  ctx->diag.file ? ctx->diag.file : "FILE");
        return false;
    }
    const char *nul = memchr(source, 0, n);
    if (nul) {
        vmc_error(&ctx->diag, (SrcPos){(uint32_t)(nul - source) + 1}, "the input has a NUL byte: it is no text");
        return false;
    }
    return true;
}

/* A file is one module, or the body of one. */
static Op *outermost(Op *wrapper)
{
    Block *block = wrapper->regions[0].first;
    Op *only = block->first;
    if (!only || only->next || !vmc_is(only, "builtin.module"))
        return wrapper;
    vmc_op_unlink(only);
    return only;
}

bool vmc_parse_module(Context *ctx, const ParseOptions *options)
{
    static const ParseOptions defaults;
    uint32_t before = ctx->diag.errors;
    if (!check_source(ctx))
        return false;
    Arena *arena = &ctx->arena;
    Asm p = {.ctx = ctx, .options = options ? options : &defaults, .source = ctx->diag.source};
    p.limit = p.source + ctx->diag.source_size;
    p.names = p.forward_refs = p.attr_aliases = p.type_aliases = (Map){.arena = arena};
    OpState state = {.name = "builtin.module", .pos = {1}, .nregions = 1};
    Op *wrapper = vmc_op_create(ctx, &state);
    Block *body = vmc_block_create(ctx);
    vmc_block_append(&wrapper->regions[0], body);
    RegionFrame frame = {.region = &wrapper->regions[0], .labels = {.arena = arena}};
    p.region = &frame;
    ctx->limits_depth = 0;
    vmc_push_scope(&p, true);
    vmc_relex(&p, p.source);
    parse_ops(&p, body, true);
    p.broken |= p.fatal;
    vmc_pop_scope(&p);
    report_unseen_blocks(&p, &frame);
    finish_locations(&p);
    vmc_finish_resources(&p);
    ctx->limits_depth = 0;
    if (ctx->diag.errors != before)
        return false;
    ctx->module = outermost(wrapper);
    return true;
}
