/* First contacts with a triangle of a surface: do they only brush (brush.h)?
 *
 * A convex body with an inside is asked as any convex pair is: it cannot slip through a surface, so each triangle may
 * answer for itself. Of two surfaces that is not so. A thin triangle may pass exactly between two triangles of a face,
 * and get deep in neither: so does the rim of a sheet that falls on the seam between them, or what falls on that rim
 * with a seam of its own. Therefore two triangles only brush where one plane proves it, whose normal both surfaces
 * have there (pair/surface.h): next to the contact each of them lies on its side of that plane, not only the triangle.
 *
 * Which plane? Where bodies slide past each other it is that of a face of either, or the one through two edges that
 * cross, which is the contact's own. The faces are those of the two triangles, of their neighbors, and at a corner of
 * all around it. A plane that is not among them lets the contact block, as it would have without being asked. What
 * blocks at an edge within a face, along a normal that the surfaces do not have there, is reported with the normal of
 * one of these planes. Bound: BRUSH_FAN triangles around each corner. No memory. */
#include "math/wide.h"
#include "sweep/brush.h"
#include "sweep/composite.h"

#define BRUSH_FAN  64  /* triangles tried around a corner */
#define BRUSH_BACK 0.9 /* the cosine from which a normal points back to where a sheet came from */

/* A triangle of a surface, and where it is at the contact. */
typedef struct brush_side {
    const cm_shape *surface;
    uint32_t number;
    const cm_triangle *triangle;
    cm__frame frame;
    double sign; /* 1: outward normals run as the contact's does; -1: against it */
} brush_side;

/* Two triangles of surfaces in contact; the contact's normal runs from the first to the second. */
typedef struct brush_triangles {
    brush_side side[2];
    cm__moving_pair pair;
    double u, limit, band, near;
    cm__point v, at, normal; /* their velocity; the contact's point, relative to the pair's origin, and its normal */
    bool sided;              /* one of them is a solid, whose normals tell the side on which the other is */
    bool blocks;             /* they do not brush; asked is for a normal that both have, instead of the contact's: */
    cm__point least;         /* of those that are approached the one that is the least, */
    double rate;             /* at this speed */
} brush_triangles;

/* Have both surfaces this normal there? */
static bool brush_has(const brush_triangles *c, cm__point normal) {
    for (int k = 0; k < 2; k++) {
        const brush_side *side = &c->side[k];
        const cm__point out = cm__point_scale(frame_unrotate(&side->frame, normal), side->sign);
        if (!cm__composite_has(side->surface, side->number, side->triangle, out)) return false;
    }
    return true;
}

/* Do they only brush, as is proved by a plane across this normal, which both surfaces have? */
static bool brush_along(brush_triangles *c, cm__point normal) {
    if (!c->sided && cm__point_dot(normal, c->normal) <= -BRUSH_BACK) return false;
    if (!c->blocks) return cm__sweep_passes(&c->pair, c->u, c->v, normal, c->band, c->limit) && brush_has(c, normal);
    const double rate = cm__point_dot(c->v, normal);
    if (rate > SWEEP_SLIDE * cm__point_length(c->v) && rate < c->rate &&
        cm__moving_along(&c->pair, c->u, normal) >= -SWEEP_BRUSH * c->band && brush_has(c, normal))
        c->least = normal, c->rate = rate;
    return false;
}

/* The same across a face of one of the two. */
static bool brush_along_face(brush_triangles *c, const brush_side *side, cm__point a, cm__point b, cm__point d) {
    const cm__point n = cm__point_normal(a, b, d);
    if (!(cm__point_dot(n, n) > DBL_MIN)) return false;
    const cm__point out = cm__point_scale(frame_rotate(&side->frame, wide_normalize(n, n)), side->sign);
    return brush_along(c, out) || (!surface_is_solid(side->surface) && brush_along(c, wide_neg(out)));
}

/* The same across the triangle's own face or one beside it: all around a corner that is touched. */
static bool brush_beside(brush_triangles *c, const brush_side *side) {
    const cm_triangle *t = side->triangle;
    const cm__surface_ops *joined = cm__ops(side->surface->kind)->parts->surface;
    const cm__point corner[3] = {cm__point_of(t->a), cm__point_of(t->b), cm__point_of(t->c)};
    const cm__point at = frame_unrotate(&side->frame, cm__point_sub(c->at, side->frame.position));
    const double near = 4 * c->near;
    if (brush_along_face(c, side, corner[0], corner[1], corner[2])) return true;
    for (uint32_t e = 0; e < 3; e++) {
        const cm__point off = cm__point_sub(at, corner[e]);
        const int most = cm__point_dot(off, off) <= near * near ? BRUSH_FAN : 1;
        cm__point last = corner[(e + 1) % 3];
        uint32_t edge = 3 * side->number + e;
        for (int i = 0; i < most; i++) {
            cm_vec3 third;
            const uint32_t over = joined->across(side->surface, edge, &third);
            if (over == CM_NONE || over / 3 == side->number) break;
            if (brush_along_face(c, side, corner[e], cm__point_of(third), last)) return true;
            last = cm__point_of(third);
            edge = over / 3 * 3 + (over % 3 + 1) % 3; /* the neighbor's edge from that corner */
        }
    }
    return false;
}

/* The same across any of the planes that there are. */
static bool brush_any(brush_triangles *c) {
    return brush_along(c, c->normal) || brush_beside(c, &c->side[0]) || brush_beside(c, &c->side[1]);
}

/* Until when the motion counts. */
static double brush_limit(const cm__composite_sweep_state *s) { return s->turn > 0 ? (double)s->limit : s->end; }

/* `of`: a triangle of the surface `other`, number `number` there, which moves as the other does. */
static void brush_judge_triangles(const cm__composite_sweep_state *s, const cm_shape *other, uint32_t number,
                                  const cm_shape *of, const cm__part *part, cm_sweep_hit *hit) {
    const cm__point origin = cm__point_of(s->mo->start.position);
    brush_triangles c = {.u = (double)hit->first, .limit = brush_limit(s), .band = s->band, .near = s->near};
    double sizes = 0;
    cm__moving_of(of, s->mo, origin, &c.pair.a);
    cm__moving_of(&part->shape, s->mw, origin, &c.pair.b);
    cm__moving_pair_finish(&c.pair);
    c.pair.work = s->work;
    c.at = cm__point_sub(cm__point_of(hit->point), origin), c.normal = cm__point_of(hit->normal);
    c.v = cm__moving_pair_velocity(&c.pair, c.u, c.at, &sizes);
    if (!brush_is_possible(hit, c.v, 0, s->band)) return;
    c.side[0] = (brush_side){.surface = other, .number = number, .triangle = &of->u.triangle, .sign = 1};
    c.side[1] = (brush_side){s->whole, part->number, &part->shape.u.triangle, .sign = -1};
    cm__moving_at(&c.pair.a, c.u, &c.side[0].frame);
    cm__moving_at(&c.pair.b, c.u, &c.side[1].frame);
    c.sided = surface_is_solid(other) || surface_is_solid(s->whole);
    hit->blocking = !brush_any(&c);
    if (!hit->blocking || brush_has(&c, c.normal)) return;
    c.blocks = true, c.rate = DBL_MAX;
    brush_any(&c);
    if (c.rate < DBL_MAX) hit->normal = cm__vec3_of(c.least);
}

void cm__composite_judge_brush(cm__composite_sweep_state *s, const cm__part *part, cm_sweep_hit *hit) {
    if (!hit->blocking || !s->convex || !part_is_triangle(part)) return;
    if (s->surface) {
        if (s->depth <= s->band) brush_judge_triangles(s, s->surface, s->number, s->other, part, hit);
        return;
    }
    if (s->touching || s->flat) return;
    const cm__composite_question question = {part, NULL, s->mw, s->from, brush_limit(s)};
    const double u = (double)hit->first;
    const cm__point at = cm__point_sub(cm__point_of(hit->point), cm__point_of(s->mo->start.position));
    double sizes = 0;
    cm__moving_pair pair;
    cm__composite_pair(s, &question, &pair);
    const cm__point v = cm__moving_pair_velocity(&pair, u, at, &sizes);
    if (!brush_is_possible(hit, v, (double)s->other->radius, s->band)) return;
    const cm_vec3 normal = hit->normal;
    cm__sweep_judge(&pair, at, v, true, s->band, question.until, hit);
    if (!hit->blocking || !(cm_largest(cm_sub(hit->normal, normal)) > 0)) return;
    /* the way out of one triangle may be none out of the surface */
    cm_sweep_hit on = *hit;
    const cm__surface_answer answer = cm__composite_surface_hit(s, part, &on);
    hit->normal = answer != CM__SURFACE_NONE && on.blocking ? on.normal : normal;
}

void cm__composite_judge_first(cm__composite_sweep_state *s) {
    const cm__part *struck = &s->struck;
    if (struck->number == CM_NONE)
        cm__composite_judge_brush(s, &s->part, &s->stop);
    else if (!s->touching)
        brush_judge_triangles(s, s->other, struck->number, &struck->shape, &s->part, &s->stop);
}
