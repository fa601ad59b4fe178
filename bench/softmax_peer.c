#include "peer.h"

enum { rows = 2000, cols = 1000, reps = 5 };

static void soft(double *restrict x, double scale) {
#pragma omp parallel for
    for (int64_t i = 0; i < rows; i++) {
        double *row = x + i * cols, top = -INFINITY, sum = 0;
#pragma omp simd reduction(max : top)
        for (int64_t j = 0; j < cols; j++) top = row[j] * scale > top ? row[j] * scale : top;
        for (int64_t j = 0; j < cols; j++) row[j] = exp(row[j] * scale - top);
#pragma omp simd reduction(+ : sum)
        for (int64_t j = 0; j < cols; j++) sum += row[j];
#pragma omp simd
        for (int64_t j = 0; j < cols; j++) row[j] /= sum;
    }
}

int main(void) {
    double *x = doubles(rows * cols), s = 0;
#pragma omp parallel for
    for (int64_t i = 0; i < rows * cols; i++) x[i] = number(i);
    soft(x, 1);
    double start = now();
    for (int r = 0; r < reps; r++) soft(x, 3);
    double seconds = (now() - start) / reps;
    for (int64_t i = 0; i < rows * cols; i++) s += x[i] * x[i];
    report(s, seconds);
    free(x);
}
