/* Forms of one body agree, at rest: a box given as box, hull, solid mesh (coarse, fine, irregular), surface mesh and
 * compound of two halves, and a body that stands on it, often over an edge or a corner. What is true of such a pose is
 * known in closed form (support/standing.h); every form is held to it, and so they agree. CAROM_POSE=n: that pose
 * alone. */
#include "support/standing.h"

#include <math.h>

enum {
    ROW_SIDEWAYS,
    ROW_NEARLY,
    ROW_DEPTH,
    ROW_VERDICT,
    ROW_GAP,
    ROW_REACH,
    ROW_NORMAL,
    ROW_QUERIES,
    ROW_SWAP,
    ROW_FINITE,
    ROWS
};
static const char *const rows[ROWS] = {
    "a shallow stand has no sideways contact",
    "what hovers has no sideways contact within a margin",
    "the contacts of a shallow stand are as deep as it is, the deepest of them",
    "overlap is what it truly is",
    "gaps are what they truly are",
    "depths are what they truly are, or below where composites say so",
    "the normal of what hovers is the way up",
    "overlap, distance <= 0 and a contact of margin 0 are the same",
    "overlap and the sign of distance do not depend on the order",
    "every number is one",
};

enum { MANIFOLDS = 2048 };
static tally_table table, by_body; /* by form of the table, and by kind of what stands on it */
static cm_manifold manifolds[MANIFOLDS];

/* Poses that were wrong once, of other seeds or of the deep run: the two halves of a body meet where the table's side
 * is; the end of a body is flush with the side of an open table; a level triangle in the top of a solid, of which a
 * corner lies in a side but for rounding; the rim of a cone at a table's corner. */
static const sample_once once_wrong[] = {{4, 65}, {16, 65}, {0, 6374}, {0, 12229}, {0, 14702}, {404, 32}};
static uint64_t seed;

typedef struct question {
    long number;
    form_kind kind;
    const cm_shape *table;
    const stand *s;
    const stander *body;
    cm_real distance;
    cm_witness witness;
} question;

__attribute__((format(printf, 4, 5))) static void note(const question *q, int row, bool fine, const char *format, ...);

static void note(const question *q, int row, bool fine, const char *format, ...) {
    bool first_of_body = tally_note(&by_body, row, (int)q->body->kind, fine);
    if (!tally_note(&table, row, (int)q->kind, fine) && !first_of_body) return;
    va_list list;
    va_start(list, format);
    char text[400];
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    print_error("  not so: %s (CAROM_POSE=%ld): %s\n", rows[row], q->number, text);
    stand_print(q->s, q->body, form_names[q->kind]);
}

/* The least cosine between a contact's normal and the way up. The direction of some ulps is that of rounding, but never
 * far from the way up. A round body at the seam of a compound touches each child on its own, and leans there
 * by as much as its surface bends within its depth. */
static double least_cosine(const question *q, double margin) {
    double depth = fmax(-q->s->height, 0) + stand_noise(q->s), lean = 2e-3;
    if (q->s->height != 0) lean += fmin(0.3, 0.1 * (double)CM_REAL_EPSILON * q->s->scale / fabs(q->s->height));
    double cosine = sqrt(1 - lean * lean);
    if (q->kind != FORM_HALVES || q->body->bend == 0) return cosine;
    return fmin(cosine, (q->body->bend - depth) / (q->body->bend + margin));
}

/* What is known of a length: 64 eps of the scale; of curved shapes 1e-11 of it (sweep.h). */
static double known(const question *q) {
    cm_kind kind = q->body->shape.kind;
    bool curved = kind == CM_SHAPE_CYLINDER || kind == CM_SHAPE_CONE || kind == CM_SHAPE_ELLIPSOID;
    return 4 * stand_noise(q->s) + (curved ? 1e-11 * q->s->scale : 0);
}
/* Depths of curved shapes are searched for. */
static double known_depth(const question *q) {
    cm_kind kind = q->body->shape.kind;
    bool curved = kind == CM_SHAPE_CYLINDER || kind == CM_SHAPE_CONE || kind == CM_SHAPE_ELLIPSOID;
    return known(q) + (curved ? 1e-9 * q->s->scale + 1e-4 * fmax(-q->s->height, 0) : 0);
}

static void ask_contacts(const question *q, double margin) {
    const stand *s = q->s;
    int count = cm_contact(&q->body->shape, &s->body, q->table, &s->table, CM_REAL(margin), manifolds, MANIFOLDS);
    double deepest = -HUGE_VAL, shallowest = HUGE_VAL, worst = 1;
    bool finite = true;
    /* what is flat and within rounding of a surface is on neither side of it */
    bool either = q->kind == FORM_SURFACE && q->body->kind == STANDER_TRIANGLE && fabs(s->height) < stand_noise(s) / 8;
    for (int i = 0; i < count && i < MANIFOLDS; i++) {
        const cm_manifold *m = &manifolds[i];
        double cosine = -(double)cm_dot(m->normal, s->up);
        worst = fmin(worst, either ? fabs(cosine) : cosine);
        finite = finite && fabs((double)cm_length(m->normal) - 1) < 1e-4 && m->count >= 1 && m->count <= 8;
        double depth = -HUGE_VAL;
        for (int k = 0; k < m->count; k++) {
            depth = fmax(depth, (double)m->points[k].depth);
            finite = finite && cm_vec3_is_valid(m->points[k].point_a) && cm_vec3_is_valid(m->points[k].point_b) &&
                     cm_is_coord(m->points[k].depth);
        }
        deepest = fmax(deepest, depth), shallowest = fmin(shallowest, depth);
    }
    note(q, ROW_FINITE, finite, "a manifold");
    if (!stand_holds(s, q->body) || count > MANIFOLDS) return;
    /* below the top of a surface what is flat stands on nothing: it may touch walls from within, which it leaves
     * inwards; but no way out is longer than the way up */
    bool hollow = q->kind == FORM_SURFACE && q->body->kind == STANDER_TRIANGLE && s->height < 0;
    if (hollow && !either) {
        if (count > 0)
            note(q, ROW_SIDEWAYS, shallowest <= known(q) - s->height,
                 "margin %.9g: the shallowest contact is %.9g deep", margin, shallowest);
    } else if (count > 0)
        note(q, margin > 0 ? ROW_NEARLY : ROW_SIDEWAYS, worst >= least_cosine(q, margin),
             "margin %.9g: a normal's cosine with the way up is %.9g", margin, worst);
    if (s->height < margin - known(q) && !hollow)
        note(q, ROW_DEPTH, fabs(deepest + s->height) <= known_depth(q),
             "margin %.9g, %d manifolds: the deepest is %.17g deep", margin, count, deepest);
}

/* What distance says, where the truth is known: of boxes always, of others where they stand. */
static void ask_distance(const question *q) {
    const stand *s = q->s;
    bool holds = stand_holds(s, q->body);
    if (!holds && !stander_is_box(q->body)) return;
    double truth = holds ? s->height : stand_gap(s, q->body), d = (double)q->distance;
    double noise = known(q);
    /* surfaces hold nothing: what lies within may be apart from them */
    bool hollow = q->kind == FORM_SURFACE && (!holds || q->body->kind == STANDER_TRIANGLE);
    if (fabs(truth) > noise && !(hollow && truth < 0))
        note(q, ROW_VERDICT, (d <= 0) == (truth < 0), "distance %.17g, truly %.17g", d, truth);
    if (truth > noise) note(q, ROW_GAP, fabs(d - truth) <= noise, "distance %.17g, truly %.17g", d, truth);
    if (truth < -noise && !hollow) {
        noise = known_depth(q);
        bool exact = form_is_convex(q->kind) && stander_is_convex(q->body);
        note(q, ROW_REACH, d >= truth - noise && (!exact || d <= truth + noise), "distance %.17g, truly %.17g", d,
             truth);
    }
    if (holds && truth > noise) {
        /* around what is curved the gap depends on the square of the direction's error: known to the root */
        double off = (double)cm_length(cm_add(q->witness.normal, s->up)), may = 1e-6 + 4 * noise / truth;
        if (known(q) > 4 * stand_noise(s)) may += sqrt(2 * known(q) / truth);
        note(q, ROW_NORMAL, off <= may, "the normal is off by %.9g, the gap %.9g", off, truth);
    }
}

static void ask(question *q) {
    const stand *s = q->s;
    const cm_shape *a = &q->body->shape, *b = q->table;
    bool overlap = cm_overlap(a, &s->body, b, &s->table);
    q->distance = cm_distance(a, &s->body, b, &s->table, CM_REAL_MAX, &q->witness);
    int contacts = cm_contact(a, &s->body, b, &s->table, 0, NULL, 0);
    note(q, ROW_QUERIES, overlap == (q->distance <= 0) && overlap == (contacts > 0),
         "overlap %d, distance %.17g, %d contacts", overlap, (double)q->distance, contacts);
    bool swapped = cm_overlap(b, &s->table, a, &s->body);
    cm_real back = cm_distance(b, &s->table, a, &s->body, CM_REAL_MAX, NULL);
    note(q, ROW_SWAP, overlap == swapped && (back <= 0) == (q->distance <= 0),
         "overlap %d and %d, distance %.17g and %.17g", overlap, swapped, (double)q->distance, (double)back);
    note(q, ROW_FINITE,
         cm_is_coord(q->distance) && cm_vec3_is_valid(q->witness.point_a) && cm_vec3_is_valid(q->witness.point_b) &&
             fabs((double)cm_length(q->witness.normal) - 1) < 1e-4,
         "a distance");
    ask_distance(q);
    ask_contacts(q, 0);
    if (s->height > 0) ask_contacts(q, 2 * s->height);
}

/* One pair of bodies, in all forms of the table, at several poses. */
static void ask_all_forms(long number) {
    rng r = sample_rng(seed, number);
    static const double scales[] = {1, 1, 1, 0.01, 100};
    double scale = scales[rng_below(&r, 5)];
    double x = nice_size(&r) * scale, y = nice_size(&r) * scale, z = nice_size(&r) * scale;
    cm_vec3 half = cm_v(CM_REAL(x), CM_REAL(y), CM_REAL(z));
    form forms[FORM_KINDS];
    for (int i = 0; i < FORM_KINDS; i++) form_box(&forms[i], (form_kind)i, half, &r);
    for (int i = 0; i < 2 * STANDER_KINDS; i++) {
        stander body;
        stand s;
        stander_make(&body, (stander_kind)(i % STANDER_KINDS), scale, &r);
        for (int k = 0; k < 2; k++) {
            stand_make(&s, half, &body, &r);
            for (int f = 0; f < FORM_KINDS; f++) {
                question q;
                memset(&q, 0, sizeof q);
                q.number = number, q.kind = (form_kind)f, q.table = &forms[f].shape, q.s = &s, q.body = &body;
                ask(&q);
            }
        }
        stander_free(&body);
    }
    for (int i = 0; i < FORM_KINDS; i++) form_free(&forms[i]);
}

static int ask_everything(void **state) {
    (void)state;
    table.rows = rows, table.columns = form_names;
    table.row_count = ROWS, table.column_count = FORM_KINDS;
    by_body.rows = rows, by_body.columns = stander_names;
    by_body.row_count = ROWS, by_body.column_count = STANDER_KINDS;
    sample_all("forms at rest", 1501, samples(100, 15000), once_wrong, sizeof once_wrong / sizeof once_wrong[0], &seed,
               ask_all_forms);
    return 0;
}

static void a_shallow_stand_has_no_sideways_contact(void **state) {
    (void)state;
    tally_check(&table, &by_body, ROW_SIDEWAYS, samples(100, 1000));
}
static void what_hovers_has_no_sideways_contact_within_a_margin(void **state) {
    (void)state;
    tally_check(&table, &by_body, ROW_NEARLY, samples(100, 1000));
}
static void contacts_are_as_deep_as_the_stand(void **state) {
    (void)state;
    tally_check(&table, &by_body, ROW_DEPTH, samples(100, 1000));
}
static void overlap_is_what_it_truly_is(void **state) {
    (void)state;
    tally_check(&table, &by_body, ROW_VERDICT, samples(100, 1000));
}
static void gaps_are_what_they_truly_are(void **state) {
    (void)state;
    tally_check(&table, &by_body, ROW_GAP, samples(100, 1000));
}
static void depths_are_what_they_truly_are(void **state) {
    (void)state;
    tally_check(&table, &by_body, ROW_REACH, samples(100, 1000));
}
static void the_normal_of_what_hovers_is_the_way_up(void **state) {
    (void)state;
    tally_check(&table, &by_body, ROW_NORMAL, samples(100, 1000));
}
static void overlap_distance_and_contact_agree(void **state) {
    (void)state;
    tally_check(&table, &by_body, ROW_QUERIES, samples(100, 1000));
}
static void verdicts_do_not_depend_on_the_order(void **state) {
    (void)state;
    tally_check(&table, &by_body, ROW_SWAP, samples(100, 1000));
}
static void every_number_is_one(void **state) {
    (void)state;
    tally_check(&table, &by_body, ROW_FINITE, samples(100, 1000));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_shallow_stand_has_no_sideways_contact),
        cmocka_unit_test(what_hovers_has_no_sideways_contact_within_a_margin),
        cmocka_unit_test(contacts_are_as_deep_as_the_stand),
        cmocka_unit_test(overlap_is_what_it_truly_is),
        cmocka_unit_test(gaps_are_what_they_truly_are),
        cmocka_unit_test(depths_are_what_they_truly_are),
        cmocka_unit_test(the_normal_of_what_hovers_is_the_way_up),
        cmocka_unit_test(overlap_distance_and_contact_agree),
        cmocka_unit_test(verdicts_do_not_depend_on_the_order),
        cmocka_unit_test(every_number_is_one),
    };
    return cmocka_run_group_tests(tests, ask_everything, NULL);
}
