// Writes the models of test/cli/step.c into a folder. What is true of them is worked out by hand there.
#include <BRepAlgoAPI_Cut.hxx>
#include <BRepBuilderAPI_MakeEdge.hxx>
#include <BRepBuilderAPI_MakeFace.hxx>
#include <BRepBuilderAPI_NurbsConvert.hxx>
#include <BRepBuilderAPI_Transform.hxx>
#include <BRepMesh_IncrementalMesh.hxx>
#include <BRepPrimAPI_MakeBox.hxx>
#include <BRepPrimAPI_MakeCone.hxx>
#include <BRepPrimAPI_MakeCylinder.hxx>
#include <BRepPrimAPI_MakeSphere.hxx>
#include <BRepPrimAPI_MakeTorus.hxx>
#include <BRepPrimAPI_MakeWedge.hxx>
#include <BRepTools.hxx>
#include <BRep_Builder.hxx>
#include <BRep_Tool.hxx>
#include <BinTools.hxx>
#include <IGESControl_Controller.hxx>
#include <IGESControl_Writer.hxx>
#include <Interface_Static.hxx>
#include <Message.hxx>
#include <Message_Messenger.hxx>
#include <Quantity_Color.hxx>
#include <STEPCAFControl_Writer.hxx>
#include <STEPControl_Controller.hxx>
#include <STEPControl_Writer.hxx>
#include <TCollection_ExtendedString.hxx>
#include <TDataStd_Name.hxx>
#include <TDocStd_Document.hxx>
#include <TopExp_Explorer.hxx>
#include <TopoDS.hxx>
#include <TopoDS_Compound.hxx>
#include <XCAFDoc_ColorTool.hxx>
#include <XCAFDoc_DocumentTool.hxx>
#include <XCAFDoc_ShapeTool.hxx>
#include <cmath>
#include <fstream>
#include <string>

static std::string folder;
static std::string in(const char *name) { return folder + "/" + name; }

static void write_step(const TopoDS_Shape &shape, const char *name, const char *unit = "MM") {
    STEPControl_Controller::Init();
    Interface_Static::SetCVal("write.step.unit", unit);
    STEPControl_Writer writer;
    writer.Transfer(shape, STEPControl_AsIs);
    writer.Write(in(name).c_str());
}

// Mode 1: solids; 0: faces alone.
static void write_iges(const TopoDS_Shape &shape, const char *name, const char *unit, int mode) {
    IGESControl_Controller::Init();
    IGESControl_Writer writer(unit, mode);
    writer.AddShape(shape);
    writer.ComputeModel();
    writer.Write(in(name).c_str());
}

static TopoDS_Shape box(double x, double y, double z, double at = 0) {
    return BRepPrimAPI_MakeBox(gp_Pnt(at, 0, 0), x, y, z).Shape();
}

static TopoDS_Shape together(std::initializer_list<TopoDS_Shape> shapes) {
    TopoDS_Compound out;
    BRep_Builder builder;
    builder.MakeCompound(out);
    for (const TopoDS_Shape &shape : shapes) builder.Add(out, shape);
    return out;
}

static void write_brep(const TopoDS_Shape &shape, const std::string &name) {
    BRepTools::Write(shape, in((name + ".brep").c_str()).c_str());
    std::ofstream binary(in((name + "_binary.brep").c_str()), std::ios::binary);
    BinTools::Write(shape, binary);
}

static void write_all(const TopoDS_Shape &shape, const std::string &name) {
    write_step(shape, (name + ".step").c_str());
    write_iges(shape, (name + ".igs").c_str(), "MM", 1);
    write_brep(shape, name);
}

// A box, a cylinder, and in a compound of a compound both again, turned by 90 degrees about z and moved by 100 along x.
static TopoDS_Shape nest() {
    gp_Trsf turn, move;
    turn.SetRotation(gp_Ax1(), std::acos(-1.0) / 2);
    move.SetTranslation(gp_Vec(100, 0, 0));
    const TopoDS_Shape rod = BRepPrimAPI_MakeCylinder(gp_Ax2(gp_Pnt(5, 50, 0), gp_Dir(0, 0, 1)), 5, 40).Shape(),
                       pair = together({box(10, 20, 30), rod});
    return together({pair, together({pair.Moved(TopLoc_Location(turn))}).Moved(TopLoc_Location(move))});
}

// The faces of a box as triangles alone, and one face that is a tetrahedron: no surfaces, no edges.
static void write_meshes() {
    const TopoDS_Shape whole = box(10, 20, 30);
    BRepMesh_IncrementalMesh(whole, 1);
    TopoDS_Compound faces;
    BRep_Builder builder;
    builder.MakeCompound(faces);
    for (TopExp_Explorer at(whole, TopAbs_FACE); at.More(); at.Next()) {
        TopLoc_Location place;
        TopoDS_Face face;
        builder.MakeFace(face, BRep_Tool::Triangulation(TopoDS::Face(at.Current()), place));
        builder.Add(faces, face.Oriented(at.Current().Orientation()));
    }
    const Handle(Poly_Triangulation) corner = new Poly_Triangulation(4, 4, false);
    for (int i = 0; i < 4; i++) corner->SetNode(i + 1, gp_Pnt(i == 1 ? 10 : 0, i == 2 ? 10 : 0, i == 3 ? 10 : 0));
    const int triangles[4][3] = {{1, 3, 2}, {1, 2, 4}, {2, 3, 4}, {1, 4, 3}};
    for (int i = 0; i < 4; i++) corner->SetTriangle(i + 1, {triangles[i][0], triangles[i][1], triangles[i][2]});
    TopoDS_Face face;
    builder.MakeFace(face, corner);
    write_brep(together({box(5, 5, 5, 2), face, faces}), "meshes");
}

// A rod whose edges still have the coarse chords of triangles that its faces do not have any more.
static void write_remembered() {
    const TopoDS_Shape rod = BRepPrimAPI_MakeCylinder(50, 100).Shape();
    BRepMesh_IncrementalMesh(rod, 10, false, 1);
    for (TopExp_Explorer at(rod, TopAbs_FACE); at.More(); at.Next())
        BRep_Builder().UpdateFace(TopoDS::Face(at.Current()), Handle(Poly_Triangulation)());
    write_brep(rod, "remembered");
}

// A box of 10 x 20 x 30 twice: as it is, and turned by 90 degrees about z and moved by 100 along x.
static void write_assembly() {
    Handle(TDocStd_Document) document = new TDocStd_Document("BinXCAF");
    XCAFDoc_ShapeTool::SetAutoNaming(false);
    const auto shapes = XCAFDoc_DocumentTool::ShapeTool(document->Main());
    const auto colors = XCAFDoc_DocumentTool::ColorTool(document->Main());
    const TDF_Label whole = shapes->NewShape(), part = shapes->AddShape(box(10, 20, 30), false);
    gp_Trsf turn, move;
    turn.SetRotation(gp_Ax1(), std::acos(-1.0) / 2);
    move.SetTranslation(gp_Vec(100, 0, 0));
    const TDF_Label first = shapes->AddComponent(whole, part, TopLoc_Location()),
                    second = shapes->AddComponent(whole, part, TopLoc_Location(move * turn));
    const auto name = [](const TDF_Label &label, const char *text) {
        TDataStd_Name::Set(label, TCollection_ExtendedString(text, true));
    };
    name(whole, "Gerüst");
    name(part, "Träger");
    name(first, "links");
    name(second, "NAUO2"); // no name: that of the product counts
    colors->SetColor(part, Quantity_Color(1, 0, 0, Quantity_TOC_sRGB), XCAFDoc_ColorSurf);
    shapes->UpdateAssemblies();
    STEPCAFControl_Writer writer;
    writer.Transfer(document);
    writer.Write(in("assembly.step").c_str());
}

// Two boxes whose faces alone have colors: all red, and all red but one.
static void write_painted() {
    Handle(TDocStd_Document) document = new TDocStd_Document("BinXCAF");
    XCAFDoc_ShapeTool::SetAutoNaming(false);
    const auto shapes = XCAFDoc_DocumentTool::ShapeTool(document->Main());
    const auto colors = XCAFDoc_DocumentTool::ColorTool(document->Main());
    for (int i = 0; i < 2; i++) {
        const TopoDS_Shape shape = box(10, 20, 30, 100 * i);
        const TDF_Label part = shapes->AddShape(shape, false);
        TDataStd_Name::Set(part, i == 0 ? "red" : "mixed");
        bool other = i == 1;
        for (TopExp_Explorer at(shape, TopAbs_FACE); at.More(); at.Next()) {
            const Quantity_Color color(other ? 0 : 1, 0, other ? 1 : 0, Quantity_TOC_sRGB);
            colors->SetColor(shapes->AddSubShape(part, at.Current()), color, XCAFDoc_ColorSurf);
            other = false;
        }
    }
    STEPCAFControl_Writer writer;
    writer.Transfer(document);
    writer.Write(in("painted.step").c_str());
}

int main(int count, char **values) {
    if (count != 2) return 2;
    folder = values[1];
    Message::DefaultMessenger()->ChangePrinters().Clear();
    write_step(box(100, 200, 300), "box_mm.step", "MM");
    write_step(box(100, 200, 300), "box_in.step", "INCH");
    write_step(box(100, 200, 300), "box_m.step", "M");
    write_iges(box(100, 200, 300), "box_mm.igs", "MM", 1);
    write_iges(box(100, 200, 300), "box_in.igs", "INCH", 1);
    write_iges(box(100, 200, 300), "faces.iges", "MM", 0);
    write_brep(box(100, 200, 300), "box");
    write_all(nest(), "nest");
    write_brep(BRepPrimAPI_MakeCylinder(0.05, 0.1).Shape(), "metres");
    write_meshes();
    write_remembered();
    const TopoDS_Shape outer = BRepPrimAPI_MakeCylinder(50, 100).Shape(),
                       hole = BRepPrimAPI_MakeCylinder(20, 100).Shape();
    write_step(BRepAlgoAPI_Cut(outer, hole).Shape(), "holed.step");
    const gp_Ax2 turned(gp_Pnt(0, 0, 0), gp_Dir(0, 0, 1), gp_Dir(1, 0.05, 0));
    write_step(BRepPrimAPI_MakeCylinder(turned, 20, 100).Shape(), "shaft.step");
    write_step(BRepPrimAPI_MakeSphere(50).Shape(), "ball.step");
    write_step(BRepPrimAPI_MakeCylinder(50, 100).Shape(), "rod.step", "INCH");
    write_step(BRepPrimAPI_MakeCone(50, 10, 100).Shape(), "cone.step");
    const TopoDS_Shape drill = BRepPrimAPI_MakeCylinder(gp_Ax2(gp_Pnt(-100, 0, 70), gp_Dir(1, 0, 0)), 12, 200).Shape();
    write_step(BRepAlgoAPI_Cut(BRepPrimAPI_MakeCone(50, 10, 100).Shape(), drill).Shape(), "drilled.step");
    write_step(BRepPrimAPI_MakeTorus(50, 10).Shape(), "torus.step");
    write_step(BRepBuilderAPI_NurbsConvert(BRepPrimAPI_MakeTorus(50, 10).Shape()).Shape(), "spline_torus.step");
    const TopoDS_Shape cavity = BRepPrimAPI_MakeBox(gp_Pnt(10, 10, 10), 80, 80, 80).Shape();
    write_step(BRepAlgoAPI_Cut(box(100, 100, 100), cavity).Shape(), "hollow.step");
    // sloped, so that its mirror image is another body
    gp_Trsf mirror;
    mirror.SetMirror(gp_Ax2(gp_Pnt(), gp_Dir(1, 0, 0)));
    BRepTools::Write(BRepBuilderAPI_Transform(BRepPrimAPI_MakeWedge(100, 100, 100, 50).Shape(), mirror).Shape(),
                     in("mirrored.brep").c_str());
    const TopoDS_Shape bottom = BRepBuilderAPI_MakeFace(gp_Pln(), 0, 100, 0, 100).Shape(),
                       line = BRepBuilderAPI_MakeEdge(gp_Pnt(0, 0, 0), gp_Pnt(0, 0, 500)).Shape();
    write_all(together({box(100, 100, 100), bottom, line}), "mixed");
    write_all(line, "line");
    write_step(together({box(10, 10, 10, 5e8), box(10, 10, 10, 5e8 + 10.5)}), "far.step");
    write_assembly();
    write_painted();
    return 0;
}
