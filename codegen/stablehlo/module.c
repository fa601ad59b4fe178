/* The module: its functions, what is known of their sizes, and their checks.
 *
 * StableHLO cannot stop.  A function with checks that are not proved has one more result, an i32: the number of the
 * first check that failed, 0 where none did; what they are stands in comments behind it. */
#include "codegen/stablehlo/private.h"

#include <stdlib.h>

enum { FUNCTION_INDENT = 2 };

static const struct { OpCode code; HloFn *fn; const char *word; } rows[] = {
#define HLO(code, fn, word) {code, fn, word},
#define NEVER(code) {code, NULL, NULL},
#include "codegen/stablehlo/emit.def"
#undef HLO
#undef NEVER
};
_Static_assert(sizeof rows / sizeof *rows == OP_COUNT, "each operation has a row in codegen/stablehlo/emit.def");

void hlo_emit(Hlo *h, const Op *op) {
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].code == op->code && rows[i].fn) {
            h->here = op->span;
            rows[i].fn(h, op, rows[i].word);
            return;
        }
    bug("%s at stage par", op_info(op->code)->mnemonic);
}

void hlo_region(Hlo *h, const Region *r) {
    for (const Op *op = r->first; op && !h->failed; op = op->next) hlo_emit(h, op);
}

/* When nothing else can be said */
static const Ten *some_value(Hlo *h, const Type *t) {
    int64_t dim[MAX_RANK];
    for (int i = 0; i < t->rank; i++) dim[i] = 1;
    return ten_fill(h, ten_const(h, (Const){.dtype = t->dtype == DT_STR ? DT_BOOL : t->dtype}), t->rank, dim);
}

const Ten *hlo_yield(Hlo *h, const Region *r, int i) {
    const Value *v = op_opnd(region_term(r), i);
    return h->failed ? some_value(h, v->type) : ten_of(h, v);
}

static void result_some(Hlo *h, const Op *op) {
    for (int i = 0; i < op->nres; i++) hlo_set(h, &op->res[i], some_value(h, op->res[i].type));
}

void hlo_unsupported(Hlo *h, const Op *op, const char *word) {
    hlo_fail(h, op->span, E_HLO_UNSUPPORTED, word);
    result_some(h, op);
}

/* ---- sizes */

typedef struct { Hlo *h; const char *missing; } Lookup;

static bool size_known(void *ctx, const char *sym, int64_t *out) {
    Lookup *l = ctx;
    const int64_t *v = map_get(l->h->sizes, sym);
    if (!v) l->missing = sym;
    else *out = *v;
    return v != NULL;
}

int64_t hlo_extent(Hlo *h, Span at, const Size *size) {
    Lookup l = {h, NULL};
    int64_t v = 1;
    if (size_eval(size, size_known, &l, &v)) return v;
    hlo_fail(h, at, E_HLO_SIZE,
             arena_printf(h->arena, "the size %s", l.missing ? l.missing : size_str(h->session, size)));
    return 1;
}

void hlo_dims(Hlo *h, Span at, const Type *t, int64_t *dim) {
    for (int i = 0; i < t->rank; i++) {
        dim[i] = hlo_extent(h, at, t->dims[i]);
        if (dim[i] < 0) hlo_fail(h, at, E_HLO_STOPS, "a size is negative"), dim[i] = 0;
    }
}

static void size_set(Hlo *h, const char *sym, int64_t v) {
    int64_t *own = NEW(h->arena, int64_t);
    *own = v;
    map_put(h->arena, h->sizes, sym, own);
}

void hlo_define(Hlo *h, const Type *t, const Ten *x) {
    for (int i = 0; i < t->rank; i++) {
        const char *sym = size_as_sym(t->dims[i]);
        if (sym && !map_has(h->sizes, sym)) size_set(h, sym, x->dim[i]);
    }
}

void hlo_bind(Hlo *h, const Op *op, const char *word) {
    int64_t v;
    (void)word;
    if (ten_known_int(ten_of(h, op_opnd(op, 0)), &v)) size_set(h, op_sym(op, A_SYM), v);
    else hlo_fail(h, op->span, E_HLO_SIZE, arena_printf(h->arena, "the size %s", op_sym(op, A_SYM)));
}

/* ---- checks */

static const Ten *i32(Hlo *h, int v) { return ten_const(h, (Const){.dtype = DT_I32, .i = v}); }

/* Whether any element of a bool is true, in any iteration */
static const Ten *any_of(Hlo *h, const Ten *x) {
    int axes[MOST_AXES], n = x->rank;
    for (int i = 0; i < n; i++) axes[i] = axis_open(h, x->dim[i]);
    if (n) x = ten_open(h, x, n, axes);
    axes_shut(h, n);
    return ten_reduce(h, COMBINE_OR, x, x->naxes, x->axis);
}

void hlo_check(Hlo *h, Span at, const char *code, const char *what, const Ten *holds) {
    if (h->unchecked || (holds->is_known && holds->known.i) || hlo_runs_never(h)) return;
    const Ten *bad = ten_and(h, h->mask, ten_not(h, holds));
    if (bad->is_known && !bad->known.i) return;
    bad = any_of(h, bad);
    vec_push(h->arena, &h->checks, ((Check){at, what, code}));
    const Ten *number = i32(h, h->checks.len), *none = i32(h, 0);
    if (h->fault) bad = ten_and(h, ten_compare(h, "EQ", h->fault, none), bad);
    h->fault = ten_select(h, bad, number, h->fault ? h->fault : none);
}

void hlo_check_op(Hlo *h, const Op *op, const char *word) {
    const char *code = op_sym(op, A_CODE), *what = op_sym(op, A_MSG);
    (void)word;
    hlo_check(h, op->span, code ? code : "", what ? what : "", ten_of(h, op_opnd(op, 0)));
}

/* ---- main: what it prints are its results */

void hlo_print(Hlo *h, const Op *op, const char *word) {
    (void)word;
    if (h->nactive || h->mask || h->indent > FUNCTION_INDENT) {
        hlo_unsupported(h, op, "output in loops and branches");
        h->in_turn = !h->nactive;
        return;
    }
    for (int i = 0; i < op->nopnds; i++)
        if (op_opnd(op, i)->type->dtype != DT_STR) vec_push(h->arena, &h->prints, ten_of(h, op_opnd(op, i)));
}

/* ---- functions */

static bool is_name(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static const char *argument_name(Hlo *h, const Value *v, int number) {
    char *name = arena_printf(h->arena, "%%%s", v->name ? v->name : "arg");
    for (char *c = name + 1; *c; c++)
        if (!is_name(*c)) *c = '_';
    bool plain = name[1] < '0' || name[1] > '9';
    return plain && v->name ? name : arena_printf(h->arena, "%%arg%d", number);
}

static void argument(Hlo *h, const Func *f, int i) {
    Value *v = f->body->args[i];
    const int64_t *known = v->name ? map_get(&h->given, v->name) : NULL;
    int64_t dim[MAX_RANK];
    if (v->type->dtype == DT_STR) hlo_fail(h, f->span, E_HLO_UNSUPPORTED, "texts");
    if (known && !v->type->rank && dtype_is_int(v->type->dtype)) {
        hlo_set(h, v, ten_const(h, (Const){.dtype = v->type->dtype, .i = *known}));
        return;
    }
    hlo_dims(h, f->span, v->type, dim);
    hlo_set(h, v, ten_new(h, v->type->dtype, 0, NULL, v->type->rank, dim, argument_name(h, v, i)));
    vec_push(h->arena, &h->arguments, v);
}

static void write_header(Hlo *h, Text *out, const Func *f, int n, const Ten *const *res) {
    text_printf(out, "  func.func public @%s(", f->kind == FUNC_MAIN ? "main" : f->name);
    for (int i = 0; i < h->arguments.len; i++) {
        const Ten *t = ten_of(h, h->arguments.data[i]);
        text_printf(out, "%s%s: %s", i ? ", " : "", t->ssa, ten_type(h, t));
    }
    text_printf(out, ")%s", n ? " -> (" : "");
    for (int i = 0; i < n; i++) text_printf(out, "%s%s", i ? ", " : "", ten_type(h, res[i]));
    text_printf(out, "%s {\n", n ? ")" : "");
}

static void write_return(Hlo *h, int n, const Ten *const *res) {
    Text names, types;
    text_init(&names, h->arena), text_init(&types, h->arena);
    for (int i = 0; i < n; i++) {
        text_printf(&names, "%s%s", i ? ", " : " ", ten_text(h, res[i]));
        text_printf(&types, "%s%s", i ? ", " : " : ", ten_type(h, res[i]));
    }
    hlo_line(h, "return%s%s", text_str(&names), text_str(&types));
}

static void write_checks(Hlo *h, Text *out) {
    if (h->fault) text_printf(out, "  // The last result is the number of the first check that failed, or 0:\n");
    for (int i = 0; h->fault && i < h->checks.len; i++) {
        const Check *c = &h->checks.data[i];
        text_printf(out, "  // %d: ", i + 1);
        if (c->at.file >= 0) {
            Place p = source_place(h->session, c->at.file, c->at.lo);
            text_printf(out, "%s:%d:%d: ", path_name(source_path(h->session, c->at.file)), p.line, p.col);
        }
        text_printf(out, "%s: %s\n", c->code, c->what);
    }
}

static void begin_function(Hlo *h, Text *body, Map *sizes) {
    text_init(body, h->arena);
    text_add(body, "", 0);
    text_str(body);
    h->out = body, h->indent = FUNCTION_INDENT - 1, h->names = 0, h->scope = NULL, h->naxes = h->nactive = 0;
    h->mask = h->fault = NULL, h->calls = 0, h->sizes = sizes;
    h->held.len = h->arguments.len = h->prints.len = h->checks.len = 0;
    h->values = (Map){0};
    for (int i = 0; i < h->given.len; i++) map_put(h->arena, sizes, h->given.keys[i], h->given.vals[i]);
}

/* Of --function=NAME:SEED for this function the name of the parameter; NULL: it is not parted */
static const char *seed_of(Hlo *h, const StablehloOptions *how, const Func *f) {
    size_t n = strlen(f->name);
    for (int k = 0; k < how->nfunctions; k++) {
        const char *given = how->functions[k];
        if (strncmp(given, f->name, n) || given[n] != ':') continue;
        for (int i = 0; i < h->arguments.len; i++) {
            const char *own = ten_of(h, h->arguments.data[i])->ssa;
            if (!strcmp(own + 1, given + n + 1)) return own;
        }
        diag_report(h->session, NO_SPAN, E_HLO_NO_SEED, given + n + 1, f->name);
        h->reported = true;
    }
    return NULL;
}

static void emit_function(Hlo *h, Text *out, const StablehloOptions *how, const Func *f) {
    Text body;
    Map sizes = {0};
    begin_function(h, &body, &sizes);
    hlo_open(h);
    for (int i = 0; i < f->body->nargs; i++) argument(h, f, i);
    hlo_region(h, f->body);
    if (h->failed) return;
    int n = 0;
    const Ten **res = NEWN(h->arena, const Ten *, f->nres + h->prints.len + 1);
    for (int i = 0; i < f->nres; i++) res[n++] = ten_written(h, hlo_yield(h, f->body, i));
    for (int i = 0; i < h->prints.len; i++) res[n++] = ten_written(h, h->prints.data[i]);
    if (h->fault) res[n++] = ten_written(h, h->fault);
    const char *seed = seed_of(h, how, f);
    if (seed) {
        hlo_split(h, out, f->name, seed, text_str(&body), n, res);
        write_checks(h, out);
        return;
    }
    write_return(h, n, res);
    hlo_close(h);
    write_header(h, out, f, n, res);
    hlo_sweep(h, out, text_str(&body));
    text_printf(out, "  }\n");
    write_checks(h, out);
}

/* A size of the program's own is given; one that comes up in it cannot be */
static void report(Hlo *h) {
    Diag *d = diag_report(h->session, h->at, h->why, h->word ? h->word : "");
    if (h->why != E_HLO_SIZE) return;
    diag_hint(h->session, d,
              "say --size=NAME=NUMBER for sizes of parameters, and for parameters that are ints; what a filter finds "
              "has no known size: sum(v for v in x if v > 0), or where(x > 0, x, 0.0), has");
}

static bool has_exports(const Module *m) {
    for (int i = 0; i < m->funcs.len; i++)
        if (m->funcs.data[i]->is_export) return true;
    return false;
}

static bool read_given(Hlo *h, int n, const char *const *given) {
    for (int i = 0; i < n; i++) {
        const char *equals = strchr(given[i], '=');
        char *end = NULL;
        int64_t *v = NEW(h->arena, int64_t);
        if (equals) *v = strtoll(equals + 1, &end, 10);
        if (!equals || equals == given[i] || end == equals + 1 || *end)
            return diag_report(h->session, NO_SPAN, E_HLO_GIVEN, given[i]), false;
        map_put(h->arena, &h->given, intern_n(h->session, given[i], (size_t)(equals - given[i])), v);
    }
    return true;
}

typedef struct { Hlo *h; VEC(const char *) names; } Takes;

static void takes_size(void *ctx, const char *sym) {
    Takes *t = ctx;
    vec_push(t->h->arena, &t->names, sym);
}

/* What may be given to it */
static void note_takes(Takes *t, const Func *f) {
    for (int i = 0; i < f->body->nargs; i++) {
        const Value *v = f->body->args[i];
        for (int k = 0; k < v->type->rank; k++) size_each_sym(v->type->dims[k], takes_size, t);
        if (!v->type->rank && v->name && dtype_is_int(v->type->dtype)) takes_size(t, v->name);
    }
}

/* names: as they are given, perhaps with a seed behind a colon */
static bool is_named(const char *name, int n, const char *const *names) {
    for (int i = 0; i < n; i++) {
        size_t own = strcspn(names[i], ":");
        if (own == strlen(name) && !strncmp(names[i], name, own)) return true;
    }
    return false;
}

static Diag *no_such(Hlo *h, DiagId id, const char *name, int n, const char *const *names) {
    Diag *d = diag_report(h->session, NO_SPAN, id, name);
    const char *near = spell_nearest(name, names, n);
    if (near) diag_hint(h->session, d, "did you mean '%s'?", near);
    return d;
}

static bool function_meant(Hlo *h, const char *given, int n, const char *const *names) {
    const char *own = arena_printf(h->arena, "%.*s", (int)strcspn(given, ":"), given);
    if (is_named(own, n, names)) return true;
    return no_such(h, E_HLO_NO_FUNCTION, own, n, names), false;
}

/* Every size that was given is one of the functions', every function that was named is there */
static bool all_meant(Hlo *h, const StablehloOptions *how, int n, const Func *const *f) {
    Takes t = {.h = h};
    const char **names = NEWN(h->arena, const char *, n + 1);
    bool ok = true;
    for (int i = 0; i < n; i++) note_takes(&t, f[i]), names[i] = f[i]->name;
    for (int i = 0; i < h->given.len; i++)
        if (!is_named(h->given.keys[i], t.names.len, t.names.data))
            no_such(h, E_HLO_NO_SIZE, h->given.keys[i], t.names.len, t.names.data), ok = false;
    for (int i = 0; i < how->nfunctions; i++) ok = function_meant(h, how->functions[i], n, names) && ok;
    return ok;
}

bool emit_stablehlo(Text *out, Module *m, const StablehloOptions *how) {
    Hlo *h = NEW(m->arena, Hlo);
    *h = (Hlo){.session = m->session, .arena = m->arena, .module = m, .unchecked = how->unchecked, .fast = how->fast,
                .watched = -1};
    if (!read_given(h, how->nsizes, how->sizes)) return false;
    FuncKind kind = has_exports(m) ? FUNC_FN : FUNC_MAIN;
    const Func **f = NEWN(h->arena, const Func *, m->funcs.len + 1);
    int n = 0;
    for (int i = 0; i < m->funcs.len; i++)
        if (m->funcs.data[i]->kind == kind && (m->funcs.data[i]->is_export || kind == FUNC_MAIN))
            f[n++] = m->funcs.data[i];
    if (!all_meant(h, how, n, f)) return false;
    text_printf(out, "module {\n");
    for (int i = 0; i < n && !h->failed; i++)
        if (!how->nfunctions || is_named(f[i]->name, how->nfunctions, how->functions))
            emit_function(h, out, how, f[i]);
    text_printf(out, "}\n");
    if (h->failed) report(h);
    return !h->failed && !h->reported;
}
