/* PNG pictures as arrays (W3C, Portable Network Graphics, third edition; sections by its numbers).
 *
 * All kinds are read: 1 to 16 bits, gray, colour, palettes, transparency, interlaced ones.  What has fewer than 8 bits
 * is spread to 8, a palette becomes its colours.  Checksums are compared; what stands behind the end is left alone. */
#include "runtime/files.h"

#include <stdlib.h>
#include <string.h>

enum { HEAD = 8, CHUNK = 12, GRAY = 0, COLOR = 2, PALETTE = 3, GRAY_ALPHA = 4, COLOR_ALPHA = 6 };
static const unsigned char mark[HEAD] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};

typedef struct {
    const dsl_site *at;
    const unsigned char *p, *end;
    uint32_t columns, rows;
    int depth, kind, channels; /* channels: as they stand in the file */
    bool interlaced, has_alpha; /* has_alpha: of the palette, or one colour that is clear */
    unsigned char palette[256][4];
    unsigned clear[3];
    int colors;
    unsigned char *packed, *lines;
    size_t packed_size, lines_size;
    DslRaster out;
} Png;

uint32_t dsl_png_number(const unsigned char *p) {
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

/* ---- chunks (5.3) */

static const char *read_head(Png *z, const unsigned char *p, uint32_t n) {
    static const int channels[] = {1, 0, 3, 1, 2, 0, 4};
    static const int depths[] = {1 | 2 | 4 | 8 | 16, 0, 8 | 16, 1 | 2 | 4 | 8, 8 | 16, 0, 8 | 16};
    if (n != 13) return "its head is damaged";
    z->columns = dsl_png_number(p);
    z->rows = dsl_png_number(p + 4);
    z->depth = p[8];
    z->kind = p[9];
    z->interlaced = p[12] == 1;
    bool known = z->kind <= 6 && (depths[z->kind] & z->depth) && !(z->depth & (z->depth - 1));
    if (!z->columns || !z->rows || z->columns >> 31 || z->rows >> 31 || !known || p[10] || p[11] || p[12] > 1)
        return "its head is damaged";
    z->channels = channels[z->kind];
    return NULL;
}

static const char *read_palette(Png *z, const unsigned char *p, uint32_t n) {
    if (n % 3 || n > 768) return "its palette is damaged";
    z->colors = (int)(n / 3);
    for (int i = 0; i < z->colors; i++) {
        memcpy(z->palette[i], p + (ptrdiff_t)3 * i, 3);
        z->palette[i][3] = 255;
    }
    return NULL;
}

static void read_clear(Png *z, const unsigned char *p, uint32_t n) {
    if (z->kind == PALETTE)
        for (uint32_t i = 0; i < n && i < 256; i++) z->palette[i][3] = p[i];
    else if ((z->kind == GRAY && n >= 2) || (z->kind == COLOR && n >= 6))
        for (int i = 0; i < z->channels; i++) z->clear[i] = (unsigned)p[2 * i] << 8 | p[2 * i + 1];
    else return;
    z->has_alpha = true;
}

static const char *add_data(Png *z, const unsigned char *p, uint32_t n) {
    unsigned char *more = realloc(z->packed, z->packed_size + n + 1);
    if (!more) return "there is not enough memory";
    memcpy(more + z->packed_size, p, n);
    z->packed = more;
    z->packed_size += n;
    return NULL;
}

static const char *read_chunk(Png *z, const unsigned char *kind, const unsigned char *p, uint32_t n) {
    bool first = !z->depth, is_head = !memcmp(kind, "IHDR", 4);
    if (first != is_head) return "its head is damaged";
    if (is_head) return read_head(z, p, n);
    if (!memcmp(kind, "PLTE", 4)) return read_palette(z, p, n);
    if (!memcmp(kind, "tRNS", 4)) return read_clear(z, p, n), NULL;
    if (!memcmp(kind, "IDAT", 4)) return add_data(z, p, n);
    return kind[0] & 32 ? NULL : "it has a part that must be understood and is not";
}

static const char *read_chunks(Png *z) {
    for (;;) {
        if (z->end - z->p < CHUNK) return "it is truncated";
        uint32_t n = dsl_png_number(z->p);
        if (n > (size_t)(z->end - z->p) - CHUNK) return "it is truncated";
        if (dsl_crc32(z->at, z->p + 4, (size_t)n + 4, 0) != dsl_png_number(z->p + 8 + n))
            return "a checksum is wrong: it is damaged";
        if (!memcmp(z->p + 4, "IEND", 4)) return z->depth ? NULL : "its head is damaged";
        const char *why = read_chunk(z, z->p + 4, z->p + 8, n);
        if (why) return why;
        z->p += CHUNK + (size_t)n;
    }
}

/* ---- lines: filtered bytes (9), in seven passes where they are interlaced (8.1) */

typedef struct { uint32_t x, y, dx, dy; } Pass;
static const Pass whole = {0, 0, 1, 1};
static const Pass passes[7] = {{0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4},
                               {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2}};

static const Pass *pass(const Png *z, int k) { return z->interlaced ? &passes[k] : &whole; }
static int pass_count(const Png *z) { return z->interlaced ? 7 : 1; }
static size_t across(const Png *z, const Pass *s) {
    return s->x < z->columns ? (z->columns - s->x + s->dx - 1) / s->dx : 0;
}
static size_t upwards(const Png *z, const Pass *s) { return s->y < z->rows ? (z->rows - s->y + s->dy - 1) / s->dy : 0; }
static size_t line_bytes(const Png *z, const Pass *s) {
    return (across(z, s) * (size_t)(z->channels * z->depth) + 7) / 8;
}

static size_t all_bytes(const Png *z) {
    size_t n = 0;
    for (int k = 0; k < pass_count(z); k++)
        if (across(z, pass(z, k))) n += upwards(z, pass(z, k)) * (1 + line_bytes(z, pass(z, k)));
    return n;
}

static int paeth(int a, int b, int c) {
    int p = a + b - c, pa = abs(p - a), pb = abs(p - b), pc = abs(p - c);
    return pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
}

/* What a filter expects of byte i of a line; before: the line above, NULL: there is none */
static int expected(int filter, const unsigned char *line, const unsigned char *before, size_t i, size_t pixel) {
    int a = i < pixel ? 0 : line[i - pixel], b = before ? before[i] : 0,
        c = i < pixel || !before ? 0 : before[i - pixel];
    switch (filter) {
    case 1: return a;
    case 2: return b;
    case 3: return (a + b) / 2;
    case 4: return paeth(a, b, c);
    default: return 0;
    }
}

static size_t pixel_bytes(const Png *z) { return (size_t)(z->channels * z->depth + 7) / 8; }

/* ---- pixels */

static unsigned sample(const Png *z, const unsigned char *line, size_t i) {
    if (z->depth == 16) return (unsigned)line[2 * i] << 8 | line[2 * i + 1];
    if (z->depth == 8) return line[i];
    size_t bit = i * (size_t)z->depth;
    return line[bit / 8] >> (8 - z->depth - (int)(bit % 8)) & ((1u << z->depth) - 1);
}

static void put_sample(const Png *z, size_t at, unsigned x) {
    if (z->out.bytes == 2) ((uint16_t *)(void *)z->out.data)[at] = (uint16_t)x;
    else z->out.data[at] = (unsigned char)x;
}

static void put_pixel(const Png *z, const unsigned char *line, size_t i, size_t at) {
    unsigned most = z->out.bytes == 2 ? 65535 : 255, spread = z->depth < 8 ? 255 / ((1u << z->depth) - 1) : 1;
    bool clear = true;
    at *= (size_t)z->out.channels;
    if (z->kind == PALETTE) {
        unsigned k = sample(z, line, i);
        for (int c = 0; c < z->out.channels; c++) put_sample(z, at + (size_t)c, z->palette[k][c]);
        return;
    }
    for (int c = 0; c < z->channels; c++) {
        unsigned x = sample(z, line, i * (size_t)z->channels + (size_t)c);
        clear &= x == z->clear[c % 3];
        put_sample(z, at + (size_t)c, x * spread);
    }
    if (z->has_alpha) put_sample(z, at + (size_t)z->channels, clear ? 0 : most);
}

static const char *unfilter(unsigned char *line, const unsigned char *before, size_t n, size_t pixel) {
    int filter = line[-1];
    if (filter > 4) return "what is compressed is damaged";
    for (size_t i = 0; filter && i < n; i++)
        line[i] = (unsigned char)(line[i] + expected(filter, line, before, i, pixel));
    return NULL;
}

static const char *read_pass(Png *z, const Pass *s, unsigned char **at) {
    size_t n = line_bytes(z, s), width = across(z, s);
    const unsigned char *before = NULL;
    for (size_t y = 0; width && y < upwards(z, s); y++) {
        unsigned char *line = *at + 1;
        const char *why = unfilter(line, before, n, pixel_bytes(z));
        if (why) return why;
        for (size_t x = 0; x < width; x++)
            put_pixel(z, line, x, (s->y + y * s->dy) * z->columns + s->x + x * s->dx);
        before = line;
        *at += n + 1;
    }
    return NULL;
}

static const char *read_lines(Png *z) {
    const char *why = NULL;
    size_t n = z->lines_size = all_bytes(z);
    if (n / DSL_MOST_INFLATED > z->packed_size) return "it is truncated";
    if (z->kind == PALETTE && !z->colors) return "its palette is missing";
    int color = z->kind == PALETTE ? 3 : z->channels;
    z->out = (DslRaster){z->rows, z->columns, color + z->has_alpha, z->depth == 16 ? 2 : 1, NULL};
    z->out.data = malloc((size_t)z->rows * z->columns * (size_t)(z->out.channels * z->out.bytes));
    z->lines = malloc(n);
    if (!z->out.data || !z->lines) return "there is not enough memory";
    why = dsl_inflate(z->at, z->packed, z->packed_size, false, z->lines, n);
    unsigned char *at = z->lines;
    for (int k = 0; !why && k < pass_count(z); k++) why = read_pass(z, pass(z, k), &at);
    return why;
}

const char *dsl_png_read(const dsl_site *at, const unsigned char *p, size_t n, DslRaster *r) {
    Png z = {.at = at, .p = p + HEAD, .end = p + n};
    if (n < HEAD || memcmp(p, mark, HEAD)) return "it does not begin with PNG's mark";
    const char *why = read_chunks(&z);
    if (!why) why = read_lines(&z);
    free(z.packed);
    free(z.lines);
    if (why) free(z.out.data);
    *r = z.out;
    return why;
}

/* ---- writing */

void dsl_png_put(unsigned char *p, uint32_t x, int bytes) {
    for (int i = 0; i < bytes; i++) p[i] = (unsigned char)(x >> 8 * (bytes - 1 - i));
}

bool dsl_png_chunk(const dsl_site *at, FILE *f, const char *kind, const unsigned char *p, size_t n,
                   const unsigned char *q, size_t m) {
    unsigned char head[8], sum[4];
    dsl_png_put(head, (uint32_t)(n + m), 4);
    memcpy(head + 4, kind, 4);
    dsl_png_put(sum, dsl_crc32(at, q, m, dsl_crc32(at, p, n, dsl_crc32(at, head + 4, 4, 0))), 4);
    return fwrite(head, 8, 1, f) && fwrite(p, 1, n, f) == n && fwrite(q, 1, m, f) == m && fwrite(sum, 4, 1, f);
}

/* The bytes of a line as they stand in a file: high ones first */
static void big_endian_line(const DslRaster *r, int64_t y, unsigned char *to, size_t n) {
    const unsigned char *from = r->data + (size_t)y * n;
    if (r->bytes == 1) memcpy(to, from, n);
    else
        for (size_t i = 0; i < n; i++) to[i] = from[i ^ 1];
}

/* Filters a line by the one whose bytes are least, taken as signed numbers (12.7) */
static void filter_line(unsigned char *out, const unsigned char *line, const unsigned char *before, size_t n,
                        size_t pixel) {
    int64_t least = INT64_MAX;
    int best = 0;
    for (int k = 0; k < 5; k++) {
        int64_t sum = 0;
        for (size_t i = 0; i < n && sum < least; i++)
            sum += abs((signed char)(line[i] - expected(k, line, before, i, pixel)));
        if (sum < least) least = sum, best = k;
    }
    out[0] = (unsigned char)best;
    for (size_t i = 0; i < n; i++) out[i + 1] = (unsigned char)(line[i] - expected(best, line, before, i, pixel));
}

static unsigned char *filtered(const DslRaster *r, size_t line, size_t pixel) {
    unsigned char *all = malloc((line + 1) * (size_t)r->rows), *two = malloc(2 * line);
    if (!all || !two) return free(all), free(two), NULL;
    for (int64_t y = 0; y < r->rows; y++) {
        unsigned char *now = two + (y & 1 ? line : 0), *before = two + (y & 1 ? 0 : line);
        big_endian_line(r, y, now, line);
        filter_line(all + (size_t)y * (line + 1), now, y ? before : NULL, line, pixel);
    }
    free(two);
    return all;
}

/* The data in chunks of less than 2^31 bytes */
static bool write_data(const dsl_site *at, FILE *f, const unsigned char *p, size_t n) {
    enum { MOST = 1 << 30 };
    bool ok = true;
    for (size_t m; ok && n > 0; p += m, n -= m) {
        m = n < MOST ? n : MOST;
        ok = dsl_png_chunk(at, f, "IDAT", p, m, NULL, 0);
    }
    return ok;
}

bool dsl_png_write(const dsl_site *at, FILE *f, const DslRaster *r) {
    static const unsigned char kinds[] = {0, GRAY, GRAY_ALPHA, COLOR, COLOR_ALPHA};
    size_t pixel = (size_t)(r->channels * r->bytes), line = (size_t)r->columns * pixel, n = 0;
    unsigned char head[13] = {0}, *lines = filtered(r, line, pixel), *packed = NULL;
    if (lines) packed = dsl_deflate(at, lines, (line + 1) * (size_t)r->rows, false, &n);
    free(lines);
    if (!packed) return false;
    dsl_png_put(head, (uint32_t)r->columns, 4);
    dsl_png_put(head + 4, (uint32_t)r->rows, 4);
    head[8] = (unsigned char)(8 * r->bytes);
    head[9] = kinds[r->channels];
    bool ok = fwrite(mark, HEAD, 1, f) && dsl_png_chunk(at, f, "IHDR", head, 13, NULL, 0) &&
              write_data(at, f, packed, n) && dsl_png_chunk(at, f, "IEND", NULL, 0, NULL, 0);
    free(packed);
    return ok;
}
