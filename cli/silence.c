/* What is not shown for a while. */
#include "cli/cli.h"

#include <fcntl.h>
#include <unistd.h>

Silence silence_begin(int to) {
    Silence s = {to == STDOUT_FILENO ? stdout : stderr, to, -1};
    fflush(s.of);
    int null = open("/dev/null", O_WRONLY);
    if (null < 0) return s;
    s.shown = dup(to);
    dup2(null, to);
    close(null);
    return s;
}

void silence_end(const Silence *s) {
    fflush(s->of);
    if (s->shown >= 0) dup2(s->shown, s->to), close(s->shown);
}
