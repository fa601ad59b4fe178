#include "peer.h"

enum { rows = 4000, columns = 500 };

static void standard(double *restrict t, const double *restrict a) {
    double mean[columns] = {0}, spread[columns] = {0};
#pragma omp parallel for reduction(+ : mean)
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) mean[j] += a[i * columns + j];
    for (int j = 0; j < columns; j++) mean[j] /= rows;
#pragma omp parallel for reduction(+ : spread)
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) spread[j] += (a[i * columns + j] - mean[j]) * (a[i * columns + j] - mean[j]);
    for (int j = 0; j < columns; j++) spread[j] = sqrt(spread[j] / rows);
    enum { tile = 20 };
#pragma omp parallel for collapse(2)
    for (int jj = 0; jj < columns; jj += tile)
        for (int ii = 0; ii < rows; ii += tile)
            for (int j = jj; j < jj + tile; j++)
                for (int i = ii; i < ii + tile; i++) t[j * rows + i] = (a[i * columns + j] - mean[j]) / spread[j];
}

int main(void) {
    double *a = doubles(rows * columns), *t = doubles(rows * columns), s = 0;
    for (int i = 0; i < rows * columns; i++) a[i] = number(i);
    standard(t, a);
    double start = now();
    standard(t, a);
    double seconds = now() - start;
    for (int i = 0; i < rows * columns; i++) s += fabs(t[i]);
    printf("check %.17g %.17g\ntime %.9g\n", s, t[(columns - 1) * rows + 17], seconds);
    free(a), free(t);
}
