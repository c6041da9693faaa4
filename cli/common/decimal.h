/* Numbers as text. */
#ifndef CLI_DECIMAL_H
#define CLI_DECIMAL_H

#include <stddef.h>

/* Writes what printf's %.17g would, the 17 digits that tell a number from all others, a few times as fast; not ended.
 * `out` has room for DECIMAL_ROOM bytes. Returns how many it took. */
enum { DECIMAL_ROOM = 32 };
size_t decimal_put(double x, char *out);

#endif
