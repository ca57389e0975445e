/* The dispatch loop of contexts that are watched (--sanitize): the switch, with a look at each instruction before it runs.  Modules
 * that are watched have no joined instructions (decode.c).
 */
#include "sanitize.h"
#define LOOP_SANITIZE
#define LOOP_NAME bvm_loop_sanitize
#include "loop.h"
