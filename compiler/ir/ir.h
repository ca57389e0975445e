/* The intermediate representation: the page to read first.
 *
 * It is MLIR's structure: an operation (Op) has operands, results, attributes,
 * regions and successors; a region is a list of blocks; a block has arguments and a
 * list of operations; a Value is a result or a block argument, in SSA form.  Types
 * and attributes are immutable and interned per Context: equal means same address.
 *
 * Everything is owned by the Context's arena and lives as long as it; erasing an Op
 * unlinks it and drops its uses.  Recursion over input (parse, print, walk, nested
 * attributes and types) has one limit, VMC_MAX_DEPTH.
 */
#ifndef VMC_IR_H
#define VMC_IR_H

#include "../support/diag.h"
#include "../support/support.h"

#define VMC_MAX_DEPTH 1000
#define VMC_DYNAMIC INT64_MIN /* a dimension, stride or offset that is `?` */

typedef struct Context Context;
typedef struct Type Type;
typedef struct Attr Attr;
typedef struct Op Op;
typedef struct Block Block;
typedef struct Region Region;
typedef struct Value Value;
typedef struct OpDef OpDef; /* dialects/dialect.h: what is known of an op */
typedef struct AffineExpr AffineExpr;
typedef struct AffineMap AffineMap;

/* ---- types ------------------------------------------------------------- */

typedef enum TypeKind {
    TYPE_NONE,
    TYPE_INDEX,
    TYPE_INT,   /* width 1.., sign */
    TYPE_FLOAT, /* format */
    TYPE_COMPLEX,
    TYPE_VECTOR,
    TYPE_TENSOR,
    TYPE_UNRANKED_TENSOR,
    TYPE_MEMREF,
    TYPE_UNRANKED_MEMREF,
    TYPE_FUNCTION,
    TYPE_TUPLE,
    TYPE_TOKEN,  /* a named builtin type without parameters that has no meaning here (token, ...) */
    TYPE_OPAQUE, /* !dialect.text: kept as written */
} TypeKind;

typedef enum Signedness { SIGNLESS, SIGNED, UNSIGNED } Signedness;

/* Float formats in the order of vm/bytecode element types; see vm/numeric for their layouts. */
typedef enum FloatFormat {
    FLOAT_F16, FLOAT_BF16, FLOAT_F32, FLOAT_F64,
    FLOAT_F8E5M2, FLOAT_F8E4M3FN, FLOAT_F8E4M3, FLOAT_F8E5M2FNUZ, FLOAT_F8E4M3FNUZ, FLOAT_F8E4M3B11FNUZ, FLOAT_F8E3M4, FLOAT_F8E8M0FNU,
    FLOAT_F6E2M3FN, FLOAT_F6E3M2FN, FLOAT_F4E2M1FN,
    FLOAT_TF32, FLOAT_F80, FLOAT_F128, /* parsed and printed, refused at lowering */
    FLOAT_FORMATS
} FloatFormat;

struct Type {
    TypeKind kind;
    Signedness sign;    /* INT */
    uint32_t width;     /* INT: bits */
    FloatFormat format; /* FLOAT */
    uint32_t rank;      /* VECTOR, TENSOR, MEMREF */
    const int64_t *dims; /* rank entries, VMC_DYNAMIC for `?` */
    const bool *scalable; /* VECTOR: rank entries, or NULL */
    const Type *elem;   /* COMPLEX, VECTOR, TENSOR, MEMREF and unranked */
    const Attr *layout; /* MEMREF: ATTR_MAP or ATTR_STRIDED; NULL = identity.  TENSOR: encoding or NULL */
    const Attr *space;  /* MEMREF: memory space or NULL */
    uint32_t nins, nouts;      /* FUNCTION; TUPLE uses nins/ins */
    const Type *const *ins;
    const Type *const *outs;
    const char *text;   /* OPAQUE: without the `!`; TOKEN: its name */
    uint32_t depth;     /* of nested types and attributes, 1 for a leaf */
};

const Type *vmc_type_none(Context *ctx);
const Type *vmc_type_index(Context *ctx);
const Type *vmc_type_int(Context *ctx, uint32_t width, Signedness sign);
const Type *vmc_type_float(Context *ctx, FloatFormat format);
const Type *vmc_type_complex(Context *ctx, const Type *elem);
const Type *vmc_type_vector(Context *ctx, uint32_t rank, const int64_t *dims, const bool *scalable, const Type *elem);
const Type *vmc_type_tensor(Context *ctx, uint32_t rank, const int64_t *dims, const Type *elem, const Attr *encoding);
const Type *vmc_type_memref(Context *ctx, uint32_t rank, const int64_t *dims, const Type *elem, const Attr *layout, const Attr *space);
const Type *vmc_type_unranked_tensor(Context *ctx, const Type *elem);
const Type *vmc_type_unranked_memref(Context *ctx, const Type *elem, const Attr *space);
const Type *vmc_type_function(Context *ctx, uint32_t nins, const Type *const *ins, uint32_t nouts, const Type *const *outs);
const Type *vmc_type_tuple(Context *ctx, uint32_t n, const Type *const *elems);
const Type *vmc_type_named(Context *ctx, TypeKind token_or_opaque, const char *text, size_t n);

static inline bool vmc_is_shaped(const Type *t) { return t->kind >= TYPE_VECTOR && t->kind <= TYPE_UNRANKED_MEMREF; }
static inline bool vmc_is_ranked(const Type *t) { return t->kind == TYPE_VECTOR || t->kind == TYPE_TENSOR || t->kind == TYPE_MEMREF; }
static inline bool vmc_is_tensor(const Type *t) { return t->kind == TYPE_TENSOR || t->kind == TYPE_UNRANKED_TENSOR; }
static inline bool vmc_is_memref(const Type *t) { return t->kind == TYPE_MEMREF || t->kind == TYPE_UNRANKED_MEMREF; }
static inline const Type *vmc_elem_or_self(const Type *t) { return vmc_is_shaped(t) ? t->elem : t; }
const char *vmc_float_name(FloatFormat format); /* "f32" */
unsigned vmc_float_bits(FloatFormat format);
unsigned vmc_float_etype(FloatFormat format); /* element type code of vm/bytecode; BVM_NONE for tf32, f80, f128 */
bool vmc_float_by_name(const char *text, size_t n, FloatFormat *format);
bool vmc_has_static_shape(const Type *t);
/* Product of the dims; false when dynamic or past INT64_MAX. */
bool vmc_num_elements(const Type *t, int64_t *count);
/* Bytes of one element in memory (DESIGN section 4, element storage; complex and vector elements included); 0 where the type has no storage. */
uint64_t vmc_elem_bytes(const Type *elem);
/* Offset and strides (rank entries) of a memref type, VMC_DYNAMIC where dynamic; false when its layout map is not strided. */
bool vmc_memref_strides(Context *ctx, const Type *memref, int64_t *offset, int64_t *strides);
void vmc_print_type(Text *out, const Type *type);

/* ---- attributes -------------------------------------------------------- */

typedef enum AttrKind {
    ATTR_UNIT,
    ATTR_INT,    /* type (INT, INDEX), i; booleans are INT of i1.  Past 64 bits: s = the digits, i the nearest int64 */
    ATTR_FLOAT,  /* type, i = the bits in the type's format */
    ATTR_STRING, /* s, n; type when written `"x" : T` */
    ATTR_SYMBOL, /* s = root, elems = nested references */
    ATTR_ARRAY,  /* elems */
    ATTR_DICT,   /* names/elems sorted as written */
    ATTR_TYPE,   /* type */
    ATTR_MAP,    /* map */
    ATTR_SET,    /* map + eq flags: integer set */
    ATTR_DENSE,  /* type (TENSOR or VECTOR), data, n bytes, splat */
    ATTR_DENSE_ARRAY, /* type = element type, data: n bytes, little endian */
    ATTR_RESOURCE, /* type, s = key: dense_resource<key>; data filled from the file's resources */
    ATTR_STRIDED,  /* offset, strides: strided<[...], offset: o> */
    ATTR_LOC,      /* location */
    ATTR_OPAQUE,   /* #dialect.text or #dialect<...>, sparse<...>, ...: text kept as written, without `#` */
} AttrKind;

typedef enum LocKind { LOC_UNKNOWN, LOC_FILE, LOC_NAME, LOC_CALLSITE, LOC_FUSED } LocKind;

typedef struct NamedAttr {
    const char *name; /* interned in the Context */
    const Attr *attr;
} NamedAttr;

struct Attr {
    AttrKind kind;
    bool splat; /* DENSE: data holds one element */
    const Type *type;
    int64_t i;         /* INT: sign-extended from its width (i1: 0 or 1); FLOAT: bits */
    const char *s;     /* STRING, SYMBOL (without @), RESOURCE, OPAQUE; NUL-terminated, may contain NUL */
    const void *data;  /* DENSE, DENSE_ARRAY, RESOURCE: elements as in memory (one byte for widths under 8), little endian */
    size_t n;          /* STRING and OPAQUE: length; data: bytes; ARRAY, DICT, SYMBOL: number of elems */
    const Attr *const *elems;
    const char *const *names; /* DICT */
    const AffineMap *map;     /* MAP, SET */
    int64_t offset;           /* STRIDED */
    const int64_t *strides;   /* STRIDED: n entries */
    LocKind loc;              /* LOC: FILE s:line:col; NAME s, elems[0]; CALLSITE elems[0] at elems[1]; FUSED elems, names meta in `meta` */
    uint32_t line, col;
    const Attr *meta;
    uint32_t depth; /* as of types */
    bool bare;      /* OPAQUE: a builtin form printed without `#` (sparse<...>, distinct[0]<...>) */
};

const Attr *vmc_attr_unit(Context *ctx);
const Attr *vmc_attr_bool(Context *ctx, bool value);
const Attr *vmc_attr_int(Context *ctx, const Type *type, int64_t value);
const Attr *vmc_attr_i64(Context *ctx, int64_t value);
const Attr *vmc_attr_index(Context *ctx, int64_t value);
const Attr *vmc_attr_float_bits(Context *ctx, const Type *type, uint64_t bits);
const Attr *vmc_attr_string(Context *ctx, const char *text, size_t n);
const Attr *vmc_attr_symbol(Context *ctx, const char *root, size_t n_nested, const Attr *const *nested);
const Attr *vmc_attr_array(Context *ctx, size_t n, const Attr *const *elems);
const Attr *vmc_attr_dict(Context *ctx, size_t n, const NamedAttr *entries);
const Attr *vmc_attr_type(Context *ctx, const Type *type);
const Attr *vmc_attr_map(Context *ctx, const AffineMap *map);
const Attr *vmc_attr_set(Context *ctx, const AffineMap *set);
/* `data` is taken over, not copied, when `owned` (arena memory or the input text's life); n == element size when splat. */
const Attr *vmc_attr_dense(Context *ctx, const Type *type, const void *data, size_t n, bool splat, bool owned);
const Attr *vmc_attr_dense_array(Context *ctx, const Type *elem, const void *data, size_t n);
const Attr *vmc_attr_i64_array(Context *ctx, size_t n, const int64_t *values); /* array<i64: ...> */
const Attr *vmc_attr_strided(Context *ctx, int64_t offset, size_t rank, const int64_t *strides);
const Attr *vmc_attr_opaque(Context *ctx, const char *text, size_t n);
/* Any other attribute (locations, resources, typed strings): the interned equal of `proto`, whose arrays and strings are copied. */
const Attr *vmc_attr_intern(Context *ctx, const Attr *proto);
void vmc_print_attr(Text *out, const Attr *attr);

/* Entry of a DICT by name; NULL if there is none, or `attr` is NULL or no DICT. */
const Attr *vmc_dict_get(const Attr *attr, const char *name);
/* i64 values of an ARRAY of INTs, a DENSE_ARRAY, or a DENSE of integers (old spelling): count, or -1 when it is none of these. */
ptrdiff_t vmc_attr_ints(Context *ctx, const Attr *attr, const int64_t **values);
/* Element k of a DENSE attribute as a scalar attribute. */
const Attr *vmc_dense_elem(Context *ctx, const Attr *dense, uint64_t k);

/* ---- affine ------------------------------------------------------------ */

typedef enum AffineKind { AFFINE_CONST, AFFINE_DIM, AFFINE_SYMBOL, AFFINE_ADD, AFFINE_MUL, AFFINE_MOD, AFFINE_FLOORDIV, AFFINE_CEILDIV } AffineKind;

struct AffineExpr { /* interned; simplified as MLIR does on construction (constants folded and to the right) */
    AffineKind kind;
    int64_t value; /* CONST: value; DIM, SYMBOL: position */
    const AffineExpr *lhs, *rhs;
    uint64_t divisor; /* largest known divisor of its value */
    uint32_t depth;   /* of the tree, 1 for a leaf */
    bool symbolic;    /* made of constants and symbols only */
};

struct AffineMap { /* interned; an integer set has eq[] and results are its constraints */
    uint32_t ndims, nsyms, nresults;
    const AffineExpr *const *results;
    const bool *eq; /* sets only: results[i] == 0, else >= 0 */
};

const AffineExpr *vmc_affine_const(Context *ctx, int64_t value);
const AffineExpr *vmc_affine_dim(Context *ctx, uint32_t position);
const AffineExpr *vmc_affine_symbol(Context *ctx, uint32_t position);
const AffineExpr *vmc_affine_binary(Context *ctx, AffineKind kind, const AffineExpr *lhs, const AffineExpr *rhs);
const AffineMap *vmc_affine_map(Context *ctx, uint32_t ndims, uint32_t nsyms, uint32_t nresults, const AffineExpr *const *results, const bool *eq);
const AffineMap *vmc_affine_identity(Context *ctx, uint32_t n);
bool vmc_map_is_identity(const AffineMap *map);
bool vmc_map_is_projected_permutation(const AffineMap *map); /* each result a distinct dim (or the constant 0) */
/* Wraps like index arithmetic; false on division or mod by zero. */
bool vmc_affine_eval(const AffineExpr *expr, const int64_t *dims, const int64_t *syms, int64_t *value);
/* Replace dims and symbols by expressions (NULL arrays keep them). */
const AffineExpr *vmc_affine_replace(Context *ctx, const AffineExpr *expr, const AffineExpr *const *dims, const AffineExpr *const *syms);
void vmc_print_map(Text *out, const AffineMap *map);

/* ---- operations -------------------------------------------------------- */

typedef struct Use { /* one operand slot; linked into the value's list of uses */
    Value *value;
    Op *owner;
    struct Use *next, **link;
} Use;

struct Value {
    const Type *type;
    Op *op;        /* defining op, or NULL for a block argument */
    Block *block;  /* block of a block argument, or NULL */
    uint32_t index; /* which result or argument */
    Use *uses;
    const char *name; /* hint without `%`, or NULL */
    SrcPos pos;
    const Attr *loc; /* block arguments: loc(...) as written, or NULL */
};

typedef struct Successor {
    Block *block;
    uint32_t first, count; /* its operands within Op.operands */
} Successor;

struct Op {
    const OpDef *def; /* NULL: unknown op, kept in generic form */
    const char *name; /* interned full name, "arith.addi" */
    Block *parent;
    Op *prev, *next;
    SrcPos pos;      /* where it was read; inherited by what it is lowered to */
    const Attr *loc; /* loc(...) as written, or NULL */
    uint32_t noperands, nresults, nregions, nsuccessors, nattrs;
    uint32_t order; /* position within the block, kept by vmc_op_before */
    Use *operands;   /* ordinary operands first, then those of the successors */
    Value *results;
    Region *regions;
    Successor *successors;
    NamedAttr *attrs; /* inherent (properties) and discardable alike, in the order written */
    void *data; /* scratch of the running pass */
};

struct Block {
    Region *parent;
    Block *prev, *next;
    Op *first, *last;
    uint32_t nargs, cap_args;
    Value **args;
    const char *name; /* label hint without `^`, or NULL */
    bool order_valid;
    void *data;
    Context *ctx;
    /* kept by dominance.c */
    Block *idom;
    uint32_t dom_in, dom_out; /* interval in the dominator tree; 0 = unreachable */
    /* kept by vmc_lookup_symbol: symbols of this block's ops by hash of the name, valid while symbols_version == version */
    Map *symbols;
    uint32_t version, symbols_version; /* version counts changes of the list of ops and of sym_name */
};

struct Region {
    Op *parent;
    uint32_t index;
    bool dominance_valid; /* call vmc_dominance_changed after editing Op.successors by hand */
    Block *first, *last;
};

typedef struct OpState { /* what vmc_op_create needs; all copied */
    const char *name;
    SrcPos pos;
    const Attr *loc;
    uint32_t noperands;
    Value *const *operands;
    uint32_t nresults;
    const Type *const *result_types;
    uint32_t nattrs;
    const NamedAttr *attrs;
    uint32_t nregions;
    uint32_t nsuccessors;
    Block *const *successors;
    const uint32_t *successor_counts; /* operands of each, taken from the end of `operands` */
} OpState;

struct Context {
    VmcMemory memory;
    Arena arena;     /* IR, types, attributes */
    Arena scratch;   /* temporaries, between a mark and its rewind */
    Interner names;  /* identifiers */
    Diag diag;
    void *tables;    /* interning tables of types, attributes, affine (ir.c) */
    Map *op_names;   /* interned name -> const OpDef * (dialects.c) */
    Op *module;      /* the outermost builtin.module after parsing */
    Map resources;   /* interned key -> const Attr * RESOURCE blobs (syntax) */
    uint32_t limits_depth; /* running recursion depth */
    Map buffer_types; /* function type -> the same without tensors (passes/bufferize.c) */
    Map *formats;    /* const OpDef * -> its parsed format (syntax/format.c) */
};

/* Sets up tables and registers every dialect.  memory.guard must be set first. */
void vmc_context_init(Context *ctx);
void vmc_context_free(Context *ctx); /* all memory of the context */
const char *vmc_name(Context *ctx, const char *text); /* interned */
const OpDef *vmc_find_def(Context *ctx, const char *name); /* current or older spelling; NULL if unknown */

Op *vmc_op_create(Context *ctx, const OpState *state); /* detached */
/* Appending shorthand used by passes: create and insert before `at` (or at the end of `block` when at is NULL). */
typedef struct Builder {
    Context *ctx;
    Block *block;
    Op *at;
    SrcPos pos;
    const Attr *loc;
} Builder;
Builder vmc_before(Context *ctx, Op *op);            /* takes op's position */
Builder vmc_at_end(Context *ctx, Block *block, SrcPos pos);
Op *vmc_build(Builder *b, const char *name, uint32_t noperands, Value *const *operands, uint32_t nresults, const Type *const *types,
              uint32_t nattrs, const NamedAttr *attrs, uint32_t nregions);
/* One-result form; returns the result. */
Value *vmc_build1(Builder *b, const char *name, const Type *type, uint32_t noperands, Value *const *operands);
Value *vmc_build_const(Builder *b, const Attr *value, const Type *type); /* arith.constant */
Value *vmc_build_index(Builder *b, int64_t value);                     /* arith.constant : index */

void vmc_op_insert_before(Op *op, Op *at);
void vmc_op_append(Block *block, Op *op);
void vmc_op_unlink(Op *op);
void vmc_op_erase(Op *op); /* unlink, drop its uses and those of its regions; its results must be unused */
Op *vmc_op_clone(Context *ctx, const Op *op, Map *values); /* deep, detached; `values` maps old Value -> new and is extended */
void vmc_set_operand(Op *op, uint32_t i, Value *value);
void vmc_set_operands(Context *ctx, Op *op, uint32_t n, Value *const *values); /* ops without successors */
void vmc_replace_uses(Value *old, Value *with);
bool vmc_op_before(Op *a, Op *b); /* same block; amortised constant */
bool vmc_is_ancestor(const Op *ancestor, const Op *op); /* op itself counts */
bool vmc_defined_inside(const Op *op, const Value *value); /* in its regions, block arguments included */
bool vmc_dominates(Value *value, Op *user); /* dominance across blocks and regions */
void vmc_dominance_changed(Region *region);
void vmc_dominance_update(Region *region); /* Block.idom, dom_in (preorder of the tree) and dom_out hold behind it */

const Attr *vmc_get_attr(const Op *op, const char *name); /* by text; NULL if absent */
void vmc_set_attr(Context *ctx, Op *op, const char *name, const Attr *attr); /* NULL removes */
bool vmc_get_int(const Op *op, const char *name, int64_t *value);
const char *vmc_get_string(const Op *op, const char *name);

Block *vmc_block_create(Context *ctx);                 /* detached */
void vmc_block_append(Region *region, Block *block);
void vmc_block_insert_before(Block *block, Block *at);
void vmc_block_unlink(Block *block);
Value *vmc_block_add_arg(Context *ctx, Block *block, const Type *type, SrcPos pos);
void vmc_block_erase_arg(Block *block, uint32_t i); /* must be unused */
static inline Op *vmc_parent_op(const Op *op) { return op->parent && op->parent->parent ? op->parent->parent->parent : NULL; }
static inline Block *vmc_entry(const Op *op, uint32_t region) { return op->regions[region].first; }
static inline Op *vmc_terminator(const Block *block) { return block->last; }

static inline bool vmc_is(const Op *op, const char *name) { return strcmp(op->name, name) == 0; }
Op *vmc_lookup_symbol(Op *table, const char *name); /* in the table op's body */
Op *vmc_resolve_symbol(Op *from, const Attr *symbol); /* walks out through the enclosing tables */
/* Pre-order walk; the callback may erase the op that it gets.  false stops. */
bool vmc_walk(Op *root, bool (*visit)(Op *op, void *user), void *user);
bool vmc_walk_post(Op *root, bool (*visit)(Op *op, void *user), void *user);

/* Verifies structure, dominance, and every op against its row.  Reports; returns true when clean. */
bool vmc_verify(Context *ctx, Op *root);

/* Constant helpers: arith.constant that defines `value`, as an attribute; NULL when it is none. */
const Attr *vmc_constant_of(const Value *value);
bool vmc_constant_int(const Value *value, int64_t *out);

#endif
