/* carom check --bcf: which topics there are, what they say, and from where they are looked at. */
#include "cli/bcf_file.h"
#include "cli/house.h"
#include "cli/shapes.h"
#include "page_file.h"

#include "bcf/guid.h"

#define DATE "--date", "2025-03-14"

static const char *text_of(const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

/* A wall of 300 mm and a pipe of 200 mm through it, in metres, y up as OBJ is; far away a pair that touches. A closet
 * so large around the crossing; 0: none. */
static const char *model(const char *name, double closet) {
    obj o = {0};
    obj_box(&o, "wall", 0, 0, 0, 5, 3, 0.3);
    obj_box(&o, "pipe", 1, 1, -1, 1.2, 1.2, 1);
    if (closet > 0)
        obj_box(&o, "closet", 1.1 - closet, 1.1 - closet, 0.15 - closet, 1.1 + closet, 1.1 + closet, 0.15 + closet);
    obj_box(&o, "left", 20, 0, 0, 21, 1, 1);
    obj_box(&o, "right", 21, 0, 0, 22, 1, 1);
    return obj_write(&o, name);
}

static void a_topic_has_the_id_of_its_finding(void **state) {
    (void)state;
    const char *path = scratch_path("ids.bcf");
    json_t *answer = RUN_JSON(1, "check", write_house(), "--bcf", path, DATE);
    archive zip = open_bcf(path);
    size_t topics = 0;
    const json_t *findings = json_object_get(answer, "findings");
    for (size_t i = 0; i < json_array_size(findings); i++) {
        const json_t *f = json_array_get(findings, i);
        char guid[GUID_SIZE], name[80];
        guid_make(GUID_FINDING, strtoull(text_of(f, "id"), NULL, 16), guid);
        snprintf(name, sizeof name, "%s/markup.bcf", guid);
        const archive_entry *markup = bcf_entry(&zip, name, 0);
        const bool touches = strcmp(text_of(f, "relation"), "touching") == 0;
        check_that((markup != NULL) == !touches, "%s: %s", text_of(f, "relation"), name);
        if (!markup) continue;
        topics++;
        assert_non_null(strstr(markup->bytes, guid));
        assert_non_null(strstr(markup->bytes, text_of(f, "id")));
        assert_non_null(strstr(markup->bytes, "TopicStatus=\"Active\""));
        assert_non_null(strstr(markup->bytes, "<CreationDate>2025-03-14T00:00:00Z</CreationDate>"));
        assert_non_null(strstr(markup->bytes, "<CreationAuthor>carom</CreationAuthor>"));
        assert_non_null(strstr(markup->bytes, "<Priority>High</Priority>"));
    }
    assert_true(topics >= 7);
    assert_int_equal(zip.count, 1 + 3 * topics);
    archive_free(&zip);
    json_decref(answer);
}

static void guids_hold_numbers_and_tell_kinds(void **state) {
    (void)state;
    static const uint64_t numbers[] = {1, 0xa5cf22ec4e5b2b1c, 0xffffffffffffffff, 0x0123456789abcdef};
    for (size_t i = 0; i < 4; i++) {
        char guid[GUID_SIZE];
        guid_make(GUID_FINDING, numbers[i], guid);
        assert_int_equal(strlen(guid), 36);
        assert_int_equal(guid[14], '8'); /* the version of UUIDs that are free */
        assert_true(guid_number(GUID_FINDING, guid) == numbers[i]);
        assert_true(guid_number(GUID_GROUP, guid) == 0);
        for (char *at = guid; *at; at++)
            if (*at >= 'a' && *at <= 'f') *at = (char)(*at - 'a' + 'A');
        assert_true(guid_number(GUID_FINDING, guid) == numbers[i]);
    }
    assert_true(guid_number(GUID_FINDING, "9898DE65-C0CE-414B-857E-1DF97FFAED8D") == 0);
    assert_true(is_global_id("2O2Fr$t4X7Zf8NOew3FL5r"));
    assert_false(is_global_id("2O2Fr$t4X7Zf8NOew3FL5-"));
    assert_false(is_global_id("2O2Fr$t4X7Zf8NOew3FL5"));
}

static void parts_are_components_by_their_global_id(void **state) {
    (void)state;
    const char *path = scratch_path("components.bcf");
    EXPECT(1, NULL, "check", write_house(), "--bcf", path, DATE);
    archive zip = open_bcf(path);
    const char *viewpoint = bcf_of_topic(&zip, "2O2Fr$t4X7Zf8NOew3FL5r", "/viewpoint.bcfv")->bytes;
    const char *selection = strstr(viewpoint, "<Selection>"), *coloring = strstr(viewpoint, "<Coloring>");
    assert_true(selection && coloring && selection < coloring);
    assert_int_equal(count_in(viewpoint, "IfcGuid=\"2O2Fr$t4X7Zf8NOew3FL5r\""), 2); /* selected and colored */
    assert_int_equal(count_in(viewpoint, "IfcWall_A</AuthoringToolId>"), 2);        /* which has none */
    assert_int_equal(count_in(viewpoint, "<Color "), 2);
    archive_free(&zip);
}

static void the_same_input_gives_the_same_bytes(void **state) {
    (void)state;
    const char *house = write_house(), *paths[4];
    static const char *const names[] = {"one.bcf", "two.bcf", "three.bcf", "four.bcf"};
    for (int i = 0; i < 4; i++) paths[i] = scratch_path(names[i]);
    EXPECT(1, NULL, "check", house, "--bcf", paths[0], DATE);
    EXPECT(1, NULL, "check", house, "--bcf", paths[1], DATE, "--threads", "1");
    setenv("SOURCE_DATE_EPOCH", "1741910400", 1); /* 2025-03-14 00:00:00 */
    EXPECT(1, NULL, "check", house, "--bcf", paths[2]);
    setenv("SOURCE_DATE_EPOCH", "tomorrow", 1);
    EXPECT(2, "SOURCE_DATE_EPOCH: 'tomorrow' is no number", "check", house, "--bcf", paths[3]);
    unsetenv("SOURCE_DATE_EPOCH");
    size_t sizes[3];
    char *bytes[3];
    for (int i = 0; i < 3; i++) {
        bytes[i] = read_all(paths[i], &sizes[i]);
        assert_int_equal(sizes[i], sizes[0]);
        assert_memory_equal(bytes[i], bytes[0], sizes[0]);
    }
    for (int i = 0; i < 3; i++) free(bytes[i]);
    EXPECT(2, "--date: '2025-02-30' is no date", "check", house, "--bcf", paths[3], "--date", "2025-02-30");
    EXPECT(2, "is no date", "check", house, "--bcf", paths[3], "--date", "2025-03-14T25:00:00Z");
}

/* The three numbers of an element. */
static cm_vec3 vector_in(const char *xml, const char *element) {
    double v[3];
    const char *at = strstr(xml, element);
    check_that(at != NULL, "no %s in %s", element, xml);
    for (int i = 0; i < 3; i++) {
        static const char *const names[] = {"<X>", "<Y>", "<Z>"};
        at = strstr(at, names[i]);
        assert_non_null(at);
        v[i] = strtod(at + 3, NULL);
    }
    return cm_v(v[0], v[1], v[2]);
}

/* The crossing lies at x 1.1, y 1.1, z 0.15, 100 mm about that: in BCF, with z up, at 1.1 -0.15 1.1. */
static const cm_vec3 crossing = {1.1, -0.15, 1.1};

static void the_camera_looks_at_the_crossing_with_z_up(void **state) {
    (void)state;
    const char *path = scratch_path("camera.bcf");
    for (int version = 0; version < 2; version++) {
        EXPECT(1, NULL, "check", model("camera.obj", 0), "--bcf", path, DATE, "--bcf-version", version ? "3.0" : "2.1");
        archive zip = open_bcf(path);
        const char *xml = bcf_of_topic(&zip, "wall crosses pipe", "/viewpoint.bcfv")->bytes;
        const cm_vec3 at = vector_in(xml, "<CameraViewPoint>"), forward = vector_in(xml, "<CameraDirection>");
        const cm_vec3 up = vector_in(xml, "<CameraUpVector>"), way = cm_sub(crossing, at);
        check_that(fabs(cm_length(forward) - 1) < 1e-9 && fabs(cm_length(up) - 1) < 1e-9, "not unit");
        check_that(fabs(cm_dot(forward, up)) < 1e-9, "up is aslant: %g", cm_dot(forward, up));
        check_that(up.z > 0, "up is %g %g %g", up.x, up.y, up.z);
        /* In the middle of the view, to a twentieth; far enough to see its 100 mm, and no farther than 20 m. */
        const double off = cm_length(cm_cross(way, forward)) / cm_length(way);
        check_that(cm_dot(way, forward) > 0 && off < 0.05, "off by %g", off);
        check_that(cm_length(way) > 0.25 && cm_length(way) < 20, "from %g m", cm_length(way));
        assert_null(strstr(xml, "<ClippingPlane"));
        assert_non_null(strstr(xml, version ? "<FieldOfView>45</FieldOfView>" : "<FieldOfView>57.822</FieldOfView>"));
        assert_int_equal(strstr(xml, "<AspectRatio>1.33333333333</AspectRatio>") != NULL, version);
        archive_free(&zip);
    }
}

/* The camera stands 1.66 m away. */
static void what_stands_before_the_crossing_is_cut_away(void **state) {
    (void)state;
    const char *path = scratch_path("closet.bcf");
    EXPECT(1, NULL, "check", model("closet.obj", 0.7), "--between", "wall", "pipe", "--bcf", path, DATE);
    archive zip = open_bcf(path);
    const char *xml = bcf_of_topic(&zip, "wall crosses pipe", "/viewpoint.bcfv")->bytes;
    assert_int_equal(count_in(xml, "<ClippingPlane>"), 1);
    const cm_vec3 at = vector_in(xml, "<CameraViewPoint>"), place = vector_in(xml, "<Location>");
    const cm_vec3 out = vector_in(xml, "<Direction>"); /* of what is not to be seen */
    check_that(cm_dot(out, cm_sub(at, place)) > 0, "the camera is on the side that is left");
    check_that(cm_dot(out, cm_sub(crossing, place)) < -0.1, "the crossing is cut away: %g",
               cm_dot(out, cm_sub(crossing, place)));
    archive_free(&zip);
    /* Around the camera too it hides nothing. */
    EXPECT(1, NULL, "check", model("closet.obj", 9), "--between", "wall", "pipe", "--bcf", path, DATE);
    zip = open_bcf(path);
    assert_null(strstr(bcf_of_topic(&zip, "wall crosses pipe", "/viewpoint.bcfv")->bytes, "<ClippingPlane"));
    archive_free(&zip);
}

static void a_group_is_one_topic(void **state) {
    (void)state;
    const char *path = scratch_path("groups.bcf");
    json_t *answer = RUN_JSON(1, "check", write_house(), "--bcf", path, DATE, "--group", "class");
    archive zip = open_bcf(path);
    const json_t *groups = json_object_get(json_object_get(answer, "groups"), "list");
    const json_t *findings = json_object_get(answer, "findings");
    size_t topics = 0;
    for (size_t i = 0; i < json_array_size(groups); i++) {
        const json_t *members = json_object_get(json_array_get(groups, i), "findings");
        const archive_entry *markup = NULL;
        for (size_t k = 0; k < json_array_size(members); k++) {
            const size_t number = (size_t)json_integer_value(json_array_get(members, k));
            const json_t *f = json_array_get(findings, number);
            if (strcmp(text_of(f, "relation"), "touching") == 0) continue;
            const archive_entry *own = bcf_of_topic(&zip, text_of(f, "id"), "/markup.bcf");
            check_that(!markup || markup == own, "two topics of one group");
            topics += !markup;
            markup = own;
        }
    }
    assert_int_equal(zip.count, 1 + 3 * topics);
    assert_true(topics > 2 && topics < 7);
    const archive_entry *pipes = bcf_of_topic(&zip, "<Title>IfcPipeSegment and IfcWall: ", "/markup.bcf");
    assert_true(guid_number(GUID_GROUP, strstr(pipes->bytes, "Topic Guid=\"") ? pipes->name : "") == 0);
    char guid[GUID_SIZE];
    snprintf(guid, sizeof guid, "%.36s", pipes->name);
    assert_true(guid_number(GUID_GROUP, guid) != 0);
    archive_free(&zip);
    json_decref(answer);
}

static void tests_are_labels_and_severities_priorities(void **state) {
    (void)state;
    const char *path = scratch_path("tests.bcf");
    const char *rules =
        write_text("bcf_rules.json", RULES_HEAD
                   "\"tests\": [{\"name\": \"through\", \"a\": \"class=IfcPipe*\", \"b\": \"class=IfcWall\"},\n"
                   "{\"name\": \"near\", \"a\": \"layer=pipes\", \"b\": \"class=IfcSlab\", \"clearance\": "
                   "\"50mm\", \"severity\": \"warning\"}]}");
    const char *list = write_text("bcf_approved.txt",
                                  "id=2O2Fr$t4X7Zf8NOew3FL5r:class=IfcWall; a <recess> & more; A. Meyer; 2025-01-02\n");
    for (int version = 0; version < 2; version++) {
        EXPECT(1, NULL, "check", write_house(), "--rules", rules, "--approved", list, "--bcf", path, DATE, "--author",
               "carom@example.org", "--bcf-version", version ? "3.0" : "2.1");
        archive zip = open_bcf(path);
        const char *label = version ? "<Label>" : "<Labels>";
        const char *warned = bcf_of_topic(&zip, "is too near to", "/markup.bcf")->bytes;
        assert_non_null(strstr(warned, "<Priority>Normal</Priority>"));
        assert_non_null(strstr(warned, "TopicType=\"Clearance\""));
        assert_memory_equal(strstr(warned, label) + strlen(label), "near<", 5);
        assert_non_null(strstr(warned, "<CreationAuthor>carom@example.org</CreationAuthor>"));
        const char *accepted = bcf_of_topic(&zip, "2O2Fr$t4X7Zf8NOew3FL5r", "/markup.bcf")->bytes;
        assert_non_null(strstr(accepted, "TopicStatus=\"Approved\""));
        const char *comment = strstr(accepted, "<Comment Guid=");
        assert_non_null(comment);
        assert_non_null(strstr(comment, "<Date>2025-01-02T00:00:00Z</Date>"));
        assert_non_null(strstr(comment, "<Author>A. Meyer</Author>"));
        assert_non_null(strstr(comment, "<Comment>a &lt;recess&gt; &amp; more</Comment>"));
        assert_int_equal(bcf_entry(&zip, "extensions.xml", 0) != NULL, version);
        archive_free(&zip);
    }
}

/* What was kept of another tool's answer goes there again with the finding: alone, and, once for all that share it, in
 * a group; and taken from there it stands in the list already. */
static void what_was_said_of_a_finding_goes_along(void **state) {
    (void)state;
    char path[600], lines[1000];
    snprintf(path, sizeof path, "%s", scratch_path("said_again.bcf"));
    json_t *answer = RUN_JSON(1, "check", write_house(), "--group", "class");
    const json_t *group = NULL, *groups = json_object_get(json_object_get(answer, "groups"), "list");
    for (size_t i = 0; i < json_array_size(groups) && !group; i++)
        if (json_array_size(json_object_get(json_array_get(groups, i), "findings")) > 1)
            group = json_object_get(json_array_get(groups, i), "findings");
    assert_non_null(group);
    const json_t *all = json_object_get(answer, "findings");
    const char *first = text_of(json_array_get(all, (size_t)json_integer_value(json_array_get(group, 0))), "id");
    const char *second = text_of(json_array_get(all, (size_t)json_integer_value(json_array_get(group, 1))), "id");
    snprintf(lines, sizeof lines,
             "# open: %s; In Progress: move <the> duct; b@example.org; 2025-05-02\n"
             "# fix: %s; In Progress: move <the> duct; b@example.org; some day\n",
             first, second);
    const char *list = write_text("said_again.txt", lines);
    for (int version = 0; version < 2; version++)
        for (int grouped = 0; grouped < 2; grouped++) {
            EXPECT(1, NULL, "check", write_house(), "--approved", list, "--bcf", path, DATE, "--bcf-version",
                   version ? "3.0" : "2.1", grouped ? "--group" : "--author", grouped ? "class" : "carom");
            archive zip = open_bcf(path);
            size_t said = 0;
            const archive_entry *markup;
            for (size_t i = 0; (markup = bcf_entry(&zip, "/markup.bcf", i)); i++)
                said += count_in(markup->bytes, "<Comment>");
            assert_int_equal(said, grouped ? 1 : 2);
            const char *text = bcf_of_topic(&zip, first, "/markup.bcf")->bytes;
            assert_non_null(strstr(text, "TopicStatus=\"Active\""));
            assert_non_null(strstr(text, "<Date>2025-05-02T00:00:00Z</Date>"));
            assert_non_null(strstr(text, "<Author>b@example.org</Author>"));
            assert_non_null(strstr(text, "<Comment>In Progress: move &lt;the&gt; duct</Comment>"));
            if (!grouped) { /* which has no day is said today */
                text = bcf_of_topic(&zip, second, "/markup.bcf")->bytes;
                assert_non_null(strstr(strstr(text, "<Comment Guid="), "<Date>2025-03-14T00:00:00Z</Date>"));
                run r = RUN("approve", path, "--approved", list);
                check_that(r.code == 0 && strstr(r.out, ": 0 entries added, 2 there already."), "%s", r.out);
                run_free(&r);
            }
            archive_free(&zip);
        }
    json_decref(answer);
}

static void what_is_gone_since_the_baseline_is_resolved(void **state) {
    (void)state;
    json_t *answer = RUN_JSON(1, "check", model("before.obj", 0.7));
    char *text = json_dumps(answer, 0);
    const char *before = write_text("bcf_before.json", text), *path = scratch_path("resolved.bcf");
    free(text);
    json_decref(answer);
    for (int version = 0; version < 2; version++) {
        EXPECT(1, NULL, "check", model("before.obj", 0), "--baseline", before, "--bcf", path, DATE, "--bcf-version",
               version ? "3.0" : "2.1");
        archive zip = open_bcf(path);
        size_t resolved = 0, active = 0;
        for (const archive_entry *markup; (markup = bcf_entry(&zip, "/markup.bcf", resolved + active));) {
            const bool gone = strstr(markup->bytes, "TopicStatus=\"Resolved\"") != NULL;
            assert_int_equal(strstr(markup->bytes, "closet") != NULL, gone);
            assert_int_equal(strstr(markup->bytes, "viewpoint.bcfv") == NULL, gone);
            resolved += gone, active += !gone;
        }
        assert_int_equal(resolved, 2); /* the closet and the wall, the closet and the pipe */
        assert_int_equal(active, 1);
        assert_int_equal(zip.count, (size_t)(1 + version) + resolved + 3 * active);
        archive_free(&zip);
    }
}

static void what_is_written_spares_what_is_read(void **state) {
    (void)state;
    const char *path = model("spared.obj", 0);
    EXPECT(2, "--bcf spared.obj would replace the input spared.obj", "check", "spared.obj", "--bcf", "spared.obj");
    EXPECT(2, "are one file", "check", path, "--bcf", "same", "--sarif", "same");
    EXPECT(2, "cannot be written", "check", path, "--bcf", scratch_path("no/folder.bcf"));
    EXPECT(2, "--author is for topics", "check", path, "--author", "x");
    EXPECT(2, "--bcf-version is for topics", "check", path, "--bcf-version", "3.0");
    EXPECT(2, "--bcf-version: '2.2' is not one of 2.1, 3.0", "check", path, "--bcf", "x.bcf", "--bcf-version", "2.2");
    EXPECT(2, "is no text on one line", "check", path, "--bcf", "x.bcf", "--author", "a\nb");
    const char *robot = write_text("r.urdf", "<robot name=\"r\"><link name=\"a\"/></robot>");
    EXPECT(2, "--bcf is not for robots", "check", robot, "--bcf", "x.bcf");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_topic_has_the_id_of_its_finding),
        cmocka_unit_test(guids_hold_numbers_and_tell_kinds),
        cmocka_unit_test(parts_are_components_by_their_global_id),
        cmocka_unit_test(the_same_input_gives_the_same_bytes),
        cmocka_unit_test(the_camera_looks_at_the_crossing_with_z_up),
        cmocka_unit_test(what_stands_before_the_crossing_is_cut_away),
        cmocka_unit_test(a_group_is_one_topic),
        cmocka_unit_test(what_was_said_of_a_finding_goes_along),
        cmocka_unit_test(tests_are_labels_and_severities_priorities),
        cmocka_unit_test(what_is_gone_since_the_baseline_is_resolved),
        cmocka_unit_test(what_is_written_spares_what_is_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
