/* Instruction words: the encoder, and the single checked decoder that everything else goes through.
 *
 * The decoder checks what one instruction can show by itself: that the row exists and takes the element
 * type, that all its words are there, that unused fields are zero.  What needs the module is the verifier's.
 */
#include <string.h>

#include "format.h"

static inline bool is_field(char kind)
{
    return strchr(BVM_FIELD_KINDS, kind) != NULL;
}

size_t bvm_wide_at(unsigned row)
{
    size_t fields = 0;
    for (const char *k = bvm_ops[row].kinds; *k; k++)
        fields += is_field(*k);
    return fields / 4 + 1; /* three beside the opcode, then four a word */
}

size_t bvm_encode(const BvmInsn *insn, uint64_t *out)
{
    const char *kinds = bvm_ops[insn->row].kinds;
    size_t fields = 1, wides = 0, words = 0;
    uint64_t word = BVM_CODE(insn->row, insn->etype) | (insn->nan_flag ? BVM_FLAG_NAN : 0u);
    for (const char *k = kinds; *k; k++)
        if (is_field(*k)) {
            word |= (uint64_t)insn->regs[fields - 1] << 16 * (fields & 3);
            if ((++fields & 3) == 0) {
                if (out)
                    out[words] = word;
                words++;
                word = 0;
            }
        }
    if (fields & 3) {
        if (out)
            out[words] = word;
        words++;
    }
    for (const char *k = kinds; *k; k++) {
        if (is_field(*k))
            continue;
        if (*k != '*') {
            if (out)
                out[words] = insn->wide[wides];
            wides++, words++;
            continue;
        }
        if (out)
            out[words] = insn->nlist;
        words++;
        for (uint32_t i = 0; i < insn->nlist; i += 4, words++) {
            word = 0;
            for (uint32_t j = i; j < insn->nlist && j < i + 4; j++)
                word |= (uint64_t)insn->list[j] << 16 * (j & 3);
            if (out)
                out[words] = word;
        }
    }
    return words;
}

static size_t refuse(const char **why, const char *text)
{
    if (why)
        *why = text;
    return 0;
}

/* The list of `*`: a count and its registers.  Returns words read, 0 on error. */
static size_t decode_list(const uint64_t *words, size_t n, BvmInsn *insn, uint16_t *list_space, const char **why)
{
    if (n == 0)
        return refuse(why, "instruction is cut off at the end of the code");
    if (words[0] > 65536)
        return refuse(why, "operand list is longer than 65536");
    insn->nlist = (uint32_t)words[0];
    insn->list = list_space;
    size_t need = (insn->nlist + 3u) / 4;
    if (need > n - 1)
        return refuse(why, "operand list is cut off at the end of the code");
    for (uint32_t i = 0; i < insn->nlist; i++)
        list_space[i] = (uint16_t)(words[1 + i / 4] >> 16 * (i & 3));
    if ((insn->nlist & 3) && words[need] >> 16 * (insn->nlist & 3))
        return refuse(why, "unused part of an operand list is not zero");
    return 1 + need;
}

size_t bvm_decode(const uint64_t *words, size_t n, BvmInsn *insn, uint16_t *list_space, const char **why)
{
    if (n == 0)
        return refuse(why, "code ends without a terminator");
    unsigned code = (unsigned)(words[0] & 0xFFFF);
    insn->row = (uint16_t)BVM_CODE_ROW(code);
    insn->etype = (uint16_t)BVM_CODE_ETYPE(code);
    insn->nan_flag = (code & BVM_FLAG_NAN) != 0;
    insn->list = NULL;
    insn->nlist = 0;
    const BvmOpInfo *op = &bvm_ops[insn->row];
    if (!op->name)
        return refuse(why, "unknown opcode");
    if (!(op->etypes >> insn->etype & 1))
        return refuse(why, "the opcode does not take this element type");
    if (insn->nan_flag && !(op->form && bvm_elem_class(insn->etype) == 'F'))
        return refuse(why, "the NaN flag is only for elementwise float instructions");

    size_t at = 0, wides = 0;
    unsigned fields = 1;
    for (const char *k = op->kinds; *k; k++)
        if (is_field(*k)) {
            if (at >= n)
                return refuse(why, "instruction is cut off at the end of the code");
            insn->regs[fields - 1] = (uint16_t)(words[at] >> 16 * (fields & 3));
            if ((++fields & 3) == 0)
                at++;
        }
    if (fields & 3) {
        if (at >= n)
            return refuse(why, "instruction is cut off at the end of the code");
        if (words[at] >> 16 * (fields & 3))
            return refuse(why, "unused field of an instruction is not zero");
        at++;
    }
    for (const char *k = op->kinds; *k; k++) {
        if (is_field(*k))
            continue;
        if (*k == '*') {
            size_t used = decode_list(words + at, n - at, insn, list_space, why);
            if (!used)
                return 0;
            at += used;
            continue;
        }
        if (at >= n)
            return refuse(why, "instruction is cut off at the end of the code");
        insn->wide[wides++] = words[at++];
    }
    return at;
}
