/* Random ground with a flat top. See standing.h. */
#include "support/solids.h"
#include "support/standing.h"

#include <math.h>

enum { MOST = 9 }; /* cells a side */

typedef struct ground_grid {
    int n, lo[2], hi[2]; /* the top is lo..hi */
    cm_vec3 p[MOST + 1][MOST + 1];
} ground_grid;

static bool on_top(const ground_grid *g, int i, int k) {
    return i >= g->lo[0] && i <= g->hi[0] && k >= g->lo[1] && k <= g->hi[1];
}

/* The top's corners at its halves exactly; what is within it or beyond moves about a little. */
static double grid_line(int i, int lo, int hi, double half, double cell) {
    if (i <= lo) return -half - cell * (lo - i);
    if (i >= hi) return half + cell * (i - hi);
    return -half + 2 * half * (i - lo) / (hi - lo);
}

static void make_grid(ground_grid *g, const rough_ground *ground, bool regular, rng *r) {
    double hx = (double)ground->half.x, hy = (double)ground->half.y, hz = (double)ground->half.z;
    g->n = 4 + (int)rng_below(r, MOST - 3);
    for (int i = 0; i < 2; i++) {
        g->lo[i] = 1 + (int)rng_below(r, 2);
        g->hi[i] = g->n - 1 - (int)rng_below(r, 2);
        if (g->hi[i] <= g->lo[i]) g->hi[i] = g->lo[i] + 1;
    }
    double cx = regular ? 2 * hx / (g->hi[0] - g->lo[0]) : hx / 2,
           cy = regular ? 2 * hy / (g->hi[1] - g->lo[1]) : hy / 2;
    for (int i = 0; i <= g->n; i++)
        for (int k = 0; k <= g->n; k++) {
            double x = grid_line(i, g->lo[0], g->hi[0], hx, cx), y = grid_line(k, g->lo[1], g->hi[1], hy, cy), z = hz;
            bool rim_x = i == g->lo[0] || i == g->hi[0], rim_y = k == g->lo[1] || k == g->hi[1];
            double wide_x = fmin(cx, 2 * hx / (g->hi[0] - g->lo[0])), wide_y = fmin(cy, 2 * hy / (g->hi[1] - g->lo[1]));
            double jx = rng_range(r, -0.3, 0.3) * wide_x, jy = rng_range(r, -0.3, 0.3) * wide_y;
            double low = ground->drop * rng_log_range(r, 1, 30);
            if (!on_top(g, i, k)) z -= low;
            if (!regular && !rim_x) x += jx;
            if (!regular && !rim_y) y += jy;
            g->p[i][k] = cm_v(CM_REAL(x), CM_REAL(y), on_top(g, i, k) ? ground->half.z : CM_REAL(z));
        }
}

static void add_cells(soup *s, const ground_grid *g, rng *r) {
    for (int i = 0; i < g->n; i++)
        for (int k = 0; k < g->n; k++) {
            cm_vec3 a = g->p[i][k], b = g->p[i + 1][k], c = g->p[i + 1][k + 1], d = g->p[i][k + 1];
            bool flat = on_top(g, i, k) && on_top(g, i + 1, k + 1);
            if (rng_below(r, 3) == 0) {
                cm_vec3 m = cm_scale(cm_add(cm_add(a, b), cm_add(c, d)), CM_REAL(0.25));
                if (flat) m.z = a.z;
                soup_add(s, a, b, m);
                soup_add(s, b, c, m);
                soup_add(s, c, d, m);
                soup_add(s, d, a, m);
            } else {
                soup_add_quad(s, a, b, c, d, rng_below(r, 2));
            }
        }
}

/* Walls down from the rim, and a floor. */
static void close_below(soup *s, const ground_grid *g, double floor) {
    int n = g->n;
    for (int i = 0; i < n; i++) {
        const cm_vec3 rim[4][2] = {{g->p[i][0], g->p[i + 1][0]},
                                   {g->p[n][i], g->p[n][i + 1]},
                                   {g->p[i + 1][n], g->p[i][n]},
                                   {g->p[0][i + 1], g->p[0][i]}};
        for (int e = 0; e < 4; e++) {
            cm_vec3 a = rim[e][0], b = rim[e][1], c = b, d = a, hub = cm_v(0, 0, CM_REAL(floor));
            c.z = d.z = hub.z;
            soup_add_quad(s, d, c, b, a, false);
            soup_add(s, c, d, hub);
        }
    }
}

static void make_field(rough_ground *ground, const ground_grid *g, rng *r) {
    cm_real heights[(MOST + 1) * (MOST + 1)];
    for (int i = 0; i <= g->n; i++)
        for (int k = 0; k <= g->n; k++) heights[k * (g->n + 1) + i] = g->p[i][k].z;
    cm_height_field_desc desc = {.heights = heights,
                                 .columns = (uint32_t)g->n + 1,
                                 .rows = (uint32_t)g->n + 1,
                                 .column_spacing = g->p[g->lo[0] + 1][0].x - g->p[g->lo[0]][0].x,
                                 .row_spacing = g->p[0][g->lo[1] + 1].y - g->p[0][g->lo[1]].y,
                                 .other_diagonal = rng_below(r, 2)};
    desc.origin = cm_v(g->p[0][0].x, g->p[0][0].y, 0);
    if (cm_height_field_build(&desc, NULL, &ground->field, NULL) != CM_OK) fail_msg("the field cannot be built");
    ground->shape = cm_make_height_field(ground->field);
    /* the plan as rounded: where the field's own samples are */
    double x0 = (double)desc.origin.x + g->lo[0] * (double)desc.column_spacing;
    double x1 = (double)desc.origin.x + g->hi[0] * (double)desc.column_spacing;
    double y0 = (double)desc.origin.y + g->lo[1] * (double)desc.row_spacing;
    double y1 = (double)desc.origin.y + g->hi[1] * (double)desc.row_spacing;
    ground->half.x = CM_REAL(fmin(-x0, x1)), ground->half.y = CM_REAL(fmin(-y0, y1));
}

void rough_ground_make(rough_ground *g, double scale, rng *r) {
    static const char *const names[3] = {"solid mesh", "surface mesh", "height field"};
    uint32_t what = rng_below(r, 3);
    memset(g, 0, sizeof *g);
    g->name = names[what];
    g->solid = what == 0;
    double x = nice_size(r) * scale, y = nice_size(r) * scale, z = nice_size(r) * scale;
    g->half = cm_v(CM_REAL(x), CM_REAL(y), CM_REAL(z));
    g->drop = 0.05 * fmin(x, y);
    ground_grid grid;
    make_grid(&grid, g, what == 2, r);
    if (what == 2) {
        make_field(g, &grid, r);
        return;
    }
    soup s = {0};
    add_cells(&s, &grid, r);
    if (what == 0) close_below(&s, &grid, -(double)g->half.z - 40 * g->drop);
    g->mesh = soup_build(&s, what == 0);
    g->shape = cm_make_mesh(g->mesh);
}

static bool same_point(cm_vec3 a, cm_vec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }
static uint32_t ground_triangles(const rough_ground *g) {
    if (g->mesh) return cm_mesh_triangle_count(g->mesh);
    cm_height_field_info info;
    cm_height_field_get_info(g->field, &info);
    return info.triangles;
}
static void ground_triangle(const rough_ground *g, uint32_t i, cm_vec3 out[3]) {
    cm_triangle t;
    uint32_t corner[3];
    if (g->mesh) {
        cm_mesh_corners(g->mesh, i, corner);
        for (int k = 0; k < 3; k++) out[k] = cm_mesh_points(g->mesh)[corner[k]];
    } else {
        cm_height_field_triangle(g->field, i, &t);
        out[0] = t.a, out[1] = t.b, out[2] = t.c;
    }
}

bool rough_ground_left_beside(const rough_ground *g, const cm_pose *at, uint32_t triangle, const cm_shape *body,
                              const cm_pose *pose, cm_vec3 normal, double depth, double deep) {
    enum { LIMIT = 1024 };
    const uint32_t count = ground_triangles(g);
    const double scale =
        (double)cm_largest(at->position) + (double)cm_largest(pose->position) + (double)cm_largest(g->half);
    const double rounding = 64 * (double)CM_REAL_EPSILON * scale, sliver = 1e-6 * deep;
    bool in[LIMIT] = {false};
    uint32_t list[LIMIT], listed = 0;
    cm_vec3 p[3], q[3];
    cm_pose moved = *pose;
    if (count > LIMIT) fail_msg("%u triangles", count);
    moved.position = cm_mul_add(pose->position, CM_REAL(depth * (1 + 1e-2) + rounding), normal);
    ground_triangle(g, triangle, p);
    const cm_shape own = cm_make_triangle(p[0], p[1], p[2]);
    if (cm_overlap(&own, at, body, &moved)) return false;
    moved.position = cm_mul_add(pose->position, CM_REAL(fmax(depth, deep) * (1 + 1e-2) + rounding), normal);
    in[triangle] = true, list[listed++] = triangle;
    for (uint32_t known = 0; known < listed; known++) {
        ground_triangle(g, list[known], p);
        if (p[0].z == g->half.z && p[1].z == g->half.z && p[2].z == g->half.z) return false;
        const cm_shape met = cm_make_triangle(p[0], p[1], p[2]);
        if (cm_overlap(&met, at, body, &moved)) return false;
        for (uint32_t i = 0; i < count; i++) {
            ground_triangle(g, i, q);
            for (int e = 0; e < 9 && !in[i]; e++) { /* the same edge, the other way, and within the body? */
                const cm_vec3 a = p[e / 3], b = p[(e / 3 + 1) % 3];
                if (!same_point(a, q[(e + 1) % 3]) || !same_point(b, q[e % 3])) continue;
                const cm_shape edge = cm_make_segment(a, b);
                if ((double)cm_distance(&edge, at, body, pose, 1, NULL) <= -sliver) in[i] = true, list[listed++] = i;
            }
        }
    }
    return true;
}

void rough_ground_free(rough_ground *g) {
    cm_mesh_destroy(g->mesh, NULL);
    cm_height_field_destroy(g->field, NULL);
}
