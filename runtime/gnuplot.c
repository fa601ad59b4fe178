/* Runs gnuplot on one picture.
 *
 * The data goes to a binary file in a temporary folder, the script names it, gnuplot draws into the folder, and what it
 * drew is copied beside its target and renamed.  All but the letters of a text is written as \ooo, so that gnuplot
 * neither expands nor runs any of it. */
#include "runtime/plot.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* ---- the folder */

char *plot_file(const Plot *p, const char *name, char out[600]) {
    snprintf(out, 600, "%s/%s", p->dir, name);
    return out;
}

FILE *plot_open(Plot *p, const char *name, const char *mode) {
    char file[600];
    FILE *f = fopen(plot_file(p, name, file), mode);
    if (!f) plot_fail(p, "%s: %s", file, strerror(errno));
    return f;
}

static void clean_up(Plot *p) {
    DIR *d = opendir(p->dir);
    char name[600];
    if (p->script) fclose(p->script);
    if (p->about) fclose(p->about);
    p->script = p->about = NULL;
    for (struct dirent *f; d && (f = readdir(d));)
        if (f->d_name[0] != '.' && strlen(f->d_name) < 64) unlink(plot_file(p, f->d_name, name));
    if (d) closedir(d);
    rmdir(p->dir);
}

static const char *file_name(const Plot *p) { return *p->numbered ? p->numbered : p->path; }
static const char *shown_name(const Plot *p) { return *file_name(p) ? file_name(p) : "the plot"; }

void plot_fail(Plot *p, const char *fmt, ...) {
    char why[1024];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(why, sizeof why, fmt, ap);
    va_end(ap);
    clean_up(p);
    dsl_fail(dsl_current_site(), "E0622", "cannot draw '%s': %s", shown_name(p), why);
}

void plot_fail_setting(Plot *p, const char *hint, const char *fmt, ...) {
    char why[1024];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(why, sizeof why, fmt, ap);
    va_end(ap);
    clean_up(p);
    dsl_say_error(dsl_current_site(), "E0623", "cannot draw '%s': %s", shown_name(p), why);
    dsl_say_hint("%s", hint);
    dsl_stop(1);
}

/* ---- the script */

/* Bytes of the UTF-8 character at s; 0: it is none, or one that neither gnuplot nor XML takes. */
static int character(const char *s) {
    unsigned char c = (unsigned char)*s;
    if (c < 0x80) return c >= ' ' && c != 0x7f;
    int n = c >= 0xf0 && c < 0xf5 ? 4 : c >= 0xe0 && c < 0xf0 ? 3 : c >= 0xc2 && c < 0xe0 ? 2 : 0;
    for (int i = 1; i < n; i++)
        if (((unsigned char)s[i] & 0xc0) != 0x80) return 0;
    return n;
}

void about_line(FILE *f, const char *text) {
    while (*text) {
        int n = character(text);
        if (n) fwrite(text, 1, (size_t)n, f);
        else fputc(' ', f);
        text += n ? n : 1;
    }
}

void plot_quoted(FILE *f, const char *text) {
    fputc('"', f);
    while (*text) {
        int n = character(text);
        bool plain = n > 1 || isalpha((unsigned char)*text); /* a digit would belong to a code before it */
        if (plain) fwrite(text, 1, (size_t)n, f);
        else fprintf(f, "\\%03o", n ? *text : ' ');
        text += n ? n : 1;
    }
    fputc('"', f);
}

/* moving: it may be an animation */
static bool check_name(const char *path, bool moving) {
    const char *dot = strrchr(path, '.');
    if (dot && !strcasecmp(dot, ".png")) return false;
    if (dot && !strcasecmp(dot, ".svg")) return true;
    if (dot && moving && !strcasecmp(dot, ".gif")) return false;
    dsl_say_error(dsl_current_site(), "E0621", "'%s' is no name of a picture", path);
    dsl_say_hint(moving ? "let it end in .png, .svg or .gif" : "let it end in .png or .svg");
    dsl_stop(1);
}

static bool is_svg(const char *path) { return check_name(path, true); }

/* Whether a folder dsl-plot-PROCESS-XXXXXX is one of ours that a process left when it was killed, an hour ago or more
 * (a process in another container is not seen) */
static bool is_left(const char *path, const char *name) {
    struct stat st;
    char *end;
    if (strncmp(name, "dsl-plot-", 9) || !isdigit((unsigned char)name[9])) return false;
    long pid = strtol(name + 9, &end, 10);
    if (pid <= 0 || pid > INT_MAX || *end != '-' || kill((pid_t)pid, 0) == 0 || errno != ESRCH) return false;
    return lstat(path, &st) == 0 && S_ISDIR(st.st_mode) && st.st_uid == geteuid() && st.st_mtime < time(NULL) - 3600;
}

/* Once in a process */
static void remove_left(const char *tmp) {
    static bool done;
    DIR *d = __atomic_exchange_n(&done, true, __ATOMIC_RELAXED) ? NULL : opendir(tmp);
    for (struct dirent *f; d && (f = readdir(d));) {
        Plot left = {0};
        int n = snprintf(left.dir, sizeof left.dir, "%s/%s", tmp, f->d_name);
        if (n < (int)sizeof left.dir && is_left(left.dir, f->d_name)) clean_up(&left);
    }
    if (d) closedir(d);
}

/* Each of a process has a file of its own. */
static void number(Plot *p) {
    static int drawn;
    int k = __atomic_add_fetch(&drawn, 1, __ATOMIC_RELAXED);
    if (k == 1) strcpy(p->numbered, "plot.png");
    else snprintf(p->numbered, sizeof p->numbered, "plot-%d.png", k);
}

Plot plot_begin(const char *path, const char *kind) {
    Plot p = {.path = path, .figures = getenv("DSL_FIGURES")};
    const char *tmp = getenv("TMPDIR");
    if (!tmp || !*tmp || strlen(tmp) >= 400) tmp = "/tmp";
    if (p.figures && !*p.figures) p.figures = NULL;
    if (!*path && !p.figures) number(&p);
    else if (*path) check_name(path, !strcmp(kind, "figure"));
    remove_left(tmp);
    snprintf(p.dir, sizeof p.dir, "%s/dsl-plot-%ld-XXXXXX", tmp, (long)getpid());
    if (!mkdtemp(p.dir))
        dsl_fail(dsl_current_site(), "E0622", "cannot draw '%s': %s: %s", shown_name(&p), p.dir, strerror(errno));
    p.script = plot_open(&p, "script", "w");
    p.about = plot_open(&p, "about", "w");
    about_line(p.about, path);
    fprintf(p.about, "\n%s\n", kind);
    return p;
}

bool plot_is_gif(const char *path) {
    const char *dot = strrchr(path, '.');
    return dot && !strcasecmp(dot, ".gif");
}

/* The file of frame k */
static const char *numbered(const char *name, int k, char out[64]) {
    if (k < 0) snprintf(out, 64, "%s", name);
    else snprintf(out, 64, "%s-%d", name, k);
    return out;
}

void plot_next_frame(Plot *p) {
    char name[64];
    bool bad = ferror(p->script) != 0;
    bad |= fclose(p->script) != 0;
    p->script = NULL;
    if (bad) plot_fail(p, "%s: %s", p->dir, strerror(errno));
    p->script = plot_open(p, numbered("script", ++p->frames, name), "w");
}

static void put_path(Plot *p, FILE *f, const char *before, const char *name) {
    char file[600];
    fputs(before, f);
    plot_quoted(f, plot_file(p, name, file));
    fputc('\n', f);
}

/* The ground of a picture, and what scripts call black, blue and grid on it; a GIF has no thin lines */
typedef struct { const char *ground, *black, *blue, *grid, *gif_grid; } Inks;
static const Inks light = {"#ffffff", "#404040", "#0072b2", "#a0a0a0", "#dddddd"},
                  dark = {"#14171b", "#e2e5e9", "#3d9fe0", "#808890", "#30363d"};

static const Inks *put_inks(FILE *f, bool is_dark, bool gif) {
    const Inks *inks = is_dark ? &dark : &light;
    fprintf(f, "dark = %d\nblack = '%s'\nblue = '%s'\ngrid = '%s'\n", is_dark, inks->black, inks->blue,
            gif ? inks->gif_grid : inks->grid);
    return inks;
}

/* Into `name`; each frame into a file of its own, unless they are of one GIF */
static void draw_as(Plot *p, FILE *f, const char *terminal, const char *name) {
    bool gif = !strncmp(terminal, "gif", 3);
    char room[64];
    fprintf(f, "set terminal %s enhanced\n", terminal);
    for (int k = 0; k <= p->frames; k++) {
        bool one = !p->frames || gif;
        if (k == 0 || !one) put_path(p, f, "set output ", numbered(name, one ? -1 : k, room));
        put_path(p, f, "load ", k ? numbered("script", k, room) : "script");
    }
}

/* How pictures are drawn: sizes are those of a figure, or what is usual.  SVGs of pages have no ground: they follow
 * their reader. */
static void draw_figure(Plot *p, FILE *f) {
    char terminal[160];
    const bool svg = !p->many && !p->frames;
    const Inks *inks = put_inks(f, p->dark && !svg, false);
    if (!p->width)
        snprintf(terminal, sizeof terminal, "%s", p->many ? "pngcairo size 1280,880 fontscale 2"
                                                          : "svg size 640,440 dynamic font 'sans-serif,13'");
    else if (!svg)
        snprintf(terminal, sizeof terminal, "pngcairo size %d,%d font ',%.1f' background rgb '%s'", p->width, p->height,
                 13 * p->scale, inks->ground);
    else
        snprintf(terminal, sizeof terminal, "svg size %d,%d dynamic font 'sans-serif,%.1f'", p->width, p->height,
                 13 * p->scale);
    draw_as(p, f, terminal, "figure");
}

static void draw_picture(Plot *p, FILE *f) {
    char terminal[192];
    const bool gif = plot_is_gif(file_name(p));
    const Inks *inks = put_inks(f, p->dark, gif);
    int width = p->width ? p->width : 800, height = p->width ? p->height : 600;
    double font = p->width ? 13 * p->scale : 12;
    if (is_svg(file_name(p)))
        snprintf(terminal, sizeof terminal, "svg size %d,%d dynamic font ',%.1f' background rgb '%s'", width, height,
                 font, inks->ground);
    else if (gif)
        snprintf(terminal, sizeof terminal, "gif animate delay %d loop 0 size %d,%d font ',%.1f' background rgb '%s'",
                 p->delay ? p->delay : 5, width, height, font - 3, inks->ground);
    else
        snprintf(terminal, sizeof terminal, "pngcairo size %d,%d font ',%.1f' background rgb '%s'", width, height, font,
                 inks->ground);
    draw_as(p, f, terminal, "picture");
}

static void write_main(Plot *p) {
    bool bad = ferror(p->script) || ferror(p->about);
    bad |= fclose(p->script) != 0;
    bad |= fclose(p->about) != 0;
    p->script = p->about = NULL;
    if (bad) plot_fail(p, "%s: %s", p->dir, strerror(errno));
    FILE *f = plot_open(p, "main", "w");
    fputs("set encoding utf8\n", f);
    if (p->figures) draw_figure(p, f);
    if (*file_name(p)) draw_picture(p, f);
    bad = ferror(f) != 0;
    if (fclose(f) || bad) plot_fail(p, "%s: %s", p->dir, strerror(errno));
}

/* Frames that are files of their own become one picture. */
static void join_frames(Plot *p) {
    const char *why = NULL;
    if (!p->frames) return;
    if (p->figures) why = plot_join(p, "figure");
    if (!why && *file_name(p) && !plot_is_gif(file_name(p))) why = plot_join(p, "picture");
    if (why) plot_fail(p, "%s", why);
}

/* ---- running it */

/* gnuplot's message without its echo of the script. */
static void read_message(const Plot *p, char *out, size_t cap) {
    char name[600], line[256];
    FILE *f = fopen(plot_file(p, "messages", name), "r");
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

/* In the new process, which shares our memory until it becomes gnuplot: that ends with us, however we end. */
static DSL_COLD __attribute__((noreturn)) void become_gnuplot(char **argv, const char *messages, pid_t parent,
                                                              volatile int *error) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(1);
    int in = open("/dev/null", O_RDONLY), out = open("/dev/null", O_WRONLY),
        err = open(messages, O_WRONLY | O_CREAT, 0600);
    if (dup2(in, 0) >= 0 && dup2(out, 1) >= 0 && dup2(err, 2) >= 0) execvp(argv[0], argv);
    *error = errno;
    _exit(127);
}

static bool run_gnuplot(Plot *p) {
    char main[600], messages[600];
    char *argv[] = {"gnuplot", "-d", plot_file(p, "main", main), NULL};
    volatile int error = 0;
    int status = 0;
    plot_file(p, "messages", messages);
    pid_t parent = getpid(), pid = vfork();
    if (pid == 0) become_gnuplot(argv, messages, parent, &error);
    if (pid < 0 || error) fail_start(p, error ? error : errno);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {}
    return status == 0;
}

static bool is_drawn(const Plot *p, const char *name) {
    char file[600];
    struct stat st;
    return stat(plot_file(p, name, file), &st) == 0 && st.st_size > 0;
}

/* ---- what comes out */

static void copy_bytes(FILE *from, FILE *to) {
    char buf[8192];
    for (size_t n; (n = fread(buf, 1, sizeof buf, from)) > 0;) fwrite(buf, 1, n, to);
}

bool plot_copy(const char *from, FILE *to, void (*how)(FILE *from, FILE *to)) {
    FILE *f = to ? fopen(from, "rb") : NULL;
    if (f) (how ? how : copy_bytes)(f, to);
    bool ok = f && !ferror(f) && !ferror(to);
    if (f) fclose(f);
    return to && fclose(to) == 0 && ok;
}

/* Whoever types at a prompt wants to know where it is. */
static void tell(const Plot *p) {
    dsl_print_str("picture: ");
    dsl_print_str(file_name(p));
    dsl_print_end(NULL);
}

/* Beside the target, then renamed. */
static void deliver(Plot *p) {
    char beside[4096], picture[600];
    snprintf(beside, sizeof beside, "%.4000s.%d", file_name(p), (int)getpid());
    FILE *to = fopen(beside, "wb");
    if (to && plot_copy(plot_file(p, "picture", picture), to, NULL) && rename(beside, file_name(p)) == 0) {
        if (getenv("DSL_TELL_PLOTS")) tell(p);
        return;
    }
    int error = errno;
    if (to) unlink(beside);
    plot_fail(p, "%s", strerror(error));
}

void plot_finish(Plot *p) {
    char why[256], picture[600], about[600];
    write_main(p);
    bool ran = run_gnuplot(p);
    if (ran) join_frames(p);
    if (!ran || (*file_name(p) && !is_drawn(p, "picture")) || (p->figures && !is_drawn(p, "figure"))) {
        read_message(p, why, sizeof why);
        plot_fail(p, "%s", why);
    }
    if (*file_name(p)) deliver(p);
    if (p->figures && !figure_put(p, plot_file(p, "figure", picture), plot_file(p, "about", about)))
        plot_fail(p, "%s: %s", p->figures, strerror(errno));
    clean_up(p);
}
