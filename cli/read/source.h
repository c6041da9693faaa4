/* What a file format tells of its unit and its axes. Runs in the importer's process. */
#ifndef CLI_SOURCE_H
#define CLI_SOURCE_H

#include "read/sink.h"

#include <stddef.h>

struct aiScene;

/* `importer` is the importer's name, as it says when it begins ("": it did not say): a 3MF may have another one among
 * its metadata, which the scene has in its place. `format` gets the name, `root` the root node's matrix (rows of 3 x 4)
 * in the file's own axes: where the importer turned the model to another up, it is turned back. */
sink_facts source_describe(const char *path, const struct aiScene *scene, const char *importer, char *format,
                           size_t format_size, double root[12]);

/* What the file that was described calls its unit, where that is none; else "". */
const char *source_odd_unit(void);

/* Why the importer may have made nothing of the file, or NULL: a 3MF that is no archive. */
const char *source_unreadable(const char *path);

#endif
