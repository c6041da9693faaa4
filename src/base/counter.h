/* Counters that any number of threads may add to. Nothing else is ordered by them. */
#ifndef BASE_COUNTER_H
#define BASE_COUNTER_H

#include <stdint.h>

#if defined(_MSC_VER) && !defined(__clang__)
#include <intrin.h>
#endif

/* Returns what it then is. */
static inline uint32_t counter_add(uint32_t *counter, uint32_t by) {
#if defined(__GNUC__) || defined(__clang__)
    return __atomic_add_fetch(counter, by, __ATOMIC_RELAXED);
#elif defined(_MSC_VER)
    return (uint32_t)_InterlockedExchangeAdd((volatile long *)counter, (long)by) + by;
#else
#error "no atomic addition is known for this compiler"
#endif
}

static inline uint32_t counter_get(uint32_t *counter) {
#if defined(__GNUC__) || defined(__clang__)
    return __atomic_load_n(counter, __ATOMIC_RELAXED);
#else
    return (uint32_t)_InterlockedExchangeAdd((volatile long *)counter, 0);
#endif
}

#endif
