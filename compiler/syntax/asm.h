/* The parser and the printer as an op's own grammar hook sees them.
 *
 * Parsing functions return false after having reported the error (with position,
 * "expected X, saw Y"); a hook then returns false at once.  `try_` forms report
 * nothing and return false when the token is not there.
 * The op under construction is Asm.state: a hook adds operands, attributes, regions
 * and result types; the parser makes the Op afterwards.
 */
#ifndef VMC_ASM_H
#define VMC_ASM_H

#include "../dialects/dialect.h"

typedef struct AsmOperand { /* an operand as written, not yet resolved to a value of a type */
    const char *name;       /* without `%` */
    uint32_t number;        /* #k */
    SrcPos pos;
} AsmOperand;

typedef struct AsmArg { /* region argument */
    AsmOperand name;    /* name.name == NULL where unnamed (declarations) */
    const Type *type;   /* NULL where the caller supplies it */
    const Attr *attrs;  /* DICT or NULL */
    const Attr *loc;
} AsmArg;

typedef VEC(AsmOperand) AsmOperands;
typedef VEC(const Type *) AsmTypes;
typedef VEC(AsmArg) AsmArgs;

Context *asm_context(Asm *p);
Arena *asm_arena(Asm *p);                                                                          /* same life as the IR */
SrcPos asm_pos(Asm *p);                                                                            /* of the current token */
SrcPos asm_op_pos(Asm *p);                                                                         /* of the op's name */
bool asm_error(Asm *p, SrcPos pos, const char *format, ...) __attribute__((format(printf, 3, 4))); /* returns false */

/* tokens: `text` is punctuation ("(", "->", "::", ...) or a bare keyword */
bool asm_try(Asm *p, const char *text);
bool asm_expect(Asm *p, const char *text);
bool asm_peek(Asm *p, const char *text);
bool asm_try_keyword(Asm *p, const char **keyword); /* any bare identifier (dots allowed) */
bool asm_keyword(Asm *p, const char **keyword);
bool asm_string(Asm *p, const char **text, size_t *n);
bool asm_peek_string(Asm *p);                 /* the current token is a string */
bool asm_try_integer(Asm *p, int64_t *value); /* with sign */
bool asm_integer(Asm *p, int64_t *value);
bool asm_symbol_name(Asm *p, const char **name); /* @x or @"x" */
/* What is left of an op that is not read but kept: to the end of the line on which its brackets are closed; aliases expanded. */
bool asm_rest_as_text(Asm *p, Text *out);

/* operands and types */
bool asm_operand(Asm *p, AsmOperand *out);
bool asm_try_operand(Asm *p, AsmOperand *out);
bool asm_operand_list(Asm *p, AsmOperands *out);                                     /* a, b, c; may be empty */
bool asm_operands_in(Asm *p, const char *open, const char *close, AsmOperands *out); /* "(" ")" or "[" "]" */
bool asm_type(Asm *p, const Type **out);
bool asm_try_type(Asm *p, const Type **out);
bool asm_colon_type(Asm *p, const Type **out);
bool asm_type_list(Asm *p, AsmTypes *out);   /* t, t, t; may be empty */
bool asm_paren_types(Asm *p, AsmTypes *out); /* () or (t, t) */
bool asm_arrow_types(Asm *p, AsmTypes *out); /* -> t or -> (t, t) */
bool asm_try_arrow_types(Asm *p, AsmTypes *out);
bool asm_function_type(Asm *p, const Type **out);
/* Resolve to a value of `type` (a forward reference is made where not yet seen) and append as the op's next operand. */
bool asm_resolve(Asm *p, const AsmOperand *operand, const Type *type);
bool asm_resolve_list(Asm *p, const AsmOperands *operands, const AsmTypes *types, SrcPos pos); /* counts must agree */
bool asm_resolve_all(Asm *p, const AsmOperands *operands, const Type *type);
void asm_add_operand(Asm *p, Value *value); /* one that is known already */
uint32_t asm_num_operands(Asm *p);          /* so far */
const Type *asm_operand_type(Asm *p, uint32_t i);
void asm_add_result(Asm *p, const Type *type);
void asm_add_results(Asm *p, const AsmTypes *types);

/* attributes */
bool asm_attr(Asm *p, const Type *type_or_null, const Attr **out); /* any attribute; type for bare numbers */
bool asm_try_attr(Asm *p, const Type *type_or_null, const Attr **out);
bool asm_attr_dict(Asm *p);         /* optional { ... } into the op (bare aliases of dictionaries included) */
bool asm_attr_dict_keyword(Asm *p); /* optional `attributes { ... }` */
bool asm_properties(Asm *p);        /* optional <{ ... }> */
void asm_add_attr(Asm *p, const char *name, const Attr *attr);
const Attr *asm_get_attr(Asm *p, const char *name);
bool asm_affine_map(Asm *p, const AffineMap **map); /* affine_map<...> or an alias */
/* map or expression applied to operands: `affine_map<..>(%a)[%b]`, `%a + 2 * %b` (affine.load subscripts): the map and its operands
 */
bool asm_affine_subscripts(Asm *p, const char *open, const char *close, const AffineMap **map, AsmOperands *operands);
/* (%a, min(%b, 4 * %c)): bounds of several results; groups[i] (arena of the scratch) is the number of results of bound i */
bool asm_affine_bounds(Asm *p, const char *several, const AffineMap **map, AsmOperands *operands, const int32_t **groups, size_t *n);
void asm_set_segments(Asm *p, size_t n, const int32_t *sizes); /* operandSegmentSizes */
/* [%a, 3, ?] lists: static values with VMC_DYNAMIC where an operand stands; type of operands is index */
bool asm_dynamic_index_list(Asm *p, const char *open, const char *close, int64_t **statics, size_t *n, AsmOperands *operands);

/* regions and successors */
bool asm_region(Asm *p, const AsmArgs *entry_args); /* { ... }; the entry block takes these arguments (typed) */
bool asm_try_region(Asm *p, const AsmArgs *entry_args, bool *seen);
void asm_add_empty_region(Asm *p);
/* A region with one block that a hook fills itself (shorthand bodies) */
Region *asm_new_region(Asm *p);
uint32_t asm_num_regions(Asm *p);
Region *asm_region_at(Asm *p, uint32_t i); /* a region that was read already; its ops may be changed */
void asm_last_region_first(Asm *p);        /* scf.index_switch writes its region 0, the default, last */
bool asm_arg_list(Asm *p, const char *open, const char *close, AsmArgs *out, bool typed); /* (%a: T {attrs} loc(..), ...) */
bool asm_successor(Asm *p);                      /* ^bb(%a, %b : T, T) with its operands; may be repeated */
bool asm_result_names(Asm *p, AsmOperands *out); /* names on the left of `=`, for ops that read them */

/* ---- printing ---------------------------------------------------------- */

Text *print_text(Printer *p);
void print_str(Printer *p, const char *text);
void print_fmt(Printer *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
void print_newline(Printer *p);                             /* with the current indentation */
void print_value(Printer *p, const Value *value);           /* %name */
void print_values(Printer *p, const Use *uses, uint32_t n); /* a, b, c */
void print_operands(Printer *p, const Op *op, const char *group);
void print_type(Printer *p, const Type *type);
void print_operand_types(Printer *p, const Op *op, const char *group); /* t, t */
void print_result_types(Printer *p, const Op *op);                     /* t or (t, t) */
void print_arrow_results(Printer *p, const Op *op);                    /* " -> (t, t)", in parentheses even for one; nothing without results */
void print_types_paren(Printer *p, uint32_t n, const Value *values);
void print_attr(Printer *p, const Attr *attr);
void print_attr_no_type(Printer *p, const Attr *attr);
/* The attributes that are not in `except` (NULL-terminated) and not default; nothing when none is left. */
void print_attr_dict(Printer *p, const Op *op, const char *const *except);
void print_attr_dict_keyword(Printer *p, const Op *op, const char *const *except);
void print_region(Printer *p, const Region *region, bool entry_args, bool terminators);
void print_successor(Printer *p, const Successor *successor, const Op *op);
void print_symbol_name(Printer *p, const char *name);
void print_dynamic_index_list(Printer *p, const int64_t *statics, size_t n, const Use *operands); /* without brackets */
void print_affine_subscripts(Printer *p, const AffineMap *map, const Use *operands);
void print_arg(Printer *p, const Value *arg, const Attr *attrs); /* %a: T {attrs} */

#endif
