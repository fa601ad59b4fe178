/* Animated PNG (W3C, Portable Network Graphics, third edition, 4.9 and 11.3.6): the chunks of pictures that have been
 * drawn, in one file. */
#include "runtime/files.h"
#include "runtime/plot.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MARK = 8, CHUNK = 12 };

typedef struct { FILE *f; uint32_t sequence; int delay; unsigned char head[13]; } Joined;

static void put_number(unsigned char *p, uint32_t x, int bytes) {
    for (int i = 0; i < bytes; i++) p[i] = (unsigned char)(x >> 8 * (bytes - 1 - i));
}
static uint32_t number(const unsigned char *p) {
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

/* A chunk of what stands in two pieces */
static void put_chunk(FILE *f, const char *kind, const unsigned char *p, size_t n, const unsigned char *q, size_t m) {
    unsigned char head[8], sum[4];
    put_number(head, (uint32_t)(n + m), 4);
    memcpy(head + 4, kind, 4);
    uint32_t crc = dsl_crc32(NULL, p, n, dsl_crc32(NULL, head + 4, 4, 0));
    put_number(sum, m ? dsl_crc32(NULL, q, m, crc) : crc, 4);
    fwrite(head, 8, 1, f);
    fwrite(p, 1, n, f);
    fwrite(q, 1, m, f);
    fwrite(sum, 4, 1, f);
}

/* The size is that of the first: they are drawn by one terminal. */
static void put_control(Joined *j) {
    unsigned char control[26] = {0};
    put_number(control, j->sequence++, 4);
    memcpy(control + 4, j->head, 8);
    put_number(control + 20, (uint32_t)j->delay, 2);
    put_number(control + 22, 100, 2);
    put_chunk(j->f, "fcTL", control, 26, NULL, 0);
}

static void put_frame(Joined *j, const unsigned char *p, size_t n, int k, int count) {
    unsigned char many[8], at[4];
    bool begun = false;
    for (size_t i = MARK; i + CHUNK <= n && number(p + i) <= n - i - CHUNK; i += CHUNK + number(p + i)) {
        const char *kind = (const char *)p + i + 4;
        size_t m = number(p + i);
        if (!memcmp(kind, "IDAT", 4)) {
            if (!begun) put_control(j);
            begun = true;
            put_number(at, j->sequence, 4);
            if (k) j->sequence++, put_chunk(j->f, "fdAT", at, 4, p + i + 8, m);
            else put_chunk(j->f, "IDAT", p + i + 8, m, NULL, 0);
        } else if (k == 0 && memcmp(kind, "IEND", 4)) {
            put_chunk(j->f, (const char[5]){kind[0], kind[1], kind[2], kind[3], 0}, p + i + 8, m, NULL, 0);
            if (memcmp(kind, "IHDR", 4)) continue;
            memcpy(j->head, p + i + 8, 13);
            put_number(many, (uint32_t)count, 4);
            put_number(many + 4, 0, 4);
            put_chunk(j->f, "acTL", many, 8, NULL, 0);
        }
    }
}

/* The bytes of a file of ours; NULL: errno tells why */
static unsigned char *read_picture(const char *file, size_t *n) {
    FILE *f = fopen(file, "rb");
    long length = f && !fseek(f, 0, SEEK_END) ? ftell(f) : -1;
    unsigned char *bytes = length < 0 ? NULL : malloc((size_t)length + 1);
    *n = 0;
    if (bytes && !fseek(f, 0, SEEK_SET)) *n = fread(bytes, 1, (size_t)length, f);
    if (f) fclose(f);
    return bytes;
}

const char *plot_join(const Plot *p, const char *name) {
    char file[600], part[64];
    Joined j = {fopen(plot_file(p, name, file), "wb"), 0, p->delay ? p->delay : 5, {0}};
    if (!j.f) return strerror(errno);
    fwrite("\x89PNG\r\n\x1a\n", MARK, 1, j.f);
    for (int k = 0; k <= p->frames; k++) {
        size_t n;
        snprintf(part, sizeof part, "%s-%d", name, k);
        unsigned char *bytes = read_picture(plot_file(p, part, file), &n);
        if (!bytes) return fclose(j.f), strerror(errno);
        put_frame(&j, bytes, n, k, p->frames + 1);
        free(bytes);
    }
    put_chunk(j.f, "IEND", NULL, 0, NULL, 0);
    bool bad = ferror(j.f) != 0;
    bad |= fclose(j.f) != 0;
    return bad ? strerror(errno) : NULL;
}
