/* The objects of an OBJ, told apart before the importer sees them. */
#ifndef CLI_OBJ_NAMES_H
#define CLI_OBJ_NAMES_H

#include <stddef.h>

/* Stands for a blank in what the importer takes for a name. */
#define OBJ_BLANK '\x1f'

/* A copy of the text in which each `o` line begins an object of its own for the importer, and no line begins with a
 * blank; free() it. NULL where the text does as it is. */
char *obj_tell_apart(const char *text, size_t size, size_t *out_size);

#endif
