// One body as triangles.
//
// The corners on an edge are the same points for all faces that share it, so that the mesh of a closed body is closed.
// The deviation is measured, not what was asked for: at the middle of every edge of a triangle and of every triangle,
// against the true curve or surface.
#ifndef STEP_TESSELLATE_HPP
#define STEP_TESSELLATE_HPP

#include <TopoDS_Shape.hxx>
#include <cstdint>
#include <vector>

struct Triangles {
    std::vector<double> points;         // three a point, millimetres
    std::vector<std::uint32_t> indices; // three a triangle
    double deviation = 0;               // millimetres; below 0 where it is not known
    double chord = 0;                   // how far off it was to be at most
    bool closed = false;                // every edge of a triangle is met by its reverse; then turned outwards
    std::vector<TopoDS_Shape> lost;     // faces that gave no triangle
};

// `chord`: how far a curve may be off, in the body's millimetres; 0: a tenth of a true one, which are `millimetre` of
// these, or a ten thousandth of the body's size where that is more.
Triangles tessellate(const TopoDS_Shape &body, double chord, double millimetre);

#endif
