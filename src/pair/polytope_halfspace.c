/* A core with few corners against a half-space: the deepest corner decides, every corner close enough is a contact.
 *
 * In A's frame the corner's height over the plane is (n.p + d) / |n|: a normal that is unit only to float rounding is
 * scaled here. The depth is measured along the normal, however large it is. Rounding: 8 ulps of double of the
 * coordinates. */
#include "pair/pair.h"

typedef struct ground {
    cm__point normal;
    double d;
} ground;

static ground ground_of(const cm_plane *plane, const cm__frame *at) {
    cm__point n = frame_rotate(at, cm__point_of(plane->normal));
    double length = cm__point_length(n);
    ground g;
    g.normal = cm__point_scale(n, 1 / length);
    g.d = (double)plane->d / length - cm__point_dot(g.normal, at->position);
    return g;
}

static double ground_height(const ground *g, cm__point p) { return cm__point_dot(g->normal, p) + g->d; }

static int ground_deepest(const ground *g, const cm__polytope *p) {
    return cm__polytope_support(p, wide_neg(g->normal));
}

static bool polytope_halfspace_overlap(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a) {
    cm__polytope p;
    const cm__frame frame = frame_of_pose(b_in_a);
    ground g = ground_of(&b->u.halfspace, &frame);
    cm__polytope_of(a, NULL, &p);
    return ground_height(&g, p.corner[ground_deepest(&g, &p)]) <= (double)a->radius + (double)b->radius;
}

static void ground_gap(const ground *g, cm__point corner, double ra, double rb, cm__gap *out) {
    double height = ground_height(g, corner);
    out->normal = wide_neg(g->normal);
    out->distance = distance_settled(height - (ra + rb), height <= ra + rb);
    out->a = cm__point_mul_add(corner, -ra, g->normal);
    out->b = cm__point_mul_add(corner, rb - height, g->normal);
}

static void polytope_halfspace_gap(const cm_shape *a, const cm_shape *b, const cm__frame *b_in_a, cm__gap *out) {
    cm__polytope p;
    ground g = ground_of(&b->u.halfspace, b_in_a);
    cm__polytope_of(a, NULL, &p);
    ground_gap(&g, p.corner[ground_deepest(&g, &p)], (double)a->radius, (double)b->radius, out);
}

static int polytope_halfspace_contact(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a, cm_real margin,
                                      cm_manifold *out, int capacity) {
    cm__polytope p;
    const cm__frame frame = frame_of_pose(b_in_a);
    ground g = ground_of(&b->u.halfspace, &frame);
    cm__polytope_of(a, NULL, &p);
    double reach = (double)margin + (double)a->radius + (double)b->radius;
    cm_manifold m;
    m.count = 0;
    for (int i = 0; i < p.corner_count; i++) {
        if (!(ground_height(&g, p.corner[i]) <= reach)) continue;
        bool again = false; /* a corner that coincides with one before adds nothing */
        for (int k = 0; k < i && !again; k++) again = cm__point_equal(p.corner[k], p.corner[i]);
        if (again) continue;
        cm__gap gap;
        cm_manifold one;
        ground_gap(&g, p.corner[i], (double)a->radius, (double)b->radius, &gap);
        cm__manifold_of_gap(&gap, &one);
        m.normal = one.normal;
        m.points[m.count] = one.points[0];
        m.points[m.count].feature_a = (uint32_t)i;
        m.points[m.count++].feature_b = 0;
    }
    if (m.count == 0) return 0;
    m.part_a = m.part_b = CM_NONE;
    if (capacity > 0) *out = m;
    return 1;
}

const cm__method cm__method_polytope_halfspace = {
    .overlap = polytope_halfspace_overlap, .gap = polytope_halfspace_gap, .contact = polytope_halfspace_contact};

/* --- two half-spaces --------------------------------------------------------------------------------------------- */

/* Two half-spaces overlap without bound unless their normals are opposite, within the rounding of a pose. Then the
 * width of the slab between them, or of the slab that they share, is the distance or depth. */
static void halfspace_halfspace_gap(const cm_shape *a, const cm_shape *b, const cm__frame *b_in_a, cm__gap *out) {
    const cm__frame identity = frame_of_quat(cm_quat_identity());
    ground ga = ground_of(&a->u.halfspace, &identity), gb = ground_of(&b->u.halfspace, b_in_a);
    out->normal = ga.normal;
    out->a = cm__point_scale(ga.normal, -ga.d + (double)a->radius);
    out->b = out->a;
    out->distance = -(double)CM_REAL_MAX;
    cm__point cross = cm__point_cross(ga.normal, gb.normal);
    if (cm__point_dot(ga.normal, gb.normal) > 0 || cm__point_largest(cross) > 4 * (double)CM_REAL_EPSILON) return;
    out->distance = ground_height(&gb, out->a) - (double)b->radius;
    out->b = cm__point_mul_add(out->a, out->distance, ga.normal);
}

static bool halfspace_halfspace_overlap(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a) {
    cm__gap gap;
    const cm__frame frame = frame_of_pose(b_in_a);
    halfspace_halfspace_gap(a, b, &frame, &gap);
    return gap.distance <= 0;
}

const cm__method cm__method_halfspace_halfspace = {.overlap = halfspace_halfspace_overlap,
                                                   .gap = halfspace_halfspace_gap};
