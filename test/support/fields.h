/* Height fields for the tests, each with the mesh of the same triangles, laid out anew from the description. */
#ifndef SUPPORT_FIELDS_H
#define SUPPORT_FIELDS_H

#include "support/support.h"

typedef struct field_twin {
    cm_height_field_desc desc; /* heights and holes are owned */
    cm_real *heights;
    uint8_t *holes; /* or NULL */
    cm_height_field *field;
    cm_mesh *mesh;     /* NULL where all cells are holes */
    uint32_t *numbers; /* of the field, by the mesh's */
} field_twin;

typedef enum field_kind { FIELD_ROUGH, FIELD_FLAT, FIELD_STEPS, FIELD_SLOPE, FIELD_KINDS } field_kind;

/* A random one of up to `most` samples a side, of about `size`, around `origin`; any ground and diagonal; every third
 * with holes. */
void field_twin_random(field_twin *t, field_kind kind, uint32_t most, double size, cm_vec3 origin, rng *r);
/* From desc, heights (cm_real, packed) and holes (packed) that are set already. */
void field_twin_build(field_twin *t);
void field_twin_free(field_twin *t);
/* Sample (column, row) as the header tells where it lies. */
cm_vec3 field_twin_point(const field_twin *t, uint32_t column, uint32_t row);
/* A random point on, mostly at an edge or corner of, a random triangle; rounded. */
cm_vec3 field_twin_aim(const field_twin *t, rng *r);

#endif
