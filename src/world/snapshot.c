/* A world to bytes and back, and its hash.
 *
 * Layout: header; per slot a record; the stack of free slots, then those freed since the last update; the pairs that
 * touched. Everything else follows from these: a restored world takes all pairs of its fresh broad phase at the next
 * update, and what the list of touching pairs has besides, ended. All records are written field by field into zeroed
 * ones, so that equal states give equal bytes. Bytes hold no pointers: a shape that has some is a number in the
 * caller's table, and no bytes can make the library follow an address that the caller has not given it. */
#include "world/world.h"
#include "base/hash.h"
#include "base/memory.h"

#include <string.h>

typedef struct snapshot_head {
    char magic[8];
    uint32_t real_size, shape_size, kinds, slot_count, free_count, freed_count, pair_count, zero;
} snapshot_head;

typedef struct snapshot_slot {
    cm_shape shape; /* of `named` only kind and radius */
    cm_motion motion;
    cm_real slack, margin;
    uint32_t id, flags, layer, mask, mode, named; /* number in the table, CM_NONE: as it is */
    int32_t group;
    uint32_t zero;
    uint64_t user;
} snapshot_slot;

typedef struct snapshot_pair {
    uint32_t a, b, state;
} snapshot_pair;

enum {
    SNAPSHOT_FLAGS = CM__BODY_LIVE | CM__BODY_FIXED | CM__BODY_TRIGGER | CM__BODY_GROUPED | CM__BODY_MOVING |
                     CM__BODY_CHANGED | CM__BODY_BALL,
    SNAPSHOT_STATE = CM__PAIR_CONTACT | CM__PAIR_INSIDE | CM__PAIR_STOPPED | CM__PAIR_MARKS
};

static const char snapshot_magic[8] = {'c', 'a', 'r', 'o', 'm', 'w', '0', '2'};

/* Does the shape borrow data, or call back? Then only the caller can tell where that is. */
static bool snapshot_points(const cm_shape *shape) {
    int count = 0;
    const cm_field *fields = cm_shape_fields(shape->kind, &count);
    for (int i = 0; fields && i < count; i++)
        if (fields[i].type == CM_FIELD_POINTER) return true;
    return false;
}

static uint32_t snapshot_name(const cm_world_shapes *shapes, const cm_shape *shape) {
    for (uint32_t i = 0; shapes && i < shapes->count; i++) {
        cm_shape clean;
        if (shapes->shapes[i].kind != shape->kind) continue;
        cm__world_clean_shape(&shapes->shapes[i], &clean);
        if (!memcmp(&clean, shape, sizeof clean)) return i;
    }
    return CM_NONE;
}

static void snapshot_write_slot(const cm_world *w, uint32_t s, const cm_world_shapes *shapes, snapshot_slot *out) {
    const cm__body *body = &w->bodies[s];
    memset(out, 0, sizeof *out);
    out->id = w->ids[s];
    out->user = body->user; /* also of what was removed: its last event tells it */
    out->flags = w->flags[s] & (uint32_t)SNAPSHOT_FLAGS;
    out->named = CM_NONE;
    if (!(w->flags[s] & CM__BODY_LIVE)) return;
    out->named = snapshot_name(shapes, &body->shape);
    out->shape = body->shape;
    if (out->named != CM_NONE) memset(&out->shape.u, 0, sizeof out->shape.u);
    out->motion = w->motions[s];
    out->slack = w->slack[s], out->margin = w->margins[s];
    out->layer = body->layer, out->mask = body->mask, out->group = body->group;
    out->mode = (uint32_t)body->mode;
}

static bool pair_is_kept(const cm__world_pair *p) { return (p->state & SNAPSHOT_STATE) != 0; }

static uint32_t snapshot_pairs(const cm_world *w) {
    uint32_t count = 0;
    for (size_t i = 0; i < w->pair_count; i++) count += pair_is_kept(&w->pairs[i]);
    return count;
}

size_t cm_world_save(const cm_world *w, const cm_world_shapes *shapes, void *bytes, size_t capacity) {
    if (!w) return 0;
    snapshot_head head;
    memset(&head, 0, sizeof head);
    memcpy(head.magic, snapshot_magic, sizeof head.magic);
    head.real_size = sizeof(cm_real), head.shape_size = sizeof(cm_shape), head.kinds = CM_SHAPE_KINDS;
    head.slot_count = w->slot_count, head.free_count = w->free_count, head.freed_count = w->freed_count;
    head.pair_count = snapshot_pairs(w);
    size_t size = sizeof head + w->slot_count * sizeof(snapshot_slot) +
                  (head.free_count + head.freed_count) * sizeof(uint32_t) + head.pair_count * sizeof(snapshot_pair);
    for (uint32_t s = 0; s < w->slot_count; s++) {
        const cm_shape *shape = &w->bodies[s].shape;
        if ((w->flags[s] & CM__BODY_LIVE) && snapshot_points(shape) && snapshot_name(shapes, shape) == CM_NONE)
            return 0;
    }
    if (!bytes || capacity < size) return size;
    unsigned char *to = bytes;
    memcpy(to, &head, sizeof head);
    to += sizeof head;
    for (uint32_t s = 0; s < w->slot_count; s++, to += sizeof(snapshot_slot)) {
        snapshot_slot slot;
        snapshot_write_slot(w, s, shapes, &slot);
        memcpy(to, &slot, sizeof slot);
    }
    for (uint32_t i = 0; i < w->free_count; i++, to += 4) memcpy(to, &w->free_slots[i], 4);
    for (uint32_t i = 0; i < w->freed_count; i++, to += 4) memcpy(to, &w->freed_slots[i], 4);
    for (size_t i = 0; i < w->pair_count; i++) {
        const cm__world_pair *p = &w->pairs[i];
        if (!pair_is_kept(p)) continue;
        snapshot_pair pair = {p->a, p->b, p->state & SNAPSHOT_STATE};
        memcpy(to, &pair, sizeof pair);
        to += sizeof pair;
    }
    return size;
}

/* --- reading ------------------------------------------------------------------------------------------------- */

typedef struct snapshot_in {
    const unsigned char *slots, *free, *freed, *pairs;
    snapshot_head head;
} snapshot_in;

static cm_status snapshot_open(const void *bytes, size_t size, snapshot_in *in) {
    if (!bytes || size < sizeof in->head) return CM_BAD_DATA;
    memcpy(&in->head, bytes, sizeof in->head);
    const snapshot_head *h = &in->head;
    if (memcmp(h->magic, snapshot_magic, sizeof h->magic) || h->real_size != sizeof(cm_real) ||
        h->shape_size != sizeof(cm_shape) || h->kinds != CM_SHAPE_KINDS || h->slot_count > CM__WORLD_SLOT_LIMIT ||
        h->free_count > h->slot_count || h->freed_count > h->slot_count)
        return CM_BAD_DATA;
    size_t slots = h->slot_count * sizeof(snapshot_slot), frees = (size_t)h->free_count * 4;
    size_t freeds = (size_t)h->freed_count * 4, pairs = h->pair_count * sizeof(snapshot_pair);
    if (size != sizeof *h + slots + frees + freeds + pairs) return CM_BAD_DATA;
    in->slots = (const unsigned char *)bytes + sizeof *h;
    in->free = in->slots + slots;
    in->freed = in->free + frees;
    in->pairs = in->freed + freeds;
    return CM_OK;
}

static snapshot_slot snapshot_slot_at(const snapshot_in *in, uint32_t s) {
    snapshot_slot slot;
    memcpy(&slot, in->slots + s * sizeof slot, sizeof slot);
    return slot;
}

static cm_status snapshot_read_slot(cm_world *w, uint32_t s, const snapshot_slot *in, const cm_world_shapes *shapes) {
    const uint32_t generation = in->id >> CM__WORLD_SLOT_BITS;
    if ((in->id & CM__WORLD_SLOT_MASK) != s || !generation || (in->flags & ~(uint32_t)SNAPSHOT_FLAGS))
        return CM_BAD_DATA;
    cm__body *body = &w->bodies[s];
    memset(body, 0, sizeof *body);
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
        if (!shapes || in->named >= shapes->count) return CM_OUT_OF_RANGE;
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
    body->layer = in->layer, body->mask = in->mask, body->group = in->group;
    body->mode = (cm_world_sweep_mode)in->mode;
    w->live_count++;
    return CM_OK;
}

static cm_status snapshot_read_free(const unsigned char *from, uint32_t count, const cm_world *w, uint32_t *out) {
    for (uint32_t i = 0; i < count; i++) {
        memcpy(&out[i], from + (size_t)i * 4, 4);
        if (out[i] >= w->slot_count || (w->flags[out[i]] & (CM__BODY_LIVE | CM__BODY_DYING))) return CM_BAD_DATA;
        w->flags[out[i]] |= CM__BODY_DYING; /* for now: seen */
    }
    return CM_OK;
}

static cm_status snapshot_read_pairs(cm_world *w, const snapshot_in *in) {
    if (!WORLD_RESERVE(w, pairs, in->head.pair_count)) return CM_NO_MEMORY;
    for (uint32_t i = 0; i < in->head.pair_count; i++) {
        snapshot_pair pair;
        memcpy(&pair, in->pairs + i * sizeof pair, sizeof pair);
        uint32_t s = cm__world_slot(pair.a), t = cm__world_slot(pair.b);
        bool fits = pair.a < pair.b && s < w->slot_count && t < w->slot_count && s != t && w->ids[s] == pair.a &&
                    w->ids[t] == pair.b && pair.state && !(pair.state & ~(uint32_t)SNAPSHOT_STATE);
        if (fits && i) fits = cm__world_order(w->pairs[i - 1].a, w->pairs[i - 1].b, pair.a, pair.b);
        if (!fits) return CM_BAD_DATA;
        memset(&w->pairs[i], 0, sizeof w->pairs[i]);
        w->pairs[i].a = pair.a, w->pairs[i].b = pair.b, w->pairs[i].state = pair.state;
    }
    w->pair_count = in->head.pair_count;
    return CM_OK;
}

static cm_status snapshot_read(cm_world *w, const snapshot_in *in, const cm_world_shapes *shapes) {
    const snapshot_head *h = &in->head;
    if (!cm__world_reserve(w, h->slot_count)) return CM_NO_MEMORY;
    w->slot_count = h->slot_count;
    cm_status status = CM_OK;
    for (uint32_t s = 0; s < h->slot_count && status == CM_OK; s++) {
        snapshot_slot slot = snapshot_slot_at(in, s);
        status = snapshot_read_slot(w, s, &slot, shapes);
    }
    if (status == CM_OK && w->live_count > w->desc.limit) status = CM_LIMIT;
    if (status == CM_OK) status = snapshot_read_free(in->free, h->free_count, w, w->free_slots);
    if (status == CM_OK) status = snapshot_read_free(in->freed, h->freed_count, w, w->freed_slots);
    if (status == CM_OK) status = snapshot_read_pairs(w, in);
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
    snapshot_in in;
    if (!w || w->busy) return CM_INVALID;
    cm_status status = snapshot_open(bytes, size, &in);
    if (status != CM_OK) return status;
    cm_world_desc desc = w->desc;
    desc.mem = w->mem, desc.tasks = w->tasks;
    cm_world *fresh;
    status = cm_world_create(&desc, &fresh, NULL);
    if (status != CM_OK) return status;
    status = snapshot_read(fresh, &in, shapes);
    if (status == CM_OK) {
        cm_world swap = *w;
        *w = *fresh;
        *fresh = swap;
        cm__world_settle_home(w);
        cm__world_settle_home(fresh);
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
