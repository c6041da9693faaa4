/* Parts for the tests of checks. */
#ifndef TEST_CHECK_SITE_H
#define TEST_CHECK_SITE_H

#include "support/meshes.h"

enum { MOST = 64 };

/* Meshes of blocks, and parts of them. */
typedef struct site {
    cm_mesh *meshes[4];
    int mesh_count;
    cm_check_part parts[MOST];
    char names[MOST][24];
    uint32_t count;
} site;

static inline void site_add_mesh(site *s, cm_vec3 half, bool solid) {
    s->meshes[s->mesh_count++] = mesh_box(cm_neg(half), half, solid);
}

static inline cm_check_part *site_add(site *s, const char *name, int mesh, cm_vec3 at) {
    cm_check_part *part = &s->parts[s->count];
    snprintf(s->names[s->count], sizeof s->names[0], "%s", name);
    *part = (cm_check_part){.shape = cm_make_mesh(s->meshes[mesh]), .pose = cm_pose_identity()};
    part->pose.position = at;
    part->name = s->names[s->count++];
    return part;
}

static inline void site_free(site *s) {
    for (int i = 0; i < s->mesh_count; i++) cm_mesh_destroy(s->meshes[i], NULL);
}

/* One finding of each kind, each by itself: cubes of half size 1 and 0.25. */
static inline void site_of_kinds(site *s) {
    *s = (site){.count = 0};
    site_add_mesh(s, cm_v(1, 1, 1), true);
    site_add_mesh(s, cm_v(CM_REAL(0.25), CM_REAL(0.25), CM_REAL(0.25)), true);
    site_add(s, "near/a", 0, cm_v(0, 0, 0)); /* a gap of 0.125 */
    site_add(s, "near/b", 0, cm_v(CM_REAL(2.125), 0, 0));
    site_add(s, "touch/a", 0, cm_v(0, 10, 0));
    site_add(s, "touch/b", 0, cm_v(2, 10, 0));
    site_add(s, "same/a", 0, cm_v(0, 20, 0));
    site_add(s, "same/b", 0, cm_v(0, 20, 0));
    site_add(s, "in/small", 1, cm_v(0, 30, 0)); /* A lies in B: deepest at its far side, 0.75 + 0.5 */
    site_add(s, "in/large", 0, cm_v(0, 30, 0));
    site_add(s, "cross/a", 0, cm_v(0, 40, 0)); /* 0.5 deep */
    site_add(s, "cross/b", 0, cm_v(CM_REAL(1.5), 40, 0));
    site_add(s, "deeper/a", 0, cm_v(0, 50, 0)); /* 0.75 deep */
    site_add(s, "deeper/b", 0, cm_v(CM_REAL(1.25), 50, 0));
}

static inline void describe(cm_check_desc *desc, const site *s) {
    *desc = (cm_check_desc){.parts = s->parts, .part_count = s->count};
}

#endif
