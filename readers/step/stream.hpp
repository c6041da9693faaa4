// Writes the stream of docs/reader.md to file descriptor 3. See there for every record.
#ifndef STEP_STREAM_HPP
#define STEP_STREAM_HPP

#include <cstdint>
#include <string>
#include <vector>

namespace stream {

constexpr std::uint32_t NONE = 0xffffffff;
// What is in the file and not among the parts: no body by nature; a body and nothing of it; a body and not all of it.
enum Fate : std::uint32_t { APART, GONE, PARTLY };

// Rows of a 3 x 4 matrix.
struct Matrix {
    double row[12];
};

void start();
// A unit of 0 is one that the file does not state; then `bias` is assumed. Both in metres.
void meta(double unit, double bias, const std::string &format);
// Three coordinates a point, three indices a triangle; the deviation is below 0 where it is not known. The mesh's
// number.
std::uint32_t mesh(const std::vector<double> &points, const std::vector<std::uint32_t> &indices, double deviation,
                   const std::string &name);
std::uint32_t node(std::uint32_t parent, const Matrix &local, const std::string &name,
                   const std::vector<std::uint32_t> &meshes);
// Of the latest node; nothing where the value is empty.
void property(const std::string &key, const std::string &value);
void note(const std::string &text);
// A file that was opened besides the model.
void source(const std::string &path);
void left_out(Fate fate, const std::string &id, const std::string &kind, const std::string &path,
              const std::string &reason);
void fail(const std::string &why);
// Where the process crashes before anything was sent, the file is refused so.
void fail_on_crash(const std::string &why);
void end();

} // namespace stream

#endif
