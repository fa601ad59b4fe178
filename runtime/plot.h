/* A picture on its way to gnuplot: shared by the files that draw (plot.c: kinds of pictures; thin.c: points that can be
 * seen; gnuplot.c: the folder, the run, the files that come out; figure.c: pictures for notebooks). */
#ifndef DSL_PLOT_H
#define DSL_PLOT_H

#include "runtime/dsl.h"

#include <stdio.h>

typedef struct Plot {
    const char *path;    /* as the program names it; "" when it does not */
    char numbered[24]; /* the file of a picture without a name, outside notebooks: plot.png, plot-2.png, ..; else "" */
    const char *figures; /* the folder for a notebook's pictures; NULL: none */
    char dir[512];       /* of its own: script, data, messages, pictures */
    bool many;           /* more points than an SVG should hold */
    bool dark;           /* light on dark, but in pages, which follow their reader */
    FILE *script;        /* what gnuplot is to draw, whatever the format */
    FILE *about;         /* what the picture shows, as text */
    int64_t records;     /* pairs of numbers that are in its data */
    int width, height;   /* in pixels; 0: what is usual */
    double scale;        /* of texts in a figure: less than 1 where its panels are small */
    int frames;          /* of an animation; 0: it is none */
    int delay;           /* of each, in hundredths of a second */
} Plot;

/* The finite numbers along an axis */
typedef struct PlotAxis { double least, most; bool log; } PlotAxis;
/* across, upwards: pixels, of the largest of its pictures; total: points of all curves */
typedef struct PlotFrame { PlotAxis x, y; int across, upwards; int64_t total; } PlotFrame;
/* What stands for a point.  inner, outer: how far from it, in pixels, its mark covers them, and touches them; 0: marks
 * are open */
typedef struct PlotMark { enum { MARK_LINE, MARK_POINTS, MARK_BARS } kind; int inner, outer; } PlotMark;

/* ---- gnuplot.c */
Plot plot_begin(const char *path, const char *kind);
void plot_finish(Plot *p); /* draws, writes the files, cleans up */
FILE *plot_open(Plot *p, const char *name, const char *mode); /* a file of its folder */
char *plot_file(const Plot *p, const char *name, char out[600]);
void plot_quoted(FILE *f, const char *text); /* as a string of gnuplot, whatever is in it */
void about_line(FILE *f, const char *text);  /* as UTF-8 on one line */
/* The file, through `how` if given, into `to`, which is closed; false: errno tells why. */
bool plot_copy(const char *from, FILE *to, void (*how)(FILE *from, FILE *to));
DSL_COLD __attribute__((noreturn, format(printf, 2, 3))) void plot_fail(Plot *p, const char *fmt, ...);
/* E0623: a setting that the picture cannot have */
DSL_COLD __attribute__((noreturn, format(printf, 3, 4))) void plot_fail_setting(Plot *p, const char *hint,
                                                                                const char *fmt, ...);

/* The next picture of an animation: from here on p->script tells of it */
void plot_next_frame(Plot *p);
bool plot_is_gif(const char *path);

/* ---- apng.c: puts PNG pictures of one size, name-0, name-1, .., into the file `name`; NULL, or what is wrong */
const char *plot_join(const Plot *p, const char *name);

/* ---- plot.c: what kinds of pictures share */
typedef struct PlotRange { int64_t finite; double least, most; } PlotRange; /* of the finite numbers */
PlotRange plot_range(const double *x, int64_t n);
extern const char plot_usual[], plot_dark[];
/* What gnuplot is told of colours; their name is one of runtime/pictures.def's, else E0623 */
const char *plot_palette(Plot *p, const char *name, const char **missing);
/* gnuplot's words for a style (`line`, `points`, ..), and how its points are thinned; else E0623 */
const char *plot_style(Plot *p, const char *name, PlotMark *mark);
/* Numbers at an axis of so many widths of a digit */
void plot_ticks(FILE *f, const char *axis, PlotRange s, double length);

/* ---- thin.c */
bool plot_is_thinned(int64_t n, int64_t total);
/* Writes the points of a curve that its picture needs; their number.  seen: pixels that curves of this style over it
 * cover, to which its own are added; NULL: it is seen whatever there is. */
int64_t plot_thin(FILE *out, const double *x, const double *y, int64_t n, const PlotFrame *frame, PlotMark mark,
                  unsigned char *seen);
unsigned char *plot_pixels(const PlotFrame *frame); /* none of them covered; NULL: no memory */

/* ---- figure.c */
/* Copies the picture and its description into the folder as K.svg (K.png) and K.txt; false: errno tells why. */
bool figure_put(const Plot *p, const char *picture, const char *about);
void about_float(FILE *f, double x);
/* n tuples of numbers, row[i] at data[i * step]: all, or some 200 evenly spread */
void about_numbers(FILE *f, int64_t n, int width, const double *const *data);

#endif
