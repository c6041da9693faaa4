/* Writes the page that plays a simulation: see record.h and page.h.
 *
 * The JSON block has the id "simulation". Members:
 *   format, version, carom, scene (file name), title, about, up, broad, broad_used, dt, steps, classes (names);
 *   stride: every how many steps there is a frame; the last step has one always;
 *   origin: [x, y, z] in the scene; all places below are relative to it;
 *   gravity, clearance: two classes or null;
 *   robot, where it is one (cli/robot/playing.c); broad and broad_used then are null;
 *   compared, where broad phases were: funnel: objects, all, boxes, touch, points of each number of objects; kinds:
 * name, and for each number of objects ran, ms, tests, and microseconds of rays, boxes, nearest, frusta where asked;
 *   shapes: name, kind, round (its radius), points, triangles, points_at, corners_at;
 *     for a half-space plane: [nx, ny, nz, d] instead;
 *   objects: name, shape, class, body (0 stands, 1 free, 2 on a path, 3 walks), trigger, unswept, mass, gone (seconds),
 * visual: {shape, pose: of the middle of its box relative to the middle of the object's}, and either track, its place
 * in the frames, or pose: [x, y, z, qx, qy, qz, qw]; what is zero or false is left out; a number a frame: frames (its
 * step), pairs (of overlapping boxes), contact_ends, contact_counts, cell_ends, cell_counts, cell_same (as in the frame
 * before), energy, momentum: [x, y, z]; gaps: null or [distance, a, b, ax, ay, az, bx, by, bz]; boxed (an object) and
 * boxed_at: [low, high]; tracks, tracks_at, boxes_at, still_boxes (objects), still_boxes_at, impacts, impacts_met,
 * impacts_at, contacts_at, events, events_met, events_at, cells_at, bytes.
 *
 * The buffers, in this order: for each shape float32 x, y, z of its points relative to the middle of its box (to which
 * all poses are moved) and uint32 corners; for each frame and each track float32 x, y, z, int16 qx, qy, qz, qw (times
 * 32767); for each frame and track float32 low and high corner of the box in the broad phase; the boxes of still
 * objects; impacts: uint32 object, step, float32 u, then a pose; contacts: uint32 a, b, float32 point, depth, normal;
 * events: uint32 a, b, step, kind (+ 8: there is a point), float32 u, point, depth, normal; cells: float32 low, high,
 * uint32 depth. */
#include "page/page.h"
#include "simulate/record.h"
#include "common/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

extern const unsigned char play_page_head[], play_page_tail[];
extern const size_t play_page_head_size, play_page_tail_size;

typedef struct playback {
    page out;
    const recording *r;
    cm_tessellation *pictures; /* of the shapes */
    uint32_t *tracks;          /* movers that do move */
    uint32_t *track_of;        /* for each object its track, or STAGE_NONE */
    uint32_t *still_boxes;     /* objects without a track that have a bounded box */
    uint32_t track_count, still_count;
} playback;

/* --- what is worth writing --------------------------------------------------------------------------------------- */

static bool ever_moves(const recording *r, uint32_t mover) {
    for (size_t f = 1; f < r->frame_count; f++)
        if (memcmp(&r->poses[f * r->mover_count + mover], &r->poses[mover], sizeof *r->poses) != 0) return true;
    for (size_t i = 0; i < r->impact_count; i++)
        if (r->impacts[i].object == r->movers[mover]) return true;
    return false;
}

static bool still_box(const recording *r, uint32_t object, cm_aabb *out) {
    return r->world && cm_world_get_box(r->world, r->ids[object], out) == CM_OK && out->min.x <= out->max.x &&
           cm_length(cm_sub(out->max, out->min)) < CM_COORD_MAX;
}

static void choose_tracks(playback *p) {
    const recording *r = p->r;
    uint32_t count = r->s->object_count;
    p->tracks = allocate(r->mover_count + 1u, sizeof *p->tracks);
    p->track_of = allocate(count + 1u, sizeof *p->track_of);
    p->still_boxes = allocate(count + 1u, sizeof *p->still_boxes);
    for (uint32_t i = 0; i < count; i++) {
        cm_aabb box;
        p->track_of[i] = STAGE_NONE;
        if (r->mover_of[i] != STAGE_NONE && ever_moves(r, r->mover_of[i])) {
            p->track_of[i] = p->track_count;
            p->tracks[p->track_count++] = r->mover_of[i];
        } else if (still_box(r, i, &box)) {
            p->still_boxes[p->still_count++] = i;
        }
    }
}

/* --- metadata ----------------------------------------------------------------------------------------------------- */

static json_t *shape_json(playback *p, uint32_t index) {
    const stage_shape *s = &p->r->s->shapes[index];
    json_t *out = json_pack("{s:o,s:s}", "name", page_text(s->name), "kind", cm_kind_name(s->shape.kind));
    if (s->shape.radius > 0) json_object_set_new(out, "round", page_real(s->shape.radius));
    if (s->shape.kind == CM_SHAPE_HALFSPACE) {
        cm_plane plane = s->shape.u.halfspace;
        json_object_set_new(out, "plane",
                            json_pack("[o,o,o,o]", page_real(plane.normal.x), page_real(plane.normal.y),
                                      page_real(plane.normal.z), page_real(plane.d)));
        return out;
    }
    const cm_tessellation *drawn = &p->pictures[index];
    json_object_set_new(out, "points", json_integer(drawn->point_count));
    json_object_set_new(out, "triangles", json_integer(drawn->triangle_count));
    json_object_set_new(out, "points_at", json_integer((json_int_t)p->out.at));
    p->out.at += 12 * (uint64_t)drawn->point_count;
    json_object_set_new(out, "corners_at", json_integer((json_int_t)p->out.at));
    p->out.at += 12 * (uint64_t)drawn->triangle_count;
    return out;
}

static json_t *pose_json(const recorded_pose *pose, const cm_quat *q) {
    return json_pack("[f,f,f,f,f,f,f]", (double)pose->position[0], (double)pose->position[1], (double)pose->position[2],
                     (double)q->x, (double)q->y, (double)q->z, (double)q->w);
}

static json_t *visual_json(const recording *r, const stage_object *o) {
    cm_quat q = cm_quat_normalize(o->visual_pose.rotation);
    cm_vec3 at = cm_sub(cm_pose_apply(&o->visual_pose, r->middles[o->visual]), r->middles[o->shape]);
    const recorded_pose place = {.position = {(float)at.x, (float)at.y, (float)at.z}};
    return json_pack("{s:I, s:o}", "shape", (json_int_t)o->visual, "pose", pose_json(&place, &q));
}

static json_t *object_json(const playback *p, uint32_t index) {
    const recording *r = p->r;
    const stage_object *o = &r->s->objects[index];
    json_t *out = json_pack("{s:o,s:I}", "name", page_text(o->name), "shape", (json_int_t)o->shape);
    if (o->class_number) json_object_set_new(out, "class", json_integer(o->class_number));
    if (o->body != STAGE_FIXED) json_object_set_new(out, "body", json_integer(o->body));
    if (o->trigger) json_object_set_new(out, "trigger", json_true());
    if (o->unswept) json_object_set_new(out, "unswept", json_true());
    if (o->mass > 0) json_object_set_new(out, "mass", json_real(o->mass));
    if (o->visual != STAGE_NONE) json_object_set_new(out, "visual", visual_json(r, o));
    if (r->gone[index] >= 0) json_object_set_new(out, "gone", json_real(r->gone[index]));
    if (p->track_of[index] != STAGE_NONE) {
        json_object_set_new(out, "track", json_integer(p->track_of[index]));
        return out;
    }
    cm_pose pose = o->pose; /* what moves not stands where it began */
    if (o->body == STAGE_PATH) stage_pose_at(r->s, index, 0, &pose);
    cm_quat q = cm_quat_normalize(pose.rotation);
    pose.rotation = q;
    cm_vec3 at = cm_sub(cm_pose_apply(&pose, r->middles[o->shape]), r->origin);
    const recorded_pose place = {.position = {(float)at.x, (float)at.y, (float)at.z}};
    json_object_set_new(out, "pose", pose_json(&place, &q));
    return out;
}

static json_t *box_json(const recording *r, size_t frame) {
    cm_vec3 low = cm_sub(r->frames[frame].box.min, r->origin), high = cm_sub(r->frames[frame].box.max, r->origin);
    return json_pack("[f,f,f,f,f,f]", (double)low.x, (double)low.y, (double)low.z, (double)high.x, (double)high.y,
                     (double)high.z);
}

static json_t *gap_json(const recording *r, size_t frame) {
    const gap_sample *g = &r->frames[frame].gap;
    if (!(g->distance < CM_REAL_MAX)) return json_null();
    cm_vec3 a = cm_sub(g->point_a, r->origin), b = cm_sub(g->point_b, r->origin);
    return json_pack("[f,I,I,f,f,f,f,f,f]", (double)g->distance, (json_int_t)g->a, (json_int_t)g->b, (double)a.x,
                     (double)a.y, (double)a.z, (double)b.x, (double)b.y, (double)b.z);
}

typedef json_t *(*frame_value)(const recording *r, size_t frame);
static json_t *frame_step(const recording *r, size_t f) { return json_integer(r->frames[f].step); }
static json_t *frame_pairs(const recording *r, size_t f) { return json_integer(r->frames[f].pairs); }
static json_t *frame_contact_end(const recording *r, size_t f) {
    return json_integer((json_int_t)r->frames[f].contact_end);
}
static json_t *frame_contact_count(const recording *r, size_t f) { return json_integer(r->frames[f].contact_count); }
static json_t *frame_cell_end(const recording *r, size_t f) { return json_integer((json_int_t)r->frames[f].cell_end); }
static json_t *frame_cell_count(const recording *r, size_t f) { return json_integer(r->frames[f].cell_count); }
static json_t *frame_cell_same(const recording *r, size_t f) { return json_integer(r->frames[f].same_cells); }
static json_t *frame_energy(const recording *r, size_t f) { return page_real(r->frames[f].energy); }
static json_t *frame_momentum(const recording *r, size_t f) {
    const double *m = r->frames[f].momentum;
    return json_pack("[o,o,o]", page_real(m[0]), page_real(m[1]), page_real(m[2]));
}

static void put_frames(playback *p, const char *name, frame_value value) {
    page_open_array(&p->out, name);
    for (size_t f = 0; f < p->r->frame_count; f++) {
        if (f > 0) page_put_text(&p->out, ",");
        page_put_json(&p->out, value(p->r, f));
    }
    page_put_text(&p->out, "],\n");
}

/* A field that says where in the buffer the next `size` bytes begin. */
static void put_place(playback *p, const char *name, uint64_t size) {
    page_put_field(&p->out, name, json_integer((json_int_t)p->out.at));
    p->out.at += size;
}

static void put_count(playback *p, const char *name, size_t count) {
    page_put_field(&p->out, name, json_integer((json_int_t)count));
}

static void put_scene(playback *p, const char *scene) {
    const stage *s = p->r->s;
    const char up[2] = {s->up, 0};
    page *out = &p->out;
    page_put_field(out, "format", json_string("carom-play"));
    page_put_field(out, "version", json_integer(1));
    page_put_field(out, "carom", json_string(cm_version()));
    page_put_field(out, "scene", page_text(base_name(scene)));
    page_put_field(out, "title", page_text(s->title));
    page_put_field(out, "about", page_text(s->about));
    page_put_field(out, "up", json_string(up));
    cm_broad_stats stats;
    if (p->r->world) cm_broad_get_stats(cm_world_get_broad(p->r->world), &stats);
    page_put_field(out, "broad", p->r->world ? json_string(cm_broad_kind_text(s->broad)) : json_null());
    page_put_field(out, "broad_used", p->r->world ? json_string(cm_broad_kind_text(stats.kind)) : json_null());
    page_put_field(out, "dt", json_real(p->r->dt));
    put_count(p, "steps", p->r->steps);
    put_count(p, "stride", p->r->stride);
    page_put_field(out, "origin", page_point(p->r->origin));
    page_put_field(out, "gravity", page_point(s->gravity));
    page_put_field(out, "clearance",
                   s->clearance[0] == STAGE_NONE
                       ? json_null()
                       : json_pack("[I,I]", (json_int_t)s->clearance[0], (json_int_t)s->clearance[1]));
    page_open_array(out, "classes");
    for (uint32_t i = 0; i < s->class_count; i++) {
        if (i > 0) page_put_text(out, ",");
        page_put_json(out, page_text(s->classes[i]));
    }
    page_put_text(out, "],\n");
}

static void put_play_metadata(playback *p, const char *scene, json_t *more) {
    const recording *r = p->r;
    const stage *s = r->s;
    page *out = &p->out;
    page_put_text(out, "<script type=\"application/json\" id=\"simulation\">\n{");
    put_scene(p, scene);
    const char *name;
    json_t *value;
    json_object_foreach(more, name, value) page_put_field(out, name, json_incref(value));
    json_decref(more);
    page_open_array(out, "shapes");
    for (uint32_t i = 0; i < s->shape_count; i++) {
        page_put_text(out, i ? ",\n" : "\n");
        page_put_json(out, shape_json(p, i));
    }
    page_put_text(out, "],\n");
    page_open_array(out, "objects");
    for (uint32_t i = 0; i < s->object_count && !out->error; i++) {
        page_put_text(out, i ? ",\n" : "\n");
        page_put_json(out, object_json(p, i));
    }
    page_put_text(out, "],\n");
    put_frames(p, "frames", frame_step);
    put_frames(p, "pairs", frame_pairs);
    put_frames(p, "contact_ends", frame_contact_end);
    put_frames(p, "contact_counts", frame_contact_count);
    put_frames(p, "cell_ends", frame_cell_end);
    put_frames(p, "cell_counts", frame_cell_count);
    put_frames(p, "cell_same", frame_cell_same);
    if (s->clearance[0] != STAGE_NONE) put_frames(p, "gaps", gap_json);
    if (s->boxed != STAGE_NONE) put_count(p, "boxed", s->boxed);
    if (s->boxed != STAGE_NONE) put_frames(p, "boxed_at", box_json);
    if (s->energy) put_frames(p, "energy", frame_energy);
    if (s->energy) put_frames(p, "momentum", frame_momentum);
    uint64_t poses = (uint64_t)r->frame_count * p->track_count;
    put_count(p, "tracks", p->track_count);
    put_place(p, "tracks_at", 20 * poses);
    put_place(p, "boxes_at", 24 * poses);
    page_open_array(out, "still_boxes");
    for (uint32_t i = 0; i < p->still_count; i++) {
        if (i > 0) page_put_text(out, ",");
        page_put_json(out, json_integer(p->still_boxes[i]));
    }
    page_put_text(out, "],\n");
    put_place(p, "still_boxes_at", 24 * (uint64_t)p->still_count);
    put_count(p, "impacts", r->impact_count);
    put_count(p, "impacts_met", r->impacts_met);
    put_place(p, "impacts_at", 32 * (uint64_t)r->impact_count);
    put_place(p, "contacts_at", 36 * (uint64_t)r->contact_count);
    put_count(p, "events", r->event_count);
    put_count(p, "events_met", r->events_met);
    put_place(p, "events_at", 48 * (uint64_t)r->event_count);
    put_place(p, "cells_at", 28 * (uint64_t)r->cell_count);
    page_put_text(out, "\"bytes\":");
    page_put_json(out, json_integer((json_int_t)out->at));
    page_put_text(out, "}\n</script>\n");
}

/* --- buffers ------------------------------------------------------------------------------------------------------ */

static void put_narrow(page *p, const float *values, int count) {
    for (int i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        page_put_u32(p, bits);
    }
}

static void put_pose(page *p, const recorded_pose *pose) {
    put_narrow(p, pose->position, 3);
    for (int i = 0; i < 4; i += 2)
        page_put_u32(p, (uint32_t)(uint16_t)pose->rotation[i] | (uint32_t)(uint16_t)pose->rotation[i + 1] << 16);
}

static void put_pictures(playback *p) {
    const recording *r = p->r;
    for (uint32_t i = 0; i < r->s->shape_count && !p->out.error; i++) {
        const cm_tessellation *drawn = &p->pictures[i];
        for (uint32_t k = 0; k < drawn->point_count; k++) page_put_from(&p->out, drawn->points[k], r->middles[i]);
        for (size_t k = 0; k < 3 * (size_t)drawn->triangle_count; k++) page_put_u32(&p->out, drawn->indices[k]);
    }
}

static void put_tracks(playback *p) {
    const recording *r = p->r;
    page *out = &p->out;
    for (size_t f = 0; f < r->frame_count && !out->error; f++)
        for (uint32_t i = 0; i < p->track_count; i++) put_pose(out, &r->poses[f * r->mover_count + p->tracks[i]]);
    for (size_t f = 0; f < r->frame_count && !out->error; f++)
        for (uint32_t i = 0; i < p->track_count; i++) put_narrow(out, r->boxes[f * r->mover_count + p->tracks[i]], 6);
    for (uint32_t i = 0; i < p->still_count; i++) {
        cm_aabb box = cm_aabb_empty();
        cm_world_get_box(r->world, r->ids[p->still_boxes[i]], &box);
        page_put_from(out, box.min, r->origin);
        page_put_from(out, box.max, r->origin);
    }
}

static void put_happenings(playback *p) {
    const recording *r = p->r;
    page *out = &p->out;
    for (size_t i = 0; i < r->impact_count && !out->error; i++) {
        const recorded_impact *one = &r->impacts[i];
        page_put_u32(out, one->object), page_put_u32(out, one->step);
        put_narrow(out, &one->u, 1);
        put_pose(out, &one->pose);
    }
    for (size_t i = 0; i < r->contact_count && !out->error; i++) {
        const recorded_contact *one = &r->contacts[i];
        page_put_u32(out, one->a), page_put_u32(out, one->b);
        put_narrow(out, one->point, 3), put_narrow(out, &one->depth, 1), put_narrow(out, one->normal, 3);
    }
    for (size_t i = 0; i < r->event_count && !out->error; i++) {
        const recorded_event *one = &r->events[i];
        page_put_u32(out, one->a), page_put_u32(out, one->b), page_put_u32(out, one->step);
        page_put_u32(out, one->kind);
        put_narrow(out, &one->u, 1);
        put_narrow(out, one->point, 3), put_narrow(out, &one->depth, 1), put_narrow(out, one->normal, 3);
    }
    for (size_t i = 0; i < r->cell_count && !out->error; i++) {
        put_narrow(out, r->cells[i].low, 3), put_narrow(out, r->cells[i].high, 3);
        page_put_u32(out, r->cells[i].depth);
    }
    page_close_blocks(out);
}

/* Finer where there are few objects. Shapes that no object has are left out, and so are half-spaces. */
static void draw_shapes(playback *p) {
    const stage *s = p->r->s;
    const cm_tessellate_desc how = {.segments = s->object_count <= 100    ? 48
                                                : s->object_count <= 500  ? 32
                                                : s->object_count <= 3000 ? 16
                                                                          : 12};
    bool *used = allocate(s->shape_count + 1u, sizeof *used);
    for (uint32_t i = 0; i < s->object_count; i++) {
        used[s->objects[i].shape] = true;
        if (s->objects[i].visual != STAGE_NONE) used[s->objects[i].visual] = true;
    }
    p->pictures = allocate(s->shape_count + 1u, sizeof *p->pictures);
    for (uint32_t i = 0; i < s->shape_count; i++)
        if (used[i] && s->shapes[i].shape.kind != CM_SHAPE_HALFSPACE &&
            cm_shape_tessellate(&s->shapes[i].shape, &how, NULL, &p->pictures[i]) == CM_NO_MEMORY)
            p->out.error = ENOMEM;
    free(used);
}

bool playback_write(const char *path, const char *scene, const recording *r, json_t *more, char *message, size_t size) {
    const page_frame frame = {play_page_head, play_page_tail, play_page_head_size, play_page_tail_size};
    playback p = {.r = r};
    page_open(&p.out, path, &frame);
    draw_shapes(&p);
    choose_tracks(&p);
    put_play_metadata(&p, scene, more);
    put_pictures(&p);
    put_tracks(&p);
    put_happenings(&p);
    for (uint32_t i = 0; i < r->s->shape_count; i++) cm_tessellation_destroy(&p.pictures[i], NULL);
    free(p.pictures);
    free(p.tracks);
    free(p.track_of);
    free(p.still_boxes);
    return page_close(&p.out, path, message, size);
}
