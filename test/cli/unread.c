/* Which warnings of the importer are losses. */
#include "read/unread.h"

#include "cli/command.h"

#include <fcntl.h>
#include <unistd.h>

/* Whether the warning is sent as something that was left out, with this id. */
static bool is_sent(const char *warning, const char *id) {
    static sink out;
    char bytes[600] = {0};
    const char *path = scratch_path("sent");
    out.fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    assert_true(out.fd >= 0);
    unread_send_warning(&out, warning);
    sink_flush(&out);
    const ssize_t got = pread(out.fd, bytes, sizeof bytes - 1, 0);
    close(out.fd);
    if (got <= 0) return false;
    const size_t head = 4 + 8 + 4 * 4; /* of a record; of what was left out */
    assert_true((size_t)got > head + strlen(id));
    check_that(memcmp(bytes + head, id, strlen(id)) == 0, "'%s': '%.80s', not '%s'", warning, bytes + head, id);
    return true;
}

static void what_is_lost_is_left_out(void **state) {
    (void)state;
    assert_true(is_sent("Collada: Unable to find geometry for ID \"g\". Skipping.", "Unable to find geometry"));
    assert_true(is_sent("STL: a facet with more than 3 vertices has been found", "a facet with more than 3 vertices"));
    assert_true(is_sent("DXF: vertex index out of bounds", "vertex index out of bounds"));
    assert_true(is_sent("Object `OBText` - type is unsupported: `Font`, skipping", "Object `OBText`"));
    assert_true(is_sent("Couldn't find a handler for modifier: Array", "Array"));
}

static void other_warnings_are_none(void **state) {
    (void)state;
    assert_false(is_sent("Object `OBGrid` - type is unsupported: `Lattice`, skipping", ""));
    assert_false(is_sent("Object `a` has no name", ""));
    assert_false(is_sent("Couldn't find a handler for modifier: Armature", ""));
    assert_false(is_sent("skipped over control group (12 lines)", ""));
}

#define TRIANGLE                                                                                                       \
    "<Shape><IndexedFaceSet coordIndex='0 1 2 -1'><Coordinate point='0 0 0 1 0 0 0 1 0'/></IndexedFaceSet></Shape>"
#define X3D(head, more)                                                                                                \
    "<?xml version='1.0'?><X3D profile='Interchange' version='3.3'><head>" head "</head><Scene>" TRIANGLE more         \
    "</Scene></X3D>"

/* The importer passes over nodes of X3D that it does not know, with all that stands in them. */
static void groups_of_x3d_that_are_not_read_are_told(void **state) {
    (void)state;
    EXPECT(0, NULL, "info", write_text("plain.x3d", X3D("", "<Group>" TRIANGLE "</Group>")));
    static const char *const files[] = {
        X3D("", "<LOD range='10'>" TRIANGLE "</LOD>"), X3D("", "<Collision>" TRIANGLE "</Collision>"),
        X3D("", "<CADPart>" TRIANGLE "</CADPart>"),
        X3D("", "<Shape><QuadSet><Coordinate point='0 0 0 1 0 0 1 1 0 0 1 0'/></QuadSet></Shape>"),
        X3D("", "<ProtoInstance name='P'/>")};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        EXPECT(2, "1 of 1 product lacks some of its geometry", "check", write_text("group.x3d", files[i]));
    EXPECT(2, "group.x3d: 2 pieces of 1 product are missing (", "check",
           write_text("group.x3d", X3D("", "<ProtoInstance name='P'/><ProtoInstance name='P'/>")));
}

/* A foot as the standard has it: metres a unit. The first unit is none of length. */
static void a_unit_of_x3d_is_the_one_that_it_states(void **state) {
    (void)state;
    const char *path = write_text("foot.x3d", X3D("<unit category='angle' name='deg' conversionFactor='0.01745'/><unit "
                                                  "category='length' name='foot' conversionFactor='0.3048'/>",
                                                  ""));
    json_t *root = RUN_JSON(0, "info", path);
    const json_t *high = json_object_get(json_object_get(root, "bounds"), "max");
    check_that(fabs(json_number_value(json_array_get(high, 0)) - 0.3048) < 1e-9, "%.17g, expected 0.3048",
               json_number_value(json_array_get(high, 0)));
    json_decref(root);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(groups_of_x3d_that_are_not_read_are_told),
        cmocka_unit_test(a_unit_of_x3d_is_the_one_that_it_states),
        cmocka_unit_test(what_is_lost_is_left_out),
        cmocka_unit_test(other_warnings_are_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
