/* A 3MF is read whole, of one model file or several, or refused: names, sizes, what is missing. */
#include "cli/command.h"
#include "cli/zip_wide.h"

#include "common/archive.h"
#include "common/text.h"

/* A 3MF of files, of which the first is that of the build. */
typedef struct model_file {
    const char *name, *text;
    size_t size; /* 0: that of the text */
} model_file;

static const char *write_models(const char *name, const model_file *files, size_t count) {
    static const char relations[] =
        "<Relationships xmlns='http://schemas.openxmlformats.org/package/2006/relationships'><Relationship "
        "Target='/3D/3dmodel.model' Id='r' Type='http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel'/>"
        "</Relationships>";
    size_t size;
    archive_writer *writer = archive_begin("2025-03-14T09:00:00Z");
    archive_add(writer, "_rels/.rels", relations, strlen(relations), false);
    for (size_t i = 0; i < count; i++)
        archive_add(writer, files[i].name, files[i].text, files[i].size ? files[i].size : strlen(files[i].text), false);
    unsigned char *zip = archive_end(writer, &size);
    assert_non_null(zip);
    const char *path = write_bytes(name, zip, size);
    free(zip);
    return path;
}

/* The text of a model file; `head` are attributes. free() it. */
static char *model_of(const char *head, const char *objects, const char *items) {
    return format_text("<?xml version='1.0' encoding='UTF-8'?><model %s "
                       "xmlns='http://schemas.microsoft.com/3dmanufacturing/core/2015/02' xmlns:p='http://"
                       "schemas.microsoft.com/3dmanufacturing/production/2015/06'><resources>%s</resources><build>%s"
                       "</build></model>",
                       head, objects, items);
}

static const char *write_3mf(const char *name, const char *objects, const char *items) {
    char *model = model_of("unit='millimeter'", objects, items);
    const char *path = write_models(name, (const model_file[]){{"3D/3dmodel.model", model, 0}}, 1);
    free(model);
    return path;
}

#define TETRAHEDRON                                                                                                    \
    "<mesh><vertices><vertex x='0' y='0' z='0'/><vertex x='1' y='0' z='0'/><vertex x='0' y='1' z='0'/>"                \
    "<vertex x='0' y='0' z='1'/></vertices><triangles><triangle v1='0' v2='2' v3='1'/>"                                \
    "<triangle v1='0' v2='1' v3='3'/><triangle v1='1' v2='2' v3='3'/><triangle v1='0' v2='3' v3='2'/></triangles>"     \
    "</mesh></object>"
#define WHEELS                                                                                                         \
    "R\xc3\xa4"                                                                                                        \
    "der & <Achsen>"

/* Objects by their names, else by their part numbers, else by their ids; an object that is placed twice is two parts.
 */
static void parts_of_a_3mf_have_the_names_of_their_objects(void **state) {
    (void)state;
    const char *path = write_3mf(
        "wagon.3mf",
        "<object id='7' name='R\xc3\xa4"
        "der &amp; &lt;Achsen&gt;' type='model'>" TETRAHEDRON
        "<object id='8' name='' partnumber='P-8' type='model'>" TETRAHEDRON "<object type='model' id='9'>" TETRAHEDRON
        "<object id='12' type='model' name=\"wagon 'A'\"><components><component objectid='7'/><component objectid='7' "
        "transform='1 0 0 0 1 0 0 0 1 5 0 0'/><component objectid='8' transform='1 0 0 0 1 0 0 0 1 0 5 "
        "0'/></components>"
        "</object>",
        "<item objectid='12'/><item objectid='9' transform='1 0 0 0 1 0 0 0 1 0 0 5'/><item objectid='7' "
        "transform='1 0 0 0 1 0 0 0 1 5 5 5'/>");
    json_t *root = RUN_JSON(0, "info", path);
    static const char *const names[] = {"wagon 'A'/" WHEELS, "wagon 'A'/" WHEELS "#2", "wagon 'A'/P-8", "Object_9",
                                        WHEELS};
    const json_t *parts = json_object_get(root, "parts");
    assert_int_equal(json_array_size(parts), 5);
    for (size_t i = 0; i < 5; i++) assert_string_equal(text_at(json_array_get(parts, i), "name"), names[i]);
    json_decref(root);
}

/* A unit that is none is not taken for millimetres in silence: they are assumed, and that is said. */
static void the_unit_of_a_3mf_is_the_one_that_it_states(void **state) {
    (void)state;
    static const struct {
        const char *says;
        double unit;
        bool assumed;
    } files[] = {{"", 0.001, false}, {"unit='inch'", 0.0254, false}, {"unit='furlong'", 0.001, true}};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        char *model = model_of(files[i].says, "<object id='1' type='model'>" TETRAHEDRON, "<item objectid='1'/>");
        json_t *root =
            RUN_JSON(0, "info", write_models("unit.3mf", (const model_file[]){{"3D/3dmodel.model", model, 0}}, 1));
        const json_t *file = json_array_get(json_object_get(root, "files"), 0);
        check_that(number_at(file, "unit_metres") == files[i].unit, "%s: %g m", files[i].says,
                   number_at(file, "unit_metres"));
        assert_int_equal(json_is_true(json_object_get(file, "unit_assumed")), files[i].assumed);
        json_decref(root);
        free(model);
    }
}

/* As Assimp writes them, which was the way of the model before: the file is what it is. */
/* Of fewer numbers the importer makes up the others. */
static void a_place_of_a_3mf_has_twelve_numbers(void **state) {
    (void)state;
    static const char *const places[] = {"1 0 0 0 1 0 0 0 1", "1,0,0,0,1,0,0,0,1,2,0,0", "1 0 0 0 1 0 0 0 1 2 0 0 4",
                                         ""};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        char item[200];
        snprintf(item, sizeof item, "<item objectid='1'/><item objectid='1' transform='%s'/>", places[i]);
        EXPECT(2, "a transform in 3D/3dmodel.model is not of 12 numbers", "info",
               write_3mf("place.3mf", "<object id='1'>" TETRAHEDRON, item));
    }
    EXPECT(0, NULL, "info",
           write_3mf("place.3mf", "<object id='1'>" TETRAHEDRON,
                     "<item objectid='1'/><item objectid='1' transform=' 1 0 0 0 1e0 0 0 0 +1 2.5 -1 .5 '/>"));
}

/* The importer takes 0 for what is missing or no number, and 1 of 1,5. */
static void points_and_faces_of_a_3mf_are_of_three_numbers(void **state) {
    (void)state;
    static const struct {
        const char *from, *to, *why;
    } files[] = {
        {"x='1' y='0' z='0'", "x='1,5' y='0' z='0'", "a vertex in 3D/3dmodel.model lacks a number"},
        {"x='1' y='0' z='0'", "x='1' y='0'", "a vertex in 3D/3dmodel.model lacks a number"},
        {"x='1' y='0' z='0'", "x='one' y='0' z='0'", "a vertex in 3D/3dmodel.model lacks a number"},
        {"v1='1' v2='2' v3='3'", "v1='1' v2='2'", "a triangle in 3D/3dmodel.model lacks a number"},
        {"x='1' y='0' z='0'", "z=' 0 ' y='-0.' x='+1.E0'", NULL},
        {"</mesh>",
         "</mesh><s:slice xmlns:s='http://schemas.microsoft.com/3dmanufacturing/slice/2015/07'>"
         "<s:vertex x='1' y='2'/></s:slice>",
         NULL},
    };
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        const char *text = "<object id='1'>" TETRAHEDRON, *at = strstr(text, files[i].from);
        char *object = format_text("%.*s%s%s", (int)(at - text), text, files[i].to, at + strlen(files[i].from));
        EXPECT(files[i].why ? 2 : 0, files[i].why, "info", write_3mf("odd.3mf", object, "<item objectid='1'/>"));
        free(object);
    }
}

static void an_object_that_stands_there_twice_is_refused(void **state) {
    (void)state;
    EXPECT(2, "object 1 stands in 3D/3dmodel.model twice", "info",
           write_3mf("twice.3mf", "<object id='1'>" TETRAHEDRON "<object id='1'>" TETRAHEDRON, "<item objectid='1'/>"));
}

static void a_unit_that_is_none_is_told(void **state) {
    (void)state;
    char *model = model_of("unit='furlong'", "<object id='1'>" TETRAHEDRON, "<item objectid='1'/>");
    const char *path = write_models("unit.3mf", (const model_file[]){{"3D/3dmodel.model", model, 0}}, 1);
    free(model);
    EXPECT(0, "unit.3mf: its unit 'furlong' is none that is known here", "info", path);
}

static void a_3mf_may_say_that_it_was_another_format(void **state) {
    (void)state;
    static const char *const names[] = {"3mf Importer", "Wavefront Object Importer", "Drawing Interchange Format (DXF)",
                                        "Stanford Polygon Library (PLY) Importer", ""};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char objects[1000];
        snprintf(objects, sizeof objects,
                 "<metadata name='SourceAsset_Format'>%s</metadata><object id='1' name='one'>" TETRAHEDRON, names[i]);
        json_t *root = RUN_JSON(0, "info", write_3mf("other.3mf", objects, "<item objectid='1'/>"));
        const json_t *file = json_array_get(json_object_get(root, "files"), 0);
        assert_string_equal(text_at(file, "format"), "3mf Importer");
        check_that(number_at(file, "unit_metres") == 0.001, "'%s': %g m", names[i], number_at(file, "unit_metres"));
        assert_string_equal(text_at(file, "up"), "z");
        json_decref(root);
    }
}

/* It was said to need gigabytes, and a number in it to be wrong. */
static void a_3mf_with_sizes_of_64_bits_is_read(void **state) {
    (void)state;
    const char *path = write_3mf("narrow.3mf", "<object id='1' name='one'>" TETRAHEDRON, "<item objectid='1'/>");
    json_t *root = RUN_JSON(0, "info", write_wide("wide.3mf", path, WIDE_DIRECTORY, 0));
    assert_string_equal(text_at(json_array_get(json_object_get(root, "parts"), 0), "name"), "one");
    json_decref(root);
    for (size_t i = 1; i < 3; i++) {
        run r = RUN("info", write_wide("broken.3mf", path, WIDE_DIRECTORY, i));
        check_that(r.code == 2, "%zu broken: code %d: %s", i, r.code, r.err);
        run_free(&r);
    }
}

static void what_a_3mf_asks_for_and_does_not_have_is_missing(void **state) {
    (void)state;
    const char *objects = "<object id='1'>" TETRAHEDRON "<object id='2'><components><component objectid='1'/>"
                          "<component objectid='1' transform='1 0 0 0 1 0 0 0 1 5 0 0'/>%s</components></object>";
    char text[2000];
    static const struct {
        const char *component, *item;
        int code;
    } cases[] = {{"", "", 0}, {"<component objectid='3'/>", "", 2}, {"", "<item objectid='3'/>", 2}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char items[100];
        snprintf(text, sizeof text, objects, cases[i].component);
        snprintf(items, sizeof items, "<item objectid='2'/>%s", cases[i].item);
        const char *path = write_3mf("lacks.3mf", text, items);
        EXPECT(cases[i].code, NULL, "check", path);
        run r = RUN("info", path);
        const char *said = strstr(r.out, "object 3): it is to be built, and is not in the file");
        check_that((said != NULL) == (cases[i].code != 0), "%s", r.out);
        run_free(&r);
    }
}

/* What an extension of 3MF requires changes bodies, but for materials and production. */
static void a_3mf_that_requires_an_extension_is_refused(void **state) {
    (void)state;
    static const struct {
        const char *head;
        bool refused;
    } cases[] = {
        {"unit=\"millimeter\"", false},
        {"requiredextensions=\"\"", false},
        {"requiredextensions=\"m\" xmlns:m=\"http://schemas.microsoft.com/3dmanufacturing/material/2015/02\"", false},
        {"requiredextensions=\"b\" xmlns:b=\"http://schemas.microsoft.com/3dmanufacturing/beamlattice/2017/02\"", true},
        {"xmlns:m=\"http://schemas.microsoft.com/3dmanufacturing/material/2015/02\" requiredextensions=\"m p\"", false},
        {"requiredextensions='m b' xmlns:m='http://schemas.microsoft.com/3dmanufacturing/material/2015/02' "
         "xmlns:b='http://schemas.microsoft.com/3dmanufacturing/beamlattice/2017/02'",
         true},
        {"xmlns:m='http://schemas.microsoft.com/3dmanufacturing/material/2015/02' requiredextensions = 'm '", false},
        {"requiredextensions=\"q\"", true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *model = model_of(cases[i].head, "<object id='1'>" TETRAHEDRON, "<item objectid='1'/>");
        const char *path = write_models("a.3mf", (const model_file[]){{"3D/3dmodel.model", model, 0}}, 1);
        if (cases[i].refused)
            EXPECT(2, "3D/3dmodel.model requires an extension of 3MF that is not known here", "info", path);
        else
            EXPECT(0, NULL, "info", path);
        free(model);
    }
}

#define OF(file) "p:path='/3D/" file ".model'"

/* Objects of several model files, with equal numbers: each is called by its name, or by its number in its own file, and
 * stands where the build and its components place it. */
static void a_3mf_of_several_model_files_is_read(void **state) {
    (void)state;
    char *car = model_of(
             "requiredextensions='p'",
             "<object id='1' name='own'>" TETRAHEDRON "<object id='2' name='car'><components>"
             "<component objectid='1' " OF("wheels") "/><component objectid='1' "
                                                     "transform='1 0 0 0 1 0 0 0 1 5 0 0'/></components></object>",
             "<item objectid='2'/><item objectid='3' " OF("wheels") " transform='1 0 0 0 1 0 0 0 1 0 9 0'/>"),
         *wheels = model_of("unit='millimeter'",
                            "<object id='1' name='R\xc3\xa4"
                            "der &amp; &lt;Achsen&gt;'>" TETRAHEDRON "<object id='3'>" TETRAHEDRON,
                            "<item objectid='1'/>"); /* of such a file no build counts */
    const char *path =
        write_models("car.3mf", (const model_file[]){{"3D/wheels.model", wheels, 0}, {"3D/3dmodel.model", car, 0}}, 2);
    json_t *root = RUN_JSON(0, "info", path);
    static const char *const names[] = {"car/" WHEELS, "car/own", "Object_3"};
    const json_t *parts = json_object_get(root, "parts");
    assert_int_equal(json_array_size(parts), 3);
    for (size_t i = 0; i < 3; i++) assert_string_equal(text_at(json_array_get(parts, i), "name"), names[i]);
    json_decref(root);
    root = RUN_JSON(0, "distance", path, "--between", "*own", "Object_3"); /* from (5, 1, 0) to (1, 9, 0) */
    check_that(fabs(number_at(root, "distance") - 0.001 * sqrt(16 + 64)) < 1e-9, "%g", number_at(root, "distance"));
    json_decref(root);
    free(car);
    free(wheels);
}

/* What cannot be built is refused with the file and what to do, before the importer gets it: a ring of objects took its
 * stack, and a million bodies hours. */
static void a_3mf_that_cannot_be_built_is_refused(void **state) {
    (void)state;
    char *many = calloc(1, 30 * 1000001), *doubled = calloc(1, 150 * 40), *chain = calloc(1, 90 * 400);
    assert_true(many && doubled && chain);
    for (size_t i = 0, at = 0; i < 1000000; i++) at += (size_t)sprintf(many + at, "<component objectid='1'/>");
    for (int i = 2, at = 0; i < 40; i++)
        at += sprintf(doubled + at,
                      "<object id='%d'><components><component objectid='%d'/><component objectid='%d'/></components>"
                      "</object>",
                      i, i - 1, i - 1);
    for (int i = 2, at = 0; i < 300; i++)
        at += sprintf(chain + at, "<object id='%d'><components><component objectid='%d'/></components></object>", i,
                      i - 1);
    char *million =
        format_text("<object id='1'>" TETRAHEDRON "<object id='2'><components>%s</components></object>", many);
    char *powers = format_text("<object id='1'>" TETRAHEDRON "%s", doubled);
    char *deep = format_text("<object id='1'>" TETRAHEDRON "%s", chain);
    const char *one = "<object id='1'>" TETRAHEDRON, *item = "<item objectid='1' " OF("more") "/>";
    const struct {
        const char *said, *objects, *items, *more_head, *more; /* more = NULL: there is no second file */
    } cases[] = {
        {"3D/3dmodel.model asks for the model file '/../more.model', which is no place in the archive", "",
         "<item objectid='1' p:path='/../more.model'/>", "", one},
        {"asks for the model file '/3D/../../more.model'", "", "<item objectid='1' p:path='/3D/../../more.model'/>", "",
         one},
        {"asks for the model file 'more.model'", "", "<item objectid='1' p:path='more.model'/>", "", one},
        {"the model file '3D/more.model' is not in it", "", item, "", NULL},
        {"object 1 of 3D/more.model is to be built, and is not in that file", "", item, "", ""},
        {"object 4 of 3D/more.model is asked for, and is not in that file",
         "<object id='1'><components><component objectid='4' " OF("more") "/></components></object>",
         "<item objectid='1'/>", "", one},
        {"object 1 of 3D/3dmodel.model is a component of itself",
         "<object id='1'><components><component objectid='1' " OF("more") "/></components></object>",
         "<item objectid='1'/>", "",
         "<object id='1'><components><component objectid='1' " OF("3dmodel") "/></components>"
                                                                             "</object>"},
        {"object 2 of 3D/3dmodel.model is a component of itself",
         "<object id='1'><components><component objectid='2'/></components></object><object id='2'><components>"
         "<component objectid='1'/></components></object>",
         "<item objectid='2'/>", "", NULL},
        {"3D/more.model is in the unit inch, and 3D/3dmodel.model in millimeter", "", item, "unit='inch'", one},
        {"3D/more.model requires an extension of 3MF that is not known here", "", item, "requiredextensions='q'", one},
        {"the model file '3D/more.model' is damaged or cut off at line 1", "", item, "", "<object id='1'>"},
        {"its build places more than 500000 bodies (object 2 of 3D/3dmodel.model alone 1e+06): export it in pieces",
         million, "<item objectid='2'/>", "", NULL},
        {"its build places more than 500000 bodies", powers, "<item objectid='39'/>", "", NULL},
        {"lie in one another more than 200 deep", deep, "<item objectid='299'/>", "", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *build = model_of("", cases[i].objects, cases[i].items);
        char *more = cases[i].more ? model_of(cases[i].more_head, cases[i].more, "") : NULL;
        const char *path = write_models(
            "bad.3mf", (const model_file[]){{"3D/3dmodel.model", build, 0}, {"3D/more.model", more, 0}}, more ? 2 : 1);
        EXPECT(2, cases[i].said, "info", path);
        free(build);
        free(more);
    }
    free(many), free(doubled), free(chain), free(million), free(powers), free(deep);
}

/* Names of elements may have a prefix for the namespace of 3MF, as that of any XML. */
static void elements_may_have_a_prefix(void **state) {
    (void)state;
    static const char plain[] =
        "<?xml version='1.0' encoding='UTF-8'?><#model unit='inch' xmlns:#='http://schemas.microsoft.com/"
        "3dmanufacturing/core/2015/02'><#resources><#object id='4' name='Rod'><#mesh><#vertices>"
        "<#vertex x='0' y='0' z='0'/><#vertex x='1' y='0' z='0'/><#vertex x='0' y='1' z='0'/><#vertex x='0' y='0' "
        "z='1'/></#vertices><#triangles><#triangle v1='0' v2='2' v3='1'/><#triangle v1='0' v2='1' v3='3'/>"
        "<#triangle v1='1' v2='2' v3='3'/><#triangle v1='0' v2='3' v3='2'/></#triangles></#mesh></#object>"
        "</#resources><#build><#item objectid='4' transform='1 0 0 0 1 0 0 0 1 0 0 0'/></#build></#model>";
    text_buffer model = {0};
    for (const char *at = plain; *at; at++)
        if (*at == '#')
            text_add(&model, "%s", at[1] == '=' ? "core" : "core:");
        else
            text_add(&model, "%c", *at);
    const char *path = write_models("prefix.3mf", (const model_file[]){{"3D/3dmodel.model", model.bytes, 0}}, 1);
    json_t *root = RUN_JSON(0, "info", path);
    const json_t *mesh = json_array_get(json_object_get(root, "meshes"), 0);
    check_that(number_at(mesh, "triangles") == 4 && json_is_true(json_object_get(mesh, "closed")), "%g triangles",
               number_at(mesh, "triangles"));
    assert_string_equal(text_at(json_array_get(json_object_get(root, "parts"), 0), "name"), "Rod");
    assert_true(number_at(json_array_get(json_object_get(root, "files"), 0), "unit_metres") == 0.0254);
    json_decref(root);
    free(model.bytes);
}

/* The importer reads on where the text is no XML any more, or stops without a word. */
static void a_model_that_is_no_xml_is_told(void **state) {
    (void)state;
    char *model = model_of("unit='millimeter'", "<object id='1'>" TETRAHEDRON, "<item objectid='1'/>");
    char *twice = format_text("%s<model><build/></model>", model);
    const char *path = write_models("twice.3mf", (const model_file[]){{"3D/3dmodel.model", twice, 0}}, 1);
    EXPECT(2, "twice.3mf: 1 broken line (", "check", path, path);
    run r = RUN("info", path);
    assert_non_null(strstr(r.out, "its XML is damaged at line 1: what stands behind that may be missing"));
    run_free(&r);
    free(twice);
    free(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_of_a_3mf_have_the_names_of_their_objects),
        cmocka_unit_test(the_unit_of_a_3mf_is_the_one_that_it_states),
        cmocka_unit_test(a_place_of_a_3mf_has_twelve_numbers),
        cmocka_unit_test(points_and_faces_of_a_3mf_are_of_three_numbers),
        cmocka_unit_test(an_object_that_stands_there_twice_is_refused),
        cmocka_unit_test(a_unit_that_is_none_is_told),
        cmocka_unit_test(a_3mf_may_say_that_it_was_another_format),
        cmocka_unit_test(a_3mf_with_sizes_of_64_bits_is_read),
        cmocka_unit_test(what_a_3mf_asks_for_and_does_not_have_is_missing),
        cmocka_unit_test(a_3mf_that_requires_an_extension_is_refused),
        cmocka_unit_test(a_3mf_of_several_model_files_is_read),
        cmocka_unit_test(a_3mf_that_cannot_be_built_is_refused),
        cmocka_unit_test(elements_may_have_a_prefix),
        cmocka_unit_test(a_model_that_is_no_xml_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
