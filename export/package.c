/* dslc build --lib: libNAME.so, libNAME.a, NAME.h and NAME.pc.
 *
 * The program, the functions in front of it, the runtime and what --link names become one object in which only the
 * library's own functions can be seen, so that two such libraries, even of other versions of the runtime, do not meet
 * in one program.  The four files are made in a folder of their own, copied beside their places, and renamed; when that
 * fails half way, what was there comes back. */
#include "driver/build.h"
#include "pipeline/pipeline.h"
#include "export/export.h"
#include "lower/ast/lower.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct {
    const Options *o;
    Session *s;
    Interface *x;
    Toolchain t;
    const char *dir, *name; /* where it goes, how it is called */
    const char *work;       /* folder for the making */
} Package;

/* ---- where to, and under which name */

static const char *base_of(Session *s, const char *path) {
    const char *base = path_name(path), *dot = strrchr(base, '.');
    return dot && dot != base ? intern_n(s, base, (size_t)(dot - base)) : intern(s, base);
}

static bool is_folder(const char *path) {
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static bool is_identifier(const char *name) {
    for (const char *p = name; *p; p++)
        if (!isalnum((unsigned char)*p) && *p != '_') return false;
    return isalpha((unsigned char)name[0]);
}

static bool bad_name(const Package *p) {
    Diag *d = diag_report(p->s, NO_SPAN, E_LIBRARY_NAME, p->name);
    diag_hint(p->s, d, "-o NAME gives it another: letters, digits and _; -o %s/NAME in that folder", p->dir);
    return false;
}

/* -o DIR, -o DIR/, -o NAME, -o DIR/NAME */
static bool find_place(Package *p) {
    const char *out = p->o->output, *slash = out ? strrchr(out, '/') : NULL;
    bool folder = out && ((slash && !slash[1]) || is_folder(out));
    p->name = !out || folder ? base_of(p->s, p->o->inputs.data[0]) : slash ? intern(p->s, slash + 1) : out;
    p->dir = !out ? "." : folder ? out : slash == out ? "/" : slash ? intern_n(p->s, out, (size_t)(slash - out)) : ".";
    if (out && !is_folder(out) && is_special_file(out)) { /* a device, say: the files would lie beside it */
        Diag *d = diag_report(p->s, NO_SPAN, E_CANNOT_WRITE, out, "a library is four files");
        return diag_hint(p->s, d, "-o DIR/ puts them there, -o NAME and -o DIR/NAME choose their name"), false;
    }
    return (is_identifier(p->name) && strncmp(p->name, "dsl_", 4)) || bad_name(p);
}

/* ---- the program */

static Module *to_loops(const Package *p, Program *program) {
    Module *m = lower_program(program);
    if (!diag_error_count(p->s) && !module_verify(m, "lower")) bug("a correct program became IR that is not valid");
    if (!diag_error_count(p->s) && pipeline_run(m, STAGE_LOOPS, &p->o->pass)) return m;
    module_free(m);
    return NULL;
}

static const char *work_path(const Package *p, const char *name) { return intern_printf(p->s, "%s/%s", p->work, name); }

static bool write_text(const Package *p, const char *name, Text *t) {
    if (cc_write_file(work_path(p, name), text_str(t))) return true;
    return diag_report(p->s, NO_SPAN, E_CANNOT_WRITE, work_path(p, name), strerror(errno)), false;
}

static bool write_sources(Package *p) {
    Program *program = frontend_load(p->o);
    p->x = program ? interface_read(p->o, program, p->name) : NULL;
    Module *m = p->x ? to_loops(p, program) : NULL;
    if (!m) return false;
    Text texts[3];
    for (int i = 0; i < 3; i++) text_init(&texts[i], session_arena(p->s));
    EmitOptions how = emit_options(p->o, EMIT_LIBRARY);
    emit_c(&texts[0], m, &how);
    wrap_write(&texts[1], p->x);
    header_write(&texts[2], p->x);
    cc_note_externs(p->s, m, &p->t);
    module_free(m);
    return write_text(p, "program.c", &texts[0]) && write_text(p, "interface.c", &texts[1]) &&
           write_text(p, intern_printf(p->s, "%s.h", p->name), &texts[2]);
}

/* ---- making it */

static bool report_failure(Package *p, const char *command) {
    size_t n;
    const char *errors = file_read(session_arena(p->s), work_path(p, "errors"), &n);
    if (errors && cc_report_known(p->o, &p->t, errors)) return false;
    diag_report(p->s, NO_SPAN, E_CC_FAILED, command, errors && *errors ? errors : "it could not be run");
    return false;
}

static bool run(Package *p, Argv *v) {
    cc_arg(p->o, v, NULL);
    return cc_execute(v, work_path(p, "errors")) == 0 || report_failure(p, v->data[0]);
}

static bool compile(Package *p, const char *name) {
    Argv v = {0};
    cc_command(p->o, &p->t, &v);
    const char *const words[] = {"-w", "-fPIC", "-c", work_path(p, intern_printf(p->s, "%s.c", name)), "-o",
                                 work_path(p, intern_printf(p->s, "%s.o", name))};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) cc_arg(p->o, &v, words[i]);
    return run(p, &v);
}

static const char *find_tool(const Package *p, const char *name) {
    const char *path = cc_find_program(p->s, name);
    if (!path)
        diag_hint(p->s, diag_report(p->s, NO_SPAN, E_CC_FAILED, name, "it was not found"),
                  "it comes with the linker (Debian: apt install binutils)");
    return path;
}

/* All of it in one object */
static bool join(Package *p) {
    Argv v = {0};
    cc_compiler(p->o, &p->t, &v);
    const char *const words[] = {
        "-r", "-nostdlib", "-o", work_path(p, "all.o"), work_path(p, "program.o"), work_path(p, "interface.o")};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) cc_arg(p->o, &v, words[i]);
    link_static_arguments(p->o, p->work, &v);
    cc_arg(p->o, &v, intern_printf(p->s, "%s/libdslrt.a", p->t.lib));
    return run(p, &v);
}

static void list_name(void *ctx, const char *doc, const char *declaration, const char *body) {
    Text *t = ctx;
    (void)doc, (void)body;
    const char *end = strchr(declaration, '('), *start = end;
    while (start[-1] != ' ' && start[-1] != '*') start--;
    text_printf(t, "%.*s\n", (int)(end - start), start);
}

static bool hide(Package *p) {
    Text names;
    text_init(&names, session_arena(p->s));
    header_each_common(p->x, list_name, &names);
    for (int i = 0; i < p->x->funcs.len; i++) text_printf(&names, "%s\n", p->x->funcs.data[i]->c_name);
    const char *objcopy = find_tool(p, "objcopy");
    if (!objcopy || !write_text(p, "names", &names)) return false;
    Argv v = {0};
    cc_arg(p->o, &v, objcopy);
    cc_arg(p->o, &v, intern_printf(p->s, "--keep-global-symbols=%s", work_path(p, "names")));
    cc_arg(p->o, &v, work_path(p, "all.o"));
    cc_arg(p->o, &v, work_path(p, "library.o"));
    return run(p, &v);
}

static bool make_archive(Package *p) {
    const char *ar = find_tool(p, "ar");
    if (!ar) return false;
    Argv v = {0};
    const char *const words[] = {ar, "rcs", work_path(p, "library.a"), work_path(p, "library.o")};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) cc_arg(p->o, &v, words[i]);
    return run(p, &v);
}

static bool make_shared(Package *p) {
    Argv v = {0};
    cc_command(p->o, &p->t, &v);
    const char *const words[] = {"-shared",
                                 "-Wl,-z,defs",
                                 intern_printf(p->s, "-Wl,-soname,lib%s.so", p->name),
                                 "-o",
                                 work_path(p, "library.so"),
                                 work_path(p, "library.o")};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) cc_arg(p->o, &v, words[i]);
    link_shared_arguments(p->o, &v);
    cc_arg(p->o, &v, "-lm");
    return run(p, &v);
}

/* For pkg-config: where it lies, and what the archive needs */
static bool write_pc(const Package *p) {
    Text t;
    text_init(&t, session_arena(p->s));
    text_printf(
        &t, "libdir=${pcfiledir}\nincludedir=${pcfiledir}\n\nName: %s\nDescription: made by dslc from %s\nVersion: 1\n",
        p->name, p->o->inputs.data[0]);
    text_printf(&t, "Cflags: -I${includedir}\nLibs: -L${libdir} -l%s\nLibs.private: %s", p->name,
                cc_openmp_library(&p->t));
    Argv v = {0};
    link_shared_arguments(p->o, &v);
    for (int i = 0; i < v.len; i++) text_printf(&t, " %s", v.data[i]);
    text_printf(&t, " -lm\n");
    return write_text(p, "library.pc", &t);
}

static bool make(Package *p) {
    return write_sources(p) && compile(p, "program") && compile(p, "interface") && link_compile(p->o, &p->t, p->work) &&
           join(p) && hide(p) && make_archive(p) && make_shared(p) && write_pc(p);
}

/* ---- putting it in place */

enum { FILES = 5 }; /* the last one only with --keep-c */
typedef struct { const char *from, *to, *beside, *old; } Placed;

static bool cannot_write(const Package *p, const char *path, const char *why) {
    diag_report(p->s, NO_SPAN, E_CANNOT_WRITE, path, why);
    return false;
}

static Placed placed(const Package *p, const char *from, const char *to) {
    Placed f = {.from = work_path(p, from), .to = intern_printf(p->s, "%s/%s", p->dir, to)};
    f.beside = intern_printf(p->s, "%s.new%ld", f.to, (long)getpid());
    f.old = intern_printf(p->s, "%s.old%ld", f.to, (long)getpid());
    return f;
}

static bool copy_beside(const Package *p, const Placed *f) {
    if (is_folder(f->to)) return cannot_write(p, f->to, "it is a folder");
    Arena *a = arena_new();
    size_t n;
    const char *data = file_read(a, f->from, &n);
    bool ok = data ? output_write(p->o, f->beside, data, n) : cannot_write(p, f->to, strerror(errno));
    arena_free(a);
    return ok;
}

/* The files in place, or those that were there before */
static bool rename_all(const Package *p, const Placed *files, int n) {
    int done = 0;
    for (; done < n; done++) {
        if (link(files[done].to, files[done].old) && errno != ENOENT) break;
        if (rename(files[done].beside, files[done].to)) break;
    }
    bool ok = done == n;
    if (!ok) cannot_write(p, files[done].to, strerror(errno));
    for (int i = 0; i < n && i <= done; i++) {
        if (ok) unlink(files[i].old);
        else if (rename(files[i].old, files[i].to) && i < done) unlink(files[i].to);
    }
    return ok;
}

static bool place_all(const Package *p) {
    const Placed files[FILES] = {
        placed(p, "library.so", intern_printf(p->s, "lib%s.so", p->name)),
        placed(p, "library.a", intern_printf(p->s, "lib%s.a", p->name)),
        placed(p, intern_printf(p->s, "%s.h", p->name), intern_printf(p->s, "%s.h", p->name)),
        placed(p, "library.pc", intern_printf(p->s, "%s.pc", p->name)),
        placed(p, "program.c", intern_printf(p->s, "%s.c", p->name)),
    };
    int n = p->o->keep_c ? FILES : FILES - 1;
    if (mkdir(p->dir, 0777) && errno != EEXIST) return cannot_write(p, p->dir, strerror(errno));
    bool ok = true;
    for (int i = 0; i < n && ok; i++) ok = copy_beside(p, &files[i]);
    if (ok) ok = rename_all(p, files, n);
    for (int i = 0; i < n && !ok; i++) unlink(files[i].beside);
    return ok;
}

static void clean(const Package *p) {
    static const char *const names[] = {"program.c", "interface.c", "program.o", "interface.o", "all.o", "names",
                                        "library.o", "library.a",   "library.so", "library.pc"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) unlink(work_path(p, names[i]));
    unlink(work_path(p, intern_printf(p->s, "%s.h", p->name)));
    link_clean(p->o, p->work);
    rmdir(p->work);
}

static bool holds(const char *data, size_t n, const char *words) { return n && memmem(data, n, words, strlen(words)); }

/* No file is there, or one that came of an earlier --lib: it has these words */
static bool may_replace(const Package *p, const char *file, const char *words) {
    const char *path = intern_printf(p->s, "%s/%s", p->dir, file);
    struct stat st;
    if (stat(path, &st) || !st.st_size) return true;
    if (S_ISDIR(st.st_mode)) return cannot_write(p, path, "it is a folder");
    Arena *a = arena_new();
    size_t n = 0;
    const char *data = file_read(a, path, &n);
    bool ours = data && holds(data, n, words);
    arena_free(a);
    if (ours) return true;
    Diag *d = diag_report(p->s, NO_SPAN, E_CANNOT_WRITE, path, "it is there, and is none that dslc made");
    diag_hint(p->s, d, "give the library another name or place: -o FOLDER/libNAME.so, or -o FOLDER/");
    return false;
}

/* Before anything is compiled: whether each file has a place, the C too when it is kept */
static bool may_place(const Package *p) {
    const char *n = p->name, *function = intern_printf(p->s, "%s_context_new", n);
    if (p->o->keep_c && !keep_c_allowed(p->o, intern_printf(p->s, "%s/%s.c", p->dir, n))) return false;
    return may_replace(p, intern_printf(p->s, "%s.h", n), "a library made by dslc") &&
           may_replace(p, intern_printf(p->s, "%s.pc", n), "made by dslc from") &&
           may_replace(p, intern_printf(p->s, "lib%s.so", n), function) &&
           may_replace(p, intern_printf(p->s, "lib%s.a", n), function);
}

int library_build(const Options *o) {
    Options tuned = *o;
    Package p = {.o = &tuned, .s = o->session};
    if (!find_place(&p) || !may_place(&p) || !tuning_load(&tuned) || !cc_find(&tuned, &p.t))
        return diagnostics_flush(o), EXIT_DIAGNOSED;
    p.work = temp_dir_new(o);
    if (p.work) {
        if (make(&p)) place_all(&p);
        clean(&p);
    }
    return diagnostics_flush(o);
}
