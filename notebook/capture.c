/* stdout and stderr go to one file in memory, so that their order stays.  What is printed with C's stderr passes a
 * stream of our own, which notes where in the file it stands: a diagnostic.  Other bytes that somebody writes to
 * descriptor 2 are text. */
#include "notebook/run.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MOST = 1 << 20 }; /* bytes of a cell's text that are kept */

typedef struct { off_t from, to; } Mark;

/* ---- taking */

static bool write_all(int fd, const char *text, size_t n) {
    while (n) {
        ssize_t put = write(fd, text, n);
        if (put < 0 && errno != EINTR) return false;
        if (put > 0) text += put, n -= (size_t)put;
    }
    return true;
}

/* The write function of the stream that stands for stderr */
static ssize_t write_error(void *ctx, const char *text, size_t n) {
    const Capture *c = ctx;
    fflush(stdout);
    Mark m = {.from = lseek(c->out, 0, SEEK_CUR)};
    if (!write_all(c->out, text, n)) return 0;
    m.to = m.from + (off_t)n;
    write_all(c->marks, (const char *)&m, sizeof m);
    return (ssize_t)n;
}

static int copy_of(int fd) { return fcntl(fd, F_DUPFD_CLOEXEC, 3); }

static void put_back(int copy, int fd) {
    if (copy < 0) return;
    dup2(copy, fd);
    close(copy);
}

static void close_files(const Capture *c) {
    if (c->out >= 0) close(c->out);
    if (c->marks >= 0) close(c->marks);
}

bool capture_begin(Capture *c) {
    fflush(NULL);
    *c = (Capture){.out = memfd_create("outputs", MFD_CLOEXEC), .marks = memfd_create("marks", MFD_CLOEXEC),
                   .out_copy = copy_of(STDOUT_FILENO), .err_copy = copy_of(STDERR_FILENO), .standard = stderr};
    c->err = fopencookie(c, "w", (cookie_io_functions_t){.write = write_error});
    if (c->err && c->out >= 0 && c->marks >= 0 && dup2(c->out, STDOUT_FILENO) >= 0 &&
        dup2(c->out, STDERR_FILENO) >= 0) {
        setvbuf(c->err, NULL, _IONBF, 0);
        stderr = c->err;
        return true;
    }
    int error = errno;
    put_back(c->out_copy, STDOUT_FILENO);
    put_back(c->err_copy, STDERR_FILENO);
    if (c->err) fclose(c->err);
    close_files(c);
    fprintf(stderr, "error: nothing can be captured: %s\n", strerror(error));
    return false;
}

/* ---- giving back */

static size_t file_size(int fd) { return (size_t)lseek(fd, 0, SEEK_END); }

/* Up to MOST bytes of the file at fd */
static char *contents(Arena *a, int fd, size_t *n) {
    size_t got = 0, size = file_size(fd) < MOST ? file_size(fd) : MOST;
    char *text = arena_alloc(a, size + 1);
    for (ssize_t k; got < size && (k = pread(fd, text + got, size - got, (off_t)got)) > 0;) got += (size_t)k;
    *n = got;
    return text;
}

/* As UTF-8 without NULs, with a newline at the end */
static const char *as_text(Arena *a, const char *p, size_t n) {
    Text t;
    text_init(&t, a);
    for (size_t i = 0; i < n;) {
        int32_t c;
        int k = utf8_next(p + i, (int)(n - i), &c);
        if (c > 0) text_add(&t, p + i, (size_t)k);
        else text_add(&t, "\xEF\xBF\xBD", 3);
        i += (size_t)k;
    }
    if (t.len && t.data[t.len - 1] != '\n') text_add(&t, "\n", 1);
    return text_str(&t);
}

typedef struct {
    Arena *arena;
    NotebookCell *cell;
    const char *text;
    size_t at, len;
    const Drawings *drawings;
    int drawn;
} Sink;

static void put_piece(Sink *s, OutputKind kind, size_t to) {
    if (to > s->len) to = s->len;
    if (to <= s->at) return;
    Output x = {.kind = kind, .text = as_text(s->arena, s->text + s->at, to - s->at)};
    vec_push(s->arena, &s->cell->outputs, x);
    s->at = to;
}

static void put_drawing(Sink *s) {
    Output x = {.kind = OUT_FIGURE, .text = "", .figure = s->drawings->data[s->drawn++].figure};
    vec_push(s->arena, &s->cell->outputs, x);
}

static void put_text(Sink *s, OutputKind kind, size_t to) {
    while (s->drawn < s->drawings->len && s->drawings->data[s->drawn].at <= to) {
        put_piece(s, kind, s->drawings->data[s->drawn].at);
        put_drawing(s);
    }
    put_piece(s, kind, to);
}

/* Diagnostics that follow each other are one. */
static int join_marks(Mark *m, int n) {
    int k = 0;
    for (int i = 1; i < n; i++) {
        if (m[i].from == m[k].to) m[k].to = m[i].to;
        else m[++k] = m[i];
    }
    return n ? k + 1 : 0;
}

static void put_parts(const Capture *c, Sink *s) {
    size_t bytes;
    Mark *marks = (Mark *)(void *)contents(s->arena, c->marks, &bytes);
    int n = join_marks(marks, (int)(bytes / sizeof *marks));
    for (int i = 0; i < n; i++) {
        put_text(s, OUT_TEXT, (size_t)marks[i].from);
        put_text(s, OUT_ERROR, (size_t)marks[i].to);
    }
    put_text(s, OUT_TEXT, s->len);
}

static void put_rest(Sink *s, size_t total) {
    if (total <= s->len) return;
    Output *last = &vec_last(&s->cell->outputs);
    if (last->kind != OUT_FIGURE)
        last->text = arena_printf(s->arena, "%s... and %zu bytes more\n", last->text, total - s->len);
}

void capture_end(Capture *c, Arena *a, NotebookCell *into, const Drawings *drawings) {
    fflush(NULL);
    stderr = c->standard;
    fclose(c->err);
    put_back(c->out_copy, STDOUT_FILENO);
    put_back(c->err_copy, STDERR_FILENO);
    Sink s = {.arena = a, .cell = into, .drawings = drawings};
    s.text = contents(a, c->out, &s.len);
    put_parts(c, &s);
    put_rest(&s, file_size(c->out));
    while (s.drawn < drawings->len) put_drawing(&s);
    close_files(c);
}
