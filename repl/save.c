/* A session as a file. */
#include "repl/words.h"
#include "repl/workspace.h"

#include <string.h>

static bool is_current(Workspace *w, const Input *in, const Definition *d) {
    for (int i = 0; i < w->defs.len; i++)
        if (!strcmp(w->defs.data[i].key, d->key) && !strcmp(w->defs.data[i].label, in->label)) return true;
    return false;
}

/* The cell without what was defined anew since */
static const char *current_text(Workspace *w, Arena *a, const Input *in) {
    Text t;
    int at = 0;
    text_init(&t, a);
    for (int i = 0; i < in->defs.len; i++) {
        const Definition *d = &in->defs.data[i];
        if (is_current(w, in, d)) continue;
        text_add(&t, in->text + at, (size_t)(d->lo - at));
        at = d->hi;
    }
    text_printf(&t, "%s", in->text + at);
    return text_str(&t);
}

static const char *replace_word(Arena *a, const char *text, const char *name, const char *by) {
    Text t;
    text_init(&t, a);
    for (const char *p = text;;) {
        const char *q = text_find(text, p, name);
        if (!q) return text_printf(&t, "%s", p), text_str(&t);
        text_add(&t, p, (size_t)(q - p));
        text_printf(&t, "%s", by);
        p = q + strlen(name);
    }
}

/* The value of the i-th cell is asked for before the next one has a value. */
static bool is_asked_for(const Workspace *w, int i) {
    for (int k = i + 1; k < w->inputs.len; k++) {
        if (text_mentions(w->inputs.data[k].text, "_")) return true;
        if (w->inputs.data[k].has_value) return false;
    }
    return false;
}

const char *workspace_text(Workspace *w, Arena *a) {
    Text t;
    const char *last = "_";
    text_init(&t, a);
    for (int i = 0; i < w->inputs.len; i++) {
        const Input *in = &w->inputs.data[i];
        const char *text = replace_word(a, current_text(w, a, in), "_", last);
        bool one = in->has_value && !strpbrk(text, "\n;");
        if (text_is_blank(text)) continue;
        if (strncmp(text, "# %%", 4)) text_printf(&t, "# %%%%\n");
        if (in->has_value) last = one && is_asked_for(w, i) ? arena_printf(a, "last_%d", i + 1) : "_";
        if (in->has_value && strcmp(last, "_")) text_printf(&t, "let %s = ", last);
        text_printf(&t, "%s%s", text, text[strlen(text) - 1] == '\n' ? "" : "\n");
    }
    return text_str(&t);
}
