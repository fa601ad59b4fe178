#include "runtime/ranks_runs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *dsl_ranks_memory(void *old, size_t bytes) {
    void *p = realloc(old, bytes);
    if (p || !bytes) return p;
    fputs("error: out of memory\n", stderr);
    abort();
}

static void grow(Runs *r, int n) {
    if (n <= r->cap) return;
    r->cap = n + r->cap;
    r->v = dsl_ranks_memory(r->v, sizeof *r->v * (size_t)r->cap);
}

/* Puts n runs in place of those from i up to end. */
static void replace(Runs *r, int i, int end, const Run *with, int n) {
    grow(r, r->n + n);
    memmove(r->v + i + n, r->v + end, sizeof *r->v * (size_t)(r->n - end));
    for (int k = 0; k < n; k++) r->v[i + k] = with[k];
    r->n += n - (end - i);
}

void runs_add(Runs *r, int64_t from, int64_t to) {
    if (from >= to) return;
    int i = 0, end;
    while (i < r->n && r->v[i].to < from) i++;
    for (end = i; end < r->n && r->v[end].from <= to; end++) {
        if (r->v[end].from < from) from = r->v[end].from;
        if (r->v[end].to > to) to = r->v[end].to;
    }
    Run all = {from, to};
    replace(r, i, end, &all, 1);
}

void runs_remove(Runs *r, int64_t from, int64_t to) {
    if (from >= to) return;
    int i = 0, end, n = 0;
    while (i < r->n && r->v[i].to <= from) i++;
    Run left[2];
    for (end = i; end < r->n && r->v[end].from < to; end++) {
        if (r->v[end].from < from) left[n++] = (Run){r->v[end].from, from};
        if (r->v[end].to > to) left[n++] = (Run){to, r->v[end].to};
    }
    replace(r, i, end, left, n);
}

Run runs_meet(const Runs *r, int64_t from, int64_t to) {
    for (int i = 0; i < r->n && r->v[i].from < to; i++) {
        if (r->v[i].to <= from) continue;
        Run cut = r->v[i];
        if (cut.from < from) cut.from = from;
        if (cut.to > to) cut.to = to;
        return cut;
    }
    return (Run){to, to};
}

void runs_copy(Runs *to, const Runs *from) {
    grow(to, from->n);
    if (from->n) memcpy(to->v, from->v, sizeof *from->v * (size_t)from->n);
    to->n = from->n;
}

void runs_free(Runs *r) {
    free(r->v);
    *r = (Runs){0};
}
