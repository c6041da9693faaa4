/* Pictures: see picture.h. Depths are held as their reciprocals, which are linear over a triangle on the screen; 0 is
 * far away. */
#include "bcf/picture.h"

#include "common/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { SAMPLES = 2, WIDTH = SAMPLES * PICTURE_WIDTH, HEIGHT = SAMPLES * PICTURE_HEIGHT };

const char *const picture_colors[PICTURE_SIDES] = {"F28C28", "3D7FD6"};
static const float side_rgb[PICTURE_SIDES][3] = {{242, 140, 40}, {61, 127, 214}};
static const float background[3] = {246, 247, 249};

/* What is nearest of one side. */
typedef struct layer {
    float *near;              /* 1 / depth; 0 where there is nothing */
    signed char (*normal)[4]; /* in the camera's axes, times 127 */
} layer;

/* Of lines, the greater over the less. */
enum { LINE_NONE, LINE_HIDDEN_RIM, LINE_HIDDEN_CORE, LINE_RIM, LINE_CORE };

struct picture {
    camera from;
    double scale; /* samples of one unit at depth 1 */
    layer layers[PICTURE_SIDES];
    unsigned char *lines;
};

typedef struct spot {
    double x, y, near; /* on the screen, in samples; 1 / depth */
} spot;

picture *picture_begin(const camera *seen_from) {
    picture *p = allocate(1, sizeof *p);
    p->from = *seen_from;
    p->scale = HEIGHT / (2 * seen_from->slope);
    for (int i = 0; i < PICTURE_SIDES; i++) {
        p->layers[i].near = allocate(WIDTH * HEIGHT, sizeof(float));
        p->layers[i].normal = allocate(WIDTH * HEIGHT, 4);
    }
    p->lines = allocate(WIDTH * HEIGHT, 1);
    return p;
}

/* In the camera's axes: right, up, forward. */
static cm_vec3 to_camera(const camera *c, cm_vec3 point) {
    const cm_vec3 d = cm_sub(point, c->at);
    return cm_v(cm_dot(d, c->right), cm_dot(d, c->up), cm_dot(d, c->forward));
}

static spot to_screen(const picture *p, cm_vec3 c) {
    return (spot){WIDTH / 2.0 + p->scale * c.x / c.z, HEIGHT / 2.0 - p->scale * c.y / c.z, 1 / c.z};
}

/* --- triangles --------------------------------------------------------------------------------------------------- */

/* The samples of a row whose centers are in the triangle: where three linear functions are not negative. */
static void row_range(const spot t[3], double area, double y, int *first, int *last) {
    double low = 0, high = WIDTH - 1;
    for (int i = 0; i < 3; i++) {
        const spot a = t[i], b = t[(i + 1) % 3];
        const double slope = area > 0 ? a.y - b.y : b.y - a.y;
        const double value = (area > 0 ? 1 : -1) * ((b.x - a.x) * (y - a.y) + (b.y - a.y) * (a.x - 0.5));
        if (slope > 0) low = fmax(low, -value / slope);
        if (slope < 0) high = fmin(high, -value / slope);
        if (slope == 0 && value < 0) high = -1;
    }
    *first = (int)ceil(low), *last = (int)floor(high);
}

static void fill(layer *l, const spot t[3], const signed char normal[4]) {
    const double area = (t[1].x - t[0].x) * (t[2].y - t[0].y) - (t[2].x - t[0].x) * (t[1].y - t[0].y);
    if (!(fabs(area) > 0) || !isfinite(area)) return;
    const double top = fmin(t[0].y, fmin(t[1].y, t[2].y)), bottom = fmax(t[0].y, fmax(t[1].y, t[2].y));
    const int from = (int)ceil(fmax(top - 0.5, 0)), to = (int)floor(fmin(bottom - 0.5, HEIGHT - 1));
    const double across =
        ((t[1].near - t[0].near) * (t[2].y - t[0].y) - (t[2].near - t[0].near) * (t[1].y - t[0].y)) / area;
    const double down =
        ((t[2].near - t[0].near) * (t[1].x - t[0].x) - (t[1].near - t[0].near) * (t[2].x - t[0].x)) / area;
    for (int y = from; y <= to; y++) {
        int first, last;
        row_range(t, area, y + 0.5, &first, &last);
        for (int x = first; x <= last; x++) {
            const float near = (float)(t[0].near + across * (x + 0.5 - t[0].x) + down * (y + 0.5 - t[0].y));
            const size_t at = (size_t)y * WIDTH + (size_t)x;
            if (!(near > l->near[at])) continue;
            l->near[at] = near;
            memcpy(l->normal[at], normal, 4);
        }
    }
}

/* What of the triangle is not nearer than it may be: three or four corners, or none. */
static int cut_near(const cm_vec3 corners[3], double nearest, cm_vec3 out[4]) {
    int count = 0;
    for (int i = 0; i < 3; i++) {
        const cm_vec3 a = corners[i], b = corners[(i + 1) % 3];
        if (a.z >= nearest) out[count++] = a;
        if ((a.z < nearest) != (b.z < nearest)) {
            out[count] = cm_lerp(a, b, (nearest - a.z) / (b.z - a.z));
            out[count++].z = nearest;
        }
    }
    return count;
}

static void draw_triangle(picture *p, layer *l, const cm_vec3 corners[3]) {
    const cm_vec3 n =
        cm_normalize(cm_cross(cm_sub(corners[1], corners[0]), cm_sub(corners[2], corners[0])), cm_v(0, 0, 1));
    const double sign = cm_dot(n, corners[0]) > 0 ? -127 : 127; /* both sides are seen */
    const signed char normal[4] = {(signed char)(sign * n.x), (signed char)(sign * n.y), (signed char)(sign * n.z), 0};
    cm_vec3 cut[4];
    const int count = cut_near(corners, p->from.nearest, cut);
    for (int i = 2; i < count; i++) {
        const spot t[3] = {to_screen(p, cut[0]), to_screen(p, cut[i - 1]), to_screen(p, cut[i])};
        fill(l, t, normal);
    }
}

void picture_mesh(picture *p, const cm_mesh *mesh, const cm_pose *pose, picture_side side) {
    const uint32_t point_count = cm_mesh_point_count(mesh), count = cm_mesh_triangle_count(mesh);
    const cm_vec3 *points = cm_mesh_points(mesh);
    cm_vec3 *seen = allocate(point_count, sizeof *seen);
    for (uint32_t i = 0; i < point_count; i++) seen[i] = to_camera(&p->from, cm_pose_apply(pose, points[i]));
    for (uint32_t i = 0; i < count; i++) {
        uint32_t c[3];
        cm_mesh_corners(mesh, i, c);
        const cm_vec3 corners[3] = {seen[c[0]], seen[c[1]], seen[c[2]]};
        draw_triangle(p, &p->layers[side], corners);
    }
    free(seen);
}

/* --- lines ------------------------------------------------------------------------------------------------------- */

static void stamp(picture *p, spot s) {
    enum { REACH = 4 };
    if (!(s.x > -REACH && s.x < WIDTH + REACH && s.y > -REACH && s.y < HEIGHT + REACH)) return;
    const int left = (int)floor(s.x), top = (int)floor(s.y);
    for (int y = top - REACH; y <= top + REACH; y++)
        for (int x = left - REACH; x <= left + REACH; x++) {
            const int square = (x - left) * (x - left) + (y - top) * (y - top);
            if (x < 0 || y < 0 || x >= WIDTH || y >= HEIGHT || square > REACH * REACH) continue;
            const size_t at = (size_t)y * WIDTH + (size_t)x;
            /* The line lies on both surfaces: it is hidden only by what is clearly before it. */
            const float cover = fmaxf(p->layers[PICTURE_A].near[at], p->layers[PICTURE_B].near[at]);
            const bool hidden = s.near < 0.99 * (double)cover, core = square <= 3;
            const unsigned char kind = (unsigned char)(hidden ? core ? LINE_HIDDEN_CORE : LINE_HIDDEN_RIM
                                                       : core ? LINE_CORE
                                                              : LINE_RIM);
            if (kind > p->lines[at]) p->lines[at] = kind;
        }
}

/* The part of a line that is on the screen, as shares of it: cut at one border. */
static void cut_line(double from, double step, double limit, double *low, double *high) {
    if (step > 0) *high = fmin(*high, (limit - from) / step);
    if (step < 0) *low = fmax(*low, (limit - from) / step);
    if (step == 0 && from > limit) *high = -1;
}

void picture_line(picture *p, cm_vec3 from, cm_vec3 to) {
    cm_vec3 a = to_camera(&p->from, from), b = to_camera(&p->from, to);
    const double nearest = p->from.nearest;
    if (a.z < nearest && b.z < nearest) return;
    if (a.z < nearest) a = cm_lerp(b, a, (b.z - nearest) / (b.z - a.z));
    if (b.z < nearest) b = cm_lerp(a, b, (a.z - nearest) / (a.z - b.z));
    const spot s = to_screen(p, a), t = to_screen(p, b);
    const double across = t.x - s.x, down = t.y - s.y;
    double low = 0, high = 1;
    cut_line(s.x, across, WIDTH, &low, &high), cut_line(-s.x, -across, 0, &low, &high);
    cut_line(s.y, down, HEIGHT, &low, &high), cut_line(-s.y, -down, 0, &low, &high);
    if (!(low <= high)) return;
    const int steps = (int)ceil((high - low) * fmax(fabs(across), fabs(down)));
    for (int i = 0; i <= steps; i++) {
        const double u = steps > 0 ? low + (high - low) * i / steps : low;
        stamp(p, (spot){s.x + u * across, s.y + u * down, s.near + u * (t.near - s.near)});
    }
}

/* --- the image --------------------------------------------------------------------------------------------------- */

/* Is there an edge between a sample and its neighbor: a border of the side, or a corner in its surface? */
static bool is_edge(const layer *l, size_t at, size_t next) {
    if ((l->near[at] > 0) != (l->near[next] > 0)) return true;
    const signed char *a = l->normal[at], *b = l->normal[next];
    return l->near[at] > 0 && a[0] * b[0] + a[1] * b[1] + a[2] * b[2] < 15000; /* of 127^2: 21 degrees */
}

static void color_of(const picture *p, int side, int x, int y, float out[3]) {
    const layer *l = &p->layers[side];
    const size_t at = (size_t)y * WIDTH + (size_t)x;
    const float *n = (const float[]){(float)l->normal[at][0], (float)l->normal[at][1], (float)l->normal[at][2]};
    const float lit = (0.28f * n[0] + 0.55f * n[1] - 0.79f * n[2]) / 127; /* from above, the right and the camera */
    const bool edge = (x + 1 < WIDTH && is_edge(l, at, at + 1)) || (y + 1 < HEIGHT && is_edge(l, at, at + WIDTH));
    const float shade = (0.62f + 0.38f * fmaxf(lit, 0)) * (edge ? 0.4f : 1);
    for (int i = 0; i < 3; i++) out[i] = shade * side_rgb[side][i];
}

static void mix(float out[3], const float with[3], float share) {
    for (int i = 0; i < 3; i++) out[i] += share * (with[i] - out[i]);
}

static void sample_color(const picture *p, picture_side glass, int x, int y, float out[3]) {
    static const float white[3] = {255, 255, 255}, red[3] = {214, 31, 38};
    const size_t at = (size_t)y * WIDTH + (size_t)x;
    const float a = p->layers[PICTURE_A].near[at], b = p->layers[PICTURE_B].near[at];
    const bool same = fabsf(a - b) <= 1e-4f * fmaxf(a, b); /* one face on the other: stripes of both */
    const int front = same ? (x + y) / 16 % 2 : b > a;
    memcpy(out, background, sizeof background);
    if (a > 0 || b > 0) {
        float own[3];
        if (a > 0 && b > 0) color_of(p, !front, x, y, out);
        color_of(p, front, x, y, own);
        mix(out, own, front == (int)glass ? 0.3f : 1);
    }
    const unsigned char line = p->lines[at];
    if (line != LINE_NONE)
        mix(out, line == LINE_CORE || line == LINE_HIDDEN_CORE ? white : red, line >= LINE_RIM ? 1 : 0.45f);
}

/* Rows of PNG: a byte for the filter (2: differences to the row above), then red, green, blue. */
static unsigned char *make_rows(const picture *p, picture_side glass, size_t *size) {
    enum { ROW = 3 * PICTURE_WIDTH };
    *size = (size_t)(ROW + 1) * PICTURE_HEIGHT;
    unsigned char *rows = allocate(*size, 1), above[ROW] = {0};
    for (int y = 0; y < PICTURE_HEIGHT; y++) {
        unsigned char *row = rows + (size_t)y * (ROW + 1);
        *row++ = 2;
        for (int x = 0; x < PICTURE_WIDTH; x++) {
            float sum[3] = {0, 0, 0}, one[3];
            for (int k = 0; k < SAMPLES * SAMPLES; k++) {
                sample_color(p, glass, SAMPLES * x + k % SAMPLES, SAMPLES * y + k / SAMPLES, one);
                for (int i = 0; i < 3; i++) sum[i] += one[i];
            }
            for (int i = 0; i < 3; i++) {
                const unsigned char value = (unsigned char)(sum[i] / (SAMPLES * SAMPLES) + 0.5f);
                row[3 * x + i] = (unsigned char)(value - above[3 * x + i]);
                above[3 * x + i] = value;
            }
        }
    }
    return rows;
}

static void put_u32(unsigned char *out, size_t value) {
    for (int i = 0; i < 4; i++) out[i] = (unsigned char)(value >> (24 - 8 * i));
}

/* A chunk of PNG: its length, its name, its bytes, their checksum. Returns its end. */
static unsigned char *put_chunk(unsigned char *out, const char *name, const void *bytes, size_t size) {
    put_u32(out, size);
    memcpy(out + 4, name, 4);
    if (size > 0) memcpy(out + 8, bytes, size);
    put_u32(out + 8 + size, crc32(0, out + 4, (uInt)(size + 4)));
    return out + 12 + size;
}

static unsigned char *make_png(const unsigned char *rows, size_t row_size, size_t *size) {
    static const unsigned char magic[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    unsigned char head[13] = {[8] = 8, [9] = 2}; /* 8 bits each of red, green, blue */
    put_u32(head, PICTURE_WIDTH), put_u32(head + 4, PICTURE_HEIGHT);
    uLongf packed = compressBound((uLong)row_size);
    unsigned char *data = allocate(packed, 1), *out = NULL;
    if (compress2(data, &packed, rows, (uLong)row_size, 6) == Z_OK) {
        out = allocate(packed + 100, 1);
        memcpy(out, magic, sizeof magic);
        unsigned char *at = put_chunk(out + sizeof magic, "IHDR", head, sizeof head);
        at = put_chunk(at, "IDAT", data, packed);
        at = put_chunk(at, "IEND", NULL, 0);
        *size = (size_t)(at - out);
    }
    free(data);
    if (out) return out;
    complain(EXIT_INTERNAL, "out of memory");
    exit(EXIT_INTERNAL);
}

unsigned char *picture_end(picture *p, picture_side glass, size_t *size) {
    size_t row_size;
    unsigned char *rows = make_rows(p, glass, &row_size), *png = make_png(rows, row_size, size);
    free(rows);
    for (int i = 0; i < PICTURE_SIDES; i++) free(p->layers[i].near), free(p->layers[i].normal);
    free(p->lines);
    free(p);
    return png;
}
