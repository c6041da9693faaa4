/* The CPU's instruction sets, as far as the inner loops are compiled for them. */
#include "base/isa.h"

#include <stdlib.h>
#include <string.h>

/* CAROM_ISA_AVX2 and CAROM_ISA_AVX512 are defined, both, where the build has compiled every kernel.c for them too. */
static cm__isa isa_of_cpu(void) {
#if defined(CAROM_ISA_AVX512) && defined(__GNUC__)
    if (!__builtin_cpu_supports("fma")) return CM__ISA_BASE;
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512dq"))
        return CM__ISA_AVX512;
    if (__builtin_cpu_supports("avx2")) return CM__ISA_AVX2;
#endif
    return CM__ISA_BASE;
}

cm__isa cm__isa_best(void) {
    const char *forced = getenv("CAROM_ISA");
    cm__isa best = isa_of_cpu(), most = CM__ISA_AVX512;
    if (forced && strcmp(forced, "avx512") != 0) most = strcmp(forced, "avx2") == 0 ? CM__ISA_AVX2 : CM__ISA_BASE;
    return best < most ? best : most;
}

/* Looking into the environment takes as long as a short query. Whoever is first, it is the same number. */
cm__isa cm__isa_settled(void) {
#if defined(CAROM_ISA_AVX512)
    static int settled; /* 0: not yet; else one more than the number */
    int isa = __atomic_load_n(&settled, __ATOMIC_RELAXED);
    if (isa == 0) {
        isa = (int)cm__isa_best() + 1;
        __atomic_store_n(&settled, isa, __ATOMIC_RELAXED);
    }
    return (cm__isa)(isa - 1);
#else
    return CM__ISA_BASE;
#endif
}
