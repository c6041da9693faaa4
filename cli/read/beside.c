/* Files that a model refers to: see beside.h. */
#define _DEFAULT_SOURCE
#include "read/beside.h"

#include "common/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

char *find_beside(const char *model, const char *path) {
    const char *slash = strrchr(model, '/');
    char *own = slash ? copy_text(model) : copy_text(".");
    if (slash) own[slash == model ? 1 : slash - model] = 0;
    char *folder = realpath(own, NULL), *found = folder ? realpath(path, NULL) : NULL;
    int error = found ? 0 : errno;
    if (found) {
        const size_t length = strlen(folder);
        const bool below = length == 1 || (strncmp(found, folder, length) == 0 && found[length] == '/');
        if (!below) {
            free(found);
            found = NULL, error = EXDEV;
        }
    }
    free(folder), free(own);
    errno = error;
    return found;
}
