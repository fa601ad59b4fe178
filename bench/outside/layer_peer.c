#include "peer.h"

enum { channels = 32, side = 112, to = side - 2 };

static void layer(float *restrict y, const float *restrict x, const float *restrict weight,
                  const float *restrict bias) {
#pragma omp parallel for collapse(2)
    for (int o = 0; o < channels; o++)
        for (int i = 0; i < to; i++) {
            float row[to];
            for (int j = 0; j < to; j++) row[j] = bias[o];
            for (int c = 0; c < channels; c++)
                for (int p = 0; p < 3; p++)
                    for (int q = 0; q < 3; q++) {
                        float k = weight[((o * channels + c) * 3 + p) * 3 + q];
                        const float *from = x + (c * side + i + p) * side + q;
#pragma omp simd
                        for (int j = 0; j < to; j++) row[j] += k * from[j];
                    }
            for (int j = 0; j < to; j++) y[(o * to + i) * to + j] = row[j] > 0 ? row[j] : 0;
        }
}

int main(void) {
    float *x = floats(channels * side * side), *weight = floats(channels * channels * 9),
          *y = floats(channels * to * to), bias[channels];
    for (int64_t i = 0; i < channels * side * side; i++) x[i] = (float)((double)(i * 7919 % 10007) / 10007 - 0.5);
    for (int64_t i = 0; i < channels * channels * 9; i++) weight[i] = (float)((double)(i * 104729 % 1009) / 1009 - 0.5);
    for (int o = 0; o < channels; o++) bias[o] = (float)o / 64;
    layer(y, x, weight, bias);
    double start = now(), s = 0, most = 0;
    layer(y, x, weight, bias);
    double seconds = now() - start;
    for (int i = 0; i < channels * to * to; i++) s += y[i], most = y[i] > most ? y[i] : most;
    printf("check %.17g %.9g\ntime %.9g\n", s, most, seconds);
    free(x), free(weight), free(y);
}
