// The same by libqd (dd_real, Hida, Li, Bailey), or with -DQUAD by the compiler's __float128 and libquadmath
#include <cstdio>
#include <ctime>
#include <vector>
#ifdef QUAD
#include <quadmath.h>
typedef __float128 Real;
static Real sqrt(Real x) { return sqrtq(x); }
static Real exp(Real x) { return expq(x); }
static Real log(Real x) { return logq(x); }
static Real sin(Real x) { return sinq(x); }
static double to_f64(Real x) { return (double)x; }
#else
#include <qd/dd_real.h>
#include <qd/fpu.h>
typedef dd_real Real;
static double to_f64(const Real &x) { return to_double(x); }
#endif
enum { n = 100000, reps = 5 };
static double now() {
    timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}
static void report(const char *what, double seconds, const std::vector<Real> &z) {
    Real sum = Real(0.0);
    for (const Real &v : z) sum += v;
    printf("%s %.17g %.17g\n", what, seconds / n * 1e9, to_f64(sum + z.back() * z[0]));
}
template <class F> static void each(const char *what, std::vector<Real> &r, const std::vector<Real> &x, F f) {
    double start = now();
    for (int i = 0; i < n; i++) r[i] = f(x[i], i);
    report(what, now() - start, r);
}
int main() {
    std::vector<Real> x(n), y(n), r(n);
    for (int i = 0; i < n; i++) x[i] = Real(1.0) / Real(1000.0) + Real(6.0) * Real(1.0 * i) / Real(1.0 * n), y[i] = Real(1.0) + Real(1.0) / Real(i + 1.0);
    double start = now();
    Real by = Real(reps * 1000.0);
    for (int k = 0; k < reps; k++)
        for (int i = 0; i < n; i++) y[i] = y[i] + x[i] * y[i] / by;
    double seconds = (now() - start) / reps;
    report("axpy", seconds, y);
    start = now();
    Real sum = Real(0.0);
    for (int i = 0; i < n; i++) sum += x[i] * y[i];
    seconds = now() - start;
    report("dot", seconds, std::vector<Real>(1, sum));
    each("div", r, x, [&](const Real &v, int i) { return y[i] / v; });
    each("sqrt", r, x, [](const Real &v, int) { return sqrt(v); });
    each("exp", r, x, [](const Real &v, int) { return exp(v); });
    each("log", r, x, [](const Real &v, int) { return log(v); });
    each("sin", r, x, [](const Real &v, int) { return sin(v); });
}
