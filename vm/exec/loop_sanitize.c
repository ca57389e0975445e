/* The dispatch loop of contexts that are watched (--sanitize): the switch, with a look at each instruction before it runs.  Modules
 * that are watched have no joined instructions (decode.c).
 */
#include "sanitize.h"
#ifdef __GNUC__
#pragma GCC diagnostic ignored "-Wunused-label" /* of bodies that joined instructions share */
#endif
#define LOOP_SANITIZE
#define LOOP_NAME bvm_loop_sanitize
#include "loop.h"
