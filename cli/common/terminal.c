/* The standard output: see terminal.h. */
#define _DEFAULT_SOURCE
#include "common/terminal.h"

#include "common/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

int finish_output(void) {
    if (fflush(stdout) == 0 && !ferror(stdout)) return 0;
    return complain(EXIT_INTERNAL, "the output cannot be written: %s", strerror(errno));
}

style output_style(void) {
    style s = {0};
    if (!isatty(STDOUT_FILENO)) return s;
    const char *terminal = getenv("TERM"), *no_color = getenv("NO_COLOR");
    s.color = !(no_color && *no_color) && !(terminal && strcmp(terminal, "dumb") == 0);
    struct winsize size;
    s.columns = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= 40 ? size.ws_col : 80;
    return s;
}
