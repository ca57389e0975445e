/* Between host.c, which lists the host functions, and the files that define them. */
#ifndef BUFVM_TOOLS_HOST_H
#define BUFVM_TOOLS_HOST_H

#include "tools.h"

/* Address of the element at index 0... of a view or strided value. */
static inline const uint8_t *host_elements(const BufvmValue *value)
{
    return bufvm_buffer_data(value->view.buffer) + value->view.offset;
}
/* The end of what prints: fails the call where writing failed, so that a program behind a closed pipe ends. */
BufvmStatus host_printed(FILE *out, BufvmError *error);
BufvmStatus host_bad_signature(const BufvmSignature *signature, const char *wanted, BufvmError *error);

#define HOST_FUNCTION(name)                                                                                                        \
    BufvmStatus name(void *user, BufvmContext *context, const BufvmSignature *signature, const BufvmValue *args,                   \
                     BufvmValue *results, BufvmError *error)
HOST_FUNCTION(host_print_memref);
HOST_FUNCTION(host_print_scalar);
HOST_FUNCTION(host_print_string);
HOST_FUNCTION(host_print_vectors);
HOST_FUNCTION(host_print_text);
HOST_FUNCTION(host_print_flops);
HOST_FUNCTION(host_clock);
HOST_FUNCTION(host_verify_memref);
HOST_FUNCTION(host_check_eq);
HOST_FUNCTION(host_check_almost_eq);
HOST_FUNCTION(host_check_true);
#undef HOST_FUNCTION

#endif
