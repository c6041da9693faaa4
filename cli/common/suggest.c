#include "common/suggest.h"

#include <stdio.h>
#include <string.h>

/* Insertions, deletions and replacements from one text to the other; texts beyond 40 characters are far. */
static int edits(const char *a, const char *b) {
    size_t n = strlen(a), m = strlen(b);
    if (n > 40 || m > 40) return 99;
    int row[42];
    for (size_t k = 0; k <= m; k++) row[k] = (int)k;
    for (size_t i = 1; i <= n; i++) {
        int diagonal = row[0];
        row[0] = (int)i;
        for (size_t k = 1; k <= m; k++) {
            int change = diagonal + (a[i - 1] != b[k - 1]);
            diagonal = row[k];
            int best = row[k] < row[k - 1] ? row[k] + 1 : row[k - 1] + 1;
            row[k] = change < best ? change : best;
        }
    }
    return row[m];
}

const char *suggest(const char *text, const char *const *names, size_t count, char *buffer, size_t size) {
    /* two of five letters may be wrong, as in chekc; the dashes of an option are no letters */
    int best = 4;
    const size_t letters = strlen(text + strspn(text, "-"));
    buffer[0] = 0;
    for (size_t i = 0; i < count; i++) {
        int distance = edits(text, names[i]);
        if (distance >= best || 5 * (size_t)distance > 2 * letters) continue;
        best = distance;
        snprintf(buffer, size, " (did you mean '%s'?)", names[i]);
    }
    return buffer;
}
