/* Faults on demand.
 *
 * Every allocation and every system call of the objects that a test links statically goes
 * through here (ld --wrap); those of the chosen kinds are counted, and the n-th fails, alone or
 * with all that follow.  Code that takes an allocator hook gets fault_realloc, which counts the
 * same way and checks what it is told about old sizes.
 */
#ifndef FAULTS_INJECT_H
#define FAULTS_INJECT_H

#include <stdbool.h>
#include <stddef.h>

enum {
    FAULT_HOOK = 1,   /* fault_realloc */
    FAULT_MALLOC = 2, /* malloc and its kin, open_memstream, mmap */
    FAULT_THREAD = 4, /* pthread_create, pthread_mutex_init, pthread_cond_init */
    FAULT_FILE = 8,   /* open, read, write, close, fstat, fchmod, mkstemp, rename: an error */
};

/* The n-th (from 1) of these kinds fails; `sticky`: and all after it. */
void fault_arm(unsigned kinds, unsigned long n, bool sticky);
/* Stops; true if anything failed. */
bool fault_disarm(void);

/* realloc with sizes, as both libraries want it. */
void *fault_realloc(void *user, void *ptr, size_t old_size, size_t new_size);
/* Bytes given out by fault_realloc; fault_peak: the most since fault_arm. */
size_t fault_live(void);
size_t fault_peak(void);

/* Reads and writes move at most `most` bytes (0: as many as they like), and every second one is interrupted first. */
void fault_short(size_t most);

#endif
