/* The volumes that the parts of findings have in common: see cm_finding.
 *
 * With the winding numbers x and y of a place, cm_mesh_interference counts it x y times. What is asked for counts it
 * once where neither is 0. For all integers |x y - [x y != 0]| <= (x² - x) + (y² - y): with
 * x, y >= 1 because x y - 1 <= (x² + y²) / 2 - 1, and (x - 1)² + (y - 1)² >= 0; with x, y <= -1 all the more; and with
 * x >= 1, y <= -1 because 1 - x y <= 1 + (x² + y²) / 2 <= x² - x + y² + |y|, as (x - 1)² + (|y| + 1)² >= 2. The
 * integral of x² over a mesh is what it has in common with itself, that of x its volume. So the difference of both, of
 * each part, is added to the error: 0 but for shells of a part that overlap each other. A difference of
 * less than 1e-10 of the part's volume is taken for rounding. Each mesh is asked once, however many findings or parts
 * have it. */
#include "check/check.h"
#include "base/memory.h"
#include "base/sort.h"
#include "base/tasks.h"
#include "math/wide.h"

#include <math.h>

typedef struct volume_mesh {
    const cm_mesh *mesh;
    double excess; /* what its shells have in common, at most, counted as the file's head says */
} volume_mesh;

typedef struct volume_work {
    const cm_check_desc *desc;
    cm_check_result *result;
    volume_mesh *meshes; /* by address, each once */
    size_t count;
} volume_work;

/* Sorting by address only brings equal meshes together: no result depends on the order of addresses. */
static int volume_compare(const void *left, const void *right) {
    const uintptr_t a = (uintptr_t)((const volume_mesh *)left)->mesh, b = (uintptr_t)((const volume_mesh *)right)->mesh;
    return a < b ? -1 : a > b;
}

static const cm_mesh *volume_mesh_of(const volume_work *work, uint32_t part) {
    return work->desc->parts[part].shape.u.mesh;
}

static double volume_excess_of(const volume_work *work, uint32_t part) {
    const cm_mesh *mesh = volume_mesh_of(work, part);
    size_t low = 0, high = work->count;
    while (high - low > 1) {
        const size_t middle = (low + high) / 2;
        if ((uintptr_t)work->meshes[middle].mesh <= (uintptr_t)mesh)
            low = middle;
        else
            high = middle;
    }
    return work->meshes[low].excess;
}

/* The volume of a mesh in double, computed around the middle of its box; cm_mesh_info has it rounded to cm_real. */
static double volume_of_mesh(const cm_mesh *mesh) {
    cm_mesh_info info;
    cm_mesh_get_info(mesh, &info);
    const cm_vec3 *points = cm_mesh_points(mesh);
    const cm__point middle = cm__point_between(cm__point_of(info.bounds.min), cm__point_of(info.bounds.max), 0.5);
    double six = 0;
    for (uint32_t i = 0; i < info.triangles; i++) {
        uint32_t corner[3];
        cm__point p[3];
        cm_mesh_corners(mesh, i, corner);
        for (int k = 0; k < 3; k++) p[k] = cm__point_sub(cm__point_of(points[corner[k]]), middle);
        six += cm__point_dot(p[0], cm__point_cross(p[1], p[2]));
    }
    return fabs(six / 6);
}

static void volume_ask_mesh(void *argument, int index, int worker) {
    (void)worker;
    const volume_work *work = argument;
    volume_mesh *m = &work->meshes[index];
    const cm_shape shape = cm_make_mesh(m->mesh);
    const cm_pose origin = cm_pose_identity();
    cm_interference twice;
    m->excess = 0;
    if (cm_mesh_interference(&shape, &origin, &shape, &origin, &twice) != CM_OK) return; /* open, or too large */
    const double once = volume_of_mesh(m->mesh), more = twice.volume - once;
    if (more > 4 * twice.error + 1e-10 * once) m->excess = more + twice.error;
}

static void volume_ask_finding(void *argument, int index, int worker) {
    (void)worker;
    const volume_work *work = argument;
    cm_finding *f = &work->result->findings[index];
    const cm_check_part *a = &work->desc->parts[f->part_a], *b = &work->desc->parts[f->part_b];
    f->common_known = cm_mesh_interference(&a->shape, &a->pose, &b->shape, &b->pose, &f->common) == CM_OK;
    if (f->common_known) f->common.error += volume_excess_of(work, f->part_a) + volume_excess_of(work, f->part_b);
}

cm_status cm__check_volumes(const cm_check_desc *desc, const cm_allocator *mem, cm_check_result *r) {
    const size_t room = 2 * r->count;
    volume_work work = {desc, r, cm__alloc(mem, room, sizeof *work.meshes), 0};
    if (!work.meshes) return CM_NO_MEMORY;
    for (size_t i = 0; i < r->count; i++) {
        work.meshes[2 * i].mesh = volume_mesh_of(&work, r->findings[i].part_a);
        work.meshes[2 * i + 1].mesh = volume_mesh_of(&work, r->findings[i].part_b);
    }
    cm__sort(work.meshes, room, sizeof *work.meshes, volume_compare);
    for (size_t i = 0; i < room; i++)
        if (i == 0 || work.meshes[i].mesh != work.meshes[work.count - 1].mesh)
            work.meshes[work.count++].mesh = work.meshes[i].mesh;
    cm__run(desc->tasks, (int)work.count, volume_ask_mesh, &work);
    cm__run(desc->tasks, (int)r->count, volume_ask_finding, &work);
    cm__free(mem, work.meshes, room, sizeof *work.meshes);
    return CM_OK;
}
