/* The triangles once more, in the order of the tree; and again for rays: those of a leaf side by side, so that all of
 * them are tested at once and nothing else need be read of what is hit. */
#include "base/tasks.h"
#include "base/bits.h"
#include "bvh/wide.h"
#include "mesh/mesh.h"

enum {
    LANES_PART = 1024, /* nodes */
    FACES_PART = 8192,
    FACES_AHEAD = 16
};

typedef struct lanes_task {
    const cm_mesh *mesh;
    cm__face *faces;
    cm_real *lanes;
} lanes_task;

static void faces_fill(void *arg, int index, int worker) {
    (void)worker;
    const lanes_task *task = arg;
    const uint32_t *numbers = cm__mesh_numbers(task->mesh), *corners = cm__mesh_corners(task->mesh);
    const cm_vec3 *points = cm__mesh_points(task->mesh);
    size_t place = (size_t)index * FACES_PART, count = task->mesh->info.triangles;
    const size_t end = count - place < FACES_PART ? count : place + FACES_PART;
    for (; place < end; ++place) {
        if (place + FACES_AHEAD < count) BITS_FETCH(&corners[3 * (size_t)numbers[place + FACES_AHEAD]]);
        const uint32_t *c = corners + 3 * (size_t)numbers[place];
        for (int k = 0; k < 3; ++k) task->faces[place].corner[k] = points[c[k]];
    }
}

static void lanes_fill(void *arg, int index, int worker) {
    (void)worker;
    const lanes_task *task = arg;
    const cm_mesh *mesh = task->mesh;
    const cm__wide_node *nodes = (const cm__wide_node *)cm__mesh_at(mesh, mesh->rays);
    const uint32_t *numbers = cm__mesh_numbers(mesh);
    uint32_t n = (uint32_t)index * LANES_PART;
    const uint32_t end = mesh->ray_node_count - n < LANES_PART ? mesh->ray_node_count : n + LANES_PART;
    for (; n < end; ++n) {
        for (int i = 0; i < CM__WIDE; ++i) {
            const uint32_t count = nodes[n].count[i], first = nodes[n].child[i];
            for (uint32_t t = 0; t < count; ++t) {
                cm_real *out = task->lanes + CM__MESH_LANE * (size_t)first + t;
                for (int c = 0; c < 3; ++c, out += 3 * count) {
                    const cm_vec3 p = task->faces[first + t].corner[c];
                    out[0] = p.x, out[count] = p.y, out[2 * count] = p.z;
                }
                *out = 0; /* all of it: equal meshes are equal bytes */
                memcpy(out, &numbers[first + t], sizeof numbers[first + t]);
            }
        }
    }
}

void cm__mesh_fill_faces(const cm_mesh *mesh, const cm_tasks *tasks, cm__face *faces, cm_real *lanes) {
    lanes_task task;
    task.mesh = mesh, task.faces = faces, task.lanes = lanes;
    cm__run(tasks, (int)((mesh->info.triangles + FACES_PART - 1) / FACES_PART), faces_fill, &task);
    cm__run(tasks, (int)((mesh->ray_node_count + LANES_PART - 1) / LANES_PART), lanes_fill, &task);
}
