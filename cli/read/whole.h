/* Whether a file is all there, of formats that the importer reads to wherever they end. */
#ifndef CLI_WHOLE_H
#define CLI_WHOLE_H

/* What would keep the importer busy for ever or crash it, or NULL: before it is asked. */
const char *whole_harmful(const char *path);

/* What shows that the file is cut off, or NULL. `format` is the importer's name for what it read. */
const char *whole_refuse(const char *path, const char *format);

/* Why a file may be one of which the importer makes nothing: an STL that is cut off, XML that is not well-formed; or
 * NULL. */
const char *whole_unreadable(const char *path);

/* Why the importer may have crashed on a file, or NULL. */
const char *whole_deadly(const char *path);

/* What makes it doubtful, of a file that whole_refuse takes; or NULL. It begins with NOTE_WARNING where that is no more
 * than a possibility. */
const char *whole_doubt(const char *path, const char *format);

#endif
