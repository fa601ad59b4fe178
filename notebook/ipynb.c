/* A notebook as Jupyter keeps it: nbformat 4.5, keys in alphabetical order, as Jupyter itself writes them. */
#include "notebook/write.h"

#include <string.h>

/* Members of an object or an array; the comma stands before all but the first. */
static void begin(Text *t, int indent, bool first) { text_printf(t, "%s\n%*s", first ? "" : ",", indent, ""); }

static void put_string(Text *t, const char *s) { put_json(t, s, strlen(s)); }

/* A text is a list of its lines: version control shows what changed. */
static void put_lines(Text *t, const char *s, size_t n, int indent, bool with_newlines) {
    bool first = true;
    put(t, "[");
    for (const char *end = s + n; s < end; first = false) {
        const char *newline = memchr(s, '\n', (size_t)(end - s)), *next = newline ? newline + 1 : end;
        begin(t, indent + 1, first);
        put_json(t, s, (size_t)((newline && !with_newlines ? newline : next) - s));
        s = next;
    }
    if (!first) text_printf(t, "\n%*s", indent, "");
    put(t, "]");
}

static void put_text_member(Text *t, int indent, const char *key, const char *s, size_t n) {
    begin(t, indent, false);
    text_printf(t, "\"%s\": ", key);
    put_lines(t, s, n, indent, true);
}

/* Only a stream keeps the newline at its end. */
static size_t trimmed(const char *s) {
    size_t n = strlen(s);
    return n && s[n - 1] == '\n' ? n - 1 : n;
}

/* ---- outputs */

static void put_stream(Text *t, const char *name, const char *text) {
    text_printf(t, "\n     \"name\": \"%s\",\n     \"output_type\": \"stream\"", name);
    put_text_member(t, 5, "text", text, strlen(text));
}

static void put_value(Text *t, const char *text, int count) {
    put(t, "\n     \"data\": {\n      \"text/plain\": ");
    put_lines(t, text, trimmed(text), 6, true);
    text_printf(
        t, "\n     },\n     \"execution_count\": %d,\n     \"metadata\": {},\n     \"output_type\": \"execute_result\"",
        count);
}

/* "file:1:2: error[E0301]: message": the name is the code */
static void put_error(Text *t, const char *text) {
    size_t n = strcspn(text, "\n");
    const char *open = memmem(text, n, "error[", 6),
               *close = open ? memchr(open, ']', (size_t)(text + n - open)) : NULL;
    const char *name = close ? arena_strndup(t->arena, open + 6, (size_t)(close - open - 6)) : "error";
    const char *value = close ? close + 1 : text;
    value += strspn(value, ": ");
    put(t, "\n     \"ename\": ");
    put_string(t, name);
    put(t, ",\n     \"evalue\": ");
    put_json(t, value, strcspn(value, "\n"));
    put(t, ",\n     \"output_type\": \"error\",\n     \"traceback\": ");
    put_lines(t, text, trimmed(text), 5, false);
}

static void put_picture(Text *t, const Figure *f) {
    text_printf(t, "\n     \"data\": {\n      \"%s\": ", f->type);
    if (!strcmp(f->type, "image/svg+xml")) put_lines(t, f->bytes, f->size, 6, true);
    else {
        put(t, "\"");
        put_base64(t, f->bytes, f->size);
        put(t, "\"");
    }
    const char *words = figure_words(t->arena, f);
    put_text_member(t, 6, "text/plain", words, strlen(words));
    put(t, "\n     },\n     \"metadata\": {},\n     \"output_type\": \"display_data\"");
}

static void put_output(Text *t, const NotebookCell *c, const Output *x, int count) {
    put(t, "{");
    switch (x->kind) {
    case OUT_TEXT: put_stream(t, "stdout", x->text); break;
    case OUT_VALUE: put_value(t, x->text, count); break;
    case OUT_ERROR: c->failed ? put_error(t, x->text) : put_stream(t, "stderr", x->text); break;
    case OUT_FIGURE: put_picture(t, &x->figure); break;
    }
    put(t, "\n    }");
}

static void put_outputs(Text *t, const NotebookCell *c, int count) {
    put(t, "\"outputs\": [");
    for (int i = 0; i < c->outputs.len; i++) {
        begin(t, 4, i == 0);
        put_output(t, c, &c->outputs.data[i], count);
    }
    put(t, c->outputs.len ? "\n   ]" : "]");
}

/* ---- cells */

/* The options as the tags that Jupyter's tools know; the title as Jupytext keeps it */
static void put_cell_metadata(Text *t, const NotebookCell *c) {
    static const struct { unsigned option; const char *tag; } tags[] = {
        {HIDE_CODE, "hide-input"}, {NO_RUN, "skip-execution"}, {EXPECT_ERROR, "raises-exception"}};
    bool any = false;
    put(t, "\"metadata\": {");
    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++) {
        if (!(c->options & tags[i].option)) continue;
        if (!any) put(t, "\n    \"tags\": [");
        begin(t, 5, !any);
        text_printf(t, "\"%s\"", tags[i].tag);
        any = true;
    }
    if (any) put(t, "\n    ]");
    if (*c->title) {
        begin(t, 4, !any);
        put(t, "\"title\": ");
        put_string(t, c->title);
    }
    put(t, any || *c->title ? "\n   }" : "}");
}

static void put_cell(Text *t, const NotebookCell *c, int number, int count) {
    bool code = c->kind == CELL_CODE;
    text_printf(t, "{\n   \"cell_type\": \"%s\",", code ? "code" : "markdown");
    if (code && c->options & NO_RUN) put(t, "\n   \"execution_count\": null,");
    else if (code) text_printf(t, "\n   \"execution_count\": %d,", count);
    text_printf(t, "\n   \"id\": \"cell-%d\",\n   ", number);
    put_cell_metadata(t, c);
    if (code) {
        put(t, ",\n   ");
        put_outputs(t, c, count);
    }
    put_text_member(t, 3, "source", c->text, trimmed(c->text));
    put(t, "\n  }");
}

/* ---- titles: as on a page, headings below the last one of the prose */

/* What Markdown would take for more than text */
static const char *plain_markdown(Arena *a, const char *s) {
    Text t;
    text_init(&t, a);
    for (; *s; s++) text_printf(&t, strchr("\\`*_[]<>#$&!|~", *s) ? "\\%c" : "%c", *s);
    return text_str(&t);
}

static int level_after(Arena *a, const Notebook *n, const NotebookCell *c, int level) {
    Headings headings = {0};
    Text page;
    if (c->kind != CELL_PROSE) return level;
    text_init(&page, a);
    put_prose(&page, n, c->text, &headings);
    return headings.len ? vec_last(&headings).level : level;
}

static void put_title(Text *t, const NotebookCell *c, int number, int level) {
    const char *heading = arena_printf(t->arena, "%.*s %s", level < 6 ? level + 1 : 6, "######",
                                       plain_markdown(t->arena, c->title));
    text_printf(t, "{\n   \"cell_type\": \"markdown\",\n   \"id\": \"title-%d\",\n   \"metadata\": {}", number);
    put_text_member(t, 3, "source", heading, strlen(heading));
    put(t, "\n  }");
}

bool notebook_ipynb(const Notebook *n, FILE *to) {
    Arena *a = arena_new();
    Text t;
    int codes = 0, level = 0;
    text_init(&t, a);
    put(&t, "{\n \"cells\": [");
    for (int i = 0; i < n->cells.len; i++) {
        const NotebookCell *c = &n->cells.data[i];
        codes += c->kind == CELL_CODE;
        begin(&t, 2, i == 0);
        if (*c->title) {
            put_title(&t, c, i + 1, level);
            begin(&t, 2, false);
        }
        put_cell(&t, c, i + 1, codes);
        level = level_after(a, n, c, level);
    }
    put(&t, n->cells.len ? "\n ],\n" : "],\n");
    put(&t, " \"metadata\": {\n  \"kernelspec\": {\n   \"display_name\": \"dslc\",\n   \"language\": \"dsl\",\n   "
            "\"name\": \"dslc\"\n  },\n"
            "  \"language_info\": {\n   \"file_extension\": \".dsl\",\n   \"mimetype\": \"text/x-dsl\",\n   \"name\": "
            "\"dsl\"\n  }\n },\n"
            " \"nbformat\": 4,\n \"nbformat_minor\": 5\n}\n");
    fwrite(text_str(&t), 1, (size_t)t.len, to);
    arena_free(a);
    return !ferror(to);
}
