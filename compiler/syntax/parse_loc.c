/* Locations: loc("file":1:2), loc("name"(child)), loc(callsite(a at b)), loc(fused<meta>[a, b]), loc(unknown). */
#include "parser.h"

static const Attr *make(Asm *p, const Attr *proto)
{
    return vmc_attr_intern(p->ctx, proto);
}

static bool parse_u32(Asm *p, uint32_t *value)
{
    uint64_t v;
    if (p->tok.kind != TOKEN_INTEGER || !vmc_token_u64(p, &v) || v > UINT32_MAX)
        return vmc_expected(p, "a line or column number");
    *value = (uint32_t)v;
    vmc_advance(p);
    return true;
}

/* `to 3:4` or `to :4` behind a position: where the range ends is not kept */
static bool skip_range_end(Asm *p)
{
    uint32_t ignored;
    if (!asm_try(p, "to"))
        return true;
    if (p->tok.kind == TOKEN_INTEGER && !parse_u32(p, &ignored))
        return false;
    return asm_expect(p, ":") && parse_u32(p, &ignored);
}

static bool parse_named(Asm *p, const Attr **out)
{
    Attr proto = {.kind = ATTR_LOC, .loc = LOC_NAME};
    const Attr *child;
    size_t n;
    SrcPos pos = asm_pos(p);
    if (!asm_string(p, &proto.s, &n))
        return false;
    if (strlen(proto.s) != n)
        return asm_error(p, pos, "the name of a location may not hold a NUL");
    if (asm_try(p, ":")) {
        proto.loc = LOC_FILE;
        if (!parse_u32(p, &proto.line))
            return false;
        if (asm_try(p, ":") && !parse_u32(p, &proto.col))
            return false;
        if (!skip_range_end(p))
            return false;
    } else if (asm_try(p, "(")) {
        if (!vmc_parse_loc_body(p, &child) || !asm_expect(p, ")"))
            return false;
        proto.n = 1;
        proto.elems = &child;
    }
    *out = make(p, &proto);
    return true;
}

static bool parse_callsite(Asm *p, const Attr **out)
{
    const Attr *parts[2];
    if (!asm_expect(p, "(") || !vmc_parse_loc_body(p, &parts[0]) || !asm_expect(p, "at") || !vmc_parse_loc_body(p, &parts[1]))
        return false;
    *out = make(p, &(Attr){.kind = ATTR_LOC, .loc = LOC_CALLSITE, .n = 2, .elems = parts});
    return asm_expect(p, ")");
}

static bool parse_fused(Asm *p, const Attr **out)
{
    VEC(const Attr *) parts = {0};
    const Attr *meta = NULL;
    if (asm_try(p, "<") && (!vmc_parse_attr(p, NULL, &meta) || !asm_expect(p, ">")))
        return false;
    if (!asm_expect(p, "["))
        return false;
    if (!vmc_tok_is(p, "]")) {
        do {
            const Attr *part;
            if (!vmc_parse_loc_body(p, &part))
                return false;
            VEC_PUSH(&p->ctx->scratch, &parts, part);
        } while (asm_try(p, ","));
    }
    *out = make(p, &(Attr){.kind = ATTR_LOC, .loc = LOC_FUSED, .n = parts.n, .elems = parts.at, .meta = meta});
    return asm_expect(p, "]");
}

static bool parse_body(Asm *p, const Attr **out)
{
    if (p->tok.kind == TOKEN_STRING)
        return parse_named(p, out);
    if (asm_try(p, "unknown")) {
        *out = make(p, &(Attr){.kind = ATTR_LOC, .loc = LOC_UNKNOWN});
        return true;
    }
    if (asm_try(p, "callsite"))
        return parse_callsite(p, out);
    if (asm_try(p, "fused"))
        return parse_fused(p, out);
    if (vmc_tok_is(p, "loc")) { /* a whole loc(...) stands for its contents */
        vmc_advance(p);
        return asm_expect(p, "(") && vmc_parse_loc_body(p, out) && asm_expect(p, ")");
    }
    if (p->tok.kind == TOKEN_HASH) {
        SrcPos pos = asm_pos(p);
        const Attr *attr;
        if (!vmc_parse_attr(p, NULL, &attr))
            return false;
        if (attr->kind == ATTR_OPAQUE) { /* a location of another dialect: kept as metadata */
            *out = make(p, &(Attr){.kind = ATTR_LOC, .loc = LOC_FUSED, .meta = attr});
            return true;
        }
        *out = attr;
        return attr->kind == ATTR_LOC || asm_error(p, pos, "expected a location");
    }
    return vmc_expected(p, "a location");
}

bool vmc_parse_loc_body(Asm *p, const Attr **out)
{
    *out = NULL;
    if (!vmc_enter(p))
        return false;
    bool ok = parse_body(p, out);
    vmc_leave(p);
    return ok;
}
