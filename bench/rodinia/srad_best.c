/* With care: the differences are computed again instead of kept, from one image into another; the cells inside a row
 * are one simd loop, its ends stand beside it. */
#include "srad.h"

static inline float coefficient(float Jc, float up, float down, float west, float east, float q0sqr) {
    float dN = up - Jc, dS = down - Jc, dW = west - Jc, dE = east - Jc;
    float G2 = (dN * dN + dS * dS + dW * dW + dE * dE) / (Jc * Jc), L = (dN + dS + dW + dE) / Jc;
    float num = 0.5f * G2 - 1.0f / 16.0f * (L * L), den = 1 + 0.25f * L, qsqr = num / (den * den);
    float c = 1.0f / (1.0f + (qsqr - q0sqr) / (q0sqr * (1 + q0sqr)));
    return c < 0 ? 0 : c > 1 ? 1 : c;
}

static void coefficients(float *restrict c, const float *restrict J, float q0sqr) {
#pragma omp parallel for schedule(static)
    for (int i = 0; i < rows; i++) {
        const float *row = J + (int64_t)i * cols, *up = i == 0 ? row : row - cols,
                    *down = i == rows - 1 ? row : row + cols;
        float *to = c + (int64_t)i * cols;
        to[0] = coefficient(row[0], up[0], down[0], row[0], row[1], q0sqr);
#pragma omp simd
        for (int j = 1; j < cols - 1; j++) to[j] = coefficient(row[j], up[j], down[j], row[j - 1], row[j + 1], q0sqr);
        int j = cols - 1;
        to[j] = coefficient(row[j], up[j], down[j], row[j - 1], row[j], q0sqr);
    }
}

/* c: the coefficient here, south and east of here */
static inline float change(float Jc, float up, float down, float west, float east, float c, float cS, float cE,
                           float lambda) {
    return Jc + 0.25f * lambda * (c * (up - Jc) + cS * (down - Jc) + c * (west - Jc) + cE * (east - Jc));
}

static void update(float *restrict next, const float *restrict J, const float *restrict c, float lambda) {
#pragma omp parallel for schedule(static)
    for (int i = 0; i < rows; i++) {
        const float *row = J + (int64_t)i * cols, *up = i == 0 ? row : row - cols,
                    *down = i == rows - 1 ? row : row + cols;
        const float *here = c + (int64_t)i * cols, *south = i == rows - 1 ? here : here + cols;
        float *to = next + (int64_t)i * cols;
        to[0] = change(row[0], up[0], down[0], row[0], row[1], here[0], south[0], here[1], lambda);
#pragma omp simd
        for (int j = 1; j < cols - 1; j++)
            to[j] = change(row[j], up[j], down[j], row[j - 1], row[j + 1], here[j], south[j], here[j + 1], lambda);
        int j = cols - 1;
        to[j] = change(row[j], up[j], down[j], row[j - 1], row[j], here[j], south[j], here[j], lambda);
    }
}

static float *despeckle(float *J, float *next, float *c, int count, float lambda) {
    for (int t = 0; t < count; t++) {
        coefficients(c, J, speckle(J));
        update(next, J, c, lambda);
        float *old = J;
        J = next;
        next = old;
    }
    return J;
}

int main(void) {
    float *image = input(), *J = floats(rows * cols), *next = floats(rows * cols), *c = floats(rows * cols);
    memcpy(J, image, sizeof(float) * rows * cols);
    despeckle(J, next, c, 1, 0.5f);
    memcpy(J, image, sizeof(float) * rows * cols);
    double start = now();
    float *end = despeckle(J, next, c, steps, 0.5f);
    results(end, now() - start);
    free(image), free(J), free(next), free(c);
}
