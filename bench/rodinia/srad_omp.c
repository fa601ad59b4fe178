/* In the way of the suite: two parallel loops over rows; neighbours through index tables; the differences are kept. */
#include "srad.h"

static int iN[rows], iS[rows], jW[cols], jE[cols];

static void neighbours(void) {
    for (int i = 0; i < rows; i++) iN[i] = i - 1, iS[i] = i + 1;
    for (int j = 0; j < cols; j++) jW[j] = j - 1, jE[j] = j + 1;
    iN[0] = jW[0] = 0;
    iS[rows - 1] = rows - 1;
    jE[cols - 1] = cols - 1;
}

static void despeckle(float *J, float *c, float *dN, float *dS, float *dW, float *dE, int count, float lambda) {
    for (int t = 0; t < count; t++) {
        float q0sqr = speckle(J);
#pragma omp parallel for
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < cols; j++) {
                int k = i * cols + j;
                float Jc = J[k];
                dN[k] = J[iN[i] * cols + j] - Jc;
                dS[k] = J[iS[i] * cols + j] - Jc;
                dW[k] = J[i * cols + jW[j]] - Jc;
                dE[k] = J[i * cols + jE[j]] - Jc;
                float G2 = (dN[k] * dN[k] + dS[k] * dS[k] + dW[k] * dW[k] + dE[k] * dE[k]) / (Jc * Jc);
                float L = (dN[k] + dS[k] + dW[k] + dE[k]) / Jc;
                float num = 0.5f * G2 - 1.0f / 16.0f * (L * L);
                float den = 1 + 0.25f * L;
                float qsqr = num / (den * den);
                den = (qsqr - q0sqr) / (q0sqr * (1 + q0sqr));
                c[k] = 1.0f / (1.0f + den);
                if (c[k] < 0) c[k] = 0;
                else if (c[k] > 1) c[k] = 1;
            }
#pragma omp parallel for
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < cols; j++) {
                int k = i * cols + j;
                float cN = c[k], cS = c[iS[i] * cols + j], cW = c[k], cE = c[i * cols + jE[j]];
                float D = cN * dN[k] + cS * dS[k] + cW * dW[k] + cE * dE[k];
                J[k] = J[k] + 0.25f * lambda * D;
            }
    }
}

int main(void) {
    float *image = input(), *J = floats(rows * cols), *c = floats(rows * cols);
    float *dN = floats(rows * cols), *dS = floats(rows * cols), *dW = floats(rows * cols), *dE = floats(rows * cols);
    neighbours();
    memcpy(J, image, sizeof(float) * rows * cols);
    despeckle(J, c, dN, dS, dW, dE, 1, 0.5f);
    memcpy(J, image, sizeof(float) * rows * cols);
    double start = now();
    despeckle(J, c, dN, dS, dW, dE, steps, 0.5f);
    results(J, now() - start);
    free(image), free(J), free(c), free(dN), free(dS), free(dW), free(dE);
}
