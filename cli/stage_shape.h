/* Shapes as a scene file describes them. */
#ifndef CLI_STAGE_SHAPE_H
#define CLI_STAGE_SHAPE_H

#include "fields.h"
#include "stage.h"

/* Reads one shape; the place has been entered. `out` owns what it borrows, also after a failure. */
void stage_shape_read(fields *f, const json_t *value, stage_shape *out);
void stage_shape_free(stage_shape *s);

#endif
