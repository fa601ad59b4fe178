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
    static const char *const names[] = {"script", "main", "data", "messages", "about", "picture", "figure"};
    char name[600];
    if (p->script) fclose(p->script);
    if (p->about) fclose(p->about);
    p->script = p->about = NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) unlink(plot_file(p, names[i], name));
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

static bool is_svg(const char *path) {
    const char *dot = strrchr(path, '.');
    if (dot && !strcasecmp(dot, ".png")) return false;
    if (dot && !strcasecmp(dot, ".svg")) return true;
    dsl_say_error(dsl_current_site(), "E0621", "'%s' is no name of a picture", path);
    dsl_say_hint("let it end in .png or .svg");
    dsl_stop(1);
}

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
    else if (*path) is_svg(path);
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

static void draw_as(Plot *p, FILE *f, const char *terminal, const char *name) {
    char file[600];
    fprintf(f, "set terminal %s enhanced\nset output ", terminal);
    plot_quoted(f, plot_file(p, name, file));
    fputs("\nload ", f);
    plot_quoted(f, plot_file(p, "script", file));
    fputc('\n', f);
}

static void write_main(Plot *p) {
    bool bad = ferror(p->script) || ferror(p->about);
    bad |= fclose(p->script) != 0;
    bad |= fclose(p->about) != 0;
    p->script = p->about = NULL;
    if (bad) plot_fail(p, "%s: %s", p->dir, strerror(errno));
    FILE *f = plot_open(p, "main", "w");
    fputs("set encoding utf8\n", f);
    if (p->figures)
        draw_as(p, f, p->many ? "pngcairo size 1280,880 fontscale 2" : "svg size 640,440 dynamic font 'sans-serif,13'",
                "figure");
    if (*file_name(p))
        draw_as(p, f,
                is_svg(file_name(p)) ? "svg size 800,600 dynamic font ',12' background rgb 'white'"
                                     : "pngcairo size 800,600 font ',12'",
                "picture");
    bad = ferror(f) != 0;
    if (fclose(f) || bad) plot_fail(p, "%s: %s", p->dir, strerror(errno));
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
    if (!run_gnuplot(p) || (*file_name(p) && !is_drawn(p, "picture")) || (p->figures && !is_drawn(p, "figure"))) {
        read_message(p, why, sizeof why);
        plot_fail(p, "%s", why);
    }
    if (*file_name(p)) deliver(p);
    if (p->figures && !figure_put(p, plot_file(p, "figure", picture), plot_file(p, "about", about)))
        plot_fail(p, "%s: %s", p->figures, strerror(errno));
    clean_up(p);
}
