/* How many calls may be inside one another: a number, and what the thread has of stack. */
#include "runtime/host.h"

#include <pthread.h>
#include <stdlib.h>

enum { MARGIN = 256 << 10 };

/* ---- the stack */

/* What a thread may have of stack depends on ulimit -s, on the host, on OMP_STACKSIZE; room is left for what is called
 * last.  0: nothing is known. */
_Thread_local uintptr_t dsl_stack_end = UINTPTR_MAX;

static void find_stack(void) {
    pthread_attr_t attr;
    size_t size;
    void *low;
    dsl_stack_end = 0;
    if (pthread_getattr_np(pthread_self(), &attr)) return;
    if (pthread_attr_getstack(&attr, &low, &size) == 0)
        dsl_stack_end = (uintptr_t)low + (size / 4 < MARGIN ? size / 4 : MARGIN);
    pthread_attr_destroy(&attr);
}

void dsl_set_stack(char *low, size_t size) { dsl_stack_end = low ? (uintptr_t)low + size / 4 : UINTPTR_MAX; }

static bool near_stack_end(void) {
    char here;
    if (DSL_UNLIKELY(dsl_stack_end == UINTPTR_MAX)) find_stack();
    return (uintptr_t)&here < dsl_stack_end;
}

/* ---- */

static __attribute__((noreturn)) void fail(const dsl_site *callee, int64_t depth) {
    if (depth > DSL_MAX_DEPTH)
        dsl_fail(callee, "E0604", "more than %d calls inside one another: the recursion does not end", DSL_MAX_DEPTH);
    dsl_fail(callee, "E0604", "%lld calls inside one another: the stack of this thread ends", (long long)depth);
}

void dsl_check_depth(const dsl_frame *f, const dsl_site *callee) {
    if (f->depth > DSL_MAX_DEPTH || near_stack_end()) fail(callee, f->depth);
}

/* ---- calls without frames, on their way back; innermost first */

_Thread_local bool dsl_deep;
static _Thread_local struct {
    const dsl_site *callee; /* of the innermost call */
    int64_t depth;
    dsl_frame *calls;       /* kept until the next time: messages of a host may look at them */
    int64_t n, room;
} back;

bool dsl_ends_here(int64_t room, const dsl_site *callee) {
    if (room > 0 && !near_stack_end()) return false;
    back.callee = callee;
    back.depth = DSL_MAX_DEPTH + 1 - room;
    back.n = 0;
    return dsl_deep = true;
}

/* Without memory the message tells fewer calls. */
void dsl_add_call(const dsl_site *at, const char *how) {
    if (back.n == back.room) {
        int64_t room = back.room ? 2 * back.room : 64;
        dsl_frame *more = realloc(back.calls, (size_t)room * sizeof *more);
        if (!more) return;
        back.calls = more;
        back.room = room;
    }
    back.calls[back.n++] = (dsl_frame){.at = at, .how = how};
}

void dsl_fail_depth(const dsl_site *at, const char *how) {
    dsl_add_call(at, how);
    const dsl_frame *up = dsl_frames;
    int64_t depth = up ? up->depth : 0;
    for (int64_t i = back.n; i-- > 0; up = &back.calls[i]) {
        back.calls[i].up = up;
        back.calls[i].depth = ++depth;
    }
    dsl_frames = up;
    dsl_deep = false;
    fail(back.callee, back.depth);
}
