// Rays against a mesh of a million triangles, in float, one thread, beside Embree (rtcIntersect1, medium build quality,
// with and without its robust flag), Bullet and ODE. The hits are compared, ray by ray, before any time is told.
//
//   bench_rays [RAYS] [ROUNDS] [MESH.obj]     default: 1000000 rays, 3 rounds, a bumpy ball; an .obj file is cut finer,
//                                             each triangle into four, until it has 700,000 or more; "terrain": a
//                                             height field of two million triangles, and the same as a mesh
//
// The rays are incoherent: origins anywhere in the bounds grown by a quarter, directions anywhere. Every row is the
// least of ROUNDS interleaved rounds, by the clock of this thread. Bullet and ODE are asked for every 100th ray.
#include "support/bench.hpp"

#include <carom/carom.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <functional>
#include <map>
#include <string>
#include <vector>

#ifdef WITH_EMBREE
#include <embree3/rtcore.h>
#endif
#ifdef WITH_BULLET
#include <BulletCollision/CollisionShapes/btBvhTriangleMeshShape.h>
#include <BulletCollision/CollisionShapes/btTriangleIndexVertexArray.h>
#include <BulletCollision/NarrowPhaseCollision/btRaycastCallback.h>
#endif
#ifdef WITH_ODE
#include <ode/ode.h>
#endif

namespace {

using bench::now, bench::Random;
using Soup = bench::Soup<float>;

// A cube's grid pushed out to a sphere of radius 1 with bumps of a twentieth; the faces share no points, welding does.
Soup ball(int cells) {
    Soup s;
    for (int face = 0; face < 6; ++face) {
        uint32_t first = static_cast<uint32_t>(s.points.size() / 3);
        for (int j = 0; j <= cells; ++j)
            for (int i = 0; i <= cells; ++i) {
                double p[3], sign = face < 3 ? 1 : -1;
                p[face % 3] = sign;
                p[(face + 1) % 3] = sign * (2.0 * i / cells - 1), p[(face + 2) % 3] = 2.0 * j / cells - 1;
                double length = std::sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
                double r = (1 + 0.05 * std::sin(20 * p[0]) * std::sin(20 * p[1]) * std::sin(20 * p[2])) / length;
                s.add(r * p[0], r * p[1], r * p[2]);
            }
        for (int j = 0; j < cells; ++j)
            for (int i = 0; i < cells; ++i) {
                uint32_t n = cells + 1, a = first + j * n + i;
                s.indices.insert(s.indices.end(), {a, a + 1, a + n + 1, a, a + n + 1, a + n});
            }
    }
    return s;
}

Soup finer(const Soup &coarse) {
    Soup s;
    s.points = coarse.points;
    std::map<std::pair<uint32_t, uint32_t>, uint32_t> middles;
    auto middle = [&](uint32_t a, uint32_t b) {
        auto at = middles.emplace(std::minmax(a, b), 0);
        if (at.second) {
            const float *p = &s.points[3 * a], *q = &s.points[3 * b];
            at.first->second = s.add((p[0] + q[0]) / 2, (p[1] + q[1]) / 2, (p[2] + q[2]) / 2);
        }
        return at.first->second;
    };
    for (size_t t = 0; t < coarse.indices.size(); t += 3) {
        uint32_t a = coarse.indices[t], b = coarse.indices[t + 1], c = coarse.indices[t + 2];
        uint32_t ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
        s.indices.insert(s.indices.end(), {a, ab, ca, ab, b, bc, ca, bc, c, ab, bc, ca});
    }
    return s;
}

std::vector<cm_ray> draw(size_t count, const cm_aabb &box) {
    Random r{1};
    std::vector<cm_ray> rays;
    cm_vec3 center = cm_aabb_center(&box), half = cm_scale(cm_sub(box.max, box.min), 0.625f);
    while (rays.size() < count) {
        cm_ray ray;
        ray.origin.x = float(center.x + half.x * r.range(-1, 1));
        ray.origin.y = float(center.y + half.y * r.range(-1, 1));
        ray.origin.z = float(center.z + half.z * r.range(-1, 1));
        double x = r.range(-1, 1), y = r.range(-1, 1), z = r.range(-1, 1), n = x * x + y * y + z * z;
        if (n > 1 || n < 1e-6) continue;
        n = std::sqrt(n);
        ray.direction.x = float(x / n), ray.direction.y = float(y / n), ray.direction.z = float(z / n);
        ray.max = CM_REAL_MAX;
        rays.push_back(ray);
    }
    return rays;
}

const float MISS = -1;

// A square of SAMPLES x SAMPLES heights, as a height field and as triangles cut alike.
const uint32_t SAMPLES = 1001;
const float SPACING = 1.f / 512; // coordinates without rounding
float height(uint32_t column, uint32_t row) {
    return float(0.1 * std::sin(column * 0.02) * std::cos(row * 0.03) + 0.01 * std::sin(column * 0.3 + row * 0.2));
}
Soup hills() {
    Soup s;
    for (uint32_t row = 0; row < SAMPLES; ++row)
        for (uint32_t column = 0; column < SAMPLES; ++column) s.add(column * SPACING, row * SPACING, height(column, row));
    for (uint32_t row = 0; row + 1 < SAMPLES; ++row)
        for (uint32_t column = 0; column + 1 < SAMPLES; ++column) {
            uint32_t a = row * SAMPLES + column, b = a + SAMPLES;
            s.indices.insert(s.indices.end(), {a, a + 1, b + 1, a, b + 1, b});
        }
    return s;
}
cm_height_field *build_terrain() {
    std::vector<float> heights;
    for (uint32_t row = 0; row < SAMPLES; ++row)
        for (uint32_t column = 0; column < SAMPLES; ++column) heights.push_back(height(column, row));
    cm_height_field_desc desc = {};
    desc.heights = heights.data();
    desc.columns = desc.rows = SAMPLES;
    desc.column_spacing = desc.row_spacing = SPACING;
    cm_height_field *field = nullptr;
    return cm_height_field_build(&desc, nullptr, &field, nullptr) == CM_OK ? field : nullptr;
}

struct Row {
    std::string who;
    int every;                                // asked for every so many rays
    std::function<float(const cm_ray &)> one; // t, or MISS
    double build;                             // seconds
    std::function<void(const std::vector<cm_ray> &, std::vector<float> &)> all; // where it answers many at once
    double seconds = 1e300;
};

cm_mesh *build(const Soup &soup, bool solid, const cm_tasks *tasks) {
    cm_mesh_desc desc = {};
    desc.points = soup.points.data();
    desc.point_count = static_cast<uint32_t>(soup.points.size() / 3);
    desc.indices = soup.indices.data();
    desc.triangle_count = soup.triangles();
    desc.solid = solid;
    desc.tasks = tasks;
    cm_mesh *mesh = nullptr;
    return cm_mesh_build(&desc, nullptr, &mesh, nullptr) == CM_OK ? mesh : nullptr;
}

template <typename F> double least(int rounds, F f) {
    double best = 1e300;
    for (int i = 0; i < rounds; ++i) {
        double start = now();
        f();
        best = std::min(best, now() - start);
    }
    return best;
}

#ifdef WITH_EMBREE
RTCScene embree_scene(RTCDevice device, const Soup &soup, bool robust) {
    RTCScene scene = rtcNewScene(device);
    rtcSetSceneBuildQuality(scene, RTC_BUILD_QUALITY_MEDIUM);
    rtcSetSceneFlags(scene, robust ? RTC_SCENE_FLAG_ROBUST : RTC_SCENE_FLAG_NONE);
    RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE);
    void *points = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, 12, soup.points.size() / 3);
    std::copy(soup.points.begin(), soup.points.end(), static_cast<float *>(points));
    void *indices = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, 12, soup.triangles());
    std::copy(soup.indices.begin(), soup.indices.end(), static_cast<uint32_t *>(indices));
    rtcCommitGeometry(geometry);
    rtcAttachGeometry(scene, geometry);
    rtcReleaseGeometry(geometry);
    rtcCommitScene(scene);
    return scene;
}
float embree_ray(RTCScene scene, RTCIntersectContext *context, const cm_ray &ray) {
    RTCRayHit rh;
    rh.ray.org_x = ray.origin.x, rh.ray.org_y = ray.origin.y, rh.ray.org_z = ray.origin.z;
    rh.ray.dir_x = ray.direction.x, rh.ray.dir_y = ray.direction.y, rh.ray.dir_z = ray.direction.z;
    rh.ray.tnear = 0, rh.ray.tfar = INFINITY, rh.ray.time = 0, rh.ray.mask = ~0u, rh.ray.id = 0, rh.ray.flags = 0;
    rh.hit.geomID = rh.hit.primID = RTC_INVALID_GEOMETRY_ID;
    rh.hit.instID[0] = RTC_INVALID_GEOMETRY_ID;
    rtcIntersect1(scene, context, &rh);
    return rh.hit.geomID == RTC_INVALID_GEOMETRY_ID ? MISS : rh.ray.tfar;
}
#endif

#ifdef WITH_BULLET
struct BulletFirst : btTriangleRaycastCallback {
    float fraction = 2;
    BulletFirst(const btVector3 &from, const btVector3 &to) : btTriangleRaycastCallback(from, to) {}
    btScalar reportHit(const btVector3 &, btScalar at, int, int) override {
        fraction = std::min(fraction, float(at));
        return at;
    }
};
#endif

#ifdef WITH_ODE
float ode_ray(dGeomID ray_geom, dGeomID mesh, const cm_ray &ray) {
    dGeomRaySet(ray_geom, ray.origin.x, ray.origin.y, ray.origin.z, ray.direction.x, ray.direction.y, ray.direction.z);
    dContactGeom contact;
    return dCollide(ray_geom, mesh, 1, &contact, sizeof contact) > 0 ? float(contact.depth) : MISS;
}
#endif

} // namespace

int main(int argc, char **argv) {
    size_t count = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 1000000;
    int rounds = argc > 2 ? std::atoi(argv[2]) : 3;
    bool terrain = argc > 3 && std::strcmp(argv[3], "terrain") == 0;
    Soup soup = terrain ? hills() : argc > 3 ? bench::load<float>(argv[3]) : ball(289);
    while (soup.triangles() < 700000) soup = finer(soup);
    std::vector<Row> rows;
    cm_mesh *surface = nullptr, *solid = nullptr;
    double seconds = least(rounds, [&] {
        cm_mesh_destroy(surface, nullptr);
        surface = build(soup, false, nullptr);
    });
    solid = build(soup, true, nullptr);
    cm_mesh_info info;
    cm_mesh_get_info(surface, &info);
    cm_pose identity = cm_pose_identity();
    cm_height_field *field = nullptr;
    double field_seconds = terrain ? least(rounds, [&] {
        cm_height_field_destroy(field, nullptr);
        field = build_terrain();
    }) : 0;
    cm_shape shape_field = field ? cm_make_height_field(field) : cm_make_mesh(surface);
    cm_shape shape_surface = cm_make_mesh(surface), shape_solid = cm_make_mesh(solid ? solid : surface);
    auto cast = [&identity](const cm_shape &shape, const cm_ray &ray) {
        cm_ray_hit hit;
        return cm_raycast(&ray, &shape, &identity, &hit) ? hit.t : MISS;
    };
    rows.push_back({"carom", 1, [&](const cm_ray &ray) { return cast(shape_surface, ray); }, seconds});
    if (solid) rows.push_back({"carom, solid", 1, [&](const cm_ray &ray) { return cast(shape_solid, ray); }, seconds});
    bool *met = new bool[count];
    std::vector<cm_ray_hit> hits_of(count);
    auto cast_many = [&](const cm_shape &shape, bool any, const std::vector<cm_ray> &rays, std::vector<float> &t) {
        uint32_t n = static_cast<uint32_t>(rays.size());
        cm_raycast_many(rays.data(), n, &shape, &identity, met, any ? nullptr : hits_of.data());
        for (uint32_t i = 0; i < n; ++i) t[i] = !met[i] ? MISS : any ? 0 : hits_of[i].t;
    };
    auto many = [&](const std::string &who, const cm_shape &shape, bool any, double build) {
        rows.push_back({who, 1, [&cast, &shape](const cm_ray &ray) { return cast(shape, ray); }, build,
                        [&cast_many, &shape, any](const std::vector<cm_ray> &rays, std::vector<float> &t) {
                            cast_many(shape, any, rays, t);
                        }});
    };
    many("carom, many", shape_surface, false, seconds);
    if (solid) many("carom, solid, many", shape_solid, false, seconds);
    many("carom, many, any hit", shape_surface, true, seconds);
    if (field) rows.push_back({"carom, height field", 1, [&](const cm_ray &ray) { return cast(shape_field, ray); }, field_seconds});
    rows.push_back({"carom, any hit", 1,
                    [&](const cm_ray &ray) { return cm_raycast(&ray, &shape_surface, &identity, nullptr) ? 0.f : MISS; }, seconds});
#ifdef WITH_EMBREE
    RTCDevice device = rtcNewDevice("threads=1,set_affinity=0");
    RTCScene scenes[2] = {nullptr, nullptr};
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    for (int robust = 0; robust < 2; ++robust) {
        seconds = least(rounds, [&] {
            if (scenes[robust]) rtcReleaseScene(scenes[robust]);
            scenes[robust] = embree_scene(device, soup, robust != 0);
        });
        RTCScene scene = scenes[robust];
        rows.push_back({robust ? "embree, robust" : "embree", 1,
                        [scene, &context](const cm_ray &ray) { return embree_ray(scene, &context, ray); }, seconds});
    }
    RTCScene robust_scene = scenes[1];
    rows.push_back({"embree, robust, any hit", 1,
                    [robust_scene, &context](const cm_ray &ray) {
                        RTCRay r;
                        r.org_x = ray.origin.x, r.org_y = ray.origin.y, r.org_z = ray.origin.z;
                        r.dir_x = ray.direction.x, r.dir_y = ray.direction.y, r.dir_z = ray.direction.z;
                        r.tnear = 0, r.tfar = INFINITY, r.time = 0, r.mask = ~0u, r.id = 0, r.flags = 0;
                        rtcOccluded1(robust_scene, &context, &r);
                        return r.tfar < 0 ? 0.f : MISS;
                    },
                    seconds});
#endif
#ifdef WITH_BULLET
    btTriangleIndexVertexArray array(int(soup.triangles()), reinterpret_cast<int *>(soup.indices.data()), 12,
                                     int(soup.points.size() / 3), soup.points.data(), 12);
    btBvhTriangleMeshShape *bullet = nullptr;
    seconds = least(1, [&] { bullet = new btBvhTriangleMeshShape(&array, true); });
    float far = 4 * cm_length(cm_sub(info.bounds.max, info.bounds.min)); // Bullet's rays end
    rows.push_back({"bullet", 100,
                    [&, far](const cm_ray &ray) {
                        btVector3 from(ray.origin.x, ray.origin.y, ray.origin.z);
                        btVector3 to = from + far * btVector3(ray.direction.x, ray.direction.y, ray.direction.z);
                        BulletFirst first(from, to);
                        bullet->performRaycast(&first, from, to);
                        return first.fraction <= 1 ? first.fraction * far : MISS;
                    },
                    seconds});
#endif
#ifdef WITH_ODE
    dInitODE2(0);
    dAllocateODEDataForThread(dAllocateMaskAll);
    dGeomID ode = nullptr;
    seconds = least(1, [&] {
        dTriMeshDataID data = dGeomTriMeshDataCreate();
        dGeomTriMeshDataBuildSingle(data, soup.points.data(), 12, int(soup.points.size() / 3), soup.indices.data(),
                                    int(soup.indices.size()), 12);
        ode = dCreateTriMesh(nullptr, data, nullptr, nullptr, nullptr);
    });
    dGeomID ode_line = dCreateRay(nullptr, 4 * cm_length(cm_sub(info.bounds.max, info.bounds.min)));
    dGeomRaySetClosestHit(ode_line, 1);
    rows.push_back({"ode", 100, [=](const cm_ray &ray) { return ode_ray(ode_line, ode, ray); }, seconds});
#endif
    std::vector<cm_ray> rays = draw(count, info.bounds);
    std::vector<float> own(count), answers(count);
    std::printf("%u triangles, %u points (%u joined), %s; %zu rays\n", info.triangles, info.points, info.welded,
                info.closed ? "closed" : "open", count);
    std::printf("compared with carom, ray by ray:\n");
    bool any_differ = false;
    for (size_t k = 0; k < rows.size(); ++k) {
        size_t hits = 0, asked = 0, lost = 0, more = 0, nearer = 0, farther = 0;
        bool only_whether = rows[k].who.find("any hit") != std::string::npos;
        if (rows[k].all) rows[k].all(rays, answers);
        for (size_t i = 0; i < count; i += rows[k].every) {
            float t = rows[k].all ? answers[i] : rows[k].one(rays[i]);
            if (k == 0) own[i] = t;
            ++asked, hits += t != MISS;
            lost += t == MISS && own[i] != MISS, more += t != MISS && own[i] == MISS;
            if (t == MISS || own[i] == MISS || only_whether) continue;
            float slack = 1e-4f * (1 + own[i]);
            nearer += t < own[i] - slack, farther += t > own[i] + slack;
        }
        std::printf("  %-24s %7zu of %7zu hit; %zu lost, %zu more, %zu nearer, %zu farther\n", rows[k].who.c_str(), hits, asked,
                    lost, more, nearer, farther);
        any_differ = any_differ || lost || more;
    }
    for (int round = 0; round < rounds; ++round)
        for (Row &row : rows) {
            double start = now();
            if (row.all) row.all(rays, answers);
            for (size_t i = 0; !row.all && i < count; i += row.every) row.one(rays[i]);
            row.seconds = std::min(row.seconds, (now() - start) * row.every);
        }
    std::printf("who,build_seconds,ns_per_ray,million_rays_per_second,carom_time_over_its\n");
    for (const Row &row : rows)
        std::printf("%s,%.3f,%.1f,%.3f,%.2f\n", row.who.c_str(), row.build, row.seconds * 1e9 / double(count),
                    double(count) / row.seconds / 1e6, rows[0].seconds / row.seconds);
    return 0;
}
