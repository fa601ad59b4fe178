#include "peer.h"

enum { height = 512, width = 768, radius = 2, taps = 2 * radius + 1 };

static inline int clamp(int x, int hi) { return x < 0 ? 0 : x > hi ? hi : x; }

static inline float pixel(const float *restrict image, const float near[taps][taps], int y, int x) {
    float centre = image[y * width + x], total = 0, weight = 0;
    for (int dy = -radius; dy <= radius; dy++)
        for (int dx = -radius; dx <= radius; dx++) {
            float v = image[clamp(y + dy, height - 1) * width + clamp(x + dx, width - 1)];
            float k = near[dy + radius][dx + radius] * expf(-50 * (v - centre) * (v - centre));
            total += k * v;
            weight += k;
        }
    return total / weight;
}

static void bilateral(float *restrict smooth, const float *restrict image, const float near[taps][taps]) {
#pragma omp parallel for
    for (int y = 0; y < height; y++)
#pragma omp simd
        for (int x = 0; x < width; x++) smooth[y * width + x] = pixel(image, near, y, x);
}

int main(void) {
    float *image = floats(height * width), *smooth = floats(height * width), near[taps][taps];
    double s = 0;
    for (int i = 0; i < taps; i++)
        for (int j = 0; j < taps; j++)
            near[i][j] = (float)exp(-(double)((i - radius) * (i - radius) + (j - radius) * (j - radius)) / 4.5);
    for (int i = 0; i < height * width; i++) image[i] = (float)number(i);
    bilateral(smooth, image, near);
    double start = now();
    bilateral(smooth, image, near);
    double seconds = now() - start;
    for (int i = 0; i < height * width; i++) s += smooth[i];
    printf("check %.17g %.9g\ntime %.9g\n", s, smooth[height / 2 * width + width / 3], seconds);
    free(image), free(smooth);
}
