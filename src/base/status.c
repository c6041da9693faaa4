/* Texts of the status codes, and the version. */
#include "carom/base.h"
#include "base/text.h"

const char *cm_status_text(cm_status status) {
    static const char *const texts[] = {CM_STATUS_LIST(CM__TEXT)};
    return cm__text_of(texts, sizeof texts / sizeof *texts, (size_t)status, "unknown status");
}

const char *cm_version(void) { return CM_VERSION_TEXT; }
