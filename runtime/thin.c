/* Curves with more points than a picture can show, made smaller without a difference that could be seen.
 *
 * A line: of the points that follow one another in one column, half a pixel wide, the first, the last and those at the
 * ends of x and y stay; the line through them covers the same pixels (Jugel, Jerzak, Hackenbroich and Markl, M4, VLDB
 * 2014, section 4).  When that leaves many, as of curves that go to and fro, so do only the segments that come to a
 * pixel where the curve has not been.  Bars: of each column the highest and the lowest.  Points: of those on one pixel
 * one stays, and none whose mark lies within the marks of others.  What has the least or greatest x or y stays: axes
 * are made from it. */
#include "runtime/plot.h"

#include <stdlib.h>

enum { FEW = 6400, MANY = 20000, ROOM = FEW / 4 };

typedef struct {
    FILE *out;            /* NULL: only counts */
    int64_t written;
    const PlotFrame *frame;
    unsigned char
        *seen; /* pixels that are covered, by curves that are drawn over this one too; NULL: it does not matter */
    double from[2];       /* the point before */
    double pen[2];        /* where the line that was written ends */
    bool begun, down;     /* there is a point before; a line is written, to there or to a place beside it */
} Thin;

static void put(Thin *t, double x, double y) {
    double pair[2] = {x, y};
    t->written++;
    if (t->out) fwrite(pair, sizeof pair, 1, t->out);
}

/* From 0 to `cells`, not included */
static double place(const PlotAxis *a, double x, int cells) {
    double lo = a->log ? log10(a->least) : a->least, hi = a->log ? log10(a->most) : a->most, u = a->log ? log10(x) : x;
    u = (u / 2 - lo / 2) / (hi / 2 - lo / 2) * cells; /* halves: the ends may be far apart */
    return u >= 0 ? fmin(u, cells - 0.001) : 0;
}

static bool is_point(double x, double y) { return isfinite(x) && isfinite(y); }

static bool is_extreme(const PlotFrame *f, double x, double y) {
    return x == f->x.least || x == f->x.most || y == f->y.least || y == f->y.most;
}

static unsigned char *cell(const Thin *t, int u, int v) { return &t->seen[v * t->frame->across + u]; }
unsigned char *plot_pixels(const PlotFrame *f) { return calloc((size_t)f->across, (size_t)f->upwards); }

/* ---- lines */

/* Whether the segment comes to a cell that is not covered; then it is. */
static bool is_new_segment(Thin *t, double x, double y) {
    const PlotFrame *f = t->frame;
    double u = place(&f->x, t->from[0], f->across), v = place(&f->y, t->from[1], f->upwards);
    double du = place(&f->x, x, f->across) - u, dv = place(&f->y, y, f->upwards) - v;
    int steps = (int)ceil(fmax(fabs(du), fabs(dv)));
    double part = steps ? 1.0 / steps : 0;
    bool is_new = is_extreme(f, x, y) || is_extreme(f, t->from[0], t->from[1]);
    for (int k = 0; k <= steps && !is_new; k++) is_new = !*cell(t, (int)(u + k * part * du), (int)(v + k * part * dv));
    for (int k = 0; k <= steps && is_new; k++) *cell(t, (int)(u + k * part * du), (int)(v + k * part * dv)) = 1;
    return is_new;
}

static void lift(Thin *t) {
    if (t->down) put(t, NAN, NAN);
    t->begun = t->down = false;
}

/* Within a pixel of where the pen is: a line that leaves from here leaves no gap. */
static bool is_near_pen(const Thin *t, double x, double y) {
    const PlotFrame *f = t->frame;
    double du = place(&f->x, x, f->across) - place(&f->x, t->pen[0], f->across);
    double dv = place(&f->y, y, f->upwards) - place(&f->y, t->pen[1], f->upwards);
    return fabs(du) <= 1 && fabs(dv) <= 1;
}

static void line_to(Thin *t, double x, double y) {
    bool drawn = !t->seen || (t->begun && is_new_segment(t, x, y));
    bool apart = !t->down || t->pen[0] != t->from[0] || t->pen[1] != t->from[1];
    if (drawn) {
        if (t->seen && apart) put(t, t->from[0], t->from[1]);
        put(t, x, y);
        t->pen[0] = x, t->pen[1] = y;
        t->down = true;
    } else if (t->down && !is_near_pen(t, x, y)) {
        put(t, NAN, NAN);
        t->down = false;
    }
    t->begun = true;
    t->from[0] = x, t->from[1] = y;
}

/* The points of a run that stay: in order, each once */
static void put_run(Thin *t, const double *x, const double *y, const int64_t keep[6]) {
    int64_t last = -1;
    for (int k = 0; k < 6; k++) {
        int64_t next = INT64_MAX;
        for (int i = 0; i < 6; i++)
            if (keep[i] > last && keep[i] < next) next = keep[i];
        if (next == INT64_MAX) return;
        line_to(t, x[next], y[next]);
        last = next;
    }
}

/* The run of points in one column that begins at i; where it ends */
static int64_t run(Thin *t, const double *x, const double *y, int64_t i, int64_t n) {
    int column = (int)place(&t->frame->x, x[i], ROOM);
    int64_t keep[6] = {i, i, i, i, i, i}, k = i;
    for (; k < n && is_point(x[k], y[k]) && (int)place(&t->frame->x, x[k], ROOM) == column; k++) {
        if (y[k] < y[keep[1]]) keep[1] = k;
        if (y[k] > y[keep[2]]) keep[2] = k;
        if (x[k] < x[keep[3]]) keep[3] = k;
        if (x[k] > x[keep[4]]) keep[4] = k;
        keep[5] = k;
    }
    put_run(t, x, y, keep);
    return k;
}

static void put_line(Thin *t, const double *x, const double *y, int64_t n) {
    for (int64_t i = 0; i < n;) {
        if (is_point(x[i], y[i])) {
            i = run(t, x, y, i, n);
            continue;
        }
        lift(t);
        i++;
    }
}

static void thin_line(Thin *t, const double *x, const double *y, int64_t n) {
    Thin counting = {.frame = t->frame};
    put_line(&counting, x, y, n);
    unsigned char *own = counting.written > MANY && !t->seen ? plot_pixels(t->frame)
                                                             : NULL; /* none: more to draw, and no harm */
    if (own) t->seen = own;
    put_line(t, x, y, n);
    free(own);
}

/* ---- bars: they stand on 0 */

typedef struct { int64_t least, most; } Bars; /* where they are, -1: there is none */

static void note_bar(Bars *b, const double *y, int64_t i) {
    if (y[i] >= 0 && (b->most < 0 || y[i] > y[b->most])) b->most = i;
    if (y[i] < 0 && (b->least < 0 || y[i] < y[b->least])) b->least = i;
}

static void thin_bars(Thin *t, const double *x, const double *y, int64_t n) {
    Bars columns[ROOM];
    for (int c = 0; c < ROOM; c++) columns[c] = (Bars){-1, -1};
    for (int64_t i = 0; i < n; i++)
        if (is_point(x[i], y[i])) note_bar(&columns[(int)place(&t->frame->x, x[i], ROOM)], y, i);
    for (int c = 0; c < ROOM; c++) {
        if (columns[c].least >= 0) put(t, x[columns[c].least], y[columns[c].least]);
        if (columns[c].most >= 0) put(t, x[columns[c].most], y[columns[c].most]);
    }
}

/* ---- points: a cell has bit 1 where there is a point, 2 where there is a mark around it */

static int bounded(int i, int n) { return i < 0 ? 0 : i >= n ? n - 1 : i; }

/* Whether all cells of a mark are covered; cover: they become it.  Round ones of radius 2 have 21 cells. */
static bool disc(const Thin *t, int u, int v, int radius, bool cover) {
    for (int j = -radius; j <= radius; j++)
        for (int i = -radius; i <= radius; i++) {
            unsigned char *c = cell(t, bounded(u + i, t->frame->across), bounded(v + j, t->frame->upwards));
            if (i * i + j * j > radius * radius + radius / 2) continue;
            if (cover) *c |= 2;
            else if (!*c) return false;
        }
    return true;
}

static void put_point(Thin *t, double x, double y, PlotMark mark) {
    int u = (int)place(&t->frame->x, x, t->frame->across), v = (int)place(&t->frame->y, y, t->frame->upwards);
    unsigned char *c = cell(t, u, v);
    if (!is_extreme(t->frame, x, y) && (*c & 1 || (mark.outer && disc(t, u, v, mark.outer, false)))) return;
    *c |= 1;
    if (mark.outer) disc(t, u, v, mark.inner, true);
    put(t, x, y);
}

static void thin_points(Thin *t, const double *x, const double *y, int64_t n, PlotMark mark) {
    unsigned char *own = t->seen ? NULL : plot_pixels(t->frame);
    if (own) t->seen = own;
    for (int64_t i = 0; i < n; i++) {
        if (!is_point(x[i], y[i])) continue;
        if (t->seen) put_point(t, x[i], y[i], mark);
        else put(t, x[i], y[i]);
    }
    free(own);
}

static int64_t put_all(Thin *t, const double *x, const double *y, int64_t n) {
    for (int64_t i = 0; i < n; i++) put(t, x[i], y[i]);
    return n;
}

bool plot_is_thinned(int64_t n, int64_t total) { return n > FEW || total > MANY; }

int64_t plot_thin(FILE *out, const double *x, const double *y, int64_t n, const PlotFrame *frame, PlotMark mark,
                  unsigned char *seen) {
    Thin t = {.out = out, .frame = frame, .seen = seen};
    if (!plot_is_thinned(n, frame->total)) return put_all(&t, x, y, n);
    if (mark.kind == MARK_POINTS) thin_points(&t, x, y, n, mark);
    else if (mark.kind == MARK_BARS) thin_bars(&t, x, y, n);
    else thin_line(&t, x, y, n);
    if (!t.written) put(&t, NAN, NAN); /* gnuplot needs some */
    return t.written;
}
