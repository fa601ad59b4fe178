/* What goes wrong while a program runs: printed as the compiler prints its diagnostics.
 *
 * One message at a time: of several threads that fail, the first speaks and ends the process.  A host
 * that runs programs inside itself (the interpreter, the REPL) sets a handler that takes control
 * instead.  The handler and the calls under way belong to a thread.
 * For a library's context (host.h) the first failure is written down, not printed, and nothing waits. */
#include "runtime/host.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TAB = 4, FIRST_CALLS = 6, LAST_CALLS = 2 };

static pthread_mutex_t speaking = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local bool have_floor; /* this thread holds `speaking`, or has claimed the report */
static _Thread_local bool muted;      /* somebody else has claimed the report */
_Thread_local dsl_host dsl_here;
static _Thread_local const dsl_site *current_site, *failed; /* failed: what the message was about */
_Thread_local const dsl_frame *dsl_frames;
const dsl_frame *dsl_launched;
void (*dsl_fails_first)(void);
void (*dsl_stops)(int status);

/* ---- where messages go */

static void vput(const char *fmt, va_list ap) {
    dsl_report *r = dsl_here.report;
    if (!r) vfprintf(stderr, fmt, ap);
    if (!r || muted) return;
    size_t room = sizeof r->text - r->length;
    int n = vsnprintf(r->text + r->length, room, fmt, ap);
    if (n > 0) r->length += (size_t)n < room ? (size_t)n : room - 1;
}

__attribute__((format(printf, 1, 2))) static void put(const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    vput(fmt, ap);
    va_end(ap);
}

/* ---- the source line and its carets; the same layout as base/diag.c */

/* Decodes one code point of NUL-terminated s; a broken sequence is one byte. */
static int next_point(const char *s, uint32_t *c) {
    const unsigned char *p = (const unsigned char *)s;
    int n = p[0] < 0x80 ? 1 : (p[0] & 0xE0) == 0xC0 ? 2 : (p[0] & 0xF0) == 0xE0 ? 3 : (p[0] & 0xF8) == 0xF0 ? 4 : 0;
    *c = n == 1 ? p[0] : n == 2 ? p[0] & 0x1Fu : n == 3 ? p[0] & 0xFu : p[0] & 7u;
    for (int i = 1; i < n; i++) {
        if ((p[i] & 0xC0) != 0x80) n = 0;
        else *c = *c << 6 | (p[i] & 0x3Fu);
    }
    if (n) return n;
    *c = 0xFFFD;
    return 1;
}

static bool is_combining(uint32_t c) {
    return (c >= 0x300 && c < 0x370) || (c >= 0x200B && c <= 0x200F) || (c >= 0x20D0 && c < 0x2100) ||
           (c >= 0xFE00 && c <= 0xFE0F);
}

static bool is_wide(uint32_t c) {
    return (c >= 0x1100 && c < 0x1160) || (c >= 0x2E80 && c < 0xA4D0) || (c >= 0xAC00 && c < 0xD7A4) ||
           (c >= 0xF900 && c < 0xFB00) || (c >= 0xFE30 && c < 0xFE70) || (c >= 0xFF00 && c < 0xFF61) ||
           (c >= 0x1F300 && c < 0x1FB00) || (c >= 0x20000 && c < 0x40000);
}

static int width(uint32_t c, int col) {
    if (c == '\t') return TAB - col % TAB;
    return is_combining(c) ? 0 : is_wide(c) ? 2 : 1;
}

static void put_point(const char *s, int len, uint32_t c, int col) {
    if (c == '\t') put("%*s", width(c, col), "");
    else if (c < 0x20 || (c >= 0x7F && c < 0xA0)) put("?");
    else put("%.*s", len, s);
}

static void put_snippet(const dsl_site *at, const char *color, const char *plain) {
    put("%5d |%s", at->line, *at->text ? " " : "");
    int col = 0, point = 1, lo = 0, hi = 0;
    uint32_t c;
    for (const char *s = at->text; *s; point++) {
        if (point == at->col) lo = col;
        int len = next_point(s, &c);
        put_point(s, len, c, col);
        s += len;
        col += width(c, col);
        if (point < at->col + at->len) hi = col;
    }
    if (point <= at->col) lo = col; /* past the end of the line */
    put("\n      | %*s%s", lo, "", color);
    do put("^");
    while (++lo < hi);
    put("%s\n", plain);
}

static bool colored(void) {
    const char *no = getenv("NO_COLOR");
    return !dsl_here.report && isatty(STDERR_FILENO) && !(no && *no);
}

static void say(const dsl_site *at, const char *color, const char *label, const char *fmt, va_list ap) {
    const char *bold = "\033[1m", *plain = "\033[0m";
    if (!colored()) color = bold = plain = "";
    bool placed = at && at->file;
    if (placed) put("%s%s:%d:%d:%s ", bold, at->file, at->line, at->col, plain);
    else if (label[0] != 'e') put("  ");
    put("%s%s%s ", color, label, plain);
    vput(fmt, ap);
    put("\n");
    if (placed && at->text) put_snippet(at, color, plain);
}

/* Waits forever when another thread is already ending the process. */
static void take_floor(void) {
    if (have_floor) return;
    if (dsl_here.report) {
        muted = __atomic_exchange_n(&dsl_here.report->taken, 1, __ATOMIC_RELAXED);
        have_floor = true;
        return;
    }
    pthread_mutex_lock(&speaking);
    have_floor = true;
    dsl_print_release();
    fflush(stdout);
}

/* ---- the calls around a place, innermost first: those that its code stands for, then the frames */

typedef struct { const dsl_site *at; const char *how; const dsl_frame *up; bool in_thread; } Trace;

static Trace trace_from(const dsl_site *at) { return (Trace){at, NULL, dsl_frames, true}; }

/* A thread that helps with a loop has no frames but those of its own share. */
static void leave_thread(Trace *t) {
    if (t->up || !t->in_thread) return;
    t->in_thread = false;
    t->up = dsl_launched;
}

static bool outwards(Trace *t) {
    if (t->at && t->at->caller) {
        t->how = t->at->how;
        t->at = t->at->caller;
        return true;
    }
    leave_thread(t);
    if (!t->up) return false;
    if (t->up == dsl_launched) t->in_thread = false;
    t->at = t->up->at;
    t->how = t->up->how;
    t->up = t->up->up;
    return true;
}

/* The next place in the user's own program */
static bool next_call(Trace *t) {
    while (outwards(t))
        if (t->at && t->at->text) return true;
    return false;
}

/* Where a failure at `at` is shown */
static Trace shown(const dsl_site *at) {
    Trace t = trace_from(at);
    if (at && at->file && !at->text && !next_call(&t)) t.at = at;
    return t;
}

static bool same_call(const Trace *a, const Trace *b) {
    return !strcmp(a->how, b->how) && !strcmp(a->at->file, b->at->file) && a->at->line == b->at->line &&
           a->at->col == b->at->col;
}

/* The next call and how often it is repeated from there on; false: there is none. */
static bool next_calls(Trace *t, int64_t *times) {
    if (!next_call(t)) return false;
    Trace next = *t;
    for (*times = 1; next_call(&next) && same_call(t, &next); ++*times) *t = next;
    return true;
}

static void say_trace(const dsl_site *at) {
    Trace count = shown(at), t = count;
    int64_t n = 0, times;
    while (next_calls(&count, &times)) n++;
    for (int64_t k = 0; next_calls(&t, &times); k++) {
        bool left_out = k >= FIRST_CALLS && k < n - LAST_CALLS;
        if (!left_out && times == 1) dsl_say_note(t.at, "%s", t.how);
        else if (!left_out) dsl_say_note(t.at, "%s (%lld times)", t.how, (long long)times);
        else if (k == FIRST_CALLS)
            dsl_say_note(NULL, "... %lld more calls ...", (long long)(n - FIRST_CALLS - LAST_CALLS));
    }
}

/* ---- the parts of a message */

static void vsay_error(const dsl_site *at, const char *code, const char *fmt, va_list ap) {
    char label[32];
    snprintf(label, sizeof label, "error[%s]:", code);
    take_floor();
    if (dsl_fails_first) dsl_fails_first();
    if (dsl_here.report && !muted) snprintf(dsl_here.report->code, sizeof dsl_here.report->code, "%s", code);
    failed = at;
    say(shown(at).at, "\033[1;31m", label, fmt, ap);
}

void dsl_say_error(const dsl_site *at, const char *code, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    vsay_error(at, code, fmt, ap);
    va_end(ap);
}

void dsl_say_note(const dsl_site *at, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    take_floor();
    say(at, "\033[1;36m", "note:", fmt, ap);
    va_end(ap);
}

void dsl_say_hint(const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    take_floor();
    say(NULL, "\033[1;32m", "hint:", fmt, ap);
    va_end(ap);
}

void dsl_stop(int status) {
    take_floor();
    if (failed) say_trace(failed);
    failed = NULL;
    if (!dsl_here.report) fflush(stderr);
    if (dsl_here.on_fail) {
        dsl_frames = NULL;
        have_floor = false;
        if (!dsl_here.report) pthread_mutex_unlock(&speaking);
        dsl_here.on_fail(dsl_here.on_fail_ctx, status); /* does not come back */
    }
    fflush(NULL);
    if (dsl_stops) dsl_stops(status);
    _exit(status); /* not exit: other threads may be inside a parallel region */
}

void dsl_on_fail(void (*handler)(void *ctx, int status), void *ctx) {
    dsl_here.on_fail = handler;
    dsl_here.on_fail_ctx = ctx;
}

/* ---- whole failures */

void dsl_fail(const dsl_site *at, const char *code, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    vsay_error(at, code, fmt, ap);
    va_end(ap);
    dsl_stop(1);
}

static int format_arg(char *out, size_t cap, const dsl_arg *a) {
    char num[64];
    switch (a->dtype) {
    case DSL_BOOL: return snprintf(out, cap, "%s", a->u.i ? "true" : "false");
    case DSL_STR: return snprintf(out, cap, "%s", a->u.s);
    case DSL_U8: case DSL_U16: case DSL_U32: case DSL_U64:
        return snprintf(out, cap, "%llu", (unsigned long long)a->u.i);
    case DSL_F64: dsl_format_f64(num, a->u.f); return snprintf(out, cap, "%s", num);
    case DSL_F16: case DSL_BF16: case DSL_F32:
        dsl_format_f32(num, (float)a->u.f);
        return snprintf(out, cap, "%s", num);
    default: return snprintf(out, cap, "%lld", (long long)a->u.i);
    }
}

void dsl_fail_args(const dsl_site *at, const char *code, const char *msg, int n, const dsl_arg *args) {
    char text[4096];
    size_t len = 0;
    int next = 0;
    for (const char *p = msg; *p && len + 1 < sizeof text;) {
        if (p[0] == '{' && p[1] == '}' && next < n) {
            int k = format_arg(text + len, sizeof text - len, &args[next++]);
            len += (size_t)k < sizeof text - len ? (size_t)k : sizeof text - len - 1;
            p += 2;
        } else {
            text[len++] = *p++;
        }
    }
    text[len] = 0;
    dsl_say_error(at, code, "%s", text);
    if (!strcmp(code, "E0603")) dsl_say_memory();
    dsl_stop(1);
}

void dsl_fail_bounds(const dsl_site *at, int axis, int64_t index, int64_t extent) {
    dsl_fail(at, "E0601", "index %lld is out of bounds for axis %d with size %lld", (long long)index, axis,
             (long long)extent);
}

void dsl_fail_divzero(const dsl_site *at) { dsl_fail(at, "E0602", "integer division or modulo by zero"); }

void dsl_fail_size(const dsl_site *at, int64_t n) {
    if (n > 0) dsl_fail(at, "E0607", "%lld is too much for an array's size", (long long)n);
    dsl_fail(at, "E0607", "an array's size can't be negative: %lld", (long long)n);
}

void dsl_fail_step(const dsl_site *at) { dsl_fail(at, "E0609", "a loop needs a step that is not 0"); }

void dsl_fail_negpow(const dsl_site *at, int64_t exponent) {
    dsl_say_error(at, "E0608", "integer power with the negative exponent %lld", (long long)exponent);
    dsl_say_hint("make the base a float: f64(x)^y");
    dsl_stop(1);
}

/* ---- the current place */

const dsl_site *dsl_current_site(void) { return current_site; }
void dsl_set_site(const dsl_site *at) { current_site = at; }
