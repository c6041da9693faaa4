/* What of a DXF is read, and what is refused or named, as the importer makes something else of it, or nothing. */
#include "cli/command.h"

#define FACE           "0\n3DFACE\n8\nA\n10\n0\n20\n0\n30\n0\n11\n1\n21\n0\n31\n0\n12\n0\n22\n2\n32\n0\n13\n0\n23\n2\n33\n0\n"
#define BLOCKS(blocks) "0\nSECTION\n2\nBLOCKS\n" blocks "0\nENDSEC\n"
#define BLOCK(name, inner)                                                                                             \
    "0\nBLOCK\n8\n0\n2\n" name "\n70\n0\n10\n0\n20\n0\n30\n0\n3\n" name "\n" inner "0\nENDBLK\n8\n0\n"
#define ENTITIES(inner)    "0\nSECTION\n2\nENTITIES\n" inner "0\nENDSEC\n0\nEOF\n"
#define INSERT(name, more) "0\nINSERT\n8\nB\n2\n" name "\n10\n5\n20\n0\n30\n0\n" more

static void a_block_that_is_moved_is_read(void **state) {
    (void)state;
    static const char *const texts[] = {
        BLOCKS(BLOCK("PLATE", FACE))
            ENTITIES(INSERT("PLATE", "41\n1.0\n42\n1\n43\n1\n50\n0.0\n70\n1\n71\n1\n230\n1\n")),
        BLOCKS(BLOCK("NOTE", "") BLOCK("PLATE", FACE) BLOCK("UNUSED", INSERT("PLATE", "50\n90\n")))
            ENTITIES(INSERT("PLATE", "") INSERT("NOTE", "50\n30\n")),
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        json_t *root = RUN_JSON(0, "info", write_text("moved.dxf", texts[i]));
        const json_t *low = json_object_get(json_object_get(root, "bounds"), "min");
        const double x = json_number_value(json_array_get(low, 0));
        check_that(fabs(x - 5) < 1e-6, "%zu: from %g", i, x);
        assert_int_equal(
            json_array_size(json_object_get(json_array_get(json_object_get(root, "files"), 0), "left_out")), 0);
        json_decref(root);
    }
}

/* The importer passes over a rotation, an array and axes, and moves what is scaled. */
static void a_block_that_stands_otherwise_is_refused(void **state) {
    (void)state;
    static const char *const inserts[] = {
        INSERT("PLATE", "50\n90\n"), INSERT("PLATE", "41\n2\n"), INSERT("PLATE", "43\n-1\n"),
        INSERT("PLATE", "70\n3\n"),  INSERT("PLATE", "71\n2\n"), INSERT("PLATE", "210\n0\n220\n0\n230\n-1\n"),
        INSERT("PLATE", "67\n1\n"),
    };
    for (size_t i = 0; i < sizeof inserts / sizeof inserts[0]; i++) {
        char text[1000];
        snprintf(text, sizeof text, BLOCKS(BLOCK("PLATE", FACE)) ENTITIES(FACE "%s"), inserts[i]);
        EXPECT(2, "its block 'PLATE' stands turned, scaled, as an array or in paper space, which is not read; explode",
               "check", write_text("other.dxf", text));
    }
    EXPECT(2, "its block 'PLATE' stands under its name in other letters", "info",
           write_text("letters.dxf", BLOCKS(BLOCK("PLATE", FACE)) ENTITIES(FACE INSERT("Plate", ""))));
    EXPECT(2, "its block 'PLATE' stands within another block", "info",
           write_text("nested.dxf", BLOCKS(BLOCK("PLATE", FACE) BLOCK("TABLE", INSERT("PLATE", "")))
                                        ENTITIES(FACE INSERT("TABLE", ""))));
    EXPECT(2, "faces in its paper space", "info", write_text("paper.dxf", ENTITIES(FACE FACE "67\n1\n")));
}

/* Blocks that lie in one another or in themselves end. */
static void a_ring_of_blocks_ends(void **state) {
    (void)state;
    EXPECT(0, NULL, "info",
           write_text("ring.dxf", BLOCKS(BLOCK("A", INSERT("B", "")) BLOCK("B", INSERT("A", "") INSERT("B", "")))
                                      ENTITIES(FACE INSERT("A", ""))));
    EXPECT(0, NULL, "info",
           write_text("nameless.dxf", BLOCKS("0\nBLOCK\n8\n0\n0\nENDBLK\n") ENTITIES(FACE "0\nINSERT\n8\nB\n")));
}

static void what_is_not_read_is_named(void **state) {
    (void)state;
    static const struct {
        const char *entity, *id, *kind, *reason;
    } cases[] = {
        {"0\n3DSOLID\n5\n2F\n8\nshell\n70\n1\n1\nacis\n", "2F", "3DSOLID", "a body or surface"},
        {"0\nMESH\n8\nshell\n91\n0\n", "MESH 1", "MESH", "a body or surface"},
        {"0\nPOLYLINE\n5\n30\n8\nshell\n66\n1\n70\n16\n71\n2\n72\n2\n0\nSEQEND\n", "30", "POLYLINE",
         "a body or surface"},
        {"  0\r\nCIRCLE\r\n  5\r\n31\r\n  8\r\nshell\r\n 39\r\n2.5\r\n 40\r\n1\r\n", "31", "CIRCLE", "thickness"},
        {INSERT("GONE", "5\n32\n"), "INSERT 1", "INSERT", "its block is not in the file"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[1000];
        snprintf(text, sizeof text, ENTITIES(FACE "%s"), cases[i].entity);
        const char *path = write_text("unread.dxf", text);
        json_t *root = RUN_JSON(0, "info", path);
        const json_t *left = json_object_get(json_array_get(json_object_get(root, "files"), 0), "left_out");
        const json_t *one = json_array_get(left, 0);
        assert_int_equal(json_array_size(left), 1);
        assert_string_equal(text_at(one, "id"), cases[i].id);
        assert_string_equal(text_at(one, "class"), cases[i].kind);
        assert_non_null(strstr(text_at(one, "reason"), cases[i].reason));
        json_decref(root);
        EXPECT(2, "lack", "fit", path, "--as", "sphere");
    }
    EXPECT(2, "nothing of what it draws is read, 3DSOLID on layer shell first", "info",
           write_text("only.dxf", ENTITIES("0\n3DSOLID\n5\n2F\n8\nshell\n70\n1\n1\nacis\n")));
    EXPECT(0, NULL, "check", "--also", "spaces", "--fail-on", "none", "--part", "component",
           write_text("unused.dxf", BLOCKS(BLOCK("X", "0\n3DSOLID\n5\n2F\n8\nshell\n70\n1\n1\nacis\n")) ENTITIES(
                                        FACE "0\n3DFACE\n8\nB\n10\n9\n20\n0\n30\n0\n11\n10\n21\n0\n31\n0\n12\n9\n"
                                             "22\n2\n32\n0\n13\n9\n23\n2\n33\n0\n")));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_that_is_moved_is_read),
        cmocka_unit_test(a_block_that_stands_otherwise_is_refused),
        cmocka_unit_test(a_ring_of_blocks_ends),
        cmocka_unit_test(what_is_not_read_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
