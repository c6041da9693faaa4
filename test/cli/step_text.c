/* STEP files as a script writes them: what Open CASCADE passes over, or places otherwise, is said. */
#include "cli/command.h"

#define NEED_READER()                                                                                                  \
    if (!getenv("CAROM_STEP_FILES")) skip() /* built without Open CASCADE */

/* A file of one product with `items`, and `lines` besides. #60 is a tetrahedron with legs of 10, 20 and 30 mm at the
 * origin, #13 a representation of it; #24, #25, #26 are -x, y, z. */
static const char *write_step(const char *name, const char *items, const char *lines) {
    static const int corners[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
    static const char *const normals[4] = {"0.,0.,-1.", "0.,-1.,0.", "-1.,0.,0.", "6.,3.,2."};
    char text[8192];
    int n = snprintf(
        text, sizeof text,
        "ISO-10303-21;\nHEADER;\nFILE_DESCRIPTION((''),'2;1');\n"
        "FILE_NAME('x','2020-01-01T00:00:00',(''),(''),'','','');\nFILE_SCHEMA(('AUTOMOTIVE_DESIGN'));\nENDSEC;\nDATA;"
        "\n"
        "#1=(LENGTH_UNIT()NAMED_UNIT(*)SI_UNIT(.MILLI.,.METRE.));\n"
        "#2=(NAMED_UNIT(*)PLANE_ANGLE_UNIT()SI_UNIT($,.RADIAN.));\n"
        "#3=(NAMED_UNIT(*)SI_UNIT($,.STERADIAN.)SOLID_ANGLE_UNIT());\n#4=(GEOMETRIC_REPRESENTATION_CONTEXT(3)"
        "GLOBAL_UNIT_ASSIGNED_CONTEXT((#1,#2,#3))REPRESENTATION_CONTEXT('',''));\n#5=APPLICATION_CONTEXT('');\n"
        "#6=PRODUCT_CONTEXT('',#5,'mechanical');\n#7=PRODUCT_DEFINITION_CONTEXT('part definition',#5,'design');\n"
        "#8=PRODUCT('A','A','',(#6));\n#9=PRODUCT_DEFINITION_FORMATION('','',#8);\n"
        "#10=PRODUCT_DEFINITION('design','',#9,#7);\n#11=PRODUCT_DEFINITION_SHAPE('','',#10);\n"
        "#12=AXIS2_PLACEMENT_3D('',#20,$,$);\n#13=SHAPE_REPRESENTATION('',(#12,#60),#4);\n"
        "#14=SHAPE_REPRESENTATION('',(#12,%s),#4);\n#15=SHAPE_DEFINITION_REPRESENTATION(#11,#14);\n"
        "#20=CARTESIAN_POINT('',(0.,0.,0.));\n#21=CARTESIAN_POINT('',(10.,0.,0.));\n"
        "#22=CARTESIAN_POINT('',(0.,20.,0.));\n#23=CARTESIAN_POINT('',(0.,0.,30.));\n"
        "#24=DIRECTION('',(-1.,0.,0.));\n#25=DIRECTION('',(0.,1.,0.));\n#26=DIRECTION('',(0.,0.,1.));\n",
        items);
    for (int i = 0; i < 4; i++)
        n += snprintf(text + n, sizeof text - (size_t)n,
                      "#3%d=POLY_LOOP('',(#2%d,#2%d,#2%d));\n#4%d=FACE_OUTER_BOUND('',#3%d,.T.);\n"
                      "#7%d=DIRECTION('',(%s));\n#8%d=AXIS2_PLACEMENT_3D('',#2%d,#7%d,$);\n#9%d=PLANE('',#8%d);\n"
                      "#5%d=FACE_SURFACE('',(#4%d),#9%d,.T.);\n",
                      i, corners[i][0], corners[i][1], corners[i][2], i, i, i, normals[i], i, corners[i][0], i, i, i, i,
                      i, i);
    snprintf(text + n, sizeof text - (size_t)n,
             "#58=CLOSED_SHELL('',(#50,#51,#52,#53));\n#60=FACETED_BREP('',#58);\n%s"
             "ENDSEC;\nEND-ISO-10303-21;\n",
             lines);
    return write_text(name, text);
}

/* The same of faces without a surface, which tell by their corners alone where they lie. */
#define FACES                                                                                                          \
    "#54=FACE('',(#40));\n#55=FACE('',(#41));\n#56=FACE('',(#42));\n#57=FACE('',(#43));\n"                             \
    "#59=CLOSED_SHELL('',(#54,#55,#56,#57));\n#61=FACETED_BREP('',#59);\n"

static void faces_without_a_surface_are_said(void **state) {
    (void)state;
    NEED_READER();
    EXPECT(0, NULL, "info", write_step("plain.step", "#60", ""));
    const char *path = write_step("faces.step", "#60,#61", FACES);
    EXPECT(2, "faces.step: 1 of 1 product lacks some of its geometry", "check", path, path);
}

#define MAPPED(place)                                                                                                  \
    "#100=REPRESENTATION_MAP(#12,#13);\n#101=MAPPED_ITEM('',#100,#102);\n#103=CARTESIAN_POINT('',(5.,0.,0.));\n"       \
    "#102=" place ";\n"
#define OPERATOR(axes, scale, z) "CARTESIAN_TRANSFORMATION_OPERATOR_3D('','',$," axes ",#103," scale "," z ")"

/* Open CASCADE makes a turn of a mirror, and nothing of a scale. */
static void a_body_that_is_mirrored_or_scaled_is_said(void **state) {
    (void)state;
    NEED_READER();
    EXPECT(0, NULL, "info", write_step("moved.step", "#101", MAPPED(OPERATOR("$,$", "1.", "$"))));
    json_t *root = RUN_JSON(0, "info", scratch_path("moved.step"));
    const json_t *low = json_object_get(json_object_get(root, "bounds"), "min");
    check_that(fabs(json_number_value(json_array_get(low, 0)) - 0.005) < 1e-12, "from %.17g, expected 0.005",
               json_number_value(json_array_get(low, 0)));
    assert_int_equal(json_array_size(json_object_get(json_array_get(json_object_get(root, "files"), 0), "left_out")),
                     0);
    json_decref(root);
    static const struct {
        const char *name, *lines, *how;
    } files[] = {
        {"mirrored.step", MAPPED(OPERATOR("#24,#25", "1.", "#26")), "#101 places it mirrored"},
        {"by_x.step", MAPPED(OPERATOR("#24,$", "1.", "$")), "#101 places it mirrored"},
        {"scaled.step", MAPPED(OPERATOR("$,$", "2.", "$")), "#101 places it scaled"},
        {"unknown.step", MAPPED("AXIS2_PLACEMENT_2D('',#103,$)"), "#101 places it by what Open CASCADE does not read"},
    };
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        const char *path = write_step(files[i].name, "#60,#101", files[i].lines);
        EXPECT(2, "geometry (carom info lists them", "check", path);
        run r = RUN("info", path);
        if (!strstr(r.out, files[i].how)) fail_msg("%s: '%s' is not in\n%s", files[i].name, files[i].how, r.out);
        run_free(&r);
    }
}

/* What a product lost is said of it, not of a second one, also where its body is a mapped one. */
static void what_a_mapped_body_lost_is_its_products(void **state) {
    (void)state;
    NEED_READER();
    const char *scaled = MAPPED(OPERATOR("$,$", "2.", "$"));
    EXPECT(2, "one.step: 1 of 1 product lacks some of its geometry", "check", write_step("one.step", "#101", scaled));
    EXPECT(2, "two.step: 1 of 2 products lacks some", "check", write_step("two.step", "#60,#101", scaled));
    static const char *const lines = "#100=REPRESENTATION_MAP(#12,#16);\n#101=MAPPED_ITEM('',#100,#12);\n" FACES
                                     "#16=SHAPE_REPRESENTATION('',(#12,%s),#4);\n";
    for (int part = 0; part < 2; part++) {
        char text[1024];
        snprintf(text, sizeof text, lines, part ? "#60,#61" : "#61");
        const char *path = write_step("mapped.step", part ? "#101" : "#60,#101", text);
        EXPECT(2, "mapped.step: 1 of 1 product lacks some of its geometry", "check", path);
    }
}

static void lines_with_another_number_of_arguments_are_said(void **state) {
    (void)state;
    NEED_READER();
    static const struct {
        const char *place, *line;
    } lines[] = {
        {"CARTESIAN_TRANSFORMATION_OPERATOR_3D('','',$,$,$,#103,1.)", "#102 (CARTESIAN_TRANSFORMATION_OPERATOR_3D)"},
        {"CARTESIAN_TRANSFORMATION_OPERATOR_3D('',$,$,#103,1.,$)", "#102 (CARTESIAN_TRANSFORMATION_OPERATOR_3D)"},
        {"AXIS2_PLACEMENT_3D('',#103)", "#102 (AXIS2_PLACEMENT_3D)"},
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        char text[1024];
        snprintf(text, sizeof text, MAPPED("%s"), lines[i].place);
        run r = RUN("info", write_step("count.step", "#60,#101", text));
        check_that(r.code == 2 && strstr(r.err, lines[i].line) && strstr(r.err, "Count of Parameters"),
                   "%s: exit %d, %s", lines[i].place, r.code, r.err);
        run_free(&r);
    }
    const char *map =
        "#100=REPRESENTATION_MAP(#12);\n#101=MAPPED_ITEM('',#100,#12);\n"; /* nothing came of it, silently */
    EXPECT(2, "map.step: 1 broken line", "check", write_step("map.step", "#60,#101", map));
}

static void lines_that_are_taken_for_others_are_said(void **state) {
    (void)state;
    NEED_READER();
    EXPECT(2, "twice.step: 1 broken line", "check", write_step("twice.step", "#60", "#26=DIRECTION('',(0.,1.,0.));\n"));
    EXPECT(2, "fortran.step: 1 broken line", "check",
           write_step("fortran.step", "#60", "#27=CARTESIAN_POINT('1.0D1',(1.0D1,0.,0.));\n"));
    EXPECT(0, NULL, "info", write_step("texts.step", "#60", "#27=CARTESIAN_POINT('1.0D1',(1.0E1,0.,0.));\n"));
    /* a shell with one face less: that is the product's */
    EXPECT(2, "loose.step: 1 of 1 product lacks some of its geometry", "check",
           write_step("loose.step", "#61", "#59=CLOSED_SHELL('',(#50,#51,#52));\n#61=FACETED_BREP('',#59);\n"));
}

/* Of four numbers Open CASCADE takes three, of two it makes up the third. Curves in a plane have points of two. */
static void points_of_two_or_four_numbers_are_said(void **state) {
    (void)state;
    NEED_READER();
    static const struct {
        const char *lines, *how;
    } files[] = {
        {"#27=CARTESIAN_POINT('a''(',(1,5,0,5,0,0));\n", "#27 (CARTESIAN_POINT) has 6 numbers, not 3"},
        {"#27= DIRECTION ( '' , ( 0.,0.,1.,\n0. ) );\n", "#27 (DIRECTION) has 4 numbers, not 3"},
        {"#27=CARTESIAN_POINT('',(1.,$,0.));\n", "#27 (CARTESIAN_POINT) does not consist of numbers"},
        {"#28=VERTEX_POINT('',#27);\n#27=CARTESIAN_POINT('',(1.,2.));\n",
         "#27 (CARTESIAN_POINT) has 2 numbers, where line #28 (VERTEX_POINT) needs 3"},
        {"#27=DIRECTION('',(1.));\n", "#27 (DIRECTION) has 1 number, not 3"},
    };
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        const char *path = write_step("numbers.step", "#60", files[i].lines);
        EXPECT(2, "numbers.step: 1 broken line", "check", path);
        run r = RUN("info", path);
        if (!strstr(r.out, files[i].how)) fail_msg("'%s' is not in\n%s", files[i].how, r.out);
        run_free(&r);
    }
    EXPECT(0, NULL, "info",
           write_step("plane.step", "#60",
                      "#27=CARTESIAN_POINT('',(1.,-2.E-1));\n#28=DIRECTION('',(1,0.));\n"
                      "#29=AXIS2_PLACEMENT_2D('',#27,#28);\n"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_of_two_or_four_numbers_are_said),
        cmocka_unit_test(faces_without_a_surface_are_said),
        cmocka_unit_test(a_body_that_is_mirrored_or_scaled_is_said),
        cmocka_unit_test(what_a_mapped_body_lost_is_its_products),
        cmocka_unit_test(lines_that_are_taken_for_others_are_said),
        cmocka_unit_test(lines_with_another_number_of_arguments_are_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
