/* What Assimp makes wrongly, or not at all, of a DXF. */
#ifndef CLI_DXF_H
#define CLI_DXF_H

#include "read/sink.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct dxf_drawing dxf_drawing;

/* What is of interest here. It borrows the text, and lasts as long as the process. */
const dxf_drawing *dxf_read(const char *text, size_t size);
/* Why the text is refused, or NULL: a block with faces that stands turned, scaled, as an array or within another one;
 * where nothing was read of it, that all it draws are bodies of kinds that are not. */
const char *dxf_refused(const dxf_drawing *d, bool nothing_was_read);
/* Sends what has a body or a surface and is not read. */
void dxf_send_unread(sink *out, const dxf_drawing *d);

#endif
