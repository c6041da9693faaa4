// Time of first contact of moving features on recorded queries, beside Tight-Inclusion [Wang21] on the same in one run.
//     bench_deform [--tolerance x] FILE.csv ...
// Files as the public sets have them: eight rows a query, each x, y, z as numerator and denominator, and the label
// where there is one; a path with "ee" or "edge-edge" in its name's end holds edges, all others vertex and face.
#include "support/bench.hpp"

#include <carom/carom.h>

#include <algorithm>
#include <cmath>

#if defined(WITH_TIGHT_INCLUSION)
#include <tight_inclusion/ccd.hpp>
#endif

namespace {

struct Query {
    bool edges;
    int label; // -1: none
    cm_path path[4];
};

struct Answer {
    bool hit;
    double u;
};

void read(const std::string &name, std::vector<Query> &out) {
    FILE *file = std::fopen(name.c_str(), "r");
    if (!file) std::fprintf(stderr, "cannot read %s\n", name.c_str()), std::exit(2);
    const bool edges = name.find("edge-edge") != std::string::npos || name.find("ee.csv") != std::string::npos;
    char line[1024];
    for (int row = 0; std::fgets(line, sizeof line, file); row = (row + 1) % 8) {
        if (row == 0) out.push_back({edges, -1, {}});
        Query &q = out.back();
        double x[3];
        char *at = line;
        for (double &value : x) { // both numbers of a pair are exact in long double, and so is nearly every quotient
            const long double over = std::strtold(at, &at), under = std::strtold(at + 1, &at);
            value = static_cast<double>(over / under);
            at += *at == ',';
        }
        if (*at == '0' || *at == '1') q.label = *at - '0';
        (row < 4 ? q.path[row].start : q.path[row - 4].end) = {x[0], x[1], x[2]};
    }
    std::fclose(file);
}

Answer carom(const Query &q, double tolerance) {
    cm_path_hit hit = {};
    const cm_path_verdict verdict = q.edges ? cm_sweep_edge_edge(q.path, q.path + 2, 0, tolerance, &hit)
                                            : cm_sweep_point_triangle(q.path, q.path + 1, 0, tolerance, &hit);
    return {verdict != CM_PATH_FREE, verdict != CM_PATH_FREE ? hit.u : 1};
}

#if defined(WITH_TIGHT_INCLUSION)
Answer tight_inclusion(const Query &q, double tolerance) {
    ticcd::Vector3 x[8];
    for (int i = 0; i < 4; ++i) {
        x[i] = {q.path[i].start.x, q.path[i].start.y, q.path[i].start.z};
        x[4 + i] = {q.path[i].end.x, q.path[i].end.y, q.path[i].end.z};
    }
    const ticcd::Array3 err(-1, -1, -1);
    double toi = 1, reached = 0;
    const auto ask = q.edges ? static_cast<decltype(&ticcd::edgeEdgeCCD)>(ticcd::edgeEdgeCCD)
                             : static_cast<decltype(&ticcd::edgeEdgeCCD)>(ticcd::vertexFaceCCD);
    const bool hit = ask(x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], err, 0, toi, tolerance, 1, 1000000, reached,
                         false, ticcd::CCDRootFindingMethod::BREADTH_FIRST_SEARCH);
    return {hit, toi};
}
#endif

struct Row {
    double mean, median, worst; // nanoseconds
    int missed, hits;
};

template <typename Ask> Row run(const std::vector<Query> &queries, double tolerance, Ask ask) {
    Row row = {};
    std::vector<double> times(queries.size(), 1e30);
    const double begun = bench::now();
    for (int round = 0; round < 3 && bench::now() < begun + 5; ++round) { // once where it takes long
        row.missed = row.hits = 0;
        for (size_t i = 0; i < queries.size(); ++i) {
            const double start = bench::now();
            const Answer answer = ask(queries[i], tolerance);
            times[i] = std::min(times[i], 1e9 * (bench::now() - start));
            row.hits += answer.hit;
            row.missed += queries[i].label == 1 && !answer.hit;
        }
    }
    for (double t : times) row.mean += t / static_cast<double>(times.size()), row.worst = std::max(row.worst, t);
    std::nth_element(times.begin(), times.begin() + static_cast<long>(times.size() / 2), times.end());
    row.median = times[times.size() / 2];
    return row;
}

void print(const char *set, const char *who, const std::vector<Query> &queries, const Row &row) {
    std::printf("%s,%s,%zu,%d,%d,%.0f,%.0f,%.0f\n", set, who, queries.size(), row.hits, row.missed, row.mean,
                row.median, row.worst);
}

} // namespace

int main(int argc, char **argv) {
    double tolerance = 1e-6;
    std::vector<Query> kinds[2];
    for (int i = 1; i < argc; ++i) {
        if (std::strcmp(argv[i], "--tolerance") == 0 && i + 1 < argc) {
            tolerance = std::atof(argv[++i]);
            continue;
        }
        std::vector<Query> queries;
        read(argv[i], queries);
        if (!queries.empty())
            kinds[queries[0].edges].insert(kinds[queries[0].edges].end(), queries.begin(), queries.end());
    }
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
    std::printf("set,library,queries,hits,missed,mean_ns,median_ns,worst_ns\n"); // the clock's own time included
    for (int k = 0; k < 2; ++k) {
        const char *set = k ? "edge-edge" : "vertex-face";
        if (kinds[k].empty()) continue;
        print(set, "carom", kinds[k], run(kinds[k], tolerance, carom));
#if defined(WITH_TIGHT_INCLUSION)
        print(set, "tight-inclusion", kinds[k], run(kinds[k], tolerance, tight_inclusion));
#endif
    }
    return 0;
}
