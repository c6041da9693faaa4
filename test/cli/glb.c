#include "cli/glb.h"

#include <math.h>
#include <stdarg.h>

const float cube_corners[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                  {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
const uint16_t cube_triangles[36] = {0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7, 0, 1, 5, 0, 5, 4,
                                     1, 2, 6, 1, 6, 5, 2, 3, 7, 2, 7, 6, 3, 0, 4, 3, 4, 7};

int glb_view(glb *g, const void *bytes, size_t size, const char *more) {
    assert_true(g->used + size + 4 <= sizeof g->bytes);
    size_t at = strlen(g->views);
    snprintf(g->views + at, sizeof g->views - at, "%s{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu%s}",
             g->view_count > 0 ? "," : "", g->used, size, more);
    memcpy(g->bytes + g->used, bytes, size);
    g->used += (size + 3) & ~(size_t)3;
    return g->view_count++;
}

int glb_accessor(glb *g, int view, int component, int count, const char *type, const char *more) {
    size_t at = strlen(g->accessors);
    char where[40] = "";
    if (view >= 0) snprintf(where, sizeof where, "\"bufferView\":%d,", view);
    snprintf(g->accessors + at, sizeof g->accessors - at, "%s{%s\"componentType\":%d,\"count\":%d,\"type\":\"%s\"%s}",
             g->accessor_count > 0 ? "," : "", where, component, count, type, more);
    return g->accessor_count++;
}

void glb_cube(glb *g) {
    glb_accessor(g, glb_view(g, cube_corners, sizeof cube_corners, ""), 5126, 8, "VEC3", "");
    glb_accessor(g, glb_view(g, cube_triangles, sizeof cube_triangles, ""), 5123, 36, "SCALAR", "");
}

static void put_u32(unsigned char *at, size_t value) {
    for (int i = 0; i < 4; i++) at[i] = (unsigned char)(value >> (8 * i));
}

const char *glb_write(const glb *g, const char *name, const char *format, ...) {
    static char members[1 << 15], json[1 << 16];
    static unsigned char file[1 << 17];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(members, sizeof members, format, arguments);
    va_end(arguments);
    int length = snprintf(json, sizeof json - 4,
                          "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"byteLength\":%zu}],\"bufferViews\":[%s],"
                          "\"accessors\":[%s],%s}",
                          g->used, g->views, g->accessors, members);
    assert_true(length > 0 && (size_t)length < sizeof json - 4);
    size_t text = (size_t)length;
    while (text % 4 > 0) json[text++] = ' ';
    memcpy(file, "glTF", 4);
    put_u32(file + 4, 2), put_u32(file + 8, 28 + text + g->used);
    put_u32(file + 12, text), memcpy(file + 16, "JSON", 4), memcpy(file + 20, json, text);
    put_u32(file + 20 + text, g->used), memcpy(file + 24 + text, "BIN", 4);
    memcpy(file + 28 + text, g->bytes, g->used);
    char full[64];
    snprintf(full, sizeof full, "%s.glb", name);
    return write_bytes(full, file, 28 + text + g->used);
}

int read_parts(const char *path, part_totals *out, int capacity, char **notes) {
    import_options options = {.chord = 0};
    import_data data;
    int code = import_file(path, &options, &data);
    check_that(code == 0, "%s is refused with code %d, expected 0", path, code);
    int count = part_totals_of(&data, out, capacity);
    if (notes) {
        size_t used = 0;
        *notes = calloc(1, ((size_t)data.note_count + data.facts.left_out_count) * 402 + 1);
        assert_non_null(*notes);
        for (uint32_t i = 0; i < data.note_count; i++)
            used += (size_t)sprintf(*notes + used, "%.400s\n", data.notes[i]);
    }
    if (notes)
        for (uint32_t i = 0; i < data.facts.left_out_count; i++)
            sprintf(*notes + strlen(*notes), "%.100s, %.100s: %.190s\n", data.facts.left_out[i].id,
                    data.facts.left_out[i].name, data.facts.left_out[i].reason);
    import_free(&data);
    return count;
}

void check_box(const part_totals *p, double x0, double y0, double z0, double x1, double y1, double z1) {
    const double want[6] = {x0, y0, z0, x1, y1, z1};
    double size = 0, worst = 0;
    for (int i = 0; i < 6; i++) size = fmax(size, fabs(want[i]));
    for (int i = 0; i < 3; i++) worst = fmax(worst, fmax(fabs(p->low[i] - want[i]), fabs(p->high[i] - want[i + 3])));
    check_that(worst <= 1e-12 * size, "%s is %.17g %.17g %.17g to %.17g %.17g %.17g, %g from %g %g %g to %g %g %g",
               p->name, p->low[0], p->low[1], p->low[2], p->high[0], p->high[1], p->high[2], worst, x0, y0, z0, x1, y1,
               z1);
}
