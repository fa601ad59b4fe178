#include "peer.h"

enum { n = 5000, m = 5000 };

static int lcs(const unsigned char *restrict a, const unsigned char *restrict b) {
    int *length = calloc((size_t)(n + 1) * (m + 1), sizeof(int));
    for (int i = 0; i < n; i++) {
        const int *above = length + (size_t)i * (m + 1);
        int *here = length + (size_t)(i + 1) * (m + 1);
        for (int j = 0; j < m; j++)
            here[j + 1] = a[i] == b[j] ? above[j] + 1 : above[j + 1] > here[j] ? above[j + 1] : here[j];
    }
    int found = length[(size_t)n * (m + 1) + m];
    free(length);
    return found;
}

int main(void) {
    unsigned char *a = memory(n), *b = memory(m);
    for (int i = 0; i < n; i++) a[i] = (unsigned char)(i * 7919 % 10007 % 4);
    for (int i = 0; i < m; i++) b[i] = (unsigned char)(i * 104729L % 1009 % 4);
    int warm = lcs(a, b);
    double start = now();
    int found = lcs(a, b);
    double seconds = now() - start;
    printf("check %d\ntime %.9g\n", warm == found ? found : -1, seconds);
    free(a), free(b);
}
