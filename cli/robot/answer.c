/* What carom check says of a robot, as a table, as CSV, and as an SRDF. */
#include "robot/answer.h"

#include "check/output.h"
#include "check/rules.h"
#include "common/terminal.h"
#include "common/text.h"
#include "common/units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- rows of the table ------------------------------------------------------------------------------------------- */

enum { COLUMN_VERDICT, COLUMN_TIMES, COLUMN_DEPTH, COLUMN_A, COLUMN_B, COLUMN_WORST, COLUMN_REMARK, COLUMNS };

typedef struct table {
    char *(*rows)[COLUMNS];
    uint32_t count;
    size_t capacity;
} table;

static char **add_row(table *t) {
    t->rows = grow(t->rows, t->count, &t->capacity, sizeof *t->rows);
    return t->rows[t->count++];
}

static void print_table(table *t) {
    size_t widths[COLUMNS] = {0};
    for (uint32_t i = 0; i < t->count; i++)
        for (int c = 0; c < COLUMNS; c++)
            widths[c] = (size_t)fmax((double)widths[c], (double)text_width(t->rows[i][c]));
    for (uint32_t i = 0; i < t->count; i++) {
        text_buffer line = {0};
        for (int c = 0; c < COLUMNS; c++) {
            const int blanks = (int)(widths[c] - text_width(t->rows[i][c]));
            const bool right = c == COLUMN_DEPTH;
            if (widths[c] > 0)
                text_add(&line, "%s%*s%s%*s", c > 0 ? "  " : "", right ? blanks : 0, "", t->rows[i][c],
                         right ? 0 : blanks, "");
            free(t->rows[i][c]);
        }
        while (line.used > 0 && line.bytes[line.used - 1] == ' ') line.bytes[--line.used] = 0;
        puts(line.bytes);
        free(line.bytes);
    }
    free(t->rows);
}

/* What is a thousandth of what counts as touching, or less, is how places were rounded. */
static char *depth_text(const survey *s, const robot_pair *pair, show_unit unit) {
    const double size = cm_length(s->model->items[pair->a].half) + cm_length(s->model->items[pair->b].half);
    const double depth = -pair->worst.distance;
    return format_text("%.4g", depth > 2e-9 * size ? depth / unit.metres : 0);
}

/* Pairs that were found, those that collide most often first, then the deepest, then by their numbers. */
static int compare_pairs(const void *left, const void *right) {
    const robot_pair *a = *(const robot_pair *const *)left, *b = *(const robot_pair *const *)right;
    const uint64_t hits_a = pair_hits(a), hits_b = pair_hits(b);
    if (hits_a != hits_b) return hits_a > hits_b ? -1 : 1;
    if (a->worst.distance != b->worst.distance) return a->worst.distance < b->worst.distance ? -1 : 1;
    if (a->a != b->a) return a->a < b->a ? -1 : 1;
    return a->b < b->b ? -1 : a->b > b->b;
}

static const robot_pair **list_found(const survey *s, uint32_t *count) {
    const robot_pair **list = allocate(s->pairs.count, sizeof(robot_pair *));
    *count = 0;
    for (uint32_t i = 0; i < s->pairs.count; i++)
        if (pair_hits(&s->pairs.list[i]) + s->pairs.list[i].touching > 0) list[(*count)++] = &s->pairs.list[i];
    qsort(list, *count, sizeof *list, compare_pairs);
    return list;
}

static void print_pairs(const survey *s, show_unit unit) {
    uint32_t count;
    const robot_pair **found = list_found(s, &count);
    const unsigned long long all = (unsigned long long)s->station_count + s->sample_count;
    table t = {0};
    char **head = add_row(&t);
    head[COLUMN_VERDICT] = copy_text("collides"), head[COLUMN_TIMES] = copy_text(all > 1 ? "in" : "");
    head[COLUMN_DEPTH] = format_text("depth %s", unit.name);
    head[COLUMN_A] = copy_text("link A"), head[COLUMN_B] = copy_text("link B or part");
    head[COLUMN_WORST] = copy_text("deepest"), head[COLUMN_REMARK] = copy_text("");
    for (uint32_t i = 0; i < count; i++) {
        char **row = add_row(&t);
        const unsigned long long times = pair_hits(found[i]) > 0 ? pair_hits(found[i]) : found[i]->touching;
        row[COLUMN_VERDICT] = copy_text(pair_verdict(s, found[i]));
        row[COLUMN_TIMES] = all > 1 ? format_text("%llu of %llu", times, all) : copy_text("");
        row[COLUMN_DEPTH] = depth_text(s, found[i], unit);
        row[COLUMN_A] = copy_text(s->model->items[found[i]->a].name);
        row[COLUMN_B] = copy_text(s->model->items[found[i]->b].name);
        row[COLUMN_WORST] = survey_name(s, found[i]->worst.configuration);
        row[COLUMN_REMARK] = copy_text(found[i]->allowed != CM_NONE ? "allowed" : "");
    }
    if (count > 0) {
        print_table(&t);
        putchar('\n');
    } else {
        for (int c = 0; c < COLUMNS; c++) free(head[c]);
        free(t.rows);
    }
    free(found);
}

/* --- the lines below --------------------------------------------------------------------------------------------- */

enum { SAMPLES_SHOWN = 5 };

/* The values of the joints in the sampled configurations that the table names: those of the first rows. */
static void print_samples(const survey *s) {
    const robot *r = &s->model->robot;
    double *values = allocate(r->joint_count, sizeof *values);
    uint32_t count, shown = 0;
    const robot_pair **found = list_found(s, &count);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t configuration = found[i]->worst.configuration;
        bool before = configuration < s->station_count;
        for (uint32_t k = 0; k < i && !before; k++) before = found[k]->worst.configuration == configuration;
        if (before) continue;
        if (shown++ == SAMPLES_SHOWN) {
            puts("(--format json has the values of all)");
            break;
        }
        survey_values(s, configuration, values);
        char *name = survey_name(s, configuration);
        printf("%s:", name);
        for (uint32_t k = 0; k < r->joint_count; k++)
            if (joint_moves(&r->joints[k])) printf(" %s %.4g", r->joints[k].name, values[k]);
        putchar('\n');
        free(name);
    }
    if (shown > 0) putchar('\n');
    free(found);
    free(values);
}

static void print_counts(const robot_answer *a) {
    const survey *s = a->survey;
    const model *m = s->model;
    const robot *r = &m->robot;
    uint32_t moving = 0, solid = 0, never = 0;
    for (uint32_t i = 0; i < r->joint_count; i++) moving += joint_moves(&r->joints[i]) && r->joints[i].leader == i;
    for (uint32_t i = 0; i < r->link_count; i++) solid += m->items[i].body_count > 0;
    for (uint32_t i = 0; i < s->pairs.count; i++) {
        const robot_pair *p = &s->pairs.list[i];
        never += p->status == PAIR_CHECKED && pair_hits(p) == 0 && p->touching == 0;
    }
    printf("%s: %u link%s, %u of them with geometry (%u shape%s, %u mesh%s); %u joint%s to move", r->name,
           r->link_count, plural(r->link_count), solid, m->primitive_count, plural(m->primitive_count), m->mesh_count,
           m->mesh_count == 1 ? "" : "es", moving, plural(moving));
    if (m->attached.part_count > 0)
        printf("; %u part%s attached", m->attached.part_count, plural(m->attached.part_count));
    if (m->cell.part_count > 0) printf("; %u part%s around it", m->cell.part_count, plural(m->cell.part_count));
    if (m->cell.left_out > 0) printf(", %u %s left out", m->cell.left_out, rules_spaces_words(m->cell.left_out));
    printf(".\n%u pair%s checked", s->pairs.checked, plural(s->pairs.checked));
    if (s->pairs.adjacent > 0)
        printf("; %u adjacent, which a joint connects, not checked (--adjacent)", s->pairs.adjacent);
    if (s->pairs.disabled > 0) printf("; %u disabled by the SRDF", s->pairs.disabled);
    if (s->pairs.held > 0) printf("; %u of what is attached and may touch", s->pairs.held);
    printf(".\nChecked at rest");
    if (s->station_count > 1) printf(", in %u named state%s", s->station_count - 1, plural(s->station_count - 1));
    if (s->sample_count > 0)
        printf(", in %u random configuration%s (seed %llu)", s->sample_count, plural(s->sample_count),
               (unsigned long long)s->options->robot.seed);
    if (s->sample_count > 0) printf(": %u pair%s not found in any, which is no proof", never, plural(never));
    printf(".\n");
}

static void print_meeting(const survey *s, const robot_pair *p, uint32_t segments) {
    const char *a = s->model->items[p->a].name, *b = s->model->items[p->b].name;
    const pair_way *w = &p->way;
    if (w->collides)
        printf("  %s and %s collide at %.9g (free until %.9g)", a, b, w->meets_at, w->free_until);
    else
        printf("  %s and %s: not known to be free after %.9g", a, b, w->free_until);
    printf(", in %u of %u step%s%s\n", w->segments, segments, plural(segments),
           p->allowed != CM_NONE ? ", allowed" : "");
}

static void print_way(const robot_answer *a, show_unit unit) {
    const survey *s = a->survey;
    const trajectory *t = a->way;
    const robot_pair *nearest = NULL;
    bool any = false;
    const uint32_t segments = t->rows > 1 ? t->rows - 1 : 1;
    printf("%s: %u row%s, %s %.9g to %.9g, and between them:\n", t->path, t->rows, plural(t->rows),
           t->timed ? "time" : "rows", t->times[0], t->times[t->rows - 1]);
    for (uint32_t i = 0; i < s->pairs.count; i++) {
        const robot_pair *p = &s->pairs.list[i];
        const bool met = p->way.collides || p->way.open;
        any |= met;
        if (met)
            print_meeting(s, p, segments);
        else if (p->way.least < CM_REAL_MAX && (!nearest || p->way.least < nearest->way.least))
            nearest = p;
    }
    if (nearest)
        printf("  nearest%s: %s and %s, %.4g %s at %.9g, nowhere less than %.4g\n", any ? " of the others" : "",
               s->model->items[nearest->a].name, s->model->items[nearest->b].name, nearest->way.least / unit.metres,
               unit.name, nearest->way.when, nearest->way.at_least / unit.metres);
    else
        printf("  no %spair comes nearer than %.4g %s\n", any ? "other " : "", t->far / unit.metres, unit.name);
}

static void print_remarks(const survey *s) {
    const model *m = s->model;
    uint32_t open = 0;
    for (uint32_t i = 0; i < m->body_count; i++) {
        cm_mesh_info info;
        if (m->bodies[i].shape.kind != CM_SHAPE_MESH) continue;
        cm_mesh_get_info(m->bodies[i].shape.u.mesh, &info);
        open += !info.solid;
    }
    if (open > 0) printf("Not closed, so checked as surfaces: %u mesh%s.\n", open, open == 1 ? "" : "es");
    for (uint32_t i = 0; i < m->robot.note_count; i++) printf("%s: %s.\n", s->options->paths[0], m->robot.notes[i]);
}

static show_unit unit_of(const model *m) {
    double size = 0;
    for (uint32_t i = 0; i < m->item_count; i++) size = fmax(size, 2 * m->items[i].radius);
    return unit_to_show(size);
}

static void write_table(const robot_answer *a) {
    const show_unit unit = unit_of(a->survey->model);
    print_pairs(a->survey, unit);
    print_samples(a->survey);
    print_counts(a);
    if (a->way && a->survey->pairs.checked > 0) print_way(a, unit); /* of no pair it would be true that it is free */
    print_remarks(a->survey);
    fflush(stdout);
    fprintf(stderr, "time: check %.3f s\n", a->seconds);
}

/* --- other formats ----------------------------------------------------------------------------------------------- */

static void write_csv(const robot_answer *a) {
    const survey *s = a->survey;
    puts("link_a,link_b,status,verdict,stations,samples,touching,depth_m,deepest,allowed,fails,"
         "free_until,meets_at,least_m,least_at");
    for (uint32_t i = 0; i < s->pairs.count; i++) {
        const robot_pair *p = &s->pairs.list[i];
        const bool found = p->worst.distance < CM_REAL_MAX;
        csv_text(s->model->items[p->a].name);
        putchar(',');
        csv_text(s->model->items[p->b].name);
        printf(",%s,%s,%u,%u,%u,", pair_status_texts[p->status], p->status == PAIR_CHECKED ? pair_verdict(s, p) : "",
               p->stations, p->samples, p->touching);
        if (found) printf("%.17g", -p->worst.distance + 0.0);
        char *name = found ? survey_name(s, p->worst.configuration) : copy_text("");
        putchar(',');
        csv_text(name);
        free(name);
        printf(",%d,%d,", p->allowed != CM_NONE, pair_fails(s->options, p));
        const pair_way *w = &p->way;
        if (w->collides || w->open) printf("%.17g", w->free_until);
        putchar(',');
        if (w->collides) printf("%.17g", w->meets_at);
        putchar(',');
        if (w->least < CM_REAL_MAX) printf("%.17g,%.17g", w->least, w->when);
        puts(w->least < CM_REAL_MAX ? "" : ",");
    }
}

int answer_write(const robot_answer *a) {
    switch (a->survey->options->format) {
    case FORMAT_TABLE:
        write_table(a);
        break;
    case FORMAT_JSON:
        answer_write_json(a);
        break;
    case FORMAT_CSV:
        write_csv(a);
        break;
    }
    return finish_output();
}

/* --- SRDF -------------------------------------------------------------------------------------------------------- */

/* Why a pair of links needs no check, in MoveIt's words; NULL where it does. */
static const char *reason_of(const survey *s, const robot_pair *p) {
    if (!model_is_link(s->model, p->b) || p->status == PAIR_DISABLED) return NULL;
    if (p->status == PAIR_ADJACENT) return "Adjacent";
    if (strcmp(pair_verdict(s, p), "always") == 0) return "Always";
    if (p->at_rest) return "Default";
    return pair_hits(p) == 0 && p->touching == 0 ? "Never" : NULL;
}

int answer_write_srdf(const robot_answer *a) {
    static const char *const reasons[] = {"Adjacent", "Always", "Default", "Never"};
    const survey *s = a->survey;
    const options *o = s->options;
    srdf_pair *list = allocate(s->pairs.count, sizeof *list);
    uint32_t count = 0, of[4] = {0};
    for (uint32_t i = 0; i < s->pairs.count; i++) {
        const robot_pair *p = &s->pairs.list[i];
        const char *reason = reason_of(s, p);
        if (!reason) continue;
        list[count++] = (srdf_pair){p->a, p->b, copy_text(reason)};
        for (int k = 0; k < 4; k++) of[k] += strcmp(reason, reasons[k]) == 0;
    }
    char message[1024];
    char *comment = format_text(" carom check: Never means not in %u random configurations (seed %llu), which is no "
                                "proof; Always in all of them; Default at rest. ",
                                s->sample_count, (unsigned long long)o->robot.seed);
    const bool written =
        srdf_write(o->robot.write_srdf, o->robot.srdf, &s->model->robot, list, count, comment, message, sizeof message);
    for (uint32_t i = 0; i < count; i++) free(list[i].reason);
    free(list);
    free(comment);
    if (!written) return complain(EXIT_INPUT, "%s", message);
    fprintf(stderr, "%s: %u pair%s added: %u Adjacent, %u Always, %u Default, %u Never\n", o->robot.write_srdf, count,
            plural(count), of[0], of[1], of[2], of[3]);
    return 0;
}
