/* carom approve: what other tools say of topics, and whole answers, as entries of the list; and files that mean harm.
 */
#include "cli/bcf_file.h"
#include "cli/house.h"
#include "cli/zip_wide.h"
#include "page_file.h"

#include "bcf/bcf.h"
#include "common/text.h"

#include <unistd.h>

#define DATE "--date", "2025-03-14"

static char *list_text(const char *path) {
    size_t size;
    return read_all(path, &size);
}

/* A list that is not there yet. */
static const char *no_list(const char *name) {
    const char *path = scratch_path(name);
    unlink(path);
    return path;
}

/* The topics of the house, written once a version: their pictures take a second. Nobody writes over them. */
static const char *checked_bcf(const char *version) {
    char name[20];
    snprintf(name, sizeof name, "asked-%s.bcf", version);
    const char *path = scratch_path(name);
    if (access(path, F_OK) != 0) EXPECT(1, NULL, "check", write_house(), "--bcf", path, DATE, "--bcf-version", version);
    return path;
}

/* As a coordinator answers in another tool: a status, two comments of which the second is the last. */
static const char *answered(const char *version, const char *status, const char *name) {
    archive zip = open_bcf(checked_bcf(version));
    archive_entry *markup = bcf_of_topic(&zip, "2O2Fr$t4X7Zf8NOew3FL5r", "/markup.bcf");
    char with[80];
    snprintf(with, sizeof with, "TopicStatus=\"%s\"", status);
    replace_in(markup, "TopicStatus=\"Active\"", with);
    const bool old = strcmp(version, "2.1") == 0;
    static const char comments[] =
        "<Comment Guid=\"11111111-2222-3333-4444-555555555555\"><Date>2025-05-02T08:00:00Z</Date><Author>b@example.org"
        "</Author><Comment>drilled on site;\n  agreed &lt;today&gt;</Comment></Comment>"
        "<Comment Guid=\"11111111-2222-3333-4444-555555555556\"><Date>2025-05-01T08:00:00Z</Date><Author>a@example.org"
        "</Author><Comment>please look</Comment></Comment>";
    char text[800];
    snprintf(text, sizeof text, old ? "</Topic>%s" : "<Comments>%s</Comments><Viewpoints>", comments);
    replace_in(markup, old ? "</Topic>" : "<Viewpoints>", text);
    return write_bcf(&zip, name);
}

static void a_status_of_another_tool_approves_the_finding(void **state) {
    (void)state;
    static const char *const versions[] = {"2.1", "3.0"};
    for (int i = 0; i < 2; i++) {
        const char *file = answered(versions[i], "approved", "answered.bcf"), *list = no_list("list.txt");
        run r = RUN("approve", file, "--approved", list);
        assert_int_equal(r.code, 0);
        assert_non_null(strstr(r.out, " 1 approved"));
        assert_non_null(strstr(r.out, ": 1 entry added."));
        run_free(&r);
        char *text = list_text(list);
        assert_non_null(strstr(text, "; drilled on site\\;   agreed <today>; b@example.org; 2025-05-02\n"));
        free(text);
        json_t *answer = RUN_JSON(1, "check", write_house(), "--approved", list);
        const json_t *accepted = json_array_get(json_object_get(answer, "accepted"), 0);
        assert_int_equal(json_integer_value(json_object_get(accepted, "findings")), 1);
        assert_string_equal(json_string_value(json_object_get(accepted, "author")), "b@example.org");
        json_decref(answer);
    }
}

/* Every element under a prefix of the root's namespace. */
static void put_prefixes(archive_entry *markup) {
    char *text = calloc(1, 4 * markup->size + 100), *to = text;
    bool root = true;
    for (const char *at = markup->bytes; *at; at++) {
        *to++ = *at;
        if (*at != '<' || at[1] == '?' || at[1] == '!') continue;
        if (at[1] == '/') *to++ = *++at;
        to += sprintf(to, "bcf:");
        if (!root) continue;
        to += sprintf(to, "Markup xmlns:bcf=\"http://example.org/bcf\"");
        at += strlen("Markup");
        root = false;
    }
    free(markup->bytes);
    markup->bytes = text, markup->size = (size_t)(to - text);
}

/* What is said does not hang on the spelling of another program. */
static void prefixes_capitals_and_the_order_of_files_do_not_matter(void **state) {
    (void)state;
    static const char *const versions[] = {"2.1", "3.0"};
    for (int i = 0; i < 4; i++) {
        archive zip = open_bcf(answered(versions[i % 2], "Approved", "answered.bcf"));
        for (size_t k = 0; k < zip.count; k++) {
            archive_entry *one = &zip.entries[k];
            const size_t length = strlen(one->name);
            if (i < 2 && length > 10 && strcmp(one->name + length - 10, "markup.bcf") == 0) put_prefixes(one);
            if (i >= 2 && length > 10 && one->name[length - 11] == '/' && one->name[length - 10] == 'm')
                one->name[length - 10] = 'M';
        }
        for (size_t k = 0; k < zip.count / 2; k++) {
            const archive_entry first = zip.entries[k];
            zip.entries[k] = zip.entries[zip.count - 1 - k];
            zip.entries[zip.count - 1 - k] = first;
        }
        run r = RUN("approve", write_bcf(&zip, "spelt.bcf"), "--approved", no_list("list.txt"));
        check_that(r.code == 0 && strstr(r.out, " 1 Approved") && strstr(r.out, ": 1 entry added."),
                   "%d: exit %d, %s%s", i, r.code, r.out, r.err);
        run_free(&r);
    }
}

static void only_statuses_that_approve_count(void **state) {
    (void)state;
    const char *file = answered("2.1", "Closed", "closed.bcf"), *list = no_list("list.txt");
    EXPECT(0, "no topic has a status that approves", "approve", file, "--approved", list);
    unlink(list); /* which has the comment */
    EXPECT(0, NULL, "approve", file, "--approved", list, "--status", "Resolved", "--status", "closed");
    char *text = list_text(list);
    assert_int_equal(count_in(text, "\n"), 2); /* and the line that says what stands where */
    free(text);
    /* What is open again is said. */
    const char *open = answered("2.1", "ReOpened", "reopened.bcf");
    EXPECT(0, "' is ReOpened, and ", "approve", open, "--approved", list);
}

/* What somebody said of a topic that is not approved stands in the list as a comment, where the page finds it too
 * (cli/page/report/review.js): with the status, where that is none of carom's own. It accepts nothing; table and JSON
 * show it; the latest of the list counts; and what the list accepts is not said to be open. */
static void what_is_said_of_other_topics_is_kept(void **state) {
    (void)state;
    static const char *const statuses[] = {"Active", "In Progress"};
    static const char *const texts[] = {
        "; drilled on site\\;   agreed <today>; b@example.org; 2025-05-02\n",
        "; In Progress: drilled on site\\;   agreed <today>; b@example.org; 2025-05-02\n"};
    static const char *const shown[] = {
        ": drilled on site;   agreed <today> (b@example.org, 2025-05-02).",
        ": In Progress: drilled on site;   agreed <today> (b@example.org, 2025-05-02)."};
    char list[600]; /* paths of the scratch folder last for 16 calls */
    snprintf(list, sizeof list, "%s", no_list("said.txt"));
    for (int i = 0; i < 2; i++) {
        const char *file = answered(i ? "3.0" : "2.1", statuses[i], "said.bcf");
        for (int again = 0; again < 2; again++) {
            run r = RUN("approve", file, "--approved", list);
            assert_int_equal(r.code, 0);
            check_that(
                strstr(r.out, again ? ": 0 entries added, 1 there already." : ": 0 entries added, 1 comment kept."),
                "%s", r.out);
            run_free(&r);
        }
        char *text = list_text(list);
        check_that(strstr(text, texts[i]) != NULL, "%s", text);
        assert_int_equal(count_in(text, "\n# open: "), 1 + i); /* in the order in which they were said */
        free(text);
        json_t *answer = RUN_JSON(1, "check", write_house(), "--approved", list);
        const json_t *notes = json_object_get(answer, "notes"), *note = json_array_get(notes, 0);
        assert_int_equal(json_array_size(notes), 1);
        assert_string_equal(text_at(note, "status"), "open");
        assert_string_equal(text_at(note, "author"), "b@example.org");
        assert_int_equal(strncmp(text_at(note, "comment"), "In Progress: ", 13) == 0, i);
        assert_int_equal(json_array_size(json_object_get(answer, "accepted")), 0);
        json_decref(answer);
        run r = RUN("check", write_house(), "--approved", list);
        check_that(strstr(r.out, shown[i]) && strstr(r.out, "Open by "), "%s", r.out);
        assert_non_null(strstr(r.out, " open\n"));
        run_free(&r);
    }
    /* Approved in the end: the comments stay, and the finding is no longer open. */
    EXPECT(0, NULL, "approve", answered("2.1", "Approved", "said.bcf"), "--approved", list);
    run r = RUN("approve", answered("2.1", "Active", "said.bcf"), "--approved", list);
    check_that(strstr(r.out, "0 entries added.") != NULL, "%s", r.out);
    run_free(&r);
    json_t *answer = RUN_JSON(1, "check", write_house(), "--approved", list);
    assert_int_equal(json_array_size(json_object_get(answer, "notes")), 0);
    assert_int_equal(json_array_size(json_object_get(answer, "accepted")), 1);
    json_decref(answer);
    /* By hand; a line that only looks like one is a comment. */
    char id[17], *text = list_text(list);
    snprintf(id, sizeof id, "%.16s", strstr(text, "# open: ") + 8);
    free(text);
    char lines[400];
    snprintf(lines, sizeof lines,
             "# fix: nobody; knows; A; 2025-01-01\n#fix: %s; move it; A. Meyer; 2025-03-14\n# open: %s\n", id, id);
    r = RUN("check", write_house(), "--approved", write_text("by_hand.txt", lines));
    check_that(strstr(r.out, "To fix by ") && strstr(r.out, " to fix\n") &&
                   strstr(r.out, ": move it (A. Meyer, 2025-03-14)."),
               "%s", r.out);
    run_free(&r);
}

static void what_stands_in_the_list_stays(void **state) {
    (void)state;
    const char *file = answered("3.0", "Approved", "kept.bcf");
    static const char before[] = "# agreed\n\nclass=IfcPipe*:class=IfcSlab; hangs; B. Koch; 2025-03-20; 20mm";
    const char *list = write_text("kept.txt", before);
    EXPECT(0, NULL, "approve", file, "--approved", list);
    char *once = list_text(list);
    assert_memory_equal(once, before, sizeof before - 1);
    assert_int_equal(count_in(once, "\n"), 4);
    run r = RUN("approve", file, "--approved", list);
    assert_non_null(strstr(r.out, "0 entries added, 1 there already"));
    run_free(&r);
    char *twice = list_text(list);
    assert_string_equal(once, twice);
    free(once), free(twice);
    EXPECT(2, "is not WHAT; reason; author; date", "approve", file, "--approved", write_text("broken.txt", "what\n"));
}

/* A topic that another program made: no finding's id, but two GlobalIds. */
static const char *foreign(const char *selected, const char *colored) {
    archive zip = {.entries = calloc(3, sizeof *zip.entries), .count = 3};
    static const char *const names[] = {"bcf.version", "abc/markup.bcf", "abc/view.bcfv"};
    static const char version[] = "<Version VersionId=\"2.1\"/>";
    static const char markup[] =
        "<Markup><Topic Guid=\"9898DE65-C0CE-414B-857E-1DF97FFAED8D\" TopicStatus=\"Accepted\"><Title>t</Title>"
        "<CreationDate>2024-12-31T10:00:00+01:00</CreationDate><CreationAuthor>c@example.org</CreationAuthor></Topic>"
        "</Markup>";
    char view[1000];
    snprintf(view, sizeof view,
             "<VisualizationInfo Guid=\"9898DE65-C0CE-414B-857E-1DF97FFAED8E\"><Components><Selection>%s</Selection>"
             "<Visibility/><Coloring><Color Color=\"FF0000\">%s</Color></Coloring></Components></VisualizationInfo>",
             selected, colored);
    const char *const texts[] = {version, markup, view};
    for (int i = 0; i < 3; i++) zip.entries[i] = (archive_entry){strdup(names[i]), strdup(texts[i]), strlen(texts[i])};
    return write_bcf(&zip, "foreign.bcf");
}
#define COMPONENT(id) "<Component IfcGuid=\"" id "\"/>"
#define PIPE          COMPONENT("2O2Fr$t4X7Zf8NOew3FL5r")
#define OTHER         COMPONENT("1O2Fr$t4X7Zf8NOew3FL5r")
#define THIRD         COMPONENT("0O2Fr$t4X7Zf8NOew3FL5r")

static void two_global_ids_name_a_pair(void **state) {
    (void)state;
    static const struct {
        const char *selected, *colored;
        bool found;
    } cases[] = {{PIPE OTHER, "", true},
                 {PIPE OTHER PIPE, THIRD, true},
                 {"", PIPE OTHER, true},
                 {PIPE, PIPE OTHER, true},
                 {PIPE OTHER THIRD, PIPE OTHER, false},
                 {PIPE, "", false},
                 {COMPONENT("x:y;z") PIPE, "", false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *file = foreign(cases[i].selected, cases[i].colored), *list = no_list("pair.txt");
        EXPECT(0, cases[i].found ? NULL : "tells neither a finding nor two GlobalIds", "approve", file, "--approved",
               list);
        assert_int_equal(access(list, F_OK) == 0, cases[i].found);
        if (!cases[i].found) continue;
        char *text = list_text(list);
        check_that(strstr(text, "\nid=2O2Fr$t4X7Zf8NOew3FL5r:id=1O2Fr$t4X7Zf8NOew3FL5r; Accepted in foreign.bcf; "
                                "c@example.org; 2024-12-31\n") != NULL,
                   "%zu: %s", i, text);
        free(text);
    }
    /* The other way round it is the same pair. */
    const char *list =
        write_text("pair.txt", "id=1O2Fr$t4X7Zf8NOew3FL5r:id=2O2Fr$t4X7Zf8NOew3FL5r; a; b; 2025-01-01\n");
    run r = RUN("approve", foreign(PIPE OTHER, ""), "--approved", list);
    assert_non_null(strstr(r.out, "0 entries added, 1 there already"));
    run_free(&r);
}

static void a_group_approves_what_it_was_made_of(void **state) {
    (void)state;
    const char *path = scratch_path("group.bcf"), *list = no_list("group.txt");
    EXPECT(1, NULL, "check", write_house(), "--bcf", path, DATE, "--group", "class");
    archive zip = open_bcf(path);
    archive_entry *markup = bcf_of_topic(&zip, "<Title>IfcPipeSegment and IfcWall: 3 findings", "/markup.bcf");
    replace_in(markup, "\"Active\"", "\"Approved\"");
    /* What a part is called says nothing. */
    replace_in(markup, "<Description>", "<Description>findings: 0123456789abcdef\n");
    EXPECT(0, NULL, "approve", write_bcf(&zip, "group2.bcf"), "--approved", list, "--reason", "sleeves", "--author",
           "A", DATE);
    char *text = list_text(list);
    assert_int_equal(count_in(text, "; sleeves; A; 2025-03-14\n"), 3);
    assert_null(strstr(text, "0123456789abcdef"));
    free(text);
    json_t *answer = RUN_JSON(1, "check", write_house(), "--approved", list);
    assert_int_equal(json_integer_value(json_object_get(json_object_get(answer, "counts"), "allowed")), 3);
    json_decref(answer);
}

static void an_answer_is_approved_as_a_whole(void **state) {
    (void)state;
    const char *house = write_house(), *list = no_list("whole.txt");
    json_t *answer = RUN_JSON(1, "check", house);
    char *dumped = json_dumps(answer, 0);
    const char *path = write_text("answer.json", dumped);
    const json_int_t failing = json_integer_value(json_object_get(json_object_get(answer, "counts"), "failing"));
    EXPECT(2, "with a --reason and an --author", "approve", path, "--approved", list, "--author", "A. Meyer");
    EXPECT(0, NULL, "approve", path, "--approved", list, "--reason", "as built\\", "--author", "A. Meyer", DATE);
    char *text = list_text(list);
    assert_int_equal(count_in(text, "; A. Meyer; 2025-03-14\n"), failing);
    free(text), free(dumped);
    json_decref(answer);
    answer = RUN_JSON(0, "check", house, "--approved", list);
    const json_t *first = json_array_get(json_object_get(answer, "accepted"), 0);
    assert_string_equal(json_string_value(json_object_get(first, "reason")), "as built\\");
    json_decref(answer);
    EXPECT(2, "neither an answer", "approve", write_text("x.json", "{\"schema\": \"x\"}"), "--approved", list);
    EXPECT(2, "needs --approved", "approve", path);
    EXPECT(2, "would replace the input", "approve", path, "--approved", path, "--reason", "a", "--author", "b");
}

/* --- files that mean harm ----------------------------------------------------------------------------------------- */

static const char *zip_of(const char *name, const char *bytes, size_t size) {
    archive zip = {.entries = calloc(2, sizeof *zip.entries), .count = 2};
    char *copy = calloc(1, size + 1);
    memcpy(copy, bytes, size);
    zip.entries[0] = (archive_entry){strdup("bcf.version"), strdup("<Version VersionId=\"2.1\"/>"), 26};
    zip.entries[1] = (archive_entry){strdup(name), copy, size};
    return write_bcf(&zip, "harm.bcf");
}
#define ZIP_OF(name, text) zip_of(name, text, sizeof text - 1)

static void harm_is_refused_by_name(void **state) {
    (void)state;
    char *list = copy_text(no_list("harm.txt"));
#define REFUSED(message, file) EXPECT(2, message, "approve", file, "--approved", list)
    REFUSED("'../markup.bcf' leads out of the archive", ZIP_OF("../markup.bcf", "<Markup/>"));
    REFUSED("leads out of the archive", ZIP_OF("a/../../markup.bcf", "<Markup/>"));
    REFUSED("leads out of the archive", ZIP_OF("..\\markup.bcf", "<Markup/>"));
    REFUSED("'/etc/x' leads out of the archive", ZIP_OF("/etc/x", "x"));
    REFUSED("a/markup.bcf: has a DTD", ZIP_OF("a/markup.bcf", "<!DOCTYPE m [<!ENTITY a \"b\">]><Markup>&a;</Markup>"));
    REFUSED("a/markup.bcf:1: is not XML", ZIP_OF("a/markup.bcf", "<Markup>&other;</Markup>"));
    REFUSED("a/markup.bcf:2: is not XML", ZIP_OF("a/markup.bcf", "<Markup>\n<Topic></Markup>"));
    REFUSED("its root is <Other>", ZIP_OF("a/markup.bcf", "<Other/>"));
    REFUSED("has no <Topic>", ZIP_OF("a/markup.bcf", "<Markup/>"));
    REFUSED("<Topic> lacks Guid", ZIP_OF("a/markup.bcf", "<Markup><Topic/></Markup>"));
    REFUSED("a second <Topic>", ZIP_OF("a/markup.bcf", "<Markup><Topic Guid=\"a\"/><Topic/></Markup>"));
    REFUSED("is damaged: a/view.bcfv has no markup.bcf beside it", ZIP_OF("a/view.bcfv", "<VisualizationInfo/>"));
    char *zeros = calloc(1, ARCHIVE_ENTRY_MOST + 1);
    REFUSED("a/markup.bcf is larger than 16 MB", zip_of("a/markup.bcf", zeros, ARCHIVE_ENTRY_MOST + 1));
    const char *picture = zip_of("a/snapshot.png", zeros, ARCHIVE_ENTRY_MOST + 1); /* is not looked at */
    EXPECT(0, NULL, "approve", picture, "--approved", list);
    free(zeros);
    archive zip = open_bcf(checked_bcf("2.1"));
    replace_in(bcf_entry(&zip, "bcf.version", 0), "\"2.1\"", "\"4.7\"");
    REFUSED("is BCF '4.7'", write_bcf(&zip, "version2.bcf"));
    REFUSED("is no ZIP archive, or is damaged", write_bytes("cut.bcf", "PK\3\4abc", 7));
    REFUSED("No such file", "none.bcf");
    assert_int_not_equal(access(list, F_OK), 0);
    free(list);
}

/* Bytes that were changed anywhere: it is read or refused, and says why. */
static void changed_bytes_are_read_or_refused(void **state) {
    (void)state;
    size_t size;
    char *good = read_all(answered("2.1", "Approved", "good.bcf"), &size), *bytes = malloc(size);
    rng r = rng_start("changed bytes", 18);
    int refused = 0, count = samples(300, 20000);
    for (int i = 0; i < count; i++) {
        memcpy(bytes, good, size);
        const size_t length = rng_below(&r, 8) == 0 ? rng_below(&r, (uint32_t)size) : size;
        /* Mostly in the directory at the end, where the pictures are not. */
        const uint32_t from = rng_below(&r, 2) ? (uint32_t)(size - size / 8) : 0;
        for (uint32_t times = 1 + rng_below(&r, 3); times > 0; times--)
            bytes[from + rng_below(&r, (uint32_t)size - from)] ^= (char)(1 << rng_below(&r, 8));
        const char *path = write_bytes("changed.bcf", bytes, length);
        bcf_topics topics;
        messages_hold();
        const int code = bcf_read(path, &topics);
        char *said = messages_take();
        check_that(code == 0 || (code == EXIT_INPUT && strstr(said, "changed.bcf")), "%d: %d: %s", i, code, said);
        refused += code != 0;
        free(said);
        bcf_topics_free(&topics);
    }
    check_that(refused > count / 10 && refused < count, "%d of %d refused", refused, count);
    free(good), free(bytes);
}

/* As Python's zipfile, lib3mf and programs that write a stream have them. */
static void sizes_of_64_bits_are_read(void **state) {
    (void)state;
    static const unsigned forms[] = {WIDE_FILES, WIDE_DIRECTORY, WIDE_FILES | WIDE_DIRECTORY,
                                     WIDE_FILES | WIDE_DIRECTORY | WIDE_END};
    const char *path = checked_bcf("3.0");
    archive narrow = open_bcf(path);
    assert_true(narrow.count > 3);
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        archive wide = open_bcf(write_wide("wide.bcf", path, forms[i], 0));
        assert_int_equal(wide.count, narrow.count);
        for (size_t k = 0; k < wide.count; k++) {
            assert_string_equal(wide.entries[k].name, narrow.entries[k].name);
            assert_int_equal(wide.entries[k].size, narrow.entries[k].size);
            assert_memory_equal(wide.entries[k].bytes, narrow.entries[k].bytes, wide.entries[k].size);
        }
        archive_free(&wide);
    }
    archive_free(&narrow);
    EXPECT(2, "bcf.version is damaged", "approve", write_wide("broken.bcf", path, WIDE_DIRECTORY, 1), "--approved",
           no_list("wide.txt"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_of_64_bits_are_read),
        cmocka_unit_test(a_status_of_another_tool_approves_the_finding),
        cmocka_unit_test(prefixes_capitals_and_the_order_of_files_do_not_matter),
        cmocka_unit_test(only_statuses_that_approve_count),
        cmocka_unit_test(what_is_said_of_other_topics_is_kept),
        cmocka_unit_test(what_stands_in_the_list_stays),
        cmocka_unit_test(two_global_ids_name_a_pair),
        cmocka_unit_test(a_group_approves_what_it_was_made_of),
        cmocka_unit_test(an_answer_is_approved_as_a_whole),
        cmocka_unit_test(harm_is_refused_by_name),
        cmocka_unit_test(changed_bytes_are_read_or_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
