/* What a session knows: keeping, replacing, looking up. */
#include "repl/workspace.h"

#include <string.h>
#include <sys/mman.h>

Workspace *workspace_new(const Options *o) {
    Arena *a = arena_new();
    Workspace *w = NEW(a, Workspace);
    w->arena = a;
    w->options = o;
    return w;
}

void blob_free(Workspace *w, Blob *b) {
    munmap(b->base, b->size);
    for (int i = 0; i < b->apart.len; i++) room_leave(w, b->apart.data[i]);
}

void blob_drop(Workspace *w, Blob *b) {
    if (b && !--b->users) blob_free(w, b);
}

void workspace_reset(Workspace *w) {
    for (int i = 0; i < w->vars.len; i++) blob_drop(w, w->vars.data[i].blob);
    w->vars.len = w->defs.len = w->inputs.len = 0;
    room_free_all(w);
}

void workspace_free(Workspace *w) {
    workspace_reset(w);
    arena_free(w->arena);
}

Definition *workspace_def(Workspace *w, const char *name) {
    for (int i = w->defs.len - 1; i >= 0; i--)
        if (!strcmp(w->defs.data[i].name, name)) return &w->defs.data[i];
    return NULL;
}

Variable *workspace_var(Workspace *w, const char *name) {
    for (int i = 0; i < w->vars.len; i++)
        if (!strcmp(w->vars.data[i].name, name)) return &w->vars.data[i];
    return NULL;
}

static bool is_function(const Definition *d) { return !strcmp(d->what, "fn"); }

bool definition_replaces(const Definition *d, const Definition *old) {
    if (strcmp(d->name, old->name)) return false;
    return !is_function(d) || !is_function(old) || !strcmp(d->key, old->key);
}

void workspace_forget(Workspace *w, const char *name) {
    int n = 0;
    for (int i = 0; i < w->vars.len; i++) {
        if (strcmp(w->vars.data[i].name, name)) w->vars.data[n++] = w->vars.data[i];
        else blob_drop(w, w->vars.data[i].blob);
    }
    w->vars.len = n;
}

static void forget_defs(Workspace *w, const Definition *d) {
    int n = 0;
    for (int i = 0; i < w->defs.len; i++)
        if (!definition_replaces(d, &w->defs.data[i])) w->defs.data[n++] = w->defs.data[i];
    w->defs.len = n;
}

void workspace_define(Workspace *w, const Definition *d) {
    forget_defs(w, d);
    if (strcmp(d->what, "import")) workspace_forget(w, d->name);
    vec_push(w->arena, &w->defs, *d);
}

Paths workspace_imports(Workspace *w, Arena *a) {
    Paths all = {0};
    for (int i = 0; i < w->inputs.len; i++)
        for (int k = 0; k < w->inputs.data[i].files.len; k++) {
            const char *path = strchr(w->inputs.data[i].files.data[k], ' ') + 1;
            bool known = false;
            for (int j = 0; j < all.len; j++) known |= !strcmp(all.data[j], path);
            if (!known) vec_push(a, &all, path);
        }
    return all;
}

/* In the place of an earlier one: functions in variables may use those before them. */
void workspace_assign(Workspace *w, const Variable *v) {
    Variable *old = workspace_var(w, v->name);
    if (!old) {
        vec_push(w->arena, &w->vars, *v);
        return;
    }
    blob_drop(w, old->blob);
    *old = *v;
}
