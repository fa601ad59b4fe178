/* Animated PNG (W3C, Portable Network Graphics, third edition, 4.9 and 11.3.6): the chunks of pictures that have been
 * drawn, in one file. */
#include "runtime/files.h"
#include "runtime/plot.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MARK = 8, CHUNK = 12 };

typedef struct { FILE *f; uint32_t sequence; int delay; unsigned char head[13]; } Joined;

static void put_chunk(Joined *j, const char *kind, const unsigned char *p, size_t n) {
    dsl_png_chunk(NULL, j->f, kind, p, n, NULL, 0);
}

/* The size is that of the first: they are drawn by one terminal. */
static void put_control(Joined *j) {
    unsigned char control[26] = {0};
    dsl_png_put(control, j->sequence++, 4);
    memcpy(control + 4, j->head, 8);
    dsl_png_put(control + 20, (uint32_t)j->delay, 2);
    dsl_png_put(control + 22, 100, 2);
    put_chunk(j, "fcTL", control, 26);
}

static void put_frame(Joined *j, const unsigned char *p, size_t n, int k, int count) {
    unsigned char many[8], at[4];
    bool begun = false;
    for (size_t i = MARK, m; i + CHUNK <= n && (m = dsl_png_number(p + i)) <= n - i - CHUNK; i += CHUNK + m) {
        const char *kind = (const char *)p + i + 4;
        if (!memcmp(kind, "IDAT", 4)) {
            if (!begun) put_control(j);
            begun = true;
            dsl_png_put(at, j->sequence, 4);
            if (k) j->sequence++, dsl_png_chunk(NULL, j->f, "fdAT", at, 4, p + i + 8, m);
            else put_chunk(j, "IDAT", p + i + 8, m);
        } else if (k == 0 && memcmp(kind, "IEND", 4)) {
            put_chunk(j, kind, p + i + 8, m);
            if (memcmp(kind, "IHDR", 4)) continue;
            memcpy(j->head, p + i + 8, 13);
            dsl_png_put(many, (uint32_t)count, 4);
            dsl_png_put(many + 4, 0, 4);
            put_chunk(j, "acTL", many, 8);
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
    put_chunk(&j, "IEND", NULL, 0);
    bool bad = ferror(j.f) != 0;
    bad |= fclose(j.f) != 0;
    return bad ? strerror(errno) : NULL;
}
