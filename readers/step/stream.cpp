// Writes the stream: see stream.hpp.
#include "stream.hpp"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <sys/stat.h>
#include <unistd.h>

namespace stream {
namespace {

constexpr int STREAM = 3;
constexpr std::uint64_t MAGIC = 0x324d415254534d43;
constexpr int DEATHS[] = {SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGILL};
constexpr std::size_t FLUSH_AT = 1 << 20;
enum Tag : std::uint32_t { META = 1, MESH, NODE, NOTE, SOURCE, FAIL, END, PROPERTY, LEFT_OUT };

std::vector<unsigned char> waiting;
std::uint32_t mesh_count, node_count;

std::vector<unsigned char> last_words; // a whole stream

void die_saying(int) {
    const ssize_t n = write(STREAM, last_words.data(), last_words.size());
    _exit(n > 0 ? EXIT_SUCCESS : EXIT_FAILURE);
}

void flush() {
    for (const int death : DEATHS) std::signal(death, SIG_DFL);
    for (std::size_t done = 0; done < waiting.size();) {
        const ssize_t n = write(STREAM, waiting.data() + done, waiting.size() - done);
        if (n > 0)
            done += static_cast<std::size_t>(n);
        else if (errno != EINTR)
            _exit(EXIT_FAILURE); // nobody listens
    }
    waiting.clear();
}

void put(const void *data, std::size_t size) {
    const auto *bytes = static_cast<const unsigned char *>(data);
    waiting.insert(waiting.end(), bytes, bytes + size);
    if (waiting.size() > FLUSH_AT) flush();
}
template <typename Number> void put(Number n) { put(&n, sizeof n); }
void put(const std::string &text) { put(text.data(), text.size()); }
std::uint32_t length(const std::string &text) { return static_cast<std::uint32_t>(text.size()); }
void head(Tag tag, std::size_t size) {
    put<std::uint32_t>(tag);
    put<std::uint64_t>(size);
}
void record(Tag tag, const std::string &text) {
    head(tag, text.size());
    put(text);
}

} // namespace

void start() { put(MAGIC); }

void meta(double unit, double bias, const std::string &format) {
    head(META, 2 * sizeof(double) + 3 + format.size());
    put(unit);
    put(bias);
    put("\0z\0", 3); // no axis is stated, z is usual; double precision
    put(format);
}

std::uint32_t mesh(const std::vector<double> &points, const std::vector<std::uint32_t> &indices, double deviation,
                   const std::string &name) {
    const std::uint32_t counts[8] = {static_cast<std::uint32_t>(points.size() / 3),
                                     static_cast<std::uint32_t>(indices.size() / 3),
                                     0,
                                     0,
                                     0,
                                     0,
                                     0,
                                     length(name)};
    head(MESH, sizeof counts + sizeof deviation + name.size() + 8 * points.size() + 4 * indices.size());
    put(counts, sizeof counts);
    put(deviation);
    put(name);
    put(points.data(), 8 * points.size());
    put(indices.data(), 4 * indices.size());
    return mesh_count++;
}

std::uint32_t node(std::uint32_t parent, const Matrix &local, const std::string &name,
                   const std::vector<std::uint32_t> &meshes) {
    head(NODE, 3 * sizeof(std::uint32_t) + sizeof local.row + name.size() + 4 * meshes.size());
    put(parent);
    put(static_cast<std::uint32_t>(meshes.size()));
    put(length(name));
    put(local.row, sizeof local.row);
    put(name);
    put(meshes.data(), 4 * meshes.size());
    return node_count++;
}

void property(const std::string &key, const std::string &value) {
    if (value.empty()) return;
    head(PROPERTY, sizeof(std::uint32_t) + key.size() + value.size());
    put(length(key));
    put(key);
    put(value);
}

void note(const std::string &text) { record(NOTE, text); }

void source(const std::string &path) {
    struct stat info;
    if (stat(path.c_str(), &info) != 0) return;
    head(SOURCE, 2 * sizeof(std::uint64_t) + path.size());
    put<std::uint64_t>(info.st_dev);
    put<std::uint64_t>(info.st_ino);
    put(path);
}

void left_out(Fate fate, const std::string &id, const std::string &kind, const std::string &path,
              const std::string &reason) {
    head(LEFT_OUT, 4 * sizeof(std::uint32_t) + id.size() + kind.size() + path.size() + reason.size());
    put<std::uint32_t>(fate);
    put(length(id));
    put(length(kind));
    put(length(path));
    put(id);
    put(kind);
    put(path);
    put(reason);
}

void fail(const std::string &why) {
    record(FAIL, why);
    end();
}

void fail_on_crash(const std::string &why) {
    std::vector<unsigned char> kept;
    kept.swap(waiting);
    start();
    record(FAIL, why);
    head(END, 0);
    last_words.swap(waiting);
    waiting.swap(kept);
    for (const int death : DEATHS) std::signal(death, die_saying);
}

void end() {
    head(END, 0);
    flush();
}

} // namespace stream
