/* The table of a trajectory: see trajectory.h. */
#include "robot/trajectory.h"

#include "common/encoding.h"
#include "common/text.h"
#include "robot/kinematics.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { TABLE_BYTES_MOST = 256 << 20, COLUMN_TIME = -1, COLUMN_UNUSED = -2 };

/* Where the reading is; `column` says which joint a column is of. */
typedef struct table_reader {
    const char *path;
    const robot *robot;
    char *text, *at; /* zero terminated */
    long line;
    int *columns;
    uint32_t column_count;
    bool *warned; /* one a joint: a value beyond its limits was warned of */
    int code;
} table_reader;

static char *read_table(const char *path) {
    struct stat info;
    if (stat(path, &info) != 0 || !S_ISREG(info.st_mode) || info.st_size > TABLE_BYTES_MOST) {
        complain(0, "%s: %s", path, errno == ENOENT ? "no such file" : "is no regular file of at most 256 MB");
        return NULL;
    }
    FILE *file = fopen(path, "rb");
    char *text = allocate((size_t)info.st_size + 1, 1);
    if (!file || fread(text, 1, (size_t)info.st_size, file) != (size_t)info.st_size) {
        complain(0, "%s: cannot be read", path);
        free(text);
        text = NULL;
    }
    if (file) fclose(file);
    size_t size = (size_t)info.st_size;
    if (text) text_to_utf8(&text, &size);
    return text;
}

/* The next line that is not blank, zero terminated in place; NULL at the end. */
static char *next_line(table_reader *t) {
    while (*t->at) {
        char *line = t->at;
        const size_t length = strcspn(line, "\r\n");
        char *end = line + length;
        if (end[0] == '\r' && end[1] == '\n') *end++ = 0;
        if (*end) *end++ = 0;
        t->at = end;
        t->line++;
        if (line[strspn(line, " \t")]) return line;
    }
    return NULL;
}

/* The next field of a line, without blanks and quotes around it; NULL after the last. */
static char *next_field(char **line) {
    char *field = *line;
    if (!field) return NULL;
    char *comma = strchr(field, ',');
    if (comma) *comma = 0;
    *line = comma ? comma + 1 : NULL;
    field += strspn(field, " \t\"");
    for (size_t n = strlen(field); n > 0 && strchr(" \t\"", field[n - 1]); n--) field[n - 1] = 0;
    return *field == '\'' && is_formula(field + 1) ? field + 1 : field; /* as a table writes it */
}

static int column_of(table_reader *t, const char *name) {
    if (strcmp(name, "time") == 0) return COLUMN_TIME;
    const uint32_t joint = robot_find_joint(t->robot, name);
    if (joint == ROBOT_NONE) {
        char *clean = clean_text(name, strlen(name)), hint[80];
        t->code = complain(EXIT_INPUT, "%s:1: '%s' is neither `time` nor a joint of the robot%s", t->path, clean,
                           strchr(name, ';') ? " (commas part the columns, not semicolons)"
                                             : robot_suggest_joint(t->robot, name, hint, sizeof hint));
        free(clean);
        return COLUMN_UNUSED;
    }
    const robot_joint *j = &t->robot->joints[joint];
    if (joint_moves(j) && j->leader == joint) return (int)joint;
    warn("%s:1: the column of joint '%s' is not used: it %s", t->path, j->name,
         joint_moves(j) ? "follows another one" : "does not move");
    return COLUMN_UNUSED;
}

static void read_head(table_reader *t, bool *timed) {
    char *line = next_line(t), *name;
    size_t capacity = 0;
    while (t->code == 0 && (name = next_field(&line))) {
        const int column = column_of(t, name);
        for (uint32_t i = 0; i < t->column_count && t->code == 0; i++)
            if (column != COLUMN_UNUSED && t->columns[i] == column)
                t->code = complain(EXIT_INPUT, "%s:1: a second column '%s'", t->path, name);
        t->columns = grow(t->columns, t->column_count, &capacity, sizeof *t->columns);
        t->columns[t->column_count++] = column;
        *timed |= column == COLUMN_TIME;
    }
    if (t->column_count == 0 && t->code == 0)
        t->code = complain(EXIT_INPUT, "%s: has no line with the names of joints", t->path);
}

static void warn_beyond(table_reader *t, uint32_t joint, double value) {
    const robot_joint *j = &t->robot->joints[joint];
    if (j->kind == JOINT_CONTINUOUS || t->warned[joint] || (value >= j->lower - 1e-6 && value <= j->upper + 1e-6))
        return;
    t->warned[joint] = true;
    warn("%s:%ld: joint '%s' at %g, beyond its limits %g to %g", t->path, t->line, j->name, value, j->lower, j->upper);
}

static void read_row(table_reader *t, char *line, double *time, double *values) {
    robot_rest(t->robot, values);
    for (uint32_t i = 0; i < t->column_count && t->code == 0; i++) {
        const char *field = next_field(&line);
        char *end = NULL;
        const double value = field ? strtod(field, &end) : 0;
        if (!field)
            t->code = complain(EXIT_INPUT, "%s:%ld: has %u fields, and the first line %u", t->path, t->line, i,
                               t->column_count);
        else if (t->columns[i] != COLUMN_UNUSED && (end == field || *end || !(fabs(value) <= 1e9)))
            t->code = complain(EXIT_INPUT, "%s:%ld: field %u is not a number", t->path, t->line, i + 1);
        else if (t->columns[i] == COLUMN_TIME)
            *time = value;
        else if (t->columns[i] >= 0) {
            values[t->columns[i]] = value;
            warn_beyond(t, (uint32_t)t->columns[i], value);
        }
    }
    if (line && t->code == 0)
        t->code = complain(EXIT_INPUT, "%s:%ld: has more fields than the first line", t->path, t->line);
    robot_follow(t->robot, values);
}

static void read_rows(table_reader *t, trajectory *out) {
    size_t capacity = 0;
    for (char *line; t->code == 0 && (line = next_line(t));) {
        if (out->rows == capacity) {
            capacity = capacity > 0 ? 2 * capacity : 64;
            double *values = allocate(capacity * out->joint_count, sizeof *values);
            double *times = allocate(capacity, sizeof *times);
            if (out->rows > 0) {
                memcpy(values, out->values, (size_t)out->rows * out->joint_count * sizeof *values);
                memcpy(times, out->times, out->rows * sizeof *times);
            }
            free(out->values);
            free(out->times);
            out->values = values, out->times = times;
        }
        const uint32_t row = out->rows++;
        out->times[row] = row;
        read_row(t, line, &out->times[row], &out->values[(size_t)row * out->joint_count]);
        if (t->code == 0 && row > 0 && !(out->times[row] > out->times[row - 1]))
            t->code = complain(EXIT_INPUT, "%s:%ld: its time is not after that of the row before", t->path, t->line);
    }
    if (t->code == 0 && out->rows == 0) t->code = complain(EXIT_INPUT, "%s: has no rows", t->path);
}

static void warn_without_column(const table_reader *t) {
    text_buffer names = {0};
    for (uint32_t i = 0; i < t->robot->joint_count; i++) {
        const robot_joint *j = &t->robot->joints[i];
        bool has = !joint_moves(j) || j->leader != i;
        for (uint32_t k = 0; k < t->column_count && !has; k++) has = t->columns[k] == (int)i;
        if (!has) text_add(&names, "%s%s", names.used > 0 ? ", " : "", j->name);
    }
    if (names.used > 0) warn("%s: joints without a column rest: %s", t->path, names.bytes);
    free(names.bytes);
}

int trajectory_read(const char *path, const robot *r, trajectory *out) {
    *out = (trajectory){.path = path, .joint_count = r->joint_count};
    table_reader t = {.path = path, .robot = r, .text = read_table(path)};
    if (!t.text) return EXIT_INPUT;
    t.at = t.text;
    t.warned = allocate(r->joint_count, sizeof *t.warned);
    if (r->joint_count == 0) t.code = complain(EXIT_INPUT, "%s: the robot has no joints", path);
    if (t.code == 0) read_head(&t, &out->timed);
    if (t.code == 0) read_rows(&t, out);
    if (t.code == 0) warn_without_column(&t);
    free(t.columns);
    free(t.warned);
    free(t.text);
    return t.code;
}

void trajectory_free(trajectory *t) {
    free(t->times);
    free(t->values);
    *t = (trajectory){0};
}
