/* --link: C files, objects and libraries of the user's own, for `extern fn`.
 *
 * A C file is compiled by itself, with the flags of generated code but with its warnings, and what the C
 * compiler says about it is the user's to see.  The identity of the executable takes in each C file as the
 * preprocessor shows it, so that a changed header counts too, and each object as it is. */
#include "driver/build.h"

#include <dlfcn.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

static bool ends_in(const char *s, const char *end) {
    size_t n = strlen(s), k = strlen(end);
    return n > k && !strcmp(s + n - k, end);
}

static bool is_c(const char *item) { return ends_in(item, ".c"); }
static bool is_flag(const char *item) { return (!strncmp(item, "-l", 2) || !strncmp(item, "-L", 2)) && item[2]; }
static bool is_object(const char *item) { return ends_in(item, ".o") || ends_in(item, ".a") || ends_in(item, ".so"); }

static bool check_item(const Options *o, const char *item) {
    if (is_flag(item)) return true;
    if (!is_c(item) && !is_object(item)) {
        Diag *d = diag_report(o->session, NO_SPAN, E_OPTION_VALUE, "link", item);
        diag_hint(o->session, d, "it takes FILE.c, FILE.o, FILE.a, FILE.so, -lNAME or -LDIR");
        return false;
    }
    if (access(item, R_OK) == 0) return true;
    diag_report(o->session, NO_SPAN, E_CANNOT_READ, item, strerror(errno));
    return false;
}

/* Runs the C compiler over one C file; how: "-c" or "-E". */
static bool over_file(const Options *o, const Toolchain *t, const char *item, const char *how, const char *out,
                      const char *errors) {
    Session *s = o->session;
    Argv v = {0};
    cc_command(o, t, &v);
    cc_arg(o, &v, "-fPIC");
    cc_arg(o, &v, how);
    cc_arg(o, &v, item);
    cc_arg(o, &v, "-o");
    cc_arg(o, &v, out);
    cc_arg(o, &v, NULL);
    if (cc_execute(&v, errors) == 0) return true;
    size_t n;
    const char *text = file_read(session_arena(s), errors, &n);
    if (text && cc_report_known(o, t, text)) return false;
    Diag *d = diag_report(s, NO_SPAN, E_LINK_COMPILE, item, text ? intern_printf(s, "%.2000s", text) : "");
    diag_hint(s, d, "the runtime's header is included as \"dsl.h\"");
    return false;
}

/* The object of the i-th item when it is a C file, else the item itself */
static const char *object_of(const Options *o, const char *dir, int i) {
    const char *item = o->link.data[i];
    return is_c(item) ? intern_printf(o->session, "%s/link%d.o", dir, i) : item;
}

bool link_compile(const Options *o, const Toolchain *t, const char *dir) {
    const char *errors = intern_printf(o->session, "%s/errors", dir);
    for (int i = 0; i < o->link.len; i++)
        if (is_c(o->link.data[i]) && !over_file(o, t, o->link.data[i], "-c", object_of(o, dir, i), errors))
            return false;
    return true;
}

void link_clean(const Options *o, const char *dir) {
    for (int i = 0; i < o->link.len; i++)
        if (is_c(o->link.data[i])) unlink(object_of(o, dir, i));
    unlink(intern_printf(o->session, "%s/errors", dir));
}

static bool hash_item(const Options *o, const Toolchain *t, const char *dir, const char *item, Hash *h) {
    const char *path = item, *shown = intern_printf(o->session, "%s/shown.i", dir);
    *h = hash_text(*h, item);
    if (is_flag(item)) return true;
    if (is_c(item)) {
        if (!over_file(o, t, item, "-E", shown, intern_printf(o->session, "%s/errors", dir))) return false;
        path = shown;
    }
    Arena *a = arena_new();
    size_t n;
    const char *text = file_read(a, path, &n);
    if (text) *h = hash_bytes(*h, text, n);
    arena_free(a);
    unlink(shown);
    return true;
}

bool link_identity(const Options *o, Toolchain *t) {
    if (!o->link.len) return true;
    for (int i = 0; i < o->link.len; i++)
        if (!check_item(o, o->link.data[i])) return false;
    const char *dir = temp_dir_new(o);
    bool ok = dir != NULL;
    for (int i = 0; i < o->link.len && ok; i++) ok = hash_item(o, t, dir, o->link.data[i], &t->identity);
    if (dir) link_clean(o, dir), rmdir(dir);
    return ok;
}

void link_arguments(const Options *o, const char *dir, Argv *v) {
    for (int i = 0; i < o->link.len; i++) cc_arg(o, v, object_of(o, dir, i));
}

static bool is_needed_when_run(const char *item) { return is_flag(item) || ends_in(item, ".so"); }

void link_static_arguments(const Options *o, const char *dir, Argv *v) {
    for (int i = 0; i < o->link.len; i++)
        if (!is_needed_when_run(o->link.data[i])) cc_arg(o, v, object_of(o, dir, i));
}

void link_shared_arguments(const Options *o, Argv *v) {
    for (int i = 0; i < o->link.len; i++)
        if (is_needed_when_run(o->link.data[i])) cc_arg(o, v, o->link.data[i]);
}

/* ---- for the interpreter */

static bool load(const Options *o, const char *path) {
    if (dlopen(path, RTLD_NOW | RTLD_GLOBAL)) return true;
    diag_report(o->session, NO_SPAN, E_CC_FAILED, "--link", dlerror());
    return false;
}

static bool make_shared(const Options *o, const Toolchain *t, const char *dir, const char *path) {
    if (!link_compile(o, t, dir)) return false;
    const char *errors = intern_printf(o->session, "%s/errors", dir);
    Argv v = {0};
    cc_command(o, t, &v);
    cc_arg(o, &v, "-shared");
    cc_arg(o, &v, "-o");
    cc_arg(o, &v, path);
    link_arguments(o, dir, &v);
    cc_arg(o, &v, NULL);
    if (cc_execute(&v, errors) == 0) return true;
    size_t n;
    const char *text = file_read(session_arena(o->session), errors, &n);
    if (!text || !cc_report_known(o, t, text)) diag_report(o->session, NO_SPAN, E_CC_FAILED, t->cc, text ? text : "");
    return false;
}

static bool load_libraries(const Options *o) {
    for (int i = 0; i < o->link.len; i++)
        if (!check_item(o, o->link.data[i]) || !load(o, o->link.data[i])) return false;
    return true;
}

bool link_load(const Options *o) {
    bool libraries = true;
    for (int i = 0; i < o->link.len; i++) libraries &= ends_in(o->link.data[i], ".so");
    if (libraries) return load_libraries(o); /* no linker is needed */
    Toolchain t;
    if (!cc_find(o, &t)) return false;
    const char *dir = temp_dir_new(o), *path = dir ? intern_printf(o->session, "%s/link.so", dir) : NULL;
    bool ok = dir && make_shared(o, &t, dir, path) && load(o, path);
    if (dir) unlink(path), link_clean(o, dir), rmdir(dir);
    return ok;
}
