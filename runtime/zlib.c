/* Compression by zlib, which Debian's base has.  Its header is not needed: what it says of these functions has not
 * changed since 1.2. */
#include "runtime/files.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    const unsigned char *next_in;
    unsigned avail_in;
    unsigned long total_in;
    unsigned char *next_out;
    unsigned avail_out;
    unsigned long total_out;
    const char *msg;
    void *state, *alloc, *free, *opaque;
    int data_type;
    unsigned long adler, reserved;
} Stream;

typedef struct {
    unsigned long (*crc32)(unsigned long, const unsigned char *, unsigned);
    unsigned long (*bound)(unsigned long);
    int (*compress)(unsigned char *, unsigned long *, const unsigned char *, unsigned long, int);
    int (*init)(Stream *, int, const char *, int);
    int (*inflate)(Stream *, int);
    int (*end)(Stream *);
} Zlib;

enum { BLOCK = 1 << 30, LEVEL = 6, HEAD = 2, SUM = 4, STREAM_END = 1 };

static Zlib load(const dsl_site *at) {
    Zlib z;
    DslFunction all[] = {{"crc32", (void **)&z.crc32},         {"compressBound", (void **)&z.bound},
                         {"compress2", (void **)&z.compress},  {"inflateInit2_", (void **)&z.init},
                         {"inflate", (void **)&z.inflate},     {"inflateEnd", (void **)&z.end}};
    dsl_library(at, "zlib", "libz.so.1 libz.so", "zlib1g", all, sizeof all / sizeof *all);
    return z;
}

uint32_t dsl_crc32(const dsl_site *at, const unsigned char *p, size_t n, uint32_t before) {
    Zlib z = load(at);
    unsigned long sum = before;
    for (size_t m; n > 0; p += m, n -= m) sum = z.crc32(sum, p, (unsigned)(m = n < BLOCK ? n : BLOCK));
    return (uint32_t)sum;
}

unsigned char *dsl_deflate(const dsl_site *at, const unsigned char *p, size_t n, bool raw, size_t *made) {
    Zlib z = load(at);
    unsigned long room = z.bound(n);
    unsigned char *out = malloc(room);
    if (!out || z.compress(out, &room, p, n, LEVEL)) return free(out), NULL;
    *made = raw ? room - HEAD - SUM : room;
    if (raw) memmove(out, out + HEAD, *made);
    return out;
}

static unsigned at_most_a_block(const unsigned char *from, const unsigned char *end) {
    return end - from < BLOCK ? (unsigned)(end - from) : BLOCK;
}

const char *dsl_inflate(const dsl_site *at, const unsigned char *p, size_t n, bool raw, unsigned char *to, size_t m) {
    if (!n) return "what is compressed is missing";
    Zlib z = load(at);
    unsigned char none;
    Stream s = {.next_in = p, .next_out = m ? to : &none};
    if (z.init(&s, raw ? -15 : 15, "1.2.0", (int)sizeof s)) return "there is not enough memory";
    int status = 0;
    while (!status) { /* without progress it is an error */
        s.avail_in = at_most_a_block(s.next_in, p + n);
        s.avail_out = m ? at_most_a_block(s.next_out, to + m) : 0;
        status = z.inflate(&s, 0);
    }
    bool whole = status == STREAM_END && s.total_out == m;
    z.end(&s);
    return whole ? NULL : status == STREAM_END ? "it has another length than it says" : "what is compressed is damaged";
}
