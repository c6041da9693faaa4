/* The ways out of a composite in which the other shape is deep at the start: along the normals of their contacts at
 * rest.
 *
 * Moved by the depth of a contact along its normal, what touches there is left. The parts of one overlapped piece share
 * such a way: a body that reaches through a bar leaves the wall before it by the way out of the wall behind it, though
 * its depth in the one wall alone grows on that way. So a part does not block
 * - that is overlapped no deeper along a contact's normal than the contact is deep, while the two do not approach along
 *   that normal: no part of a convex piece gets deeper than the piece;
 * - that is overlapped at the start, where they go straight and approach along the normal of no contact: they have
 *   farther to go than the contact says where its depth is a lower bound only;
 * - that is a triangle of a solid whose front they do not approach: what enters a solid comes from before it.
 * Frame: the world. Bound: one query of the contacts; for each part two of its distance and one plane for each contact.
 * No memory. */
#include "math/round.h"
#include "math/wide.h"
#include "sweep/composite.h"
#include "sweep/hit.h"
#include "sweep/start.h"

static void ways_find(cm__sweep_ways *w) {
    cm_manifold m[CM__SWEEP_WAYS];
    const cm_pose b_in_a = cm_pose_between(w->pose_a, w->pose_b);
    const int all = cm__pair_ways_out(w->a, w->b, &b_in_a, 0, m, CM__SWEEP_WAYS);
    w->count = all < CM__SWEEP_WAYS ? all : CM__SWEEP_WAYS, w->more = all > CM__SWEEP_WAYS;
    for (int i = 0; i < w->count; i++) {
        cm_real depth = 0;
        for (int k = 0; k < m[i].count; k++) depth = cm_max(depth, m[i].points[k].depth);
        const cm__point n = cm__point_of(cm_rotate(w->pose_a->rotation, m[i].normal));
        w->normal[i] = wide_normalize(n, n), w->depth[i] = (double)depth;
    }
}

/* From the other to the whole. */
static cm__point ways_normal(const cm__composite_sweep_state *s, int i) {
    return s->ways_back ? wide_neg(s->ways->normal[i]) : s->ways->normal[i];
}

bool cm__composite_departs(const cm__composite_sweep_state *s) {
    const double slide = SWEEP_SLIDE * (cm__point_length(s->v) + s->bend);
    if (!(s->depth > s->band) || s->endless || s->turn > s->bend) return false;
    if (s->ways->count < 0) ways_find(s->ways);
    if (s->ways->count == 0 || s->ways->more) return false;
    for (int i = 0; i < s->ways->count; i++)
        if (cm__composite_goes(s, ways_normal(s, i)) > slide) return false;
    return true;
}

/* The normal of a triangle's front in the world; false where it has none. */
static bool ways_outward(const cm_triangle *t, const cm_pose *pose, cm__point *out) {
    const cm__point n = cm__point_normal(cm__point_of(t->a), cm__point_of(t->b), cm__point_of(t->c));
    const cm__frame frame = frame_of_pose(pose);
    if (!(cm__point_dot(n, n) > DBL_MIN)) return false;
    *out = frame_rotate(&frame, wide_normalize(n, n));
    return true;
}

/* Does the other come at a triangle of a solid from within, in the whole step? It gets into a solid through its front.
 */
static bool ways_from_within(const cm__composite_sweep_state *s, const cm__composite_question *question) {
    cm__point n;
    if (!part_is_triangle(question->part) || !surface_is_solid(s->whole) || s->turn > s->bend) return false;
    if (!ways_outward(&question->part->shape.u.triangle, &question->motion->start, &n)) return false;
    return !(cm__composite_goes(s, wide_neg(n)) > 0);
}

/* Do the other and the part overlap at the start? A triangle that is touched within the band counts, too, if the other
 * reaches through its plane, as flush sides of bodies do: it is not in front of that. */
static bool ways_overlaps(const cm__composite_sweep_state *s, const cm__composite_question *question,
                          const cm__moving_pair *pair) {
    cm__moving_gap start;
    cm__point n;
    cm__moving_gap_at(pair, 0, &start);
    if (start.distance <= 0) return true;
    if (!(start.distance <= s->band) || !part_is_triangle(question->part)) return false;
    if (!ways_outward(&question->part->shape.u.triangle, &question->motion->start, &n)) return false;
    return cm__moving_along(pair, 0, n) < -s->band && cm__moving_along(pair, 0, wide_neg(n)) < -s->band;
}

bool cm__composite_leaves(const cm__composite_sweep_state *s, const cm__composite_question *question) {
    cm__moving_pair pair;
    if (!(s->depth > s->band) || s->endless) return false;
    if (ways_from_within(s, question)) return true;
    if (s->ways->count < 0) ways_find(s->ways);
    cm__composite_pair(s, question, &pair);
    for (int i = 0; i < s->ways->count; i++) {
        const cm__point n = ways_normal(s, i);
        const double level = -s->ways->depth[i] - (s->near - s->band);
        if (cm__moving_along(&pair, 0, n) < level - s->band) continue;
        if (cm__moving_stays(&pair, question->from, n, level, s->band, question->until)) return true;
    }
    return cm__composite_departs(s) && ways_overlaps(s, question, &pair);
}
