/* What differs between a notebook's outputs and those that were kept, cell by cell, as a unified diff. */
#include "notebook/outputs.h"

#include <math.h>
#include <string.h>

/* Differences up to this come from rounding. */
static const double LIKELY = 1e-5;

enum { CONTEXT = 2, SHOWN_DATA = 6, MOST_PAIRS = 4000000 };

/* ---- longest common subsequence, by the table of its lengths */

static void pair_middle(Arena *a, int lo, int n, int m, Same *same, const void *ctx, int *pair) {
    int *length = NEWN(a, int, (n + 1) * (m + 1)), w = m + 1;
    for (int i = n - 1; i >= 0; i--)
        for (int j = m - 1; j >= 0; j--) {
            int down = length[(i + 1) * w + j], right = length[i * w + j + 1];
            length[i * w + j] = same(ctx, lo + i, lo + j) ? length[(i + 1) * w + j + 1] + 1
                                : down > right            ? down
                                                          : right;
        }
    for (int i = 0, j = 0; i < n && j < m;) {
        if (same(ctx, lo + i, lo + j)) pair[lo + i] = lo + j, i++, j++;
        else if (length[(i + 1) * w + j] >= length[i * w + j + 1]) i++;
        else j++;
    }
}

void pair_up(Arena *a, int n, int m, Same *same, const void *ctx, int *pair) {
    int lo = 0;
    for (int i = 0; i < n; i++) pair[i] = -1;
    for (; lo < n && lo < m && same(ctx, lo, lo); lo++) pair[lo] = lo;
    for (; n > lo && m > lo && same(ctx, n - 1, m - 1); n--, m--) pair[n - 1] = m - 1;
    if ((int64_t)(n - lo) * (m - lo) <= MOST_PAIRS) pair_middle(a, lo, n - lo, m - lo, same, ctx, pair);
}

/* ---- cells */

typedef struct { const Notebook *n, *kept; } Pairing;

static bool same_cell(const void *ctx, int i, int j) {
    const Pairing *p = ctx;
    return cell_is_run(&p->n->cells.data[i]) && !strcmp(p->n->cells.data[i].title, p->kept->cells.data[j].title);
}

int *cells_pair_up(const Notebook *n, const Notebook *kept) {
    int *pair = NEWN(n->arena, int, n->cells.len + 1);
    pair_up(n->arena, n->cells.len, kept->cells.len, same_cell, &(Pairing){n, kept}, pair);
    return pair;
}

/* ---- the report */

typedef struct Report {
    const Notebook *n, *kept;
    FILE *to;
    int cells; /* that differ */
    OutputLines now, then;
    double tolerance, absolute;
} Report;

static bool same_line(const void *ctx, int i, int j) {
    const Report *r = ctx;
    return texts_distance(r->then.data[i], r->now.data[j], r->absolute) <= r->tolerance;
}

/* Lines that are the same, but for those far from any that differ */
static void show_same(const Report *r, int lo, int hi, bool first, bool last) {
    for (int i = lo; i < hi; i++) {
        bool near = (!first && i < lo + CONTEXT) || (!last && i >= hi - CONTEXT);
        if (near) fprintf(r->to, " %s\n", r->now.data[i]);
        else if (i == lo + (first ? 0 : CONTEXT)) fprintf(r->to, " ...\n");
    }
}

static bool is_data(const char *line) { return line[0] == ':'; }

/* Lines of one side; of the data of a picture only the first, when there are many. */
static void show_side(const Report *r, char sign, const OutputLines *lines, int lo, int hi) {
    for (int i = lo, data = lo; i < hi; i++) {
        if (!is_data(lines->data[i])) data = i + 1;
        if (i < data + SHOWN_DATA) {
            fprintf(r->to, "%c%s\n", sign, lines->data[i]);
            continue;
        }
        while (i + 1 < hi && is_data(lines->data[i + 1])) i++;
        fprintf(r->to, "%c: ... %d more lines of the picture\n", sign, i + 1 - data - SHOWN_DATA);
    }
}

static void show_lines(const Report *r, Arena *a) {
    int *pair = NEWN(a, int, r->then.len + 1), i = 0, j = 0;
    pair_up(a, r->then.len, r->now.len, same_line, r, pair);
    for (bool first = true; i < r->then.len || j < r->now.len; first = false) {
        int from = j;
        for (; i < r->then.len && pair[i] == j; i++) j++;
        show_same(r, from, j, first, i == r->then.len && j == r->now.len);
        int gone = i, come = j;
        while (i < r->then.len && pair[i] < 0) i++;
        j = i < r->then.len ? pair[i] : r->now.len;
        show_side(r, '-', &r->then, gone, i);
        show_side(r, '+', &r->now, come, j);
    }
}

static const char *place(Arena *a, const Notebook *n, const NotebookCell *c) {
    return arena_printf(a, "%s:%d", n->path, c->line);
}

/* The greatest distance, as a part of the larger number: such a part, a percentage, how many times one is the other, or
 * no such thing */
static const char *distance_text(double d, char out[64]) {
    if (d < 1e-3) snprintf(out, 64, "by at most %.2g of their size", d);
    else if (d < 0.095) snprintf(out, 64, "by at most %.2g %%", 100 * d);
    else if (d < 0.5) snprintf(out, 64, "by at most %.0f %%", 100 * d);
    else if (d < 0.999) snprintf(out, 64, "one is up to %.3g times the other", 1 / (1 - d));
    else if (d < 1) snprintf(out, 64, "one is more than 1000 times the other");
    else snprintf(out, 64, "some in their sign, or from 0");
    return out;
}

/* Numbers that differ by so little may come from another machine. */
static void show_distance(const Report *r, double distance) {
    char text[64];
    if (isinf(distance)) return;
    fprintf(r->to, "  note: only numbers differ, %s (tolerance %g)\n", distance_text(distance, text), r->tolerance);
    if (distance > LIKELY) return;
    fprintf(r->to,
            "  hint: f32, and products by BLAS, differ from machine to machine; {tolerance=%.0e} in the cell's title "
            "lets them\n",
            pow(10, ceil(log10(2 * distance))));
}

/* One of the two may be NULL. */
static void show_cell(Report *r, const NotebookCell *c, const NotebookCell *kept) {
    Arena *a = arena_new();
    const char *title = c ? c->title : kept->title;
    r->now = (OutputLines){0}, r->then = (OutputLines){0};
    if (c) outputs_lines(a, c, &r->now), r->tolerance = c->tolerance, r->absolute = c->absolute;
    if (kept) outputs_lines(a, kept, &r->then);
    if (!r->cells++) fprintf(r->to, "--- %s\n+++ %s\n", r->kept->path, r->n->path);
    fprintf(r->to, "@@ %s%s%s%s%s @@\n", c ? place(a, r->n, c) : "no longer there", kept ? ", " : ", not in the file",
            kept ? place(a, r->kept, kept) : "", *title ? ": " : "", title);
    show_lines(r, a);
    if (c && kept) show_distance(r, outputs_distance(c, kept));
    arena_free(a);
}

int outputs_compare(const Notebook *n, const Notebook *kept, FILE *to) {
    Report r = {.n = n, .kept = kept, .to = to};
    const int *pair = cells_pair_up(n, kept);
    int next = 0;
    for (int i = 0; i < n->cells.len; i++) {
        const NotebookCell *c = &n->cells.data[i], *old = pair[i] >= 0 ? &kept->cells.data[pair[i]] : NULL;
        for (; old && next < pair[i]; next++) show_cell(&r, NULL, &kept->cells.data[next]);
        if (old) next++;
        if (cell_is_run(c) && (!old || outputs_distance(c, old) > c->tolerance)) show_cell(&r, c, old);
    }
    for (; next < kept->cells.len; next++) show_cell(&r, NULL, &kept->cells.data[next]);
    return r.cells;
}
