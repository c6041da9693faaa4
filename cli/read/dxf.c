/* What Assimp makes wrongly, or not at all, of a DXF: see dxf.h.
 *
 * Of Assimp 5.2: it reads 3DFACE and polyface meshes (and lines). An INSERT is read as its block moved: a rotation, the
 * rows and columns of an array and the axes of its own are passed over, a scale moves the place too, and an INSERT
 * within a block is left out, as is one that spells the name in other letters. Faces in paper space come to the
 * model's.
 *
 * A DXF is pairs of lines, a code and a value; code 0 begins an entity. */
#include "read/dxf.h"

#include "common/text.h"
#include "read/import.h"
#include "read/words.h"

#include <stdio.h>
#include <strings.h>

#define ADVICE "; explode its blocks in the program that wrote it, or export it as STEP or STL"
enum { CODE_MAX = 9999, IN_MODEL = -1, MOST_SENT = 1000 };

typedef struct insert {
    bytes name;
    int owner; /* the block that it is in, IN_MODEL, or that of a block by number */
    bool is_moved_alone;
} insert;
typedef struct unread {
    bytes type, layer, handle;
    int owner;
    const char *reason;
} unread;
typedef struct block {
    bytes name;
    int number; /* in the file's order */
    bool has_faces, is_foreign, is_used;
} block;
struct dxf_drawing {
    block *blocks; /* by name, once all are there */
    bool *used;    /* by number */
    insert *inserts;
    unread *unreads;
    size_t block_count, insert_count, unread_count, rooms[3];
    bool has_paper_faces;
};

/* An entity as far as it is of interest here. */
typedef struct entity {
    bytes type, name, layer, handle;
    double scale[3], rotation, thickness, flags, rows, axis[3];
    bool is_on_paper;
} entity;

static const char body[] = "a body or surface of this kind is not read: export it as STEP or STL";
static const char thick[] = "what is drawn with a thickness is not read as a body";

/* --- pairs ------------------------------------------------------------------------------------------------------- */

static bytes trimmed(bytes line) {
    while (line.at < line.end && is_blank(*line.at)) line.at++;
    while (line.end > line.at && is_blank(line.end[-1])) line.end--;
    return line;
}

static bool next_pair(bytes *b, uint64_t *code, bytes *value) {
    bytes line;
    if (!next_line(b, &line)) return false;
    if (!word_number(trimmed(line), code)) *code = CODE_MAX;
    if (!next_line(b, &line)) return false;
    *value = trimmed(line);
    return true;
}

static double number_of(bytes value) {
    char text[40];
    snprintf(text, sizeof text, "%.*s", (int)(value.end - value.at < 39 ? value.end - value.at : 39), value.at);
    return strtod(text, NULL);
}

static int compare_bytes(bytes a, bytes b) {
    const size_t n = (size_t)(a.end - a.at), m = (size_t)(b.end - b.at);
    const int order = n > 0 && m > 0 ? strncasecmp(a.at, b.at, n < m ? n : m) : 0;
    return order ? order : n < m ? -1 : n > m;
}
static bool is_one_of(bytes word, const char *const *list, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (word_is(word, list[i])) return true;
    return false;
}
#define IS_ONE_OF(word, ...)                                                                                           \
    is_one_of(word, (const char *const[]){__VA_ARGS__}, sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

/* --- entities ---------------------------------------------------------------------------------------------------- */

static entity new_entity(bytes type) { return (entity){.type = type, .scale = {1, 1, 1}, .axis = {0, 0, 1}}; }

static void read_pair(entity *e, uint64_t code, bytes value) {
    switch (code) {
    case 2:
        e->name = value;
        break;
    case 5:
        e->handle = value;
        break;
    case 8:
        e->layer = value;
        break;
    case 39:
        e->thickness = number_of(value);
        break;
    case 41:
    case 42:
    case 43:
        e->scale[code - 41] = number_of(value);
        break;
    case 50:
        e->rotation = number_of(value);
        break;
    case 67:
        e->is_on_paper = number_of(value) != 0;
        break;
    case 70:
        e->flags = number_of(value);
        break;
    case 71:
        e->rows = number_of(value);
        break;
    case 210:
    case 220:
    case 230:
        e->axis[(code - 210) / 10] = number_of(value);
        break;
    default:
        break;
    }
}

static bool has_flag(const entity *e, unsigned flag) {
    return e->flags >= 0 && e->flags < 65536 && ((unsigned)e->flags & flag) != 0;
}

static void add_insert(dxf_drawing *d, const entity *e, int owner) {
    const bool plain = e->scale[0] == 1 && e->scale[1] == 1 && e->scale[2] == 1 && e->rotation == 0 && e->flags <= 1 &&
                       e->rows <= 1 && e->axis[0] == 0 && e->axis[1] == 0 && e->axis[2] == 1 && !e->is_on_paper;
    d->inserts = grow(d->inserts, d->insert_count, &d->rooms[1], sizeof *d->inserts);
    d->inserts[d->insert_count++] = (insert){e->name, owner, plain};
}

static void add_unread(dxf_drawing *d, const entity *e, int owner, const char *reason) {
    d->unreads = grow(d->unreads, d->unread_count, &d->rooms[2], sizeof *d->unreads);
    d->unreads[d->unread_count++] = (unread){e->type, e->layer, e->handle, owner, reason};
}

static void end_entity(dxf_drawing *d, const entity *e, int owner) {
    const bool is_polyline = word_is(e->type, "POLYLINE");
    if (word_is(e->type, "3DFACE") || (is_polyline && has_flag(e, 64))) {
        if (owner >= 0) d->blocks[owner].has_faces = true;
        d->has_paper_faces |= owner == IN_MODEL && e->is_on_paper;
    } else if (word_is(e->type, "INSERT")) {
        add_insert(d, e, owner);
    } else if (IS_ONE_OF(e->type, "3DSOLID", "BODY", "REGION", "SURFACE", "EXTRUDEDSURFACE", "LOFTEDSURFACE",
                         "REVOLVEDSURFACE", "SWEPTSURFACE", "PLANESURFACE", "NURBSURFACE", "MESH") ||
               (is_polyline && has_flag(e, 16))) {
        add_unread(d, e, owner, body);
    } else if (e->thickness != 0 &&
               IS_ONE_OF(e->type, "LINE", "LWPOLYLINE", "POLYLINE", "CIRCLE", "ARC", "SOLID", "TRACE")) {
        add_unread(d, e, owner, thick);
    }
    if (word_is(e->type, "BLOCK") && owner >= 0) {
        d->blocks[owner].name = e->name;
        d->blocks[owner].is_foreign = has_flag(e, 4 | 8);
    }
}

/* --- the drawing ------------------------------------------------------------------------------------------------- */

static int compare_blocks(const void *a, const void *b) {
    const block *x = a, *y = b;
    const int order = compare_bytes(x->name, y->name);
    return order ? order : (x->number > y->number) - (x->number < y->number);
}

static block *find_block(const dxf_drawing *d, bytes name) {
    const block key = {.name = name, .number = -1};
    size_t low = 0, high = d->block_count;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (compare_blocks(&d->blocks[middle], &key) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < d->block_count && compare_bytes(d->blocks[low].name, name) == 0 ? &d->blocks[low] : NULL;
}

/* Marks what the model uses, and what that uses. An insert's owner is the number of a block in the file's order, and
 * the inserts of a block stand together. */
static void mark_used(dxf_drawing *d) {
    size_t *first = allocate(d->block_count + 1, sizeof *first);
    int *waiting = allocate(d->block_count + 1, sizeof *waiting);
    size_t count = 0;
    for (size_t i = d->insert_count; i-- > 0;)
        if (d->inserts[i].owner >= 0) first[d->inserts[i].owner] = i;
    waiting[count++] = IN_MODEL;
    while (count > 0) {
        const int owner = waiting[--count];
        for (size_t i = owner < 0 ? 0 : first[owner]; i < d->insert_count; i++) {
            if (owner >= 0 && d->inserts[i].owner != owner) break;
            block *used = d->inserts[i].owner == owner ? find_block(d, d->inserts[i].name) : NULL;
            if (!used || used->is_used) continue;
            used->is_used = true;
            waiting[count++] = used->number;
        }
    }
    free(first), free(waiting);
}

static void read_drawing(const char *text, size_t size, dxf_drawing *d) {
    bytes b = {text, text + size}, value;
    uint64_t code;
    int owner = IN_MODEL;
    bool in_drawing = false, is_section = false;
    entity now = {0};
    *d = (dxf_drawing){0};
    while (next_pair(&b, &code, &value)) {
        if (code != 0) {
            if (is_section && code == 2) in_drawing = IS_ONE_OF(value, "BLOCKS", "ENTITIES");
            is_section = is_section && code != 2;
            read_pair(&now, code, value);
            continue;
        }
        if (in_drawing) end_entity(d, &now, owner);
        now = new_entity(value);
        is_section = word_is(value, "SECTION");
        if (is_section || word_is(value, "ENDSEC")) in_drawing = false;
        if (word_is(value, "BLOCK") && in_drawing) {
            d->blocks = grow(d->blocks, d->block_count, &d->rooms[0], sizeof *d->blocks);
            d->blocks[d->block_count] = (block){.name = {text, text}, .number = (int)d->block_count};
            owner = (int)d->block_count++;
        }
        if (word_is(value, "ENDBLK") || !in_drawing) owner = IN_MODEL;
    }
    if (in_drawing) end_entity(d, &now, owner);
}

const dxf_drawing *dxf_read(const char *text, size_t size) {
    dxf_drawing *d = allocate(1, sizeof *d);
    read_drawing(text, size, d);
    d->used = allocate(d->block_count + 1, sizeof *d->used);
    if (d->block_count > 0) qsort(d->blocks, d->block_count, sizeof *d->blocks, compare_blocks);
    mark_used(d);
    for (size_t i = 0; i < d->block_count; i++) d->used[d->blocks[i].number] = d->blocks[i].is_used;
    return d;
}

/* At most `most` bytes of a word, in a text to print. */
static int length_of(bytes word, int most) {
    return word.at && word.end - word.at < most ? (int)(word.end - word.at) : word.at ? most : 0;
}
#define PRINTED(word, most) length_of(word, most), (word).at ? (word).at : ""

const char *dxf_refused(const dxf_drawing *d, bool nothing_was_read) {
    static char why[400]; /* this process looks at one file */
    *why = 0;
    if (d->has_paper_faces) snprintf(why, sizeof why, "faces in its paper space are not told from those of its model");
    for (size_t i = 0; i < d->insert_count && !*why; i++) {
        const insert *in = &d->inserts[i];
        const block *of = find_block(d, in->name);
        if (!of || !of->has_faces || (in->owner >= 0 && !d->used[in->owner])) continue;
        const size_t length = (size_t)(of->name.end - of->name.at);
        const bool same = length == (size_t)(in->name.end - in->name.at) &&
                          (length == 0 || memcmp(of->name.at, in->name.at, length) == 0);
        if (in->owner == IN_MODEL && in->is_moved_alone && same) continue;
        snprintf(why, sizeof why, "its block '%.*s' stands %s, which is not read" ADVICE, PRINTED(of->name, 100),
                 in->owner != IN_MODEL ? "within another block"
                 : !in->is_moved_alone ? "turned, scaled, as an array or in paper space"
                                       : "under its name in other letters");
    }
    if (!*why && nothing_was_read && d->unread_count > 0)
        snprintf(why, sizeof why, "nothing of what it draws is read, %.*s on layer %.*s first: %s",
                 PRINTED(d->unreads[0].type, 60), PRINTED(d->unreads[0].layer, 100), d->unreads[0].reason);
    return *why ? why : NULL;
}

static void send_one(sink *out, const unread *u, unsigned number) {
    char id[80], type[64], layer[200];
    snprintf(type, sizeof type, "%.*s", PRINTED(u->type, 60));
    snprintf(layer, sizeof layer, "%.*s", PRINTED(u->layer, 190));
    if (u->handle.at)
        snprintf(id, sizeof id, "%.*s", PRINTED(u->handle, 60));
    else
        snprintf(id, sizeof id, "%s %u", type, number + 1);
    sink_left_out(out, IMPORT_PARTLY, id, type, layer, u->reason);
}

void dxf_send_unread(sink *out, const dxf_drawing *d) {
    static const char foreign[] = "a block of another file is not read", missing[] = "its block is not in the file";
    unsigned sent = 0;
    for (size_t i = 0; i < d->unread_count && sent < MOST_SENT; i++) {
        const int owner = d->unreads[i].owner;
        if (owner >= 0 && !d->used[owner]) continue;
        send_one(out, &d->unreads[i], sent++);
    }
    for (size_t i = 0; i < d->insert_count && sent < MOST_SENT; i++) {
        const insert *in = &d->inserts[i];
        const block *of = find_block(d, in->name);
        if ((of && !of->is_foreign) || (in->owner >= 0 && !d->used[in->owner])) continue;
        static const char insert_type[] = "INSERT";
        const unread u = {{insert_type, insert_type + 6}, in->name, {0}, in->owner, of ? foreign : missing};
        send_one(out, &u, sent++);
    }
}
