/* The list of what was approved: a line an entry, for version control.
 *
 *     # what; why; who; when; no deeper than
 *     9f86d081884c7d65; the sleeve is cast in; A. Meyer; 2025-03-14
 *     class=IfcPipe*:class=IfcWall* & layer=drilled; drilled on site; B. Koch; 2025-03-20; 20mm
 *     # open: fcde2b2edba56bf4; ask the client; A. Meyer; 2025-03-14
 *
 * The last accepts nothing: it is what somebody said of a finding, here, in the report page or in another tool. The
 * page reads and writes the same (cli/page/report/review.js). A line of that kind that is none is a comment like
 * others. */
#include "check/rules.h"

#include "common/date.h"
#include "common/encoding.h"
#include "common/selector.h"
#include "common/text.h"
#include "common/units.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { APPROVED_FIELDS = 5, MOST_LINE = 1 << 16 };

/* Cuts the line at each `;` that has no backslash before it; blanks around fields go, and so do backslashes before a
 * `;`. Returns how many there are, also where there are more than fit. */
static int split_line(char *line, char *fields[APPROVED_FIELDS]) {
    int count = 0;
    for (char *at = line;; at++) {
        char *start = at + strspn(at, " \t"), *write = start;
        for (at = start; *at && *at != ';'; at++) {
            if (at[0] == '\\' && at[1] == ';') at++;
            *write++ = *at;
        }
        const bool last = !*at;
        *write = 0;
        while (write > start && strchr(" \t\r\n", write[-1])) *--write = 0;
        if (count < APPROVED_FIELDS) fields[count] = start;
        count++;
        if (last) return count;
    }
}

/* 16 hexadecimal digits, not all of them 0. */
static bool read_id(const char *text, uint64_t *out) {
    if (strlen(text) != 16 || strspn(text, "0123456789abcdef") != 16) return false;
    *out = strtoull(text, NULL, 16);
    return *out != 0;
}

static int read_entry(const char *path, unsigned number, char *line, rules *out) {
    static const char *const names[] = {"what", "reason", "author", "date"};
    char *fields[APPROVED_FIELDS] = {NULL};
    const int count = split_line(line, fields);
    cm_check_exception exception = {.first = NULL};
    if (count < 4 || count > APPROVED_FIELDS)
        return complain(EXIT_INPUT,
                        "%s:%u: is not WHAT; reason; author; date, or with ; LENGTH behind (\\; is a ';' in a text)",
                        path, number);
    for (int i = 0; i < 4; i++)
        if (!*fields[i]) return complain(EXIT_INPUT, "%s:%u: has no %s", path, number, names[i]);
    if (!date_is_day(fields[3]) || fields[3][10])
        return complain(EXIT_INPUT, "%s:%u: '%s' is no date such as 2025-03-14", path, number, fields[3]);
    if (!read_id(fields[0], &exception.id)) {
        const char *second;
        char *first = pair_split(fields[0], &second);
        if (!first)
            return complain(EXIT_INPUT,
                            "%s:%u: '%s' is neither the id of a finding (16 hexadecimal digits) nor "
                            "SELECTOR:SELECTOR (write \\: for a colon in a name)",
                            path, number, fields[0]);
        exception.first = rules_keep(out, first), exception.second = second;
        const char *fault = selector_fault(first);
        if (!fault) fault = selector_fault(second);
        if (fault) return complain(EXIT_INPUT, "%s:%u: '%s' %s", path, number, fields[0], fault);
    }
    if (count == APPROVED_FIELDS) {
        const char *wrong;
        double depth = 0;
        if (!length_from_text(fields[4], &depth, &wrong))
            return complain(EXIT_INPUT, "%s:%u: '%s' %s", path, number, fields[4], wrong);
        if (!(depth > 0)) return complain(EXIT_INPUT, "%s:%u: '%s' is not above zero", path, number, fields[4]);
        exception.depth = depth;
    }
    rules_add_exception(out, exception,
                        (rules_origin){.where = format_text("%s:%u", path, number),
                                       .what = copy_text(fields[0]),
                                       .reason = copy_text(fields[1]),
                                       .author = copy_text(fields[2]),
                                       .date = copy_text(fields[3]),
                                       .approved = true});
    return 0;
}

/* Of a comment, where it is one about a finding. */
static void read_note(const char *path, unsigned number, char *line, rules *out) {
    static const char *const words[] = {"open:", "fix:"};
    char *fields[APPROVED_FIELDS] = {NULL}, *at = line + strspn(line, " ") + 1; /* behind the # */
    at += strspn(at, " ");
    for (int i = 0; i < 2; i++) {
        rules_note note = {.line = number, .fix = i};
        if (strncmp(at, words[i], strlen(words[i])) != 0) continue;
        const int count = split_line(at + strlen(words[i]), fields);
        if (count < 4 || count > APPROVED_FIELDS || !read_id(fields[0], &note.id)) return;
        note.said = (rules_origin){.where = format_text("%s:%u", path, number),
                                   .what = copy_text(fields[0]),
                                   .reason = copy_text(fields[1]),
                                   .author = copy_text(fields[2]),
                                   .date = copy_text(fields[3])};
        rules_add_note(out, note);
        return;
    }
}

/* A line as clean text, without its end, without a mark of UTF-8 before the first. free() it. */
static char *clean_line(char *bytes, bool first) {
    size_t length = strlen(bytes);
    while (length > 0 && strchr(" \t\r\n", bytes[length - 1])) length--;
    for (size_t i = 0; i < length; i++)
        if (bytes[i] == '\t') bytes[i] = ' ';
    const size_t mark = first ? utf8_mark(bytes, length) : 0;
    return clean_text(bytes + mark, length - mark);
}

/* An entry that accepts one finding. */
typedef struct single_entry {
    uint64_t id;
    uint32_t at; /* in the order of the list */
} single_entry;

static int compare_entries(const void *left, const void *right) {
    const single_entry *a = left, *b = right;
    if (a->id != b->id) return a->id < b->id ? -1 : 1;
    return a->at < b->at ? -1 : a->at > b->at;
}

/* A finding that two entries accept, as when two versions of the list were joined, would be counted twice. The entry
 * that lets it be deepest is kept, of equal ones the first. */
static void drop_second_entries(rules *r) {
    single_entry *list = allocate(r->exception_count, sizeof *list);
    bool *dropped = allocate(r->exception_count, sizeof *dropped);
    uint32_t count = 0, kept = 0;
    for (uint32_t i = 0; i < r->exception_count; i++)
        if (r->origins[i].approved && r->exceptions[i].id != 0) list[count++] = (single_entry){r->exceptions[i].id, i};
    qsort(list, count, sizeof *list, compare_entries);
    for (uint32_t i = 1, stays = 0; i < count; i++) {
        if (list[i].id != list[stays].id) {
            stays = i;
            continue;
        }
        const double one = (double)r->exceptions[list[stays].at].depth, other = (double)r->exceptions[list[i].at].depth;
        const bool deeper = one > 0 && (other > one || !(other > 0)); /* without a depth: as deep as it likes */
        const uint32_t keep = list[deeper ? i : stays].at, drop = list[deeper ? stays : i].at;
        warn("%s: finding %s is accepted at %s already: this entry is left out", r->origins[drop].where,
             r->origins[drop].what, r->origins[keep].where);
        dropped[drop] = true;
        if (deeper) stays = i;
    }
    for (uint32_t i = 0; i < r->exception_count; i++) {
        if (dropped[i]) {
            rules_free_origin(&r->origins[i]);
            continue;
        }
        r->exceptions[kept] = r->exceptions[i];
        r->origins[kept++] = r->origins[i];
    }
    r->exception_count = kept;
    free(list), free(dropped);
}

int approved_read(const char *path, rules *out) {
    FILE *file = open_as_utf8(path);
    if (!file) return complain(EXIT_INPUT, "%s: cannot be read: %s", path, strerror(errno));
    char *bytes = allocate(MOST_LINE, 1);
    text_buffer list = {0};
    int code = 0;
    for (unsigned number = 1; code == 0 && fgets(bytes, MOST_LINE, file); number++) {
        const size_t length = strlen(bytes);
        if (!feof(file) && (length == 0 || bytes[length - 1] != '\n'))
            code = complain(EXIT_INPUT, "%s:%u: the line is too long, or has a zero byte", path, number);
        char *line = clean_line(bytes, number == 1);
        text_add(&list, "%s\n", line);
        const char *at = line + strspn(line, " ");
        if (code == 0 && *at == '#')
            read_note(path, number, line, out);
        else if (code == 0 && *at)
            code = read_entry(path, number, line, out);
        free(line);
    }
    if (code == 0 && ferror(file)) code = complain(EXIT_INPUT, "%s: cannot be read: %s", path, strerror(errno));
    free(bytes);
    fclose(file);
    free(out->list);
    out->list = list.bytes;
    rules_sort_notes(out);
    if (code == 0) drop_second_entries(out);
    return code;
}

/* A text as a field of a line. A backslash at its end would take the `;` behind it: there is a blank between. */
static void add_field(text_buffer *line, const char *text) {
    if (line->used > 0) text_add(line, "; ");
    for (const char *at = text; *at; at++) text_add(line, *at == ';' ? "\\;" : "%c", *at);
    if (*text && text[strlen(text) - 1] == '\\') text_add(line, " ");
}

char *approved_line(const char *what, const char *reason, const char *author, const char *date) {
    text_buffer line = {0};
    add_field(&line, what), add_field(&line, reason), add_field(&line, author), add_field(&line, date);
    return line.bytes;
}
