/* `carom simulate`: the events of the shipped launch, in closed form, and what is said of broken scenes. */
#include "command.h"

#include <math.h>

#define SCENES SOURCE_SCENES "/"

/* The time of the one line of the trace that starts with an event of these two; fails where there is none. */
static double time_of(const char *trace, const char *event) {
    const char *at = strstr(trace, event);
    check_that(at != NULL, "no %s in\n%s", event, trace);
    while (at > trace && at[-1] != '\n') at--;
    return strtod(strchr(at, ',') + 1, NULL);
}

static char *trace_of(const char *scene) {
    const char *path = scratch_path("trace.csv");
    EXPECT(0, NULL, "simulate", scene, "--trace", path);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *text = calloc(1, 1 << 20);
    check_that(fread(text, 1, (1 << 20) - 1, file) > 0, "an empty trace");
    fclose(file);
    return text;
}

/* left and right: 9 m at 10 m/s. far: from x = 20 to 29.5 at 9.5 m/s. up: 0.5 = 1 + 10 t - 5 t^2. */
static void the_launch_has_its_closed_form(void **state) {
    (void)state;
    char *trace = trace_of(SCENES "launch.json");
    double meet = time_of(trace, "hit,\"left\",\"right\""), wall = time_of(trace, "hit,\"wall\",\"far\"");
    double floor = time_of(trace, "hit,\"floor\",\"up\"");
    check_that(meet <= 0.9 && meet > 0.9 - 1e-9, "they meet at %.17g", meet);
    check_that(wall <= 1 && wall > 1 - 1e-9, "the wall at %.17g", wall);
    double exact = 1 + 1.0488088481701516;                               /* 1 + sqrt(1.1) */
    check_that(fabs(floor - exact) < 1e-4, "the floor at %.17g", floor); /* a step's way is straight */
    check_that(strstr(trace, "ended,\"left\",\"right\"") != NULL, "no end");
    free(trace);
}

/* At the end of a step neither car nor bullet touches; on the way both do. */
static void the_sweep_finds_what_frames_miss(void **state) {
    (void)state;
    char *trace = trace_of(SCENES "finish.json");
    time_of(trace, "entered,\"line, swept\",\"car, swept\"");
    time_of(trace, "hit,\"plate, swept\",\"bullet, swept\"");
    check_that(strstr(trace, "step's end") == NULL, "an event of the unswept");
    free(trace);
}

static void broken_scenes_say_where(void **state) {
    (void)state;
    static const struct {
        const char *text, *says;
    } bad[] = {
        {"{\n\"schema\": \n", ":3: no JSON"},
        {"[]", "is not an object"},
        {"{}", "\"schema\": \"carom-scene-1\" is missing"},
        {"{\"schema\": \"carom-scene-1\",\n \"obects\": []}",
         ":2: /obects: is not known here (did you mean 'objects'?)"},
        {"{\"schema\": \"carom-scene-1\",\n \"objects\": [\n {}]}", ":3: /objects/0: \"shape\" is missing"},
        {"{\"schema\": \"carom-scene-1\", \"objects\": [{\"shape\": {\"kind\": \"sphere\",\n\"radius\": -1}}]}",
         ":2: /objects/0/shape/radius: -1 is not from 0"},
        {"{\"schema\": \"carom-scene-1\", \"objects\": [{\"shape\": {\"kind\": \"bax\"}}]}", "did you mean 'box'?"},
        {"{\"schema\": \"carom-scene-1\", \"objects\": [{\"shape\": \"x\"}]}",
         "/objects/0/shape: no shape is called 'x'"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        EXPECT(2, bad[i].says, "simulate", write_text("bad.json", bad[i].text));
    EXPECT(2, "cannot be read", "simulate", "no-such-scene.json");
    EXPECT(2, "takes one scene file", "simulate");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_launch_has_its_closed_form),
        cmocka_unit_test(the_sweep_finds_what_frames_miss),
        cmocka_unit_test(broken_scenes_say_where),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
