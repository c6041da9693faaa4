// Rays at a height field of 1001 x 1001 samples, beside the mesh of the same two million triangles and Bullet's height
// field (with its accelerator) on the same rays in one run. Hits are counted and their distances summed before any time
// is told.
//
//   bench_terrain [RAYS] [ROUNDS]      prints CSV: rays, who, hits, sum of t, ns a ray
//
// Rays: "incoherent" from anywhere above to anywhere on the ground; "grazing" as low as the hills, across the field;
// "down" straight onto it; "short" over a few cells, as wheels and feet ask. Each row is the least of ROUNDS rounds.
#include "support/bench.hpp"

#include <carom/carom.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#ifdef WITH_BULLET
#include <BulletCollision/CollisionShapes/btHeightfieldTerrainShape.h>
#include <BulletCollision/NarrowPhaseCollision/btRaycastCallback.h>
#endif

namespace {

using bench::now, bench::Random;

constexpr uint32_t SAMPLES = 1001;
constexpr float SPACING = 1.f / 512, SIZE = (SAMPLES - 1) * SPACING;
constexpr float MISS = -1;

float height(uint32_t column, uint32_t row) {
    return float(0.1 * std::sin(column * 0.02) * std::cos(row * 0.03) + 0.01 * std::sin(column * 0.3 + row * 0.2));
}

std::vector<cm_ray> rays_of(const std::string &kind, size_t count) {
    Random r{7};
    std::vector<cm_ray> rays(count);
    auto real = [&r](double a, double b) { return float(r.range(a, b)); };
    for (cm_ray &ray : rays) {
        cm_vec3 from = cm_v(real(0, SIZE), real(0, SIZE), real(0.2, 1)), to = cm_v(real(0, SIZE), real(0, SIZE), 0);
        if (kind == "grazing") {
            from = cm_v(real(-0.5, 0), real(0, SIZE), real(0.05, 0.13));
            to = cm_v(SIZE + 1, real(0, SIZE), from.z + real(-0.1, 0.02));
        }
        if (kind == "down") to = cm_v(from.x, from.y, -1);
        if (kind == "short") {
            uint32_t c = uint32_t(from.x / SPACING), w = uint32_t(from.y / SPACING);
            from.z = height(c, w) + 4 * SPACING;
            to = cm_v(from.x + real(-3, 3) * SPACING, from.y + real(-3, 3) * SPACING, from.z - 8 * SPACING);
        }
        ray.origin = from;
        ray.direction = cm_sub(to, from);
        ray.max = 1;
    }
    return rays;
}

#ifdef WITH_BULLET
struct First : btTriangleRaycastCallback {
    First(const btVector3 &from, const btVector3 &to) : btTriangleRaycastCallback(from, to) {}
    btScalar reportHit(const btVector3 &, btScalar fraction, int, int) override { return fraction; }
};
#endif

} // namespace

int main(int argc, char **argv) {
    size_t count = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 200000;
    int rounds = argc > 2 ? std::atoi(argv[2]) : 5;
    std::vector<float> heights, points;
    std::vector<uint32_t> indices;
    for (uint32_t row = 0; row < SAMPLES; ++row)
        for (uint32_t column = 0; column < SAMPLES; ++column) {
            float h = height(column, row);
            heights.push_back(h);
            points.insert(points.end(), {column * SPACING, row * SPACING, h});
            uint32_t a = row * SAMPLES + column, b = a + SAMPLES;
            if (row + 1 < SAMPLES && column + 1 < SAMPLES)
                indices.insert(indices.end(), {a, a + 1, b + 1, a, b + 1, b});
        }
    cm_height_field_desc field_desc = {};
    field_desc.heights = heights.data(), field_desc.columns = field_desc.rows = SAMPLES;
    field_desc.column_spacing = field_desc.row_spacing = SPACING;
    cm_mesh_desc mesh_desc = {};
    mesh_desc.points = points.data(), mesh_desc.point_count = SAMPLES * SAMPLES;
    mesh_desc.indices = indices.data(), mesh_desc.triangle_count = uint32_t(indices.size() / 3);
    cm_height_field *field = nullptr;
    cm_mesh *mesh = nullptr;
    if (cm_height_field_build(&field_desc, nullptr, &field, nullptr) != CM_OK) return 3;
    if (cm_mesh_build(&mesh_desc, nullptr, &mesh, nullptr) != CM_OK) return 3;
    cm_shape shapes[2] = {cm_make_height_field(field), cm_make_mesh(mesh)};
    cm_pose identity = cm_pose_identity();
    struct Row {
        std::string who;
        std::function<float(const cm_ray &)> cast;
        double least, sum;
        long hits;
    };
    auto cast = [&](int which) {
        return [&, which](const cm_ray &ray) {
            cm_ray_hit hit;
            return cm_raycast(&ray, &shapes[which], &identity, &hit) ? float(hit.t) : MISS;
        };
    };
    std::vector<Row> rows = {{"carom height field", cast(0)}, {"carom mesh", cast(1)}};
#ifdef WITH_BULLET
    btHeightfieldTerrainShape bullet(SAMPLES, SAMPLES, heights.data(), 1, -1, 1, 2, PHY_FLOAT, false);
    bullet.setLocalScaling(btVector3(SPACING, SPACING, 1));
    bullet.buildAccelerator();
    btVector3 middle(SIZE / 2, SIZE / 2, 0); // Bullet's field lies around the origin
    rows.push_back({"bullet height field", [&](const cm_ray &ray) {
                        btVector3 from(ray.origin.x, ray.origin.y, ray.origin.z);
                        btVector3 along(ray.direction.x, ray.direction.y, ray.direction.z);
                        First first(from - middle, from - middle + along);
                        bullet.performRaycast(&first, from - middle, from - middle + along);
                        return first.m_hitFraction < 1 ? float(first.m_hitFraction) : MISS;
                    }});
#endif
    std::printf("rays,who,hits,sum_t,ns\n");
    for (const char *kind : {"incoherent", "grazing", "down", "short"}) {
        std::vector<cm_ray> rays = rays_of(kind, count);
        for (Row &row : rows) row.least = 1e300;
        for (int round = 0; round < rounds; ++round)
            for (Row &row : rows) {
                row.hits = 0, row.sum = 0;
                double start = now();
                for (const cm_ray &ray : rays) {
                    float t = row.cast(ray);
                    row.hits += t >= 0, row.sum += t >= 0 ? t : 0;
                }
                row.least = std::min(row.least, (now() - start) / double(count) * 1e9);
            }
        for (const Row &row : rows)
            std::printf("%s,%s,%ld,%.2f,%.1f\n", kind, row.who.c_str(), row.hits, row.sum, row.least);
    }
    cm_height_field_destroy(field, nullptr);
    cm_mesh_destroy(mesh, nullptr);
    return 0;
}
