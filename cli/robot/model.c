/* What can collide: see model.h. */
#include "robot/model.h"

#include "common/text.h"
#include "robot/kinematics.h"
#include "robot/packages.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LARGE_LINK 20 /* metres from which on a mesh is noted; the links of arms are below 3 */

/* --- bodies ------------------------------------------------------------------------------------------------------ */

static void add_body(model *m, const cm_shape *shape, const cm_pose *pose) {
    size_t capacity = m->body_count;
    m->bodies = grow(m->bodies, capacity, &capacity, sizeof *m->bodies);
    model_body *b = &m->bodies[m->body_count++];
    const cm_pose own = cm_pose_identity();
    cm_aabb box;
    *b = (model_body){.shape = *shape, .pose = *pose};
    cm_shape_bounds(shape, &own, &box);
    b->half = cm_scale(cm_sub(box.max, box.min), 0.5);
    const cm_pose center = cm_pose_at(cm_aabb_center(&box));
    b->box_pose = cm_pose_mul(pose, &center);
}

/* A mesh of the file with the place that it has there, the scale of the URDF, and that of --link-scale about the
 * middle of its box. */
static int add_scaled(model *m, const scene_part *part, const robot_collision *c, double link_scale) {
    const scene_mesh *source = &m->meshes.meshes[part->mesh];
    const uint32_t points = cm_mesh_point_count(source->mesh), triangles = cm_mesh_triangle_count(source->mesh);
    const cm_vec3 *from = cm_mesh_points(source->mesh);
    cm_vec3 *to = allocate(points, sizeof *to);
    uint32_t(*corners)[3] = allocate(triangles, sizeof *corners);
    cm_aabb box = cm_aabb_empty();
    for (uint32_t i = 0; i < points; i++) {
        to[i] = cm_pose_apply(&part->pose, from[i]);
        box = cm_aabb_add_point(box, to[i]);
    }
    const cm_vec3 middle = cm_aabb_center(&box);
    for (uint32_t i = 0; i < points && link_scale != 1; i++)
        to[i] = cm_add(middle, cm_scale(cm_sub(to[i], middle), link_scale));
    for (uint32_t i = 0; i < triangles; i++) cm_mesh_corners(source->mesh, i, corners[i]);
    cm_mesh_desc desc = {.points = &to->x,
                         .point_count = points,
                         .indices = corners,
                         .triangle_count = triangles,
                         .weld = -1,
                         .scale = c->scale,
                         .solid = source->info.solid};
    cm_mesh *mesh = NULL;
    const cm_status status = cm_mesh_build(&desc, NULL, &mesh, NULL);
    free(to);
    free(corners);
    if (status != CM_OK)
        return complain(EXIT_INPUT, "the mesh '%s' cannot be scaled: %s", c->mesh, cm_status_text(status));
    size_t capacity = m->scaled_count;
    m->scaled = grow(m->scaled, capacity, &capacity, sizeof *m->scaled);
    m->scaled[m->scaled_count++] = mesh;
    const cm_shape shape = cm_make_mesh(mesh);
    add_body(m, &shape, &c->pose);
    return 0;
}

/* The corner i of a box of half extents h about the origin. */
static cm_vec3 corner_of(cm_vec3 h, int i) { return cm_v(i & 1 ? h.x : -h.x, i & 2 ? h.y : -h.y, i & 4 ? h.z : -h.z); }

static cm_aabb box_of_bodies(const model *m, uint32_t first) {
    cm_aabb box = cm_aabb_empty();
    for (uint32_t i = first; i < m->body_count; i++)
        for (int k = 0; k < 8; k++)
            box = cm_aabb_add_point(box, cm_pose_apply(&m->bodies[i].box_pose, corner_of(m->bodies[i].half, k)));
    return box;
}

/* A URDF has metres, and a mesh in millimetres is read as one that is a thousand times too large. */
static void note_size(model *m, const robot_link *link, const robot_collision *c, uint32_t first) {
    const cm_aabb box = box_of_bodies(m, first);
    const double size = m->body_count > first ? cm_largest(cm_sub(box.max, box.min)) : 0;
    if (size > LARGE_LINK)
        robot_note(&m->robot,
                   format_text("line %ld: the mesh '%s' of link '%s' is %.4g m large: in millimetres it takes "
                               "scale=\"0.001 0.001 0.001\"",
                               c->line, c->mesh, link->name, size));
}

static int add_mesh(model *m, uint32_t file, const robot_collision *c, double link_scale) {
    const bool plain = c->scale.x == 1 && c->scale.y == 1 && c->scale.z == 1 && link_scale == 1;
    int code = 0;
    for (uint32_t i = 0; i < m->meshes.part_count && code == 0; i++) {
        const scene_part *part = &m->meshes.parts[i];
        if (part->file != file) continue;
        const cm_shape shape = cm_make_mesh(m->meshes.meshes[part->mesh].mesh);
        const cm_pose pose = cm_pose_mul(&c->pose, &part->pose);
        if (plain)
            add_body(m, &shape, &pose);
        else
            code = add_scaled(m, part, c, link_scale);
    }
    m->mesh_count++;
    return code;
}

/* --- items ------------------------------------------------------------------------------------------------------- */

static void close_item(model *m, model_item *item) {
    cm_aabb box = cm_aabb_empty();
    item->body_count = m->body_count - item->first_body;
    for (uint32_t i = item->first_body; i < m->body_count; i++)
        for (int k = 0; k < 8; k++) {
            const cm_vec3 p = cm_pose_apply(&m->bodies[i].box_pose, corner_of(m->bodies[i].half, k));
            box = cm_aabb_add_point(box, p);
            item->radius = fmax(item->radius, cm_length(p));
        }
    if (item->body_count == 0) return;
    item->center = cm_aabb_center(&box);
    item->half = cm_scale(cm_sub(box.max, box.min), 0.5);
}

static bool is_ignored(const read_options *read, const model_item *item) {
    const cm_check_part part = {.name = item->name, .file = item->file};
    bool ignored = false;
    for (uint32_t i = 0; i < read->ignore_count; i++)
        if (cm_check_selects(read->ignore[i], &part)) ignored = read->ignore_used[i] = true;
    return ignored;
}

/* Of the values that name the link the last one; else the last that names none. */
static double value_of(const link_values *values, const model_item *link, double otherwise) {
    const cm_check_part part = {.name = link->name, .file = link->file};
    double all = otherwise;
    for (uint32_t i = values->count; i-- > 0;) {
        const link_value *one = &values->list[i];
        if (one->links && cm_check_selects(one->links, &part)) return one->value;
    }
    for (uint32_t i = 0; i < values->count; i++)
        if (!values->list[i].links) all = values->list[i].value;
    return all;
}

/* What names no link would be without effect, and no one the wiser. */
static int check_names(const model *m, const options *o, const link_values *values, const char *option) {
    for (uint32_t i = 0; i < values->count; i++) {
        const char *links = values->list[i].links;
        bool used = !links;
        for (uint32_t k = 0; k < m->robot.link_count && !used; k++)
            used = cm_check_selects(links, &(cm_check_part){.name = m->robot.links[k].name, .file = o->paths[0]});
        char hint[80];
        if (!used)
            return complain(EXIT_INPUT, "%s: '%s' matches no link%s", option, links,
                            robot_suggest_link(&m->robot, links, hint, sizeof hint));
    }
    return 0;
}

static int add_links(model *m, const options *o, const uint32_t *files) {
    int code = check_names(m, o, &o->robot.padding, "--padding");
    if (code == 0) code = check_names(m, o, &o->robot.scale, "--link-scale");
    for (uint32_t i = 0; i < m->robot.link_count && code == 0; i++) {
        const robot_link *link = &m->robot.links[i];
        model_item *item = &m->items[i];
        *item = (model_item){link->name, o->paths[0], i, ROBOT_NONE, .first_body = m->body_count};
        item->padding = value_of(&o->robot.padding, item, 0);
        const double scale = value_of(&o->robot.scale, item, 1);
        const bool ignored = is_ignored(&o->read, item);
        for (uint32_t k = 0; k < link->collision_count && !ignored && code == 0; k++) {
            const robot_collision *c = &m->robot.collisions[link->first_collision + k];
            if (c->mesh) {
                const uint32_t before = m->body_count;
                code = add_mesh(m, files[link->first_collision + k], c, scale);
                if (code == 0) note_size(m, link, c, before);
                continue;
            }
            cm_shape shape;
            if (cm_shape_scaled(&c->shape, cm_v(scale, scale, scale), &shape) != CM_OK)
                return complain(EXIT_INPUT, "%s:%ld: the shape cannot be scaled", o->paths[0], c->line);
            add_body(m, &shape, &c->pose);
            m->primitive_count++;
        }
        close_item(m, item);
    }
    return code;
}

/* `place`: of the file. */
static void add_part(model *m, const scene *s, const scene_part *part, const cm_pose *place, model_item *item) {
    *item = (model_item){.name = part->name, .file = s->files[part->file].path, .first_body = m->body_count};
    item->link = m->robot.order[0], item->attached = ROBOT_NONE;
    const cm_shape shape = cm_make_mesh(s->meshes[part->mesh].mesh);
    const cm_pose pose = cm_pose_mul(place, &part->pose);
    add_body(m, &shape, &pose);
    close_item(m, item);
}

/* The file `file` of a scene is the --attach of that number. */
static void add_attached(model *m, const robot_options *o) {
    for (uint32_t i = 0; i < m->attached.part_count; i++) {
        const scene_part *part = &m->attached.parts[i];
        model_item *item = &m->items[m->robot.link_count + i];
        const robot_attached *one = &o->attached[part->file];
        const cm_pose place = robot_origin(one->place, one->place + 3);
        add_part(m, &m->attached, part, &place, item);
        item->attached = part->file;
        item->link = robot_find_link(&m->robot, one->link);
        item->padding = m->items[item->link].padding;
    }
}

static void add_cell(model *m) {
    const uint32_t first = m->robot.link_count + m->attached.part_count;
    const cm_pose here = cm_pose_identity();
    for (uint32_t i = 0; i < m->cell.part_count; i++)
        add_part(m, &m->cell, &m->cell.parts[i], &here, &m->items[first + i]);
}

/* --- files ------------------------------------------------------------------------------------------------------- */

/* Reads each mesh file once; files[i] is the number of that of collision i. Coordinates are taken as they stand in the
 * file, in metres unless the file states another unit. */
static int read_meshes(model *m, const options *o, uint32_t *files) {
    char **paths = packages_find(&m->robot, o->paths[0], &o->robot);
    if (!paths) return EXIT_INPUT;
    const char **list = allocate(m->robot.collision_count, sizeof *list);
    uint32_t count = 0;
    for (uint32_t i = 0; i < m->robot.collision_count; i++) {
        if (!paths[i]) continue;
        for (files[i] = 0; files[i] < count && strcmp(list[files[i]], paths[i]) != 0;) files[i]++;
        if (files[i] == count) list[count++] = paths[i];
    }
    read_options read = o->read;
    double seconds[2];
    read.unit = 1, read.up = 0, read.override_unit = false, read.part = PART_NODE, read.ignore_count = 0;
    read.left_out = NULL;
    read.as_it_stands = true;
    const int code = count > 0 ? read_scene(list, count, &read, &m->meshes, seconds) : 0;
    free(list);
    packages_free(paths, m->robot.collision_count);
    return code;
}

/* The first link that it may touch after `at`, as a text of its own; NULL after the last. free() it. */
static char *next_touched(const char **at) {
    while (**at == ',') ++*at;
    if (!**at) return NULL;
    const size_t length = strcspn(*at, ",");
    char *name = format_text("%.*s", (int)length, *at);
    *at += length;
    return name;
}

static int read_attached(model *m, const options *o) {
    const robot_options *r = &o->robot;
    const char **paths = allocate(r->attached_count, sizeof *paths);
    char hint[80];
    int code = 0;
    for (uint32_t i = 0; i < r->attached_count && code == 0; i++) {
        const robot_attached *one = &r->attached[i];
        paths[i] = one->file;
        if (robot_find_link(&m->robot, one->link) == ROBOT_NONE)
            code = complain(EXIT_INPUT, "--attach %s: there is no link '%s'%s", one->file, one->link,
                            robot_suggest_link(&m->robot, one->link, hint, sizeof hint));
        else if (robot_is_urdf(one->file))
            code = complain(EXIT_INPUT, "--attach %s: what is attached is a model file, not a robot", one->file);
        const char *at = one->touched;
        for (char *name; code == 0 && (name = next_touched(&at)); free(name))
            if (robot_find_link(&m->robot, name) == ROBOT_NONE)
                code = complain(EXIT_INPUT, "--attach %s: there is no link '%s' to touch%s", one->file, name,
                                robot_suggest_link(&m->robot, name, hint, sizeof hint));
    }
    read_options read = o->read;
    double seconds[2];
    read.world_up = 'z', read.one_file = r->attached_count == 1;
    if (code == 0 && r->attached_count > 0) code = read_scene(paths, r->attached_count, &read, &m->attached, seconds);
    free(paths);
    return code;
}

static int read_cell(model *m, const options *o) {
    read_options read = o->read;
    double seconds[2];
    read.world_up = 'z', read.one_file = o->robot.cell_count == 1;
    for (uint32_t i = 0; i < o->robot.cell_count; i++)
        if (robot_is_urdf(o->robot.cells[i]))
            return complain(EXIT_INPUT, "--cell %s: a cell is a model file, not a robot", o->robot.cells[i]);
    return o->robot.cell_count > 0 ? read_scene(o->robot.cells, o->robot.cell_count, &read, &m->cell, seconds) : 0;
}

int model_read(const options *o, model *out) {
    *out = (model){.padding_for_cell = o->robot.padding_for_cell};
    int code = robot_read(o->paths[0], &out->robot);
    if (code == 0 && out->robot.collision_count == 0)
        code = complain(EXIT_INPUT, "%s: no link has a <collision>: there is nothing to check", o->paths[0]);
    if (code != 0) return code;
    uint32_t *files = allocate(out->robot.collision_count, sizeof *files);
    code = read_meshes(out, o, files);
    if (code == 0) code = read_attached(out, o);
    if (code == 0) code = read_cell(out, o);
    out->item_count = out->robot.link_count + out->attached.part_count + out->cell.part_count;
    out->items = allocate(out->item_count, sizeof *out->items);
    if (code == 0) code = add_links(out, o, files);
    if (code == 0) add_attached(out, &o->robot);
    if (code == 0) add_cell(out);
    free(files);
    return code;
}

void model_free(model *m) {
    robot_free(&m->robot);
    free_scene(&m->meshes);
    free_scene(&m->attached);
    free_scene(&m->cell);
    for (uint32_t i = 0; i < m->scaled_count; i++) cm_mesh_destroy(m->scaled[i], NULL);
    free(m->scaled);
    free(m->bodies);
    free(m->items);
    *m = (model){0};
}

static bool is_touched(const robot_attached *one, const char *link) {
    const char *at = one->touched;
    bool found = strcmp(one->link, link) == 0;
    for (char *name; !found && (name = next_touched(&at)); free(name)) found = strcmp(name, link) == 0;
    return found;
}

bool model_may_touch(const model *m, const robot_options *o, uint32_t a, uint32_t b) {
    const model_item *x = &m->items[a], *y = &m->items[b];
    if (x->attached != ROBOT_NONE && y->attached != ROBOT_NONE) return x->link == y->link;
    if (x->attached != ROBOT_NONE) return model_is_link(m, b) && is_touched(&o->attached[x->attached], y->name);
    return y->attached != ROBOT_NONE && model_is_link(m, a) && is_touched(&o->attached[y->attached], x->name);
}

/* --- places ------------------------------------------------------------------------------------------------------ */

static void place_box(const model_item *item, model_placed *at) {
    const cm_mat3 r = cm_mat3_from_quat(at->pose.rotation);
    const cm_vec3 h = item->half;
    at->center = cm_pose_apply(&at->pose, item->center);
    at->extents = cm_v(fabs(r.x.x) * h.x + fabs(r.y.x) * h.y + fabs(r.z.x) * h.z,
                       fabs(r.x.y) * h.x + fabs(r.y.y) * h.y + fabs(r.z.y) * h.z,
                       fabs(r.x.z) * h.x + fabs(r.y.z) * h.y + fabs(r.z.z) * h.z);
}

model_placed *model_make_places(const model *m) {
    model_placed *at = allocate(m->item_count, sizeof *at);
    for (uint32_t i = m->item_count - m->cell.part_count; i < m->item_count; i++) {
        at[i].pose = cm_pose_identity();
        place_box(&m->items[i], &at[i]);
    }
    return at;
}

void model_place(const model *m, const double *values, model_placed *at) {
    robot_place(&m->robot, values, &at->pose, sizeof *at);
    for (uint32_t i = 0; model_moves(m, i); i++) {
        at[i].pose = at[m->items[i].link].pose;
        place_box(&m->items[i], &at[i]);
    }
}

/* --- pairs ------------------------------------------------------------------------------------------------------- */

/* Boxes are made larger by this share of the coordinates, so that rounding loses nothing that touches. */
static const double ROUNDING = 1e-12;

double model_padding(const model *m, uint32_t a, uint32_t b) {
    if (m->padding_for_cell && model_moves(m, a) && model_moves(m, b)) return 0;
    return m->items[a].padding + m->items[b].padding;
}

double model_boxes_overlap(const model *m, uint32_t a, uint32_t b, const model_placed *at) {
    const cm_vec3 d = cm_sub(at[b].center, at[a].center), e = cm_add(at[a].extents, at[b].extents);
    const double large = cm_largest(e) + cm_largest(at[a].center) + cm_largest(at[b].center);
    return fmin(fmin(e.x - fabs(d.x), e.y - fabs(d.y)), e.z - fabs(d.z)) + model_padding(m, a, b) + ROUNDING * large;
}

/* Can two bodies be nearer than `most`? By the boxes along their own axes. */
static bool are_near(const model_body *a, const cm_pose *pose_a, const model_body *b, const cm_pose *pose_b,
                     double most) {
    const cm_pose at_a = cm_pose_mul(pose_a, &a->box_pose), at_b = cm_pose_mul(pose_b, &b->box_pose);
    const double large =
        cm_largest(a->half) + cm_largest(b->half) + cm_largest(at_a.position) + cm_largest(at_b.position);
    const double more = most + ROUNDING * large;
    const cm_shape box_a = cm_make_box(cm_add(a->half, cm_v(more, more, more))), box_b = cm_make_box(b->half);
    return cm_overlap(&box_a, &at_a, &box_b, &at_b);
}

static bool bodies_collide(const model_body *x, const cm_pose *pose_x, const model_body *y, const cm_pose *pose_y,
                           double padding) {
    if (!are_near(x, pose_x, y, pose_y, padding)) return false;
    const cm_pose at_x = cm_pose_mul(pose_x, &x->pose), at_y = cm_pose_mul(pose_y, &y->pose);
    if (cm_overlap(&x->shape, &at_x, &y->shape, &at_y)) return true; /* before a depth is searched for */
    return padding > 0 && cm_distance(&x->shape, &at_x, &y->shape, &at_y, padding, NULL) <= padding;
}

bool model_collide(const model *m, uint32_t a, uint32_t b, const model_placed *at) {
    const double padding = model_padding(m, a, b);
    if (model_boxes_overlap(m, a, b, at) < 0) return false;
    const model_body *x = &m->bodies[m->items[a].first_body], *y = &m->bodies[m->items[b].first_body];
    for (uint32_t i = 0; i < m->items[a].body_count; i++)
        for (uint32_t k = 0; k < m->items[b].body_count; k++)
            if (bodies_collide(&x[i], &at[a].pose, &y[k], &at[b].pose, padding)) return true;
    return false;
}

/* Have two meshes that touch a body in common? Identical surfaces count, as those of open meshes; what else is said of
 * surfaces, such as that one lies along a face, is touching. */
static bool is_in_common(const cm_relation_result *r) {
    const bool solids = !r->surface_a && !r->surface_b;
    return r->relation == CM_RELATION_IDENTICAL ||
           (solids && (r->relation == CM_RELATION_A_IN_B || r->relation == CM_RELATION_B_IN_A ||
                       r->relation == CM_RELATION_CROSSING));
}

bool model_share_body(const model *m, uint32_t a, uint32_t b, const model_placed *at, double tolerance) {
    const model_body *x = &m->bodies[m->items[a].first_body], *y = &m->bodies[m->items[b].first_body];
    for (uint32_t i = 0; i < m->items[a].body_count; i++)
        for (uint32_t k = 0; k < m->items[b].body_count; k++) {
            if (x[i].shape.kind != CM_SHAPE_MESH || y[k].shape.kind != CM_SHAPE_MESH) continue;
            if (!are_near(&x[i], &at[a].pose, &y[k], &at[b].pose, 0)) continue;
            const cm_pose at_x = cm_pose_mul(&at[a].pose, &x[i].pose), at_y = cm_pose_mul(&at[b].pose, &y[k].pose);
            cm_relation_result r = {.relation = CM_RELATION_NONE};
            cm_mesh_relation(&x[i].shape, &at_x, &y[k].shape, &at_y, tolerance, 0, &r);
            if (is_in_common(&r)) return true;
        }
    return false;
}

/* A convex body that holds it: itself, or the box around a mesh. */
static cm_shape convex_around(const model_body *b, const cm_pose *item, cm_pose *pose) {
    const bool is_mesh = b->shape.kind == CM_SHAPE_MESH;
    *pose = cm_pose_mul(item, is_mesh ? &b->box_pose : &b->pose);
    return is_mesh ? cm_make_box(b->half) : b->shape;
}

double model_likely_depth(const model *m, uint32_t a, uint32_t b, const model_placed *at) {
    const double padding = model_padding(m, a, b);
    const model_body *x = &m->bodies[m->items[a].first_body], *y = &m->bodies[m->items[b].first_body];
    double depth = 0;
    for (uint32_t i = 0; i < m->items[a].body_count; i++)
        for (uint32_t k = 0; k < m->items[b].body_count; k++) {
            if (!bodies_collide(&x[i], &at[a].pose, &y[k], &at[b].pose, padding)) continue;
            cm_pose at_x, at_y;
            const cm_shape around_x = convex_around(&x[i], &at[a].pose, &at_x);
            const cm_shape around_y = convex_around(&y[k], &at[b].pose, &at_y);
            depth = fmax(depth, padding - cm_distance(&around_x, &at_x, &around_y, &at_y, padding, NULL));
        }
    return depth;
}

double model_distance(const model *m, uint32_t a, uint32_t b, const model_placed *at, double most, cm_witness *out) {
    const double padding = model_padding(m, a, b);
    double best = CM_REAL_MAX, limit = most < CM_REAL_MAX ? most + padding : CM_REAL_MAX;
    for (uint32_t i = 0; i < m->items[a].body_count; i++)
        for (uint32_t k = 0; k < m->items[b].body_count; k++) {
            const model_body *x = &m->bodies[m->items[a].first_body + i], *y = &m->bodies[m->items[b].first_body + k];
            if (limit < CM_REAL_MAX && !are_near(x, &at[a].pose, y, &at[b].pose, limit)) continue;
            const cm_pose at_x = cm_pose_mul(&at[a].pose, &x->pose), at_y = cm_pose_mul(&at[b].pose, &y->pose);
            cm_witness found;
            const double d = cm_distance(&x->shape, &at_x, &y->shape, &at_y, limit, &found);
            if (!(d < best)) continue;
            best = d;
            if (out) *out = found;
            limit = fmax(d, 0);
        }
    return best < CM_REAL_MAX ? best - padding : CM_REAL_MAX;
}
