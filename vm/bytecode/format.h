/* The module format and the instruction encoding, shared by writer, reader, verifier, assembler and disassembler.
 *
 * See vm/doc/format.md for the page that describes the file byte by byte.
 */
#ifndef BVM_FORMAT_H
#define BVM_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BVM_VERSION_MAJOR 1
#define BVM_VERSION_MINOR 0

typedef enum BvmElem {
    BVM_NONE = 0,
#define ELEM(code, NAME, text, bytes, bits, class) BVM_##NAME = code,
#include "elemtypes.def"
#undef ELEM
    BVM_ELEMS
} BvmElem;

const char *bvm_elem_name(unsigned etype);   /* NULL if unknown */
extern const uint8_t bvm_elem_bytes_of[BVM_ELEMS];
static inline unsigned bvm_elem_bytes(unsigned etype) /* 0 if unknown */
{
    return etype < BVM_ELEMS ? bvm_elem_bytes_of[etype] : 0;
}
unsigned bvm_elem_bits(unsigned etype);      /* 0 if unknown */
char bvm_elem_class(unsigned etype);         /* column class of elemtypes.def, 0 if unknown */
BvmElem bvm_elem_by_name(const char *name, size_t n);

/* Lists of element types of opcodes.def rows: X(type, ...) for each. */
#define T_NONE(X, ...) X(NONE, __VA_ARGS__)
#define T_I64(X, ...) X(I64, __VA_ARGS__)
#define T_INT(X, ...) X(I8, __VA_ARGS__) X(I16, __VA_ARGS__) X(I32, __VA_ARGS__) X(I64, __VA_ARGS__)
#define T_INT1(X, ...) X(I1, __VA_ARGS__) T_INT(X, __VA_ARGS__)
#define T_FLT(X, ...) X(F16, __VA_ARGS__) X(BF16, __VA_ARGS__) X(F32, __VA_ARGS__) X(F64, __VA_ARGS__)
#define T_F32F64(X, ...) X(F32, __VA_ARGS__) X(F64, __VA_ARGS__)
#define T_LANES(X, ...) X(I32, __VA_ARGS__) X(I64, __VA_ARGS__) X(F32, __VA_ARGS__) X(F64, __VA_ARGS__)
#define T_FLOATS(X, ...)                                                                                                           \
    T_FLT(X, __VA_ARGS__)                                                                                                          \
    X(F8E5M2, __VA_ARGS__) X(F8E4M3FN, __VA_ARGS__) X(F8E4M3, __VA_ARGS__) X(F8E5M2FNUZ, __VA_ARGS__) X(F8E4M3FNUZ, __VA_ARGS__)   \
    X(F8E4M3B11FNUZ, __VA_ARGS__) X(F8E3M4, __VA_ARGS__) X(F8E8M0FNU, __VA_ARGS__) X(F6E2M3FN, __VA_ARGS__)                        \
    X(F6E3M2FN, __VA_ARGS__) X(F4E2M1FN, __VA_ARGS__)
#define T_MEM(X, ...) T_INT1(X, __VA_ARGS__) T_FLT(X, __VA_ARGS__)

/* Row numbers: BVM_OP_addi, ...; tile forms of EW rows: BVM_OP_addi + BVM_TILE. Dots in names become underscores through the
   enum made in opcodes.c's companion opnames.h. */
#define BVM_TILE 512
#define BVM_ROWS 1024
#define BVM_CODE(row, etype) ((uint16_t)((etype) | (row) << 5))
#define BVM_CODE_ETYPE(code) ((code) & 31u)
#define BVM_CODE_ROW(code) ((code) >> 5 & 1023u)
#define BVM_FLAG_NAN 0x8000u

typedef struct BvmOpInfo {
    const char *name;  /* NULL: no such row */
    const char *kinds; /* operand kinds of opcodes.def, forms expanded */
    uint32_t etypes;   /* bit mask of element types */
    char form;         /* EW form letter or 0 */
    char width_rule;   /* EW rows on integers: the letter behind the form, 0 if there is none */
    bool tile;         /* tile form of an EW row (named t.NAME), or a t.* row */
    const char *doc;
} BvmOpInfo;
extern const BvmOpInfo bvm_ops[BVM_ROWS];
int bvm_op_by_name(const char *name, size_t n); /* row, or -1 */

/* One instruction, taken apart. */
typedef struct BvmInsn {
    uint16_t row, etype;
    bool nan_flag;
    uint16_t regs[8];   /* operands of kinds w r m W b M T t A h, in order */
    uint64_t wide[4];   /* operands of kinds i l k g f n s, in order */
    const uint16_t *list; /* registers of `*` */
    uint32_t nlist;
} BvmInsn;
/* Words that it takes; writes them when `out` is not NULL.  Labels are word offsets from the start of the function. */
size_t bvm_encode(const BvmInsn *insn, uint64_t *out);
/* The single checked decoder: words in host order.  Returns words read, or 0 with *why set.  `list_space` receives the list (65536 entries are enough). */
size_t bvm_decode(const uint64_t *words, size_t n, BvmInsn *insn, uint16_t *list_space, const char **why);

#define BVM_FIELD_KINDS "wrmWbMTtAh"
#define BVM_WIDE_KINDS "ilkgfns"
size_t bvm_wide_at(unsigned row); /* word of an instruction at which its operands of BVM_WIDE_KINDS begin */
/* Element type of the k-th tile operand (kinds T t A, counted together) of a decoded instruction: compares write i1, indices are i64, ... */
unsigned bvm_tile_elem(const BvmInsn *insn, unsigned k);
/* Tiles of storage-only floats are tiles of i8; other types are themselves. */
unsigned bvm_tile_storage(unsigned etype);

/* The dimension number of check.index that makes it a check of a dimension against a rank. */
#define BVM_DIM_OF_RANK 0xffffu

/* Bits of buffer.alloc's immediate above the alignment: the program writes every byte before it reads it; the program must end the
   buffer's life itself (--sanitize reports it if not).  And of the copy kernel's flags: it promises that operands share no element. */
#define BVM_ALLOC_WRITTEN (UINT64_C(1) << 32)
#define BVM_ALLOC_OWNED   (UINT64_C(1) << 33)
#define BVM_COPY_APART    1u

#endif
