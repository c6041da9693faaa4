/* Which kind suits: decided from counts, sizes and motion, never from clocks. */
#include "broad/broad.h"

enum { AUTO_BRUTE_MOST = 96 };

cm_broad_kind cm__auto_pick(const cm_broad *b) {
    return b->live_count <= AUTO_BRUTE_MOST ? CM_BROAD_BRUTE : CM_BROAD_SWEEP;
}
