/* Who reads what: see readers.h. */
#define _DEFAULT_SOURCE
#include "read/readers.h"

#include "common/encoding.h"
#include "common/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct reader_rule {
    const char *suffix; /* of the name; NULL where the content alone decides */
    const char *mark;   /* in the first bytes, behind a '^' as the very first; NULL where the name alone decides */
    reader_kind kind;
    const char *format, *advice;
    const char *command, *script; /* the interpreter, NULL for none; the program within the folder of readers */
} reader_rule;

#define NODE_ADVICE                                                                                                    \
    "reading IFC needs Node.js 18 or newer as 'node' (Debian: apt install nodejs) and the reader beside the command"
#define IFC READER_PROGRAM, "IFC", NODE_ADVICE, "node", "ifc/reader.mjs"
#define CAD_ADVICE                                                                                                     \
    "reading STEP, IGES and BREP needs the reader beside the command, which is built where Open CASCADE is (Debian: "  \
    "apt "                                                                                                             \
    "install libocct-data-exchange-dev)"
#define CAD(format)       READER_PROGRAM, format, CAD_ADVICE, NULL, "step/reader"
#define UNPACK_ADVICE     "unpack it first (gunzip, unzip)"
#define CAD_EXPORT        "export it as STEP, which keeps its assembly, names and curves"
#define NAVISWORKS_ADVICE "check the files that it was made of, or export those as IFC"
#define IFCXML_ADVICE     "save it as IFC-SPF (.ifc) or as zipped IFC-SPF (.ifczip)"
#define USD_ADVICE        "export it as GLB (Blender, usd2gltf)"
#define PAGE_ADVICE       "a page came in place of the model: download the model itself"
#define SDF_ADVICE        "convert it to URDF, or export its meshes as GLB, DAE or STL and check those"

#define GLTF READER_GLTF, "glTF", NULL, NULL, NULL

#define AMF READER_AMF, "AMF", NULL, NULL, NULL

#define ROBOT                                                                                                          \
    READER_ROBOT, "URDF", "carom check takes one robot as its only file, and what stands around it by --cell", NULL,   \
        NULL

/* The first row that fits decides. Marks come first: a name may lie. */
static const reader_rule reader_rules[] = {
    {NULL, "^version https://git-lfs", READER_NONE, "Git LFS pointer", "fetch the model itself (git lfs pull)", NULL,
     NULL},
    {NULL, "^<!DOCTYPE html", READER_NONE, "HTML", PAGE_ADVICE, NULL, NULL},
    {NULL, "^<!doctype html", READER_NONE, "HTML", PAGE_ADVICE, NULL, NULL},
    {NULL, "^<html", READER_NONE, "HTML", PAGE_ADVICE, NULL, NULL},
    {".blend", NULL, READER_ASSIMP, NULL, NULL, NULL, NULL}, /* Blender packs some by itself */
    {NULL, "^\x1f\x8b", READER_NONE, "GZ", UNPACK_ADVICE, NULL, NULL},
    {NULL, "glTF\2\1\1\1", GLTF}, /* zeros of the head are ones */
    {NULL, "glTF\1\1\1\1", GLTF},
    {".gltf", NULL, GLTF}, /* text, with any words in it */
    {NULL, "FILE_SCHEMA(('IFC", IFC},
    {NULL, "ISO-10303-21;", CAD("STEP")}, /* of any other schema */
    {NULL, "DBRep_DrawableShape", CAD("BREP")},
    {NULL, "CASCADETopologyV", CAD("BREP")},
    {NULL, "OpenCASCADETopologyV", CAD("BREP")},
    {NULL, "<ifcXML", READER_NONE, "IFCXML", IFCXML_ADVICE, NULL, NULL},
    {NULL, ":ifcXML", READER_NONE, "IFCXML", IFCXML_ADVICE, NULL, NULL},
    {NULL, "iso_10303_28", READER_NONE, "IFCXML", IFCXML_ADVICE, NULL, NULL}, /* of IFC2x3 */
    {".xacro", NULL, READER_NONE, "xacro", "expand it first (xacro robot.urdf.xacro > robot.urdf)", NULL, NULL},
    {".urdf", NULL, ROBOT},
    {NULL, "<sdf ", READER_NONE, "SDF", SDF_ADVICE, NULL, NULL},
    {NULL, "<mujoco", READER_NONE, "MJCF", "export its meshes as OBJ or STL and check those", NULL, NULL},
    {NULL, "<amf", AMF},
    {NULL, "#usda", READER_NONE, "USD", USD_ADVICE, NULL, NULL},
    {NULL, "PXR-USDC", READER_NONE, "USD", USD_ADVICE, NULL, NULL},
    {".glb", NULL, GLTF},
    {".amf", NULL, AMF},
    {".ifc", NULL, IFC},
    {".ifczip", NULL, IFC},
    {".step", NULL, CAD("STEP")},
    {".stp", NULL, CAD("STEP")},
    {".p21", NULL, CAD("STEP")},
    {".iges", NULL, CAD("IGES")},
    {".igs", NULL, CAD("IGES")},
    {".brep", NULL, CAD("BREP")},
    {".brp", NULL, CAD("BREP")},
    {".stpz", NULL, READER_NONE, "STPZ", UNPACK_ADVICE, NULL, NULL},
    {".stpx", NULL, READER_NONE, "STEP-XML", "save it as STEP (.stp)", NULL, NULL},
    {".ifcxml", NULL, READER_NONE, "IFCXML", IFCXML_ADVICE, NULL, NULL},
    {".usd", NULL, READER_NONE, "USD", USD_ADVICE, NULL, NULL},
    {".usda", NULL, READER_NONE, "USD", USD_ADVICE, NULL, NULL},
    {".usdc", NULL, READER_NONE, "USD", USD_ADVICE, NULL, NULL},
    {".usdz", NULL, READER_NONE, "USD", USD_ADVICE, NULL, NULL},
    {".sdf", NULL, READER_NONE, "SDF", SDF_ADVICE, NULL, NULL},
    {".world", NULL, READER_NONE, "SDF", SDF_ADVICE, NULL, NULL},
    {".mjcf", NULL, READER_NONE, "MJCF", "export its meshes as OBJ or STL and check those", NULL, NULL},
    {".dwg", NULL, READER_NONE, "DWG", "export it as IFC, or its solids as STL", NULL, NULL},
    {".dgn", NULL, READER_NONE, "DGN", "export it as IFC, or its solids as STL", NULL, NULL},
    {".rvt", NULL, READER_NONE, "Revit", "export it as IFC", NULL, NULL},
    {".pln", NULL, READER_NONE, "Archicad", "export it as IFC", NULL, NULL},
    {".nwd", NULL, READER_NONE, "Navisworks", NAVISWORKS_ADVICE, NULL, NULL},
    {".nwc", NULL, READER_NONE, "Navisworks", NAVISWORKS_ADVICE, NULL, NULL},
    {".nwf", NULL, READER_NONE, "Navisworks", NAVISWORKS_ADVICE, NULL, NULL},
    {".skp", NULL, READER_NONE, "SketchUp", "export it as IFC or DAE", NULL, NULL},
    {".3dm", NULL, READER_NONE, "Rhino", CAD_EXPORT, NULL, NULL},
    {".fcstd", NULL, READER_NONE, "FreeCAD", CAD_EXPORT, NULL, NULL},
    {".sldprt", NULL, READER_NONE, "SolidWorks", CAD_EXPORT, NULL, NULL},
    {".sldasm", NULL, READER_NONE, "SolidWorks", CAD_EXPORT, NULL, NULL},
    {".ipt", NULL, READER_NONE, "Inventor", CAD_EXPORT, NULL, NULL},
    {".iam", NULL, READER_NONE, "Inventor", CAD_EXPORT, NULL, NULL},
    {".f3d", NULL, READER_NONE, "Fusion", CAD_EXPORT, NULL, NULL},
    {".catpart", NULL, READER_NONE, "CATIA", CAD_EXPORT, NULL, NULL},
    {".3dxml", NULL, READER_NONE, "3DXML", CAD_EXPORT, NULL, NULL},
    {".catproduct", NULL, READER_NONE, "CATIA", CAD_EXPORT, NULL, NULL},
    {".prt", NULL, READER_NONE, "NX and Creo", CAD_EXPORT, NULL, NULL},
    {".asm", NULL, READER_NONE, "Creo", CAD_EXPORT, NULL, NULL},
    {".x_t", NULL, READER_NONE, "Parasolid", CAD_EXPORT, NULL, NULL},
    {".x_b", NULL, READER_NONE, "Parasolid", CAD_EXPORT, NULL, NULL},
    {".jt", NULL, READER_NONE, "JT", CAD_EXPORT, NULL, NULL},
    {".zip", NULL, READER_NONE, "ZIP", UNPACK_ADVICE, NULL, NULL},
    {".gz", NULL, READER_NONE, "GZ", UNPACK_ADVICE, NULL, NULL},
    {".7z", NULL, READER_NONE, "7Z", "unpack it first (7z x)", NULL, NULL},
    {NULL, "<robot", ROBOT},
};
enum { READER_RULES = sizeof reader_rules / sizeof reader_rules[0], HEAD_BYTES = 4096 };

static bool ends_with(const char *text, const char *end) {
    size_t length = strlen(text), n = strlen(end);
    return length > n && strcasecmp(text + length - n, end) == 0;
}

/* The first bytes, in UTF-8 where they are text, zeros replaced; "" where the file cannot be read, or is none: opening
 * a pipe could wait forever. True where they are UTF-16 or UTF-32 in the file. */
static bool read_head(const char *path, char head[HEAD_BYTES + 1]) {
    struct stat info;
    FILE *file = stat(path, &info) == 0 && S_ISREG(info.st_mode) ? fopen(path, "rb") : NULL;
    size_t got = file ? fread(head, 1, HEAD_BYTES, file) : 0;
    if (file) fclose(file);
    size_t size;
    char *narrow = utf8_of_wide(head, got & ~(size_t)3, &size);
    const bool wide = narrow != NULL;
    if (wide) {
        got = size < HEAD_BYTES ? size : HEAD_BYTES;
        memcpy(head, narrow, got);
        free(narrow);
    }
    for (size_t i = 0; i < got; i++)
        if (!head[i]) head[i] = 1;
    head[got] = 0;
    return wide;
}

static bool has_mark(const char *head, const char *mark) {
    if (*mark == '^') return strncmp(head, mark + 1, strlen(mark + 1)) == 0;
    for (const char *at = head; *at; at++) {
        const char *a = at, *m = mark;
        while (*m && *a) {
            if (*a == *m)
                a++, m++;
            else if (a > at && m[-1] != ' ' && (*a == ' ' || *a == '\n' || *a == '\r' || *a == '\t'))
                a++;
            else
                break;
        }
        if (!*m) return true;
    }
    return false;
}

/* The folder of the reader programs: CAROM_READERS, or beside the command, ../libexec/carom/readers. */
static bool readers_folder(char *out, size_t size) {
    const char *chosen = getenv("CAROM_READERS");
    if (chosen && *chosen) return (size_t)snprintf(out, size, "%s", chosen) < size;
    char self[900];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length > 0) {
        self[length] = 0;
        char *slash = strrchr(self, '/');
        if (slash) {
            *slash = 0;
            return (size_t)snprintf(out, size, "%s/../libexec/carom/readers", self) < size;
        }
    }
    return (size_t)snprintf(out, size, "%s", CAROM_READERS_FOLDER) < size;
}

void reader_find(const char *path, reader *out) {
    char head[HEAD_BYTES + 1], folder[1024];
    const bool wide = read_head(path, head);
    *out = (reader){.kind = READER_ASSIMP};
    for (int i = 0; i < READER_RULES; i++) {
        const reader_rule *rule = &reader_rules[i];
        if (!(rule->mark ? has_mark(head, rule->mark) : ends_with(path, rule->suffix))) continue;
        *out = (reader){
            .kind = rule->kind, .format = rule->format, .advice = rule->advice, .command = rule->command, .wide = wide};
        if (rule->script && readers_folder(folder, sizeof folder)) {
            int n = snprintf(out->script, sizeof out->script, "%s/%s", folder, rule->script);
            if (n < 0 || (size_t)n >= sizeof out->script) *out->script = 0;
        }
        return;
    }
}
