/* Which contacts of a composite in motion block it.
 *
 * A pair starts in touch (within the band, or overlapping), d deep as a whole. A part blocks where at some later time
 * the other is deeper in it than d by more than the band, or passes through it, though the part may be thinner than
 * that. The signed distance of the two answers that, by steps that planes prove (cm__moving_sinks). No body gets that
 * deep into the seams of a surface, the faces hidden between flush children, or a bevel that falls away; into a wall, a
 * step or a ramp it does. In straight motion the time is that of the part's own hit, which is early by at most d. Most
 * parts are cleared by one plane for the whole step: across the normal of the pair's own contact, or of a triangle
 * (cm__composite_stays).
 *
 * Normals. The direction of least depth out of one triangle may not be a direction that the surface has
 * (pair/surface.h): then the nearest such direction is taken, provided that the other is as deep along it. Contacts
 * deeper than the band at the start are those of the shapes at rest. For a contact of two faces the hit's point is the
 * middle.
 *
 * A shape that has no inside (a point, segment, triangle, flat box, …) may have no depth in a triangle, and a path
 * exactly between two triangles enters neither. There the surface's normals decide. Contacts that seem not to block are
 * checked again along the normals of the whole's contacts (cm__composite_sinks): at growing times after the contact,
 * then by bisection back to the last time at which there was none. A contact that gets deep and shallow again between
 * two such times is not seen.
 *
 * Frame: the other's for contacts, the world for moving sets, the composite's for directions of the surface. Bound: as
 * start.c; BLOCK_STRAIGHT or BLOCK_TURNING looks and BLOCK_HALVINGS bisections, of BLOCK_CONTACTS manifolds each. No
 * memory. Depths, angles and approaches are compared with what rounding or a search leaves of them: where they are
 * equal to that, either answer is right. */
#include "math/wide.h"
#include "pair/cloud.h"
#include "pair/surface.h"
#include "pair/triangle_sides.h"
#include "sweep/composite.h"
#include "sweep/hit.h"
#include "sweep/start.h"

#include <math.h>
#include <string.h>

enum { BLOCK_CONTACTS = 32, BLOCK_STRAIGHT = 32, BLOCK_TURNING = 64, BLOCK_HALVINGS = 56 };

/* In radians: the error of the direction of a curved body's depth, and of the direction at a contact with an edge,
 * which is that of a gap that in double is little more than rounding. */
#define BLOCK_CURVED 5e-4
#define BLOCK_EDGE   (sizeof(cm_real) == sizeof(float) ? 2e-5 : 1e-2)
#define BLOCK_SEARCH 1e-10 /* of a curved body's size: the error of its depth and of its contact point */
/* Of the radius of a rounded body: the error of its depth. */
#define BLOCK_ROUND (sizeof(cm_real) == sizeof(float) ? 1e-6 : 16 * DBL_EPSILON)

/* The contacts at a time, in the other's frame then, their normals from the other to the whole. */
typedef struct block_contacts {
    double u;
    cm_pose pose;           /* of the other, in the world */
    cm_pose whole_in_other; /* the whole in the other's frame */
    cm_pose other_in_whole;
    int count;
    cm_manifold m[BLOCK_CONTACTS];
} block_contacts;

typedef int block_question(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a, cm_real margin,
                           cm_manifold *out, int capacity);

static void block_ask(const cm__composite_sweep_state *s, double u, double margin, block_question *contacts,
                      block_contacts *out) {
    cm_pose pose_w;
    out->u = u;
    cm_motion_at(s->mo, (cm_real)u, &out->pose);
    cm_motion_at(s->mw, (cm_real)u, &pose_w);
    out->whole_in_other = cm_pose_between(&out->pose, &pose_w);
    out->other_in_whole = cm_pose_between(&pose_w, &out->pose);
    cm_real near = wide_up(margin);
    int count = contacts(s->other, s->whole, &out->whole_in_other, near, out->m, BLOCK_CONTACTS);
    out->count = count < BLOCK_CONTACTS ? count : BLOCK_CONTACTS;
}

static void block_at(const cm__composite_sweep_state *s, double u, double margin, block_contacts *out) {
    block_ask(s, u, margin, cm__pair_contact, out);
}

static double manifold_depth(const cm_manifold *m) {
    cm_real depth = -CM_REAL_MAX;
    for (int i = 0; i < m->count; i++) depth = cm_max(depth, m->points[i].depth);
    return (double)depth;
}

double cm__composite_near(const cm__composite_sweep_state *s) {
    if (!s->convex) return s->band;
    const cm__core *core = &s->prepared.core;
    return s->band + (core->ops->corner ? BLOCK_ROUND * core->radius : BLOCK_SEARCH * core->size);
}

double cm__composite_rough(const cm__composite_sweep_state *s) {
    if (!s->convex) return SWEEP_SLIDE;
    cm__core core;
    cm__ops(s->other->kind)->core(s->other, &core);
    return SWEEP_SLIDE + (core.ops->corner ? 0 : BLOCK_CURVED);
}

/* --- surfaces ---------------------------------------------------------------------------------------------------- */

/* Along a normal that is not the direction of least depth out of a triangle, the other may be deeper than it is in the
 * surface, because another face is the one to leave by. Is its depth along the normal that of the surface, or no more
 * than the band? All in the surface's frame; `normal` points from the surface to the other. */
static bool block_is_certified(const cm__composite_sweep_state *s, cm__surface *surface, const cm__core *core,
                               const cm_pose *other_in_whole, cm__point at, cm__point normal) {
    cm__frame f = frame_of_pose(other_in_whole);
    uint32_t id = core->ops->corner ? 0 : CM_NONE;
    cm__point lowest = frame_apply(&f, core->ops->support(core, frame_unrotate(&f, wide_neg(normal)), &id));
    lowest = cm__point_mul_add(lowest, -core->radius, normal);
    double depth = cm__point_dot(cm__point_sub(at, lowest), normal);
    if (depth <= 2 * s->band) return true;
    return cm__surface_holds_off(surface, lowest, normal, -depth);
}

/* Does the triangle support the normal at this point, that is, reach no farther along it? */
static bool block_supports(const cm__composite_sweep_state *s, const cm_triangle *t, cm__point at, cm__point normal) {
    const cm_vec3 corner[3] = {t->a, t->b, t->c};
    const double gap = 2 * s->near;
    for (int i = 0; i < 3; i++) {
        cm__point way = cm__point_sub(cm__point_of(corner[i]), at);
        if (cm__point_dot(way, normal) > gap + 2 * BLOCK_CURVED * cm__point_length(way)) return false;
    }
    return true;
}

cm__surface_answer cm__composite_surface_hit(cm__composite_sweep_state *s, const cm__part *part, cm_sweep_hit *hit) {
    cm_pose pose_w, pose_o;
    cm_motion_at(s->mw, hit->first, &pose_w);
    cm_motion_at(s->mo, hit->first, &pose_o);
    cm_pose other_in_whole = cm_pose_between(&pose_w, &pose_o);
    cm__core core;
    cm__ops(s->other->kind)->core(s->other, &core);
    cm_vec3 center = cm_pose_apply(&other_in_whole, cm__vec3_of(core.center));
    cm__point raw = cm__point_of(cm_neg(cm_unrotate(pose_w.rotation, hit->normal)));
    raw = wide_normalize(raw, raw);
    cm_aabb box = {center, center};
    box = cm_aabb_grow(box, wide_up((core.size + core.radius) * (1 + 4 * (double)CM_REAL_EPSILON)));
    cm__surface surface;
    cm__point at = cm__point_of(cm_pose_unapply(&pose_w, hit->point)), point = cm__point_of(hit->point);
    cm__surface_of(s->whole, cm__point_of(center), &box, &surface);
    /* always decide sides by the triangles in between: a body over one side of a ridge may be behind the plane of the
     * other */
    cm__surface_view_start(&surface.view);
    surface.view.low = cm__p(-1, -1, -1), surface.view.high = cm__p(1, 1, 1);
    surface.view.any = surface.seen = true, surface.view.flat = false;
    surface.ball = core.ops->corner && core.count == 1; /* no triangle lies between a ball's center and its contact */
    const cm_triangle *t = &part->shape.u.triangle;
    cm__point n[2] = {raw, raw}, own;
    cm__surface_answer answer = cm__surface_direction(&surface, part->number, t, at, &n[0]);
    if (answer == CM__SURFACE_NONE) return answer;
    int count = 1;
    if (cm__surface_normal(&surface, part->number, t, at, &n[1])) {
        own = n[1];
        const bool kept = answer == CM__SURFACE_KEPT, supports = block_supports(s, t, at, n[0]);
        const double side = cm__point_dot(n[0], n[1]);
        /* the direction of a short gap is rounding, or belongs to the other side */
        if (!supports || (!kept && side < -1e-6)) {
            answer = CM__SURFACE_REPLACED;
            n[0] = n[1];
        } else if (!kept) {
            count = 2;
            if (cm__point_dot(raw, n[1]) > cm__point_dot(raw, n[0])) { /* the face's normal is nearer than the edge's */
                cm__point swap = n[0];
                n[0] = n[1], n[1] = swap;
            }
        } else if (side > 1 - BLOCK_CURVED * BLOCK_CURVED && !core.ops->corner) {
            n[0] = n[1];
        }
    } else {
        own = n[0];
    }
    for (int i = 0; i < count; i++) {
        cm_vec3 normal = cm_neg(cm_rotate(pose_w.rotation, cm__vec3_of(n[i])));
        double approach = cm__composite_approach(s, (double)hit->first, point, cm__point_of(normal));
        bool face = fabs(cm__point_dot(n[i], own)) > 1 - 1e-15;
        bool blocks = approach > (face ? SWEEP_SLIDE : BLOCK_EDGE + SWEEP_SLIDE);
        if (!blocks && approach > SWEEP_SLIDE) s->doubt = wide_min(s->doubt, (double)hit->first);
        if (answer == CM__SURFACE_REPLACED && !block_is_certified(s, &surface, &core, &other_in_whole, at, n[i]))
            continue;
        hit->normal = normal, hit->blocking = blocks;
        return answer;
    }
    return CM__SURFACE_NONE;
}

/* The middle, in the world, of the box around all contact points along this normal that are deeper than `depth`; normal
 * and box are in the other's frame. There a body that lies on several triangles is held, as on one face. */
static bool block_middle(const block_contacts *c, cm_vec3 normal, double depth, cm_vec3 *out) {
    cm_aabb box = cm_aabb_empty();
    for (int i = 0; i < c->count; i++) {
        const cm_manifold *m = &c->m[i];
        if (!((double)cm_dot(m->normal, normal) > 1 - 1e-6)) continue;
        for (int k = 0; k < m->count; k++)
            if ((double)m->points[k].depth > depth) box = cm_aabb_add_point(box, m->points[k].point_a);
    }
    if (!(box.min.x <= box.max.x)) return false;
    *out = cm_pose_apply(&c->pose, cm_scale(cm_add(box.min, box.max), CM_REAL(0.5)));
    return true;
}

void cm__composite_depth_direction(cm__composite_sweep_state *s, cm_sweep_hit *hit) {
    block_contacts c;
    int most = 0, best = 0;
    const bool deep = s->own > s->band; /* in touch each triangle tells the normal that the surface has there */
    block_ask(s, 0, s->band, deep ? cm__pair_ways_out : cm__pair_contact, &c);
    double least = s->own; /* or more, as that may be a lower bound */
    for (int i = 0; i < c.count; i++) least = wide_max(least, manifold_depth(&c.m[i]));
    least -= 2 * s->band;
    for (int i = 0; i < c.count; i++) {
        int count = 0;
        if (!(manifold_depth(&c.m[i]) >= least)) continue;
        for (int k = 0; k < c.count; k++)
            if (manifold_depth(&c.m[k]) >= least && fabs((double)cm_dot(c.m[k].normal, c.m[i].normal)) > 1 - 1e-6)
                count += c.m[k].count;
        if (count > most) most = count, best = i;
    }
    if (most == 0) return;
    s->depth_direction = cm__point_of(cm_rotate(c.pose.rotation, c.m[best].normal));
    if (!hit || !deep || !block_middle(&c, c.m[best].normal, least, &hit->point)) return;
    hit->part_a = c.m[best].part_a, hit->part_b = c.m[best].part_b;
}

bool cm__composite_surface_start(cm__composite_sweep_state *s, cm_sweep_hit *hit) {
    block_contacts c;
    const double rough = cm__composite_rough(s);
    double deepest = 0, way_out = 0;
    bool found = false, blocked = false;
    block_at(s, 0, 0, &c);
    for (int i = 0; i < c.count; i++) way_out = wide_max(way_out, manifold_depth(&c.m[i]));
    /* A contact of less depth does not separate the whole pair. Whether the other gets deeper there is judged for its
     * part. */
    way_out -= (s->near - s->band) + composite_rounding(s) + 4 * (double)CM_REAL_EPSILON * way_out;
    for (int i = 0; i < c.count; i++) {
        const cm_manifold *m = &c.m[i];
        double depth = manifold_depth(m);
        if (!(depth > s->band && depth >= s->depth - s->near && depth >= way_out)) continue;
        s->depth = wide_max(s->depth, depth); /* the depth along a normal that the surface has */
        cm_vec3 normal = cm_rotate(c.pose.rotation, m->normal), at;
        if (!block_middle(&c, m->normal, s->band, &at)) continue;
        double approach = cm__composite_approach(s, 0, cm__point_of(at), cm__point_of(normal));
        bool blocks = approach > rough;
        if (!blocks && approach > SWEEP_SLIDE) s->doubt = 0;
        if (found && (blocked > blocks || (blocked == blocks && depth <= deepest))) continue;
        found = true, blocked = blocks, deepest = depth;
        memset(hit, 0, sizeof *hit);
        hit->start = CM_SWEEP_OVERLAPPING;
        hit->normal = normal, hit->point = at;
        hit->part_a = m->part_a, hit->part_b = m->part_b;
        hit->blocking = blocks;
    }
    s->deep_judged = found && c.count < BLOCK_CONTACTS;
    return found;
}

void cm__composite_middle(const cm__composite_sweep_state *s, cm_sweep_hit *hit) {
    cm__core core;
    cm__ops(s->other->kind)->core(s->other, &core);
    if (!core.ops->corner || core.count == 1) return;
    block_contacts c;
    cm__prepared prepared;
    const cm_pose at = cm__composite_pose_at(s, (double)hit->first);
    cm_pose pose_w;
    cm_motion_at(s->mw, hit->first, &pose_w);
    cm__prepare(s->other, &at, &prepared);
    const cm__point out = cm__point_of(cm_unrotate(pose_w.rotation, cm_neg(hit->normal)));
    /* a corner that touches is held at its own point */
    if (!cm__prepared_is_level(&prepared, out, 4 * s->near)) return;
    block_at(s, (double)hit->first, 2 * s->near, &c);
    cm_vec3 normal = cm_unrotate(c.pose.rotation, hit->normal), middle;
    if (!block_middle(&c, normal, -2 * s->near, &middle)) return;
    if (!(cm__composite_approach(s, (double)hit->first, cm__point_of(middle), cm__point_of(hit->normal)) > SWEEP_SLIDE))
        return;
    /* between two hills the middle is not on the surface */
    const cm_shape point = cm_make_point(cm_v(0, 0, 0));
    cm_pose whole = c.whole_in_other;
    cm_witness w;
    whole.position = cm_sub(whole.position, cm_pose_unapply(&c.pose, middle));
    const double off = (double)cm__pair_distance(&point, s->whole, &whole, wide_up(4 * s->band), &w);
    if (!(fabs(off) <= 4 * s->band)) return;
    hit->point = middle;
    hit->part_b = w.part_b;
}

/* Of a contact's points, and the place where the part is hit, the one at which the two approach fastest along the
 * contact's normal. False where they do at none. All but the manifold in the world. */
static bool block_approached(const cm__composite_sweep_state *s, const block_contacts *c, const cm_manifold *m,
                             const cm_sweep_hit *hit, cm_vec3 normal, cm_vec3 *at) {
    const double u = (double)hit->first;
    *at = hit->point;
    double most = cm__composite_approach(s, u, cm__point_of(*at), cm__point_of(normal));
    for (int k = 0; k < m->count; k++) {
        const cm_vec3 point = cm_pose_apply(&c->pose, m->points[k].point_a);
        const double approach = cm__composite_approach(s, u, cm__point_of(point), cm__point_of(normal));
        if (approach > most) most = approach, *at = point;
    }
    return most > SWEEP_SLIDE;
}

void cm__composite_contact_at(const cm__composite_sweep_state *s, cm_sweep_hit *hit) {
    block_contacts c;
    double nearest = -HUGE_VAL;
    const cm_sweep_hit raw = *hit;
    /* the gap, and the rounding of the poses at that time: no more than half of what the band adds up (band.c) */
    block_at(s, (double)hit->first, 3 * s->left, &c);
    for (int i = 0; i < c.count; i++) {
        const cm_manifold *m = &c.m[i];
        const cm_vec3 normal = cm_rotate(c.pose.rotation, m->normal);
        const double side = cm__point_dot(cm__point_of(normal), cm__point_of(raw.normal));
        cm_vec3 at;
        if (side <= nearest || !block_approached(s, &c, m, &raw, normal, &at)) continue;
        nearest = side;
        hit->normal = normal, hit->point = at;
        hit->part_a = m->part_a, hit->part_b = m->part_b;
    }
}

/* --- one part ---------------------------------------------------------------------------------------------------- */

/* The extent of the other along a direction of the whole's frame, at this pose. */
static double block_reach(const cm__core *core, const cm_pose *other_in_whole, cm__point direction) {
    cm__frame f = frame_of_pose(other_in_whole);
    uint32_t id = core->ops->corner ? 0 : CM_NONE;
    cm__point own = frame_unrotate(&f, direction);
    return cm__point_dot(f.position, direction) + cm__point_dot(core->ops->support(core, own, &id), own) + core->radius;
}

/* Both as moving sets, relative to where the other starts. A half-space comes second. */
void cm__composite_pair(const cm__composite_sweep_state *s, const cm__composite_question *question,
                        cm__moving_pair *out) {
    const cm__point origin = cm__point_of(s->mo->start.position);
    cm__moving_of(&question->part->shape, question->motion, origin, s->endless ? &out->a : &out->b);
    if (s->endless)
        out->b = s->moving;
    else
        out->a = s->moving;
    cm__moving_pair_finish(out);
    out->work = s->work;
}

/* The depth that still counts as no deeper than the start, as a signed distance. */
static double block_level(const cm__composite_sweep_state *s) { return -s->depth - (s->near - s->band); }

/* The same for one part. The depth of two solids is how far one reaches into the other: two of their triangles, or the
 * hulls of two children, may be deeper than that, and count from their own depth at the start. */
static double block_level_of(const cm__composite_sweep_state *s, const cm__moving_pair *pair) {
    const double level = block_level(s);
    cm__moving_gap start;
    if (!(s->depth > s->band)) return level;
    cm__moving_gap_at(pair, 0, &start);
    return wide_min(level, start.distance);
}

/* The normal of a triangle in motion, at a time; false where it has none. */
static bool block_normal(const cm__moving *with, double u, const cm_triangle *t, cm__point *normal) {
    const cm__point a = cm__point_of(t->a), b = cm__point_of(t->b), c = cm__point_of(t->c);
    const cm__point n = cm__point_normal(a, b, c);
    cm__frame frame;
    if (!(cm__point_dot(n, n) > DBL_MIN)) return false;
    cm__moving_at(with, u, &frame);
    *normal = frame_rotate(&frame, wide_normalize(n, n));
    return true;
}

void cm__composite_front(const cm__composite_sweep_state *s, const cm__composite_question *question,
                         cm_sweep_hit *hit) {
    const double rounding = composite_rounding(s);
    cm__moving_pair pair;
    cm__point n;
    cm__composite_pair(s, question, &pair);
    if (!block_normal(&pair.b, question->from, &question->part->shape.u.triangle, &n)) return;
    const double ahead = cm__moving_along(&pair, question->from, n),
                 behind = cm__moving_along(&pair, question->from, wide_neg(n));
    if (!(fabs(ahead) <= rounding && fabs(behind) <= rounding)) return;
    if (cm__point_dot(cm__point_of(hit->normal), n) > 0) {
        hit->normal = cm_neg(hit->normal);
        hit->blocking = cm__composite_approach(s, (double)hit->first, cm__point_of(hit->point),
                                               cm__point_of(hit->normal)) > SWEEP_SLIDE;
    }
}

/* Do two triangles, with or without area, share a point? Exact. */
static bool block_triangles_meet(const cm__point a[3], const cm__point b[3]) {
    cm__triangle_sides a_to_b, b_to_a;
    cm__triangle_sides_exact(b, a, &a_to_b);
    if (cm__triangle_sides_apart(&a_to_b)) return false;
    cm__triangle_sides_exact(a, b, &b_to_a);
    if (cm__triangle_sides_apart(&b_to_a)) return false;
    return cm__triangles_share_point(a, b, &a_to_b, &b_to_a);
}

/* Does a triangle overlap the surface of the space that a flat shape sweeps? `to` is `from`, moved. */
static bool block_meets_space(const cm__point *from, const cm__point *to, int count, const cm__point t[3]) {
    if (count == 3 && (block_triangles_meet(from, t) || block_triangles_meet(to, t))) return true;
    for (int i = 0; i < (count == 3 ? 3 : 1); i++) {
        const int k = count == 1 ? 0 : (i + 1) % count;
        const cm__point first[3] = {from[i], from[k], to[k]}, second[3] = {from[i], to[k], to[i]};
        if (block_triangles_meet(first, t) || block_triangles_meet(second, t)) return true;
    }
    return false;
}

/* The swept space is the hull of the start and the end. Near touching the test is exact, on corners that are the same
 * for all triangles, so a path that passes between two of them is not lost. */
bool cm__composite_passes(const cm__composite_sweep_state *s, const cm__composite_question *question) {
    const cm_triangle *t = &question->part->shape.u.triangle;
    const cm_pose identity = cm_pose_identity();
    const cm__frame whole = frame_of_pose(&s->mw->start), other = frame_of_pose(&s->mo->start);
    const cm__frame f = frame_between(&whole, &other), same = frame_of_pose(&identity);
    const cm__point way = frame_unrotate(&whole, s->v);
    cm__cloud cloud = {.count = 2};
    cm__core space, triangle;
    cm__convex_pair pair;
    cm__convex_gap gap;
    const cm__point corners[3] = {cm__point_of(t->a), cm__point_of(t->b), cm__point_of(t->c)};
    const cm_vec3 *corner;
    const int count = cm__flat_corners(s->other, &corner);
    if (count == 0) return true; /* a box, hull or disk: not asked for */
    for (int i = 0; i < 3; i++) {
        cloud.point[i] = frame_apply(&f, cm__point_of(corner[i < count ? i : 0]));
        cloud.point[3 + i] = cm__point_add(cloud.point[i], way);
    }
    cm__cloud_core(&cloud, &space);
    cm__core_triangle(corners[0], corners[1], corners[2], &triangle);
    cm__convex_pair_of(&space, &triangle, &same, &pair);
    cm__convex_gap_of(&pair, DBL_MAX, NULL, &gap);
    if (fabs(gap.distance) > 64 * DBL_EPSILON * pair.scale) return gap.distance < 0;
    return block_meets_space(cloud.point, cloud.point + 3, count, corners);
}

bool cm__composite_has(const cm_shape *whole, uint32_t number, const cm_triangle *t, cm__point out) {
    const cm__point corner[3] = {cm__point_of(t->a), cm__point_of(t->b), cm__point_of(t->c)};
    cm__surface surface;
    cm_aabb box = cm_aabb_empty();
    cm__point at = corner[0];
    for (int i = 0; i < 3; i++) {
        if (cm__point_dot(out, corner[i]) > cm__point_dot(out, at)) at = corner[i];
        box = cm_aabb_add_point(box, cm__vec3_of(corner[i]));
    }
    cm__surface_of(whole, at, &box, &surface);
    surface.ball = !surface.solid;
    return cm__surface_has(&surface, number, t, at, &out);
}

/* Can the surface be touched at this triangle from the side that the normal points away from? If not, another of its
 * triangles continues on that side. */
static bool block_is_outward(const cm__composite_sweep_state *s, const cm__composite_question *question,
                             cm__point normal) {
    cm_pose pose;
    cm_motion_at(question->motion, (cm_real)question->from, &pose);
    const cm__frame frame = frame_of_pose(&pose);
    return cm__composite_has(s->whole, question->part->number, &question->part->shape.u.triangle,
                             frame_unrotate(&frame, wide_neg(normal)));
}

/* The direction, from the other to a triangle, that says on which side the other is. For triangles of solids it is the
 * outward or inward normal, else the direction of depth at the start. A shape in the plane of a triangle, within
 * rounding, counts as in front. */
static cm__point block_front(const cm__composite_sweep_state *s, const cm__composite_question *question,
                             const cm__moving_pair *pair) {
    cm__point n;
    if (surface_is_solid(s->whole) && block_normal(&pair->b, question->from, &question->part->shape.u.triangle, &n))
        return wide_neg(n);
    if (s->surface && surface_is_solid(s->surface) && block_normal(&pair->a, question->from, &s->other->u.triangle, &n))
        return n;
    return s->depth_direction;
}

/* Are both triangles of surfaces? Then rounding may put either on the wrong side of the other. */
static bool block_is_thin(const cm__composite_sweep_state *s, const cm__composite_question *question) {
    return s->nested && shape_is_face(s->other) && part_is_triangle(question->part);
}

/* Of a direction and its opposite, the one along which they are farther apart; in the plane of a triangle, the one to
 * its front. */
static cm__point block_side(const cm__composite_sweep_state *s, const cm__moving_pair *pair, double u, cm__point normal,
                            const cm__point *front) {
    const cm__point side = cm__moving_side(pair, u, normal);
    if (!front || !(cm__point_dot(side, *front) < -0.5)) return side;
    return cm__moving_along(pair, u, side) <= s->band ? wide_neg(side) : side;
}

/* A plane proves that by the side on which the other starts. For thin parts the side is uncertain: it comes from the
 * gap; for a triangle of a solid it is the front; and a flat shape must be on a side from which the surface can be
 * touched, since one that lies between two triangles enters neither. */
bool cm__composite_stays(const cm__composite_sweep_state *s, const cm__composite_question *question) {
    const cm_shape *o = s->other, *p = &question->part->shape;
    const bool triangle = part_is_triangle(question->part), solid = triangle && surface_is_solid(s->whole);
    const bool flat = triangle && s->flat && !s->surface, thin = block_is_thin(s, question);
    const double level = block_level(s);
    cm__moving_pair pair;
    cm__point n[3];
    int count = 0;
    if (s->endless) return false;
    cm__composite_pair(s, question, &pair);
    const cm__point front = thin ? block_front(s, question, &pair) : s->depth_direction;
    const cm__point *before = thin || (flat && !solid) ? &front : NULL;
    if (triangle && block_normal(&pair.b, question->from, &p->u.triangle, &n[0])) {
        n[0] = solid ? wide_neg(n[0]) : block_side(s, &pair, question->from, wide_neg(n[0]), before);
        if (cm__moving_stays(&pair, question->from, n[0], level, s->band, question->until)) return true;
    }
    n[count++] = s->depth_direction;
    if (shape_is_triangle(o) && block_normal(&pair.a, question->from, &o->u.triangle, &n[count])) count++;
    for (int i = 0; i < count; i++) {
        const cm__point m = block_side(s, &pair, question->from, n[i], before);
        if (!cm__moving_stays(&pair, question->from, m, level, s->band, question->until)) continue;
        if (!flat || block_is_outward(s, question, m)) return true;
    }
    return false;
}

bool cm__composite_gets_in(const cm__composite_sweep_state *s, const cm__composite_question *question,
                           cm_sweep_hit *hit, bool *past) {
    cm__moving_pair pair;
    cm__moving_gap at;
    cm__composite_pair(s, question, &pair);
    cm__moving_gap_at(&pair, question->from, &at);
    if (block_is_thin(s, question) && fabs(at.distance) <= s->band) {
        const cm__point front = block_front(s, question, &pair);
        const double ahead = cm__moving_along(&pair, question->from, front);
        const double behind = cm__moving_along(&pair, question->from, wide_neg(front));
        if (fabs(ahead) <= s->band && behind >= -s->band) {
            at.normal = front, at.distance = ahead, at.sided = true;
            if (past) *past = behind > ahead;
        }
    }
    if (!cm__moving_sinks(&pair, block_level_of(s, &pair), s->band, question->until, &at)) return false;
    if (s->endless) at.a = cm__point_mul_add(at.a, at.distance, at.normal), at.normal = wide_neg(at.normal);
    memset(hit, 0, sizeof *hit);
    hit->first = wide_down(at.u);
    hit->last = 1;
    hit->normal = cm__vec3_of(at.normal);
    hit->point = cm__vec3_of(cm__point_add(at.a, cm__point_of(s->mo->start.position)));
    hit->blocking = true;
    hit->proof = at.limit ? CM_PROOF_LIMIT : CM_PROOF_CONTACT;
    hit->part_a = CM_NONE, hit->part_b = question->part->number;
    return true;
}

/* --- later ------------------------------------------------------------------------------------------------------- */

/* By how much a contact of a flat shape is deeper than the start: than its depth beyond the contact's plane then. A
 * shape that turns may reach less far along that normal than at the start, and get in all the same: it is deeper by
 * what the whole pair is, too. */
static double block_deeper(const cm__composite_sweep_state *s, const block_contacts *c, const cm_manifold *m) {
    const double depth = manifold_depth(m);
    cm__core core;
    cm__ops(s->other->kind)->core(s->other, &core);
    cm__point n = cm__point_of(cm_rotate(c->other_in_whole.rotation, m->normal));
    if (surface_exists(s->whole) && !surface_is_solid(s->whole)) {
        cm__point before = cm__point_of(cm_pose_apply(&s->other_in_whole, cm__vec3_of(core.center)));
        cm__point center = cm__point_of(cm_pose_apply(&c->other_in_whole, cm__vec3_of(core.center)));
        cm__point at = cm__point_of(cm_pose_apply(&c->other_in_whole, m->points[0].point_b));
        double above =
            wide_max(cm__point_dot(n, cm__point_sub(at, center)), cm__point_dot(n, cm__point_sub(at, before)));
        /* not a contact: the body is on the other side, and was there at the start */
        if (above < -s->band) return -DBL_MAX;
    }
    const double reach = block_reach(&core, &c->other_in_whole, n) - block_reach(&core, &s->other_in_whole, n);
    const double deeper = wide_min(depth, reach);
    return s->turn > s->bend ? wide_max(deeper, depth - s->depth) : deeper;
}

/* The contact that is deeper than at the start by more than `least`; -1: there is none. */
static int block_deeper_one(const cm__composite_sweep_state *s, const block_contacts *c, double least) {
    for (int i = 0; i < c->count; i++)
        if (block_deeper(s, c, &c->m[i]) > least) return i;
    return -1;
}

bool cm__composite_sinks(const cm__composite_sweep_state *s, double from, double until, bool fine, cm_sweep_hit *hit) {
    const int most = s->turn > 0 ? BLOCK_TURNING : BLOCK_STRAIGHT;
    const double way = (until - from) * (cm__point_length(s->v) + s->turn), even = way * 2 / most;
    /* on a shorter way it gets no deeper than what is looked for; a point has no size but rounding */
    double at = wide_max(fine ? 0 : wide_min(way, s->size) / 64, 2 * s->band), safe = from;
    block_contacts c;
    *s->work += CM__WORK_LOOKS;
    for (int i = 1; at > 0; i++) {
        bool last = !(at < way) || i == most;
        double u = last ? until : from + (until - from) * (at / way);
        block_at(s, u, 0, &c);
        int found = block_deeper_one(s, &c, 2 * s->band);
        if (found >= 0) {
            block_contacts middle;
            for (int k = 0; k < BLOCK_HALVINGS; k++) {
                double half = (double)(cm_real)(safe + (u - safe) / 2);
                if (!(half > safe && half < u)) break;
                block_at(s, half, 0, &middle);
                int one = block_deeper_one(s, &middle, s->band);
                if (one < 0) {
                    safe = half;
                } else {
                    u = half;
                    c = middle, found = one;
                }
            }
            const cm_manifold *m = &c.m[found];
            memset(hit, 0, sizeof *hit);
            hit->normal = cm_rotate(c.pose.rotation, m->normal);
            const double rate = cm__point_dot(s->v, cm__point_of(hit->normal));
            if (!(s->turn > 0) && rate > 0) /* straight: it gets deeper from there on */
                safe = wide_max(from, wide_min(safe, u - block_deeper(s, &c, m) / rate));
            hit->first = wide_down(safe);
            hit->point = cm_pose_apply(&c.pose, m->points[0].point_a);
            hit->part_a = m->part_a, hit->part_b = m->part_b;
            hit->blocking = true;
            return true;
        }
        if (block_deeper_one(s, &c, s->band) < 0) safe = u;
        if (last) return false;
        at += s->turn > 0 ? wide_min(3 * at, even) : 3 * at;
    }
    return false;
}
