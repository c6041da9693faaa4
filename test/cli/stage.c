/* What a scene file says: parents, paths, shapes of every kind; and what is said of one that is wrong. */
#include "simulate/stage.h"
#include "command.h"

#include <math.h>

#define HEAD "{\"schema\": \"carom-scene-1\",\n"
#define BALL "\"shape\": {\"kind\": \"sphere\", \"radius\": 1}"

static stage read_stage(const char *text) {
    stage s;
    assert_int_equal(stage_read(write_text("scene.json", text), NULL, &s), 0);
    return s;
}

/* Where the object's own point (0, 0, 1) is at `time`. */
static void expect_place(const stage *s, uint32_t object, double time, cm_vec3 origin, cm_vec3 up) {
    cm_pose pose;
    stage_pose_at(s, object, time, &pose);
    cm_vec3 tip = cm_pose_apply(&pose, cm_v(0, 0, 1));
    check_that(cm_length(cm_sub(pose.position, origin)) < 1e-12, "at %g: %.17g %.17g %.17g", time, pose.position.x,
               pose.position.y, pose.position.z);
    check_that(cm_length(cm_sub(tip, up)) < 1e-12, "the tip at %g: %.17g %.17g %.17g", time, tip.x, tip.y, tip.z);
}

/* --- frames ------------------------------------------------------------------------------------------------------- */

/* The parent turns about z by 90 degrees, at (1, 0, 0). The child, 2 before it, tilts about its own y by 90 degrees: at
 * the end its z points along the parent's x, and that along the world's y. Half way both turns are 45 degrees. A
 * quarter of the way the ease makes of 1/4: 3/16 - 2/64 = 5/32 of 90 degrees, 14.0625. */
static void a_child_moves_in_its_parents_frame(void **state) {
    (void)state;
    stage s = read_stage(HEAD "\"objects\": ["
                              "{\"name\": \"p\", " BALL ", \"at\": [1, 0, 0], \"path\": [{\"degrees\": 0}, "
                              "{\"time\": 2, \"degrees\": 90}]},"
                              "{\"name\": \"c\", " BALL ", \"at\": [2, 0, 0], \"parent\": \"p\", \"axis\": [0, 3, 0], "
                              "\"path\": [{\"degrees\": 0}, {\"time\": 2, \"degrees\": 90}]},"
                              "{\"name\": \"g\", " BALL ", \"at\": [0, 0, 5], \"parent\": \"c\"}]}");
    assert_int_equal(s.objects[2].body, STAGE_PATH);
    expect_place(&s, 1, 0, cm_v(3, 0, 0), cm_v(3, 0, 1));
    expect_place(&s, 1, 2, cm_v(1, 2, 0), cm_v(1, 3, 0));
    expect_place(&s, 2, 2, cm_v(1, 7, 0), cm_v(1, 8, 0)); /* 5 along the child's z */
    double h = sqrt(0.5);
    expect_place(&s, 1, 1, cm_v(1 + 2 * h, 2 * h, 0), cm_v(1 + 2 * h + 0.5, 2 * h + 0.5, h));
    double turn = 14.0625 * acos(-1) / 180, c = cos(turn), w = sin(turn);
    expect_place(&s, 1, 0.5, cm_v(1 + 2 * c, 2 * w, 0), cm_v(1 + 2 * c + w * c, 2 * w + w * w, c));
    stage_free(&s);
}

static void a_path_rests_before_its_first_key_and_after_its_last(void **state) {
    (void)state;
    stage s = read_stage(HEAD "\"objects\": [{" BALL ", \"at\": [0, 0, 1], \"turn\": [1, 0, 0, 90], \"path\": ["
                              "{\"time\": 1, \"at\": [1, 0, 0]}, {\"time\": 3, \"at\": [1, 0, 4]}, {\"time\": 4}]}]}");
    /* turned about x, its z points along the world's -y */
    expect_place(&s, 0, 0, cm_v(1, 0, 1), cm_v(1, -1, 1));
    expect_place(&s, 0, 1, cm_v(1, 0, 1), cm_v(1, -1, 1));
    expect_place(&s, 0, 2, cm_v(1, -2, 1), cm_v(1, -3, 1));
    expect_place(&s, 0, 3.5, cm_v(1, -4, 1), cm_v(1, -5, 1));
    expect_place(&s, 0, 1e6, cm_v(1, -4, 1), cm_v(1, -5, 1));
    stage_free(&s);
}

static void a_child_of_what_stands_still_stands_still(void **state) {
    (void)state;
    stage s = read_stage(HEAD "\"objects\": [{\"name\": \"p\", " BALL ", \"at\": [1, 2, 3], \"turn\": [0, 0, 1, 90]},"
                              "{\"name\": \"c\", " BALL ", \"parent\": \"p\", \"at\": [10, 0, 0]},"
                              "{" BALL ", \"parent\": \"c\", \"at\": [0, 5, 0], \"path\": [{\"at\": [0, 1, 0]}]}]}");
    assert_int_equal(s.objects[1].body, STAGE_FIXED);
    assert_int_equal(s.objects[2].body, STAGE_PATH);
    expect_place(&s, 1, 7, cm_v(1, 12, 3), cm_v(1, 12, 4));
    expect_place(&s, 2, 7, cm_v(-5, 12, 3), cm_v(-5, 12, 4));
    stage_free(&s);
}

/* --- shapes ------------------------------------------------------------------------------------------------------- */

static const cm_shape *shape_called(const stage *s, const char *name) {
    for (uint32_t i = 0; i < s->shape_count; i++)
        if (strcmp(s->shapes[i].name, name) == 0) return &s->shapes[i].shape;
    check_that(false, "no %s", name);
    return NULL;
}

static void every_kind_but_the_callers_own_can_be_written(void **state) {
    (void)state;
    stage s = read_stage(
        HEAD
        "\"shapes\": {\"point\": {\"kind\": \"point\", \"center\": [1, 2, 3], \"round\": 4},"
        "\"bare point\": {\"kind\": \"point\"},"
        "\"sphere\": {\"kind\": \"sphere\", \"radius\": 2, \"center\": [1, 0, 0]},"
        "\"segment\": {\"kind\": \"segment\", \"a\": [0, 0, 0], \"b\": [1, 0, 0], \"round\": 0.5},"
        "\"capsule\": {\"kind\": \"capsule\", \"a\": [0, 0, 0], \"b\": [1, 0, 0], \"radius\": 0.5},"
        "\"triangle\": {\"kind\": \"triangle\", \"a\": [0, 0, 0], \"b\": [1, 0, 0], \"c\": [0, 1, 0]},"
        "\"box\": {\"kind\": \"box\", \"size\": [2, 4, 6]}, \"half box\": {\"kind\": \"box\", \"half\": [1, 2, 3]},"
        "\"cylinder\": {\"kind\": \"cylinder\", \"radius\": 2, \"half_height\": 3},"
        "\"other cylinder\": {\"kind\": \"cylinder\", \"core_radius\": 2, \"half_height\": 3, \"round\": 1},"
        "\"cone\": {\"kind\": \"cone\", \"radius\": 2, \"half_height\": 3},"
        "\"ellipsoid\": {\"kind\": \"ellipsoid\", \"half\": [1, 2, 3]},"
        "\"hull\": {\"kind\": \"hull\", \"points\": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], \"scale\": 2},"
        "\"halfspace\": {\"kind\": \"halfspace\", \"normal\": [0, 0, 5], \"through\": [1, 2, 3]},"
        "\"by its d\": {\"kind\": \"halfspace\", \"normal\": [0, 0, 5], \"d\": -3},"
        "\"mesh\": {\"kind\": \"mesh\", \"points\": [[0, 0, 0], [1, 0, 0], [0, 1, 0]], \"triangles\": [[0, 1, 2]]},"
        "\"field\": {\"kind\": \"height_field\", \"heights\": [[0, 1, 0], [1, 2, 1]], \"holes\": [[0, 1]],"
        "\"column_spacing\": 2, \"row_spacing\": 3, \"scale\": 4, \"origin\": [0, 0, 1], \"ground\": \"xz\"},"
        "\"both\": {\"kind\": \"compound\", \"children\": [{\"shape\": \"box\", \"at\": [0, 0, 5]},"
        "{\"shape\": {\"kind\": \"mesh\", \"points\": [[0, 0, 0], [1, 0, 0], [0, 1, 0]],"
        "\"triangles\": [[0, 1, 2]]}, \"turn\": [0, 0, 1, 90]}]}},"
        "\"objects\": []}");
    static const char *const kinds[] = {"point", "segment",   "triangle", "box",       "cylinder",
                                        "cone",  "ellipsoid", "hull",     "halfspace", "mesh"};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        assert_string_equal(cm_kind_name(shape_called(&s, kinds[i])->kind), kinds[i]);
    const cm_shape *point = shape_called(&s, "point"), *sphere = shape_called(&s, "sphere");
    assert_true(point->u.point.y == 2 && point->radius == 4 && shape_called(&s, "bare point")->u.point.x == 0);
    assert_true(sphere->kind == CM_SHAPE_POINT && sphere->radius == 2 && sphere->u.point.x == 1);
    assert_memory_equal(shape_called(&s, "segment"), shape_called(&s, "capsule"), sizeof(cm_shape));
    assert_memory_equal(shape_called(&s, "box"), shape_called(&s, "half box"), sizeof(cm_shape));
    assert_true(shape_called(&s, "box")->u.box.z == 3 && shape_called(&s, "triangle")->u.triangle.c.y == 1);
    assert_true(shape_called(&s, "cylinder")->u.cylinder.radius == 2 && shape_called(&s, "cylinder")->radius == 0);
    assert_true(shape_called(&s, "other cylinder")->u.cylinder.radius == 2);
    assert_true(shape_called(&s, "other cylinder")->radius == 1 && shape_called(&s, "cone")->u.cone.half_height == 3);
    assert_memory_equal(shape_called(&s, "halfspace"), shape_called(&s, "by its d"), sizeof(cm_shape));
    assert_true(shape_called(&s, "halfspace")->u.halfspace.d == -3);
    cm_height_field_info field;
    cm_height_field_get_info(shape_called(&s, "field")->u.height_field, &field);
    assert_true(field.columns == 3 && field.rows == 2 && field.holes == 1);
    /* columns along x, rows along z, y is up: the first cell spans x 0 ... 2, z 0 ... 3, and its heights reach 8 */
    assert_true(field.bounds.max.x == 2 && field.bounds.max.z == 4 && field.bounds.max.y == 8);
    const cm_compound *both = shape_called(&s, "both")->u.compound;
    assert_true(cm_compound_children(both)[0].pose.position.z == 5);
    assert_true(cm_compound_children(both)[1].shape.kind == CM_SHAPE_MESH);
    stage_free(&s);
}

/* From above, at a place over the ground. */
static double height_at(const cm_shape *field, double x, double y) {
    cm_ray ray = {{x, y, 20}, {0, 0, -1}, CM_REAL_MAX};
    cm_ray_hit hit;
    cm_pose here = cm_pose_identity();
    assert_true(cm_raycast(&ray, field, &here, &hit));
    return hit.point.z;
}

/* Rows 0 1 2 and 5 7 9: in the middle of the first cell one diagonal lies between 0 and 7, the other between 1 and 5.
 */
static void heights_stand_where_rows_and_columns_say(void **state) {
    (void)state;
    stage s = read_stage(HEAD "\"shapes\": {"
                              "\"one\": {\"kind\": \"height_field\", \"heights\": [[0, 1, 2], [5, 7, 9]]},"
                              "\"other\": {\"kind\": \"height_field\", \"heights\": [[0, 1, 2], [5, 7, 9]],"
                              "\"other_diagonal\": true}}, \"objects\": []}");
    const double rows[2][3] = {{0, 1, 2}, {5, 7, 9}};
    for (int k = 0; k < 2; k++) {
        const cm_shape *field = shape_called(&s, k ? "other" : "one");
        for (int i = 0; i < 6; i++) {
            double height = height_at(field, i % 3, (double)(i / 3)), want = rows[i / 3][i % 3];
            check_that(fabs(height - want) < 1e-12, "column %d of row %d: %g", i % 3, i / 3, height);
        }
        double middle = height_at(field, 0.5, 0.5);
        check_that(fabs(middle - (k ? 3 : 3.5)) < 1e-12, "in the middle of a cell: %g", middle);
    }
    stage_free(&s);
}

/* --- broken ones -------------------------------------------------------------------------------------------------- */

typedef struct broken_scene {
    const char *text, *says;
} broken_scene;

static void expect_broken(const broken_scene *bad, size_t count) {
    char *text = malloc(4096);
    for (size_t i = 0; i < count; i++) {
        snprintf(text, 4096, HEAD "%s%s}", bad[i].text, strstr(bad[i].text, "\"objects\"") ? "" : ", \"objects\": []");
        EXPECT(2, bad[i].says, "simulate", write_text("bad.json", text));
    }
    free(text);
}

#define ONE_SHAPE(fields) "\"shapes\": {\"s\": {" fields "}}"

static const broken_scene broken_places[] = {
    /* parents */
    {"\"objects\": [{\"name\": \"p\", " BALL ", \"velocity\": [1, 0, 0]},\n{" BALL ",\n\"parent\": \"p\"}]",
     ":4: /objects/1/parent: 'p' moves freely: only what stands still or follows a path has children"},
    {"\"objects\": [{\"name\": \"p\", " BALL ", \"mass\": 1},\n{" BALL ", \"path\": [{}], \"parent\": \"p\"}]",
     ":3: /objects/1/parent: 'p' moves freely"},
    {"\"objects\": [{" BALL ", \"parent\":\n\"q\"}, {\"name\": \"q\", " BALL "}]",
     ":3: /objects/0/parent: no earlier object is called 'q'"},
    {"\"objects\": [{\"name\": \"p\", " BALL ", \"parent\": \"p\"}]",
     ":2: /objects/0/parent: no earlier object is called 'p'"},
    {"\"objects\": [{" BALL "}, {" BALL ", \"parent\": \"object 1\",\n\"spin\": [0, 0, 1]}]",
     ":3: /objects/1/spin: has no meaning beside \"parent\""},
    {"\"objects\": [{" BALL ", \"parent\": 7}]", ":2: /objects/0/parent: is not a text"},
    {"\"objects\": [{" BALL ", \"parent\": \"object 1\", \"scatter\": {}}]", "no earlier object is called 'object 1'"},
    /* paths */
    {"\"objects\": [{" BALL ", \"path\": []}]", ":2: /objects/0/path: is empty"},
    {"\"objects\": [{" BALL ", \"path\": [{\"time\": 1},\n{\"time\": 1}]}]",
     ":3: /objects/0/path/1: \"time\" does not grow"},
    {"\"objects\": [{" BALL ", \"path\": [{}, {\"at\": [1, 0, 0]}]}]", "/objects/0/path/1: \"time\" does not grow"},
    {"\"objects\": [{" BALL ", \"path\": [{\"angle\": 1}]}]", ":2: /objects/0/path/0/angle: is not known here"},
    {"\"objects\": [{" BALL ", \"path\": [{}],\n\"velocity\": [1, 0, 0]}]",
     ":3: /objects/0/velocity: has no meaning beside \"path\""},
    {"\"objects\": [{" BALL ", \"path\": [{}],\n\"axis\": [0, 0, 0]}]", ":3: /objects/0/axis: has no direction"},
    {"\"objects\": [{" BALL ", \"path\": [{}],\n\"scatter\": {\"count\": 2}}]",
     ":3: /objects/0/scatter: what is scattered has neither path nor parent"},
    /* what is measured */
    {"\"objects\": [{" BALL ", \"class\": \"arm\"}],\n\"report\": {\"clearance\": [\"arm\",\n\"cel\"]}",
     ":4: /report/clearance/1: no object is of class 'cel'"},
    {"\"objects\": [],\n\"report\": {\"clearance\": [\"arm\"]}",
     ":3: /report/clearance: is not the names of 2 classes"},
    {"\"objects\": [],\n\"report\": {\"clearance_limit\": -1}", ":3: /report/clearance_limit: -1 is not from 0"},
    {"\"objects\": [{" BALL ",\n\"visual\": \"ring\"}]", ":3: /objects/0/visual: is not an object"},
    {"\"objects\": [{" BALL ", \"visual\": {}}]", "/objects/0/visual: \"shape\" is missing"},
    {"\"objects\": [{" BALL ", \"visual\":\n{\"shape\": \"ring\"}}]",
     "/objects/0/visual/shape: no shape is called 'ring'"},
    {"\"objects\": [{" BALL ", \"visual\": {" BALL ",\n\"mass\": 1}}]",
     ":3: /objects/0/visual/mass: is not known here"},
    {"\"objects\": [{" BALL ", \"visual\": {\"shape\": {\"kind\": \"halfspace\", \"normal\": [0, 0, 1]}}}]",
     "/objects/0/visual: a half-space has no end"},
    {"\"objects\": [],\n\"report\": {\"box\": \"rod\"}", ":3: /report/box: no object is called 'rod'"},
    {"\"objects\": [],\n\"report\": {\"side_by_side\": [\"arm\"]}",
     ":3: /report/side_by_side: is not the names of 2 to 4 classes"},
};

static const broken_scene broken_shapes[] = {
    /* shapes made of numbers */
    {ONE_SHAPE("\"kind\": \"box\",\n\"size\": [1, -1, 1]"), ":3: /shapes/s/size: no valid shape"},
    {ONE_SHAPE("\"kind\": \"cone\", \"radius\": 1,\n\"half_height\": -1"), ":3: /shapes/s/half_height: no valid shape"},
    {ONE_SHAPE("\"kind\": \"cylinder\", \"half_height\": 1"), "/shapes/s: \"radius\" is missing"},
    {ONE_SHAPE("\"kind\": \"capsule\", \"a\": [0, 0, 0], \"b\": [0, 0, 1]"), "/shapes/s: \"radius\" is missing"},
    {ONE_SHAPE("\"kind\": \"sphere\", \"radius\": 1,\n\"round\": 1"), ":3: /shapes/s/round: is not known here"},
    {ONE_SHAPE("\"kind\": \"halfspace\",\n\"normal\": [0, 0, 0]"), ":3: /shapes/s/normal: has no direction"},
    {ONE_SHAPE("\"kind\": \"halfspace\", \"normal\": [0, 0, 1], \"d\": 1,\n\"through\": [0, 0, 1]"),
     ":3: /shapes/s/through: has no meaning beside \"d\""},
    {ONE_SHAPE("\"kind\": \"box\", \"half\": [1, 1, 1],\n\"size\": [1, 1, 1]"),
     ":3: /shapes/s/size: has no meaning beside \"half\""},
    {ONE_SHAPE("\"kind\":\n\"custom\""), ":3: /shapes/s/kind: such a shape is made by a program"},
    {ONE_SHAPE("\"kind\": \"compund\""), "did you mean 'compound'?"},
    /* meshes and hulls */
    {ONE_SHAPE("\"kind\": \"mesh\",\n\"file\": \"no-such.stl\""), "/shapes/s: the file 'no-such.stl'"},
    {ONE_SHAPE("\"kind\": \"mesh\""), "/shapes/s: \"file\" or \"points\" is missing"},
    {ONE_SHAPE("\"kind\": \"mesh\", \"points\": [[0, 0, 0]],\n\"triangles\": [[0, 0, 1]]"),
     ":3: /shapes/s/triangles/0: corner 2 is not the number of a point"},
    {ONE_SHAPE("\"kind\": \"hull\",\n\"points\": []"), "/shapes/s: no hull of these points"},
    {ONE_SHAPE("\"kind\": \"mesh\", \"round\": 1, \"points\": [[0, 0, 0], [1, 0, 0], [0, 1, 0]],"
               "\"triangles\": [[0, 1, 2]]"),
     "/shapes/s/round: no valid shape"},
    /* height fields */
    {ONE_SHAPE("\"kind\": \"height_field\""), "/shapes/s: \"heights\" is missing"},
    {ONE_SHAPE("\"kind\": \"height_field\", \"heights\": [[0, 0],\n[0, 0, 0]]"),
     ":3: /shapes/s/heights/1: has 3 numbers, the first row has 2"},
    {ONE_SHAPE("\"kind\": \"height_field\", \"heights\": [[0, 0],\n[0, \"x\"]]"),
     ":3: /shapes/s/heights/1/1: is not a number"},
    {ONE_SHAPE("\"kind\": \"height_field\", \"heights\": [0, 0]"), "/shapes/s/heights/0: is not a row of numbers"},
    {ONE_SHAPE("\"kind\": \"height_field\",\n\"heights\": [[0, 0]]"), ":3: /shapes/s/heights: no height field: "},
    {ONE_SHAPE("\"kind\": \"height_field\", \"heights\": [[0, 0], [0, 0]],\n\"row_spacing\": 0"),
     ":3: /shapes/s/row_spacing: no height field: "},
    {ONE_SHAPE("\"kind\": \"height_field\", \"heights\": [[0, 0], [0, 0]],\n\"holes\": [[0, 0]]"),
     ":3: /shapes/s/holes: has 2 x 1 cells, the heights have 1 x 1"},
    {ONE_SHAPE("\"kind\": \"height_field\", \"heights\": [[0, 0], [0, 0]],\n\"ground\": \"up\""),
     ":3: /shapes/s/ground: 'up' is not one of xy, yz, zx, yx, zy, xz"},
    /* compounds */
    {ONE_SHAPE("\"kind\": \"compound\""), "/shapes/s: \"children\" are missing"},
    {ONE_SHAPE("\"kind\": \"compound\", \"children\": [{}]"), "/shapes/s/children/0: \"shape\" is missing"},
    {ONE_SHAPE("\"kind\": \"compound\", \"children\": [{" BALL "},\n{\"shape\": \"box\"}]},"
               "\"box\": {\"kind\": \"box\", \"size\": [1, 1, 1]"),
     ":3: /shapes/s/children/1/shape: no shape is called 'box'"},
    {ONE_SHAPE("\"kind\": \"compound\", \"children\": [{\"shape\":\n{\"kind\": \"compound\"}}]"),
     ":3: /shapes/s/children/0/shape: is a compound itself"},
    {"\"shapes\": {\"c\": {\"kind\": \"compound\", \"children\": [{" BALL "}]},\n"
     "\"s\": {\"kind\": \"compound\", \"children\": [{\"shape\": \"c\"}]}}",
     ":3: /shapes/s/children/0/shape: is a compound itself"},
    {ONE_SHAPE("\"kind\": \"compound\", \"children\": [{" BALL "},\n"
               "{\"shape\": {\"kind\": \"halfspace\", \"normal\": [0, 0, 1]}}]"),
     ":3: /shapes/s/children/1: no child of a compound: "},
};

static const broken_scene broken_others[] = {
    /* settings */
    {"\"objects\": [],\n\"up\": \"w\"", ":3: /up: 'w' is not one of x, y, z"},
    {"\"objects\": [],\n\"dt\": 0", ":3: /dt: 0 is not from"},
    {"\"objects\": [],\n\"dt\": 1e99999", ":3: no JSON"},
    {"\"objects\": [],\n", ":3: no JSON: string or '}' expected near '}' (is there a comma too many before it?)"},
    {"\"objects\": [1,\n]", ":3: no JSON: unexpected token near ']' (is there a comma too many before it?)"},
    {"\"objects\": [], // none\n", ":2: no JSON: string or '}' expected near '/' (JSON has no comments)"},
    {"'objects': []", "near ''' (texts stand between \" and \")"},
    {"\"objects\": [],\n\"steps\": 1.5", ":3: /steps: is not a whole number"},
    {"\"objects\": [],\n\"steps\": 0", ":3: /steps: 0 is not from 1"},
    {"\"objects\": [],\n\"gravity\": [0, 0]", ":3: /gravity: is not three numbers"},
    {"\"objects\": [],\n\"gravity\": [0,\n1e200, 0]", ":4: /gravity/1: 1e+200 is not from"},
    {"\"objects\": [],\n\"broad\": \"fast\"", ":3: /broad: 'fast' is not one of auto, brute"},
    {"\"objects\": [],\n\"title\": 1", ":3: /title: is not a text"},
    {"\"objects\": {}", ":2: /objects: is not an array"},
    {"\"objects\": [],\n\"shapes\": []", ":3: /shapes: is not an object"},
    {"\"objects\": [],\n\"steps\": 1,\n\"steps\": 2", ":4: no JSON"},
    /* objects */
    {"\"objects\": [{" BALL "},\n7]", ":3: /objects/1: is not an object"},
    {"\"objects\": [{" BALL ",\n\"velocty\": [0, 0, 1]}]",
     ":3: /objects/0/velocty: is not known here (did you mean 'velocity'?)"},
    {"\"objects\": [{" BALL ",\n\"velocity\": [0, \"x\", 1]}]", ":3: /objects/0/velocity/1: is not a number"},
    {"\"objects\": [{" BALL ", \"mass\": 1,\n\"density\": 2}]",
     ":3: /objects/0/density: has no meaning beside \"mass\""},
    {"\"objects\": [{" BALL ", \"rotation\": [0, 0, 0, 1],\n\"turn\": [0, 0, 1, 90]}]",
     ":3: /objects/0/turn: has no meaning beside \"rotation\""},
    {"\"objects\": [{" BALL ",\n\"mass\": 0}]", ":3: /objects/0/mass: 0 is not from"},
    {"\"objects\": [{" BALL ",\n\"restitution\": 1.5}]", ":3: /objects/0/restitution: 1.5 is not from 0 to 1"},
    {"\"objects\": [{" BALL ",\n\"turn\": [0, 0, 0, 90]}]", ":3: /objects/0/turn: has no direction"},
    {"\"objects\": [{" BALL ",\n\"rotation\": [0, 0, 0, 0]}]", ":3: /objects/0/rotation: has no direction"},
    {"\"objects\": [{" BALL ",\n\"rotation\": [0, 0, 1]}]", ":3: /objects/0/rotation: is not four numbers"},
    {"\"objects\": [{" BALL ",\n\"trigger\": 1}]", ":3: /objects/0/trigger: is neither true nor false"},
    {"\"objects\": [{" BALL ",\n\"layers\": 0}]", ":3: /objects/0/layers: 0 is not from 1"},
    {"\"objects\": [{" BALL ",\n\"scatter\": {\"count\": -1}}]", ":3: /objects/0/scatter/count: -1 is not from 1"},
    {"\"objects\": [{" BALL ",\n\"scatter\": {\"number\": 1}}]", ":3: /objects/0/scatter/number: is not known here"},
    /* responses */
    {"\"objects\": [{" BALL ",\n\"response\": \"explode\"}]", ":3: /objects/0/response: 'explode' is not one of"},
    {"\"objects\": [{" BALL ",\n\"response\": [\"halt\", 1]}]",
     ":3: /objects/0/response/1: is not the name of a response"},
    {"\"objects\": [{" BALL ", \"class\": \"a\"}],\n\"responses\": [{\"between\": [\"a\", \"b\"], "
     "\"response\": \"halt\"}]",
     ":3: /responses/0/between/1: no object is of class 'b'"},
    {"\"objects\": [{" BALL ", \"class\": \"a\"}],\n\"responses\": [{\"between\": [\"a\", \"a\"]}]",
     ":3: /responses/0: \"response\" is missing"},
    {"\"objects\": [],\n\"responses\": [{\"response\": \"halt\"}]",
     ":3: /responses/0/between: is not the names of 2 classes"},
    {"\"objects\": [],\n\"report\": {\"plot\": true}", ":3: /report/plot: is not known here"},
    /* a mass that cannot be known */
    {"\"objects\": [{\"velocity\": [1, 0, 0],\n\"shape\": {\"kind\": \"triangle\", \"a\": [0, 0, 0], \"b\": [1, 0, "
     "0], \"c\": [0, 1, 0]}}]",
     "/objects/0: the shape is no solid, so a \"mass\" is needed"},
};

static void broken_parents_paths_and_reports_say_where(void **state) {
    (void)state;
    expect_broken(broken_places, sizeof broken_places / sizeof broken_places[0]);
}

static void broken_shapes_say_where(void **state) {
    (void)state;
    expect_broken(broken_shapes, sizeof broken_shapes / sizeof broken_shapes[0]);
}

static void broken_settings_objects_and_responses_say_where(void **state) {
    (void)state;
    expect_broken(broken_others, sizeof broken_others / sizeof broken_others[0]);
}

/* One more than there may be; and one link more on a chain. */
static void there_are_limits(void **state) {
    (void)state;
    char *text = calloc(100, 128), *at = text;
    at += sprintf(at, HEAD "\"objects\": [");
    for (int i = 0; i < 33; i++) at += sprintf(at, "%s\n{" BALL ", \"class\": \"%d\"}", i ? "," : "", i);
    sprintf(at, "]}");
    EXPECT(2, ":35: /objects/32/class: more than 32 classes", "simulate", write_text("classes.json", text));
    at = text + sprintf(text, HEAD "\"objects\": [{\"name\": \"0\", " BALL ", \"path\": [{}]}");
    for (int i = 1; i < 66; i++) at += sprintf(at, ",\n{\"name\": \"%d\", " BALL ", \"parent\": \"%d\"}", i, i - 1);
    sprintf(at, "]}");
    EXPECT(2, ":67: /objects/65/parent: has more than 64 parents", "simulate", write_text("chain.json", text));
    free(text);
}

/* Names that would move the cursor or break a line are cleaned, and still found. */
static void names_from_the_file_are_cleaned(void **state) {
    (void)state;
    const char *scene =
        write_text("names.json",
                   HEAD "\"steps\": 1, \"objects\": [{\"name\": \"a\\u001b[2J\\n\", \"class\": \"x\\u001b[2J\", " BALL
                        "}, {" BALL ", \"class\": \"y\", \"at\": [0, 0, 5], \"parent\": \"a\\u001b[2J\\n\"}], "
                        "\"report\": {\"clearance\": [\"x\\u001b[2J\", \"y\"], \"box\": \"a\\u001b[2J\\n\"}}");
    run r = RUN("simulate", scene);
    check_that(r.code == 0 && strstr(r.out, "clearance 3 between x") != NULL, "%s%s", r.out, r.err);
    check_that(strchr(r.out, '\033') == NULL, "%s", r.out);
    run_free(&r);
}

/* Nested as deep as the parser goes: refused, not followed. */
static void compounds_within_compounds_within_compounds(void **state) {
    (void)state;
    enum { DEEP = 600 };
    char *text = calloc(DEEP + 2, 64), *at = text;
    at += sprintf(at, HEAD "\"objects\": [{\"shape\": ");
    for (int i = 0; i < DEEP; i++) at += sprintf(at, "{\"kind\": \"compound\", \"children\": [{\"shape\": ");
    at += sprintf(at, "0");
    for (int i = 0; i < DEEP; i++) at += sprintf(at, "}]}");
    sprintf(at, "}]}");
    EXPECT(2, "/objects/0/shape/children/0/shape: is a compound itself", "simulate", write_text("deep.json", text));
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_child_moves_in_its_parents_frame),
        cmocka_unit_test(a_path_rests_before_its_first_key_and_after_its_last),
        cmocka_unit_test(a_child_of_what_stands_still_stands_still),
        cmocka_unit_test(every_kind_but_the_callers_own_can_be_written),
        cmocka_unit_test(heights_stand_where_rows_and_columns_say),
        cmocka_unit_test(broken_parents_paths_and_reports_say_where),
        cmocka_unit_test(broken_shapes_say_where),
        cmocka_unit_test(broken_settings_objects_and_responses_say_where),
        cmocka_unit_test(there_are_limits),
        cmocka_unit_test(names_from_the_file_are_cleaned),
        cmocka_unit_test(compounds_within_compounds_within_compounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
