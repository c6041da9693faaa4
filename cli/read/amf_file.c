/* Reading AMF: the file. See amf_file.h.
 *
 * The XML is read as a stream; which elements are known where stands in one table. A mesh is written as soon as it
 * ends, so that no more than one is in memory. All volumes of a mesh are one body: volumes that touch share a wall,
 * whose two sides cancel. What has no bearing on bodies (colors, textures, materials) is skipped, what is not known is
 * told. A number that is missing or is none refuses the file.
 *
 * Edges may be curved by tangents, or by the normals of their ends: a cubic Hermite curve. They are read as straight,
 * which is told with a bound of how far the surface lies off: a curve whose tangents differ from the chord by a and b
 * is at most 4/27 (a + b) away, and the faces, which are divided by such curves again and again, at most twice that. */
#include "read/amf_file.h"

#include "common/text.h"
#include "common/units.h"
#include "read/import.h"
#include "read/model_text.h"
#include "read/package.h"

#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/SAX2.h>

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- elements ---------------------------------------------------------------------------------------------------- */

typedef enum element {
    TOP,
    AMF,
    OBJECT,
    CONSTELLATION,
    INSTANCE,
    MESH,
    VERTICES,
    VERTEX,
    COORDINATES,
    NORMAL,
    EDGE,
    VOLUME,
    TRIANGLE,
    NAME,   /* the metadata of that type */
    NUMBER, /* the rest is of its `slot` */
    SKIPPED
} element;

enum { ONE = 8, SLOTS = 9 }; /* ONE: must be 1 */

typedef struct element_rule {
    element within;
    const char *name;
    element is;
    int slot;
} element_rule;

static const element_rule rules[] = {
    {TOP, "amf", AMF, 0},
    {AMF, "object", OBJECT, 0},
    {AMF, "constellation", CONSTELLATION, 0},
    {AMF, "material", SKIPPED, 0},
    {AMF, "texture", SKIPPED, 0},
    {OBJECT, "mesh", MESH, 0},
    {MESH, "vertices", VERTICES, 0},
    {MESH, "volume", VOLUME, 0},
    {VERTICES, "vertex", VERTEX, 0},
    {VERTICES, "edge", EDGE, 0},
    {VERTEX, "coordinates", COORDINATES, 0},
    {VERTEX, "normal", NORMAL, 0},
    {VOLUME, "triangle", TRIANGLE, 0},
    {TRIANGLE, "texmap", SKIPPED, 0},
    {TRIANGLE, "map", SKIPPED, 0},
    {CONSTELLATION, "instance", INSTANCE, 0},
    {COORDINATES, "x", NUMBER, 0},
    {COORDINATES, "y", NUMBER, 1},
    {COORDINATES, "z", NUMBER, 2},
    {NORMAL, "nx", NUMBER, 0},
    {NORMAL, "ny", NUMBER, 1},
    {NORMAL, "nz", NUMBER, 2},
    {EDGE, "v1", NUMBER, 0},
    {EDGE, "v2", NUMBER, 1},
    {EDGE, "dx1", NUMBER, 2},
    {EDGE, "dy1", NUMBER, 3},
    {EDGE, "dz1", NUMBER, 4},
    {EDGE, "dx2", NUMBER, 5},
    {EDGE, "dy2", NUMBER, 6},
    {EDGE, "dz2", NUMBER, 7},
    {TRIANGLE, "v1", NUMBER, 0},
    {TRIANGLE, "v2", NUMBER, 1},
    {TRIANGLE, "v3", NUMBER, 2},
    {INSTANCE, "deltax", NUMBER, 0},
    {INSTANCE, "deltay", NUMBER, 1},
    {INSTANCE, "deltaz", NUMBER, 2},
    {INSTANCE, "rx", NUMBER, 3},
    {INSTANCE, "ry", NUMBER, 4},
    {INSTANCE, "rz", NUMBER, 5},
    {INSTANCE, "scale", NUMBER, ONE}, /* these are of slicers */
    {INSTANCE, "scalex", NUMBER, ONE},
    {INSTANCE, "scaley", NUMBER, ONE},
    {INSTANCE, "scalez", NUMBER, ONE},
    {INSTANCE, "mirrorx", NUMBER, ONE},
    {INSTANCE, "mirrory", NUMBER, ONE},
    {INSTANCE, "mirrorz", NUMBER, ONE},
    {INSTANCE, "printable", SKIPPED, 0},
};
enum { RULES = sizeof rules / sizeof rules[0], OPEN_MOST = 8, TOLD_MOST = 100 };

/* --- what is being read ------------------------------------------------------------------------------------------- */

typedef struct vertex {
    double point[3], normal[3]; /* a normal of 0, 0, 0 is none */
} vertex;

typedef struct curved_edge {
    uint32_t ends[2];
    double tangents[2][3];
} curved_edge;

typedef struct reading {
    amf_file *file;
    xmlParserCtxt *xml;
    bool begun;              /* its unit is said */
    element open[OPEN_MOST]; /* from the root on */
    int slots[OPEN_MOST];
    int depth;
    size_t skipped; /* how deep within something that is not read */
    text_buffer text;
    double numbers[SLOTS];
    unsigned given; /* bits of those */
    vertex next;
    bool has_point, any_normal, is_empty; /* of that vertex, the mesh, the volume */
    vertex *vertices;
    size_t vertex_count, vertex_capacity;
    uint32_t (*triangles)[3];
    size_t triangle_count, triangle_capacity;
    curved_edge *edges;
    size_t edge_count, edge_capacity;
    uint32_t told;
} reading;

void amf_refuse(const amf_file *file, const char *format, ...) {
    char line[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    sink_refuse(file->out, line);
}

static int line_of(const reading *r) { return r->xml->input ? r->xml->input->line : 0; }

static amf_thing *latest(const reading *r) { return &r->file->things[r->file->thing_count - 1]; }

/* Of the thing that is being read. */
static void tell(reading *r, const char *kind, const char *reason) {
    char id[80];
    if (r->told++ >= TOLD_MOST) return;
    const amf_thing *thing = latest(r);
    snprintf(id, sizeof id, "%s %.40s", thing->is_constellation ? "constellation" : "object", thing->id);
    sink_left_out(r->file->out, IMPORT_PARTLY, id, kind, *thing->name ? thing->name : thing->id, reason);
}

/* --- curves -------------------------------------------------------------------------------------------------------- */

static double length(const double v[3]) { return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }

/* How far a tangent, made as long as the chord, ends from the end of that. */
static double off_chord(const double chord[3], const double tangent[3]) {
    const double size = length(tangent), scale = size > 0 ? length(chord) / size : 0;
    double off[3];
    for (int i = 0; i < 3; i++) off[i] = scale * tangent[i] - chord[i];
    return scale > 0 ? length(off) : 0;
}

/* The tangent that a normal leaves: the part of the chord that is square to it. */
static double off_by_normal(const double chord[3], const double normal[3]) {
    const double square = normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2];
    double tangent[3];
    if (!(square > 0)) return 0;
    const double along = (chord[0] * normal[0] + chord[1] * normal[1] + chord[2] * normal[2]) / square;
    for (int i = 0; i < 3; i++) tangent[i] = chord[i] - along * normal[i];
    return off_chord(chord, tangent);
}

/* From one point to the other; false where one does not exist. */
static bool chord_of(const reading *r, uint32_t a, uint32_t b, double chord[3]) {
    if (a >= r->vertex_count || b >= r->vertex_count) return false;
    for (int i = 0; i < 3; i++) chord[i] = r->vertices[b].point[i] - r->vertices[a].point[i];
    return true;
}

/* How far the surface may lie off the triangles; `count` gets the number of curved edges. */
static double curvature(const reading *r, size_t *count) {
    double most = 0, chord[3];
    *count = 0;
    for (size_t i = 0; i < r->edge_count; i++) {
        const curved_edge *e = &r->edges[i];
        if (!chord_of(r, e->ends[0], e->ends[1], chord)) continue;
        const double off = off_chord(chord, e->tangents[0]) + off_chord(chord, e->tangents[1]);
        if (!(off <= 1e-6 * length(chord))) ++*count;
        most = fmax(most, off);
    }
    for (size_t i = 0; r->any_normal && i < 3 * r->triangle_count; i++) {
        const uint32_t a = r->triangles[i / 3][i % 3], b = r->triangles[i / 3][(i + 1) % 3];
        if (!chord_of(r, a, b, chord)) continue;
        const double off = off_by_normal(chord, r->vertices[a].normal) + off_by_normal(chord, r->vertices[b].normal);
        if (!(off <= 1e-6 * length(chord))) ++*count;
        most = fmax(most, off);
    }
    return *count > 0 ? fmin(2 * 4.0 / 27 * most, IMPORT_COORD_MAX) : 0; /* points beyond that are refused */
}

/* --- numbers ------------------------------------------------------------------------------------------------------- */

static void take_number(reading *r, int slot, const char *name) {
    const char *text = r->text.used > 0 ? r->text.bytes : "";
    char *end;
    text += strspn(text, " \t\r\n");
    const double value = strtod(text, &end);
    const bool right = end > text && strspn(text, "+-.0123456789eE") == (size_t)(end - text) && isfinite(value) &&
                       end[strspn(end, " \t\r\n")] == 0;
    if (!right) amf_refuse(r->file, "line %d: <%s> is '%.60s', which is no number", line_of(r), name, text);
    if (slot == ONE && value != 1)
        amf_refuse(r->file, "line %d: <%s> is not 1, which AMF does not know: export it as 3MF", line_of(r), name);
    if (slot != ONE && (r->given & 1u << slot)) amf_refuse(r->file, "line %d: a second <%s>", line_of(r), name);
    r->given |= 1u << slot;
    r->numbers[slot] = value;
}

/* Those of the slots that are needed; the others are 0. */
static void need(const reading *r, unsigned slots, const char *what) {
    if ((r->given & slots) != slots) amf_refuse(r->file, "line %d: a %s lacks a number", line_of(r), what);
}

static uint32_t index_of(const reading *r, int slot) {
    const double value = r->numbers[slot];
    if (!(value >= 0 && value < IMPORT_NONE && floor(value) == value))
        amf_refuse(r->file, "line %d: %g is no number of a vertex", line_of(r), value);
    return (uint32_t)value;
}

/* --- pieces -------------------------------------------------------------------------------------------------------- */

static void add_vertex(reading *r) {
    if (!r->has_point) amf_refuse(r->file, "line %d: a vertex has no coordinates", line_of(r));
    r->vertices = grow(r->vertices, r->vertex_count, &r->vertex_capacity, sizeof *r->vertices);
    r->vertices[r->vertex_count++] = r->next;
}

static void add_triangle(reading *r) {
    need(r, 7, "triangle");
    if (r->is_empty) return;
    r->triangles = grow(r->triangles, r->triangle_count, &r->triangle_capacity, sizeof *r->triangles);
    for (int i = 0; i < 3; i++) r->triangles[r->triangle_count][i] = index_of(r, i);
    r->triangle_count++;
}

static void add_edge(reading *r) {
    need(r, 255, "edge");
    curved_edge e = {.ends = {index_of(r, 0), index_of(r, 1)}};
    memcpy(e.tangents, r->numbers + 2, sizeof e.tangents);
    r->edges = grow(r->edges, r->edge_count, &r->edge_capacity, sizeof *r->edges);
    r->edges[r->edge_count++] = e;
}

/* The slicers that write scales write angles in radians, which by the standard are degrees. */
static void add_place(reading *r) {
    const bool is_turned = r->numbers[3] != 0 || r->numbers[4] != 0 || r->numbers[5] != 0;
    if (is_turned && (r->given & 1u << ONE))
        amf_refuse(
            r->file,
            "line %d: an instance is turned, by a slicer that may have written radians for degrees: export it as "
            "3MF",
            line_of(r));
    memcpy(r->file->instances[r->file->instance_count - 1].place, r->numbers, 6 * sizeof *r->numbers);
}

static void put_mesh(reading *r) {
    if (r->vertex_count >= IMPORT_NONE || r->triangle_count >= IMPORT_NONE)
        amf_refuse(r->file, "line %d: a mesh has more than 4 billion vertices or triangles", line_of(r));
    size_t curved;
    const double off = curvature(r, &curved);
    const uint32_t points = r->triangle_count > 0 ? (uint32_t)r->vertex_count : 0;
    const uint32_t head[8] = {points, (uint32_t)r->triangle_count};
    const double deviation = curved > 0 ? off : -1; /* else whoever made the triangles knows */
    sink *out = r->file->out;
    sink_record(out, IMPORT_MESH, UINT64_C(40) + UINT64_C(24) * points + UINT64_C(12) * r->triangle_count);
    sink_put(out, head, sizeof head);
    sink_put(out, &deviation, sizeof deviation);
    for (uint32_t i = 0; i < points; i++) sink_put(out, r->vertices[i].point, sizeof r->vertices[i].point);
    sink_put(out, r->triangles, r->triangle_count * sizeof *r->triangles);
    latest(r)->mesh_count++;
    r->file->mesh_count++;
    char why[160];
    snprintf(why, sizeof why, "edges of it are curved (%zu), and are read as straight: its surface may be %.3g off",
             curved, off);
    if (curved > 0) tell(r, "mesh", why);
}

static void take_name(reading *r) {
    amf_thing *thing = latest(r);
    if (*thing->name || r->text.used == 0) return;
    free(thing->name);
    thing->name = copy_text(r->text.bytes);
}

/* --- XML ----------------------------------------------------------------------------------------------------------- */

/* Of the five words that an attribute is here: name, prefix, namespace, begin and end of its value. NULL where there is
 * none; free() it. */
static char *attribute(const xmlChar **all, int count, const char *name) {
    for (int i = 0; i < count; i++, all += 5)
        if (strcmp((const char *)all[0], name) == 0)
            return format_text("%.*s", (int)(all[4] - all[3]), (const char *)all[3]);
    return NULL;
}

static void put_facts(reading *r, const char *unit) {
    sink_facts facts = {1e-3, 1e-3, 'z', 'z', 0};
    if (unit && *unit) facts.unit = unit_from_name(unit, strlen(unit));
    sink_meta(r->file->out, &facts, "AMF");
    if (!(facts.unit > 0)) sink_odd_unit(r->file->out, unit);
    r->begun = true;
}

static void begin_thing(reading *r, bool is_constellation, char *id) {
    amf_file *f = r->file;
    f->things = grow(f->things, f->thing_count, &f->thing_capacity, sizeof *f->things);
    f->things[f->thing_count++] = (amf_thing){.id = id ? id : copy_text(""),
                                              .name = copy_text(""),
                                              .is_constellation = is_constellation,
                                              .first_mesh = f->mesh_count,
                                              .first = f->instance_count};
}

static void begin_instance(reading *r, char *id) {
    amf_file *f = r->file;
    if (!id) amf_refuse(f, "line %d: an instance does not say of which object", line_of(r));
    f->instances = grow(f->instances, f->instance_count, &f->instance_capacity, sizeof *f->instances);
    f->instances[f->instance_count++] = (amf_instance){.id = id};
    latest(r)->count++;
}

/* Material 0 is none by the standard: where such a volume lies within another, that is hollow. */
static void begin_volume(reading *r, char *material) {
    r->is_empty = material && strcmp(material, "0") == 0;
    if (r->is_empty) tell(r, "volume", "it has material 0, which is none: what it hollows out is read as full");
    free(material);
}

static void begin_piece(reading *r, element is, const xmlChar **attributes, int count) {
    if (is == OBJECT || is == CONSTELLATION) begin_thing(r, is == CONSTELLATION, attribute(attributes, count, "id"));
    if (is == INSTANCE) begin_instance(r, attribute(attributes, count, "objectid"));
    if (is == MESH) r->vertex_count = r->triangle_count = r->edge_count = 0, r->any_normal = false;
    if (is == VOLUME) begin_volume(r, attribute(attributes, count, "materialid"));
    if (is == VERTEX) r->next = (vertex){0}, r->has_point = false;
    if (is != NUMBER) r->given = 0;
    if (is == INSTANCE) memset(r->numbers, 0, sizeof r->numbers);
}

/* What an element is, by where it stands; `slot` of a number. What is not known is told, and skipped. */
static element find_element(reading *r, const char *name, const xmlChar **attributes, int count, int *slot) {
    const element within = r->depth > 0 ? r->open[r->depth - 1] : TOP;
    for (int i = 0; i < RULES; i++) {
        if (rules[i].within != within || strcmp(rules[i].name, name) != 0) continue;
        *slot = rules[i].slot;
        return rules[i].is;
    }
    if (within == TOP) amf_refuse(r->file, "it is no AMF: its root is another element");
    if (strcmp(name, "metadata") == 0) {
        char *type = attribute(attributes, count, "type");
        const bool is_name = (within == OBJECT || within == CONSTELLATION) && type && strcmp(type, "name") == 0;
        free(type);
        return is_name ? NAME : SKIPPED;
    }
    if (strcmp(name, "color") == 0 || within == NAME) return SKIPPED;
    if (within == NUMBER || within == INSTANCE || within == AMF)
        amf_refuse(r->file, "line %d: <%.40s> is not known there", line_of(r), name);
    char why[120];
    snprintf(why, sizeof why, "line %d: it has a <%.40s>, which is not known", line_of(r), name);
    tell(r, name, why);
    return SKIPPED;
}

static void begin_element(void *user, const xmlChar *name, const xmlChar *prefix, const xmlChar *space, int spaces,
                          const xmlChar **namespaces, int count, int defaulted, const xmlChar **attributes) {
    reading *r = user;
    (void)prefix, (void)space, (void)spaces, (void)namespaces, (void)defaulted;
    int slot = 0;
    if (r->skipped > 0) {
        r->skipped++;
        return;
    }
    const element is = find_element(r, (const char *)name, attributes, count, &slot);
    if (is == SKIPPED) {
        r->skipped = 1;
        return;
    }
    if (is == AMF) {
        char *unit = attribute(attributes, count, "unit");
        put_facts(r, unit);
        free(unit);
    }
    begin_piece(r, is, attributes, count);
    r->text.used = 0;
    r->slots[r->depth] = slot;
    r->open[r->depth++] = is; /* no deeper than the rules are */
}

static void end_element(void *user, const xmlChar *name, const xmlChar *prefix, const xmlChar *space) {
    reading *r = user;
    (void)prefix, (void)space;
    if (r->skipped > 0) {
        r->skipped--;
        return;
    }
    const element is = r->open[--r->depth];
    if (is == NUMBER) take_number(r, r->slots[r->depth], (const char *)name);
    if (is == NAME) take_name(r);
    if (is == COORDINATES || is == NORMAL) {
        need(r, 7, is == NORMAL ? "normal" : "point");
        memcpy(is == NORMAL ? r->next.normal : r->next.point, r->numbers, sizeof r->next.point);
        r->has_point |= is == COORDINATES, r->any_normal |= is == NORMAL;
    }
    if (is == VERTEX) add_vertex(r);
    if (is == EDGE) add_edge(r);
    if (is == TRIANGLE) add_triangle(r);
    if (is == INSTANCE) add_place(r);
    if (is == MESH) put_mesh(r);
}

static void take_text(void *user, const xmlChar *text, int size) {
    reading *r = user;
    const element within = r->depth > 0 ? r->open[r->depth - 1] : TOP;
    if (r->skipped == 0 && (within == NUMBER || within == NAME)) text_add(&r->text, "%.*s", size, (const char *)text);
}

/* Called where a DTD begins, before anything of it counts. */
static void refuse_dtd(void *user, const xmlChar *name, const xmlChar *external, const xmlChar *system) {
    reading *r = user;
    (void)name, (void)external, (void)system;
    amf_refuse(r->file, "it has a DTD (<!DOCTYPE>), which is not read: take it out");
}

static void keep_silent(void *user, xmlError *error) { (void)user, (void)error; }

/* --- the file -------------------------------------------------------------------------------------------------------- */

typedef struct plain_text {
    const char *at, *end;
} plain_text;

static int read_plain(void *text, char *out, int size) {
    plain_text *t = text;
    const size_t left = (size_t)(t->end - t->at), part = left < (size_t)size ? left : (size_t)size;
    memcpy(out, t->at, part);
    t->at += part;
    return (int)part;
}

static int read_packed(void *zip, char *out, int size) { return unzReadCurrentFile(zip, out, (unsigned)size); }

static void parse(reading *r, xmlInputReadCallback read, void *from) {
    xmlSAXHandler calls = {.initialized = XML_SAX2_MAGIC,
                           .internalSubset = refuse_dtd,
                           .startElementNs = begin_element,
                           .endElementNs = end_element,
                           .characters = take_text,
                           .cdataBlock = take_text,
                           .serror = keep_silent};
    r->xml = xmlCreateIOParserCtxt(&calls, r, read, NULL, from, XML_CHAR_ENCODING_NONE);
    if (!r->xml) amf_refuse(r->file, "it is no AMF");
    xmlCtxtUseOptions(r->xml, XML_PARSE_NONET | XML_PARSE_NOENT | XML_PARSE_HUGE);
    if (xmlParseDocument(r->xml) == 0 && r->xml->wellFormed) return;
    const xmlError *error = xmlCtxtGetLastError(r->xml);
    const char *message = error && error->message ? error->message : "it ends too early";
    if (!r->begun) put_facts(r, NULL);
    amf_refuse(r->file, "its XML is damaged or cut off, line %d: %.*s", error ? error->line : 0,
               (int)strcspn(message, "\n"), message);
}

void amf_read(amf_file *file, const char *path, sink *out) {
    *file = (amf_file){.out = out};
    reading r = {.file = file};
    model_text t;
    if (!model_text_open(path, &t)) amf_refuse(file, "it cannot be opened");
    if (t.size < 4 || memcmp(t.bytes, "PK\3\4", 4) != 0) {
        plain_text text = {t.bytes, t.bytes + t.size};
        parse(&r, read_plain, &text);
        return;
    }
    unzFile zip = package_open(path, ".amf");
    if (!zip) amf_refuse(file, "its ZIP archive is damaged or cut off, or holds no .amf");
    parse(&r, read_packed, zip);
}
