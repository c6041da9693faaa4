/* The meshes of a glTF file as points and triangles: see gltf_mesh.h.
 *
 * A primitive's points are its positions, plus its morph targets by their weights, then moved by its joints. Triangles
 * are counted as the primitive's mode says; indices that are out of range stay, for the reader of the stream to find.
 * Coordinates are the stored numbers exactly, or one rounding each of sums in double precision. */
#include "read/gltf_mesh.h"

#include "read/gltf_draco.h"
#include "read/import.h"

#include <stdlib.h>
#include <string.h>

enum { POINTS, LINES, LINE_LOOP, LINE_STRIP, TRIANGLES, TRIANGLE_STRIP, TRIANGLE_FAN };

typedef struct primitive {
    gltf_file *f;
    gltf_item item, attributes;
    const char *name;
    double *points;
    uint32_t point_count;
    bool counted;      /* point_count is known */
    uint32_t *indices; /* NULL: 0, 1, 2 ... */
    uint32_t index_count;
    int mode;
#if defined(CAROM_DRACO)
    draco_part *packed; /* NULL: plain */
    gltf_item packed_ids;
#endif
} primitive;

/* --- attributes --------------------------------------------------------------------------------------------------- */

/* An attribute of each point, to be freed; NULL where there is none. */
static double *attribute_numbers(const primitive *p, const char *name, const char *type, gltf_accessor *head) {
    uint32_t number = gltf_index(p->f, p->attributes, name, "accessors");
    if (number == GLTF_NONE) return NULL;
#if defined(CAROM_DRACO)
    if (p->packed && json_object_get(p->packed_ids.json, name)) {
        *head = gltf_accessor_head(p->f, number, type);
        double *numbers = gltf_room(p->point_count, (size_t)head->components * sizeof *numbers);
        uint32_t id = (uint32_t)(gltf_size(p->f, p->packed_ids, name, 0) & UINT32_MAX);
        if (!draco_part_numbers(p->packed, id, head->components, numbers))
            gltf_refuse(p->f, "meshes[%u]: its Draco data have no %s", p->item.index, name);
        for (size_t i = 0; i < (size_t)p->point_count * (size_t)head->components; i++)
            numbers[i] = gltf_denormalize(head->type, head->normalized, numbers[i]);
        return numbers;
    }
#endif
    *head = gltf_accessor_of(p->f, number, type);
    if (p->counted && head->count != p->point_count)
        gltf_refuse(p->f, "meshes[%u]: %s is given for %u points of %u", p->item.index, name, head->count,
                    p->point_count);
    return gltf_numbers_of(p->f, head);
}

static void open_packed(primitive *p) {
    gltf_item packed = gltf_extension(p->f, p->item, "KHR_draco_mesh_compression");
    if (!packed.json) return;
#if defined(CAROM_DRACO)
    uint32_t view = gltf_index(p->f, packed, "bufferView", "bufferViews");
    if (view == GLTF_NONE || p->mode != TRIANGLES)
        gltf_refuse(p->f, "meshes[%u]: its Draco data are not described as triangles", p->item.index);
    gltf_view bytes = gltf_view_of(p->f, view);
    p->packed_ids = gltf_child_of(p->f, packed, "attributes");
    p->packed = draco_part_open(bytes.bytes, bytes.size);
    if (!p->packed) gltf_refuse(p->f, "meshes[%u]: its Draco data are damaged, or larger than may be", p->item.index);
    p->point_count = draco_part_points(p->packed);
    p->counted = true;
    uint64_t indices = UINT64_C(3) * draco_part_triangles(p->packed);
    if (indices >= GLTF_NONE) gltf_refuse(p->f, "meshes[%u] has too many triangles", p->item.index);
    p->index_count = (uint32_t)indices;
    p->indices = gltf_room(p->index_count, sizeof *p->indices);
    draco_part_indices(p->packed, p->indices);
#else
    uint32_t position = gltf_index(p->f, p->attributes, "POSITION", "accessors");
    bool plain = position != GLTF_NONE && json_object_get(gltf_get(p->f, "accessors", position).json, "bufferView");
    if (!plain)
        gltf_refuse(p->f, "meshes[%u] is compressed with Draco, which this carom was built without (libdraco-dev)",
                    p->item.index);
#endif
}

/* False where there are no positions. */
static bool read_points(primitive *p) {
    gltf_accessor head;
    double *points = attribute_numbers(p, "POSITION", "VEC3", &head);
    if (!points) return false;
    if (!p->counted && !head.view.bytes && !json_object_get(head.item.json, "sparse"))
        gltf_refuse(p->f, "accessors[%u]: the positions have no data", head.item.index);
    if (!p->counted) p->point_count = head.count;
    p->counted = true;
    p->points = points;
    return true;
}

static void read_indices(primitive *p) {
    if (p->indices) return; /* compressed with the points */
    uint32_t number = gltf_index(p->f, p->item, "indices", "accessors");
    p->index_count = p->point_count;
    if (number == GLTF_NONE) return;
    gltf_accessor head = gltf_accessor_of(p->f, number, "SCALAR");
    p->index_count = head.count;
    p->indices = gltf_indices_of(p->f, &head);
}

/* --- morph targets and skins -------------------------------------------------------------------------------------- */

static void add_targets(primitive *p, const gltf_stance *stance) {
    json_t *targets = gltf_array(p->f, p->item, "targets");
    for (uint32_t t = 0; t < json_array_size(targets) && t < stance->weight_count; t++) {
        if (stance->weights[t] == 0) continue;
        primitive target = *p;
        target.attributes.json = json_array_get(targets, t);
        if (!json_is_object(target.attributes.json))
            gltf_refuse(p->f, "meshes[%u]: a target is no object", p->item.index);
        gltf_accessor head;
        double *offsets = attribute_numbers(&target, "POSITION", "VEC3", &head);
        for (size_t i = 0; i < 3 * (size_t)p->point_count && offsets; i++)
            p->points[i] += stance->weights[t] * offsets[i];
        free(offsets);
    }
}

static void add_weighted(double *sum, const affine *a, double weight) {
    for (int i = 0; i < 9; i++) sum[i] += weight * a->m[i];
    for (int i = 0; i < 3; i++) sum[9 + i] += weight * a->t[i];
}

/* Four joints a point and set; the weights of a point are made to sum to one. */
static void move_by_joints(primitive *p, const gltf_stance *stance, gltf_oddities *odd) {
    enum { SETS = 4 };
    double *joints[SETS], *weights[SETS];
    size_t sets = 0;
    for (; sets < SETS; sets++) {
        char name[32];
        gltf_accessor head;
        snprintf(name, sizeof name, "JOINTS_%zu", sets);
        joints[sets] = attribute_numbers(p, name, "VEC4", &head);
        snprintf(name, sizeof name, "WEIGHTS_%zu", sets);
        weights[sets] = joints[sets] ? attribute_numbers(p, name, "VEC4", &head) : NULL;
        if (!weights[sets]) break;
    }
    if (sets == 0) gltf_refuse(p->f, "meshes[%u]: it is skinned, but has no joints or weights", p->item.index);
    for (size_t i = 0; i < p->point_count; i++) {
        double sum[12] = {0}, total = 0;
        for (size_t k = 0; k < 4 * sets; k++) total += weights[k / 4][4 * i + k % 4];
        odd->odd_weights += total > 0 ? 0 : 1;
        for (size_t k = 0; k < (total > 0 ? 4 * sets : 1); k++) {
            double weight = total > 0 ? weights[k / 4][4 * i + k % 4] / total : 1;
            double joint = joints[k / 4][4 * i + k % 4];
            if (weight == 0) continue;
            if (!(joint >= 0 && joint < stance->joint_count))
                gltf_refuse(p->f, "meshes[%u]: a point follows a joint that does not exist", p->item.index);
            add_weighted(sum, &stance->joints[(uint32_t)joint], weight);
        }
        double *at = &p->points[3 * i], from[3];
        memcpy(from, at, sizeof from);
        for (int r = 0; r < 3; r++)
            at[r] = sum[3 * r] * from[0] + sum[3 * r + 1] * from[1] + sum[3 * r + 2] * from[2] + sum[9 + r];
    }
    for (size_t k = 0; k < sets; k++) free(joints[k]), free(weights[k]);
    if (sets < SETS) free(joints[sets]);
}

/* --- writing ------------------------------------------------------------------------------------------------------ */

/* Triangles, and what is none, of so many corners. */
static void count_pieces(int mode, uint32_t corners, uint32_t *triangles, uint32_t *lines, uint32_t *dots) {
    *triangles = *lines = *dots = 0;
    switch (mode) {
    case POINTS:
        *dots = corners;
        break;
    case LINES:
        *lines = corners / 2;
        break;
    case LINE_LOOP:
        *lines = corners > 1 ? corners : 0;
        break;
    case LINE_STRIP:
        *lines = corners > 1 ? corners - 1 : 0;
        break;
    case TRIANGLES:
        *triangles = corners / 3;
        break;
    default:
        *triangles = corners > 2 ? corners - 2 : 0;
    }
}

/* The corner k of a triangle: which of the primitive's indices. */
static uint32_t corner_of(int mode, uint32_t triangle, uint32_t k) {
    if (mode == TRIANGLES) return 3 * triangle + k;
    if (mode == TRIANGLE_FAN) return k == 0 ? 0 : triangle + k;
    return triangle + (triangle % 2 == 0 || k == 0 ? k : 3 - k); /* every other one is turned round */
}

static void put_primitive(const primitive *p) {
    sink *out = p->f->out;
    uint32_t triangles, lines, dots, name_length = (uint32_t)strlen(p->name);
    count_pieces(p->mode, p->index_count, &triangles, &lines, &dots);
    uint32_t points = triangles > 0 ? p->point_count : 0;
    sink_record(out, IMPORT_MESH, UINT64_C(40) + name_length + UINT64_C(24) * points + UINT64_C(12) * triangles);
    const uint32_t head[8] = {points, triangles, 0, lines, dots, 0, 0, name_length};
    const double deviation = -1; /* not known: a glTF does not say what is round in it */
    sink_put(out, head, sizeof head);
    sink_put(out, &deviation, sizeof deviation);
    sink_put(out, p->name, name_length);
    sink_put(out, p->points, (size_t)24 * points);
    for (uint32_t t = 0; t < triangles; t++)
        for (uint32_t k = 0; k < 3; k++) {
            uint32_t corner = corner_of(p->mode, t, k);
            sink_u32(out, p->indices ? p->indices[corner] : corner);
        }
}

/* False where it has no positions. */
static bool read_primitive(primitive *p, const gltf_stance *stance, gltf_oddities *odd) {
    double mode = gltf_number(p->f, p->item, "mode", TRIANGLES);
    if (!(mode >= POINTS && mode <= TRIANGLE_FAN))
        gltf_refuse(p->f, "meshes[%u]: its mode is not one of glTF's", p->item.index);
    p->mode = (int)mode;
    p->attributes = gltf_child_of(p->f, p->item, "attributes");
    open_packed(p);
    if (!read_points(p)) return false;
    read_indices(p);
    odd->spare_indices += p->mode == TRIANGLES ? p->index_count % 3 : 0;
    if (p->mode < TRIANGLES) return true;
    add_targets(p, stance);
    if (stance->joints) move_by_joints(p, stance, odd);
    return true;
}

uint32_t gltf_put_mesh(gltf_file *f, uint32_t mesh, const gltf_stance *stance, gltf_oddities *odd) {
    gltf_item item = gltf_get(f, "meshes", mesh);
    json_t *all = gltf_array(f, item, "primitives");
    const char *name = gltf_text(f, item, "name");
    uint32_t count = (uint32_t)json_array_size(all), written = 0;
    for (uint32_t i = 0; i < count; i++) {
        primitive p = {.f = f, .item = {json_array_get(all, i), "meshes", mesh}};
        if (!json_is_object(p.item.json)) gltf_refuse(f, "meshes[%u]: primitive %u is no object", mesh, i);
        char *label = count > 1 && *name ? format_text("%s-%u", name, i) : copy_text(name);
        p.name = label;
        bool there = read_primitive(&p, stance, odd);
        if (there) put_primitive(&p);
        written += there;
        if (!there) {
            char id[64];
            snprintf(id, sizeof id, "meshes[%u].primitives[%u]", mesh, i);
            sink_left_out(f->out, IMPORT_APART, id, "primitive", name, "has no positions");
        }
#if defined(CAROM_DRACO)
        if (p.packed) draco_part_close(p.packed);
#endif
        free(label), free(p.points), free(p.indices);
    }
    return written;
}
