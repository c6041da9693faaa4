/* What triangles tell one by one, and with their neighbors: boxes, bounds, area and volume; which have no area, which
 * are folded onto a neighbor, or are its duplicate.
 *
 * Triangles are taken in parts of a fixed size, each summed for itself, and the sums are added in order: the result
 * does not depend on who took which part. That neighbors are folded, or duplicates, hardly ever happens: a part only
 * finds out whether it does; then it is marked, in order, which. */
#include "base/memory.h"
#include "base/tasks.h"
#include "math/exact.h"
#include "mesh/mesh.h"

enum { FACTS_PART = 4096 };

typedef struct facts_part {
    cm_aabb bounds;
    double area, volume; /* twice, six times */
    uint32_t degenerate;
    bool marked; /* holds neighbors that are to be marked */
} facts_part;

typedef struct facts_task {
    const cm_vec3 *points;
    const uint32_t *corners, *neighbors;
    uint32_t count;
    uint8_t *marks;
    cm_aabb *boxes;
    cm_vec3 middle;
    facts_part *parts;
} facts_task;

static uint32_t facts_end(const facts_task *f, uint32_t first) {
    return f->count - first < FACTS_PART ? f->count : first + FACTS_PART;
}

static void facts_boxes(void *arg, int index, int worker) {
    (void)worker;
    const facts_task *f = arg;
    const uint32_t first = (uint32_t)index * FACTS_PART, end = facts_end(f, first);
    cm_aabb all = cm_aabb_empty();
    for (uint32_t t = first; t < end; ++t) {
        const uint32_t *c = f->corners + 3 * (size_t)t;
        cm_vec3 p = f->points[c[0]], q = f->points[c[1]], r = f->points[c[2]];
        f->boxes[t].min = cm_vec3_min(cm_vec3_min(p, q), r);
        f->boxes[t].max = cm_vec3_max(cm_vec3_max(p, q), r);
        all = cm_aabb_union(all, f->boxes[t]);
    }
    f->parts[index].bounds = all;
}

/* A triangle, its normal (of twice its area), and the sums of what the normal's coordinates are differences of. */
typedef struct facts_face {
    cm__point corner[3], normal, size;
} facts_face;

static inline facts_face facts_face_of(const facts_task *f, const uint32_t *c) {
    facts_face r;
    for (int k = 0; k < 3; ++k) r.corner[k] = cm__point_of(f->points[c[k]]);
    cm__point u = cm__point_sub(r.corner[1], r.corner[0]), v = cm__point_sub(r.corner[2], r.corner[0]);
    double yz = u.y * v.z, zy = u.z * v.y, zx = u.z * v.x, xz = u.x * v.z, xy = u.x * v.y, yx = u.y * v.x;
    r.normal = cm__p(yz - zy, zx - xz, xy - yx);
    r.size = cm__p(fabs(yz) + fabs(zy), fabs(zx) + fabs(xz), fabs(xy) + fabs(yx));
    return r;
}

/* Filters as in math/exact.h. */
static inline bool facts_has_area(const facts_face *f) {
    const double error = CM__ORIENT2_ERROR;
    return fabs(f->normal.x) > error * f->size.x || fabs(f->normal.y) > error * f->size.y ||
           fabs(f->normal.z) > error * f->size.z ||
           !cm__triangle_is_degenerate(f->corner[0], f->corner[1], f->corner[2]);
}
static inline bool facts_is_off_plane(const facts_face *f, cm__point p) {
    cm__point w = cm__point_sub(p, f->corner[0]);
    double det = cm__point_dot(f->normal, w);
    double sum = f->size.x * fabs(w.x) + f->size.y * fabs(w.y) + f->size.z * fabs(w.z);
    return fabs(det) > CM__ORIENT3_ERROR * sum;
}

/* What the triangles g / 3 and h / 3 are to each other, at the edge where they are neighbors. */
static uint8_t facts_of_pair(const facts_task *f, const facts_face *face, uint32_t g, uint32_t h) {
    uint32_t apex = f->corners[h % 3 == 0 ? h + 2 : h - 1];
    cm__point d = cm__point_of(f->points[apex]);
    if (facts_is_off_plane(face, d)) return 0;
    const uint32_t e = g % 3, *c = f->corners + (g - e);
    if (apex == c[(e + 2) % 3]) { /* once is enough: at the edge of the two lowest points */
        return apex > c[e] && apex > c[(e + 1) % 3] ? CM__MESH_DUPLICATE : 0;
    }
    bool folded = cm__mesh_is_folded(face->corner[e], face->corner[(e + 1) % 3], face->corner[(e + 2) % 3], d);
    return folded ? CM__MESH_FOLDED : 0;
}

static void facts_measure(void *arg, int index, int worker) {
    (void)worker;
    const facts_task *f = arg;
    const uint32_t first = (uint32_t)index * FACTS_PART, end = facts_end(f, first);
    const cm__point middle = cm__point_of(f->middle);
    double area = 0, volume = 0;
    uint32_t degenerate = 0;
    bool marked = false;
    for (uint32_t t = first; t < end; ++t) {
        const facts_face face = facts_face_of(f, f->corners + 3 * (size_t)t);
        area += cm__point_length(face.normal);
        volume += cm__point_dot(cm__point_sub(face.corner[0], middle), face.normal);
        degenerate += (f->marks[t] & CM__MESH_REPEATED) || !facts_has_area(&face);
        for (uint32_t g = 3 * t; g < 3 * t + 3; ++g) {
            const uint32_t h = f->neighbors[g];
            if (h != CM_NONE && h > g) marked = facts_of_pair(f, &face, g, h) != 0 || marked;
        }
    }
    facts_part *part = &f->parts[index];
    part->area = area, part->volume = volume, part->degenerate = degenerate, part->marked = marked;
}

static void facts_mark(const facts_task *f, uint32_t part) {
    for (uint32_t t = part * FACTS_PART, end = facts_end(f, t); t < end; ++t) {
        const facts_face face = facts_face_of(f, f->corners + 3 * (size_t)t);
        for (uint32_t g = 3 * t; g < 3 * t + 3; ++g) {
            const uint32_t h = f->neighbors[g];
            if (h == CM_NONE || h < g) continue;
            const uint8_t mark = facts_of_pair(f, &face, g, h);
            f->marks[h / 3] |= mark; /* of duplicates the later one */
            if (mark == CM__MESH_FOLDED) f->marks[t] |= mark;
        }
    }
}

static void facts_add(const facts_task *f, uint32_t part_count, cm_mesh_info *info) {
    double area = 0, volume = 0;
    bool marked = info->nonmanifold_edges > 0 || info->inconsistent_edges > 0;
    for (uint32_t i = 0; i < part_count; ++i) {
        area += f->parts[i].area, volume += f->parts[i].volume;
        info->degenerate += f->parts[i].degenerate;
        if (f->parts[i].marked) facts_mark(f, i);
        marked = marked || f->parts[i].marked;
    }
    for (uint32_t t = 0; marked && t < f->count; ++t) {
        info->folded += (f->marks[t] & CM__MESH_FOLDED) != 0;
        info->duplicate += (f->marks[t] & CM__MESH_DUPLICATE) != 0;
    }
    area /= 2, volume /= 6;
    const double most = (double)CM_REAL_MAX;
    info->area = (cm_real)(area < most ? area : most);
    info->volume = (cm_real)(volume > most ? most : volume < -most ? -most : volume);
}

cm_status cm__mesh_facts(const cm_vec3 *points, const uint32_t *corners, const uint32_t *neighbors,
                         uint32_t triangle_count, const cm_allocator *mem, const cm_tasks *tasks, uint8_t *marks,
                         cm_aabb *boxes, cm_mesh_info *info) {
    const uint32_t part_count = triangle_count / FACTS_PART + (triangle_count % FACTS_PART > 0);
    facts_task f;
    f.points = points, f.corners = corners, f.neighbors = neighbors, f.count = triangle_count;
    f.marks = marks, f.boxes = boxes;
    f.parts = cm__alloc(mem, part_count, sizeof *f.parts);
    if (!f.parts) return CM_NO_MEMORY;
    cm__run(tasks, (int)part_count, facts_boxes, &f);
    info->bounds = cm_aabb_empty();
    for (uint32_t i = 0; i < part_count; ++i) info->bounds = cm_aabb_union(info->bounds, f.parts[i].bounds);
    f.middle = cm_aabb_center(&info->bounds); /* of the volume, so that a far origin costs no digits */
    cm__run(tasks, (int)part_count, facts_measure, &f);
    facts_add(&f, part_count, info);
    cm__free(mem, f.parts, part_count, sizeof *f.parts);
    return CM_OK;
}
