/* Several processes by mpirun. */
#ifndef TEST_CLI_LAUNCHER_H
#define TEST_CLI_LAUNCHER_H

#include <stdbool.h>

/* As root, on one machine without ssh, in a container. */
#define LAUNCHER                                                                                                       \
    "env OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_plm=isolated "                             \
    "OMPI_MCA_btl_vader_single_copy_mechanism=none ASAN_OPTIONS=detect_leaks=0 "
#define MPIRUN "mpirun -q --oversubscribe --bind-to none -n "

/* Says loudly that a test skips where there is no launcher, where it starts nothing (it needs a network interface, if
 * only the loopback), or where the command was built without MPI. */
bool has_launcher(void);

#endif
