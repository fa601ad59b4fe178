/* Folders for temporary files.  Whoever made one removes it; when that process is ended before, by a signal or a crash,
 * a process that waits for its end does.
 *
 * The one that waits reads from a socket that the other keeps open; it has a session of its own, so that keys of the
 * terminal do not end it. */
#include "driver/build.h"

#include <errno.h>
#include <ftw.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *at) {
    (void)st, (void)type, (void)at;
    remove(path);
    return 0;
}

/* Reads the folder's name, then the end of the stream. */
static DSL_NORETURN void wait_and_remove(int in) {
    char dir[PATH_MAX] = "";
    size_t len = 0;
    setsid();
    for (ssize_t n; (n = read(in, dir + len, sizeof dir - 1 - len)) > 0 || (n < 0 && errno == EINTR);)
        len += n > 0 ? (size_t)n : 0;
    if (len) nftw(dir, remove_one, 8, FTW_DEPTH | FTW_PHYS);
    _exit(0);
}

/* The socket that is to be kept open, or -1.  The process that waits is a grandchild: nobody's to wait for. */
static int begin_watch(void) {
    int ends[2], status;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends)) return -1;
    pid_t pid = fork();
    if (pid == 0) {
        close(ends[1]);
        if (fork() == 0) wait_and_remove(ends[0]);
        _exit(0);
    }
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR) continue;
    close(ends[0]);
    return ends[1];
}

/* The folder is made when there is already who removes it. */
const char *temp_dir_new(const Options *o) {
    const char *base = getenv("TMPDIR");
    if (!base || !*base) base = "/tmp";
    char *dir = arena_printf(session_arena(o->session), "%s/dslc-XXXXXX", base);
    int out = begin_watch();
    if (mkdtemp(dir)) {
        ssize_t told = out < 0 ? 0 : send(out, dir, strlen(dir), MSG_NOSIGNAL);
        (void)told; /* at worst it stays when this process is killed */
        return dir;
    }
    diag_report(o->session, NO_SPAN, E_CANNOT_WRITE, dir, strerror(errno));
    if (out >= 0) close(out);
    return NULL;
}

const char *temp_dir_keep(const Options *o, const char *dir) {
    const char *kept = intern_printf(o->session, "%s-kept", dir);
    return rename(dir, kept) ? dir : kept;
}
