/* Shapes as a scene file describes them. */
#ifndef CLI_STAGE_SHAPE_H
#define CLI_STAGE_SHAPE_H

#include "common/fields.h"
#include "simulate/stage.h"

/* Reads one shape; the place has been entered. Children of a compound may be shapes that `s` has, by name. `out` owns
 * what it borrows, also after a failure. */
void stage_shape_read(fields *f, const stage *s, const json_t *value, stage_shape *out);
void stage_shape_free(stage_shape *shape);
/* A shape that has been read, by its name; NULL after complaining. */
const stage_shape *stage_shape_named(fields *f, const stage *s, const char *name);

/* What a field of borrowed data is built from: hulls, meshes, height fields, compounds. NULL for a field that only code
 * can fill. */
typedef struct stage_builder {
    const char *field;
    const char *members;
    void (*build)(fields *f, const stage *s, const json_t *value, stage_shape *out);
} stage_builder;
const stage_builder *stage_builder_of(const char *field);
/* A child of a compound: a name, or one written out, which may not be a compound itself. */
void stage_child_read(fields *f, const stage *s, const json_t *value, stage_shape *out);

#endif
