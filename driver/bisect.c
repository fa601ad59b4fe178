/* --bisect: runs the program in the reference interpreter as it is written and after each pass, and names the
 * first pass behind which it prints something else, or ends otherwise. */
#include "driver/driver.h"

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

static void run_child(const Options *o, Module *m, FILE *out) {
    InterpOptions io = {.seed = (uint64_t)o->seed, .max_steps = o->max_steps};
    if (dup2(fileno(out), STDOUT_FILENO) < 0 || dup2(fileno(out), STDERR_FILENO) < 0) _exit(EXIT_INTERNAL);
    int status = interp_run(m, &io);
    fflush(NULL);
    _exit(status);
}

/* What the program prints, run in a process of its own: a run-time error ends that */
static Outcome outcome_of(const Options *o, Module *m) {
    Outcome r = {.text = "", .status = -1};
    FILE *out = tmpfile();
    if (!out) return r;
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) run_child(o, m, out);
    if (pid > 0) waitpid(pid, &r.status, 0);
    r.text = read_all(m->arena, out, &r.len);
    fclose(out);
    return r;
}

static bool same_outcome(const Outcome *a, const Outcome *b) {
    return a->status == b->status && a->len == b->len && !memcmp(a->text, b->text, a->len);
}

static bool in_pipeline(const PassInfo *p, const Options *o) { return p->out <= STAGE_LOOPS && p->level <= o->pass.level; }

static int bisect_module(const Options *o, Module *m) {
    int n;
    const PassInfo *table = pass_table(&n);
    Outcome first = outcome_of(o, m);
    for (int i = 0; i < n; i++) {
        if (!in_pipeline(&table[i], o)) continue;
        if (m->stage < table[i].in) m->stage = table[i].in;
        if (!pipeline_run_list(m, table[i].name, &o->pass)) return diagnostics_flush(o);
        Outcome now = outcome_of(o, m);
        if (same_outcome(&first, &now)) continue;
        printf("pass %d, %s, changes the result\nbefore:\n%safter:\n%s", i + 1, table[i].name, first.text, now.text);
        return EXIT_DIAGNOSED;
    }
    printf("no pass changes the result\n");
    return EXIT_OK;
}

int bisect_run(const Options *o) {
    Module *m = link_load(o) ? compile_to(o, STAGE_IR) : NULL;
    if (!m) return diagnostics_flush(o);
    int status = bisect_module(o, m);
    module_free(m);
    return status;
}
