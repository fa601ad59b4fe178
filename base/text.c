/* Growable text in an arena, always NUL-terminated once something was written; the code points of a text. */
#include "base/base.h"

#include <limits.h>
#include <stdlib.h>
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

/* ---- UTF-8 */

static int utf8_length(unsigned char lead) {
    if (lead < 0x80) return 1;
    if (lead >= 0xC2 && lead < 0xE0) return 2;
    if (lead >= 0xE0 && lead < 0xF0) return 3;
    if (lead >= 0xF0 && lead < 0xF5) return 4;
    return 0;
}

int utf8_next(const char *p, int n, int32_t *cp) {
    int len = utf8_length((unsigned char)*p);
    *cp = -1;
    if (len == 0 || len > n) return 1;
    int32_t c = len == 1 ? *p : (unsigned char)*p & (0x7F >> len);
    for (int i = 1; i < len; i++) {
        if (((unsigned char)p[i] & 0xC0) != 0x80) return 1;
        c = c << 6 | ((unsigned char)p[i] & 0x3F);
    }
    bool overlong = c < (int32_t[]){0, 0, 0x80, 0x800, 0x10000}[len], surrogate = c >= 0xD800 && c < 0xE000;
    if (overlong || surrogate || c > 0x10FFFF) return 1;
    *cp = c;
    return len;
}

bool c_name_computes(const char *c_name) { return !strncmp(c_name, "dsl_m_", 6); }

const char *c_name_in_library(const char *c_name) {
    return c_name_computes(c_name) || !strncmp(c_name, "dsl_x_", 6) ? c_name + 6 : NULL;
}

bool bytes_read(const char *text, int64_t *out) {
    static const struct { const char *name; double bytes; } units[] = {
        {"", 1}, {"B", 1}, {"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12},
        {"KiB", 0x1p10}, {"MiB", 0x1p20}, {"GiB", 0x1p30}, {"TiB", 0x1p40},
    };
    char *end;
    double n = strtod(text, &end);
    if (end == text || !(n >= 0)) return false;
    while (*end == ' ') end++;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (!strcmp(end, units[i].name) && n * units[i].bytes < 0x1p62)
            return *out = (int64_t)(n * units[i].bytes), true;
    return false;
}
