/* Chromium's DevTools protocol over --remote-debugging-pipe: it reads commands from descriptor 3 and writes answers and
 * events to 4, each a JSON text ended by a zero byte. */
#define _XOPEN_SOURCE 700 /* nftw */
#include "browser.h"
#include "support.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PATIENCE 60 /* seconds until what is waited for is told; nothing fails by it */

struct browser {
    pid_t process;
    int to, from;
    char profile[64];
    char *session;
    char *pending; /* bytes read, not yet a whole message */
    size_t pending_size, pending_room;
    int last_id, requests;
    char complaints[4096];
};

static double now_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int remove_entry(const char *path, const struct stat *s, int kind, struct FTW *where) {
    (void)s, (void)kind, (void)where;
    remove(path);
    return 0;
}

/* --- messages -------------------------------------------------------------------------------------------------- */

static void complain(browser *b, const char *text) {
    size_t used = strlen(b->complaints);
    snprintf(b->complaints + used, sizeof b->complaints - used, "%s\n", text ? text : "(no text)");
}

static void note_event(browser *b, const json_t *event) {
    const char *method = json_string_value(json_object_get(event, "method"));
    const json_t *params = json_object_get(event, "params");
    const char *url = NULL, *text = NULL, *level = NULL;
    if (!method) return;
    if (strcmp(method, "Network.requestWillBeSent") == 0) {
        json_unpack((json_t *)params, "{s:{s:s}}", "request", "url", &url);
        if (url && strncmp(url, "file:", 5) != 0 && strncmp(url, "data:", 5) != 0) {
            b->requests++;
            complain(b, url);
        }
    } else if (strcmp(method, "Runtime.exceptionThrown") == 0) {
        json_unpack((json_t *)params, "{s:{s:{s:s}}}", "exceptionDetails", "exception", "description", &text);
        complain(b, text);
    } else if (strcmp(method, "Log.entryAdded") == 0) {
        json_unpack((json_t *)params, "{s:{s:s,s:s}}", "entry", "level", &level, "text", &text);
        if (level && strcmp(level, "error") == 0) complain(b, text);
    }
}

/* The next whole message; NULL when the browser is gone. */
static json_t *next_message(browser *b) {
    for (;;) {
        char *end = b->pending_size ? memchr(b->pending, 0, b->pending_size) : NULL;
        if (end) {
            json_t *message = json_loads(b->pending, 0, NULL);
            size_t used = (size_t)(end - b->pending) + 1;
            memmove(b->pending, b->pending + used, b->pending_size -= used);
            return message;
        }
        if (b->pending_room - b->pending_size < 65536)
            b->pending = realloc(b->pending, b->pending_room = 2 * b->pending_room + 65536);
        ssize_t got = read(b->from, b->pending + b->pending_size, b->pending_room - b->pending_size);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return NULL;
        b->pending_size += (size_t)got;
    }
}

/* Sends a command and waits for its result, which the caller lets go; `params` is used up. */
static json_t *command(browser *b, const char *method, json_t *params) {
    int id = ++b->last_id;
    json_t *message = json_pack("{s:i,s:s,s:o}", "id", id, "method", method, "params", params ? params : json_object());
    if (b->session) json_object_set_new(message, "sessionId", json_string(b->session));
    char *text = json_dumps(message, JSON_COMPACT);
    json_decref(message);
    for (size_t at = 0, size = strlen(text) + 1; at < size;) {
        ssize_t put = write(b->to, text + at, size - at);
        if (put < 0 && errno == EINTR) continue;
        check_that(put > 0, "the browser does not listen: %s", strerror(errno));
        at += (size_t)put;
    }
    free(text);
    json_t *answer;
    while ((answer = next_message(b))) {
        json_t *of = json_object_get(answer, "id");
        if (of && json_integer_value(of) == id) {
            json_t *result = json_incref(json_object_get(answer, "result"));
            char *error = json_dumps(json_object_get(answer, "error"), JSON_ENCODE_ANY);
            json_decref(answer);
            check_that(result != NULL, "%s: %s", method, error ? error : "?");
            free(error);
            return result;
        }
        if (!of) note_event(b, answer);
        json_decref(answer);
    }
    check_that(false, "%s: no answer from the browser", method);
    return NULL;
}

static void tell(browser *b, const char *method, json_t *params) { json_decref(command(b, method, params)); }

/* --- start and end ----------------------------------------------------------------------------------------------- */

static bool found_in_path(const char *name) {
    if (strchr(name, '/')) return access(name, X_OK) == 0;
    const char *path = getenv("PATH");
    while (path && *path) {
        size_t n = strcspn(path, ":");
        char full[1024];
        snprintf(full, sizeof full, "%.*s/%s", (int)n, path, name);
        if (access(full, X_OK) == 0) return true;
        path += n + (path[n] == ':');
    }
    return false;
}

static void become_chromium(const char *name, const char *profile, int commands, int answers) {
    char data[128];
    snprintf(data, sizeof data, "--user-data-dir=%s", profile);
    int null = open("/dev/null", O_RDWR);
    if (null < 0 || dup2(null, 0) < 0 || dup2(null, 1) < 0 || dup2(null, 2) < 0) _exit(127);
    int in = fcntl(commands, F_DUPFD, 10), out = fcntl(answers, F_DUPFD, 10); /* out of the way of 3 and 4 */
    if (in < 0 || out < 0 || dup2(in, 3) < 0 || dup2(out, 4) < 0) _exit(127);
    setpgid(0, 0);
    const char *words[] = {name,
                           "--headless",
                           "--remote-debugging-pipe",
                           "--disable-gpu",
                           "--disable-quic",
                           "--no-first-run",
                           "--no-default-browser-check",
                           "--disable-background-networking",
                           "--disable-component-update",
                           "--disable-sync",
                           "--disable-extensions",
                           "--disable-dev-shm-usage",
                           "--hide-scrollbars",
                           "--use-gl=angle",
                           "--use-angle=swiftshader",
                           "--enable-unsafe-swiftshader",
                           "--webgl-antialiasing-mode=none", /* four samples a pixel would be drawn by the processor */
                           "--webgl-msaa-sample-count=0",
                           data,
                           geteuid() == 0 ? "--no-sandbox" : "--mute-audio",
                           "about:blank",
                           NULL};
    execvp(name, (char *const *)(uintptr_t)words);
    _exit(127);
}

browser *browser_open(void) {
    static const char *const names[] = {"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"};
    const char *name = getenv("CAROM_CHROMIUM");
    for (size_t i = 0; !name && i < sizeof names / sizeof *names; i++)
        if (found_in_path(names[i])) name = names[i];
    if (!name || !found_in_path(name)) {
        print_message("SKIPPED: no Chromium on this machine (CAROM_CHROMIUM names one elsewhere)\n");
        return NULL;
    }
    browser *b = calloc(1, sizeof *b);
    int commands[2], answers[2];
    strcpy(b->profile, "/tmp/carom-browser-XXXXXX");
    check_that(mkdtemp(b->profile) && pipe(commands) == 0 && pipe(answers) == 0, "%s", strerror(errno));
    signal(SIGPIPE, SIG_IGN);
    b->process = fork();
    if (b->process == 0) {
        close(commands[1]), close(answers[0]);
        become_chromium(name, b->profile, commands[0], answers[1]);
    }
    close(commands[0]), close(answers[1]);
    b->to = commands[1], b->from = answers[0];
    json_t *made = command(b, "Target.createTarget", json_pack("{s:s}", "url", "about:blank"));
    json_t *attached = command(b, "Target.attachToTarget",
                               json_pack("{s:O,s:b}", "targetId", json_object_get(made, "targetId"), "flatten", 1));
    b->session = strdup(json_string_value(json_object_get(attached, "sessionId")));
    json_decref(made);
    json_decref(attached);
    const char *const domains[] = {"Page.enable", "Runtime.enable", "Network.enable", "Log.enable"};
    for (size_t i = 0; i < sizeof domains / sizeof *domains; i++) tell(b, domains[i], NULL);
    return b;
}

void browser_close(browser *b) {
    if (!b) return;
    close(b->to);
    close(b->from); /* it ends when the pipe does */
    double deadline = now_seconds() + 5;
    while (waitpid(b->process, NULL, WNOHANG) == 0) {
        if (now_seconds() > deadline) {
            kill(-b->process, SIGKILL);
            waitpid(b->process, NULL, 0);
            break;
        }
        nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    }
    nftw(b->profile, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    free(b->session);
    free(b->pending);
    free(b);
}

/* --- use ---------------------------------------------------------------------------------------------------------- */

void browser_go(browser *b, const char *path, const char *hash, int width, int height, unsigned mood,
                const char *ready) {
    char *full = realpath(path, NULL), url[4200];
    check_that(full != NULL, "%s: %s", path, strerror(errno));
    snprintf(url, sizeof url, "file://%s%s", full, hash);
    free(full);
    tell(b, "Emulation.setDeviceMetricsOverride",
         json_pack("{s:i,s:i,s:i,s:b}", "width", width, "height", height, "deviceScaleFactor", 1, "mobile", 0));
    tell(b, "Emulation.setEmulatedMedia",
         json_pack("{s:[{s:s,s:s},{s:s,s:s}]}", "features", "name", "prefers-color-scheme", "value",
                   mood & BROWSER_DARK ? "dark" : "light", "name", "prefers-reduced-motion", "value",
                   mood & BROWSER_CALM ? "reduce" : "no-preference"));
    json_decref(browser_eval(b, "window.onbeforeunload = null")); /* or a page that has unsaved work asks, and waits */
    tell(b, "Page.navigate", json_pack("{s:s}", "url", "about:blank"));
    b->requests = 0;
    b->complaints[0] = 0;
    tell(b, "Page.navigate", json_pack("{s:s}", "url", url));
    for (double told = now_seconds();;) {
        json_t *value = browser_eval(b, ready);
        bool done = json_is_true(value);
        json_decref(value);
        if (done) return;
        if (now_seconds() - told > PATIENCE) {
            print_error("  %s: not yet so: %s; complaints: %s\n", path, ready, b->complaints);
            told = now_seconds();
        }
        nanosleep(&(struct timespec){.tv_nsec = 30000000}, NULL);
    }
}

void browser_before(browser *b, const char *script) {
    tell(b, "Page.addScriptToEvaluateOnNewDocument", json_pack("{s:s}", "source", script));
}

json_t *browser_eval(browser *b, const char *expression) {
    json_t *answer =
        command(b, "Runtime.evaluate",
                json_pack("{s:s,s:b,s:b}", "expression", expression, "awaitPromise", 1, "returnByValue", 1));
    json_t *thrown = json_object_get(answer, "exceptionDetails");
    if (thrown) {
        char *text = json_dumps(thrown, 0);
        check_that(false, "%.200s threw: %s", expression, text);
    }
    json_t *value = json_incref(json_object_get(json_object_get(answer, "result"), "value"));
    json_decref(answer);
    return value;
}

static void mouse(browser *b, const char *type, double x, double y, int buttons, double down) {
    tell(b, "Input.dispatchMouseEvent",
         json_pack("{s:s,s:f,s:f,s:s,s:i,s:i,s:f,s:f}", "type", type, "x", x, "y", y, "button",
                   buttons || strcmp(type, "mouseReleased") == 0 ? "left" : "none", "buttons", buttons, "clickCount", 1,
                   "deltaX", 0.0, "deltaY", down));
}

void browser_click(browser *b, double x, double y) { browser_drag(b, x, y, x, y); }

void browser_drag(browser *b, double x0, double y0, double x1, double y1) {
    mouse(b, "mouseMoved", x0, y0, 0, 0);
    mouse(b, "mousePressed", x0, y0, 1, 0);
    if (x0 != x1 || y0 != y1) {
        mouse(b, "mouseMoved", (x0 + x1) / 2, (y0 + y1) / 2, 1, 0);
        mouse(b, "mouseMoved", x1, y1, 1, 0);
    }
    mouse(b, "mouseReleased", x1, y1, 0, 0);
}

void browser_wheel(browser *b, double x, double y, double down) { mouse(b, "mouseWheel", x, y, 0, down); }

void browser_key(browser *b, const char *key, int code) {
    const char *const types[] = {"rawKeyDown", "keyUp"};
    for (int i = 0; i < 2; i++)
        tell(b, "Input.dispatchKeyEvent",
             json_pack("{s:s,s:s,s:i}", "type", types[i], "key", key, "windowsVirtualKeyCode", code));
}

void browser_picture(browser *b, const char *path) {
    json_t *answer = command(b, "Page.captureScreenshot", NULL);
    const char *data = json_string_value(json_object_get(answer, "data"));
    FILE *file = data ? fopen(path, "wb") : NULL;
    unsigned bits = 0, count = 0;
    for (; file && *data; data++) {
        static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        const char *digit = strchr(digits, *data);
        if (!digit) break;
        bits = bits << 6 | (unsigned)(digit - digits);
        if (++count % 4 != 1) fputc((int)(bits >> (6 - 2 * ((count - 1) % 4)) & 255), file);
    }
    if (file) fclose(file);
    json_decref(answer);
}

int browser_requests(const browser *b) { return b->requests; }
const char *browser_complaints(const browser *b) { return b->complaints; }
