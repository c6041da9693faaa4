/* For several threads over one memory (pool.ts): a heap with a lock, the interface through which the library hands out
 * work, and batches of rays in parts. Without threads nothing waits, and the lock is always free. */
#include "carom.h"
#include <stdlib.h>

#define EXPORT(name) __attribute__((export_name(#name), used))

/* --- the heap, which libc has without a lock; the linker puts these in place of libc's --- */

void *__real_malloc(size_t size);
void *__real_realloc(void *block, size_t size);
void __real_free(void *block);

static int heap_lock;       /* 0 free, 1 taken, 2 taken and waited for */
static uint32_t heap_pages; /* that the memory has: no thread sees at once how far others have made it grow */

static void heap_enter(void) {
#if defined(__wasm_atomics__)
    int free = 0;
    if (__atomic_compare_exchange_n(&heap_lock, &free, 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) return;
    while (__atomic_exchange_n(&heap_lock, 2, __ATOMIC_ACQUIRE) != 0)
        __builtin_wasm_memory_atomic_wait32(&heap_lock, 2, -1);
#endif
}
static void heap_leave(void) {
    const uint32_t pages = (uint32_t)__builtin_wasm_memory_size(0);
    if (pages > heap_pages) heap_pages = pages;
#if defined(__wasm_atomics__)
    if (__atomic_exchange_n(&heap_lock, 0, __ATOMIC_RELEASE) == 2) __builtin_wasm_memory_atomic_notify(&heap_lock, 1);
#endif
}
EXPORT(malloc) void *__wrap_malloc(size_t size) {
    heap_enter();
    void *block = __real_malloc(size);
    heap_leave();
    return block;
}
void *__wrap_realloc(void *block, size_t size) {
    heap_enter();
    block = __real_realloc(block, size);
    heap_leave();
    return block;
}
EXPORT(free) void __wrap_free(void *block) {
    heap_enter();
    __real_free(block);
    heap_leave();
}
/* Where the number of pages stands. */
EXPORT(pages) uint32_t *threads_pages(void) { return &heap_pages; }

/* --- work --- */

__attribute__((import_module("carom"), import_name("run"))) void
threads_run(void *user, int count, void (*fn)(void *arg, int index, int worker), void *arg);
static cm_tasks threads_tasks = {.workers = 1};

/* What descriptions point to from now on; NULL where the module has no atomic instructions. */
EXPORT(share) const cm_tasks *threads_share(int workers) {
#if defined(__wasm_atomics__)
    threads_tasks.workers = workers, threads_tasks.run = threads_run;
    return &threads_tasks;
#else
    (void)workers;
    return NULL;
#endif
}
/* Some indices of what `run` was given. */
EXPORT(work)
void threads_work(void (*fn)(void *arg, int index, int worker), void *arg, int first, int last, int worker) {
    for (int i = first; i < last; i++) fn(arg, i, worker);
}

/* --- batches of rays, which have no tasks of their own in the library --- */

enum { RAYS_PART = 512 };
typedef struct {
    const cm_ray *rays;
    uint32_t count, found;
    const cm_shape *shape;
    const cm_pose *pose;
    bool *met;
    cm_ray_hit *out;
} rays_job;

static void rays_some(void *arg, int index, int worker) {
    rays_job *job = arg;
    const uint32_t first = (uint32_t)index * RAYS_PART, left = job->count - first;
    const uint32_t found = cm_raycast_many(job->rays + first, left < RAYS_PART ? left : RAYS_PART, job->shape,
                                           job->pose, job->met + first, job->out ? job->out + first : NULL);
    (void)worker;
    __atomic_add_fetch(&job->found, found, __ATOMIC_RELAXED);
}
EXPORT(raycast_many)
uint32_t threads_raycast_many(const cm_ray *rays, uint32_t count, const cm_shape *shape, const cm_pose *pose, bool *met,
                              cm_ray_hit *out) {
    rays_job job = {.rays = rays, .count = count, .shape = shape, .pose = pose, .met = met, .out = out};
    const int parts = (int)((count + RAYS_PART - 1) / RAYS_PART);
    if (threads_tasks.workers > 1 && parts > 1)
        threads_run(NULL, parts, rays_some, &job);
    else
        return cm_raycast_many(rays, count, shape, pose, met, out);
    return job.found;
}
