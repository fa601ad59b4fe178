/* Pictures for a notebook: K.svg and K.txt in the folder that DSL_FIGURES names, K = 1, 2, 3, ... as they are drawn;
 * and K.at, where in the output.
 *
 * The SVG has no background, and what gnuplot draws black takes the colour of the page's text.  The text says what the
 * picture shows, so that two runs can be compared without their pixels. It appears last, whole. */
#include "runtime/plot.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

enum { MOST_NUMBERS = 200 };

/* ---- what a picture shows */

void about_float(FILE *f, double x) {
    char text[DSL_FLOAT_TEXT];
    fwrite(text, 1, (size_t)dsl_format_f64(text, x), f);
}

void about_numbers(FILE *f, int64_t n, int width, const double *const *data) {
    int64_t shown = n < MOST_NUMBERS ? n : MOST_NUMBERS;
    for (int64_t k = 0; k < shown; k++) {
        int64_t i = shown < n ? (int64_t)((double)k * (double)(n - 1) / (MOST_NUMBERS - 1) + 0.5) : k;
        for (int c = 0; c < width; c++) {
            if (c) fputc(' ', f);
            about_float(f, data[c][i]);
        }
        fputc(width > 1 || k % 8 == 7 || k == shown - 1 ? '\n' : ' ', f);
    }
}

/* ---- the picture */

static bool read_tag(FILE *from, char *tag, size_t cap) { /* to its '>'; long ones in parts */
    size_t n = 0;
    for (int c; n + 1 < cap && (c = getc(from)) != EOF;) {
        tag[n++] = (char)c;
        if (c == '>') break;
    }
    tag[n] = 0;
    return n > 0 && tag[n - 1] == '>';
}

/* Attributes of gnuplot's tags that name the colour black: `color` is what currentColor means inside. */
static void put_tag(FILE *to, const char *tag) {
    static const char *const black[][2] = {
        {"color=\"black\"", "color=\"inherit\""},      {"fill=\"black\"", "fill=\"currentColor\""},
        {"fill = \"black\"", "fill=\"currentColor\""}, {"stroke=\"black\"", "stroke=\"currentColor\""},
        {"stroke='black'", "stroke='currentColor'"},   {"<image ", "<image style='image-rendering:pixelated' "}};
    while (*tag) {
        size_t k = 0, n = sizeof black / sizeof *black;
        while (k < n && strncmp(tag, black[k][0], strlen(black[k][0]))) k++;
        if (k < n) fputs(black[k][1], to), tag += strlen(black[k][0]);
        else fputc(*tag++, to);
    }
}

static void recolour(FILE *from, FILE *to) {
    char tag[4096];
    for (int c; (c = getc(from)) != EOF;) {
        if (c != '<') {
            fputc(c, to);
            continue;
        }
        tag[0] = '<';
        bool whole = read_tag(from, tag + 1, sizeof tag - 1);
        if (whole || !strncmp(tag, "<image ", 7)) put_tag(to, tag);
        else fputs(tag, to);
    }
}

/* K.at: how much the program had printed, when that goes to a file */
static bool put_place(const Plot *p, int k) {
    char name[4096];
    fflush(stdout);
    off_t at = lseek(STDOUT_FILENO, 0, SEEK_CUR);
    if (at < 0) return true;
    snprintf(name, sizeof name, "%.4000s/%d.at", p->figures, k);
    FILE *f = fopen(name, "wb");
    bool ok = f && fprintf(f, "%lld\n", (long long)at) > 0;
    return f && !fclose(f) && ok;
}

/* The first number that is free, taken by making its file; the file, or -1 */
static int take_number(const Plot *p, int *number) {
    char svg[4096], png[4096];
    for (int k = 1; k < 1000000; k++) {
        snprintf(svg, sizeof svg, "%.4000s/%d.svg", p->figures, k);
        snprintf(png, sizeof png, "%.4000s/%d.png", p->figures, k);
        if (access(p->many || p->frames ? svg : png, F_OK) == 0) continue;
        int fd = open(p->many || p->frames ? png : svg, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        *number = k;
        if (fd >= 0 || errno != EEXIST) return fd;
    }
    return -1;
}

bool figure_put(const Plot *p, const char *picture, const char *about) {
    char name[4096], beside[4096];
    int k = 0, fd = take_number(p, &k);
    if (fd < 0 || !plot_copy(picture, fdopen(fd, "wb"), p->many || p->frames ? NULL : recolour)) return false;
    if (!put_place(p, k)) return false;
    snprintf(beside, sizeof beside, "%.4000s/%d.part", p->figures, k);
    snprintf(name, sizeof name, "%.4000s/%d.txt", p->figures, k);
    return plot_copy(about, fopen(beside, "wb"), NULL) && rename(beside, name) == 0;
}
