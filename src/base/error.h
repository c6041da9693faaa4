/* The one way in which a description is refused. */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include "carom/base.h"

/* Tells what was wrong, where the caller wants to know (`error` may be NULL); returns the status. */
static inline cm_status cm__refuse(cm_error *error, cm_status status, const char *field, uint32_t index) {
    if (error) {
        error->status = status;
        error->field = field;
        error->index = index;
    }
    return status;
}

#endif
