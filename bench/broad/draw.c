/* bench_broad_draw KIND LEVEL.obj: an SVG of the boxes of one broad phase over the triangles of a level, seen from
 * above (x to the right, z down), made by cm_broad_walk. Of `cubes` in place of a level, 10,000 with edges of 0.03 to
 * 0.09 in a unit cube, seen along the axis that is not divided, if there is one. */
#include <carom/carom.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct drawing {
    cm_aabb world;
    float scale;
    int deepest;
    int right, down; /* axes */
    bool divided[3];
} drawing;

static float part(cm_vec3 v, int axis) { return (float)(axis == 0 ? v.x : axis == 1 ? v.y : v.z); }

static bool look_for_divisions(void *context, const cm_aabb *box, int depth, uint32_t objects) {
    drawing *d = context;
    (void)objects;
    if (depth == 0) d->world = *box;
    for (int k = 0; k < 3; ++k)
        if (part(box->min, k) > part(d->world.min, k) || part(box->max, k) < part(d->world.max, k))
            d->divided[k] = true;
    return true;
}

static bool draw_box(void *context, const cm_aabb *box, int depth, uint32_t objects) {
    drawing *d = context;
    if (depth == 0) {
        d->world = *box;
        float width = part(box->max, d->right) - part(box->min, d->right),
              height = part(box->max, d->down) - part(box->min, d->down);
        d->scale = 600 / (width > height ? width : height);
        printf("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"-4 -4 %.0f %.0f\" fill=\"none\">\n",
               (double)(width * d->scale + 8), (double)(height * d->scale + 8));
    }
    if (depth > d->deepest) return true;
    float x = (part(box->min, d->right) - part(d->world.min, d->right)) * d->scale,
          y = (part(box->min, d->down) - part(d->world.min, d->down)) * d->scale,
          w = (part(box->max, d->right) - part(box->min, d->right)) * d->scale,
          h = (part(box->max, d->down) - part(box->min, d->down)) * d->scale;
    printf("<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" stroke=\"hsl(%d,70%%,40%%)\" "
           "stroke-width=\"%.2g\"%s/>\n",
           (double)x, (double)y, (double)w, (double)h, depth * 47 % 360, depth < 6 ? 2 - 0.3 * depth : 0.4,
           objects ? " fill=\"#888\" fill-opacity=\"0.08\"" : "");
    return true;
}

static cm_aabb *read_level(FILE *file, uint32_t *count) {
    cm_vec3 *points = NULL;
    cm_aabb *boxes = NULL;
    uint32_t point_count = 0;
    char line[400];
    while (fgets(line, sizeof line, file)) {
        double x, y, z;
        if (sscanf(line, "v %lf %lf %lf", &x, &y, &z) == 3) {
            points = realloc(points, (point_count + 1) * sizeof *points);
            points[point_count++] = cm_v((cm_real)x, (cm_real)y, (cm_real)z);
        } else if (line[0] == 'f' && line[1] == ' ') {
            cm_aabb box = cm_aabb_empty();
            for (char *word = strtok(line + 2, " \r\n"); word; word = strtok(NULL, " \r\n")) {
                long index = strtol(word, NULL, 10);
                if (index >= 1 && index <= (long)point_count) box = cm_aabb_add_point(box, points[index - 1]);
            }
            boxes = realloc(boxes, (*count + 1) * sizeof *boxes);
            boxes[(*count)++] = box;
        }
    }
    free(points);
    return boxes;
}

static cm_aabb *make_cubes(uint32_t *count) {
    static uint64_t state = 1;
    cm_aabb *boxes = malloc(10000 * sizeof *boxes);
    for (*count = 0; *count < 10000; ++*count) {
        cm_real random[4]; /* of 24 bits, from 0 to 1 */
        for (int k = 0; k < 4; ++k) {
            state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            random[k] = (cm_real)(state >> 40) / (cm_real)(1 << 24);
        }
        const cm_real edge = (cm_real)0.03 + (cm_real)0.06 * random[3];
        const cm_vec3 at = cm_v(random[0], random[1], random[2]);
        boxes[*count] = (cm_aabb){at, cm_add(at, cm_v(edge, edge, edge))};
    }
    return boxes;
}

int main(int argc, char **argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: bench_broad_draw KIND LEVEL.obj|cubes >picture.svg\n");
        return 2;
    }
    int kind = 0;
    while (kind < CM_BROAD_KIND_COUNT && strcmp(argv[1], cm_broad_kind_text((cm_broad_kind)kind)) != 0) ++kind;
    const bool cubes = strcmp(argv[2], "cubes") == 0;
    FILE *file = cubes ? NULL : fopen(argv[2], "r");
    if ((!file && !cubes) || kind == CM_BROAD_KIND_COUNT) {
        fprintf(stderr, "bench_broad_draw: no such %s\n", file || cubes ? "kind" : "file");
        return 2;
    }
    uint32_t box_count = 0;
    cm_aabb *boxes = cubes ? make_cubes(&box_count) : read_level(file, &box_count);
    if (file) fclose(file);
    cm_broad_desc desc = {0};
    desc.kind = (cm_broad_kind)kind;
    cm_broad *broad;
    if (cm_broad_create(&desc, &broad, NULL) != CM_OK ||
        cm_broad_add_many(broad, boxes, 0, box_count, NULL, NULL) != CM_OK || cm_broad_update(broad) != CM_OK) {
        return 3;
    }
    drawing d = {.deepest = kind == CM_BROAD_BVH ? 8 : 12, .right = 0, .down = 2};
    cm_broad_walk(broad, look_for_divisions, &d);
    if (cubes && !d.divided[0]) d.right = 1;
    if (cubes && d.divided[0] && !d.divided[2]) d.down = 1;
    cm_broad_walk(broad, draw_box, &d);
    printf("</svg>\n");
    cm_broad_destroy(broad);
    free(boxes);
    return 0;
}
