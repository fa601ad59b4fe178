#include "peer.h"

enum { n = 1000000, reps = 3 };
static const double rate = 0.02, volatility = 0.3;

static inline double normal_cdf(double x) { return 0.5 * (1 + erf(x / sqrt(2.0))); }

static void call(double *restrict price, const double *restrict s, const double *restrict strike,
                 const double *restrict t, double later) {
#pragma omp parallel for simd
    for (int i = 0; i < n; i++) {
        double years = t[i] + later, root = volatility * sqrt(years);
        double d1 = (log(s[i] / strike[i]) + (rate + 0.5 * volatility * volatility) * years) / root;
        price[i] = s[i] * normal_cdf(d1) - strike[i] * exp(-rate * years) * normal_cdf(d1 - root);
    }
}

int main(void) {
    double *s = doubles(n), *strike = doubles(n), *t = doubles(n), *price = doubles(n);
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        s[i] = 10 + 90 * number(i);
        strike[i] = 10 + 90 * (double)(i * 104729L % 1009) / 1009;
        t[i] = 0.25 + 2 * (double)(i * 31L % 997) / 997;
    }
    call(price, s, strike, t, 0);
    double start = now();
    for (int r = 0; r < reps; r++) call(price, s, strike, t, r);
    double seconds = (now() - start) / reps;
    printf("check %.17g %.17g\ntime %.9g\n", total(price, n), price[1000], seconds);
    free(s), free(strike), free(t), free(price);
}
