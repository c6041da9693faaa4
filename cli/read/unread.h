/* What is in a file, has a body, and is passed over by the importer without a word, or with a warning only. */
#ifndef CLI_UNREAD_H
#define CLI_UNREAD_H

#include "read/sink.h"

/* Sends what the text of the file shows of that. `format` is the importer's name for what it read. */
void unread_send(sink *out, const char *path, const char *format);
/* Why the importer's answer is refused, as it is another model than that of the file, or NULL. Without a format: why it
 * may have made nothing of it. */
const char *unread_refused(const char *path, const char *format);
/* Sends what a warning of the importer says of that. */
void unread_send_warning(sink *out, const char *warning);

#endif
