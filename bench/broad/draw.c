/* bench_broad_draw KIND LEVEL.obj: an SVG of the boxes of one broad phase over the triangles of a level, seen from
 * above (x to the right, z down), made by cm_broad_walk. */
#include <carom/carom.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct drawing {
    cm_aabb world;
    float scale;
    int deepest;
} drawing;

static bool draw_box(void *context, const cm_aabb *box, int depth, uint32_t objects) {
    drawing *d = context;
    if (depth == 0) {
        d->world = *box;
        float width = (float)(box->max.x - box->min.x), height = (float)(box->max.z - box->min.z);
        d->scale = 600 / (width > height ? width : height);
        printf("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"-4 -4 %.0f %.0f\" fill=\"none\">\n",
               (double)(width * d->scale + 8), (double)(height * d->scale + 8));
    }
    if (depth > d->deepest) return true;
    float x = (float)(box->min.x - d->world.min.x) * d->scale, y = (float)(box->min.z - d->world.min.z) * d->scale;
    float w = (float)(box->max.x - box->min.x) * d->scale, h = (float)(box->max.z - box->min.z) * d->scale;
    printf("<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" stroke=\"hsl(%d,70%%,40%%)\" "
           "stroke-width=\"%.2g\"%s/>\n",
           (double)x, (double)y, (double)w, (double)h, depth * 47 % 360, depth < 6 ? 2 - 0.3 * depth : 0.4,
           objects ? " fill=\"#888\" fill-opacity=\"0.08\"" : "");
    return true;
}

int main(int argc, char **argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: bench_broad_draw KIND LEVEL.obj >picture.svg\n");
        return 2;
    }
    int kind = 0;
    while (kind < CM_BROAD_KIND_COUNT && strcmp(argv[1], cm_broad_kind_text((cm_broad_kind)kind)) != 0) ++kind;
    FILE *file = fopen(argv[2], "r");
    if (!file || kind == CM_BROAD_KIND_COUNT) {
        fprintf(stderr, "bench_broad_draw: no such %s\n", file ? "kind" : "file");
        return 2;
    }
    cm_vec3 *points = NULL;
    cm_aabb *boxes = NULL;
    uint32_t point_count = 0, box_count = 0;
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
            boxes = realloc(boxes, (box_count + 1) * sizeof *boxes);
            boxes[box_count++] = box;
        }
    }
    fclose(file);
    cm_broad_desc desc = {0};
    desc.kind = (cm_broad_kind)kind;
    cm_broad *broad;
    if (cm_broad_create(&desc, &broad, NULL) != CM_OK ||
        cm_broad_add_many(broad, boxes, 0, box_count, NULL, NULL) != CM_OK || cm_broad_update(broad) != CM_OK) {
        return 3;
    }
    drawing d = {.deepest = kind == CM_BROAD_BVH ? 8 : 12};
    cm_broad_walk(broad, draw_box, &d);
    printf("</svg>\n");
    cm_broad_destroy(broad);
    free(points), free(boxes);
    return 0;
}
