/* A check whose parts are spread over ranks: each does some tiles. */
#ifndef CLI_TILES_H
#define CLI_TILES_H

#include "ranks/cost.h"
#include "ranks/spread.h"

/* Together: what cm_check_parts finds, on the first rank; the others get nothing. On the first the description has all
 * parts, without shapes; on the others parts are not looked at. `resume`: a folder that keeps what is done
 * (finished.h), or NULL. Returns the same on all ranks: 0, or the exit code after a message. */
int tiles_find(const spread *s, uint32_t file_count, const cm_check_desc *desc, const char *resume,
               cm_check_result *out, tiles_cost *cost);

#endif
