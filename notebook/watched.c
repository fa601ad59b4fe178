/* Files that a notebook depends on: those that are named in it, in code by a text, in prose by a link, whether they are there or not:
 * what is made later is news.  Imports are looked for as the compiler does. */
#include "notebook/serve.h"

#include <string.h>
#include <sys/stat.h>

enum { MAX_FILES = 1024 };

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

static const WatchedFile *find(const Watched *w, const char *path) {
    for (int i = 0; i < w->files.len; i++)
        if (!strcmp(w->files.data[i].path, path)) return &w->files.data[i];
    return NULL;
}

static bool is_script(const char *path) {
    size_t n = strlen(path);
    return n > 4 && !strcmp(path + n - 4, ".dsl");
}

static void add(Watched *w, const char *path) {
    if (w->files.len < MAX_FILES && !find(w, path)) vec_push(w->arena, &w->files, file_now(path, is_script(path)));
}

/* A name in a file: beside it, and for imports in the folders of -I */
static void add_named(Watched *w, const Options *o, const char *in, const char *name, int n) {
    const char *slash = strrchr(in, '/');
    if (n <= 0 || memchr(name, '\\', (size_t)n)) return;
    name = arena_strndup(w->arena, name, (size_t)n);
    add(w, *name == '/' || !slash ? name : arena_printf(w->arena, "%.*s/%s", (int)(slash - in), in, name));
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

Watched watched_find(const Options *o, const char *path) {
    Watched w = {.arena = arena_new()};
    vec_push(w.arena, &w.files, file_now(arena_printf(w.arena, "%s", path), true));
    for (int i = 0; i < w.files.len; i++)
        if (w.files.data[i].script) read_names(&w, o, w.files.data[i].path);
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

void watched_keep(Watched *now, const Watched *before) {
    for (int i = 0; i < now->files.len; i++) {
        WatchedFile *f = &now->files.data[i];
        const WatchedFile *was = f->script ? find(before, f->path) : NULL;
        const char *path = f->path;
        if (was) *f = *was, f->path = path; /* `before` is freed */
    }
}
