/* carom check as a table for people. On a terminal it has colour and fits the width; else it has neither. */
#include "check/output.h"

#include "check/baseline.h"
#include "check/groups.h"
#include "check/rules.h"
#include "common/terminal.h"
#include "common/text.h"
#include "common/units.h"
#include "ranks/ranks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef enum column {
    COLUMN_RELATION,
    COLUMN_LENGTH,
    COLUMN_VOLUME,
    COLUMN_A,
    COLUMN_B,
    COLUMN_PLACE,
    COLUMN_TEST,
    COLUMN_REMARK,
    COLUMNS
} column;

typedef struct row {
    char *cell[COLUMNS];
    const char *color;
} row;

static const char *relation_text(const cm_finding *f) {
    switch (f->result.relation) {
    case CM_RELATION_IDENTICAL:
        return "identical";
    case CM_RELATION_A_IN_B:
        return "A inside B";
    case CM_RELATION_B_IN_A:
        return "B inside A";
    case CM_RELATION_TOUCHING:
        return "touching";
    case CM_RELATION_SEPARATED:
        return "within clearance";
    case CM_RELATION_CROSSING:
    case CM_RELATION_NONE:
        break;
    }
    return "crossing";
}

static const char *color_of(const cm_finding *f) {
    if (f->allowed != CM_NONE) return "\033[2m";
    switch (f->kind) {
    case CM_FINDING_TOUCHING:
        return "\033[36m";
    case CM_FINDING_CLEARANCE:
        return "\033[33m";
    default:
        return "\033[31m";
    }
}

/* Four digits, or all before the point: no 1.32e+04 beside 9871. */
static char *number_text(const char *before, double x) {
    return x >= 1e4 && x < 1e15 ? format_text("%s%.0f", before, x) : format_text("%s%.4g", before, x);
}

/* Two surfaces that cross have no depth, but a crossing that is so long. */
static char *length_text(const cm_finding *f, show_unit unit) {
    double shown = (double)f->result.distance / unit.metres;
    if (f->kind == CM_FINDING_CROSSING && f->result.surface_a && f->result.surface_b)
        return number_text("cut ", (double)f->crossing_length / unit.metres);
    /* nothing reaches into the other, where all of it, or a body, is there twice */
    const bool crosses = f->result.relation == CM_RELATION_CROSSING;
    if (f->result.relation == CM_RELATION_IDENTICAL || (crosses && !(f->result.distance < 0))) return copy_text("");
    return number_text(shown > 0 ? "gap " : "", fabs(shown));
}

/* Far from the origin digits before the point are many, and near it rounding is no -5.96e-06. */
char *place_text(cm_vec3 p, show_unit unit, double size) {
    const double step = 1e-5 * size / unit.metres, at[3] = {p.x, p.y, p.z};
    const int decimals = step > 0 ? (int)fmin(fmax(-floor(log10(step)), 0), 9) : 9;
    text_buffer t = {0};
    for (int i = 0; i < 3; i++) {
        char *one = format_text("%.*f", decimals, at[i] / unit.metres);
        if (decimals > 0) {
            size_t end = strlen(one);
            while (one[end - 1] == '0') end--;
            one[one[end - 1] == '.' ? end - 1 : end] = 0;
        }
        text_add(&t, "%s%s", i > 0 ? " " : "", strcmp(one, "-0") == 0 ? "0" : one);
        free(one);
    }
    return t.bytes;
}

static char *volume_text(const cm_finding *f, show_unit unit) {
    const double cube = unit.metres * unit.metres * unit.metres;
    return f->common_known ? format_text("%.4g", f->common.volume / cube) : copy_text("");
}

static char *remark_text(const findings *all, size_t number) {
    const cm_finding *f = &all->list.findings[number];
    const cm_relation_result *r = &f->result;
    text_buffer t = {0};
    text_add(&t, "%s",
             r->surface_a && r->surface_b ? "surfaces "
             : r->surface_a               ? "A surface "
             : r->surface_b               ? "B surface "
                                          : "");
    text_add(&t, "%s", r->thin_a && r->thin_b ? "thin " : r->thin_a ? "A thin " : r->thin_b ? "B thin " : "");
    if (strcmp(rules_severity(all, number), "error") != 0) text_add(&t, "%s ", rules_severity(all, number));
    const rules_note *note = rules_note_of(all, f);
    text_add(&t, "%s", f->allowed != CM_NONE ? "allowed " : !note ? "" : note->fix ? "to fix " : "open ");
    text_add(&t, "%s", strcmp(baseline_status(all, number), "new") == 0 ? "new " : "");
    if (t.used > 0) t.bytes[t.used - 1] = 0; /* the last blank */
    return t.bytes;
}

static row make_row(const findings *all, size_t number, char **names, show_unit unit, double size) {
    const cm_finding *f = &all->list.findings[number];
    row r = {.color = color_of(f)};
    r.cell[COLUMN_RELATION] = copy_text(relation_text(f));
    r.cell[COLUMN_LENGTH] = length_text(f, unit);
    r.cell[COLUMN_VOLUME] = volume_text(f, unit);
    r.cell[COLUMN_A] = copy_text(names[f->part_a]);
    r.cell[COLUMN_B] = copy_text(names[f->part_b]);
    r.cell[COLUMN_PLACE] = place_text(f->result.point_a, unit, size);
    r.cell[COLUMN_TEST] = copy_text(rules_test_name(all, number));
    r.cell[COLUMN_REMARK] = remark_text(all, number);
    return r;
}

enum { MOST_TEST_COLUMNS = 20, LEAST_NAMES = 24, LEAST_TEXT = 8 }; /* on a terminal */

/* Takes from this column what is too much, down to LEAST_TEXT. */
static void give_way(size_t *width, size_t *excess) {
    const size_t most = *width > LEAST_TEXT ? *width - LEAST_TEXT : 0, by = *excess < most ? *excess : most;
    *width -= by, *excess -= by;
}

/* The room that the columns but those of the names take, with the blanks between all. */
static size_t room_of_others(const size_t widths[COLUMNS]) {
    size_t room = 0, shown = 0;
    for (int c = 0; c < COLUMNS; c++) {
        room += c == COLUMN_A || c == COLUMN_B ? 0 : widths[c];
        shown += widths[c] > 0;
    }
    return room + 2 * (shown - 1);
}

/* On a terminal. Words give way first, the names to LEAST_NAMES and then with all others to LEAST_TEXT. A number is
 * never cut: where that is not enough, the place goes as a whole. */
static void fit_widths(size_t columns, size_t widths[COLUMNS]) {
    static const column words[] = {COLUMN_REMARK, COLUMN_TEST, COLUMN_RELATION};
    size_t *a = &widths[COLUMN_A], *b = &widths[COLUMN_B];
    const size_t both = *a + *b, wanted = both < LEAST_NAMES ? both : LEAST_NAMES;
    if (widths[COLUMN_TEST] > MOST_TEST_COLUMNS) widths[COLUMN_TEST] = MOST_TEST_COLUMNS;
    size_t others = room_of_others(widths), excess = others + wanted > columns ? others + wanted - columns : 0;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) give_way(&widths[words[i]], &excess);
    if (excess + 2 * LEAST_TEXT > wanted && excess > 0) widths[COLUMN_PLACE] = 0;
    others = room_of_others(widths);
    const size_t room = columns > others + 2 * LEAST_TEXT ? columns - others : 2 * LEAST_TEXT, half = room / 2;
    if (both <= room) return;
    if (*a <= half)
        *b = room - *a;
    else if (*b <= half)
        *a = room - *b;
    else
        *a = half, *b = room - half;
}

/* Columns as wide as their widest cell; on a terminal the two names share what is left. */
static void find_widths(const row *rows, size_t count, size_t columns, size_t widths[COLUMNS]) {
    for (int c = 0; c < COLUMNS; c++) {
        widths[c] = 0;
        for (size_t i = 0; i < count; i++) {
            size_t width = text_width(rows[i].cell[c]);
            if (width > widths[c]) widths[c] = width;
        }
    }
    if (columns > 0) fit_widths(columns, widths);
}

static void print_row(const row *r, const size_t widths[COLUMNS], const char *color) {
    text_buffer line = {0};
    for (int c = 0; c < COLUMNS; c++) {
        char *cell = shorten_text(r->cell[c], widths[c]);
        size_t blanks = widths[c] - text_width(cell);
        bool right = c == COLUMN_LENGTH || c == COLUMN_VOLUME;
        if (widths[c] == 0) {
            free(cell);
            continue;
        }
        text_add(&line, "%s%*s%s%*s", line.used > 0 ? "  " : "", right ? (int)blanks : 0, "", cell,
                 right ? 0 : (int)blanks, "");
        free(cell);
    }
    while (line.used > 0 && line.bytes[line.used - 1] == ' ') line.bytes[--line.used] = 0;
    printf("%s%s%s\n", color, line.bytes, *color ? "\033[0m" : "");
    free(line.bytes);
}

static void free_row(row *r) {
    for (int c = 0; c < COLUMNS; c++) free(r->cell[c]);
}

/* The first finding of a group is the gravest, and stands for it. */
static row make_group_row(const findings *all, const cm_check_group *one, char **names, show_unit unit, double size) {
    const groups *g = all->groups;
    const cm_finding *f = &all->list.findings[g->list.members[one->first]];
    return (row){.cell = {copy_text(f->kind == CM_FINDING_CLEARANCE ? relation_text(f) : cm_finding_kind_text(f->kind)),
                          length_text(f, unit), copy_text(""), group_side_a(g, one, names),
                          group_side_b(g, one, &all->list, names), place_text(f->result.point_a, unit, size),
                          copy_text(""), group_remark(all, g, one)},
                 .color = color_of(f)};
}

static row make_head(const findings *f, show_unit unit) {
    const char *a = f->groups ? f->groups->by : "part A", *b = !f->groups ? "part B" : f->groups->single ? "" : "with";
    return (row){.cell = {copy_text(f->groups ? "gravest" : "relation"), format_text("depth %s", unit.name),
                          format_text("common %s³", unit.name), copy_text(a), copy_text(b),
                          format_text("at %s", unit.name), copy_text("test"), copy_text("remark")}};
}

/* What of a line's finding, or of the gravest of its group, was asked for. */
static bool is_listed(const findings *f, size_t line) {
    const size_t number = f->groups ? f->groups->list.members[f->groups->list.groups[line].first] : line;
    return rules_look_for(f, f->list.findings[number].kind);
}

/* A line of the table: a finding, or a group of so many that are listed. */
typedef struct table_line {
    size_t number;
    uint32_t listed;
} table_line;

static int compare_lines(const void *a, const void *b) {
    const table_line *x = a, *y = b;
    if (x->listed != y->listed) return x->listed > y->listed ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

/* The lines, groups with the most listed findings first: what only touches makes none grave. */
static table_line *find_lines(const findings *f, size_t *count) {
    const size_t all = f->groups ? f->groups->list.count : f->list.count;
    table_line *lines = allocate(all, sizeof *lines);
    *count = 0;
    for (size_t i = 0; i < all; i++) {
        if (!is_listed(f, i)) continue;
        const uint32_t listed = f->groups ? group_asked_for(f, f->groups, &f->groups->list.groups[i]) : 0;
        lines[(*count)++] = (table_line){i, listed};
    }
    qsort(lines, *count, sizeof *lines, compare_lines);
    return lines;
}

static void print_rows(const scene *s, const findings *f, show_unit unit, double size, style look) {
    char **names = short_names(s);
    size_t count;
    table_line *lines = find_lines(f, &count);
    row *rows = allocate(count + 1, sizeof *rows);
    bool any_remark = false, any_test = false, any_volume = false;
    for (size_t k = 0; k < count; k++) {
        const size_t i = lines[k].number;
        row *r = &rows[k + 1];
        *r = f->groups ? make_group_row(f, &f->groups->list.groups[i], names, unit, size)
                       : make_row(f, i, names, unit, size);
        any_remark |= *r->cell[COLUMN_REMARK] != 0;
        any_test |= *r->cell[COLUMN_TEST] != 0;
        any_volume |= *r->cell[COLUMN_VOLUME] != 0;
    }
    rows[0] = make_head(f, unit);
    if (!any_test) rows[0].cell[COLUMN_TEST][0] = 0;
    if (!any_remark) rows[0].cell[COLUMN_REMARK][0] = 0;
    if (!any_volume) rows[0].cell[COLUMN_VOLUME][0] = 0;
    size_t widths[COLUMNS];
    find_widths(rows, count + 1, look.columns, widths);
    if (count > 0) print_row(&rows[0], widths, look.color ? "\033[1m" : "");
    for (size_t i = 1; i <= count; i++) print_row(&rows[i], widths, look.color ? rows[i].color : "");
    if (count > 0) putchar('\n');
    for (size_t i = 0; i <= count; i++) free_row(&rows[i]);
    for (uint32_t i = 0; i < s->part_count; i++) free(names[i]);
    free(rows), free(lines), free(names);
}

/* --- the lines below ---------------------------------------------------------------------------------------- */

/* Those whose gravest finding is not listed are none that one sees above. */
static void print_group_count(const findings *f) {
    uint32_t listed = 0;
    for (uint32_t i = 0; i < f->groups->list.count; i++) listed += is_listed(f, i);
    printf("; %u group%s", listed, plural(listed));
    if (listed < f->groups->list.count) printf(" and %u of what only touches", f->groups->list.count - listed);
}

static void print_counts(const scene *s, const findings *f, show_unit unit) {
    static const char *const texts[CM_FINDING_KIND_COUNT] = {"crossing", "inside", "identical", "touching",
                                                             "within clearance"};
    unsigned long long pairs = f->list.pairs_total;
    printf("%u part%s, %llu pair%s", s->part_count, plural(s->part_count), pairs, plural(pairs));
    if (s->ignored_parts > 0) printf(" (%u part%s ignored)", s->ignored_parts, plural(s->ignored_parts));
    printf(": ");
    bool any = false;
    for (int k = 0; k < CM_FINDING_KIND_COUNT; k++) {
        if (f->list.kinds[k] == 0) continue;
        printf("%s%zu %s", any ? ", " : "", f->list.kinds[k], texts[k]);
        if (!rules_look_for(f, (cm_finding_kind)k)) printf(" (not listed: --fail-on touching lists them)");
        any = true;
    }
    if (!any) printf("nothing found");
    if (f->list.allowed > 0) printf("; %zu allowed", f->list.allowed);
    if (f->groups) print_group_count(f);
    printf(".\n");

    if (f->tolerance > 0)
        printf("Tolerance %g %s", f->tolerance / unit.metres, unit.name);
    else if (f->list.count > 0) {
        double least = CM_REAL_MAX, most = 0;
        for (size_t i = 0; i < f->list.count; i++) {
            least = fmin(least, f->list.findings[i].result.tolerance);
            most = fmax(most, f->list.findings[i].result.tolerance);
        }
        char *from = format_text("%.2g", least / unit.metres), *to = format_text("%.2g", most / unit.metres);
        const bool same = strcmp(from, to) == 0;
        printf("Tolerance %s%s%s %s, by pair", from, same ? "" : " to ", same ? "" : to, unit.name);
        free(from), free(to);
    } else
        printf("Tolerance by pair");
    if (f->clearance > 0) printf("; clearance %g %s", f->clearance / unit.metres, unit.name);
    printf(".\n");
}

/* Facets of curves cross where the curves do not: in less than both may be off, where the tolerance is less. */
static void print_chords(const scene *s, const findings *f, show_unit unit) {
    size_t count = 0;
    double most = 0;
    for (size_t i = 0; i < f->list.count; i++) {
        const cm_finding *one = &f->list.findings[i];
        const double off = fmax(s->meshes[s->parts[one->part_a].mesh].deviation, 0) +
                           fmax(s->meshes[s->parts[one->part_b].mesh].deviation, 0);
        if (one->kind != CM_FINDING_CROSSING || one->result.tolerance >= off || -one->result.distance > off) continue;
        count++, most = fmax(most, off);
    }
    if (count > 0)
        printf("%zu crossing%s no deeper than the chords of curves may be off, up to %.2g %s (--chord cuts finer).\n",
               count, count == 1 ? " is" : "s are", most / unit.metres, unit.name);
}

/* What is resolved and would be listed, a line each; returns how many would not be. */
static uint32_t print_resolved(const baseline *b, const findings *f, show_unit unit) {
    char **names = short_paths((const char *const *)b->names, b->name_count);
    uint32_t others = 0;
    for (uint32_t i = 0; i < b->count; i++) {
        const cm_finding *then = &b->findings[i];
        if (b->persists[i]) continue;
        others += !rules_look_for(f, then->kind);
        if (!rules_look_for(f, then->kind)) continue;
        char *length = length_text(then, unit);
        printf("resolved: %s%s%s%s%s, %s and %s\n", relation_text(then), *length ? " " : "", length, *length ? " " : "",
               *length ? unit.name : "", names[then->part_a], names[then->part_b]);
        free(length);
    }
    for (uint32_t i = 0; i < b->name_count; i++) free(names[i]);
    free(names);
    return others;
}

static void print_not_listed(uint32_t count) {
    if (count > 0) printf(" (%u not listed)", count);
}

static void print_baseline(const options *o, const findings *f, show_unit unit) {
    const baseline *b = f->before;
    if (!b) return;
    const uint32_t gone = print_resolved(b, f, unit);
    uint32_t fresh = 0;
    for (size_t i = 0; i < f->list.count; i++)
        fresh += b->before_of[i] == CM_NONE && !rules_look_for(f, f->list.findings[i].kind);
    printf("Compared with %s: %u new", o->baseline, b->fresh);
    print_not_listed(fresh);
    printf(", %u persisting, %u resolved", b->persisting, b->resolved);
    print_not_listed(gone);
    printf("%s.\n", o->fail_on_new ? "; only what is new fails" : "");
}

static void print_remarks(const scene *s) {
    uint32_t open = 0, closed = 0;
    for (uint32_t i = 0; i < s->part_count; i++) {
        const scene_mesh *mesh = &s->meshes[s->parts[i].mesh];
        open += !mesh->info.solid, closed += mesh->closed_junctions > 0;
    }
    if (open > 0)
        printf("Not closed, so compared as surfaces: %u of %u part%s.\n", open, s->part_count, plural(s->part_count));
    if (closed > 0)
        printf("T-junctions closed in %u of %u part%s (carom info tells which).\n", closed, s->part_count,
               plural(s->part_count));
    for (uint32_t i = 0; i < s->file_count; i++) {
        const scene_file *file = &s->files[i];
        const char *unit = unit_name(file->unit);
        if (file->unit_assumed)
            printf("%s: unit assumed to be %s (--unit says otherwise).\n", file->path, unit ? unit : "?");
        if (s->file_count > 1 && file->up_assumed)
            printf("%s: %c assumed to point up (--up says otherwise).\n", file->path, file->up);
        if (file->dropped_triangles > 0 || file->dropped_points > 0)
            printf("%s: left out: %u triangle%s, %u points or lines (carom info tells more).\n", file->path,
                   file->dropped_triangles, plural(file->dropped_triangles), file->dropped_points);
    }
}

void write_check_table(const scene *s, const options *o, const findings *f) {
    cm_aabb box;
    const double size = scene_bounds(s, &box);
    const show_unit unit = unit_to_show(size);
    const style plain = {0}; /* a launcher may give a process what looks like a terminal, and write it to a file */
    if (f->list.count > 0) print_rows(s, f, unit, size, ranks_launched() ? plain : output_style());
    print_counts(s, f, unit);
    print_chords(s, f, unit);
    rules_print(s, f);
    print_baseline(o, f, unit);
    print_remarks(s);
    fflush(stdout);
    fprintf(stderr, "time: import %.3f s, build %.3f s, pairs %.3f s (%llu near)\n", f->seconds_import,
            f->seconds_build, f->seconds_pairs, (unsigned long long)f->list.pairs_near);
    if (ranks_count() > 1)
        fprintf(stderr, "%d processes: %.1f MB sent, at most %llu parts each, most work %.3f of the mean\n",
                ranks_count(), 1e-6 * (double)f->cost.sent, (unsigned long long)f->cost.most_parts,
                f->cost.mean_work > 0 ? f->cost.most_work / f->cost.mean_work : 1);
}
