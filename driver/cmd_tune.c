/* dslc tune FILE.dsl: runs the program in several ways and keeps the fastest in FILE.dsl.tune.
 *
 * One question after another (values of constants named by --vary, the C compiler, how the threads and the blocks of
 * each kernel are coarsened, the number of threads), each asked with the answers so far.  The alternatives run in turn
 * with what is best so far, ROUNDS times; an alternative's time is the median of its ratios to the best of the same
 * turn, so that a machine that gets slower meanwhile slows both.  The winner is kept when it wins once more, by GAIN.
 *
 * Alternatives must print what the program prints; lines that differ between two runs of the same executable (times)
 * are not compared. */
#include "driver/build.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { ROUNDS = 5, MOST_WAYS = 16 };
static const double GAIN = 0.97;

typedef struct { const char *key, *value; double ratio; } Setting;
typedef struct { Setting setting; Executable exe; int64_t threads; bool out; double ratio[ROUNDS]; } Way;
typedef VEC(const char *) Names;

typedef struct {
    const Options *o;
    Session *s;
    const char *dir;           /* for outputs */
    VEC(Setting) kept;
    Way best;
    char *output;              /* of the program as it is */
    Names kernels;
    VEC(Executable) made;
} Tuner;

/* ---- running */

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static char **argv_of(const Tuner *t) {
    const Options *o = t->o;
    char **argv = NEWN(session_arena(t->s), char *, o->prog_args.len + 2);
    argv[0] = (char *)(uintptr_t)o->inputs.data[0];
    for (int i = 0; i < o->prog_args.len; i++) argv[i + 1] = (char *)(uintptr_t)o->prog_args.data[i];
    return argv;
}

static void child(const Tuner *t, const Way *w, char **argv, const char *out) {
    int fd = open(out, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (fd < 0 || dup2(fd, 1) < 0 || dup2(fd, 2) < 0) _exit(127);
    if (w->threads > 0) setenv("DSL_NUM_THREADS", intern_printf(t->s, "%lld", (long long)w->threads), 1);
    execv(w->exe.path, argv);
    _exit(127);
}

/* Seconds of one run, negative when it failed; output: what it printed */
static double run(const Tuner *t, const Way *w, char **output) {
    const char *out = intern_printf(t->s, "%s/output", t->dir);
    char **argv = argv_of(t);
    int status;
    size_t n;
    fflush(NULL);
    double start = now();
    pid_t pid = fork();
    if (pid == 0) child(t, w, argv, out);
    if (pid < 0 || waitpid(pid, &status, 0) < 0) return -1;
    double seconds = now() - start;
    *output = file_read(session_arena(t->s), out, &n);
    unlink(out);
    return status == 0 && *output ? seconds : -1;
}

/* Blanks the lines of a that differ in b, so that they are the same for same_output; false when the texts have other lines. */
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

/* ---- ways */

static void apply_kept(const Tuner *t, Options *o) {
    for (int i = 0; i < t->kept.len; i++) tuning_apply(o, t->kept.data[i].key, t->kept.data[i].value);
}

/* False when it cannot be built. */
static bool build_way(Tuner *t, Setting setting, Way *w) {
    Options o = *t->o;
    if (setting.key && !tuning_apply(&o, setting.key, setting.value)) return false;
    apply_kept(t, &o);
    *w = (Way){.setting = setting, .exe = executable_get(&o, o.inputs.data[0], EMIT_PROGRAM), .threads = o.threads};
    if (w->exe.temp_dir) vec_push(session_arena(t->s), &t->made, w->exe);
    return w->exe.path != NULL;
}

/* The program's warnings were shown when it was built as it is. */
static bool build_silently(Tuner *t, Setting setting, Way *w) {
    fflush(stderr);
    int shown = dup(2), null = open("/dev/null", O_WRONLY);
    if (null >= 0) dup2(null, 2), close(null);
    bool ok = build_way(t, setting, w);
    fflush(stderr);
    if (shown >= 0) dup2(shown, 2), close(shown);
    diag_clear(t->s);
    return ok;
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(const double *x, int n) {
    double y[ROUNDS];
    memcpy(y, x, sizeof *y * (size_t)n);
    qsort(y, (size_t)n, sizeof *y, compare);
    return n % 2 ? y[n / 2] : (y[n / 2 - 1] + y[n / 2]) / 2;
}

/* All in turn with the best so far; a way that fails, prints something else, or is far behind is out. */
static void race(Tuner *t, Way *ways, int n) {
    for (int r = 0; r < ROUNDS; r++) {
        char *output;
        double base = run(t, &t->best, &output);
        for (int i = 0; i < n; i++) {
            if (ways[i].out) continue;
            double seconds = run(t, &ways[i], &output);
            ways[i].ratio[r] = base > 0 ? seconds / base : 1;
            ways[i].out = seconds < 0 || !same_output(t->output, output) || (r == 1 && median(ways[i].ratio, 2) > 1.3);
        }
    }
}

static Way *fastest(Way *ways, int n) {
    Way *best = NULL;
    for (int i = 0; i < n; i++) {
        if (ways[i].out) continue;
        ways[i].setting.ratio = median(ways[i].ratio, ROUNDS);
        if (!best || ways[i].setting.ratio < best->setting.ratio) best = &ways[i];
    }
    return best;
}

static bool is_new(const Tuner *t, const Way *ways, int n, const Way *w) {
    for (int i = -1; i < n; i++) {
        const Way *x = i < 0 ? &t->best : &ways[i];
        if (!strcmp(x->exe.path, w->exe.path) && x->threads == w->threads) return false;
    }
    return true;
}

/* One question */
static void ask(Tuner *t, const Setting *settings, int n) {
    Way ways[MOST_WAYS], *first;
    int k = 0;
    for (int i = 0; i < n && k < MOST_WAYS; i++)
        if (build_silently(t, settings[i], &ways[k]) && is_new(t, ways, k, &ways[k])) k++;
    if (!k) return;
    race(t, ways, k);
    for (first = fastest(ways, k); first && first->setting.ratio < GAIN; first = NULL) {
        Way again = *first;
        race(t, &again, 1);
        if (!fastest(&again, 1) || again.setting.ratio >= GAIN) break;
        vec_push(session_arena(t->s), &t->kept, again.setting);
        t->best = again;
    }
    for (int i = 0; i < k; i++)
        fprintf(stderr, "  %-14s %-24s %s\n", ways[i].setting.key, ways[i].setting.value,
                ways[i].out ? "-" : intern_printf(t->s, "%.2f%s", ways[i].setting.ratio, ways[i].setting.value == t->best.setting.value ? " kept" : ""));
}

/* ---- questions */

static bool ask_constants(Tuner *t) {
    for (int i = 0; i < t->o->vary.len; i++) {
        const char *text = t->o->vary.data[i], *eq = strchr(text, '=');
        Setting s[MOST_WAYS];
        int n = 0;
        if (!eq) return diag_report(t->s, NO_SPAN, E_OPTION_VALUE, "vary", text), false;
        for (const char *v = eq + 1; *v && n < MOST_WAYS;) {
            size_t len = strcspn(v, ",");
            s[n++] = (Setting){"define", intern_printf(t->s, "%.*s=%.*s", (int)(eq - text), text, (int)len, v), 0};
            v += len + (v[len] == ',');
        }
        for (int k = 0; k < n; k++) {
            Way w;
            if (!build_way(t, s[k], &w)) return false;
        }
        ask(t, s, n);
    }
    return true;
}

static void ask_compiler(Tuner *t) {
    static const Setting s[] = {{"cc", "gcc", 0}, {"cc", "clang", 0}};
    if (!t->o->cc) ask(t, s, 2);
}

static void ask_kernel(Tuner *t, const char *name) {
    static const char *const threads[] = {"y:2", "y:4", "y:8", "x:2", "x:4", "x:2,y:2"}, *const blocks[] = {"x:2", "y:2", "x:4", "x:2,y:2"};
    Setting s[MOST_WAYS];
    int n = 0;
    for (int i = 0; i < 6; i++) s[n++] = (Setting){"coarsen-thread", intern_printf(t->s, "%s=%s", name, threads[i]), 0};
    ask(t, s, n);
    n = 0;
    for (int i = 0; i < 4; i++) s[n++] = (Setting){"coarsen-block", intern_printf(t->s, "%s=%s", name, blocks[i]), 0};
    ask(t, s, n);
}

static void ask_threads(Tuner *t) {
    Setting s[MOST_WAYS];
    int n = 0;
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    for (long k = 1; k < cores && n < MOST_WAYS; k *= 2) s[n++] = (Setting){"threads", intern_printf(t->s, "%ld", k), 0};
    if (t->o->threads <= 0) ask(t, s, n);
}

static void note_kernel(void *ctx, Op *op) {
    Tuner *t = ctx;
    const char *name = op->code == OP_ISLAND ? op_sym(op, A_NAME) : NULL;
    for (int i = 0; name && i < t->kernels.len; i++)
        if (t->kernels.data[i] == name) return;
    if (name) vec_push(session_arena(t->s), &t->kernels, name);
}

static bool find_kernels(Tuner *t) {
    Module *m = compile_to(t->o, STAGE_IR);
    for (int i = 0; m && i < m->funcs.len; i++)
        if (m->funcs.data[i]->body) region_walk(m->funcs.data[i]->body, note_kernel, t);
    if (m) module_free(m);
    return m != NULL;
}

/* ---- before and after */

static bool cannot(Tuner *t, const char *why) {
    Diag *d = diag_report(t->s, NO_SPAN, E_TUNE_RUN, why);
    diag_hint(t->s, d, "'dslc run %s' shows what it prints", t->o->inputs.data[0]);
    return false;
}

/* The program as it is: what it prints, and which lines of that change */
static bool first_runs(Tuner *t) {
    if (!build_way(t, (Setting){0}, &t->best)) return false;
    for (int i = 0; i < 4; i++) {
        char *output;
        if (run(t, &t->best, &output) < 0) return cannot(t, "it fails");
        if (!i) t->output = output;
        else if (!forget_changes(t->output, output)) return cannot(t, "it prints other lines each time");
    }
    return true;
}

static bool write_down(Tuner *t, double ratio, double seconds) {
    Session *s = t->s;
    Text out;
    text_init(&out, session_arena(s));
    text_printf(&out, "# Made by `dslc tune`: the fastest ways found to run %s.\n", t->o->inputs.data[0]);
    text_printf(&out, "# The program as it is takes %.1f ms; tuned it takes %.2f of that (medians of %d runs in turn).\n", 1e3 * seconds, ratio, ROUNDS);
    for (int i = 0; i < t->o->check.defines.len; i++) text_printf(&out, "# with -D %s\n", t->o->check.defines.data[i]);
    for (int i = 0; i < t->o->prog_args.len; i++) text_printf(&out, "# with the argument %s\n", t->o->prog_args.data[i]);
    text_printf(&out, "source %s\nmachine %s\n", tuning_source(t->o), tuning_machine(s));
    for (int i = 0; i < t->kept.len; i++)
        text_printf(&out, "%s %s  # %.2f\n", t->kept.data[i].key, t->kept.data[i].value, t->kept.data[i].ratio);
    return output_write(t->o, tuning_path(t->o), text_str(&out), (size_t)out.len);
}

/* The tuned program beside the one as it was; what turns out not to help is not kept. */
static bool conclude(Tuner *t, const Way *plain) {
    Way tuned = t->best;
    double seconds[ROUNDS], ratio = 1;
    char *output;
    t->best = *plain;
    if (t->kept.len) {
        race(t, &tuned, 1);
        if (fastest(&tuned, 1)) ratio = tuned.setting.ratio;
        if (ratio >= GAIN) t->kept.len = 0, ratio = 1;
    }
    for (int i = 0; i < ROUNDS; i++) seconds[i] = run(t, plain, &output);
    fprintf(stderr, t->kept.len ? "%s: %.2f of the time, see %s\n" : "%s: nothing was faster (%.2f), see %s\n", t->o->inputs.data[0], ratio, tuning_path(t->o));
    return write_down(t, ratio, median(seconds, ROUNDS));
}

static bool tune(Tuner *t) {
    if (!first_runs(t) || !find_kernels(t)) return false;
    Way plain = t->best;
    if (!ask_constants(t)) return false;
    ask_compiler(t);
    for (int i = 0; i < t->kernels.len; i++) ask_kernel(t, t->kernels.data[i]);
    ask_threads(t);
    return conclude(t, &plain);
}

int cmd_tune(const Options *o) {
    Tuner t = {.o = o, .s = o->session, .dir = temp_dir_new(o)};
    bool ok = t.dir && tune(&t);
    for (int i = 0; i < t.made.len; i++) executable_drop(&t.made.data[i]);
    if (t.dir) rmdir(t.dir);
    int status = diagnostics_flush(o);
    return ok ? status : EXIT_DIAGNOSED;
}
