#include "peer.h"

enum { side = 500, n = side * side, iterations = 25 };

static void spmv(double *restrict y, const int *restrict start, const int *restrict column,
                 const double *restrict value, const double *restrict x) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int k = start[i]; k < start[i + 1]; k++) s += value[k] * x[column[k]];
        y[i] = s;
    }
}

static double dot(const double *restrict x, const double *restrict y) {
    double s = 0;
#pragma omp parallel for simd reduction(+ : s)
    for (int i = 0; i < n; i++) s += x[i] * y[i];
    return s;
}

static void cg(double *restrict x, const int *start, const int *column, const double *value, const double *restrict b,
               double *restrict r, double *restrict p, double *restrict ap) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) x[i] = 0, r[i] = p[i] = b[i];
    double rr = dot(r, r);
    for (int t = 0; t < iterations; t++) {
        spmv(ap, start, column, value, p);
        double alpha = rr / dot(p, ap), next = 0;
#pragma omp parallel for reduction(+ : next)
        for (int i = 0; i < n; i++) {
            x[i] += alpha * p[i];
            r[i] -= alpha * ap[i];
            next += r[i] * r[i];
        }
        double beta = next / rr;
#pragma omp parallel for
        for (int i = 0; i < n; i++) p[i] = r[i] + beta * p[i];
        rr = next;
    }
}

int main(void) {
    int *start = memory(sizeof(int) * (n + 1)), *column = memory(sizeof(int) * 5 * n), m = 0;
    double *value = doubles(5 * n), *b = doubles(n), *x = doubles(n), *r = doubles(n), *p = doubles(n),
           *ap = doubles(n);
    start[0] = 0;
    for (int i = 0; i < side; i++)
        for (int j = 0; j < side; j++) {
            int row = i * side + j;
            if (i > 0) column[m] = row - side, value[m++] = -1;
            if (j > 0) column[m] = row - 1, value[m++] = -1;
            column[m] = row, value[m++] = 4;
            if (j < side - 1) column[m] = row + 1, value[m++] = -1;
            if (i < side - 1) column[m] = row + side, value[m++] = -1;
            start[row + 1] = m;
        }
    for (int i = 0; i < n; i++) b[i] = number(i);
    cg(x, start, column, value, b, r, p, ap);
    double begin = now();
    cg(x, start, column, value, b, r, p, ap);
    double seconds = now() - begin;
    printf("check %.17g %.17g\ntime %.9g\n", total(x, n), dot(x, x), seconds);
    free(start), free(column), free(value), free(b), free(x), free(r), free(p), free(ap);
}
