/* Calls of the library's save that none of its forms takes, or that would fail whenever they run: what is wrong with
 * what is saved, and what to write instead.  Its forms are save(path, x), save(path, x, "names, of, columns"),
 * save(path, text) and save(path, "a", a, "b", b, ..). */
#include "frontend/check.h"

#include <string.h>

enum { MOST_MEMBERS = 6 };

#define NAME_FIRST "a name stands before each array: save(\"x.npz\", \"a\", a, \"b\", b)"

/* An array that may be a column of a table: how it is written, what its elements are, and how it may be called */
typedef struct { const char *array, *each, *of, *name; bool is_text; } Column;
typedef VEC(Column) Columns;

static bool is_text(const FType *t) { return type_is_scalar(elem_of(t), DT_STR); }
static bool is_one(const FType *t) { return t->kind == FT_SCALAR && t->dtype != DT_STR; }

static bool has_name(const NameVec *names, int i) { return i < names->len && names->data[i]; }

static const char *name_of(Check *c, const Expr *e, int k) {
    return e->kind == EX_NAME ? e->name : intern_printf(c->s, "%c", 'a' + k % 26);
}

static Diag *no_form(Check *c, const Expr *e) {
    return report(c, e->span, E_NO_OVERLOAD, "save", call_text(c, &e->args, &e->arg_names));
}

#define say(c, e, ...) (diag_hint((c)->s, no_form(c, e), __VA_ARGS__), true)

/* [labels, [str(v) for v in x]].T, "labels, x": texts where any of them is one */
static const char *as_table(Check *c, const Columns *all) {
    Text arrays, names;
    bool texts = false;
    text_init(&arrays, c->a);
    text_init(&names, c->a);
    for (int i = 0; i < all->len; i++) texts |= all->data[i].is_text;
    for (int i = 0; i < all->len; i++) {
        const Column *k = &all->data[i];
        const char *comma = i ? ", " : "";
        if (texts && !k->is_text) text_printf(&arrays, "%s[str(%s) for %s]", comma, k->each, k->of);
        else text_printf(&arrays, "%s%s", comma, k->array);
        text_printf(&names, "%s%s", comma, k->name);
    }
    return intern_printf(c->s, "save(\"x.csv\", [%s].T, \"%s\")", text_str(&arrays), text_str(&names));
}

/* The columns of one table are one matrix; arrays of a .npz have names */
static bool say_columns(Check *c, const Expr *e, const Columns *all) {
    Text members;
    bool texts = false;
    text_init(&members, c->a);
    for (int i = 0; i < all->len; i++) {
        texts |= all->data[i].is_text;
        text_printf(&members, ", \"%s\", %s", all->data[i].name, all->data[i].array);
    }
    return say(c, e, texts ? intern_printf(c->s, "the columns of a table are one array, here of texts: %s",
                                           as_table(c, all))
                           : intern_printf(c->s, "the columns of a table are one array: %s; arrays of any sizes have "
                                                 "names: save(\"x.npz\"%s)", as_table(c, all), text_str(&members)));
}

static void add_column(Check *c, Columns *all, const char *array, const FType *t, const char *name) {
    Column k = {array, "each", intern_printf(c->s, "each in %s", array), name, is_text(t)};
    vec_push(c->a, all, k);
}

/* save(path, a, b, ..) of vectors */
static bool say_several(Check *c, const Expr *e) {
    Columns all = {0};
    for (int i = 1; i < e->args.len; i++) {
        const Expr *x = e->args.data[i];
        if (x->type->kind == FT_ARRAY)
            add_column(c, &all, source_copy(c->s, x->span), x->type, name_of(c, x, i - 1));
    }
    return say_columns(c, e, &all);
}

/* save(path, (a, b)) */
static bool say_tuple(Check *c, const Expr *e, const Expr *x) {
    Columns all = {0};
    for (int i = 0; i < x->type->nfields; i++) {
        const Expr *item = x->kind == EX_TUPLE ? x->args.data[i] : NULL;
        const FType *t = x->type->fields[i];
        if (!i && type_is_scalar(t, DT_STR)) return say(c, e, NAME_FIRST);
        if (t->kind != FT_ARRAY)
            return say(c, e, "the fields of a tuple are saved one by one: save(\"x.npz\", \"a\", a, \"b\", [b]), or as "
                       "a text, save(\"x.txt\", f\"{t}\")");
        const char *array = item ? source_copy(c->s, item->span)
                                 : intern_printf(c->s, "%s.%d", source_copy(c->s, x->span), i);
        add_column(c, &all, array, t, item ? name_of(c, item, i) : intern_printf(c->s, "%c", 'a' + i % 26));
    }
    return say_columns(c, e, &all);
}

/* save(path, x) of an array of structs or tuples: each field is a column */
static bool say_records(Check *c, const Expr *e, const Expr *x) {
    const FType *t = x->type->elem;
    const char *of = intern_printf(c->s, "p in %s", x->kind == EX_NAME ? x->name : "x");
    Columns all = {0};
    for (int i = 0; i < t->nfields; i++) {
        const char *field = t->names ? t->names[i] : intern_printf(c->s, "%d", i);
        const char *each = intern_printf(c->s, "p.%s", field);
        Column k = {intern_printf(c->s, "[%s for %s]", each, of), each, of,
                    t->names ? field : intern_printf(c->s, "%c", 'a' + i % 26), is_text(t->fields[i])};
        if (t->fields[i]->kind != FT_SCALAR)
            return say(c, e, "each field is an array of its own: %s", all.len ? all.data[0].array : k.array);
        vec_push(c->a, &all, k);
    }
    return say_columns(c, e, &all);
}

static bool say_struct(Check *c, const Expr *e, const Expr *x) {
    const char *p = x->kind == EX_NAME ? x->name : "p", *field = x->type->nfields ? x->type->names[0] : "x";
    bool array = x->type->nfields && x->type->fields[0]->kind == FT_ARRAY;
    return say(c, e, "its fields are saved one by one, save(\"x.npz\", \"%s\", %s%s.%s%s, ..), or as a text, "
               "save(\"x.txt\", f\"{%s}\")", field, array ? "" : "[", p, field, array ? "" : "]", p);
}

/* save(path, "label", labels, "x", x): texts, perhaps with numbers beside them */
static bool say_texts(Check *c, const Expr *e, int n) {
    Columns all = {0};
    for (int i = 2; i < n; i += 2) {
        const Expr *x = e->args.data[i];
        const char *text = source_copy(c->s, x->span);
        if (n == 3) return say(c, e, "texts are in tables: save(\"x.csv\", %s)", text);
        if (x->type->kind == FT_ARRAY) add_column(c, &all, text, x->type, name_of(c, x, i / 2 - 1));
    }
    return say_columns(c, e, &all);
}

/* save(path, "a", x) where x is no array of numbers */
static bool say_member(Check *c, const Expr *e, const Expr *x) {
    const FType *t = x->type;
    const char *text = source_copy(c->s, x->span);
    if (is_one(t))
        return say(c, e, "a number is saved as an array of one, [%s]", text);
    if (is_complex(c, t))
        return say(c, e, "complex numbers are two arrays: \"re\", %s.re, \"im\", %s.im; alone they "
                   "are a .npy: save(\"z.npy\", %s)", text, text, text);
    if (t->kind == FT_SCALAR)
        return say(c, e, "a text is a file of its own: save(\"notes.txt\", text)");
    if (t->kind == FT_ARRAY) return say(c, e, "the fields are arrays of their own: \"a\", [p.a for p in x]");
    if (t->kind == FT_TUPLE)
        return say(c, e, "an array is written in [ ]; fields of a tuple are saved one by one, each behind its name");
    return say(c, e, "its fields are saved one by one, each behind its name, numbers as arrays of one: \"x\", [p.x]");
}

/* save(path, "a", a, "b", b, ..); true: something is wrong and has been reported */
static bool check_members(Check *c, const Expr *e, int n) {
    const ExprVec *args = &e->args;
    int last = n - 1;
    if (n % 2 == 0 && n > 3 && type_is_scalar(args->data[last]->type, DT_BOOL)) n--; /* compress */
    for (int i = 1; i < n; i += 2) {
        const Expr *name = args->data[i], *x = i + 1 < n ? args->data[i + 1] : NULL;
        if (!type_is_scalar(name->type, DT_STR) || !x)
            return say(c, e, NAME_FIRST);
        if (x->type->kind == FT_ARRAY && is_text(x->type)) return say_texts(c, e, n);
        if (x->type->kind != FT_ARRAY || x->type->elem->kind != FT_SCALAR)
            return say_member(c, e, x);
    }
    return n / 2 > MOST_MEMBERS && say(c, e, "at most %d arrays are saved in one file", MOST_MEMBERS);
}

/* names=["a", "b"], v=v; -1: neither */
static int wrong_named(const Expr *e) {
    for (int i = 0; i < e->args.len; i++) {
        if (!has_name(&e->arg_names, i) || e->args.data[i]->type->kind != FT_ARRAY) continue;
        const char *name = e->arg_names.data[i];
        if (!strcmp(name, "names") || strspn(name, "xz123456") != strlen(name)) return i;
    }
    return -1;
}

static bool say_named(Check *c, const Expr *e, int i) {
    const char *name = e->arg_names.data[i], *text = source_copy(c->s, e->args.data[i]->span);
    if (strcmp(name, "names"))
        return say(c, e, "names are texts, each before its array: save(\"x.npz\", \"%s\", %s)", name, text);
    return say(c, e, "the names of columns are one text, names=\"a, b\": join(%s, \", \")", text);
}

/* save(path, x, "a, b"), save(path, x, y, ..) */
static bool check_array(Check *c, const Expr *e, int n) {
    const Expr *x = e->args.data[1], *next = n > 2 ? e->args.data[2] : NULL;
    const char *text = source_copy(c->s, x->span);
    if (next && next->type->kind == FT_ARRAY && is_text(next->type) && x->type->rank == 2)
        return say(c, e, "the names of columns are one text: save(\"x.csv\", %s, join(%s, \", \"))",
                   text, source_copy(c->s, next->span));
    if (next && next->type->kind == FT_ARRAY) return say_several(c, e);
    if (is_complex(c, x->type) || x->type->elem->kind == FT_ERROR) return false;
    if (x->type->elem->kind != FT_SCALAR) return say_records(c, e, x);
    if (x->type->rank > 3)
        return say(c, e, "an array of more than three axes has a name: save(\"x.npz\", \"x\", %s)", text);
    if (next && (n > 3 || !type_is_scalar(next->type, DT_STR)))
        return say(c, e, "behind an array stand the names of its columns, one text: save(\"x.csv\", x, \"a, b\")");
    return false;
}

bool report_save(Check *c, const Expr *e, const Decl *head) {
    if (strcmp(head->name, "save") || !decl_is_std(c, head)) return false;
    int n = 0, named = wrong_named(e);
    while (n < e->args.len && !has_name(&e->arg_names, n)) n++;
    if (named >= 0) return say_named(c, e, named);
    if (n && !type_is_scalar(e->args.data[0]->type, DT_STR))
        return say(c, e, "the name of the file stands first: save(\"x.csv\", x)");
    if (n == 1 && e->args.len == 1) return say(c, e, "what is saved stands behind the name: save(\"x.csv\", x)");
    if (n < 2) return false;
    const Expr *x = e->args.data[1];
    const FType *t = x->type;
    if (is_one(t) || (t->kind == FT_STRUCT && is_complex(c, t)))
        return say(c, e, "a number is saved as an array of one, save(\"x.%s\", [%s]), or as a text, "
                   "save(\"x.txt\", str(%s))", is_one(t) ? "csv" : "npy",
                   source_copy(c->s, x->span), source_copy(c->s, x->span));
    if (t->kind == FT_TUPLE) return say_tuple(c, e, x);
    if (t->kind == FT_STRUCT) return say_struct(c, e, x);
    if (t->kind == FT_ARRAY) return check_array(c, e, n);
    return t->kind == FT_SCALAR && n > 2 && check_members(c, e, n);
}
