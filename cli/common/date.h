/* Dates in what is written. */
#ifndef CLI_DATE_H
#define CLI_DATE_H

#include <stdbool.h>

enum { DATE_SIZE = 21 };

/* Does the text begin with a day such as "2025-03-14"? */
bool date_is_day(const char *text);
/* The time to be written, "2025-03-14T09:00:00Z": that of --date (a day, or such a time), else that of the environment
 * (SOURCE_DATE_EPOCH), else now. Returns 0, or EXIT_INPUT after saying what is wrong. */
int date_to_write(const char *option, char out[DATE_SIZE]);

#endif
