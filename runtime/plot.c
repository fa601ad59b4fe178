/* Kinds of pictures: what gnuplot is told to draw, and what the picture shows in words.
 *
 * Colours can be told apart by colour-blind readers: Okabe and Ito's for lines, viridis for surfaces, blue to red
 * through white for signed ones.  Numbers at the axes are written with powers of ten, not with e-06: gnuplot's
 * `enhanced` text, which the program's own texts are not. */
#include "runtime/plot.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char viridis[] =
    "set palette defined (0 '#440154', 1 '#482878', 2 '#3e4989', 3 '#31688e', 4 '#26828e', 5 '#1f9e89', "
    "6 '#35b779', 7 '#6ece58', 8 '#b5de2b', 9 '#fde725')\n";
static const char blue_red[] =
    "set palette defined (-4 '#053061', -3 '#2166ac', -2 '#4393c3', -1 '#92c5de', 0 '#f7f7f7', 1 '#f4a582', "
    "2 '#d6604d', 3 '#b2182b', 4 '#67001f')\n";
/* For thin lines: all of it stands out from white (3 to 1) and from black */
static const char for_lines[] =
    "set palette defined (0 '#3b76d6', 1 '#7d66d6', 2 '#b353c0', 3 '#d14a8b', 4 '#d9503f', 5 '#c76a10', 6 '#a07f10')\n";
static const char black_white[] = "set palette defined (0 '#000000', 1 '#ffffff')\n";
/* missing: what is no number; none of the palette's colours */
static const struct { const char *name, *colors, *missing; } palettes[] = {
#define COLORS(name, palette, missing) {name, palette, missing},
#include "runtime/pictures.def"
};
/* How every picture begins; what scripts call grid, black, blue: gnuplot.c */
const char plot_usual[] =
    "reset\nset linetype 1 lc rgb '#0072b2' lw 2 pt 7\nset linetype 2 lc rgb '#d55e00' lw 2 pt 5\n"
    "set linetype 3 lc rgb '#009e73' lw 2 pt 9\nset linetype 4 lc rgb '#cc79a7' lw 2 pt 11\n"
    "set linetype 5 lc rgb '#e69f00' lw 2 pt 13\nset linetype 6 lc rgb '#56b4e9' lw 2 pt 4\n"
    "set grid lc rgb grid lw 0.3 dt 1\nset border lw 1\nset format \"%h\"\nset key noenhanced\nunset key\n";
/* On a dark ground what is black is light, and the first line is brighter */
const char plot_dark[] =
    "if (dark) {\nset linetype 1 lc rgb blue lw 2 pt 7\nset border lc rgb black\nset xtics tc rgb black\n"
    "set ytics tc rgb black\nset ztics tc rgb black\nset cbtics tc rgb black\nset xlabel tc rgb black\n"
    "set ylabel tc rgb black\nset title tc rgb black\nset key tc rgb black\n}\n";
enum { LINETYPES = 6, OPEN_LINETYPE = 6, MANY_POINTS = 20000 };

static const struct { const char *name, *with; PlotMark mark; } styles[] = {
#define STYLE(name, with, kind, inner, outer) {name, with, {kind, inner, outer}},
#include "runtime/pictures.def"
};
static const char style_hint[] = "styles are line, points, linespoints, dashed, dots and bars; one for all curves, or "
                                 "one for each, with commas between";
enum { POINTS = 1, LINESPOINTS = 2, DASHED = 3, STYLES = sizeof styles / sizeof *styles, BARS = STYLES - 1 };

static const double *numbers(const dsl_array *a) { return a->data; }

/* ---- texts */

/* plot(x, y, "x.png"): the last text would be the title */
static void check_title(const char *path, const char *title) {
    size_t n = strlen(title);
    if (*path || n < 5 || strchr(title, ' ') ||
        (strcasecmp(title + n - 4, ".png") && strcasecmp(title + n - 4, ".svg")))
        return;
    dsl_say_error(dsl_current_site(), "E0621", "'%s' stands where the title does", title);
    dsl_say_hint("the name of the file comes first: plot(\"%s\", x, y)", title);
    dsl_stop(1);
}

static Plot begin(const char *path, const char *kind, const char *title, const char *xlabel, const char *ylabel,
                  bool dark) {
    check_title(path, title);
    Plot p = plot_begin(path, kind);
    const char *const what[3][3] = {
        {"title", "title", title}, {"xlabel", "x axis", xlabel}, {"ylabel", "y axis", ylabel}};
    fputs(plot_usual, p.script);
    for (int i = 0; i < 3; i++) {
        if (!*what[i][2]) continue;
        fprintf(p.script, "set %s ", what[i][0]);
        plot_quoted(p.script, what[i][2]);
        fprintf(p.about, "%s: ", what[i][1]);
        about_line(p.about, what[i][2]);
        fputs(" noenhanced\n", p.script);
        fputs("\n", p.about);
    }
    p.dark = dark;
    fputs(plot_dark, p.script);
    fputs("unset key\n", p.script); /* a colour for it turns it on */
    return p;
}

/* What stands between the parts of a list: commas, or where there are semicolons these, so that parts may have commas
 */
static char separator(const char *list) { return strchr(list, ';') ? ';' : ','; }

/* The end of the part at list.  A semicolon that is doubled belongs to it. */
static const char *part_end(const char *list, char between) {
    for (; *list && *list != between; list++) continue;
    return *list == ';' && list[1] == ';' ? part_end(list + 2, between) : list;
}

/* Part k of a list, without the blanks around it; false: there are fewer. */
static bool part(const char *list, int64_t k, char out[256]) {
    char between = separator(list);
    size_t n = 0;
    for (; k > 0 && *(list = part_end(list, between)); k--) list++;
    if (k > 0) return false;
    const char *end = part_end(list, between);
    list += strspn(list, " \t\n");
    while (end > list && strchr(" \t\n", end[-1])) end--;
    for (; list < end && n < 255; list++) {
        out[n++] = *list;
        list += *list == ';';
    }
    out[n] = 0;
    return true;
}

static int64_t parts(const char *list) {
    char between = separator(list);
    if (!*list) return 0;
    int64_t n = 1;
    for (; *(list = part_end(list, between)); list++) n++;
    return n;
}

static bool ends_with_separator(const char *list) {
    char last[256];
    return parts(list) > 1 && part(list, parts(list) - 1, last) && !*last;
}

/* ---- numbers */

typedef PlotRange Range;

PlotRange plot_range(const double *x, int64_t n) {
    Range s = {0};
    for (int64_t i = 0; i < n; i++) {
        if (!isfinite(x[i])) continue;
        if (!s.finite || x[i] < s.least) s.least = x[i];
        if (!s.finite || x[i] > s.most) s.most = x[i];
        s.finite++;
    }
    return s;
}

static double width_of(const dsl_array *a) {
    Range s = plot_range(a->data, a->count);
    return s.most - s.least;
}

static Range checked_range(Plot *p, const dsl_array *a, const char *what) {
    if (!a->count) plot_fail(p, "%s is empty", what);
    Range s = plot_range(a->data, a->count);
    if (!s.finite) plot_fail(p, "%s has no finite value", what);
    return s;
}

/* gnuplot stops at a range of width 0. */
static void put_range(FILE *f, const char *axis, Range s, bool is_log) {
    double pad = s.least == 0 ? 1 : fabs(s.least) * 0.1;
    if (s.most > s.least) pad = 0;
    if (is_log && pad > 0) fprintf(f, "set %srange [%.17g:%.17g]\n", axis, s.least / 2, s.least * 2);
    else fprintf(f, "set %srange [%.17g:%.17g]\n", axis, s.least - pad, s.most + pad);
}

/* Of axes, in widths of a digit as a narrow page shows it: all that there is, and with one scale for both axes. */
enum { ACROSS = 52, UPWARDS = 36 };
typedef struct { double x, y; } Lengths;

static Lengths lengths(bool equal, double width, double height) {
    Lengths all = {ACROSS, UPWARDS};
    if (!equal || !(width > 0) || !(height > 0)) return all;
    return (Lengths){fmin(ACROSS, UPWARDS * width / height), fmin(UPWARDS, ACROSS * height / width)};
}

/* 1, 2 or 5 times a power of ten, at least x; down: at most */
static double round_step(double x, bool down) {
    double unit = pow(10, floor(log10(x))), times = x / unit;
    if (down) return unit * (times >= 5 ? 5 : times >= 2 ? 2 : 1);
    return unit * (times <= 1 ? 1 : times <= 2 ? 2 : times <= 5 ? 5 : 10);
}

/* Of the numbers at an axis with some ten steps; points and signs are half as wide as digits. */
static double label_width(Range s) {
    double most = fmax(fabs(s.least), fabs(s.most)), width = s.most - s.least, step = round_step(width / 10, false);
    if (most >= 1e4 || most < 1e-3 || width < 0.05 * most) return 8;
    return floor(log10(fmax(most, 1))) + 1 + (s.least < 0 ? 0.5 : 0) + (step < 1 ? 0.5 + ceil(-log10(step)) : 0);
}

/* Whether more than one number stands at an axis: one says nothing of the scale */
static bool shows_two(Range s, double step) { return floor(s.most / step) - ceil(s.least / step) >= 1; }

/* Fewer numbers at an axis where ten would stand too close: in a narrow page they are larger. */
static void space_ticks(FILE *f, const char *axis, Range s, double length) {
    double most = fmax(fabs(s.least), fabs(s.most)), width = s.most - s.least;
    if (!(width > 1e-9 * most) || width < 1e-290 || !isfinite(width)) return;
    double each = *axis == 'x' ? label_width(s) + 1.5 : 2.2, steps = width / round_step(width / 10, false);
    if (steps * each <= length) return;
    double count = fmin(5, floor(length / each));
    double step = count > 1 ? round_step(width / count, false) : round_step(width, true);
    if (!shows_two(s, step)) step = shows_two(s, step / 2) ? step / 2 : round_step(width / 2, true);
    fprintf(f, "set %stics %.9g\n", axis, step);
}

/* ..., and more digits where they are alike but for the last */
void plot_ticks(FILE *f, const char *axis, Range s, double length) {
    if (s.most - s.least < 0.05 * fmax(fabs(s.least), fabs(s.most))) fprintf(f, "set format %s \"%%.9h\"\n", axis);
    space_ticks(f, axis, s, length);
}

static void about_range(FILE *f, const char *what, Range s) {
    fprintf(f, "%s ", what);
    about_float(f, s.least);
    fputs(" to ", f);
    about_float(f, s.most);
}

static void put_data(Plot *p) {
    char name[600];
    plot_quoted(p->script, plot_file(p, "data", name));
}

/* ---- curves */

static int style_of(Plot *p, const char *list, int64_t curve) {
    char name[256];
    if (!part(list, parts(list) == 1 ? 0 : curve, name)) *name = 0;
    for (int i = 0; i < STYLES; i++)
        if (!strcmp(styles[i].name, name)) return i;
    plot_fail_setting(p, style_hint, "no style is called '%s'", name);
}

static bool is_log(const char *log, char axis) { return strchr(log, axis) != NULL; }

static void check_lists(Plot *p, const char *names, const char *style, const char *log, int64_t curves) {
    int64_t n = parts(names), m = parts(style);
    if (curves > 1 && n && n != curves && !(n == curves + 1 && ends_with_separator(names)))
        plot_fail_setting(p, "give one name for each curve, with commas between, or semicolons when a name has a comma",
                          "%lld names for %lld curves", (long long)n, (long long)curves);
    if (m != 1 && m != curves)
        plot_fail_setting(p, style_hint, "%lld styles for %lld curves", (long long)m, (long long)curves);
    if (log[strspn(log, "xy")])
        plot_fail_setting(p, "write log=\"x\", log=\"y\" or log=\"xy\"", "'%s' names no axes", log);
}

static void check_positive(Plot *p, const dsl_array *a, const char *axis, bool zeros) {
    char text[DSL_FLOAT_TEXT];
    for (int64_t i = 0; i < a->count; i++) {
        double x = numbers(a)[i];
        if (!(x <= 0) || !isfinite(x) || (zeros && x == 0)) continue;
        text[dsl_format_f64(text, x)] = 0;
        plot_fail_setting(p, "leave such points out, or make them nan", "a logarithmic %s axis has no place for %s",
                          axis, text);
    }
}

/* On a logarithmic axis numbers with many digits are shown as powers of ten, where there is more than one of these. */
static bool shows_powers(Range s) {
    return ((s.least > 0 && s.least < 1e-4) || s.most >= 1e6) && s.most >= 10 * s.least;
}

/* zeros: they are no mistake on a logarithmic axis, only not drawn: empty bins */
static void set_axis(Plot *p, const dsl_array *a, const char *axis, bool log, bool zeros, double length) {
    if (log) {
        check_positive(p, a, axis, zeros);
        fprintf(p->script, "set logscale %s\n", axis);
        fprintf(p->about, "logarithmic %s\n", axis);
    }
    Range s = checked_range(p, a, axis);
    if (log && shows_powers(s)) fprintf(p->script, "set format %s \"10^{%%L}\"\n", axis);
    if (!log) plot_ticks(p->script, axis, s, length);
    if (s.most == s.least) put_range(p->script, axis, s, log);
    else if (!log && !zeros && isfinite(s.most - s.least)) { /* no curve lies under the frame */
        double room = 0.02 * (s.most - s.least);
        fprintf(p->script, "set %srange [%.17g:%.17g]\n", axis, s.least - room, s.most + room);
    }
}

/* Curve k in words; the points that are no numbers at all only make its row as long as the others. */
static void about_curve(Plot *p, const dsl_array *x, const dsl_array *y, int64_t k, const char *name, int style) {
    int64_t n = y->dim[1];
    const double *row[2] = {numbers(x) + k * n, numbers(y) + k * n};
    while (n && isnan(row[0][n - 1]) && isnan(row[1][n - 1])) n--;
    fputs("curve ", p->about);
    about_line(p->about, name);
    fprintf(p->about, "%s(%s): %lld points, ", *name ? " " : "", styles[style].name, (long long)n);
    about_range(p->about, "x", plot_range(row[0], n));
    about_range(p->about, ", y", plot_range(row[1], n));
    fputc('\n', p->about);
    about_numbers(p->about, n, 2, row);
}

/* Bars stand on zero, and the outer ones are as wide as the others. */
static void make_room_for_bars(Plot *p, const dsl_array *x, const char *log) {
    Range s = plot_range(x->data, x->count);
    if (!is_log(log, 'y')) fputs("set yrange [* < 0:0 < *]\n", p->script);
    if (is_log(log, 'x') || x->dim[1] < 2) return;
    double half = (s.most - s.least) / (double)(x->dim[1] - 1) / 2;
    if (half > 0) fprintf(p->script, "set xrange [%.17g:%.17g]\n", s.least - half, s.most + half);
}

/* Where the points of a curve stand in the data */
typedef struct { int64_t first, count; } Records;
/* A curve as it is drawn; both: its points beside the line, where there are many of either */
typedef struct { int style; bool both; Records line, points; } Curve;

/* The points of row k of x and y that marks of a kind need, behind the data that is there */
static Records write_row(Plot *p, const dsl_array *x, const dsl_array *y, int64_t k, PlotMark mark,
                         const PlotFrame *frame, unsigned char *seen) {
    int64_t n = y->dim[1];
    if (k % LINETYPES + 1 == OPEN_LINETYPE) mark.outer = 0;
    FILE *f = plot_open(p, "data", "ab");
    Records r = {p->records, plot_thin(f, numbers(x) + k * n, numbers(y) + k * n, n, frame, mark, seen)};
    bool bad = ferror(f) != 0;
    if (fclose(f) || bad) plot_fail(p, "%s", strerror(errno));
    p->records += r.count;
    return r;
}

static Curve write_curve(Plot *p, const dsl_array *x, const dsl_array *y, int64_t k, int style, const PlotFrame *frame,
                         unsigned char *seen) {
    Curve c = {.style = style, .both = style == LINESPOINTS && plot_is_thinned(y->dim[1], frame->total)};
    c.line = write_row(p, x, y, k, styles[style].mark, frame, seen);
    if (c.both) c.points = write_row(p, x, y, k, styles[POINTS].mark, frame, NULL);
    return c;
}

static void put_records(Plot *p, Records r, int64_t k, const char *with) {
    put_data(p);
    fprintf(p->script, " binary record=(%lld) skip=%lld format='%%float64%%float64' using 1:2 with %s lt %d title ",
            (long long)r.count, (long long)(16 * r.first), with, (int)(k % LINETYPES) + 1);
}

/* Of a line and its points what stands beside the name is drawn with no point. */
static void put_curve(Plot *p, const Curve *c, int64_t k, const char *name) {
    fputs(k ? ", " : "plot ", p->script);
    put_records(p, c->line, k, styles[c->both ? 0 : c->style].with);
    if (c->both) {
        fputs("\"\", ", p->script);
        put_records(p, c->points, k, styles[POINTS].with);
        fprintf(p->script, "\"\", NaN with %s lt %d title ", styles[LINESPOINTS].with, (int)(k % LINETYPES) + 1);
    }
    plot_quoted(p->script, name);
}

/* Names stand above the axes; the title above them, so that it is not between.  In a narrow page they are larger: room
 * for that. */
static void put_key(Plot *p, const char *names, const char *title) {
    char name[256];
    size_t longest = 0;
    for (int64_t k = 0; part(names, k, name); k++) longest = strlen(name) > longest ? strlen(name) : longest;
    fprintf(p->script, "set key tmargin center horizontal width %.2g\n", 1 + 0.25 * fmin((double)longest, 20));
    if (!*title) return;
    fputs("unset title\nset key title ", p->script);
    plot_quoted(p->script, title);
    fputs(" noenhanced\nif (dark) set key title textcolor rgb black\n", p->script);
}

/* The pixels between the axes (gnuplot.c has the sizes of pictures) */
static PlotFrame frame_of(const Plot *p, const dsl_array *x, const dsl_array *y, const char *log) {
    Range h = plot_range(x->data, x->count), v = plot_range(y->data, y->count);
    bool large = p->figures && p->many;
    return (PlotFrame){{h.least, h.most, is_log(log, 'x')},
                       {v.least, v.most, is_log(log, 'y')},
                       large ? 1180 : 720,
                       large ? 800 : 540,
                       y->count};
}

/* The last first: it is drawn over the others, and what it hides need not be drawn. */
static void write_curves(Plot *p, const dsl_array *x, const dsl_array *y, const char *style, const char *log,
                         Curve *curves) {
    PlotFrame frame = frame_of(p, x, y, log);
    bool alike = parts(style) == 1 && style_of(p, style, 0) != DASHED && style_of(p, style, 0) != LINESPOINTS;
    unsigned char *seen = alike && y->dim[0] > 1 && plot_is_thinned(0, frame.total) ? plot_pixels(&frame) : NULL;
    for (int64_t k = y->dim[0] - 1; k >= 0; k--)
        curves[k] = write_curve(p, x, y, k, style_of(p, style, k), &frame, seen);
    free(seen);
}

static void put_curves(Plot *p, const dsl_array *x, const dsl_array *y, const char *names, const char *style,
                       const char *log) {
    int64_t n = y->dim[0];
    Curve *curves = calloc((size_t)n, sizeof *curves);
    if (!curves) plot_fail(p, "%s", strerror(errno));
    write_curves(p, x, y, style, log, curves);
    for (int64_t k = 0; k < n; k++) {
        char name[256] = "";
        if (n > 1 && *names) part(names, k, name);
        put_curve(p, &curves[k], k, n > 1 ? name : names);
        about_curve(p, x, y, k, n > 1 ? name : names, curves[k].style);
    }
    fputc('\n', p->script);
    free(curves);
}

/* A curve for each row of x and y. */
void dsl_x_plot(const char *path, const dsl_array *x, const dsl_array *y, const char *title, const char *xlabel,
                const char *ylabel, const char *names, const char *style, const char *log, bool equal, bool dark) {
    Plot p = begin(path, "plot", title, xlabel, ylabel, dark);
    int64_t curves = y->dim[0];
    bool bars = false;
    check_lists(&p, names, style, log, curves);
    for (int64_t k = 0; k < curves; k++) bars |= style_of(&p, style, k) == BARS;
    Lengths axes = lengths(equal, width_of(x), width_of(y));
    set_axis(&p, x, "x", is_log(log, 'x'), false, axes.x);
    set_axis(&p, y, "y", is_log(log, 'y'), bars, axes.y);
    if (equal) {
        fputs("set size ratio -1\n", p.script);
        fputs("equal scales\n", p.about);
    }
    if (*names) put_key(&p, names, title);
    if (bars) make_room_for_bars(&p, x, log);
    p.many = y->count > MANY_POINTS;
    put_curves(&p, x, y, names, style, log);
    plot_finish(&p);
}

/* ---- surfaces: z[i, j] is at x[j], y[i] */

const char *plot_palette(Plot *p, const char *name, const char **missing) {
    size_t k = 0, n = sizeof palettes / sizeof *palettes;
    while (k < n && strcmp(palettes[k].name, name)) k++;
    if (k == n) plot_fail_setting(p, "colors are viridis, diverging or gray", "no colors are called '%s'", name);
    *missing = palettes[k].missing;
    return palettes[k].colors;
}

const char *plot_style(Plot *p, const char *name, PlotMark *mark) {
    int k = style_of(p, name, 0);
    *mark = styles[k].mark;
    return styles[k].with;
}

/* Colours for values from s.least to s.most, and behind them the colour of those that are missing. */
static void put_colors(Plot *p, const dsl_array *z, Range s, const char *colors) {
    const char *missing, *palette = plot_palette(p, colors, &missing);
    if (palette == blue_red) {
        s.most = fmax(fabs(s.least), fabs(s.most));
        if (s.most == 0) s.most = 1;
        s.least = -s.most;
    }
    fputs(palette, p->script);
    put_range(p->script, "cb", s, false);
    if (s.finite < z->count)
        fprintf(p->script,
                "set object rectangle from graph 0,0 to graph 1,1 behind fillcolor rgb '%s' fillstyle solid noborder\n",
                missing);
}

/* The distance of the points of an axis, which must be even. */
static double step_of(Plot *p, const dsl_array *a, const char *axis) {
    const double *x = numbers(a);
    int64_t n = a->count;
    double step = n > 1 ? (x[n - 1] - x[0]) / (double)(n - 1) : 1;
    if (!isfinite(x[0]) || !(step > 0) || isinf(step)) plot_fail(p, "%s must ascend", axis);
    for (int64_t i = 1; i < n; i++)
        if (!(fabs(x[i] - (x[0] + (double)i * step)) <= 1e-6 * step)) plot_fail(p, "%s must have even steps", axis);
    return step;
}

/* gnuplot draws no image of one row or column: that is drawn twice, each time half as wide. */
static int times(const dsl_array *axis) { return axis->count == 1 ? 2 : 1; }

static void write_matrix(Plot *p, const dsl_array *x, const dsl_array *y, const dsl_array *z) {
    FILE *f = plot_open(p, "data", "wb");
    int across = times(x), up = times(y);
    for (int64_t i = 0; i < y->count * up; i++) {
        for (int64_t j = 0; j < x->count * across; j++) {
            double v = numbers(z)[i / up * x->count + j / across];
            if (isinf(v)) v = NAN; /* gnuplot has colours at the ends for these */
            fwrite(&v, sizeof v, 1, f);
        }
    }
    bool bad = ferror(f) != 0;
    if (fclose(f) || bad) plot_fail(p, "%s", strerror(errno));
}

static Plot begin_surface(const char *path, const char *kind, const dsl_array *x, const dsl_array *y,
                          const dsl_array *z, const char *title, const char *xlabel, const char *ylabel,
                          const char *colors, bool equal, bool dark) {
    Plot p = begin(path, kind, title, xlabel, ylabel, dark);
    Range s = checked_range(&p, z, "the array");
    write_matrix(&p, x, y, z);
    fprintf(p.script, "unset grid\n%s", equal ? "set size ratio -1\n" : "");
    if (colors) put_colors(&p, z, s, colors);
    else {
        fputs(for_lines, p.script);
        put_range(p.script, "cb", s, false);
    }
    fprintf(p.about, "%lld rows, %lld columns%s%s", (long long)z->dim[0], (long long)z->dim[1], colors ? ", " : "",
            colors ? colors : "");
    about_range(p.about, "; x", plot_range(numbers(x), x->count));
    about_range(p.about, ", y", plot_range(numbers(y), y->count));
    about_range(p.about, ", values", s);
    fputc('\n', p.about);
    about_numbers(p.about, z->count, 1, (const double *[]){numbers(z)});
    return p;
}

/* Beside a narrow picture gnuplot's own bar of colours, as wide as a part of it, would stand inside. */
static void put_color_bar(Plot *p, const dsl_array *z, Lengths axes) {
    space_ticks(p->script, "cb", plot_range(z->data, z->count), axes.y);
    if (axes.x < UPWARDS / 2)
        fprintf(p->script, "set colorbox user origin graph %.9g, graph 0 size screen 0.035, graph 1\n",
                1 + 1.5 / axes.x);
}

static void surface_ticks(Plot *p, const char *axis, const dsl_array *a, double length) {
    if (a->count == 1) fprintf(p->script, "set %stics (%.17g)\n", axis, *numbers(a));
    else plot_ticks(p->script, axis, plot_range(a->data, a->count), length);
}

/* The axes from half a step (or none) before the first point to as much behind the last. */
static void put_axes(Plot *p, const dsl_array *x, const dsl_array *y, const dsl_array *z, double margin, bool equal) {
    double dx = margin * step_of(p, x, "x"), dy = margin * step_of(p, y, "y");
    Range h = plot_range(x->data, x->count), v = plot_range(y->data, y->count);
    Lengths axes = lengths(equal, h.most - h.least + 2 * dx, v.most - v.least + 2 * dy);
    surface_ticks(p, "x", x, axes.x);
    surface_ticks(p, "y", y, axes.y);
    put_color_bar(p, z, axes);
    fprintf(p->script, "set xrange [%.17g:%.17g]\nset yrange [%.17g:%.17g]\n", h.least - dx, h.most + dx, v.least - dy,
            v.most + dy);
}

static void put_points(Plot *p, const dsl_array *x, const dsl_array *y, const char *command) {
    int across = times(x), up = times(y);
    double dx = step_of(p, x, "x") / across, dy = step_of(p, y, "y") / up;
    fprintf(p->script, "%s ", command);
    put_data(p);
    fprintf(p->script, " binary array=(%lld,%lld) format='%%float64' origin=(%.17g,%.17g%s) dx=%.17g dy=%.17g",
            (long long)x->count * across, (long long)y->count * up, *numbers(x) - dx / 2 * (across - 1),
            *numbers(y) - dy / 2 * (up - 1), *command == 's' ? ",0" : "", dx, dy);
}

void dsl_x_image(const char *path, const dsl_array *x, const dsl_array *y, const dsl_array *z, const char *title,
                 const char *xlabel, const char *ylabel, const char *colors, bool equal, bool dark) {
    Plot p = begin_surface(path, "image", x, y, z, title, xlabel, ylabel, colors, equal, dark);
    put_axes(&p, x, y, z, 0.5, equal);
    put_points(&p, x, y, "plot");
    fputs(" with image\n", p.script);
    plot_finish(&p);
}

void dsl_x_contour(const char *path, const dsl_array *x, const dsl_array *y, const dsl_array *z, const char *title,
                   const char *xlabel, const char *ylabel, int64_t levels, bool equal, bool dark) {
    Plot p = begin_surface(path, "contours", x, y, z, title, xlabel, ylabel, NULL, equal, dark);
    if (z->dim[0] < 2 || z->dim[1] < 2) plot_fail(&p, "contours need at least 2 rows and 2 columns");
    if (levels < 1 || levels > 1000)
        plot_fail_setting(&p, "give a number of levels from 1 to 1000", "%lld levels", (long long)levels);
    /* Found first, with all digits, then drawn as curves are: around surfaces gnuplot leaves room for a third axis. */
    fprintf(
        p.script,
        "set contour base\nunset surface\nset cntrparam levels auto %lld\nset format \"%%.17g\"\nset table $lines\n",
        (long long)levels);
    fprintf(p.about, "%lld levels\n", (long long)levels);
    put_points(&p, x, y, "splot");
    fputs(" with lines\nunset table\nset format \"%h\"\n", p.script);
    put_axes(&p, x, y, z, 0, equal);
    fputs("plot $lines using 1:2:3 with lines lw 2 lc palette\n", p.script);
    plot_finish(&p);
}

/* ---- arrows */

/* Of more than so many rows or columns every second, third, .. has arrows: others would be smaller than pixels. */
enum { MOST_ARROWS = 256 };
static int64_t each(int64_t n) { return (n + MOST_ARROWS - 1) / MOST_ARROWS; }

/* Tail and direction of each arrow: the longest is as long as a step, and the middle of each is on its point.  How many
 */
static int64_t write_arrows(Plot *p, const dsl_array *x, const dsl_array *y, const dsl_array *u, const dsl_array *v) {
    int64_t n = 0, across = each(x->count), up = each(y->count);
    double longest = 0, step = fmin(step_of(p, x, "x") * (double)across, step_of(p, y, "y") * (double)up);
    for (int64_t i = 0; i < u->count; i++) {
        double length = hypot(numbers(u)[i], numbers(v)[i]);
        if (isfinite(length)) longest = fmax(longest, length);
    }
    double scale = longest > 0 ? step / longest : 1;
    FILE *f = plot_open(p, "data", "wb");
    for (int64_t i = 0; i < u->count; i++) {
        if (i % x->count % across || i / x->count % up) continue;
        n++;
        double du = numbers(u)[i] * scale, dv = numbers(v)[i] * scale;
        double arrow[4] = {numbers(x)[i % x->count] - du / 2, numbers(y)[i / x->count] - dv / 2, du, dv};
        fwrite(arrow, sizeof arrow, 1, f);
    }
    bool bad = ferror(f) != 0;
    if (fclose(f) || bad) plot_fail(p, "%s", strerror(errno));
    return n;
}

void dsl_x_quiver(const char *path, const dsl_array *x, const dsl_array *y, const dsl_array *u, const dsl_array *v,
                  const char *title, const char *xlabel, const char *ylabel, bool dark) {
    Plot p = begin(path, "arrows", title, xlabel, ylabel, dark);
    checked_range(&p, u, "u");
    checked_range(&p, v, "v");
    int64_t n = write_arrows(&p, x, y, u, v);
    Lengths axes = lengths(true, width_of(x), width_of(y));
    plot_ticks(p.script, "x", plot_range(x->data, x->count), axes.x);
    plot_ticks(p.script, "y", plot_range(y->data, y->count), axes.y);
    p.many = n > MANY_POINTS;
    fputs("set size ratio -1\nset style arrow 1 head filled size graph 0.012,20 lw 1.2 lc rgb blue\nplot ",
          p.script);
    put_data(&p);
    fprintf(
        p.script,
        " binary record=(%lld) format='%%float64%%float64%%float64%%float64' using 1:2:3:4 with vectors arrowstyle 1\n",
        (long long)n);
    fprintf(p.about, "%lld rows, %lld columns", (long long)u->dim[0], (long long)u->dim[1]);
    about_range(p.about, "; x", plot_range(numbers(x), x->count));
    about_range(p.about, ", y", plot_range(numbers(y), y->count));
    fputc('\n', p.about);
    about_numbers(p.about, u->count, 2, (const double *[]){numbers(u), numbers(v)});
    plot_finish(&p);
}
