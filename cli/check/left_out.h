/* What is in the files and not among the parts, and what follows from that. */
#ifndef CLI_LEFT_OUT_H
#define CLI_LEFT_OUT_H

#include "options.h"

/* Says which files are not complete, on stderr. Returns `code`, or EXIT_INPUT where something that could clash is
 * missing and the options do not accept that. */
int left_out_code(const scene *s, const options *o, int code);
/* "3 of 412 products have no geometry", or NULL where nothing is missing that could clash. free() it. */
char *left_out_text(const scene_file *file);
/* Lists all of it, for carom info. */
void left_out_print(const scene_file *file);

struct json_t;
struct json_t *left_out_json(const scene_file *file);

#endif
