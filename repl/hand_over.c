/* The result of a cell, from its process to the session.
 *
 * When the cell is done it writes what it leaves, says so and waits: the session copies large arrays out of its memory,
 * and answers.  Where that is forbidden (ptrace(2), access mode) it asks for all of it in the file. */
#include "repl/workspace.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LOOK_AGAIN = 100 }; /* milliseconds */
enum { READY = 'r', TAKEN = 't', WRITE_ALL = 'w' };

static bool say(int to, char word) { return send(to, &word, 1, MSG_NOSIGNAL) == 1; }

/* The next word, or 0: the other one is gone */
static char hear(int from) {
    char word;
    return read(from, &word, 1) == 1 ? word : 0;
}

/* ---- in the cell's process */

bool hand_over(const Cell *c, const Result *r) {
    if (c->session < 0) return result_write(c->result, r, true);
    if (!result_write(c->result, r, false) || !say(c->session, READY)) return false;
    char answer = hear(c->session);
    if (answer == WRITE_ALL && result_write(c->result, r, true) && say(c->session, READY)) answer = hear(c->session);
    return answer == TAKEN;
}

/* ---- in the session */

static bool has_ended(pid_t pid) {
    siginfo_t info = {.si_pid = 0};
    return waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) || info.si_pid == pid;
}

/* Also when the cell has left a process behind that could say it */
static bool is_ready(int cell_end, pid_t pid) {
    struct pollfd p = {.fd = cell_end, .events = POLLIN};
    while (poll(&p, 1, LOOK_AGAIN) <= 0)
        if (has_ended(pid)) return false;
    return hear(cell_end) == READY;
}

bool take_result(const Cell *c, int cell_end, pid_t pid, Result *r) {
    if (!is_ready(cell_end, pid)) return false;
    bool ok = result_read(c->result, c->workspace, pid, r);
    if (!ok && say(cell_end, WRITE_ALL)) ok = is_ready(cell_end, pid) && result_read(c->result, c->workspace, 0, r);
    return say(cell_end, TAKEN) && ok;
}
