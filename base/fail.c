/* The failures that are not the user's: a broken promise inside the compiler, and no more memory.
 * Both say so on stderr and exit with status 3, the code for internal errors. */
#include "base/base.h"

#include <unistd.h>

enum { EXIT_INTERNAL = 3 };

/* Not through exit(): in a process that a session made, that would set back the file that the session reads. */
static _Noreturn void leave(void) {
    fflush(stdout);
    _exit(EXIT_INTERNAL);
}

void fatal_oom(void) {
    fputs("fatal: out of memory\n", stderr);
    leave();
}

void bug_at(const char *file, int line, const char *fmt, ...) {
    va_list ap;
    fflush(stdout);
    fprintf(stderr, "internal error: %s:%d: ", file, line);
    va_start(ap, fmt);
    vfprintf(stderr, fmt, ap);
    va_end(ap);
    fputs("\nThis is a fault in the compiler, not in your program.\n", stderr);
    leave();
}
