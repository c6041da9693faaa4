/* The standard output: is it a terminal, and was all of it written? */
#ifndef CLI_TERMINAL_H
#define CLI_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>

/* Flushes stdout; EXIT_INTERNAL with a message where it cannot be written. */
int finish_output(void);

typedef struct style {
    bool color;     /* stdout is a terminal, NO_COLOR is not set, and TERM is not dumb */
    size_t columns; /* of the terminal; 0 = not a terminal: as wide as needed */
} style;
style output_style(void);

#endif
