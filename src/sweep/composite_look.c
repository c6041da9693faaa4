/* What blocks the motion of a composite, and what does not: by its contacts at single times.
 *
 * A surface. A part's own hit has the direction of the shortest way out of that triangle alone; the surface says which
 * directions it has there (pair/surface.h), and what blocks is judged along that. Contacts deeper than the band at the
 * start are those of the shapes at rest, each certified by the whole surface.
 *
 * A compound. Where two children lie flush, the face between them is no surface of the whole: a body that stands a
 * little deep on the first runs into the side of the second. Such a contact point is hidden: moved out of its child by
 * the band it lies in another child, or behind it, on the way that the body came, it does. A contact with a point that
 * is not hidden, approached there, blocks. One whose points are all hidden is looked after: as long as it is no deeper
 * than the body was in the whole at the start it is explained by what the body stands in; when it turns into a contact
 * that is not hidden and not approached it was internal (the body is over the second child's own face); when it gets
 * deeper, or turns into one that is approached, it blocked, from when it began. So that is never late, and early at
 * most by what the body was deep at the start, divided by the slope of what stops it.
 *
 * Later contacts. What turns, or slips between triangles that each say that it recedes, may get deeper after a contact
 * that did not block. The whole is looked at at times that grow from that contact on: a contact deeper by the band than
 * it was at the start, measured along its own normal, blocks, and the time is halved back to the last at which none
 * was. Frame: the other's for contacts, the whole's for what is compared over time. Bound: LOOK_STRAIGHT or
 * LOOK_TURNING looks and LOOK_HALVINGS halvings, of LOOK_CONTACTS manifolds each. No memory. */
#include "math/wide.h"
#include "pair/surface.h"
#include "sweep/composite.h"
#include "sweep/hit.h"

#include <math.h>
#include <string.h>

enum { LOOK_CONTACTS = 32, LOOK_STRAIGHT = 16, LOOK_TURNING = 64, LOOK_HALVINGS = 56, LOOK_CHILD = 64 };

/* Radians: the way out of a curved body is found to LOOK_CURVED, and what touches at an edge is known to LOOK_EDGE:
 * there the direction is that of a gap, in double of one that is little more than rounding. Of a curved body's size:
 * how deep it is, and where it touches. */
#define LOOK_CURVED 5e-4
#define LOOK_EDGE   (sizeof(cm_real) == sizeof(float) ? 2e-5 : 1e-2)
#define LOOK_SEARCH 1e-6

typedef enum look_state {
    LOOK_FREE,   /* nothing that blocks */
    LOOK_HIDDEN, /* contacts of which that is not known */
    LOOK_BLOCKED
} look_state;

/* The contacts at a time, in the other's frame then, their normals from the other to the whole. */
typedef struct look_contacts {
    double u;
    cm_pose home;           /* of the other, in the world */
    cm_pose whole_in_other; /* and the other way round: */
    cm_pose other_in_whole;
    int count;
    cm_manifold m[LOOK_CONTACTS];
} look_contacts;

/* Of one part, or with part = NULL of all. */
static void look_at(const cm__composite_sweep_state *s, const cm__part *part, double u, double margin,
                    look_contacts *out) {
    cm_pose pose_w;
    out->u = u;
    cm_motion_at(s->mo, (cm_real)u, &out->home);
    cm_motion_at(s->mw, (cm_real)u, &pose_w);
    out->whole_in_other = cm_pose_between(&out->home, &pose_w);
    out->other_in_whole = cm_pose_between(&pose_w, &out->home);
    cm_real near = wide_up(margin);
    int count = part ? cm__part_contact(s->other, part, &out->whole_in_other, near, out->m, LOOK_CONTACTS)
                     : cm__pair_contact(s->other, s->whole, &out->whole_in_other, near, out->m, LOOK_CONTACTS);
    out->count = count < LOOK_CONTACTS ? count : LOOK_CONTACTS;
}

static double manifold_depth(const cm_manifold *m) {
    cm_real depth = -CM_REAL_MAX;
    for (int i = 0; i < m->count; i++) depth = cm_max(depth, m->points[i].depth);
    return (double)depth;
}

double cm__composite_near(const cm__composite_sweep_state *s) {
    if (!s->convex) return s->band;
    cm__core core;
    cm__ops(s->other->kind)->core(s->other, &core);
    return s->band + (core.ops->corner ? 0 : LOOK_SEARCH * core.size);
}

/* An approach that may be but the rounding of directions, where bodies overlap. */
static double look_rough(const cm__composite_sweep_state *s) {
    if (!s->convex) return SWEEP_SLIDE;
    cm__core core;
    cm__ops(s->other->kind)->core(s->other, &core);
    return SWEEP_SLIDE + (core.ops->corner ? 0 : LOOK_CURVED);
}

/* --- surfaces ---------------------------------------------------------------------------------------------------- */

/* What touches a triangle along a normal that is not the shortest way out of it may be deeper along that than it is in
 * the surface, because another face is the way out. Is it as deep as that, or no deeper than the band? All in the
 * surface's frame; `normal` from the surface to the other. */
static bool look_is_certified(const cm__composite_sweep_state *s, cm__surface *surface, const cm__core *core,
                              const cm_pose *other_in_whole, cm__point at, cm__point normal) {
    cm__frame f = frame_of_pose(other_in_whole);
    uint32_t id = core->ops->corner ? 0 : CM_NONE;
    cm__point lowest = frame_apply(&f, core->ops->support(core, frame_unturn(&f, wide_neg(normal)), &id));
    lowest = cm__point_mul_add(lowest, -core->radius, normal);
    double depth = cm__point_dot(cm__point_sub(at, lowest), normal);
    if (depth <= 2 * s->band) return true;
    const cm_pose identity = cm_pose_identity();
    if (surface->solid && !surface->parts->holds(s->whole, &identity, cm__vec3_of(lowest))) return false;
    return cm__surface_is_clear(surface, lowest, depth - 2 * s->band);
}

/* Is the triangle touched at this point along the normal, that is, does it reach no farther that way? */
static bool look_supports(const cm__composite_sweep_state *s, const cm_triangle *t, cm__point at, cm__point normal) {
    const cm_vec3 corner[3] = {t->a, t->b, t->c};
    const double gap = 2 * s->near;
    for (int i = 0; i < 3; i++) {
        cm__point way = cm__point_sub(cm__point_of(corner[i]), at);
        if (cm__point_dot(way, normal) > gap + 2 * LOOK_CURVED * cm__point_length(way)) return false;
    }
    return true;
}

cm__surface_answer cm__composite_surface_hit(cm__composite_sweep_state *s, const cm__part *part, cm_sweep_hit *hit) {
    cm_pose pose_w, pose_o;
    cm_motion_at(s->mw, hit->first, &pose_w);
    cm_motion_at(s->mo, hit->first, &pose_o);
    cm_pose other_in_whole = cm_pose_between(&pose_w, &pose_o);
    cm__core core;
    cm__ops(s->other->kind)->core(s->other, &core);
    cm_vec3 center = cm_pose_apply(&other_in_whole, cm__vec3_of(core.center));
    cm__point raw = cm__point_of(cm_neg(cm_unrotate(pose_w.rotation, hit->normal)));
    raw = wide_normalize(raw, raw);
    cm_aabb box = {center, center};
    box = cm_aabb_grow(box, wide_up((core.size + core.radius) * (1 + 4 * (double)CM_REAL_EPSILON)));
    cm__surface surface;
    cm__point at = cm__point_of(cm_pose_unapply(&pose_w, hit->point)), point = cm__point_of(hit->point);
    cm__surface_of(s->whole, cm__point_of(center), &box, &surface);
    /* sides by what lies between, always: a body over one side of a ridge may be behind the plane of the other */
    cm__surface_view_start(&surface.view);
    surface.view.low = cm__p(-1, -1, -1), surface.view.high = cm__p(1, 1, 1);
    surface.view.any = surface.seen = true, surface.view.flat = false;
    const cm_triangle *t = &part->shape.u.triangle;
    cm__point n[2] = {raw, raw}, own;
    cm__surface_answer answer = cm__surface_direction(&surface, part->number, t, at, &n[0]);
    if (answer == CM__SURFACE_NONE) return answer;
    int count = 1;
    if (cm__surface_normal(&surface, part->number, t, at, &n[1])) {
        own = n[1];
        const bool kept = answer == CM__SURFACE_KEPT, supports = look_supports(s, t, at, n[0]);
        const double side = cm__point_dot(n[0], n[1]);
        if (!supports || (!kept && side < -1e-6)) { /* rounding of a short gap, or of the other side */
            answer = CM__SURFACE_REPLACED;
            n[0] = n[1];
        } else if (!kept) {
            count = 2;
            if (cm__point_dot(raw, n[1]) > cm__point_dot(raw, n[0])) { /* the face's is nearer than the edge's */
                cm__point swap = n[0];
                n[0] = n[1], n[1] = swap;
            }
        } else if (side > 1 - LOOK_CURVED * LOOK_CURVED && !core.ops->corner) {
            n[0] = n[1];
        }
    } else {
        own = n[0];
    }
    for (int i = 0; i < count; i++) {
        cm_vec3 normal = cm_neg(cm_rotate(pose_w.rotation, cm__vec3_of(n[i])));
        double approach = cm__composite_approach(s, (double)hit->first, point, cm__point_of(normal));
        bool face = fabs(cm__point_dot(n[i], own)) > 1 - 1e-15;
        bool blocks = approach > (face ? SWEEP_SLIDE : LOOK_EDGE + SWEEP_SLIDE);
        if (!blocks && approach > SWEEP_SLIDE) s->doubt = wide_min(s->doubt, (double)hit->first);
        if (answer == CM__SURFACE_REPLACED && !look_is_certified(s, &surface, &core, &other_in_whole, at, n[i]))
            continue;
        hit->normal = normal, hit->blocking = blocks;
        return answer;
    }
    return CM__SURFACE_NONE;
}

/* The middle of the box around all points along this normal, in the other's frame, that are deeper than `depth`: where
 * a body that lies on several triangles is held, as it is on one face. In the world. */
static bool look_middle(const look_contacts *c, cm_vec3 normal, double depth, cm_vec3 *out) {
    cm_aabb box = cm_aabb_empty();
    for (int i = 0; i < c->count; i++) {
        const cm_manifold *m = &c->m[i];
        if (!((double)cm_dot(m->normal, normal) > 1 - 1e-6)) continue;
        for (int k = 0; k < m->count; k++)
            if ((double)m->points[k].depth > depth) box = cm_aabb_add_point(box, m->points[k].point_a);
    }
    if (!(box.min.x <= box.max.x)) return false;
    *out = cm_pose_apply(&c->home, cm_scale(cm_add(box.min, box.max), CM_REAL(0.5)));
    return true;
}

bool cm__composite_surface_start(cm__composite_sweep_state *s, cm_sweep_hit *hit) {
    look_contacts c;
    const double rough = look_rough(s);
    double deepest = 0;
    bool found = false, blocked = false;
    look_at(s, NULL, 0, 0, &c);
    for (int i = 0; i < c.count; i++) {
        const cm_manifold *m = &c.m[i];
        double depth = manifold_depth(m);
        if (!(depth > s->band)) continue;
        cm_vec3 normal = cm_rotate(c.home.rotation, m->normal), at;
        if (!look_middle(&c, m->normal, s->band, &at)) continue;
        double approach = cm__composite_approach(s, 0, cm__point_of(at), cm__point_of(normal));
        bool blocks = approach > rough;
        if (!blocks && approach > SWEEP_SLIDE) s->doubt = 0;
        if (found && (blocked > blocks || (blocked == blocks && depth <= deepest))) continue;
        found = true, blocked = blocks, deepest = depth;
        memset(hit, 0, sizeof *hit);
        hit->start = CM_SWEEP_OVERLAPPING;
        hit->normal = normal, hit->point = at;
        hit->part_a = m->part_a, hit->part_b = m->part_b;
        hit->blocking = blocks;
    }
    s->deep_judged = found && c.count < LOOK_CONTACTS;
    return found;
}

void cm__composite_middle(const cm__composite_sweep_state *s, cm_sweep_hit *hit) {
    cm__core core;
    cm__ops(s->other->kind)->core(s->other, &core);
    if (!core.ops->corner) return;
    look_contacts c;
    look_at(s, NULL, (double)hit->first, 2 * s->near, &c);
    cm_vec3 normal = cm_unrotate(c.home.rotation, hit->normal), middle;
    if (!look_middle(&c, normal, -2 * s->near, &middle)) return;
    if (cm__composite_approach(s, (double)hit->first, cm__point_of(middle), cm__point_of(hit->normal)) > SWEEP_SLIDE)
        hit->point = middle;
}

/* --- children ---------------------------------------------------------------------------------------------------- */

/* Does another child than `number` hold a point, or come as near to it as `near`? In the whole's frame. */
static bool look_held(const cm__composite_sweep_state *s, uint32_t number, cm__point p, double near) {
    const cm__parts_ops *parts = cm__ops(s->whole->kind)->parts;
    cm_shape point = cm_make_point(cm_v(0, 0, 0));
    cm_vec3 at = cm__vec3_of(p);
    cm_aabb box = {at, at};
    cm__parts q;
    cm__part part;
    parts->start(&q, s->whole, &box);
    while (parts->next(&q, wide_up(near), &part)) {
        if (part.number == number) continue;
        cm_pose pose = cm_pose_at(cm_neg(at)), child = part.pose;
        child.position = cm_add(child.position, pose.position);
        cm_witness w;
        if ((double)cm__pair_distance(&point, &part.shape, &child, wide_up(near), &w) <= near) return true;
    }
    return false;
}

/* Is a contact of a child hidden by the others? See the head of the file. p and n, from the child to the other, in the
 * whole's frame; `came` is the velocity of the other there. */
static bool look_is_hidden(const cm__composite_sweep_state *s, uint32_t number, cm__point p, cm__point n,
                           cm__point came) {
    cm__point out = cm__point_mul_add(p, 2 * s->near, n);
    if (look_held(s, number, out, s->near)) return true;
    if (!look_held(s, number, p, s->near)) return false;
    cm__point along = cm__point_mul_add(came, -cm__point_dot(came, n), n);
    double length = cm__point_length(along);
    if (!(length > SWEEP_SLIDE * cm__point_length(came))) return false;
    out = cm__point_mul_add(p, s->near / 4, n);
    for (double way = s->size; way > 4 * s->near; way /= 8) /* the other child may be short */
        if (look_held(s, number, cm__point_mul_add(out, -way / length, along), s->near / 8)) return true;
    return false;
}

/* The point of the other that reaches farthest along a direction of the whole, at a place of the other in the whole. */
static double look_reach(const cm__core *core, const cm_pose *other_in_whole, cm__point direction) {
    cm__frame f = frame_of_pose(other_in_whole);
    uint32_t id = core->ops->corner ? 0 : CM_NONE;
    cm__point own = frame_unturn(&f, direction);
    return cm__point_dot(f.position, direction) + cm__point_dot(core->ops->support(core, own, &id), own) + core->radius;
}

/* By how much a contact is deeper than its plane was passed at the start. A convex other is measured along the normal,
 * any other by what the whole was deep. */
static double look_deeper(const cm__composite_sweep_state *s, const look_contacts *c, const cm_manifold *m) {
    double depth = manifold_depth(m);
    if (!s->convex) return depth - s->depth;
    cm__core core;
    cm__ops(s->other->kind)->core(s->other, &core);
    cm__point n = cm__point_of(cm_rotate(c->other_in_whole.rotation, m->normal));
    const cm__parts_ops *parts = cm__ops(s->whole->kind)->parts;
    if (parts->surface && !parts->surface->solid(s->whole)) {
        cm__point center = cm__point_of(cm_pose_apply(&c->other_in_whole, cm__vec3_of(core.center)));
        cm__point at = cm__point_of(cm_pose_apply(&c->other_in_whole, m->points[0].point_b));
        double above = cm__point_dot(n, cm__point_sub(at, center));
        if (above < -s->band) return -DBL_MAX; /* no contact of a body that is on the other side */
    }
    double reach = look_reach(&core, &c->other_in_whole, n) - look_reach(&core, &s->other_in_whole, n);
    if (core.ops->corner) return wide_min(depth, reach);
    /* the way out of a curved body is known less well than how long it is */
    cm__point from = cm__point_of(cm_pose_apply(&s->other_in_whole, cm__vec3_of(core.center)));
    cm__point to = cm__point_of(cm_pose_apply(&c->other_in_whole, cm__vec3_of(core.center)));
    reach -= depth > 2 * s->band ? LOOK_CURVED * cm__point_length(cm__point_sub(to, from)) : 0;
    return wide_max(wide_min(depth, reach), depth - s->depth - (s->near - s->band));
}

typedef struct look_verdict {
    look_state state;
    double depth; /* of the deepest contact */
    int manifold; /* that blocks */
    int point;
} look_verdict;

/* Judges contacts; `number` is the child that they are all of, or CM_NONE where each names its own. A contact that is
 * approached blocks (`approached`), or one that is deeper than at the start. */
static look_verdict look_judge(cm__composite_sweep_state *s, const look_contacts *c, uint32_t number, bool approached) {
    const bool children = cm__ops(s->whole->kind)->parts->children;
    const double rough = look_rough(s);
    look_verdict v = {LOOK_FREE, -DBL_MAX, 0, 0};
    for (int i = 0; i < c->count; i++) {
        const cm_manifold *m = &c->m[i];
        double depth = manifold_depth(m);
        v.depth = wide_max(v.depth, depth);
        cm_vec3 normal = cm_rotate(c->home.rotation, m->normal);
        cm__point n = cm__point_of(cm_neg(cm_rotate(c->other_in_whole.rotation, m->normal)));
        bool hidden = children;
        double deeper = approached ? 0 : look_deeper(s, c, m);
        if (!approached && !(deeper > s->band)) continue;
        for (int k = 0; k < m->count; k++) {
            const cm_contact_point *p = &m->points[k];
            cm_vec3 world = cm_pose_apply(&c->home, p->point_b);
            if (children) {
                cm__point at = cm__point_of(cm_pose_apply(&c->other_in_whole, p->point_b));
                cm__point came = cm__composite_velocity(s, c->u, cm__point_of(world));
                came = cm__point_of(cm_unrotate(c->home.rotation, cm__vec3_of(came)));
                came = cm__point_of(cm_rotate(c->other_in_whole.rotation, cm__vec3_of(came)));
                if (look_is_hidden(s, number == CM_NONE ? m->part_b : number, at, n, came)) continue;
            }
            hidden = false;
            if (approached) {
                double approach = cm__composite_approach(s, c->u, cm__point_of(world), cm__point_of(normal));
                if (approach > SWEEP_SLIDE && !(approach > rough)) v.state = LOOK_HIDDEN;
                if (!(approach > rough)) continue;
            }
            if (!approached && !(deeper > 2 * s->band)) {
                v.state = LOOK_HIDDEN; /* or no more than rounding */
                continue;
            }
            v.state = LOOK_BLOCKED, v.manifold = i, v.point = k;
            return v;
        }
        if (hidden && depth > s->depth + 2 * s->near) {
            v.state = LOOK_BLOCKED, v.manifold = i;
            return v;
        }
        if (hidden) v.state = LOOK_HIDDEN;
    }
    return v;
}

static void look_tell(const look_contacts *c, const look_verdict *v, cm_sweep_hit *hit) {
    const cm_manifold *m = &c->m[v->manifold];
    hit->normal = cm_rotate(c->home.rotation, m->normal);
    hit->point = cm_pose_apply(&c->home, m->points[v->point].point_a);
    hit->blocking = true;
}

/* How deep the other is in the whole at the start. Between two children it may be but a little deep in each, across the
 * face that they share: then it is moved on into the one until it is another face that tells. */
static void look_ask_depth(cm__composite_sweep_state *s) {
    if (!(s->depth < 0)) return;
    look_contacts c;
    s->depth = 0;
    look_at(s, NULL, 0, 0, &c);
    const cm_pose start = c.whole_in_other;
    if (c.count == 0) return;
    const cm_vec3 way = c.m[0].normal;
    double step = 4 * s->band;
    for (int i = 0; i < LOOK_CHILD && c.count > 0; i++, step *= 2) {
        double told = -1;
        for (int k = 0; k < c.count; k++) {
            cm__point n = cm__point_of(cm_neg(cm_rotate(c.other_in_whole.rotation, c.m[k].normal)));
            bool hidden = cm__ops(s->whole->kind)->parts->children;
            for (int j = 0; j < c.m[k].count && hidden; j++) {
                cm__point at = cm__point_of(cm_pose_apply(&c.other_in_whole, c.m[k].points[j].point_b));
                hidden = look_is_hidden(s, c.m[k].part_b, at, n, wide_neg(n));
            }
            double depth = manifold_depth(&c.m[k]);
            if (i == 0) s->depth = wide_max(s->depth, depth);
            if (!hidden) told = wide_max(told, depth);
        }
        if (told >= 0) s->depth = wide_max(s->depth, told);
        if (told >= 0 || !(step < s->size)) return;
        cm_pose identity = cm_pose_identity();
        c.whole_in_other.position = cm_mul_add(start.position, (cm_real)-step, way);
        c.other_in_whole = cm_pose_between(&c.whole_in_other, &identity);
        c.count = cm__pair_contact(s->other, s->whole, &c.whole_in_other, 0, c.m, LOOK_CONTACTS);
        if (c.count > LOOK_CONTACTS) c.count = LOOK_CONTACTS;
    }
}

bool cm__composite_child_blocks(cm__composite_sweep_state *s, const cm__part *part, cm_sweep_hit *hit) {
    cm_pose pose_w;
    cm_motion_at(s->mw, hit->first, &pose_w);
    cm__point at = cm__point_of(cm_pose_unapply(&pose_w, hit->point));
    if (hit->start != CM_SWEEP_OVERLAPPING && !look_held(s, part->number, at, 4 * s->near)) return true;
    look_contacts c;
    look_at(s, part, (double)hit->first, 2 * s->near, &c);
    if (c.count == 0) return true;
    look_ask_depth(s);
    look_verdict v = look_judge(s, &c, part->number, true);
    const double speed = cm__point_length(s->v) + s->turn;
    double way = 2 * s->depth + 8 * s->band;
    const double all = wide_max((1 - (double)hit->first) * speed, way);
    const bool all_of_it = cm__ops(part->shape.kind)->core != NULL; /* else a contact says nothing of the others */
    for (int i = 0; i < LOOK_CHILD && speed > 0 && v.state != LOOK_BLOCKED; i++, way *= 2) {
        if (all_of_it && v.state == LOOK_FREE) break;
        bool last = !(way < all);
        look_at(s, part, (double)hit->first + wide_min(way, all) / speed, 0, &c);
        v = look_judge(s, &c, part->number, true);
        if (last) break;
    }
    if (v.state != LOOK_BLOCKED) return false;
    look_tell(&c, &v, hit);
    return true;
}

/* --- later ------------------------------------------------------------------------------------------------------- */

bool cm__composite_sinks(cm__composite_sweep_state *s, double from, double until, cm_sweep_hit *hit) {
    const int most = s->turn > 0 ? LOOK_TURNING : LOOK_STRAIGHT;
    const double way = (until - from) * (cm__point_length(s->v) + s->turn), even = way * 2 / most;
    double at = s->size > 0 ? wide_min(way, s->size) / 64 : way / 64, safe = from;
    look_contacts c;
    look_verdict v;
    look_ask_depth(s);
    for (int i = 1; at > 0; i++) {
        bool last = !(at < way) || i == most;
        double u = last ? until : from + (until - from) * (at / way);
        look_at(s, NULL, u, 0, &c);
        v = look_judge(s, &c, CM_NONE, false);
        if (v.state == LOOK_BLOCKED) {
            look_contacts middle;
            for (int k = 0; k < LOOK_HALVINGS; k++) {
                double half = (double)(cm_real)(safe + (u - safe) / 2);
                if (!(half > safe && half < u)) break;
                look_at(s, NULL, half, 0, &middle);
                look_verdict w = look_judge(s, &middle, CM_NONE, false);
                if (w.state == LOOK_FREE)
                    safe = half;
                else
                    u = half;
                if (w.state == LOOK_BLOCKED) c = middle, v = w;
            }
            memset(hit, 0, sizeof *hit);
            look_tell(&c, &v, hit);
            hit->first = wide_down(safe);
            hit->part_a = c.m[v.manifold].part_a, hit->part_b = c.m[v.manifold].part_b;
            return true;
        }
        if (v.state == LOOK_FREE) safe = u;
        if (last) return false;
        at += s->turn > 0 ? wide_min(at, even) : 3 * at;
    }
    return false;
}
