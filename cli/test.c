/* dslc test FILE.dsl...: runs the test blocks of each file; a line each, and the counts at the end.
 * The executable, or code in memory, runs them (runtime/cases.c) and tells the counts through a pipe. */
#include "driver/build.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct { int passed, failed; bool broken; } Counts;

/* The tests of a file as machine code: one of the two */
typedef struct { Executable file; MemoryProgram memory; } Code;

static void run_child(const Options *o, const Code *x, const char *input, int counts_fd) {
    char *argv[] = {(char *)(uintptr_t)input, (char *)(uintptr_t)o->filter, NULL};
    setenv("DSL_COUNTS", intern_printf(o->session, "%d", counts_fd), 1);
    if (o->threads > 0) setenv("DSL_NUM_THREADS", intern_printf(o->session, "%lld", (long long)o->threads), 1);
    home_export(o, input);
    if (x->memory.entry) _exit(memory_run(&x->memory, argv));
    execv(x->file.path, argv);
    fprintf(stderr, "cannot run %s: %s\n", x->file.path, strerror(errno));
    _exit(EXIT_INTERNAL);
}

/* The numbers that the child wrote; broken when it died without. */
static Counts read_counts(int fd, pid_t child) {
    Counts c = {0, 0, true};
    FILE *f = fdopen(fd, "r");
    if (f && fscanf(f, "%d %d", &c.passed, &c.failed) == 2) c.broken = false;
    if (f) fclose(f);
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR) continue;
    return c;
}

static Counts run_tests(const Options *o, const Code *x, const char *input) {
    int ends[2];
    fflush(NULL);
    if (pipe(ends)) return (Counts){0, 0, true};
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        run_child(o, x, input, ends[1]);
    }
    close(ends[1]);
    if (child < 0) return close(ends[0]), (Counts){0, 0, true};
    return read_counts(ends[0], child);
}

/* Each file in a session of its own. */
static int test_file(const Options *o, const char *input, Counts *sum) {
    Options one = *o;
    one.session = session_new();
    one.inputs.data = &input;
    one.inputs.len = one.inputs.cap = 1;
    Code x = {0};
    if (memory_is_wanted(&one)) x.memory = memory_make(&one, EMIT_TESTS);
    else x.file = executable_get(&one, input, EMIT_TESTS);
    int status = x.memory.status | x.file.status;
    if (x.file.path || x.memory.entry) {
        Counts c = run_tests(&one, &x, input);
        executable_drop(&x.file);
        sum->passed += c.passed;
        sum->failed += c.failed + c.broken;
    }
    session_free(one.session);
    return status;
}

int cmd_test(const Options *o) {
    Counts sum = {0};
    int worst = 0;
    for (int i = 0; i < o->inputs.len; i++) {
        int status = test_file(o, o->inputs.data[i], &sum);
        if (status > worst) worst = status;
    }
    if (!worst || sum.passed || sum.failed) printf("%d passed, %d failed\n", sum.passed, sum.failed);
    return worst ? worst : sum.failed ? EXIT_DIAGNOSED : EXIT_OK;
}
