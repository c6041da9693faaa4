/* carom check and its sisters: parts of a scene against each other, or by themselves. */
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

#include "check/findings.h"
#include "options.h"

/* The parts of a scene as a check takes them, which borrows its texts and meshes; free() the list. */
cm_check_part *check_parts_of(const scene *s);
/* The exit code for the answer of a check, after a message where it is not 0. */
int complain_of_check(cm_status status);

/* The whole commands. Each returns the exit code. */
int run_check(options *o);
int run_distance(options *o);
int run_info(options *o);
int run_fit(options *o);

#endif
