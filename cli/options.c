/* The command line: see options.h. One table of options; each says which commands take it and how it is read. */
#include "options.h"

#include "check/bounding.h"
#include "check/rules.h"
#include "common/date.h"
#include "common/selector.h"
#include "common/suggest.h"
#include "common/text.h"
#include "common/units.h"

#include <stdlib.h>
#include <string.h>

enum { ALL = COMMAND_CHECK | COMMAND_DISTANCE | COMMAND_INFO | COMMAND_FIT, PAIRS = COMMAND_CHECK | COMMAND_DISTANCE };

/* Reads the values of one option. Returns 0 or EXIT_INPUT after saying what is wrong. */
typedef int (*option_reader)(options *o, const char *name, char **values);

typedef struct option_rule {
    const char *name;
    int commands, values;
    option_reader read;
    bool repeats; /* it may be given several times; another one that takes a value is refused then */
} option_rule;

static int bad_value(const char *name, const char *value, const char *wrong) {
    return complain(EXIT_INPUT, "%s: '%s' %s", name, value, wrong);
}

/* --- values ------------------------------------------------------------------------------------------------------ */

static int read_choice(const char *name, const char *value, const char *const *choices, int count, int *out) {
    text_buffer all = {0};
    for (int i = 0; i < count; i++) {
        if (strcmp(value, choices[i]) == 0) {
            free(all.bytes);
            *out = i;
            return 0;
        }
        text_add(&all, "%s%s", i > 0 ? ", " : "", choices[i]);
    }
    complain(EXIT_INPUT, "%s: '%s' is not one of %s", name, value, all.bytes);
    free(all.bytes);
    return EXIT_INPUT;
}

static int read_length(const char *name, const char *value, double *out) {
    const char *wrong;
    return length_from_text(value, out, &wrong) ? 0 : bad_value(name, value, wrong);
}

static int check_selector(const char *name, const char *text) {
    const char *fault = selector_fault(text);
    return fault ? bad_value(name, text, fault) : 0;
}

static int read_unit(options *o, const char *name, char **values) {
    if (o->read.unit > 0) return complain(EXIT_INPUT, "--unit and --override-unit: give one of them");
    o->read.unit = unit_from_name(values[0], strlen(values[0]));
    return o->read.unit > 0 ? 0 : bad_value(name, values[0], "is not a unit: known are " UNIT_NAMES);
}
static int read_override_unit(options *o, const char *name, char **values) {
    o->read.override_unit = true;
    return read_unit(o, name, values);
}
static int read_up(options *o, const char *name, char **values) {
    static const char *const axes[] = {"x", "y", "z"};
    int axis = 0, code = read_choice(name, values[0], axes, 3, &axis);
    o->read.up = "xyz"[axis];
    return code;
}
static int read_part(options *o, const char *name, char **values) {
    static const char *const kinds[] = {"node", "mesh", "component"};
    int kind = 0, code = read_choice(name, values[0], kinds, 3, &kind);
    o->read.part = (part_kind)kind;
    return code;
}
static int read_weld(options *o, const char *name, char **values) {
    return read_length(name, values[0], &o->read.weld);
}
static int read_skip_bad(options *o, const char *name, char **values) {
    (void)name, (void)values;
    o->read.import.skip_bad = true;
    return 0;
}
static int read_chord(options *o, const char *name, char **values) {
    int code = read_length(name, values[0], &o->read.import.chord);
    if (code == 0 && !(o->read.import.chord > 0)) return bad_value(name, values[0], "is no length above zero");
    return code;
}
static int read_ignore(options *o, const char *name, char **values) {
    if (!*values[0]) return bad_value(name, values[0], "is an empty pattern");
    size_t capacity = o->read.ignore_count;
    o->read.ignore = grow(o->read.ignore, capacity, &capacity, sizeof *o->read.ignore);
    o->read.ignore[o->read.ignore_count++] = values[0];
    return check_selector(name, values[0]);
}
static int read_cache(options *o, const char *name, char **values) {
    o->read.import.cache = values[0];
    return *values[0] ? 0 : bad_value(name, values[0], "is not a folder");
}
static int read_import_memory(options *o, const char *name, char **values) {
    return memory_from_text(values[0], &o->read.import.limits.memory)
               ? 0
               : bad_value(name, values[0], "is not an amount of memory such as 2GB or 500M");
}
static int read_import_timeout(options *o, const char *name, char **values) {
    return seconds_from_text(values[0], &o->read.import.limits.seconds)
               ? 0
               : bad_value(name, values[0], "is not a time such as 90s or 5min");
}
static int read_format(options *o, const char *name, char **values) {
    static const char *const formats[] = {"table", "json", "csv"};
    int format = 0, code = read_choice(name, values[0], formats, 3, &format);
    o->format = (output_format)format;
    return code;
}
static int read_help(options *o, const char *name, char **values) {
    (void)name, (void)values;
    o->help = true;
    return 0;
}
static int read_clearance(options *o, const char *name, char **values) {
    return read_length(name, values[0], &o->clearance);
}
static int read_tolerance(options *o, const char *name, char **values) {
    return read_length(name, values[0], &o->tolerance);
}
static int read_fail_on(options *o, const char *name, char **values) {
    static const char *const levels[] = {"none", "crossing", "touching", "clearance", "new"};
    int level = 0, code = read_choice(name, values[0], levels, 5, &level);
    if (code == 0 && level != 4 && o->fail_on != CM_FAIL_DEFAULT)
        return complain(EXIT_INPUT, "%s: a level is given twice: '%s' is another one", name, values[0]);
    if (level == 4)
        o->fail_on_new = true;
    else
        o->fail_on = (cm_check_fail_on)(CM_FAIL_NEVER + level), o->fail_level_given |= level > 0;
    return code;
}
static int read_incomplete(options *o, const char *name, char **values) {
    static const char *const choices[] = {"refuse", "ok"};
    int choice = 0, code = read_choice(name, values[0], choices, 2, &choice);
    o->incomplete_ok = choice == 1;
    return code;
}
static void add_pair(cm_check_exception **list, uint32_t *count, const char *first, const char *second) {
    size_t capacity = *count;
    *list = grow(*list, capacity, &capacity, sizeof **list);
    (*list)[(*count)++] = (cm_check_exception){.first = first, .second = second};
}
static int read_between(options *o, const char *name, char **values) {
    if (!*values[0] || !*values[1]) return complain(EXIT_INPUT, "%s: an empty pattern", name);
    add_pair(&o->between, &o->between_count, values[0], values[1]);
    const int code = check_selector(name, values[0]);
    return code ? code : check_selector(name, values[1]);
}
static int read_allow(options *o, const char *name, char **values) {
    const char *second;
    char *first = pair_split(values[0], &second);
    if (!first) return bad_value(name, values[0], "is not PATTERN:PATTERN (write \\: for a colon in a name)");
    add_pair(&o->allow, &o->allow_count, first, second);
    const int code = check_selector(name, first);
    return code ? code : check_selector(name, second);
}
static int read_also(options *o, const char *name, char **values) {
    int which = 0, code = read_choice(name, values[0], rules_default_names, RULES_DEFAULTS, &which);
    o->also |= 1u << which;
    if (code == 0 && o->command != COMMAND_CHECK && 1u << which != RULES_SPACES)
        return bad_value(name, values[0], "is of carom check: here it may be spaces");
    return code;
}
static int read_count(const char *name, const char *value, long low, long high, long *out) {
    char *end;
    *out = strtol(value, &end, 10);
    if (!*end && end != value && *out >= low && *out <= high) return 0;
    return complain(EXIT_INPUT, "%s: '%s' is not a number from %ld to %ld", name, value, low, high);
}
static int read_threads(options *o, const char *name, char **values) {
    long n = 0;
    int code = read_count(name, values[0], 1, 1024, &n);
    o->read.threads = (int)n;
    return code;
}
static int read_file_name(const char *name, const char *value, const char **out) {
    *out = value;
    return *value ? 0 : bad_value(name, value, "is not a file name");
}
static int read_report(options *o, const char *name, char **values) {
    return read_file_name(name, values[0], &o->report);
}
static int read_junit(options *o, const char *name, char **values) {
    return read_file_name(name, values[0], &o->junit);
}
static int read_sarif(options *o, const char *name, char **values) {
    return read_file_name(name, values[0], &o->sarif);
}
static int read_rules(options *o, const char *name, char **values) {
    return read_file_name(name, values[0], &o->rules);
}
static int read_approved(options *o, const char *name, char **values) {
    return read_file_name(name, values[0], &o->approved);
}
static int read_baseline(options *o, const char *name, char **values) {
    return read_file_name(name, values[0], &o->baseline);
}
static int read_resume(options *o, const char *name, char **values) {
    return read_file_name(name, values[0], &o->resume);
}
static int read_bcf(options *o, const char *name, char **values) { return read_file_name(name, values[0], &o->bcf); }
static int read_bcf_version(options *o, const char *name, char **values) {
    int version = 0, code = read_choice(name, values[0], bcf_version_names, BCF_VERSIONS, &version);
    o->bcf_version = (bcf_version)version;
    o->has_bcf_version = true;
    return code;
}
/* A text for people, as clean text on one line. */
static int read_words(const char *name, char *value, const char **out) {
    char *clean = clean_text(value, strlen(value));
    const bool same = strcmp(clean, value) == 0;
    free(clean);
    if (!same || !value[strspn(value, " ")]) return bad_value(name, value, "is no text on one line");
    *out = value;
    return 0;
}
static int read_author(options *o, const char *name, char **values) { return read_words(name, values[0], &o->author); }
static int read_reason(options *o, const char *name, char **values) { return read_words(name, values[0], &o->reason); }
static int read_date(options *o, const char *name, char **values) {
    char ignored[DATE_SIZE];
    (void)name;
    o->date = values[0];
    return date_to_write(o->date, ignored);
}
static int read_status(options *o, const char *name, char **values) {
    size_t capacity = o->status_count;
    o->statuses = grow(o->statuses, capacity, &capacity, sizeof *o->statuses);
    return read_words(name, values[0], &o->statuses[o->status_count++]);
}
static int read_group(options *o, const char *name, char **values) {
    o->group = values[0];
    return *values[0] ? 0 : bad_value(name, values[0], "is not part, file, leaf, test, place or the key of a property");
}

static int read_volumes(options *o, const char *name, char **values) {
    (void)name, (void)values;
    o->volumes = true;
    return 0;
}
static int read_bounds(options *o, const char *name, char **values) {
    (void)name, (void)values;
    o->bounds = true;
    return 0;
}
static int read_as(options *o, const char *name, char **values) {
    return read_choice(name, values[0], bounding_names, BOUNDING_KINDS, &o->fit_as);
}
static int read_each(options *o, const char *name, char **values) {
    (void)name, (void)values;
    o->each = true;
    return 0;
}
static int read_output(options *o, const char *name, char **values) {
    return read_file_name(name, values[0], &o->output);
}
static int read_output_unit(options *o, const char *name, char **values) {
    o->output_unit = unit_from_name(values[0], strlen(values[0]));
    return o->output_unit > 0 ? 0 : bad_value(name, values[0], "is not a unit: known are " UNIT_NAMES);
}
static int read_segments(options *o, const char *name, char **values) {
    long n = 0;
    int code = read_count(name, values[0], 4, 256, &n);
    o->segments = (int)n;
    return code;
}
static int read_vertices(options *o, const char *name, char **values) {
    long n = 0;
    int code = read_count(name, values[0], 4, 1000000, &n);
    o->max_vertices = (uint32_t)n;
    return code;
}

static int read_steps(options *o, const char *name, char **values) {
    long n = 0;
    int code = read_count(name, values[0], 1, 10000000, &n);
    o->steps = (uint32_t)n;
    return code;
}
static int read_dt(options *o, const char *name, char **values) {
    return seconds_from_text(values[0], &o->dt) ? 0 : bad_value(name, values[0], "is not a time such as 0.01");
}
static int read_trace(options *o, const char *name, char **values) {
    return read_file_name(name, values[0], &o->trace);
}

static int read_compare_broad(options *o, const char *name, char **values) {
    (void)name, (void)values;
    o->compare.on = true;
    return 0;
}
static int read_objects(options *o, const char *name, char **values) {
    if (compare_read_counts(&o->compare, values[0])) return 0;
    return bad_value(name, values[0],
                     "is not a list of up to 16 numbers, each larger than the one before, e.g. 1000,10000");
}
static int read_kinds(options *o, const char *name, char **values) {
    if (compare_read_sides(&o->compare, values[0])) return 0;
    return bad_value(name, values[0],
                     "is not a list of broad phases: known are auto brute sweep sweep3 grid octree octree-clipped "
                     "quadtree quadtree-clipped bsp bvh");
}
static int read_queries(options *o, const char *name, char **values) {
    if (compare_read_queries(&o->compare, values[0])) return 0;
    return bad_value(name, values[0], "is not a list such as rays=100,boxes=100: known are rays boxes nearest frusta");
}

static int read_robot(options *o, const char *name, char **values) { return robot_option(&o->robot, name, values); }

static const option_rule table[] = {
    {"--unit", ALL, 1, read_unit, false},
    {"--override-unit", ALL, 1, read_override_unit, false},
    {"--up", ALL, 1, read_up, false},
    {"--part", ALL, 1, read_part, false},
    {"--weld", ALL, 1, read_weld, false},
    {"--skip-bad", ALL, 0, read_skip_bad, false},
    {"--chord", ALL, 1, read_chord, false},
    {"--incomplete", PAIRS | COMMAND_FIT, 1, read_incomplete, false},
    {"--ignore", ALL, 1, read_ignore, true},
    {"--cache", ALL, 1, read_cache, false},
    {"--import-memory", ALL, 1, read_import_memory, false},
    {"--import-timeout", ALL, 1, read_import_timeout, false},
    {"--format", ALL, 1, read_format, false},
    {"--help", ALL | COMMAND_SIMULATE | COMMAND_APPROVE, 0, read_help, false},
    {"-h", ALL | COMMAND_SIMULATE | COMMAND_APPROVE, 0, read_help, false},
    {"--between", PAIRS, 2, read_between, true},
    {"--clearance", COMMAND_CHECK, 1, read_clearance, false},
    {"--tolerance", PAIRS, 1, read_tolerance, false},
    {"--fail-on", COMMAND_CHECK, 1, read_fail_on, true},
    {"--allow", COMMAND_CHECK, 1, read_allow, true},
    {"--rules", COMMAND_CHECK, 1, read_rules, false},
    {"--approved", COMMAND_CHECK | COMMAND_APPROVE, 1, read_approved, false},
    {"--reason", COMMAND_APPROVE, 1, read_reason, false},
    {"--author", COMMAND_CHECK | COMMAND_APPROVE, 1, read_author, false},
    {"--date", COMMAND_CHECK | COMMAND_APPROVE, 1, read_date, false},
    {"--status", COMMAND_APPROVE, 1, read_status, true},
    {"--also", PAIRS | COMMAND_FIT, 1, read_also, true},
    {"--threads", ALL, 1, read_threads, false},
    {"--report", COMMAND_CHECK | COMMAND_SIMULATE, 1, read_report, false},
    {"--junit", COMMAND_CHECK, 1, read_junit, false},
    {"--sarif", COMMAND_CHECK, 1, read_sarif, false},
    {"--bcf", COMMAND_CHECK, 1, read_bcf, false},
    {"--bcf-version", COMMAND_CHECK, 1, read_bcf_version, false},
    {"--volume", COMMAND_CHECK, 0, read_volumes, false},
    {"--baseline", COMMAND_CHECK, 1, read_baseline, false},
    {"--resume", COMMAND_CHECK, 1, read_resume, false},
    {"--group", COMMAND_CHECK, 1, read_group, false},
    {"--srdf", COMMAND_CHECK, 1, read_robot, false},
    {"--package", COMMAND_CHECK, 1, read_robot, true},
    {"--cell", COMMAND_CHECK, 1, read_robot, true},
    {"--attach", COMMAND_CHECK, 1, read_robot, true},
    {"--attach-at", COMMAND_CHECK, 1, read_robot, true},
    {"--configurations", COMMAND_CHECK, 1, read_robot, false},
    {"--seed", COMMAND_CHECK, 1, read_robot, false},
    {"--planning-group", COMMAND_CHECK, 1, read_robot, false},
    {"--trajectory", COMMAND_CHECK, 1, read_robot, false},
    {"--adjacent", COMMAND_CHECK, 0, read_robot, false},
    {"--padding", COMMAND_CHECK, 1, read_robot, true},
    {"--padding-against", COMMAND_CHECK, 1, read_robot, false},
    {"--link-scale", COMMAND_CHECK, 1, read_robot, true},
    {"--write-srdf", COMMAND_CHECK, 1, read_robot, false},
    {"--worst", COMMAND_CHECK, 1, read_robot, false},
    {"--bounds", COMMAND_INFO, 0, read_bounds, false},
    {"--as", COMMAND_FIT, 1, read_as, false},
    {"--each", COMMAND_FIT, 0, read_each, false},
    {"--output", COMMAND_FIT, 1, read_output, false},
    {"--output-unit", COMMAND_FIT, 1, read_output_unit, false},
    {"--segments", COMMAND_FIT, 1, read_segments, false},
    {"--vertices", COMMAND_FIT, 1, read_vertices, false},
    {"--steps", COMMAND_SIMULATE, 1, read_steps, false},
    {"--dt", COMMAND_SIMULATE, 1, read_dt, false},
    {"--trace", COMMAND_SIMULATE, 1, read_trace, false},
    {"--compare-broad", COMMAND_SIMULATE, 0, read_compare_broad, false},
    {"--objects", COMMAND_SIMULATE, 1, read_objects, false},
    {"--kinds", COMMAND_SIMULATE, 1, read_kinds, false},
    {"--queries", COMMAND_SIMULATE, 1, read_queries, false},
};
enum { OPTIONS = sizeof table / sizeof table[0] };

/* --- the whole ---------------------------------------------------------------------------------------------------- */

static int unknown_option(command_name command, const char *name, const option_rule *elsewhere) {
    if (elsewhere) return complain(EXIT_INPUT, "%s is not an option of this command (see carom help)", name);
    const char *names[OPTIONS];
    size_t count = 0;
    char hint[80];
    for (int i = 0; i < OPTIONS; i++)
        if (table[i].commands & (int)command) names[count++] = table[i].name;
    suggest(name, names, count, hint, sizeof hint);
    const char *file = name[1] == '-' ? "" : " (a file of that name is given as ./FILE, or behind --)";
    return complain(EXIT_INPUT, "unknown option '%s'%s", name, *hint ? hint : file);
}

/* One option with its values; `at` moves past them. earlier[i]: the first value of the option i of the table so far. */
static int read_option(command_name command, int count, char **arguments, int *at, const char *earlier[OPTIONS],
                       options *o) {
    char name[64], *values[2] = {NULL, NULL};
    const char *argument = arguments[*at], *equals = strchr(argument, '=');
    size_t length = equals ? (size_t)(equals - argument) : strlen(argument);
    snprintf(name, sizeof name, "%.*s", (int)(length < 60 ? length : 60), argument);
    const option_rule *rule = NULL;
    for (int i = 0; i < OPTIONS && !rule; i++)
        if (strcmp(table[i].name, name) == 0) rule = &table[i];
    if (!rule || !(rule->commands & (int)command)) return unknown_option(command, name, rule);
    int given = 0;
    if (equals) {
        if (rule->values != 1)
            return complain(EXIT_INPUT, "%s takes %s", name,
                            rule->values == 0 ? "no value" : "two values, after blanks");
        values[given++] = arguments[*at] + length + 1;
    }
    for (; given < rule->values; given++) {
        if (*at + 1 >= count)
            return complain(EXIT_INPUT, "%s needs %s", name, rule->values == 2 ? "two values" : "a value");
        values[given] = arguments[++*at];
    }
    ++*at;
    if (rule->values > 0 && !rule->repeats) {
        const char **before = &earlier[rule - table];
        if (*before) return complain(EXIT_INPUT, "%s is given twice: '%s' and '%s'", name, *before, values[0]);
        *before = values[0];
    }
    return rule->read(o, name, values);
}

int options_read(command_name command, int count, char **arguments, options *out) {
    *out = (options){.command = command, .clearance = -1, .fit_as = -1, .robot.seed = 1};
    out->paths = allocate((size_t)count + 1, sizeof *out->paths);
    const char *earlier[OPTIONS] = {NULL};
    bool only_paths = false;
    for (int at = 0; at < count;) {
        char *argument = arguments[at];
        if (!only_paths && strcmp(argument, "--") == 0) {
            only_paths = true;
            at++;
        } else if (!only_paths && argument[0] == '-' && argument[1]) {
            int code = read_option(command, count, arguments, &at, earlier, out);
            if (code != 0) return code;
        } else {
            if (!*argument) return complain(EXIT_INPUT, "a file name is empty");
            out->paths[out->path_count++] = argument;
            at++;
        }
    }
    if (out->fail_on == CM_FAIL_DEFAULT) out->fail_on = out->clearance >= 0 ? CM_FAIL_CLEARANCE : CM_FAIL_CROSSING;
    if (out->fail_on == CM_FAIL_CLEARANCE && out->clearance < 0 && !out->help)
        return complain(EXIT_INPUT, "--fail-on clearance needs a --clearance");
    if (out->group && out->format == FORMAT_CSV && !out->help)
        return complain(EXIT_INPUT, "--group is for the table and for JSON: CSV has a line a finding");
    const char *topics = out->has_bcf_version ? "--bcf-version"
                         : out->author        ? "--author"
                         : out->date          ? "--date"
                                              : NULL;
    if (command == COMMAND_CHECK && topics && !out->bcf && !out->help)
        return complain(EXIT_INPUT, "%s is for topics: it needs --bcf", topics);
    if (out->fail_on_new && !out->baseline && !out->help)
        return complain(EXIT_INPUT, "--fail-on new needs a --baseline");
    if (command != COMMAND_INFO && !(out->also & RULES_SPACES)) out->read.left_out = rules_spaces;
    out->read.one_file = out->path_count == 1;
    out->read.ignore_used = allocate(out->read.ignore_count, sizeof *out->read.ignore_used);
    return 0;
}

int options_find_outputs(options *o) {
    bool apart = outputs_add_standard(&o->outputs);
    if (apart && o->report) apart = outputs_add(&o->outputs, "--report", o->report);
    if (apart && o->junit) apart = outputs_add(&o->outputs, "--junit", o->junit);
    if (apart && o->sarif) apart = outputs_add(&o->outputs, "--sarif", o->sarif);
    if (apart && o->bcf) apart = outputs_add(&o->outputs, "--bcf", o->bcf);
    if (apart && o->approved && o->command == COMMAND_APPROVE)
        apart = outputs_add(&o->outputs, "--approved", o->approved);
    if (apart && o->output) apart = outputs_add(&o->outputs, "--output", o->output);
    if (apart && o->robot.write_srdf) apart = outputs_add(&o->outputs, "--write-srdf", o->robot.write_srdf);
    if (apart && o->trace) apart = outputs_add(&o->outputs, "--trace", o->trace);
    for (uint32_t i = 0; i < o->path_count && apart; i++) apart = outputs_spare_path(&o->outputs, o->paths[i]);
    const char *const read[] = {o->baseline, o->rules, o->command == COMMAND_APPROVE ? NULL : o->approved};
    for (size_t i = 0; i < sizeof read / sizeof read[0] && apart; i++)
        if (read[i]) apart = outputs_spare_path(&o->outputs, read[i]);
    for (uint32_t i = 0; i < o->robot.cell_count && apart; i++)
        apart = outputs_spare_path(&o->outputs, o->robot.cells[i]);
    for (uint32_t i = 0; i < o->robot.attached_count && apart; i++)
        apart = outputs_spare_path(&o->outputs, o->robot.attached[i].file);
    if (apart && o->robot.srdf) apart = outputs_spare_path(&o->outputs, o->robot.srdf);
    if (apart && o->robot.trajectory) apart = outputs_spare_path(&o->outputs, o->robot.trajectory);
    o->read.outputs = &o->outputs;
    return apart ? 0 : EXIT_INPUT;
}

void options_seek(options *o, const char *selector) {
    read_options *read = &o->read;
    size_t capacity = read->sought_count, flags = capacity;
    read->sought = grow(read->sought, capacity, &capacity, sizeof *read->sought);
    read->sought_left_out = grow(read->sought_left_out, flags, &flags, sizeof *read->sought_left_out);
    read->sought_left_out[read->sought_count] = false;
    read->sought[read->sought_count++] = selector;
}

const char *options_left_out_hint(const options *o, const char *selector) {
    for (uint32_t i = 0; i < o->read.sought_count; i++)
        if (o->read.sought_left_out[i] && (!selector || strcmp(selector, o->read.sought[i]) == 0))
            return rules_spaces_hint;
    return "";
}

void options_warn_unused(const options *o, const scene *s) {
    bool unit_used = false, up_used = false;
    for (uint32_t i = 0; i < s->file_count; i++) {
        unit_used |= !s->files[i].unit_stated;
        up_used |= !s->files[i].up_stated;
    }
    if (o->read.unit > 0 && !unit_used)
        warn("--unit is not used: every file states its unit (--override-unit insists)");
    if (o->read.up && !up_used) warn("--up is not used: every file states its axes");
    for (uint32_t i = 0; i < o->read.ignore_count; i++)
        if (!o->read.ignore_used[i]) warn("--ignore '%s' matches no part", o->read.ignore[i]);
}

int options_read_scene(const options *o, scene *out, double seconds[2]) {
    int code = read_scene(o->paths, o->path_count, &o->read, out, seconds);
    if (code == 0) options_warn_unused(o, out);
    return code;
}

void options_free(options *o) {
    for (uint32_t i = 0; i < o->allow_count; i++) free((char *)o->allow[i].first);
    free(o->allow);
    free(o->between);
    free(o->statuses);
    free(o->read.ignore);
    free(o->read.ignore_used);
    free(o->read.sought);
    free(o->read.sought_left_out);
    robot_options_free(&o->robot);
    outputs_free(&o->outputs);
    free(o->paths);
}
