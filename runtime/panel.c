/* Figures: pictures of several panels, each with several layers, and animations of them.
 *
 * A figure is begun, told what it shows, and drawn.  What it is told becomes data in its folder and pieces of gnuplot's
 * language; the axes of panels are known when all of their layers are. */
#include "runtime/plot.h"

#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FIGURES = 64, MOST_PANELS = 64, LINETYPES = 6, FINE = 480, MOST_ARROWS = 64, MANY = 20000 };
enum { LEFT = 98, RIGHT = 20, BOX = 74, BOTTOM = 66, TOP = 14, TITLE = 24, LINE_OF_KEY = 22 }; /* pixels */
enum { LETTER = 8, KEY_LETTER = 11, NARROW = 500 }; /* gnuplot leaves so much for each letter of a name */

typedef struct { char *text; size_t n; FILE *f; } Pieces;

typedef struct { bool any; double least, most; } Extent;

typedef struct {
    Extent x, y, c; /* of what it shows */
    double low[3], high[3]; /* limits of x, y, colours; nan: of what it shows */
    char log[4];
    bool equal, colored, solid, ticked[3]; /* ticked: the program says where numbers stand */
    int names, longest; /* curves that have a name, and the letters of the longest */
    int notes;          /* texts, and arrows of them */
    int labels, widest; /* texts that stand for numbers of the x axis, and the letters of the longest */
    int layers, next;   /* next: type of line */
    char title[256];
    Pieces settings, layer;
} Panel;

typedef struct Figure {
    Plot plot;
    int rows, columns, panels; /* panels: begun */
    char title[256], share[4];
    uint64_t bytes; /* of data */
    Panel *panel;
} Figure;

/* ---- the figures that are begun */

static Figure *figures[MOST_FIGURES];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int64_t keep(Figure *f) {
    int64_t id = -1;
    pthread_mutex_lock(&lock);
    for (int k = 0; id < 0 && k < MOST_FIGURES; k++)
        if (!figures[k]) figures[id = k] = f;
    pthread_mutex_unlock(&lock);
    return id;
}

static Figure *find(int64_t id) {
    Figure *f = id >= 0 && id < MOST_FIGURES ? figures[id] : NULL;
    if (f) return f;
    dsl_say_error(dsl_current_site(), "E0623", "this figure is drawn already");
    dsl_say_hint("begin another one: figure(\"name.png\")");
    dsl_stop(1);
}

static void close_pieces(Pieces *p) {
    if (p->f) fclose(p->f);
    free(p->text);
    *p = (Pieces){0};
}

static void drop_panels(Figure *f) {
    for (int k = 0; k < f->panels; k++) {
        close_pieces(&f->panel[k].settings);
        close_pieces(&f->panel[k].layer);
    }
    f->panels = 0;
}

static void forget(int64_t id) {
    pthread_mutex_lock(&lock);
    Figure *f = figures[id];
    figures[id] = NULL;
    pthread_mutex_unlock(&lock);
    drop_panels(f);
    free(f->panel);
    free(f);
}

/* ---- panels */

static Panel *begin_panel(Figure *f) {
    if (f->panels == f->rows * f->columns)
        plot_fail_setting(&f->plot, "figure(\"name.png\", rows=2, columns=2) has four", "it has only %d panel%s",
                          f->panels, f->panels == 1 ? "" : "s");
    Panel *p = &f->panel[f->panels++];
    *p = (Panel){.low = {NAN, NAN, NAN}, .high = {NAN, NAN, NAN}};
    p->settings.f = open_memstream(&p->settings.text, &p->settings.n);
    p->layer.f = open_memstream(&p->layer.text, &p->layer.n);
    if (!p->settings.f || !p->layer.f) plot_fail(&f->plot, "%s", strerror(errno));
    return p;
}

static Panel *panel(Figure *f) { return f->panels ? &f->panel[f->panels - 1] : begin_panel(f); }

static void include(Extent *e, const double *x, int64_t n) {
    PlotRange r = plot_range(x, n);
    if (!r.finite) return;
    e->least = e->any ? fmin(e->least, r.least) : r.least;
    e->most = e->any ? fmax(e->most, r.most) : r.most;
    e->any = true;
}

int64_t dsl_x_figure(const char *path, int64_t rows, int64_t columns, int64_t width, int64_t height, const char *title,
                     const char *share, int64_t delay, bool dark) {
    Plot plot = plot_begin(path, "figure");
    Figure *f = calloc(1, sizeof *f);
    if (!f) plot_fail(&plot, "%s", strerror(errno));
    f->plot = plot;
    if (rows < 1 || columns < 1 || rows * columns > MOST_PANELS)
        plot_fail_setting(&plot, "it has 1 to 64 panels", "%lld by %lld panels", (long long)rows, (long long)columns);
    if (width < 100 || height < 100 || width > 10000 || height > 10000)
        plot_fail_setting(&plot, "it is 100 to 10000 pixels wide and high", "%lld by %lld pixels", (long long)width,
                          (long long)height);
    if (share[strspn(share, "xy")] || strlen(share) > 2)
        plot_fail_setting(&plot, "write share=\"x\", \"y\" or \"xy\"", "'%s' names no axes", share);
    f->rows = (int)rows;
    f->columns = (int)columns;
    f->plot.width = (int)width;
    f->plot.height = (int)height;
    double of_width = (double)width / (double)columns / 300, of_height = (double)height / (double)rows / 200;
    f->plot.scale = fmin(1, fmax(0.6, fmin(of_width, of_height)));
    f->plot.dark = dark;
    f->plot.delay = (int)(delay < 1 ? 1 : delay > 10000 ? 10000 : delay);
    snprintf(f->title, sizeof f->title, "%s", title);
    snprintf(f->share, sizeof f->share, "%s", share);
    f->panel = calloc((size_t)(rows * columns), sizeof *f->panel);
    int64_t id = f->panel ? keep(f) : -1;
    if (id < 0) plot_fail_setting(&f->plot, "draw(f) ends a figure", "there are too many figures at once");
    return id;
}

static void put_label(FILE *f, const char *what, const char *text) {
    if (!*text) return;
    fprintf(f, "set %s ", what);
    plot_quoted(f, text);
    fputs(" noenhanced\n", f);
}

/* The next panel, or the first one */
void dsl_x_panel(int64_t id, const char *title, const char *xlabel, const char *ylabel, const char *log, bool equal) {
    Figure *f = find(id);
    bool fresh = f->panels == 1 && !panel(f)->layers && !panel(f)->colored;
    Panel *p = fresh ? panel(f) : begin_panel(f);
    if (log[strspn(log, "xy")] || strlen(log) > 2)
        plot_fail_setting(&f->plot, "write log=\"x\", log=\"y\" or log=\"xy\"", "'%s' names no axes", log);
    snprintf(p->log, sizeof p->log, "%s", log);
    snprintf(p->title, sizeof p->title, "%s", title);
    p->equal = equal;
    put_label(p->settings.f, "xlabel", xlabel);
    put_label(p->settings.f, "ylabel", ylabel);
    about_line(f->plot.about, *title ? title : "panel");
    fputc('\n', f->plot.about);
}

static int axis_of(Figure *f, const char *axis) {
    static const char *const names[] = {"x", "y", "c"};
    for (int k = 0; k < 3; k++)
        if (!strcmp(names[k], axis)) return k;
    plot_fail_setting(&f->plot, "axes are \"x\", \"y\" and \"c\", the colours", "'%s' names no axis", axis);
}

void dsl_x_limits(int64_t id, const char *axis, double low, double high) {
    Figure *f = find(id);
    Panel *p = panel(f);
    int k = axis_of(f, axis);
    if (!(low < high) || !isfinite(low) || !isfinite(high))
        plot_fail_setting(&f->plot, "limits(f, \"x\", 0.0, 10.0)", "limits must ascend");
    p->low[k] = low;
    p->high[k] = high;
}

static void count_label(Panel *p, const char *text) {
    const int letters = (int)dsl_count_characters(text, strlen(text));
    if (letters > p->widest) p->widest = letters;
    p->labels++;
}

void dsl_x_ticks(int64_t id, const char *axis, const dsl_array *at, const dsl_array *labels) {
    Figure *f = find(id);
    static const char *const names[] = {"x", "y", "cb"};
    FILE *to = panel(f)->settings.f;
    int k = axis_of(f, axis);
    if (labels->count && labels->count != at->count)
        plot_fail_setting(&f->plot, "give a text for each place", "%lld labels for %lld ticks",
                          (long long)labels->count, (long long)at->count);
    fprintf(to, "set %stics (", names[k]);
    for (int64_t i = 0; i < at->count; i++) {
        const char *text = labels->count ? ((const char *const *)labels->data)[i] : NULL;
        if (i) fputs(", ", to);
        if (text) plot_quoted(to, text);
        if (text && k == 0) count_label(panel(f), text);
        fprintf(to, " %.17g", ((const double *)at->data)[i]);
    }
    fprintf(to, ")\nset %stics noenhanced\n", names[k]);
    panel(f)->ticked[k] = true;
}

/* ---- data */

static FILE *open_data(Figure *f) { return plot_open(&f->plot, "data", "ab"); }

static void close_data(Figure *f, FILE *data) {
    bool bad = ferror(data) != 0;
    if (fclose(data) || bad) plot_fail(&f->plot, "%s", strerror(errno));
}

/* The layer that comes next, of n records of so many numbers each, behind the data that is there */
static FILE *begin_layer(Figure *f, int64_t n, int width) {
    Panel *p = panel(f);
    char file[600];
    FILE *to = p->layer.f;
    if (p->layers++) fputs(", \\\n  ", to);
    plot_quoted(to, plot_file(&f->plot, "data", file));
    fprintf(to, " binary record=(%lld) skip=%llu format='", (long long)n, (unsigned long long)f->bytes);
    for (int k = 0; k < width; k++) fputs("%float64", to);
    fputs("' using ", to);
    for (int k = 0; k < width; k++) fprintf(to, "%s%d", k ? ":" : "", k + 1);
    f->bytes += (uint64_t)(n * width) * sizeof(double);
    return to;
}

static void put_columns(Figure *f, int64_t n, int width, const double *const *columns) {
    FILE *data = open_data(f);
    for (int64_t i = 0; i < n; i++)
        for (int k = 0; k < width; k++) fwrite(&columns[k][i], sizeof(double), 1, data);
    close_data(f, data);
}

/* A colour of its own, or the next of the usual ones */
static void put_color(Figure *f, FILE *to, const char *color) {
    Panel *p = panel(f);
    static const struct { const char *name, *rgb; } known[] = {
        {"blue", "#0072b2"}, {"red", "#d55e00"},   {"green", "#009e73"},  {"purple", "#cc79a7"},
        {"gray", "#808080"}, {"orange", "#e69f00"}, {"cyan", "#56b4e9"}, {"black", "#404040"}};
    size_t k = 0, n = sizeof known / sizeof *known;
    while (k < n && strcmp(known[k].name, color)) k++;
    bool code = *color == '#' && strlen(color) == 7 && strspn(color + 1, "0123456789abcdefABCDEF") == 6;
    if (*color && k == n && !code)
        plot_fail_setting(&f->plot, "colours are blue, red, green, purple, orange, cyan, gray, black, or \"#c04000\"",
                          "no colour is called '%s'", color);
    if (!strcmp(color, "black") || !strcmp(color, "blue")) fprintf(to, " lc rgb %s", color); /* gnuplot.c: put_inks */
    else if (*color) fprintf(to, " lc rgb '%s'", k < n ? known[k].rgb : color);
    else fprintf(to, " lt %d", p->next++ % LINETYPES + 1);
}

static void put_title(Figure *f, FILE *to, const char *name) {
    fputs(" title ", to);
    plot_quoted(to, name);
    if (!*name) return;
    panel(f)->names++;
    const int letters = (int)dsl_count_characters(name, strlen(name));
    if (letters > panel(f)->longest) panel(f)->longest = letters;
}

static void about(Figure *f, const char *what, const char *name, int64_t n, const dsl_array *x, const dsl_array *y) {
    const double *row[2] = {x->data, y->data};
    fputs(what, f->plot.about);
    if (*name) fputc(' ', f->plot.about);
    about_line(f->plot.about, name);
    fprintf(f->plot.about, ": %lld points\n", (long long)n);
    about_numbers(f->plot.about, n, 2, row);
}

/* ---- curves and what belongs to them */

void dsl_x_curve(int64_t id, const dsl_array *x, const dsl_array *y, const char *name, const char *style,
                 const char *color) {
    Figure *f = find(id);
    Panel *p = panel(f);
    PlotMark mark;
    const char *with = plot_style(&f->plot, style, &mark);
    PlotRange h = plot_range(x->data, x->count), v = plot_range(y->data, y->count);
    PlotFrame frame = {{h.least, h.most, strchr(p->log, 'x')}, {v.least, v.most, strchr(p->log, 'y')},
                       f->plot.width, f->plot.height, y->count};
    FILE *data = open_data(f);
    int64_t n = plot_thin(data, x->data, y->data, y->count, &frame, mark, NULL);
    close_data(f, data);
    include(&p->x, x->data, x->count);
    include(&p->y, y->data, y->count);
    if (mark.kind == MARK_BARS) include(&p->y, (const double[]){0}, 1);
    f->plot.many |= n > MANY;
    FILE *to = begin_layer(f, n, 2);
    fprintf(to, " with %s", with);
    put_color(f, to, color);
    if (mark.kind != MARK_BARS && *color) fputs(" lw 2", to);
    put_title(f, to, name);
    about(f, "curve", name, y->count, x, y);
}

void dsl_x_errorbars(int64_t id, const dsl_array *x, const dsl_array *y, const dsl_array *dx, const dsl_array *dy,
                     const char *name, const char *color) {
    Figure *f = find(id);
    Panel *p = panel(f);
    int64_t n = x->count;
    bool both = dx->count == n && n > 0;
    double *ends = malloc((size_t)(4 * n + 1) * sizeof *ends);
    if (!ends) plot_fail(&f->plot, "%s", strerror(errno));
    for (int64_t i = 0; i < n; i++) {
        double h = both ? ((double *)dx->data)[i] : 0, v = ((double *)dy->data)[i];
        double at[4] = {((double *)x->data)[i] - h, ((double *)x->data)[i] + h, ((double *)y->data)[i] - v,
                        ((double *)y->data)[i] + v};
        for (int k = 0; k < 4; k++) ends[k * n + i] = at[k];
    }
    const double *columns[6] = {x->data, y->data, ends, ends + n, ends + 2 * n, ends + 3 * n};
    const double *only[4] = {x->data, y->data, ends + 2 * n, ends + 3 * n};
    put_columns(f, n, both ? 6 : 4, both ? columns : only);
    include(&p->x, ends, 2 * n);
    include(&p->y, ends + 2 * n, 2 * n);
    free(ends);
    FILE *to = begin_layer(f, n, both ? 6 : 4);
    fprintf(to, " with %s", both ? "xyerrorbars" : "yerrorbars");
    put_color(f, to, color);
    fputs(" lw 1.5 pt 7 ps 0.6", to);
    put_title(f, to, name);
    about(f, "points with error bars", name, n, x, y);
}

void dsl_x_band(int64_t id, const dsl_array *x, const dsl_array *low, const dsl_array *high, const char *name,
                const char *color) {
    Figure *f = find(id);
    Panel *p = panel(f);
    put_columns(f, x->count, 3, (const double *[]){x->data, low->data, high->data});
    include(&p->x, x->data, x->count);
    include(&p->y, low->data, low->count);
    include(&p->y, high->data, high->count);
    FILE *to = begin_layer(f, x->count, 3);
    fputs(" with filledcurves fs transparent solid 0.25 noborder", to);
    put_color(f, to, color);
    put_title(f, to, name);
    about(f, "band", name, x->count, x, low);
}

/* A text at a place; tx, ty: what an arrow from it points at, or nan */
void dsl_x_note(int64_t id, double x, double y, const char *text, double tx, double ty) {
    Figure *f = find(id);
    FILE *to = panel(f)->settings.f;
    bool arrow = isfinite(tx) && isfinite(ty);
    if (!isfinite(x) || !isfinite(y)) plot_fail(&f->plot, "a text needs a place");
    const int k = ++panel(f)->notes;
    if (arrow)
        fprintf(to,
                "set arrow %d from first %.17g,%.17g to first %.17g,%.17g front lw 1.2 head filled size screen "
                "0.012,20\nif (dark) set arrow %d lc rgb black\n",
                k, x, y, tx, ty, k);
    fprintf(to, "set label %d ", k);
    plot_quoted(to, text);
    double side = arrow && tx > x ? 1 : 0;
    fprintf(to,
            " at first %.17g,%.17g %s front noenhanced offset character %g,0\nif (dark) set label %d tc rgb black\n", x,
            y, side > 0 ? "right" : "left", arrow ? (side > 0 ? -0.5 : 0.5) : 0, k);
    fputs("text: ", f->plot.about);
    about_line(f->plot.about, text);
    fputc('\n', f->plot.about);
}

/* A line across, at x or y */
void dsl_x_rule(int64_t id, const char *axis, double at, const char *color) {
    Figure *f = find(id);
    int k = axis_of(f, axis);
    FILE *to = panel(f)->settings.f;
    if (k == 2 || !isfinite(at)) plot_fail_setting(&f->plot, "rule(f, \"y\", 0.0)", "such a line has no place");
    const int tag = ++panel(f)->notes;
    if (k == 0)
        fprintf(to, "set arrow %d from first %.17g, graph 0 to first %.17g, graph 1 nohead back dt 2", tag, at, at);
    else
        fprintf(to, "set arrow %d from graph 0, first %.17g to graph 1, first %.17g nohead back dt 2", tag, at, at);
    if (*color) put_color(f, to, color);
    fputc('\n', to);
}

/* ---- boxes: the middle half, the median, whiskers as long as 1.5 of it at most, and what lies outside (Tukey 1977) */

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double part_of(const double *s, int64_t n, double q) {
    double at = q * (double)(n - 1);
    int64_t i = (int64_t)at;
    return i + 1 < n ? s[i] + (at - (double)i) * (s[i + 1] - s[i]) : s[i];
}

void dsl_x_box(int64_t id, double x, const dsl_array *values, double width, const char *color) {
    Figure *f = find(id);
    Panel *p = panel(f);
    double *s = malloc((size_t)(2 * values->count + 1) * sizeof *s);
    int64_t n = 0, out = 0;
    if (!s) plot_fail(&f->plot, "%s", strerror(errno));
    for (int64_t i = 0; i < values->count; i++)
        if (isfinite(((double *)values->data)[i])) s[n++] = ((double *)values->data)[i];
    if (!n) {
        free(s);
        plot_fail(&f->plot, "a box has no finite value");
    }
    qsort(s, (size_t)n, sizeof *s, ascending);
    double low = part_of(s, n, 0.25), middle = part_of(s, n, 0.5), high = part_of(s, n, 0.75),
           reach = 1.5 * (high - low);
    double least = s[n - 1], most = s[0], *outside = s + values->count;
    for (int64_t i = 0; i < n; i++)
        if (s[i] < low - reach || s[i] > high + reach) outside[out++] = s[i];
        else least = fmin(least, s[i]), most = fmax(most, s[i]);
    double box[7] = {x, low, least, most, high, width, middle}, edges[2] = {x - width, x + width};
    put_columns(f, 1, 6, (const double *[]){box, box + 1, box + 2, box + 3, box + 4, box + 5});
    include(&p->x, edges, 2);
    include(&p->y, s, n);
    FILE *to = begin_layer(f, 1, 6);
    int color_before = p->next;
    fputs(" with candlesticks whiskerbars 0.5 fs transparent solid 0.3 border lw 1.5", to);
    put_color(f, to, color);
    put_title(f, to, "");
    put_columns(f, 1, 6, (const double *[]){box, box + 6, box + 6, box + 6, box + 6, box + 5});
    to = begin_layer(f, 1, 6);
    fputs(" with candlesticks lw 3", to);
    p->next = color_before;
    put_color(f, to, color);
    put_title(f, to, "");
    for (int64_t i = 0; i < out; i++) s[i] = x;
    if (out) {
        put_columns(f, out, 2, (const double *[]){s, outside});
        to = begin_layer(f, out, 2);
        fputs(" with points pt 6 ps 0.7", to);
        p->next = color_before;
        put_color(f, to, color);
        put_title(f, to, "");
    }
    fprintf(f->plot.about, "box: %lld values, median ", (long long)n);
    about_float(f->plot.about, middle);
    fputc('\n', f->plot.about);
    free(s);
}

/* ---- what is known on a grid: z[i, j] at x[j], y[i] */

static const double *numbers(const dsl_array *a) { return a->data; }

static double step_of(Figure *f, const dsl_array *a, const char *axis) {
    const double *x = numbers(a);
    int64_t n = a->count;
    double step = n > 1 ? (x[n - 1] - x[0]) / (double)(n - 1) : 1;
    if (n < 2 || !(step > 0) || !isfinite(step)) plot_fail(&f->plot, "%s must ascend", axis);
    for (int64_t i = 1; i < n; i++)
        if (!(fabs(x[i] - (x[0] + (double)i * step)) <= 1e-6 * step))
            plot_fail(&f->plot, "%s must have even steps", axis);
    return step;
}

/* Between the points, by their neighbours */
static double between(const dsl_array *z, double i, double j) {
    int64_t rows = z->dim[0], columns = z->dim[1], i0 = (int64_t)fmin(i, (double)(rows - 2)),
            j0 = (int64_t)fmin(j, (double)(columns - 2));
    const double *at = numbers(z) + i0 * columns + j0;
    double u = i - (double)i0, v = j - (double)j0;
    return (1 - u) * ((1 - v) * at[0] + v * at[1]) + u * ((1 - v) * at[columns] + v * at[columns + 1]);
}

static void put_palette(Figure *f, const char *colors, int64_t levels) {
    Panel *p = panel(f);
    const char *missing, *palette = plot_palette(&f->plot, colors, &missing);
    fputs(palette, p->settings.f);
    if (levels) fprintf(p->settings.f, "set palette maxcolors %lld\n", (long long)levels);
    else fputs("set palette maxcolors 0\n", p->settings.f);
    if (!strcmp(colors, "diverging") && isnan(p->low[2])) { /* white is at 0 */
        double most = p->c.any ? fmax(fabs(p->c.least), fabs(p->c.most)) : 1;
        p->c = (Extent){true, -most, most};
    }
    p->colored = true;
}

/* As colours; levels: in so many bands, whose edges are smooth, 0: in none */
void dsl_x_colors(int64_t id, const dsl_array *x, const dsl_array *y, const dsl_array *z, const char *colors,
                  int64_t levels) {
    Figure *f = find(id);
    Panel *p = panel(f);
    char file[600];
    double dx = step_of(f, x, "x"), dy = step_of(f, y, "y");
    int64_t rows = z->dim[0], columns = z->dim[1], fine_rows = rows, fine_columns = columns;
    if (levels < 0 || levels > 256)
        plot_fail_setting(&f->plot, "give a number of levels from 1 to 256", "%lld levels", (long long)levels);
    if (levels) fine_rows = rows < FINE ? FINE : rows, fine_columns = columns < FINE ? FINE : columns;
    double half = levels ? 0 : 0.5, edges[4] = {numbers(x)[0] - half * dx, numbers(x)[columns - 1] + half * dx,
                                                numbers(y)[0] - half * dy, numbers(y)[rows - 1] + half * dy};
    include(&p->x, edges, 2);
    include(&p->y, edges + 2, 2);
    include(&p->c, z->data, z->count);
    put_palette(f, colors, levels);
    FILE *data = open_data(f);
    double across = (double)(columns - 1) / (double)(fine_columns - 1),
           up = (double)(rows - 1) / (double)(fine_rows - 1);
    for (int64_t i = 0; i < fine_rows; i++)
        for (int64_t j = 0; j < fine_columns; j++) {
            double v = levels ? between(z, (double)i * up, (double)j * across) : numbers(z)[i * columns + j];
            if (isinf(v)) v = NAN;
            fwrite(&v, sizeof v, 1, data);
        }
    close_data(f, data);
    FILE *to = p->layer.f;
    if (p->layers++) fputs(", \\\n  ", to);
    plot_quoted(to, plot_file(&f->plot, "data", file));
    fprintf(to,
            " binary array=(%lld,%lld) skip=%llu format='%%float64' origin=(%.17g,%.17g) dx=%.17g dy=%.17g with image "
            "title ''",
            (long long)fine_columns, (long long)fine_rows, (unsigned long long)f->bytes, numbers(x)[0], numbers(y)[0],
            dx * across, dy * up);
    f->bytes += (uint64_t)(fine_rows * fine_columns) * sizeof(double);
    fprintf(f->plot.about, "colours: %lld rows, %lld columns\n", (long long)rows, (long long)columns);
    about_numbers(f->plot.about, z->count, 1, (const double *[]){numbers(z)});
}

/* The lines of one level through the cell at `at`, from edge to edge (marching squares); how many, at most 2 */
static int cell_lines(const double *at, int64_t columns, double level, double lines[2][4]) {
    const double v[4] = {at[0], at[1], at[columns + 1], at[columns]};
    static const double corner[5][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}, {0, 0}};
    double cut[4][2];
    int n = 0;
    for (int k = 0; k < 4; k++) {
        double a = v[k] - level, b = v[(k + 1) % 4] - level, t = a / (a - b);
        if (!isfinite(a) || !isfinite(b)) return 0;
        if ((a < 0) == (b < 0)) continue;
        for (int c = 0; c < 2; c++) cut[n][c] = corner[k][c] + t * (corner[k + 1][c] - corner[k][c]);
        n++;
    }
    /* Of a saddle those corners belong together that are as the middle is. */
    bool turned = n == 4 && ((v[0] + v[1] + v[2] + v[3]) / 4 < level) == (v[0] < level);
    for (int k = 0; k + 1 < n; k += 2) {
        const double *p = cut[turned ? k : (k + 3) % 4], *q = cut[turned ? k + 1 : k];
        if (n == 2) p = cut[0], q = cut[1];
        memcpy(lines[k / 2], (double[]){p[0], p[1], q[0] - p[0], q[1] - p[1]}, sizeof lines[0]);
    }
    return n / 2;
}

static int64_t put_lines(FILE *data, const dsl_array *x, const dsl_array *y, const dsl_array *z, double level) {
    int64_t columns = z->dim[1], count = 0;
    double dx = numbers(x)[1] - numbers(x)[0], dy = numbers(y)[1] - numbers(y)[0], lines[2][4];
    for (int64_t i = 0; i + 1 < z->dim[0]; i++)
        for (int64_t j = 0; j + 1 < columns; j++) {
            int n = cell_lines(numbers(z) + i * columns + j, columns, level, lines);
            for (int k = 0; k < n; k++, count++) {
                double out[5] = {numbers(x)[j] + lines[k][0] * dx, numbers(y)[i] + lines[k][1] * dy, lines[k][2] * dx,
                                 lines[k][3] * dy, level};
                fwrite(out, sizeof out, 1, data);
            }
        }
    return count;
}

/* Lines of equal value; color "": by value */
void dsl_x_levels(int64_t id, const dsl_array *x, const dsl_array *y, const dsl_array *z, const dsl_array *levels,
                  const char *color) {
    Figure *f = find(id);
    Panel *p = panel(f);
    step_of(f, x, "x");
    step_of(f, y, "y");
    FILE *data = open_data(f);
    int64_t count = 0;
    for (int64_t k = 0; k < levels->count; k++) count += put_lines(data, x, y, z, numbers(levels)[k]);
    close_data(f, data);
    include(&p->x, x->data, x->count);
    include(&p->y, y->data, y->count);
    if (!*color && !p->colored) {
        include(&p->c, levels->data, levels->count);
        fputs("set palette defined (0 '#3b76d6', 1 '#7d66d6', 2 '#b353c0', 3 '#d14a8b', 4 '#d9503f', 5 '#c76a10', 6 "
              "'#a07f10')\n",
              p->settings.f);
    }
    FILE *to = begin_layer(f, count, 5);
    fputs(" with vectors nohead lw 1.3", to);
    if (*color) put_color(f, to, color);
    else if (p->colored) fputs(" lc rgb '#303030'", to);
    else fputs(" lc palette", to);
    p->colored |= !*color && p->layers == 1;
    put_title(f, to, "");
    fprintf(f->plot.about, "contours: %lld levels\n", (long long)levels->count);
    about_numbers(f->plot.about, levels->count, 1, (const double *[]){numbers(levels)});
}

void dsl_x_arrows(int64_t id, const dsl_array *x, const dsl_array *y, const dsl_array *u, const dsl_array *v,
                  const char *color) {
    Figure *f = find(id);
    Panel *p = panel(f);
    int64_t columns = x->count, across = (columns + MOST_ARROWS - 1) / MOST_ARROWS,
            up = (y->count + MOST_ARROWS - 1) / MOST_ARROWS, n = 0;
    double longest = 0, step = fmin(step_of(f, x, "x") * (double)across, step_of(f, y, "y") * (double)up);
    for (int64_t i = 0; i < u->count; i++) {
        double length = hypot(numbers(u)[i], numbers(v)[i]);
        if (isfinite(length)) longest = fmax(longest, length);
    }
    double scale = longest > 0 ? step / longest : 1;
    FILE *data = open_data(f);
    for (int64_t i = 0; i < u->count; i++) {
        if (i % columns % across || i / columns % up) continue;
        double du = numbers(u)[i] * scale, dv = numbers(v)[i] * scale;
        double arrow[4] = {numbers(x)[i % columns] - du / 2, numbers(y)[i / columns] - dv / 2, du, dv};
        fwrite(arrow, sizeof arrow, 1, data);
        n++;
    }
    close_data(f, data);
    include(&p->x, x->data, x->count);
    include(&p->y, y->data, y->count);
    FILE *to = begin_layer(f, n, 4);
    fputs(" with vectors head filled size graph 0.012,20 lw 1.2", to);
    put_color(f, to, *color ? color : p->colored ? "#303030" : "blue"); /* images are no darker on dark */
    put_title(f, to, "");
    fprintf(f->plot.about, "arrows: %lld rows, %lld columns\n", (long long)y->count, (long long)columns);
}

/* As a surface in space, which has its panel for itself */
void dsl_x_surface(int64_t id, const dsl_array *x, const dsl_array *y, const dsl_array *z, const char *colors,
                   double turn, double tilt) {
    Figure *f = find(id);
    Panel *p = panel(f);
    char file[600];
    double dx = step_of(f, x, "x"), dy = step_of(f, y, "y");
    if (p->layers)
        plot_fail_setting(&f->plot, "begin another one before it: panel(f)", "a surface has its panel for itself");
    if (!(tilt >= 0 && tilt <= 180))
        plot_fail_setting(&f->plot, "tilt is 0, from above, to 180", "a surface cannot be seen so");
    include(&p->x, x->data, x->count);
    include(&p->y, y->data, y->count);
    include(&p->c, z->data, z->count);
    put_palette(f, colors, 0);
    FILE *data = open_data(f), *to = p->layer.f;
    fwrite(z->data, sizeof(double), (size_t)z->count, data);
    close_data(f, data);
    p->layers++;
    p->solid = true;
    fprintf(p->settings.f,
            "set view %.9g,%.9g\nset ticslevel 0\nset xyplane relative 0.05\nset pm3d depthorder border lc rgb "
            "'#40303030' lw 0.3\n",
            tilt, fmod(fmod(turn, 360) + 360, 360));
    plot_quoted(to, plot_file(&f->plot, "data", file));
    fprintf(to,
            " binary array=(%lld,%lld) skip=%llu format='%%float64' origin=(%.17g,%.17g,0) dx=%.17g dy=%.17g with pm3d "
            "title ''",
            (long long)x->count, (long long)y->count, (unsigned long long)f->bytes, numbers(x)[0], numbers(y)[0], dx,
            dy);
    f->bytes += (uint64_t)z->count * sizeof(double);
    fprintf(f->plot.about, "surface: %lld rows, %lld columns\n", (long long)y->count, (long long)x->count);
    about_numbers(f->plot.about, z->count, 1, (const double *[]){numbers(z)});
}

/* ---- drawing */

static bool shares(const Figure *f, char axis) { return strchr(f->share, axis) != NULL; }

/* All panels get the ends of all. */
static void share_axes(Figure *f) {
    for (int axis = 0; axis < 2; axis++) {
        Extent all = {0};
        double low = NAN, high = NAN;
        if (!shares(f, "xy"[axis])) continue;
        for (int k = 0; k < f->panels; k++) {
            const Extent *e = axis ? &f->panel[k].y : &f->panel[k].x;
            if (e->any) include(&all, (const double[]){e->least, e->most}, 2);
            if (!isnan(f->panel[k].low[axis])) low = f->panel[k].low[axis], high = f->panel[k].high[axis];
        }
        for (int k = 0; k < f->panels; k++) {
            *(axis ? &f->panel[k].y : &f->panel[k].x) = all;
            f->panel[k].low[axis] = low;
            f->panel[k].high[axis] = high;
        }
    }
}

/* A logarithmic axis: numbers are powers of ten, every second or third where there is no room */
static void put_log(FILE *f, const char *axis, double decades, double length) {
    fprintf(f, "set logscale %s\n", axis);
    if (decades < 2) return;
    fprintf(f, "set format %s \"10^{%%L}\"\n", axis);
    const double step = ceil(decades * (*axis == 'x' ? 4.5 : 2.2) / length);
    if (length > 0 && step > 1) fprintf(f, "set %stics 1e%.0f\n", axis, step);
}

/* Some room beside what is shown, so that no curve lies under the frame; images fill their panel */
static void put_range(Figure *f, const Panel *p, int axis, double length) {
    static const char *const names[] = {"x", "y", "cb"};
    const Extent *e = axis == 0 ? &p->x : axis == 1 ? &p->y : &p->c;
    bool is_log = axis < 2 && strchr(p->log, "xy"[axis]), tight = axis == 2 || p->colored;
    double low = p->low[axis], high = p->high[axis];
    if (isnan(low) && !e->any) return;
    if (isnan(low)) {
        low = e->least;
        high = e->most;
        if (is_log && low <= 0)
            plot_fail_setting(&f->plot, "leave such points out, or make them nan",
                              "a logarithmic %s axis has no place for 0 and less", names[axis]);
        double room = is_log ? pow(high / low, 0.04) : 0.04 * (high - low);
        if (is_log && high == low) room = 2;
        if (!is_log && high == low) room = low == 0 ? 1 : 0.1 * fabs(low);
        if (is_log) low /= room, high *= room;
        else if (!tight || high == low) low -= room, high += room;
    }
    if (is_log) put_log(f->plot.script, names[axis], log10(high / low), p->ticked[axis] ? 0 : length);
    else if (length > 0 && !p->ticked[axis]) plot_ticks(f->plot.script, names[axis], (PlotRange){2, low, high}, length);
    fprintf(f->plot.script, "set %srange [%.17g:%.17g]\n", names[axis], low, high);
}

static bool any_colored(const Figure *f) {
    bool any = false;
    for (int k = 0; k < f->panels; k++) any |= f->panel[k].colored;
    return any;
}

/* The lines of a panel's key, of this width: names side by side, each with a piece of its curve and as much room as
 * the longest */
static int key_lines(const Figure *f, const Panel *p, double across) {
    const double each = f->plot.scale * (KEY_LETTER * p->longest + 52);
    const int beside = (int)fmax(1, floor(across / each));
    return (p->names + beside - 1) / beside;
}

/* The most lines of a key that any panel has */
static int most_lines(const Figure *f, double across) {
    int most = 0;
    for (int k = 0; k < f->panels; k++) {
        int lines = key_lines(f, &f->panel[k], across);
        if (lines > most) most = lines;
    }
    return most;
}

/* Whether texts that stand for numbers of the x axis would meet, and are turned */
static bool turned(const Figure *f, const Panel *p, double across) {
    return p->labels * (LETTER * p->widest + LETTER) * f->plot.scale > across;
}

/* What turned texts need below their panel */
static double turned_room(const Figure *f, double across) {
    double most = 0;
    for (int k = 0; k < f->panels; k++)
        if (turned(f, &f->panel[k], across)) most = fmax(most, f->panel[k].widest * LETTER / 2.0 - 6);
    return most * f->plot.scale;
}

/* Ranges and numbers, fewer where axes are seen from the side */
static void put_ranges(Figure *f, const Panel *p, double across, double upwards) {
    const double z = f->plot.scale;
    put_range(f, p, 0, across * (p->solid ? 0.45 : 1) / (9 * z));
    put_range(f, p, 1, p->solid ? across * 0.3 / (14 * z) : upwards / (14 * z));
    put_range(f, p, 2, upwards / (14 * z));
    if (!p->solid || !p->c.any) return;
    const PlotRange c = {2, p->c.least, p->c.most};
    if (c.most > c.least) plot_ticks(f->plot.script, "z", c, 0.3 * upwards / (14 * z));
    fprintf(f->plot.script, "set zrange [%.17g:%.17g]\n", c.least, c.most > c.least ? c.most : c.least + 1);
}

/* The places of panel k on the page, in parts of it; gives the lines of its key */
static int place(Figure *f, int k) {
    const double z = f->plot.scale, left = LEFT * z;
    const double right = (RIGHT + (any_colored(f) ? BOX : 0)) * z;
    double w = f->plot.width, h = f->plot.height, title = *f->title ? (TITLE + 4) * z : 0;
    bool titles = false;
    for (int i = 0; i < f->panels; i++) titles |= *f->panel[i].title != 0;
    double across = (w - left - (shares(f, 'y') ? 0 : (f->columns - 1) * left) - f->columns * right) / f->columns;
    int lines = key_lines(f, &f->panel[k], across);
    const double bottom = BOTTOM * z + turned_room(f, across);
    double top = z * (TOP + (titles ? TITLE : 0) + LINE_OF_KEY * most_lines(f, across));
    double below = shares(f, 'x') ? bottom : f->rows * bottom, upwards = (h - title - below - f->rows * top) / f->rows;
    int row = k / f->columns, column = k % f->columns;
    double x0 = column * (across + right) + left + (shares(f, 'y') ? 0 : column * left);
    double y1 = h - title - (row + 1) * top - row * (upwards + (shares(f, 'x') ? 0 : bottom));
    if (across < 20 || upwards < 20)
        plot_fail_setting(&f->plot, "make it larger: width=1200, height=900", "its panels have no room");
    FILE *to = f->plot.script;
    if (f->panel[k].solid)
        fprintf(
            to,
            "set origin %.6f,%.6f\nset size %.6f,%.6f\nset lmargin 7\nset rmargin 7\nset tmargin 0\nset bmargin 0\n",
            (x0 - left) / w, (y1 - upwards - bottom) / h, (across + left + BOX * z) / w,
            (upwards + bottom + TITLE * z) / h);
    else
        fprintf(to,
                "set lmargin at screen %.6f\nset rmargin at screen %.6f\nset bmargin at screen %.6f\nset tmargin at "
                "screen %.6f\n",
                x0 / w, (x0 + across) / w, (y1 - upwards) / h, y1 / h);
    if (lines)
        fprintf(to, "set key at screen %.6f, screen %.6f center bottom horizontal samplen 2\n", (x0 + across / 2) / w,
                (y1 + 3) / h);
    if (turned(f, &f->panel[k], across)) fputs("set xtics rotate by 30 right\n", to);
    if (f->panel[k].colored && !f->panel[k].solid)
        fprintf(to, "set colorbox user origin graph %.6f, graph 0 size graph %.6f, graph 1\n", 1 + 12 * z / across,
                16 * z / across);
    if (f->panel[k].solid && across < NARROW * z) fputs("set view ,,0.95\nset ylabel offset character -3,0\n", to);
    else if (f->panel[k].solid) fputs("set view ,,1.2\n", to);
    put_ranges(f, &f->panel[k], across, upwards);
    if (shares(f, 'x') && row + 1 < f->rows && k + f->columns < f->panels)
        fputs("set format x ''\nunset xlabel\n", f->plot.script);
    if (shares(f, 'y') && column) fputs("set format y ''\nunset ylabel\n", f->plot.script);
    return lines;
}

static void draw_panel(Figure *f, int k) {
    Panel *p = &f->panel[k];
    FILE *s = f->plot.script;
    fputs(plot_usual, s);
    if (p->equal) fputs("set size ratio -1\n", s);
    if (p->colored) fputs("unset grid\n", s);
    fputs(p->colored && !p->solid ? "set colorbox\n" : "unset colorbox\n", s);
    fflush(p->settings.f);
    fflush(p->layer.f);
    fwrite(p->settings.text, 1, p->settings.n, s);
    const int lines = place(f, k);
    if (*p->title && !p->solid) {
        fputs("set label 9998 ", s);
        plot_quoted(s, p->title);
        fprintf(s, " at graph 0.5, graph 1 center noenhanced offset 0,%.2f\nif (dark) set label 9998 tc rgb black\n",
                0.8 + 1.3 * lines);
    } else put_label(s, "title", p->title);
    fputs(plot_dark, s);
    if (p->layers) fprintf(s, "%s %s\n", p->solid ? "splot" : "plot", p->layer.text);
}

static void draw_frame(Figure *f) {
    FILE *s = f->plot.script;
    fputs("reset\nset multiplot\n", s);
    if (*f->title) {
        fputs("set label 9999 ", s);
        plot_quoted(s, f->title);
        fprintf(s,
                " at screen 0.5, screen %.6f center font ',%.1f' noenhanced\nif (dark) set label 9999 tc rgb black\n",
                1 - (TITLE / 2.0 + 2) * f->plot.scale / f->plot.height, 15 * f->plot.scale);
        fputs("unset border\nunset tics\nunset key\nset lmargin at screen 0\nset rmargin at screen 1\nset bmargin at "
              "screen 0\nset tmargin at screen 1\n"
              "set xrange [0:1]\nset yrange [0:1]\nplot NaN\n",
              s);
    }
    share_axes(f);
    for (int k = 0; k < f->panels; k++) draw_panel(f, k);
    fputs("unset multiplot\n", s);
    drop_panels(f);
}

static void check_layers(Figure *f) {
    int layers = 0;
    for (int k = 0; k < f->panels; k++) layers += f->panel[k].layers;
    if (!layers) plot_fail_setting(&f->plot, "plot(f, x, y) adds a curve", "the figure shows nothing");
}

/* What was told is a frame of an animation; the next begins. */
void dsl_x_frame(int64_t id) {
    Figure *f = find(id);
    check_layers(f);
    draw_frame(f);
    plot_next_frame(&f->plot);
}

void dsl_x_draw(int64_t id) {
    Figure *f = find(id);
    bool animated = f->plot.frames > 0;
    if (!animated || f->panels) {
        check_layers(f);
        draw_frame(f);
    } else f->plot.frames--; /* nothing came behind the last frame */
    if (animated && !f->plot.frames)
        plot_fail_setting(&f->plot, "draw(f) alone draws one", "an animation needs two frames");
    Plot plot = f->plot;
    forget(id);
    plot_finish(&plot);
}
