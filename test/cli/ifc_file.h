/* A small IFC. */
#ifndef IFC_FILE_H
#define IFC_FILE_H

#include "cli/command.h"

/* A legal IFC4 file: columns of one metre each, `lines` besides. `profile` is that of the second. */
static inline const char *write_ifc(const char *name, const char *profile, double x, double y, const char *lines) {
    char text[8192];
    int n = snprintf(
        text, sizeof text,
        "ISO-10303-21;\nHEADER;\nFILE_DESCRIPTION((''),'2;1');\nFILE_NAME('x','2020-01-01T00:00:00',(''),(''),'','','')"
        ";"
        "\nFILE_SCHEMA(('IFC4'));\nENDSEC;\nDATA;\n#10=IFCSIUNIT(*,.LENGTHUNIT.,$,.METRE.);\n"
        "#14=IFCUNITASSIGNMENT((#10));\n#20=IFCCARTESIANPOINT((0.,0.,0.));\n#21=IFCDIRECTION((0.,0.,1.));\n"
        "#23=IFCAXIS2PLACEMENT3D(#20,$,$);\n#24=IFCGEOMETRICREPRESENTATIONCONTEXT($,'Model',3,1.E-5,#23,$);\n"
        "#30=IFCPROJECT('0YvctVUKr0kugbFTf53O9L',$,'p',$,$,$,$,(#24),#14);\n"
        "#31=IFCCARTESIANPOINT((%.17g,%.17g,0.5));\n#32=IFCAXIS2PLACEMENT3D(#31,$,$);\n#33=IFCLOCALPLACEMENT($,#32);\n"
        "#40=IFCRECTANGLEPROFILEDEF(.AREA.,$,$,1.,1.);\n#41=%s;\n",
        x, y, profile);
    for (int i = 0; i < 2; i++)
        n += snprintf(text + n, sizeof text - (size_t)n,
                      "#%d3=IFCEXTRUDEDAREASOLID(#4%d,#23,#21,1.0);\n#%d4=IFCSHAPEREPRESENTATION(#24,'Body',"
                      "'SweptSolid',(#%d3));\n#%d5=IFCPRODUCTDEFINITIONSHAPE($,$,(#%d4));\n"
                      "#%d6=IFCCOLUMN('0YvctVUKr0kugbFTf5300%d',$,'C%d',$,$,#33,#%d5,$,$);\n",
                      i + 20, i, i + 20, i + 20, i + 20, i + 20, i + 20, i, i, i + 20);
    snprintf(text + n, sizeof text - (size_t)n, "%sENDSEC;\nEND-ISO-10303-21;\n", lines);
    return write_text(name, text);
}
#define SMALL "IFCRECTANGLEPROFILEDEF(.AREA.,$,$,0.5,0.5)"

#endif
