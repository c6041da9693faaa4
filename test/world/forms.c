/* Kinematic worlds played with each form of the same objects: bodies of every kind fall onto a table that is a box, a
 * hull, a mesh or a compound, slide on it, yaw, press down, leave it over the edge, and come back against its wall.
 * What happens in each step is known beforehand: which events, who, in which order, and when. CAROM_POSE=n: that world
 * alone. */
#include "support/solids.h"
#include "support/standing.h"

#include <math.h>

enum { STEP_FALL, STEP_SLIDE, STEP_YAW, STEP_PRESS, STEP_OFF, STEP_DOWN, STEP_BACK, STEPS };
static const char *const step_names[STEPS] = {"a fall",
                                              "a slide",
                                              "a yaw",
                                              "a press down",
                                              "a slide over the edge",
                                              "going down beside it",
                                              "back against its wall"};

enum { ROW_HIT, ROW_TIME, ROW_EVENT, ROW_WHERE, ROW_NORMAL, ROW_ORDER, ROWS };
static const char *const rows[ROWS] = {
    "hits are those that must be",
    "hits come when they must, or earlier by the promised gap",
    "contacts begin, stay and end when they must",
    "what is not hit arrives, what is hit does not get in",
    "what lies on the table touches its top",
    "events are sorted, and of pairs that exist",
};

/* Worlds of other seeds that were wrong once, in double: seed, number. */
static const sample_once once_wrong[] = {{4, 0}, {7, 3}};

static tally_table table;
static uint64_t seed;

/* What must happen to one body in a step. */
typedef struct expected {
    bool hit;
    double u;     /* of the hit */
    double steep; /* how much of its way takes it once nearer to what it hits; at a slant more than 1 */
    double early; /* by how much of its way the hit may come earlier, and the place be another */
    int contact;  /* CM_WORLD_BEGAN, STAYED, ENDED, or -1 */
} expected;

typedef struct mover {
    stander body;
    stand s;
    uint32_t id;
    double at[3], yaw; /* where it is, stand's frame */
    bool comes_back;   /* a box: goes down beside the table and against its wall */
} mover;

enum { MOVERS = STANDER_KINDS };

typedef struct play {
    long number;
    form_kind kind;
    form form;
    cm_world *world;
    uint32_t table;
    mover *movers;
    double size, margin;
    int step;
} play;

__attribute__((format(printf, 5, 6))) static void note(const play *p, const mover *m, int row, bool fine,
                                                       const char *format, ...) {
    if (!tally_note(&table, row, (int)p->kind, fine)) return;
    va_list list;
    va_start(list, format);
    char text[400];
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    print_error("  not so: %s (CAROM_POSE=%ld of seed %llu, step %d, %s): %s\n", rows[row], p->number,
                (unsigned long long)seed, p->step, step_names[p->step], text);
    if (!m) return;
    stand_print(&m->s, &m->body, form_names[p->kind]);
    print_error("    by now it should be at %.17g %.17g %.17g of the stand's frame, yawed by %.9g\n", m->at[0],
                m->at[1], m->at[2], m->yaw);
}

/* --- what they do ------------------------------------------------------------------------------------------------- */

/* Hovering over the table, a part of the foot well within its plan. */
static bool place(mover *m, stander_kind kind, cm_vec3 half, const cm_pose *frame, double scale, rng *r) {
    stander_make(&m->body, kind, scale, r);
    for (int tries = 0; tries < 40; tries++) {
        stand_make_turned(&m->s, half, cm_quat_identity(), &m->body, r);
        stand *s = &m->s;
        if (s->hold < 0.1 * fmin(s->plan[0], s->plan[1])) continue;
        double height = scale * rng_range(r, 2e-3, 1e-2);
        s->at[2] = (double)CM_REAL(s->top + m->body.bottom + height);
        s->height = s->at[2] - s->top - m->body.bottom;
        s->frame = *frame;
        cm_quat yaw = cm_quat_identity();
        if (s->yaw != 0) cm_quat_from_axis_angle(cm_v(0, 0, 1), CM_REAL(s->yaw), &yaw);
        cm_pose own = {cm_v(CM_REAL(s->at[0]), CM_REAL(s->at[1]), CM_REAL(s->at[2])),
                       cm_quat_normalize(cm_quat_mul(yaw, m->body.upright))};
        s->body = cm_pose_mul(frame, &own);
        s->table = *frame;
        s->up = cm_rotate(frame->rotation, cm_v(0, 0, 1));
        memcpy(m->at, s->at, sizeof m->at);
        m->yaw = s->yaw;
        return true;
    }
    stander_free(&m->body);
    return false;
}

/* The motion of a step, and what must come of it. */
static void script(play *p, mover *m, rng *r, cm_motion *motion, expected *e) {
    stand *s = &m->s;
    double move[3] = {0, 0, 0}, height = m->at[2] - s->top - m->body.bottom, far = p->size * 16, angle = 0;
    memset(motion, 0, sizeof *motion);
    memset(e, 0, sizeof *e);
    e->contact = CM_WORLD_STAYED, e->steep = 1;
    switch (p->step) {
    case STEP_FALL:
        move[2] = -3 * height;
        e->hit = true, e->u = 1.0 / 3, e->contact = CM_WORLD_BEGAN;
        break;
    case STEP_SLIDE: {
        double room = 0.4 * s->hold;
        move[0] = rng_range(r, -room, room), move[1] = rng_range(r, -room, room);
        break;
    }
    case STEP_YAW: /* about a point of the foot that is over the table */
        angle = rng_range(r, -3, 3);
        break;
    case STEP_PRESS:
        move[2] = -p->size * rng_log_range(r, 1e-3, 1);
        e->hit = true, e->u = 0;
        break;
    case STEP_OFF: {
        uint32_t axis = rng_below(r, 2);
        move[axis] = rng_below(r, 2) ? far : -far;
        e->contact = CM_WORLD_ENDED;
        break;
    }
    case STEP_DOWN:
        move[2] = -(s->top + m->body.bottom);
        e->contact = -1;
        break;
    default: { /* back by the way it came; where it would only graze the table it stays */
        int axis = fabs(m->at[0]) > fabs(m->at[1]) ? 0 : 1;
        stand now = *s;
        double from, to, closing;
        memcpy(now.at, m->at, sizeof now.at);
        now.yaw = m->yaw;
        move[axis] = m->at[axis] > 0 ? -far : far;
        e->contact = -1;
        if (!stand_enters(&now, &m->body, move, -1e-2 * p->size, &from, &to, &closing) ||
            !stand_enters(&now, &m->body, move, 0, &from, &to, &closing) || closing < 0.1 * far) {
            move[axis] = 0;
            break;
        }
        e->steep = far / closing;
        e->hit = true, e->u = from, e->contact = CM_WORLD_BEGAN;
        break;
    }
    }
    motion->move = stand_world(s, move[0], move[1], move[2]);
    if (angle != 0) {
        /* the pivot: the foot point farthest within the plan, in the body's own frame */
        double best = -HUGE_VAL, c = cos(m->yaw), n = sin(m->yaw);
        int foot = 0;
        for (int i = 0; i < m->body.feet; i++) {
            double x = m->at[0] + c * m->body.foot[i][0] - n * m->body.foot[i][1];
            double y = m->at[1] + n * m->body.foot[i][0] + c * m->body.foot[i][1];
            double in = fmin(s->plan[0] - fabs(x), s->plan[1] - fabs(y));
            if (in > best) best = in, foot = i;
        }
        cm_vec3 local = cm_v(CM_REAL(m->body.foot[foot][0]), CM_REAL(m->body.foot[foot][1]), 0);
        motion->spin = cm_scale(m->s.up, CM_REAL(angle));
        motion->pivot = cm_unrotate(m->body.upright, local);
        /* the origin swings about that point */
        double px = m->at[0] + c * (double)local.x - n * (double)local.y, dx = m->at[0] - px;
        double py = m->at[1] + n * (double)local.x + c * (double)local.y, dy = m->at[1] - py;
        m->at[0] = px + cos(angle) * dx - sin(angle) * dy;
        m->at[1] = py + sin(angle) * dx + cos(angle) * dy;
        m->yaw += angle;
    }
    for (int k = 0; k < 3; k++) m->at[k] += (e->hit ? e->u : 1) * move[k];
    cm_motion still = {.start = s->table}, mine = *motion;
    cm_world_get_pose(p->world, m->id, &mine.start);
    double gap = promised_gap(&p->form.shape, &still, &m->body.shape, &mine);
    e->early = e->steep * (2.5 * gap + 2 * stand_noise(s));
}

/* --- what came of it ---------------------------------------------------------------------------------------------- */

/* How far it is turned about the way up. */
static double yaw_of(const mover *m, const cm_pose *pose) {
    cm_quat turn = cm_quat_mul(cm_quat_conjugate(m->s.frame.rotation), pose->rotation);
    turn = cm_quat_mul(turn, cm_quat_conjugate(m->body.upright));
    return 2 * atan2((double)turn.z, (double)turn.w);
}

static void check_mover(play *p, mover *m, const cm_motion *motion, const expected *e) {
    cm_world_event_view view;
    cm_world_get_events(p->world, &view);
    int hits = 0, contact = -1, contacts = 0;
    double u = -1, length = (double)cm_length(motion->move);
    bool table_first = p->table < m->id;
    for (size_t i = 0; i < view.count; i++) {
        const cm_world_event *v = &view.events[i];
        if (v->a != m->id && v->b != m->id) continue;
        if (v->kind == CM_WORLD_HIT) {
            hits++;
            u = (double)v->u;
        } else {
            contact = (int)v->kind;
            contacts++;
        }
        if (p->step < STEP_OFF && (v->kind == CM_WORLD_BEGAN || v->kind == CM_WORLD_STAYED))
            for (int k = 0; k < v->manifold_count; k++) {
                double cosine = (double)cm_dot(v->manifolds[k].normal, m->s.up) * (table_first ? 1 : -1);
                bool seam = p->kind == FORM_HALVES && m->body.bend > 0;
                note(p, m, ROW_NORMAL, cosine > (seam ? 0.9 : 0.99), "a normal's cosine with the way up is %.9g",
                     cosine);
            }
    }
    note(p, m, ROW_HIT, hits == e->hit, "%d hits, the first at %.17g; there must be %d", hits, u, e->hit);
    if (hits && e->hit)
        note(p, m, ROW_TIME, fabs(u - e->u) * length <= e->early, "hit at %.17g, truly %.17g, by %.9g of the way", u,
             e->u, e->early);
    note(p, m, ROW_EVENT, contact == e->contact && contacts == (e->contact >= 0), "%s (%d contact events), must be %s",
         contact < 0 ? "nothing" : cm_world_event_text((cm_world_event_kind)contact), contacts,
         e->contact < 0 ? "nothing" : cm_world_event_text((cm_world_event_kind)e->contact));
    cm_pose pose, own;
    cm_world_get_pose(p->world, m->id, &pose);
    own.position = cm_pose_unapply(&m->s.frame, pose.position);
    double off = hypot(hypot((double)own.position.x - m->at[0], (double)own.position.y - m->at[1]),
                       (double)own.position.z - m->at[2]);
    double swung = fabs(sin((m->yaw - yaw_of(m, &pose)) / 2));
    double may = 2 * e->early + 64 * (double)CM_REAL_EPSILON * (m->s.scale + length);
    note(p, m, ROW_WHERE, off <= may && swung <= 1e-5, "it is at %.17g %.17g %.17g, off by %.9g, yawed by %.9g",
         (double)own.position.x, (double)own.position.y, (double)own.position.z, off, yaw_of(m, &pose));
    /* from where it is, the script goes on */
    m->at[0] = (double)own.position.x, m->at[1] = (double)own.position.y, m->at[2] = (double)own.position.z;
    m->yaw = yaw_of(m, &pose);
}

static void check_order(const play *p) {
    cm_world_event_view view;
    cm_world_get_events(p->world, &view);
    for (size_t i = 0; i < view.count; i++) {
        const cm_world_event *v = &view.events[i], *w = v + 1;
        bool sorted = v->a < v->b && (v->a == p->table || v->b == p->table);
        if (i + 1 < view.count)
            sorted = sorted && (v->a != w->a ? v->a < w->a : v->b != w->b ? v->b < w->b : v->kind <= w->kind);
        note(p, NULL, ROW_ORDER, sorted, "event %zu of %zu", i, view.count);
    }
}

static uint32_t add(cm_world *world, const cm_world_object_desc *object) {
    uint32_t id = 0;
    cm_error error = {CM_OK, NULL, 0};
    if (cm_world_add(world, object, &id, &error) != CM_OK) fail_msg("cannot be added: %s", error.field);
    return id;
}

static void play_form(play *p, cm_vec3 half, const cm_pose *frame, bool table_first, uint64_t made, uint64_t moves) {
    rng r = {made}, same = {moves};
    mover movers[MOVERS];
    form_box(&p->form, p->kind, half, &r);
    cm_world_desc desc = {.margin = CM_REAL(p->margin)};
    if (cm_world_create(&desc, &p->world, NULL) != CM_OK) fail_msg("no world");
    cm_world_object_desc ground = {.shape = p->form.shape, .pose = *frame, .fixed = true};
    if (table_first) p->table = add(p->world, &ground);
    int count = 0;
    for (int i = 0; i < MOVERS; i++) {
        mover *m = &movers[count];
        memset(m, 0, sizeof *m);
        if (!place(m, (stander_kind)i, half, frame, p->size, &same)) continue;
        cm_world_object_desc body = {
            .shape = m->body.shape, .pose = m->s.body, .group = -1, .sweep = CM_WORLD_SWEEP_ALWAYS};
        m->id = add(p->world, &body);
        m->comes_back = stander_is_box(&m->body);
        count++;
    }
    if (!table_first) p->table = add(p->world, &ground);
    for (p->step = 0; p->step < STEPS; p->step++) {
        cm_motion motions[MOVERS];
        expected expect[MOVERS];
        for (int i = 0; i < count; i++) {
            mover *m = &movers[i];
            if (p->step >= STEP_DOWN && !m->comes_back) continue;
            script(p, m, &same, &motions[i], &expect[i]);
            if (cm_world_set_motion(p->world, m->id, &motions[i]) != CM_OK) fail_msg("no motion");
        }
        if (cm_world_update(p->world, NULL) != CM_OK) fail_msg("no update");
        for (int i = 0; i < count; i++)
            if (p->step < STEP_DOWN || movers[i].comes_back) check_mover(p, &movers[i], &motions[i], &expect[i]);
        check_order(p);
    }
    for (int i = 0; i < count; i++) stander_free(&movers[i].body);
    cm_world_destroy(p->world);
    form_free(&p->form);
}

static void play_all_forms(long number) {
    static const double scales[] = {1, 1, 1, 0.01, 100};
    rng r = sample_rng(seed, number);
    double scale = scales[rng_below(&r, 5)];
    double x = nice_size(&r) * scale, y = nice_size(&r) * scale, z = nice_size(&r) * scale;
    cm_vec3 half = cm_v(CM_REAL(x), CM_REAL(y), CM_REAL(z));
    cm_pose frame = nice_frame(scale, &r);
    bool table_first = rng_below(&r, 2);
    uint64_t made = rng_bits(&r), moves = rng_bits(&r);
    for (int f = 0; f < FORM_KINDS; f++) {
        play p;
        memset(&p, 0, sizeof p);
        p.number = number, p.kind = (form_kind)f, p.size = scale, p.margin = 1e-3 * scale;
        play_form(&p, half, &frame, table_first, made, moves);
    }
}

static int play_everything(void **state) {
    (void)state;
    table.rows = rows, table.columns = form_names;
    table.row_count = ROWS, table.column_count = FORM_KINDS;
    sample_all("worlds of forms", 1505, few_samples(20, 4000), once_wrong, sizeof once_wrong / sizeof once_wrong[0],
               &seed, play_all_forms);
    return 0;
}

/* --- three that people met ------------------------------------------------------------------------------------- */

/* A table 4 x 4 x 1 below z = 0, in its own frame. */
static cm_shape made_table(int kind, form *f, rng *r) {
    static const form_kind kinds[3] = {FORM_MESH_12, FORM_SURFACE, FORM_HULL};
    form_box(f, kinds[kind], cm_v(2, 2, CM_REAL(0.5)), r);
    return f->shape;
}
static const char *const made_names[3] = {"solid mesh", "surface mesh", "hull"};

static void a_box_over_the_edge_of_a_table_does_not_fall_through(void **state) {
    (void)state;
    rng r = rng_start("fall", 1506);
    for (int kind = 0; kind < 3; kind++)
        for (int over = 0; over < 4; over++) {
            form f;
            cm_world *world;
            cm_world_object_desc ground = {
                .shape = made_table(kind, &f, &r), .pose.position = cm_v(0, 0, CM_REAL(-0.5)), .fixed = true};
            double x = 1.6 + 0.2 * over, z = 0.5 - 1e-3;
            cm_world_object_desc box = {.shape = cm_make_box(cm_v(CM_REAL(0.5), CM_REAL(0.5), CM_REAL(0.5))),
                                        .pose.position = cm_v(CM_REAL(x), CM_REAL(0.3), CM_REAL(z)),
                                        .sweep = CM_WORLD_SWEEP_ALWAYS};
            assert_int_equal(cm_world_create(NULL, &world, NULL), CM_OK);
            add(world, &ground);
            uint32_t id = add(world, &box);
            for (int i = 0; i < 3; i++) {
                cm_motion down = {.move = cm_v(0, 0, -1)};
                cm_world_set_motion(world, id, &down);
                assert_int_equal(cm_world_update(world, NULL), CM_OK);
            }
            cm_pose end;
            cm_world_get_pose(world, id, &end);
            check_that(end.position.z == box.pose.position.z, "%s, x = %g: from %.9g to %.9g", made_names[kind], x,
                       (double)box.pose.position.z, (double)end.position.z);
            cm_world_destroy(world);
            form_free(&f);
        }
}

/* Without friction a body that slides over the table at 2 a second from x = 0 is at x = 3 after 1.5 seconds, whatever
 * edge it passes; what tips over the edge only roughly. */
static void a_body_slides_off_a_table_and_is_not_thrown_back(void **state) {
    (void)state;
    rng r = rng_start("off the table", 1507);
    for (int kind = 0; kind < 3; kind++)
        for (int slide = 0; slide < 2; slide++)
            for (int k = 0; k < 3; k++) {
                const cm_real quarter = CM_REAL(0.25);
                form f;
                cm_world *world;
                cm_dynamics *dynamics;
                cm_shape shapes[3] = {cm_make_capsule(cm_v(0, 0, -quarter), cm_v(0, 0, quarter), quarter),
                                      cm_make_box(cm_v(quarter, quarter, quarter)),
                                      cm_make_sphere(cm_v(0, 0, 0), quarter)};
                cm_world_object_desc ground = {
                    .shape = made_table(kind, &f, &r), .pose.position = cm_v(0, 0, CM_REAL(-0.5)), .fixed = true};
                cm_world_object_desc object = {.shape = shapes[k],
                                               .pose.position = cm_v(0, 0, CM_REAL(k == 0 ? 0.501 : 0.251)),
                                               .sweep = CM_WORLD_SWEEP_ALWAYS};
                cm_dynamics_desc desc = {.gravity = {0, 0, -10}};
                cm_body_desc body = {.velocity = {2, 0, 0},
                                     .mass = 1,
                                     .response =
                                         slide ? CM_RESPONSE_SLIDE : CM_RESPONSE_BOUNCE | CM_RESPONSE_PUSH_APART};
                assert_int_equal(cm_world_create(NULL, &world, NULL), CM_OK);
                assert_int_equal(cm_dynamics_create(world, &desc, &dynamics), CM_OK);
                add(world, &ground);
                uint32_t id = add(world, &object);
                assert_int_equal(cm_dynamics_add(dynamics, id, &body), CM_OK);
                for (int i = 0; i < 90; i++) cm_dynamics_step(dynamics, (cm_real)1 / 60);
                cm_pose end;
                cm_world_get_pose(world, id, &end);
                double off = fabs((double)end.position.x - 3);
                check_that(off < (k == 1 && !slide ? 2e-2 : 2e-3), "%s, %s, %s: x = %.9g after 1.5 s, must be 3",
                           made_names[kind], cm_kind_name(shapes[k].kind), slide ? "sliding" : "bouncing",
                           (double)end.position.x);
                check_that(end.position.z < 0, "%s: z = %.9g, it must be falling", made_names[kind],
                           (double)end.position.z);
                cm_dynamics_destroy(dynamics);
                cm_world_destroy(world);
                form_free(&f);
            }
}

/* A floor and a wall, one surface mesh: what came to rest on the floor, and be it a little within it, is stopped by the
 * wall, however fast it runs into it. */
static void what_rests_on_a_floor_is_stopped_by_the_wall_of_the_same_mesh(void **state) {
    (void)state;
    static const uint32_t responses[4] = {CM_RESPONSE_BOUNCE, CM_RESPONSE_BOUNCE | CM_RESPONSE_PUSH_APART,
                                          CM_RESPONSE_SLIDE, CM_RESPONSE_SLIDE | CM_RESPONSE_PUSH_APART};
    const cm_real half = CM_REAL(0.5);
    soup s = {0};
    soup_add_quad(&s, cm_v(-10, -10, 0), cm_v(10, -10, 0), cm_v(10, 10, 0), cm_v(-10, 10, 0), false);
    soup_add_quad(&s, cm_v(5, -10, 0), cm_v(5, 10, 0), cm_v(5, 10, 3), cm_v(5, -10, 3), false);
    cm_mesh *mesh = soup_build(&s, false);
    for (int i = 0; i < 32; i++) {
        bool box = i & 1, always = i & 2, fast = i & 16;
        cm_world *world;
        cm_dynamics *dynamics;
        cm_world_object_desc ground = {.shape = cm_make_mesh(mesh), .fixed = true};
        cm_world_object_desc object = {.shape = box ? cm_make_box(cm_v(half, half, half))
                                                    : cm_make_sphere(cm_v(0, 0, 0), half),
                                       .pose.position = cm_v(0, 0, CM_REAL(0.7)),
                                       .sweep = always ? CM_WORLD_SWEEP_ALWAYS : CM_WORLD_SWEEP_AUTO};
        cm_dynamics_desc desc = {.gravity = {0, 0, CM_REAL(-9.81)}};
        cm_body_desc body = {.response = responses[i >> 2 & 3], .friction = half};
        assert_int_equal(cm_world_create(NULL, &world, NULL), CM_OK);
        assert_int_equal(cm_dynamics_create(world, &desc, &dynamics), CM_OK);
        add(world, &ground);
        uint32_t id = add(world, &object);
        assert_int_equal(cm_dynamics_add(dynamics, id, &body), CM_OK);
        for (int k = 0; k < 60; k++) cm_dynamics_step(dynamics, (cm_real)1 / 60);
        cm_pose rest, end;
        cm_world_get_pose(world, id, &rest);
        cm_dynamics_set_velocity(dynamics, id, cm_v(fast ? 600 : 60, 0, 0), cm_v(0, 0, 0));
        for (int k = 0; k < (fast ? 1 : 12); k++) cm_dynamics_step(dynamics, (cm_real)1 / 60);
        cm_world_get_pose(world, id, &end);
        check_that(end.position.x < 5,
                   "%s, sweep %s, response %u, %s: at rest %.9g high, then at x = %.9g behind the wall",
                   box ? "box" : "ball", always ? "always" : "auto", body.response, fast ? "600" : "60",
                   (double)rest.position.z, (double)end.position.x);
        cm_dynamics_destroy(dynamics);
        cm_world_destroy(world);
    }
    cm_mesh_destroy(mesh, NULL);
}

static void hits_are_those_that_must_be(void **state) {
    (void)state;
    tally_check(&table, NULL, ROW_HIT, samples(20, 2000));
}
static void hits_come_when_they_must(void **state) {
    (void)state;
    tally_check(&table, NULL, ROW_TIME, samples(20, 2000));
}
static void contacts_begin_stay_and_end_when_they_must(void **state) {
    (void)state;
    tally_check(&table, NULL, ROW_EVENT, samples(20, 2000));
}
static void bodies_are_where_they_must_be(void **state) {
    (void)state;
    tally_check(&table, NULL, ROW_WHERE, samples(20, 2000));
}
static void what_lies_on_the_table_touches_its_top(void **state) {
    (void)state;
    tally_check(&table, NULL, ROW_NORMAL, samples(20, 2000));
}
static void events_are_sorted(void **state) {
    (void)state;
    tally_check(&table, NULL, ROW_ORDER, samples(20, 2000));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hits_are_those_that_must_be),
        cmocka_unit_test(hits_come_when_they_must),
        cmocka_unit_test(contacts_begin_stay_and_end_when_they_must),
        cmocka_unit_test(bodies_are_where_they_must_be),
        cmocka_unit_test(what_lies_on_the_table_touches_its_top),
        cmocka_unit_test(events_are_sorted),
        cmocka_unit_test(a_box_over_the_edge_of_a_table_does_not_fall_through),
        cmocka_unit_test(a_body_slides_off_a_table_and_is_not_thrown_back),
        cmocka_unit_test(what_rests_on_a_floor_is_stopped_by_the_wall_of_the_same_mesh),
    };
    return cmocka_run_group_tests(tests, play_everything, NULL);
}
