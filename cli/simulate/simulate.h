/* `carom simulate`: moves the bodies of a scene. */
#ifndef CLI_SIMULATE_H
#define CLI_SIMULATE_H

#include "options.h"

int run_simulate(options *o);

#endif
