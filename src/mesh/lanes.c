/* The triangles once more, in the order of the tree: those of a leaf of the rays' tree side by side, so that all of
 * them are tested at once, and of what is hit only the number need be read. All other queries read them from there,
 * too. */
#include "base/bits.h"
#include "base/tasks.h"
#include "bvh/wide.h"
#include "mesh/mesh.h"

enum {
    LANES_PART = 1024, /* nodes */
    LANES_AHEAD = 16   /* triangles */
};

_Static_assert(CM__WIDE_LEAF <= 1 << CM__MESH_SEAT_BITS, "a seat holds where in its leaf a triangle is");

typedef struct lanes_task {
    const cm_mesh *mesh;
    cm_real *lanes;
    uint8_t *seats;
} lanes_task;

/* The leaf of `count` triangles at `first`. */
static void lanes_fill_leaf(const lanes_task *task, uint32_t first, uint32_t count) {
    const cm_mesh *mesh = task->mesh;
    const uint32_t *numbers = cm__mesh_numbers(mesh), *corners = cm__mesh_corners(mesh);
    const cm_vec3 *points = cm__mesh_points(mesh);
    for (uint32_t t = 0; t < count; ++t) {
        const uint32_t place = first + t;
        if (mesh->info.triangles - place > LANES_AHEAD) BITS_FETCH(&corners[3 * (size_t)numbers[place + LANES_AHEAD]]);
        const uint32_t *c = corners + 3 * (size_t)numbers[place];
        cm_real *out = task->lanes + CM__MESH_LANE * (size_t)first + t;
        for (int k = 0; k < 3; ++k, out += 3 * count) {
            const cm_vec3 p = points[c[k]];
            out[0] = p.x, out[count] = p.y, out[2 * count] = p.z;
        }
        task->seats[place] = (uint8_t)((count - 1) << CM__MESH_SEAT_BITS | t);
    }
}

static void lanes_fill(void *arg, int index, int worker) {
    (void)worker;
    const lanes_task *task = arg;
    const cm_mesh *mesh = task->mesh;
    const cm__wide_node *nodes = (const cm__wide_node *)cm__mesh_at(mesh, mesh->rays);
    uint32_t n = (uint32_t)index * LANES_PART;
    const uint32_t end = mesh->ray_node_count - n < LANES_PART ? mesh->ray_node_count : n + LANES_PART;
    for (; n < end; ++n)
        for (int i = 0; i < CM__WIDE; ++i) lanes_fill_leaf(task, nodes[n].child[i], nodes[n].count[i]);
}

void cm__mesh_fill_lanes(const cm_mesh *mesh, const cm_tasks *tasks, cm_real *lanes, uint8_t *seats) {
    lanes_task task;
    task.mesh = mesh, task.lanes = lanes, task.seats = seats;
    cm__run(tasks, (int)((mesh->ray_node_count + LANES_PART - 1) / LANES_PART), lanes_fill, &task);
}
