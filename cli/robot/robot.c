/* carom check of a robot: see robot.h. */
#include "robot/robot.h"

#include "check/left_out.h"
#include "common/progress.h"
#include "common/text.h"
#include "common/units.h"
#include "page/page.h"
#include "ranks/ranks.h"
#include "read/readers.h"
#include "robot/answer.h"
#include "robot/playing.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- options ----------------------------------------------------------------------------------------------------- */

static int bad_value(const char *name, const char *value, const char *wrong) {
    return complain(EXIT_INPUT, "%s: '%s' %s", name, value, wrong);
}

/* NAME=FOLDER */
static int add_package(robot_options *out, const char *name, const char *value) {
    const char *equals = strchr(value, '=');
    if (!equals || equals == value || !equals[1]) return bad_value(name, value, "is not NAME=FOLDER");
    char *text = copy_text(value);
    text[equals - value] = 0;
    for (uint32_t i = 0; i < out->package_count; i++)
        if (strcmp(out->packages[i].name, text) == 0) {
            free(text);
            return bad_value(name, value, "gives this package a second folder");
        }
    size_t capacity = out->package_count;
    out->packages = grow(out->packages, capacity, &capacity, sizeof *out->packages);
    out->packages[out->package_count++] = (robot_package){text, text + (equals - value) + 1};
    return 0;
}

/* FILE@LINK, and after commas the links that it may touch. */
static int add_attached(robot_options *out, const char *name, const char *value) {
    const char *at = strrchr(value, '@');
    if (!at || at == value || !at[1] || at[1] == ',') return bad_value(name, value, "is not FILE@LINK");
    char *text = copy_text(value), *link = text + (at - value) + 1, *comma = strchr(link, ',');
    link[-1] = 0;
    if (comma) *comma = 0;
    size_t capacity = out->attached_count;
    out->attached = grow(out->attached, capacity, &capacity, sizeof *out->attached);
    out->attached[out->attached_count++] =
        (robot_attached){.file = text, .link = link, .touched = comma ? comma + 1 : strchr(link, 0)};
    return 0;
}

/* Of the --attach before: three or six numbers, with blanks or commas between them. */
static int place_attached(robot_options *out, const char *name, const char *value) {
    double numbers[6] = {0};
    int count = 0;
    const char *at = value + strspn(value, " ,");
    for (char *end; *at && count < 6; at = end + strspn(end, " ,")) {
        numbers[count] = strtod(at, &end);
        if (end == at || !strchr(" ,", *end) || !(fabs(numbers[count]) <= CM_COORD_MAX)) break;
        count++;
    }
    if (*at || (count != 3 && count != 6))
        return bad_value(name, value, "is not 'X Y Z' or 'X Y Z ROLL PITCH YAW' (metres, radians)");
    robot_attached *one = out->attached_count > 0 ? &out->attached[out->attached_count - 1] : NULL;
    if (!one || one->placed)
        return complain(EXIT_INPUT, "%s says where the --attach before it is: there is none%s", name,
                        one ? " that has no place yet" : "");
    memcpy(one->place, numbers, sizeof numbers);
    one->placed = true;
    return 0;
}

static int add_cell(robot_options *out, const char *value) {
    size_t capacity = out->cell_count;
    out->cells = grow(out->cells, capacity, &capacity, sizeof *out->cells);
    out->cells[out->cell_count++] = value;
    return 0;
}

static int read_whole(const char *name, const char *value, uint64_t low, uint64_t high, uint64_t *out) {
    char *end;
    errno = 0;
    *out = strtoull(value, &end, 10);
    if (*value >= '0' && *value <= '9' && !*end && errno == 0 && *out >= low && *out <= high) return 0;
    return complain(EXIT_INPUT, "%s: '%s' is not a whole number from %llu to %llu", name, value,
                    (unsigned long long)low, (unsigned long long)high);
}

static bool read_scale(const char *text, double *out, const char **wrong) {
    char *end;
    *out = strtod(text, &end);
    *wrong = "is not a factor above zero, such as 1.1";
    return end != text && !*end && *out > 0 && *out <= 1000;
}

static bool names_the_same(const char *a, const char *b) { return a && b ? strcmp(a, b) == 0 : a == b; }

/* VALUE or LINK=VALUE; `what` is the value's name in the help. */
static int add_link_value(link_values *out, const char *name, const char *text, const char *what,
                          bool (*read)(const char *text, double *value, const char **wrong)) {
    const char *equals = strrchr(text, '='), *number = equals ? equals + 1 : text, *wrong;
    link_value one = {0};
    if (equals == text) return bad_value(name, text, "names no link before its '='");
    if (!read(number, &one.value, &wrong))
        return complain(EXIT_INPUT, "%s: '%s' %s (%s %s, or LINK=%s for some links)", name, number, wrong, name, what,
                        what);
    if (equals) one.links = format_text("%.*s", (int)(equals - text), text);
    for (uint32_t i = 0; i < out->count; i++) {
        if (!names_the_same(out->list[i].links, one.links)) continue;
        complain(EXIT_INPUT, "%s is given twice for %s", name, one.links ? one.links : "all links");
        free(one.links);
        return EXIT_INPUT;
    }
    size_t capacity = out->count;
    out->list = grow(out->list, capacity, &capacity, sizeof *out->list);
    out->list[out->count++] = one;
    return 0;
}

static void free_link_values(link_values *v) {
    for (uint32_t i = 0; i < v->count; i++) free(v->list[i].links);
    free(v->list);
}

static int read_against(const char *name, const char *value, bool *for_cell) {
    *for_cell = strcmp(value, "cell") == 0;
    return *for_cell || strcmp(value, "all") == 0 ? 0 : bad_value(name, value, "is neither cell nor all");
}

int robot_option(robot_options *out, const char *name, char **values) {
    const struct {
        const char *name, **text;
    } texts[] = {{"--srdf", &out->srdf},
                 {"--trajectory", &out->trajectory},
                 {"--write-srdf", &out->write_srdf},
                 {"--planning-group", &out->planning_group}};
    uint64_t count = 0;
    int code = 0;
    if (!*out->any) snprintf(out->any, sizeof out->any, "%s", name);
    if (strcmp(name, "--adjacent") == 0) {
        out->adjacent = true;
        return 0;
    }
    if (!*values[0]) return bad_value(name, values[0], "is empty");
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (strcmp(name, texts[i].name) == 0) {
            *texts[i].text = values[0];
            return 0;
        }
    if (strcmp(name, "--package") == 0) return add_package(out, name, values[0]);
    if (strcmp(name, "--attach") == 0) return add_attached(out, name, values[0]);
    if (strcmp(name, "--attach-at") == 0) return place_attached(out, name, values[0]);
    if (strcmp(name, "--cell") == 0) return add_cell(out, values[0]);
    if (strcmp(name, "--link-scale") == 0) return add_link_value(&out->scale, name, values[0], "FACTOR", read_scale);
    if (strcmp(name, "--padding") == 0)
        return add_link_value(&out->padding, name, values[0], "LENGTH", length_from_text);
    if (strcmp(name, "--padding-against") == 0) return read_against(name, values[0], &out->padding_for_cell);
    if (strcmp(name, "--seed") == 0) return read_whole(name, values[0], 0, UINT64_MAX, &out->seed);
    const bool worst = strcmp(name, "--worst") == 0;
    code = read_whole(name, values[0], 1, worst ? 1000 : 100000000, &count);
    *(worst ? &out->worst : &out->configurations) = (uint32_t)count;
    return code;
}

void robot_options_free(robot_options *o) {
    for (uint32_t i = 0; i < o->package_count; i++) free(o->packages[i].name);
    free(o->packages);
    for (uint32_t i = 0; i < o->attached_count; i++) free(o->attached[i].file);
    free(o->attached);
    free(o->cells);
    free_link_values(&o->padding);
    free_link_values(&o->scale);
}

bool robot_is_urdf(const char *path) {
    reader found;
    reader_find(path, &found);
    return found.kind == READER_ROBOT;
}

/* What carom check takes of other models, and not of robots. */
static int refuse_options(const options *o) {
    const struct {
        bool given;
        const char *name, *advice;
    } list[] = {{o->clearance >= 0, "--clearance", " (--padding makes links larger)"},
                {o->group != NULL, "--group", ""},
                {o->junit != NULL, "--junit", ""},
                {o->sarif != NULL, "--sarif", ""},
                {o->bcf != NULL, "--bcf", ""},
                {o->baseline != NULL, "--baseline", ""},
                {o->resume != NULL, "--resume", ""},
                {o->rules != NULL, "--rules", " (--between, --allow and --srdf choose pairs)"},
                {o->approved != NULL, "--approved", " (--allow accepts pairs)"},
                {o->also != 0, "--also", " (--adjacent checks links that a joint connects)"}};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        if (list[i].given) return complain(EXIT_INPUT, "%s is not for robots%s", list[i].name, list[i].advice);
    if (o->path_count != 1)
        return complain(EXIT_INPUT, "a robot is checked by itself: what stands around it is given by --cell");
    if (o->robot.write_srdf && o->robot.configurations == 0)
        return complain(EXIT_INPUT, "--write-srdf needs --configurations N");
    if (o->robot.planning_group && (o->robot.configurations == 0 || !o->robot.srdf))
        return complain(EXIT_INPUT, "--planning-group needs --srdf and --configurations N");
    if (o->robot.planning_group && o->robot.write_srdf)
        return complain(EXIT_INPUT, "--write-srdf is of all joints, and --planning-group of some");
    if (o->report && o->robot.trajectory && o->robot.configurations > 0)
        return complain(EXIT_INPUT, "--report plays a trajectory or the worst configurations: run it twice");
    if (o->robot.padding_for_cell && (o->robot.padding.count == 0 || o->robot.cell_count == 0))
        return complain(EXIT_INPUT, "--padding-against cell needs --padding and --cell");
    if (o->robot.worst > 0 && (!o->report || o->robot.trajectory))
        return complain(EXIT_INPUT, "--worst needs --report, and no --trajectory");
    char message[1024];
    if (o->report && ranks_own() == 0 && !page_can_write(o->report, message, sizeof message))
        return complain(EXIT_INPUT, "%s", message);
    if (o->robot.write_srdf && ranks_own() == 0 && !page_can_write(o->robot.write_srdf, message, sizeof message))
        return complain(EXIT_INPUT, "%s", message);
    return 0;
}

enum { WORST_SHOWN = 20 }; /* by the page, unless --worst says otherwise */

/* --- the command ------------------------------------------------------------------------------------------------- */

const char *pair_verdict(const survey *s, const robot_pair *pair) {
    const uint64_t all = (uint64_t)s->station_count + s->sample_count, hits = pair_hits(pair);
    if (hits == all) return "always";
    return hits > 0 ? "sometimes" : pair->touching > 0 ? "touching" : "never";
}

bool pair_fails(const options *o, const robot_pair *pair) {
    if (pair->allowed != CM_NONE) return false;
    if (o->fail_on >= CM_FAIL_TOUCHING && pair->touching > 0) return true;
    return o->fail_on >= CM_FAIL_CROSSING && (pair_hits(pair) > 0 || pair->way.collides || pair->way.open);
}

static void warn_unmatched(const options *o, const survey *s) {
    for (uint32_t i = 0; i < o->allow_count; i++) {
        bool used = false;
        for (uint32_t k = 0; k < s->pairs.count && !used; k++) used = s->pairs.list[k].allowed == i;
        if (!used) warn("--allow '%s:%s' matches no pair", o->allow[i].first, o->allow[i].second);
    }
    for (uint32_t i = 0; i < o->read.ignore_count; i++)
        if (!o->read.ignore_used[i]) warn("--ignore '%s' matches no link and no part", o->read.ignore[i]);
}

static int write_page_of(const options *o, const robot_answer *a) {
    char message[1024];
    const uint32_t most = o->robot.worst > 0 ? o->robot.worst : WORST_SHOWN;
    return playing_write(o->report, a, most, message, sizeof message) ? 0 : complain(EXIT_INPUT, "%s", message);
}

/* A check that compared nothing is no "nothing found". The answer is written all the same: it says why of each pair. */
static int say_nothing_checked(const robot_pairs *p) {
    const struct {
        uint32_t count;
        const char *why;
    } list[] = {{p->disabled, "disabled by the SRDF"},
                {p->adjacent, "adjacent, which a joint connects (--adjacent checks them)"},
                {p->held, "of what is attached and may touch"}};
    text_buffer line = {0};
    uint32_t reasons = 0;
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        if (list[i].count == 0) continue;
        if (list[i].count == p->count && p->count > 1)
            text_add(&line, "all %u pairs are %s", p->count, list[i].why);
        else
            text_add(&line, "%s%u pair%s %s", reasons++ > 0 ? ", " : "", list[i].count, plural(list[i].count),
                     list[i].why);
    }
    if (p->count == 0) text_add(&line, "there are no two links or parts to compare");
    const int code = complain(EXIT_INPUT, "nothing was checked: %s", line.bytes);
    free(line.bytes);
    return code;
}

/* Of several ranks all have the model and share the configurations; the first does the rest, and writes. */
static int check_all(const model *m, const options *o, const srdf *named) {
    survey s;
    trajectory way = {0};
    const double start = seconds_now();
    int code = survey_start(m, o, named, &s);
    if (code == 0 && o->robot.trajectory) code = trajectory_read(o->robot.trajectory, &m->robot, &way);
    code = ranks_agree(code, (uint32_t)ranks_own());
    if (code == 0) {
        warn_unmatched(o, &s);
        if (ranks_own() == 0) survey_stations(&s);
        if (s.sample_count > 0) survey_samples(&s);
    }
    if (code == 0 && ranks_own() == 0) {
        if (o->robot.trajectory) trajectory_check(&way, &s);
        robot_answer a = {.survey = &s, .way = o->robot.trajectory ? &way : NULL};
        for (uint32_t i = 0; i < s.pairs.count; i++) a.failing += pair_fails(o, &s.pairs.list[i]);
        a.seconds = seconds_now() - start;
        code = answer_write(&a);
        if (code == 0 && o->robot.write_srdf) code = answer_write_srdf(&a);
        if (code == 0 && o->report) code = write_page_of(o, &a);
        if (code == 0 && a.failing > 0) code = EXIT_FOUND;
        if (code == 0 && s.pairs.checked == 0) code = say_nothing_checked(&s.pairs);
    }
    trajectory_free(&way);
    survey_free(&s);
    return code;
}

int run_robot(options *o) {
    int code = ranks_agree(refuse_options(o), (uint32_t)ranks_own());
    if (code != 0) return code;
    model m;
    srdf named = {0};
    code = model_read(o, &m);
    if (code == 0 && o->robot.srdf) code = srdf_read(o->robot.srdf, &m.robot, &named);
    code = ranks_agree(code, (uint32_t)ranks_own());
    if (code == 0) code = check_all(&m, o, &named);
    if (code <= EXIT_FOUND) code = left_out_code(&m.meshes, o, code);
    if (code <= EXIT_FOUND) code = left_out_code(&m.attached, o, code);
    if (code <= EXIT_FOUND) code = left_out_code(&m.cell, o, code);
    srdf_free(&named);
    model_free(&m);
    return code;
}
