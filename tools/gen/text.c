/* Random numbers, text that lives until the end, and lines of output. */
#include "tools/gen/gen.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static struct Chunk { struct Chunk *next; char text[]; } *chunks;

uint32_t below(Gen *g, uint32_t n) { /* splitmix64 (Steele, Lea, Flood 2014) */
    uint64_t z = (g->rng += 0x9E3779B97F4A7C15u);
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    z ^= z >> 31;
    return (uint32_t)((z >> 32) * n >> 32);
}

int64_t between(Gen *g, int64_t lo, int64_t hi) { return lo + (int64_t)below(g, (uint32_t)(hi - lo + 1)); }

bool chance(Gen *g, int percent) { return (int)below(g, 100) < percent; }

static const char *vfmt(const char *f, va_list ap) {
    va_list again;
    va_copy(again, ap);
    if (!f) abort();
    int n = vsnprintf(NULL, 0, f, ap);
    struct Chunk *c = malloc(sizeof *c + (size_t)n + 1);
    if (!c) abort();
    vsnprintf(c->text, (size_t)n + 1, f, again);
    va_end(again);
    c->next = chunks;
    chunks = c;
    return c->text;
}

const char *fmt(const char *f, ...) {
    va_list ap;
    va_start(ap, f);
    const char *s = vfmt(f, ap);
    va_end(ap);
    return s;
}

static void put(Gen *g, const char *s) {
    size_t n = strlen(s);
    if (g->out_len + n + 1 > g->out_cap) {
        g->out_cap = (g->out_cap + n + 1) * 2;
        g->out = realloc(g->out, g->out_cap);
        if (!g->out) abort();
    }
    memcpy(g->out + g->out_len, s, n + 1);
    g->out_len += n;
}

static void put_line(Gen *g, const char *s) {
    for (int i = 0; i < g->indent && *s; i++) put(g, "    ");
    put(g, s);
    put(g, "\n");
    g->lines++;
}

void line(Gen *g, const char *f, ...) {
    va_list ap;
    va_start(ap, f);
    put_line(g, vfmt(f, ap));
    va_end(ap);
}

void open_block(Gen *g, const char *f, ...) {
    va_list ap;
    va_start(ap, f);
    put_line(g, fmt("%s {", vfmt(f, ap)));
    va_end(ap);
    g->indent++;
}

void close_block(Gen *g, const char *tail) {
    g->indent--;
    put_line(g, fmt("}%s", tail));
    if (*tail) g->indent++; /* } else { */
}

const char *fresh(Gen *g, const char *stem) { return fmt("%s%d", stem, g->uniq++); }

void texts_free(void) {
    while (chunks) {
        struct Chunk *next = chunks->next;
        free(chunks);
        chunks = next;
    }
}
