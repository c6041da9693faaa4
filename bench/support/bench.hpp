// What several benchmarks need: meshes from files, random numbers, the processor's clock.
#ifndef BENCH_SUPPORT_HPP
#define BENCH_SUPPORT_HPP

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>
#include <vector>

namespace bench {

template <typename Real> struct Soup {
    std::vector<Real> points; // x y z ...
    std::vector<uint32_t> indices;
    uint32_t triangles() const { return static_cast<uint32_t>(indices.size() / 3); }
    uint32_t add(double x, double y, double z) {
        points.insert(points.end(), {static_cast<Real>(x), static_cast<Real>(y), static_cast<Real>(z)});
        return static_cast<uint32_t>(points.size() / 3 - 1);
    }
};

// Points and faces of an OBJ file, faces cut into fans; ends the program where there is none.
template <typename Real> Soup<Real> load(const std::string &path) {
    Soup<Real> soup;
    FILE *file = std::fopen(path.c_str(), "r");
    if (!file) std::fprintf(stderr, "cannot read %s\n", path.c_str()), std::exit(2);
    char line[512];
    while (std::fgets(line, sizeof line, file)) {
        double x, y, z;
        if (std::sscanf(line, "v %lf %lf %lf", &x, &y, &z) == 3) soup.add(x, y, z);
        if (line[0] != 'f') continue;
        std::vector<uint32_t> corner;
        for (char *c = line + 1; (c = std::strpbrk(c, " \t")) != nullptr;) {
            while (*c == ' ' || *c == '\t') ++c;
            if (std::atoi(c) > 0) corner.push_back(static_cast<uint32_t>(std::atoi(c) - 1));
        }
        for (size_t k = 2; k < corner.size(); ++k)
            soup.indices.insert(soup.indices.end(), {corner[0], corner[k - 1], corner[k]});
    }
    std::fclose(file);
    return soup;
}

// splitmix64 [Steele14]
struct Random {
    uint64_t state;
    double unit() {
        uint64_t z = (state += UINT64_C(0x9e3779b97f4a7c15));
        z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
        z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
        return static_cast<double>((z ^ (z >> 31)) >> 11) / 9007199254740992.0;
    }
    double range(double lo, double hi) { return lo + (hi - lo) * unit(); }
};

// Seconds of this thread: the machine may have other work.
inline double now() {
    timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

} // namespace bench

#endif
