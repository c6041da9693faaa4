/* carom approve: findings that are accepted from now on, as entries of the list that --approved of carom check reads.
 * They come from an answer in JSON, all that fails in it, or from a BCF, what is about topics that have been approved
 * in another tool. The list stays as it is, and what is new stands below it. */
#include "check/commands.h"

#include "bcf/bcf.h"
#include "check/rules.h"
#include "common/date.h"
#include "common/encoding.h"
#include "common/fields.h"
#include "common/terminal.h"
#include "common/text.h"
#include "page/page.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

enum { MOST_REASON = 2000, LIST_BYTES_MOST = 64 << 20 };

/* The statuses that stand for "may stay as it is". "Closed" and "Resolved" rather say that a model was mended. */
static const char *const default_statuses[] = {"Approved", "Accepted"};

typedef struct entry {
    char *what; /* an id, or "id=A:id=B" */
    char *reason, *author, *date;
    bool note; /* accepts nothing: what is said of a topic that is not approved */
} entry;

/* How often a status was met. */
typedef struct tally {
    char *status;
    size_t count;
} tally;

/* What the list has, in a table by its hash. */
typedef struct known_entry {
    char *key; /* NULL: the place is free */
    const char *where;
} known_entry;

typedef struct approval {
    const options *o;
    char today[DATE_SIZE];
    rules there; /* the list as it is */
    known_entry *known;
    size_t known_count, room; /* a power of two, and at most half of it in use */
    entry *entries;
    size_t count, capacity, notes, there_already; /* notes: of the entries */
} approval;

/* --- entries ----------------------------------------------------------------------------------------------------- */

/* One text for a pair and for the same pair the other way round; an id as it is. free() it. */
static char *key_of(const char *what) {
    const char *second;
    char *first = pair_split(what, &second);
    char *key = first && strcmp(second, first) < 0 ? format_text("%s:%s", second, first) : copy_text(what);
    free(first);
    return key;
}

/* Its place in the table, or the free one where it is to stand. */
static size_t place_of(const approval *a, const char *key) {
    size_t at = (size_t)hash_text(TEXT_HASH, key) & (a->room - 1);
    while (a->known[at].key && strcmp(a->known[at].key, key) != 0) at = (at + 1) & (a->room - 1);
    return at;
}

static void double_room(approval *a) {
    known_entry *old = a->known;
    const size_t old_room = a->room;
    a->room = old_room > 0 ? 2 * old_room : 64;
    a->known = allocate(a->room, sizeof *a->known);
    for (size_t i = 0; i < old_room; i++)
        if (old[i].key) a->known[place_of(a, old[i].key)] = old[i];
    free(old);
}

/* Where the list, or what is added to it, has that already; NULL: nowhere. */
static const char *find_entry(const approval *a, const char *what) {
    char *key = key_of(what);
    const char *where = a->room > 0 ? a->known[place_of(a, key)].where : NULL;
    free(key);
    return where;
}

static void remember(approval *a, const char *what, const char *where) {
    if (2 * a->known_count >= a->room) double_room(a);
    char *key = key_of(what);
    const size_t at = place_of(a, key);
    if (a->known[at].key) {
        free(key);
        return;
    }
    a->known[at] = (known_entry){key, where};
    a->known_count++;
}

/* Takes over `what`. What the command line says comes before what the file says. */
static void append_entry(approval *a, char *what, const char *reason, const char *author, const char *date, bool note) {
    a->entries = grow(a->entries, a->count, &a->capacity, sizeof *a->entries);
    a->notes += note;
    a->entries[a->count++] = (entry){.what = what,
                                     .reason = shorten_text(a->o->reason && !note ? a->o->reason : reason, MOST_REASON),
                                     .author = shorten_text(a->o->author && !note ? a->o->author : author, MOST_REASON),
                                     .date = format_text("%.10s", a->o->date || !date_is_day(date) ? a->today : date),
                                     .note = note};
}

/* Likewise. */
static void add_entry(approval *a, char *what, const char *reason, const char *author, const char *date) {
    if (find_entry(a, what)) {
        a->there_already++;
        free(what);
        return;
    }
    remember(a, what, "an entry added");
    append_entry(a, what, reason, author, date, false);
}

static char *id_text(uint64_t id) { return format_text("%016llx", (unsigned long long)id); }

/* --- from an answer ---------------------------------------------------------------------------------------------- */

static void take_finding(approval *a, fields *f, const json_t *one) {
    const char *id = "";
    bool fails = false;
    if (!json_is_object(one)) {
        fields_bad(f, "is not an object {...}");
        return;
    }
    fields_text(f, one, "id", &id);
    fields_bool(f, one, "fails", &fails);
    if (!f->code && (strlen(id) != 16 || strspn(id, "0123456789abcdef") != 16)) fields_bad(f, "has no \"id\"");
    if (!f->code && fails) add_entry(a, copy_text(id), "", "", "");
}

static int take_answer(approval *a, const char *path) {
    fields f;
    json_t *root = fields_open(path, &f);
    const char *schema = "";
    if (root) fields_text(&f, root, "schema", &schema);
    if (!f.code && strcmp(schema, "carom-check-1") != 0)
        f.code = complain(EXIT_INPUT, "%s: is neither an answer of carom check --format json nor a BCF", path);
    if (!f.code && (!a->o->reason || !a->o->author))
        f.code = complain(EXIT_INPUT, "%s: what it has found is approved with a --reason and an --author", path);
    const json_t *list = root ? fields_array(&f, root, "findings") : NULL;
    if (!f.code && !list) fields_bad(&f, "has no findings");
    fields_enter(&f, "findings");
    for (size_t i = 0; i < json_array_size(list) && !f.code; i++) {
        fields_enter_index(&f, i);
        take_finding(a, &f, json_array_get(list, i));
        fields_leave(&f);
    }
    json_decref(root);
    fields_free(&f);
    return f.code;
}

/* --- from a BCF -------------------------------------------------------------------------------------------------- */

static bool is_approved(const options *o, const char *status) {
    for (uint32_t i = 0; i < o->status_count; i++)
        if (strcasecmp(o->statuses[i], status) == 0) return true;
    for (size_t i = 0; i < sizeof default_statuses / sizeof default_statuses[0] && o->status_count == 0; i++)
        if (strcasecmp(default_statuses[i], status) == 0) return true;
    return false;
}

/* What the topic is about and stands in the list although the topic is open again. */
static void warn_reopened(const approval *a, const bcf_topic *t, const char *path) {
    for (size_t i = 0; i < t->finding_count; i++) {
        char *what = id_text(t->findings[i]);
        const char *where = find_entry(a, what);
        if (where) warn("%s: '%s' is %s, and %s accepts it (%s)", path, t->title, t->status, where, what);
        free(what);
    }
}

static int take_topic(approval *a, const char *path, const bcf_topic *t) {
    char *otherwise = format_text("%s in %s", t->status, base_name(path));
    const char *reason = *t->comment ? t->comment : otherwise;
    int code = 0;
    if (!*t->author && !a->o->author)
        code = complain(EXIT_INPUT, "%s: '%s' has no author: give one by --author", path, t->title);
    for (size_t i = 0; i < t->finding_count && code == 0; i++)
        add_entry(a, id_text(t->findings[i]), reason, t->author, t->date);
    if (code == 0 && t->finding_count == 0 && t->id_a)
        add_entry(a, format_text("id=%s:id=%s", t->id_a, t->id_b), reason, t->author, t->date);
    if (code == 0 && t->finding_count == 0 && !t->id_a)
        warn("%s: '%s' is %s, and tells neither a finding nor two GlobalIds: it is left out", path, t->title,
             t->status);
    free(otherwise);
    return code;
}

/* Does the list say the same of it? */
static bool is_noted(const approval *a, uint64_t id, const char *text) {
    const rules_note *note = rules_note_by_id(&a->there, id);
    return note && strcmp(note->said.reason, text) == 0;
}

/* What is said of a topic that is not approved: its last comment, and its status where that is not one that carom
 * gives. A topic without either says nothing. What the list accepts is warned of, and stays as it is. */
static void keep_open(approval *a, const char *path, const bcf_topic *t) {
    const bool own = !*t->status || bcf_is_own_status(t->status);
    if (own && !*t->comment) return;
    char *text = !*t->comment ? format_text("%s in %s", t->status, base_name(path))
                 : own        ? copy_text(t->comment)
                              : format_text("%s: %s", t->status, t->comment);
    char *reason = shorten_text(text, MOST_REASON);
    for (size_t i = 0; i < t->finding_count; i++) {
        char *what = id_text(t->findings[i]);
        const bool said = is_noted(a, t->findings[i], reason);
        a->there_already += said;
        if (said || find_entry(a, what))
            free(what);
        else
            append_entry(a, what, reason, t->author, t->date, true);
    }
    if (t->finding_count == 0 && t->id_a) {
        char *what = format_text("id=%s:id=%s", t->id_a, t->id_b);
        if (find_entry(a, what))
            free(what);
        else
            append_entry(a, what, reason, t->author, t->date, true);
    }
    free(reason), free(text);
}

/* "clashes.bcf: 12 topics: 3 Approved, 9 Active." */
static void print_statuses(const char *path, const bcf_topics *topics) {
    tally *all = allocate(topics->count, sizeof *all);
    size_t count = 0;
    for (size_t i = 0; i < topics->count; i++) {
        size_t k = 0;
        while (k < count && strcmp(all[k].status, topics->list[i].status) != 0) k++;
        if (k == count) all[count++].status = topics->list[i].status;
        all[k].count++;
    }
    printf("%s: %zu topic%s", path, topics->count, plural(topics->count));
    for (size_t k = 0; k < count && k < 12; k++)
        printf("%s%zu %s", k > 0 ? ", " : ": ", all[k].count, *all[k].status ? all[k].status : "without a status");
    printf("%s.\n", count > 12 ? ", ..." : "");
    free(all);
}

static int take_bcf(approval *a, const char *path) {
    bcf_topics topics;
    int code = bcf_read(path, &topics);
    if (code == 0) print_statuses(path, &topics);
    size_t approved = 0;
    for (size_t i = 0; i < topics.count && code == 0; i++) {
        const bcf_topic *t = &topics.list[i];
        if (!is_approved(a->o, t->status)) {
            warn_reopened(a, t, path);
            keep_open(a, path, t);
            continue;
        }
        approved++;
        code = take_topic(a, path, t);
    }
    if (code == 0 && approved == 0 && topics.count > 0)
        warn("%s: no topic has a status that approves (%s)", path,
             a->o->status_count > 0 ? "those of --status" : "Approved, Accepted; --status names others");
    bcf_topics_free(&topics);
    return code;
}

/* --- the list ---------------------------------------------------------------------------------------------------- */

/* The list as it is, zero terminated; "" where there is none yet. NULL after saying why it cannot be read. */
static char *read_list(const char *path, size_t *size) {
    struct stat info;
    *size = 0;
    if (stat(path, &info) != 0 && errno == ENOENT) return copy_text("");
    FILE *file = fopen(path, "rb");
    if (!file || !S_ISREG(info.st_mode) || info.st_size > LIST_BYTES_MOST) {
        complain(EXIT_INPUT, "%s: cannot be read: %s", path,
                 file ? "is no list of what was approved" : strerror(errno));
        if (file) fclose(file);
        return NULL;
    }
    char *bytes = allocate((size_t)info.st_size + 1, 1);
    *size = fread(bytes, 1, (size_t)info.st_size, file);
    fclose(file);
    text_to_utf8(&bytes, size); /* entries are added in UTF-8 */
    return bytes;
}

static int write_list(const approval *a, const char *bytes, size_t size) {
    static const page_frame frame = {(const unsigned char *)"", (const unsigned char *)"", 0, 0};
    const char *path = a->o->approved;
    char message[1024];
    page out;
    page_open(&out, path, &frame);
    if (size == 0) page_put_text(&out, "# what; reason; author; date; no deeper than\n");
    page_put(&out, bytes, size);
    if (size > 0 && bytes[size - 1] != '\n') page_put_text(&out, "\n");
    for (size_t i = 0; i < a->count; i++) {
        const entry *e = &a->entries[i];
        char *line = approved_line(e->what, e->reason, e->author, e->date);
        if (e->note) page_put_text(&out, "# open: ");
        page_put_text(&out, line);
        page_put_text(&out, "\n");
        free(line);
    }
    return page_close(&out, path, message, sizeof message) ? 0 : complain(EXIT_INPUT, "%s", message);
}

static int take_all(approval *a) {
    int code = 0;
    for (uint32_t i = 0; i < a->o->path_count && code == 0; i++)
        code = bcf_is_archive(a->o->paths[i]) ? take_bcf(a, a->o->paths[i]) : take_answer(a, a->o->paths[i]);
    return code;
}

int run_approve(options *o) {
    if (o->path_count == 0) return complain(EXIT_INPUT, "approve needs a file (see carom help approve)");
    if (!o->approved) return complain(EXIT_INPUT, "approve needs --approved FILE: the list that it adds to");
    approval a = {.o = o};
    size_t size;
    char *bytes = read_list(o->approved, &size);
    int code = bytes ? date_to_write(o->date, a.today) : EXIT_INPUT;
    if (code == 0 && size > 0) code = approved_read(o->approved, &a.there);
    for (uint32_t i = 0; i < a.there.exception_count && code == 0; i++)
        remember(&a, a.there.origins[i].what, a.there.origins[i].where);
    if (code == 0) code = take_all(&a);
    if (code == 0 && a.count > 0) code = write_list(&a, bytes, size);
    if (code == 0) {
        const size_t added = a.count - a.notes;
        printf("%s: %zu entr%s added", o->approved, added, added == 1 ? "y" : "ies");
        if (a.notes > 0) printf(", %zu comment%s kept", a.notes, plural(a.notes));
        if (a.there_already > 0) printf(", %zu there already", a.there_already);
        printf(".\n");
        code = finish_output();
    }
    for (size_t i = 0; i < a.count; i++)
        free(a.entries[i].what), free(a.entries[i].reason), free(a.entries[i].author), free(a.entries[i].date);
    for (size_t i = 0; i < a.room; i++) free(a.known[i].key);
    free(a.known), free(a.entries), free(bytes);
    rules_free(&a.there);
    return code;
}
