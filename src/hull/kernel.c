/* The farthest of few corners, compiled once per instruction set (see broad/kernel.c): the same corner from all. */
#include "hull/kernel.h"
#include "hull/scan.h"

#if defined(CAROM_KERNEL_AVX512) /* which of the compilations this is */
#define HULL_SCAN_NAME cm__hull_scan_avx512
#elif defined(CAROM_KERNEL_AVX2)
#define HULL_SCAN_NAME cm__hull_scan_avx2
#else
#define HULL_SCAN_NAME cm__hull_scan_base
#endif

uint32_t HULL_SCAN_NAME(const cm_real *at, uint32_t padded, cm_vec3 d) { return hull_scan(at, padded, d); }
