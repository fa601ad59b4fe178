/* Sizes and inputs of nw */
#include "rodinia.h"

#ifndef N
#define N 2048
#endif
#ifndef PENALTY
#define PENALTY 10
#endif
enum { n = N, m = N + 1, penalty = PENALTY };

static inline int letter(int64_t i, int prime) { return (int)(i * prime % 10007 % 24); }

static inline int likeness(int a, int b) { return a == b ? 4 + a % 5 : (a * b + 3 * (a + b)) % 8 - 4; }

static inline void inputs(int *score, int *reference) {
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++) {
            reference[i * m + j] = i == 0 || j == 0 ? 0 : likeness(letter(i, 7919), letter(j, 7877));
            score[i * m + j] = i == 0 ? -j * penalty : j == 0 ? -i * penalty : 0;
        }
}

static inline int max3(int a, int b, int c) {
    int k = a <= b ? b : a;
    return k <= c ? c : k;
}

static inline void results(const int *score, double seconds) {
    int64_t s = 0, w = 0;
    for (int64_t i = 0; i < (int64_t)m * m; i++) {
        s += score[i];
        w += score[i] * (i % 1009);
    }
    printf("check %lld %lld %d\ntime %.9g\n", (long long)s, (long long)w, score[m * m - 1], seconds);
}
