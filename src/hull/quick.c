/* The hull of points in general dimension three, as triangles.
 *
 * Guaranteed: with no limit on vertices the triangles bound the convex hull of the points, exactly: no point is
 * strictly in front of any, none has three collinear corners, and their edges match. Every decision is the sign of an
 * orientation determinant of the source's own points, so there are no tolerances, and no way for rounding to tear the
 * surface.
 *
 * From a tetrahedron on, one point after the other is added: the faces that it lies strictly in front of are removed,
 * the horizon where they end is joined to it. Faces coplanar with the point stay, which is right: the point is on no
 * line with an edge of the horizon, as it is strictly in front of the face removed there, so no new triangle is flat.
 * That leaves facets cut into triangles, and vertices that are corners of none: cm__hull_join sorts that out.
 *
 * Each point still outside is kept in the list of one face that it is strictly in front of. When faces go, the points
 * of their lists go to new faces, and a point in front of no new face is inside for good. That is enough, exactly: were
 * p in front of an old face that stays and of no new one, then, since what p sees is connected, somewhere along the
 * horizon it would be in front of both the face h removed and the face k kept. The new face there has the plane
 * s h + t k with s >= 0, t > 0 (its apex is strictly in front of h and not in front of k), so p is in front of it too.
 *
 * A filter decides nearly always: a face's plane, times p - a, against a bound that holds for all of the cloud. It is
 * cm__orient3's own, with the cloud's extent for |p - a|. cm__orient3 decides the rest.
 *
 * Which face is next does not matter for the result without a limit; the newest is best for the caches. With a limit
 * each point is listed where it is farthest outside, and the farthest of all is next, so that what is lost is small.
 *
 * Bound: each point is added at most once, so at most count insertions; n log n steps for points in random position.
 * Based on: [Barber96], [Shewchuk97], [Clarkson89] (why a point needs one list only). */
#include "base/memory.h"
#include "hull/hull.h"
#include "math/closest.h"
#include "math/exact.h"

static bool quick_reserve(cm__quick *q, void **items, size_t *capacity, size_t need, size_t size) {
    return need <= *capacity || cm__reserve(q->mem, items, capacity, need, size);
}
static bool quick_reserve_faces(cm__quick *q, size_t need) {
    void *items = q->faces;
    bool done = quick_reserve(q, &items, &q->face_capacity, need, sizeof(cm__quick_face));
    q->faces = items;
    return done;
}
static bool quick_reserve_visible(cm__quick *q, size_t need) {
    void *items = q->visible;
    bool done = quick_reserve(q, &items, &q->visible_capacity, need, sizeof(uint32_t));
    q->visible = items;
    return done;
}
static bool quick_reserve_horizon(cm__quick *q, size_t need) {
    void *items = q->horizon;
    bool done = quick_reserve(q, &items, &q->horizon_capacity, need, sizeof(cm__quick_edge));
    q->horizon = items;
    return done;
}
static bool quick_reserve_tasks(cm__quick *q, size_t need) {
    void *items = q->tasks;
    bool done = quick_reserve(q, &items, &q->task_capacity, need, sizeof(cm__quick_task));
    q->tasks = items;
    return done;
}

void cm__quick_free(cm__quick *q) {
    cm__free(q->mem, q->faces, q->face_capacity, sizeof(cm__quick_face));
    cm__free(q->mem, q->visible, q->visible_capacity, sizeof(uint32_t));
    cm__free(q->mem, q->horizon, q->horizon_capacity, sizeof(cm__quick_edge));
    cm__free(q->mem, q->tasks, q->task_capacity, sizeof(cm__quick_task));
}

/* --- planes ------------------------------------------------------------------------------------------------------- */

/* The normal of a, b, c as cm__orient3 computes it. Returns the largest error of its dot product with p - a, for p in a
 * cloud of that extent. */
static double quick_plane(cm__point a, cm__point b, cm__point c, const double extent[3], double normal[3]) {
    cm__point u = cm__point_sub(b, a), v = cm__point_sub(c, a);
    double yz = u.y * v.z, zy = u.z * v.y, zx = u.z * v.x, xz = u.x * v.z, xy = u.x * v.y, yx = u.y * v.x;
    normal[0] = yz - zy, normal[1] = zx - xz, normal[2] = xy - yx;
    double sum =
        (fabs(yz) + fabs(zy)) * extent[0] + (fabs(zx) + fabs(xz)) * extent[1] + (fabs(xy) + fabs(yx)) * extent[2];
    return CM__ORIENT3_ERROR * sum;
}
static double quick_dot(const double normal[3], cm__point w) {
    return normal[0] * w.x + normal[1] * w.y + normal[2] * w.z;
}
static int quick_side_exact(const cm__quick *q, const uint32_t corner[3], cm__point p) {
    return cm__orient3(cm__quick_at(q->points, corner[0]), cm__quick_at(q->points, corner[1]),
                       cm__quick_at(q->points, corner[2]), p);
}
/* 1 where p is strictly in front of the face, 0 in its plane, -1 behind. */
static int quick_side(const cm__quick *q, const cm__quick_face *face, cm__point p) {
    double value = quick_dot(face->normal, cm__point_sub(p, cm__quick_at(q->points, face->corner[0])));
    if (value > face->bound) return 1;
    if (value < -face->bound) return -1;
    return quick_side_exact(q, face->corner, p);
}

/* --- faces with points to add ------------------------------------------------------------------------------------- */

static double quick_outside_distance(const cm__quick *q, const cm__quick_face *face) {
    cm__point n = cm__p(face->normal[0], face->normal[1], face->normal[2]);
    cm__point a = cm__quick_at(q->points, face->corner[0]), p = cm__quick_at(q->points, face->outside);
    double length = cm__point_length(n);
    return length > 0 ? cm__point_dot(cm__point_scale(n, 1 / length), cm__point_sub(p, a)) : 0;
}
/* The order of the heap: the farther point first, of equally far ones the lower face. */
static bool quick_task_before(const cm__quick_task *a, const cm__quick_task *b) {
    return a->distance > b->distance || (a->distance == b->distance && a->face < b->face);
}

static bool quick_push(cm__quick *q, uint32_t face) {
    if (!quick_reserve_tasks(q, q->task_count + 1)) return false;
    size_t at = q->task_count++;
    cm__quick_task task = {0, face};
    if (q->ordered) {
        task.distance = quick_outside_distance(q, q->faces + face);
        while (at > 0 && quick_task_before(&task, &q->tasks[(at - 1) / 2])) {
            q->tasks[at] = q->tasks[(at - 1) / 2];
            at = (at - 1) / 2;
        }
    }
    q->tasks[at] = task;
    return true;
}

static cm__quick_task quick_take(cm__quick *q) {
    cm__quick_task taken = q->tasks[--q->task_count];
    if (!q->ordered || q->task_count == 0) return taken;
    cm__quick_task last = taken;
    taken = q->tasks[0];
    size_t at = 0;
    for (;;) {
        size_t child = 2 * at + 1;
        if (child >= q->task_count) break;
        if (child + 1 < q->task_count && quick_task_before(&q->tasks[child + 1], &q->tasks[child])) ++child;
        if (!quick_task_before(&q->tasks[child], &last)) break;
        q->tasks[at] = q->tasks[child];
        at = child;
    }
    q->tasks[at] = last;
    return taken;
}

/* A face with a point to add; CM_NONE when there is none left. Faces may be listed twice, or be gone, or be new ones
 * under an old number, which have an entry of their own. */
static uint32_t quick_next(cm__quick *q) {
    while (q->task_count > 0) {
        cm__quick_task task = quick_take(q);
        const cm__quick_face *face = q->faces + task.face;
        if (face->mark == CM__QUICK_DEAD || face->outside == CM_NONE) continue;
        if (q->ordered && quick_outside_distance(q, face) != task.distance) continue;
        return task.face;
    }
    return CM_NONE;
}

/* --- adding a point ----------------------------------------------------------------------------------------------- */

/* Collects the faces that the apex sees, from one of them, and the edges at which they end. */
static bool quick_look(cm__quick *q, uint32_t seed, cm__point apex) {
    uint32_t hidden = 2 * ++q->stamp, seen = hidden + 1;
    if (!quick_reserve_visible(q, 1)) return false;
    q->visible[0] = seed;
    q->visible_count = 1;
    q->horizon_count = 0;
    q->faces[seed].mark = seen;
    for (size_t i = 0; i < q->visible_count; ++i) {
        if (!quick_reserve_visible(q, q->visible_count + 3)) return false;
        if (!quick_reserve_horizon(q, q->horizon_count + 3)) return false;
        const cm__quick_face *face = q->faces + q->visible[i];
        for (int e = 0; e < 3; ++e) {
            uint32_t twin = face->twin[e];
            cm__quick_face *other = q->faces + (twin >> 2);
            if (other->mark == seen) continue;
            if (other->mark != hidden) {
                if (quick_side(q, other, apex) > 0) {
                    other->mark = seen;
                    q->visible[q->visible_count++] = twin >> 2;
                    continue;
                }
                other->mark = hidden;
            }
            cm__quick_edge *edge = q->horizon + q->horizon_count++;
            edge->from = face->corner[e];
            edge->to = face->corner[e == 2 ? 0 : e + 1];
            edge->twin = twin;
        }
    }
    return true;
}

/* Gives the new faces their numbers and planes, and links them: `next` of a vertex of the horizon stores which new face
 * starts there. */
static bool quick_join(cm__quick *q, uint32_t apex) {
    if (!quick_reserve_faces(q, (size_t)q->face_count + q->horizon_count)) return false;
    cm__point a = cm__quick_at(q->points, apex);
    for (size_t i = 0; i < q->horizon_count; ++i) {
        cm__quick_edge *edge = q->horizon + i;
        if (q->free != CM_NONE) {
            edge->face = q->free;
            q->free = q->faces[edge->face].outside;
        } else {
            edge->face = q->face_count++;
        }
        cm__quick_face *face = q->faces + edge->face;
        edge->bound = quick_plane(a, cm__quick_at(q->points, edge->from), cm__quick_at(q->points, edge->to), q->extent,
                                  edge->normal);
        edge->best = -1;
        edge->outside = CM_NONE;
        for (int k = 0; k < 3; ++k) face->normal[k] = edge->normal[k];
        face->bound = edge->bound;
        face->corner[0] = apex, face->corner[1] = edge->from, face->corner[2] = edge->to;
        face->twin[1] = edge->twin;
        face->mark = 0;
        q->faces[edge->twin >> 2].twin[edge->twin & 3] = 4 * edge->face + 1;
        q->points[edge->from].next = edge->face;
    }
    for (size_t i = 0; i < q->horizon_count; ++i) {
        uint32_t face = q->horizon[i].face, next = q->points[q->horizon[i].to].next;
        q->faces[face].twin[2] = 4 * next;
        q->faces[next].twin[0] = 4 * face + 2;
    }
    return true;
}

static void quick_list(cm__quick *q, cm__quick_edge *edge, uint32_t point, double value) {
    if (value > edge->best) {
        edge->best = value;
        q->points[point].next = edge->outside;
        edge->outside = point;
    } else { /* the farthest stays first */
        q->points[point].next = q->points[edge->outside].next;
        q->points[edge->outside].next = point;
    }
}

/* Where the farthest point is to be added next: of these faces, each given with a point of it, the one that p is
 * farthest in front of; NULL where the filter is sure of none. The first face that sees p would not do: p may lie in
 * front of it by no more than rounding, and would be added last. */
static cm__quick_edge *quick_farthest(cm__quick_edge *faces, size_t count, const cm__point *at, size_t step,
                                      cm__point p) {
    cm__quick_edge *best = NULL;
    double most = 0;
    for (size_t k = 0; k < count; ++k) {
        const double *n = faces[k].normal, value = quick_dot(n, cm__point_sub(p, at[k * step]));
        if (value <= faces[k].bound) continue;
        double distance = value / cm__point_length(cm__p(n[0], n[1], n[2]));
        if (distance > most) most = distance, best = &faces[k];
    }
    return best;
}

/* Gives each point of the removed faces' lists to a new face. Points next to each other in a list are often close in
 * space, so each search starts at the face where the last one ended. */
static void quick_hand_over(cm__quick *q, uint32_t apex) {
    cm__point a = cm__quick_at(q->points, apex);
    size_t count = q->horizon_count, at = 0;
    for (size_t i = 0; i < q->visible_count; ++i) {
        for (uint32_t p = q->faces[q->visible[i]].outside, next; p != CM_NONE; p = next) {
            next = q->points[p].next;
            if (p == apex) continue;
            cm__point here = cm__quick_at(q->points, p), w = cm__point_sub(here, a);
            cm__quick_edge *far = q->ordered ? quick_farthest(q->horizon, count, &a, 0, here) : NULL;
            if (far) {
                quick_list(q, far, p, quick_dot(far->normal, w));
                continue;
            }
            for (size_t k = 0; k < count; ++k) {
                cm__quick_edge *edge = q->horizon + at;
                double value = quick_dot(edge->normal, w);
                if (value >= -edge->bound) {
                    const uint32_t corner[3] = {apex, edge->from, edge->to};
                    if (value > edge->bound || quick_side_exact(q, corner, here) > 0) {
                        quick_list(q, edge, p, value > 0 ? value : 0);
                        break;
                    }
                }
                if (++at == count) at = 0;
            }
        }
    }
}

static bool quick_add(cm__quick *q, uint32_t seed) {
    uint32_t apex = q->faces[seed].outside;
    if (!quick_look(q, seed, cm__quick_at(q->points, apex)) || !quick_join(q, apex)) return false;
    quick_hand_over(q, apex);
    for (size_t i = 0; i < q->horizon_count; ++i) {
        const cm__quick_edge *edge = q->horizon + i;
        q->faces[edge->face].outside = edge->outside;
        if (edge->outside != CM_NONE && !quick_push(q, edge->face)) return false;
    }
    for (size_t i = 0; i < q->visible_count; ++i) {
        cm__quick_face *face = q->faces + q->visible[i];
        face->mark = CM__QUICK_DEAD;
        face->outside = q->free;
        q->free = q->visible[i];
    }
    q->alive += (uint32_t)q->horizon_count;
    q->alive -= (uint32_t)q->visible_count;
    return true;
}

/* --- the whole ---------------------------------------------------------------------------------------------------- */

static void quick_extent(cm__quick *q) {
    cm_aabb box = cm_aabb_empty();
    for (uint32_t i = 0; i < q->point_count; ++i) box = cm_aabb_add_point(box, q->points[i].at);
    q->extent[0] = (double)box.max.x - (double)box.min.x;
    q->extent[1] = (double)box.max.y - (double)box.min.y;
    q->extent[2] = (double)box.max.z - (double)box.min.z;
}

/* Face 0 is the triangle, the others have the last point as apex. */
static bool quick_begin(cm__quick *q, const uint32_t s[4]) {
    const uint32_t corner[4][3] = {{s[0], s[1], s[2]}, {s[3], s[1], s[0]}, {s[3], s[2], s[1]}, {s[3], s[0], s[2]}};
    const uint32_t twin[4][3] = {{4 + 1, 8 + 1, 12 + 1}, {8 + 2, 0, 12}, {12 + 2, 1, 4}, {4 + 2, 2, 8}};
    if (!quick_reserve_faces(q, 16)) return false;
    for (uint32_t f = 0; f < 4; ++f) {
        cm__quick_face *face = q->faces + f;
        face->bound = quick_plane(cm__quick_at(q->points, corner[f][0]), cm__quick_at(q->points, corner[f][1]),
                                  cm__quick_at(q->points, corner[f][2]), q->extent, face->normal);
        for (int k = 0; k < 3; ++k) face->corner[k] = corner[f][k], face->twin[k] = twin[f][k];
        face->outside = CM_NONE;
        face->mark = 0;
    }
    q->face_count = q->alive = 4;
    return true;
}

/* Lists every point at the first face that it is in front of. */
static bool quick_deal(cm__quick *q) {
    cm__quick_edge list[4];
    cm__point a[4];
    for (uint32_t f = 0; f < 4; ++f) {
        for (int k = 0; k < 3; ++k) list[f].normal[k] = q->faces[f].normal[k];
        list[f].bound = q->faces[f].bound;
        list[f].best = -1;
        list[f].outside = CM_NONE;
        a[f] = cm__quick_at(q->points, q->faces[f].corner[0]);
    }
    for (uint32_t p = 0; p < q->point_count; ++p) {
        cm__point here = cm__quick_at(q->points, p);
        cm__quick_edge *far = q->ordered ? quick_farthest(list, 4, a, 1, here) : NULL;
        if (far) {
            quick_list(q, far, p, quick_dot(far->normal, cm__point_sub(here, a[far - list])));
            continue;
        }
        for (uint32_t f = 0; f < 4; ++f) {
            double value = quick_dot(list[f].normal, cm__point_sub(here, a[f]));
            if (value < -list[f].bound) continue;
            if (value <= list[f].bound && quick_side_exact(q, q->faces[f].corner, here) <= 0) continue;
            quick_list(q, &list[f], p, value > 0 ? value : 0);
            break;
        }
    }
    for (uint32_t f = 0; f < 4; ++f) {
        q->faces[f].outside = list[f].outside;
        if (list[f].outside != CM_NONE && !quick_push(q, f)) return false;
    }
    return true;
}

static double quick_distance(const cm__quick *q, uint32_t face, cm__point p) {
    cm__closest_on_triangle on;
    const uint32_t *corner = q->faces[face].corner;
    cm__closest_point_triangle(p, cm__quick_at(q->points, corner[0]), cm__quick_at(q->points, corner[1]),
                               cm__quick_at(q->points, corner[2]), &on);
    return cm__point_length(on.gap);
}

/* An upper bound of how far p is outside: the distance from a triangle. Walks on to a triangle at one of its corners
 * while that is nearer, and stops once the bound is below `enough`. */
static double quick_distance_bound(const cm__quick *q, uint32_t face, cm__point p, double enough) {
    double distance = quick_distance(q, face, p);
    for (bool nearer = true; nearer && distance > enough;) {
        nearer = false;
        for (uint32_t e = 0, from = face; e < 3; ++e) {
            uint32_t start = 4 * from + e, h = start;
            do { /* the triangles around the corner where h starts */
                uint32_t before = (h & 3) == 0 ? h + 2 : h - 1;
                h = q->faces[before >> 2].twin[before & 3];
                double other = quick_distance(q, h >> 2, p);
                if (other < distance) distance = other, face = h >> 2, nearer = true;
            } while (h != start);
        }
    }
    return distance;
}

/* No listed point is farther outside than this; a little is added for the rounding, relative to the extent. Above 0:
 * a point is listed, outside by less than rounding though it may be. */
static double quick_loss(const cm__quick *q) {
    double loss = 0;
    for (uint32_t f = 0; f < q->face_count; ++f) {
        if (q->faces[f].mark == CM__QUICK_DEAD) continue;
        for (uint32_t p = q->faces[f].outside; p != CM_NONE; p = q->points[p].next) {
            double distance = quick_distance_bound(q, f, cm__quick_at(q->points, p), loss);
            if (distance > loss) loss = distance;
        }
    }
    double reach = q->extent[0] > q->extent[1] ? q->extent[0] : q->extent[1];
    return loss + 0x1p-48 * (reach > q->extent[2] ? reach : q->extent[2]);
}

cm_status cm__quick_build(cm__quick *q, const uint32_t simplex[4], uint32_t max_vertices, double *loss) {
    q->ordered = max_vertices > 0;
    q->free = CM_NONE;
    quick_extent(q);
    if (!quick_begin(q, simplex) || !quick_deal(q)) return CM_NO_MEMORY;
    *loss = 0;
    for (uint32_t face = quick_next(q); face != CM_NONE; face = quick_next(q)) {
        if (max_vertices > 0 && q->alive / 2 + 2 >= max_vertices) { /* Euler's count of vertices */
            *loss = quick_loss(q);
            break;
        }
        if (!quick_add(q, face)) return CM_NO_MEMORY;
    }
    return CM_OK;
}
