/* Sizes and inputs of srad */
#include "rodinia.h"

#ifndef N
#define N 2048
#endif
#ifndef M
#define M 2048
#endif
#ifndef STEPS
#define STEPS 2
#endif
#ifndef LAST
#define LAST 127
#endif
enum { rows = N, cols = M, steps = STEPS, last = LAST };

static inline float *input(void) {
    float *image = floats(rows * cols);
    for (int64_t i = 0; i < rows * cols; i++) image[i] = expf(fraction(i, 7919, 10007));
    return image;
}

/* Variance over squared mean of a corner of the image */
static inline float speckle(const float *image) {
    double sum = 0, squares = 0, size = (last + 1) * (last + 1);
    for (int i = 0; i <= last; i++)
        for (int j = 0; j <= last; j++) {
            double x = image[i * cols + j];
            sum += x;
            squares += x * x;
        }
    double mean = sum / size;
    return (float)((squares / size - mean * mean) / (mean * mean));
}

static inline void results(const float *image, double seconds) {
    printf("check %.17g %.17g %.9g\n", sum_f32(image, rows * cols), weighted_f32(image, rows * cols),
           image[rows / 2 * cols + cols / 3]);
    printf("time %.9g\n", seconds);
}
