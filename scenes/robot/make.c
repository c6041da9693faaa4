/* Writes the links of the robot as binary STL files, in millimetres, into a folder:
 *
 *     cc make.c -lm -o make && ./make .
 *
 * Each link is a profile drawn out straight: closed, and the same bytes wherever it runs, as corners lie on a grid of
 * 1/64 mm. A link's origin is the joint that it turns about. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 32 };

/* Counter-clockwise seen from above: points of a plane, drawn out from `low` to `high` above it. */
typedef struct profile {
    int count;
    double u[MOST], v[MOST];
} profile;

static double on_grid(double mm) { return floor(mm * 64 + 0.5) / 64; }

/* Around two disks, of radius r at the origin and of radius s at (0, length). */
static profile around(double r, double s, double length, int steps) {
    profile p = {0};
    for (int half = 0; half < 2; half++)
        for (int i = 0; i <= steps; i++) {
            double angle = 3.14159265358979323846 * (half ? (double)i / steps : 1 + (double)i / steps);
            double radius = half ? s : r;
            p.u[p.count] = on_grid(radius * cos(angle));
            p.v[p.count++] = on_grid(radius * sin(angle) + (half ? length : 0));
        }
    return p;
}
static profile disk(double radius, int sides) {
    profile p = {.count = sides};
    for (int i = 0; i < sides; i++) {
        p.u[i] = on_grid(radius * cos(6.28318530717958647693 * i / sides));
        p.v[i] = on_grid(radius * sin(6.28318530717958647693 * i / sides));
    }
    return p;
}
static profile corners(const double (*list)[2], int count) {
    profile p = {.count = count};
    for (int i = 0; i < count; i++) p.u[i] = list[i][0], p.v[i] = list[i][1];
    return p;
}

static void put_u32(FILE *file, uint32_t n) {
    for (int i = 0; i < 4; i++) fputc((int)(n >> 8 * i & 255), file);
}
static void put_real(FILE *file, double x) {
    float f = (float)x;
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    put_u32(file, bits);
}

/* `upright`: the profile lies in x and z and is drawn out along y; else in x and y, along z. */
typedef struct solid {
    FILE *file;
    const profile *p;
    double low, high;
    int upright;
} solid;

static void put_triangle(const solid *s, const int at[3], const int top[3]) {
    for (int i = 0; i < 3; i++) put_real(s->file, 0); /* readers take the normal from the corners */
    for (int i = 0; i < 3; i++) {
        int k = s->upright ? 2 - i : i; /* x, z, y is a left-handed order */
        double height = top[k] ? s->high : s->low;
        put_real(s->file, s->p->u[at[k]]);
        put_real(s->file, s->upright ? height : s->p->v[at[k]]);
        put_real(s->file, s->upright ? s->p->v[at[k]] : height);
    }
    fputc(0, s->file), fputc(0, s->file);
}

static int write_link(const char *folder, const char *name, profile p, double low, double high, int upright) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s.stl", folder, name);
    solid s = {fopen(path, "wb"), &p, low, high, upright};
    if (!s.file) {
        perror(path);
        return 1;
    }
    char head[80] = {0};
    snprintf(head, sizeof head, "carom robot: %s", name);
    fwrite(head, 1, sizeof head, s.file);
    put_u32(s.file, (uint32_t)(4 * p.count - 4));
    for (int i = 0; i < p.count; i++) {
        int k = (i + 1) % p.count;
        put_triangle(&s, (const int[3]){i, k, k}, (const int[3]){0, 0, 1});
        put_triangle(&s, (const int[3]){i, k, i}, (const int[3]){0, 1, 1});
    }
    for (int i = 1; i + 1 < p.count; i++) {
        put_triangle(&s, (const int[3]){0, i + 1, i}, (const int[3]){0, 0, 0});
        put_triangle(&s, (const int[3]){0, i, i + 1}, (const int[3]){1, 1, 1});
    }
    return fclose(s.file) != 0;
}

int main(int count, char **arguments) {
    const char *to = count > 1 ? arguments[1] : ".";
    static const double yoke[][2] = {{-120, 0}, {120, 0}, {120, 60}, {70, 260}, {-70, 260}, {-120, 60}};
    static const double finger[][2] = {{-6, 0}, {6, 0}, {6, 70}, {2, 100}, {-6, 100}};
    int bad = write_link(to, "base", disk(160, 20), 0, 300, 0);
    bad |= write_link(to, "turret", corners(yoke, 6), -75, 75, 1);
    bad |= write_link(to, "upper", around(90, 70, 600, 8), -60, 60, 1);
    bad |= write_link(to, "fore", around(65, 45, 500, 8), -45, 45, 1);
    bad |= write_link(to, "hand", around(45, 35, 100, 6), -60, 60, 1);
    bad |= write_link(to, "finger", corners(finger, 5), -12, 12, 1);
    return bad;
}
