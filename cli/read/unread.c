/* What is in a file and was not read: see unread.h. The words are those of the formats, and of Assimp 5.2. */
#define _GNU_SOURCE /* memmem */
#include "read/unread.h"

#include "read/dxf.h"
#include "read/import.h"
#include "read/model_text.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#define GROUP(name)                                                                                                    \
    { "X3D", "<" name, name, "what stands in a node of this kind is not read" }
static const struct {
    const char *format, *word, *kind, *reason;
} words[] = {
    {"Wavefront", "\nsurf ", "surf", "a free-form surface is not read"},
    {"Collada", "<convex_mesh", "convex_mesh", "a convex mesh is not read"},
    {"Collada", "<brep", "brep", "a boundary representation is not read"},
    {"X3D", "<Inline", "Inline", "a file that is referred to is not read"},
    {"X3D", "<ProtoInstance", "ProtoInstance", "an instance of a prototype is not read"},
    GROUP("Anchor"),
    GROUP("Billboard"),
    GROUP("CADAssembly"),
    GROUP("CADFace"),
    GROUP("CADLayer"),
    GROUP("CADPart"),
    GROUP("Collision"),
    GROUP("EspduTransform"),
    GROUP("GeoElevationGrid"),
    GROUP("GeoLocation"),
    GROUP("GeoTransform"),
    GROUP("HAnimHumanoid"),
    GROUP("IndexedQuadSet"),
    GROUP("LOD"),
    GROUP("Layer"),
    GROUP("PickableGroup"),
    GROUP("QuadSet"),
    GROUP("ScreenGroup"),
    GROUP("Viewport"),
    {"X3D", "<NurbsPatchSurface", "NurbsPatchSurface", "a free-form surface is not read"},
    {"X3D", "<NurbsTrimmedSurface", "NurbsTrimmedSurface", "a free-form surface is not read"},
    {"X3D", "<NurbsSweptSurface", "NurbsSweptSurface", "a free-form surface is not read"},
};
enum { WORDS = sizeof words / sizeof words[0], MOST_SENT = 1000 };

static void look_for(sink *out, const char *text, size_t size, size_t word) {
    const char *at = text, *end = text + size;
    for (int count = 1; count <= MOST_SENT; count++) {
        char id[64];
        at = memmem(at, (size_t)(end - at), words[word].word, strlen(words[word].word));
        if (!at) return;
        snprintf(id, sizeof id, "%s %d", words[word].kind, count);
        sink_left_out(out, IMPORT_PARTLY, id, words[word].kind, "", words[word].reason);
        at++;
    }
}

/* Of the one model of this process, which stays open. NULL where it cannot be read. */
static const dxf_drawing *drawing_of(const char *path) {
    static const dxf_drawing *drawing;
    model_text t;
    if (!drawing && model_text_open(path, &t)) drawing = dxf_read(t.bytes, t.size);
    return drawing;
}

void unread_send(sink *out, const char *path, const char *format) {
    model_text t;
    const dxf_drawing *drawing = strstr(format, "(DXF)") ? drawing_of(path) : NULL;
    if (drawing) dxf_send_unread(out, drawing);
    if (drawing || !model_text_open(path, &t)) return;
    for (size_t i = 0; i < WORDS; i++)
        if (strstr(format, words[i].format)) look_for(out, t.bytes, t.size, i);
    model_text_close(&t);
}

const char *unread_refused(const char *path, const char *format) {
    const size_t length = strlen(path);
    const bool nothing_was_read = !format;
    if (nothing_was_read ? length < 4 || strcasecmp(path + length - 4, ".dxf") != 0 : !strstr(format, "(DXF)"))
        return NULL;
    const dxf_drawing *drawing = drawing_of(path);
    return drawing ? dxf_refused(drawing, nothing_was_read) : NULL;
}

/* What begins a warning, and must be in it, too; what of its kind does no harm. */
static const struct {
    const char *start, *within, *kind, *harmless;
} losses[] = {
    {"Collada: Unable to find geometry for ID", "", "node", NULL},
    {"Collada: Unable to resolve reference to instanced node", "", "node", NULL},
    {"DXF: not enough vertices for polymesh", "", "POLYLINE", NULL},
    {"DXF: more than 4 indices per face", "", "POLYLINE", NULL},
    {"DXF: invalid vertex index", "", "POLYLINE", NULL},
    {"DXF: vertex index out of bounds", "", "POLYLINE", NULL},
    {"DXF: unexpected vertex setup", "", "face", NULL},
    {"STL: a facet with more than 3 vertices", "", "facet", NULL},          /* the first three are taken */
    {"Object `", "type is unsupported", "object", "`Lattice`"},             /* Blender's curves, texts, metaballs */
    {"Couldn't find a handler for modifier: ", "", "modifier", "Armature"}, /* Blender's; the rest pose is taken */
};

void unread_send_warning(sink *out, const char *warning) {
    for (size_t i = 0; i < sizeof losses / sizeof losses[0]; i++) {
        if (strncmp(warning, losses[i].start, strlen(losses[i].start)) != 0 || !strstr(warning, losses[i].within))
            continue;
        if (losses[i].harmless && strstr(warning, losses[i].harmless)) continue;
        const char *colon = strstr(warning, ": ");
        sink_left_out(out, IMPORT_PARTLY, colon && !*losses[i].within ? colon + 2 : warning, losses[i].kind, "",
                      warning);
    }
}
