// One body as triangles: see tessellate.hpp.
#include "tessellate.hpp"

#include <BRepAdaptor_Curve.hxx>
#include <BRepAdaptor_Surface.hxx>
#include <BRepBndLib.hxx>
#include <BRepMesh_IncrementalMesh.hxx>
#include <BRepTools.hxx>
#include <BRep_Tool.hxx>
#include <Bnd_Box.hxx>
#include <Geom2d_Curve.hxx>
#include <NCollection_DataMap.hxx>
#include <Poly_PolygonOnTriangulation.hxx>
#include <Poly_Triangulation.hxx>
#include <TopExp.hxx>
#include <TopExp_Explorer.hxx>
#include <TopTools_ShapeMapHasher.hxx>
#include <TopoDS.hxx>
#include <TopoDS_Edge.hxx>
#include <TopoDS_Face.hxx>
#include <TopoDS_Vertex.hxx>

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace {

constexpr double USUAL_CHORD = 0.1, USUAL_SHARE = 1e-4; // true millimetres; of the diagonal
constexpr double MOST_ANGLE = 0.35;                     // between neighboring chords: 18 of them make a circle
constexpr int MOST_ROUNDS = 3;                          // each up to twice as fine, until the chord holds
constexpr double UNSEEN = 1.02; // between the points where a triangle is measured (0.7 % of coarse balls was seen)

// --- how far off -------------------------------------------------------------------------------------------------------

double to_segment(const gp_XYZ &p, const gp_XYZ &a, const gp_XYZ &b) {
    const gp_XYZ along = b - a, from = p - a;
    const double square = along.SquareModulus(), t = square > 0 ? from.Dot(along) / square : 0;
    return (from - along * std::min(1.0, std::max(0.0, t))).Modulus();
}
double to_triangle(const gp_XYZ &p, const gp_XYZ corner[3]) {
    const gp_XYZ normal = (corner[1] - corner[0]).Crossed(corner[2] - corner[0]);
    const double length = normal.Modulus();
    bool inside = length > 0;
    for (int i = 0; i < 3 && inside; i++)
        inside = (corner[(i + 1) % 3] - corner[i]).Crossed(p - corner[i]).Dot(normal) >= 0;
    if (inside) return std::fabs((p - corner[0]).Dot(normal)) / length;
    return std::min({to_segment(p, corner[0], corner[1]), to_segment(p, corner[1], corner[2]),
                     to_segment(p, corner[2], corner[0])});
}

// Where a surface has a pole, one coordinate of the points there means nothing: 1 or 2 for those, 0 else.
std::vector<int> find_poles(const TopoDS_Face &face, const Handle(Poly_Triangulation) & mesh) {
    std::vector<int> out(static_cast<std::size_t>(mesh->NbNodes()) + 1, 0);
    for (TopExp_Explorer it(face, TopAbs_EDGE); it.More(); it.Next()) {
        const TopoDS_Edge &edge = TopoDS::Edge(it.Current());
        if (!BRep_Tool::Degenerated(edge)) continue;
        TopLoc_Location place;
        BRep_Tool::Triangulation(face, place);
        const Handle(Poly_PolygonOnTriangulation) polygon = BRep_Tool::PolygonOnTriangulation(edge, mesh, place);
        double from, to;
        const Handle(Geom2d_Curve) line = BRep_Tool::CurveOnSurface(edge, face, from, to);
        if (polygon.IsNull() || line.IsNull()) continue;
        const gp_Pnt2d a = line->Value(from), b = line->Value(to);
        const int free = std::fabs(b.X() - a.X()) > std::fabs(b.Y() - a.Y()) ? 1 : 2;
        for (int i = 1; i <= polygon->NbNodes(); i++) out[static_cast<std::size_t>(polygon->Node(i))] = free;
    }
    return out;
}

// The middle of some corners on the surface; the coordinate that means nothing at a pole is that of the others.
gp_XY middle_of(const Handle(Poly_Triangulation) & mesh, const std::vector<int> &poles, const int *corner, int count) {
    double sum[2] = {0, 0};
    int counted[2] = {0, 0};
    for (int i = 0; i < count; i++)
        for (int k = 0; k < 2; k++) {
            if (poles[static_cast<std::size_t>(corner[i])] == k + 1) continue;
            sum[k] += mesh->UVNode(corner[i]).XY().Coord(k + 1);
            counted[k]++;
        }
    const gp_XY any = mesh->UVNode(corner[0]).XY();
    return {counted[0] ? sum[0] / counted[0] : any.X(), counted[1] ? sum[1] / counted[1] : any.Y()};
}

// Of the triangles of a face from its surface, edges of the face aside; below 0 where that is not known.
double face_deviation(const TopoDS_Face &face, const Handle(Poly_Triangulation) & mesh, const gp_Trsf &moved) {
    TopLoc_Location place;
    if (BRep_Tool::Surface(face, place).IsNull()) return -1;
    const BRepAdaptor_Surface at(face, false);
    if (at.GetType() == GeomAbs_Plane) return 0;
    if (!mesh->HasUVNodes()) return -1;
    std::unordered_map<std::uint64_t, int> uses; // of each edge: those used once bound the face
    const auto key = [](int a, int b) {
        return static_cast<std::uint64_t>(std::min(a, b)) << 32 | static_cast<std::uint64_t>(std::max(a, b));
    };
    for (int t = 1; t <= mesh->NbTriangles(); t++) {
        int n[3];
        mesh->Triangle(t).Get(n[0], n[1], n[2]);
        for (int i = 0; i < 3; i++) uses[key(n[i], n[(i + 1) % 3])]++;
    }
    const std::vector<int> poles = find_poles(face, mesh);
    double worst = 0;
    for (int t = 1; t <= mesh->NbTriangles(); t++) {
        int n[3];
        mesh->Triangle(t).Get(n[0], n[1], n[2]);
        const gp_XYZ corner[3] = {mesh->Node(n[0]).Transformed(moved).XYZ(), mesh->Node(n[1]).Transformed(moved).XYZ(),
                                  mesh->Node(n[2]).Transformed(moved).XYZ()};
        if ((corner[1] - corner[0]).Crossed(corner[2] - corner[0]).SquareModulus() == 0) continue; // at a pole
        const auto measure = [&](const gp_XY &uv) {
            worst = std::max(worst, to_triangle(at.Value(uv.X(), uv.Y()).XYZ(), corner));
        };
        const gp_XY middle = middle_of(mesh, poles, n, 3);
        measure(middle);
        for (int i = 0; i < 3; i++) {
            const int ends[2] = {n[i], n[(i + 1) % 3]};
            const gp_XY half = middle_of(mesh, poles, ends, 2);
            measure((middle + half) / 2);
            if (uses[key(ends[0], ends[1])] >= 2) measure(half);
        }
    }
    return at.GetType() == GeomAbs_Cylinder ? worst : UNSEEN * worst;
}

// Of the chords that a face's triangles have along an edge, from its curve. An edge may have other chords besides:
// those of triangles that the file held, which stay with it where they are no face's any more.
double edge_deviation(const TopoDS_Edge &edge, const Handle(Poly_Triangulation) & mesh, const TopLoc_Location &place) {
    if (BRep_Tool::Degenerated(edge) || !BRep_Tool::IsGeometric(edge)) return 0;
    const Handle(Poly_PolygonOnTriangulation) polygon = BRep_Tool::PolygonOnTriangulation(edge, mesh, place);
    if (polygon.IsNull() || !polygon->HasParameters()) return 0;
    const BRepAdaptor_Curve curve(edge);
    double worst = 0;
    for (int i = 1; i < polygon->NbNodes(); i++) {
        const gp_XYZ a = mesh->Node(polygon->Node(i)).Transformed(place).XYZ(),
                     b = mesh->Node(polygon->Node(i + 1)).Transformed(place).XYZ();
        worst = std::max(worst,
                         to_segment(curve.Value((polygon->Parameter(i) + polygon->Parameter(i + 1)) / 2).XYZ(), a, b));
    }
    return worst;
}

double deviation_of(const TopoDS_Shape &body) {
    double worst = 0;
    for (TopExp_Explorer it(body, TopAbs_FACE); it.More(); it.Next()) {
        const TopoDS_Face &face = TopoDS::Face(it.Current());
        TopLoc_Location place;
        const Handle(Poly_Triangulation) mesh = BRep_Tool::Triangulation(face, place);
        if (mesh.IsNull()) continue;
        const double own = face_deviation(face, mesh, place.Transformation());
        if (own < 0) return -1;
        worst = std::max(worst, own);
        for (TopExp_Explorer edges(face, TopAbs_EDGE); edges.More(); edges.Next())
            worst = std::max(worst, edge_deviation(TopoDS::Edge(edges.Current()), mesh, place));
    }
    return worst;
}

// --- triangles ---------------------------------------------------------------------------------------------------------

double usual_chord(const TopoDS_Shape &body, double millimetre) {
    Bnd_Box box;
    BRepBndLib::Add(body, box, false);
    const double least = USUAL_CHORD * millimetre;
    return box.IsVoid() || box.IsOpen() ? least : std::max(least, USUAL_SHARE * std::sqrt(box.SquareExtent()));
}

bool has_all_faces(const TopoDS_Shape &body) {
    for (TopExp_Explorer it(body, TopAbs_FACE); it.More(); it.Next()) {
        TopLoc_Location place;
        const Handle(Poly_Triangulation) mesh = BRep_Tool::Triangulation(TopoDS::Face(it.Current()), place);
        if (mesh.IsNull() || mesh->NbTriangles() == 0) return false;
    }
    return true;
}

// Until the chord holds where it is measured; the deviation.
double triangulate(const TopoDS_Shape &body, double chord) {
    IMeshTools_Parameters how;
    how.Angle = MOST_ANGLE;
    how.AllowQualityDecrease = true;
    how.Deflection = chord;
    how.MeshAlgo = IMeshTools_MeshAlgoType_Delabella; // Watson takes eight times as long for 50,000 triangles
    double deviation = 0;
    for (int round = 0; round < MOST_ROUNDS; round++) {
        BRepTools::Clean(body);
        BRepMesh_IncrementalMesh(body, how);
        deviation = deviation_of(body);
        const bool whole = has_all_faces(body);
        if (whole && deviation <= chord) break;
        if (!whole) how.MeshAlgo = IMeshTools_MeshAlgoType_Watson; // where one way fails, the other may not
        how.Deflection *= std::min(1.0, std::max(0.5, 0.8 * chord / deviation));
    }
    return deviation;
}

// The points of all faces, those on a shared edge or corner once.
class Points {
  public:
    // Numbers the points of a face: the first of them.
    std::uint32_t add(const Handle(Poly_Triangulation) & mesh, const gp_Trsf &place) {
        const auto first = static_cast<std::uint32_t>(same_.size());
        for (int i = 1; i <= mesh->NbNodes(); i++) {
            const gp_Pnt p = mesh->Node(i).Transformed(place);
            same_.push_back(static_cast<std::uint32_t>(same_.size()));
            all_.insert(all_.end(), {p.X(), p.Y(), p.Z()});
        }
        return first;
    }
    std::uint32_t find(std::uint32_t i) {
        while (same_[i] != i) i = same_[i] = same_[same_[i]];
        return i;
    }
    void join(std::uint32_t a, std::uint32_t b) {
        a = find(a), b = find(b);
        same_[std::max(a, b)] = std::min(a, b);
    }
    // Takes the triangles to the points that are left, and leaves out those without area for having a corner twice.
    void finish(Triangles &out) {
        std::vector<std::uint32_t> number(same_.size(), UINT32_MAX), kept;
        for (std::size_t t = 0; t + 2 < out.indices.size(); t += 3) {
            const std::uint32_t c[3] = {find(out.indices[t]), find(out.indices[t + 1]), find(out.indices[t + 2])};
            if (c[0] == c[1] || c[1] == c[2] || c[2] == c[0]) continue;
            for (const std::uint32_t i : c) {
                if (number[i] == UINT32_MAX) {
                    number[i] = static_cast<std::uint32_t>(out.points.size() / 3);
                    out.points.insert(out.points.end(), &all_[3 * std::size_t(i)], &all_[3 * std::size_t(i)] + 3);
                }
                kept.push_back(number[i]);
            }
        }
        out.indices = kept;
    }

  private:
    std::vector<double> all_;
    std::vector<std::uint32_t> same_;
};

// The points of the first face that had an edge or corner. The same edge elsewhere (by its location) is another one.
using EdgeNodes = NCollection_DataMap<TopoDS_Shape, std::vector<std::uint32_t>, TopTools_ShapeMapHasher>;
using CornerNodes = NCollection_DataMap<TopoDS_Shape, std::uint32_t, TopTools_ShapeMapHasher>;

// Joins the points that a face has on its edges with those that other faces, or the other side of a seam, have there.
void join_edges(const TopoDS_Face &face, const Handle(Poly_Triangulation) & mesh, std::uint32_t first, EdgeNodes &edges,
                CornerNodes &corners, Points &points) {
    TopLoc_Location place;
    BRep_Tool::Triangulation(face, place);
    for (TopExp_Explorer it(face.Oriented(TopAbs_FORWARD), TopAbs_EDGE); it.More(); it.Next()) {
        const TopoDS_Edge &edge = TopoDS::Edge(it.Current());
        const Handle(Poly_PolygonOnTriangulation) polygon = BRep_Tool::PolygonOnTriangulation(edge, mesh, place);
        if (polygon.IsNull()) continue;
        std::vector<std::uint32_t> nodes;
        for (int i = 1; i <= polygon->NbNodes(); i++)
            nodes.push_back(first + static_cast<std::uint32_t>(polygon->Node(i)) - 1);
        const bool point_only = BRep_Tool::Degenerated(edge);
        for (std::size_t i = 1; i < nodes.size() && point_only; i++) points.join(nodes[0], nodes[i]);
        if (!edges.IsBound(edge)) edges.Bind(edge, nodes);
        const auto &others = edges.Find(edge);
        for (std::size_t i = 0; i < nodes.size() && others.size() == nodes.size(); i++)
            points.join(others[i], nodes[i]);
        const TopoDS_Edge along = TopoDS::Edge(edge.Oriented(TopAbs_FORWARD));
        const TopoDS_Vertex ends[2] = {TopExp::FirstVertex(along), TopExp::LastVertex(along)};
        for (int i = 0; i < 2; i++) {
            if (ends[i].IsNull()) continue;
            const std::uint32_t node = i == 0 ? nodes.front() : nodes.back();
            if (!corners.IsBound(ends[i])) corners.Bind(ends[i], node);
            points.join(corners.Find(ends[i]), node);
        }
    }
}

double signed_volume(const Triangles &t) {
    const auto at = [&](std::size_t i) {
        const double *p = &t.points[3 * std::size_t(t.indices[i])];
        return gp_XYZ(p[0] - t.points[0], p[1] - t.points[1], p[2] - t.points[2]);
    };
    double sum = 0;
    for (std::size_t i = 0; i + 2 < t.indices.size(); i += 3) sum += at(i).Dot(at(i + 1).Crossed(at(i + 2)));
    return sum / 6;
}

bool is_closed(const Triangles &t) {
    std::unordered_map<std::uint64_t, int> open;
    for (std::size_t i = 0; i < t.indices.size(); i++) {
        const std::uint64_t a = t.indices[i], b = t.indices[i % 3 == 2 ? i - 2 : i + 1];
        int &sum = open[std::min(a, b) << 32 | std::max(a, b)];
        sum += a < b ? 1 : -1;
    }
    return !t.indices.empty() && std::all_of(open.begin(), open.end(), [](const auto &e) { return e.second == 0; });
}

} // namespace

Triangles tessellate(const TopoDS_Shape &shape, double chord, double millimetre) {
    const TopoDS_Shape body = shape.Located(TopLoc_Location()).Oriented(TopAbs_FORWARD);
    Triangles out;
    out.chord = chord > 0 ? chord : usual_chord(body, millimetre);
    out.deviation = triangulate(body, out.chord);
    Points points;
    EdgeNodes edges;
    CornerNodes corners;
    for (TopExp_Explorer it(body, TopAbs_FACE); it.More(); it.Next()) {
        const TopoDS_Face &face = TopoDS::Face(it.Current());
        TopLoc_Location place;
        const Handle(Poly_Triangulation) mesh = BRep_Tool::Triangulation(face, place);
        if (mesh.IsNull() || mesh->NbTriangles() == 0) {
            out.lost.push_back(face);
            continue;
        }
        const gp_Trsf trsf = place.Transformation();
        const bool turned = (face.Orientation() == TopAbs_REVERSED) != trsf.IsNegative();
        const std::uint32_t first = points.add(mesh, trsf);
        for (int t = 1; t <= mesh->NbTriangles(); t++) {
            int n[3];
            mesh->Triangle(t).Get(n[0], n[1], n[2]);
            if (turned) std::swap(n[1], n[2]);
            for (const int i : n) out.indices.push_back(first + static_cast<std::uint32_t>(i) - 1);
        }
        join_edges(face, mesh, first, edges, corners, points);
    }
    points.finish(out);
    out.closed = is_closed(out);
    if (out.closed) out.lost.clear(); // they have no area: nothing is missing
    if (out.closed && signed_volume(out) < 0)
        for (std::size_t i = 0; i + 2 < out.indices.size(); i += 3) std::swap(out.indices[i + 1], out.indices[i + 2]);
    return out;
}
