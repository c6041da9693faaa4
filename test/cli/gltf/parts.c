/* Prints what the importer makes of a file, for comparison with other readers: a line of JSON a part, with its number
 * of triangles, its bounds and its signed volume in the coordinates of the file. Exit code 2 where it is refused. */
#include "affine.h"
#include "import.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct totals {
    double triangles, volume, low[3], high[3];
} totals;

static void corner_of(const affine *world, const double *p, double out[3]) {
    for (int i = 0; i < 3; i++)
        out[i] = world->m[3 * i] * p[0] + world->m[3 * i + 1] * p[1] + world->m[3 * i + 2] * p[2] + world->t[i];
}

static void add_mesh(totals *sum, const import_mesh *mesh, const affine *world) {
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        double c[3][3];
        for (int k = 0; k < 3; k++) {
            corner_of(world, &mesh->points[3 * (size_t)mesh->indices[3 * (size_t)t + (size_t)k]], c[k]);
            for (int i = 0; i < 3; i++)
                sum->low[i] = fmin(sum->low[i], c[k][i]), sum->high[i] = fmax(sum->high[i], c[k][i]);
        }
        for (int i = 0; i < 3; i++) {
            int j = (i + 1) % 3, k = (i + 2) % 3;
            sum->volume += c[0][i] * (c[1][j] * c[2][k] - c[1][k] * c[2][j]) / 6;
        }
        sum->triangles++;
    }
}

int main(int count, char **arguments) {
    import_limits limits = {0};
    import_data data;
    if (count != 2) return 3;
    int code = import_file(arguments[1], &limits, false, &data);
    if (code != 0) return code;
    affine *world = malloc(data.node_count * sizeof *world);
    if (!world) return 3;
    for (uint32_t i = 0; i < data.node_count; i++) {
        const import_node *node = &data.nodes[i];
        world[i] = affine_from_rows(node->local);
        if (node->parent != IMPORT_NONE) world[i] = affine_mul(&world[node->parent], &world[i]);
        totals sum = {0, 0, {INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
        for (uint32_t k = 0; k < node->mesh_count; k++)
            add_mesh(&sum, &data.meshes[data.mesh_refs[node->first_mesh + k]], &world[i]);
        if (sum.triangles > 0)
            printf("{\"triangles\":%.0f,\"min\":[%.17g,%.17g,%.17g],\"max\":[%.17g,%.17g,%.17g],\"volume\":%.17g}\n",
                   sum.triangles, sum.low[0], sum.low[1], sum.low[2], sum.high[0], sum.high[1], sum.high[2], sum.volume);
    }
    free(world);
    import_free(&data);
    return 0;
}
