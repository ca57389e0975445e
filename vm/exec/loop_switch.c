/* The dispatch loop as a switch: portable C, and the twin that computed goto is tested against. */
#define LOOP_NAME bvm_loop_switch
#include "loop.h"
