/* Executables beside each other: which is faster, and whether they print the same.
 *
 * All run in turn with one that they are compared with; the measure is the ratio of the times of one turn, so that a
 * machine that gets slower meanwhile slows both.  Lines that differ between runs of the first executable (times it
 * measured) are not compared.  Of a program that ends within a tenth of a second several runs are timed as one.  With
 * --threads=1 the processor's time counts, which depends less on what else the machine does. */
#include "driver/build.h"

#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const double LEAST = 0.1;       /* seconds, below which chance decides */
static const double FAR_BEHIND = 1.15; /* in each of the first two turns: out */

double seconds_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- one run */

static void child(const Race *r, const Racer *w, char **argv, const char *out) {
    int fd = open(out, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (fd < 0 || dup2(fd, 1) < 0 || dup2(fd, 2) < 0) _exit(127);
    if (w->threads > 0) setenv("DSL_NUM_THREADS", intern_printf(r->o->session, "%lld", (long long)w->threads), 1);
    if (r->o->pass.device) setenv("DSL_TARGET", "cuda", 1), setenv("DSL_GPU_SECONDS", "1", 1);
    home_export(r->o, r->o->inputs.data[0]);
    execv(w->exe.path, argv);
    _exit(127);
}

/* The number behind this word at the beginning of a line; negative: there is none */
static double number_behind(const char *text, const char *word) {
    size_t n = strlen(word);
    for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n')
        if (!strncmp(line, word, n) && line[n] == ' ') return strtod(line + n, NULL);
    return -1;
}

static double processor_seconds(const struct rusage *use) {
    return (double)(use->ru_utime.tv_sec + use->ru_stime.tv_sec) +
           1e-6 * (double)(use->ru_utime.tv_usec + use->ru_stime.tv_usec);
}

static double run_once(const Race *r, const Racer *w, char **output) {
    Session *s = r->o->session;
    const char *out = intern_printf(s, "%s/output", r->dir);
    char **argv = program_argv(r->o);
    int status;
    size_t n;
    fflush(NULL);
    double start = seconds_now();
    struct rusage use;
    pid_t pid = fork();
    if (pid == 0) child(r, w, argv, out);
    if (pid < 0 || wait4(pid, &status, 0, &use) < 0) return -1;
    double seconds = r->o->threads == 1 ? processor_seconds(&use) : seconds_now() - start;
    *output = file_read(session_arena(s), out, &n);
    unlink(out);
    if (status || !*output) return -1;
    return r->o->measure ? number_behind(*output, r->o->measure) : seconds;
}

double race_run(const Race *r, const Racer *w, char **output) {
    double sum = 0;
    for (int i = 0; i < r->repeats; i++) {
        double seconds = run_once(r, w, output);
        if (seconds < 0) return seconds;
        sum += seconds;
    }
    return sum;
}

/* ---- what is printed */

/* Blanks the lines of a that differ in b, so that they are the same for same_output; false when the texts have other
 * lines. */
static bool forget_changes(char *a, const char *b) {
    while (*a && *b) {
        size_t n = strcspn(a, "\n"), m = strcspn(b, "\n");
        if (n != m || memcmp(a, b, n)) memset(a, '\1', n);
        a += n + (a[n] == '\n'), b += m + (b[m] == '\n');
    }
    return !*a && !*b;
}

static bool same_output(const char *want, const char *got) {
    while (*want && *got) {
        size_t n = strcspn(want, "\n"), m = strcspn(got, "\n");
        if (!(n && *want == '\1') && (n != m || memcmp(want, got, n))) return false;
        want += n + (want[n] == '\n'), got += m + (got[m] == '\n');
    }
    return !*want && !*got;
}

/* ---- ratios */

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double median(const double *x, int n) {
    double y[RACE_TURNS];
    memcpy(y, x, sizeof *y * (size_t)n);
    qsort(y, (size_t)n, sizeof *y, compare);
    return n % 2 ? y[n / 2] : (y[n / 2 - 1] + y[n / 2]) / 2;
}

double racer_ratio(const Racer *w) { return w->turns ? median(w->ratio, w->turns) : 1; }

/* By chance alone a program that is no faster wins 7 of 8 turns in one case of thirty, 13 of 16 in one of a hundred. */
bool racer_surely_faster(const Racer *w, double ratio) {
    int wins = 0;
    for (int i = 0; i < w->turns; i++) wins += w->ratio[i] < 1;
    return !w->out && w->turns >= 8 && wins > w->turns * 3 / 4 && racer_ratio(w) < ratio;
}

void race_turns(const Race *r, const Racer *beside, Racer *ways, int n, int turns) {
    for (int i = 0; i < n; i++) ways[i].turns = 0;
    for (int k = 0; k < turns; k++) {
        char *output;
        double base = race_run(r, beside, &output);
        for (int i = 0; i < n && base > 0; i++) {
            Racer *w = &ways[i];
            if (w->out) continue;
            double seconds = race_run(r, w, &output);
            w->out = seconds < 0 || !same_output(r->output, output);
            w->ratio[w->turns++] = seconds / base;
            if (w->turns == 2 && w->ratio[0] > FAR_BEHIND && w->ratio[1] > FAR_BEHIND) w->out = true;
        }
    }
}

const char *race_begin(Race *r, const Racer *w) {
    r->repeats = 1;
    for (int i = 0; i < 4; i++) {
        char *output;
        r->seconds[i] = race_run(r, w, &output);
        if (r->seconds[i] < 0) return r->o->measure ? "it fails, or does not print the time" : "it fails";
        if (!i) r->output = output;
        else if (!forget_changes(r->output, output)) return "it prints other lines each time";
    }
    double once = median(r->seconds, 4);
    r->repeats = once * RACE_REPEATS < LEAST ? RACE_REPEATS + 1 : once < LEAST ? (int)ceil(LEAST / once) : 1;
    return NULL;
}
