/* Steps toward the depth of two cores of any kind, down from a direction: the curvature is learned from the steps
 * (descent.h). Nothing is proved but the depth along the direction found. Frame: A's. Bound: LEARN_STEPS steps of at
 * most 12 support points. Based on: [Nocedal06 §6.1]. */
#include "convex/descent.h"
#include "math/wide.h"

#define LEARN_STEPS 24
#define LEARN_LEAP  0.25 /* the longest step, of a direction of length 1: the first curvature is a guess */

static cm__point learn_unit(cm__point p) { return cm__point_scale(p, 1 / cm__point_length(p)); }
static void learn_farthest(const cm__convex_pair *pair, cm__point u, cm__convex_vertex *io) {
    convex_support(pair, wide_neg(u), true, io);
}

/* Down to the least reach h(u) = max of u.w nearby. On the plane u + x e + y f, h is convex with the gradient (w.e,
 * w.f); over the length of the argument it is the depth. Two variables, so the curvature is learned in a few steps. */
void cm__descent_learn(const cm__convex_pair *pair, cm__descent_try *io) {
    const cm__point u = io->u;
    cm__point least = fabs(u.x) <= fabs(u.y) && fabs(u.x) <= fabs(u.z) ? cm__p(1, 0, 0)
                      : fabs(u.y) <= fabs(u.z)                         ? cm__p(0, 1, 0)
                                                                       : cm__p(0, 0, 1);
    cm__point e = learn_unit(cm__point_cross(u, least)), f = cm__point_cross(u, e);
    double inverse[3] = {1 / pair->scale, 0, 1 / pair->scale}; /* of the curvature: xx, xy, yy */
    learn_farthest(pair, u, &io->at);
    io->reach = cm__point_dot(u, io->at.w);
    double x = 0, y = 0, gx = cm__point_dot(io->at.w, e), gy = cm__point_dot(io->at.w, f);
    for (int step = 0; step < LEARN_STEPS; step++) {
        double px = -(inverse[0] * gx + inverse[1] * gy), py = -(inverse[1] * gx + inverse[2] * gy);
        cm__descent_try next = *io;
        double nx = 0, ny = 0, length = 1, size = sqrt(px * px + py * py),
               t = size > LEARN_LEAP ? LEARN_LEAP / size : 1;
        bool down = false;
        for (int k = 0; k < 12 && !down; k++, t /= 4) {
            nx = x + t * px, ny = y + t * py;
            next.u = cm__point_add(u, cm__point_add(cm__point_scale(e, nx), cm__point_scale(f, ny)));
            length = cm__point_length(next.u);
            next.u = cm__point_scale(next.u, 1 / length);
            learn_farthest(pair, next.u, &next.at);
            next.reach = cm__point_dot(next.u, next.at.w);
            down = next.reach < io->reach;
        }
        if (!down) break;
        /* the gradient of h(u + x e + y f) / length */
        double hx = (cm__point_dot(next.at.w, e) - next.reach * nx / length) / length;
        double hy = (cm__point_dot(next.at.w, f) - next.reach * ny / length) / length;
        double sx = nx - x, sy = ny - y, qx = hx - gx, qy = hy - gy, sq = sx * qx + sy * qy;
        if (sq > 0) { /* what the step showed of the curvature: [Nocedal06 §6.1] */
            double wx = inverse[0] * qx + inverse[1] * qy, wy = inverse[1] * qx + inverse[2] * qy;
            double r = (1 + (qx * wx + qy * wy) / sq) / sq;
            inverse[0] += r * sx * sx - 2 * sx * wx / sq;
            inverse[1] += r * sx * sy - (sx * wy + sy * wx) / sq;
            inverse[2] += r * sy * sy - 2 * sy * wy / sq;
        }
        double gain = io->reach - next.reach;
        *io = next;
        x = nx, y = ny, gx = hx, gy = hy;
        if (gain <= DBL_EPSILON * pair->scale) break;
    }
    io->lack = sqrt(gx * gx + gy * gy);
}

void cm__descent_perpendicular_to(const cm__convex_pair *pair, cm__point u, cm__descent_try *out) {
    const double h = 0.70710678118654752440; /* of 45 degrees */
    const double around[8][2] = {{1, 0}, {h, h}, {0, 1}, {-h, h}, {-1, 0}, {-h, -h}, {0, -1}, {h, -h}};
    /* at least 37 degrees off u */
    cm__point axis = fabs(u.x) < 0.6 ? cm__p(1, 0, 0) : cm__p(0, 1, 0);
    cm__point e = learn_unit(cm__point_cross(u, axis)), f = cm__point_cross(u, e);
    out->reach = DBL_MAX;
    for (int i = 0; i < 8; i++) {
        cm__convex_vertex x = {cm__p(0, 0, 0), cm__p(0, 0, 0), 0, 0};
        cm__point v = cm__point_mul_add(cm__point_scale(e, around[i][0]), around[i][1], f);
        learn_farthest(pair, v, &x);
        double reach = cm__point_dot(v, x.w);
        if (reach < out->reach) out->u = v, out->reach = reach, out->at = x;
    }
}
