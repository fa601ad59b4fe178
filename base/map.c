/* Maps from address to pointer.
 *
 * Entries lie in insertion order in keys[0..len) and vals[0..len), so that walking a map gives the
 * same order in every run.  An index hashed by address (open addressing, twice as many slots as
 * entries, holding entry number + 1) follows the values in the same block. */
#include "base/base.h"

#include <limits.h>
#include <string.h>

enum { FIRST_CAP = 8 }; /* a power of two */

static uint32_t *index_of(const Map *m) { return (uint32_t *)(void *)(m->vals + m->cap); }

static uint32_t first_slot(const void *key, uint32_t slots) {
    uint64_t h = (uint64_t)(uintptr_t)key * UINT64_C(0x9E3779B97F4A7C15);
    return (uint32_t)(h >> 32) & (slots - 1);
}

/* The slot that holds the key, or the free one where it belongs. */
static uint32_t *find_slot(const Map *m, const void *key) {
    uint32_t slots = 2 * (uint32_t)m->cap, *index = index_of(m);
    uint32_t i = first_slot(key, slots);
    while (index[i] && m->keys[index[i] - 1] != key) i = (i + 1) & (slots - 1);
    return &index[i];
}

static void grow(Arena *a, Map *m) {
    if (m->cap > INT_MAX / 4) fatal_oom();
    Map big = {.len = m->len, .cap = m->cap ? 2 * m->cap : FIRST_CAP};
    big.keys = NEWN(a, const void *, big.cap);
    big.vals = arena_alloc(a, (size_t)big.cap * (sizeof(void *) + 2 * sizeof(uint32_t)));
    for (int i = 0; i < m->len; i++) {
        big.keys[i] = m->keys[i];
        big.vals[i] = m->vals[i];
        *find_slot(&big, big.keys[i]) = (uint32_t)i + 1;
    }
    *m = big;
}

static int find_entry(const Map *m, const void *key) {
    if (!m->len || !key) return -1;
    return (int)*find_slot(m, key) - 1;
}

void *map_get(const Map *m, const void *key) {
    int i = find_entry(m, key);
    return i < 0 ? NULL : m->vals[i];
}

bool map_has(const Map *m, const void *key) { return find_entry(m, key) >= 0; }

void map_put(Arena *a, Map *m, const void *key, void *val) {
    if (!key) bug("NULL as a map key");
    int i = find_entry(m, key);
    if (i >= 0) {
        m->vals[i] = val;
        return;
    }
    if (m->len == m->cap) grow(a, m);
    m->keys[m->len] = key;
    m->vals[m->len] = val;
    *find_slot(m, key) = (uint32_t)++m->len;
}
