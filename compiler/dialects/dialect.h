/* What is known of an op: one row, one place.
 *
 * Rows stand in compiler/dialects/NAME.def, included by dialects.c with
 *
 *   OP(name, aliases, operands, results, attrs, regions, traits, format, doc, hooks)
 *
 * all strings but traits (an OR of TRAIT_*) and hooks (designated initialisers of
 * OpHooks in braces, `{0}` for none; its commas make it the macro's `...`).  Parser, printer, verifier and the reference
 * page (vmc --print-op-reference) are driven by the row.
 *
 *  name      "arith.addi"
 *  aliases   older or other spellings, blank separated: "arith.addi_old"
 *  operands  comma-separated `name:constraint` with `?` (optional) or `*` (variadic)
 *            behind the name: "memref:memref, indices*:index".  With several variable
 *            groups, sizes come from operandSegmentSizes (attribute or property, old
 *            DENSE and new array<i32>); TRAIT_SAME_SEGMENTS where they are equal.
 *  results   the same form, "result:same(lhs)"
 *  attrs     "name:kind" with `?` (optional), or `=text` (default, not printed when equal):
 *            "predicate:cmpi_predicate, fastmath:opaque?, alignment:i64?"
 *  regions   "body", "then, else?", "cases*"; empty for none.  A region name with `:ssacfg`
 *            is the default; `:single` = exactly one block.
 *  successors are declared by a trait and stand in the format.
 *
 * Constraints (types): any, int (signless integer or i1), index, intlike (int or index),
 *  float, number (int, index, float, complex), i1, i32, i64, f32, f64, complex, memref, rmemref (ranked),
 *  tensor, rtensor, shaped, vector, function, none.  `E*` spelled with suffix `l` ("intl",
 *  "floatl", "intlikel", "numberl", "i1l") also accepts vector and tensor of it
 *  (elementwise ops).  For results, and for operands whose type the format does not
 *  carry: same(x) = type of operand/result x; elem(x) = its element type;
 *  part(x) = real type with the shape of the complex x; i1like(x) = i1 with the shape of x; or any fixed type.
 *  hooks.infer decides otherwise.  `a|b` accepts either.
 * Attribute kinds: any, unit, bool, i32, i64, index, int, float, string, symbol, type, map, set,
 *  array, dense, ints (array<i64>, [..], or dense), typed (TypedAttr: a value with type), opaque, loc,
 *  or the name of an enum table (see EnumDef): stored as integer attribute, printed as keyword.
 *
 * Formats (one interpreter, syntax/format.c; language of ODS assemblyFormat):
 *  `text`                  literal keyword or punctuation; `` `` `` suppresses the blank
 *  $x                      operand(s), attribute, region or successor(s) of that name
 *  type($x)  type(operands)  type(results)  functional-type(operands, results)
 *  operands  results  attr-dict  attr-dict-with-keyword  regions  successors
 *  ( a $x^ b )? and ( ... )? : ( ... )   optional group, `^` marks the anchor
 *  custom<hook>            the row's hooks.parse_part/print_part with the name `hook`
 * An empty format means hooks.parse/print, or, without these, generic form only.
 * A type that the format leaves out is derived: fixed constraint, same()/elem()/i1like(),
 * or TRAIT_SAME_TYPE (all operands and results alike).
 */
#ifndef VMC_DIALECT_H
#define VMC_DIALECT_H

#include "../ir/ir.h"

typedef struct Asm Asm;         /* syntax/asm.h: the parser as a hook sees it */
typedef struct Printer Printer; /* syntax/asm.h */

enum {
    TRAIT_PURE = 1 << 0,        /* no side effect, may be removed, duplicated, hoisted when it cannot trap */
    TRAIT_SPECULATABLE = 1 << 1,/* pure and never traps */
    TRAIT_COMMUTATIVE = 1 << 2,
    TRAIT_SAME_TYPE = 1 << 3,   /* all operands and results have one type */
    TRAIT_ELEMENTWISE = 1 << 4, /* works on scalars and, lane by lane, on vectors and tensors */
    TRAIT_TERMINATOR = 1 << 5,
    TRAIT_ISOLATED = 1 << 6,    /* regions see no values from above */
    TRAIT_SYMBOL = 1 << 7,      /* sym_name */
    TRAIT_SYMBOL_TABLE = 1 << 8,
    TRAIT_SUCCESSORS = 1 << 9,  /* may have successors */
    TRAIT_SAME_SEGMENTS = 1 << 10,
    TRAIT_SINGLE_BLOCK = 1 << 11, /* each region has at most one block */
    TRAIT_IMPLICIT_TERMINATOR = 1 << 12, /* hooks.terminator is added when missing, left out in custom print */
    TRAIT_DESTINATION = 1 << 13, /* destination style: result k is tied to `outs` operand k (operand group "outs" or "dest") */
    TRAIT_VIEW = 1 << 14,       /* result is another view of operand 0 */
    TRAIT_CONSTANT = 1 << 15,   /* arith.constant and its kin */
    TRAIT_RECURSIVE_EFFECTS = 1 << 16, /* effects are those of the regions */
    TRAIT_LOOP = 1 << 17,       /* regions may run many times */
    TRAIT_ALLOCATES = 1 << 18,
    TRAIT_AFFINE_SCOPE = 1 << 19,
    TRAIT_NO_REGION_ARGS = 1 << 20,
    TRAIT_GRAPH_REGION = 1 << 21, /* regions without dominance order (builtin.module) */
    TRAIT_STRUCTURED = 1 << 22, /* linalg op: hooks of linalg.h apply */
};

/* Integer enums printed as keywords: in any .def file,
 *   ENUM(cmpi_predicate, "eq", 0, "ne", 1, ...)      stored as i64
 *   ENUM_I32(rounding_mode, "to_nearest_even", 0, ...)  stored as i32 */
typedef struct EnumCase { const char *name; int64_t value; } EnumCase;
typedef struct EnumDef { const char *name; const EnumCase *cases; uint32_t n; uint32_t width; } EnumDef;
const EnumDef *vmc_find_enum(const char *name);
const char *vmc_enum_name(const EnumDef *def, int64_t value); /* NULL if none */
bool vmc_enum_value(const EnumDef *def, const char *name, int64_t *value);

typedef struct OpHooks {
    /* Whole custom grammar, after the op's name: fill `state` (see asm.h). */
    bool (*parse)(Asm *p, const OpDef *def);
    void (*print)(Printer *p, const Op *op);
    /* custom<name> in a format */
    bool (*parse_part)(Asm *p, const OpDef *def, const char *name);
    void (*print_part)(Printer *p, const Op *op, const char *name);
    /* Result types from operands and attributes, where the format does not carry them: set asm's result types. */
    bool (*infer)(Asm *p, const OpDef *def);
    /* Beyond the row; reports through vmc_error, returns false on error. */
    bool (*verify)(Context *ctx, Op *op);
    /* Result attributes from operand attributes (NULL entries = not constant), arithmetic by vm/numeric only.
       On success fills results[k] with either an attribute or a Value (identity folds); returns true. */
    bool (*fold)(Context *ctx, Op *op, const Attr *const *operands, const Attr **attrs, Value **values);
    const char *kept_text;  /* attribute that holds the op as it was written; the op prints in generic form without it */
    const char *terminator; /* with TRAIT_IMPLICIT_TERMINATOR: "scf.yield" */
    const char *numeric;    /* scalar operation of vm/numeric and of opcodes.def that this op is: "addi", "cmpf", ... */
} OpHooks;

/* Parsed form of the strings, made once at registration. */
typedef enum FieldArity { ARITY_ONE, ARITY_OPTIONAL, ARITY_VARIADIC } FieldArity;
typedef struct FieldDef {
    const char *name;
    const char *constraint;  /* or attribute kind */
    const char *default_text; /* attributes */
    FieldArity arity;
} FieldDef;

struct OpDef {
    const char *name, *aliases, *operands_text, *results_text, *attrs_text, *regions_text;
    uint32_t traits;
    const char *format, *doc;
    OpHooks hooks;
    uint32_t noperands, nresults, nattrs, nregions; /* fields below */
    const FieldDef *operands, *results, *attrs, *regions;
};

static inline bool vmc_has_trait(const Op *op, uint32_t trait) { return op->def && (op->def->traits & trait) == trait; }
/* Called once by vmc_context_init: copies the rows into the context's arena and fills ctx->op_names. */
void vmc_register_dialects(Context *ctx);
uint32_t vmc_num_defs(void);
/* The rows as written, in the order of the files, without a context: the field lists are not parsed in these. */
const OpDef *vmc_def_at(uint32_t i);
const OpDef *vmc_match_def(const char *name); /* by name or alias, slow; vmc_find_def is the one to use with a context */
/* The type that a constraint alone fixes ("i1", "index", "f32", ...), or NULL. */
const Type *vmc_fixed_type(Context *ctx, const char *constraint);
/* Whether a type satisfies a constraint of one type alone (not same(), elem(), part(), i1like(): true for these). */
bool vmc_type_satisfies(const Type *type, const char *constraint);
/* `same(x)` and the like: the name within, interned; *kind is the text before the parenthesis. false for other constraints. */
bool vmc_constraint_ref(const char *constraint, char *kind, size_t kind_size, char *name, size_t name_size);
/* The type that same(x), elem(x), part(x), i1like(x) gives from the type of x; NULL for other constraints. */
const Type *vmc_derived_type(Context *ctx, const char *constraint, const Type *of_x);
/* Number of the row of vm/bytecode/opcodes.def that the op is (compares: with the predicate), or -1.  fold.c. */
int vmc_numeric_row(const Op *op);
/* Element type code of a scalar type as the VM stores it (i24: i32, index: i64); BVM_NONE where there is none. */
unsigned vmc_etype(const Type *scalar);
/* Folds by hooks.fold or hooks.numeric from constant operands; fills attrs[k] or values[k] of every result and returns true, or false.
   attrs and values hold op->nresults NULL entries. */
bool vmc_fold_op(Context *ctx, Op *op, const Attr **attrs, Value **values);
/* Number k of a typed constant of numbers (INT, FLOAT, DENSE), as a slot of the VM; false past its end or for others. */
bool vmc_attr_slot(const Attr *attr, uint64_t k, uint64_t *slot);
/* A scalar, or splat for shaped types, of that slot. */
const Attr *vmc_attr_of_slot(Context *ctx, const Type *type, uint64_t slot);

/* Values of operand group `name` (e.g. "indices"): first index and count; {0,0} if there is none. */
typedef struct OperandRange { uint32_t first, count; } OperandRange;
OperandRange vmc_operand_group(const Op *op, const char *name);
static inline Value *vmc_operand(const Op *op, uint32_t i) { return op->operands[i].value; }
/* The one operand of a single or optional group, or NULL. */
Value *vmc_operand_named(const Op *op, const char *name);

/* One verify routine for all rows: counts, constraints, attributes, segments, regions, traits, then hooks.verify. */
bool vmc_verify_against_def(Context *ctx, Op *op);

/* Table of the known dialect prefixes ("arith", ...): unknown ops of a known dialect are an error by name at
   parse time in custom form; in generic form they are kept and refused at lowering. */
/* Reports `'NAME' op TEXT` at the op; false. */
bool vmc_op_error(Context *ctx, const Op *op, const char *format, ...) __attribute__((format(printf, 3, 4)));
bool vmc_is_known_dialect(const char *prefix, size_t n);

#endif
