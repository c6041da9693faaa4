/* Several processes: see launcher.h. */
#include "cli/launcher.h"

#include <stdio.h>
#include <stdlib.h>

bool has_launcher(void) {
#ifdef CAROM_MPI
    if (system(LAUNCHER MPIRUN "2 true >/dev/null 2>&1") == 0) return true;
#endif
    fprintf(stderr, "SKIPPED: no mpirun that starts, or a carom without MPI (openmpi-bin, libopenmpi-dev)\n");
    return false;
}
