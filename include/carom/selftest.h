/// carom/selftest.h: does the library compute here what it was tested to compute?
#ifndef CAROM_SELFTEST_H
#define CAROM_SELFTEST_H

#include "base.h"

CM_EXTERN_BEGIN

/// Looks at the calling thread's floating-point state, then asks a few hundred queries of every sort between shapes of
/// every kind that needs no memory, and compares a hash over all numbers in the answers with the recorded one.
/// Call it once where the library was compiled by your own build, and on each thread whose floating-point state a host
/// may have changed (audio and graphics frameworks, plug-in hosts).
/// @param error  says in `field` what is wrong; may be NULL:
///   "rounding"  numbers are not rounded to the nearest (fesetround);
///   "denormals" numbers below CM_REAL_MIN are taken or answered as 0 (x86: FTZ, DAZ; ARM: FZ; -ffast-math of any part
///               of the program may set it for all): verdicts at touching may then be wrong;
///   "bits"      the answers differ from those on the machines where the library is tested: compiled with flags that
///               change IEEE arithmetic, or wrongly.
/// @return CM_OK or CM_UNSUPPORTED. Allocates nothing; takes a few milliseconds.
CM_API cm_status cm_selftest(cm_error *error);

CM_EXTERN_END
#endif
