/* What was read, looked at before it is used: bad geometry and files without any are refused. See import.h. */
#include "read/import.h"

#include "common/text.h"

#include <float.h>
#include <math.h>
#include <string.h>

bool import_dropped_faces(const import_data *data) {
    for (uint32_t i = 0; i < data->note_count; i++)
        if (strstr(data->notes[i], "out-of-range indices")) return true;
    return false;
}

/* The largest coordinate of a mesh's triangles. */
static double largest_coordinate(const import_mesh *mesh) {
    double largest = 0;
    for (size_t i = 0; i < 3 * (size_t)mesh->triangle_count; i++)
        for (size_t k = 0; k < 3; k++) largest = fmax(largest, fabs(mesh->points[3 * (size_t)mesh->indices[i] + k]));
    return largest;
}

int import_check(const char *path, const import_data *data, bool skip_bad) {
    for (uint32_t i = 0; i < data->mesh_count && !skip_bad; i++) {
        const import_mesh *mesh = &data->meshes[i];
        const char *name = *mesh->name ? mesh->name : "unnamed";
        const char *hint = "--skip-bad leaves them out";
        if (mesh->bad_indices > 0)
            return complain(EXIT_INPUT, "%s: mesh %u (%s): %u face%s with a point that does not exist; %s", path, i,
                            name, mesh->bad_indices, plural(mesh->bad_indices), hint);
        if (mesh->bad_points > 0)
            return complain(EXIT_INPUT,
                            "%s: mesh %u (%s): %u triangle%s with a coordinate that is not a number or beyond %g; %s",
                            path, i, name, mesh->bad_points, plural(mesh->bad_points), IMPORT_COORD_MAX, hint);
    }
    for (uint32_t i = 0; i < data->mesh_count; i++) {
        double largest = largest_coordinate(&data->meshes[i]);
        if (largest > 0 && largest < (double)FLT_MIN) /* integers read as floats look so */
            return complain(EXIT_INPUT, "%s: mesh %u (%s): all its coordinates are below %g: that is no size", path, i,
                            *data->meshes[i].name ? data->meshes[i].name : "unnamed", (double)FLT_MIN);
    }
    if (!skip_bad && import_dropped_faces(data))
        return complain(EXIT_INPUT, "%s: faces use a point that does not exist; --skip-bad leaves them out", path);
    for (uint32_t i = 0; i < data->node_count; i++)
        for (int k = 0; k < 12; k++)
            if (!(data->nodes[i].local[k] >= -IMPORT_COORD_MAX && data->nodes[i].local[k] <= IMPORT_COORD_MAX))
                return complain(EXIT_INPUT,
                                "%s: node %u (%s): its matrix has an entry that is not a number or beyond %g", path, i,
                                data->nodes[i].name, IMPORT_COORD_MAX);
    uint64_t triangles = 0, others = 0, lost = 0;
    for (uint32_t i = 0; i < data->mesh_count; i++) {
        triangles += data->meshes[i].triangle_count;
        lost += data->meshes[i].lost;
        others += data->meshes[i].lines + data->meshes[i].dots;
    }
    if (triangles > 0) return 0;
    uint32_t gone = 0, apart = 0;
    const char *first = "", *without = "";
    for (uint32_t i = 0; i < data->facts.left_out_count; i++) {
        const import_left_out *thing = &data->facts.left_out[i];
        if (thing->fate == IMPORT_APART) {
            if (apart++ == 0) without = *thing->kind ? thing->kind : thing->reason;
        } else if (gone++ == 0) {
            first = thing->reason;
        }
    }
    if (gone > 0)
        return complain(EXIT_INPUT, "%s: has no triangles: nothing of %u product%s could be read: %s", path, gone,
                        plural(gone), first);
    if (lost > 0)
        return complain(EXIT_INPUT, "%s: has no triangles, only polygons that cross themselves, and cannot be cut",
                        path);
    if (others > 0) return complain(EXIT_INPUT, "%s: has no triangles, only points or lines", path);
    if (apart > 0)
        return complain(EXIT_INPUT, "%s: has no triangles, only %u thing%s without a body, such as %s", path, apart,
                        plural(apart), without);
    return complain(EXIT_INPUT, "%s: has no triangles", path);
}
