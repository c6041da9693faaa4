/* The house: see house.h. */
#define _DEFAULT_SOURCE
#include "cli/house.h"

#include "read/import.h"

#include <sys/stat.h>

typedef struct stream {
    unsigned char bytes[1 << 15];
    size_t size;
    uint32_t meshes, nodes;
} stream;

static void put(stream *s, const void *data, size_t size) {
    assert_true(s->size + size <= sizeof s->bytes);
    memcpy(s->bytes + s->size, data, size);
    s->size += size;
}
static void put_u32(stream *s, uint32_t n) { put(s, &n, 4); }
static void put_record(stream *s, uint32_t tag, uint64_t size) {
    put_u32(s, tag);
    put(s, &size, 8);
}

static void put_says(stream *s, const char *key, const char *value) {
    put_record(s, IMPORT_PROPERTY, 4 + strlen(key) + strlen(value));
    put_u32(s, (uint32_t)strlen(key));
    put(s, key, strlen(key)), put(s, value, strlen(value));
}

/* A node with the latest so many meshes. */
static uint32_t put_node(stream *s, uint32_t parent, const char *name, uint32_t meshes) {
    static const double local[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    put_record(s, IMPORT_NODE, 12 + sizeof local + strlen(name) + 4 * (size_t)meshes);
    put_u32(s, parent), put_u32(s, meshes), put_u32(s, (uint32_t)strlen(name));
    put(s, local, sizeof local), put(s, name, strlen(name));
    for (uint32_t i = meshes; i > 0; i--) put_u32(s, s->meshes - i);
    return s->nodes++;
}

static void put_box(stream *s, const double low[3], const double high[3]) {
    static const uint32_t corners[36] = {0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5, 0, 1, 5, 0, 5, 4,
                                         2, 6, 7, 2, 7, 3, 0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6};
    const double exact = 0;
    put_record(s, IMPORT_MESH, 40 + 8 * 24 + 12 * 12);
    put_u32(s, 8), put_u32(s, 12);
    for (int i = 0; i < 6; i++) put_u32(s, 0);
    put(s, &exact, 8);
    for (int i = 0; i < 8; i++)
        for (int k = 0; k < 3; k++) put(s, i >> k & 1 ? &high[k] : &low[k], 8);
    put(s, corners, sizeof corners);
    s->meshes++;
}

/* A box; its class is its name up to the '_'. The node's number. */
static uint32_t put_part(stream *s, uint32_t parent, const char *name, const double low[3], const double high[3]) {
    char class[64];
    put_box(s, low, high);
    const uint32_t node = put_node(s, parent, name, 1);
    snprintf(class, sizeof class, "%.*s", (int)strcspn(name, "_"), name);
    if (strncmp(name, "Ifc", 3) == 0) put_says(s, "class", class);
    put_says(s, "storey", "EG");
    return node;
}
#define BOX(x0, y0, z0, x1, y1, z1)                                                                                    \
    (const double[]){x0, y0, z0}, (const double[]) { x1, y1, z1 }

const char *write_house(void) {
    static const char folder[] = "ifc", *path = NULL;
    stream *s = calloc(1, sizeof *s);
    const double unit = 1;
    const uint64_t magic = IMPORT_MAGIC;
    put(s, &magic, 8);
    put_record(s, IMPORT_META, 23);
    put(s, &unit, 8), put(s, &unit, 8), put(s, "zz\0", 3), put(s, "test", 4);
    const uint32_t root = put_node(s, IMPORT_NONE, "house", 0), floor = put_node(s, root, "EG", 0);
    put_part(s, floor, "IfcWall_A", BOX(0, 0, 0, 0.3, 5, 3));
    put_says(s, "Pset_WallCommon.LoadBearing", "TRUE");
    put_part(s, floor, "IfcWall_B", BOX(4, 0, 0, 4.3, 5, 3));
    put_says(s, "Pset_WallCommon.LoadBearing", "FALSE");
    put_part(s, floor, "IfcSlab_S", BOX(0, 0, -0.3, 5, 5, 0));
    put_says(s, "type", "concrete");
    put_part(s, floor, "IfcSlab_T", BOX(1, 1, -0.05, 3, 4, 0.02));
    put_says(s, "type", "screed 70");
    put_part(s, floor, "IfcPipeSegment_1", BOX(-1, 1, 1, 1, 1.4, 1.4));
    put_says(s, "id", "2O2Fr$t4X7Zf8NOew3FL5r"), put_says(s, "layer", "pipes");
    put_part(s, floor, "IfcPipeSegment_2", BOX(3.5, 1, 1, 5, 1.4, 1.4));
    put_says(s, "layer", "pipes");
    put_part(s, floor, "IfcPipeSegment_3", BOX(1, 4.5, -0.01, 2, 4.7, 0.1));
    put_says(s, "layer", "pipes");
    put_part(s, floor, "IfcPipeSegment_S", BOX(-0.1, 3, 2, 0.4, 3.4, 2.4));
    put_says(s, "layer", "sleeves");
    const uint32_t last = put_part(s, floor, "IfcPipeSegment_4", BOX(1, 0.2, 0.03, 2, 0.4, 0.2));
    put_says(s, "layer", "pipes");
    put_part(s, last, "IfcValve_Tap", BOX(1.4, 0.25, 0.1, 1.6, 0.35, 0.3));
    const uint32_t space = put_part(s, floor, "IfcSpace_R", BOX(0.4, 0.5, 0.5, 3.9, 4.4, 2.9));
    put_part(s, space, "IfcFurniture_Table", BOX(2, 2, -0.01, 2.8, 2.8, 0.8));
    put_box(s, BOX(20, 0, 0, 21, 0.1, 1));
    put_box(s, BOX(20.9, 0, 0, 22, 0.1, 1));
    put_node(s, floor, "IfcRailing_R", 2);
    put_says(s, "id", "rail");
    put_part(s, floor, "shaft_1", BOX(10, 0, 0, 10.1, 0.1, 1));
    put_part(s, floor, "bearing_1", BOX(10.0998, 0, 0, 10.2, 0.1, 0.2));
    put_record(s, IMPORT_END, 0);
    if (!path) { /* a program in the place of the reader, that sends the file's stream */
        char names[3][600];
        snprintf(names[0], sizeof names[0], "%s/%s", scratch(), folder);
        snprintf(names[1], sizeof names[1], "%.560s/reader.mjs", names[0]);
        snprintf(names[2], sizeof names[2], "%s:%s", scratch(), getenv("PATH"));
        mkdir(names[0], 0700);
        setenv("CAROM_READERS", scratch(), 1);
        setenv("PATH", names[2], 1);
        FILE *script = fopen(names[1], "w");
        assert_non_null(script);
        fclose(script);
        chmod(write_text("node", "#!/bin/sh\nexec cat \"$2.stream\" >&3\n"), 0700);
        path = strdup(write_text("house.ifc", "FILE_SCHEMA(('IFC4'))"));
    }
    write_bytes("house.ifc.stream", s->bytes, s->size);
    free(s);
    return path;
}
