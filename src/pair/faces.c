/* Solids that stand face to face.
 *
 * A crate of twelve triangles that stands on another touches it by a face, as a box does; triangle against triangle
 * that is some sixty contacts of one plane. Here the plane is found first: that of a triangle beyond which its own body
 * has nothing, and by which the two leave each other the soonest. The contact is that of the two faces there
 * (convex/manifold.h) under two conditions.
 *
 * First, each face is a convex polygon of triangles, and of either body no points but those of its face are as far
 * along the normal as where the other begins, or as near to that as the margin. So nothing else touches in the plane;
 * nor does anything elsewhere, as moving by the depth along the normal parts all of both.
 *
 * Second, the depth is, to a part in five thousand, the least of the convex hulls. Each hull holds its face and a point
 * far behind. Let q be the middle of what the faces share, r its distance from the border of one of them, h the depth
 * there. Along a direction at an angle t from the normal the hulls are at least h cos t + r sin t deep, and the depth
 * times cos t; backwards about as much as both are thick. Each is a lower bound, and at every angle one of them is
 * enough.
 *
 * Everything else is left to the triangles. Frame: A's. Bound: FACES_PLANES planes, each against all points of both
 * meshes, which have FACES_POINTS at most. No memory. */
#include "pair/faces.h"
#include "convex/clip.h"
#include "convex/manifold.h"
#include "math/wide.h"
#include "mesh/mesh.h"
#include "pair/method.h"

#include <string.h>

#define FACES_ROUND 16          /* CM_REAL_EPSILONs of the coordinates: how far rounding moves a point */
#define FACES_SINE  .02         /* of the angle whose cosine is 1 - 0.0002 */
#define FACES_SAME  (1 - 1e-10) /* cosine: normals that differ by rounding */
#define FACES_FAR   1e30        /* beyond all coordinates */
#define FACES_AREA  1e-4        /* of an area: triangles that cover a polygon but for this cover it */

enum { FACES_POINTS = 512, FACES_TRIANGLES = 1024, FACES_PLANES = 16 };

/* One of the two bodies. Directions and heights are in A's frame. */
typedef struct faces_side {
    const cm_shape *shape;
    const cm_mesh *mesh; /* NULL: a convex shape */
    cm__frame frame;
    cm__core core; /* of the convex shape, or of the mesh's face */
    cm__facet face;
    uint32_t part;
    bool on[FACES_POINTS]; /* the mesh's points: on the face */
} faces_side;

/* A plane between them, with a unit normal from A to B. */
typedef struct faces_plane {
    cm__point normal;
    bool of_a;    /* it holds a face of A, else of B, */
    double level; /* there */
} faces_plane;

typedef struct faces_pair {
    faces_side a, b;
    double slack; /* rounding of places */
    faces_plane plane[FACES_PLANES];
    int planes;
    cm__point normal; /* by which they leave each other the soonest, */
    double depth;     /* after so much */
} faces_pair;

static cm__point faces_direction(const faces_side *s, cm__point n) { return frame_unrotate(&s->frame, n); }

static cm__point faces_support(const faces_side *s, cm__point n) {
    const cm__point own = faces_direction(s, n);
    if (!s->mesh) {
        uint32_t id = 0;
        return frame_apply(&s->frame, s->core.ops->support(&s->core, own, &id));
    }
    const cm_vec3 *points = cm__mesh_points(s->mesh);
    cm__point best = cm__point_of(points[0]);
    double most = -DBL_MAX;
    for (uint32_t i = 0; i < s->mesh->info.points; i++) {
        const double level = cm__point_dot(own, cm__point_of(points[i]));
        if (level > most) most = level, best = cm__point_of(points[i]);
    }
    return frame_apply(&s->frame, best);
}

/* Does the body reach farther along a direction than that? The first point that does ends the search. */
static bool faces_passes(const faces_side *s, cm__point n, double level) {
    if (!s->mesh) return cm__point_dot(n, faces_support(s, n)) > level;
    const cm_vec3 *points = cm__mesh_points(s->mesh);
    const cm__point own = faces_direction(s, n);
    const double from = level - cm__point_dot(n, s->frame.position);
    for (uint32_t i = 0; i < s->mesh->info.points; i++)
        if (cm__point_dot(own, cm__point_of(points[i])) > from) return true;
    return false;
}

/* Takes the plane if the body whose face it holds is behind it, and the other is less deep behind it than any before.
 */
static void faces_try(faces_pair *p, const faces_plane *plane) {
    const cm__point n = plane->normal, back = wide_neg(n);
    const faces_side *own = plane->of_a ? &p->a : &p->b, *other = plane->of_a ? &p->b : &p->a;
    const double level = plane->of_a ? plane->level : -plane->level;
    const cm__point out = plane->of_a ? n : back;
    if (faces_passes(own, out, level + p->slack) || faces_passes(other, wide_neg(out), p->depth - level)) return;
    const double depth = level + cm__point_dot(wide_neg(out), faces_support(other, wide_neg(out)));
    if (depth < p->depth) p->normal = n, p->depth = depth;
}

/* Notes the planes of the triangles of a mesh that are near the other body. False: there are too many. */
static bool faces_note(faces_pair *p, const faces_side *s, bool of_a, const cm_aabb *near, cm_real margin) {
    const cm__parts_ops *parts = cm__ops(s->shape->kind)->parts;
    cm__parts q;
    cm__part part;
    parts->start(&q, s->shape, near);
    while (parts->next(&q, margin, &part)) {
        const cm_triangle *t = &part.shape.u.triangle;
        const cm__point own = cm__point_normal(cm__point_of(t->a), cm__point_of(t->b), cm__point_of(t->c));
        const cm__point out = wide_normalize(frame_rotate(&s->frame, own), cm__p(0, 0, 0));
        const cm__point n = of_a ? out : wide_neg(out);
        const double level = cm__point_dot(n, frame_apply(&s->frame, cm__point_of(t->a)));
        if (!(cm__point_largest(n) > 0)) continue;
        int i = 0;
        while (i < p->planes && !(p->plane[i].of_a == of_a && cm__point_dot(n, p->plane[i].normal) > FACES_SAME)) i++;
        if (i == FACES_PLANES) return false;
        if (i == p->planes)
            p->plane[p->planes++] = (faces_plane){n, of_a, level};
        else
            p->plane[i].level = of_a ? wide_max(p->plane[i].level, level) : wide_min(p->plane[i].level, level);
    }
    return true;
}

/* --- a face ------------------------------------------------------------------------------------------------------ */

static void face_facet(const cm__core *core, cm__point direction, cm__facet *out) {
    (void)direction;
    *out = *(const cm__facet *)core->data;
}

/* The plane of the mesh's triangle that looks along a direction the most, of those at its farthest point; false where
 * none does as nearly as two normals count as one. All in the mesh's frame. */
static bool face_plane(const faces_side *s, cm__point direction, double slack, cm__point *normal, double *level) {
    const cm__parts_ops *parts = cm__ops(s->shape->kind)->parts;
    const cm__point far = faces_support(s, frame_rotate(&s->frame, direction));
    const cm__point top = frame_unrotate(&s->frame, cm__point_sub(far, s->frame.position));
    double most = WIDE_ONE_NORMAL;
    cm__parts q;
    cm__part part;
    cm_aabb box;
    box.min = box.max = cm__vec3_of(top);
    parts->start(&q, s->shape, &box);
    while (parts->next(&q, wide_up(slack), &part)) {
        const cm_triangle *t = &part.shape.u.triangle;
        const cm__point own = cm__point_normal(cm__point_of(t->a), cm__point_of(t->b), cm__point_of(t->c));
        const cm__point n = wide_normalize(own, cm__p(0, 0, 0));
        if (!(cm__point_dot(n, direction) > most)) continue;
        most = cm__point_dot(n, direction);
        *normal = n, *level = cm__point_dot(n, cm__point_of(t->a));
    }
    return most > WIDE_ONE_NORMAL;
}

/* A point on the face that is a corner of it for certain: the farthest from another one. CM_NONE: there are none. */
static uint32_t face_corner(const faces_side *s) {
    const cm_vec3 *points = cm__mesh_points(s->mesh);
    uint32_t any = CM_NONE, best = CM_NONE;
    double most = 0;
    for (uint32_t i = 0; i < s->mesh->info.points; i++) {
        if (!s->on[i]) continue;
        if (any == CM_NONE) any = i;
        const cm__point to = cm__point_sub(cm__point_of(points[i]), cm__point_of(points[any]));
        if (cm__point_dot(to, to) > most) most = cm__point_dot(to, to), best = i;
    }
    return best;
}

/* The corners of the convex hull of the points on the face, by wrapping it; false: there are too many. */
static bool face_wrap(const faces_side *s, cm__point normal, double slack, cm__facet *out) {
    const cm_vec3 *points = cm__mesh_points(s->mesh);
    const uint32_t first = face_corner(s);
    out->count = 0;
    for (uint32_t at = first, next = CM_NONE; first != CM_NONE && next != first; at = next) {
        if (out->count == CM__FACET_MAX) return false;
        out->id[out->count] = at, out->point[out->count++] = cm__point_of(points[at]);
        cm__point best = cm__p(0, 0, 0);
        next = CM_NONE;
        for (uint32_t i = 0; i < s->mesh->info.points; i++) {
            if (!s->on[i] || i == at) continue;
            const cm__point to = cm__point_sub(cm__point_of(points[i]), cm__point_of(points[at]));
            const double right = cm__point_dot(normal, cm__point_cross(to, best)), length = cm__point_length(best);
            const bool farther = cm__point_dot(to, to) > length * length;
            if (next == CM_NONE || right > slack * length || (right >= -slack * length && farther)) next = i, best = to;
        }
    }
    return out->count >= 3;
}

/* Do the triangles on the face cover that polygon? Notes the first of them. */
static bool face_is_covered(faces_side *s, const cm__facet *face) {
    const uint32_t *corners = cm__mesh_corners(s->mesh);
    double sum = 0, area = 0;
    s->part = CM_NONE;
    for (int i = 1; i + 1 < face->count; i++)
        area += cm__point_dot(face->normal, cm__point_normal(face->point[0], face->point[i], face->point[i + 1]));
    for (uint32_t i = 0; i < s->mesh->info.triangles; i++) {
        const uint32_t *c = corners + 3 * (size_t)i;
        if (!s->on[c[0]] || !s->on[c[1]] || !s->on[c[2]]) continue;
        const cm_triangle t = cm__mesh_triangle(s->mesh, i);
        const double one =
            cm__point_dot(face->normal, cm__point_normal(cm__point_of(t.a), cm__point_of(t.b), cm__point_of(t.c)));
        if (!(one > 0)) return false;
        if (s->part == CM_NONE) s->part = i;
        sum += one;
    }
    return s->part != CM_NONE && fabs(sum - area) <= FACES_AREA * area;
}

/* The face of a mesh that looks along a direction of A's frame; the face is in the mesh's. */
static bool face_of_mesh(faces_side *s, cm__point direction, double slack) {
    static const cm__core_ops ops = {.facet = face_facet};
    const cm_vec3 *points = cm__mesh_points(s->mesh);
    cm__facet *face = &s->face;
    cm__point normal;
    double level;
    if (!face_plane(s, faces_direction(s, direction), slack, &normal, &level)) return false;
    for (uint32_t i = 0; i < s->mesh->info.points; i++) {
        const double height = cm__point_dot(normal, cm__point_of(points[i])) - level;
        if (height > slack) return false;
        s->on[i] = height >= -slack;
    }
    face->normal = normal;
    if (!face_wrap(s, normal, slack, face) || !face_is_covered(s, face)) return false;
    face->number = s->part;
    memset(&s->core, 0, sizeof s->core);
    s->core.ops = &ops, s->core.data = face;
    for (int i = 0; i < face->count; i++)
        s->core.center = cm__point_mul_add(s->core.center, 1.0 / face->count, face->point[i]);
    for (int i = 0; i < face->count; i++)
        s->core.size = wide_max(s->core.size, cm__point_length(cm__point_sub(face->point[i], s->core.center)));
    return true;
}

static bool face_of_convex(faces_side *s, cm__point direction) {
    const cm__point own = faces_direction(s, direction);
    s->face.hint = CM_NONE, s->face.farthest = false;
    uint32_t id = 0;
    s->core.ops->support(&s->core, own, &id);
    s->face.hint = id;
    s->core.ops->facet(&s->core, own, &s->face);
    s->part = CM_NONE;
    return s->face.count >= 3 && cm__point_dot(s->face.normal, own) > WIDE_ONE_NORMAL;
}

static bool face_of(faces_side *s, cm__point direction, double slack) {
    return s->mesh ? face_of_mesh(s, direction, slack) : face_of_convex(s, direction);
}

/* --- what makes it the contact ------------------------------------------------------------------------------------ */

/* Is no point of the mesh but those of its face as high along a direction? */
static bool faces_alone(const faces_side *s, cm__point direction, double level) {
    const cm__point own = faces_direction(s, direction);
    const double from = level - cm__point_dot(direction, s->frame.position);
    for (uint32_t i = 0; s->mesh && i < s->mesh->info.points; i++)
        if (!s->on[i] && cm__point_dot(own, cm__point_of(cm__mesh_points(s->mesh)[i])) >= from) return false;
    return true;
}

/* How far a point is from the border of a face, across the normal; < 0: beside it. */
static double faces_room(const faces_side *s, cm__point at, cm__point normal) {
    double room = DBL_MAX;
    for (int i = 0; i < s->face.count; i++) {
        const int k = i + 1 < s->face.count ? i + 1 : 0, l = k + 1 < s->face.count ? k + 1 : 0;
        const cm__point from = frame_apply(&s->frame, s->face.point[i]), to = frame_apply(&s->frame, s->face.point[k]);
        const cm__point out = clip_outward(from, to, frame_apply(&s->frame, s->face.point[l]), normal);
        const double length = cm__point_length(out);
        if (length > 0) room = wide_min(room, cm__point_dot(out, cm__point_sub(from, at)) / length);
    }
    return room;
}

/* Is the way along the normal the least, up to so little? See above. */
static bool faces_least(const faces_pair *p, const cm__convex_manifold *m) {
    const cm__point n = p->normal;
    const double depth = p->depth;
    if (!(depth > 0)) return true; /* apart: they are as near as their planes, where the faces face each other */
    cm__point middle = cm__p(0, 0, 0);
    double there = 0;
    for (int i = 0; i < m->count; i++) {
        middle = cm__point_mul_add(middle, 1.0 / m->count, m->contact[i].a);
        there -= m->contact[i].gap / m->count;
    }
    const double room = wide_max(faces_room(&p->a, middle, n), faces_room(&p->b, middle, n));
    const cm__point back = cm__point_sub(faces_support(&p->a, wide_neg(n)), faces_support(&p->b, n));
    const double behind = -cm__point_dot(back, n), beside = cm__point_length(cm__point_mul_add(back, behind, n));
    return FACES_SINE * room >= depth - there && .5 * room >= depth + fabs(there) && .8 * behind - .5 * beside >= depth;
}

static void faces_open(const cm_shape *shape, const cm_pose *pose, faces_side *out) {
    out->shape = shape;
    out->mesh = shape_mesh(shape);
    out->frame = frame_of_pose(pose);
    if (!out->mesh) cm__ops(shape->kind)->core(shape, &out->core);
}

/* Is it a polytope without a radius that has an inside, or a solid mesh that is small? */
static bool faces_fit(const cm_shape *shape) {
    const cm__shape_ops *ops = cm__ops(shape->kind);
    const cm_mesh *mesh = shape_mesh(shape);
    if (mesh) return mesh->info.solid && mesh->info.points <= FACES_POINTS && mesh->info.triangles <= FACES_TRIANGLES;
    if (!ops->core || shape->radius > 0) return false;
    cm__core core;
    ops->core(shape, &core);
    return core.ops->corner && core.ops->inner && core.ops->inner(&core) > 0;
}

/* The plane by which the two leave each other the soonest, of those of the meshes' triangles and of the convex shape's
 * face there. False: there is none within the margin. */
static bool faces_find(faces_pair *p, const cm_pose *b_in_a, cm_real margin) {
    const cm_pose identity = cm_pose_identity(), a_in_b = cm_pose_between(b_in_a, &identity);
    cm_aabb near;
    p->planes = 0, p->depth = DBL_MAX;
    cm__ops(p->a.shape->kind)->bounds(p->a.shape, &a_in_b, &near);
    if (!faces_note(p, &p->b, false, &near, margin)) return false;
    cm__ops(p->b.shape->kind)->bounds(p->b.shape, b_in_a, &near);
    if (p->a.mesh && !faces_note(p, &p->a, true, &near, margin)) return false;
    for (int i = 0; i < p->planes; i++) faces_try(p, &p->plane[i]);
    if (p->depth < DBL_MAX && !p->a.mesh && face_of_convex(&p->a, p->normal)) {
        const cm__point n = p->a.face.normal;
        const faces_plane own = {n, true, cm__point_dot(n, p->a.face.point[0])};
        faces_try(p, &own);
    }
    return p->depth < DBL_MAX && -p->depth <= (double)margin;
}

static void faces_put(const faces_pair *p, const cm__convex_manifold *m, cm_manifold *out) {
    out->normal = cm__vec3_of(p->normal);
    out->part_a = p->a.part, out->part_b = p->b.part;
    out->count = m->count;
    for (int i = 0; i < m->count; i++) {
        const cm__convex_contact *c = &m->contact[i];
        out->points[i] =
            (cm_contact_point){cm__vec3_of(c->a), cm__vec3_of(c->b), (cm_real)(0 - c->gap), c->feature_a, c->feature_b};
    }
}

/* The points of both faces that face each other, if one is as deep as the bodies are. Where none is the manifold has
 * the closest points of the gap beside them, which here are none: they are put far apart, and seen by that. */
static bool faces_clip(const faces_pair *p, double margin, cm__convex_manifold *m) {
    cm__convex_pair pair;
    cm__convex_gap gap;
    memset(&gap, 0, sizeof gap);
    cm__convex_pair_of(&p->a.core, &p->b.core, &p->b.frame, &pair);
    gap.normal = p->normal;
    gap.core_distance = gap.distance = -p->depth;
    gap.id_a = p->a.mesh ? CM_NONE : p->a.face.hint, gap.id_b = CM_NONE;
    gap.end = CM__CONVEX_PROVEN;
    gap.core_b = cm__point_scale(p->normal, FACES_FAR);
    cm__convex_manifold_of(&pair, &gap, margin, m);
    double most = -DBL_MAX;
    for (int i = 0; i < m->count; i++) {
        const cm__convex_contact *c = &m->contact[i];
        if (cm__point_dot(p->normal, cm__point_sub(c->b, c->a)) >= FACES_FAR / 2) return false;
        most = wide_max(most, -c->gap);
    }
    return m->count >= 3 && most >= p->depth - p->slack;
}

/* Where the planes are as near as rounding the verdict is that of the pair: what does not overlap has no depth, and
 * what does no gap. False: they are apart, and no margin was asked for. */
static bool faces_settle(const faces_pair *p, const cm_pose *b_in_a, cm_real margin, cm_manifold *m) {
    const bool doubtful = fabs(p->depth) <= p->slack;
    const bool overlap = doubtful ? cm__pair_overlap(p->a.shape, p->b.shape, b_in_a) : p->depth > 0;
    if (!overlap && !(margin > 0)) return false;
    int deepest = 0;
    for (int i = 0; i < m->count; i++) {
        m->points[i].depth = cm_max(m->points[i].depth, 0 - margin);
        if (!overlap) m->points[i].depth = cm_min(m->points[i].depth, -CM_REAL_MIN);
        if (m->points[i].depth > m->points[deepest].depth) deepest = i;
    }
    if (overlap) m->points[deepest].depth = cm_max(m->points[deepest].depth, 0);
    return true;
}

bool cm__faces_contact(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a, cm_real margin, cm_manifold *out) {
    const cm_pose identity = cm_pose_identity();
    faces_pair p;
    cm__convex_manifold m;
    cm_aabb box_a, box_b;
    if (!faces_fit(a) || !faces_fit(b) || !shape_mesh(b)) return false;
    cm__ops(a->kind)->bounds(a, &identity, &box_a), cm__ops(b->kind)->bounds(b, &identity, &box_b);
    const double size = (double)cm_max(cm_max(cm_largest(box_a.min), cm_largest(box_a.max)),
                                       cm_max(cm_largest(box_b.min), cm_largest(box_b.max)));
    p.slack = FACES_ROUND * (double)CM_REAL_EPSILON * (size + (double)cm_largest(b_in_a->position));
    faces_open(a, &identity, &p.a), faces_open(b, b_in_a, &p.b);
    if (!faces_find(&p, b_in_a, margin)) return false;
    const cm__point n = p.normal, back = wide_neg(n);
    if (!face_of(&p.a, n, p.slack) || !face_of(&p.b, back, p.slack)) return false;
    const double low = cm__point_dot(n, faces_support(&p.b, back)) - (double)margin - p.slack;
    const double high = cm__point_dot(n, faces_support(&p.a, n)) + (double)margin + p.slack;
    if (!faces_alone(&p.a, n, low) || !faces_alone(&p.b, back, -high)) return false;
    if (!faces_clip(&p, (double)margin + p.slack, &m) || !faces_least(&p, &m)) return false;
    faces_put(&p, &m, out);
    return faces_settle(&p, b_in_a, margin, out);
}
