/* What a file format tells of its unit and its axes: see source.h.
 *
 * X3D and VRML are metres with y up by their specifications. IFC and Collada state their units, and Assimp has
 * converted them to metres by the time we see them; both it has turned to y up. That of Collada is undone, and the turn
 * of both, so that coordinates are the file's. So it turns DXF, 3DS and ASE, and the models of games after Quake (not
 * all of their kinds), which are z up. A DXF may state its unit. FBX states centimetres a unit and an axis, 3MF and AMF
 * a unit (millimetres if they don't); they are z up by their specifications. All others say nothing. */
#define _DEFAULT_SOURCE
#include "read/source.h"

#include "common/units.h"
#include "read/import.h"
#include "read/model_text.h"
#include "read/package.h"
#include "read/words.h"

#include <assimp/scene.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef struct format_rule {
    const char *word; /* in the importer's name */
    sink_facts facts;
    enum { PLAIN, MAY_BE_TURNED, TURNED, FBX, PACKAGE } kind;
} format_rule;

static const format_rule rules[] = {
    {"X3D", {1, 1, 'y', 'y', 0}, PLAIN},
    {"VRML", {1, 1, 'y', 'y', 0}, PLAIN},
    {"Collada", {1, 1, 'y', 'y', 0}, MAY_BE_TURNED},
    {"IFC", {1, 1, 'y', 'y', 0}, TURNED},
    {"DXF", {0, 1, 0, 'z', 0}, TURNED},
    {"3DS", {0, 1, 0, 'z', 0}, TURNED},
    {"ASE", {0, 1, 0, 'z', 0}, TURNED},
    {"Quake", {0, 1, 0, 'z', 0}, MAY_BE_TURNED},
    {"MD5", {0, 1, 0, 'z', 0}, MAY_BE_TURNED},
    {"Wolfenstein", {0, 1, 0, 'z', 0}, MAY_BE_TURNED},
    {"FBX", {0, 0.01, 0, 'y', 0}, FBX},
    {"3mf", {1e-3, 1e-3, 'z', 'z', 0}, PACKAGE},
    {"Stereolithography", {0, 1e-3, 0, 'z', 0}, PLAIN},
    {"Wavefront", {0, 1, 0, 'y', 0}, PLAIN},
    {"", {0, 1, 0, 'z', 0}, PLAIN},
};

static const struct aiMetadataEntry *find_entry(const struct aiMetadata *data, const char *key) {
    if (!data) return NULL;
    for (unsigned i = 0; i < data->mNumProperties; i++)
        if (strcmp(data->mKeys[i].data, key) == 0) return &data->mValues[i];
    return NULL;
}

static double number_entry(const struct aiMetadata *data, const char *key, double otherwise) {
    const struct aiMetadataEntry *entry = find_entry(data, key);
    if (!entry || !entry->mData) return otherwise;
    if (entry->mType == AI_FLOAT) {
        float value;
        memcpy(&value, entry->mData, sizeof value);
        return (double)value;
    }
    if (entry->mType == AI_DOUBLE) {
        double value;
        memcpy(&value, entry->mData, sizeof value);
        return value;
    }
    if (entry->mType == AI_INT32) {
        int32_t value;
        memcpy(&value, entry->mData, sizeof value);
        return (double)value;
    }
    return otherwise;
}

static void describe_fbx(const struct aiMetadata *data, sink_facts *facts) {
    double centimetres = number_entry(data, "UnitScaleFactor", 0), axis = number_entry(data, "UpAxis", -1);
    if (centimetres > 0 && centimetres < 1e9) facts->unit = centimetres / 100;
    if (axis == 0 || axis == 1 || axis == 2) facts->up = "xyz"[(int)axis];
}

static size_t read_plain_head(const char *path, char *head, size_t size) {
    model_text t;
    if (!model_text_open(path, &t)) return 0;
    if (size > t.size) size = t.size;
    memcpy(head, t.bytes, size);
    model_text_close(&t);
    return size;
}
static size_t read_zip_head(const char *path, char *head, size_t size) {
    unzFile zip = package_open(path, ".model");
    if (!zip) return 0;
    const int n = unzReadCurrentFile(zip, head, (unsigned)size);
    package_close(zip);
    return n > 0 ? (size_t)n : 0;
}

const char *source_unreadable(const char *path) {
    char head[2];
    const size_t length = strlen(path);
    const bool packed = read_plain_head(path, head, 2) == 2 && memcmp(head, "PK", 2) == 0;
    if (!packed && length > 4 && strcasecmp(path + length - 4, ".3mf") == 0)
        return "it is no 3MF, which is a ZIP archive";
    unzFile zip = packed ? unzOpen64(path) : NULL;
    if (packed && !zip) return "its ZIP archive is damaged or cut off";
    if (zip) unzClose(zip);
    return NULL;
}

static char odd_unit[32]; /* this process looks at one file */

static void describe_package(const char *path, sink_facts *facts) {
    char head[8192];
    size_t size = read_plain_head(path, head, sizeof head - 1);
    if (size >= 4 && memcmp(head, "PK\3\4", 4) == 0) size = read_zip_head(path, head, sizeof head - 1);
    head[size] = 0;
    const char *element = strstr(head, "<model");
    if (!element) return;
    const char *close = strchr(element, '>'), *at = strstr(element, "unit=");
    if (!at || (close && at > close) || (at[5] != '"' && at[5] != '\'')) return;
    const char *value = at + 6, *end = strchr(value, at[5]);
    const size_t length = end ? (size_t)(end - value) : 0;
    facts->unit = end ? unit_from_name(value, length) : 0; /* what is no unit tells of none */
    if (length > 0 && !(facts->unit > 0))
        snprintf(odd_unit, sizeof odd_unit, "%.*s", (int)(length < 31 ? length : 31), value);
}

const char *source_odd_unit(void) { return odd_unit; }

/* The metres that an X3D states in its head, as <unit category='length' name='foot' conversionFactor='0.3048'/>. */
static void describe_x3d(const char *path, sink_facts *facts) {
    char head[65536];
    const size_t size = read_plain_head(path, head, sizeof head - 1);
    head[size] = 0;
    for (char *unit = strstr(head, "<unit"); unit; unit = strstr(unit, "<unit")) {
        char *close = strchr(unit, '>');
        if (!close) return;
        *close = 0;
        const char *kind = strstr(unit, "category="), *factor = strstr(unit, "conversionFactor=");
        const double metres = factor ? strtod(factor + strlen("conversionFactor=") + 1, NULL) : 0;
        if (kind && strncmp(kind + strlen("category=") + 1, "length", 6) == 0 && metres > 0) facts->unit = metres;
        unit = close + 1;
    }
}

/* The variable $INSUNITS of a DXF's header: its value is the second line after it, a number from this list. */
static void describe_dxf(const char *path, sink_facts *facts) {
    enum { SURVEY = 21 };
    static const double units[] = {0,       0.0254, 0.3048, 1609.344, 1e-3, 1e-2, 1,  1e3, 2.54e-8,
                                   2.54e-5, 0.9144, 1e-10,  1e-9,     1e-6, 1e-1, 10, 100, 1e9};
    static const double feet[] = {1, 1.0 / 12, 3, 5280}; /* of the US survey */
    model_text t;
    if (!model_text_open(path, &t)) return;
    bytes b = {t.bytes, t.bytes + t.size}, line, code;
    bool found = false;
    while (!found && next_line(&b, &line)) {
        const bytes word = next_word(&line);
        if (word_is(word, "ENDSEC")) break; /* of the header, which is first */
        found = word_is(word, "$INSUNITS");
    }
    uint64_t value = 0;
    const bool known = found && next_line(&b, &code) && next_line(&b, &line) && word_number(next_word(&line), &value);
    if (known && value < sizeof units / sizeof units[0]) facts->unit = units[value];
    if (known && value >= SURVEY && value - SURVEY < sizeof feet / sizeof feet[0])
        facts->unit = feet[value - SURVEY] * 1200 / 3937;
    model_text_close(&t);
}

/* Rows of the importer's turns to y up, from z up and from x up. */
static const double from_z[9] = {1, 0, 0, 0, 0, 1, 0, -1, 0}, from_x[9] = {0, -1, 0, 1, 0, 0, 0, 0, 1};

/* Is the matrix a turn, but for scale and the importer's rounding of sines? */
static bool is_turn(const double m[12], const double turn[9]) {
    double scale = 0;
    for (int i = 0; i < 9; i++) scale = fmax(scale, fabs(m[i / 3 * 4 + i % 3]));
    for (int i = 0; i < 9; i++)
        if (!(fabs(m[i / 3 * 4 + i % 3] - scale * turn[i]) <= 1e-6 * scale)) return false;
    return scale > 0;
}

/* Takes the turn off again. Where it is all that the root does, exactly: the scale alone is left. */
static void turn_back(double m[12], const double turn[9]) {
    double back[12];
    bool alone = is_turn(m, turn);
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 4; column++) {
            double sum = 0;
            for (int k = 0; k < 3; k++) sum += turn[k * 3 + row] * m[k * 4 + column];
            back[row * 4 + column] = alone && column < 3 && column != row ? 0 : sum;
        }
    memcpy(m, back, sizeof back);
}

/* The metres that a Collada states in <unit meter="0.0254"/>; 0 where it does not. */
static double collada_unit(const char *path) {
    char head[65536];
    const size_t size = read_plain_head(path, head, sizeof head - 1);
    head[size] = 0;
    const char *unit = strstr(head, "<unit"), *close = unit ? strchr(unit, '>') : NULL,
               *at = unit ? strstr(unit, "meter=") : NULL;
    return at && close && at < close ? strtod(at + 7, NULL) : 0;
}

/* Takes off the root the scale by which the importer made metres of the file's unit. As the importer has it in single
 * precision, and may have taken another for it, what the file says counts where it is the same. */
static void describe_collada(const char *path, double root[12], sink_facts *facts) {
    static const double straight[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const double scale = root[0];
    if (!(scale > 0) || !is_turn(root, straight)) return;
    const double said = collada_unit(path);
    facts->unit = fabs(said - scale) <= 1e-6 * scale ? said : scale;
    for (int i = 0; i < 12; i++) root[i] = i % 5 == 0 ? 1 : i % 4 == 3 ? root[i] / scale : 0;
}

sink_facts source_describe(const char *path, const struct aiScene *scene, const char *importer, char *format,
                           size_t format_size, double root[12]) {
    const struct aiMetadataEntry *name = find_entry(scene->mMetaData, "SourceAsset_Format");
    const bool has = name && name->mType == AI_AISTRING;
    const char *says = has ? ((const struct aiString *)name->mData)->data : "unknown format";
    snprintf(format, format_size, "%s", *importer ? importer : says);
    const format_rule *rule = rules;
    while (!strstr(format, rule->word)) rule++;
    sink_facts facts = rule->facts;
    facts.single = IMPORT_SINGLE_POINTS | IMPORT_SINGLE_PLACES;
    const struct aiMatrix4x4 *m = &scene->mRootNode->mTransformation;
    const double rows[12] = {(double)m->a1, (double)m->a2, (double)m->a3, (double)m->a4, (double)m->b1, (double)m->b2,
                             (double)m->b3, (double)m->b4, (double)m->c1, (double)m->c2, (double)m->c3, (double)m->c4};
    memcpy(root, rows, sizeof rows);

    if (rule->kind == FBX) describe_fbx(scene->mMetaData, &facts);
    if (rule->kind == PACKAGE) describe_package(path, &facts);
    if (strcmp(rule->word, "DXF") == 0) describe_dxf(path, &facts);
    if (strstr(format, "X3D")) describe_x3d(path, &facts);
    if (rule->kind == TURNED || (rule->kind == MAY_BE_TURNED && is_turn(root, from_z))) {
        turn_back(root, from_z);
        facts.up = 'z';
    } else if (rule->kind == MAY_BE_TURNED && is_turn(root, from_x)) {
        turn_back(root, from_x);
        facts.up = 'x';
    }
    if (strcmp(rule->word, "Collada") == 0) describe_collada(path, root, &facts);
    return facts;
}
