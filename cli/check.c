/* carom check: every part against every other. See check.h.
 *
 * Candidates come from the parts' boxes; each is decided by cm_mesh_relation, in parallel, every pair writing to its
 * own place. What is left is sorted by a total order, so that neither threads nor the order of candidates show. */
#include "check.h"

#include "left_out.h"
#include "output.h"
#include "parallel.h"
#include "pattern.h"
#include "progress.h"
#include "report.h"
#include "text.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

/* --- candidates --------------------------------------------------------------------------------------------------- */

typedef struct candidates {
    cm_broad_pair *list;
    size_t count, capacity;
    uint64_t total; /* pairs that were asked for, near or not */
} candidates;

static bool names_file(const scene *s, const scene_part *part, const char *text) {
    const char *path = s->files[part->file].path;
    return strcmp(path, text) == 0 || strcmp(base_name(path), text) == 0;
}

int between_sides(const scene *s, const options *o, uint32_t part) {
    if (!o->between[0]) return 3;
    const scene_part *p = &s->parts[part];
    int sides = 0;
    for (int i = 0; i < 2; i++)
        if (names_file(s, p, o->between[i]) || pattern_matches(o->between[i], p->name)) sides |= 1 << i;
    return sides;
}

int between_check(const scene *s, const options *o) {
    int seen = o->between[0] ? 0 : 3;
    for (uint32_t i = 0; i < s->part_count; i++) seen |= between_sides(s, o, i);
    if (seen == 3) return 0;
    return complain(EXIT_INPUT, "--between: '%s' matches no part and no file", o->between[seen & 1]);
}

/* One part of A, the other of B. */
static bool is_asked_for(int sides_a, int sides_b) {
    return ((sides_a & 1) && (sides_b & 2)) || ((sides_a & 2) && (sides_b & 1));
}

/* No tolerance that a pair may get by default is larger: it follows the pair's size and largest coordinate. */
static double largest_tolerance(const scene *s, double size, const cm_aabb *box) {
    double largest = fmax(cm_largest(box->min), cm_largest(box->max));
    for (uint32_t i = 0; i < s->mesh_count; i++)
        largest =
            fmax(largest, fmax(cm_largest(s->meshes[i].info.bounds.min), cm_largest(s->meshes[i].info.bounds.max)));
    return fmax(2e-6 * size, 8 * (double)FLT_EPSILON * largest);
}

static int find_candidates(const scene *s, const options *o, candidates *out) {
    cm_aabb all;
    double size = scene_bounds(s, &all);
    double reach = largest_tolerance(s, size, &all) + fmax(o->tolerance, 0) + fmax(o->clearance, 0);
    cm_aabb *boxes = allocate(s->part_count, sizeof *boxes);
    int *sides = allocate(s->part_count, sizeof *sides);
    uint64_t in_a = 0, in_b = 0, in_both = 0;
    for (uint32_t i = 0; i < s->part_count; i++) {
        cm_shape shape = cm_make_mesh(s->meshes[s->parts[i].mesh].mesh);
        cm_shape_bounds(&shape, &s->parts[i].pose, &boxes[i]);
        boxes[i] = cm_aabb_grow(boxes[i], reach / 2);
        sides[i] = between_sides(s, o, i);
        in_a += (sides[i] & 1) != 0, in_b += (sides[i] & 2) != 0, in_both += sides[i] == 3;
    }
    /* Pairs with one part of A and one of B, each once. */
    out->total = in_a * in_b - in_both * (in_both + 1) / 2;
    cm_broad_pairs_desc desc = {.flags = CM_BROAD_SORTED};
    cm_broad_pair_list near = {0};
    cm_status status = s->part_count > 0 ? cm_broad_pairs(boxes, s->part_count, &desc, &near) : CM_OK;
    for (size_t i = 0; i < near.count && status == CM_OK; i++) {
        cm_broad_pair pair = near.pairs[i];
        if (!is_asked_for(sides[pair.a], sides[pair.b])) continue;
        out->list = grow(out->list, out->count, &out->capacity, sizeof *out->list);
        out->list[out->count++] = pair;
    }
    cm_broad_pair_list_free(&near, NULL);
    free(boxes);
    free(sides);
    return status == CM_OK ? 0 : complain(EXIT_INTERNAL, "finding near pairs: %s", cm_status_text(status));
}

/* --- pairs -------------------------------------------------------------------------------------------------------- */

double pair_tolerance(const scene *s, const options *o, const scene_part *a, const scene_part *b) {
    if (o->tolerance > 0) return o->tolerance;
    if (s->files[a->file].single_places || s->files[b->file].single_places) return 0;
    const scene_part *parts[2] = {a, b};
    cm_aabb both = cm_aabb_empty();
    double rounding = 0;
    for (int i = 0; i < 2; i++) {
        const scene_mesh *mesh = &s->meshes[parts[i]->mesh];
        cm_shape shape = cm_make_mesh(mesh->mesh);
        cm_aabb box;
        cm_shape_bounds(&shape, &parts[i]->pose, &box);
        both = cm_aabb_union(both, box);
        double own = fmax(cm_largest(mesh->info.bounds.min), cm_largest(mesh->info.bounds.max));
        double ulp = s->files[parts[i]->file].single_points ? (double)FLT_EPSILON : DBL_EPSILON;
        rounding = fmax(rounding, 4 * ulp * own);
        rounding = fmax(rounding, 4 * DBL_EPSILON * fmax(cm_largest(box.min), cm_largest(box.max)));
    }
    return fmax(1e-6 * cm_length(cm_sub(both.max, both.min)), rounding) + CM_REAL_MIN;
}

typedef struct pair_work {
    const scene *scene;
    const options *options;
    const cm_broad_pair *candidates;
    finding *results; /* one a candidate */
    cm_status *statuses;
    bool outlines;
    progress *progress;
} pair_work;

typedef struct outline_maker {
    finding *f;
    size_t capacity;
    bool keep;
} outline_maker;

static bool add_crossing(void *user, const cm_crossing *crossing) {
    outline_maker *maker = user;
    finding *f = maker->f;
    f->outline_bounds = cm_aabb_add_point(f->outline_bounds, crossing->start);
    f->outline_bounds = cm_aabb_add_point(f->outline_bounds, crossing->end);
    if (maker->keep) {
        f->outline = grow(f->outline, 2 * f->outline_segments, &maker->capacity, sizeof *f->outline);
        f->outline[2 * f->outline_segments] = crossing->start;
        f->outline[2 * f->outline_segments + 1] = crossing->end;
        f->outline_segments++;
    }
    return true;
}

static bool is_finding(const finding *f) {
    cm_relation r = f->result.relation;
    return r != CM_RELATION_NONE && (r != CM_RELATION_SEPARATED || f->within_clearance);
}

static void check_pair(void *argument, int index, int worker) {
    (void)worker;
    const pair_work *work = argument;
    const scene *s = work->scene;
    const cm_broad_pair *c = &work->candidates[index];
    finding *f = &work->results[index];
    const scene_part *a = &s->parts[c->a], *b = &s->parts[c->b];
    cm_shape shape_a = cm_make_mesh(s->meshes[a->mesh].mesh), shape_b = cm_make_mesh(s->meshes[b->mesh].mesh);
    double clearance = work->options->clearance, max_gap = clearance > 0 ? clearance : 0;
    *f = (finding){.part_a = c->a, .part_b = c->b, .outline_bounds = cm_aabb_empty()};
    work->statuses[index] = cm_mesh_relation(&shape_a, &a->pose, &shape_b, &b->pose,
                                             pair_tolerance(s, work->options, a, b), max_gap, &f->result);
    f->within_clearance =
        f->result.relation == CM_RELATION_SEPARATED && clearance > 0 && f->result.distance < clearance;
    if (work->statuses[index] == CM_OK && is_finding(f) && f->result.crossings > 0) {
        outline_maker maker = {f, 0, work->outlines};
        cm_mesh_crossings(&shape_a, &a->pose, &shape_b, &b->pose, add_crossing, &maker);
    }
    progress_step(work->progress);
}

static int run_pairs(const scene *s, const options *o, bool outlines, const candidates *c, findings *out) {
    progress shown;
    progress_start(&shown, "pairs", c->count);
    pair_work work = {.scene = s, .options = o, .candidates = c->list, .outlines = outlines, .progress = &shown};
    work.results = allocate(c->count, sizeof *work.results);
    work.statuses = allocate(c->count, sizeof *work.statuses);
    run_in_parallel(o->read.threads, c->count, check_pair, &work);
    progress_end(&shown);

    int code = 0;
    for (size_t i = 0; i < c->count; i++) {
        finding *f = &work.results[i];
        if (work.statuses[i] != CM_OK && code == 0)
            code = complain(EXIT_INTERNAL, "%s against %s: %s", s->parts[f->part_a].name, s->parts[f->part_b].name,
                            cm_status_text(work.statuses[i]));
        if (code == 0 && is_finding(f))
            work.results[out->count++] = *f;
        else
            free(f->outline);
    }
    out->list = work.results;
    free(work.statuses);
    return code;
}

/* --- findings ----------------------------------------------------------------------------------------------------- */

const char *finding_name(const finding *f) {
    cm_relation relation = f->result.relation;
    return relation == CM_RELATION_SEPARATED ? "clearance" : cm_relation_text(relation);
}

static finding_kind kind_of(const finding *f) {
    switch (f->result.relation) {
    case CM_RELATION_IDENTICAL:
        return FINDING_IDENTICAL;
    case CM_RELATION_A_IN_B:
    case CM_RELATION_B_IN_A:
        return FINDING_INSIDE;
    case CM_RELATION_TOUCHING:
        return FINDING_TOUCHING;
    case CM_RELATION_SEPARATED:
        return FINDING_CLEARANCE;
    case CM_RELATION_CROSSING:
    case CM_RELATION_NONE:
        break;
    }
    return FINDING_CROSSING;
}

static bool kind_fails(finding_kind kind, fail_level level) {
    if (kind == FINDING_CLEARANCE) return level >= FAIL_CLEARANCE;
    if (kind == FINDING_TOUCHING) return level >= FAIL_TOUCHING;
    return level >= FAIL_CROSSING;
}

static bool is_allowed(const scene *s, options *o, const finding *f) {
    const char *a = s->parts[f->part_a].name, *b = s->parts[f->part_b].name;
    bool allowed = false;
    for (uint32_t i = 0; i < o->allow_count; i++) {
        allowed_pair *pair = &o->allow[i];
        bool matches = (pattern_matches(pair->first, a) && pattern_matches(pair->second, b)) ||
                       (pattern_matches(pair->first, b) && pattern_matches(pair->second, a));
        pair->used |= matches;
        allowed |= matches;
    }
    return allowed;
}

static int compare_findings(const void *left, const void *right) {
    const finding *a = left, *b = right;
    if (a->kind != b->kind) return a->kind < b->kind ? -1 : 1;
    if (a->result.distance < b->result.distance) return -1;
    if (a->result.distance > b->result.distance) return 1;
    if (a->part_a != b->part_a) return a->part_a < b->part_a ? -1 : 1;
    return a->part_b < b->part_b ? -1 : a->part_b > b->part_b;
}

static void classify(const scene *s, options *o, findings *f) {
    for (size_t i = 0; i < f->count; i++) {
        finding *one = &f->list[i];
        one->kind = kind_of(one);
        one->allowed = is_allowed(s, o, one);
        one->fails = !one->allowed && kind_fails(one->kind, o->fail_on);
        f->allowed += one->allowed;
        f->failing += one->fails;
        if (!one->allowed) f->kinds[one->kind]++;
    }
    if (f->count > 1) qsort(f->list, f->count, sizeof *f->list, compare_findings);
}

int check_scene(const scene *s, options *o, bool outlines, findings *out) {
    double start = seconds_now();
    candidates c = {0};
    *out =
        (findings){.clearance = o->clearance > 0 ? o->clearance : 0, .tolerance = o->tolerance, .fail_on = o->fail_on};
    int code = find_candidates(s, o, &c);
    if (code == 0 && c.count > INT32_MAX) code = complain(EXIT_INPUT, "too many pairs of parts come near each other");
    out->pairs_total = c.total, out->pairs_near = c.count;
    if (code == 0) code = run_pairs(s, o, outlines, &c, out);
    free(c.list);
    if (code == 0)
        classify(s, o, out);
    else
        findings_free(out);
    out->seconds_pairs = seconds_now() - start;
    return code;
}

void findings_free(findings *f) {
    for (size_t i = 0; i < f->count; i++) free(f->list[i].outline);
    free(f->list);
    f->list = NULL, f->count = 0;
}

/* --- the command ------------------------------------------------------------------------------------------------- */

static void warn_unmatched(const options *o) {
    for (uint32_t i = 0; i < o->allow_count; i++)
        if (!o->allow[i].used) warn("--allow '%s:%s' matches no finding", o->allow[i].first, o->allow[i].second);
}

/* Both ask for the same, so that a page is never promised in vain. */
static int check_report_path(const options *o) {
    char message[1024];
    if (!o->report || report_can_write(o->report, message, sizeof message)) return 0;
    return complain(EXIT_INPUT, "%s", message);
}

int run_check(options *o) {
    if (o->path_count == 0) return complain(EXIT_INPUT, "check needs a file (see carom help check)");
    int code = check_report_path(o);
    if (code != 0) return code;
    scene s;
    double seconds[2];
    code = options_read_scene(o, &s, seconds);
    if (code != 0) return code;
    if (s.part_count == 0)
        warn("no part is left to check");
    else if (s.part_count == 1)
        warn("there is only one part: nothing to check it against (--part component splits it)");

    findings found;
    code = between_check(&s, o);
    if (code == 0) code = check_scene(&s, o, o->report != NULL, &found);
    if (code == 0) {
        found.seconds_import = seconds[0], found.seconds_build = seconds[1];
        warn_unmatched(o);
        code = write_check(&s, o, &found);
        char message[1024];
        if (code == 0 && o->report && !report_write(o->report, &s, &found, o->read.threads, message, sizeof message))
            code = complain(EXIT_INPUT, "%s", message);
        if (code == 0 && found.failing > 0) code = EXIT_FOUND;
        code = left_out_code(&s, o, code);
        findings_free(&found);
    }
    free_scene(&s);
    return code;
}
