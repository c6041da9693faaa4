/* A check cut into tiles, each of which any process could do: what Slurm, Spark or Dask call for each of theirs.
 *     cc tiles.c $(pkg-config --cflags --libs carom) -o tiles */
#include <carom/carom.h>

#include <stdio.h>

enum { PARTS = 1000, TILES = 8 };

/* The parts whose grown boxes overlap the tile's are all that it needs. */
static cm_status do_tile(const cm_check_desc *whole, cm_check_tile tile, cm_check_result *out) {
    static cm_check_part parts[PARTS];
    static uint32_t numbers[PARTS];
    cm_check_desc desc = *whole;
    desc.parts = parts, desc.part_count = 0;
    for (uint32_t i = 0; i < whole->part_count; i++) {
        cm_aabb box;
        cm_shape_bounds(&whole->parts[i].shape, &whole->parts[i].pose, &box);
        box = cm_aabb_grow(box, tile.margin);
        if (!cm_aabb_overlaps(&box, &tile.box)) continue;
        parts[desc.part_count] = whole->parts[i];
        numbers[desc.part_count++] = i;
    }
    tile.numbers = numbers;
    printf("%4u parts\n", desc.part_count);
    return cm_check_tile_parts(&desc, &tile, NULL, out, NULL);
}

int main(void) {
    const cm_shape box = cm_make_box(cm_v(CM_REAL(0.5), CM_REAL(0.5), CM_REAL(0.5)));
    cm_tessellation t;
    cm_mesh *mesh = NULL;
    if (cm_shape_tessellate(&box, NULL, NULL, &t) != CM_OK) return 1;
    cm_mesh_desc cube = {.points = &t.points[0].x, .indices = t.indices, .solid = true};
    cube.point_count = t.point_count, cube.triangle_count = t.triangle_count;
    if (cm_mesh_build(&cube, NULL, &mesh, NULL) != CM_OK) return 1;
    cm_tessellation_destroy(&t, NULL);

    static cm_check_part parts[PARTS]; /* cubes of 1 on a grid of 0.95 x 1 x 1.05: they cross, touch, are apart */
    static cm_vec3 places[PARTS];
    for (int i = 0; i < PARTS; i++) {
        parts[i] = (cm_check_part){.shape = cm_make_mesh(mesh), .pose = cm_pose_identity(), .name = "cube"};
        places[i] = cm_v(CM_REAL(0.95) * (cm_real)(i % 10), (cm_real)(i / 10 % 10), CM_REAL(1.05) * (cm_real)(i / 100));
        parts[i].pose.position = places[i];
    }
    const cm_check_desc desc = {.parts = parts, .part_count = PARTS, .clearance = CM_REAL(0.1)};

    cm_check_extent extent; /* of all: joined, where each process knows some of the parts */
    cm_check_extent_of(parts, PARTS, &extent);
    cm_check_tile tiles[TILES];
    if (cm_check_cut(places, NULL, PARTS, TILES, NULL, tiles) != CM_OK) return 1;
    cm_check_result found[TILES], all;
    for (int i = 0; i < TILES; i++) {
        tiles[i].margin = cm_check_margin(&desc, &extent);
        if (do_tile(&desc, tiles[i], &found[i]) != CM_OK) return 1;
    }
    if (cm_check_merge(&desc, found, TILES, NULL, &all, NULL) != CM_OK) return 1;
    printf("%zu crossing, %zu touching, %zu too near, of %llu near pairs\n", all.kinds[CM_FINDING_CROSSING],
           all.kinds[CM_FINDING_TOUCHING], all.kinds[CM_FINDING_CLEARANCE], (unsigned long long)all.pairs_near);
    for (int i = 0; i < TILES; i++) cm_check_result_destroy(&found[i], NULL);
    cm_check_result_destroy(&all, NULL);
    cm_mesh_destroy(mesh, NULL);
    return 0;
}
