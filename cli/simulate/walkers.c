/* The movers of a scene: see walkers.h. */
#include "simulate/walkers.h"

#include "common/text.h"

#include <stdio.h>
#include <stdlib.h>

static cm_vec3 up_of(const stage *s) { return cm_v(s->up == 'x', s->up == 'y', s->up == 'z'); }

void walkers_start(walkers *w, const stage *s) {
    *w = (walkers){.count = 0};
    for (uint32_t i = 0; i < s->object_count; i++) w->count += s->objects[i].body == STAGE_WALK;
    w->objects = allocate(w->count + 1u, sizeof *w->objects);
    w->movers = allocate(w->count + 1u, sizeof *w->movers);
    w->velocities = allocate(w->count + 1u, sizeof *w->velocities);
    for (uint32_t i = 0, k = 0; i < s->object_count; i++) {
        const stage_object *o = &s->objects[i];
        if (o->body != STAGE_WALK) continue;
        w->objects[k] = i;
        w->movers[k] = (cm_mover){.shape = s->shapes[o->shape].shape, .up = up_of(s), .pose = o->pose};
        w->velocities[k++] = cm_v(0, 0, 0);
    }
}

void walkers_free(walkers *w) {
    free(w->objects);
    free(w->movers);
    free(w->velocities);
    *w = (walkers){.count = 0};
}

/* What it wants in the step that ends at `time`: what the last stride says, gravity, and a jump where a stride began.
 */
static cm_vec3 wanted(const stage *s, const stage_object *o, const cm_mover *mover, cm_vec3 velocity, double time,
                      double dt) {
    const cm_vec3 up = up_of(s);
    double rise = cm_dot(velocity, up), jump = 0;
    cm_vec3 level = cm_v(0, 0, 0);
    for (uint32_t i = 0; i < o->stride_count && o->strides[i].time < time; i++) {
        level = o->strides[i].velocity;
        jump = o->strides[i].time >= time - dt ? o->strides[i].jump : 0;
    }
    rise += cm_dot(s->gravity, up) * dt;
    if (jump > 0 && mover->ground.kind == CM_MOVER_FIRM) rise = jump;
    return cm_mul_add(cm_mul_add(level, -cm_dot(level, up), up), rise, up);
}

static void push(cm_dynamics *bodies, double mass, const cm_mover_result *result) {
    for (int i = 0; i < result->hit_count; i++) {
        const cm_mover_hit *hit = &result->hits[i];
        cm_body_state body;
        cm_vec3 impulse;
        if (cm_dynamics_get(bodies, hit->id, &body) != CM_OK) continue;
        cm_mover_push(hit, mass, body.mass, body.velocity, &impulse);
        cm_dynamics_apply_impulse(bodies, hit->id, impulse); /* refuses what follows a path, and should */
    }
}

cm_status walkers_step(walkers *w, const stage *s, cm_world *world, cm_dynamics *bodies, const uint32_t *ids,
                       double time, double dt) {
    for (uint32_t i = 0; i < w->count; i++) {
        const uint32_t object = w->objects[i];
        const stage_object *o = &s->objects[object];
        cm_mover_space space = {.world = world, .query = {.except = ids[object], .mask = o->mask}};
        cm_mover_result result;
        cm_vec3 velocity = wanted(s, o, &w->movers[i], w->velocities[i], time, dt);
        cm_status status = cm_mover_step(&w->movers[i], &space, velocity, dt, &result);
        if (status != CM_OK) return status;
        w->velocities[i] = result.velocity;
        w->steps++;
        w->sweeps += (uint64_t)result.sweeps;
        w->crushed += result.crushed;
        push(bodies, o->mass, &result);
        cm_world_set_pose(world, ids[object], &w->movers[i].pose);
    }
    return CM_OK;
}

void walkers_print(const walkers *w) {
    if (!w->count) return;
    printf("walkers   %.2f sweeps a step, crushed in %llu of %llu\n", (double)w->sweeps / (double)w->steps,
           (unsigned long long)w->crushed, (unsigned long long)w->steps);
}
