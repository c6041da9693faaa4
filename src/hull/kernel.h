/* The farthest of few corners, by the fastest instruction set here. */
#ifndef HULL_KERNEL_H
#define HULL_KERNEL_H

#include "hull/hull.h"

/* As hull_scan (scan.h). */
typedef uint32_t cm__hull_scan(const cm_real *at, uint32_t padded, cm_vec3 d);
cm__hull_scan cm__hull_scan_base, cm__hull_scan_avx2, cm__hull_scan_avx512;

cm__hull_scan *cm__hull_scan_best(void);

#endif
