/* Walking: along the ground, up steps, down onto the ground.
 *
 * A step is tried where something that is no firm ground stopped the mover: up by `step_up`, on by the rest of the
 * displacement, and down again. It counts if that gained ground and ended on firm ground; else the mover stays where it
 * was. */
#include "mover/mover.h"

/* What a sweep down found under the mover. */
typedef struct footing {
    cm_mover_footing kind;
    cm_real drop; /* how far down */
    cm_vec3 normal;
    cm__mover_contact at;
} footing;

/* The mover touches something steep. Is it held all the same, by firm ground just below or by several steep planes?
 * Sweeps down along the steep planes found so far, by two skins at most each time. */
static void look_below(cm__mover_run *run, footing *found) {
    cm__mover_planes planes = {.count = 0};
    cm_vec3 sum = found->normal;
    cm__mover_add_plane(&planes, found->normal);
    for (int i = 0; i < 3; i++) {
        cm_vec3 x = cm__mover_solve(&planes, cm_scale(run->up, -2 * run->skin));
        if (!(-cm_dot(x, run->up) > run->skin / 8)) { /* the planes leave no way down */
            found->kind = CM_MOVER_FIRM;
            found->normal = cm_normalize(sum, run->up);
            return;
        }
        cm__mover_contact at;
        if (!cm__mover_sweep(run, &run->wide, x, &at)) return;
        if (cm_dot(at.normal, run->up) >= run->firm) {
            *found = (footing){CM_MOVER_FIRM, 0, at.normal, at};
            return;
        }
        cm__mover_add_plane(&planes, at.normal);
        sum = cm_add(sum, at.normal);
    }
}

/* The ground within `reach` below. Edges of firm ground are firm. A walking mover may stand on all of them, as a step
 * may take it to any; a falling one only where the edge is below it rather than beside, within 60 degrees. */
static footing look_down(cm__mover_run *run, cm_real reach, bool walking) {
    footing found = {.kind = CM_MOVER_AIR};
    cm_vec3 way = cm_scale(run->up, -(reach + run->skin / 2));
    if (!cm__mover_sweep(run, &run->wide, way, &found.at)) return found;
    cm_real level = cm_dot(found.at.normal, run->up), stand_off = run->skin / 2 / cm_max(level, CM_REAL(0.25));
    found.normal = found.at.normal;
    found.drop = cm_max(0, found.at.first * (reach + run->skin / 2) - stand_off);
    if (level >= run->firm || (level > (walking ? CM_REAL(0.05) : CM_REAL(0.5)) && cm__mover_on_edge(run, &found.at)))
        found.kind = CM_MOVER_FIRM;
    else if (found.drop <= run->skin) {
        found.kind = CM_MOVER_STEEP;
        found.drop = 0;
        look_below(run, &found);
    }
    return found;
}

static void stand_on(cm__mover_run *run, const footing *found, cm_mover_ground *ground) {
    ground->kind = found->kind;
    ground->velocity = cm_v(0, 0, 0);
    if (found->kind == CM_MOVER_AIR) return;
    ground->normal = found->normal;
    ground->point = found->at.point;
    ground->id = found->at.id;
    ground->part = found->at.part;
    if (!cm__mover_object_pose(run->space, ground->id, &ground->pose)) ground->kind = CM_MOVER_AIR;
    /* a drop of less than an eighth of a skin is rounding: a standing mover does not move */
    if (found->kind == CM_MOVER_FIRM && found->drop > run->skin / 8)
        run->pose.position = cm_mul_add(run->pose.position, -found->drop, run->up);
}

void cm__mover_set_down(cm__mover_run *run, cm_real reach, bool walking, cm_mover_ground *ground) {
    footing found = look_down(run, reach, walking);
    stand_on(run, &found, ground);
}

/* @return false, with the mover where it was, where there is no step to climb. */
static bool climb_step(cm__mover_run *run, cm_vec3 left, cm_mover_ground *ground) {
    const cm_pose before = run->pose;
    cm_vec3 rise = cm_scale(run->up, run->step_up);
    cm__mover_contact at;
    cm_real share = cm__mover_sweep(run, &run->wide, rise, &at) ? cm__mover_share(run, rise, &at) : 1;
    if (share * run->step_up > run->skin) {
        cm__mover_met met = {.planes.count = 0};
        run->pose.position = cm_mul_add(run->pose.position, share, rise);
        cm__mover_slide(run, left, &run->up, &met, false);
        cm_real gained = cm_dot(cm_sub(run->pose.position, before.position), left) / cm_length(left);
        if (gained > cm_min(run->skin / 4, cm_length(left) / 2)) {
            footing found = look_down(run, share * run->step_up + run->step_down, true);
            cm_real height = cm_dot(cm_sub(found.at.point, before.position), run->up) - run->foot;
            if (found.kind == CM_MOVER_FIRM && height <= run->step_up + run->skin) {
                stand_on(run, &found, ground);
                return true;
            }
        }
    }
    run->pose = before;
    return false;
}

void cm__mover_walk(cm__mover_run *run, cm_vec3 way, cm_mover_ground *ground) {
    const cm_vec3 before = run->pose.position;
    cm__mover_met met = {.planes.count = 0};
    run->blocked = false;
    if (cm_length(way) > 0) {
        /* where it stands on a steep edge, it walks on horizontally */
        bool along = cm_dot(ground->normal, run->up) >= run->firm;
        if (along) cm__mover_add_plane(&met.planes, ground->normal);
        cm__mover_slide(run, way, along ? &ground->normal : &run->up, &met, true);
    }
    run->result.velocity = run->velocity;
    if (run->blocked) {
        cm_vec3 gone = cm_sub(run->pose.position, before);
        cm_vec3 left = cm_sub(way, cm_mul_add(gone, -cm_dot(gone, run->up), run->up));
        run->result.climbed =
            run->step_up > 0 && cm_length(left) > cm_length(way) / 64 && climb_step(run, left, ground);
        if (run->result.climbed) return;
        if (cm_length(gone) < run->skin) cm__mover_squeeze(run, left, &run->up);
        run->result.velocity = cm__mover_solve(&met.walls, run->velocity);
    }
    cm__mover_set_down(run, run->step_down + run->skin, true, ground);
}
