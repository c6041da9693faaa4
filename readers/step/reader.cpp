// The reader program: reader FILE CHORD UNIT OVERRIDE, the stream of docs/reader.md on descriptor 3. STEP, IGES and the
// BREP files of Open CASCADE, which does the reading.
//
// What it drops without a word is found here: every face and body that a STEP or IGES file has must have become one
// (read_step.cpp, read_iges.cpp), every face must have given triangles (tree.cpp).
#include "model.hpp"

#include <Message.hxx>
#include <Message_Messenger.hxx>
#include <Standard_Failure.hxx>
#include <Standard_OutOfMemory.hxx>
#include <Standard_Version.hxx>
#include <TCollection_AsciiString.hxx>
#include <TCollection_ExtendedString.hxx>
#include <XCAFDoc_ShapeTool.hxx>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <new>
#include <unistd.h>

Handle(TDocStd_Document) new_document() {
    XCAFDoc_ShapeTool::SetAutoNaming(false); // it would call a thing SOLID, and an instance =>[0:1:1:7]
    return new TDocStd_Document("BinXCAF");
}

std::string utf8(const TCollection_ExtendedString &text) { return TCollection_AsciiString(text, '\0').ToCString(); }

std::string trimmed(const std::string &text) {
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    if (first == std::string::npos) return "";
    return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

namespace {

Model read_any(const std::string &path) {
    std::ifstream file(path, std::ios::binary);
    std::string head(4096, '\0');
    file.read(&head[0], static_cast<std::streamsize>(head.size()));
    head.resize(static_cast<std::size_t>(file.gcount()));
    if (head.find("ISO-10303-21") != std::string::npos) return read_step(path);
    if (head.find("CASCADE Topology V") != std::string::npos) return read_brep(path);
    // Fixed form: 72 columns, the section's letter and the number of the line. Binary and compressed form start
    // otherwise.
    const std::size_t line = head.find_first_of("\r\n");
    if (line != std::string::npos && line >= 80 && head[72] == 'S') return read_iges(path);
    throw Refused(
        "this is no STEP file (which starts with ISO-10303-21), no IGES file in fixed form, and no BREP file of "
        "Open CASCADE");
}

int run(const std::string &path, double chord, double unit, bool always) {
    Message::DefaultMessenger()->ChangePrinters().Clear(); // Open CASCADE talks on standard output
    stream::start();
    stream::fail_on_crash("Open CASCADE crashed on it");
    try {
        char *absolute = realpath(path.c_str(), nullptr); // files that it refers to are looked for beside it
        write_parts(read_any(absolute ? absolute : path), chord, unit, always);
    } catch (const Refused &why) {
        stream::fail(why.what());
    } catch (const Standard_OutOfMemory &) {
        throw std::bad_alloc();
    } catch (const Standard_Failure &failure) {
        stream::fail(std::string("Open CASCADE gave up: ") + failure.DynamicType()->Name() + ": " +
                     failure.GetMessageString());
    }
    return EXIT_SUCCESS;
}

} // namespace

int main(int count, char **values) {
    if (count != 5) {
        std::cerr << "usage: reader FILE CHORD UNIT OVERRIDE (docs/reader.md)\n";
        return EXIT_FAILURE;
    }
    int status = EXIT_FAILURE;
    try {
        status = run(values[1], std::atof(values[2]), std::atof(values[3]), std::atoi(values[4]) != 0);
    } catch (const std::bad_alloc &) {
        std::cerr << "bad_alloc\n";
    } catch (const std::exception &error) {
        std::cerr << error.what() << '\n';
    }
    _exit(status); // what the model holds is not worth taking apart
}
