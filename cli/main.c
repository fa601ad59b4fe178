/* dslc: one binary with sub-commands (commands.def).
 * Exit status: 0 success, 1 an error in the program (diagnosed), 2 wrong usage, 3 an error of ours. */
#include "cli/cli.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#define DSLC_VERSION "0.1"

/* Diagnostics of the command line itself */
static int usage_error(Options *o) {
    diagnostics_flush(o);
    return EXIT_USAGE;
}

static int missing_input(Options *o) {
    Diag *d = diag_report(o->session, NO_SPAN, E_NO_INPUT);
    diag_hint(o->session, d, "'dslc --help' shows how it is used");
    return usage_error(o);
}

static bool is_command(const Options *o, const char *name) { return o->command && !strcmp(o->command->name, name); }

/* It takes any number of programs, or none. */
static bool learns(const Options *o) { return is_command(o, "tune") && o->learn; }

/* What nobody would look at: a second file, arguments behind `--` that are not passed on.  NULL: nothing */
static const char *left_over(const Options *o, const char *args) {
    int files = strstr(args, "...") || learns(o) ? o->inputs.len : *args ? 1 : 0;
    if (o->inputs.len > files) return o->inputs.data[files];
    return o->prog_args.len && !strstr(args, "--") ? o->prog_args.data[0] : NULL;
}

static int too_many(Options *o, const char *name, const char *args, const char *word) {
    Session *s = o->session;
    Diag *d = diag_report(s, NO_SPAN, E_LEFT_OVER, word, name);
    const char *file = o->inputs.len ? o->inputs.data[0] : "FILE";
    if (!*args) diag_hint(s, d, "it takes no file");
    else if (strstr(args, "--"))
        diag_hint(s, d, "arguments for the program stand behind --: dslc %s %s -- %s", name, file, word);
    else if (o->inputs.len > 1)
        diag_hint(s, d, "it takes one file at a time; what a program uses of another it imports: import \"%s\"", word);
    else diag_hint(s, d, "only run, interp and tune run a program with what stands behind --");
    return usage_error(o);
}

/* A command that runs a program here, as code in memory where that is asked for */
static bool runs(const char *command) {
    static const char *const names[] = {"run", "test", "bench", "repl", "notebook"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(command, names[i])) return true;
    return false;
}

/* --jit where there is no code in memory */
static bool jit_is_lost(const Options *o, const char *name) {
    if (!o->jit || o->jit == JIT_NO || o->bisect) return o->jit && o->jit != JIT_NO;
    return o->emit ? strcmp(o->emit, "llvm") != 0 : !runs(name);
}

static int no_jit(Options *o, const char *name) {
    Diag *d = diag_report(o->session, NO_SPAN, E_LEFT_OVER, "--jit", name);
    diag_hint(o->session, d, "run, test, bench, repl, notebook and --emit=llvm take it");
    return usage_error(o);
}

/* Runs the command, or whatever works on one file without being one, when what it is given is what it takes. */
static int run_with(Options *o, const char *name, const char *args, int (*run)(const Options *o)) {
    const char *word = left_over(o, args);
    if (word) return too_many(o, name, args, word);
    if (jit_is_lost(o, name)) return no_jit(o, name);
    return !o->inputs.len && !strncmp(args, "FILE", 4) && !learns(o) ? missing_input(o) : run(o);
}

static bool emits_ptx(const Options *o) { return o->emit && !strcmp(o->emit, "ptx"); }

/* Programs for a GPU, or for its simulator, are code in memory. */
static int no_target(Options *o, bool known) {
    Diag *d = diag_report(o->session, NO_SPAN, E_NO_TARGET, o->target);
    if (!known) diag_hint(o->session, d, "there are cpu, sim (a GPU simulated on the CPU), cuda and mpi");
    else if (emits_ptx(o)) diag_hint(o->session, d, "--emit=ptx is for --target=cuda");
    else if (o->pass.ranks) diag_hint(o->session, d, "run, build and --emit take --target=mpi, without --jit");
    else if (o->lib) diag_hint(o->session, d, "a library is for the processor");
    else if (!strcmp(o->target, "sim"))
        diag_hint(o->session, d, "run, check, opt, test, bench, repl, notebook and --emit take --target=sim");
    else
        diag_hint(o->session, d,
                  "run, build, check, opt, tune, test, bench, repl, notebook and --emit take --target=cuda");
    return usage_error(o);
}

static bool makes_executable(const Options *o) {
    return o->command ? (is_command(o, "build") && !o->lib) || is_command(o, "tune") : o->inputs.len > 0;
}

/* No program runs. */
static bool only_looks(const Options *o) { return is_command(o, "check") || is_command(o, "opt"); }

static bool takes_target(const Options *o, bool sim) {
    if (o->bisect) return false;
    if (o->emit) return !sim || !emits_ptx(o);
    if (makes_executable(o)) return !sim;
    return !o->command || only_looks(o) || runs(o->command->name);
}

/* Processes are made by the C compiler's executables alone. */
static bool takes_ranks(const Options *o) {
    bool emits = o->emit && strcmp(o->emit, "ptx") && strcmp(o->emit, "llvm");
    bool makes = is_command(o, "run") || (makes_executable(o) && !is_command(o, "tune"));
    return !o->jit && !o->bisect && (o->emit ? emits : makes);
}

/* What --target says; false: it is none, or not one for what is asked. */
static bool set_target(Options *o, bool *known) {
    if (emits_ptx(o) && !o->target) o->target = "cuda";
    if (o->processes && !o->target) o->target = "mpi";
    *known = true;
    if (!o->target || !strcmp(o->target, "cpu")) return !emits_ptx(o);
    bool sim = !strcmp(o->target, "sim");
    o->pass.ranks = !strcmp(o->target, "mpi");
    if (o->pass.ranks) return takes_ranks(o);
    *known = sim || !strcmp(o->target, "cuda");
    o->pass.device = true, o->pass.unordered = !sim;
    if (!o->emit && !makes_executable(o) && !only_looks(o) && o->jit != JIT_QUICK) o->jit = JIT_OPTIMIZED;
    return *known && takes_target(o, sim);
}

/* --processes is for run, and says --target=mpi. */
static bool processes_fit(const Options *o) {
    return !o->processes || (is_command(o, "run") && !o->emit && (!o->target || !strcmp(o->target, "mpi")));
}

static int no_processes(Options *o) {
    const char *name = o->target ? intern_printf(o->session, "--target=%s", o->target)
                       : o->command ? o->command->name : "build";
    Diag *d = diag_report(o->session, NO_SPAN, E_LEFT_OVER, "--processes", name);
    diag_hint(o->session, d, "dslc run --processes=N FILE; of what dslc build --target=mpi makes mpirun -n N says it");
    return usage_error(o);
}

static int dispatch(Options *o) {
    if (o->help) return options_help(stdout, o), EXIT_OK;
    if (o->version) return puts("dslc " DSLC_VERSION), EXIT_OK;
    bool known;
    if (!processes_fit(o)) return no_processes(o);
    if (!set_target(o, &known)) return no_target(o, known);
    if ((o->pass.device || o->explain_kernel) && !gpu_is_known(o)) return usage_error(o);
    if ((o->pass.device || o->jit || o->explain_kernel) && !cpu_is_known(o)) return usage_error(o);
    if (o->bisect) return run_with(o, "--bisect", "FILE", bisect_run);
    if (o->emit) return run_with(o, "--emit", "FILE", emit_stage);
    if (!o->command) o->command = command_find(o->inputs.len ? "build" : isatty(STDIN_FILENO) ? "repl" : "");
    return o->command ? run_with(o, o->command->name, o->command->args, o->command->run) : missing_input(o);
}

/* What was printed must have arrived, whoever printed it. */
static int check_output(Options *o, int status) {
    bool lost = fflush(stdout) != 0;
    const char *why = lost ? strerror(errno) : "an earlier write has failed";
    if ((!lost && !ferror(stdout)) || status) return status;
    diag_report(o->session, NO_SPAN, E_RT_OUTPUT, why);
    return diagnostics_flush(o);
}

typedef struct { int argc; char **argv; int status; } Job;

static void *work(void *arg) {
    Job *job = arg;
    Options o = {.session = session_new()};
    job->status = options_parse(&o, job->argc, job->argv) ? dispatch(&o) : usage_error(&o);
    job->status = check_output(&o, job->status);
    session_free(o.session);
    return NULL;
}

/* Signals find the thread that works, which may let them wait. */
static void join(pthread_t thread) {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, NULL);
    pthread_join(thread, NULL);
}

/* Trees and regions are walked by recursion: with room for what nests deeply. */
int main(int argc, char **argv) {
    Job job = {argc, argv, EXIT_INTERNAL};
    pthread_attr_t attr;
    pthread_t thread;
    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, (size_t)512 << 20);
    if (pthread_create(&thread, &attr, work, &job)) work(&job);
    else join(thread);
    return job.status;
}
