/* The farthest of few corners, compiled once per instruction set (see broad/kernel.c): the same corner from all. */
#include "hull/kernel.h"
#include "hull/scan.h"

#if defined(CAROM_KERNEL_AVX512) /* which of the compilations this is */
#define HULL_SCANS cm__hull_scans_avx512
#elif defined(CAROM_KERNEL_AVX2)
#define HULL_SCANS cm__hull_scans_avx2
#else
#define HULL_SCANS cm__hull_scans_base
#endif

static uint32_t hull_scan_here(const cm_real *at, uint32_t padded, cm_vec3 d) { return hull_scan(at, padded, d); }
static void hull_near_here(const cm_real *at, uint32_t padded, cm_vec3 d, cm_real slack, uint32_t *bits) {
    hull_scan_near(at, padded, d, slack, bits);
}

const cm__hull_scans HULL_SCANS = {.scan = hull_scan_here, .near = hull_near_here};
