/* TOLERANCE: 0 (ints) */
#include "nw.h"

int main(void) {
    int *score = memory(sizeof(int) * m * m), *reference = memory(sizeof(int) * m * m);
    inputs(score, reference);
    double start = now();
    for (int i = 1; i < m; i++)
        for (int j = 1; j < m; j++)
            score[i * m + j] = max3(score[(i - 1) * m + j - 1] + reference[i * m + j], score[i * m + j - 1] - penalty,
                                    score[(i - 1) * m + j] - penalty);
    results(score, now() - start);
    free(score), free(reference);
}
