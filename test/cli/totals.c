#include "cli/totals.h"

#include "read/affine.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void place(const affine *world, const double *p, double out[3]) {
    for (int i = 0; i < 3; i++)
        out[i] = world->m[3 * i] * p[0] + world->m[3 * i + 1] * p[1] + world->m[3 * i + 2] * p[2] + world->t[i];
}

static void add_mesh(part_totals *sum, const import_mesh *mesh, const affine *world) {
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        double c[3][3];
        for (size_t k = 0; k < 3; k++) {
            place(world, &mesh->points[3 * (size_t)mesh->indices[3 * (size_t)t + k]], c[k]);
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

int part_totals_of(const import_data *data, part_totals *out, int capacity) {
    affine *world = malloc((data->node_count + 1u) * sizeof *world);
    if (!world) abort();
    int count = 0;
    for (uint32_t i = 0; i < data->node_count; i++) {
        const import_node *node = &data->nodes[i];
        world[i] = affine_from_rows(node->local);
        if (node->parent != IMPORT_NONE) world[i] = affine_mul(&world[node->parent], &world[i]);
        part_totals sum = {.low = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, .high = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
        snprintf(sum.name, sizeof sum.name, "%s", node->name);
        for (uint32_t k = 0; k < node->mesh_count; k++)
            add_mesh(&sum, &data->meshes[data->mesh_refs[node->first_mesh + k]], &world[i]);
        if (sum.triangles > 0 && count < capacity) out[count] = sum;
        count += sum.triangles > 0;
    }
    free(world);
    return count;
}
