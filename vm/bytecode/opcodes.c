/* The tables of element types and opcodes, and the questions that the rows answer: names to numbers,
 * the element types that operands of tile instructions must have.
 */
#include <string.h>

#include "format.h"
#include "opnames.h"

const uint8_t bvm_elem_bytes_of[BVM_ELEMS] = {
#define ELEM(code, NAME, text, bytes, bits, class) [code] = bytes,
#include "elemtypes.def"
#undef ELEM
};

typedef struct ElemInfo {
    const char *name;
    uint8_t bits;
    char class;
} ElemInfo;

static const ElemInfo elems[BVM_ELEMS] = {
#define ELEM(code, NAME, text, bytes, bits, class) [code] = {#text, bits, #class[0]},
#include "elemtypes.def"
#undef ELEM
};

const char *bvm_elem_name(unsigned etype)
{
    return etype < BVM_ELEMS ? elems[etype].name : NULL;
}
unsigned bvm_elem_bits(unsigned etype)
{
    return etype < BVM_ELEMS ? elems[etype].bits : 0;
}
char bvm_elem_class(unsigned etype)
{
    return etype < BVM_ELEMS ? elems[etype].class : 0;
}

BvmElem bvm_elem_by_name(const char *name, size_t n)
{
    for (unsigned i = 1; i < BVM_ELEMS; i++)
        if (strlen(elems[i].name) == n && memcmp(elems[i].name, name, n) == 0)
            return (BvmElem)i;
    return BVM_NONE;
}

#define MASK_ONE(type, ...) | UINT32_C(1) << BVM_##type
#define MASK(TYPES)         (UINT32_C(0) TYPES(MASK_ONE, ))
/* Kinds of the forms; a form without a case here makes the table's entry NULL, which the unit test refuses. */
#define SCALAR_KINDS(f)                                                                                                            \
    ((f) == '1' || (f) == 'p'   ? "wr"                                                                                             \
     : (f) == '2' || (f) == 'c' ? "wrr"                                                                                            \
     : (f) == 'e'               ? "wrr"                                                                                            \
     : (f) == '3' || (f) == '?' ? "wrrr"                                                                                           \
     : (f) == 'x'               ? "wrh"                                                                                            \
                                : NULL)
#define TILE_KINDS(f)                                                                                                              \
    ((f) == '1' || (f) == 'p'   ? "Tt"                                                                                             \
     : (f) == '2' || (f) == 'c' ? "Ttt"                                                                                            \
     : (f) == 'e'               ? "Ttt"                                                                                            \
     : (f) == '3' || (f) == '?' ? "Tttt"                                                                                           \
     : (f) == 'x'               ? "Tth"                                                                                            \
                                : NULL)

#define RULE(form) (sizeof(form) > 3 ? form[sizeof(form) - 2] : 0) /* "2/u" */

const BvmOpInfo bvm_ops[BVM_ROWS] = {
#define OP(number, name, TYPES, kinds, doc) [number] = {#name, kinds, MASK(TYPES), 0, 0, #name[0] == 't' && #name[1] == '.', doc},
#define EW(number, name, TYPES, form, doc)                                                                                         \
    [number] = {#name, SCALAR_KINDS(form[0]), MASK(TYPES), form[0], RULE(form), false, doc},                                       \
    [(number) + BVM_TILE] = {"t." #name, TILE_KINDS(form[0]), MASK(TYPES), form[0], RULE(form), true, doc},
#include "opcodes.def"
#undef OP
#undef EW
};

/* A duplicate number would silently overwrite a row above; here it does not compile. */
static inline void numbers_are_distinct(unsigned row)
{
    switch (row) {
#define OP(number, name, TYPES, kinds, doc) case number:
#define EW(number, name, TYPES, form, doc)                                                                                         \
    case number:                                                                                                                   \
    case (number) + BVM_TILE:
#include "opcodes.def"
#undef OP
#undef EW
    default:
        break;
    }
}

int bvm_op_by_name(const char *name, size_t n)
{
    numbers_are_distinct(0);
    for (int i = 0; i < BVM_ROWS; i++)
        if (bvm_ops[i].name && strlen(bvm_ops[i].name) == n && memcmp(bvm_ops[i].name, name, n) == 0)
            return i;
    return -1;
}

unsigned bvm_tile_elem(const BvmInsn *insn, unsigned k)
{
    switch (bvm_ops[insn->row].form) {
    case 'c':
    case 'p':
        return k == 0 ? BVM_I1 : insn->etype;
    case 'x':
        return k == 0 ? insn->regs[2] : insn->etype;
    case '?':
        return k == 1 ? BVM_I1 : insn->etype;
    case 'e':
        return k == 2 ? BVM_I32 : insn->etype;
    case 0:
        break;
    default:
        return insn->etype;
    }
    switch (insn->row) {
    case BVM_OP_t_gather:
        return k == 1 ? BVM_I64 : insn->etype;
    case BVM_OP_t_gather_mask:
        return k == 1 ? BVM_I64 : k == 2 ? BVM_I1 : insn->etype;
    case BVM_OP_t_store_mask:
        return k == 1 ? BVM_I1 : insn->etype;
    case BVM_OP_t_assert:
        return BVM_I1;
    default:
        return insn->etype;
    }
}

unsigned bvm_tile_storage(unsigned etype)
{
    return bvm_elem_class(etype) == 'S' ? BVM_I8 : etype;
}
