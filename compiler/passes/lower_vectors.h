/* Parts of the pass lower-vectors.
 *
 * lower_vectors.c   types, the order of work, masks
 * vector_build.c    loops, choices and elements: what the others build with
 * vector_values.c   ops that move elements: shapes, slices, masks
 * vector_sums.c     reductions, contractions, scans, matrices
 * vector_memory.c   loads, stores, transfers, gathers
 * vector_print.c    vector.print as calls of the host
 */
#ifndef VMC_LOWER_VECTORS_H
#define VMC_LOWER_VECTORS_H

#include "../dialects/linalg.h"
#include "../dialects/vector.h"
#include "builders.h"
#include "host_calls.h"
#include "passes.h"

typedef struct Vectors {
    PassContext *pc;
    Context *ctx;
    HostCalls host;
    Map types;   /* Type -> the same without vectors and signs */
    Map seen;    /* Type -> what has_vector knows of it */
    Map printed; /* vector.print with an operand -> element type as written */
    bool ok;
} Vectors;

/* Lowers `op` at `b`, under a mask of its lanes (an i1 tensor; NULL where there is none), and fills results[0 ..].  All types are
   converted: vectors are tensors.  Reports and returns false where it cannot. */
typedef bool (*VecLower)(Vectors *l, Op *op, Builder *b, Value *mask, Value **results);

/* ---- vector_build.c ---- */

/* Loops over a box, outermost first, that carry values. */
typedef struct VecNest {
    uint32_t rank, n;
    Op **loops;      /* rank */
    Value **at;      /* rank: the indices */
    Value **carried; /* n: as the body sees them */
    Builder body;
} VecNest;
void vec_nest_begin(Builder *b, uint32_t rank, const int64_t *dims, uint32_t n, Value *const *inits, VecNest *nest);
/* `values` are what the body hands on; gives what is carried out at the end. */
Value **vec_nest_end(VecNest *nest, Value *const *values);

/* A tensor computed element by element without effects, in any order: the body computes the element at `at`. */
typedef struct VecMap {
    Op *generic;
    Value **at;
    Builder body;
} VecMap;
void vec_map_begin(Builder *b, const Type *type, VecMap *map);
Value *vec_map_end(VecMap *map, Value *element);

typedef struct VecChoice {
    Op *op;
    Builder yes, no;
} VecChoice;
void vec_choice_begin(Builder *b, Value *condition, uint32_t n, const Type *const *types, VecChoice *choice);
void vec_choice_end(VecChoice *choice, uint32_t n, Value *const *yes, Value *const *no);

Value *vec_get(Builder *b, Value *tensor, Value *const *at); /* one element; a scalar is itself */
Value *vec_set(Builder *b, Value *tensor, Value *const *at, Value *element);
Value *vec_load(Builder *b, Value *shaped, Value *const *at); /* of a memref or tensor */
Value *vec_empty(Builder *b, const Type *type);
Value *vec_add(Builder *b, Value *x, Value *y);
Value *vec_zero(Builder *b, const Type *type);
Value *vec_to_index(Builder *b, Value *value);                   /* signed */
Value *vec_scalar_tensor(Builder *b, Value *scalar);             /* rank 0 */
Value *vec_reshape(Builder *b, Value *tensor, const Type *type); /* in row-major order */
const Type *vec_tensor(Context *ctx, uint32_t rank, const int64_t *dims, const Type *elem);

/* ---- the rules ---- */

bool vec_splat(Vectors *l, Op *op, Builder *b, Value *mask, Value **results);
bool vec_from_elements(Vectors *l, Op *op, Builder *b, Value *mask, Value **results);
bool vec_to_elements(Vectors *l, Op *op, Builder *b, Value *mask, Value **results);
bool vec_step(Vectors *l, Op *op, Builder *b, Value *mask, Value **results);
bool vec_fma(Vectors *l, Op *op, Builder *b, Value *mask, Value **results);
bool vec_shuffle(Vectors *l, Op *op, Builder *b, Value *mask, Value **results);
bool vec_interleave(Vectors *l, Op *op, Builder *b, Value *mask, Value **results);
bool vec_deinterleave(Vectors *l, Op *op, Builder *b, Value *mask, Value **results);
bool vec_extract_element(Vectors *l, Op *op, Builder *b, Value *mask, Value **results);
bool vec_insert_element(Vectors *l, Op *op, Builder *b, Value *mask, Value **results);
bool vec_extract(Vectors *l, Op *op, Builder *b, Value *mask, Value **results);
bool vec_insert(Vectors *l, Op *op, Builder *b, Value *mask, Value **results);
bool vec_extract_strided(Vectors *l, Op *op, Builder *b, Value *mask, Value **results);
bool vec_insert_strided(Vectors *l, Op *op, Builder *b, Value *mask, Value **results);
bool vec_transpose(Vectors *l, Op *op, Builder *b, Value *mask, Value **results);
bool vec_shape_cast(Vectors *l, Op *op, Builder *b, Value *mask, Value **results);
bool vec_bitcast(Vectors *l, Op *op, Builder *b, Value *mask, Value **results);
bool vec_mask_of(Vectors *l, Op *op, Builder *b, Value *mask, Value **results);
bool vec_poison(Vectors *l, Op *op, Builder *b, Value *mask, Value **results);

bool vec_reduction(Vectors *l, Op *op, Builder *b, Value *mask, Value **results);
bool vec_multi_reduction(Vectors *l, Op *op, Builder *b, Value *mask, Value **results);
bool vec_scan(Vectors *l, Op *op, Builder *b, Value *mask, Value **results);
bool vec_contract(Vectors *l, Op *op, Builder *b, Value *mask, Value **results);
bool vec_outerproduct(Vectors *l, Op *op, Builder *b, Value *mask, Value **results);
bool vec_matrix_multiply(Vectors *l, Op *op, Builder *b, Value *mask, Value **results);
bool vec_flat_transpose(Vectors *l, Op *op, Builder *b, Value *mask, Value **results);

bool vec_type_cast(Vectors *l, Op *op, Builder *b, Value *mask, Value **results);
bool vec_transfer_read(Vectors *l, Op *op, Builder *b, Value *mask, Value **results);
bool vec_transfer_write(Vectors *l, Op *op, Builder *b, Value *mask, Value **results);
bool vec_load_box(Vectors *l, Op *op, Builder *b, Value *mask,
                  Value **results); /* vector.load, memref.load and affine.load of vectors */
bool vec_store_box(Vectors *l, Op *op, Builder *b, Value *mask, Value **results); /* the same for stores */
bool vec_masked_load(Vectors *l, Op *op, Builder *b, Value *mask, Value **results);
bool vec_masked_store(Vectors *l, Op *op, Builder *b, Value *mask, Value **results);
bool vec_expand_load(Vectors *l, Op *op, Builder *b, Value *mask, Value **results);
bool vec_compress_store(Vectors *l, Op *op, Builder *b, Value *mask, Value **results);
bool vec_gather(Vectors *l, Op *op, Builder *b, Value *mask, Value **results);
bool vec_scatter(Vectors *l, Op *op, Builder *b, Value *mask, Value **results);

bool vec_print(Vectors *l, Op *op, Builder *b, Value *mask, Value **results);

#endif
