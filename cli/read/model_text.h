/* The bytes of a model file as the importer gets them. Text is UTF-8 without a mark: Assimp reads nothing else of most
 * formats, and of a PLY not even that with a mark. Runs in the importer's process, which reads one model. */
#ifndef CLI_MODEL_TEXT_H
#define CLI_MODEL_TEXT_H

#include <stdbool.h>
#include <stddef.h>

typedef struct model_text {
    const char *bytes;
    size_t size;
    bool changed; /* they are others than the file's */
    char *map;    /* of the file; NULL where the text is a copy */
    size_t map_size;
} model_text;

/* The whole model; false where it cannot be read, or is empty. Close it then. What was converted is kept until the
 * process ends. Ends the process where it has no memory for it. */
bool model_text_open(const char *path, model_text *out);
void model_text_close(model_text *t);
/* Why the importer is not to read it, or NULL: a 3MF that cannot be built (package_join.h). */
const char *model_text_refused(const char *path);

#endif
