/* The same seeded queries, asked of a build of the library and written to a file; and what changed between two such
 * files. tools/differ builds it against two builds. It is no benchmark: it shows whoever changes answers which.
 *     answers ask SEED COUNT FILE
 *     answers compare SEED COUNT OLD NEW [SAMPLES]
 * Poses do not depend on what the library answers: half of them are random, half are as people have them, sizes and
 * offsets from small sets of numbers, faces in touch up to an ulp or a little more, shared axes, quarter turns, any
 * turn about an axis that both share; standing on, over an edge, within, the same place. */
#include <carom/carom.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(a) ((int)(sizeof(a) / sizeof *(a)))

static uint64_t rng_state;
static uint64_t rng_bits(void) { /* splitmix64 */
    uint64_t z = (rng_state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}
static int below(int n) { return (int)((rng_bits() >> 33) % (uint64_t)n); }
static double range(double lo, double hi) { return lo + (hi - lo) * ((double)(rng_bits() >> 11) * 0x1p-53); }
static cm_vec3 any_vec3(double half) {
    cm_real n[3];
    for (int k = 0; k < 3; k++) n[k] = CM_REAL(range(-half, half));
    return cm_v(n[0], n[1], n[2]);
}

/* --- shapes: the box of half sizes 1, 0.5, 0.25 in five forms, and others in that box ------------------------- */

typedef struct named {
    const char *name;
    cm_shape shape;
} named;
static named shapes[20];
static int shape_count;
enum { BOX_FORMS = 5 }; /* the first ones */
static const double half_size[3] = {1, 0.5, 0.25};

static void keep(const char *name, cm_shape shape) {
    shapes[shape_count].name = name;
    shapes[shape_count++].shape = shape;
}
static void must(cm_status status) {
    if (status != CM_OK) exit((fprintf(stderr, "answers: %s\n", cm_status_text(status)), 1));
}

/* The box's surface, its faces cut into cells * cells squares; of a sheet only the upper face. */
static cm_mesh *box_mesh(int cells, int first_face, bool solid) {
    static cm_real numbers[6 * 16 * 2 * 9];
    int n = 0;
    for (int face = first_face; face < 6; face++) {
        int axis = face / 2, u = (axis + 1) % 3, v = (axis + 2) % 3;
        for (int cell = 0; cell < cells * cells; cell++) {
            for (int k = 0; k < 6; k++) {
                int at = face % 2 ? k : 5 - k; /* outward */
                int right = cell % cells + (at == 1 || at == 2 || at == 4);
                int up = cell / cells + (at == 2 || at == 4 || at == 5);
                double p[3];
                p[axis] = face % 2 ? half_size[axis] : -half_size[axis];
                p[u] = half_size[u] * (2.0 * right / cells - 1), p[v] = half_size[v] * (2.0 * up / cells - 1);
                for (int c = 0; c < 3; c++) numbers[n++] = CM_REAL(p[c]);
            }
        }
    }
    cm_mesh_desc desc = {.points = numbers, .point_count = (uint32_t)n / 3, .solid = solid};
    cm_mesh *mesh = NULL;
    must(cm_mesh_build(&desc, NULL, &mesh, NULL));
    return mesh;
}

static void make_shapes(void) {
    const cm_vec3 half = cm_v(1, CM_REAL(0.5), CM_REAL(0.25)), none = cm_v(0, 0, 0);
    const cm_real q = CM_REAL(0.25);
    cm_vec3 corners[8], cloud[20];
    for (int i = 0; i < 8; i++)
        corners[i] = cm_v(i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z);
    for (int i = 0; i < 20; i++) cloud[i] = any_vec3(0.5);
    cm_hull *box_hull = NULL, *hull = NULL;
    cm_hull_desc hull_desc = {.points = &corners[0].x, .point_count = 8};
    must(cm_hull_build(&hull_desc, NULL, &box_hull, NULL));
    hull_desc.points = &cloud[0].x, hull_desc.point_count = 20;
    must(cm_hull_build(&hull_desc, NULL, &hull, NULL));
    cm_compound_child children[2];
    memset(children, 0, sizeof children);
    for (int i = 0; i < 2; i++) {
        children[i].shape = cm_make_box(cm_v(CM_REAL(0.5), CM_REAL(0.5), q));
        children[i].pose.position.x = i ? CM_REAL(0.5) : CM_REAL(-0.5);
    }
    cm_compound_desc compound_desc = {.children = children, .count = 2};
    cm_compound *compound = NULL;
    must(cm_compound_build(&compound_desc, NULL, &compound, NULL));
    cm_real heights[25];
    for (int i = 0; i < 25; i++) heights[i] = i % 7 == 3 ? q : 0;
    cm_height_field_desc field_desc = {.heights = heights, .columns = 5, .rows = 5};
    field_desc.column_spacing = field_desc.row_spacing = CM_REAL(0.5), field_desc.origin = cm_v(-1, -1, 0);
    cm_height_field *field = NULL;
    must(cm_height_field_build(&field_desc, NULL, &field, NULL));
    keep("box", cm_make_box(half));
    keep("hull of a box", cm_make_hull(box_hull));
    keep("mesh of 12", cm_make_mesh(box_mesh(1, 0, true)));
    keep("mesh of 192", cm_make_mesh(box_mesh(4, 0, true)));
    keep("compound", cm_make_compound(compound));
    keep("surface of 12", cm_make_mesh(box_mesh(1, 0, false)));
    keep("sheet", cm_make_mesh(box_mesh(2, 5, false)));
    keep("height field", cm_make_height_field(field));
    keep("half-space", cm_make_halfspace(cm_v(0, 0, 1), q));
    keep("point", cm_make_point(none));
    keep("sphere", cm_make_sphere(none, q));
    keep("segment", cm_make_segment(cm_v(-1, 0, 0), cm_v(1, 0, 0)));
    keep("capsule", cm_make_capsule(cm_v(-q, 0, 0), cm_v(q, 0, 0), q));
    keep("triangle", cm_make_triangle(cm_v(0, 0, 0), cm_v(1, 0, 0), cm_v(0, CM_REAL(0.5), 0)));
    keep("rounded box", cm_make_rounded_box(cm_v(CM_REAL(0.75), q, q / 2), q / 2));
    keep("cylinder", cm_make_cylinder(CM_REAL(0.5), q));
    keep("cone", cm_make_cone(CM_REAL(0.5), q));
    keep("ellipsoid", cm_make_ellipsoid(half));
    keep("hull", cm_make_hull(hull));
}

/* --- queries --------------------------------------------------------------------------------------------------- */

typedef struct query {
    bool standing;
    int a, b;
    cm_motion ma, mb; /* straight; spins are taken in the second sweep */
    cm_vec3 spin_a, spin_b;
} query;

static cm_quat turn_about(int axis, double angle) {
    cm_quat q = {0, 0, 0, 1};
    double s = sin(angle / 2);
    ((cm_real *)&q)[axis] = CM_REAL(s), q.w = CM_REAL(cos(angle / 2));
    return cm_quat_normalize(q);
}

static cm_vec3 along_axis(double size) {
    cm_vec3 v = cm_v(0, 0, 0);
    ((cm_real *)&v)[below(3)] = CM_REAL(below(2) ? size : -size);
    return v;
}

static void standing_query(query *q) {
    static const double nice[] = {0, 0, 0.25, -0.25, 0.5, -0.5, 1, -1, 1.5, -1.5, 2, -2, 0.75, 0.1};
    static const double depths[] = {0, 0, 0, 1e-7, -1e-7, 1e-5, -1e-5, 1e-3, -1e-3, 1e-2, -1e-2};
    const double pi = 3.14159265358979323846;
    int axis = below(3), way = below(5);
    if (below(2)) q->a = below(BOX_FORMS), q->b = below(BOX_FORMS);
    q->mb.start.position = cm_v(CM_REAL(nice[below(14)]), CM_REAL(nice[below(14)]), CM_REAL(nice[below(14)]));
    q->ma.start.rotation = q->mb.start.rotation = turn_about(0, 0);
    if (way == 1) q->mb.start.rotation = turn_about(axis, pi / 2 * below(4));
    if (way == 2) q->mb.start.rotation = turn_about(axis, pi / 12 * below(24));
    if (way == 3) q->mb.start.rotation = turn_about(axis, range(0, 6));
    if (way == 4) q->ma.start.rotation = q->mb.start.rotation = turn_about(axis, range(0, 6));
    cm_vec3 p = q->mb.start.position;
    if (below(8)) { /* faces in touch, or nearly: half sizes are among 0.25, 0.5 and 1 */
        static const double sums[] = {0.5, 0.75, 1, 1.25, 1.5, 2};
        const bool stacked = below(2); /* along the axis about which they are turned */
        cm_real *c = &((cm_real *)&p)[stacked ? axis : below(3)];
        *c = CM_REAL(stacked ? 2 * half_size[axis] : sums[below(6)]);
        *c += *c * (cm_real)(below(3) - 1) * CM_REAL_EPSILON - CM_REAL(depths[below(11)]);
        if (below(2)) *c = -*c;
    }
    q->mb.start.position = cm_rotate(q->ma.start.rotation, p);
    static const double speeds[] = {0.1, 0.5, 1, 3};
    if (below(6)) q->ma.move = along_axis(speeds[below(4)]);
    if (below(3) == 0) q->mb.move = along_axis(speeds[below(4)]);
    if (below(3) == 0) q->ma.move = cm_add(q->ma.move, along_axis(speeds[below(4)]));
    q->spin_a = along_axis(speeds[below(4)]);
    if (below(2)) q->spin_b = below(2) ? q->spin_a : along_axis(speeds[below(4)]);
}

static cm_pose any_pose(double reach) {
    cm_pose p;
    p.position = any_vec3(reach);
    cm_vec3 v = any_vec3(1);
    p.rotation.x = v.x, p.rotation.y = v.y, p.rotation.z = v.z, p.rotation.w = CM_REAL(range(-1, 1));
    p.rotation = cm_quat_normalize(p.rotation);
    return p;
}

static void next_query(query *q) {
    memset(q, 0, sizeof *q);
    q->a = below(shape_count), q->b = below(shape_count);
    q->standing = below(2);
    if (q->standing) {
        standing_query(q);
    } else {
        q->ma.start = any_pose(0.5), q->mb.start = any_pose(1);
        q->ma.move = any_vec3(2), q->mb.move = any_vec3(2);
        q->spin_a = any_vec3(2), q->spin_b = any_vec3(2);
    }
}

/* --- answers --------------------------------------------------------------------------------------------------- */

typedef struct way {
    double met, start, blocking, first, normal[3];
} way;
typedef struct answer {
    double overlap, distance, normal[3], contacts, depth, contact_normal[3];
    way way[2]; /* straight, turning */
} answer;

static void put(double out[3], cm_vec3 v) { out[0] = (double)v.x, out[1] = (double)v.y, out[2] = (double)v.z; }

static void ask(const query *q, answer *out) {
    enum { MOST = 256 };
    static cm_manifold parts[MOST];
    const cm_shape *a = &shapes[q->a].shape, *b = &shapes[q->b].shape;
    cm_witness w;
    memset(out, 0, sizeof *out);
    memset(&w, 0, sizeof w);
    out->overlap = cm_overlap(a, &q->ma.start, b, &q->mb.start);
    out->distance = (double)cm_distance(a, &q->ma.start, b, &q->mb.start, CM_REAL_MAX, &w);
    put(out->normal, w.normal);
    int found = cm_contact(a, &q->ma.start, b, &q->mb.start, 0, parts, MOST);
    out->contacts = found;
    for (int i = 0; i < found && i < MOST; i++) {
        for (int k = 0; k < parts[i].count; k++) {
            if (!(i + k == 0 || (double)parts[i].points[k].depth > out->depth)) continue;
            out->depth = (double)parts[i].points[k].depth;
            put(out->contact_normal, parts[i].normal);
        }
    }
    for (int turning = 0; turning < 2; turning++) {
        cm_motion ma = q->ma, mb = q->mb;
        cm_sweep_hit hit;
        way *to = &out->way[turning];
        if (turning) ma.spin = q->spin_a, mb.spin = q->spin_b;
        if (!cm_sweep(a, &ma, b, &mb, &hit)) continue;
        to->met = 1, to->start = hit.start, to->blocking = hit.blocking, to->first = (double)hit.first;
        put(to->normal, hit.normal);
    }
}

/* --- what changed ---------------------------------------------------------------------------------------------- */

#define CLASS_LIST(X)                                                                                                  \
    X(OVERLAP, "overlap: yes or no")                                                                                   \
    X(NEARER, "distance: less than it was")                                                                            \
    X(FARTHER, "distance: more than it was")                                                                           \
    X(NORMAL, "distance: other direction")                                                                             \
    X(CONTACT, "contact: some or none")                                                                                \
    X(PARTS, "contact: number of manifolds")                                                                           \
    X(DEPTH, "contact: greatest depth")                                                                                \
    X(CONTACT_NORMAL, "contact: other direction where deepest")                                                        \
    X(MET, "straight: hit or miss")                                                                                    \
    X(START, "straight: start")                                                                                        \
    X(BLOCKING, "straight: blocking")                                                                                  \
    X(EARLIER, "straight: earlier")                                                                                    \
    X(LATER, "straight: later")                                                                                        \
    X(HIT_NORMAL, "straight: other direction")                                                                         \
    X(TURN_MET, "turning: hit or miss")                                                                                \
    X(TURN_START, "turning: start")                                                                                    \
    X(TURN_BLOCKING, "turning: blocking")                                                                              \
    X(TURN_EARLIER, "turning: earlier")                                                                                \
    X(TURN_LATER, "turning: later")                                                                                    \
    X(TURN_HIT_NORMAL, "turning: other direction")

enum {
#define CLASS_ENUM(name, text) CLASS_##name,
    CLASS_LIST(CLASS_ENUM)
#undef CLASS_ENUM
        CLASSES
};
static const char *const class_texts[] = {
#define CLASS_TEXT(name, text) text,
    CLASS_LIST(CLASS_TEXT)
#undef CLASS_TEXT
};

/* By how much, where it is more than rounding: 64 ulps of the few units that everything here measures. */
static double beyond(double difference) {
    return fabs(difference) > 64 * 4 * (double)CM_REAL_EPSILON ? fabs(difference) : 0;
}
static double turned(const double a[3], const double b[3]) {
    double sum = 0;
    for (int k = 0; k < 3; k++) sum += (a[k] - b[k]) * (a[k] - b[k]);
    return sqrt(sum) > 1e-3 ? sqrt(sum) : 0;
}

static void changes_of(const answer *old, const answer *now, double by[CLASSES]) {
    for (int i = 0; i < CLASSES; i++) by[i] = 0;
    by[CLASS_OVERLAP] = old->overlap != now->overlap;
    by[now->distance < old->distance ? CLASS_NEARER : CLASS_FARTHER] = beyond(now->distance - old->distance);
    by[CLASS_NORMAL] = turned(old->normal, now->normal);
    by[CLASS_CONTACT] = (old->contacts > 0) != (now->contacts > 0);
    if (old->contacts > 0 && now->contacts > 0) {
        by[CLASS_PARTS] = fabs(old->contacts - now->contacts);
        by[CLASS_DEPTH] = beyond(old->depth - now->depth);
        by[CLASS_CONTACT_NORMAL] = turned(old->contact_normal, now->contact_normal);
    }
    for (int k = 0; k < 2; k++) {
        const way *p = &old->way[k], *q = &now->way[k];
        double *out = by + k * (CLASS_TURN_MET - CLASS_MET);
        out[CLASS_MET] = p->met != q->met;
        if (p->met == 0 || q->met == 0) continue;
        out[CLASS_START] = p->start != q->start;
        out[CLASS_BLOCKING] = p->blocking != q->blocking;
        out[q->first < p->first ? CLASS_EARLIER : CLASS_LATER] = beyond(q->first - p->first);
        out[CLASS_HIT_NORMAL] = turned(p->normal, q->normal);
    }
}

static void show_motion(const char *name, const cm_motion *m, cm_vec3 spin) {
    cm_vec3 p = m->start.position;
    cm_quat r = m->start.rotation;
    printf("      %s at %.9g %.9g %.9g turned %.9g %.9g %.9g %.9g, moves %.9g %.9g %.9g, spin %.9g %.9g %.9g\n", name,
           (double)p.x, (double)p.y, (double)p.z, (double)r.x, (double)r.y, (double)r.z, (double)r.w, (double)m->move.x,
           (double)m->move.y, (double)m->move.z, (double)spin.x, (double)spin.y, (double)spin.z);
}
static void show_answer(const char *name, const answer *s) {
    printf("      %s overlap %g, distance %.9g (%.3f %.3f %.3f), %g contacts, depth %.9g (%.3f %.3f %.3f)\n", name,
           s->overlap, s->distance, s->normal[0], s->normal[1], s->normal[2], s->contacts, s->depth,
           s->contact_normal[0], s->contact_normal[1], s->contact_normal[2]);
    for (int k = 0; k < 2; k++) {
        static const char *const starts[] = {"separated", "touching", "overlapping"};
        const way *h = &s->way[k];
        printf("          %s: ", k ? "turning" : "straight");
        if (h->met > 0)
            printf("%s, %s at %.9g (%.3f %.3f %.3f)\n", starts[(int)h->start], h->blocking > 0 ? "blocked" : "free",
                   h->first, h->normal[0], h->normal[1], h->normal[2]);
        else
            printf("no hit\n");
    }
}

static int compare(int count, FILE *old_file, FILE *new_file, int most) {
    static struct {
        int standing, random, shown;
        double largest;
    } table[CLASSES];
    enum { SHOWN = 400 };
    static struct {
        query q;
        answer old, now;
        int number, class;
    } shown[SHOWN];
    int shown_count = 0, changed = 0;
    for (int i = 0; i < count; i++) {
        query q;
        answer old, now;
        double by[CLASSES];
        next_query(&q);
        if (fread(&old, sizeof old, 1, old_file) != 1 || fread(&now, sizeof now, 1, new_file) != 1) return 2;
        changes_of(&old, &now, by);
        bool any = false;
        for (int c = 0; c < CLASSES; c++) {
            if (!(by[c] > 0)) continue;
            any = true;
            table[c].standing += q.standing, table[c].random += !q.standing;
            if (by[c] > table[c].largest) table[c].largest = by[c];
            if (table[c].shown >= most || shown_count >= SHOWN) continue;
            table[c].shown++;
            shown[shown_count].q = q, shown[shown_count].old = old, shown[shown_count].now = now;
            shown[shown_count].number = i, shown[shown_count++].class = c;
        }
        changed += any;
    }
    printf("%d of %d queries have changed\n\n%-40s %9s %9s  %s\n", changed, count, "", "standing", "random", "largest");
    for (int c = 0; c < CLASSES; c++)
        printf("%-40s %9d %9d  %.3g\n", class_texts[c], table[c].standing, table[c].random, table[c].largest);
    for (int c = 0; c < CLASSES; c++) {
        if (table[c].shown > 0) printf("\n%s\n", class_texts[c]);
        for (int i = 0; i < shown_count; i++) {
            const query *q = &shown[i].q;
            if (shown[i].class != c) continue;
            printf("  %d: %s (A), %s (B)%s\n", shown[i].number, shapes[q->a].name, shapes[q->b].name,
                   q->standing ? ", standing" : "");
            show_motion("A", &q->ma, q->spin_a), show_motion("B", &q->mb, q->spin_b);
            show_answer("old", &shown[i].old), show_answer("new", &shown[i].now);
        }
    }
    return changed > 0;
}

int main(int argc, char **argv) {
    bool asks = argc == 5 && strcmp(argv[1], "ask") == 0, compares = argc >= 6 && strcmp(argv[1], "compare") == 0;
    if (!asks && !compares) return fprintf(stderr, "usage: see tools/differ\n"), 2;
    int count = atoi(argv[3]);
    rng_state = 1;
    make_shapes();
    rng_state = strtoull(argv[2], NULL, 10) * 1000003;
    FILE *file = fopen(argv[4], asks ? "wb" : "rb"), *other = compares ? fopen(argv[5], "rb") : NULL;
    if (!file || (compares && !other)) return perror("answers"), 2;
    if (compares) return compare(count, file, other, argc > 6 ? atoi(argv[6]) : 2);
    for (int i = 0; i < count; i++) {
        query q;
        answer a;
        next_query(&q);
        ask(&q, &a);
        if (fwrite(&a, sizeof a, 1, file) != 1) return perror("answers"), 2;
    }
    return fclose(file) ? 2 : 0;
}
