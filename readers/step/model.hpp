// What the three formats have in common once they are read: shapes in a document, the file's unit, what is missing.
#ifndef STEP_MODEL_HPP
#define STEP_MODEL_HPP

#include "stream.hpp"

#include <TDocStd_Document.hxx>
#include <TopoDS_Shape.hxx>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

// The file is refused, and why.
struct Refused : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// Something that has a body and is not among the shapes, or not as a whole.
struct Loss {
    std::string id, kind, product, reason; // the product's name as its parts have it; may be empty
};

struct Model {
    std::string format;
    double unit = 0;                   // metres; 0 where the file does not say: then millimetres
    double resolution = 0;             // millimetres to which its points are said to be exact; 0: not said
    Handle(TDocStd_Document) document; // shapes, in millimetres
    std::vector<std::string> notes, sources;
    std::vector<Loss> losses, broken; // lines that refer to nothing
    // What the file calls a body or face within a part (id and name); both may be empty.
    std::function<std::pair<std::string, std::string>(const TopoDS_Shape &)> name_of;
};

Handle(TDocStd_Document) new_document();
std::string utf8(const class TCollection_ExtendedString &text);
// Without blanks around it.
std::string trimmed(const std::string &text);

Model read_step(const std::string &path);
Model read_iges(const std::string &path);
Model read_brep(const std::string &path);

// Writes parts and what is missing. `chord` in metres, 0: the default. `unit`: metres of the unit that will be taken
// where the model states none, 0: millimetres; with `always` also where it states one.
void write_parts(const Model &model, double chord, double unit, bool always);

#endif
