#include "peer.h"

enum { n = 2000000 };

static void sort(uint32_t *restrict a, uint32_t *restrict b, const uint32_t *restrict keys) {
    memcpy(a, keys, sizeof(uint32_t) * n);
    for (int shift = 0; shift < 32; shift += 8) {
        int at[257] = {0};
        for (int i = 0; i < n; i++) at[(a[i] >> shift & 255) + 1]++;
        for (int d = 0; d < 256; d++) at[d + 1] += at[d];
        for (int i = 0; i < n; i++) b[at[a[i] >> shift & 255]++] = a[i];
        uint32_t *old = a;
        a = b, b = old;
    }
}

int main(void) {
    uint32_t *keys = memory(sizeof(uint32_t) * n), *a = memory(sizeof(uint32_t) * n), *b = memory(sizeof(uint32_t) * n);
    for (int64_t i = 0; i < n; i++) keys[i] = (uint32_t)(i * 2654435761 % 4294967291);
    sort(a, b, keys);
    double start = now();
    sort(a, b, keys);
    double seconds = now() - start;
    int ordered = 1;
    for (int i = 0; i < n - 1; i++) ordered &= a[i] <= a[i + 1];
    printf("check %u %u %u %s\ntime %.9g\n", a[0], a[n / 2], a[n - 1], ordered ? "true" : "false", seconds);
    free(keys), free(a), free(b);
}
