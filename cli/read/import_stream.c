/* The parent's side of the importer's stream: reads it and believes nothing.
 *
 * Every size is checked against what is left before it is used, every reference against what was read before. The
 * stream lies in memory as a whole; nothing here can need more than a small multiple of it. */
#include "read/import.h"

#include "common/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct cursor {
    const unsigned char *at;
    size_t left;
} cursor;

static bool take(cursor *c, void *out, size_t size) {
    if (c->left < size) return false;
    memcpy(out, c->at, size);
    c->at += size, c->left -= size;
    return true;
}
static char *take_text(cursor *c, size_t size) {
    if (c->left < size) return NULL;
    char *text = clean_text((const char *)c->at, size);
    c->at += size, c->left -= size;
    return text;
}

static bool read_meta(cursor *c, import_data *data) {
    char up[3];
    if (data->format || !take(c, &data->unit, sizeof data->unit) ||
        !take(c, &data->unit_bias, sizeof data->unit_bias) || !take(c, up, sizeof up))
        return false;
    data->up = up[0], data->up_bias = up[1];
    data->single_points = up[2] & IMPORT_SINGLE_POINTS, data->single_places = up[2] & IMPORT_SINGLE_PLACES;
    data->format = take_text(c, c->left);
    return data->unit >= 0 && data->unit <= 1e9 && data->unit_bias > 0 && data->unit_bias <= 1e9 && data->up_bias &&
           strchr("xyz", data->up_bias) && (!data->up || strchr("xyz", data->up));
}

typedef struct capacities {
    size_t meshes, nodes, refs, notes, sources, properties, left_out;
} capacities;

static bool read_mesh(cursor *c, import_data *data, capacities *room) {
    uint32_t head[8];
    double deviation;
    if (!take(c, head, sizeof head) || !take(c, &deviation, sizeof deviation)) return false;
    uint64_t points = head[0], triangles = head[1], name = head[7];
    if (c->left != name + 24 * points + 12 * triangles) return false;
    data->meshes = grow(data->meshes, data->mesh_count, &room->meshes, sizeof *data->meshes);
    import_mesh *mesh = &data->meshes[data->mesh_count++];
    *mesh = (import_mesh){.point_count = head[0],
                          .triangle_count = head[1],
                          .polygons = head[2],
                          .lines = head[3],
                          .dots = head[4],
                          .lost = head[5],
                          .bad_indices = head[6],
                          .deviation = deviation >= 0 && deviation <= IMPORT_COORD_MAX ? deviation : -1};
    mesh->name = take_text(c, (size_t)name);
    mesh->points = allocate((size_t)points, 24);
    mesh->indices = allocate((size_t)triangles, 12);
    return take(c, mesh->points, (size_t)points * 24) && take(c, mesh->indices, (size_t)triangles * 12);
}

static bool read_node(cursor *c, import_data *data, capacities *room) {
    uint32_t head[3];
    if (!take(c, head, sizeof head)) return false;
    uint64_t meshes = head[1], name = head[2];
    data->nodes = grow(data->nodes, data->node_count, &room->nodes, sizeof *data->nodes);
    import_node *node = &data->nodes[data->node_count];
    *node = (import_node){.parent = head[0],
                          .first_mesh = data->mesh_ref_count,
                          .mesh_count = head[1],
                          .first_property = data->facts.property_count};
    if (c->left != sizeof node->local + name + 4 * meshes || !take(c, node->local, sizeof node->local)) return false;
    bool is_root = data->node_count == 0;
    if (is_root ? node->parent != IMPORT_NONE : node->parent >= data->node_count) return false;
    node->name = take_text(c, (size_t)name);
    data->node_count++;
    for (uint64_t i = 0; i < meshes; i++) {
        uint32_t mesh;
        if (!take(c, &mesh, sizeof mesh) || mesh >= data->mesh_count || data->mesh_ref_count == UINT32_MAX)
            return false;
        data->mesh_refs = grow(data->mesh_refs, data->mesh_ref_count, &room->refs, sizeof *data->mesh_refs);
        data->mesh_refs[data->mesh_ref_count++] = mesh;
    }
    return true;
}

static bool read_source(cursor *c, import_data *data, capacities *room) {
    uint64_t head[2];
    if (!take(c, head, sizeof head)) return false;
    data->sources = grow(data->sources, data->source_count, &room->sources, sizeof *data->sources);
    data->sources[data->source_count++] = (import_source){take_text(c, c->left), {head[0], head[1]}};
    return true;
}

static bool read_property(cursor *c, import_data *data, capacities *room) {
    uint32_t key;
    if (!take(c, &key, sizeof key) || key > c->left || data->node_count == 0 ||
        data->facts.property_count == UINT32_MAX)
        return false;
    data->facts.properties =
        grow(data->facts.properties, data->facts.property_count, &room->properties, sizeof *data->facts.properties);
    import_property *property = &data->facts.properties[data->facts.property_count++];
    property->key = take_text(c, key);
    property->value = take_text(c, c->left);
    data->nodes[data->node_count - 1].property_count++;
    return true;
}

static bool read_left_out(cursor *c, import_data *data, capacities *room) {
    uint32_t head[4];
    if (!take(c, head, sizeof head) || head[0] > IMPORT_PARTLY || data->facts.left_out_count == UINT32_MAX)
        return false;
    if ((uint64_t)head[1] + head[2] + head[3] > c->left) return false;
    data->facts.left_out =
        grow(data->facts.left_out, data->facts.left_out_count, &room->left_out, sizeof *data->facts.left_out);
    import_left_out *thing = &data->facts.left_out[data->facts.left_out_count++];
    *thing = (import_left_out){.fate = (import_fate)head[0]};
    thing->id = take_text(c, head[1]);
    thing->kind = take_text(c, head[2]);
    thing->name = take_text(c, head[3]);
    thing->reason = take_text(c, c->left);
    return true;
}

static bool read_place(cursor *c, import_data *data) {
    double numbers[6];
    if (data->facts.place.system || !take(c, numbers, sizeof numbers)) return false;
    for (int i = 0; i < 6; i++)
        if (!(fabs(numbers[i]) <= IMPORT_COORD_MAX)) return false;
    if (!(numbers[5] > 0)) return false;
    data->facts.place = (import_place){.east = numbers[0],
                                       .north = numbers[1],
                                       .height = numbers[2],
                                       .axis = {numbers[3], numbers[4]},
                                       .scale = numbers[5],
                                       .system = take_text(c, c->left)};
    return true;
}

static bool read_record(uint32_t tag, cursor *c, import_data *data, capacities *room, char **refused) {
    switch (tag) {
    case IMPORT_META:
        return read_meta(c, data);
    case IMPORT_MESH:
        return read_mesh(c, data, room);
    case IMPORT_NODE:
        return read_node(c, data, room);
    case IMPORT_NOTE:
        data->notes = grow(data->notes, data->note_count, &room->notes, sizeof *data->notes);
        data->notes[data->note_count++] = take_text(c, c->left);
        return true;
    case IMPORT_SOURCE:
        return read_source(c, data, room);
    case IMPORT_PROPERTY:
        return read_property(c, data, room);
    case IMPORT_LEFT_OUT:
        return read_left_out(c, data, room);
    case IMPORT_PLACE:
        return read_place(c, data);
    case IMPORT_FAIL:
        if (*refused) return false;
        *refused = take_text(c, c->left);
        return true;
    default:
        return false;
    }
}

bool import_parse(const unsigned char *bytes, size_t size, import_data *out, char **refused, const char **wrong) {
    cursor c = {bytes, size};
    capacities room = {0};
    uint64_t magic = 0;
    *out = (import_data){0};
    *refused = NULL;
    *wrong = "the importer ended before it was done";
    if (!take(&c, &magic, sizeof magic)) return false;
    if (magic != IMPORT_MAGIC) {
        *wrong = "the importer's answer is damaged";
        return false;
    }
    for (;;) {
        uint32_t tag;
        uint64_t length;
        *wrong = "the importer ended before it was done";
        if (!take(&c, &tag, sizeof tag) || !take(&c, &length, sizeof length) || length > c.left) return false;
        *wrong = "the importer's answer is damaged";
        if (tag == IMPORT_END) return length == 0 && (*refused || (out->format && out->node_count > 0));
        cursor record = {c.at, (size_t)length};
        if (!read_record(tag, &record, out, &room, refused)) return false;
        c.at += length, c.left -= (size_t)length;
    }
}

static bool usable_point(const double *p) {
    for (int k = 0; k < 3; k++)
        if (!(fabs(p[k]) <= IMPORT_COORD_MAX)) return false; /* NaN fails */
    return true;
}

void import_vet(import_data *data) {
    for (uint32_t m = 0; m < data->mesh_count; m++) {
        import_mesh *mesh = &data->meshes[m];
        uint32_t kept = 0;
        for (uint32_t t = 0; t < mesh->triangle_count; t++) {
            const uint32_t *corner = &mesh->indices[3 * (size_t)t];
            bool in_range = true, usable = true;
            for (int k = 0; k < 3; k++) in_range &= corner[k] < mesh->point_count;
            for (int k = 0; k < 3 && in_range; k++) usable &= usable_point(&mesh->points[3 * (size_t)corner[k]]);
            mesh->bad_indices += !in_range;
            mesh->bad_points += in_range && !usable;
            if (in_range && usable) memmove(&mesh->indices[3 * (size_t)kept++], corner, 3 * sizeof *corner);
        }
        mesh->triangle_count = kept;
        /* Points that no triangle uses may still be anything; they must not reach the mesh. */
        for (uint32_t i = 0; i < mesh->point_count; i++) {
            double *p = &mesh->points[3 * (size_t)i];
            if (!usable_point(p)) p[0] = p[1] = p[2] = 0;
        }
    }
}

void import_clear_left_out(import_left_out *thing) {
    free(thing->id), free(thing->kind), free(thing->name), free(thing->reason);
}

void import_free_facts(import_facts *facts) {
    for (uint32_t i = 0; i < facts->property_count; i++)
        free(facts->properties[i].key), free(facts->properties[i].value);
    for (uint32_t i = 0; i < facts->left_out_count; i++) import_clear_left_out(&facts->left_out[i]);
    free(facts->properties);
    free(facts->left_out);
    free(facts->place.system);
    *facts = (import_facts){0};
}

void import_free(import_data *data) {
    for (uint32_t i = 0; i < data->mesh_count; i++) {
        free(data->meshes[i].name);
        free(data->meshes[i].points);
        free(data->meshes[i].indices);
    }
    for (uint32_t i = 0; i < data->node_count; i++) free(data->nodes[i].name);
    for (uint32_t i = 0; i < data->note_count; i++) free(data->notes[i]);
    for (uint32_t i = 0; i < data->source_count; i++) free(data->sources[i].path);
    import_free_facts(&data->facts);
    free(data->sources);
    free(data->meshes);
    free(data->nodes);
    free(data->mesh_refs);
    free(data->notes);
    free(data->format);
    *data = (import_data){0};
}
