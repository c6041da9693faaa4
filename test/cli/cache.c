/* --cache: the same answer from what was kept, and nothing damaged or outdated believed. */
#define _GNU_SOURCE
#include "cli/shapes.h"
#include "common/sha256.h"

#include <dirent.h>
#include <math.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* --- the hash ------------------------------------------------------------------------------------------------------ */

static void hash_text_is(const char *text, size_t times, const char *expected) {
    sha256 s;
    unsigned char sum[SHA256_SIZE];
    char hex[2 * SHA256_SIZE + 1];
    sha256_start(&s);
    for (size_t i = 0; i < times; i++) sha256_add(&s, text, strlen(text));
    sha256_end(&s, sum);
    for (int i = 0; i < SHA256_SIZE; i++) snprintf(hex + 2 * i, 3, "%02x", sum[i]);
    assert_string_equal(hex, expected);
}

/* The examples of FIPS 180-4. */
static void the_hash_is_that_of_the_standard(void **state) {
    (void)state;
    hash_text_is("", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    hash_text_is("abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    hash_text_is("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
                 "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    hash_text_is("a", 1000000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

/* --- entries ------------------------------------------------------------------------------------------------------- */

/* A file that has just changed is not kept: its time has to pass. */
static void wait_a_while(void) {
    const struct timespec t = {0, 60000000};
    nanosleep(&t, NULL);
}

/* The only entry of the folder; NULL where there is none. Fails where there is anything else. free() it. */
static char *only_entry(const char *folder) {
    char *found = NULL;
    DIR *list = opendir(folder);
    if (!list) return NULL;
    for (struct dirent *e; (e = readdir(list));) {
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0) continue;
        const char *end = strrchr(e->d_name, '.');
        check_that(!found && end && strcmp(end, ".carom") == 0, "%s beside %s", e->d_name, found ? found : "nothing");
        assert_true(asprintf(&found, "%s/%s", folder, e->d_name) > 0);
    }
    closedir(list);
    return found;
}

static int count_entries(const char *folder) {
    int count = 0;
    DIR *list = opendir(folder);
    for (struct dirent *e; list && (e = readdir(list));) count += *e->d_name != '.';
    if (list) closedir(list);
    return count;
}

static void remove_folder(const char *folder) {
    DIR *list = opendir(folder);
    char path[1024];
    for (struct dirent *e; list && (e = readdir(list));) {
        snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0) assert_int_equal(unlink(path), 0);
    }
    if (list) closedir(list);
    rmdir(folder);
}

static unsigned char *read_bytes(const char *path, size_t *size) {
    static unsigned char bytes[1 << 20];
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    *size = fread(bytes, 1, sizeof bytes, file);
    assert_true(*size < sizeof bytes);
    fclose(file);
    return bytes;
}

static void replace(const char *path, const unsigned char *bytes, size_t size) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

/* Two boxes 50 mm deep in each other; the OBJ names materials that are not there. */
static const char *write_model(double overlap) {
    obj o = {0};
    obj_box(&o, "left", 0, 0, 0, 1, 1, 1);
    obj_box(&o, "right", 1 - overlap, 0, 0, 2 - overlap, 1, 1);
    char *text = NULL;
    assert_true(asprintf(&text, "mtllib looks.mtl\n%s", o.text) > 0);
    const char *path = write_text("model.obj", text);
    free(text);
    free(o.text);
    wait_a_while();
    return path;
}

static run ask(const char *model, const char *folder) {
    return folder ? RUN("check", model, "--unit", "m", "--format", "json", "--cache", folder)
                  : RUN("check", model, "--unit", "m", "--format", "json");
}

/* The answer is that without a cache; `said`: what the standard error holds. */
static void expect_same(const char *model, const char *folder, const char *said) {
    run with = ask(model, folder), without = ask(model, NULL);
    assert_int_equal(with.code, without.code);
    assert_string_equal(with.out, without.out);
    if (said)
        check_that(strstr(with.err, said) != NULL, "said: %s", with.err);
    else
        assert_string_equal(with.err, without.err);
    run_free(&with);
    run_free(&without);
}

/* Puts another corner into an entry and makes it whole again, as no accident does: an answer that changes by that came
 * of the entry. 0.95, where the second box begins, becomes 0.9. */
static void forge(const char *entry) {
    size_t size, changed = 0;
    unsigned char *bytes = read_bytes(entry, &size);
    const double from = (double)0.95f, to = 0.9;
    for (size_t i = 0; i + sizeof from <= size; i++) {
        if (memcmp(bytes + i, &from, sizeof from) != 0) continue;
        memcpy(bytes + i, &to, sizeof to);
        changed++;
    }
    assert_true(changed > 0);
    sha256 s;
    sha256_start(&s);
    sha256_add(&s, bytes, size - SHA256_SIZE);
    sha256_end(&s, bytes + size - SHA256_SIZE);
    replace(entry, bytes, size);
}

static double depth_of(const char *model, const char *folder) {
    run r = ask(model, folder);
    json_t *root = json_loads(r.out, 0, NULL);
    const json_t *first = json_array_get(json_object_get(root, "findings"), 0);
    const double depth = -json_number_value(json_object_get(first, "distance"));
    json_decref(root);
    run_free(&r);
    return depth;
}

static void an_unchanged_file_is_not_read_again(void **state) {
    (void)state;
    const char *model = write_model(0.05), *folder = scratch_path("cache");
    expect_same(model, folder, NULL); /* makes the folder */
    char *entry = only_entry(folder);
    assert_non_null(entry);
    expect_same(model, folder, NULL);
    forge(entry);
    check_that(fabs(depth_of(model, folder) - 0.1) < 1e-6, "%g deep", depth_of(model, folder));
    free(entry);
    remove_folder(folder);
}

static void what_has_changed_is_read_anew(void **state) {
    (void)state;
    const char *model = write_model(0.05), *folder = scratch_path("cache");
    expect_same(model, folder, NULL);
    char *entry = only_entry(folder);
    forge(entry);
    write_model(0.25); /* the same path, another content */
    check_that(fabs(depth_of(model, folder) - 0.25) < 1e-6, "%g deep", depth_of(model, folder));
    assert_int_equal(count_entries(folder), 2);
    write_model(0.05);
    check_that(fabs(depth_of(model, folder) - 0.1) < 1e-6, "%g deep", depth_of(model, folder)); /* the forged one */
    run r = RUN("check", model, "--unit", "m", "--chord", "2mm", "--cache", folder);
    run_free(&r);
    assert_int_equal(count_entries(folder), 3); /* of other options */
    /* what the reader looked for in vain is there now, then another */
    const char *looks = write_text("looks.mtl", "newmtl red\n");
    wait_a_while();
    check_that(fabs(depth_of(model, folder) - 0.05) < 1e-6, "%g deep", depth_of(model, folder));
    forge(entry);
    check_that(fabs(depth_of(model, folder) - 0.1) < 1e-6, "%g deep", depth_of(model, folder));
    write_text("looks.mtl", "newmtl blue\n");
    wait_a_while();
    check_that(fabs(depth_of(model, folder) - 0.05) < 1e-6, "%g deep", depth_of(model, folder));
    forge(entry);
    assert_int_equal(unlink(looks), 0);
    check_that(fabs(depth_of(model, folder) - 0.05) < 1e-6, "%g deep", depth_of(model, folder));
    free(entry);
    remove_folder(folder);
}

/* One bit wrong anywhere, any end missing, nothing, another file's entry: said, and read anew. */
static void a_damaged_entry_is_never_believed(void **state) {
    (void)state;
    const char *model = write_model(0.05), *folder = scratch_path("cache");
    expect_same(model, folder, NULL);
    char *entry = only_entry(folder);
    size_t size;
    unsigned char *bytes = read_bytes(entry, &size);
    unsigned char *good = malloc(size);
    memcpy(good, bytes, size);
    rng r = rng_start("damage", 1821);
    run without = ask(model, NULL);
    for (int i = 0; i < samples(24, 2000); i++) {
        size_t left = size;
        memcpy(bytes, good, size);
        const size_t at = i < 8 ? (size_t)i * 9 : rng_below(&r, (uint32_t)size);
        if (i % 3 == 2)
            left = at;
        else
            bytes[at] ^= (unsigned char)(1u << rng_below(&r, 8));
        replace(entry, bytes, left);
        run with = ask(model, folder);
        assert_string_equal(with.out, without.out);
        check_that(strstr(with.err, "is damaged") != NULL, "byte %zu of %zu: %s", at, size, with.err);
        run_free(&with);
        size_t now;
        assert_memory_equal(read_bytes(entry, &now), good, size); /* mended */
        assert_int_equal(now, size);
    }
    run_free(&without);
    /* whole, but of another key: what lies under a name that is not its own */
    bytes[20] ^= 1;
    sha256 s;
    sha256_start(&s);
    sha256_add(&s, bytes, size - SHA256_SIZE);
    sha256_end(&s, bytes + size - SHA256_SIZE);
    replace(entry, bytes, size);
    expect_same(model, folder, "is damaged");
    free(good);
    free(entry);
    remove_folder(folder);
}

static void a_folder_that_cannot_be_written_is_said_and_does_no_harm(void **state) {
    (void)state;
    const char *model = write_model(0.05), *file = write_text("no_folder", "x"), *folder = scratch_path("cache");
    expect_same(model, file, "cannot be written");
    expect_same(model, scratch_path("neither/nor"), "cannot be made");
    EXPECT(2, "--cache", "check", model, "--cache", "");
    /* no room: what was begun is taken away */
    struct rlimit before, none = {0, 0};
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    none.rlim_max = before.rlim_max;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &none), 0);
    run with = ask(model, folder);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_int_equal(with.code, 1);
    check_that(strstr(with.err, "cannot be written") != NULL, "said: %s", with.err);
    assert_null(only_entry(folder));
    run_free(&with);
    remove_folder(folder);
}

static void several_processes_share_a_folder(void **state) {
    (void)state;
    enum { PROCESSES = 6 };
    const char *model = write_model(0.05), *folder = scratch_path("cache");
    pid_t process[PROCESSES];
    run alone = ask(model, NULL);
    for (int i = 0; i < PROCESSES; i++) {
        process[i] = fork();
        if (process[i] != 0) continue;
        run r = ask(model, folder);
        _exit(strcmp(r.out, alone.out) == 0 && strcmp(r.err, alone.err) == 0 ? 0 : 1);
    }
    for (int i = 0; i < PROCESSES; i++) {
        int status;
        assert_int_equal(waitpid(process[i], &status, 0), process[i]);
        assert_int_equal(status, 0);
    }
    char *entry = only_entry(folder);
    assert_non_null(entry);
    run_free(&alone);
    expect_same(model, folder, NULL);
    free(entry);
    remove_folder(folder);
}

/* Outputs are kept from what the model refers to, from the cache too; a refused file is not kept. */
static void what_is_refused_is_refused_again(void **state) {
    (void)state;
    const char *folder = scratch_path("cache"), *bad = write_text("bad.obj", "v 0 0 0\nf 1 2 3\n");
    wait_a_while();
    for (int i = 0; i < 2; i++) EXPECT(2, "bad.obj", "check", bad, "--cache", folder);
    assert_int_equal(count_entries(folder), 0);
    const char *looks = write_text("looks.mtl", "newmtl red\n"), *model = write_model(0.05);
    for (int i = 0; i < 2; i++) {
        expect_same(model, folder, NULL);
        EXPECT(2, "looks.mtl", "check", model, "--unit", "m", "--cache", folder, "--junit", looks);
    }
    /* the same content in another file: the entry holds, and it is that file which must not be replaced */
    const char *other = write_text("other.mtl", "newmtl red\n");
    assert_int_equal(rename(other, looks), 0);
    EXPECT(2, "looks.mtl", "check", model, "--unit", "m", "--cache", folder, "--junit", looks);
    assert_int_equal(unlink(looks), 0);
    remove_folder(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_hash_is_that_of_the_standard),
        cmocka_unit_test(an_unchanged_file_is_not_read_again),
        cmocka_unit_test(what_has_changed_is_read_anew),
        cmocka_unit_test(a_damaged_entry_is_never_believed),
        cmocka_unit_test(a_folder_that_cannot_be_written_is_said_and_does_no_harm),
        cmocka_unit_test(several_processes_share_a_folder),
        cmocka_unit_test(what_is_refused_is_refused_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
