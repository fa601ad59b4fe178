/* Pictures, drawn by gnuplot: .png or .svg by the file's name.
 *
 * The data goes to temporary binary files, a script names them, gnuplot runs the script and writes beside
 * the target, which is renamed at the end.  Colours can be told apart by colour-blind readers:
 * Okabe-Ito for lines, viridis for surfaces, blue to red through white for signed ones. */
#include "runtime/dsl.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static const char viridis[] =
    "set palette defined (0 '#440154', 1 '#482878', 2 '#3e4989', 3 '#31688e', 4 '#26828e', 5 '#1f9e89', "
    "6 '#35b779', 7 '#6ece58', 8 '#b5de2b', 9 '#fde725')\n";
static const char blue_red[] =
    "set palette defined (-4 '#053061', -3 '#2166ac', -2 '#4393c3', -1 '#92c5de', 0 '#f7f7f7', 1 '#f4a582', "
    "2 '#d6604d', 3 '#b2182b', 4 '#67001f')\n";
static const char okabe_ito[] =
    "set linetype 1 lc rgb '#0072b2' lw 2 pt 7\nset linetype 2 lc rgb '#d55e00' lw 2 pt 5\n"
    "set linetype 3 lc rgb '#009e73' lw 2 pt 9\nset linetype 4 lc rgb '#cc79a7' lw 2 pt 11\n"
    "set linetype 5 lc rgb '#e69f00' lw 2 pt 13\nset linetype 6 lc rgb '#56b4e9' lw 2 pt 4\n";

/* One picture: a folder of its own for script, data and gnuplot's messages. */
typedef struct {
    const char *path;
    const char *ext; /* ".png" or ".svg" */
    char dir[512], beside[4096];
    FILE *script;
} Plot;

/* ---- files */

static char *file_in(const Plot *p, const char *name, char out[600]) {
    snprintf(out, 600, "%s/%s", p->dir, name);
    return out;
}

static void clean_up(Plot *p) {
    static const char *const names[] = {"script", "data", "messages"};
    char name[600];
    if (p->script) fclose(p->script);
    p->script = NULL;
    for (int i = 0; i < 3; i++) unlink(file_in(p, names[i], name));
    rmdir(p->dir);
    unlink(p->beside);
}

static DSL_COLD __attribute__((noreturn)) void fail_plot(Plot *p, const char *why) {
    clean_up(p);
    dsl_fail(dsl_current_site(), "E0622", "cannot draw '%s': %s", p->path, why);
}

/* A single-quoted gnuplot string. */
static void put_quoted(FILE *f, const char *text) {
    fputc('\'', f);
    for (; *text; text++) {
        if (*text == '\'') fputc('\'', f);
        fputc((unsigned char)*text < ' ' ? ' ' : *text, f);
    }
    fputc('\'', f);
}

static const char *extension(const char *path) {
    const char *dot = strrchr(path, '.');
    if (dot && !strcasecmp(dot, ".png")) return ".png";
    if (dot && !strcasecmp(dot, ".svg")) return ".svg";
    dsl_say_error(dsl_current_site(), "E0621", "'%s' is no name of a picture", path);
    dsl_say_hint("let it end in .png or .svg");
    dsl_stop(1);
}

static Plot begin(const char *path, const char *title) {
    Plot p = {.path = path, .ext = extension(path)};
    const char *tmp = getenv("TMPDIR");
    char name[600];
    snprintf(p.dir, sizeof p.dir, "%s/dsl-plot-XXXXXX", tmp && *tmp && strlen(tmp) < 400 ? tmp : "/tmp");
    if (!mkdtemp(p.dir)) dsl_fail(dsl_current_site(), "E0622", "cannot draw '%s': %s: %s", path, p.dir, strerror(errno));
    snprintf(p.beside, sizeof p.beside, "%.3900s.%d%s", path, (int)getpid(), p.ext);
    p.script = fopen(file_in(&p, "script", name), "w");
    if (!p.script) fail_plot(&p, strerror(errno));
    bool svg = !strcmp(p.ext, ".svg");
    fprintf(p.script, "set terminal %s size 800,600 font ',12'\nset encoding utf8\nset output ",
            svg ? "svg dynamic noenhanced background rgb 'white'" : "pngcairo noenhanced");
    put_quoted(p.script, p.beside);
    fprintf(p.script, "\n%sunset key\nset grid lc rgb '#dddddd'\nset border lc rgb '#444444'\n", okabe_ito);
    if (title && *title) {
        fputs("set title ", p.script);
        put_quoted(p.script, title);
        fputc('\n', p.script);
    }
    return p;
}

/* Pairs of numbers, for each row of y one run over x */
static void write_columns(Plot *p, const dsl_array *x, const dsl_array *y) {
    char name[600];
    FILE *f = fopen(file_in(p, "data", name), "wb");
    if (!f) fail_plot(p, strerror(errno));
    for (int64_t i = 0; i < y->count; i++) {
        double row[2] = {((const double *)x->data)[i % x->count], ((const double *)y->data)[i]};
        fwrite(row, sizeof row, 1, f);
    }
    bool bad = ferror(f) != 0;
    if (fclose(f) || bad) fail_plot(p, strerror(errno));
}

static void write_matrix(Plot *p, const dsl_array *z) {
    char name[600];
    FILE *f = fopen(file_in(p, "data", name), "wb");
    if (!f) fail_plot(p, strerror(errno));
    bool bad = fwrite(z->data, sizeof(double), (size_t)z->count, f) != (size_t)z->count;
    if (fclose(f) || bad) fail_plot(p, strerror(errno));
}

/* ---- running gnuplot */

/* gnuplot's message without its echo of the script. */
static void read_message(const Plot *p, char *out, size_t cap) {
    char name[600], line[256];
    FILE *f = fopen(file_in(p, "messages", name), "r");
    snprintf(out, cap, "gnuplot failed");
    while (f && fgets(line, sizeof line, f)) {
        char *text = strstr(line, ": ");
        if (!strstr(line, "line ") || !text) continue;
        text += 2;
        text[strcspn(text, "\n")] = 0;
        snprintf(out, cap, "%s", text);
    }
    if (f) fclose(f);
}

static DSL_COLD __attribute__((noreturn)) void fail_start(Plot *p, int error) {
    clean_up(p);
    dsl_say_error(dsl_current_site(), "E0620", "cannot start gnuplot: %s", strerror(error));
    dsl_say_hint("plots need gnuplot: install it (Debian: apt install gnuplot-nox)");
    dsl_stop(1);
}

static int run_gnuplot(Plot *p) {
    char script[600], messages[600];
    posix_spawn_file_actions_t fa;
    posix_spawn_file_actions_init(&fa);
    posix_spawn_file_actions_addopen(&fa, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&fa, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&fa, 2, file_in(p, "messages", messages), O_WRONLY | O_CREAT, 0600);
    char *argv[] = {"gnuplot", file_in(p, "script", script), NULL};
    pid_t pid;
    int error = posix_spawnp(&pid, "gnuplot", &fa, NULL, argv, environ), status = 0;
    posix_spawn_file_actions_destroy(&fa);
    if (error) fail_start(p, error);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {}
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127) fail_start(p, ENOENT);
    return status;
}

static void finish(Plot *p) {
    bool bad = ferror(p->script) != 0;
    if (fclose(p->script)) bad = true;
    p->script = NULL;
    if (bad) fail_plot(p, strerror(errno));
    char why[256];
    struct stat st;
    bool failed = run_gnuplot(p) != 0 || stat(p->beside, &st) || st.st_size == 0;
    if (failed) {
        read_message(p, why, sizeof why);
        fail_plot(p, why);
    }
    if (rename(p->beside, p->path)) fail_plot(p, strerror(errno));
    clean_up(p);
}

/* ---- kinds of pictures */

static bool any_finite(const dsl_array *a, double *lo, double *hi) {
    const double *x = a->data;
    bool any = false;
    for (int64_t i = 0; i < a->count; i++) {
        if (!isfinite(x[i])) continue;
        if (!any || x[i] < *lo) *lo = x[i];
        if (!any || x[i] > *hi) *hi = x[i];
        any = true;
    }
    return any;
}

/* gnuplot stops at a range of width 0. */
static void put_range(FILE *f, const char *axis, double lo, double hi) {
    if (hi > lo) return;
    double pad = lo == 0 ? 1 : fabs(lo) * 0.1;
    fprintf(f, "set %srange [%.17g:%.17g]\n", axis, lo - pad, hi + pad);
}

static void plot_columns(const char *path, const dsl_array *x, const dsl_array *y, const char *style) {
    Plot p = begin(path, NULL);
    double lo = 0, hi = 0;
    if (!any_finite(x, &lo, &hi)) fail_plot(&p, "x has no finite value");
    put_range(p.script, "x", lo, hi);
    if (!any_finite(y, &lo, &hi)) fail_plot(&p, "y has no finite value");
    put_range(p.script, "y", lo, hi);
    write_columns(&p, x, y);
    char name[600];
    long long n = (long long)x->count, curves = (long long)(y->count / x->count);
    file_in(&p, "data", name);
    for (long long k = 0; k < curves; k++)
        fprintf(p.script, "%s '%s' binary record=(%lld) skip=%lld format='%%float64%%float64' using 1:2 with %s lt %lld",
                k ? "," : "plot", name, n, 16 * n * k, style, k % 6 + 1);
    fputc('\n', p.script);
    finish(&p);
}

static Plot begin_surface(const char *path, const dsl_array *z, const char *title, const char *palette) {
    Plot p = begin(path, title);
    double lo = 0, hi = 0;
    if (!any_finite(z, &lo, &hi)) fail_plot(&p, "the array has no finite value");
    write_matrix(&p, z);
    fprintf(p.script, "%sunset grid\nset size ratio -1\n", palette);
    if (palette == blue_red) {
        double most = fmax(fabs(lo), fabs(hi));
        if (most == 0) most = 1;
        fprintf(p.script, "set cbrange [%.17g:%.17g]\n", -most, most);
    } else {
        put_range(p.script, "cb", lo, hi);
        put_range(p.script, "z", lo, hi);
    }
    return p;
}

static void put_matrix_source(Plot *p, const dsl_array *z) {
    char name[600];
    fprintf(p->script, "'%s' binary array=(%lld,%lld) format='%%float64'", file_in(p, "data", name),
            (long long)z->dim[1], (long long)z->dim[0]);
}

static void plot_surface(const char *path, const dsl_array *z, const char *title, const char *palette) {
    Plot p = begin_surface(path, z, title, palette);
    fprintf(p.script, "set xrange [-0.5:%lld.5]\nset yrange [-0.5:%lld.5]\nplot ", (long long)z->dim[1] - 1,
            (long long)z->dim[0] - 1);
    put_matrix_source(&p, z);
    fputs(" with image\n", p.script);
    finish(&p);
}

void dsl_x_plot_line(const char *path, const dsl_array *x, const dsl_array *y) { plot_columns(path, x, y, "lines"); }

void dsl_x_plot_scatter(const char *path, const dsl_array *x, const dsl_array *y) {
    plot_columns(path, x, y, "points ps 0.7");
}

void dsl_x_plot_image(const char *path, const dsl_array *z, const char *title) {
    plot_surface(path, z, title, viridis);
}

void dsl_x_plot_diverging(const char *path, const dsl_array *z, const char *title) {
    plot_surface(path, z, title, blue_red);
}

void dsl_x_plot_contour(const char *path, const dsl_array *z, const char *title) {
    Plot p = begin_surface(path, z, title, viridis);
    if (z->dim[0] < 2 || z->dim[1] < 2) fail_plot(&p, "contours need at least 2 rows and 2 columns");
    fprintf(p.script,
            "set view map\nset contour base\nunset surface\nset cntrparam levels auto 10\n"
            "set xrange [0:%lld]\nset yrange [0:%lld]\nsplot ",
            (long long)z->dim[1] - 1, (long long)z->dim[0] - 1);
    put_matrix_source(&p, z);
    fputs(" with lines lw 2 lc palette\n", p.script);
    finish(&p);
}
