/* A world to bytes and back, and its hash.
 *
 * Layout (base/codec.h: the same on every machine): a head; per slot a record; the stack of free slots, then those
 * freed since the last update; the pairs that touched. Everything else follows from these: a restored world takes all
 * pairs of its fresh broad phase at the next update, and what the list of touching pairs has besides, ended. Bytes hold
 * no pointers: a shape that has some is a number in the caller's table, and no bytes can make the library follow an
 * address that the caller has not given it. */
#include "world/world.h"
#include "base/codec.h"
#include "base/hash.h"
#include "base/memory.h"

#include <string.h>

typedef struct snapshot_head {
    uint64_t magic;
    uint32_t real_size, kinds, slot_count, free_count, freed_count, pair_count;
} snapshot_head;

typedef struct snapshot_slot {
    cm_shape shape; /* where it is not `named` */
    cm_motion motion;
    cm_real slack, margin;
    uint32_t id, flags, layer, mask, mode, named; /* number in the table, CM_NONE: as it is */
    uint32_t group;
    uint64_t user;
} snapshot_slot;

typedef struct snapshot_pair {
    uint32_t a, b, state;
} snapshot_pair;

enum {
    SNAPSHOT_FLAGS = CM__BODY_LIVE | CM__BODY_FIXED | CM__BODY_TRIGGER | CM__BODY_GROUPED | CM__BODY_MOVING |
                     CM__BODY_CHANGED | CM__BODY_BALL,
    SNAPSHOT_STATE = CM__PAIR_CONTACT | CM__PAIR_INSIDE | CM__PAIR_STOPPED,
    SNAPSHOT_SLOT_LEAST = 16, /* bytes of a slot that nothing stands in */
    SNAPSHOT_PAIR_SIZE = 12
};

/* "caromw03" with the first letter in the lowest byte; the last two are the version of the layout. */
#define SNAPSHOT_MAGIC UINT64_C(0x3330776d6f726163)

/* --- the layout, for counting, writing and reading --------------------------------------------------------------- */

static void code_head(cm__codec *c, snapshot_head *head) {
    code_u64(c, &head->magic);
    code_u32(c, &head->real_size), code_u32(c, &head->kinds), code_u32(c, &head->slot_count);
    code_u32(c, &head->free_count), code_u32(c, &head->freed_count), code_u32(c, &head->pair_count);
}

/* A shape's values. Read from damaged bytes it may have an invalid kind, or a kind with a pointer: the pointer is then
 * NULL. */
static void code_shape(cm__codec *c, cm_shape *shape) {
    uint32_t kind = (uint32_t)shape->kind;
    code_u32(c, &kind);
    code_real(c, &shape->radius);
    shape->kind = (cm_kind)kind;
    int count = 0;
    const cm_field *fields = cm_shape_fields(shape->kind, &count);
    for (int i = 0; fields && i < count; i++) {
        void *at = (char *)shape + fields[i].offset;
        if (fields[i].type == CM_FIELD_REAL) code_real(c, at);
        if (fields[i].type == CM_FIELD_VEC3) code_vec3(c, at);
    }
}

static void code_motion(cm__codec *c, cm_motion *m) {
    code_vec3(c, &m->start.position), code_quat(c, &m->start.rotation);
    code_vec3(c, &m->move), code_vec3(c, &m->spin), code_vec3(c, &m->pivot), code_vec3(c, &m->accelerate);
}

static void code_slot(cm__codec *c, snapshot_slot *slot) {
    code_u32(c, &slot->id), code_u32(c, &slot->flags), code_u64(c, &slot->user);
    if (!(slot->flags & CM__BODY_LIVE)) return;
    code_u32(c, &slot->named);
    if (slot->named == CM_NONE) code_shape(c, &slot->shape);
    code_motion(c, &slot->motion);
    code_real(c, &slot->slack), code_real(c, &slot->margin);
    code_u32(c, &slot->layer), code_u32(c, &slot->mask), code_u32(c, &slot->group), code_u32(c, &slot->mode);
}

static void code_pair(cm__codec *c, snapshot_pair *pair) {
    code_u32(c, &pair->a), code_u32(c, &pair->b), code_u32(c, &pair->state);
}

/* --- writing ----------------------------------------------------------------------------------------------------- */

/* Does the shape borrow data, or call back? Then only the caller can tell where that is. */
static bool snapshot_points(const cm_shape *shape) {
    int count = 0;
    const cm_field *fields = cm_shape_fields(shape->kind, &count);
    for (int i = 0; fields && i < count; i++)
        if (fields[i].type == CM_FIELD_POINTER) return true;
    return false;
}

static uint32_t snapshot_table(const cm_world_shapes *shapes) { return shapes && shapes->shapes ? shapes->count : 0; }

static uint32_t snapshot_name(const cm_world_shapes *shapes, const cm_shape *shape) {
    const uint32_t count = snapshot_table(shapes);
    for (uint32_t i = 0; i < count; i++) {
        cm_shape clean;
        if (shapes->shapes[i].kind != shape->kind) continue;
        cm__world_clean_shape(&shapes->shapes[i], &clean);
        if (!memcmp(&clean, shape, sizeof clean)) return i;
    }
    return CM_NONE;
}

/* false: its shape has to stand in the table, and does not. */
static bool snapshot_slot_of(const cm_world *w, uint32_t s, const cm_world_shapes *shapes, snapshot_slot *out) {
    const cm__body *body = &w->bodies[s];
    memset(out, 0, sizeof *out);
    out->id = w->ids[s];
    out->user = body->user; /* also of what was removed: its last event tells it */
    out->flags = w->flags[s] & (uint32_t)SNAPSHOT_FLAGS;
    if (!(w->flags[s] & CM__BODY_LIVE)) return true;
    out->named = snapshot_name(shapes, &body->shape);
    out->shape = body->shape;
    out->motion = w->motions[s];
    out->slack = w->slack[s], out->margin = w->margins[s];
    out->layer = body->layer, out->mask = body->mask, out->group = (uint32_t)body->group;
    out->mode = (uint32_t)body->mode;
    return out->named != CM_NONE || !snapshot_points(&body->shape);
}

static bool pair_is_kept(const cm__world_pair *p) { return (p->state & SNAPSHOT_STATE) != 0; }

static uint32_t snapshot_pairs(const cm_world *w) {
    uint32_t count = 0;
    for (size_t i = 0; i < w->pair_count; i++) count += pair_is_kept(&w->pairs[i]);
    return count;
}

static bool snapshot_write(const cm_world *w, const cm_world_shapes *shapes, cm__codec *c) {
    snapshot_head head = {SNAPSHOT_MAGIC, sizeof(cm_real), CM_SHAPE_KINDS,   w->slot_count,
                          w->free_count,  w->freed_count,  snapshot_pairs(w)};
    code_head(c, &head);
    for (uint32_t s = 0; s < w->slot_count; s++) {
        snapshot_slot slot;
        if (!snapshot_slot_of(w, s, shapes, &slot)) return false;
        code_slot(c, &slot);
    }
    for (uint32_t i = 0; i < w->free_count; i++) code_u32(c, &w->free_slots[i]);
    for (uint32_t i = 0; i < w->freed_count; i++) code_u32(c, &w->freed_slots[i]);
    for (size_t i = 0; i < w->pair_count; i++) {
        const cm__world_pair *p = &w->pairs[i];
        snapshot_pair pair = {p->a, p->b, p->state & SNAPSHOT_STATE};
        if (pair_is_kept(p)) code_pair(c, &pair);
    }
    return true;
}

size_t cm_world_save(const cm_world *w, const cm_world_shapes *shapes, void *bytes, size_t capacity) {
    if (!w) return 0;
    cm__codec c = {.way = CM__CODEC_COUNT};
    if (!snapshot_write(w, shapes, &c)) return 0;
    if (!bytes || capacity < c.at) return c.at;
    cm__codec out = {.way = CM__CODEC_WRITE, .out = bytes};
    snapshot_write(w, shapes, &out);
    return out.at;
}

/* --- reading ------------------------------------------------------------------------------------------------- */

static cm_status snapshot_open(cm__codec *c, snapshot_head *h) {
    code_head(c, h);
    if (c->failed || h->magic != SNAPSHOT_MAGIC || h->real_size != sizeof(cm_real) || h->kinds != CM_SHAPE_KINDS ||
        h->slot_count > CM__WORLD_SLOT_LIMIT || h->free_count > h->slot_count || h->freed_count > h->slot_count)
        return CM_BAD_DATA;
    const uint64_t least = (uint64_t)h->slot_count * SNAPSHOT_SLOT_LEAST +
                           (uint64_t)(h->free_count + h->freed_count) * 4 +
                           (uint64_t)h->pair_count * SNAPSHOT_PAIR_SIZE;
    return c->size - c->at < least ? CM_BAD_DATA : CM_OK;
}

static cm_status snapshot_read_slot(cm_world *w, uint32_t s, const snapshot_slot *in, const cm_world_shapes *shapes) {
    const uint32_t generation = in->id >> CM__WORLD_SLOT_BITS;
    if ((in->id & CM__WORLD_SLOT_MASK) != s || !generation || (in->flags & ~(uint32_t)SNAPSHOT_FLAGS))
        return CM_BAD_DATA;
    cm__body *body = &w->bodies[s];
    memset(&w->motions[s], 0, sizeof w->motions[s]);
    w->slack[s] = w->margins[s] = w->since[s] = 0;
    memset(&w->trips[s], 0, sizeof w->trips[s]);
    w->versions[s] = 0, w->hits[s] = 0;
    w->ids[s] = in->id;
    w->flags[s] = 0;
    body->user = in->user;
    if (!(in->flags & CM__BODY_LIVE)) return CM_OK;
    if (in->mode > CM_WORLD_SWEEP_NEVER || !cm_pose_is_valid(&in->motion.start) ||
        !(in->slack >= 0 && in->slack <= CM_COORD_MAX) || !(in->margin >= 0 && in->margin <= CM_COORD_MAX))
        return CM_BAD_DATA;
    cm_shape shape = in->shape;
    if (in->named != CM_NONE) {
        if (in->named >= snapshot_table(shapes)) return CM_OUT_OF_RANGE;
        shape = shapes->shapes[in->named];
    } else if (snapshot_points(&shape)) {
        return CM_BAD_DATA;
    }
    if (cm_shape_check(&shape, NULL) != CM_OK) return CM_BAD_DATA;
    w->flags[s] = (uint16_t)in->flags;
    cm__world_set_body_shape(w, s, &shape);
    w->motions[s] = in->motion;
    w->slack[s] = in->slack;
    w->tested[s] = in->motion.start, w->odometer[s] = 0;
    if ((in->flags & CM__BODY_MOVING) && !cm__world_motion_ends(w, s, &in->motion)) return CM_BAD_DATA;
    const cm_motion rest = {.start = in->motion.start};
    cm__world_set_margin(w, s, cm_max(in->margin, cm__world_own_margin(w, s, &rest)));
    body->layer = in->layer, body->mask = in->mask, body->group = (int32_t)in->group;
    body->mode = (cm_world_sweep_mode)in->mode;
    w->live_count++;
    return CM_OK;
}

static cm_status snapshot_read_free(cm__codec *c, uint32_t count, const cm_world *w, uint32_t *out) {
    for (uint32_t i = 0; i < count; i++) {
        code_u32(c, &out[i]);
        if (c->failed || out[i] >= w->slot_count || (w->flags[out[i]] & (CM__BODY_LIVE | CM__BODY_DYING)))
            return CM_BAD_DATA;
        w->flags[out[i]] |= CM__BODY_DYING; /* for now: seen */
    }
    return CM_OK;
}

static cm_status snapshot_read_pairs(cm__codec *c, uint32_t count, cm_world *w) {
    if (!WORLD_RESERVE(w, pairs, count)) return CM_NO_MEMORY;
    for (uint32_t i = 0; i < count; i++) {
        snapshot_pair pair = {0};
        code_pair(c, &pair);
        uint32_t s = cm__world_slot(pair.a), t = cm__world_slot(pair.b);
        bool fits = !c->failed && pair.a < pair.b && s < w->slot_count && t < w->slot_count && w->ids[s] == pair.a &&
                    w->ids[t] == pair.b && pair.state && !(pair.state & ~(uint32_t)SNAPSHOT_STATE);
        if (fits && i) fits = cm__world_order(w->pairs[i - 1].a, w->pairs[i - 1].b, pair.a, pair.b);
        if (!fits) return CM_BAD_DATA;
        memset(&w->pairs[i], 0, sizeof w->pairs[i]);
        w->pairs[i].a = pair.a, w->pairs[i].b = pair.b, w->pairs[i].state = pair.state;
    }
    w->pair_count = count;
    return CM_OK;
}

static cm_status snapshot_read(cm_world *w, cm__codec *c, const snapshot_head *h, const cm_world_shapes *shapes) {
    if (!cm__world_reserve(w, h->slot_count)) return CM_NO_MEMORY;
    if (h->slot_count) memset(w->bodies, 0, h->slot_count * sizeof *w->bodies); /* also of what is not read */
    w->slot_count = h->slot_count;
    cm_status status = CM_OK;
    for (uint32_t s = 0; s < h->slot_count && status == CM_OK; s++) {
        snapshot_slot slot;
        memset(&slot, 0, sizeof slot);
        code_slot(c, &slot);
        status = c->failed ? CM_BAD_DATA : snapshot_read_slot(w, s, &slot, shapes);
    }
    if (status == CM_OK && w->live_count > w->desc.limit) status = CM_LIMIT;
    if (status == CM_OK) status = snapshot_read_free(c, h->free_count, w, w->free_slots);
    if (status == CM_OK) status = snapshot_read_free(c, h->freed_count, w, w->freed_slots);
    if (status == CM_OK) status = snapshot_read_pairs(c, h->pair_count, w);
    if (status == CM_OK && c->at != c->size) status = CM_BAD_DATA;
    if (status != CM_OK) return status;
    w->free_count = h->free_count, w->freed_count = h->freed_count;
    w->lost = true;
    for (uint32_t s = 0; s < w->slot_count; s++) {
        w->flags[s] &= (uint16_t)~CM__BODY_DYING;
        if (!(w->flags[s] & CM__BODY_LIVE)) continue;
        cm_aabb box;
        cm__world_box(w, s, &box);
        if (!cm__world_box_is_valid(&box)) return CM_BAD_DATA;
        status = cm__world_enter(w, s);
        if (status != CM_OK) return status;
    }
    return CM_OK;
}

/* Into a new world, whose insides then become those of this one. */
cm_status cm_world_restore(cm_world *w, const cm_world_shapes *shapes, const void *bytes, size_t size) {
    if (!w || w->busy || w->answered) return CM_INVALID;
    if (!bytes) return CM_BAD_DATA;
    cm__codec c = {.way = CM__CODEC_READ, .in = bytes, .size = size};
    snapshot_head head = {0};
    cm_status status = snapshot_open(&c, &head);
    if (status != CM_OK) return status;
    cm_world_desc desc = w->desc;
    desc.mem = w->mem, desc.tasks = w->tasks;
    cm_world *fresh;
    status = cm_world_create(&desc, &fresh, NULL);
    if (status != CM_OK) return status;
    status = snapshot_read(fresh, &c, &head, shapes);
    if (status == CM_OK) {
        cm_world swap = *w;
        *w = *fresh;
        *fresh = swap;
        cm__world_rebind(w);
        cm__world_rebind(fresh);
    }
    cm_world_destroy(fresh);
    return status;
}

/* --- hash ------------------------------------------------------------------------------------------------------ */

static uint64_t hash_real(uint64_t hash, cm_real x) {
#if defined(CAROM_F64)
    uint64_t bits;
#else
    uint32_t bits;
#endif
    memcpy(&bits, &x, sizeof bits);
    return hash_bits(hash, bits);
}

static uint64_t hash_vec3(uint64_t hash, cm_vec3 v) { return hash_real(hash_real(hash_real(hash, v.x), v.y), v.z); }

uint64_t cm_world_hash(const cm_world *w) {
    uint64_t h = CM__HASH_START;
    if (!w) return h;
    for (uint32_t s = 0; s < w->slot_count; s++) {
        const cm__body *body = &w->bodies[s];
        const cm_motion *m = &w->motions[s];
        h = hash_bits(h, (uint64_t)w->ids[s] << 16 | (w->flags[s] & (uint32_t)SNAPSHOT_FLAGS));
        if (!(w->flags[s] & CM__BODY_LIVE)) continue;
        h = hash_bits(h, (uint64_t)body->shape.kind);
        h = hash_vec3(hash_vec3(hash_real(h, body->shape.radius), body->local.min), body->local.max);
        h = hash_vec3(h, m->start.position);
        h = hash_real(hash_real(h, m->start.rotation.x), m->start.rotation.y);
        h = hash_real(hash_real(h, m->start.rotation.z), m->start.rotation.w);
        h = hash_vec3(hash_vec3(hash_vec3(hash_vec3(h, m->move), m->spin), m->pivot), m->accelerate);
        h = hash_real(hash_real(h, w->slack[s]), w->margins[s]);
        h = hash_bits(h, (uint64_t)body->layer << 32 | body->mask);
        h = hash_bits(h, (uint64_t)(uint32_t)body->group << 32 | (uint32_t)body->mode);
        h = hash_bits(h, body->user);
    }
    for (uint32_t i = 0; i < w->free_count; i++) h = hash_bits(h, w->free_slots[i]);
    for (uint32_t i = 0; i < w->freed_count; i++) h = hash_bits(h, w->freed_slots[i]);
    for (size_t i = 0; i < w->pair_count; i++) {
        const cm__world_pair *p = &w->pairs[i];
        if (!pair_is_kept(p)) continue;
        h = hash_bits(hash_bits(h, (uint64_t)p->a << 32 | p->b), p->state & SNAPSHOT_STATE);
    }
    return h;
}
