/* Memory by lifetime: many small allocations, one free.
 *
 * An arena is a list of zeroed chunks; an allocation takes the next bytes of the first chunk.  Chunks
 * double up to a limit; what does not fit a chunk gets one of its own, behind the current one.  Under
 * AddressSanitizer the unused bytes are poisoned and allocations stand apart, so that an overrun
 * inside a chunk is seen. */
#include "base/base.h"

#include <stdlib.h>
#include <string.h>

#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define ARENA_ASAN 1
#endif
#endif
#ifdef __SANITIZE_ADDRESS__
#define ARENA_ASAN 1
#endif
#ifdef ARENA_ASAN
#include <sanitizer/asan_interface.h>
#define HIDE(p, n) ASAN_POISON_MEMORY_REGION((p), (n))
#define SHOW(p, n) ASAN_UNPOISON_MEMORY_REGION((p), (n))
enum { GAP = 16 };
#else
#define HIDE(p, n) ((void)(p), (void)(n))
#define SHOW(p, n) ((void)(p), (void)(n))
enum { GAP = 0 };
#endif

enum { ALIGN = 16, FIRST_CHUNK = 8 << 10, LAST_CHUNK = 4 << 20 };

typedef struct Chunk Chunk;
struct Chunk {
    Chunk *next;
    size_t used, size;
    _Alignas(16) char bytes[];
};

struct Arena {
    Chunk *chunks; /* the first one is being filled */
    size_t next_size;
};

static size_t round_up(size_t n) { return (n + ALIGN - 1) & ~(size_t)(ALIGN - 1); }

static Chunk *chunk_new(size_t size) {
    Chunk *c = calloc(1, sizeof *c + size);
    if (!c) fatal_oom();
    c->size = size;
    HIDE(c->bytes, size);
    return c;
}

static void *chunk_take(Chunk *c, size_t bytes, size_t room) {
    void *p = c->bytes + c->used;
    c->used += room;
    SHOW(p, bytes);
    return p;
}

static Chunk *add_chunk(Arena *a) {
    Chunk *c = chunk_new(a->next_size);
    if (a->next_size < LAST_CHUNK) a->next_size *= 2;
    c->next = a->chunks;
    a->chunks = c;
    return c;
}

static Chunk *add_own_chunk(Arena *a, size_t room) {
    Chunk *c = chunk_new(room);
    if (!a->chunks) return a->chunks = c;
    c->next = a->chunks->next;
    a->chunks->next = c;
    return c;
}

Arena *arena_new(void) {
    Arena *a = calloc(1, sizeof *a);
    if (!a) fatal_oom();
    a->next_size = FIRST_CHUNK;
    return a;
}

void arena_free(Arena *a) {
    if (!a) return;
    for (Chunk *c = a->chunks, *next; c; c = next) {
        next = c->next;
        SHOW(c->bytes, c->size);
        free(c);
    }
    free(a);
}

void arena_clear(Arena *a) {
    if (!a->chunks) return;
    for (Chunk *c = a->chunks->next, *next; c; c = next) {
        next = c->next;
        SHOW(c->bytes, c->size);
        free(c);
    }
    Chunk *c = a->chunks;
    SHOW(c->bytes, c->used);
    memset(c->bytes, 0, c->used);
    HIDE(c->bytes, c->size);
    c->next = NULL;
    c->used = 0;
}

void *arena_alloc(Arena *a, size_t bytes) {
    if (bytes > PTRDIFF_MAX / 2) fatal_oom();
    size_t room = round_up(bytes ? bytes : 1) + GAP;
    Chunk *c = a->chunks;
    if (!c || c->size - c->used < room)
        c = room > a->next_size / 4 ? add_own_chunk(a, room) : add_chunk(a);
    return chunk_take(c, bytes, room);
}

char *arena_strndup(Arena *a, const char *s, size_t n) {
    char *p = arena_alloc(a, n + 1);
    if (n) memcpy(p, s, n);
    return p;
}

char *arena_printf(Arena *a, const char *fmt, ...) {
    va_list ap, again;
    va_start(ap, fmt);
    va_copy(again, ap);
    int n = vsnprintf(NULL, 0, fmt, ap);
    va_end(ap);
    if (n < 0) bug("bad format '%s'", fmt);
    char *p = arena_alloc(a, (size_t)n + 1);
    vsnprintf(p, (size_t)n + 1, fmt, again);
    va_end(again);
    return p;
}
