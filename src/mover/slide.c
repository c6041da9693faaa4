/* Sliding: sweep, stop at the hit, remove from the rest of the displacement what leads into the planes hit so far, and
 * go on. At most CM__MOVER_SLIDES sweeps.
 *
 * On the ground only the horizontal part of the displacement is kept, and it is led along the firm ground that was hit
 * last, so the horizontal speed is the same on every slope. A hit that is no firm ground counts twice there: with its
 * plane, and as an upright wall, so that nothing steep is climbed. In the air the planes count as they are; but a slope
 * that rises, and is not the edge of firm ground, is an upright wall too, so that no horizontal speed turns into upward
 * speed. */
#include "mover/mover.h"

cm_real cm__mover_share(const cm__mover_run *run, cm_vec3 way, const cm__mover_contact *at) {
    cm_real approach = -cm_dot(way, at->normal);
    if (!(approach > 0)) return 0;
    return cm_max(0, at->first - run->stand_off / approach);
}

/* The upright plane that faces the same horizontal direction; false where the plane is level within 3 degrees. */
static bool upright(const cm__mover_run *run, cm_vec3 normal, cm_vec3 *out) {
    cm_vec3 across = cm_mul_add(normal, -cm_dot(normal, run->up), run->up);
    cm_real length = cm_length(across);
    if (!(length > CM_REAL(0.05))) return false;
    *out = cm_scale(across, 1 / length);
    return true;
}

static void note_hit(cm__mover_run *run, const cm__mover_contact *at) {
    cm_mover_result *r = &run->result;
    if (r->hit_count == CM_MOVER_HITS) return;
    for (int i = 0; i < r->hit_count; i++)
        if (r->hits[i].id == at->id && r->hits[i].part == at->part) return;
    cm_mover_hit *hit = &r->hits[r->hit_count++];
    *hit = (cm_mover_hit){.id = at->id, .part = at->part, .user = at->user, .point = at->point, .normal = at->normal};
    hit->speed = cm_max(0, -cm_dot(run->velocity, at->normal));
}

/* Adds the planes of a hit. *ground follows firm ground; NULL: the mover flies. */
static void meet_plane(cm__mover_run *run, const cm__mover_contact *at, cm_vec3 *ground, cm__mover_met *met,
                       bool record) {
    cm_real climb = cm_dot(at->normal, run->up);
    cm_vec3 wall;
    bool firm = climb >= run->firm;
    cm__mover_add_plane(&met->planes, at->normal);
    if (ground && firm) {
        *ground = at->normal;
        return;
    }
    if (record) note_hit(run, at);
    if (!firm) run->blocked = true;
    if (firm || !upright(run, at->normal, &wall)) return;
    if (ground || (climb > 0 && !cm__mover_on_edge(run, at))) {
        cm__mover_add_plane(&met->planes, wall);
        cm__mover_add_plane(&met->walls, wall);
    }
}

cm_vec3 cm__mover_free(const cm__mover_run *run, const cm__mover_met *met, cm_vec3 way) {
    cm_vec3 rise = cm_scale(run->up, cm_dot(way, run->up));
    cm_vec3 level = cm__mover_solve(&met->walls, cm_sub(way, rise));
    return cm__mover_solve(&met->planes, cm_add(level, rise));
}

void cm__mover_slide(cm__mover_run *run, cm_vec3 way, const cm_vec3 *ground, cm__mover_met *met, bool record) {
    cm_vec3 left = way, follow = ground ? *ground : run->up;
    cm_real least = cm_length(way) / 1024;
    run->blocked = false;
    for (int i = 0; i < CM__MOVER_SLIDES; i++) {
        cm_vec3 want = left;
        if (ground) want = cm_mul_add(left, -cm_dot(left, follow) / cm_dot(follow, run->up), run->up);
        cm_vec3 x = cm__mover_free(run, met, want);
        if (!(cm_length(x) > least)) break;
        if (ground && !(cm_dot(x, way) > 0)) break;
        cm__mover_contact at;
        if (!cm__mover_sweep(run, &run->wide, x, &at)) {
            run->pose.position = cm_add(run->pose.position, x);
            return;
        }
        cm_real share = cm__mover_share(run, x, &at);
        run->pose.position = cm_mul_add(run->pose.position, share, x);
        left = cm_scale(left, 1 - share);
        meet_plane(run, &at, ground ? &follow : NULL, met, record);
    }
}

void cm__mover_squeeze(cm__mover_run *run, cm_vec3 way, const cm_vec3 *ground) {
    const cm_pose before = run->pose;
    const cm_shape wide = run->wide;
    const cm_real stand_off = run->stand_off, length = cm_length(way);
    if (!(length > 2 * run->skin)) return;
    cm__mover_met met = {.planes.count = 0};
    run->stand_off = run->skin / 16;
    run->wide = run->bare;
    run->wide.radius += run->stand_off;
    cm__mover_slide(run, way, ground, &met, false);
    run->wide = wide;
    run->stand_off = stand_off;
    const bool gets_on = cm_dot(cm_sub(run->pose.position, before.position), way) > 2 * run->skin * length;
    /* by a mesh that extends far from its origin, a sweep may sink in by more than an eighth of a skin */
    cm__mover_contact at;
    if (gets_on && cm__mover_nearest(run, &at) > 0)
        run->free = run->pose;
    else
        run->pose = before;
}
