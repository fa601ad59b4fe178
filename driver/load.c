/* What the sub-commands share: from a file to a checked program to a module, messages, writing results. */
#include "driver/driver.h"
#include "pipeline/pipeline.h"
#include "lower/ast/lower.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool want_color(const Options *o) {
    if (o->color != WHEN_AUTO) return o->color == WHEN_ALWAYS;
    const char *no = getenv("NO_COLOR");
    return !(no && *no) && isatty(STDERR_FILENO);
}

int input_read(const Options *o) {
    Session *s = o->session;
    if (!o->inputs.len) return diag_report(s, NO_SPAN, E_NO_INPUT), -1;
    const char *path = o->inputs.data[0];
    int file = source_read(s, path);
    if (file >= 0) return file;
    Diag *d = diag_report(s, NO_SPAN, E_CANNOT_READ, path, strerror(errno));
    const char *whole = intern_printf(s, "%s.dsl", path);
    if (errno == ENOENT && !access(whole, R_OK)) diag_hint(s, d, "there is '%s'", whole);
    return -1;
}

/* m when `ok`; else it is freed and NULL. */
static Module *keep_if(Module *m, bool ok) {
    if (ok) return m;
    module_free(m);
    return NULL;
}

static Module *read_ir(const Options *o) {
    int file = input_read(o);
    if (file < 0) return NULL;
    Module *m = module_parse(o->session, file);
    return keep_if(m, m && module_verify(m, "reading"));
}

Module *program_lower(const Options *o, Program *p) {
    p->exact_floats = o->pass.pairs == PAIRS_F64;
    Module *m = o->proofs ? lower_for_proofs(p) : lower_program(p);
    if (diag_error_count(o->session)) return keep_if(m, false);
    if (module_verify(m, "lower")) return m;
    diagnostics_flush(o);
    bug("a correct program became IR that is not valid");
}

/* All kernels of the program, launched or not */
static const char **kernel_names(const Program *p, int *n) {
    VEC(const char *) names = {0};
    for (int i = 0; i < p->units.len; i++)
        for (int k = 0; k < p->units.data[i]->stmts.len; k++) {
            const Stmt *st = p->units.data[i]->stmts.data[k];
            if (st->kind == ST_DECL && st->decl->kind == DECL_KERNEL)
                vec_push(session_arena(p->session), &names, st->decl->name);
        }
    *n = names.len;
    return names.data;
}

static bool coarsened_exist(const Options *o, const Program *p) {
    int n;
    const char **names = o->pass.ncoarsen ? kernel_names(p, &n) : NULL;
    for (int i = 0; i < o->pass.ncoarsen; i++) {
        const Coarsening *c = &o->pass.coarsen[i];
        bool found = !c->kernel;
        for (int k = 0; k < n && !found; k++) found = !strcmp(names[k], c->kernel);
        if (found) continue;
        Diag *d = diag_report(o->session, c->at, E_TUNE_KERNEL, c->kernel);
        const char *near = spell_nearest(c->kernel, names, n);
        if (near) diag_hint(o->session, d, "did you mean '%s'?", near);
        else if (n) diag_hint(o->session, d, "there is '%s'", names[0]);
        else diag_hint(o->session, d, "the program has no kernels");
    }
    return !diag_error_count(o->session);
}

static Module *read_dsl(const Options *o) {
    Program *p = frontend_load(o);
    return p && coarsened_exist(o, p) ? program_lower(o, p) : NULL;
}

bool input_is_ir(const char *path) {
    size_t n = strlen(path);
    return n > 3 && !strcmp(path + n - 3, ".ir");
}

int diagnostics_flush(const Options *o) {
    if (o->json) diag_flush_json(o->session, stderr);
    else diag_flush(o->session, stderr, want_color(o));
    if (diag_was_reported(o->session, E_PASS_BROKE)) return EXIT_INTERNAL;
    return diag_error_count(o->session) ? EXIT_DIAGNOSED : EXIT_OK;
}

Program *frontend_load(const Options *o) {
    int file = input_read(o);
    if (file < 0) return NULL;
    Unit *unit = parse_file(o->session, file);
    if (diag_error_count(o->session)) return NULL;
    CheckOptions check = o->check;
    check.stdlib = stdlib_files(&check.nstdlib);
    return check_program(o->session, unit, &check);
}

Program *text_check(const Options *o, Session *s, const char *text, size_t len) {
    CheckOptions check = o->check;
    check.stdlib = stdlib_files(&check.nstdlib);
    Unit *unit = parse_file(s, source_add(s, o->inputs.data[0], text, len));
    Program *p = diag_error_count(s) ? NULL : check_program(s, unit, &check);
    return diag_error_count(s) ? NULL : p;
}

bool text_compiles(const Options *o, const char *text, size_t len) {
    Session *s = session_new();
    bool ok = text_check(o, s, text, len);
    session_free(s);
    return ok;
}

Module *compile_to(const Options *o, Stage stage) {
    Module *m = o->inputs.len && input_is_ir(o->inputs.data[0]) ? read_ir(o) : read_dsl(o);
    if (!m) return NULL;
    bool ok = o->passes ? pipeline_run_list(m, o->passes, &o->pass) : pipeline_run(m, stage, &o->pass);
    return keep_if(m, ok);
}

static bool cannot_write(const Options *o, const char *path) {
    diag_report(o->session, NO_SPAN, E_CANNOT_WRITE, path, strerror(errno));
    return false;
}

bool same_file(const char *a, const char *b) {
    struct stat x, y;
    return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

bool is_special_file(const char *path) {
    struct stat st;
    return stat(path, &st) == 0 && !S_ISREG(st.st_mode);
}

static bool write_through(const Options *o, const char *path, const char *text, size_t len) {
    FILE *f = fopen(path, "wb");
    if (!f) return cannot_write(o, path);
    bool ok = fwrite(text, 1, len, f) == len;
    return (!fclose(f) && ok) || cannot_write(o, path);
}

/* Into a new file beside path, as open to others as old (may be NULL) is; its name, or NULL: reported, and nothing is
 * left */
static const char *write_beside(const Options *o, const char *path, const char *text, size_t len,
                                const struct stat *old) {
    const char *beside = intern_printf(o->session, "%s.tmp%ld", path, (long)getpid());
    FILE *f = fopen(beside, "wb");
    if (!f) return cannot_write(o, path), NULL;
    bool ok = fwrite(text, 1, len, f) == len;
    if (old) ok = !fchmod(fileno(f), old->st_mode & 07777) && ok;
    ok = !fclose(f) && ok;
    if (ok) return beside;
    cannot_write(o, path);
    unlink(beside);
    return NULL;
}

static bool is_source(const Options *o, const char *path) {
    for (int i = 0; i < o->inputs.len; i++)
        if (same_file(path, o->inputs.data[i])) return true;
    for (int i = 0; i < o->link.len; i++)
        if (same_file(path, o->link.data[i])) return true;
    for (int i = 0; i < source_count(o->session); i++)
        if (same_file(path, source_path(o->session, i))) return true;
    return false;
}

bool output_spares_sources(const Options *o, const char *path) {
    size_t n = strlen(path);
    bool to_file = strcmp(path, "-") && !access(path, F_OK) && !is_special_file(path);
    if (!to_file) return true;
    const char *why = is_source(o, path)                       ? "it is the source"
                      : n > 4 && !strcmp(path + n - 4, ".dsl") ? "it looks like a source"
                                                               : NULL;
    if (why) diag_report(o->session, NO_SPAN, E_CANNOT_WRITE, path, why);
    return !why;
}

bool output_possible(const Options *o, const char *path) {
    static const char text[4096];
    struct stat st;
    if (stat(path, &st) == 0 && !S_ISREG(st.st_mode)) {
        diag_report(o->session, NO_SPAN, E_CANNOT_WRITE, path,
                    S_ISDIR(st.st_mode) ? "it is a folder" : "it is no ordinary file");
        return false;
    }
    const char *beside = write_beside(o, path, text, sizeof text, NULL);
    if (beside) unlink(beside);
    return beside != NULL;
}

/* What a link stands for, so that the link stays; a path that leads nowhere is as it is. */
static const char *behind_links(const Options *o, const char *path) {
    struct stat st;
    char *full = !lstat(path, &st) && S_ISLNK(st.st_mode) ? realpath(path, NULL) : NULL;
    if (!full) return path;
    path = intern(o->session, full);
    free(full);
    return path;
}

bool output_write(const Options *o, const char *path, const char *text, size_t len) {
    if (!strcmp(path, "-")) return (fwrite(text, 1, len, stdout) == len && !fflush(stdout)) || cannot_write(o, path);
    if (is_special_file(path)) return write_through(o, path, text, len);
    struct stat old;
    path = behind_links(o, path);
    bool there = !stat(path, &old);
    if (there && access(path, W_OK)) return cannot_write(o, path);
    const char *beside = write_beside(o, path, text, len, there ? &old : NULL);
    if (!beside) return false;
    if (!rename(beside, path)) return true;
    cannot_write(o, path);
    unlink(beside);
    return false;
}

char **program_argv(const Options *o) {
    char **argv = NEWN(session_arena(o->session), char *, o->prog_args.len + 2);
    argv[0] = (char *)(uintptr_t)o->inputs.data[0];
    for (int i = 0; i < o->prog_args.len; i++) argv[i + 1] = (char *)(uintptr_t)o->prog_args.data[i];
    return argv;
}

void own_folders(Session *s, const char *folders[2]) {
    char exe[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", exe, sizeof exe - 1);
    exe[n < 0 ? 0 : n] = 0;
    char *slash = strrchr(exe, '/');
    folders[0] = slash ? intern_n(s, exe, (size_t)(slash - exe)) : ".";
    folders[1] = intern_printf(s, "%s/../lib/dslc", folders[0]);
}

const char *home_of(Session *s, const char *input) {
    const char *slash = strrchr(input, '/');
    const char *dir = !slash ? "." : slash == input ? "/" : intern_n(s, input, (size_t)(slash - input));
    char *full = realpath(dir, NULL);
    if (full) dir = intern(s, full);
    free(full);
    return dir;
}

void home_export(const Options *o, const char *input) { setenv("DSL_HOME", home_of(o->session, input), 1); }
