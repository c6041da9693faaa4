/* bench/broad: overlapping pairs of moving boxes, every kind of carom beside every peer, in one run.
 *
 *   bench_broad --scenes decay [--max 10000]: every kind after 15, 150 and 1500 frames
 *   bench_broad --scenes families [--min 300] [--max 300000]: the default against the best kind on other scenes
 *   bench_broad [--min N] [--max N] [--scenes B1,B2,…] [--peers 0|1] [--csv FILE] [--cpu]
 *
 * Each frame all boxes move once, then every entrant finds the pairs of the same boxes, one after the other; the best
 * of the frames counts, as the machine is shared. An entrant whose number of pairs differs from carom's is an error.
 * Slow entrants leave the larger sizes out. --cpu measures processor time instead of wall time (one thread only). */
#include "peer.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

namespace {

struct Carom : Peer {
    cm_broad *broad = nullptr;
    std::vector<uint32_t> ids;
    uint32_t every;
    bool changes;
    std::vector<cm_aabb> moved;
    std::vector<uint32_t> moved_ids;

    Carom(const bench_scene &s, cm_broad_kind kind, const cm_tasks *tasks, uint32_t every_, bool changes_)
        : ids(s.count), every(every_), changes(changes_) {
        cm_broad_desc desc = {};
        desc.kind = kind;
        desc.tasks = tasks;
        desc.changes = changes;
        cm_broad_create(&desc, &broad, nullptr);
        for (uint32_t i = 0; i < s.count; ++i) {
            cm_broad_object_desc object = {};
            object.box = s.boxes[i];
            object.fixed = i % every != 0;
            cm_broad_add(broad, &object, &ids[i]);
        }
        for (uint32_t i = 0; i < s.count; i += every) moved_ids.push_back(ids[i]);
        moved.resize(moved_ids.size());
    }
    ~Carom() override { cm_broad_destroy(broad); }
    std::size_t pairs(const bench_scene &s) override {
        if (every == 1) {
            cm_broad_move_many(broad, ids.data(), s.boxes, 0, s.count);
        } else {
            cm_broad_move_many(broad, moved_ids.data(), s.boxes, every * sizeof(cm_aabb),
                               static_cast<uint32_t>(moved_ids.size()));
        }
        if (changes) {
            cm_broad_update(broad);
            return 0;
        }
        cm_broad_pair_view view = {};
        cm_broad_find_pairs(broad, 0, &view);
        return view.count;
    }
};

struct OneShot : Peer {
    cm_broad_kind kind;
    const cm_tasks *tasks;
    OneShot(cm_broad_kind k, const cm_tasks *t) : kind(k), tasks(t) {}
    std::size_t pairs(const bench_scene &s) override {
        cm_broad_pairs_desc desc = {};
        desc.kind = kind;
        desc.tasks = tasks;
        cm_broad_pair_list list = {};
        cm_broad_pairs(s.boxes, s.count, &desc, &list);
        std::size_t count = list.count;
        cm_broad_pair_list_free(&list, nullptr);
        return count;
    }
};

/* Builds the peer anew each time. */
struct Fresh : Peer {
    std::function<std::unique_ptr<Peer>(const bench_scene &)> make;
    explicit Fresh(std::function<std::unique_ptr<Peer>(const bench_scene &)> m) : make(std::move(m)) {}
    std::size_t pairs(const bench_scene &s) override { return make(s)->pairs(s); }
};

struct Entrant {
    std::string name;
    std::unique_ptr<Peer> peer;
    bool counts; /* its number of pairs must be the reference's */
    double best = 1e30;
    std::size_t pairs = 0;
};

std::FILE *csv = nullptr;
bool failed = false;

void run(const char *workload, int warm, int threads, bench_scene &scene, std::vector<Entrant> &entrants,
         uint32_t every) {
    int frames = scene.count <= 1000 ? 40 : scene.count <= 10000 ? 12 : scene.count <= 100000 ? 6 : 4;
    for (int f = 0; f < warm; ++f) { /* those that keep something between frames */
        scene_move(&scene, every);
        for (Entrant &e : entrants) {
            bool ours = e.name.rfind("carom", 0) == 0;
            bool keeps = ours || e.name.rfind("Bullet", 0) == 0;
            if (keeps && ((ours && scene.count < 100000) || &e == &entrants[0] || f + 2 >= warm)) e.peer->pairs(scene);
        }
    }
    for (int f = 0; f < frames; ++f) {
        scene_move(&scene, every);
        for (std::size_t i = 0; i < entrants.size(); ++i) { /* in turn, as the first finds the boxes cold */
            Entrant &e = entrants[(i + static_cast<std::size_t>(f)) % entrants.size()];
            double start = bench_seconds();
            e.pairs = e.peer->pairs(scene);
            e.best = std::min(e.best, bench_seconds() - start);
        }
        for (const Entrant &e : entrants) {
            if (e.counts && e.pairs != entrants[0].pairs) {
                std::printf("%s: %zu pairs, carom has %zu\n", e.name.c_str(), e.pairs, entrants[0].pairs);
                failed = true;
            }
        }
    }
    for (Entrant &e : entrants) {
        double ratio = e.best / entrants[0].best;
        std::printf("%-3s %8u warm %4d threads %d  %-24s %10.3f ms  %6.2f x carom  %zu pairs\n", workload,
                    static_cast<unsigned>(scene.count), warm, threads, e.name.c_str(), e.best * 1e3, ratio, e.pairs);
        if (csv) {
            std::fprintf(csv, "%s,%u,%d,%d,%s,%.6f,%zu,%.4f\n", workload, static_cast<unsigned>(scene.count), warm,
                         threads, e.name.c_str(), e.best * 1e3, e.pairs, ratio);
        }
    }
    std::fflush(stdout);
    if (csv) std::fflush(csv);
}

void add(std::vector<Entrant> &list, const std::string &name, std::unique_ptr<Peer> peer, bool counts = true) {
    Entrant e;
    e.name = name;
    e.peer = std::move(peer);
    e.counts = counts;
    list.push_back(std::move(e));
}

void add_kinds(std::vector<Entrant> &list, const bench_scene &s, const cm_tasks *tasks, uint32_t every, bool changes) {
    for (int k = 0; k < CM_BROAD_KIND_COUNT; ++k) {
        auto kind = static_cast<cm_broad_kind>(k);
        if (kind == CM_BROAD_BRUTE && s.count > 10000) continue;
        if (kind == CM_BROAD_SWEEP && s.count > 100000) continue;
        if (kind == CM_BROAD_SWEEP3 && s.count > 10000) continue;
        if (k > CM_BROAD_GRID && s.count > 100000) continue;
        if (kind == CM_BROAD_QUADTREE && s.count > 10000) continue;
        add(list, std::string("carom ") + cm_broad_kind_text(kind),
            std::make_unique<Carom>(s, kind, tasks, every, changes), !changes);
    }
}

/* How near the default stays to the best kind, over scenes that nothing was tuned for: moved each frame, and once from
 * scratch. Kinds that take minutes are left out. */
void run_families(uint32_t least, uint32_t most) {
    std::printf("%-9s %8s  %10s %10s  %-10s %6s\n", "scene", "boxes", "auto ms", "best ms", "best", "ratio");
    for (int k = 0; k < SCENE_COUNT; ++k) {
        for (double size = least; size <= most * 1.01; size *= 3.1622776601683795) {
            const auto count = static_cast<uint32_t>(size + 0.5);
            bench_scene s;
            scene_make(&s, static_cast<scene_kind>(k), count);
            const uint32_t every = k == SCENE_RESTING ? 100 : 1;
            std::vector<Entrant> list;
            for (int kind = 0; kind < CM_BROAD_KIND_COUNT; ++kind) {
                if (kind == CM_BROAD_BRUTE && count > 3500) continue;
                if (kind == CM_BROAD_SWEEP && count > 110000 && k != SCENE_LINE) continue;
                if ((kind == CM_BROAD_SWEEP3 || kind > CM_BROAD_GRID) && count > 11000) continue;
                add(list, cm_broad_kind_text(static_cast<cm_broad_kind>(kind)),
                    std::make_unique<Carom>(s, static_cast<cm_broad_kind>(kind), nullptr, every, false));
            }
            for (int f = 0; f < 60; ++f) {
                scene_move(&s, every);
                if (f >= 12 && count > 20000 && f < 52) continue;
                for (std::size_t i = 0; i < list.size(); ++i) { /* in turn, as the first finds the boxes cold */
                    Entrant &e = list[(i + static_cast<std::size_t>(f)) % list.size()];
                    double start = bench_seconds();
                    e.pairs = e.peer->pairs(s);
                    if (f >= 10) e.best = std::min(e.best, bench_seconds() - start);
                }
                for (const Entrant &e : list) failed = failed || e.pairs != list[0].pairs;
            }
            const Entrant *best = &list[1];
            for (std::size_t i = 1; i < list.size(); ++i)
                if (list[i].best < best->best) best = &list[i];
            std::printf("%-9s %8u  %10.4f %10.4f  %-10s %6.2f\n", scene_name(static_cast<scene_kind>(k)),
                        static_cast<unsigned>(count), list[0].best * 1e3, best->best * 1e3, best->name.c_str(),
                        list[0].best / best->best);
            if (csv)
                std::fprintf(csv, "%s,%u,60,1,auto/%s,%.6f,%zu,%.4f\n", scene_name(static_cast<scene_kind>(k)),
                             static_cast<unsigned>(count), best->name.c_str(), list[0].best * 1e3, list[0].pairs,
                             list[0].best / best->best);
            std::fflush(stdout);
            list.clear();
            scene_free(&s);
        }
    }
}

/* Do structures that are mended from frame to frame get worse? All boxes move; the best of twelve frames after each
 * number of frames, and what a structure made anew from the same boxes takes. */
void run_decay(uint32_t most) {
    static const int marks[] = {15, 150, 1500};
    for (int w = 1; w <= 2; ++w) {
        for (uint32_t count = 1000; count <= most; count *= 10) {
            bench_scene s;
            scene_make(&s, w == 2 ? SCENE_CLUSTERS : SCENE_UNIFORM, count);
            std::vector<Entrant> list;
            add_kinds(list, s, nullptr, 1, false);
            int frame = 0;
            for (int mark : marks) {
                for (; frame < mark; ++frame) {
                    scene_move(&s, 1);
                    for (Entrant &e : list) {
                        const bool keeps = e.name != "carom brute" && e.name != "carom bsp";
                        if (keeps || frame + 2 >= mark) e.pairs = e.peer->pairs(s);
                    }
                }
                std::vector<Entrant> fresh;
                add_kinds(fresh, s, nullptr, 1, false);
                for (Entrant &e : list) e.best = 1e30;
                for (int f = 0; f < 12; ++f, ++frame) {
                    scene_move(&s, 1);
                    for (std::size_t i = 0; i < list.size(); ++i) {
                        Entrant *both[] = {&list[i], &fresh[i]};
                        for (int k = 0; k < 2; ++k) {
                            Entrant &e = *both[(k + f) % 2];
                            double start = bench_seconds();
                            e.pairs = e.peer->pairs(s);
                            e.best = std::min(e.best, bench_seconds() - start);
                            if (e.pairs != list[0].pairs) failed = failed || i > 0 || k > 0;
                        }
                    }
                }
                for (std::size_t i = 0; i < list.size(); ++i) {
                    std::printf("decay B%d %7u  after %4d  %-16s %9.4f ms, made anew %9.4f\n", w,
                                static_cast<unsigned>(count), mark, list[i].name.c_str(), list[i].best * 1e3,
                                fresh[i].best * 1e3);
                    if (csv)
                        std::fprintf(csv, "decay-B%d,%u,%d,1,%s,%.6f,%zu,%.4f\n", w, static_cast<unsigned>(count), mark,
                                     list[i].name.c_str(), list[i].best * 1e3, list[i].pairs,
                                     list[i].best / fresh[i].best);
                }
                std::fflush(stdout);
            }
            list.clear();
            scene_free(&s);
        }
    }
}

} // namespace

int main(int argc, char **argv) {
    uint32_t least = 1000, most = 100000;
    std::string scenes = "B1,B2,B3,B4,B5";
    bool peers = true;
    for (int i = 1; i < argc; ++i) {
        if (!std::strcmp(argv[i], "--max") && i + 1 < argc)
            most = static_cast<uint32_t>(std::atol(argv[++i]));
        else if (!std::strcmp(argv[i], "--min") && i + 1 < argc)
            least = static_cast<uint32_t>(std::atol(argv[++i]));
        else if (!std::strcmp(argv[i], "--scenes") && i + 1 < argc)
            scenes = argv[++i];
        else if (!std::strcmp(argv[i], "--peers") && i + 1 < argc)
            peers = std::atoi(argv[++i]) != 0;
        else if (!std::strcmp(argv[i], "--csv") && i + 1 < argc)
            csv = std::fopen(argv[++i], "w");
        else if (!std::strcmp(argv[i], "--cpu"))
            bench_use_cpu_time();
        else {
            std::fprintf(stderr,
                         "usage: bench_broad [--min N] [--max N] [--scenes B1,B2,B3,B4,B5] [--peers 0|1] [--csv FILE] "
                         "[--cpu]\n");
            return 2;
        }
    }
    if (csv) std::fprintf(csv, "workload,count,warm,threads,name,ms,pairs,ratio\n");
    if (scenes == "families" || scenes == "decay") {
        if (scenes == "decay")
            run_decay(most < 10000 ? most : 10000);
        else
            run_families(least, most);
        if (csv) std::fclose(csv);
        return failed ? 1 : 0;
    }
    cm_pool *pool = nullptr;
    cm_tasks two = {};
    if (cm_pool_create(2, nullptr, &pool) == CM_OK) cm_pool_tasks(pool, &two);
    for (int w = 1; w <= 5; ++w) {
        std::string name = "B" + std::to_string(w);
        if (scenes.find(name) == std::string::npos) continue;
        for (uint32_t count = least; count <= most; count *= 10) {
            bench_scene s;
            scene_make(&s, w == 2 ? SCENE_CLUSTERS : SCENE_UNIFORM, count);
            std::vector<Entrant> list;
            if (w == 3) {
                add(list, "carom auto", std::make_unique<OneShot>(CM_BROAD_AUTO, nullptr));
                add(list, "carom sweep", std::make_unique<OneShot>(CM_BROAD_SWEEP, nullptr));
                if (peers) {
                    add(list, "Embree",
                        std::make_unique<Fresh>([](const bench_scene &t) { return peer_embree(t, 1); }));
                    add(list, "CGAL", peer_cgal());
                }
                run(name.c_str(), 0, 1, s, list, 1);
            } else {
                uint32_t every = w == 4 ? 10 : 1;
                add_kinds(list, s, nullptr, every, w == 5);
                if (peers && w <= 2) {
                    add(list, "Embree", peer_embree(s, 1));
                    add(list, "CGAL", peer_cgal());
                    if (count <= 10000) {
                        add(list, "Bullet broadphase", peer_bullet_broadphase(s));
                        add(list, "Bullet tree", peer_bullet_tree(s));
                        add(list, "FCL tree", peer_fcl(s, 0));
                    }
                    if (count <= 10000) {
                        add(list, "ODE hash", peer_ode(s, 0));
                        add(list, "ODE sweep", peer_ode(s, 1));
                    }
                    if (count <= 1000) {
                        add(list, "FCL sweep", peer_fcl(s, 1));
                        add(list, "FCL interval tree", peer_fcl(s, 2));
                        add(list, "ODE quadtree", peer_ode(s, 2));
                    }
                }
                run(name.c_str(), 15, 1, s, list, every);
                if (w == 1 && count <= 1000) {
                    for (Entrant &e : list) e.best = 1e30;
                    run(name.c_str(), 150, 1, s, list, every);
                }
            }
            list.clear();
            if (w <= 2 && two.run) {
                add(list, "carom auto", std::make_unique<Carom>(s, CM_BROAD_AUTO, &two, 1, false));
                if (peers) add(list, "Embree", peer_embree(s, 2));
                run(name.c_str(), 15, 2, s, list, 1);
            }
            list.clear();
            scene_free(&s);
        }
    }
    cm_pool_destroy(pool);
    if (csv) std::fclose(csv);
    return failed ? 1 : 0;
}
