/* The shortest endings of the parts' paths that tell them apart: see output.h. */
#include "check/output.h"

#include "common/text.h"

#include <stdlib.h>
#include <string.h>

/* Where the last `count` components of a path start; slashes at its end belong to the last. */
static const char *last_components(const char *path, size_t count) {
    const char *at = path + strlen(path);
    while (at > path && at[-1] == '/') at--;
    while (at > path) {
        if (at[-1] == '/' && --count == 0) break;
        at--;
    }
    return at;
}

static int compare_texts(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Among sorted texts: does this one occur once? */
static bool occurs_once(const char **sorted, size_t count, const char *text) {
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (strcmp(sorted[middle], text) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low + 1 >= count || strcmp(sorted[low + 1], text) != 0;
}

char **short_paths(const char *const *paths, uint32_t count) {
    char **names = allocate(count, sizeof *names);
    const char **ends = allocate(count, sizeof *ends);
    size_t left = count;
    for (size_t components = 1; left > 0; components++) {
        for (uint32_t i = 0; i < count; i++) ends[i] = last_components(paths[i], components);
        qsort(ends, count, sizeof *ends, compare_texts);
        for (uint32_t i = 0; i < count; i++) {
            const char *end = last_components(paths[i], components);
            if (names[i] || (end > paths[i] && !occurs_once(ends, count, end))) continue;
            names[i] = copy_text(end);
            left--;
        }
    }
    free(ends);
    return names;
}

char **short_names(const scene *s) {
    const char **paths = allocate(s->part_count, sizeof *paths);
    for (uint32_t i = 0; i < s->part_count; i++) paths[i] = s->parts[i].name;
    char **names = short_paths(paths, s->part_count);
    free(paths);
    return names;
}
