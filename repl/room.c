/* Room for the large arrays of a session.
 *
 * What a variable no longer needs waits for the next array of that size: the kernel clears pages before it gives them,
 * which takes as long as copying an array into them.  Processes of cells do not get what waits; else to write there
 * again would copy it for them. */
#include "repl/workspace.h"
#include "runtime/host.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MOST_WAITING = 16 }; /* of the machine's memory one part in so many */

static size_t most_waiting(void) {
    return (size_t)sysconf(_SC_PHYS_PAGES) / MOST_WAITING * (size_t)sysconf(_SC_PAGESIZE);
}

static bool waits(Workspace *w, Room r) {
    size_t all = r.bytes;
    for (int i = 0; i < w->waiting.len; i++) all += w->waiting.data[i].bytes;
    return all <= most_waiting() && !madvise(r.at, r.bytes, MADV_DONTFORK);
}

Room room_take(Workspace *w, size_t bytes) {
    bytes = (bytes + ROOM - 1) / ROOM * ROOM;
    for (int i = 0; i < w->waiting.len; i++) {
        Room r = w->waiting.data[i];
        if (r.bytes != bytes) continue;
        w->waiting.data[i] = vec_last(&w->waiting);
        w->waiting.len--;
        madvise(r.at, r.bytes, MADV_DOFORK);
        return r;
    }
    return (Room){dsl_memory(bytes), bytes};
}

void room_leave(Workspace *w, Room r) {
    if (waits(w, r)) vec_push(w->arena, &w->waiting, r);
    else free(r.at);
}

void room_free_all(Workspace *w) {
    for (int i = 0; i < w->waiting.len; i++) {
        madvise(w->waiting.data[i].at, w->waiting.data[i].bytes, MADV_DOFORK);
        free(w->waiting.data[i].at);
    }
    w->waiting.len = 0;
}
