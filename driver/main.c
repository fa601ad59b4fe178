/* dslc: one binary with sub-commands (commands.def).
 * Exit status: 0 success, 1 an error in the program (diagnosed), 2 wrong usage, 3 an error of ours. */
#include "driver/driver.h"

#include <pthread.h>
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

static bool needs_input(const Command *c) { return !strncmp(c->args, "FILE", 4); }

static int no_target(Options *o) {
    diag_report(o->session, NO_SPAN, E_NO_TARGET, o->target);
    return usage_error(o);
}

static int dispatch(Options *o) {
    if (o->help) return options_help(stdout, o), EXIT_OK;
    if (o->version) return puts("dslc " DSLC_VERSION), EXIT_OK;
    if (o->target && strcmp(o->target, "cpu")) return no_target(o);
    if (o->bisect) return o->inputs.len ? bisect_run(o) : missing_input(o);
    if (o->emit) return o->inputs.len ? emit_stage(o) : missing_input(o);
    if (!o->command) o->command = command_find(o->inputs.len ? "build" : isatty(STDIN_FILENO) ? "repl" : "");
    return o->command && (o->inputs.len || !needs_input(o->command)) ? o->command->run(o) : missing_input(o);
}

typedef struct { int argc; char **argv; int status; } Job;

static void *work(void *arg) {
    Job *job = arg;
    Options o = {.session = session_new()};
    job->status = options_parse(&o, job->argc, job->argv) ? dispatch(&o) : usage_error(&o);
    session_free(o.session);
    return NULL;
}

/* Trees and regions are walked by recursion: with room for what nests deeply. */
int main(int argc, char **argv) {
    Job job = {argc, argv, EXIT_INTERNAL};
    pthread_attr_t attr;
    pthread_t thread;
    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, (size_t)512 << 20);
    if (pthread_create(&thread, &attr, work, &job)) work(&job);
    else pthread_join(thread, NULL);
    return job.status;
}
