/* Polygon clipping for contact manifolds: the incident face of one shape is cut by the side planes through the edges of
 * the other's reference face. What is left of the incident face lies over the reference face.
 *
 * Feature ids: a corner of the result is either one of the incident face's own, or the crossing of two lines, each an
 * edge of the incident face or a side plane. Each line bounds the result at most once, so ids are unique.
 * Based on: [Sutherland74]. */
#ifndef CONVEX_CLIP_H
#define CONVEX_CLIP_H

#include "shape/core.h"

#define CLIP_ROOM  (2 * CM__FACET_MAX) /* each of up to CM__FACET_MAX planes adds at most one corner */
#define CLIP_MADE  UINT32_MAX
#define CLIP_PLANE CM__FACET_MAX

typedef struct clip_corner {
    cm__point p;
    uint32_t corner; /* index of a corner of the incident face; CLIP_MADE for a crossing of two lines */
    uint32_t line; /* line of the edge after this corner: index of an edge of the incident face, or CLIP_PLANE + a side
                      plane */
} clip_corner;

static inline void clip_begin(clip_corner *poly, const cm__point *corner, int count) {
    for (int i = 0; i < count; i++) poly[i].p = corner[i], poly[i].corner = poly[i].line = (uint32_t)i;
}

/* The outward normal of the side plane through an edge of the reference face, parallel to the contact normal. The
 * face's next corner lies behind the plane, in whichever sense the corners run. */
static inline cm__point clip_outward(cm__point from, cm__point to, cm__point next, cm__point normal) {
    const cm__point out = cm__point_cross(cm__point_sub(to, from), normal);
    return cm__point_dot(out, cm__point_sub(next, to)) > 0 ? cm__p(-out.x, -out.y, -out.z) : out;
}

/* Clips a polygon, a line (`line`: two corners, and it stays a line) or a single corner by plane `number`: keeps the
 * points with dot(outward, p) <= level. Returns the number of corners left, at most `room` <= CLIP_ROOM. */
static inline int clip_behind(clip_corner *poly, int count, int room, bool line, cm__point outward, double level,
                              uint32_t number) {
    clip_corner out[CLIP_ROOM];
    double over[CLIP_ROOM]; /* the plane */
    int n = 0;
    bool cut = false;
    for (int i = 0; i < count; i++) over[i] = cm__point_dot(outward, poly[i].p) - level, cut |= !(over[i] <= 0);
    if (!cut) return count;
    if (count == 1) return 0;
    for (int i = 0, edges = line ? 1 : count; i < edges; i++) {
        const int next = i + 1 < count ? i + 1 : 0;
        const clip_corner *from = &poly[i], *to = &poly[next];
        const double d0 = over[i], d1 = over[next];
        if (d0 <= 0 && n < room) out[n++] = *from;
        if ((d0 > 0) != (d1 > 0) && n < room) {
            out[n].p = cm__point_between(from->p, to->p, d0 / (d0 - d1));
            out[n].corner = CLIP_MADE;
            out[n++].line = d0 <= 0 || line ? CLIP_PLANE + number : from->line;
        }
        if (line && d1 <= 0 && n < room) out[n++] = *to;
    }
    for (int i = 0; i < n; i++) poly[i] = out[i];
    return n;
}

/* The two lines that cross at a made corner, the lower number first. A line has one edge of its own. */
static inline void clip_lines(const clip_corner *poly, int count, int i, bool line, uint32_t *low, uint32_t *high) {
    const uint32_t x = poly[i].line, y = line ? 0 : poly[i > 0 ? i - 1 : count - 1].line;
    *low = x < y ? x : y, *high = x < y ? y : x;
}

#endif
