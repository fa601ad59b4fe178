/* In the way of the suite: blocks of 16; one parallel loop over the blocks of the perimeter, one over the others. */
#include "lud.h"

enum { side = 16 };

static void diagonal(float *a, int offset) {
    float *d = a + offset * n + offset;
    for (int i = 0; i < side; i++) {
        for (int j = i; j < side; j++)
            for (int k = 0; k < i; k++) d[i * n + j] = d[i * n + j] - d[i * n + k] * d[k * n + j];
        float inverse = 1.0f / d[i * n + i];
        for (int j = i + 1; j < side; j++) {
            for (int k = 0; k < i; k++) d[j * n + i] = d[j * n + i] - d[j * n + k] * d[k * n + i];
            d[j * n + i] = d[j * n + i] * inverse;
        }
    }
}

static void factor(float *a) {
    for (int offset = 0; offset < n - side; offset += side) {
        diagonal(a, offset);
        int blocks = (n - offset) / side - 1;
#pragma omp parallel for
        for (int b = 0; b < blocks; b++) {
            float temp[side * side] __attribute__((aligned(64)));
            for (int i = 0; i < side; i++)
#pragma omp simd
                for (int j = 0; j < side; j++) temp[i * side + j] = a[n * (i + offset) + offset + j];
            float *top = a + offset * n + offset + side * (b + 1), *left = a + (offset + side * (b + 1)) * n + offset;
            for (int j = 0; j < side; j++)
                for (int i = 0; i < side; i++) {
                    float sum = 0;
                    for (int k = 0; k < i; k++) sum += temp[side * i + k] * top[k * n + j];
                    top[i * n + j] = top[i * n + j] - sum;
                }
            for (int i = 0; i < side; i++)
                for (int j = 0; j < side; j++) {
                    float sum = 0;
                    for (int k = 0; k < j; k++) sum += left[i * n + k] * temp[side * k + j];
                    left[i * n + j] = (left[i * n + j] - sum) / a[n * (offset + j) + offset + j];
                }
        }
#pragma omp parallel for schedule(auto)
        for (int b = 0; b < blocks * blocks; b++) {
            float top[side * side] __attribute__((aligned(64)));
            float left[side * side] __attribute__((aligned(64)));
            float sum[side] __attribute__((aligned(64))) = {0};
            int y = offset + side * (1 + b / blocks), x = offset + side * (1 + b % blocks);
            for (int i = 0; i < side; i++)
#pragma omp simd
                for (int j = 0; j < side; j++) {
                    top[i * side + j] = a[n * (i + offset) + j + x];
                    left[i * side + j] = a[n * (i + y) + offset + j];
                }
            for (int i = 0; i < side; i++) {
                for (int k = 0; k < side; k++)
#pragma omp simd
                    for (int j = 0; j < side; j++) sum[j] += left[side * i + k] * top[side * k + j];
#pragma omp simd
                for (int j = 0; j < side; j++) {
                    a[n * (i + y) + x + j] -= sum[j];
                    sum[j] = 0;
                }
            }
        }
    }
    diagonal(a, n - side);
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
