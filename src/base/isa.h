/* Which compilation of the inner loops (files named kernel.c) runs here; all of them give the same bits. */
#ifndef BASE_ISA_H
#define BASE_ISA_H

#include "carom/base.h"

typedef enum cm__isa { CM__ISA_BASE, CM__ISA_AVX2, CM__ISA_AVX512 } cm__isa;

/* The fastest set that the build has compiled for and this CPU runs; the environment variable CAROM_ISA (sse2, avx2,
 * avx512) forces a lesser one. It is looked up each time. */
cm__isa cm__isa_best(void);
/* The same, looked up once for all. */
cm__isa cm__isa_settled(void);

/* What a kernel.c offers, once for every set that the build has compiled it for, to be indexed by cm__isa: {name_base,
 * …}. `name` may have an & before it. */
#if defined(CAROM_ISA_AVX512)
#define CM__BY_ISA(name)                                                                                               \
    { name##_base, name##_avx2, name##_avx512 }
#else
#define CM__BY_ISA(name)                                                                                               \
    { name##_base }
#endif

#endif
