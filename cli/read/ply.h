/* What the text or the bytes of a PLY show before the importer reads them. */
#ifndef CLI_PLY_H
#define CLI_PLY_H

#include "read/words.h"

/* A PLY whose head has no end, for which the importer looks for ever. */
bool ply_is_endless(bytes b);
/* Its points lack an x, y or z, for which the importer takes 0. */
bool ply_is_flat(bytes b);
/* Does it have all that its head announces? True where that is not understood. */
bool ply_is_whole(bytes b);
/* A copy with points and faces alone, for what the importer takes for something else: elements before the points,
 * strips of triangles, numbers that are not a line a row, bytes that look like the end of the head's last line. free()
 * it. NULL where the file does as it is, or is not understood. Ends the process where there is no memory for it. */
char *ply_plain(bytes b, size_t *out_size);

#endif
