#include "runtime/ranks_blocks.h"

#include <stdbool.h>
#include <stdlib.h>

static void append(Blocks *s, Block b) {
    if (b.from >= b.to) return;
    if (s->n == s->cap) {
        s->cap = 2 * s->cap + 4;
        s->v = dsl_ranks_memory(s->v, sizeof *s->v * (size_t)s->cap);
    }
    s->v[s->n++] = b;
}

static bool holds(Block x, Block y) {
    return x.stride == y.stride && x.from <= y.from && y.to <= x.to && x.first <= y.first && y.end <= x.end;
}

/* Together they are one block. */
static bool joins(Block x, Block y) {
    bool columns = x.first == y.first && x.end == y.end, rows = x.from == y.from && x.to == y.to;
    if (x.stride != y.stride || columns == rows) return x.stride == y.stride && columns;
    return columns ? x.from <= y.to && y.from <= x.to : x.first <= y.end && y.first <= x.end;
}

static int64_t least(int64_t x, int64_t y) { return x < y ? x : y; }
static int64_t most(int64_t x, int64_t y) { return x > y ? x : y; }

void blocks_add(Blocks *s, Block b) {
    for (int i = 0; i < s->n; i++) {
        Block x = s->v[i];
        if (holds(x, b)) return;
        if (!holds(b, x) && !joins(x, b)) continue;
        s->v[i] = s->v[--s->n];
        blocks_add(s, (Block){b.stride, least(x.from, b.from), most(x.to, b.to), least(x.first, b.first),
                              most(x.end, b.end)});
        return;
    }
    append(s, b);
}

int64_t blocks_cover(const Blocks *s, Block b) {
    for (int i = 0; i < s->n; i++) {
        Block x = s->v[i], row = b;
        row.to = b.from + 1;
        if (holds(x, row)) return least(x.to, b.to) - b.from;
    }
    return 0;
}

void blocks_drop(Blocks *s, int64_t from, int64_t to) {
    for (int i = s->n - 1; i >= 0; i--) {
        Block x = s->v[i], above = x, below = x;
        above.to = least(x.to, from / x.stride);
        below.from = most(x.from, (to + x.stride - 1) / x.stride);
        if (above.to == x.to || below.from == x.from) continue;
        s->v[i] = s->v[--s->n];
        append(s, above), append(s, below);
    }
}

void blocks_free(Blocks *s) {
    free(s->v);
    *s = (Blocks){0};
}
