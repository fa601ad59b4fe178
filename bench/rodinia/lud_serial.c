/* TOLERANCE: 1e-5 (f32; blocks add the products in another order; the diagonal dominates, so that errors do not grow)
 */
#include "lud.h"

int main(void) {
    float *a = floats(n * n);
    input(a);
    double start = now();
    for (int k = 0; k < n; k++)
        for (int i = k + 1; i < n; i++) {
            float factor = a[i * n + k] /= a[k * n + k];
            for (int j = k + 1; j < n; j++) a[i * n + j] -= factor * a[k * n + j];
        }
    results(a, now() - start);
    free(a);
}
