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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_lost_is_left_out),
        cmocka_unit_test(other_warnings_are_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
