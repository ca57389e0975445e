/* The dispatch loop with labels as values, where the compiler has them. */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif
#ifdef BUFVM_COMPUTED_GOTO
#define LOOP_GOTO
#define LOOP_NAME bvm_loop_goto
#include "loop.h"
#else
#include "exec.h"
BufvmStatus bvm_loop_goto(BvmWorker *worker, BvmFrame *frame)
{
    return bvm_loop_switch(worker, frame);
}
#endif
