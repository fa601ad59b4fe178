#include "peer.h"

enum { bits = 20, n = 1 << bits, reps = 3 };

static void fft(double *restrict re, double *restrict im, const double *restrict re0, const double *restrict im0,
                const double *restrict wr, const double *restrict wi, const int *restrict reversed) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) re[i] = re0[reversed[i]], im[i] = im0[reversed[i]];
    for (int half = 1; half < n; half *= 2) {
        int groups = n / (2 * half);
#pragma omp parallel for collapse(2)
        for (int g = 0; g < groups; g++)
            for (int k = 0; k < half; k++) {
                int a = g * 2 * half + k, b = a + half;
                double c = wr[k * groups], s = wi[k * groups];
                double tr = re[b] * c - im[b] * s, ti = re[b] * s + im[b] * c;
                re[b] = re[a] - tr, im[b] = im[a] - ti;
                re[a] += tr, im[a] += ti;
            }
    }
}

static int reverse_bits(int i) {
    int r = 0;
    for (int b = 0; b < bits; b++) r = r << 1 | (i >> b & 1);
    return r;
}

int main(void) {
    double *re = doubles(n), *im = doubles(n), *x = doubles(n), *y = doubles(n), *wr = doubles(n / 2),
           *wi = doubles(n / 2), s = 0;
    int *reversed = memory(sizeof(int) * n);
    for (int i = 0; i < n / 2; i++) wr[i] = cos(-2 * M_PI * i / n), wi[i] = sin(-2 * M_PI * i / n);
    for (int i = 0; i < n; i++)
        reversed[i] = reverse_bits(i), x[i] = number(i), y[i] = (double)(i * 104729L % 1009) / 1009.0;
    fft(re, im, x, y, wr, wi, reversed);
    double start = now();
    for (int r = 0; r < reps; r++) fft(re, im, x, y, wr, wi, reversed);
    double seconds = (now() - start) / reps;
    for (int i = 0; i < n; i++) s += re[i] * re[i] + im[i] * im[i];
    printf("check %.17g %.17g %.17g\ntime %.9g\n", s, re[12345], im[54321], seconds);
    free(re), free(im), free(x), free(y), free(wr), free(wi), free(reversed);
}
