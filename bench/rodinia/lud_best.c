/* With care: blocks of 32 columns (of 16, where 32 do not fit); the rows right of a diagonal block are solved along
 * rows, and those below are updated four at a time with simd along the row. */
#include "lud.h"

enum { side = n % 32 ? 16 : 32, strip = 256 };

static void diagonal(float *a, int k0) {
    for (int k = k0; k < k0 + side; k++)
        for (int i = k + 1; i < k0 + side; i++) {
            float f = a[i * n + k] /= a[k * n + k];
            for (int j = k + 1; j < k0 + side; j++) a[i * n + j] -= f * a[k * n + j];
        }
}

/* Rows k0.. right of the diagonal block, columns from..to */
static void right_of(float *restrict a, int k0, int from, int to) {
    for (int i = k0 + 1; i < k0 + side; i++)
        for (int k = k0; k < i; k++) {
            float f = a[i * n + k];
#pragma omp simd
            for (int j = from; j < to; j++) a[i * n + j] -= f * a[k * n + j];
        }
}

/* The part of row i below the diagonal block */
static void below(float *restrict a, int k0, int i) {
    for (int k = k0; k < k0 + side; k++) {
        float f = a[i * n + k] /= a[k * n + k];
        for (int j = k + 1; j < k0 + side; j++) a[i * n + j] -= f * a[k * n + j];
    }
}

static void update(float *restrict a, int k0, int i0, int j0, int width) {
    float *r0 = a + i0 * n + j0, *r1 = r0 + n, *r2 = r1 + n, *r3 = r2 + n;
    for (int j = 0; j < width; j += 16) {
        float s[4][16];
        for (int l = 0; l < 16; l++) s[0][l] = s[1][l] = s[2][l] = s[3][l] = 0;
        for (int k = 0; k < side; k++) {
            const float *row = a + (k0 + k) * n + j0 + j, *f = a + i0 * n + k0 + k;
#pragma omp simd
            for (int l = 0; l < 16; l++) {
                s[0][l] += f[0] * row[l], s[1][l] += f[n] * row[l];
                s[2][l] += f[2 * n] * row[l], s[3][l] += f[3 * n] * row[l];
            }
        }
#pragma omp simd
        for (int l = 0; l < 16; l++)
            r0[j + l] -= s[0][l], r1[j + l] -= s[1][l], r2[j + l] -= s[2][l], r3[j + l] -= s[3][l];
    }
}

static void factor(float *a) {
    for (int k0 = 0; k0 < n; k0 += side) {
        int rest = k0 + side;
        diagonal(a, k0);
#pragma omp parallel
        {
#pragma omp for schedule(static) nowait
            for (int j = rest; j < n; j += side) right_of(a, k0, j, j + side);
#pragma omp for schedule(static)
            for (int i = rest; i < n; i++) below(a, k0, i);
#pragma omp for schedule(static) collapse(2)
            for (int i = rest; i < n; i += side)
                for (int j = rest; j < n; j += strip)
                    for (int q = 0; q < side; q += 4) update(a, k0, i + q, j, n - j < strip ? n - j : strip);
        }
    }
}

int main(void) {
    float *a = floats(n * n);
    input(a);
    factor(a);
    input(a);
    double start = now();
    factor(a);
    results(a, now() - start);
    free(a);
}
