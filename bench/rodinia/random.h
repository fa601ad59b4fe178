/* The numbers without order of random.dsl */
#ifndef RANDOM_H
#define RANDOM_H

#include "rodinia.h"

static inline uint32_t mix(int64_t i) {
    uint32_t h = (uint32_t)i * 2654435761u;
    h = (h ^ h >> 15) * 2246822519u;
    h = (h ^ h >> 13) * 3266489917u;
    return h ^ h >> 16;
}

/* In [0, 1), a multiple of 2^-24 */
static inline float unit(uint32_t h) { return (float)((double)(h >> 8) / 16777216.0); }
#endif
