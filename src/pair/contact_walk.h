/* What the rules for contacts of a convex shape with a composite share (composite_contact.c): the state of the walk
 * over the composite's parts. Frame: the composite's. */
#ifndef PAIR_CONTACT_WALK_H
#define PAIR_CONTACT_WALK_H

#include "pair/composite.h"
#include "pair/prepared.h"
#include "pair/surface.h"

/* Triangles near the body are collected first, up to this many, because the rules need to know how the surface lies
 * around the body. */
#define CONTACT_WAITING 128

typedef struct cm__contact_part {
    cm_triangle triangle;
    uint32_t number;
} cm__contact_part;

/* A triangle whose way out is not out of its front: the second rule is asked when all others have been. */
typedef struct cm__contact_late {
    uint8_t at; /* of `wait` */
    cm__gap gap;
    cm__point own;   /* normal */
    bool has, front; /* has the surface the gap's direction; may it have `own` */
} cm__contact_late;

/* The shape's lowest part along a direction. */
typedef struct cm__contact_lowest {
    cm__point normal;
    cm__point corner[8]; /* spans it; may repeat */
    bool is_face;
} cm__contact_lowest;

typedef struct cm__contact_walk {
    cm__prepared prepared;
    const cm_pose *b_in_a; /* the composite in the shape's frame */
    cm_aabb box;
    cm__surface here, *surface; /* the composite's surface, seen from the shape, or from the surface that the shape is a
                                   triangle of */
    cm__contact_own *own;       /* the surface that the shape is a triangle of, or NULL */
    cm_real margin;
    double slack;              /* rounding of positions */
    double curved;             /* error of the depth of a curved shape */
    cm__contact_lowest lowest; /* the one asked for last: triangles in one plane ask for the same; normal 0: none yet */
    cm__contacts *to;
    int before, weak_before; /* how many contacts there were before this walk */
    int waiting, late_count;
    cm__contact_part wait[CONTACT_WAITING];
    cm__point way[CONTACT_WAITING]; /* how the shape leaves each by its contact; 0: it has none */
    cm__contact_late late[CONTACT_WAITING];
    bool behind; /* one of them is overlapped from behind */
    /* the best contact whose direction the surface does not have: the answer where there is no other */
    bool spare;
    cm__gap spare_gap;
    cm__contact_part spare_part;
    cm__contact_part deepest; /* the triangle that takes the longest way to leave */
    double deepest_gap;
} cm__contact_walk;

/* A total order of triangles by their coordinates; it depends neither on their numbers nor on which corner comes
 * first. */
static inline bool contact_is_before(const cm_triangle *a, const cm_triangle *b) {
    const cm_vec3 c[2] = {cm_add(a->a, cm_add(a->b, a->c)), cm_add(b->a, cm_add(b->b, b->c))};
    if (c[0].x != c[1].x) return c[0].x < c[1].x;
    if (c[0].y != c[1].y) return c[0].y < c[1].y;
    return c[0].z < c[1].z;
}

/* Triangles sorted in that order, with room for one more. Returns the new count. */
static inline int contact_insert(cm__contact_part *near, int count, const cm_triangle *t, uint32_t number) {
    int at = count;
    for (; at > 0 && contact_is_before(t, &near[at - 1].triangle); at--) near[at] = near[at - 1];
    near[at].triangle = *t, near[at].number = number;
    return count + 1;
}

/* The level of a child of the compound b. */
static inline cm__contact_whole contact_whole_of(const cm__contact_walk *w, const cm_shape *b, const cm__part *child) {
    const double place = cm__point_largest(cm__point_of(child->pose.position));
    const cm__contact_whole whole = {{w->to->level, cm__contact_of_second}, b, w->b_in_a, child->number, place};
    return whole;
}

/* Does the surface that the shape is a triangle of, if there is one, have this direction, too, outward and toward the
 * triangle? */
bool cm__contact_own_has(const cm__contact_walk *w, const cm_triangle *t, cm__point at, cm__point normal);
/* Adds a manifold from triangle to shape. `both`: all surfaces that take part have its direction; else it is a weak
 * contact. */
void cm__contact_add(cm__contact_walk *w, cm_manifold *m, uint32_t number, bool both);
/* Adds a point to a manifold, in place of the shallowest of eight. */
void cm__contact_add_point(cm_manifold *m, cm__point on_triangle, cm__point on_shape, double depth);

/* The shape's lowest part along a direction, and whether it is a face, that is, has an area. Found by tilting the
 * direction eight ways: the lowest points then span the lowest part. */
const cm__contact_lowest *cm__contact_lowest_part(cm__contact_walk *w, cm__point normal);

/* Where the two only touch, at an edge or corner, the depth is 0 and gives no normal. The direction found is rounding:
 * one of the many that surface and shape share there. It is replaced by the normal of an adjacent face, provided that
 * they only touch along that one, too. So a box that stands on a table is held upwards, and not sideways where its edge
 * crosses the table's corner. Of several such faces, one that the shape lies on is taken, else the one nearest to the
 * direction found. `has`: the surface has the direction found; if not, only a face that the shape lies on, or beside in
 * its plane, will do. Returns whether the surface has the resulting direction. */
bool cm__contact_normal_at_touch(cm__contact_walk *w, const cm__contact_part *part, bool has, cm__gap *gap);

/* At a convex corner or edge of the surface, leaving all triangles may take a longer translation than leaving each
 * alone, in a direction that none of them gives. Then the contact is that with the convex hull of all overlapped
 * triangles, if the surface has its direction. `last`: nothing else is left to try; then also with the convex surface
 * around the deepest triangle, however many are overlapped. A surface that is not solid may be left to either side: so
 * only by a shape on its outer side, but with the overlapped ones as the last. `depth`: NULL, or no contact is added,
 * and what its depth would be goes there.
 */
bool cm__contact_together(cm__contact_walk *w, bool last, double *depth);

/* In the bottom of a hollow, at a concave edge or in a pit, a shape that is pointed enters several faces at once, and
 * leaves none of them without another: it has a contact along the normal of each, of its depth below that face, if its
 * lowest point there is near the triangle. Only where that is no longer a way than that of cm__contact_together. */
bool cm__contact_in_hollow(cm__contact_walk *w, bool last);

/* Where other children cover every contact that a child of the compound b has by itself, as at the tip of a body on the
 * seam of a floor, the least way out of each alone is into the next: adds contacts along the way out of the convex hull
 * of all children that the shape, which is convex or a convex mesh, overlaps, with each of them, where they are not
 * covered. */
void cm__contact_with_children(cm__contact_walk *w, const cm_shape *shape, const cm_shape *b);
/* The same, of a convex solid mesh. */
void cm__solid_with_children(const cm_shape *mesh, const cm_shape *compound, const cm_pose *in_mesh, cm_real margin,
                             cm__contacts *to);
/* The same for two compounds: along the way out of the hull of all children of the one that overlap the other from the
 * hull of all those of the other. */
void cm__contact_of_children(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a, cm_real margin,
                             cm__contacts *to);

#endif
