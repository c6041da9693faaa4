// BREP files of Open CASCADE, text and binary, into a document.
#include "model.hpp"

#include <BRepTools.hxx>
#include <BRep_Builder.hxx>
#include <BinTools.hxx>
#include <Standard_Failure.hxx>
#include <Standard_Version.hxx>
#include <XCAFDoc_DocumentTool.hxx>
#include <XCAFDoc_ShapeTool.hxx>
#include <fstream>

Model read_brep(const std::string &path) {
    Model out;
    std::ifstream file(path, std::ios::binary);
    std::string head(64, '\0');
    file.read(&head[0], static_cast<std::streamsize>(head.size()));
    file.clear(); // it may be shorter
    file.seekg(0);
    const bool binary = head.find("Open CASCADE Topology V") != std::string::npos;
    out.format = std::string(binary ? "binary BREP" : "BREP") + " (Open CASCADE " + OCC_VERSION_COMPLETE + ")";
    TopoDS_Shape shape;
    file.exceptions(std::ios::failbit | std::ios::badbit); // else it looks for the rest of a cut file for ever
    try {
        if (binary)
            BinTools::Read(shape, file);
        else
            BRepTools::Read(shape, file, BRep_Builder());
    } catch (const std::ios::failure &) {
        shape.Nullify();
    } catch (const Standard_Failure &) {
        shape.Nullify();
    }
    if (shape.IsNull()) throw Refused("it is cut off or damaged");
    out.document = new_document();
    XCAFDoc_DocumentTool::ShapeTool(out.document->Main())->AddShape(shape, false);
    return out;
}
