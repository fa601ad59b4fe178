/* PGM and PPM pictures, as text (P2, P3) and as bytes (P5, P6): netpbm's pgm(5), ppm(5). */
#include "runtime/files.h"

#include <ctype.h>
#include <stdlib.h>

typedef struct { const unsigned char *begin, *p, *end; char *why; } Text;

/* Line and column of where it is, and what is wrong there */
static const char *wrong(const Text *t, const char *what) {
    int line = 1, column = 1;
    for (const unsigned char *c = t->begin; c < t->p; c++) {
        column = *c == '\n' ? 1 : column + 1;
        line += *c == '\n';
    }
    snprintf(t->why, 256, "line %d, column %d: %s", line, column, what);
    return t->why;
}

static void skip(Text *t) {
    while (t->p < t->end && (isspace(*t->p) || *t->p == '#')) {
        bool comment = *t->p == '#';
        while (comment && t->p < t->end && *t->p != '\n') t->p++;
        if (t->p < t->end) t->p++;
    }
}

static bool take(Text *t, int64_t most, int64_t *out) {
    skip(t);
    const unsigned char *from = t->p;
    int64_t x = 0;
    while (t->p < t->end && isdigit(*t->p) && x <= most) x = 10 * x + (*t->p++ - '0');
    if (t->p > from && x <= most) return *out = x, true;
    t->p = from;
    return false;
}

static const char *read_head(Text *t, DslRaster *r, int *most, bool *text) {
    int64_t full;
    if (t->end - t->p < 2 || t->p[0] != 'P' || !(t->p[1] == '2' || t->p[1] == '3' || t->p[1] == '5' || t->p[1] == '6'))
        return wrong(t, "it does not begin with P2, P3, P5 or P6");
    *text = t->p[1] < '5';
    r->channels = t->p[1] == '2' || t->p[1] == '5' ? 1 : 3;
    t->p += 2;
    if (!take(t, 1 << 30, &r->columns) || !take(t, 1 << 30, &r->rows))
        return wrong(t, "no number of pixels stands here");
    if (!r->columns || !r->rows) return wrong(t, "it has no pixels");
    if (!take(t, 65535, &full) || !full) return wrong(t, "the greatest value must be from 1 to 65535");
    *most = (int)full;
    r->bytes = full > 255 ? 2 : 1;
    if (!*text && (t->p == t->end || !isspace(*t->p++))) return wrong(t, "a blank must stand before the pixels");
    return NULL;
}

static bool next(Text *t, bool text, int bytes, int most, int64_t *x) {
    if (text) return take(t, most, x);
    if (t->end - t->p < bytes) return false;
    *x = bytes == 2 ? t->p[0] << 8 | t->p[1] : *t->p;
    if (*x > most) return false;
    t->p += bytes;
    return true;
}

const char *dsl_pnm_read(const unsigned char *p, size_t n, DslRaster *r, int *most, char why[256]) {
    Text t = {p, p, p + n, why};
    bool text = false;
    int64_t x;
    *r = (DslRaster){0};
    const char *bad = read_head(&t, r, most, &text);
    if (bad) return bad;
    size_t left = (size_t)(t.end - t.p), pixel = (size_t)r->channels,
           count = (size_t)r->rows * (size_t)r->columns * pixel;
    if (count > left / (text ? 1 : (size_t)r->bytes)) return "it is truncated";
    r->data = malloc(count * (size_t)r->bytes);
    if (!r->data) return "there is not enough memory";
    for (size_t i = 0; i < count; i++) {
        if (!next(&t, text, r->bytes, *most, &x)) return free(r->data), wrong(&t, "no value of a pixel stands here");
        if (r->bytes == 2) ((uint16_t *)(void *)r->data)[i] = (uint16_t)x;
        else r->data[i] = (unsigned char)x;
    }
    return NULL;
}

bool dsl_pnm_write(FILE *f, const DslRaster *r) {
    size_t count = (size_t)(r->rows * r->columns * r->channels);
    fprintf(f, "P%d\n%lld %lld\n%d\n", r->channels == 1 ? 5 : 6, (long long)r->columns, (long long)r->rows,
            r->bytes == 2 ? 65535 : 255);
    for (size_t i = 0; i < count; i++) {
        if (r->bytes == 2) putc(((uint16_t *)(void *)r->data)[i] >> 8, f);
        putc(r->bytes == 2 ? ((uint16_t *)(void *)r->data)[i] & 255 : r->data[i], f);
    }
    return !ferror(f);
}
