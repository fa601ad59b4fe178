/* What a cell depends on besides its text and the workspace: files it imports, by their contents; and whether there is
 * more, files it loads or saves, the clock, C functions, so that it has to run each time. */
#include "driver/build.h"
#include "repl/cell.h"

#include <string.h>

/* Drawing the same picture once more changes nothing. */
static bool is_drawing(const char *name) {
    static const char *const names[] = {"dsl_x_plot", "dsl_x_image", "dsl_x_contour", "dsl_x_quiver"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strncmp(name, names[i], strlen(names[i]))) return true;
    return false;
}

static void look_outside(void *ctx, Op *op) {
    const Attr *func = op->code == OP_EXTERN ? op_attr(op, A_FUNC) : NULL;
    if (op->code == OP_LOADFILE || (func && !is_drawing(func->s))) *(bool *)ctx = true;
}

static bool is_own(const Run *r, int file) {
    bool own = file == r->file;
    for (int i = 0; i < r->files.len; i++) own |= r->files.data[i] == file;
    for (int i = 0; i < r->var_files.len; i++) own |= r->var_files.data[i] == file;
    return own;
}

static void collect_imports(Run *r) {
    for (int i = 0; i < source_count(r->s); i++) {
        size_t n;
        const char *text = source_text(r->s, i, &n);
        if (is_own(r, i) || source_is_library(r->s, (Span){i, 0, 0, 0})) continue;
        vec_push(arena_of(r), &r->result.files,
                 intern_printf(r->s, "%s %s", hash_str(r->s, hash_contents(text, n)), source_path(r->s, i)));
    }
}

void collect_outside(Run *r, const Module *m) {
    collect_imports(r);
    for (int i = 0; i < m->funcs.len; i++)
        if (m->funcs.data[i]->kind != FUNC_EXTERN) region_walk(m->funcs.data[i]->body, look_outside, &r->result.again);
}
