/* Applies the sure fixes of what was reported and not yet printed to the text of a file.
 * Of two that overlap the first stays; what it hides shows when the result is checked again. */
#include "base/private.h"

#include <stdlib.h>

static int by_start(const void *a, const void *b) {
    const Fix *x = a, *y = b;
    return x->at.lo != y->at.lo ? (x->at.lo < y->at.lo ? -1 : 1) : x->at.hi - y->at.hi;
}

typedef VEC(Fix) Fixes;

static Fixes sure_fixes(const Session *s, int file, Arena *a) {
    Fixes all = {0};
    for (int i = 0; i < s->diags.len; i++) {
        const Diag *d = s->diags.data[i];
        for (int k = 0; k < d->fixes.len && !d->flushed; k++)
            if (d->fixes.data[k].sure && d->fixes.data[k].at.file == file) vec_push(a, &all, d->fixes.data[k]);
    }
    if (all.len) qsort(all.data, (size_t)all.len, sizeof *all.data, by_start);
    return all;
}

int diag_apply_fixes(Session *s, int file, Text *out) {
    size_t len;
    const char *text = source_text(s, file, &len);
    Fixes all = sure_fixes(s, file, s->arena);
    int from = 0, count = 0;
    for (int i = 0; i < all.len; i++) {
        const Fix *f = &all.data[i];
        if (f->at.lo < from || (count && f->at.lo == all.data[i - 1].at.lo)) continue;
        text_add(out, text + from, (size_t)(f->at.lo - from));
        text_printf(out, "%s", f->text);
        from = f->at.hi;
        count++;
    }
    text_add(out, text + from, len - (size_t)from);
    return count;
}
