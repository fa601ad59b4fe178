#include "peer.h"

enum { width = 800, height = 600, limit = 200, reps = 3 };

static int escape(double cx, double cy) {
    double x = 0, y = 0;
    int k = 0;
    while (k < limit && x * x + y * y <= 4) {
        double t = x * x - y * y + cx;
        y = 2 * x * y + cy;
        x = t;
        k++;
    }
    return k;
}

static int64_t picture(int64_t *restrict steps, double shift) {
    int64_t s = 0;
#pragma omp parallel for schedule(dynamic, 8)
    for (int64_t j = 0; j < height; j++)
        for (int64_t i = 0; i < width; i++)
            steps[j * width + i] = escape(-2.2 + shift + 3.2 * (double)i / width, -1.2 + 2.4 * (double)j / height);
#pragma omp parallel for simd reduction(+ : s)
    for (int64_t i = 0; i < width * height; i++) s += steps[i];
    return s;
}

int main(void) {
    int64_t *steps = memory(width * height * sizeof *steps), s = picture(steps, 0);
    double start = now();
    for (int r = 0; r < reps; r++) s = picture(steps, 1e-9 * (double)(s % 1000));
    report((double)s, (now() - start) / reps);
    free(steps);
}
