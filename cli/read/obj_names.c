/* The objects of an OBJ: see obj_names.h. Assimp takes the name of an object up to its first blank, and objects of one
 * name for one object, so that "o Wall 1" and "o Wall 2", or six bolts that are all called "o Bolt", were one part. Of
 * `g` lines it passes over those that name the group of the last `g` line, so that six bolts called "g Bolt" were one,
 * and a group that goes on after another object went into that one.
 *
 * Here each `o` or `g` line begins a block of faces. Blocks of one name that share points are one object, which was
 * interrupted (by another material, or another object); those that share none are several, which have one name. Groups
 * between two `o` lines are one body where they go on in one another, along edges at which either is open: exporters
 * write materials and regions of a surface as groups. Bodies that merely share points are not joined. Each block with
 * faces gets an `o` line with a name without blanks, as an object or as a further piece of one, which the caller joins,
 * as the importer does not go on with an object; other `o` and `g` lines go. A body that is all there is between two
 * `o` lines has the object's name. The importer also passes over a first line behind a mark of UTF-8 and over lines
 * that begin with a blank, points and faces among them: mark and blanks go. Of a file that has normals and no texture
 * points, it takes the corners "1/1/1" for points of their own: the number between the slashes goes. Of a comment
 * behind the numbers of a point or a face it takes the words for more of them: it goes, too. */
#include "read/obj_names.h"

#include "common/text.h"
#include "read/names.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* What the importer calls the object of faces before all names. */
static const char nameless[] = "defaultobject";

/* --- lines --------------------------------------------------------------------------------------------------------- */

static bool is_space(char c) { return c == ' ' || c == '\t'; }

typedef struct obj_lines {
    const char *next, *end;          /* of the text */
    const char *line, *first, *last; /* its beginning, its first character that is no blank, its end */
    bool continues, continued;       /* this line the one before; the next this one */
} obj_lines;

static obj_lines lines_of(const char *text, size_t size) { return (obj_lines){.next = text, .end = text + size}; }

static bool next_line(obj_lines *l) {
    if (l->next >= l->end) return false;
    const char *newline = memchr(l->next, '\n', (size_t)(l->end - l->next)), *last;
    l->line = l->first = l->next;
    l->last = last = newline ? newline : l->end;
    l->next = newline ? newline + 1 : l->end;
    while (l->first < last && is_space(*l->first)) l->first++;
    l->continues = l->continued;
    while (last > l->first && last[-1] == '\r') last--;
    l->continued = last > l->first && last[-1] == '\\';
    return true;
}

/* The letter that is the line's first word, 0 where that is longer or the line goes on with the one before. */
static char letter_of(const obj_lines *l) {
    if (l->continues || l->last - l->first < 1) return 0;
    const char after = l->last - l->first > 1 ? l->first[1] : ' ';
    return is_space(after) || after == '\r' ? *l->first : 0;
}

/* What follows the first word, without the blanks around it. */
static const char *name_on(const obj_lines *l, size_t *length) {
    const char *name = l->first + 1, *end = l->last;
    while (name < end && is_space(*name)) name++;
    while (end > name && (is_space(end[-1]) || end[-1] == '\r')) end--;
    *length = (size_t)(end - name);
    return name;
}

/* --- blocks -------------------------------------------------------------------------------------------------------- */

typedef struct obj_block {
    const char *name; /* in the text, or `nameless` */
    size_t length;
    uint32_t section; /* the latest block that an `o` line began, or the first of all */
    uint32_t filled;  /* of a section: so many of its blocks have faces, lines or points */
    uint32_t bodies;  /* of a section: so many of these are not joined with an earlier one */
    uint32_t leader;  /* the first block of its object */
    uint32_t alike;   /* number of its name among those that several blocks have; 0: it is the only one */
    bool has_any;
    char *marked; /* as the importer is to see it */
} obj_block;

typedef struct obj_blocks {
    obj_block *list; /* the first one begins with the file */
    uint32_t count;
    size_t capacity;
    bool any_alike;
} obj_blocks;

/* Is it a line that begins a block? An `o` without a name begins none. */
static bool begins_block(const obj_lines *l, const char **name, size_t *length) {
    const char letter = letter_of(l);
    if (letter != 'o' && letter != 'g') return false;
    *name = name_on(l, length);
    if (*length == 0 && letter == 'o') return false;
    if (*length == 0) *name = nameless, *length = sizeof nameless - 1;
    return true;
}

static void add_block(obj_blocks *b, const char *name, size_t length, bool is_group) {
    const uint32_t section = is_group && b->count > 0 ? b->list[b->count - 1].section : b->count;
    b->list = grow(b->list, b->count, &b->capacity, sizeof *b->list);
    b->list[b->count] = (obj_block){.name = name, .length = length, .section = section, .leader = b->count};
    b->count++;
}

static void find_blocks(obj_blocks *b, const char *text, size_t size) {
    add_block(b, nameless, sizeof nameless - 1, false);
    const char *name;
    size_t length;
    for (obj_lines l = lines_of(text, size); next_line(&l);) {
        const char letter = letter_of(&l);
        if (begins_block(&l, &name, &length)) add_block(b, name, length, letter == 'g');
        obj_block *last = &b->list[b->count - 1];
        if (last->has_any || (letter != 'f' && letter != 'l' && letter != 'p')) continue;
        last->has_any = true;
        b->list[last->section].filled++;
    }
}

/* --- faces --------------------------------------------------------------------------------------------------------- */

static uint32_t leader_of(const obj_blocks *b, uint32_t block) {
    while (b->list[block].leader != block) {
        b->list[block].leader = b->list[b->list[block].leader].leader;
        block = b->list[block].leader;
    }
    return block;
}

/* The first of both leads. */
static void unite(const obj_blocks *b, uint32_t p, uint32_t q) {
    p = leader_of(b, p), q = leader_of(b, q);
    if (p < q)
        b->list[q].leader = p;
    else
        b->list[p].leader = q;
}

/* The points of "1/2/3 4/5/6": the first number of each word. Negative ones count back from the latest point. */
static bool next_point(const char **at, const char *end, uint64_t points, uint64_t *out) {
    while (*at < end) {
        while (*at < end && (is_space(**at) || **at == '\r')) (*at)++;
        const bool back = *at < end && **at == '-';
        uint64_t value = 0;
        for (*at += back; *at < end && **at >= '0' && **at <= '9' && value < UINT32_MAX; (*at)++)
            value = 10 * value + (uint64_t)(**at - '0');
        while (*at < end && !is_space(**at)) (*at)++;
        if (value == 0 || (back && value > points)) continue;
        *out = back ? points - value + 1 : value;
        return true;
    }
    return false;
}

/* The lines of faces, with the block that each is in, and how many points came before. */
typedef struct obj_faces {
    obj_lines lines;
    uint64_t points;
    uint32_t block;
    bool in_face;
} obj_faces;

static obj_faces faces_of(const char *text, size_t size) { return (obj_faces){.lines = lines_of(text, size)}; }

static bool next_face_line(obj_faces *f) {
    const char *name;
    size_t length;
    while (next_line(&f->lines)) {
        const char letter = letter_of(&f->lines);
        f->points += letter == 'v';
        f->block += begins_block(&f->lines, &name, &length);
        if (!f->lines.continues) f->in_face = letter == 'f';
        if (f->in_face) return true;
    }
    return false;
}

/* The points of a line of faces, one by one, from its beginning on. */
static const char *first_of_face(const obj_faces *f) { return f->lines.first + !f->lines.continues; }
static bool next_of_face(const obj_faces *f, const char **at, uint64_t *point) {
    return next_point(at, f->lines.last, f->points, point);
}

/* --- within one object --------------------------------------------------------------------------------------------- */

typedef struct obj_edge {
    uint64_t low, high; /* points */
    uint32_t section, block;
} obj_edge;

typedef struct obj_edges {
    obj_edge *list;
    size_t count, capacity;
    uint64_t first, latest; /* points of the face that is read; 0: none yet */
} obj_edges;

static void add_edge(obj_edges *e, uint64_t p, uint64_t q, const obj_blocks *b, uint32_t block) {
    if (p == q || p == 0) return;
    e->list = grow(e->list, e->count, &e->capacity, sizeof *e->list);
    e->list[e->count++] = (obj_edge){p < q ? p : q, p < q ? q : p, b->list[block].section, block};
}

static int compare_edges(const void *a, const void *b) {
    const obj_edge *p = a, *q = b;
    if (p->section != q->section) return p->section < q->section ? -1 : 1;
    if (p->low != q->low) return p->low < q->low ? -1 : 1;
    if (p->high != q->high) return p->high < q->high ? -1 : 1;
    return (p->block > q->block) - (p->block < q->block);
}

static bool same_edge(const obj_edge *p, const obj_edge *q) {
    return p->section == q->section && p->low == q->low && p->high == q->high;
}

/* Joins the blocks of one section that are open at the same edge: that have it an odd number of times. */
static void unite_open(const obj_blocks *b, const obj_edges *e) {
    for (size_t i = 0, end; i < e->count; i = end) {
        uint32_t open = UINT32_MAX;
        for (end = i; end < e->count && same_edge(&e->list[i], &e->list[end]);) {
            const size_t begin = end;
            while (end < e->count && same_edge(&e->list[i], &e->list[end]) &&
                   e->list[end].block == e->list[begin].block)
                end++;
            if ((end - begin) % 2 == 0) continue;
            if (open != UINT32_MAX) unite(b, open, e->list[begin].block);
            open = e->list[begin].block;
        }
    }
}

static void find_edges(const obj_blocks *b, const char *text, size_t size, obj_edges *out) {
    uint64_t point;
    for (obj_faces f = faces_of(text, size); next_face_line(&f);) {
        const uint32_t section = b->list[f.block].section;
        if (!f.lines.continues) out->first = out->latest = 0;
        if (section == 0 || b->list[section].filled < 2) continue;
        for (const char *at = first_of_face(&f); next_of_face(&f, &at, &point); out->latest = point) {
            add_edge(out, out->latest, point, b, f.block);
            if (out->first == 0) out->first = point;
        }
        if (!f.lines.continued) add_edge(out, out->latest, out->first, b, f.block);
    }
}

/* Groups that are one body, and the names of objects that are one. What comes before all `o` lines is no object. */
static void unite_groups(obj_blocks *b, const char *text, size_t size) {
    bool any = false;
    for (uint32_t i = 1; i < b->count; i++) any |= b->list[i].filled > 1;
    obj_edges edges = {.list = NULL};
    if (any) find_edges(b, text, size, &edges);
    if (edges.count > 0) qsort(edges.list, edges.count, sizeof *edges.list, compare_edges);
    unite_open(b, &edges);
    free(edges.list);
    for (uint32_t i = 0; i < b->count; i++)
        b->list[b->list[i].section].bodies += b->list[i].has_any && leader_of(b, i) == i;
    for (uint32_t i = 0; i < b->count; i++) {
        const obj_block *section = &b->list[b->list[i].section];
        if (section->bodies != 1 || section == b->list) continue;
        b->list[i].name = section->name, b->list[i].length = section->length;
    }
}

/* --- of one name --------------------------------------------------------------------------------------------------- */

static int compare_names(const void *a, const void *b) {
    const obj_block *p = *(obj_block *const *)a, *q = *(obj_block *const *)b;
    if (p->length != q->length) return p->length < q->length ? -1 : 1;
    const int order = memcmp(p->name, q->name, p->length);
    return order != 0 ? order : (p > q) - (p < q);
}

static void find_alike(obj_blocks *b) {
    obj_block **sorted = allocate(b->count, sizeof *sorted);
    uint32_t count = 0, names = 0;
    for (uint32_t i = 0; i < b->count; i++)
        if (b->list[i].has_any) sorted[count++] = &b->list[i];
    qsort(sorted, count, sizeof *sorted, compare_names);
    for (uint32_t i = 1; i < count; i++) {
        obj_block *p = sorted[i - 1], *q = sorted[i];
        if (p->length != q->length || memcmp(p->name, q->name, p->length) != 0) continue;
        if (p->alike == 0) p->alike = ++names;
        q->alike = p->alike;
    }
    b->any_alike = names > 0;
    free(sorted);
}

typedef struct obj_corner {
    uint64_t point;
    uint32_t alike, block;
} obj_corner;

typedef struct obj_corners {
    obj_corner *list;
    size_t count, capacity;
} obj_corners;

static int compare_corners(const void *a, const void *b) {
    const obj_corner *p = a, *q = b;
    if (p->alike != q->alike) return p->alike < q->alike ? -1 : 1;
    if (p->point != q->point) return p->point < q->point ? -1 : 1;
    return (p->block > q->block) - (p->block < q->block);
}

static void unite_by_points(obj_blocks *b, const char *text, size_t size) {
    obj_corners corners = {.list = NULL};
    uint64_t point;
    for (obj_faces f = faces_of(text, size); next_face_line(&f);) {
        if (b->list[f.block].alike == 0) continue;
        for (const char *at = first_of_face(&f); next_of_face(&f, &at, &point);) {
            corners.list = grow(corners.list, corners.count, &corners.capacity, sizeof *corners.list);
            corners.list[corners.count++] = (obj_corner){point, b->list[f.block].alike, f.block};
        }
    }
    if (corners.count > 0) qsort(corners.list, corners.count, sizeof *corners.list, compare_corners);
    for (size_t i = 1; i < corners.count; i++) {
        const obj_corner *p = &corners.list[i - 1], *q = &corners.list[i];
        if (p->alike == q->alike && p->point == q->point) unite(b, p->block, q->block);
    }
    free(corners.list);
}

/* As the importer is to see them. */
static void mark_names(obj_blocks *b) {
    name_set names = {.apart = NULL};
    for (uint32_t i = 0; i < b->count; i++) {
        obj_block *block = &b->list[i];
        if (!block->has_any) continue;
        const uint32_t leader = leader_of(b, i);
        if (leader != i) {
            block->marked = format_text("%s%c%u", b->list[leader].marked, OBJ_PIECE, i);
            continue;
        }
        block->marked = format_text("%.*s", (int)(block->length < 65536 ? block->length : 65536), block->name);
        for (char *c = block->marked; *c; c++)
            if (is_space(*c) || *c == OBJ_PIECE) *c = OBJ_BLANK;
        block->marked = name_set_add(&names, block->marked);
    }
    name_set_free(&names);
}

/* --- the text ------------------------------------------------------------------------------------------------------ */

typedef struct growing {
    char *bytes;
    size_t used, capacity;
} growing;

static void put(growing *g, const char *bytes, size_t size) {
    if (size == 0) return;
    if (g->used + size > g->capacity) {
        g->capacity = 2 * g->capacity > g->used + size ? 2 * g->capacity : g->used + size;
        g->bytes = realloc(g->bytes, g->capacity);
        if (!g->bytes) abort(); /* in the importer's process, whose end is told */
    }
    memcpy(g->bytes + g->used, bytes, size);
    g->used += size;
}

/* The line as it is to be: NULL, as it is; "", it goes. */
static const char *name_for(const obj_blocks *b, const obj_lines *l, uint32_t now, bool begins) {
    if (!begins) return NULL;
    if (!b->list[now].has_any) return "";
    const char *marked = b->list[now].marked;
    size_t length;
    const char *name = name_on(l, &length);
    const bool same = *l->first == 'o' && strlen(marked) == length && memcmp(marked, name, length) == 0;
    return same ? NULL : marked;
}

static bool has_normals_alone(const char *text, size_t size) {
    bool normals = false;
    for (obj_lines l = lines_of(text, size); next_line(&l);) {
        if (l.last - l.first < 3 || l.first[0] != 'v' || !is_space(l.first[2])) continue;
        if (l.first[1] == 't') return false;
        normals |= l.first[1] == 'n';
    }
    return normals;
}

/* The words of a line of faces, without the second of three numbers. */
static void put_corners(growing *g, const char *at, const char *end) {
    while (at < end) {
        const char *word = at;
        while (at < end && !is_space(*at)) at++;
        const char *slash = memchr(word, '/', (size_t)(at - word));
        const char *second = slash ? memchr(slash + 1, '/', (size_t)(at - slash - 1)) : NULL;
        put(g, word, (size_t)((second ? slash + 1 : at) - word));
        word = second ? second : at;
        while (at < end && is_space(*at)) at++;
        put(g, word, (size_t)(at - word));
    }
}

/* Where a line of a point or a face ends: before a comment, as some write behind the numbers. */
static const char *end_of_numbers(const obj_lines *l) {
    const char *comment = l->continued ? NULL : memchr(l->first, '#', (size_t)(l->last - l->first));
    return comment ? comment : l->last;
}

char *obj_tell_apart(const char *text, size_t size, size_t *out_size) {
    obj_blocks b = {.list = NULL};
    const size_t mark = utf8_mark(text, size);
    text += mark, size -= mark;
    find_blocks(&b, text, size);
    unite_groups(&b, text, size);
    find_alike(&b);
    if (b.any_alike) unite_by_points(&b, text, size);
    mark_names(&b);
    growing out = {.bytes = NULL};
    const char *copied = text, *name;
    size_t length;
    uint32_t now = 0;
    const bool normals_alone = has_normals_alone(text, size);
    bool in_face = false;
    for (obj_lines l = lines_of(text, size); next_line(&l);) {
        const bool begins = begins_block(&l, &name, &length);
        now += begins;
        if (l.first > l.line && !l.continues) {
            put(&out, copied, (size_t)(l.line - copied));
            copied = l.first;
        }
        if (!l.continues) in_face = letter_of(&l) == 'f';
        const char *end = in_face || letter_of(&l) == 'v' ? end_of_numbers(&l) : l.last;
        if ((normals_alone && in_face) || end < l.last) {
            put(&out, copied, (size_t)(l.first - copied));
            if (normals_alone && in_face)
                put_corners(&out, l.first, end);
            else
                put(&out, l.first, (size_t)(end - l.first));
            copied = l.last;
        }
        const char *marked = name_for(&b, &l, now, begins);
        if (!marked) continue;
        put(&out, copied, (size_t)(l.first - copied));
        put(&out, *marked ? "o " : "#", *marked ? 2 : 1);
        put(&out, marked, strlen(marked));
        copied = l.last;
    }
    for (uint32_t i = 0; i < b.count; i++) free(b.list[i].marked);
    free(b.list);
    if (copied == text && mark == 0) return NULL;
    put(&out, copied, (size_t)(text + size - copied));
    *out_size = out.used;
    return out.bytes;
}
