/* A session: one compilation's world, in one arena, and its table of interned strings. */
#include "base/private.h"

#include <string.h>

enum { FIRST_CAP = 256 }; /* a power of two */

static uint64_t hash_bytes(const char *s, size_t n) { /* FNV-1a */
    uint64_t h = UINT64_C(0xCBF29CE484222325);
    for (size_t i = 0; i < n; i++) h = (h ^ (unsigned char)s[i]) * UINT64_C(0x100000001B3);
    return h ^ h >> 32;
}

/* The slot that holds the text, or the free one where it belongs. */
static Interned *find_slot(const InternTable *t, const char *s, size_t n, uint64_t hash) {
    for (size_t i = hash & (t->cap - 1);; i = (i + 1) & (t->cap - 1)) {
        Interned *e = &t->slots[i];
        if (!e->text || (e->hash == hash && e->len == n && !memcmp(e->text, s, n))) return e;
    }
}

static void grow(Arena *a, InternTable *t) {
    InternTable big = {.len = t->len, .cap = t->cap ? 2 * t->cap : FIRST_CAP};
    big.slots = NEWN(a, Interned, big.cap);
    for (size_t i = 0; i < t->cap; i++) {
        const Interned *e = &t->slots[i];
        if (e->text) *find_slot(&big, e->text, e->len, e->hash) = *e;
    }
    *t = big;
}

Session *session_new(void) {
    Arena *a = arena_new();
    Session *s = NEW(a, Session);
    s->arena = a;
    text_init(&s->scratch, a);
    return s;
}

void session_free(Session *s) {
    if (s) arena_free(s->arena);
}

Arena *session_arena(Session *s) { return s->arena; }

const char *intern_n(Session *s, const char *text, size_t n) {
    InternTable *t = &s->interned;
    if (2 * t->len >= t->cap) grow(s->arena, t);
    uint64_t hash = hash_bytes(text, n);
    Interned *e = find_slot(t, text, n, hash);
    if (!e->text) {
        *e = (Interned){arena_strndup(s->arena, text, n), n, hash};
        t->len++;
    }
    return e->text;
}

const char *intern(Session *s, const char *text) { return intern_n(s, text, strlen(text)); }

const char *intern_printf(Session *s, const char *fmt, ...) {
    va_list ap;
    s->scratch.len = 0;
    va_start(ap, fmt);
    text_vprintf(&s->scratch, fmt, ap);
    va_end(ap);
    return intern_n(s, s->scratch.data, (size_t)s->scratch.len);
}
