/* Contacts of two composites: the parts of one, each against the whole other.
 *
 * A compound is taken apart into children, and its contacts are those that the compound has (contacts.h). Of two
 * surfaces the triangles of one are asked like bodies, in directions that both surfaces have there: so on two convex
 * solids every contact has the depth and a normal of the hulls'. What one of them lacks and no other contact stands for
 * is told only where there is nothing else. Frame: the first shape's. No memory. */
#include "pair/composite.h"

/* Where nothing else is: one that lies wholly inside the other's solid. */
static bool composites_held(const cm__composite_walk *w, cm_witness *out) {
    if (cm__composite_held(w->whole, w->other, &w->other_in_whole, out)) return true;
    if (w->parts->children) return false; /* asked child by child */
    cm_pose identity = cm_pose_identity(), whole_in_other = cm_pose_between(&w->other_in_whole, &identity);
    if (!cm__composite_held(w->other, w->whole, &whole_in_other, out)) return false;
    cm__witness_to_outer(out, &w->other_in_whole);
    cm__witness_swap(out);
    return true;
}

static void composites_children(const cm__composite_walk *w, cm_real margin, cm__contacts *to) {
    cm__parts q;
    cm__part part;
    cm__contact_whole whole = {{to->level, cm__contact_of_first}, w->whole, &part.pose, 0};
    w->parts->start(&q, w->whole, &w->box);
    to->level = &whole.level;
    while (w->parts->next(&q, margin, &part)) {
        cm_pose pose = composite_other_in_part(w, &part);
        whole.number = part.number;
        cm__pair_contacts(&part.shape, w->other, &pose, margin, to);
    }
    to->level = whole.level.outer;
}

/* A surface in its own frame, and a box around the body that meets it. */
static void composites_surface(const cm_shape *surface, const cm_aabb *box, cm__surface *out) {
    const cm__point sum = cm__point_add(cm__point_of(box->min), cm__point_of(box->max));
    cm__surface_of(surface, cm__point_scale(sum, 0.5), box, out);
}

/* Of a triangle of a surface that lies wholly inside the other's solid nothing is told on its own: then of a pair that
 * cross, what is told would hang on which of them is taken apart. */
static void composites_surfaces(const cm__composite_walk *w, cm_real margin, cm__contacts *to) {
    cm__parts q;
    cm__part part;
    cm__contact_own own;
    cm_aabb box;
    cm_pose identity = cm_pose_identity(), whole_in_other = cm_pose_between(&w->other_in_whole, &identity);
    cm__composite_box(w->whole, &whole_in_other, &box);
    composites_surface(w->whole, &w->box, &own.self);
    composites_surface(w->other, &box, &own.other);
    w->parts->start(&q, w->whole, &w->box);
    while (w->parts->next(&q, margin, &part)) {
        own.number = part.number;
        cm__triangle_surface_contacts(&part.shape, &own, w->other, &w->other_in_whole, margin, to);
    }
}

void cm__composites_contacts(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a, cm_real margin,
                             cm__contacts *to) {
    cm__composite_walk w;
    cm__composite_walk_of(a, b, b_in_a, &w);
    const cm__contact_turn turn = {{to->level, cm__contact_turned}, b_in_a};
    const int before = to->count, refused = to->refused;
    if (w.swapped) to->level = &turn.level;
    if (w.parts->children)
        composites_children(&w, margin, to);
    else
        composites_surfaces(&w, margin, to);
    cm_witness held;
    cm_manifold m;
    if (to->count == before && to->refused == refused && composites_held(&w, &held)) {
        cm__manifold_of_witness(&held, &m);
        cm__contacts_add(to, &m);
    }
    to->level = turn.level.outer;
}
