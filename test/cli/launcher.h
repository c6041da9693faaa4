/* Several processes by mpirun. */
#ifndef TEST_CLI_LAUNCHER_H
#define TEST_CLI_LAUNCHER_H

#include <stdbool.h>

/* As root, on one machine without ssh, in a container. Messages go through memory, other ways are not looked for at the
 * start; who waits lets others work; and where the first ends with a verdict, the launcher does not wait a second
 * before it ends the others, which have ended. */
#define LAUNCHER                                                                                                       \
    "env OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_plm=isolated "                             \
    "OMPI_MCA_pml=ob1 OMPI_MCA_btl_vader_single_copy_mechanism=none OMPI_MCA_mpi_yield_when_idle=1 "                   \
    "OMPI_MCA_odls_base_sigkill_timeout=0 ASAN_OPTIONS=detect_leaks=0 "
#define MPIRUN "mpirun -q --oversubscribe --bind-to none -n "

/* Says loudly that a test skips where there is no launcher, where it starts nothing (it needs a network interface, if
 * only the loopback), or where the command was built without MPI. */
bool has_launcher(void);

#endif
