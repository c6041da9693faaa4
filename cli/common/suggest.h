/* What may have been meant by a word that is not known. */
#ifndef CLI_SUGGEST_H
#define CLI_SUGGEST_H

#include <stddef.h>

/* A hint at the nearest of `names`, " (did you mean 'check'?)", or "". `buffer` holds it. */
const char *suggest(const char *text, const char *const *names, size_t count, char *buffer, size_t size);

#endif
