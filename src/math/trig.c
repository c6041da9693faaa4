/* Sine, cosine, arctangent by reduction and polynomials.
 *
 * x - k pi/2 in two parts of pi/2 (33 bits and the rest, so that k times the first is exact to k < 2^20), then the
 * Taylor series to x^15 / x^16 on [-pi/4, pi/4]: the first term left out is below 2^-56. The arctangent is halved until
 * its argument is below tan(pi/16), where its series to the 23rd power leaves less than 2^-56. */
#include "math/trig.h"

#include <math.h>
#include <stdbool.h>

void cm__sine_cosine(double x, double *sine, double *cosine) {
    static const double quarter_high = 1.57079632673412561417e+00, quarter_low = 6.07710050650619224932e-11;
    *sine = 0, *cosine = 1;
    if (!(fabs(x) <= 1e15)) return;
    double k = floor(x / (quarter_high + quarter_low) + 0.5);
    double r = (x - k * quarter_high) - k * quarter_low, z = r * r;
    double s =
        r + r * z *
                (-1.0 / 6 +
                 z * (1.0 / 120 +
                      z * (-1.0 / 5040 + z * (1.0 / 362880 + z * (-1.0 / 39916800 +
                                                                  z * (1.0 / 6227020800.0 - z / 1307674368000.0))))));
    double c =
        1 + z * (-0.5 +
                 z * (1.0 / 24 +
                      z * (-1.0 / 720 + z * (1.0 / 40320 + z * (-1.0 / 3628800 +
                                                                z * (1.0 / 479001600 + z * (-1.0 / 87178291200.0 +
                                                                                            z / 20922789888000.0)))))));
    int turn = (int)(k - 4 * floor(k / 4));
    *sine = turn == 0 ? s : turn == 1 ? c : turn == 2 ? -s : -c;
    *cosine = turn == 0 ? c : turn == 1 ? -s : turn == 2 ? -c : s;
}

double cm__angle_of(double y, double x) {
    static const double pi = 3.14159265358979323846;
    double big = fabs(x) > fabs(y) ? fabs(x) : fabs(y);
    if (!(big > 0)) return 0;
    x /= big, y /= big;
    bool back = x < 0, steep;
    if (back) x = -x;
    steep = y > x;
    double t = steep ? x / y : y / x; /* in [0, 1] */
    t = t / (1 + sqrt(1 + t * t));    /* the tangent of half the angle */
    t = t / (1 + sqrt(1 + t * t));
    double z = t * t, sum = 0;
    for (int n = 23; n >= 1; n -= 2) sum = 1.0 / n - z * sum;
    double angle = 4 * t * sum;
    if (steep) angle = pi / 2 - angle;
    return back ? pi - angle : angle;
}
