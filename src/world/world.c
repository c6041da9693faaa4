/* The world: a first sketch that links. */
#include "carom/world.h"

cm_status cm_world_create(const cm_world_desc *desc, cm_world **out, cm_error *error) {
    (void)desc, (void)out, (void)error;
    return CM_UNSUPPORTED;
}
void cm_world_destroy(cm_world *world) { (void)world; }
