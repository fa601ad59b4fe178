/* Growable text in an arena, always NUL-terminated once something was written. */
#include "base/base.h"

#include <limits.h>
#include <string.h>

enum { FIRST_CAP = 64 };

/* Makes room for n more bytes and the NUL. */
static void reserve(Text *t, size_t n) {
    if (n > (size_t)INT_MAX / 2 - 1 - (size_t)t->len) fatal_oom();
    size_t need = (size_t)t->len + n + 1, cap = t->cap ? (size_t)t->cap : FIRST_CAP;
    if (need <= (size_t)t->cap) return;
    while (cap < need) cap *= 2;
    char *p = arena_alloc(t->arena, cap);
    if (t->len) memcpy(p, t->data, (size_t)t->len);
    t->data = p;
    t->cap = (int)cap;
}

void text_init(Text *t, Arena *a) { *t = (Text){.arena = a}; }

void text_add(Text *t, const char *s, size_t n) {
    reserve(t, n);
    if (n) memcpy(t->data + t->len, s, n);
    t->len += (int)n;
    t->data[t->len] = 0;
}

void text_vprintf(Text *t, const char *fmt, va_list ap) {
    va_list again;
    va_copy(again, ap);
    int n = vsnprintf(NULL, 0, fmt, ap);
    if (n < 0) bug("bad format '%s'", fmt);
    reserve(t, (size_t)n);
    vsnprintf(t->data + t->len, (size_t)n + 1, fmt, again);
    va_end(again);
    t->len += n;
}

void text_printf(Text *t, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    text_vprintf(t, fmt, ap);
    va_end(ap);
}

const char *text_str(Text *t) { return t->data ? t->data : ""; }
