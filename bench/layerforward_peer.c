#include "peer.h"

enum { rows = 16, nin = 262144, nhid = 16, reps = 10 };

static void layerforward(float *restrict partial, float *restrict weights, const float *restrict input) {
#pragma omp parallel for
    for (int64_t b = 0; b < nin / rows; b++) {
        float tile[rows][nhid];
        float *w = weights + b * rows * nhid;
        for (int y = 0; y < rows; y++)
#pragma omp simd
            for (int x = 0; x < nhid; x++) tile[y][x] = w[y * nhid + x] * input[b * rows + y];
        for (int half = 1; half < rows; half *= 2)
            for (int y = 0; y < rows; y += 2 * half)
#pragma omp simd
                for (int x = 0; x < nhid; x++) tile[y][x] += tile[y + half][x];
        memcpy(w, tile, sizeof tile);
        memcpy(partial + b * nhid, tile[0], sizeof tile[0]);
    }
}

int main(void) {
    float *partial = floats(nin / rows * nhid), *w = floats(nin * nhid), *input = floats(nin);
#pragma omp parallel for
    for (int64_t i = 0; i < nin; i++) {
        input[i] = (float)(i * 7919 % 10007) / 20014;
        for (int64_t j = 0; j < nhid; j++) w[i * nhid + j] = (float)((i * nhid + j) * 7919 % 10007) / 10007;
    }
    layerforward(partial, w, input);
    double start = now();
    for (int r = 0; r < reps; r++) layerforward(partial, w, input);
    double seconds = (now() - start) / reps, s = 0;
    for (int64_t i = 0; i < nin / rows * nhid; i++) s += partial[i];
    for (int64_t i = 0; i < nin * nhid; i++) s += w[i];
    report(s, seconds);
    free(partial), free(w), free(input);
}
