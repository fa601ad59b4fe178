/* Start and end of a program, and its number of threads.
 *
 * The number comes from --threads=N, else DSL_NUM_THREADS, else OMP_NUM_THREADS, else the cores this
 * process may use.  Generated code runs its loops with OpenMP; this file does not, and calls
 * omp_set_num_threads only where the program has it.
 *
 * Threads of libgomp spin for milliseconds while they wait, which is best on free cores and ruinous on taken ones
 * (measured: 20 to 100 times slower on a busy machine); asleep at once, short launches take twice as long on free
 * cores.  libgomp reads its environment before main; so when there are more threads than free cores the program starts
 * itself once more with a short spin, of some ten microseconds: nearly all of what free cores gain by spinning, and
 * within a tenth of sleeping on taken ones. */
#include "runtime/host.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { STACK = 120 << 20 };

void omp_set_num_threads(int n) __attribute__((weak));
int omp_in_parallel(void) __attribute__((weak));
static int threads = 1;

static int cores(void) {
    cpu_set_t set;
    int n = sched_getaffinity(0, sizeof set, &set) ? (int)sysconf(_SC_NPROCESSORS_ONLN) : CPU_COUNT(&set);
    return n < 1 ? 1 : n;
}

/* Threads that run or could run now, this one among them; the average load would still speak of what has ended. */
static int running(void) {
    int n;
    FILE *f = fopen("/proc/loadavg", "r");
    if (!f || fscanf(f, "%*s %*s %*s %d/", &n) != 1) n = 1;
    if (f) fclose(f);
    return n;
}

/* Others may just be starting up beside, as those at the other end of a pipe do. */
static bool more_than_free(int n) {
    enum { LOOKS = 4 };
    const struct timespec wait = {.tv_nsec = 100000};
    for (int i = 0; i < LOOKS; i++) {
        if (i) nanosleep(&wait, NULL);
        if (n + running() - 1 <= cores()) return false;
    }
    return true;
}

/* 0 when text is no number of threads */
static int parse_count(const char *text) {
    char *end;
    errno = 0;
    long n = strtol(text, &end, 10);
    return errno || *end || end == text || n < 1 || n > DSL_MAX_THREADS ? 0 : (int)n;
}

static int count_from_env(const char *name) {
    const char *text = getenv(name);
    return text ? parse_count(text) : 0;
}

/* Takes --threads=N out of the arguments. */
static int count_from_args(int *argc, char **argv) {
    int n = 0, kept = 1;
    for (int i = 1; i < *argc; i++) {
        if (strncmp(argv[i], "--threads=", 10)) {
            argv[kept++] = argv[i];
            continue;
        }
        n = parse_count(argv[i] + 10);
        if (!n) {
            fprintf(stderr, "%s: --threads needs a number from 1 to %d\n", argv[0], DSL_MAX_THREADS);
            exit(2);
        }
    }
    if (*argc > 0) argv[*argc = kept] = NULL;
    return n;
}

/* Does nothing the second time, or where the user has chosen a policy. */
static void restart_patiently(char **argv, int n) {
    char text[16];
    snprintf(text, sizeof text, "%d", n);
    if (getenv("OMP_WAIT_POLICY") || setenv("OMP_WAIT_POLICY", "passive", 1) || setenv("GOMP_SPINCOUNT", "300", 0) ||
        setenv("DSL_NUM_THREADS", text, 1))
        return;
    execv("/proc/self/exe", argv);
}

/* The main thread's stack grows on demand: let deep recursion reach the depth limit first. */
static void allow_deep_stack(void) {
    struct rlimit lim;
    if (getrlimit(RLIMIT_STACK, &lim) || lim.rlim_cur == RLIM_INFINITY || lim.rlim_cur >= STACK) return;
    lim.rlim_cur = lim.rlim_max == RLIM_INFINITY || lim.rlim_max > STACK ? STACK : lim.rlim_max;
    setrlimit(RLIMIT_STACK, &lim);
}

/* Inside a region of threads nothing gets more of them. */
int dsl_threads(void) {
    if (omp_in_parallel && omp_in_parallel()) return 1;
    return dsl_here.threads ? dsl_here.threads : threads;
}

void dsl_set_threads(int n) {
    threads = n;
    if (omp_set_num_threads) omp_set_num_threads(n);
}

static int count(int from_args) {
    int n = from_args;
    if (!n) n = count_from_env("DSL_NUM_THREADS");
    if (!n) n = count_from_env("OMP_NUM_THREADS");
    return n ? n : cores();
}

void dsl_restart_if_crowded(char **argv) {
    int n = count(0);
    if (omp_set_num_threads && n > 1 && more_than_free(n)) restart_patiently(argv, n);
}

void dsl_begin(int *argc, char ***argv) {
    int n = count(count_from_args(argc, *argv));
    dsl_set_threads(n);
    dsl_set_arguments(*argc, *argv);
}

void dsl_init(int *argc, char ***argv) {
    int n = count(count_from_args(argc, *argv));
    if (omp_set_num_threads && n > 1 && more_than_free(n)) restart_patiently(*argv, n);
    allow_deep_stack();
    dsl_set_threads(n);
    dsl_set_arguments(*argc, *argv);
    dsl_find_home();
}

void dsl_finish(void) {
    if (fflush(stdout) == 0 && !ferror(stdout)) return;
    dsl_fail(NULL, "E0616", "cannot write the output: %s", strerror(errno));
}
