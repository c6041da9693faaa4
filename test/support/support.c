/* Random numbers, allocators and data for the tests. */
#include "support/support.h"

#include <math.h>
#include <stdarg.h>
#include <sys/stat.h>

rng rng_start(const char *what, uint64_t seed) {
    const char *shift = getenv("CAROM_SEED");
    if (shift) seed += 1000 * strtoull(shift, NULL, 10);
    print_message("  seed of %s: %llu\n", what, (unsigned long long)seed);
    rng r = {seed};
    return r;
}

/* splitmix64, Steele, Lea and Flood 2014 */
uint64_t rng_bits(rng *r) {
    uint64_t z = (r->state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}
uint32_t rng_below(rng *r, uint32_t n) { return (uint32_t)((rng_bits(r) >> 32) * n >> 32); }
double rng_unit(rng *r) { return (double)(rng_bits(r) >> 11) * 0x1p-53; }
double rng_range(rng *r, double lo, double hi) { return lo + (hi - lo) * rng_unit(r); }
double rng_log_range(rng *r, double lo, double hi) { return lo * exp(rng_unit(r) * log(hi / lo)); }
cm_vec3 rng_vec3(rng *r, double half) {
    double x = rng_range(r, -half, half), y = rng_range(r, -half, half), z = rng_range(r, -half, half);
    return cm_v(CM_REAL(x), CM_REAL(y), CM_REAL(z));
}
cm_vec3 rng_direction(rng *r) {
    double z = rng_range(r, -1, 1), phi = rng_range(r, 0, 6.283185307179586), s = sqrt(1 - z * z);
    return cm_normalize(cm_v(CM_REAL(s * cos(phi)), CM_REAL(s * sin(phi)), CM_REAL(z)), cm_v(0, 0, 1));
}
cm_quat rng_rotation(rng *r) { /* Shoemake 1992 */
    double u = rng_unit(r), v = rng_range(r, 0, 6.283185307179586), w = rng_range(r, 0, 6.283185307179586);
    cm_quat q;
    q.x = CM_REAL(sqrt(1 - u) * sin(v)), q.y = CM_REAL(sqrt(1 - u) * cos(v));
    q.z = CM_REAL(sqrt(u) * sin(w)), q.w = CM_REAL(sqrt(u) * cos(w));
    return cm_quat_normalize(q);
}
cm_pose rng_pose(rng *r, double half) {
    cm_pose p;
    p.position = rng_vec3(r, half);
    p.rotation = rng_rotation(r);
    return p;
}

bool has_parts(const cm_shape *s) {
    return s->kind == CM_SHAPE_MESH || s->kind == CM_SHAPE_HEIGHT_FIELD || s->kind == CM_SHAPE_COMPOUND;
}

static bool is_deep(void) {
    const char *text = getenv("CAROM_DEEP");
    return text && *text && strcmp(text, "0") != 0;
}
int share(void) {
    const char *text = getenv("CAROM_SHARE");
    long part = text && !is_deep() ? strtol(text, NULL, 10) : 1;
    return part < 1 ? 1 : part > 100 ? 100 : (int)part;
}
int samples(int normal, int deep) {
    if (is_deep()) return deep;
    return normal < 40 ? normal : normal / share();
}

int few_samples(int normal, int deep) {
    if (is_deep()) return deep;
    return normal < share() ? 1 : normal / share();
}

void promise_seen(const char *promise, long count, const char *seen, ...) {
    const char *path = getenv("CAROM_PROMISES");
    FILE *file = path ? fopen(path, "a") : NULL;
    if (!file) return;
    va_list list;
    va_start(list, seen);
    fprintf(file, "%s\t%ld\t", promise, count);
    vfprintf(file, seen, list);
    fputc('\n', file);
    va_end(list);
    fclose(file);
}

static const void *counting_thread(void) { /* another in every thread */
    static _Thread_local char place;
    return &place;
}

static void *counting_allocate(void *user, void *block, size_t old_size, size_t new_size) {
    counting_allocator *c = user;
    if (c->thread != counting_thread()) { /* where cmocka cannot fail a test */
        fputs("memory was asked for in a worker's thread\n", stderr);
        abort();
    }
    size_t *head = block ? (size_t *)block - 2 : NULL; /* the size stands 16 bytes before the block */
    if (head && *head != old_size) fail_msg("freed with size %zu, allocated with %zu", old_size, *head);
    if (new_size > 0 && ++c->calls == c->fail_at) return NULL;
    size_t *fresh = NULL;
    if (new_size > 0) {
        fresh = malloc(new_size + 2 * sizeof(size_t));
        if (!fresh) return NULL;
        *fresh = new_size;
        if (head) memcpy(fresh + 2, block, old_size < new_size ? old_size : new_size);
        c->live_blocks += 1;
        c->live_bytes += new_size;
    }
    if (head) {
        free(head);
        c->live_blocks -= 1;
        c->live_bytes -= old_size;
    }
    if (c->live_bytes > c->peak_bytes) c->peak_bytes = c->live_bytes;
    return fresh ? fresh + 2 : NULL;
}

void counting_allocator_start(counting_allocator *c, size_t fail_at) {
    memset(c, 0, sizeof *c);
    c->mem.user = c;
    c->mem.allocate = counting_allocate;
    c->thread = counting_thread();
    c->fail_at = fail_at;
}

const char *data_path(const char *relative) {
    static char path[4096];
    const char *folder = getenv("CAROM_TEST_DATA");
    struct stat info;
    if (!folder || stat(folder, &info) != 0) {
        print_message("  SKIPPED: no recorded data at CAROM_TEST_DATA (%s)\n", folder ? folder : "not set");
        return NULL;
    }
    snprintf(path, sizeof path, "%s/%s", folder, relative);
    if (stat(path, &info) != 0) fail_msg("recorded data is there, but not %s", path);
    return path;
}
