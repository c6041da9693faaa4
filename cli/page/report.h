/* The page of `carom check --report`: the model, the findings and all that shows them, in one HTML file. */
#ifndef CLI_REPORT_H
#define CLI_REPORT_H

#include "check/findings.h"

/* Whether the file could be written, asked before the long work: leaves an existing file as it is and makes none.
 * On failure `message` says why, in one line that names the path. */
bool report_can_write(const char *path, char *message, size_t size);

/* Writes the page, with so many threads (0 = one a CPU). `meshes`: where the model's come in turn; they are asked for
 * in any case. NULL: the model has them. Equal scenes and findings give equal bytes: neither times nor dates are in it.
 * On failure (the path cannot be opened, the disk is full, no memory) `message` says why, in one line that names the
 * path, and what was written so far is removed. */
bool report_write(const char *path, const scene *model, mesh_stream *meshes, const findings *found, int threads,
                  char *message, size_t size);

#endif
