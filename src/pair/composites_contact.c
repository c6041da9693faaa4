/* Contacts of two composites: the parts of one, each against the whole other.
 *
 * A compound is split into its children; their contacts count where the compound as a whole has them (contacts.h). For
 * two surfaces, each triangle of one is treated as a convex shape against the other, along directions that both
 * surfaces have there: so on two convex solids every contact has the depth and a normal of the solids' hulls. A contact
 * whose direction only one surface has is weak: it is given only where there is no other. Frame: the first shape's. No
 * memory. */
#include "pair/cloud.h"
#include "pair/composite.h"
#include "pair/contact_walk.h"
#include "pair/prepared.h"

/* Where there is no other contact: a part of one that lies wholly inside the other's solid. */
static bool composites_held(const cm__composite_walk *w, cm_witness *out) {
    if (cm__composite_held(w->whole, w->other, &w->other_in_whole, out)) return true;
    if (w->parts->children) return false; /* children of a compound are asked one by one */
    cm_pose identity = cm_pose_identity(), whole_in_other = cm_pose_between(&w->other_in_whole, &identity);
    if (!cm__composite_held(w->other, w->whole, &whole_in_other, out)) return false;
    cm__witness_to_outer(out, &w->other_in_whole);
    cm__witness_swap(out);
    return true;
}

static void composites_children(const cm__composite_walk *w, cm_real margin, cm__contacts *to) {
    cm__parts q;
    cm__part part;
    cm__contact_whole whole = {{to->level, cm__contact_of_first}, w->whole, &part.pose, 0, 0};
    const double far = cm__point_largest(cm__point_of(w->other_in_whole.position)); /* the other's points are rounded */
    w->parts->start(&q, w->whole, &w->box);
    to->level = &whole.level;
    while (w->parts->next(&q, margin, &part)) {
        cm_pose pose = composite_other_in_part(w, &part);
        whole.number = part.number, whole.place = far + cm__point_largest(cm__point_of(part.pose.position));
        cm__pair_contacts(&part.shape, w->other, &pose, margin, to);
    }
    to->level = whole.level.outer;
}

/* Sets up a surface in its own frame; `box` is around the body that it overlaps. */
static void composites_surface(const cm_shape *surface, const cm_aabb *box, cm__surface *out) {
    const cm__point sum = cm__point_add(cm__point_of(box->min), cm__point_of(box->max));
    cm__surface_of(surface, cm__point_scale(sum, 0.5), box, out);
}

/* The overlapping triangles of two surfaces, as long as they are few. */
typedef struct composites_overlapping {
    cm__cloud self, other; /* each in its own frame */
    uint32_t of_self[CLOUD_TRIANGLES], of_other[CLOUD_TRIANGLES];
    bool many;
} composites_overlapping;

static void meeting_add(composites_overlapping *m, const cm__part *part, cm__cloud *cloud, uint32_t *numbers) {
    for (int i = 0; i < cloud->count; i++)
        if (numbers[i] == part->number) return;
    m->many = m->many || cloud->count == CLOUD_TRIANGLES;
    if (m->many) return;
    numbers[cloud->count] = part->number;
    cloud_add(cloud, &part->shape.u.triangle);
}

static void meeting_of(const cm__composite_walk *w, composites_overlapping *m) {
    const cm__parts_ops *others = cm__ops(w->other->kind)->parts;
    cm__parts q, near;
    cm__part part, other;
    m->self.count = m->other.count = 0;
    m->many = false;
    w->parts->start(&q, w->whole, &w->box);
    while (!m->many && w->parts->next(&q, 0, &part)) {
        cm__prepared prepared;
        cm_aabb box;
        cm__prepare(&part.shape, &w->other_in_whole, &prepared);
        cm__prepared_box(&prepared, &box);
        others->start(&near, w->other, &box);
        while (!m->many && others->next(&near, 0, &other)) {
            if (!cm__prepared_overlap(&prepared, &other.shape.u.triangle)) continue;
            meeting_add(m, &part, &m->self, m->of_self);
            meeting_add(m, &other, &m->other, m->of_other);
        }
    }
}

static cm_triangle overlap_triangle(const cm__cloud *cloud, int i) {
    const cm__point *c = cloud->point + 3 * i;
    const cm_triangle t = {cm__vec3_of(c[0]), cm__vec3_of(c[1]), cm__vec3_of(c[2])};
    return t;
}

/* Marks the triangles that reach as far as `at` along the direction and have that direction there. */
static void overlap_have(cm__surface *surface, const cm__cloud *cloud, const uint32_t *numbers, cm__point at,
                         cm__point direction, double slack, bool *has) {
    for (int i = 0; i < cloud->count; i++) {
        const cm_triangle t = overlap_triangle(cloud, i);
        cm__point n = direction, on;
        has[i] = cm__cloud_supports(cloud->point + 3 * i, n, at, slack, &on) &&
                 cm__surface_has(surface, numbers[i], &t, on, &n);
    }
}

/* Near the end of an edge or beside a corner, leaving a surface may take a longer translation than leaving each pair of
 * triangles, in a direction that no pair gives. Then the contact is that of the convex hulls of all overlapping
 * triangles, if both surfaces have its direction. */
static void composites_together(const cm__composite_walk *w, cm__contact_own *own, cm__contacts *to) {
    composites_overlapping m;
    meeting_of(w, &m);
    if (m.many || m.self.count == 0) return;
    const cm__frame f = frame_of_pose(&w->other_in_whole);
    cm__core a, b;
    cm__convex_pair pair;
    cm__convex_gap found;
    cm__cloud_core(&m.self, &a);
    cm__cloud_core(&m.other, &b);
    cm__convex_pair_of(&a, &b, &f, &pair);
    cm__convex_gap_of(&pair, DBL_MAX, NULL, &found);
    if (!(found.distance <= 0)) return;
    const double slack = 16 * (double)CM_REAL_EPSILON * pair.scale;
    const cm__point back = wide_neg(frame_unrotate(&f, found.normal));
    const cm__point at = frame_unrotate(&f, cm__point_sub(found.b, f.position));
    bool self_has[CLOUD_TRIANGLES], other_has[CLOUD_TRIANGLES];
    overlap_have(&own->self, &m.self, m.of_self, found.a, found.normal, slack, self_has);
    overlap_have(&own->other, &m.other, m.of_other, at, back, slack, other_has);
    for (int i = 0; i < m.self.count * m.other.count; i++) {
        const int mine = i / m.other.count, its = i % m.other.count;
        if (!self_has[mine] || !other_has[its]) continue;
        const cm_triangle s = overlap_triangle(&m.self, mine), t = overlap_triangle(&m.other, its);
        const cm_shape body = cm_make_triangle(s.a, s.b, s.c);
        cm__prepared prepared;
        cm__prepare(&body, &w->other_in_whole, &prepared);
        if (!cm__prepared_overlap(&prepared, &t)) continue;
        cm__gap gap;
        cm_manifold one;
        gap_of_convex(&found, &gap);
        /* a corner that reaches so far: what the convex hull adds between corners belongs to neither surface */
        gap.b = frame_apply(&f, cloud_farthest(m.other.point + 3 * its, back));
        gap.a = cm__point_mul_add(gap.b, -gap.distance, gap.normal);
        cm__manifold_of_gap(&gap, &one);
        one.part_a = m.of_self[mine], one.part_b = m.of_other[its];
        contacts_note(to, true, -gap.distance, back, one.part_a, one.part_b);
        cm__contacts_add(to, &one);
        return;
    }
}

/* --- faces that face each other ---------------------------------------------------------------------------------- */

/* Does a triangle lie across a direction, as near as two normals count as one? That of a solid with its front. */
static bool facing_is_across(const cm_triangle *t, cm__point direction, bool solid) {
    const cm__point n = cm__point_normal(cm__point_of(t->a), cm__point_of(t->b), cm__point_of(t->c));
    const double along = cm__point_dot(n, direction);
    return (solid ? along : fabs(along)) > WIDE_ONE_NORMAL * cm__point_length(n);
}

/* The triangles across the normal in the plane, as far as they are near; false: there are too many. */
static bool facing_find(const cm__composite_walk *w, const cm__contact_own *own, const cm_aabb *near, cm_real margin,
                        const cm__facing *plane, cm__facing_triangles *out) {
    const cm__parts_ops *others = cm__ops(w->other->kind)->parts;
    const double reach = wide_max(plane->depth, 0) + (double)margin;
    cm__parts q;
    cm__part part;
    out->count = 0;
    others->start(&q, w->other, near);
    while (others->next(&q, margin, &part)) {
        const cm_triangle *t = &part.shape.u.triangle;
        const double a = cm__point_dot(plane->normal, cm__point_of(t->a)) - plane->level;
        const double b = cm__point_dot(plane->normal, cm__point_of(t->b)) - plane->level;
        const double c = cm__point_dot(plane->normal, cm__point_of(t->c)) - plane->level;
        if (!(wide_min(a, wide_min(b, c)) <= reach && wide_max(a, wide_max(b, c)) >= -reach)) continue;
        if (!facing_is_across(t, plane->normal, own->other.solid)) continue;
        if (out->count == CM__FACING_TRIANGLES) return false;
        out->box[out->count] = cm_aabb_empty();
        for (int i = 0; i < 3; i++)
            out->box[out->count] = cm_aabb_add_point(out->box[out->count], i == 0 ? t->a : i == 1 ? t->b : t->c);
        out->triangle[out->count] = *t, out->number[out->count++] = part.number;
    }
    return true;
}

/* Two faces that lie in each other do not cross, only their borders do; and where these are flush, too, they tell no
 * normal. So in each plane in which a contact was found all triangles that face each other there are clipped. */
static void composites_facing(const cm__composite_walk *w, cm__contact_own *own, const cm_aabb *near, cm_real margin,
                              const cm__facing *plane, cm__contacts *to) {
    const cm__frame f = frame_of_pose(&w->other_in_whole);
    const cm__point down = wide_neg(frame_rotate(&f, plane->normal));
    cm__facing_triangles other;
    cm__parts q;
    cm__part part;
    if (!facing_find(w, own, near, margin, plane, &other) || other.count == 0) return;
    w->parts->start(&q, w->whole, &w->box);
    while (w->parts->next(&q, margin, &part)) {
        if (!facing_is_across(&part.shape.u.triangle, down, own->self.solid)) continue;
        own->number = part.number;
        cm__triangle_facing_contacts(&part.shape, own, w->other, &w->other_in_whole, margin, plane, &other, to);
    }
}

/* --- all triangles -------------------------------------------------------------------------------------------------- */

/* A triangle that lies wholly inside the other's solid has no contact of its own: else the contacts of a crossing pair
 * would depend on which of the two is split into triangles. */
static void composites_surfaces(const cm__composite_walk *w, cm_real margin, cm__contacts *to) {
    cm__parts q;
    cm__part part;
    cm__contact_own own;
    cm_aabb box;
    const int before = to->count, refused = to->refused;
    cm_pose identity = cm_pose_identity(), whole_in_other = cm_pose_between(&w->other_in_whole, &identity);
    cm__composite_box(w->whole, &whole_in_other, &box);
    composites_surface(w->whole, &w->box, &own.self);
    composites_surface(w->other, &box, &own.other);
    own.planes = 0;
    w->parts->start(&q, w->whole, &w->box);
    while (w->parts->next(&q, margin, &part)) {
        own.number = part.number;
        cm__triangle_surface_contacts(&part.shape, &own, w->other, &w->other_in_whole, margin, to);
    }
    if (to->count == before && to->refused > refused) composites_together(w, &own, to);
    const int planes = to->joins ? own.planes : 0;
    for (int i = 0; i < planes; i++) composites_facing(w, &own, &box, margin, &own.plane[i], to);
}

/* Contacts of single children are covered by others: those of convex children together. */
static void composites_covered(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a, cm_real margin,
                               cm__contacts *to) {
    if (cm__ops(a->kind)->parts->children)
        cm__contact_of_children(a, b, b_in_a, margin, to);
    else if (shape_mesh_hull(a))
        cm__solid_with_children(a, b, b_in_a, margin, to);
}

void cm__composites_contacts(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a, cm_real margin,
                             cm__contacts *to) {
    cm__composite_walk w;
    cm__composite_walk_of(a, b, b_in_a, &w);
    const cm__contact_swap turn = {{to->level, cm__contact_swapped}, b_in_a};
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
    if (w.parts->children && to->count == before && to->refused > refused) composites_covered(a, b, b_in_a, margin, to);
}
