/* The header of a library: NAME.h, for C and C++. */
#include "export/export.h"

#include <string.h>

/* ---- declarations */

/* "double" or "const char *", ready for a name */
static const char *spaced(const Interface *x, DType t) {
    const char *type = interface_c_type(t);
    return type[strlen(type) - 1] == '*' ? type : intern_printf(x->session, "%s ", type);
}

/* Of what a pointer points to, ready for a star or a name */
static const char *element(const Interface *x, const FType *t) {
    const FType *e = t->kind == FT_ARRAY ? t->elem : t;
    return e->kind == FT_STRUCT ? intern_printf(x->session, "%s ", interface_struct_name(x, e)) : spaced(x, e->dtype);
}

static const char *in_param(const Interface *x, const Slot *s) {
    if (s->type->kind == FT_SCALAR) return intern_printf(x->session, "%s%s", spaced(x, s->type->dtype), s->name);
    return intern_printf(x->session, "const %s*%s", element(x, s->type), s->name);
}

static const char *out_param(const Interface *x, const Exported *f, const Slot *s) {
    bool given = s->type->kind == FT_ARRAY && !interface_shape_is_known(f, s->type);
    return intern_printf(x->session, "%s%s%s", element(x, s->type), given ? "**" : "*", s->name);
}

void header_signature(Text *out, const Interface *x, const Exported *f) {
    text_printf(out, "int %s(%s_context *context", f->c_name, x->name);
    for (int i = 0; i < f->sizes.len; i++) text_printf(out, ", int64_t %s", f->sizes.data[i]);
    for (int i = 0; i < f->in.len; i++) text_printf(out, ", %s", in_param(x, &f->in.data[i]));
    for (int i = 0; i < f->out_sizes.len; i++) text_printf(out, ", int64_t *%s", f->out_sizes.data[i].name);
    for (int i = 0; i < f->out.len; i++) text_printf(out, ", %s", out_param(x, f, &f->out.data[i]));
    text_printf(out, ")");
}

/* ---- structs */

static void put_field(Text *out, const Interface *x, const Slot *s) {
    const FType *t = s->type;
    bool array = t->kind == FT_ARRAY, in_place = array && interface_is_inline(t);
    text_printf(out, "    %s%s%s", element(x, t), array && !in_place ? "*" : "", s->name);
    for (int i = 0; in_place && i < t->rank; i++) text_printf(out, "[%s]", size_str(x->session, t->dims[i]));
    text_printf(out, ";");
    if (array && !in_place) {
        text_printf(out, " /* ");
        for (int i = 0; i < t->rank; i++) text_printf(out, "%s%s", i ? " x " : "", size_str(x->session, t->dims[i]));
        text_printf(out, " elements */");
    }
    text_printf(out, "\n");
}

/* Lines of documentation; a comment may not end in them. */
static void put_doc(Text *out, const char *doc) {
    for (const char *line = doc; line && *line; line += strcspn(line, "\n"), line += *line == '\n') {
        text_printf(out, " * ");
        for (size_t i = 0, n = strcspn(line, "\n"); i < n; i++) {
            bool ends = line[i] == '*' && line[i + 1] == '/', begins = line[i] == '/' && line[i + 1] == '*';
            text_printf(out, "%c%s", line[i], ends || begins ? " " : "");
        }
        text_printf(out, "\n");
    }
}

static void put_struct(Text *out, const Interface *x, const FType *t) {
    SlotVec fields = interface_fields(x, t);
    text_printf(out, "\n");
    if (t->decl->doc) text_printf(out, "/*\n"), put_doc(out, t->decl->doc), text_printf(out, " */\n");
    text_printf(out, "typedef struct %s {\n", interface_struct_name(x, t));
    for (int i = 0; i < fields.len; i++) put_field(out, x, &fields.data[i]);
    text_printf(out, "} %s;\n", interface_struct_name(x, t));
}

/* ---- functions */

/* "n x m elements" */
static const char *shape(const Interface *x, const Exported *f, const FType *t) {
    Text text;
    text_init(&text, x->arena);
    for (int i = 0; i < t->rank; i++) {
        const char *size = size_str(x->session, t->dims[i]);
        for (int k = 0; k < f->out_sizes.len; k++)
            if (f->out_sizes.data[k].size == t->dims[i]) size = f->out_sizes.data[k].name;
        bool simple = !strpbrk(size, " +-/%");
        text_printf(&text, t->rank > 1 && !simple ? "%s(%s)" : "%s%s", i ? " x " : "", size);
    }
    text_printf(&text, " elements%s", t->rank > 1 ? ", row by row" : "");
    return text_str(&text);
}

static const char *out_words(const Interface *x, const Exported *f, const FType *t) {
    if (t->kind == FT_STRUCT) return "a struct of the caller's";
    if (t->kind == FT_SCALAR)
        return t->dtype == DT_STR ? "a text, which lives as long as the arguments and the library" : NULL;
    return intern_printf(x->session,
                         interface_shape_is_known(f, t) ? "%s, in memory of the caller's" : "%s, for %s_free",
                         shape(x, f, t), x->name);
}

static void put_slot(Text *out, const char *name, const char *way, const char *words) {
    if (words) text_printf(out, " *   %-12s %s: %s\n", name, way, words);
}

static void put_function(Text *out, const Interface *x, const Exported *f) {
    text_printf(out, "\n/*\n");
    put_doc(out, f->inst->decl->doc);
    for (int i = 0; i < f->in.len; i++)
        if (f->in.data[i].type->kind == FT_ARRAY)
            put_slot(out, f->in.data[i].name, "in", shape(x, f, f->in.data[i].type));
    for (int i = 0; i < f->out_sizes.len; i++) put_slot(out, f->out_sizes.data[i].name, "out", "a size");
    for (int i = 0; i < f->out.len; i++)
        put_slot(out, f->out.data[i].name, "out", out_words(x, f, f->out.data[i].type));
    Place at = source_place(x->session, f->inst->decl->span.file, f->inst->decl->name_span.lo);
    text_printf(out, " * (%s:%d)\n */\n", source_path(x->session, f->inst->decl->span.file), at.line);
    header_signature(out, x, f);
    text_printf(out, ";\n");
}

/* ---- what every library has */

void header_each_common(const Interface *x, CommonFn *f, void *ctx) {
    Session *s = x->session;
    const char *n = x->name;
    f(ctx, "A context; NULL when there is no memory for one.",
      intern_printf(s, "%s_context *%s_context_new(void)", n, n),
      intern_printf(s, "return (%s_context *)dsl_context_new();", n));
    f(ctx, "Frees it, and the memory that its calls kept for the next ones. NULL is ignored.",
      intern_printf(s, "void %s_context_free(%s_context *context)", n, n), "dsl_context_free((dsl_context *)context);");
    f(ctx, "How many threads its calls may use; 0, as at first: as many as OpenMP takes.",
      intern_printf(s, "void %s_set_threads(%s_context *context, int threads)", n, n),
      "dsl_context_set_threads((dsl_context *)context, threads);");
    f(ctx,
      "What went wrong in the last call, with the place in the source; \"\" when nothing did.\n"
      "The text lives until the next call.",
      intern_printf(s, "const char *%s_error(const %s_context *context)", n, n),
      "return dsl_context_error((const dsl_context *)context);");
    f(ctx, "Its code, such as E0601 (`dslc explain E0601` says more); \"\" when nothing went wrong.",
      intern_printf(s, "const char *%s_error_code(const %s_context *context)", n, n),
      "return dsl_context_code((const dsl_context *)context);");
    f(ctx, "Frees an array that a function has made. NULL is ignored.",
      intern_printf(s, "void %s_free(void *elements)", n), "dsl_given_free(elements);");
}

static void put_common(void *ctx, const char *doc, const char *declaration, const char *body) {
    Text *out = ctx;
    (void)body;
    text_printf(out, "\n/*\n");
    put_doc(out, doc);
    text_printf(out, " */\n%s;\n", declaration);
}

static void put_status(Text *out, const Interface *x) {
    static const struct { const char *name, *doc; } rows[] = {
        {"OK", ""},
        {"BAD_ARGUMENT", "a null pointer"},
        {"BAD_SIZE", "a negative size, or sizes that do not fit each other"},
        {"NO_MEMORY", "not enough memory"},
        {"RUNTIME_ERROR", "anything else that stops a program: an index out of bounds, a failed assert, ..."},
        {"BUSY", "another call with this context has not ended yet; its error text stays as it is"},
    };
    text_printf(out, "\ntypedef enum %s_status {\n", x->name);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        text_printf(out, "    %s_%s = %d%s%s%s%s\n", x->capital, rows[i].name, (int)i,
                    i + 1 < sizeof rows / sizeof *rows ? "," : "", *rows[i].doc ? " /* " : "", rows[i].doc,
                    *rows[i].doc ? " */" : "");
    text_printf(out, "} %s_status;\n", x->name);
}

static void put_intro(Text *out, const Interface *x) {
    const char *n = x->name;
    text_printf(out,
                "/* %s: a library made by dslc.\n"
                " *\n"
                " * Each function returns a status, %s_OK when all went well; otherwise results are not written, and "
                "%s_error says\n"
                " * what happened. The first parameter is a context; then come the sizes of all arrays, then the "
                "arguments, then\n"
                " * pointers to where the results go. Arrays are contiguous, row by row; arguments are only read, "
                "during the call. A result\n"
                " * whose size follows from the arguments goes into memory of the caller's, which may be an "
                "argument's; one whose size\n"
                " * does not is made by the function, and freed by %s_free.\n"
                " *\n"
                " * Threads may call at the same time, each with a context of its own. A context serves one call at a "
                "time. */\n",
                n, x->capital, n, n);
}

void header_write(Text *out, const Interface *x) {
    put_intro(out, x);
    text_printf(out,
                "#ifndef DSLC_LIBRARY_%s_H\n#define DSLC_LIBRARY_%s_H\n\n#include <stdbool.h>\n#include <stdint.h>\n\n",
                x->capital, x->capital);
    text_printf(out, "#ifdef __cplusplus\nextern \"C\" {\n#endif\n");
    put_status(out, x);
    text_printf(out, "\ntypedef struct %s_context %s_context;\n", x->name, x->name);
    header_each_common(x, put_common, out);
    for (int i = 0; i < x->structs.len; i++) put_struct(out, x, x->structs.data[i]);
    for (int i = 0; i < x->funcs.len; i++) put_function(out, x, x->funcs.data[i]);
    text_printf(out, "\n#ifdef __cplusplus\n}\n#endif\n#endif\n");
}
