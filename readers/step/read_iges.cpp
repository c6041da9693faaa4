// IGES in fixed form into a document.
//
// Open CASCADE leaves out what it cannot build: every entity with a body that is not part of another, and every face,
// must have become a shape.
#include "model.hpp"

#include <IFSelect_ReturnStatus.hxx>
#include <IGESCAFControl_Reader.hxx>
#include <IGESData_GlobalSection.hxx>
#include <IGESData_IGESEntity.hxx>
#include <IGESData_IGESModel.hxx>
#include <Interface_Check.hxx>
#include <Interface_Static.hxx>
#include <Standard_Version.hxx>
#include <TCollection_HAsciiString.hxx>
#include <TransferBRep.hxx>
#include <Transfer_Binder.hxx>
#include <Transfer_TransientProcess.hxx>
#include <XSControl_TransferReader.hxx>
#include <XSControl_WorkSession.hxx>
#include <algorithm>
#include <fstream>

namespace {

// Kinds with a body: planes that are bounded, ruled, revolved and swept surfaces as such, faces and solids.
bool has_body(int type) {
    static const int kinds[] = {143, 144, 150, 152, 154, 156, 158, 160, 162, 164, 168, 180, 184, 186, 510, 514};
    return std::find(std::begin(kinds), std::end(kinds), type) != std::end(kinds);
}

void find_losses(const Handle(XSControl_WorkSession) & session, Model &out) {
    const Handle(Interface_InterfaceModel) model = session->Model();
    const Handle(Transfer_TransientProcess) process = session->TransferReader()->TransientProcess();
    for (int i = 1; i <= model->NbEntities(); i++) {
        const auto entity = Handle(IGESData_IGESEntity)::DownCast(model->Value(i));
        if (entity.IsNull() || !has_body(entity->TypeNumber())) continue;
        const Handle(Transfer_Binder) binder = process->Find(entity);
        if (!binder.IsNull() && !TransferBRep::ShapeResult(binder).IsNull()) continue;
        const std::string kind = "entity " + std::to_string(entity->TypeNumber()),
                          id = model->StringLabel(entity)->ToCString();
        std::string reason = binder.IsNull() ? " was not read" : " became no shape";
        if (!binder.IsNull() && binder->Check()->NbFails() > 0) reason += std::string(": ") + binder->Check()->CFail(1);
        out.losses.push_back({id, kind, "", kind + " " + id + reason});
    }
}

// The last section is that of one line with a T in column 73.
bool has_end(const std::string &path) {
    std::ifstream file(path, std::ios::binary);
    std::string line;
    while (std::getline(file, line))
        if (line.size() > 72 && line[72] == 'T') return true;
    return false;
}

} // namespace

Model read_iges(const std::string &path) {
    Model out;
    out.format = std::string("IGES (Open CASCADE ") + OCC_VERSION_COMPLETE + ")";
    if (!has_end(path)) throw Refused("it is cut off: it has no terminate section");
    IGESCAFControl_Reader reader;
    reader.SetColorMode(true);
    reader.SetNameMode(true);
    reader.SetLayerMode(true);
    Interface_Static::SetCVal("xstep.cascade.unit", "MM");
    if (reader.ReadFile(path.c_str()) != IFSelect_RetDone) throw Refused("Open CASCADE cannot make out its lines");
    const Handle(XSControl_WorkSession) session = reader.WS();
    const auto model = Handle(IGESData_IGESModel)::DownCast(session->Model());
    out.document = new_document();
    reader.Transfer(out.document);
    const IGESData_GlobalSection &global = model->GlobalSection();
    out.unit = 0.001 * global.UnitValue();
    if (global.Scale() != 1 && global.Scale() > 0)
        out.notes.push_back("its model space scale is " + std::to_string(global.Scale()) +
                            "; lengths are as they stand");
    out.resolution = global.Resolution() * global.UnitValue();
    find_losses(session, out);
    return out;
}
