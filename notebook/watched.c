/* Files that a notebook depends on: those that are named in it, in code by a text, in prose by a link, whether they are
 * there or not: what is made later is news; and those that a run says to have used, whose names may be made while it
 * runs.  Imports are looked for as the compiler does.
 *
 * A file that changes after a run has loaded it is news when the run ends, unless the run saves it.  A C function may
 * write it without saying so: what changes in two runs, one after the other, is taken for such a file. */
#include "notebook/serve.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_FILES = 1024, MAX_NOTES = 1 << 20 /* bytes */ };

/* What is no regular file is as good as not there. */
static WatchedFile file_now(const char *path, bool script) {
    struct stat st;
    WatchedFile f = {.path = path, .script = script};
    if (stat(path, &st) || !S_ISREG(st.st_mode)) return f;
    f.size = st.st_size, f.inode = (int64_t)st.st_ino;
    f.sec = st.st_mtim.tv_sec, f.nsec = st.st_mtim.tv_nsec;
    return f;
}

static bool same(const WatchedFile *a, const WatchedFile *b) {
    return a->size == b->size && a->sec == b->sec && a->nsec == b->nsec && a->inode == b->inode;
}

static WatchedFile *find(const Watched *w, const char *path) {
    for (int i = 0; i < w->files.len; i++)
        if (!strcmp(w->files.data[i].path, path)) return &w->files.data[i];
    return NULL;
}

static bool is_script(const char *path) {
    size_t n = strlen(path);
    return n > 4 && !strcmp(path + n - 4, ".dsl");
}

/* NULL: there are too many. */
static WatchedFile *add(Watched *w, const char *path) {
    WatchedFile *f = find(w, path);
    if (f || w->files.len == MAX_FILES) return f;
    vec_push(w->arena, &w->files, file_now(path, is_script(path)));
    return &vec_last(&w->files);
}

/* A name in a file: beside it, and for imports in the folders of -I */
static void add_named(Watched *w, const Options *o, const char *in, const char *name, int n) {
    if (n <= 0 || memchr(name, '\\', (size_t)n)) return;
    name = arena_strndup(w->arena, name, (size_t)n);
    add(w, path_beside(w->arena, in, name));
    for (int i = 0; is_script(name) && i < o->check.include_path.len; i++)
        add(w, arena_printf(w->arena, "%s/%s", o->check.include_path.data[i], name));
}

static void add_links(Watched *w, const Options *o, const char *in, const char *text, const char *end) {
    for (const char *p; (p = memmem(text, (size_t)(end - text), "](", 2)); text = p) {
        p += 2;
        const char *close = memchr(p, ')', (size_t)(end - p));
        if (close) add_named(w, o, in, p, (int)(close - p));
    }
}

static void read_names(Watched *w, const Options *o, const char *path) {
    Session *s = session_new();
    int file = source_read(s, path);
    if (file >= 0 && source_is_text(s, file)) {
        size_t len;
        const char *text = source_text(s, file, &len);
        Lexemes all = lexemes_of(s, file);
        for (int i = 0; i < all.len; i++) {
            Lexeme x = all.data[i];
            if (x.kind == LEXEME_STRING) add_named(w, o, path, text + x.lo + 1, x.hi - x.lo - 2);
            if (x.kind == LEXEME_COMMENT) add_links(w, o, path, text + x.lo, text + x.hi);
        }
    }
    session_free(s);
}

/* What a run has loaded the next one will load. */
static void keep_loaded(Watched *w, const Watched *before) {
    for (int i = 0; i < before->files.len; i++) {
        const WatchedFile *was = &before->files.data[i];
        WatchedFile *f = was->loaded ? add(w, arena_printf(w->arena, "%s", was->path)) : NULL;
        if (f) f->late = was->late;
    }
}

Watched watched_find(const Options *o, const char *path, const Watched *before) {
    Watched w = {.arena = arena_new()};
    vec_push(w.arena, &w.files, file_now(arena_printf(w.arena, "%s", path), true));
    for (int i = 0; i < w.files.len; i++)
        if (w.files.data[i].script) read_names(&w, o, w.files.data[i].path);
    if (before) keep_loaded(&w, before);
    return w;
}

void watched_free(Watched *w) { arena_free(w->arena); }

bool watched_changed(const Watched *w, bool scripts_only) {
    for (int i = 0; i < w->files.len; i++) {
        const WatchedFile *f = &w->files.data[i];
        if (scripts_only && !f->script) continue;
        WatchedFile now = file_now(f->path, f->script);
        if (!same(f, &now)) return true;
    }
    return false;
}

/* A note: '<' or '>' for a file that was loaded or saved, its name as the script has it, a NUL. */
void watched_note(Watched *w, const char *path, int fd) {
    struct stat st;
    if (fstat(fd, &st) || st.st_size <= w->noted || w->noted > MAX_NOTES) return;
    char *notes = arena_alloc(w->arena, (size_t)(st.st_size - w->noted)), *end;
    ssize_t n = pread(fd, notes, (size_t)(st.st_size - w->noted), w->noted);
    for (char *p = notes; n > p - notes && (end = memchr(p, 0, (size_t)(n - (p - notes)))); p = end + 1) {
        WatchedFile *f = add(w, path_beside(w->arena, path, p + 1));
        if (f) *(*p == '<' ? &f->loaded : &f->saved) = true;
        w->noted += end + 1 - p;
    }
}

void watched_settle(Watched *w) {
    for (int i = 0; i < w->files.len; i++) {
        WatchedFile *f = &w->files.data[i], now = file_now(f->path, false);
        if (f->script) continue;
        bool own = !f->loaded || f->saved || f->late;
        f->late = f->loaded && !same(f, &now);
        if (own) f->size = now.size, f->sec = now.sec, f->nsec = now.nsec, f->inode = now.inode;
    }
}
