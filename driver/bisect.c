/* --bisect: runs the program in the reference interpreter as it is written and after each pass, and names the
 * first pass behind which it prints something else, ends otherwise, or is no valid IR; last, the program in C. */
#include "driver/build.h"
#include "interp/interp.h"
#include "pipeline/pipeline.h"

#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct { const char *text; size_t len; int status; } Outcome;

static const char *read_all(Arena *a, FILE *f, size_t *len) {
    Text t;
    char buf[4096];
    size_t n;
    text_init(&t, a);
    rewind(f);
    while ((n = fread(buf, 1, sizeof buf, f)) > 0) text_add(&t, buf, n);
    *len = (size_t)t.len;
    return text_str(&t);
}

static void interpret(const Options *o, Module *m) {
    InterpOptions io = {.seed = (uint64_t)o->seed, .max_steps = o->max_steps};
    int status = interp_run(m, &io);
    fflush(NULL);
    _exit(status);
}

static void run_child(const Options *o, Module *m, const char *executable, FILE *out) {
    if (dup2(fileno(out), STDOUT_FILENO) < 0 || dup2(fileno(out), STDERR_FILENO) < 0) _exit(EXIT_INTERNAL);
    if (!executable) interpret(o, m);
    execl(executable, executable, (char *)NULL);
    _exit(EXIT_INTERNAL);
}

/* What the program prints, as IR or as an executable, in a process of its own: a run-time error ends that */
static Outcome outcome_of(const Options *o, Module *m, const char *executable) {
    Outcome r = {.text = "", .status = -1};
    FILE *out = tmpfile();
    if (!out) return r;
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) run_child(o, m, executable, out);
    if (pid > 0) waitpid(pid, &r.status, 0);
    r.text = read_all(m->arena, out, &r.len);
    fclose(out);
    return r;
}

static bool same_outcome(const Outcome *a, const Outcome *b) {
    return a->status == b->status && a->len == b->len && !memcmp(a->text, b->text, a->len);
}

static bool in_pipeline(const PassInfo *p, const Options *o) {
    return p->out <= STAGE_LOOPS && p->level <= o->pass.level && pass_suits(p, &o->pass);
}

static int changed(const char *what, const Outcome *before, const Outcome *after) {
    printf("%s changes the result\nbefore:\n%safter:\n%s", what, before->text, after->text);
    return EXIT_DIAGNOSED;
}

/* Where all passes keep the result: does the C that is made of it? */
static int bisect_c(const Options *o, Module *m, const Outcome *first) {
    Executable x = executable_get(o, o->inputs.data[0], EMIT_PROGRAM);
    if (!x.path) {
        printf("no pass changes the result, but the program cannot be made\n");
        return x.status;
    }
    Outcome now = outcome_of(o, m, x.path);
    executable_drop(&x);
    if (!same_outcome(first, &now)) return changed("no pass, but the C of the program,", first, &now);
    printf("no pass changes the result\n");
    return EXIT_OK;
}

static int bisect_module(const Options *o, Module *m) {
    int n;
    const PassInfo *table = pass_table(&n);
    PassOptions opts = o->pass;
    Outcome first = outcome_of(o, m, NULL);
    opts.verify_each = true;
    for (int i = 0; i < n; i++) {
        if (!in_pipeline(&table[i], o)) continue;
        if (m->stage < table[i].in) m->stage = table[i].in;
        const char *pass = intern_printf(o->session, "pass %d, %s,", i + 1, table[i].name);
        if (!pipeline_run_list(m, table[i].name, &opts)) {
            printf("%s makes IR that is not valid\n", pass);
            return diagnostics_flush(o);
        }
        Outcome now = outcome_of(o, m, NULL);
        if (!same_outcome(&first, &now)) return changed(pass, &first, &now);
    }
    return bisect_c(o, m, &first);
}

int bisect_run(const Options *o) {
    Module *m = link_load(o) ? compile_to(o, STAGE_IR) : NULL;
    if (!m) return diagnostics_flush(o);
    int status = bisect_module(o, m);
    module_free(m);
    return status;
}
