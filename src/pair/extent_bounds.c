/* Bounds over a triangle: by four planes, and by where a segment enters it. */
#include "pair/extent_bounds.h"

#include "math/wide.h"

/* It is highest at a corner, where two planes cross an edge, or where three planes meet. */
double cm__highest_of_lowest(double h[4][3]) {
    double best = -DBL_MAX;
    double w[3 + 18 + 4][3];
    int count = 0;
    for (int i = 0; i < 3; ++i) {
        w[count][i] = 1, w[count][(i + 1) % 3] = 0, w[count][(i + 2) % 3] = 0;
        ++count;
    }
    for (int k = 0; k < 4; ++k) {
        for (int l = 0; l < k; ++l) {
            double d[3] = {h[k][0] - h[l][0], h[k][1] - h[l][1], h[k][2] - h[l][2]};
            for (int i = 0; i < 3; ++i) {
                int j = (i + 1) % 3;
                if (!((d[i] > 0) != (d[j] > 0))) continue;
                double t = d[i] / (d[i] - d[j]);
                w[count][i] = 1 - t, w[count][j] = t, w[count][(i + 2) % 3] = 0;
                ++count;
            }
        }
    }
    for (int out = 0; out < 4; ++out) { /* the three planes but `out` are equally high at w: both differences vanish */
        const double *p = h[(out + 1) % 4], *q = h[(out + 2) % 4], *r = h[(out + 3) % 4];
        cm__point d = cm__p(p[0] - q[0], p[1] - q[1], p[2] - q[2]), e = cm__p(p[0] - r[0], p[1] - r[1], p[2] - r[2]);
        cm__point at = cm__point_cross(d, e);
        double sum = at.x + at.y + at.z;
        if (sum == 0) continue;
        at = cm__point_scale(at, 1 / sum);
        if (!(at.x >= 0 && at.y >= 0 && at.z >= 0)) continue;
        w[count][0] = at.x, w[count][1] = at.y, w[count][2] = at.z;
        ++count;
    }
    for (int c = 0; c < count; ++c) {
        double low = DBL_MAX;
        for (int k = 0; k < 4; ++k) low = wide_min(low, w[c][0] * h[k][0] + w[c][1] * h[k][1] + w[c][2] * h[k][2]);
        best = wide_max(best, low);
    }
    return best;
}

bool cm__enters_triangle(const cm__point v[3], const cm__point n[3], cm__point from, cm__point to, double slack) {
    double first = 0, last = 1;
    for (int i = 0; i < 3; ++i) {
        double a = cm__point_dot(n[i], cm__point_sub(from, v[i])) - slack;
        double b = cm__point_dot(n[i], cm__point_sub(to, v[i])) - slack;
        if (a <= 0 && b <= 0) return false;
        if (a < 0) first = wide_max(first, a / (a - b));
        if (b < 0) last = wide_min(last, a / (a - b));
    }
    return first < last;
}
