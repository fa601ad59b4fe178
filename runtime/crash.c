/* A signal that stops a C function which the program calls, an address that is none for one, is told as other failures
 * are: where it was called, and what it is called.
 *
 * The handler runs on a stack of its own in threads that have one, which the thread that watches first gets.  It tells
 * its message once; what happens then, or outside of such calls, ends the process as if nobody watched.  Hosts of a
 * library keep their own handlers. */
#include "runtime/dsl.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

enum { SECONDS = 5, STACK = 1 << 16 }; /* a message that cannot be written, as a lock is held, is waited for so long */
static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
static _Thread_local struct { const dsl_site *at; const char *name; } calling;

static void crashed(int sig) {
    const char *name = calling.name;
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) signal(signals[i], SIG_DFL);
    if (!name) {
        raise(sig);
        return;
    }
    calling.name = NULL;
    alarm(SECONDS);
    dsl_fail(calling.at, "E0636", "the C function '%s' was stopped by signal %d (%s)", name, sig, strsignal(sig));
}

static void watch(void) {
    static char stack[STACK];
    struct sigaction handler = {.sa_handler = crashed, .sa_flags = SA_ONSTACK | SA_NODEFER}, old;
    sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof stack}, NULL);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        if (!sigaction(signals[i], NULL, &old) && old.sa_handler == SIG_DFL) sigaction(signals[i], &handler, NULL);
}

void dsl_calls(const dsl_site *at, const char *name) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, watch);
    dsl_set_site(at);
    calling.at = at;
    calling.name = name;
}

void dsl_called(void) { calling.name = NULL; }

const dsl_site *dsl_calling(const char **name) {
    *name = calling.name;
    return calling.name ? calling.at : NULL;
}
