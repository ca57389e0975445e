/* State of the parser, shared by the files of compiler/syntax; hooks see it as an opaque Asm. */
#ifndef VMC_PARSER_H
#define VMC_PARSER_H

#include "asm.h"
#include "lexer.h"
#include "syntax.h"

typedef struct ForwardRef { /* a use before the definition: a value without op and block stands in */
    uint32_t number;
    Value *value;
    SrcPos pos;
    struct ForwardRef *next;
} ForwardRef;

typedef struct Binding { /* what %name stands for */
    const char *name;
    struct Binding *outer;  /* the same name in an enclosing isolated scope */
    uint32_t id, isolation; /* isolated scope that it belongs to */
    bool defined;
    bool poisoned; /* its definition had an error: uses say nothing */
    uint32_t n;
    Value *results; /* contiguous results of an op, or */
    Value *arg;     /* one block argument */
    ForwardRef *forwards;
    SrcPos pos;
} Binding;

typedef struct Scope {
    size_t first_def, first_forward; /* marks into Asm.defs and Asm.forwards */
    uint32_t isolation;
    bool isolated;
} Scope;

typedef struct BlockRef {
    const char *name;
    Block *block;
    SrcPos pos; /* first use, while it is not defined */
} BlockRef;

typedef struct RegionFrame {
    Region *region;
    Map labels;           /* interned label -> Block; those without parent are not defined yet */
    VEC(BlockRef) unseen; /* blocks used before their definition */
    struct RegionFrame *outer;
    bool broken; /* an error may have hidden blocks of this region */
} RegionFrame;

typedef struct OpBuild { /* the op under construction */
    const char *name;
    const OpDef *def;
    SrcPos pos;
    const Attr *loc;
    bool custom;
    AsmOperands names; /* number = how many results the name covers */
    VEC(Value *) operands;
    VEC(const Type *) results;
    VEC(NamedAttr) attrs;
    VEC(Region *) regions;
    VEC(Block *) successors;
    VEC(uint32_t) successor_counts;
    VEC(Value *) successor_operands;
    VEC(bool) written; /* per region: stands in braces in the text */
} OpBuild;

typedef struct LocFixup { /* loc(#alias) before the alias is defined */
    const char *alias;
    const Attr **slot;
    SrcPos pos;
} LocFixup;

typedef struct Pending { /* dense_resource<key>: its data stands at the end of the file */
    Attr *attr;
    SrcPos pos;
} Pending;

struct Asm {
    Context *ctx;
    const ParseOptions *options;
    const char *source, *limit;
    Token tok;
    uint32_t braces; /* open braces before tok */
    bool fatal;      /* nothing more can be parsed */
    bool broken;     /* an error may have hidden definitions: undefined names are not reported */
    OpBuild *op;
    RegionFrame *region;
    Map names; /* interned name -> Binding */
    uint32_t next_binding, isolation, next_isolation;
    VEC(Binding *) defs;
    VEC(Binding *) forwards;
    VEC(Scope) scopes;
    Map forward_refs;               /* binding id and number -> ForwardRef */
    Map attr_aliases, type_aliases; /* interned name -> Attr, Type */
    VEC(LocFixup) loc_fixups;
    VEC(Pending) pending;
    Binding *free_bindings;
    size_t expansion; /* bytes that aliases in opaque text have been expanded to */
};

/* ---- tokens (parser.c) */
void vmc_advance(Asm *p);
void vmc_relex(Asm *p, const char *at); /* the next token starts at or after `at`; no braces in between */
SrcPos vmc_pos_at(const Asm *p, const char *at);
bool vmc_tok_is(const Asm *p, const char *text); /* punctuation or word */
bool vmc_expected(Asm *p, const char *what);     /* reports "expected WHAT, saw ..."; returns false */
bool vmc_enter(Asm *p);                          /* one level deeper; reports at the limit */
void vmc_leave(Asm *p);
const char *vmc_intern_token(Asm *p, size_t skip); /* spelling behind the first `skip` characters */
/* Text of a string token, escapes decoded; false with an error for a bad escape. */
bool vmc_decode_string(Asm *p, const char *start, const char *end, const char **text, size_t *n);
bool vmc_decode_symbol(Asm *p, const char **name); /* of the current symbol token */
bool vmc_token_u64(Asm *p, uint64_t *value);       /* integer token: false (no report) past 64 bits */

/* ---- values (scope.c) */
void vmc_push_scope(Asm *p, bool isolated);
void vmc_pop_scope(Asm *p);
Value *vmc_resolve_value(Asm *p, const AsmOperand *operand, const Type *type);
Value *vmc_known_value(Asm *p, const AsmOperand *operand); /* of whatever type; NULL where it is not defined yet */
bool vmc_define_results(Asm *p, const char *name, Value *results, uint32_t n, SrcPos pos);
bool vmc_define_arg(Asm *p, const char *name, Value *arg, SrcPos pos);
void vmc_poison(Asm *p, const char *name, SrcPos pos);

/* ---- ops (parser.c) */
bool vmc_parse_region(Asm *p, Region *region, const AsmArgs *entry_args, bool isolated);
bool vmc_parse_trailing_loc(
    Asm *p, const Attr **out); /* optional loc(...); *out NULL if absent, a stand-in for an alias that comes later */
void vmc_settle_loc(Asm *p, const Attr **slot); /* *slot may hold a stand-in: it is replaced at the end of the file */
Block *vmc_block_ref(Asm *p, const char *label, SrcPos pos);
typedef VEC(NamedAttr) NamedAttrs;
bool vmc_parse_attr_entries(Asm *p, NamedAttrs *out); /* { a = 1, b } with its braces; repeated names are reported */

bool vmc_at_op_start(const Asm *p); /* the current token is the first of its line and looks like the start of an op */

/* ---- ops of unknown dialects (kept_op.c) */
bool vmc_parse_kept_op(Asm *p, OpBuild *op); /* the token is its name */
bool vmc_is_kept_op(const Op *op);
void vmc_print_kept_op(Printer *p, const Op *op);   /* behind its name */
bool vmc_adopt_type(Value *value, const Type *type); /* a result of such an op whose type is not known yet: it is that from now on */

/* ---- types (parse_type.c) */
bool vmc_parse_type(Asm *p, const Type **out);
bool vmc_try_parse_type(Asm *p, const Type **out, bool *seen);
bool vmc_starts_type(const Asm *p);
const char *vmc_type_text(Asm *p, const Type *type); /* for a message */
/* Balanced text of a dialect type or attribute from tok (a # or ! name); aliases within are expanded. */
bool vmc_opaque_text(Asm *p, Text *out);
bool vmc_alias_text(Asm *p, Text *out, const char *start, const char *end); /* what the alias stands for, or the text itself */

/* ---- attributes (parse_attr.c, parse_dense.c, parse_affine.c, parse_loc.c) */
bool vmc_parse_attr(Asm *p, const Type *type, const Attr **out);
bool vmc_starts_attr(const Asm *p);
bool vmc_parse_number(Asm *p, const Type *type, bool negative, const Attr **out);
bool vmc_float_literal(const Type *type, const char *text, size_t n, bool negative, uint64_t *bits);
bool vmc_float_hex(const Type *type, uint64_t value); /* whether a hex literal is in range */
bool vmc_int_in_range(const Type *type, bool negative, uint64_t magnitude);
bool vmc_parse_dense(Asm *p, const Type *type, const Attr **out);
bool vmc_parse_dense_array(Asm *p, const Attr **out);
bool vmc_parse_resource(Asm *p, const Type *type, const Attr **out);
bool vmc_parse_file_metadata(Asm *p);
bool vmc_finish_resources(Asm *p);
bool vmc_parse_affine_attr(Asm *p, bool set, const AffineMap **out); /* behind the keyword */
bool vmc_parse_loc_body(Asm *p, const Attr **out);                   /* between the parentheses */

/* ---- formats (format.c) */
bool vmc_parse_format(Asm *p, const OpDef *def);
void vmc_print_format(Printer *p, const Op *op);

#endif
