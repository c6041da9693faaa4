/* Texts of the status codes, and the version. */
#include "carom/base.h"

const char *cm_status_text(cm_status status) {
    static const char *const texts[] = {
#define STATUS_TEXT(name, text) text,
        CM_STATUS_LIST(STATUS_TEXT)
#undef STATUS_TEXT
    };
    size_t index = (size_t)status;
    return index < sizeof texts / sizeof texts[0] ? texts[index] : "unknown status";
}

const char *cm_version(void) { return CM_VERSION_TEXT; }
