/* The dispatch loop with labels as values, where the compiler has them.  Merging the jumps of two bodies would cost the branch
 * predictor what separate jumps give it.
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif
#ifdef BUFVM_COMPUTED_GOTO
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("no-gcse,no-crossjumping")
#endif
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
