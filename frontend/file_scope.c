/* What a name that is no variable means in a file.
 *
 * The file's own functions, structs and constants come first, then those of the files that it imports, and through
 * these of what they import; then the library, which is one scope.  Nobody sees the names of who imports them, so that
 * a file means the same wherever it is imported.  A name that two imports bring, with different meanings, means nothing
 * until the file itself defines it. */
#include "frontend/check.h"

void file_scope_put(Check *c, FileScope *f, int file) { map_put(c->a, &c->scopes, (void *)(intptr_t)(file + 1), f); }

FileScope *file_scope_new(Check *c, int file) {
    FileScope *f = NEW(c->a, FileScope);
    file_scope_put(c, f, file);
    return f;
}

FileScope *file_scope(const Check *c, int file) { return map_get(&c->scopes, (void *)(intptr_t)(file + 1)); }

FileScope *decl_scope(const Check *c, const Decl *d) { return file_scope(c, d->span.file); }

bool decl_is_std(const Check *c, const Decl *d) { return decl_scope(c, d) == c->std; }

bool in_std(const Check *c) { return c->fn->scope == c->std; }

/* Files may import each other: one being looked at already adds nothing. */
static Global *find(FileScope *f, const char *name, Global **other) {
    Global *g = map_get(&f->own, name);
    if (g || f->busy) return g;
    f->busy = true;
    for (int i = 0; i < f->imports.len; i++) {
        Global *more = find(f->imports.data[i].file, name, other);
        f->imports.data[i].used |= more != NULL;
        if (!g) g = more;
        else if (more && more != g) *other = more;
    }
    f->busy = false;
    return g;
}

Global *global_clash(const Check *c, const char *name, Global **other) {
    *other = NULL;
    Global *g = find(c->fn->scope, name, other);
    return *other ? g : NULL;
}

Global *global_find(Check *c, const char *name) {
    Global *other = NULL, *g = find(c->fn->scope, name, &other);
    if (other) return NULL;
    return g && g->home != c->std ? g : library_find(c, name);
}

void global_names(Check *c, FileScope *f, int kind, NameVec *out) {
    if (f->busy) return;
    f->busy = true;
    for (int i = 0; i < f->own.len; i++)
        if (kind < 0 || ((const Global *)f->own.vals[i])->kind == (GlobalKind)kind)
            vec_push(c->a, out, (const char *)f->own.keys[i]);
    for (int i = 0; i < f->imports.len; i++) global_names(c, f->imports.data[i].file, kind, out);
    f->busy = false;
}
