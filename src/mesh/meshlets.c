/* The triangles once more, in the order of the tree, in meshlets: a triangle's corners are three bytes, which count the
 * vertices of its meshlet. Those lie side by side, each once, so that what a query reads of some triangles that are
 * near each other is near, too, and little. All queries read them from there.
 *
 * A meshlet holds the leaves of the rays' tree that begin within CM__MESH_MESHLET places. Its vertices come in the
 * order in which its triangles name them. */
#include "base/bits.h"
#include "base/tasks.h"
#include "bvh/wide.h"
#include "mesh/mesh.h"

#include <string.h>

enum {
    SEATS_PART = 1024,   /* nodes */
    MESHLETS_PART = 64,  /* meshlets */
    MESHLETS_AHEAD = 16, /* triangles */
    TABLE_BITS = 9       /* of the table of a meshlet's points, of which more than half stays empty */
};

_Static_assert(CM__WIDE_LEAF <= 1 << CM__MESH_SEAT_BITS, "a seat holds where in its leaf a triangle is");
_Static_assert(3 * (CM__MESH_MESHLET + CM__WIDE_LEAF - 1) <= 256, "a byte tells a vertex of a meshlet");
_Static_assert(6 * (CM__MESH_MESHLET + CM__WIDE_LEAF - 1) < 1 << TABLE_BITS, "the table is never full");

typedef struct meshlets_task {
    const cm_mesh *mesh;
    cm__mesh_seat *seats;
    uint32_t *counts; /* of vertices, by meshlet */
    cm_vec3 *loose;
} meshlets_task;

static uint32_t meshlets_of(const cm_mesh *mesh) {
    return (mesh->info.triangles + CM__MESH_MESHLET - 1) / CM__MESH_MESHLET;
}

static void meshlets_seat(void *arg, int index, int worker) {
    (void)worker;
    const meshlets_task *task = arg;
    const cm_mesh *mesh = task->mesh;
    const cm__wide_node *nodes = (const cm__wide_node *)cm__mesh_at(mesh, mesh->rays);
    uint32_t n = (uint32_t)index * SEATS_PART;
    const uint32_t end = mesh->ray_node_count - n < SEATS_PART ? mesh->ray_node_count : n + SEATS_PART;
    for (; n < end; ++n)
        for (int i = 0; i < CM__WIDE; ++i)
            for (uint32_t t = 0, count = nodes[n].count[i]; t < count; ++t)
                task->seats[nodes[n].child[i] + t].leaf = (uint8_t)((count - 1) << CM__MESH_SEAT_BITS | t);
}

/* The first place of a meshlet: where the first leaf begins there or later. */
static uint32_t meshlets_begin(const meshlets_task *task, uint32_t meshlet) {
    const uint64_t all = task->mesh->info.triangles, from = (uint64_t)meshlet * CM__MESH_MESHLET;
    uint32_t place = (uint32_t)(from < all ? from : all);
    while (place < all && cm__mesh_leaf_first(task->seats[place], place) != place) ++place;
    return place;
}

/* The points of a meshlet, found by their numbers. */
typedef struct meshlet_table {
    uint32_t number[1 << TABLE_BITS]; /* CM_NONE: nothing is there */
    uint8_t vertex[1 << TABLE_BITS];
    uint32_t count;
} meshlet_table;

static uint8_t meshlet_vertex(meshlet_table *table, uint32_t number, const cm_vec3 *points, cm_vec3 *vertices) {
    uint32_t at = number * UINT32_C(2654435769) >> (32 - TABLE_BITS);
    while (table->number[at] != number) {
        if (table->number[at] == CM_NONE) {
            table->number[at] = number, table->vertex[at] = (uint8_t)table->count;
            vertices[table->count++] = points[number];
            break;
        }
        at = (at + 1) % (1 << TABLE_BITS);
    }
    return table->vertex[at];
}

static void meshlets_fill(void *arg, int index, int worker) {
    (void)worker;
    const meshlets_task *task = arg;
    const cm_mesh *mesh = task->mesh;
    const uint32_t *numbers = cm__mesh_numbers(mesh), *corners = cm__mesh_corners(mesh), all = meshlets_of(mesh);
    uint32_t m = (uint32_t)index * MESHLETS_PART, place = meshlets_begin(task, m);
    const uint32_t last = all - m < MESHLETS_PART ? all : m + MESHLETS_PART;
    for (; m < last; ++m) {
        meshlet_table table;
        memset(table.number, 0xff, sizeof table.number);
        table.count = 0;
        cm_vec3 *vertices = task->loose + 3 * (size_t)place;
        for (const uint32_t end = meshlets_begin(task, m + 1); place < end; ++place) {
            if (mesh->info.triangles - place > MESHLETS_AHEAD)
                BITS_FETCH(&corners[3 * (size_t)numbers[place + MESHLETS_AHEAD]]);
            const uint32_t *c = corners + 3 * (size_t)numbers[place];
            for (int k = 0; k < 3; ++k)
                task->seats[place].corner[k] = meshlet_vertex(&table, c[k], cm__mesh_points(mesh), vertices);
        }
        task->counts[m] = table.count;
    }
}

uint32_t cm__mesh_fill_meshlets(const cm_mesh *mesh, const cm_tasks *tasks, cm__mesh_seat *seats, uint32_t *meshlets,
                                cm_vec3 *loose, cm_vec3 *vertices) {
    meshlets_task task;
    task.mesh = mesh, task.seats = seats, task.counts = meshlets, task.loose = loose;
    const uint32_t count = meshlets_of(mesh);
    cm__run(tasks, (int)((mesh->ray_node_count + SEATS_PART - 1) / SEATS_PART), meshlets_seat, &task);
    cm__run(tasks, (int)((count + MESHLETS_PART - 1) / MESHLETS_PART), meshlets_fill, &task);
    uint32_t sum = 0;
    for (uint32_t m = 0; m < count; ++m) {
        const uint32_t own = meshlets[m];
        memmove(vertices + sum, loose + 3 * (size_t)meshlets_begin(&task, m), own * sizeof *vertices);
        meshlets[m] = sum;
        sum += own;
    }
    memset(vertices + sum, 0, sizeof(cm_real));
    return sum;
}

void cm__mesh_fill_vertices(const cm_mesh *mesh, cm_vec3 *vertices) {
    const cm__mesh_seat *seats = cm__mesh_seats(mesh);
    const uint32_t *numbers = cm__mesh_numbers(mesh), *corners = cm__mesh_corners(mesh);
    const cm_vec3 *points = cm__mesh_points(mesh);
    for (uint32_t place = 0; place < mesh->info.triangles; ++place) {
        const cm__mesh_seat at = seats[place];
        const uint32_t *c = corners + 3 * (size_t)numbers[place];
        cm_vec3 *out = vertices + cm__mesh_meshlets(mesh)[cm__mesh_leaf_first(at, place) / CM__MESH_MESHLET];
        for (int k = 0; k < 3; ++k) out[at.corner[k]] = points[c[k]];
    }
}
