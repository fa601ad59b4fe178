#include "peer.h"

static int primes(int n) {
    unsigned char *composite = calloc((size_t)n + 1, 1);
    int count = 0;
    for (int i = 2; (int64_t)i * i <= n; i++)
        if (!composite[i])
            for (int j = i * i; j <= n; j += i) composite[j] = 1;
    for (int i = 2; i <= n; i++) count += !composite[i];
    free(composite);
    return count;
}

int main(void) {
    enum { n = 10000000 };
    int warm = primes(n);
    double start = now();
    int count = primes(n);
    double seconds = now() - start;
    printf("check %d %d\ntime %.9g\n", count, warm, seconds);
}
