/* The farthest of few corners, by the fastest instruction set here. */
#ifndef HULL_KERNEL_H
#define HULL_KERNEL_H

#include "hull/hull.h"

/* As hull_scan and hull_scan_near (scan.h). */
typedef struct cm__hull_scans {
    uint32_t (*scan)(const cm_real *at, uint32_t padded, cm_vec3 d);
    void (*near)(const cm_real *at, uint32_t padded, cm_vec3 d, cm_real slack, uint32_t *bits);
} cm__hull_scans;
extern const cm__hull_scans cm__hull_scans_base, cm__hull_scans_avx2, cm__hull_scans_avx512;

const cm__hull_scans *cm__hull_scans_best(void);

#endif
