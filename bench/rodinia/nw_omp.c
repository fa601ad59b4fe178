/* In the way of the suite: blocks of 16 x 16 along antidiagonals; a block is copied, computed row by row, copied back.
 */
#include "nw.h"

enum { side = 16 };

static void block(int *score, const int *reference, int by, int bx) {
    int local[(side + 1) * (side + 1)] __attribute__((aligned(64)));
    int ref[side * side] __attribute__((aligned(64)));
    for (int i = 0; i < side; i++)
#pragma omp simd
        for (int j = 0; j < side; j++) ref[i * side + j] = reference[m * (by * side + i + 1) + bx * side + j + 1];
    for (int i = 0; i < side + 1; i++)
#pragma omp simd
        for (int j = 0; j < side + 1; j++) local[i * (side + 1) + j] = score[m * (by * side + i) + bx * side + j];
    for (int i = 1; i < side + 1; i++)
        for (int j = 1; j < side + 1; j++)
            local[i * (side + 1) + j] = max3(local[(i - 1) * (side + 1) + j - 1] + ref[(i - 1) * side + j - 1],
                                             local[i * (side + 1) + j - 1] - penalty,
                                             local[(i - 1) * (side + 1) + j] - penalty);
    for (int i = 0; i < side; i++)
#pragma omp simd
        for (int j = 0; j < side; j++)
            score[m * (by * side + i + 1) + bx * side + j + 1] = local[(i + 1) * (side + 1) + j + 1];
}

static void align(int *score, const int *reference) {
    int across = n / side;
    for (int wave = 1; wave <= across; wave++)
#pragma omp parallel for schedule(static)
        for (int x = 0; x < wave; x++) block(score, reference, wave - 1 - x, x);
    for (int wave = 2; wave <= across; wave++)
#pragma omp parallel for schedule(static)
        for (int x = wave - 1; x < across; x++) block(score, reference, across + wave - 2 - x, x);
}

int main(void) {
    int *score = memory(sizeof(int) * m * m), *reference = memory(sizeof(int) * m * m);
    inputs(score, reference);
    align(score, reference);
    inputs(score, reference);
    double start = now();
    align(score, reference);
    results(score, now() - start);
    free(score), free(reference);
}
