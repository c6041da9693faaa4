/* A finding in one line of words: see handover.h. */
#include "check/handover.h"

#include "common/text.h"

#include <math.h>

char *finding_sentence(const scene *s, const cm_finding *f) {
    static const char *const words[CM_FINDING_KIND_COUNT] = {"crossing", "one inside the other", "identical",
                                                             "touching", "nearer than the clearance"};
    const double length = f->result.distance < CM_REAL_MAX ? f->result.distance : 0;
    const cm_vec3 at = f->result.point_a;
    text_buffer t = {0};
    text_add(&t, "%s and %s: %s", s->parts[f->part_a].name, s->parts[f->part_b].name, words[f->kind]);
    if (length != 0) text_add(&t, ", %.6g mm %s", 1000 * fabs(length), length > 0 ? "apart" : "deep");
    text_add(&t, ", at %.6g %.6g %.6g m", at.x + 0.0, at.y + 0.0, at.z + 0.0);
    return t.bytes;
}
