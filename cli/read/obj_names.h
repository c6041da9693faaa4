/* The objects of an OBJ, told apart before the importer sees them. */
#ifndef CLI_OBJ_NAMES_H
#define CLI_OBJ_NAMES_H

#include <stddef.h>

/* Stands for a blank in what the importer takes for a name. */
#define OBJ_BLANK '\x1f'
/* Stands, before a number, behind the name of an object in that of a further piece of it, which the importer takes for
 * an object of its own. */
#define OBJ_PIECE '\x1e'

/* A copy of the text in which each object has a name of its own, without blanks, and so has each further piece of
 * it, and no line begins with a blank; free() it. NULL where the text does as it is. */
char *obj_tell_apart(const char *text, size_t size, size_t *out_size);

#endif
