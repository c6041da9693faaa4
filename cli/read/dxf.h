/* What Assimp makes wrongly, or not at all, of a DXF. */
#ifndef CLI_DXF_H
#define CLI_DXF_H

#include "read/sink.h"

#include <stdbool.h>
#include <stddef.h>

/* Why the text is refused, or NULL: a block with faces that stands turned, scaled, as an array or within another one;
 * where nothing was read of it, that all it draws are bodies of kinds that are not. */
const char *dxf_refused(const char *text, size_t size, bool nothing_was_read);
/* Sends what has a body or a surface and is not read. */
void dxf_send_unread(sink *out, const char *text, size_t size);

#endif
