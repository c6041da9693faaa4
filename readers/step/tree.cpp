// From the document to parts: the assembly tree, one part a body.
//
// A body is a solid, a shell that belongs to none, or what loose faces make where they are sewn. A product with one
// body is a part itself, one with several has them as its children. Instances share their meshes.
#include "model.hpp"
#include "tessellate.hpp"

#include <BRepBuilderAPI_Sewing.hxx>
#include <BRepBndLib.hxx>
#include <BRep_Tool.hxx>
#include <Bnd_Box.hxx>
#include <Quantity_Color.hxx>
#include <TDF_LabelSequence.hxx>
#include <TDataStd_Name.hxx>
#include <TopExp_Explorer.hxx>
#include <TopoDS_Iterator.hxx>
#include <XCAFDoc_ColorTool.hxx>
#include <XCAFDoc_DocumentTool.hxx>
#include <XCAFDoc_LayerTool.hxx>
#include <XCAFDoc_ShapeTool.hxx>
#include <TColStd_HSequenceOfExtendedString.hxx>
#include <TopoDS.hxx>
#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>

namespace {

constexpr int MOST_DEPTH = 256;        // of the tree
constexpr std::size_t MOST_NAMED = 20; // of what a product lacks
// By how much the edges of loose faces may be apart and are one: the resolution that the file states, within these
// shares of their size.
constexpr double LEAST_SEWN = 1e-6, MOST_SEWN = 1e-4;

stream::Matrix matrix_of(const gp_Trsf &t, double scale) {
    stream::Matrix m;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 4; k++) m.row[4 * i + k] = t.Value(i + 1, k + 1) * (k == 3 ? scale : 1);
    return m;
}

std::string name_of_label(const TDF_Label &label) {
    Handle(TDataStd_Name) name;
    return label.FindAttribute(TDataStd_Name::GetID(), name) ? trimmed(utf8(name->Get())) : "";
}

// What exporters write where they know no name of an instance: a number, NAUO with a number.
bool is_counted(const std::string &name) {
    const std::size_t digits = name.find_first_of("0123456789");
    if (digits == std::string::npos) return name.empty();
    const std::string word = name.substr(0, digits);
    return (word.empty() || word == "NAUO" || word == "NEXT_ASSEMBLY_USAGE_OCCURRENCE" || word == "=>[") &&
           name.find_first_not_of("0123456789:]", digits) == std::string::npos;
}

struct Shapes { // of a product, by kind
    std::vector<TopoDS_Shape> solids, shells, faces;
    std::size_t curves = 0;
};

void sort_shapes(const TopoDS_Shape &shape, int depth, Shapes &out) {
    if (shape.IsNull() || depth > MOST_DEPTH) return;
    switch (shape.ShapeType()) {
    case TopAbs_SOLID:
        out.solids.push_back(shape);
        break;
    case TopAbs_SHELL:
        out.shells.push_back(shape);
        break;
    case TopAbs_FACE:
        out.faces.push_back(shape);
        break;
    case TopAbs_WIRE:
    case TopAbs_EDGE:
    case TopAbs_VERTEX:
        out.curves++;
        break;
    default:
        for (TopoDS_Iterator it(shape); it.More(); it.Next()) sort_shapes(it.Value(), depth + 1, out);
    }
}

struct Body {
    std::uint32_t mesh;
    gp_Trsf place;
    std::string name;
    TopoDS_Shape shape;
};

struct Product {
    std::vector<Body> bodies;
    std::vector<Loss> losses;
    std::size_t curves = 0;
    bool empty = true; // not even a curve
    bool told = false; // what it has no body of, and what it lost, under its first place
};

struct Place { // in the tree
    std::uint32_t parent;
    std::string path; // of the parent, with a slash after it
    gp_Trsf local;
    int depth;
    std::string product; // the nearest above that has a name
};

class Tree {
  public:
    Tree(const Model &model, double chord, double millimetre)
        : model_(model), chord_(chord), millimetre_(millimetre), scale_(0.001 / (model.unit > 0 ? model.unit : 0.001)),
          shapes_(XCAFDoc_DocumentTool::ShapeTool(model.document->Main())),
          colors_(XCAFDoc_DocumentTool::ColorTool(model.document->Main())),
          layers_(XCAFDoc_DocumentTool::LayerTool(model.document->Main())) {}

    // Why there is nothing to show, else "".
    std::string write() {
        root_ = stream::node(stream::NONE, matrix_of(gp_Trsf(), 1), "", {});
        TDF_LabelSequence free;
        shapes_->GetFreeShapes(free);
        Shapes loose; // faces that stand alone at the top: they belong together
        for (const TDF_Label &label : free) {
            Shapes own;
            if (!shapes_->IsAssembly(label)) sort_shapes(XCAFDoc_ShapeTool::GetShape(label), 0, own);
            if (own.solids.empty() && own.shells.empty() && !own.faces.empty() && own.curves == 0) {
                loose.faces.insert(loose.faces.end(), own.faces.begin(), own.faces.end());
                continue;
            }
            TDF_Label whole = label;
            gp_Trsf local;
            if (XCAFDoc_ShapeTool::IsReference(label)) {
                XCAFDoc_ShapeTool::GetReferredShape(label, whole);
                local = XCAFDoc_ShapeTool::GetLocation(label).Transformation();
            }
            put(whole, label, {root_, "", local, 0, name_of_label(label)});
        }
        if (!loose.faces.empty()) {
            Product product = make(loose, "");
            put(product, "", TDF_Label(), TDF_Label(), {root_, "", gp_Trsf(), 0, ""});
        }
        std::map<std::string, std::vector<Loss>> of; // one record a product
        for (const Loss &loss : model_.losses) of[loss.product].push_back(loss);
        for (const auto &losses : of) {
            const auto path = paths_.find(losses.first);
            // what belongs to no product belongs to one that is there, if any is
            const bool there = losses.first.empty() ? !meshes_.empty() : has_part_.count(losses.first) != 0;
            tell(there ? stream::PARTLY : stream::GONE, path != paths_.end() ? path->second : losses.first,
                 losses.second);
        }
        tell_coarse();
        if (!meshes_.empty() || !model_.losses.empty() || lost_) return "";
        return wires_ ? "it has curves or points only: no body that could clash" : "nothing in it has a shape";
    }

  private:
    // The shape of a label, as an instance of another (or the same) stands there.
    void put(const TDF_Label &label, const TDF_Label &instance, const Place &at) {
        if (at.depth > MOST_DEPTH) throw Refused("its assembly is nested too deep");
        const std::string own = name_of_label(label), given = name_of_label(instance);
        std::string name = is_counted(given) && !own.empty() ? own : given;
        std::replace(name.begin(), name.end(), '/', '_'); // "M8x1/2": no end of a component of the path
        if (!XCAFDoc_ShapeTool::IsAssembly(label)) {
            auto found = products_.find(XCAFDoc_ShapeTool::GetShape(label).TShape().get());
            if (found == products_.end()) {
                Shapes shapes;
                sort_shapes(XCAFDoc_ShapeTool::GetShape(label), 0, shapes);
                found = products_.emplace(XCAFDoc_ShapeTool::GetShape(label).TShape().get(), make(shapes, own)).first;
            }
            put(found->second, name, label, instance, at);
            return;
        }
        const std::uint32_t node = stream::node(at.parent, matrix_of(at.local, scale_), name, {});
        const std::string path = join(at.path, name);
        paths_.emplace(own, path);
        TDF_LabelSequence components;
        XCAFDoc_ShapeTool::GetComponents(label, components);
        for (const TDF_Label &component : components) {
            TDF_Label referred;
            if (XCAFDoc_ShapeTool::GetReferredShape(component, referred))
                put(referred, component,
                    {node, path.empty() ? "" : path + "/", XCAFDoc_ShapeTool::GetLocation(component).Transformation(),
                     at.depth + 1, own.empty() ? at.product : own});
        }
    }

    void put(Product &product, const std::string &name, const TDF_Label &label, const TDF_Label &instance,
             const Place &at) {
        const std::string path = join(at.path, name), own = label.IsNull() ? "" : name_of_label(label);
        paths_.emplace(own, path);
        if (!product.bodies.empty()) has_part_[own.empty() ? at.product : own] = true; // a mapped body has no name
        if (product.bodies.size() == 1) {
            const Body &body = product.bodies[0];
            stream::node(at.parent, matrix_of(at.local * body.place, scale_), name.empty() ? body.name : name,
                         {body.mesh});
            tell_properties(label, instance, own, body);
        } else if (product.bodies.size() > 1) {
            const std::uint32_t node = stream::node(at.parent, matrix_of(at.local, scale_), name, {});
            for (const Body &body : product.bodies) {
                stream::node(node, matrix_of(body.place, scale_), body.name, {body.mesh});
                tell_properties(label, instance, own, body);
            }
        }
        if (product.told) return;
        product.told = true;
        lost_ = lost_ || !product.losses.empty();
        wires_ = wires_ || product.curves > 0;
        tell(product.bodies.empty() ? stream::GONE : stream::PARTLY, path, product.losses);
        if (product.curves > 0)
            stream::left_out(stream::APART, "", "wireframe", path, "has no body that could clash");
        else if (product.empty)
            stream::left_out(stream::APART, "", "product", path, "has no shape");
    }

    // What a product lacks: the first thing with its reason, the others by their ids.
    static void tell(stream::Fate fate, const std::string &path, const std::vector<Loss> &losses) {
        if (losses.empty()) return;
        std::string reason = losses[0].reason;
        for (std::size_t i = 1; i < losses.size() && i < MOST_NAMED; i++)
            reason += (i == 1 ? "; also " : ", ") + losses[i].kind + " " + losses[i].id;
        if (losses.size() > MOST_NAMED) reason += " and " + std::to_string(losses.size() - MOST_NAMED) + " more";
        stream::left_out(fate, losses[0].id, losses[0].kind, path, reason);
    }

    static std::string join(const std::string &path, const std::string &name) {
        return name.empty() ? path.substr(0, path.empty() ? 0 : path.size() - 1) : path + name;
    }

    // The color that all faces of a body have.
    bool color_of_faces(const TopoDS_Shape &body, XCAFDoc_ColorType kind, Quantity_Color &out) const {
        bool first = true;
        for (TopExp_Explorer at(body, TopAbs_FACE); at.More(); at.Next()) {
            Quantity_Color color;
            if (!colors_->GetColor(at.Current(), kind, color) || (!first && color != out)) return false;
            out = color, first = false;
        }
        return !first;
    }

    // What the file says of the part: the product it is an instance of, its layer, its color (the nearest to it
    // counts; where there is none, that of its faces).
    void tell_properties(const TDF_Label &label, const TDF_Label &instance, const std::string &product,
                         const Body &body) {
        stream::property("type", product);
        for (const TDF_Label &at : {instance, label}) {
            Handle(TColStd_HSequenceOfExtendedString) layers;
            if (at.IsNull() || !layers_->GetLayers(at, layers) || layers->IsEmpty()) continue;
            stream::property("layer", utf8(layers->First()));
            break;
        }
        Quantity_Color color;
        for (const XCAFDoc_ColorType kind : {XCAFDoc_ColorSurf, XCAFDoc_ColorGen}) {
            const bool has = (!instance.IsNull() && colors_->GetColor(instance, kind, color)) ||
                             colors_->GetColor(body.shape, kind, color) ||
                             (!label.IsNull() && colors_->GetColor(label, kind, color)) ||
                             color_of_faces(body.shape, kind, color);
            if (!has) continue;
            stream::property("color", Quantity_Color::ColorToHex(color).ToCString());
            break;
        }
    }

    Product make(Shapes &shapes, const std::string &name) {
        Product out;
        out.curves = shapes.curves;
        out.empty = shapes.solids.empty() && shapes.shells.empty() && shapes.faces.empty() && shapes.curves == 0;
        for (const TopoDS_Shape &solid : shapes.solids) add(solid, "solid", name, out);
        for (const TopoDS_Shape &shell : shapes.shells) add(shell, "surface", name, out);
        // Faces of triangles alone have no edges by which they could be sewn.
        const auto meshes = std::stable_partition(shapes.faces.begin(), shapes.faces.end(), has_surface);
        for (auto face = meshes; face != shapes.faces.end(); ++face) add(*face, "surface", name, out);
        shapes.faces.erase(meshes, shapes.faces.end());
        if (shapes.faces.size() == 1) add(shapes.faces[0], "surface", name, out);
        if (shapes.faces.size() <= 1) return out;
        Bnd_Box box;
        for (const TopoDS_Shape &face : shapes.faces) BRepBndLib::Add(face, box, false);
        const double size = box.IsVoid() ? 1 : std::sqrt(box.SquareExtent()),
                     gap = std::min(MOST_SEWN * size, std::max(LEAST_SEWN * size, model_.resolution));
        BRepBuilderAPI_Sewing sewing(gap);
        for (const TopoDS_Shape &face : shapes.faces) sewing.Add(face);
        sewing.Perform();
        Shapes sewn;
        sort_shapes(sewing.SewedShape(), 0, sewn);
        sewn.shells.insert(sewn.shells.end(), sewn.solids.begin(), sewn.solids.end());
        sewn.shells.insert(sewn.shells.end(), sewn.faces.begin(), sewn.faces.end());
        for (const TopoDS_Shape &shell : sewn.shells) add(shell, "surface", name, out);
        const int specks = sewing.NbDeletedFaces();
        stream::note((name.empty() ? "" : name + ": ") + std::to_string(shapes.faces.size()) +
                     " loose faces were sewn where their edges meet within " + short_number(gap) +
                     " mm: " + std::to_string(sewn.shells.size()) + (sewn.shells.size() == 1 ? " piece" : " pieces") +
                     (specks > 0 ? ", without " + std::to_string(specks) + " smaller than that" : ""));
        return out;
    }

    static bool has_surface(const TopoDS_Shape &face) {
        TopLoc_Location place;
        return !BRep_Tool::Surface(TopoDS::Face(face), place).IsNull();
    }

    static std::string short_number(double n) {
        char text[40];
        std::snprintf(text, sizeof text, "%.2g", n);
        return text;
    }

    void note_coarse(double off, double chord) {
        if (off <= chord) return;
        coarse_++;
        if (off / chord <= coarsest_off_ / coarsest_chord_) return;
        coarsest_off_ = off, coarsest_chord_ = chord;
    }
    void tell_coarse() const {
        if (coarse_ == 0) return;
        stream::note((chord_ > 0 ? "warning: " : "") + std::to_string(coarse_) + " of " +
                     std::to_string(meshes_.size()) + (meshes_.size() == 1 ? " body" : " bodies") +
                     (coarse_ == 1 ? " is" : " are") + " up to " + short_number(coarsest_off_ / millimetre_) +
                     " mm off " + (coarse_ == 1 ? "its" : "their") + " curves, more than the " +
                     short_number(coarsest_chord_ / millimetre_) + " mm " +
                     (chord_ > 0 ? "asked for" : "of the default"));
    }

    void add(const TopoDS_Shape &shape, const char *kind, const std::string &product, Product &out) {
        const auto said = model_.name_of ? model_.name_of(shape) : std::pair<std::string, std::string>();
        Body body{0, shape.Location().Transformation(), said.second, shape};
        if (body.name.empty() || body.name == "NONE")
            body.name = std::string(kind) + "_" + std::to_string(out.bodies.size() + 1);
        const auto found = meshes_.find(shape.TShape().get());
        if (found != meshes_.end()) {
            body.mesh = found->second;
            out.bodies.push_back(body);
            return;
        }
        Triangles mesh = tessellate(shape, chord_ * millimetre_, millimetre_);
        for (const TopoDS_Shape &face : mesh.lost) {
            const auto which = model_.name_of ? model_.name_of(face) : std::pair<std::string, std::string>();
            out.losses.push_back({which.first.empty() ? said.first.empty() ? body.name : said.first : which.first,
                                  "face", product, "Open CASCADE made no triangles of a face of " + body.name});
        }
        if (mesh.indices.empty()) return; // all its faces are lost
        note_coarse(mesh.deviation, mesh.chord);
        for (double &x : mesh.points) x *= scale_;
        body.mesh = stream::mesh(mesh.points, mesh.indices, mesh.deviation < 0 ? -1 : mesh.deviation * scale_,
                                 product.empty() ? body.name : product);
        meshes_[shape.TShape().get()] = body.mesh;
        out.bodies.push_back(body);
    }

    const Model &model_;
    const double chord_, millimetre_, scale_; // millimetres; a true one in those of shapes; units of the file in those
    Handle(XCAFDoc_ShapeTool) shapes_;
    Handle(XCAFDoc_ColorTool) colors_;
    Handle(XCAFDoc_LayerTool) layers_;
    std::uint32_t root_ = 0;
    bool lost_ = false, wires_ = false;
    std::size_t coarse_ = 0;                       // meshes that are farther off than their chord
    double coarsest_off_ = 0, coarsest_chord_ = 1; // of the one that is by the greatest factor
    std::map<const void *, Product> products_;
    std::map<const void *, std::uint32_t> meshes_;
    std::map<std::string, std::string> paths_; // of the first instance of a product
    std::map<std::string, bool> has_part_;
};

} // namespace

void write_parts(const Model &model, double chord, double unit, bool always) {
    stream::meta(model.unit, 0.001, model.format);
    for (const std::string &text : model.notes) stream::note(text);
    for (const std::string &path : model.sources) stream::source(path);
    const bool taken = unit > 0 && (always || model.unit <= 0); // another unit than that of the shapes
    const std::string nothing =
        Tree(model, 1000 * chord, taken ? (model.unit > 0 ? model.unit : 0.001) / unit : 1).write();
    if (!nothing.empty()) return stream::fail(nothing);
    for (const Loss &loss : model.broken) stream::left_out(stream::PARTLY, "", loss.kind, "", loss.reason);
    stream::end();
}
