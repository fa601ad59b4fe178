/* In the way of the suite: parallel loops over the hidden units, each of which walks down the inputs; rows of weights
 * behind pointers. */
#include "backprop.h"

static void layerforward(const float *l1, float *l2, float **conn, int n1, int n2) {
#pragma omp parallel for schedule(static)
    for (int j = 1; j <= n2; j++) {
        float sum = 0;
        for (int k = 0; k <= n1; k++) sum += conn[k][j] * l1[k];
        l2[j] = squash(sum);
    }
}

static void adjust_weights(const float *delta, int ndelta, const float *ly, int nly, float **w, float **oldw) {
#pragma omp parallel for
    for (int j = 1; j <= ndelta; j++)
        for (int k = 0; k <= nly; k++) {
            float change = eta * delta[j] * ly[k] + momentum * oldw[k][j];
            w[k][j] += change;
            oldw[k][j] = change;
        }
}

static float train(Network *n, float **w, float **old, float target) {
    float delta[width];
    n->hidden[0] = 1;
    layerforward(n->input, n->hidden, w, nin, nhid);
    float error = small_layers(n, delta, target);
    adjust_weights(delta, nhid, n->input, nin, w, old);
    return error;
}

int main(void) {
    Network n = network();
    float **w = memory(sizeof(float *) * (nin + 1)), **old = memory(sizeof(float *) * (nin + 1));
    for (int i = 0; i <= nin; i++) w[i] = n.w1 + i * width, old[i] = n.old1 + i * width;
    train(&n, w, old, 0.1f);
    double start = now();
    float error = train(&n, w, old, 0.1f);
    results(&n, error, now() - start);
    free(w), free(old);
    network_free(&n);
}
