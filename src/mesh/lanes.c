/* The triangles once more, for rays: those of a leaf side by side, so that all of them are tested at once and nothing
 * else need be read of what is hit. */
#include "bvh/wide.h"
#include "mesh/mesh.h"

void cm__mesh_fill_lanes(const cm_mesh *mesh, cm_real *lanes) {
    const cm__wide_node *nodes = (const cm__wide_node *)cm__mesh_at(mesh, mesh->rays);
    const cm__face *faces = cm__mesh_faces(mesh);
    const uint32_t *numbers = cm__mesh_numbers(mesh);
    for (uint32_t n = 0; n < mesh->ray_node_count; ++n) {
        for (int i = 0; i < CM__WIDE; ++i) {
            const uint32_t count = nodes[n].count[i], first = nodes[n].child[i];
            for (uint32_t t = 0; t < count; ++t) {
                cm_real *out = lanes + CM__MESH_LANE * (size_t)first + t;
                for (int c = 0; c < 3; ++c, out += 3 * count) {
                    const cm_vec3 p = faces[first + t].corner[c];
                    out[0] = p.x, out[count] = p.y, out[2 * count] = p.z;
                }
                *out = 0; /* all of it: equal meshes are equal bytes */
                memcpy(out, &numbers[first + t], sizeof numbers[first + t]);
            }
        }
    }
}
