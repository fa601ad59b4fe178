/* The C functions of a library: each begins a call, puts heads on the caller's arrays, calls the compiled function,
 * which takes numbers and arrays only (a struct is its fields, an array of structs an array of each), and hands out
 * what it returns.  Names of our own begin with dsl_, which no name of the program does. */
#include "export/export.h"

#include "codegen/c/emit.h"

#include <string.h>

typedef struct {
    const Interface *x;
    const Exported *f;
    Text *out;
    Text args; /* of the compiled function */
    int heads;
    int leaf;  /* of the results: the next one */
    int leaves;
} Wrap;

#define LINE(w, ...) \
    (text_printf((w)->out, "        "), text_printf((w)->out, __VA_ARGS__), text_printf((w)->out, "\n"))

static bool is_half(DType t) { return t == DT_F16 || t == DT_BF16; }

static const char *dtype_constant(const Interface *x, DType t) {
    char *name = arena_printf(x->arena, "DSL_%s", dtype_info(t)->name);
    for (char *p = name; *p; p++)
        if (*p >= 'a' && *p <= 'z') *p = (char)(*p - 'a' + 'A');
    return name;
}

/* "(const int64_t[]){n, m}"; sizes of the result that are known after the call are where they were put */
static const char *dims(const Wrap *w, const FType *t) {
    Text text;
    text_init(&text, w->x->arena);
    text_printf(&text, "(const int64_t[]){");
    for (int i = 0; i < t->rank; i++) text_printf(&text, "%s%s", i ? ", " : "", interface_size(w->x, w->f, t->dims[i]));
    text_printf(&text, "}");
    return text_str(&text);
}

/* Text of the program, for a string literal: names are identifiers */
static const char *quoted(const Wrap *w, const char *name) { return intern_printf(w->x->session, "\"%s\"", name); }

/* ---- arguments */

static void add_arg(Wrap *w, const char *text) { text_printf(&w->args, "%s%s", w->args.len ? ", " : "", text); }

static void pass_scalar(Wrap *w, DType t, const char *name, const char *value) {
    if (t == DT_STR) LINE(w, "dsl_need(%s, %s);", quoted(w, name), value);
    add_arg(w, is_half(t) ? intern_printf(w->x->session, "dsl_%s_to_f32(%s)", dtype_info(t)->name, value) : value);
}

static void pass_array(Wrap *w, const FType *t, const char *name, const char *elements) {
    const char *head = intern_printf(w->x->session, "dsl_head%d", w->heads++);
    LINE(w, "dsl_array %s;", head);
    LINE(w, "dsl_borrow(&%s, %s, %s, %d, %s, %s);", head, quoted(w, name), dtype_constant(w->x, t->elem->dtype),
         t->rank, dims(w, t), elements);
    add_arg(w, intern_printf(w->x->session, "&%s", head));
}

/* One array for each number in the structs: path leads to it from an element */
static void pass_column(Wrap *w, const FType *array, const FType *t, const char *elements, const char *path) {
    Session *s = w->x->session;
    if (t->kind == FT_SCALAR) {
        const char *head = intern_printf(s, "dsl_head%d", w->heads++), *type = interface_c_type(t->dtype);
        LINE(w, "dsl_array *%s = dsl_new(NULL, %s, %d, %s);", head, dtype_constant(w->x, t->dtype), array->rank,
             dims(w, array));
        LINE(w, "for (int64_t dsl_i = 0; dsl_i < %s->count; dsl_i++) ((%s *)%s->data)[dsl_i] = %s[dsl_i]%s;", head,
             type, head, elements, path);
        add_arg(w, head);
        return;
    }
    SlotVec fields = interface_fields(w->x, t);
    for (int i = 0; i < fields.len; i++)
        pass_column(w, array, fields.data[i].type, elements, intern_printf(s, "%s.%s", path, fields.data[i].name));
}

static void pass(Wrap *w, const FType *t, const char *name, const char *value);

static void pass_fields(Wrap *w, const FType *t, const char *name, const char *object) {
    SlotVec fields = interface_fields(w->x, t);
    for (int i = 0; i < fields.len; i++) {
        const Slot *s = &fields.data[i];
        const char *value = intern_printf(w->x->session, "%s%s", object, s->name);
        if (s->type->kind == FT_STRUCT) pass_fields(w, s->type, name, intern_printf(w->x->session, "%s.", value));
        else pass(w, s->type, intern_printf(w->x->session, "%s.%s", name, s->name), value);
    }
}

static void pass(Wrap *w, const FType *t, const char *name, const char *value) {
    if (t->kind == FT_SCALAR) pass_scalar(w, t->dtype, name, value);
    else if (t->kind == FT_ARRAY && t->elem->kind == FT_SCALAR) pass_array(w, t, name, value);
    else if (t->kind == FT_ARRAY) {
        LINE(w, "dsl_need_room(%s, %d, %s, %s);", quoted(w, name), t->rank, dims(w, t), value);
        pass_column(w, t, t->elem, value, "");
    } else {
        LINE(w, "dsl_need(%s, %s);", quoted(w, name), value);
        pass_fields(w, t, name, intern_printf(w->x->session, "%s->", value));
    }
}

/* ---- results */

/* Before the call: there is room for it. */
static void need_place(Wrap *w, const FType *t, const char *name, const char *place) {
    Session *s = w->x->session;
    if (t->kind == FT_ARRAY && interface_shape_is_known(w->f, t))
        LINE(w, "dsl_need_room(%s, %d, %s, %s);", quoted(w, name), t->rank, dims(w, t), place);
    else LINE(w, "dsl_need(%s, %s);", quoted(w, name), place);
    SlotVec fields = t->kind == FT_STRUCT ? interface_fields(w->x, t) : (SlotVec){0};
    for (int i = 0; i < fields.len; i++) {
        const FType *ft = fields.data[i].type;
        const char *inner = intern_printf(s, "%s->%s", place, fields.data[i].name),
                   *called = intern_printf(s, "%s.%s", name, fields.data[i].name);
        if (ft->kind == FT_STRUCT) need_place(w, ft, called, intern_printf(s, "(&%s)", inner));
        else if (ft->kind == FT_ARRAY && !interface_is_inline(ft) && interface_shape_is_known(w->f, ft))
            need_place(w, ft, called, inner);
    }
}

/* The C expression of the next number or array that the compiled function returned */
static const char *next_result(Wrap *w) {
    int i = w->leaf++;
    return w->leaves == 1 ? "dsl_result" : intern_printf(w->x->session, "dsl_result.r%d", i);
}

static int count_leaves(const FType *t) {
    int n = 0;
    if (t->kind == FT_SCALAR) return 1;
    if (t->kind == FT_ARRAY) return count_leaves(t->elem);
    for (int i = 0; i < t->nfields; i++) n += count_leaves(t->fields[i]);
    return n;
}

/* ---- the compiled function's types */

typedef struct {
    const char *before, *name, *after;
    int n;
} TypeList; /* how each is written; name is numbered, or NULL */

/* The types of the numbers and arrays in t, in order; array: there is one around */
static void put_types(Text *out, TypeList *list, const FType *t, bool array) {
    if (t->kind == FT_SCALAR) {
        const char *type = array ? "dsl_array *" : is_half(t->dtype) ? "float " : interface_c_type(t->dtype);
        text_printf(out, "%s%s", list->n ? list->before : "", type);
        if (list->name) text_printf(out, " %s%d", list->name, list->n);
        text_printf(out, "%s", list->after);
        list->n++;
    }
    if (t->kind == FT_ARRAY) put_types(out, list, t->elem, true);
    for (int i = 0; (t->kind == FT_STRUCT || t->kind == FT_TUPLE) && i < t->nfields; i++)
        put_types(out, list, t->fields[i], array);
}

static const char *result_type(const Wrap *w) {
    Text t;
    text_init(&t, w->x->arena);
    if (w->leaves > 1)
        return intern_printf(w->x->session, "struct %s_results", emit_c_export(w->x->session, w->f->inst->name));
    if (!w->leaves) return "void";
    put_types(&t, &(TypeList){"", NULL, "", 0}, w->f->inst->ret, false);
    return text_str(&t);
}

/* Sizes that only the result has: they become known from the arrays, before these are handed out. */
static void put_sizes_of(Wrap *w, Map *known, const FType *t, int *leaf) {
    for (int i = 0; t->kind == FT_ARRAY && i < t->rank; i++)
        for (int k = 0; k < w->f->out_sizes.len; k++) {
            const OutSize *o = &w->f->out_sizes.data[k];
            if (o->size != t->dims[i] || map_has(known, o)) continue;
            map_put(w->x->arena, known, o, known);
            w->leaf = *leaf;
            LINE(w, "const int64_t dsl_size_%s = %s->dim[%d];", o->name, next_result(w), i);
        }
    if (t->kind == FT_ARRAY || t->kind == FT_SCALAR) {
        *leaf += count_leaves(t);
        return;
    }
    for (int i = 0; i < t->nfields; i++) put_sizes_of(w, known, t->fields[i], leaf);
}

static void put_sizes(Wrap *w) {
    Map known = {0};
    int leaf = 0;
    put_sizes_of(w, &known, w->f->inst->ret, &leaf);
    w->leaf = 0;
}

/* All arrays are made the results' own before the first is handed out: memory of a result may be an argument's. */
static void own_results(Wrap *w, const FType *t, bool array) {
    if (t->kind == FT_ARRAY) own_results(w, t->elem, true);
    else if (t->kind == FT_SCALAR) {
        const char *r = next_result(w);
        if (array) LINE(w, "%s = dsl_unique(%s);", r, r);
    } else
        for (int i = 0; i < t->nfields; i++) own_results(w, t->fields[i], array);
}

static void take_column(Wrap *w, const FType *t, const char *elements, const char *path) {
    Session *s = w->x->session;
    if (t->kind == FT_SCALAR) {
        const char *r = next_result(w);
        LINE(w, "for (int64_t dsl_i = 0; dsl_i < %s->count; dsl_i++) %s[dsl_i]%s = ((%s *)%s->data)[dsl_i];", r,
             elements, path, interface_c_type(t->dtype), r);
        LINE(w, "dsl_release(%s);", r);
        return;
    }
    SlotVec fields = interface_fields(w->x, t);
    for (int i = 0; i < fields.len; i++)
        take_column(w, fields.data[i].type, elements, intern_printf(s, "%s.%s", path, fields.data[i].name));
}

/* Structs of a number that was not known before */
static void give_structs(Wrap *w, const FType *t, const char *place) {
    const char *type = interface_struct_name(w->x, t->elem),
               *head = intern_printf(w->x->session, "dsl_head%d", w->heads++);
    int leaf = w->leaf;
    LINE(w, "dsl_array *%s = dsl_new(NULL, DSL_U8, 1, (const int64_t[]){%s->count * (int64_t)sizeof(%s)});", head,
         next_result(w), type);
    w->leaf = leaf;
    LINE(w, "%s *dsl_structs%d = %s->data;", type, w->heads, head);
    take_column(w, t->elem, intern_printf(w->x->session, "dsl_structs%d", w->heads), "");
    LINE(w, "%s = dsl_give(%s);", place, head);
}

static void hand_out(Wrap *w, const FType *t, const char *place);

static void hand_out_fields(Wrap *w, const FType *t, const char *object) {
    SlotVec fields = interface_fields(w->x, t);
    for (int i = 0; i < fields.len; i++) {
        const Slot *s = &fields.data[i];
        const char *place = intern_printf(w->x->session, "%s%s", object, s->name);
        if (s->type->kind == FT_STRUCT) hand_out_fields(w, s->type, intern_printf(w->x->session, "%s.", place));
        else hand_out(w, s->type, place);
    }
}

/* place: the number, the pointer to the elements, or the struct's pointer */
static void hand_out(Wrap *w, const FType *t, const char *place) {
    bool known = t->kind == FT_ARRAY && interface_shape_is_known(w->f, t);
    if (t->kind == FT_SCALAR) {
        const char *r = next_result(w);
        LINE(w, is_half(t->dtype) ? "%s = dsl_f32_to_%s(%s);" : "%s = %s%s;", place,
             is_half(t->dtype) ? dtype_info(t->dtype)->name : "", r);
    } else if (t->kind == FT_STRUCT) hand_out_fields(w, t, intern_printf(w->x->session, "%s->", place));
    else if (t->elem->kind == FT_SCALAR)
        LINE(w, known ? "dsl_take(%s, %s);" : "%s = dsl_give(%s);", known ? next_result(w) : place,
             known ? place : next_result(w));
    else if (known) take_column(w, t->elem, place, "");
    else give_structs(w, t, place);
}

/* ---- one function */

static void put_body(Wrap *w) {
    const Exported *f = w->f;
    for (int i = 0; i < f->out_sizes.len; i++)
        LINE(w, "dsl_need(%s, %s);", quoted(w, f->out_sizes.data[i].name), f->out_sizes.data[i].name);
    for (int i = 0; i < f->in.len; i++) pass(w, f->in.data[i].type, f->in.data[i].name, f->in.data[i].name);
    for (int i = 0; i < f->out.len; i++) need_place(w, f->out.data[i].type, f->out.data[i].name, f->out.data[i].name);
    const char *compiled = emit_c_export(w->x->session, f->inst->name), *args = text_str(&w->args);
    if (!w->leaves) {
        LINE(w, "%s(%s);", compiled, args);
        return;
    }
    LINE(w, "%s dsl_result = %s(%s);", result_type(w), compiled, args);
    own_results(w, f->inst->ret, false);
    put_sizes(w);
    for (int i = 0; i < f->out.len; i++) {
        const Slot *s = &f->out.data[i];
        bool direct = s->type->kind == FT_STRUCT || (s->type->kind == FT_ARRAY && interface_shape_is_known(f, s->type));
        hand_out(w, s->type, direct ? s->name : intern_printf(w->x->session, "*%s", s->name));
    }
    for (int i = 0; i < f->out_sizes.len; i++)
        LINE(w, "*%s = dsl_size_%s;", f->out_sizes.data[i].name, f->out_sizes.data[i].name);
}

/* The compiled function, as codegen/c writes it */
static void put_prototype(const Wrap *w) {
    const char *compiled = emit_c_export(w->x->session, w->f->inst->name);
    TypeList params = {", ", NULL, "", 0};
    if (w->leaves > 1) {
        text_printf(w->out, "\nstruct %s_results { ", compiled);
        put_types(w->out, &(TypeList){"", "r", "; ", 0}, w->f->inst->ret, false);
        text_printf(w->out, "};");
    }
    text_printf(w->out, "\n%s %s(", result_type(w), compiled);
    for (int i = 0; i < w->f->inst->params.len; i++)
        put_types(w->out, &params, w->f->inst->params.data[i]->type, false);
    text_printf(w->out, "%s);\n", params.n ? "" : "void");
}

static void put_function(const Interface *x, const Exported *f, Text *out) {
    Wrap w = {.x = x, .f = f, .out = out, .leaves = count_leaves(f->inst->ret)};
    text_init(&w.args, x->arena);
    put_prototype(&w);
    header_signature(out, x, f);
    text_printf(out,
                "\n{\n    dsl_call dsl_this;\n    int dsl_why = dsl_call_begin(&dsl_this, (dsl_context *)context);\n");
    text_printf(out, "    if (dsl_why) return dsl_why;\n    if (setjmp(dsl_this.guard.back) == 0) {\n");
    put_body(&w);
    text_printf(out, "    }\n    return dsl_call_end(&dsl_this);\n}\n");
}

static void put_common(void *ctx, const char *doc, const char *declaration, const char *body) {
    (void)doc;
    text_printf(ctx, "\n%s\n{\n    %s\n}\n", declaration, body);
}

void wrap_write(Text *out, const Interface *x) {
    text_printf(out, GENERATED_C_LINE "#include \"host.h\"\n#include \"%s.h\"\n", x->name);
    header_each_common(x, put_common, out);
    for (int i = 0; i < x->funcs.len; i++) put_function(x, x->funcs.data[i], out);
}
