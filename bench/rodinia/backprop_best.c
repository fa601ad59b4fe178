/* With care: a thread takes rows, so that weights are read in their order; sums of each thread are added at the end. */
#include "backprop.h"

static void layerforward(Network *n) {
    float sums[width] = {0};
#pragma omp parallel for reduction(+ : sums[:width])
    for (int k = 0; k <= nin; k++)
#pragma omp simd
        for (int j = 0; j < width; j++) sums[j] += n->w1[k * width + j] * n->input[k];
    for (int j = 1; j <= nhid; j++) n->hidden[j] = squash(sums[j]);
}

static void adjust_weights(Network *n, const float *delta) {
    float *restrict w = n->w1, *restrict old = n->old1;
#pragma omp parallel for
    for (int k = 0; k <= nin; k++)
#pragma omp simd
        for (int j = 1; j <= nhid; j++) {
            float change = eta * delta[j] * n->input[k] + momentum * old[k * width + j];
            w[k * width + j] += change;
            old[k * width + j] = change;
        }
}

static float train(Network *n, float target) {
    float delta[width];
    n->hidden[0] = 1;
    layerforward(n);
    float error = small_layers(n, delta, target);
    adjust_weights(n, delta);
    return error;
}

int main(void) {
    Network n = network();
    train(&n, 0.1f);
    double start = now();
    float error = train(&n, 0.1f);
    results(&n, error, now() - start);
    network_free(&n);
}
