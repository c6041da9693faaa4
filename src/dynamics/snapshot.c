/* The state of bodies as bytes (base/codec.h: the same on every machine), with that of their world behind it, and its
 * hash. What a step needs only while it runs is not in it. */
#include "dynamics/dynamics.h"
#include "base/codec.h"
#include "base/memory.h"
#include "world/world.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* "cmdyn4" and two zeros, the first letter in the lowest byte; the digit is the version of the layout. */
#define DYNAMICS_MAGIC UINT64_C(0x0000346e79646d63)

/* The bytes that a slot takes at least, those of the world's own record of it included. So memory asked for is in
 * proportion to the bytes at hand. */
enum { DYNAMICS_SLOT_LEAST = 4 + 16, DYNAMICS_KEPT_BYTES = 2 * 4 + 6 * 8 };

typedef struct dynamics_head {
    uint64_t magic;
    uint32_t real_size, count, kept; /* count: slots; kept: impulses */
} dynamics_head;

static void code_dynamics_head(cm__codec *c, dynamics_head *head) {
    code_u64(c, &head->magic), code_u32(c, &head->real_size), code_u32(c, &head->count), code_u32(c, &head->kept);
}

static void code_point(cm__codec *c, cm__point *p) {
    code_double(c, &p->x), code_double(c, &p->y), code_double(c, &p->z);
}
static void code_tensor(cm__codec *c, cm__tensor *t) {
    code_point(c, &t->x), code_point(c, &t->y), code_point(c, &t->z);
}

/* What lasts from step to step. */
static void code_body(cm__codec *c, cm__dynamics_body *b) {
    code_u32(c, &b->id);
    if (!b->id) return;
    code_tensor(c, &b->inertia), code_tensor(c, &b->inverse_inertia);
    code_point(c, &b->velocity), code_point(c, &b->spin), code_point(c, &b->force), code_point(c, &b->torque);
    code_double(c, &b->mass), code_double(c, &b->restitution), code_double(c, &b->friction);
    code_double(c, &b->damping), code_double(c, &b->spin_damping), code_double(c, &b->gravity_scale);
    code_vec3(c, &b->center), code_quat(c, &b->rotation);
    code_u32(c, &b->response), code_u32(c, &b->kind);
    code_u32(c, &b->weightless), code_u32(c, &b->driven), code_u32(c, &b->halted);
    code_u32(c, &b->held), code_u32(c, &b->rests);
}

static void code_kept(cm__codec *c, cm__dynamics_kept *kept) {
    code_u32(c, &kept->a), code_u32(c, &kept->b), code_point(c, &kept->at), code_point(c, &kept->impulse);
}

/* Bodies whose object is gone are none. */
static bool body_is_kept(const cm_dynamics *d, size_t slot) {
    cm_pose pose;
    const uint32_t id = d->bodies[slot].id;
    return id && cm_world_get_pose(d->world, id, &pose) == CM_OK;
}

static void dynamics_write(const cm_dynamics *d, cm__codec *c) {
    size_t count = d->count;
    while (count > 0 && !body_is_kept(d, count - 1)) count--;
    dynamics_head head = {DYNAMICS_MAGIC, sizeof(cm_real), (uint32_t)count, (uint32_t)d->kept_count};
    code_dynamics_head(c, &head);
    for (size_t i = 0; i < d->kept_count; i++) code_kept(c, &d->kept[i]);
    for (size_t i = 0; i < count; i++) {
        cm__dynamics_body none = {.id = 0};
        code_body(c, body_is_kept(d, i) ? &d->bodies[i] : &none);
    }
}

size_t cm_dynamics_save(const cm_dynamics *d, const cm_world_shapes *shapes, void *bytes, size_t capacity) {
    if (!d) return 0;
    cm__codec count = {.way = CM__CODEC_COUNT};
    dynamics_write(d, &count);
    const size_t world = cm_world_save(d->world, shapes, NULL, 0);
    if (!world) return 0;
    if (!bytes || capacity < count.at + world) return count.at + world;
    cm__codec out = {.way = CM__CODEC_WRITE, .out = bytes};
    dynamics_write(d, &out);
    return out.at + cm_world_save(d->world, shapes, (char *)bytes + out.at, world);
}

static bool body_is_sane(const cm__dynamics_body *b) {
    if (!b->id) return true;
    const double *numbers[] = {&b->velocity.x,          &b->spin.x,  &b->inertia.x.x,
                               &b->inverse_inertia.x.x, &b->force.x, &b->torque.x};
    static const int counts[] = {3, 3, 9, 9, 3, 3};
    for (int i = 0; i < 6; i++)
        for (int k = 0; k < counts[i]; k++)
            if (!(fabs(numbers[i][k]) <= DBL_MAX)) return false;
    return b->kind < CM__BODY_KINDS && b->response <= CM__RESPONSE_BITS && b->mass >= 0 && b->mass <= DBL_MAX &&
           b->restitution >= 0 && b->restitution <= 1 && b->friction >= 0 && b->friction <= DBL_MAX &&
           b->damping >= 0 && b->damping <= DBL_MAX && b->spin_damping >= 0 && b->spin_damping <= DBL_MAX &&
           fabs(b->gravity_scale) <= DBL_MAX && cm_vec3_is_valid(b->center);
}

static bool kept_is_sane(const cm__dynamics_kept *kept) {
    const double numbers[] = {kept->at.x, kept->at.y, kept->at.z, kept->impulse.x, kept->impulse.y, kept->impulse.z};
    for (int i = 0; i < 6; i++)
        if (!(fabs(numbers[i]) <= DBL_MAX)) return false;
    return true;
}

/* Impulses, in order of their objects, and bodies are read twice: to be checked, and when the world has been restored.
 */
static cm_status dynamics_read(cm__codec *c, const dynamics_head *head, cm__dynamics_kept *kept_out,
                               cm__dynamics_body *out) {
    cm__dynamics_kept last = {0};
    for (uint32_t i = 0; i < head->kept; i++) {
        cm__dynamics_kept kept = {.place = i};
        code_kept(c, &kept);
        if (c->failed || !kept_is_sane(&kept) || kept.a < last.a || (kept.a == last.a && kept.b < last.b))
            return CM_BAD_DATA;
        if (kept_out) kept_out[i] = kept;
        last = kept;
    }
    for (uint32_t i = 0; i < head->count; i++) {
        cm__dynamics_body body;
        memset(&body, 0, sizeof body);
        code_body(c, &body);
        if (c->failed || !body_is_sane(&body) || (body.id && (body.id & 0xffffff) != i)) return CM_BAD_DATA;
        if (out) out[i] = body;
    }
    return CM_OK;
}

cm_status cm_dynamics_restore(cm_dynamics *d, const cm_world_shapes *shapes, const void *bytes, size_t size) {
    if (!d || d->world->answered) return CM_INVALID;
    if (!bytes) return CM_BAD_DATA;
    cm__codec c = {.way = CM__CODEC_READ, .in = bytes, .size = size};
    dynamics_head head = {0};
    code_dynamics_head(&c, &head);
    if (c.failed || head.magic != DYNAMICS_MAGIC || head.real_size != sizeof(cm_real) ||
        head.count > (size - c.at) / DYNAMICS_SLOT_LEAST || head.kept > (size - c.at) / DYNAMICS_KEPT_BYTES)
        return CM_BAD_DATA;
    cm__codec again = c;
    cm_status status = dynamics_read(&c, &head, NULL, NULL);
    if (status != CM_OK) return status;
    void *kept = d->kept;
    if (!cm__reserve(cm__dynamics_memory(d), &kept, &d->kept_capacity, head.kept, sizeof *d->kept)) return CM_NO_MEMORY;
    d->kept = kept;
    if (head.count > d->count && !cm__dynamics_reach(d, head.count - 1)) return CM_NO_MEMORY;
    status = cm_world_restore(d->world, shapes, (const char *)bytes + c.at, size - c.at);
    if (status != CM_OK) return status;
    if (d->count) memset(d->bodies, 0, d->count * sizeof *d->bodies);
    d->kept_count = head.kept;
    return dynamics_read(&again, &head, d->kept, d->bodies);
}

/* --- hash ------------------------------------------------------------------------------------------------------ */

uint64_t cm_dynamics_hash(const cm_dynamics *d) {
    uint64_t hash = cm_world_hash(d ? d->world : NULL);
    for (size_t i = 0; d && i < d->count; i++) {
        const cm__dynamics_body *b = &d->bodies[i];
        if (!b->id || cm_world_get(d->world, b->id, &(cm_world_object_desc){0}) != CM_OK) continue;
        const cm__point parts[4] = {b->velocity, b->spin, b->force, b->torque};
        uint64_t words[13];
        memcpy(words, parts, sizeof parts);
        words[12] = b->id ^ (uint64_t)b->halted << 40;
        for (int k = 0; k < 13; k++) {
            hash = (hash ^ words[k]) * UINT64_C(0x9e3779b97f4a7c15);
            hash ^= hash >> 29;
        }
    }
    return hash;
}
