/* A cuBLAS that is none, for tests beside fake_cuda.c: as libcublas.so.12.
 *   FAKE_CUBLAS_FAIL=create, gemm, copy, scale   these fail
 *   FAKE_CUDA_LOG=FILE              a line for each product */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define AWAY ((uint64_t)0x5a << 56) /* as in fake_cuda.c */

static void *here(const void *device) { return (void *)(uintptr_t)((uint64_t)(uintptr_t)device ^ AWAY); }

static int fails(const char *what) {
    const char *said = getenv("FAKE_CUBLAS_FAIL");
    return said && !strcmp(said, what);
}

int cublasCreate_v2(void **handle) {
    *handle = handle;
    return fails("create");
}

static void note(const char *type, int m, int n, int k, int stack) {
    const char *path = getenv("FAKE_CUDA_LOG");
    FILE *f = path ? fopen(path, "a") : NULL;
    if (!f) return;
    fprintf(f, "gemm %s %d %d %d %d\n", type, m, n, k, stack);
    fclose(f);
}

#define GEMM(NAME, T)                                                                                            \
    int NAME(void *handle, int turn_a, int turn_b, int m, int n, int k, const T *alpha, const T *a, int lda,     \
             long long step_a, const T *b, int ldb, long long step_b, const T *beta, T *c, int ldc,              \
             long long step_c, int stack) {                                                                      \
        if (!handle || fails("gemm")) return 13;                                                                 \
        note(#T, m, n, k, stack);                                                                                \
        const T *x = here(a), *y = here(b);                                                                      \
        T *z = here(c);                                                                                          \
        for (int s = 0; s < stack; s++, x += step_a, y += step_b, z += step_c)                                   \
            for (int i = 0; i < m; i++)                                                                          \
                for (int j = 0; j < n; j++) {                                                                    \
                    T sum = 0;                                                                                   \
                    for (int l = 0; l < k; l++)                                                                  \
                        sum += x[turn_a ? l + i * (long)lda : i + l * (long)lda] *                               \
                               y[turn_b ? j + l * (long)ldb : l + j * (long)ldb];                                \
                    z[i + j * (long)ldc] = *alpha * sum + (*beta ? *beta * z[i + j * (long)ldc] : 0);            \
                }                                                                                                \
        return 0;                                                                                                \
    }
GEMM(cublasDgemmStridedBatched, double)
GEMM(cublasSgemmStridedBatched, float)

int cublasDcopy_v2(void *handle, int n, const double *x, int x_step, double *y, int y_step) {
    if (!handle || fails("copy")) return 13;
    const double *from = here(x);
    double *to = here(y);
    for (int i = 0; i < n; i++) to[(long)i * y_step] = from[(long)i * x_step];
    return 0;
}
int cublasDscal_v2(void *handle, int n, const double *by, double *x, int step) {
    if (!handle || fails("scale")) return 13;
    for (int i = 0; i < n; i++) ((double *)here(x))[(long)i * step] *= *by;
    return 0;
}
