// STEP (AP203, AP214, AP242) into a document.
//
// Open CASCADE leaves out what it cannot build, and takes a reference to nothing for an absent one. So every face, body
// and surface model of the file must have become a shape, and every reference must lead to a line.
#include "model.hpp"

#include <IFSelect_ReturnStatus.hxx>
#include <Interface_EntityIterator.hxx>
#include <Interface_Graph.hxx>
#include <Interface_Static.hxx>
#include <STEPCAFControl_ExternFile.hxx>
#include <STEPCAFControl_Reader.hxx>
#include <STEPConstruct_ExternRefs.hxx>
#include <STEPConstruct_UnitContext.hxx>
#include <Standard_Version.hxx>
#include <StepBasic_Product.hxx>
#include <StepBasic_ProductDefinition.hxx>
#include <StepBasic_ProductDefinitionFormation.hxx>
#include <StepData_StepModel.hxx>
#include <StepData_UndefinedEntity.hxx>
#include <StepGeom_Axis2Placement3d.hxx>
#include <StepGeom_CartesianTransformationOperator3d.hxx>
#include <StepGeom_Direction.hxx>
#include <StepGeom_GeometricRepresentationContextAndGlobalUnitAssignedContext.hxx>
#include <StepGeom_GeomRepContextAndGlobUnitAssCtxAndGlobUncertaintyAssCtx.hxx>
#include <StepRepr_GlobalUnitAssignedContext.hxx>
#include <StepRepr_ItemDefinedTransformation.hxx>
#include <StepRepr_MappedItem.hxx>
#include <StepRepr_PropertyDefinition.hxx>
#include <StepRepr_PropertyDefinitionRepresentation.hxx>
#include <StepRepr_RepresentationMap.hxx>
#include <StepRepr_RepresentationRelationshipWithTransformation.hxx>
#include <StepRepr_Representation.hxx>
#include <StepRepr_RepresentationItem.hxx>
#include <StepRepr_ShapeRepresentationRelationshipWithTransformation.hxx>
#include <StepShape_Face.hxx>
#include <StepShape_FaceBasedSurfaceModel.hxx>
#include <StepShape_FaceSurface.hxx>
#include <StepShape_GeometricSet.hxx>
#include <StepShape_ShellBasedSurfaceModel.hxx>
#include <StepShape_SolidModel.hxx>
#include <TCollection_HAsciiString.hxx>
#include <TransferBRep.hxx>
#include <Transfer_Binder.hxx>
#include <Transfer_TransientProcess.hxx>
#include <XSControl_TransferReader.hxx>
#include <XSControl_WorkSession.hxx>
#include <algorithm>
#include <cctype>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <sys/stat.h>

namespace {

std::string text_of(const Handle(TCollection_HAsciiString) & text) {
    return text.IsNull() ? "" : trimmed(text->ToCString());
}

// --- the file as text ------------------------------------------------------------------------------------------------

std::string read_whole(const std::string &path) {
    std::ifstream file(path, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
}

// Goes through the data of a file, texts and comments left aside.
class Lines {
  public:
    explicit Lines(const std::string &text) : text_(text) {
        while (at_ < text_.size()) step();
    }
    std::map<unsigned long, std::string> defined; // kinds of lines by number
    std::map<unsigned long, unsigned long> used;  // by the first line that does
    std::set<unsigned long> twice;                // that stand there more than once
    std::set<unsigned long> fortran;      // lines with a number such as 1.0D3, which ends before the D for others
    std::map<unsigned long, int> numbers; // of points and directions: how many they have; -1: not numbers alone
    std::map<unsigned long, unsigned long> space; // by the first line that needs three

  private:
    void step() {
        const char c = text_[at_];
        if (c == '\'')
            at_ = std::min(text_.find('\'', at_ + 1), text_.size() - 1) + 1;
        else if (text_.compare(at_, 2, "/*") == 0)
            at_ = std::min(text_.find("*/", at_ + 2), text_.size() - 2) + 2;
        else if (c == '#')
            take_number();
        else {
            if (c == ';') line_ = 0;
            if (c == 'D' && is_exponent()) fortran.insert(line_);
            at_++;
        }
    }
    // Does a number with a point end here, and go on with another?
    bool is_exponent() const {
        std::size_t from = at_;
        bool point = false;
        for (; from > 0 && (std::isdigit(static_cast<unsigned char>(text_[from - 1])) || text_[from - 1] == '.');
             from--)
            point = point || text_[from - 1] == '.';
        if (!point || from == 0 || !std::strchr("(,+- \n\r\t", text_[from - 1])) return false;
        const std::size_t next = at_ + 1 + (at_ + 1 < text_.size() && std::strchr("+-", text_[at_ + 1]) != nullptr);
        return next < text_.size() && std::isdigit(static_cast<unsigned char>(text_[next]));
    }
    void take_number() {
        char *end;
        const unsigned long number = std::strtoul(&text_[at_ + 1], &end, 10);
        at_ = std::max(static_cast<std::size_t>(end - &text_[0]), at_ + 1);
        if (line_ != 0) {
            used.emplace(number, line_);
            if (in_space_) space.emplace(number, line_);
            return;
        }
        line_ = number;
        std::size_t kind = text_.find_first_not_of(" \t\r\n=(", at_), stop = kind;
        while (stop < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[stop])) || text_[stop] == '_'))
            stop++;
        if (defined.count(number)) twice.insert(number);
        const std::string name = kind == std::string::npos ? "" : text_.substr(kind, stop - kind);
        defined[number] = name;
        in_space_ = name == "AXIS2_PLACEMENT_3D" || name == "AXIS1_PLACEMENT" || name == "VERTEX_POINT" ||
                    name == "POLY_LOOP" || name == "CARTESIAN_TRANSFORMATION_OPERATOR_3D";
        if (name == "CARTESIAN_POINT" || name == "DIRECTION") count_numbers(number, stop);
    }
    // Of a line such as ('name',(1.,2.,3.)), from behind its kind. What looks otherwise is not counted.
    void count_numbers(unsigned long number, std::size_t from) {
        static const char *const blank = " \t\r\n";
        std::size_t at = text_.find_first_not_of(blank, from);
        if (at >= text_.size() || text_[at] != '(') return;
        at = text_.find_first_not_of(blank, at + 1);
        while (at < text_.size() && text_[at] == '\'') { // '' is one in the name
            at = text_.find('\'', at + 1);
            if (at == std::string::npos) return;
            at++;
        }
        const std::size_t list = text_.find('(', at), stop = text_.find(')', at);
        if (list >= stop || stop == std::string::npos) return;
        const std::string values = text_.substr(list + 1, stop - list - 1);
        int count = 0;
        for (std::size_t i = values.find_first_not_of(blank); i < values.size();) {
            const std::size_t comma = std::min(values.find(',', i), values.size());
            const std::size_t last = values.find_last_not_of(blank, comma - 1);
            if (values.find_first_not_of("+-.0123456789EeDd", i) <= last || comma == i) count = -1;
            if (count < 0) break;
            count++;
            i = values.find_first_not_of(blank, comma + 1);
            if (comma < values.size() && i >= values.size()) count = -1;
        }
        numbers[number] = count;
    }
    const std::string &text_;
    std::size_t at_ = 0;
    unsigned long line_ = 0; // the one that we are in
    bool in_space_ = false;  // its points and directions have three numbers
};

std::string count_text(int count) { return std::to_string(count) + (count == 1 ? " number" : " numbers"); }

// Of more than three numbers Open CASCADE takes the first three, as where 1,5 stands for 1.5; of fewer where it needs
// three it makes up the last, or crashes.
void find_miscounted(const Lines &lines, Model &out) {
    for (const auto &line : lines.numbers) {
        const std::string kind = lines.defined.at(line.first);
        const std::string name = "line #" + std::to_string(line.first) + " (" + kind + ")";
        const auto space = lines.space.find(line.first);
        if (line.second < 0)
            out.broken.push_back({"", kind, "", name + " does not consist of numbers"});
        else if (line.second > 3 || line.second < (kind == "DIRECTION" ? 2 : 1))
            out.broken.push_back({"", kind, "", name + " has " + count_text(line.second) + ", not 3"});
        else if (line.second < 3 && space != lines.space.end())
            out.broken.push_back({"", kind, "",
                                  name + " has " + count_text(line.second) + ", where line #" +
                                      std::to_string(space->second) + " (" + lines.defined.at(space->second) +
                                      ") needs 3"});
    }
}

void find_broken(const std::string &text, Model &out) {
    const Lines lines(text);
    find_miscounted(lines, out);
    for (const unsigned long number : lines.twice)
        out.broken.push_back({"", lines.defined.at(number), "",
                              "line #" + std::to_string(number) + " stands in the file twice, and one is taken"});
    for (const unsigned long number : lines.fortran)
        if (number != 0)
            out.broken.push_back({"", lines.defined.at(number), "",
                                  "line #" + std::to_string(number) + " (" + lines.defined.at(number) +
                                      ") has a number with a D before its exponent, which is not read"});
    for (const auto &use : lines.used)
        if (!lines.defined.count(use.first))
            out.broken.push_back({"", lines.defined.at(use.second), "",
                                  "line #" + std::to_string(use.second) + " (" + lines.defined.at(use.second) +
                                      ") refers to #" + std::to_string(use.first) + ", which is not in the file"});
}

// Lines of shapes and of their places with more or fewer arguments than their kind has: Open CASCADE makes something of
// the others, or crashes. Returns the first of these, else of all that it does not like, as a crash may come of it; "".
std::string find_malformed(const Handle(StepData_StepModel) & model, Model &out) {
    std::string first;
    for (int i = 1; i <= model->NbEntities(); i++) {
        const Handle(Interface_Check) check = model->Check(i, true);
        const std::string type = model->Value(i)->DynamicType()->Name();
        if (check->NbFails() == 0 || (type.compare(0, 9, "StepGeom_") != 0 && type.compare(0, 10, "StepShape_") != 0 &&
                                      type.compare(0, 9, "StepRepr_") != 0))
            continue;
        const std::string kind = model->TypeName(model->Value(i), false);
        std::string fail = check->CFail(1);
        for (int k = 2; k <= check->NbFails() && k <= 4; k++) fail += std::string(", ") + check->CFail(k);
        const std::string line = std::string("line ") + model->StringLabel(model->Value(i))->ToCString() + " (" + kind +
                                 ") is not as its kind has it: " + fail;
        const bool counted = fail.compare(0, 19, "Count of Parameters") == 0;
        if (first.empty() || (counted && out.broken.empty())) first = line;
        if (counted) out.broken.push_back({"", kind, "", line});
    }
    return first;
}

std::string schema_of(const std::string &text) {
    const std::size_t at = text.find("FILE_SCHEMA"), from = text.find('\'', at), to = text.find('\'', from + 1);
    if (at == std::string::npos || to == std::string::npos || to - from > 200) return "";
    std::string name = text.substr(from + 1, to - from - 1);
    return trimmed(name.substr(0, name.find('{')));
}

// --- files that it refers to -------------------------------------------------------------------------------------------

// Open CASCADE opens them by itself, wherever they lie. So it gets none that lies outside the model's folder.
// `parts`: which product has its shape in which file.
void find_sources(const std::string &path, const Handle(XSControl_WorkSession) & session, std::set<std::string> &seen,
                  std::vector<std::pair<std::string, std::string>> &parts, Model &out) {
    const std::string folder = path.substr(0, path.find_last_of('/') + 1);
    STEPConstruct_ExternRefs list(session);
    list.LoadExternRefs();
    for (int i = 1; i <= list.NbExternRefs(); i++) {
        const Standard_CString given = list.FileName(i);
        const std::string name = given ? given : "", other = folder + name;
        if (name.empty() || list.ProdDef(i).IsNull()) continue;
        if (name.find_first_of("/\\") != std::string::npos || name == "..")
            throw Refused("it refers to '" + name + "', which is not in its folder");
        const Handle(StepBasic_ProductDefinitionFormation) version = list.ProdDef(i)->Formation();
        const bool named = !version.IsNull() && !version->OfProduct().IsNull();
        parts.emplace_back(name, named ? text_of(version->OfProduct()->Name()) : "");
        struct stat info;
        if (!seen.insert(name).second || lstat(other.c_str(), &info) != 0) continue;
        if (!S_ISREG(info.st_mode)) throw Refused("it refers to '" + name + "', which is no regular file");
        out.sources.push_back(other);
        STEPControl_Reader nested;
        if (nested.ReadFile(other.c_str()) == IFSelect_RetDone) find_sources(other, nested.WS(), seen, parts, out);
    }
}

// Those that Open CASCADE did not take in.
void find_unread(STEPCAFControl_Reader &reader, const std::vector<std::pair<std::string, std::string>> &parts,
                 Model &out) {
    for (const auto &part : parts) {
        Handle(STEPCAFControl_ExternFile) file;
        if (reader.ExternFile(part.first.c_str(), file) && !file.IsNull() && file->GetTransferStatus()) continue;
        out.losses.push_back(
            {"", "file", part.second, "its shape stands in " + part.first + ", which was not read with it"});
    }
}

// --- unit --------------------------------------------------------------------------------------------------------------

void find_unit(const Handle(StepData_StepModel) & model, Model &out) {
    std::set<double> factors;
    for (int i = 1; i <= model->NbEntities(); i++) {
        Handle(StepRepr_GlobalUnitAssignedContext) units;
        const Handle(Standard_Transient) entity = model->Value(i);
        if (const auto both =
                Handle(StepGeom_GeometricRepresentationContextAndGlobalUnitAssignedContext)::DownCast(entity))
            units = both->GlobalUnitAssignedContext();
        else if (const auto all =
                     Handle(StepGeom_GeomRepContextAndGlobUnitAssCtxAndGlobUncertaintyAssCtx)::DownCast(entity))
            units = all->GlobalUnitAssignedContext();
        if (units.IsNull()) continue;
        STEPConstruct_UnitContext context;
        context.ComputeFactors(units);
        if (context.LengthDone() && context.LengthFactor() > 0) factors.insert(context.LengthFactor());
    }
    if (factors.size() == 1)
        out.unit = 0.001 * *factors.begin();
    else if (factors.size() > 1) {
        out.unit = 0.001;
        out.notes.push_back("it has several units of length; all is millimetres here");
    }
}

// --- what is missing -----------------------------------------------------------------------------------------------------

// A FACE is one without a surface, as a FACETED_BREP has them by part 42: it says where it lies by its corners alone.
bool must_have_shape(const Handle(Standard_Transient) & entity) {
    return entity->DynamicType() == STANDARD_TYPE(StepShape_Face) ||
           entity->IsKind(STANDARD_TYPE(StepShape_FaceSurface)) ||
           entity->IsKind(STANDARD_TYPE(StepShape_SolidModel)) ||
           entity->IsKind(STANDARD_TYPE(StepShape_ShellBasedSurfaceModel)) ||
           entity->IsKind(STANDARD_TYPE(StepShape_FaceBasedSurfaceModel));
}

// Kinds that Open CASCADE 7.6 does not know and that have a body: the tessellated ones.
bool is_unknown_body(const std::string &kind) {
    return kind.compare(0, 12, "TESSELLATED_") == 0 && kind != "TESSELLATED_SHAPE_REPRESENTATION" &&
           kind != "TESSELLATED_ANNOTATION_OCCURRENCE" && kind != "TESSELLATED_CURVE_SET" &&
           kind != "TESSELLATED_POINT_SET" && kind != "TESSELLATED_GEOMETRIC_SET";
}

using Entities = std::vector<Handle(Standard_Transient)>;

// Where to look on for the product that something stands in: at what refers to it, and where that says whose shape it
// is, at the product; at a representation of the same shape, but not at that of an assembly in which it is placed.
void look_on(const Handle(Standard_Transient) & up, Entities &out) {
    out.push_back(up);
    Handle(StepRepr_PropertyDefinition) property = Handle(StepRepr_PropertyDefinition)::DownCast(up);
    if (const auto shape = Handle(StepRepr_PropertyDefinitionRepresentation)::DownCast(up))
        property = shape->Definition().PropertyDefinition();
    if (!property.IsNull() && !property->Definition().ProductDefinition().IsNull())
        out.push_back(property->Definition().ProductDefinition());
    const auto same = Handle(StepRepr_RepresentationRelationship)::DownCast(up);
    if (!same.IsNull() && !up->IsKind(STANDARD_TYPE(StepRepr_RepresentationRelationshipWithTransformation))) {
        out.push_back(same->Rep1());
        out.push_back(same->Rep2());
    }
}

// "" where none is.
std::string product_of(const Interface_Graph &graph, const Handle(Standard_Transient) & entity) {
    Entities found{entity};
    std::set<const void *> seen{entity.get()};
    for (std::size_t i = 0; i < found.size() && i < 10000; i++) {
        if (const auto definition = Handle(StepBasic_ProductDefinition)::DownCast(found[i])) {
            const auto version = definition->Formation();
            if (version.IsNull() || version->OfProduct().IsNull()) return "";
            const std::string name = text_of(version->OfProduct()->Name());
            return name.empty() ? text_of(version->OfProduct()->Id()) : name;
        }
        Interface_EntityIterator users = graph.Sharings(found[i]);
        Entities next;
        for (users.Start(); users.More(); users.Next()) look_on(users.Value(), next);
        for (const auto &up : next)
            if (!up.IsNull() && seen.insert(up.get()).second) found.push_back(up);
    }
    return "";
}

// Why something became no shape, as far as Open CASCADE says so.
std::string reason_of(const Handle(Transfer_Binder) & binder) {
    if (binder.IsNull()) return "was not read";
    const Handle(Interface_Check) check = binder->Check();
    if (check->NbFails() > 0) return std::string("became no shape: ") + check->CFail(1);
    if (check->NbWarnings() > 0) return std::string("became no shape: ") + check->CWarning(1);
    return "became no shape";
}

// A direction, or the default for one that is left out.
gp_XYZ direction_of(const Handle(StepGeom_Direction) & direction, const gp_XYZ &otherwise) {
    if (direction.IsNull() || direction->NbDirectionRatios() < 3) return otherwise;
    return {direction->DirectionRatiosValue(1), direction->DirectionRatiosValue(2), direction->DirectionRatiosValue(3)};
}

// The axes of the operator by part 42 (base_axis): is one of them turned over? What is left out of the second is the
// frame's, but where that lies in the plane of the others, which is none.
bool is_mirrored(const StepGeom_CartesianTransformationOperator3d &operation) {
    const gp_XYZ z = direction_of(operation.Axis3(), {0, 0, 1});
    const bool along_x = z.Y() == 0 && z.Z() == 0;
    const gp_XYZ x = direction_of(operation.Axis1(), along_x ? gp_XYZ(0, 1, 0) : gp_XYZ(1, 0, 0));
    return direction_of(operation.Axis2(), {0, 1, 0}).Dot(z.Crossed(x)) < 0;
}

// How a body stands by this, where Open CASCADE has it otherwise; "" where it stands rightly.
std::string misplaced_by(const Handle(Standard_Transient) & place) {
    if (const auto pair = Handle(StepRepr_ItemDefinedTransformation)::DownCast(place)) {
        const std::string from = misplaced_by(pair->TransformItem1());
        return from.empty() ? misplaced_by(pair->TransformItem2()) : from;
    }
    if (!place.IsNull() && place->IsKind(STANDARD_TYPE(StepGeom_Axis2Placement3d))) return "";
    const auto operation = Handle(StepGeom_CartesianTransformationOperator3d)::DownCast(place);
    if (operation.IsNull()) return "by what Open CASCADE does not read";
    if (operation->HasScale() && std::abs(operation->Scale() - 1) > 1e-9) return "scaled, and Open CASCADE does not";
    return is_mirrored(*operation) ? "mirrored, and Open CASCADE does not" : "";
}

bool has_body(const Handle(StepRepr_Representation) & shape) {
    for (int i = 1; !shape.IsNull() && i <= shape->NbItems(); i++)
        if (must_have_shape(shape->ItemsValue(i)) || shape->ItemsValue(i)->IsKind(STANDARD_TYPE(StepRepr_MappedItem)))
            return true;
    return false;
}

// Open CASCADE makes a turn of every place: what is mirrored or scaled stands otherwise than in the file.
void find_misplaced(const Handle(Standard_Transient) & entity, const std::string &id, const Interface_Graph &graph,
                    Model &out) {
    std::string how;
    Handle(Standard_Transient) body = entity;
    if (const auto mapped = Handle(StepRepr_MappedItem)::DownCast(entity)) {
        const Handle(StepRepr_RepresentationMap) source = mapped->MappingSource();
        if (source.IsNull() || !has_body(source->MappedRepresentation())) return; // a symbol of a drawing
        how = misplaced_by(mapped->MappingTarget());
    } else if (entity->IsKind(STANDARD_TYPE(StepRepr_ShapeRepresentationRelationshipWithTransformation))) {
        const auto relation = Handle(StepRepr_RepresentationRelationshipWithTransformation)::DownCast(entity);
        how = misplaced_by(relation->TransformationOperator().Value());
        body = relation->Rep1();
    }
    if (how.empty() || body.IsNull()) return;
    out.losses.push_back({id, "place", product_of(graph, body), id + " places it " + how});
}

void find_losses(const Handle(XSControl_WorkSession) & session, Model &out) {
    const Handle(Interface_InterfaceModel) model = session->Model();
    const Handle(Transfer_TransientProcess) process = session->TransferReader()->TransientProcess();
    const Interface_Graph &graph = session->Graph();
    for (int i = 1; i <= model->NbEntities(); i++) {
        const Handle(Standard_Transient) entity = model->Value(i);
        const std::string kind = model->TypeName(entity, false);
        const std::string id = model->StringLabel(entity)->ToCString();
        find_misplaced(entity, id, graph, out);
        if (entity->IsKind(STANDARD_TYPE(StepData_UndefinedEntity))) {
            const Handle(StepData_UndefinedEntity) unknown = Handle(StepData_UndefinedEntity)::DownCast(entity);
            const std::string name = unknown->StepType();
            if (is_unknown_body(name))
                out.losses.push_back({id, name, product_of(graph, entity),
                                      name + " is not read by Open CASCADE " + OCC_VERSION_COMPLETE});
        } else if (must_have_shape(entity)) {
            const Handle(Transfer_Binder) binder = process->Find(entity);
            if (!binder.IsNull() && !TransferBRep::ShapeResult(binder).IsNull()) continue;
            out.losses.push_back({id, kind, product_of(graph, entity), kind + " " + id + " " + reason_of(binder)});
        }
    }
}

void fail_by(const std::string &reason) {
    stream::fail_on_crash(reason.empty() ? "Open CASCADE crashed on it; another program may save it anew"
                                         : reason + "; Open CASCADE crashed on that");
}

} // namespace

Model read_step(const std::string &path) {
    Model out;
    {
        const std::string text = read_whole(path);
        const std::string schema = schema_of(text);
        out.format =
            std::string("STEP ") + schema + (schema.empty() ? "" : " ") + "(Open CASCADE " + OCC_VERSION_COMPLETE + ")";
        const std::size_t end = text.rfind("END-ISO-10303-21");
        if (end == std::string::npos) throw Refused("it is cut off: it has no END-ISO-10303-21");
        find_broken(text, out);
    }
    fail_by(out.broken.empty() ? "" : out.broken[0].reason);
    auto *reader = new STEPCAFControl_Reader; // name_of goes on to use it
    reader->SetColorMode(true);
    reader->SetNameMode(true);
    reader->SetLayerMode(true);
    Interface_Static::SetCVal("xstep.cascade.unit", "MM");
    std::ifstream file(path, std::ios::binary); // from behind a mark of UTF-8, which Open CASCADE takes for a line
    if (file.get() != 0xef || file.get() != 0xbb || file.get() != 0xbf) file.seekg(0);
    if (reader->ChangeReader().ReadStream(path.c_str(), file) != IFSelect_RetDone)
        throw Refused("Open CASCADE cannot make out its lines");
    const Handle(XSControl_WorkSession) session = reader->Reader().WS();
    std::set<std::string> seen{path.substr(path.find_last_of('/') + 1)};
    std::vector<std::pair<std::string, std::string>> parts;
    find_sources(path, session, seen, parts, out);
    const std::string missing = out.broken.empty() ? "" : out.broken[0].reason;
    const std::string malformed = find_malformed(Handle(StepData_StepModel)::DownCast(session->Model()), out);
    fail_by(missing.empty() ? malformed : missing);
    find_unit(Handle(StepData_StepModel)::DownCast(session->Model()), out);
    out.document = new_document();
    reader->Transfer(out.document);
    find_losses(session, out);
    find_unread(*reader, parts, out);
    out.name_of = [session](const TopoDS_Shape &shape) {
        const Handle(Standard_Transient) entity = session->TransferReader()->EntityFromShapeResult(shape, 1);
        const auto item = Handle(StepRepr_RepresentationItem)::DownCast(entity);
        if (item.IsNull()) return std::pair<std::string, std::string>();
        return std::make_pair(std::string(session->Model()->StringLabel(item)->ToCString()), text_of(item->Name()));
    };
    return out;
}
