/* Fewer points for a manifold: the deepest, then those that lie farthest apart. */
#include "convex/manifold.h"

void cm_manifold_reduce(cm_manifold *m, int room) {
    const int most = (int)(sizeof m->points / sizeof m->points[0]);
    if (!m || room < 1 || m->count <= room || m->count > most) return;
    cm__point at[8];
    double gap[8];
    bool kept[8];
    for (int i = 0; i < m->count; i++) {
        at[i] = cm__point_of(m->points[i].point_a);
        gap[i] = -(double)m->points[i].depth;
    }
    cm__convex_spread(at, gap, m->count, room, kept);
    int n = 0;
    for (int i = 0; i < m->count; i++)
        if (kept[i]) m->points[n++] = m->points[i];
    m->count = n;
}
