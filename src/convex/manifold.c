/* Contact manifold of two convex cores along a given normal, that of their gap. A face of one that is perpendicular to
 * the normal is the reference face; the other's incident face is clipped by the planes through its edges (clip.h), and
 * corners within the margin of the reference face's plane are the contact points. Two parallel lines (capsules, the
 * sides of cylinders, edges of shapes without such a face) touch at the ends of the stretch that they share. All else
 * touches in one point, that of the gap.
 *
 * Frame: A's. "Perpendicular" is within MANIFOLD_FACE_COS: a polytope's normal is that of a face or a product of edges,
 * so that only bridges rounding, and the error of a curved core's normal. The distance of a point is measured along the
 * normal, exactly to the reference face, up to clipping on the other side. The deepest point is as deep as the gap. Ids
 * of features are made of corners and faces, not of their order, so they stay while the faces do. Bound: CM__FACET_MAX
 * corners a face; more than 8 points are reduced to the deepest and those that reach farthest.
 * Based on: [Gregorius13] for reference and incident faces. */
#include "convex/manifold.h"
#include "convex/clip.h"
#include "convex/observe.h"

#define MANIFOLD_FACE_COS (1 - 1e-6)           /* a cosine: within 1.4e-3 rad a face is perpendicular to the normal */
#define MANIFOLD_PARALLEL 0.02                 /* sine between two lines, and between a line and the plane of contact */
#define MANIFOLD_BESIDE   5e-4                 /* of a line's length: how far points of lines may lie off it sideways */
#define MANIFOLD_TIE      1e-9                 /* of cosines, and of the scale: rounding, with room to spare */
#define MANIFOLD_OFF      1e-6                 /* of the smaller's size: what curved cores' points are off by */
#define MANIFOLD_DRIFT    UINT32_C(0x3fffffff) /* marks where lines drifted apart */
#define MANIFOLD_THIN     1e-10                /* a face this many times as long as wide is an edge */
#define MANIFOLD_OWN      UINT32_C(0x40000000) /* marks the number of the gap's own point */
#define MANIFOLD_FACE     UINT32_C(0x20000000) /* marks a face's number where else a corner's stands */

/* One number for an unordered pair; the highest bit distinguishes it from a corner's. */
static uint32_t manifold_feature(uint32_t a, uint32_t b) {
    uint32_t low = a < b ? a : b, high = a < b ? b : a;
    return UINT32_C(0x80000000) | ((low * UINT32_C(0x9e3779b1)) ^ (high * UINT32_C(0x85ebca6b))) >> 1;
}

/* The number of the edge that begins at place i of a facet; where rounding left a polygon too bent to tell, none. */
static uint32_t manifold_edge(const cm__facet *f, uint32_t i) {
    if (i >= (uint32_t)f->count) return CM_NONE;
    return manifold_feature(f->id[i], f->id[(int)i + 1 < f->count ? i + 1 : 0]);
}

/* The numbers of corner i for the incident side and for the face: a corner over the face, two edges that cross, or a
 * corner of the face under the other. */
static void manifold_name(const clip_corner *poly, int count, int i, const cm__facet *inc, const cm__facet *face,
                          uint32_t *own, uint32_t *other) {
    uint32_t low, high;
    if (poly[i].corner != CLIP_MADE) {
        *own = inc->id[poly[i].corner], *other = face->number;
        return;
    }
    clip_lines(poly, count, i, inc->count == 2, &low, &high);
    if (low < CLIP_PLANE) {
        *own = manifold_edge(inc, low), *other = manifold_edge(face, high - CLIP_PLANE);
        return;
    }
    low -= CLIP_PLANE, high -= CLIP_PLANE;
    *own = inc->number | MANIFOLD_FACE;
    *other = high == low + 1                            ? face->id[high]
             : low == 0 && (int)high == face->count - 1 ? face->id[0]
                                                        : manifold_feature(face->id[low], face->id[high]);
}

static void manifold_add(cm__convex_manifold *m, int room, cm__point a, cm__point b, double gap, uint32_t feature_a,
                         uint32_t feature_b) {
    if (m->count >= room) return;
    cm__convex_contact *c = &m->contact[m->count++];
    c->a = a, c->b = b, c->gap = gap;
    c->feature_a = feature_a, c->feature_b = feature_b;
}

/* For a watcher: what is left of the incident face after the side plane through edge `side` of the reference face, or
 * before all planes. */
static CM__RARE void clip_show(const cm__convex_pair *pair, const cm__facet *reference, bool reference_is_a,
                               cm__point normal, const clip_corner *poly, int count, uint32_t side) {
    cm__watch *watch = pair->watch;
    cm_vec3 around[CM__FACET_MAX], left[CLIP_ROOM];
    cm_step step;
    cm__watch_begin(watch, CM_STEP_CLIP, &step);
    for (int i = 0; i < reference->count; i++) around[i] = cm__watch_point(watch, reference->point[i]);
    for (int i = 0; i < count; i++) left[i] = cm__watch_point(watch, poly[i].p);
    step.direction = cm__watch_direction(watch, normal);
    step.reference_is_a = reference_is_a != watch->swapped;
    step.side = side;
    step.reference_count = reference->count, step.reference = around;
    step.polygon_count = count, step.polygon = left;
    cm__watch_send(watch, &step);
}

/* The points, on the surfaces or, `on_cores`, before the radii are added. */
static CM__RARE void contacts_show(const cm__convex_pair *pair, const cm__convex_manifold *m, bool on_cores) {
    cm__watch *watch = pair->watch;
    const double ra = on_cores ? pair->a->radius : 0, rb = on_cores ? pair->b->radius : 0;
    cm_contact_point contacts[CLIP_ROOM];
    cm_step step;
    cm__watch_begin(watch, CM_STEP_CONTACTS, &step);
    for (int i = 0; i < m->count; i++) {
        const cm__convex_contact *c = &m->contact[i];
        const cm_vec3 a = cm__watch_point(watch, cm__point_mul_add(c->a, ra, m->normal));
        const cm_vec3 b = cm__watch_point(watch, cm__point_mul_add(c->b, -rb, m->normal));
        const cm_real depth = (cm_real)(0 - (c->gap - (ra + rb)));
        const cm_contact_point forth = {a, b, depth, c->feature_a, c->feature_b};
        const cm_contact_point back = {b, a, depth, c->feature_b, c->feature_a};
        contacts[i] = watch->swapped ? back : forth;
    }
    step.direction = cm__watch_direction(watch, m->normal);
    step.contact_count = m->count, step.contacts = contacts;
    cm__watch_send(watch, &step);
}

/* Clips the incident face `other` by the side planes through the edges of the reference face `face`, parallel to the
 * contact normal, which may differ a little from the face's. The points left lie over the face, however deep. Those at
 * most `margin` away along the normal are kept. */
static void manifold_of_face(const cm__convex_pair *pair, const cm__facet *face, const cm__facet *other, bool face_is_a,
                             cm__point normal, double least, double margin, cm__convex_manifold *out) {
    clip_corner poly[CLIP_ROOM];
    int count = other->count;
    clip_begin(poly, other->point, count);
    if (pair->watch) clip_show(pair, face, face_is_a, normal, poly, count, CM_NONE);
    for (int i = 0; i < face->count && count > 0; i++) {
        const int k = i + 1 < face->count ? i + 1 : 0, l = k + 1 < face->count ? k + 1 : 0;
        const cm__point outward = clip_outward(face->point[i], face->point[k], face->point[l], normal);
        count = clip_behind(poly, count, CLIP_ROOM, other->count == 2, outward, cm__point_dot(outward, face->point[i]),
                            (uint32_t)i);
        if (pair->watch) clip_show(pair, face, face_is_a, normal, poly, count, (uint32_t)i);
    }
    double slope = cm__point_dot(face->normal, normal); /* 1 or -1, nearly */
    for (int i = 0; i < count; i++) {
        /* along the normal from the face's plane to the point */
        double t = cm__point_dot(cm__point_sub(poly[i].p, face->point[0]), face->normal) / slope;
        cm__point foot = cm__point_mul_add(poly[i].p, -t, normal);
        double gap = face_is_a ? t : -t;
        if (gap < least) gap = least;
        if (!(gap <= margin)) continue;
        uint32_t own, under;
        manifold_name(poly, count, i, other, face, &own, &under);
        if (face_is_a)
            manifold_add(out, CLIP_ROOM, foot, poly[i].p, gap, under, own);
        else
            manifold_add(out, CLIP_ROOM, poly[i].p, foot, gap, own, under);
    }
}

/* The ends of the common stretch of two nearly parallel lines, both perpendicular to the normal. Lines that cross at a
 * small angle drift apart sideways: the stretch ends where they are MANIFOLD_BESIDE of their length apart. */
static void manifold_of_lines(const cm__convex_pair *pair, const cm__facet *fa, const cm__facet *fb, cm__point normal,
                              double least, double margin, cm__convex_manifold *out) {
    cm__point e = cm__point_sub(fa->point[1], fa->point[0]), f = cm__point_sub(fb->point[1], fb->point[0]);
    double le = cm__point_length(e), lf = cm__point_length(f);
    if (!(cm__point_length(cm__point_cross(e, f)) <= MANIFOLD_PARALLEL * le * lf)) return;
    if (!(fabs(cm__point_dot(e, normal)) <= MANIFOLD_PARALLEL * le)) return;
    if (!(fabs(cm__point_dot(f, normal)) <= MANIFOLD_PARALLEL * lf)) return;
    cm__point along = cm__point_scale(e, 1 / le);
    /* perpendicular to the normal: a point may be deep over an end, and the line may lean against the normal's plane */
    cm__point across = cm__point_mul_add(along, -cm__point_dot(along, normal), normal);
    clip_corner line[2];
    int count = 2;
    clip_begin(line, fb->point, count);
    cm__point back = cm__p(-across.x, -across.y, -across.z), beside = cm__point_cross(normal, along);
    const double part = cm__point_dot(across, across);
    double aside = MANIFOLD_BESIDE * (le < lf ? le : lf), middle = cm__point_dot(beside, fa->point[0]);
    const cm__point other = cm__p(-beside.x, -beside.y, -beside.z);
    const struct {
        cm__point outward;
        double level;
        uint32_t feature;
    } plane[4] = {{back, cm__point_dot(back, fa->point[0]), fa->id[0]},
                  {across, cm__point_dot(across, fa->point[1]), fa->id[1]},
                  {beside, middle + aside, MANIFOLD_DRIFT},
                  {other, aside - middle, MANIFOLD_DRIFT}};
    if (pair->watch) clip_show(pair, fa, true, normal, line, count, CM_NONE);
    for (int i = 0; i < 4 && count == 2; i++) {
        count = clip_behind(line, count, 2, true, plane[i].outward, plane[i].level, (uint32_t)i);
        if (pair->watch) clip_show(pair, fa, true, normal, line, count, (uint32_t)i);
    }
    for (int i = 0; i < count && count == 2; i++) {
        double at = cm__point_dot(cm__point_sub(line[i].p, fa->point[0]), across) / part;
        cm__point a = cm__point_mul_add(fa->point[0], at, along);
        double gap = cm__point_dot(cm__point_sub(line[i].p, a), normal);
        if (gap < least) gap = least;
        if (!(gap <= margin)) continue;
        const bool own_end = line[i].corner != CLIP_MADE;
        manifold_add(out, CLIP_ROOM, a, cm__point_mul_add(a, gap, normal), gap,
                     own_end ? CM_NONE : plane[line[i].line - CLIP_PLANE].feature,
                     own_end ? fb->id[line[i].corner] : manifold_edge(fb, 0));
    }
}

void cm__convex_spread(const cm__point *at, const double *gap, int count, int room, bool *kept) {
    double near[CLIP_ROOM]; /* squared distance to the nearest of those kept; of these themselves -1 */
    int pick = 0;
    for (int i = 0; i < count; i++) {
        kept[i] = false, near[i] = DBL_MAX;
        if (gap[i] < gap[pick]) pick = i;
    }
    for (int n = 1;; n++) {
        const cm__point from = at[pick];
        kept[pick] = true, near[pick] = -1;
        if (n == room) return;
        for (int i = 0; i < count; i++) {
            const cm__point d = cm__point_sub(at[i], from);
            const double square = cm__point_dot(d, d);
            near[i] = square < near[i] ? square : near[i];
        }
        pick = 0;
        for (int i = 1; i < count; i++)
            if (near[i] > near[pick]) pick = i;
        if (near[pick] < 0) return;
    }
}

void cm__convex_manifold_thin(cm__convex_manifold *m, int room) {
    cm__point at[CLIP_ROOM];
    double gap[CLIP_ROOM];
    bool kept[CLIP_ROOM];
    if (room < 1 || m->count <= room) return;
    for (int i = 0; i < m->count; i++) at[i] = m->contact[i].a, gap[i] = m->contact[i].gap;
    cm__convex_spread(at, gap, m->count, room, kept);
    int n = 0;
    for (int i = 0; i < m->count; i++)
        if (kept[i]) m->contact[n++] = m->contact[i];
    m->count = n;
}

/* A face without width is an edge, one without length a corner: no planes through its sides would bound it. */
static void facet_settle(cm__facet *f) {
    if (f->count < 3) return;
    const cm__point *p = f->point;
    cm__point e = cm__point_sub(p[1], p[0]), g = cm__point_sub(p[f->count - 1], p[0]), x = cm__point_cross(e, g);
    const double thin = MANIFOLD_THIN * MANIFOLD_THIN;
    if (cm__point_dot(x, x) > thin * cm__point_dot(e, e) * cm__point_dot(g, g) &&
        cm__point_dot(e, e) > thin * cm__point_dot(g, g) && cm__point_dot(g, g) > thin * cm__point_dot(e, e))
        return; /* as nearly all are */
    int from = 0, to = 0;
    double most = 0, wide = 0;
    for (int pass = 0; pass < 2; pass++) { /* from any corner to the farthest, and from there again */
        from = to, most = 0;
        for (int i = 0; i < f->count; i++) {
            cm__point d = cm__point_sub(p[i], p[from]);
            if (cm__point_dot(d, d) > most) most = cm__point_dot(d, d), to = i;
        }
    }
    cm__point along = cm__point_sub(p[to], p[from]);
    for (int i = 0; i < f->count; i++) {
        cm__point d = cm__point_cross(cm__point_sub(p[i], p[from]), along);
        wide = cm__point_dot(d, d) > wide ? cm__point_dot(d, d) : wide;
    }
    if (wide > thin * most * most) return;
    cm__point ends[2] = {p[from], p[to]};
    uint32_t ids[2] = {f->id[from], f->id[to]};
    for (int i = 0; i < 2; i++) f->point[i] = ends[i], f->id[i] = ids[i];
    f->count = most > 0 ? 2 : 1;
    f->number = CM_NONE;
}

/* For a face that is not perpendicular to the normal: its edge farthest along the normal, from the farthest corner to
 * the farther of its neighbors. An edge or corner stays as it is. */
static void facet_edge(const cm__facet *f, cm__point out, cm__facet *edge) {
    if (f->count < 3) {
        *edge = *f;
        return;
    }
    int top = 0;
    for (int i = 1; i < f->count; i++)
        if (cm__point_dot(cm__point_sub(f->point[i], f->point[top]), out) > 0) top = i;
    const int next = top + 1 < f->count ? top + 1 : 0, before = top > 0 ? top - 1 : f->count - 1;
    const bool ahead = cm__point_dot(cm__point_sub(f->point[next], f->point[before]), out) >= 0;
    const int ends[2] = {top, ahead ? next : before};
    edge->count = 2;
    edge->number = CM_NONE;
    edge->normal = f->normal;
    for (int i = 0; i < 2; i++) edge->point[i] = f->point[ends[i]], edge->id[i] = f->id[ends[i]];
}

static void facet_to_a(const cm__frame *b_in_a, cm__facet *f) {
    for (int i = 0; i < f->count; i++) f->point[i] = frame_apply(b_in_a, f->point[i]);
    f->normal = frame_rotate(b_in_a, f->normal);
}

void cm__convex_manifold_of(const cm__convex_pair *pair, const cm__convex_gap *gap, double margin,
                            cm__convex_manifold *out) {
    const double radius = pair->a->radius + pair->b->radius, least = gap->core_distance;
    const cm__point n = gap->normal, back = cm__p(-n.x, -n.y, -n.z);
    out->normal = n;
    out->count = 0;
    if (gap->end == CM__CONVEX_BEYOND || !(gap->distance <= margin)) return;
    watch_search(pair->watch);
    cm__facet fa, fb;
    fa.hint = gap->id_a, fb.hint = gap->id_b;
    fa.farthest = fb.farthest = gap->farthest;
    pair->a->ops->facet(pair->a, n, &fa);
    pair->b->ops->facet(pair->b, frame_unrotate(&pair->b_in_a, back), &fb);
    facet_to_a(&pair->b_in_a, &fb);
    facet_settle(&fa);
    facet_settle(&fb);
    double cosine_a = fa.count >= 3 ? cm__point_dot(fa.normal, n) : -1;
    double cosine_b = fb.count >= 3 ? cm__point_dot(fb.normal, back) : -1;
    /* A's side wins ties, so that rounding does not make them flicker */
    if (cosine_a >= MANIFOLD_FACE_COS && (cosine_a >= cosine_b - MANIFOLD_TIE || cosine_b < MANIFOLD_FACE_COS))
        manifold_of_face(pair, &fa, &fb, true, n, least, margin + radius, out);
    else if (cosine_b >= MANIFOLD_FACE_COS)
        manifold_of_face(pair, &fb, &fa, false, n, least, margin + radius, out);
    else if (fa.count > 1 && fb.count > 1) {
        cm__facet edge_a, edge_b;
        facet_edge(&fa, n, &edge_a);
        facet_edge(&fb, back, &edge_b);
        manifold_of_lines(pair, &edge_a, &edge_b, n, least, margin + radius, out);
    }
    double deepest = DBL_MAX;
    for (int i = 0; i < out->count; i++) deepest = deepest < out->contact[i].gap ? deepest : out->contact[i].gap;
    /* what was clipped away may have been the deepest: the gap's own point stands in for it */
    const double smaller = pair->a->size < pair->b->size ? pair->a->size : pair->b->size;
    if (!(deepest <= least + MANIFOLD_OFF * smaller + MANIFOLD_TIE * pair->scale)) {
        uint32_t kind = out->count > 0 ? MANIFOLD_OWN : 0; /* beside others: a corner may have a face's number */
        uint32_t own_a = fa.count == 1 ? fa.id[0] : fa.number, own_b = fb.count == 1 ? fb.id[0] : fb.number;
        manifold_add(out, CLIP_ROOM, gap->core_a, gap->core_b, least, own_a == CM_NONE ? own_a : own_a | kind, own_b);
    }
    if (pair->watch) contacts_show(pair, out, true);
    cm__convex_manifold_thin(out, 8);
    for (int i = 0; i < out->count; i++) { /* the radii */
        cm__convex_contact *c = &out->contact[i];
        c->a = cm__point_mul_add(c->a, pair->a->radius, n);
        c->b = cm__point_mul_add(c->b, -pair->b->radius, n);
        c->gap -= radius;
    }
    if (pair->watch) contacts_show(pair, out, false);
}
