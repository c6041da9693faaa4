/* Keeps what a simulation does: see record.h. */
#include "simulate/record.h"

#include "common/text.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

/* --- small numbers ------------------------------------------------------------------------------------------------ */

static float narrow(cm_real value) {
    const double most = (double)FLT_MAX;
    return (float)(value > most ? most : value < -most ? -most : value);
}

static void narrow_point(cm_vec3 v, float out[3]) { out[0] = narrow(v.x), out[1] = narrow(v.y), out[2] = narrow(v.z); }

static int16_t narrow_unit(cm_real value) {
    double scaled = value * 32767;
    return (int16_t)(scaled < 0 ? scaled - 0.5 : scaled + 0.5);
}

static bool is_bounded(const cm_aabb *box) {
    const cm_real most = CM_COORD_MAX;
    return box->min.x >= -most && box->min.y >= -most && box->min.z >= -most && box->max.x <= most &&
           box->max.y <= most && box->max.z <= most && box->min.x <= box->max.x;
}

static recorded_pose narrow_pose(const recording *r, uint32_t object, const cm_pose *pose) {
    recorded_pose out;
    cm_quat q = cm_quat_normalize(pose->rotation);
    cm_vec3 middle = r->middles[r->s->objects[object].shape];
    narrow_point(cm_sub(cm_pose_apply(pose, middle), r->origin), out.position);
    out.rotation[0] = narrow_unit(q.x), out.rotation[1] = narrow_unit(q.y);
    out.rotation[2] = narrow_unit(q.z), out.rotation[3] = narrow_unit(q.w);
    return out;
}

/* --- a frame ------------------------------------------------------------------------------------------------------ */

static bool keep_cell(void *context, const cm_aabb *box, int depth, uint32_t objects) {
    recording *r = context;
    if (!is_bounded(box) || objects == 0) return true;
    r->scratch = grow(r->scratch, r->scratch_count, &r->scratch_capacity, sizeof *r->scratch);
    recorded_cell *one = &r->scratch[r->scratch_count++];
    memset(one, 0, sizeof *one);
    narrow_point(cm_sub(box->min, r->origin), one->low);
    narrow_point(cm_sub(box->max, r->origin), one->high);
    one->depth = (uint32_t)depth;
    return true;
}

/* The most that each frame may keep of something of which the whole recording keeps `all`. */
static size_t share_of(const recording *r, size_t all) {
    size_t frames = r->steps / r->stride + 2;
    return all / frames > 64 ? all / frames : 64;
}

/* Drops the lowest levels until the rest is few enough. */
static void thin_cells(recording *r) {
    size_t most = share_of(r, RECORD_CELLS);
    while (r->scratch_count > most) {
        uint32_t deepest = 0;
        size_t kept = 0;
        for (size_t i = 0; i < r->scratch_count; i++)
            if (r->scratch[i].depth > deepest) deepest = r->scratch[i].depth;
        if (deepest == 0 || r->scratch[0].depth == deepest) {
            r->scratch_count = most;
            return;
        }
        for (size_t i = 0; i < r->scratch_count; i++)
            if (r->scratch[i].depth < deepest) r->scratch[kept++] = r->scratch[i];
        r->scratch_count = kept;
    }
}

static void keep_cells(recording *r, recorded_frame *frame) {
    r->scratch_count = 0;
    cm_broad_walk(cm_world_get_broad(r->world), keep_cell, r);
    frame->cell_count = (uint32_t)r->scratch_count;
    thin_cells(r);
    size_t before = 0, count = 0;
    for (size_t i = r->frame_count; i-- > 0;) { /* the last frame that has its own */
        if (r->frames[i].same_cells) continue;
        before = i > 0 ? r->frames[i - 1].cell_end : 0, count = r->frames[i].cell_end - before;
        break;
    }
    if (r->frame_count > 0 && count == r->scratch_count &&
        (!count || memcmp(r->cells + before, r->scratch, count * sizeof *r->cells) == 0)) {
        frame->same_cells = 1;
    } else {
        for (size_t i = 0; i < r->scratch_count; i++) {
            r->cells = grow(r->cells, r->cell_count, &r->cell_capacity, sizeof *r->cells);
            r->cells[r->cell_count++] = r->scratch[i];
        }
    }
    frame->cell_end = r->cell_count;
}

static void keep_contacts(recording *r, recorded_frame *frame) {
    cm_world_event_view view;
    size_t most = share_of(r, RECORD_CONTACTS);
    cm_world_get_events(r->world, &view);
    for (size_t i = 0; i < view.count; i++) {
        const cm_world_event *e = &view.events[i];
        if (e->kind != CM_WORLD_BEGAN && e->kind != CM_WORLD_STAYED) continue;
        bool ended = false; /* in the same step */
        for (size_t k = i + 1; k < view.count && view.events[k].a == e->a && view.events[k].b == e->b; k++)
            ended |= view.events[k].kind == CM_WORLD_ENDED;
        for (int m = 0; m < e->manifold_count && !ended; m++)
            for (int k = 0; k < e->manifolds[m].count; k++) {
                if (frame->contact_count++ >= most) continue;
                r->contacts = grow(r->contacts, r->contact_count, &r->contact_capacity, sizeof *r->contacts);
                recorded_contact *c = &r->contacts[r->contact_count++];
                c->a = (uint32_t)e->user_a, c->b = (uint32_t)e->user_b;
                const cm_contact_point *p = &e->manifolds[m].points[k];
                narrow_point(cm_sub(cm_lerp(p->point_a, p->point_b, CM_REAL(0.5)), r->origin), c->point);
                narrow_point(e->manifolds[m].normal, c->normal);
                c->depth = narrow(p->depth);
            }
    }
    frame->contact_end = r->contact_count;
}

static void keep_poses(recording *r, size_t frame) {
    for (uint32_t i = 0; i < r->mover_count; i++) {
        uint32_t object = r->movers[i];
        size_t at = frame * r->mover_count + i;
        cm_pose pose;
        cm_aabb box;
        memset(r->boxes[at], 0, sizeof r->boxes[at]);
        if (cm_world_get_pose(r->world, r->ids[object], &pose) == CM_OK) {
            r->poses[at] = narrow_pose(r, object, &pose);
            if (frame > 0 && cm_world_get_box(r->world, r->ids[object], &box) == CM_OK && is_bounded(&box)) {
                narrow_point(cm_sub(box.min, r->origin), r->boxes[at]);
                narrow_point(cm_sub(box.max, r->origin), r->boxes[at] + 3);
            }
        } else if (frame > 0) {
            r->poses[at] = r->poses[at - r->mover_count];
        }
    }
}

static void keep_frame(recording *r, uint32_t step, const box_sample *box, cm_vec3 momentum, double energy) {
    r->frames = grow(r->frames, r->frame_count, &r->frame_capacity, sizeof *r->frames);
    recorded_frame frame;
    memset(&frame, 0, sizeof frame);
    frame.step = step, frame.gap = r->least, frame.energy = energy;
    frame.momentum[0] = momentum.x, frame.momentum[1] = momentum.y, frame.momentum[2] = momentum.z;
    if (box) frame.box = box->box;
    if (step > 0) {
        cm_world_stats stats;
        cm_world_get_stats(r->world, &stats);
        frame.pairs = (uint32_t)stats.pairs;
        keep_contacts(r, &frame);
    }
    keep_cells(r, &frame);
    keep_poses(r, r->frame_count);
    r->frames[r->frame_count++] = frame;
    r->least.distance = CM_REAL_MAX;
}

/* --- the beginning ------------------------------------------------------------------------------------------------ */

static cm_vec3 middle_of_shape(const cm_shape *shape) {
    cm_pose still = cm_pose_identity();
    cm_aabb box;
    cm_shape_bounds(shape, &still, &box);
    return is_bounded(&box) ? cm_aabb_center(&box) : cm_v(0, 0, 0);
}

/* The middle of where the objects begin. */
static cm_vec3 find_origin(const recording *r) {
    cm_aabb box = cm_aabb_empty();
    for (uint32_t i = 0; i < r->s->object_count; i++) {
        cm_pose pose;
        pose = r->s->objects[i].pose;
        if (!r->world || cm_world_get_pose(r->world, r->ids[i], &pose) == CM_OK)
            box = cm_aabb_add_point(box, cm_pose_apply(&pose, r->middles[r->s->objects[i].shape]));
    }
    return is_bounded(&box) ? cm_aabb_center(&box) : cm_v(0, 0, 0);
}

void recording_start(recording *r, const stage *s, const cm_world *world, const uint32_t *ids, double dt,
                     uint32_t steps) {
    *r = (recording){.s = s, .world = world, .ids = ids, .dt = dt, .steps = steps};
    r->least.distance = CM_REAL_MAX;
    r->middles = allocate(s->shape_count + 1u, sizeof *r->middles);
    for (uint32_t i = 0; i < s->shape_count; i++) r->middles[i] = middle_of_shape(&s->shapes[i].shape);
    r->origin = find_origin(r);
    r->movers = allocate(s->object_count + 1u, sizeof *r->movers);
    r->mover_of = allocate(s->object_count + 1u, sizeof *r->mover_of);
    r->gone = allocate(s->object_count + 1u, sizeof *r->gone);
    r->ways = allocate(s->object_count + 1u, sizeof *r->ways);
    for (uint32_t i = 0; i < s->object_count; i++) {
        bool moves = s->objects[i].body != STAGE_FIXED;
        r->mover_of[i] = moves ? r->mover_count : STAGE_NONE;
        r->gone[i] = -1;
        if (moves) r->movers[r->mover_count++] = i;
    }
    uint32_t frames = r->mover_count ? RECORD_POSES / r->mover_count : RECORD_FRAMES;
    frames = frames > RECORD_FRAMES ? RECORD_FRAMES : frames < 3 ? 3 : frames;
    r->stride = steps / (frames - 2) + (steps % (frames - 2) != 0);
    if (r->stride == 0) r->stride = 1;
    size_t room = steps / r->stride + 2;
    r->poses = allocate(room * r->mover_count + 1, sizeof *r->poses);
    r->boxes = allocate(room * r->mover_count + 1, sizeof *r->boxes);
}

/* --- a step ------------------------------------------------------------------------------------------------------- */

void recording_begin(recording *r, uint32_t step) { r->step = step; }

static bool same_vector(cm_vec3 a, cm_vec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

static bool same_motion(const cm_motion *a, const cm_motion *b) {
    cm_quat q = a->start.rotation, r = b->start.rotation;
    return same_vector(a->start.position, b->start.position) && same_vector(a->move, b->move) &&
           same_vector(a->accelerate, b->accelerate) && same_vector(a->spin, b->spin) && q.x == r.x && q.y == r.y &&
           q.z == r.z && q.w == r.w;
}

/* Where the object is at u: the world tells the motion from the last hit that changed it, or from the step's start. */
static bool find_place(recording *r, uint32_t object, uint32_t id, double u, cm_pose *out) {
    recorded_way *way = &r->ways[object];
    cm_motion m;
    if (cm_world_get_motion(r->world, id, &m) != CM_OK) return false;
    if (way->step != r->step)
        *way = (recorded_way){.step = r->step, .motion = m};
    else if (!same_motion(&way->motion, &m))
        way->motion = m, way->since = way->last;
    way->last = u;
    if (u >= 1) return false; /* where it ends is known anyway */
    cm_motion_at(&m, way->since < 1 ? (u - way->since) / (1 - way->since) : 1, out);
    return true;
}

void recording_hit(recording *r, const cm_world_hit *hit) {
    const uint64_t users[2] = {hit->user_a, hit->user_b};
    const uint32_t ids[2] = {hit->a, hit->b};
    for (int i = 0; i < 2; i++) {
        uint32_t object = (uint32_t)users[i];
        cm_pose pose;
        if (r->mover_of[object] == STAGE_NONE || !find_place(r, object, ids[i], hit->u, &pose)) continue;
        if (r->impacts_met++ >= RECORD_IMPACTS) continue;
        r->impacts = grow(r->impacts, r->impact_count, &r->impact_capacity, sizeof *r->impacts);
        r->impacts[r->impact_count++] =
            (recorded_impact){object, r->step, narrow(hit->u), narrow_pose(r, object, &pose)};
    }
}

static void keep_events(recording *r) {
    cm_world_event_view view;
    cm_world_get_events(r->world, &view);
    moments_take(&r->in_time, &view);
    for (size_t i = 0; i < r->in_time.count; i++) {
        const cm_world_event *e = &view.events[r->in_time.items[i].event];
        if (e->kind == CM_WORLD_STAYED || r->events_met++ >= RECORD_EVENTS) continue;
        r->events = grow(r->events, r->event_count, &r->event_capacity, sizeof *r->events);
        recorded_event *one = &r->events[r->event_count++];
        memset(one, 0, sizeof *one);
        one->a = (uint32_t)e->user_a, one->b = (uint32_t)e->user_b;
        one->step = r->step, one->kind = (uint32_t)e->kind, one->u = narrow(e->u);
        if (e->manifold_count == 0 || e->manifolds[0].count == 0) continue;
        const cm_manifold *m = &e->manifolds[0];
        one->kind += 8;
        narrow_point(cm_sub(m->points[0].point_a, r->origin), one->point);
        narrow_point(m->normal, one->normal);
        one->depth = narrow(m->points[0].depth);
    }
}

/* What is no longer in the world vanished when it last ran into something. */
static void keep_losses(recording *r) {
    for (uint32_t i = 0; i < r->mover_count; i++) {
        uint32_t object = r->movers[i];
        cm_pose pose;
        if (r->gone[object] >= 0 || cm_world_get_pose(r->world, r->ids[object], &pose) == CM_OK) continue;
        double u = r->ways[object].step == r->step ? r->ways[object].last : 1;
        r->gone[object] = (r->step - 1 + u) * r->dt;
    }
}

void recording_end(recording *r, const gap_sample *gap, const box_sample *box, cm_vec3 momentum, double energy) {
    if (gap && gap->distance < r->least.distance) r->least = *gap;
    if (r->step > 0) {
        keep_events(r);
        keep_losses(r);
    }
    if (r->step % r->stride == 0 || r->step == r->steps) keep_frame(r, r->step, box, momentum, energy);
}

/* --- without a world --------------------------------------------------------------------------------------------- */

void recording_put_contact(recording *r, const told_contact *contact) {
    if (r->contact_count >= RECORD_CONTACTS) return;
    r->contacts = grow(r->contacts, r->contact_count, &r->contact_capacity, sizeof *r->contacts);
    recorded_contact *c = &r->contacts[r->contact_count++];
    c->a = contact->a, c->b = contact->b, c->depth = narrow(contact->depth);
    narrow_point(cm_sub(contact->point, r->origin), c->point);
    narrow_point(contact->normal, c->normal);
}

void recording_put_event(recording *r, const told_contact *what, uint32_t kind, uint32_t step, double u) {
    if (r->events_met++ >= RECORD_EVENTS) return;
    r->events = grow(r->events, r->event_count, &r->event_capacity, sizeof *r->events);
    recorded_event *one = &r->events[r->event_count++];
    *one = (recorded_event){what->a, what->b, step, kind + 8, narrow(u), .depth = narrow(what->depth)};
    narrow_point(cm_sub(what->point, r->origin), one->point);
    narrow_point(what->normal, one->normal);
}

void recording_put_impact(recording *r, uint32_t object, uint32_t step, double u, const cm_pose *pose) {
    if (r->mover_of[object] == STAGE_NONE || r->impacts_met++ >= RECORD_IMPACTS) return;
    r->impacts = grow(r->impacts, r->impact_count, &r->impact_capacity, sizeof *r->impacts);
    r->impacts[r->impact_count++] = (recorded_impact){object, step, narrow(u), narrow_pose(r, object, pose)};
}

bool recording_put_frame(recording *r, uint32_t step, const cm_pose *poses, const gap_sample *gap) {
    if (step % r->stride != 0 && step != r->steps) return false;
    r->frames = grow(r->frames, r->frame_count, &r->frame_capacity, sizeof *r->frames);
    const size_t before = r->frame_count > 0 ? r->frames[r->frame_count - 1].contact_end : 0;
    recorded_frame *frame = &r->frames[r->frame_count];
    *frame = (recorded_frame){.step = step, .contact_end = r->contact_count, .gap.distance = CM_REAL_MAX};
    frame->contact_count = (uint32_t)(r->contact_count - before);
    if (gap) frame->gap = *gap;
    for (uint32_t i = 0; i < r->mover_count; i++)
        r->poses[r->frame_count * r->mover_count + i] = narrow_pose(r, r->movers[i], &poses[r->movers[i]]);
    r->frame_count++;
    return true;
}

void recording_free(recording *r) {
    free(r->middles);
    free(r->movers);
    free(r->mover_of);
    free(r->poses);
    free(r->boxes);
    free(r->gone);
    free(r->ways);
    free(r->frames);
    free(r->impacts);
    free(r->contacts);
    free(r->events);
    free(r->cells);
    free(r->scratch);
    moments_free(&r->in_time);
    *r = (recording){0};
}
