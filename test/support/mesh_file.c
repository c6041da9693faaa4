/* A minimal reader of OBJ and STL for the tests: numbers exactly as written, triangles in file order. */
#include "support/support.h"

typedef struct growing {
    mesh_file file;
    size_t point_room, triangle_room;
} growing;

static void add_point(growing *g, double x, double y, double z) {
    if (g->file.point_count == g->point_room) {
        g->point_room = g->point_room ? 2 * g->point_room : 1024;
        g->file.points = realloc(g->file.points, g->point_room * 3 * sizeof(double));
    }
    double *p = g->file.points + 3 * (size_t)g->file.point_count++;
    p[0] = x, p[1] = y, p[2] = z;
}

static void add_triangle(growing *g, uint32_t a, uint32_t b, uint32_t c) {
    if (g->file.triangle_count == g->triangle_room) {
        g->triangle_room = g->triangle_room ? 2 * g->triangle_room : 1024;
        g->file.indices = realloc(g->file.indices, g->triangle_room * 3 * sizeof(uint32_t));
    }
    uint32_t *t = g->file.indices + 3 * (size_t)g->file.triangle_count++;
    t[0] = a, t[1] = b, t[2] = c;
}

static void read_obj(growing *g, char *text) {
    for (char *save = NULL, *line = strtok_r(text, "\r\n", &save); line; line = strtok_r(NULL, "\r\n", &save)) {
        if (line[0] == 'v' && (line[1] == ' ' || line[1] == '\t')) {
            char *at = line + 1;
            double x = strtod(at, &at), y = strtod(at, &at), z = strtod(at, &at);
            add_point(g, x, y, z);
        } else if (line[0] == 'f' && (line[1] == ' ' || line[1] == '\t')) {
            uint32_t corner[3];
            int count = 0;
            for (char *at = line + 1, *end;; at = end) {
                long index = strtol(at, &end, 10);
                if (end == at) break;
                while (*end && *end != ' ' && *end != '\t') ++end; /* past "/texture/normal" */
                corner[count < 2 ? count : 2] = (uint32_t)(index > 0 ? index - 1 : (long)g->file.point_count + index);
                if (++count >= 3) {
                    add_triangle(g, corner[0], corner[1], corner[2]);
                    corner[1] = corner[2];
                }
            }
        }
    }
}

static void read_stl(growing *g, const char *data, size_t size) {
    uint32_t count = 0;
    if (size >= 84) memcpy(&count, data + 80, 4);
    if (size == 84 + 50 * (size_t)count) {
        for (uint32_t i = 0; i < count; ++i) {
            float f[12];
            memcpy(f, data + 84 + 50 * (size_t)i, sizeof f);
            for (int k = 3; k < 12; k += 3) add_point(g, (double)f[k], (double)f[k + 1], (double)f[k + 2]);
        }
    } else {
        for (const char *at = data; (at = strstr(at, "vertex")) != NULL;) {
            char *end = NULL;
            double x = strtod(at + 6, &end), y = strtod(end, &end), z = strtod(end, &end);
            add_point(g, x, y, z);
            at = end;
        }
    }
    for (uint32_t i = 0; i + 2 < g->file.point_count; i += 3) add_triangle(g, i, i + 1, i + 2);
}

bool mesh_file_load(const char *path, mesh_file *out) {
    FILE *file = fopen(path, "rb");
    if (!file) return false;
    fseek(file, 0, SEEK_END);
    size_t size = (size_t)ftell(file);
    rewind(file);
    char *data = malloc(size + 1);
    size_t got = fread(data, 1, size, file);
    fclose(file);
    data[got] = 0;
    growing g = {0};
    const char *dot = strrchr(path, '.');
    if (dot && (strcmp(dot, ".obj") == 0 || strcmp(dot, ".OBJ") == 0)) {
        read_obj(&g, data);
    } else {
        read_stl(&g, data, got);
    }
    free(data);
    *out = g.file;
    return g.file.triangle_count > 0;
}

void mesh_file_free(mesh_file *file) {
    free(file->points);
    free(file->indices);
    memset(file, 0, sizeof *file);
}

cm_real *mesh_file_reals(const mesh_file *file) {
    size_t n = 3 * (size_t)file->point_count;
    cm_real *reals = malloc((n ? n : 1) * sizeof(cm_real));
    for (size_t i = 0; i < n; ++i) reals[i] = (cm_real)file->points[i];
    return reals;
}
