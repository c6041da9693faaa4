/* Reading AMF: the tree. See amf.h.
 *
 * What no constellation asks for stands at the top. A constellation is met again at each place where it is asked for,
 * without recursion; one that is within itself, and trees that are too deep or too large, are refused. An instance is
 * turned about x, then about y, then about z, and then moved, all about the origin of its object: quarter turns
 * exactly. */
#define _DEFAULT_SOURCE
#include "read/amf.h"

#include "read/affine.h"
#include "read/amf_file.h"
#include "read/import.h"

#include <libxml/hash.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { DEPTH_MOST = 200, PLACED_MOST = 500000 };

/* --- places -------------------------------------------------------------------------------------------------------- */

/* About the axis 0, 1 or 2. */
static affine turn_about(int axis, double degrees) {
    affine a = affine_identity();
    const double within = fmod(degrees, 360), quarters = floor(within / 90 + 0.5);
    const double rest = (within - 90 * quarters) * (3.14159265358979323846 / 180);
    double c = rest == 0 ? 1 : cos(rest), s = rest == 0 ? 0 : sin(rest);
    for (int k = ((int)quarters % 4 + 4) % 4; k > 0; k--) {
        const double before = c;
        c = -s, s = before;
    }
    const int i = (axis + 1) % 3, j = (axis + 2) % 3;
    a.m[3 * i + i] = a.m[3 * j + j] = c;
    a.m[3 * i + j] = -s, a.m[3 * j + i] = s;
    return a;
}

static void rows_of(const double place[6], double rows[12]) {
    affine a = affine_identity();
    for (int axis = 0; axis < 3; axis++) {
        const affine turn = turn_about(axis, place[3 + axis]);
        a = affine_mul(&turn, &a);
    }
    for (int i = 0; i < 12; i++) rows[i] = i % 4 < 3 ? a.m[i / 4 * 3 + i % 4] : place[i / 4];
}

/* --- the tree ------------------------------------------------------------------------------------------------------ */

/* A constellation whose instances are being written. */
typedef struct open_thing {
    amf_thing *thing;
    uint32_t node;
    size_t next;
} open_thing;

typedef struct tree {
    amf_file *file;
    xmlHashTable *ids;
    open_thing open[DEPTH_MOST];
    int depth;
    uint32_t nodes;
} tree;

static void collect_ids(tree *t) {
    amf_file *f = t->file;
    for (size_t i = 0; i < f->thing_count; i++) {
        const char *id = f->things[i].id;
        if (*id && xmlHashAddEntry(t->ids, (const xmlChar *)id, &f->things[i]) != 0)
            amf_refuse(f, "two objects have the id %.60s", id);
    }
    for (size_t i = 0; i < f->instance_count; i++) {
        amf_thing *thing = xmlHashLookup(t->ids, (const xmlChar *)f->instances[i].id);
        if (thing) thing->is_placed = true;
    }
}

static uint32_t put_node(tree *t, uint32_t parent, const double rows[12], const amf_thing *thing) {
    if (t->nodes >= PLACED_MOST)
        amf_refuse(t->file, "it places more than %d objects: export it in pieces", PLACED_MOST);
    sink_node(t->file->out, parent, rows,
              thing && *thing->name ? thing->name
              : thing               ? thing->id
                                    : "",
              thing ? thing->first_mesh : 0, thing ? thing->mesh_count : 0);
    return t->nodes++;
}

static void open_node(tree *t, uint32_t parent, const double rows[12], amf_thing *thing) {
    const uint32_t node = put_node(t, parent, rows, thing);
    thing->is_met = true;
    if (!thing->is_constellation) return;
    if (t->depth == DEPTH_MOST)
        amf_refuse(t->file, "its constellations lie in one another more than %d deep, or one in itself", DEPTH_MOST);
    t->open[t->depth++] = (open_thing){thing, node, 0};
}

static void put_instance(tree *t, uint32_t parent, const amf_instance *instance) {
    amf_thing *thing = xmlHashLookup(t->ids, (const xmlChar *)instance->id);
    double rows[12];
    char id[80];
    rows_of(instance->place, rows);
    if (thing) {
        open_node(t, parent, rows, thing);
        return;
    }
    snprintf(id, sizeof id, "object %.60s", instance->id);
    sink_left_out(t->file->out, IMPORT_GONE, id, "object", "", "it is to be placed, and is not in the file");
}

/* The thing and all that it places, depth first, in the file's order. */
static void put_thing(tree *t, uint32_t root, amf_thing *top) {
    static const double straight[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    open_node(t, root, straight, top);
    while (t->depth > 0) {
        open_thing *o = &t->open[t->depth - 1];
        if (o->next == o->thing->count)
            t->depth--;
        else
            put_instance(t, o->node, &t->file->instances[o->thing->first + o->next++]);
    }
}

static void put_tree(tree *t) {
    static const double straight[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    amf_file *f = t->file;
    const uint32_t root = put_node(t, IMPORT_NONE, straight, NULL);
    for (size_t i = 0; i < f->thing_count; i++)
        if (!f->things[i].is_placed) put_thing(t, root, &f->things[i]);
    for (size_t i = 0; i < f->thing_count; i++)
        if (!f->things[i].is_met) amf_refuse(f, "its constellation %.60s is within itself", f->things[i].id);
}

/* --- the whole ------------------------------------------------------------------------------------------------------ */

static void put_source(sink *out, const char *path) {
    struct stat s;
    if (stat(path, &s) != 0) return;
    const uint64_t identity[2] = {(uint64_t)s.st_dev, (uint64_t)s.st_ino};
    sink_source(out, path, identity);
}

int amf_child(const char *path, int fd) {
    static sink out; /* this process has one task */
    static amf_file file;
    static tree t;
    const uint64_t magic = IMPORT_MAGIC;
    out.fd = fd;
    sink_put(&out, &magic, sizeof magic);
    put_source(&out, path);
    amf_read(&file, path, &out);
    t.file = &file, t.ids = xmlHashCreate(0);
    if (!t.ids) return 5;
    collect_ids(&t);
    put_tree(&t);
    sink_record(&out, IMPORT_END, 0);
    sink_flush(&out);
    return 0; /* the process ends: freeing would only take time */
}
