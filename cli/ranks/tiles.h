/* A check whose parts are spread over ranks: each does a tile. */
#ifndef CLI_TILES_H
#define CLI_TILES_H

#include "ranks/cost.h"
#include "ranks/spread.h"

/* Together: what cm_check_parts finds, on the first rank; the others get nothing. On the first the description has all
 * parts, without shapes, and their sides; on the others parts and sides are not looked at. Returns the same on all
 * ranks: 0, or the exit code after a message. */
int tiles_find(const spread *s, uint32_t file_count, const cm_check_desc *desc, cm_check_result *out, tiles_cost *cost);

#endif
