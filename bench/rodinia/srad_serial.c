/* TOLERANCE: 1e-6 (f32; the statistic of the corner is summed in another order) */
#include "srad.h"

static float at(const float *x, int i, int j) {
    i = i < 0 ? 0 : i >= rows ? rows - 1 : i;
    j = j < 0 ? 0 : j >= cols ? cols - 1 : j;
    return x[i * cols + j];
}

static float coefficient(const float *image, int i, int j, float q0) {
    float here = at(image, i, j), n = at(image, i - 1, j) - here, s = at(image, i + 1, j) - here,
          w = at(image, i, j - 1) - here, e = at(image, i, j + 1) - here;
    float g2 = (n * n + s * s + w * w + e * e) / (here * here), l = (n + s + w + e) / here;
    float den = 1 + 0.25f * l, q = (0.5f * g2 - 1.0f / 16 * (l * l)) / (den * den);
    float c = 1 / (1 + (q - q0) / (q0 * (1 + q0)));
    return c < 0 ? 0 : c > 1 ? 1 : c;
}

int main(void) {
    float *image = input(), *next = floats(rows * cols), *c = floats(rows * cols), lambda = 0.5f;
    double start = now();
    for (int t = 0; t < steps; t++) {
        float q0 = speckle(image);
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < cols; j++) c[i * cols + j] = coefficient(image, i, j, q0);
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < cols; j++) {
                float here = at(image, i, j), k = at(c, i, j);
                float d = k * (at(image, i - 1, j) - here) + at(c, i + 1, j) * (at(image, i + 1, j) - here) +
                          k * (at(image, i, j - 1) - here) + at(c, i, j + 1) * (at(image, i, j + 1) - here);
                next[i * cols + j] = here + 0.25f * lambda * d;
            }
        float *old = image;
        image = next;
        next = old;
    }
    results(image, now() - start);
    free(image), free(next), free(c);
}
