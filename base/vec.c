/* Growable arrays: capacity doubles, the old block stays behind in the arena. */
#include "base/base.h"

#include <limits.h>
#include <string.h>

enum { FIRST_CAP = 8 };

void *vec_grow_(Arena *a, void *data, int len, int *cap, size_t elem) {
    if (*cap > INT_MAX / 2) fatal_oom();
    *cap = *cap ? 2 * *cap : FIRST_CAP;
    void *p = arena_alloc(a, (size_t)*cap * elem);
    if (len) memcpy(p, data, (size_t)len * elem);
    return p;
}
