/* A small pool of threads behind cm_tasks. Workers take indices from a shared counter; results must not depend on which
 * worker runs which index, and nothing in the library lets them. */
#if !defined(_WIN32) && !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 200809L
#endif
#include "base/tasks.h"
#include "base/memory.h"

int cm__workers(const cm_tasks *tasks) { return tasks && tasks->run && tasks->workers > 1 ? tasks->workers : 1; }

void cm__run(const cm_tasks *tasks, int count, void (*fn)(void *arg, int index, int worker), void *arg) {
    if (cm__workers(tasks) > 1 && count > 1) {
        tasks->run(tasks->user, count, fn, arg);
        return;
    }
    for (int i = 0; i < count; ++i) fn(arg, i, 0);
}

#if defined(_WIN32) || defined(__wasm__)

cm_status cm_pool_create(int workers, const cm_allocator *mem, cm_pool **out) {
    (void)workers, (void)mem, (void)out;
    return CM_UNSUPPORTED;
}
void cm_pool_tasks(cm_pool *pool, cm_tasks *out) {
    (void)pool;
    out->user = NULL, out->workers = 1, out->run = NULL;
}
void cm_pool_destroy(cm_pool *pool) { (void)pool; }

#else

#include <pthread.h>
#include <unistd.h>

enum { POOL_MAX_WORKERS = 1024 };

typedef struct pool_worker {
    struct cm_pool *pool;
    int number;
    pthread_t thread;
} pool_worker;

struct cm_pool {
    cm_allocator mem; /* a copy; without `allocate` it means malloc */
    int workers;
    int started; /* threads that run: workers - 1, or fewer while starting */
    pthread_mutex_t lock;
    pthread_cond_t wake, done;
    uint64_t generation; /* counts jobs */
    int busy;            /* threads still in the current job */
    bool quit;
    int next, count; /* the current job's counter, under lock */
    void (*fn)(void *arg, int index, int worker);
    void *arg;
    pool_worker list[];
};

static size_t pool_size(int workers) { return sizeof(cm_pool) + (size_t)workers * sizeof(pool_worker); }

/* Takes indices until none is left. Chunks keep the lock rare; eight a worker keep the ends even. */
static void pool_work(cm_pool *pool, int worker) {
    for (;;) {
        pthread_mutex_lock(&pool->lock);
        int first = pool->next;
        int chunk = pool->count / (8 * pool->workers);
        int last = pool->count - first > chunk + 1 ? first + chunk + 1 : pool->count;
        pool->next = last;
        pthread_mutex_unlock(&pool->lock);
        if (first >= last) return;
        for (int i = first; i < last; ++i) pool->fn(pool->arg, i, worker);
    }
}

static void *pool_thread(void *arg) {
    pool_worker *self = arg;
    cm_pool *pool = self->pool;
    uint64_t seen = 0;
    pthread_mutex_lock(&pool->lock);
    for (;;) {
        while (pool->generation == seen && !pool->quit) pthread_cond_wait(&pool->wake, &pool->lock);
        if (pool->quit) break;
        seen = pool->generation;
        pthread_mutex_unlock(&pool->lock);
        pool_work(pool, self->number);
        pthread_mutex_lock(&pool->lock);
        if (--pool->busy == 0) pthread_cond_signal(&pool->done);
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

static void pool_run(void *user, int count, void (*fn)(void *arg, int index, int worker), void *arg) {
    cm_pool *pool = user;
    pthread_mutex_lock(&pool->lock);
    pool->next = 0;
    pool->count = count;
    pool->fn = fn;
    pool->arg = arg;
    pool->busy = pool->started;
    ++pool->generation;
    pthread_cond_broadcast(&pool->wake);
    pthread_mutex_unlock(&pool->lock);
    pool_work(pool, 0);
    pthread_mutex_lock(&pool->lock);
    while (pool->busy > 0) pthread_cond_wait(&pool->done, &pool->lock);
    pthread_mutex_unlock(&pool->lock);
}

static int pool_cpu_count(void) {
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n < 1 ? 1 : n > POOL_MAX_WORKERS ? POOL_MAX_WORKERS : (int)n;
}

cm_status cm_pool_create(int workers, const cm_allocator *mem, cm_pool **out) {
    if (workers < 0 || workers > POOL_MAX_WORKERS || !out) return CM_INVALID;
    if (workers == 0) workers = pool_cpu_count();
    cm_pool *pool = cm__alloc(mem, 1, pool_size(workers));
    if (!pool) return CM_NO_MEMORY;
    pool->mem.user = mem ? mem->user : NULL;
    pool->mem.allocate = mem ? mem->allocate : NULL;
    pool->workers = workers;
    pool->started = 0;
    pool->generation = 0;
    pool->busy = 0;
    pool->quit = false;
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->wake, NULL);
    pthread_cond_init(&pool->done, NULL);
    for (int i = 1; i < workers; ++i) {
        pool_worker *worker = &pool->list[i];
        worker->pool = pool;
        worker->number = i;
        if (pthread_create(&worker->thread, NULL, pool_thread, worker) != 0) {
            cm_pool_destroy(pool);
            return CM_LIMIT;
        }
        pool->started = i;
    }
    *out = pool;
    return CM_OK;
}

void cm_pool_tasks(cm_pool *pool, cm_tasks *out) {
    out->user = pool;
    out->workers = pool->workers;
    out->run = pool_run;
}

void cm_pool_destroy(cm_pool *pool) {
    if (!pool) return;
    pthread_mutex_lock(&pool->lock);
    pool->quit = true;
    pthread_cond_broadcast(&pool->wake);
    pthread_mutex_unlock(&pool->lock);
    for (int i = 1; i <= pool->started; ++i) pthread_join(pool->list[i].thread, NULL);
    pthread_cond_destroy(&pool->done);
    pthread_cond_destroy(&pool->wake);
    pthread_mutex_destroy(&pool->lock);
    cm_allocator mem = pool->mem;
    cm__free(&mem, pool, 1, pool_size(pool->workers));
}

#endif
