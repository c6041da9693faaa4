/* The steps of gjk_approx.c, in a header so that each support function gets a copy of them that it is inlined into.
 *
 * The simplex is up to three kept corners and the newest. Where fewer were kept, one is repeated in the free places, so
 * every step computes the same sums side by side: the edges from the newest corner to the kept ones, and the faces
 * between those. The feature that carries the closest point is picked by its number, without a branch: on two round
 * hulls mispredicted branches took as long as the sums. */
#ifndef CONVEX_GJK_STEPS_H
#define CONVEX_GJK_STEPS_H

#include "base/bits.h"
#include "convex/gjk_approx.h"
#include "math/real4.h"
#include "math/two.h"

#if defined(__GNUC__)
#define APPROX_INLINE static inline __attribute__((always_inline))
#else
#define APPROX_INLINE static inline
#endif

/* The numbers of a corner's two, as one. */
typedef uint64_t approx_name;
static inline approx_name approx_name_of(uint32_t a, uint32_t b) { return (approx_name)b << 32 | a; }
static inline uint32_t approx_name_a(approx_name name) { return (uint32_t)name; }
static inline uint32_t approx_name_b(approx_name name) { return (uint32_t)(name >> 32); }

typedef struct approx_simplex {
    real4_points kept;
    approx_name name[4]; /* 3: the newest */
    int count;           /* of those kept */
} approx_simplex;

typedef enum approx_run_end {
    APPROX_FOUND,  /* no nearer point is found */
    APPROX_BEYOND, /* `limit` apart, or more */
    APPROX_INSIDE, /* the origin is between the kept corners and the newest */
    APPROX_LIMIT
} approx_run_end;

/* A search, in and out. */
struct approx_run {
    approx_simplex simplex;
    cm_vec3 v; /* its closest point, or where to begin */
    cm_real square;
    cm_real limit, near; /* beyond, and what is rounding */
    approx_name last;    /* the newest corner */
    approx_run_end end;
    bool deep; /* inside beyond doubt */
};

static inline void approx_simplex_none(approx_simplex *out) {
    out->kept = real4_points_all(cm_v(0, 0, 0));
    for (int i = 0; i < 4; i++) out->name[i] = approx_name_of(CM_NONE, CM_NONE);
    out->count = 0;
}

/* Number by number, but for the newest: a copy of the whole would wait until all of it, just written in smaller parts,
 * has left for memory. */
APPROX_INLINE void approx_simplex_copy(const approx_simplex *s, approx_simplex *out) {
    out->kept.x = s->kept.x, out->kept.y = s->kept.y, out->kept.z = s->kept.z;
    out->name[0] = s->name[0], out->name[1] = s->name[1], out->name[2] = s->name[2];
    out->count = s->count;
}

/* Is a corner among the kept ones? */
APPROX_INLINE bool approx_has_corner(const approx_simplex *s, approx_name name) {
    return (s->name[0] == name) | (s->name[1] == name) | (s->name[2] == name);
}

/* For a watcher: the first `count` corners and, of way v, the newest; v NULL: the origin is between four. */
void cm__gjk_approx_show(const gjk_approx_search *search, const approx_simplex *s, int count, const cm_vec3 *v);
/* The same of copies: what is handed on by its place cannot stay in registers. */
APPROX_INLINE void approx_show(const gjk_approx_search *search, approx_simplex s, int count, cm_vec3 v) {
    cm__gjk_approx_show(search, &s, count, count < 4 ? &v : NULL);
}

/* What carries the closest point, by number: the faces at the newest corner, 0 1 2, the edges to the kept corners, 4 5
 * 6 (7: as 4), and those between the kept ones, 8 9 10 (11: as 8). The corners that are kept then, of kept ones and the
 * newest, 3, and how many; of an edge where the point is at its start, within, at its end. */
typedef struct approx_choice {
    uint8_t corner[3], count;
} approx_choice;
static const approx_choice approx_choices[12][3] = {
    {{{0, 1, 3}, 3}, {{0, 1, 3}, 3}, {{0, 1, 3}, 3}}, {{{1, 2, 3}, 3}, {{1, 2, 3}, 3}, {{1, 2, 3}, 3}},
    {{{2, 0, 3}, 3}, {{2, 0, 3}, 3}, {{2, 0, 3}, 3}}, {{{3, 3, 3}, 1}, {{3, 3, 3}, 1}, {{3, 3, 3}, 1}},
    {{{3, 3, 3}, 1}, {{0, 3, 3}, 2}, {{0, 0, 0}, 1}}, {{{3, 3, 3}, 1}, {{1, 3, 3}, 2}, {{1, 1, 1}, 1}},
    {{{3, 3, 3}, 1}, {{2, 3, 3}, 2}, {{2, 2, 2}, 1}}, {{{3, 3, 3}, 1}, {{0, 3, 3}, 2}, {{0, 0, 0}, 1}},
    {{{0, 0, 0}, 1}, {{0, 1, 1}, 2}, {{1, 1, 1}, 1}}, {{{1, 1, 1}, 1}, {{1, 2, 2}, 2}, {{2, 2, 2}, 1}},
    {{{2, 2, 2}, 1}, {{2, 0, 0}, 2}, {{0, 0, 0}, 1}}, {{{0, 0, 0}, 1}, {{0, 1, 1}, 2}, {{1, 1, 1}, 1}}};

/* Closest points of four edges, from `from` along `along`; by how much the squares of their distances are less than at
 * the start (no more than that where it is the end). */
typedef struct approx_edges {
    real4_points v;
    real4 gain;
    unsigned beyond_start, at_end; /* bits */
} approx_edges;
APPROX_INLINE approx_edges approx_edges_of(real4_points from, real4_points along) {
    approx_edges e;
    const real4 zero = real4_all(0), one = real4_all(1);
    const real4 way = real4_max(real4_sub(zero, real4_points_dot(from, along)), zero);
    const real4 square = real4_max(real4_points_dot(along, along), real4_all(CM_REAL_MIN));
    const real4 t = real4_min(real4_div(way, square), one);
    e.v = real4_points_mul_add(from, t, along);
    e.gain = real4_mul(way, t);
    e.beyond_start = real4_gt(t, zero), e.at_end = real4_ge(t, one);
    return e;
}
/* The largest of lanes 0, 1, 2, in these. */
APPROX_INLINE real4 approx_most(real4 a) {
    a = real4_max(a, real4_next(a));
    return real4_max(a, real4_next(a));
}

/* The faces at the newest corner w that the origin is over, and before which it lies where there are four corners;
 * *inside: of four corners all have it behind them. */
APPROX_INLINE unsigned approx_faces(real4_points e, real4_points w, bool four_corners, real4_points *v, bool *inside) {
    const real4 zero = real4_all(0);
    const real4_points f = real4_points_next(e), n = real4_points_cross(e, f);
    const real4 beyond_e = real4_points_dot(real4_points_cross(e, n), w);
    const real4 beyond_f = real4_points_dot(real4_points_cross(n, f), w);
    const real4 nn = real4_points_dot(n, n), height = real4_points_dot(n, w);
    const unsigned over = real4_gt(beyond_e, zero) & real4_gt(beyond_f, zero) &
                          real4_ge(real4_sub(real4_sub(nn, beyond_e), beyond_f), zero) & 7;
    const unsigned up = real4_gt(height, zero) & 7, down = real4_gt(zero, height) & 7;
    const bool positive = real4_first(real4_points_dot(n, real4_points_next(f))) > 0;
    const unsigned before = down ^ ((up ^ down) & (0u - (unsigned)positive)); /* a jump could not be predicted */
    const real4 s = real4_div(height, nn);
    v->x = real4_mul(n.x, s), v->y = real4_mul(n.y, s), v->z = real4_mul(n.z, s);
    *inside = four_corners & (before == 0);
    return over & (four_corners ? before : 7);
}

typedef struct approx_closest {
    cm_vec3 v;
    approx_choice choice;
} approx_closest;

/* The same where the edges between the kept corners may carry it, too. */
APPROX_INLINE void approx_between_kept(const approx_simplex *s, approx_closest *io) {
    const approx_edges far = approx_edges_of(s->kept, real4_points_sub(real4_points_next(s->kept), s->kept));
    cm_real x[4], y[4], z[4];
    real4_store(x, far.v.x), real4_store(y, far.v.y), real4_store(z, far.v.z);
    for (unsigned i = 0; i < 3; i++) {
        const cm_vec3 v = cm_v(x[i], y[i], z[i]);
        if (!(cm_dot(v, v) < cm_dot(io->v, io->v))) continue;
        io->v = v;
        io->choice = approx_choices[8 + i][(far.beyond_start >> i & 1) + (far.at_end >> i & 1)];
    }
}

/* The closest point of the simplex. `all`: of any three or fewer corners; else of those that a search keeps, where the
 * newest is part of what carries it. False: the origin is inside, and nothing has changed. */
APPROX_INLINE bool approx_closest_of(const approx_simplex *s, cm_vec3 newest, bool four_corners, const bool all,
                                     approx_closest *out) {
    const real4_points w = real4_points_all(newest), e = real4_points_sub(s->kept, w);
    real4_points over;
    bool inside;
    cm_real x[8], y[8], z[8];
    const approx_edges near = approx_edges_of(w, e);
    const unsigned best = real4_ge(near.gain, approx_most(near.gain)) & 7;
    unsigned bits = approx_faces(e, w, four_corners, &over, &inside);
    bits |= best << 4 | 1u << 7; /* the last: of what is no number */
    real4_store(x, over.x), real4_store(y, over.y), real4_store(z, over.z);
    real4_store(x + 4, near.v.x), real4_store(y + 4, near.v.y), real4_store(z + 4, near.v.z);
    const int which = bits_lowest(bits);
    const unsigned started = near.beyond_start << 4, ended = near.at_end << 4;
    out->v = cm_v(x[which], y[which], z[which]);
    out->choice = approx_choices[which][(started >> which & 1) + (ended >> which & 1)];
    if (all) approx_between_kept(s, out);
    return !inside;
}

APPROX_INLINE void approx_keep(approx_simplex *s, cm_vec3 newest, approx_choice c) {
    cm_real x[4], y[4], z[4];
    const unsigned i = c.corner[0], j = c.corner[1], k = c.corner[2];
    real4_store(x, s->kept.x), real4_store(y, s->kept.y), real4_store(z, s->kept.z);
    x[3] = newest.x, y[3] = newest.y, z[3] = newest.z;
    s->kept.x = real4_of(x[i], x[j], x[k], x[i]);
    s->kept.y = real4_of(y[i], y[j], y[k], y[i]);
    s->kept.z = real4_of(z[i], z[j], z[k], z[i]);
    const approx_name name[3] = {s->name[i], s->name[j], s->name[k]};
    for (int n = 0; n < 3; n++) s->name[n] = name[n];
    s->count = c.count;
}

/* Is the origin inside of the kept corners and the newest by more than rounding? Corners that are wrong by no more than
 * a ball around it that fits between them keep it inside. */
APPROX_INLINE bool approx_is_deep(real4_points kept, cm_vec3 newest, cm_real band) {
    cm_real x[4], y[4], z[4], side[3];
    cm_vec3 e[3], n[3];
    real4_store(x, kept.x), real4_store(y, kept.y), real4_store(z, kept.z);
    for (int i = 0; i < 3; i++) e[i] = cm_sub(cm_v(x[i], y[i], z[i]), newest);
    for (int i = 0; i < 3; i++) n[i] = cm_cross(e[i], e[(i + 1) % 3]);
    const cm_real volume = cm_dot(n[0], e[2]);
    for (int i = 0; i < 3; i++) /* of the origin, times the edges that make the face */
        side[i] = volume > 0 ? -cm_dot(n[i], newest) : cm_dot(n[i], newest);
    const cm_real square = cm_max(cm_max(cm_dot(e[0], e[0]), cm_dot(e[1], e[1])), cm_dot(e[2], e[2]));
    const cm_real least = 16 * band * square; /* no area is more than 4 times that square */
    const cm_real low = cm_min(cm_min(side[0], side[1]), side[2]);
    return low > least && cm_abs(volume) - (side[0] + side[1] + side[2]) > least;
}

/* Of two corners: the edge between them, as above. */
APPROX_INLINE bool approx_closest_of_two(const approx_simplex *s, cm_vec3 newest, approx_closest *out) {
    const cm_vec3 e = cm_sub(cm_v(real4_first(s->kept.x), real4_first(s->kept.y), real4_first(s->kept.z)), newest);
    const cm_real way = cm_max(-cm_dot(newest, e), 0), square = cm_max(cm_dot(e, e), CM_REAL_MIN);
    const cm_real t = cm_min(way / square, 1);
    out->v = cm_mul_add(newest, t, e);
    out->choice = approx_choices[4][(t > 0) + (t >= 1)];
    return true;
}

/* One corner: it is the closest point. */
APPROX_INLINE void approx_first(approx_simplex *s, cm_vec3 newest) {
    s->kept = real4_points_all(newest);
    for (int i = 0; i < 3; i++) s->name[i] = s->name[3];
    s->count = 1;
}

/* As cm__gjk_approx_support, from what it has laid out. */
typedef void approx_support(const void *from, const cm_vec3 *v, gjk_approx_corner *io);
/* From direction io->v on, to where a corner is found again or the origin is inside. */
APPROX_INLINE void approx_steps(const gjk_approx_search *search, approx_support *support, const void *from,
                                approx_run *io) {
    approx_simplex s;
    cm_vec3 v = io->v;
    cm_real square = io->square;
    gjk_approx_corner next = {{0, 0, 0}, approx_name_a(io->last), approx_name_b(io->last)};
    io->end = APPROX_LIMIT;
    approx_simplex_copy(&io->simplex, &s);
    for (int step = 0; step < GJK_APPROX_STEPS; step++) {
        support(from, &v, &next);
        s.name[3] = approx_name_of(next.a, next.b);
        if (search->pair->watch) approx_show(search, s, s.count, v);
        const bool have = s.count > 0;
        const cm_real along = cm_dot(v, next.w), length = cm_sqrt(square);
        const bool ahead = along > 0, beyond = ahead & (along > io->limit * length);
        const bool near = have & ahead & (square - along <= io->near * length);
        if (beyond | near | approx_has_corner(&s, s.name[3])) {
            io->end = beyond ? APPROX_BEYOND : APPROX_FOUND;
            break;
        }
        approx_closest closest;
        if (!have) {
            approx_first(&s, next.w);
            v = next.w, square = cm_dot(v, v);
        } else if (s.count == 1 ? approx_closest_of_two(&s, next.w, &closest)
                                : approx_closest_of(&s, next.w, s.count == 3, false, &closest)) {
            const cm_real nearer = cm_dot(closest.v, closest.v);
            if (!(nearer < square)) {
                io->end = APPROX_FOUND;
                break;
            }
            approx_keep(&s, next.w, closest.choice);
            v = closest.v, square = nearer;
        } else {
            if (search->pair->watch) approx_show(search, s, 4, v);
            io->deep = approx_is_deep(s.kept, next.w, io->near);
            io->end = APPROX_INSIDE;
            break;
        }
        if (!(square > 0)) {
            io->end = APPROX_FOUND;
            break;
        }
    }
    approx_simplex_copy(&s, &io->simplex);
    io->v = v;
    io->last = approx_name_of(next.a, next.b);
}

#endif
