/* Executables that were made before.
 *
 * In ${XDG_CACHE_HOME:-~/.cache}/dslc there are three kinds of files (and those of notebooks).  KEY is an executable;
 * the key is a hash of the C text and of all that turns it into an executable; behind the executable stands a hash of
 * it, so that a damaged file is noticed and made anew (store.c).  KEY.o is an object of code in memory; its key is a
 * hash of the LLVM IR and of all that turns it into instructions.  KEY.src says which executable a source file became:
 * its key is a hash of the file's name, the options and the toolchain, and it lists each file that was read
 * with the hash of its contents.  So a program that did not change runs without being parsed.
 *
 * Files are written beside, as NAME.PROCESS, and renamed: any number of dslc may run at once.  What a process that was
 * killed left is removed after an hour (processes of another machine that shares the folder are not seen).  Without a
 * writable folder everything happens in a temporary one. */
#include "driver/build.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

char *file_read(Arena *a, const char *path, size_t *len) {
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat st;
    if (fd < 0) return NULL;
    char *data = NULL;
    int error = fstat(fd, &st)          ? errno
                : S_ISDIR(st.st_mode)   ? EISDIR
                : !S_ISREG(st.st_mode)  ? ENODEV
                : st.st_size >= 1 << 30 ? EFBIG
                                        : 0;
    if (!error) {
        data = arena_alloc(a, (size_t)st.st_size + 1);
        ssize_t got = 0, n = 1;
        while (got < st.st_size && (n = read(fd, data + got, (size_t)(st.st_size - got))) > 0) got += n;
        *len = (size_t)got;
        if (n < 0) error = errno, data = NULL;
    }
    close(fd);
    errno = error;
    return data;
}

/* ---- folders */

bool folders_make(Session *s, const char *path) {
    for (const char *p = path + 1;; p++) {
        if (*p && *p != '/') continue;
        if (mkdir(intern_n(s, path, (size_t)(p - path)), 0700) && errno != EEXIST) return false;
        if (!*p) return true;
    }
}

const char *cache_dir(Session *s) {
    const char *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME"), *dir;
    if (base && *base == '/') dir = intern_printf(s, "%s/dslc", base);
    else if (home && *home) dir = intern_printf(s, "%s/.cache/dslc", home);
    else return NULL;
    return folders_make(s, dir) && access(dir, R_OK | W_OK | X_OK) == 0 ? dir : NULL;
}

/* ---- executables */

static bool is_whole(const char *path) {
    size_t n;
    char *data = store_read(path, &n);
    free(data);
    return data && access(path, X_OK) == 0;
}

/* ---- source files */

static Hash hash_settings(Hash h, const Options *o) {
    int64_t numbers[] = {o->pass.level, o->pass.unchecked, o->pass.derive_first, o->pass.fp, o->pass.pairs,
                         o->pass.check_nan, o->debug, o->werror, o->thread_cost};
    h = hash_bytes(h, numbers, sizeof numbers);
    h = hash_bytes(h, o->pass.choice, sizeof o->pass.choice);
    h = hash_text(hash_text(hash_text(h, o->passes), o->target), o->cpu);
    h = hash_text(h, o->pass.memory_limit);
    for (int i = 0; i < o->check.include_path.len; i++) h = hash_text(h, o->check.include_path.data[i]);
    h = hash_text(h, "-D");
    for (int i = 0; i < o->check.defines.len; i++) h = hash_text(h, o->check.defines.data[i]);
    for (int i = 0; i < o->pass.ncoarsen; i++) {
        const Coarsening *c = &o->pass.coarsen[i];
        h = hash_bytes(hash_text(hash_text(h, loop_word(c->kind)), c->kernel), c->by, sizeof c->by);
    }
    for (int i = 0; i < o->pass.nedits; i++) h = hash_bytes(h, &o->pass.edits[i], sizeof o->pass.edits[i]);
    h = hash_text(h, "-W");
    for (int i = 0; i < o->warnings.len; i++) h = hash_text(h, o->warnings.data[i]);
    return h;
}

/* Everything about this run that the executable depends on, besides files */
static Hash hash_options(const Options *o, const Toolchain *t, const char *input, EmitKind kind) {
    char cwd[4096];
    int64_t number = kind;
    Hash h = hash_text(hash_text(t->identity, input), getcwd(cwd, sizeof cwd));
    h = hash_settings(hash_bytes(h, &number, sizeof number), o);
    return o->host ? hash_settings(h, o->host) : h;
}

Hash hash_contents(const char *text, size_t n) { return hash_bytes((Hash){5, 6}, text, n); }

bool file_unchanged(Session *s, const char *path, const char *hash) {
    Arena *a = arena_new();
    size_t n;
    const char *text = file_read(a, path, &n);
    bool same = text && !strcmp(hash_str(s, hash_contents(text, n)), hash);
    arena_free(a);
    return same;
}

/* The executable that a list names, if every file in it is as it was. Lines: HASH PATH; the last: = KEY */
static const char *follow_list(Session *s, const char *dir, const char *list) {
    size_t n;
    char *text = file_read(session_arena(s), list, &n);
    for (char *line = text ? text : "", *end; (end = strchr(line, '\n')); line = end + 1) {
        *end = 0;
        if (line[0] == '=') {
            const char *exe = intern_printf(s, "%s/%s", dir, line + 2);
            return is_whole(exe) ? exe : NULL;
        }
        if (end - line < 34 || line[32] != ' ') return NULL;
        line[32] = 0;
        if (!file_unchanged(s, line + 33, line)) return NULL;
    }
    return NULL;
}

static bool is_library_file(Session *s, int file) {
    int n;
    const StdlibFile *lib = stdlib_files(&n);
    for (int i = 0; i < n; i++)
        if (!strcmp(lib[i].name, source_path(s, file)) && !strcmp(lib[i].text, source_text(s, file, NULL))) return true;
    return false;
}

static void write_list(const Options *o, const char *list, const char *key) {
    Session *s = o->session;
    Text t;
    text_init(&t, session_arena(s));
    for (int i = 0; i < source_count(s); i++) {
        size_t n;
        const char *text = source_text(s, i, &n);
        if (is_library_file(s, i)) continue;
        if (strchr(source_path(s, i), '\n')) return;
        text_printf(&t, "%s %s\n", hash_str(s, hash_contents(text, n)), source_path(s, i));
    }
    text_printf(&t, "= %s\n", key);
    const char *beside = intern_printf(s, "%s.%ld", list, (long)getpid());
    FILE *f = fopen(beside, "wb");
    if (!f) return;
    bool ok = fputs(text_str(&t), f) >= 0;
    ok = !fclose(f) && ok;
    if (!ok || rename(beside, list)) unlink(beside);
}

bool cache_identity(const Options *o, Hash *h) {
    Toolchain t = {.identity = own_identity(o->session)};
    bool known = (cell_code_is_quick(o) && !o->link.len) || cc_find(o, &t);
    if (known) *h = hash_options(o, &t, "", EMIT_CELL);
    else diag_clear(o->session);
    return known;
}

/* ---- making one */

static Executable failed(int status) { return (Executable){.status = status}; }

static const char *keep_c_path(const Options *o, const char *input) {
    const char *base = path_name(input), *dot = strrchr(base, '.');
    return intern_printf(o->session, "%.*s.c", dot && dot != base ? (int)(dot - base) : (int)strlen(base), base);
}

static bool is_generated_c(const char *path) {
    char line[sizeof GENERATED_C_LINE - 1];
    FILE *f = fopen(path, "rb");
    bool generated = f && fread(line, 1, sizeof line, f) == sizeof line && !memcmp(line, GENERATED_C_LINE, sizeof line);
    if (f) fclose(f);
    return generated;
}

bool keep_c_allowed(const Options *o, const char *path) {
    if (access(path, F_OK)) return true;
    if (!is_special_file(path) && is_generated_c(path)) return output_spares_sources(o, path);
    Diag *d = diag_report(o->session, NO_SPAN, E_CANNOT_WRITE, path, "it is there, and is no C that dslc made");
    diag_hint(o->session, d, "--keep-c writes the C of '%s' there: give one of the two another name",
              o->inputs.data[0]);
    return false;
}

/* Compiles to path; the exit status. */
static int make(const Options *o, Toolchain *t, const char *c_text, const char *path) {
    if (!cc_compile(o, t, c_text, path)) {
        unlink(path);
        return t->compiler_error ? EXIT_INTERNAL : (diagnostics_flush(o), EXIT_DIAGNOSED);
    }
    return EXIT_OK;
}

static Executable make_in_cache(const Options *o, Toolchain *t, const char *dir, const char *c_text, const char **key) {
    Session *s = o->session;
    *key = hash_str(s, hash_text(t->identity, c_text));
    const char *path = intern_printf(s, "%s/%s", dir, *key), *beside = intern_printf(s, "%s.%ld", path, (long)getpid());
    if (is_whole(path)) return (Executable){.path = path};
    int status = make(o, t, c_text, beside);
    if (status) return failed(status);
    if (!store_seal(beside) || rename(beside, path)) {
        unlink(beside);
        return (Executable){.status = -1};
    }
    store_clean(dir);
    return (Executable){.path = path, .is_new = true};
}

static Executable make_in_temp(const Options *o, Toolchain *t, const char *c_text) {
    const char *dir = temp_dir_new(o);
    if (!dir) return failed(diagnostics_flush(o));
    Executable x = {.path = intern_printf(o->session, "%s/program", dir), .temp_dir = dir, .is_new = true};
    int status = make(o, t, c_text, x.path);
    if (!status) return x;
    rmdir(dir);
    return failed(status);
}

void executable_drop(const Executable *x) {
    if (!x->path || !x->temp_dir) return;
    unlink(x->path);
    rmdir(x->temp_dir);
}

void cc_note_externs(Session *s, const Module *m, Toolchain *t) {
    for (int i = 0; i < m->funcs.len; i++) {
        const Func *f = m->funcs.data[i];
        if (f->kind != FUNC_EXTERN) continue;
        Span *at = NEW(session_arena(s), Span);
        *at = f->span;
        map_put(session_arena(s), &t->externs, intern(s, f->name), at);
    }
}

Executable library_get(const Options *o, const Module *m, EmitFiles *files) {
    Session *s = o->session;
    Toolchain t;
    if (!cc_find(o, &t)) return failed(EXIT_DIAGNOSED);
    cc_note_externs(s, m, &t);
    t.shared = true;
    t.identity = hash_text(t.identity, "shared");
    Text c;
    text_init(&c, session_arena(s));
    EmitOptions how = emit_options(o, EMIT_CELL);
    how.files = files;
    emit_c(&c, m, &how);
    const char *dir = cache_dir(s), *key;
    Executable x = {.status = -1};
    if (dir) x = make_in_cache(o, &t, dir, text_str(&c), &key);
    return x.status < 0 ? make_in_temp(o, &t, text_str(&c)) : x;
}

/* Everything of the toolchain that an executable depends on */
static bool find_tools(const Options *o, Toolchain *t) {
    const Options host = gpu_left_out(o);
    if (!cc_find(&host, t)) return false;
    if (!o->pass.device) return true;
    Hash own = own_identity(o->session);
    t->identity = hash_bytes(t->identity, &own, sizeof own);
    t->identity = hash_text(t->identity, gpu_has_shadow() ? "shadow" : "none");
    return true;
}

/* The C of the program, for the processor; NULL: reported, with the exit status.  What goes beside it, into t; warned:
 * there were warnings */
static const char *write_c(const Options *o, const Options *host, Toolchain *t, EmitKind kind, int *status,
                           bool *warned) {
    Session *s = o->session;
    Module *m = compile_to(host, STAGE_LOOPS);
    *warned = diag_count(s) > 0;
    if ((*status = diagnostics_flush(o)) || !m) return NULL;
    Text c;
    text_init(&c, session_arena(s));
    EmitOptions how = emit_options(host, kind);
    how.beside_gpu = o->pass.device;
    emit_c(&c, m, &how);
    cc_note_externs(s, m, t);
    module_free(m);
    if (gpu_part(o, t)) return text_str(&c);
    *status = diagnostics_flush(o);
    return NULL;
}

/* Asks for what only comes of compiling */
static bool must_compile(const Options *o) { return o->keep_c || o->pass.print_after || o->pass.time_passes; }

Executable executable_get(const Options *o, const char *input, EmitKind kind) {
    Session *s = o->session;
    Toolchain t;
    if (o->keep_c && !keep_c_allowed(o, keep_c_path(o, input))) return failed(diagnostics_flush(o));
    if (!find_tools(o, &t)) return failed(diagnostics_flush(o));
    const char *dir = cache_dir(s), *list = NULL, *key;
    if (dir) {
        list = intern_printf(s, "%s/%s.src", dir, hash_str(s, hash_options(o, &t, input, kind)));
        const char *ready = must_compile(o) ? NULL : follow_list(s, dir, list);
        if (ready) return (Executable){.path = ready};
    }
    int status;
    bool warned;
    const Options host = gpu_left_out(o);
    const char *c = write_c(o, &host, &t, kind, &status, &warned);
    if (!c) return failed(status ? status : EXIT_DIAGNOSED);
    if (o->keep_c && !output_write(o, keep_c_path(o, input), c, strlen(c))) return failed(diagnostics_flush(o));
    if (!dir) return make_in_temp(&host, &t, c);
    Executable x = make_in_cache(&host, &t, dir, c, &key);
    if (x.status < 0) return make_in_temp(&host, &t, c);
    if (x.path && !warned) write_list(o, list, key); /* warnings come each time */
    return x;
}
