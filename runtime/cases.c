/* Runs the tests or benches of a program.
 *
 * Each case runs in a process of its own, so that one that stops does not take the others with it.  The
 * counts go to the descriptor named by DSL_COUNTS when somebody else adds them up, else to a last line. */
#include "runtime/gen.h"
#include "runtime/host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static bool wanted(int argc, char **argv, const char *name) {
    for (int i = 1; i < argc; i++)
        if (strstr(name, argv[i])) return true;
    return argc < 2;
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void (*dsl_launches_end)(void);

static void run_whole(const dsl_case *c) {
    c->run();
    if (dsl_launches_end) dsl_launches_end();
}

/* Runs body in a child; whether it ended well */
static bool run_apart(const dsl_case *c, void (*body)(const dsl_case *c)) {
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        body(c);
        dsl_finish();
        fflush(NULL);
        _exit(0);
    }
    int status = 1;
    if (child < 0 || waitpid(child, &status, 0) != child) return false;
    if (WIFSIGNALED(status))
        fprintf(stderr, "stopped by signal %d (%s)\n", WTERMSIG(status), strsignal(WTERMSIG(status)));
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static int report(int passed, int failed) {
    const char *fd = getenv("DSL_COUNTS");
    if (!fd) printf("%d passed, %d failed\n", passed, failed);
    else if (dprintf(atoi(fd), "%d %d\n", passed, failed) < 0) failed++;
    dsl_finish();
    return failed != 0;
}

int dsl_run_tests(int argc, char **argv, const dsl_case *cases) {
    int passed = 0, failed = 0;
    for (const dsl_case *c = cases; c->name; c++) {
        if (!wanted(argc, argv, c->name)) continue;
        bool ok = run_apart(c, run_whole);
        printf("%s %s\n", ok ? "ok" : "FAILED", c->name);
        passed += ok;
        failed += !ok;
    }
    return report(passed, failed);
}

/* ---- benches */

enum { MOST_RUNS = 1000 };

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static const char *seconds_text(char buf[32], double s) {
    const char *unit = s < 1e-6 ? "ns" : s < 1e-3 ? "us" : s < 1 ? "ms" : "s";
    double scale = s < 1e-6 ? 1e9 : s < 1e-3 ? 1e6 : s < 1 ? 1e3 : 1;
    snprintf(buf, 32, "%.3g %s", s * scale, unit);
    return buf;
}

/* One run to warm up, then runs until a second has passed, three at least. */
static void run_bench(const dsl_case *c) {
    static double times[MOST_RUNS];
    char median[32], least[32];
    int n = 0;
    run_whole(c);
    for (double begin = now(); n < MOST_RUNS && (n < 3 || now() - begin < 1.0);) {
        double t = now();
        run_whole(c);
        times[n++] = now() - t;
    }
    qsort(times, (size_t)n, sizeof *times, compare);
    printf("%-40s median %10s   min %10s   %d runs\n", c->name, seconds_text(median, times[n / 2]),
           seconds_text(least, times[0]), n);
}

int dsl_run_benches(int argc, char **argv, const dsl_case *cases) {
    int ran = 0, failed = 0;
    for (const dsl_case *c = cases; c->name; c++) {
        if (!wanted(argc, argv, c->name)) continue;
        ran++;
        if (run_apart(c, run_bench)) continue;
        printf("FAILED %s\n", c->name);
        failed++;
    }
    if (!ran && argc > 1) printf("no bench block has '%s' in its name\n", argv[1]);
    else if (!ran) printf("no bench blocks\n");
    dsl_finish();
    return failed != 0;
}
