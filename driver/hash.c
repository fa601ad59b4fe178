/* A 128-bit hash: two XXH64 (by Yann Collet; the algorithm is in the public domain) with different seeds. */
#include "driver/build.h"

#include <string.h>

static const uint64_t P1 = 0x9E3779B185EBCA87u, P2 = 0xC2B2AE3D27D4EB4Fu, P3 = 0x165667B19E3779F9u,
                      P4 = 0x85EBCA77C2B2AE63u, P5 = 0x27D4EB2F165667C5u;

static uint64_t rotl(uint64_t x, int r) { return x << r | x >> (64 - r); }
static uint64_t mix(uint64_t acc, uint64_t x) { return rotl(acc + x * P2, 31) * P1; }
static uint64_t merge(uint64_t acc, uint64_t x) { return (acc ^ mix(0, x)) * P1 + P4; }

static uint64_t read64(const unsigned char *p) {
    uint64_t x;
    memcpy(&x, p, sizeof x);
    return x;
}

static uint64_t read32(const unsigned char *p) {
    uint32_t x;
    memcpy(&x, p, sizeof x);
    return x;
}

/* Whole stripes of 32 bytes; *p is moved behind them. */
static uint64_t stripes(const unsigned char **p, size_t n, uint64_t seed) {
    uint64_t v[4] = {seed + P1 + P2, seed + P2, seed, seed - P1}, h;
    for (size_t left = n; left >= 32; left -= 32, *p += 32)
        for (int i = 0; i < 4; i++) v[i] = mix(v[i], read64(*p + 8 * i));
    h = rotl(v[0], 1) + rotl(v[1], 7) + rotl(v[2], 12) + rotl(v[3], 18);
    for (int i = 0; i < 4; i++) h = merge(h, v[i]);
    return h;
}

static uint64_t xxh64(const void *data, size_t n, uint64_t seed) {
    const unsigned char *p = data, *end = p + n;
    uint64_t h = n >= 32 ? stripes(&p, n, seed) : seed + P5;
    h += n;
    for (; end - p >= 8; p += 8) h = rotl(h ^ mix(0, read64(p)), 27) * P1 + P4;
    for (; end - p >= 4; p += 4) h = rotl(h ^ read32(p) * P1, 23) * P2 + P3;
    for (; p < end; p++) h = rotl(h ^ *p * P5, 11) * P1;
    h = (h ^ h >> 33) * P2;
    h = (h ^ h >> 29) * P3;
    return h ^ h >> 32;
}

Hash hash_bytes(Hash seed, const void *data, size_t n) {
    return (Hash){xxh64(data, n, seed.a + rotl(seed.b, 17)), xxh64(data, n, (seed.b ^ P3) - seed.a)};
}

Hash hash_text(Hash seed, const char *s) { return s ? hash_bytes(seed, s, strlen(s) + 1) : hash_bytes(seed, "", 0); }

void hash_digits(Hash h, char text[HASH_DIGITS + 1]) {
    snprintf(text, HASH_DIGITS + 1, "%016llx%016llx", (unsigned long long)h.a, (unsigned long long)h.b);
}

const char *hash_str(Session *s, Hash h) {
    char text[HASH_DIGITS + 1];
    hash_digits(h, text);
    return intern(s, text);
}
