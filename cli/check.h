/* carom check: every part against every other. */
#ifndef CLI_CHECK_H
#define CLI_CHECK_H

#include "findings.h"
#include "options.h"

/* Checks the scene. Findings are ordered by kind, the deepest (or nearest) first, then by part; they do not depend on
 * the number of threads. With `outlines` each crossing keeps its segments. Returns 0 or the exit code after a message.
 */
int check_scene(const scene *s, options *o, bool outlines, findings *out);
void findings_free(findings *f);

/* Which side of --between a part is on: bit 0 for A, bit 1 for B; both where the option is not given. */
int between_sides(const scene *s, const options *o, uint32_t part);
/* Is there a part on either side? Else nothing would be compared: says so, and returns the exit code. */
int between_check(const scene *s, const options *o);

/* The whole command. Returns the exit code. */
int run_check(options *o);
int run_distance(options *o);
int run_info(options *o);
int run_fit(options *o);

/* The tolerance of a pair: as asked for; else 0, the default of cm_mesh_relation, which supposes that all coordinates
 * are rounded to single precision; but where the files' places are known in double, a millionth of the pair's size or
 * what the points of each are rounded to in its own axes, so that a site far from its origin is resolved as one at it.
 */
double pair_tolerance(const scene *s, const options *o, const scene_part *a, const scene_part *b);

#endif
