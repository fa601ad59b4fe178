/* Sizes, inputs and the small layers of backprop */
#include "rodinia.h"

#ifndef NIN
#define NIN 65536
#endif
#ifndef NHID
#define NHID 16
#endif
enum { nin = NIN, nhid = NHID, width = NHID + 1, weights = (NIN + 1) * (NHID + 1) };

static const float eta = 0.3f, momentum = 0.3f;

typedef struct Network { float *input, *w1, *old1, hidden[width], w2[width], old2[width]; } Network;

static inline Network network(void) {
    Network n = {floats(nin + 1), floats(weights), floats(weights), {0}, {0}, {0}};
    for (int64_t i = 0; i <= nin; i++) n.input[i] = i == 0 ? 1 : fraction(i, 7919, 10007);
    for (int64_t i = 0; i < weights; i++) {
        n.w1[i] = (fraction(i, 7877, 10009) - 0.5f) / 100;
        n.old1[i] = (fraction(i, 7919, 10007) - 0.5f) / 1000;
    }
    for (int64_t j = 0; j <= nhid; j++) n.w2[j] = fraction(j, 7919, 10007) - 0.5f;
    return n;
}

static inline float squash(float x) { return 1 / (1 + expf(-x)); }

/* From the hidden units: the output, its error, the deltas of the hidden units; and the weights between them */
static inline float small_layers(Network *n, float *delta, float target) {
    float s = 0;
    for (int j = 0; j <= nhid; j++) s += n->w2[j] * n->hidden[j];
    float output = squash(s), delta_out = output * (1 - output) * (target - output);
    for (int j = 0; j <= nhid; j++) {
        delta[j] = n->hidden[j] * (1 - n->hidden[j]) * (delta_out * n->w2[j]);
        float change = eta * delta_out * n->hidden[j] + momentum * n->old2[j];
        n->w2[j] += change;
        n->old2[j] = change;
    }
    return fabsf(delta_out);
}

static inline void results(const Network *n, float error, double seconds) {
    printf("check %.9g %.17g %.17g %.17g %.17g\n", error, sum_f32(n->w1, weights), weighted_f32(n->w1, weights),
           weighted_f32(n->old1, weights), weighted_f32(n->w2, width));
    printf("time %.9g\n", seconds);
}

static inline void network_free(Network *n) { free(n->input), free(n->w1), free(n->old1); }
