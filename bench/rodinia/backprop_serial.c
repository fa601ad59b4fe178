/* TOLERANCE: 2e-4 (f32; tens of thousands of products of both signs are added in different orders) */
#include "backprop.h"

static float train(Network *n, float target) {
    float delta[width];
    n->hidden[0] = 1;
    for (int j = 1; j <= nhid; j++) {
        double s = 0;
        for (int i = 0; i <= nin; i++) s += n->w1[i * width + j] * n->input[i];
        n->hidden[j] = squash((float)s);
    }
    float error = small_layers(n, delta, target);
    for (int i = 0; i <= nin; i++)
        for (int j = 1; j <= nhid; j++) {
            float change = eta * delta[j] * n->input[i] + momentum * n->old1[i * width + j];
            n->w1[i * width + j] += change;
            n->old1[i * width + j] = change;
        }
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
