/* Writes the models of scenes/gears.json, screw.json and chain.json into a folder: gear.obj, screw.obj, nut.obj,
 * link.obj. All closed, counter-clockwise seen from outside, in meters, around the z axis.
 *   cc scenes/turning/make.c -lm -o make && ./make scenes/turning */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define PI 3.14159265358979323846

static FILE *file;
static int points;

static int point(double x, double y, double z) {
    fprintf(file, "v %.6f %.6f %.6f\n", x + 0.0, y + 0.0, z + 0.0);
    return ++points;
}
static void triangle(int a, int b, int c) { fprintf(file, "f %d %d %d\n", a, b, c); }
static void quad(int a, int b, int c, int d) { triangle(a, b, c), triangle(a, c, d); }

static void start(const char *folder, const char *name, const char *about) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    file = fopen(path, "w");
    if (!file) perror(path), exit(1);
    points = 0;
    fprintf(file, "# %s Written by make.c.\n", about);
}

/* A wheel of 12 trapezoid teeth. */
static void gear(void) {
    enum { TEETH = 12, N = 4 * TEETH };
    const double at[4] = {-.30, -.14, .14, .30}, radius[4] = {.8, 1.04, 1.04, .8}, hub = .25, half = .2;
    int ring[4][N]; /* outside below, outside above, hub below, hub above */
    for (int k = 0; k < 4; k++)
        for (int i = 0; i < N; i++) {
            const double a = (i / 4 + at[i % 4]) * 2 * PI / TEETH, r = k < 2 ? radius[i % 4] : hub;
            ring[k][i] = point(r * cos(a), r * sin(a), k % 2 ? half : -half);
        }
    for (int i = 0; i < N; i++) {
        const int j = (i + 1) % N;
        quad(ring[0][i], ring[0][j], ring[1][j], ring[1][i]);
        quad(ring[2][j], ring[2][i], ring[3][i], ring[3][j]);
        quad(ring[1][i], ring[1][j], ring[3][j], ring[3][i]);
        quad(ring[0][j], ring[0][i], ring[2][i], ring[2][j]);
    }
}

/* A thread of pitch 1/4: its surface lies at radius(z - pitch * angle / 2 pi). A screw is closed at its ends by caps, a
 * nut by its outside, a cylinder. */
static void thread(double low, double high, double root, double crest, double outside) {
    enum { AROUND = 24, STEPS = 8 };
    const double pitch = .25;
    const int along = (int)((high - low) / pitch * STEPS + .5);
    int *row = malloc(sizeof *row * (size_t)AROUND * (size_t)(along + 1)), *rim = malloc(sizeof *rim * 2 * AROUND);
    for (int i = 0; i <= along; i++)
        for (int j = 0; j < AROUND; j++) {
            const double z = low + i * pitch / STEPS, turn = (double)j / AROUND;
            double phase = z / pitch - turn;
            phase -= floor(phase);
            const double up = phase < .5 ? 2 * phase : 2 - 2 * phase, r = root + (crest - root) * up;
            row[i * AROUND + j] = point(r * cos(2 * PI * turn), r * sin(2 * PI * turn), z);
        }
    for (int i = 0; i < along; i++)
        for (int j = 0; j < AROUND; j++) {
            const int k = (j + 1) % AROUND, a = row[i * AROUND + j], b = row[i * AROUND + k];
            const int c = row[(i + 1) * AROUND + k], d = row[(i + 1) * AROUND + j];
            if (outside > 0)
                quad(d, c, b, a);
            else
                quad(a, b, c, d);
        }
    for (int end = 0; end < 2; end++) {
        const int *edge = row + (end ? along * AROUND : 0);
        const double z = end ? high : low;
        const int middle = outside > 0 ? 0 : point(0, 0, z);
        for (int j = 0; j < AROUND && outside > 0; j++) {
            const double a = 2 * PI * j / AROUND;
            rim[end * AROUND + j] = point(outside * cos(a), outside * sin(a), z);
        }
        for (int j = 0; j < AROUND; j++) {
            const int k = (j + 1) % AROUND, *r = rim + end * AROUND;
            if (outside > 0 && end) quad(edge[j], r[j], r[k], edge[k]);
            if (outside > 0 && !end) quad(edge[k], r[k], r[j], edge[j]);
            if (!(outside > 0) && end) triangle(middle, edge[j], edge[k]);
            if (!(outside > 0) && !end) triangle(middle, edge[k], edge[j]);
        }
    }
    for (int j = 0; j < AROUND && outside > 0; j++) {
        const int k = (j + 1) % AROUND;
        quad(rim[j], rim[k], rim[AROUND + k], rim[AROUND + j]);
    }
    free(row), free(rim);
}

/* A long link: two half rings of radius 0.3 and straight pieces of 0.4, of a wire of radius 0.08, in the plane of x and
 * y. */
static void link(void) {
    enum { AROUND = 24, ACROSS = 10 };
    int ring[AROUND][ACROSS];
    for (int i = 0; i < AROUND; i++) {
        const double a = 2 * PI * (i + .5) / AROUND, shift = cos(a) > 0 ? .2 : -.2;
        for (int j = 0; j < ACROSS; j++) {
            const double b = 2 * PI * j / ACROSS, r = .3 + .08 * cos(b);
            ring[i][j] = point(shift + r * cos(a), r * sin(a), .08 * sin(b));
        }
    }
    for (int i = 0; i < AROUND; i++)
        for (int j = 0; j < ACROSS; j++) {
            const int k = (i + 1) % AROUND, l = (j + 1) % ACROSS;
            quad(ring[i][j], ring[k][j], ring[k][l], ring[i][l]);
        }
}

int main(int argc, char **argv) {
    const char *folder = argc > 1 ? argv[1] : ".";
    start(folder, "gear.obj", "A wheel of 12 teeth.");
    gear();
    fclose(file);
    start(folder, "screw.obj", "A screw of pitch 1/4.");
    thread(-.75, .75, .25, .375, 0);
    fclose(file);
    start(folder, "nut.obj", "A nut for that screw, with a gap of 0.05 around it.");
    thread(-.25, .25, .3, .425, .65);
    fclose(file);
    start(folder, "link.obj", "A link of a chain.");
    link();
    fclose(file);
    return 0;
}
