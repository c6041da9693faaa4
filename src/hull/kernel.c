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
static uint32_t hull_sure_here(const cm_real *at, uint32_t padded, cm_vec3 d, cm_real slack) {
    return hull_scan_sure(at, padded, d, slack);
}

const cm__hull_scans HULL_SCANS = {.scan = hull_scan_here, .sure = hull_sure_here};
