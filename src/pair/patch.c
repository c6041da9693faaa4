/* Contact patches of two cores with few corners: the incident face clipped by the reference face, or the common stretch
 * of two parallel edges.
 *
 * The face most nearly perpendicular to the normal is the reference face. The incident face, edge or corner of the
 * other is clipped by the planes through the reference face's edges (a 4-gon cut by 4 planes has at most 8 corners).
 * Points within the margin of the reference plane are kept. Two nearly parallel edges give the ends of their common
 * stretch, also where one is the border of the reference face, beside which rounding may put the other. Everything else
 * touches in one point. Frame and rounding as in polytope.c.
 * Based on: [Gregorius13] for reference and incident faces; convex/clip.h for the clipping. */
#include "pair/gap.h"
#include "convex/clip.h"
#include "math/closest.h"

#define PATCH_FACE_COS  (1 - 1e-6) /* cosine: within 1.4e-3 rad a face counts as perpendicular to the normal */
#define PATCH_EDGE_SINE 0.05       /* sine: edges at less than 2.9 degrees count as parallel */
#define PATCH_BESIDE    1e-12 /* of the square of an edge: points of two edges this far aside do not face each other */
#define PATCH_TIE       1e-9  /* of cosines: a tie goes to A's face, so that rounding does not make it flicker */
#define PATCH_OWN       1e-6  /* of the coordinates: the rounding of float inputs; deeper by less adds no point */

/* The numbers of corner i for the incident and the reference: its own and the face's, or by the two lines that meet
 * there. */
static void patch_name(const clip_corner *poly, int count, int i, const cm__polytope_side *inc, uint32_t face,
                       uint32_t *own, uint32_t *other) {
    uint32_t low, high;
    *other = 4096 + face * 8 + 4;
    if (poly[i].corner != CLIP_MADE) {
        *own = inc->feature[poly[i].corner];
        return;
    }
    clip_lines(poly, count, i, inc->count == 2, &low, &high);
    if (low >= CLIP_PLANE) { /* a corner of the reference */
        *own = 512 + (low - CLIP_PLANE) * 8 + (high - CLIP_PLANE), *other = 4096 + face * 8 + 5;
        return;
    }
    uint32_t f = inc->feature[low], g = inc->feature[(int)low + 1 < inc->count ? low + 1 : 0];
    *own = f < g ? 16 + f * 16 + g : 16 + g * 16 + f;
    *other = 4096 + face * 8 + (high - CLIP_PLANE);
}

/* Clips the incident face by the reference face; points within `margin` of the reference plane go into the patch. */
static void patch_of_faces(const cm__polytope_side *ref, const cm__polytope_side *inc, bool ref_is_a, cm__point normal,
                           double margin, cm__patch *out) {
    clip_corner poly[8]; /* 4 corners cut by 4 planes */
    int count = inc->count;
    clip_begin(poly, inc->corner, count);
    for (int i = 0; i < ref->count && count > 0; i++) {
        const cm__point from = ref->corner[i], to = ref->corner[i + 1 < ref->count ? i + 1 : 0];
        const cm__point next = ref->corner[i + 2 < ref->count ? i + 2 : i + 2 - ref->count];
        /* side planes along the contact's normal, along which points are projected below: so the projections lie within
         * the face */
        const cm__point outward = clip_outward(from, to, next, normal);
        count = clip_behind(poly, count, 8, inc->count == 2, outward, cm__point_dot(outward, from), (uint32_t)i);
    }
    if (inc->count == 2 && count == 2) { /* an edge that only touches the border of the face touches in one point */
        cm__point stretch = cm__point_sub(poly[1].p, poly[0].p);
        double noise = 2 * gap_noise(cm__point_largest(poly[0].p) + cm__point_largest(ref->corner[0]));
        if (cm__point_largest(stretch) <= noise) poly[0] = poly[poly[0].corner == CLIP_MADE], count = 1;
    }
    double across = fabs(cm__point_dot(ref->normal, normal));
    for (int i = 0; i < count && out->count < 8; i++) {
        /* heights are measured along the contact's normal, which is almost perpendicular to the face: so the points
         * prove the depth */
        double height = cm__point_dot(cm__point_sub(poly[i].p, ref->corner[0]), ref->normal) / across;
        if (!(height <= margin)) continue;
        int n = out->count++;
        out->a[n] = ref_is_a ? cm__point_mul_add(poly[i].p, -height, normal) : poly[i].p;
        out->b[n] = ref_is_a ? poly[i].p : cm__point_mul_add(poly[i].p, height, normal);
        out->gap[n] = height;
        uint32_t own, other;
        patch_name(poly, count, i, inc, ref->face, &own, &other);
        out->feature_a[n] = ref_is_a ? other : own;
        out->feature_b[n] = ref_is_a ? own : other;
    }
}

/* Two edges side by side: the ends of the stretch that they share. */
void cm__patch_of_edges(const cm__point a[2], const cm__point b[2], cm__point normal, double margin, cm__patch *out) {
    cm__point d = cm__point_sub(a[1], a[0]), e = cm__point_sub(b[1], b[0]);
    double dd = cm__point_dot(d, d), ee = cm__point_dot(e, e);
    cm__point cross = cm__point_cross(d, e);
    if (!(cm__point_dot(cross, cross) <= PATCH_EDGE_SINE * PATCH_EDGE_SINE * dd * ee)) return;
    double s0 = cm__point_dot(cm__point_sub(b[0], a[0]), d) / dd;
    double s1 = cm__point_dot(cm__point_sub(b[1], a[0]), d) / dd;
    double low = wide_max(0, wide_min(s0, s1)), high = wide_min(1, wide_max(s0, s1));
    if (!(high > low)) return;
    for (int i = 0; i < 2; i++) {
        double s = i == 0 ? low : high;
        cm__point p = cm__point_between(a[0], a[1], s);
        cm__point q = cm__point_between(b[0], b[1], cm__clamp01((s - s0) / (s1 - s0)));
        double gap = cm__point_dot(cm__point_sub(q, p), normal);
        if (!(gap <= margin)) continue;
        /* edges that cross at a small angle are apart sideways here: then this is no contact */
        cm__point beside = cm__point_mul_add(cm__point_sub(q, p), -gap, normal);
        if (cm__point_dot(beside, beside) > PATCH_BESIDE * dd) continue;
        int n = out->count++;
        out->a[n] = p;
        out->b[n] = cm__point_mul_add(p, gap, normal);
        out->gap[n] = gap;
        /* the end of an edge that bounds the stretch here: 0 or 1 its own, 2 the other's */
        out->feature_a[n] = s <= 0 ? 0 : s >= 1 ? 1 : 2;
        out->feature_b[n] = (i == 0) == (s0 <= s1) ? 0 : 1;
    }
}

void cm__patch_of(const cm__polytope *a, const cm__polytope *b, const cm__gap *core, double margin, cm__patch *out) {
    cm__polytope_side side_a, side_b;
    cm__point n = core->normal, back = wide_neg(n);
    out->count = 0;
    cm__polytope_face(a, n, &side_a);
    cm__polytope_face(b, back, &side_b);
    double cos_a = side_a.count > 2 ? cm__point_dot(side_a.normal, n) : 0;
    double cos_b = side_b.count > 2 ? cm__point_dot(side_b.normal, back) : 0;
    if (cos_a >= PATCH_FACE_COS && cos_a + PATCH_TIE >= cos_b) {
        patch_of_faces(&side_a, &side_b, true, n, margin, out);
    } else if (cos_b >= PATCH_FACE_COS) {
        patch_of_faces(&side_b, &side_a, false, n, margin, out);
    }
    if (out->count == 0) {
        cm__polytope_edge(a, n, PATCH_EDGE_SINE, &side_a);
        cm__polytope_edge(b, back, PATCH_EDGE_SINE, &side_b);
        if (side_a.count == 2 && side_b.count == 2) cm__patch_of_edges(side_a.corner, side_b.corner, n, margin, out);
    }
    cm__patch_add(out, core);
}

/* The answer's own point belongs in the patch: it is added where all others are shallower by more than rounding. */
void cm__patch_add(cm__patch *out, const cm__gap *core) {
    double least = DBL_MAX, size = wide_sum(core->a) + fabs(core->distance);
    for (int i = 0; i < out->count; i++) least = wide_min(least, out->gap[i]);
    if (out->count > 0 && least <= core->distance + PATCH_OWN * size) return;
    if (out->count >= 8) out->count = 7;
    int last = out->count++;
    out->a[last] = core->a;
    out->b[last] = core->b;
    out->gap[last] = core->distance;
    out->feature_a[last] = out->feature_b[last] = CM_NONE;
}

/* Keeps the points within the margin, and the nearest in any case: rounding must not leave a touching pair without a
 * point. */
void cm__manifold_of_patch(const cm__patch *patch, cm__point normal, double radius_a, double radius_b, double margin,
                           cm_manifold *out) {
    int nearest = 0;
    out->normal = cm__vec3_of(normal);
    out->part_a = out->part_b = CM_NONE;
    out->count = 0;
    for (int i = 1; i < patch->count; i++)
        if (patch->gap[i] < patch->gap[nearest]) nearest = i;
    for (int i = 0; i < patch->count; i++) {
        double gap = patch->gap[i] - radius_a - radius_b;
        if (!(gap <= margin) && i != nearest) continue;
        cm_contact_point *p = &out->points[out->count++];
        p->point_a = cm__vec3_of(cm__point_mul_add(patch->a[i], radius_a, normal));
        p->point_b = cm__vec3_of(cm__point_mul_add(patch->b[i], -radius_b, normal));
        p->depth = (cm_real)(0 - gap);
        p->feature_a = patch->feature_a[i];
        p->feature_b = patch->feature_b[i];
    }
}
