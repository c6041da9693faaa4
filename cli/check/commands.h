/* carom check and its sisters: parts of a scene against each other, or by themselves. */
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

#include "check/findings.h"
#include "options.h"

/* The parts of a scene as a check takes them, which borrows its texts and meshes; free() the list. */
cm_check_part *check_parts_of(const scene *s);
/* A number of a node of a file, over all files: cm_check_part.node. 0 where there is none. */
uint64_t check_node_number(uint32_t file, uint32_t node);
/* What the options and the rules ask of these parts; no tasks and no progress. Borrows all of them. */
cm_check_desc check_describe(const scene *s, const options *o, const struct rules *r, const cm_check_part *parts);
/* What was asked for, and nothing found yet. */
findings findings_asked(const scene *s, const options *o, const struct rules *r);
/* The exit code for the answer of a check, after a message where it is not 0. */
int complain_of_check(cm_status status);

/* The whole commands. Each returns the exit code. */
int run_check(options *o);
int run_distance(options *o);
int run_info(options *o);
int run_fit(options *o);
int run_approve(options *o);

#endif
