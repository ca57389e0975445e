/* What the fuzz targets share.
 *
 * Each target is one LLVMFuzzerTestOneInput: linked with libFuzzer in --enable-fuzz builds, with replay.c (which runs the files
 * that it is given) in all others.  A target aborts when a promise breaks: memory over 64 MiB and 20 times the input by the count
 * of the allocator hook, memory that is not given back, or more than a second of processor time (five with sanitizers).
 */
#ifndef FUZZ_TARGET_H
#define FUZZ_TARGET_H

#include "../../vm/bufvm.h"

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

void *fuzz_realloc(void *user, void *ptr, size_t old_size, size_t new_size);
extern const BufvmAllocator fuzz_allocator;
void fuzz_begin(void);
void fuzz_end(size_t size); /* checks the count of memory and the time */
/* Loads a module and calls all its exports with made-up arguments, under limits.  must_load: a module that is refused is a failure.
 */
void fuzz_run_module(const void *data, size_t size, bool must_load);

#endif
