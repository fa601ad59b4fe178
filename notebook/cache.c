/* Cells that did not change are not run again.
 *
 * A cell's key is a hash of its text, of the definitions and variables that it mentions, of those that these mention,
 * of all imports, and of the compiler with its options.  Under the key the folder of compiled programs (driver/cache.c)
 * has the result that the cell left for the workspace (repl/result.c) and its outputs, with a hash of them, so that a
 * damaged file is noticed; and the hashes of the files that were imported.  What fails, warns, loads or saves files,
 * asks for the time or calls C is not kept.  Values count, not when they were made: a cell that runs again and leaves
 * what it left before does not make those after it run.
 *
 * The files of a notebook are those of its last run: when it ends, others go. */
#include "notebook/run.h"
#include "repl/words.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static const char MAGIC[8] = "dslnb01";
enum { MOST_BYTES = 1 << 28 }; /* of one cell */

/* ---- the key */

typedef struct Key { const Workspace *w; Hash h; bool *def, *var; } Key;

static bool mentions(const char *text, const char *name) { return text && text_mentions(text, name); }

/* Adds what a text mentions, and what that mentions. */
static void reach(Key *k, const char *text) {
    for (int i = 0; i < k->w->defs.len; i++) {
        const Definition *d = &k->w->defs.data[i];
        if (k->def[i] || !mentions(text, d->name)) continue;
        k->def[i] = true;
        reach(k, d->text);
    }
    for (int i = 0; i < k->w->vars.len; i++) {
        const Variable *v = &k->w->vars.data[i];
        if (k->var[i] || !mentions(text, v->name)) continue;
        k->var[i] = true;
        reach(k, v->type);
        reach(k, v->given);
    }
}

static void hash_leaf(Key *k, const Leaf *l) {
    k->h = hash_bytes(k->h, &l->dtype, sizeof l->dtype);
    if (l->is_array) {
        const dsl_array *a = l->value.as_array;
        k->h = hash_bytes(k->h, a->dim, sizeof *a->dim * (size_t)a->rank);
        for (int64_t i = 0; a->dtype == DSL_STR && i < a->count; i++)
            k->h = hash_text(k->h, ((const char *const *)a->data)[i]);
        if (a->dtype != DSL_STR) k->h = hash_bytes(k->h, a->data, (size_t)(a->count * dsl_dtype_bytes(a->dtype)));
    } else if (l->dtype == DT_STR) {
        k->h = hash_text(k->h, l->value.as_str);
    } else {
        k->h = hash_bytes(k->h, &l->value, (size_t)dtype_info(l->dtype)->bytes);
    }
}

static void hash_variable(Key *k, const Variable *v) {
    const char *const texts[] = {v->name, v->type, v->given, v->layout, v->fixed ? "let" : "var"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) k->h = hash_text(k->h, texts[i]);
    for (int i = 0; i < v->nleaves && !v->literal; i++) hash_leaf(k, &v->leaves[i]);
}

/* Where a definition stands does not matter. */
static void hash_definition(Key *k, const Definition *d) {
    k->h = hash_text(hash_text(k->h, d->label), d->text + strspn(d->text, " \t\n"));
}

/* False: what definitions that no longer fit mean for the cell is not easily said. */
static bool add_imports(Key *k) {
    for (int i = 0; i < k->w->defs.len; i++) {
        if (k->w->defs.data[i].broken) return false;
        if (!strcmp(k->w->defs.data[i].what, "import")) k->def[i] = true;
    }
    return true;
}

bool cache_key(const Options *o, const Cell *c, Hash *key) {
    Arena *a = arena_new();
    const char *text = c->text + strspn(c->text, "\n");
    Key k = {.w = c->workspace,
             .def = NEWN(a, bool, c->workspace->defs.len + 1),
             .var = NEWN(a, bool, c->workspace->vars.len + 1)};
    bool ok = cache_identity(o, &k.h) && add_imports(&k);
    if (ok) reach(&k, text);
    k.h = hash_text(hash_text(k.h, c->label), text);
    for (int i = 0; ok && i < k.w->defs.len; i++)
        if (k.def[i]) hash_definition(&k, &k.w->defs.data[i]);
    for (int i = 0; ok && i < k.w->vars.len; i++)
        if (k.var[i]) hash_variable(&k, &k.w->vars.data[i]);
    arena_free(a);
    *key = k.h;
    return ok;
}

/* ---- the folder */

void cache_open(Cache *cache, const Options *o, const char *path) {
    Session *s = o->session;
    char *full = realpath(path, NULL);
    *cache = (Cache){.o = o, .dir = cache_dir(s)};
    cache->prefix = intern_printf(s, "nb-%.16s-", hash_str(s, hash_text((Hash){7, 8}, full ? full : path)));
    free(full);
}

static const char *entry_name(const Cache *c, Hash key) {
    return intern_printf(c->o->session, "%s%s", c->prefix, hash_str(c->o->session, key));
}

static bool is_used(const Cache *c, const char *name) {
    for (int i = 0; i < c->used.len; i++)
        if (!strcmp(c->used.data[i], name)) return true;
    return false;
}

void cache_clean(const Cache *c) {
    DIR *d = c->dir ? opendir(c->dir) : NULL;
    if (!d) return;
    for (struct dirent *f; (f = readdir(d));)
        if (!strncmp(f->d_name, c->prefix, strlen(c->prefix)) && !is_used(c, f->d_name))
            unlinkat(dirfd(d), f->d_name, 0);
    closedir(d);
}

/* ---- an entry: MAGIC, a hash of the rest, the size of the result, the result, files, seconds, outputs */

typedef struct Head { char magic[8]; Hash hash; int64_t result; } Head;

static void put(Text *t, const void *p, size_t n) { text_add(t, p, n); }

static void put_bytes(Text *t, const void *p, size_t n) {
    int64_t size = (int64_t)n;
    put(t, &size, sizeof size);
    put(t, p, n);
}

static void put_text(Text *t, const char *s) { put_bytes(t, s, strlen(s)); }

static void put_output(Text *t, const Output *x) {
    int64_t kind = x->kind;
    put(t, &kind, sizeof kind);
    put_text(t, x->text);
    if (x->kind != OUT_FIGURE) return;
    put_text(t, x->figure.name);
    put_text(t, x->figure.type);
    put_text(t, x->figure.data);
    put_bytes(t, x->figure.bytes, x->figure.size);
}

static void put_entry(Text *t, const Input *in, const NotebookCell *c) {
    int64_t files = in->files.len, outputs = c->outputs.len;
    put(t, &files, sizeof files);
    for (int i = 0; i < in->files.len; i++) put_text(t, in->files.data[i]);
    put(t, &c->line, sizeof c->line);
    put(t, &c->seconds, sizeof c->seconds);
    put(t, &outputs, sizeof outputs);
    for (int i = 0; i < c->outputs.len; i++) put_output(t, &c->outputs.data[i]);
}

static bool may_keep(const Cache *c, const Input *in, const NotebookCell *cell, int64_t size) {
    if (!c->dir || in->again || cell->failed || size > MOST_BYTES) return false;
    for (int i = 0; i < cell->outputs.len; i++)
        if (cell->outputs.data[i].kind == OUT_ERROR) return false;
    return true;
}

static void write_entry(const char *path, const Head *head, const Text *t) {
    Arena *a = t->arena;
    const char *beside = arena_printf(a, "%s.%ld", path, (long)getpid());
    FILE *f = fopen(beside, "wb");
    if (!f) return;
    fwrite(head, sizeof *head, 1, f);
    bool ok = fwrite(t->data, 1, (size_t)t->len, f) == (size_t)t->len;
    ok = !fclose(f) && ok;
    if (!ok || rename(beside, path)) unlink(beside);
}

void cache_keep(Cache *c, Hash key, const Input *in, int result, const NotebookCell *cell) {
    struct stat st;
    if (fstat(result, &st) || !may_keep(c, in, cell, st.st_size)) return;
    Arena *a = arena_new();
    Text t;
    text_init(&t, a);
    char *bytes = arena_alloc(a, (size_t)st.st_size + 1);
    if (pread(result, bytes, (size_t)st.st_size, 0) == st.st_size) {
        const char *name = entry_name(c, key);
        put(&t, bytes, (size_t)st.st_size);
        put_entry(&t, in, cell);
        Head head = {.hash = hash_contents(t.data, (size_t)t.len), .result = st.st_size};
        memcpy(head.magic, MAGIC, sizeof MAGIC);
        write_entry(arena_printf(a, "%s/%s", c->dir, name), &head, &t);
        vec_push(session_arena(c->o->session), &c->used, name);
    }
    arena_free(a);
}

/* ---- reading one: its hash is right, so it is as it was written */

typedef struct { const char *at; Arena *arena; } Source;

static void get(Source *s, void *p, size_t n) {
    memcpy(p, s->at, n);
    s->at += n;
}

static int64_t get_int(Source *s) {
    int64_t x;
    get(s, &x, sizeof x);
    return x;
}

static const char *get_bytes(Source *s, size_t *n) {
    *n = (size_t)get_int(s);
    const char *bytes = arena_strndup(s->arena, s->at, *n);
    s->at += *n;
    return bytes;
}

static const char *get_text(Source *s) {
    size_t n;
    return get_bytes(s, &n);
}

static Output get_output(Source *s) {
    Output x = {.kind = (OutputKind)get_int(s)};
    x.text = get_text(s);
    if (x.kind != OUT_FIGURE) return x;
    x.figure.name = get_text(s);
    x.figure.type = get_text(s);
    x.figure.data = get_text(s);
    x.figure.bytes = get_bytes(s, &x.figure.size);
    return x;
}

static bool files_unchanged(Session *s, Source *in) {
    bool same = true;
    for (int64_t n = get_int(in); n > 0; n--) {
        const char *file = get_text(in);
        same = same && file_unchanged(s, file + 33, intern_n(s, file, 32));
    }
    return same;
}

/* Pictures that the program names are there. */
static bool pictures_exist(const NotebookCell *c) {
    for (int i = 0; i < c->outputs.len; i++) {
        const Output *x = &c->outputs.data[i];
        if (x->kind == OUT_FIGURE && *x->figure.name && access(x->figure.name, F_OK)) return false;
    }
    return true;
}

static const char *moved(Arena *a, const char *text, int n) {
    Text t;
    text_init(&t, a);
    for (int i = 0; i < n; i++) text_add(&t, "\n", 1);
    text_printf(&t, "%s", text + (n < 0 ? -n : 0));
    return text_str(&t);
}

/* The definitions of the last cell stand where they stand now: n lines further down. */
static void move_definitions(Workspace *w, int n) {
    const Input *in = &vec_last(&w->inputs);
    for (int i = 0; i < in->defs.len && n; i++)
        for (int k = 0; k < w->defs.len; k++)
            if (!strcmp(w->defs.data[k].key, in->defs.data[i].key))
                w->defs.data[k].text = moved(w->arena, w->defs.data[k].text, n);
}

/* The workspace takes over a result. */
static bool take(Cell *cell, const char *bytes, size_t n) {
    cell->result = memfd_create("kept", MFD_CLOEXEC);
    if (cell->result < 0) return false;
    bool ok = write(cell->result, bytes, n) == (ssize_t)n && workspace_take(cell);
    close(cell->result);
    return ok;
}

static bool read_entry(const Cache *c, const char *data, const Head *head, Cell *cell, NotebookCell *into, Arena *a) {
    Source s = {data + sizeof *head + head->result, a};
    NotebookCell found = *into;
    if (!files_unchanged(c->o->session, &s)) return false;
    get(&s, &found.line, sizeof found.line);
    get(&s, &found.seconds, sizeof found.seconds);
    for (int64_t n = get_int(&s); n > 0; n--) vec_push(a, &found.outputs, get_output(&s));
    if (!pictures_exist(&found) || !take(cell, data + sizeof *head, (size_t)head->result)) return false;
    move_definitions(cell->workspace, into->line - found.line);
    into->outputs.data = found.outputs.data, into->outputs.len = found.outputs.len,
    into->outputs.cap = found.outputs.cap;
    into->seconds = found.seconds;
    return into->cached = true;
}

bool cache_find(Cache *c, Hash key, Cell *cell, NotebookCell *into, Arena *a) {
    if (!c->dir) return false;
    Arena *scratch = arena_new();
    size_t n;
    const char *name = entry_name(c, key), *data = file_read(scratch, arena_printf(scratch, "%s/%s", c->dir, name), &n);
    Head head;
    bool whole = data && n > sizeof head;
    if (whole) memcpy(&head, data, sizeof head);
    if (whole) {
        Hash h = hash_contents(data + sizeof head, n - sizeof head);
        whole = !memcmp(head.magic, MAGIC, sizeof MAGIC) && h.a == head.hash.a && h.b == head.hash.b;
    }
    bool found = whole && read_entry(c, data, &head, cell, into, a);
    if (found) vec_push(session_arena(c->o->session), &c->used, name);
    arena_free(scratch);
    return found;
}
