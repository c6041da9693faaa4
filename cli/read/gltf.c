/* Reading glTF 2.0: the scene. See gltf.h.
 *
 * The scene is the file's default one, else its first. A node has at most one parent and is not below itself, which is
 * checked before anything is followed; trees are walked without recursion. Matrices are products in double precision.
 * A skinned mesh stands where its joints are, whatever its node's own place, as the specification says: its points are
 * brought to the node's coordinates, so that the tree stays as the file has it. An instanced node becomes a node
 * with a child for each instance. Based on: [KhronosGltf §3]. */
#define _DEFAULT_SOURCE
#include "read/gltf.h"

#include "read/affine.h"
#include "read/gltf_file.h"
#include "read/gltf_mesh.h"
#include "read/import.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A mesh as it was written: meshes of the stream from `first` on. Nodes with the same mesh and weights share it. */
typedef struct written_mesh {
    uint32_t mesh, weight_count, first, count;
    double *weights;
    bool skinned; /* of one node alone */
} written_mesh;

typedef struct gltf_node {
    gltf_item item;
    uint32_t parent;     /* in the file */
    affine local, world; /* world: from the node's own root on */
    bool shown;          /* in the scene */
    uint32_t written;    /* of its mesh; GLTF_NONE */
    uint32_t number;     /* in the stream */
} gltf_node;

typedef struct gltf_scene {
    gltf_file *f;
    gltf_node *nodes;
    uint32_t node_count;
    uint32_t *order; /* the nodes that are shown, parents first, as the file lists them */
    uint32_t shown_count;
    written_mesh *meshes;
    uint32_t mesh_count;
    size_t mesh_capacity;
    uint32_t stream_meshes, stream_nodes;
    uint32_t skinned, morphed, odd_rotations, hidden, placed_twice;
    gltf_oddities odd;
} gltf_scene;

/* --- places ------------------------------------------------------------------------------------------------------- */

/* Quantized rotations are not of length 1 and are made so; one that is far off is counted. */
static affine place_of(gltf_scene *s, gltf_item item, const double move[3], const double turn[4],
                       const double scale[3]) {
    affine a;
    double length = sqrt(turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2] + turn[3] * turn[3]);
    if (!(length > 0 && length <= 1e30)) gltf_refuse(s->f, "%s[%u]: its rotation is none", item.list, item.index);
    s->odd_rotations += fabs(length - 1) > 0.02; /* what eight bits make of a unit one */
    const cm_quat unit = {turn[0] / length, turn[1] / length, turn[2] / length, turn[3] / length};
    const cm_mat3 r = cm_mat3_from_quat(unit);
    const double rows[9] = {r.x.x, r.y.x, r.z.x, r.x.y, r.y.y, r.z.y, r.x.z, r.y.z, r.z.z};
    for (int i = 0; i < 9; i++) a.m[i] = rows[i] * scale[i % 3];
    memcpy(a.t, move, sizeof a.t);
    return a;
}

/* A 4 x 4 matrix by columns. */
static affine affine_of_columns(gltf_scene *s, gltf_item item, const double m[16]) {
    affine a;
    bool last_row = fabs(m[3]) <= 1e-6 && fabs(m[7]) <= 1e-6 && fabs(m[11]) <= 1e-6 && fabs(m[15] - 1) <= 1e-6;
    if (!last_row) gltf_refuse(s->f, "%s[%u]: the last row of its matrix is not 0 0 0 1", item.list, item.index);
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 3; column++) a.m[3 * row + column] = m[4 * column + row];
        a.t[row] = m[12 + row];
    }
    return a;
}

/* To single precision, in which most writers compute. */
static bool affine_is_near(const affine *a, const affine *b) {
    double size = 0, off = 0;
    for (int i = 0; i < 9; i++) {
        size = fmax(size, fabs(a->m[i]));
        off = fmax(off, fabs(a->m[i] - b->m[i]));
    }
    if (off > 1e-5 * size) return false;
    for (int i = 0; i < 3; i++)
        if (fabs(a->t[i] - b->t[i]) > 1e-6 * fabs(a->t[i])) return false;
    return true;
}

static affine local_of(gltf_scene *s, gltf_item item) {
    double matrix[16], move[3] = {0, 0, 0}, turn[4] = {0, 0, 0, 1}, scale[3] = {1, 1, 1};
    const bool whole = gltf_numbers(s->f, item, "matrix", matrix, 16);
    const bool moves = gltf_numbers(s->f, item, "translation", move, 3);
    const bool turns = gltf_numbers(s->f, item, "rotation", turn, 4);
    const bool scales = gltf_numbers(s->f, item, "scale", scale, 3);
    if (!whole) return place_of(s, item, move, turn, scale);
    const affine a = affine_of_columns(s, item, matrix);
    if (moves || turns || scales) { /* forbidden; viewers take the matrix */
        const uint32_t odd = s->odd_rotations;
        const affine other = place_of(s, item, move, turn, scale);
        s->odd_rotations = odd;
        s->placed_twice += !affine_is_near(&a, &other);
    }
    return a;
}

/* The inverse of a matrix; false where it has none. */
static bool invert(const affine *a, affine *out) {
    double c[9], largest = 0;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            int i1 = (i + 1) % 3, i2 = (i + 2) % 3, k1 = (k + 1) % 3, k2 = (k + 2) % 3;
            c[3 * k + i] = a->m[3 * i1 + k1] * a->m[3 * i2 + k2] - a->m[3 * i1 + k2] * a->m[3 * i2 + k1];
            largest = fmax(largest, fabs(a->m[3 * i + k]));
        }
    double determinant = a->m[0] * c[0] + a->m[1] * c[3] + a->m[2] * c[6];
    if (!(fabs(determinant) > 1e-12 * largest * largest * largest)) return false;
    for (int i = 0; i < 9; i++) out->m[i] = c[i] / determinant;
    for (int i = 0; i < 3; i++)
        out->t[i] = -(out->m[3 * i] * a->t[0] + out->m[3 * i + 1] * a->t[1] + out->m[3 * i + 2] * a->t[2]);
    return true;
}

/* --- the tree ----------------------------------------------------------------------------------------------------- */

static void find_parents(gltf_scene *s) {
    for (uint32_t i = 0; i < s->node_count; i++)
        s->nodes[i] = (gltf_node){.item = gltf_get(s->f, "nodes", i), .parent = GLTF_NONE, .written = GLTF_NONE};
    for (uint32_t i = 0; i < s->node_count; i++) {
        json_t *children = gltf_array(s->f, s->nodes[i].item, "children");
        for (size_t k = 0; k < json_array_size(children); k++) {
            uint32_t child =
                gltf_index_in(s->f, s->nodes[i].item, json_array_get(children, k), "children", s->node_count);
            if (s->nodes[child].parent != GLTF_NONE) gltf_refuse(s->f, "nodes[%u] has two parents", child);
            s->nodes[child].parent = i;
        }
    }
}

/* The nodes below some, these first, each before its children, children in the file's order: into `order`, from `count`
 * on. As every node has one parent at most, each is met once. */
static uint32_t walk(const gltf_scene *s, const uint32_t *tops, uint32_t top_count, uint32_t *order) {
    uint32_t count = 0, waiting = 0, *stack = gltf_room((size_t)s->node_count + 1, sizeof *stack);
    for (uint32_t t = 0; t < top_count; t++) {
        stack[waiting++] = tops[t];
        while (waiting > 0) {
            uint32_t node = stack[--waiting];
            order[count++] = node;
            json_t *children = json_object_get(s->nodes[node].item.json, "children");
            for (size_t k = json_array_size(children); k-- > 0;)
                stack[waiting++] = (uint32_t)json_number_value(json_array_get(children, k));
        }
    }
    free(stack);
    return count;
}

static void place_nodes(gltf_scene *s) {
    uint32_t roots = 0, *tops = gltf_room((size_t)s->node_count + 1, sizeof *tops);
    for (uint32_t i = 0; i < s->node_count; i++)
        if (s->nodes[i].parent == GLTF_NONE) tops[roots++] = i;
    uint32_t count = walk(s, tops, roots, s->order);
    if (count < s->node_count) gltf_refuse(s->f, "some of its nodes are below themselves");
    for (uint32_t i = 0; i < count; i++) {
        gltf_node *node = &s->nodes[s->order[i]];
        node->local = node->world = local_of(s, node->item);
        if (node->parent != GLTF_NONE) node->world = affine_mul(&s->nodes[node->parent].world, &node->local);
    }
    free(tops);
}

/* Which nodes are shown. */
static void choose_scene(gltf_scene *s) {
    gltf_item root = {s->f->root, "the file", GLTF_NONE};
    uint32_t number = gltf_index(s->f, root, "scene", "scenes"), scenes = gltf_count(s->f, "scenes"), count = 0;
    uint32_t *tops = gltf_room((size_t)s->node_count + 1, sizeof *tops);
    if (scenes == 0) {
        gltf_note(s->f, "the file has no scene: all its nodes are taken");
        for (uint32_t i = 0; i < s->node_count; i++)
            if (s->nodes[i].parent == GLTF_NONE) tops[count++] = i;
    } else {
        gltf_item scene = gltf_get(s->f, "scenes", number == GLTF_NONE ? 0 : number);
        json_t *list = gltf_array(s->f, scene, "nodes");
        for (size_t i = 0; i < json_array_size(list); i++) {
            uint32_t top = gltf_index_in(s->f, scene, json_array_get(list, i), "nodes", s->node_count);
            if (s->nodes[top].parent != GLTF_NONE || s->nodes[top].shown)
                gltf_refuse(s->f, "scenes[%u] lists nodes[%u], which %s", scene.index, top,
                            s->nodes[top].shown ? "it lists already" : "is below another node");
            s->nodes[top].shown = true;
            tops[count++] = top;
        }
        if (scenes > 1)
            gltf_note(s->f, "%u other scene%s of the file: left out, only scenes[%u] is shown", scenes - 1,
                      plural(scenes - 1), scene.index);
    }
    s->shown_count = walk(s, tops, count, s->order);
    for (uint32_t i = 0; i < s->shown_count; i++) s->nodes[s->order[i]].shown = true;
    free(tops);
}

/* --- meshes ------------------------------------------------------------------------------------------------------- */

/* The node's morph weights, else its mesh's. */
static double *weights_of(gltf_scene *s, const gltf_node *node, uint32_t mesh, uint32_t *count) {
    gltf_item holder = node->item;
    if (!gltf_array(s->f, holder, "weights")) holder = gltf_get(s->f, "meshes", mesh);
    *count = (uint32_t)json_array_size(gltf_array(s->f, holder, "weights"));
    double *weights = gltf_room(*count, sizeof *weights);
    gltf_numbers(s->f, holder, "weights", weights, *count);
    bool any = false;
    for (uint32_t i = 0; i < *count; i++) any |= weights[i] != 0;
    if (!any) *count = 0;
    s->morphed += any;
    return weights;
}

/* A matrix for each joint, from the mesh as it is stored to the node's coordinates. */
static affine *joints_of(gltf_scene *s, const gltf_node *node, uint32_t skin, uint32_t *count) {
    gltf_item item = gltf_get(s->f, "skins", skin);
    json_t *joints = gltf_array(s->f, item, "joints");
    affine to_node, *all = gltf_room(json_array_size(joints), sizeof *all);
    *count = (uint32_t)json_array_size(joints);
    if (!invert(&node->world, &to_node))
        gltf_refuse(s->f, "nodes[%u] is skinned, and its matrix has no inverse", node->item.index);
    uint32_t binding = gltf_index(s->f, item, "inverseBindMatrices", "accessors");
    double *bind = NULL;
    if (binding != GLTF_NONE) {
        gltf_accessor a = gltf_accessor_of(s->f, binding, "MAT4");
        if (a.count < *count) gltf_refuse(s->f, "skins[%u] has fewer matrices than joints", skin);
        bind = gltf_numbers_of(s->f, &a);
    }
    for (uint32_t i = 0; i < *count; i++) {
        uint32_t joint = gltf_index_in(s->f, item, json_array_get(joints, i), "joints", s->node_count);
        all[i] = affine_mul(&to_node, &s->nodes[joint].world);
        if (!bind) continue;
        affine from_mesh = affine_of_columns(s, item, bind + (size_t)16 * i);
        all[i] = affine_mul(&all[i], &from_mesh);
    }
    free(bind);
    return all;
}

static uint32_t find_written(const gltf_scene *s, uint32_t mesh, const double *weights, uint32_t weight_count,
                             const uint32_t *last_of) {
    /* Most meshes stand in one way, so the last one written is the one. */
    uint32_t at = last_of[mesh];
    if (at == GLTF_NONE || s->meshes[at].skinned || s->meshes[at].weight_count != weight_count) return GLTF_NONE;
    bool same = memcmp(s->meshes[at].weights, weights, weight_count * sizeof *weights) == 0;
    return same ? at : GLTF_NONE;
}

static void put_mesh_of(gltf_scene *s, gltf_node *node, uint32_t *last_of) {
    uint32_t mesh = gltf_index(s->f, node->item, "mesh", "meshes"),
             skin = gltf_index(s->f, node->item, "skin", "skins");
    if (mesh == GLTF_NONE) return;
    gltf_stance stance = {0};
    double *weights = weights_of(s, node, mesh, &stance.weight_count);
    if (skin == GLTF_NONE) node->written = find_written(s, mesh, weights, stance.weight_count, last_of);
    if (node->written != GLTF_NONE) {
        free(weights);
        return;
    }
    stance.weights = weights;
    affine *joints = skin != GLTF_NONE ? joints_of(s, node, skin, &stance.joint_count) : NULL;
    stance.joints = joints;
    s->skinned += skin != GLTF_NONE;
    s->meshes = grow(s->meshes, s->mesh_count, &s->mesh_capacity, sizeof *s->meshes);
    written_mesh *w = &s->meshes[s->mesh_count];
    *w = (written_mesh){.mesh = mesh,
                        .weight_count = stance.weight_count,
                        .first = s->stream_meshes,
                        .weights = weights,
                        .skinned = skin != GLTF_NONE};
    w->count = gltf_put_mesh(s->f, mesh, &stance, &s->odd);
    s->stream_meshes += w->count;
    node->written = last_of[mesh] = s->mesh_count++;
    free(joints);
}

static void put_meshes(gltf_scene *s) {
    uint32_t count = gltf_count(s->f, "meshes"), *last_of = gltf_room((size_t)count + 1, sizeof *last_of);
    for (uint32_t i = 0; i < count; i++) last_of[i] = GLTF_NONE;
    for (uint32_t i = 0; i < s->shown_count; i++) put_mesh_of(s, &s->nodes[s->order[i]], last_of);
    free(last_of);
}

/* --- nodes -------------------------------------------------------------------------------------------------------- */

static uint32_t put_node(gltf_scene *s, uint32_t parent, const affine *local, const char *name,
                         const written_mesh *mesh) {
    double rows[12];
    for (int i = 0; i < 12; i++) rows[i] = i % 4 < 3 ? local->m[i / 4 * 3 + i % 4] : local->t[i / 4];
    sink_node(s->f->out, parent, rows, name, mesh ? mesh->first : 0, mesh ? mesh->count : 0);
    return s->stream_nodes++;
}

/* One of the lists of places of an instanced node: so many numbers an instance; NULL where there is none. */
static double *instance_numbers(gltf_scene *s, gltf_item attributes, const char *name, const char *type,
                                uint32_t *count) {
    uint32_t number = gltf_index(s->f, attributes, name, "accessors");
    if (number == GLTF_NONE) return NULL;
    gltf_accessor a = gltf_accessor_of(s->f, number, type);
    if (*count != GLTF_NONE && *count != a.count)
        gltf_refuse(s->f, "nodes[%u]: its instances have places of unequal number", attributes.index);
    *count = a.count;
    return gltf_numbers_of(s->f, &a);
}

static void put_instances(gltf_scene *s, const gltf_node *node, gltf_item instancing, const written_mesh *mesh) {
    gltf_item attributes = gltf_child_of(s->f, instancing, "attributes");
    uint32_t count = GLTF_NONE;
    if (mesh->skinned) gltf_refuse(s->f, "nodes[%u] is instanced and skinned", node->item.index);
    double *moves = instance_numbers(s, attributes, "TRANSLATION", "VEC3", &count);
    double *turns = instance_numbers(s, attributes, "ROTATION", "VEC4", &count);
    double *scales = instance_numbers(s, attributes, "SCALE", "VEC3", &count);
    if (count == GLTF_NONE) gltf_refuse(s->f, "nodes[%u]: its instances have no places", node->item.index);
    static const double no_move[3] = {0, 0, 0}, no_turn[4] = {0, 0, 0, 1}, no_scale[3] = {1, 1, 1};
    for (uint32_t i = 0; i < count; i++) {
        affine place = place_of(s, node->item, moves ? moves + 3 * (size_t)i : no_move,
                                turns ? turns + 4 * (size_t)i : no_turn, scales ? scales + 3 * (size_t)i : no_scale);
        char name[32];
        snprintf(name, sizeof name, "instance%u", i + 1);
        put_node(s, node->number, &place, name, mesh);
    }
    free(moves), free(turns), free(scales);
}

static void put_nodes(gltf_scene *s) {
    affine none = affine_identity();
    put_node(s, IMPORT_NONE, &none, "", NULL);
    for (uint32_t i = 0; i < s->shown_count; i++) {
        gltf_node *node = &s->nodes[s->order[i]];
        const written_mesh *mesh = node->written == GLTF_NONE ? NULL : &s->meshes[node->written];
        gltf_item instancing = gltf_extension(s->f, node->item, "EXT_mesh_gpu_instancing");
        gltf_item visibility = gltf_extension(s->f, node->item, "KHR_node_visibility");
        s->hidden += json_is_false(json_object_get(visibility.json, "visible"));
        bool instanced = mesh && instancing.json;
        uint32_t parent = node->parent == GLTF_NONE ? 0 : s->nodes[node->parent].number;
        const char *name = gltf_text(s->f, node->item, "name");
        if (instanced && !*name) name = gltf_text(s->f, gltf_get(s->f, "meshes", mesh->mesh), "name");
        node->number = put_node(s, parent, &node->local, name, instanced ? NULL : mesh);
        if (instanced) put_instances(s, node, instancing, mesh);
    }
}

/* --- the whole ---------------------------------------------------------------------------------------------------- */

/* Nodes with a mesh that are in the file and not in the scene. */
static void put_left_out(gltf_scene *s) {
    for (uint32_t i = 0; i < s->node_count; i++) {
        gltf_item item = s->nodes[i].item;
        if (s->nodes[i].shown || gltf_index(s->f, item, "mesh", "meshes") == GLTF_NONE) continue;
        char id[32];
        snprintf(id, sizeof id, "nodes[%u]", i);
        sink_left_out(s->f->out, IMPORT_APART, id, "node", gltf_text(s->f, item, "name"),
                      "not in the scene that is shown");
    }
}

static void put_notes(gltf_scene *s) {
    const gltf_oddities *left = &s->odd;
    if (left->spare_indices > 0)
        gltf_note(s->f, "%u %s: left out, beyond the last whole triangle", left->spare_indices,
                  left->spare_indices == 1 ? "index" : "indices");
    if (left->odd_weights > 0)
        gltf_note(s->f, "%u point%s of skinned meshes without a weight: moved with the first joint", left->odd_weights,
                  plural(left->odd_weights));
    if (s->odd_rotations > 0)
        gltf_note(s->f, "%u rotation%s not of length 1: taken as the rotation of that direction", s->odd_rotations,
                  plural(s->odd_rotations));
    if (s->placed_twice > 0)
        gltf_note(s->f,
                  "warning: %u node%s a matrix and another translation, rotation or scale, of which glTF allows "
                  "one: the matrix is taken",
                  s->placed_twice, s->placed_twice == 1 ? " has" : "s have");
    if (s->hidden > 0)
        gltf_note(s->f, "%u node%s marked as not visible: read all the same", s->hidden, plural(s->hidden));
    if (s->skinned > 0)
        gltf_note(s->f, "%u skinned mesh%s taken as the joints stand in the file", s->skinned,
                  s->skinned == 1 ? "" : "es");
    if (s->morphed > 0)
        gltf_note(s->f, "%u node%s with morph targets taken at the weights in the file", s->morphed,
                  plural(s->morphed));
    if (gltf_count(s->f, "animations") > 0)
        gltf_note(s->f, "animations are not played: parts stand where the file puts them");
}

int gltf_child(const char *path, int fd) {
    static gltf_file f; /* this process has one task */
    static sink out;
    uint64_t magic = IMPORT_MAGIC;
    out.fd = fd;
    sink_put(&out, &magic, sizeof magic);
    gltf_open(&f, path, &out);
    gltf_scene s = {.f = &f, .node_count = gltf_count(&f, "nodes")};
    s.nodes = gltf_room((size_t)s.node_count + 1, sizeof *s.nodes);
    s.order = gltf_room((size_t)s.node_count + 1, sizeof *s.order);
    find_parents(&s);
    place_nodes(&s);
    choose_scene(&s);
    put_meshes(&s);
    put_nodes(&s);
    put_left_out(&s);
    put_notes(&s);
    sink_record(&out, IMPORT_END, 0);
    sink_flush(&out);
    return 0; /* the process ends: freeing would only take time */
}
