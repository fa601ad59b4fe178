/* IR as text.
 *
 * Value names come from their hints, made unique within the function in order of definition: x, x.1,
 * x.2; values without a hint are numbers.  Names that are already distinct stay as they are, so that
 * reading the text and printing it again gives the same text. */
#include "ir/private.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    Text *out;
    Session *session;
    Arena *scratch;
    Map names;    /* Value -> its name */
    Map taken;    /* name -> non-NULL */
    Map counters; /* stem -> last suffix given, as int in the pointer */
    int next_number;
    bool locs;
    OpRemark *remark; /* NULL: none */
    void *ctx;        /* for it */
} Printer;

/* ---- names */

static bool all_digits(const char *s) { return s[strspn(s, "0123456789")] == 0; }

/* The hint with only characters that the reader takes for a name; NULL when there is none. */
static const char *clean_hint(Printer *p, const char *hint) {
    if (!hint || !*hint || all_digits(hint)) return NULL;
    bool clean = true;
    for (const char *c = hint; *c; c++) clean &= isalnum((unsigned char)*c) || *c == '_' || *c == '.';
    if (clean) return hint;
    char *copy = arena_strndup(p->scratch, hint, strlen(hint));
    for (char *c = copy; *c; c++)
        if (!isalnum((unsigned char)*c) && *c != '.') *c = '_';
    return copy;
}

/* Length of the name without a numeric suffix ".12". */
static size_t stem_length(const char *name) {
    const char *dot = strrchr(name, '.');
    return dot && dot != name && dot[1] && all_digits(dot + 1) ? (size_t)(dot - name) : strlen(name);
}

static const char *fresh_name(Printer *p, const char *hint) {
    const char *name = intern(p->session, hint);
    const char *stem = intern_n(p->session, hint, stem_length(hint));
    while (map_has(&p->taken, name)) {
        intptr_t k = (intptr_t)map_get(&p->counters, stem) + 1;
        map_put(p->scratch, &p->counters, stem, (void *)k);
        name = intern_printf(p->session, "%s.%d", stem, (int)k);
    }
    map_put(p->scratch, &p->taken, name, p);
    return name;
}

static void name_value(Printer *p, const Value *v) {
    const char *hint = clean_hint(p, v->name);
    const char *name = hint ? fresh_name(p, hint) : intern_printf(p->session, "%d", p->next_number++);
    map_put(p->scratch, &p->names, v, (void *)(uintptr_t)name);
}

static void name_region(Printer *p, const Region *r) {
    for (int i = 0; i < r->nargs; i++) name_value(p, r->args[i]);
    for (const Op *o = r->first; o; o = o->next) {
        for (int i = 0; i < o->nres; i++) name_value(p, &o->res[i]);
        for (int i = 0; i < o->nregs; i++) name_region(p, o->regs[i]);
    }
}

/* ---- pieces */

static void put(Printer *p, const char *s) { text_add(p->out, s, strlen(s)); }

static void put_value(Printer *p, const Value *v) {
    const char *name = map_get(&p->names, v);
    text_printf(p->out, "%%%s", name ? name : "<foreign>");
}

static void put_quoted(Printer *p, const char *s) {
    put(p, "\"");
    for (; *s; s++) {
        unsigned char c = (unsigned char)*s;
        if (c == '"' || c == '\\') text_printf(p->out, "\\%c", c);
        else if (c == '\n') put(p, "\\n");
        else if (c == '\t') put(p, "\\t");
        else if (c < 32 || c == 127) text_printf(p->out, "\\x%02x", c);
        else text_add(p->out, s, 1);
    }
    put(p, "\"");
}

/* The shortest decimal text that reads back as x, with a point or an exponent. */
static void put_float(Printer *p, DType t, double x) {
    char buf[40];
    bool single = t != DT_F64;
    if (isnan(x)) {
        put(p, "nan");
        return;
    }
    if (isinf(x)) {
        put(p, x < 0 ? "-inf" : "inf");
        return;
    }
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(buf, sizeof buf, "%.*g", digits, x);
        if (single ? strtof(buf, NULL) == (float)x : strtod(buf, NULL) == x) break;
    }
    put(p, buf);
    if (!strpbrk(buf, ".e")) put(p, ".0");
}

static void put_const(Printer *p, const Const *c) {
    switch (dtype_info(c->dtype)->kind) {
    case DK_BOOL: put(p, c->i ? "true" : "false"); return;
    case DK_INT: text_printf(p->out, "%lld", (long long)c->i); return;
    case DK_UINT: text_printf(p->out, "%llu", (unsigned long long)c->i); return;
    case DK_FLOAT: put_float(p, c->dtype, c->f); return;
    case DK_STR: put_quoted(p, c->s ? c->s : ""); return;
    }
}

static void put_sizes(Printer *p, const Attr *a) {
    if (a->n != 1) put(p, "[");
    for (int i = 0; i < a->n; i++) {
        if (i) put(p, ", ");
        size_print(p->out, a->sizes[i]);
    }
    if (a->n != 1) put(p, "]");
}

static void put_ints(Printer *p, const Attr *a) {
    put(p, "[");
    for (int i = 0; i < a->n; i++) text_printf(p->out, "%s%lld", i ? ", " : "", (long long)a->ints[i]);
    put(p, "]");
}

static void put_consts(Printer *p, const Attr *a) {
    put(p, "[");
    for (int i = 0; i < a->n; i++) {
        if (i) put(p, ", ");
        put_const(p, &a->consts[i]);
    }
    put(p, "]");
}

static void put_attr(Printer *p, const Attr *a) {
    const AttrInfo *info = &attr_table[a->id];
    put(p, info->name);
    if (info->type != AT_FLAG) put(p, " = ");
    switch (info->type) {
    case AT_FLAG: return;
    case AT_COMBINE: put(p, combine_info((Combine)a->i)->word); return;
    case AT_LOOP: put(p, loop_word((LoopKind)a->i)); return;
    case AT_SYM: put(p, a->s); return;
    case AT_STR: put_quoted(p, a->s); return;
    case AT_CONST: put_const(p, &a->c); return;
    case AT_CONSTS: put_consts(p, a); return;
    case AT_INTS: put_ints(p, a); return;
    case AT_SIZES: put_sizes(p, a); return;
    case AT_FUNC: text_printf(p->out, "@%s", a->s); return;
    }
}

/* Attributes in the table's order, whatever the order they were set in. */
static void put_attrs(Printer *p, const Op *op) {
    const char *sep = " {";
    for (int id = 0; op->nattrs && id < ATTR_COUNT; id++) {
        const Attr *a = op_attr(op, (AttrId)id);
        if (!a) continue;
        put(p, sep);
        put_attr(p, a);
        sep = ", ";
    }
    if (op->nattrs) put(p, "}");
}

static void put_indent(Printer *p, int depth) { text_printf(p->out, "%*s", 2 * depth, ""); }

static void put_args(Printer *p, const Region *r) {
    put(p, "(");
    for (int i = 0; i < r->nargs; i++) {
        if (i) put(p, ", ");
        put_value(p, r->args[i]);
        put(p, ": ");
        type_print(p->out, r->args[i]->type);
    }
    put(p, ")");
}

static void put_op(Printer *p, const Op *op, int depth);

static void put_body(Printer *p, const Region *r, int depth) {
    for (const Op *o = r->first; o; o = o->next) put_op(p, o, depth);
}

static void put_remark(Printer *p, const Op *op) {
    Text remark;
    if (!p->remark) return;
    text_init(&remark, p->scratch);
    p->remark(p->ctx, &remark, op, &p->names);
    if (remark.len) text_printf(p->out, "  # %s", text_str(&remark));
}

static void put_region(Printer *p, const Op *op, int i, int depth) {
    const Region *r = op->regs[i];
    put(p, " {");
    if (i == 0) put_remark(p, op);
    put(p, "\n");
    if (r->nargs) {
        put_indent(p, depth + 1);
        put_args(p, r);
        put(p, "\n");
    }
    put_body(p, r, depth + 1);
    put_indent(p, depth);
    put(p, "}");
}

static void put_loc(Printer *p, const Op *op) {
    if (!p->locs || op->span.file < 0) return;
    Place at = source_place(p->session, op->span.file, op->span.lo);
    text_printf(p->out, " !%d:%d", at.line, at.col);
}

static void put_op(Printer *p, const Op *op, int depth) {
    put_indent(p, depth);
    for (int i = 0; i < op->nres; i++) {
        if (i) put(p, ", ");
        put_value(p, &op->res[i]);
    }
    if (op->nres) put(p, " = ");
    put(p, op_info(op->code)->mnemonic);
    for (int i = 0; i < op->nopnds; i++) {
        put(p, i ? ", " : "(");
        put_value(p, op_opnd(op, i));
    }
    if (op->nopnds) put(p, ")");
    put_attrs(p, op);
    for (int i = 0; i < op->nres; i++) {
        put(p, i ? ", " : " : ");
        type_print(p->out, op->res[i].type);
    }
    for (int i = 0; i < op->nregs; i++) put_region(p, op, i, depth);
    put_loc(p, op);
    if (!op->nregs) put_remark(p, op);
    put(p, "\n");
}

/* ---- functions */

static const char *const kind_words[] = {"func", "main", "test", "bench", "extern func"};

static void put_func(Printer *p, const Func *f) {
    name_region(p, f->body);
    if (f->is_export) put(p, "export ");
    if (f->recursive) put(p, "recursive ");
    text_printf(p->out, "%s @%s", kind_words[f->kind], f->name);
    if (f->title) {
        put(p, " ");
        put_quoted(p, f->title);
        put(p, " ");
    }
    put_args(p, f->body);
    for (int i = 0; i < f->nres; i++) {
        put(p, i ? ", " : " -> (");
        type_print(p->out, f->res_types[i]);
    }
    if (f->nres) put(p, ")");
    if (f->vjp) text_printf(p->out, " vjp @%s", f->vjp);
    if (f->jvp) text_printf(p->out, " jvp @%s", f->jvp);
    if (f->kind != FUNC_EXTERN) {
        put(p, " {\n");
        put_body(p, f->body, 1);
        put(p, "}");
    }
    put(p, "\n");
}

/* how: locations or remarks, where they are wanted */
static Printer printer_new(Text *out, const Func *f, Printer how) {
    how.out = out, how.session = f->module->session, how.scratch = arena_new();
    return how;
}

static void print_func(Text *out, const Func *f, Printer how) {
    Printer p = printer_new(out, f, how);
    put_func(&p, f);
    arena_free(p.scratch);
}

static const char *const stage_names[STAGE_COUNT] = {"ir", "par", "loops"};

const char *stage_name(Stage s) { return stage_names[s]; }

bool stage_find(const char *name, Stage *out) {
    for (int i = 0; i < STAGE_COUNT; i++)
        if (!strcmp(stage_names[i], name)) {
            *out = (Stage)i;
            return true;
        }
    return false;
}

static void print_module(Text *out, const Module *m, Printer how) {
    text_printf(out, "module stage=%s\n", stage_names[m->stage]);
    for (int i = 0; i < m->funcs.len; i++) {
        text_add(out, "\n", 1);
        print_func(out, m->funcs.data[i], how);
    }
}

void op_print(Text *out, const Op *op) {
    const Func *f = op->parent ? op->parent->func : NULL;
    if (!f) {
        text_printf(out, "%s (erased)", op_info(op->code)->mnemonic);
        return;
    }
    Printer p = printer_new(out, f, (Printer){0});
    name_region(&p, f->body);
    put_op(&p, op, 0);
    arena_free(p.scratch);
}

void func_print(Text *out, const Func *f) { print_func(out, f, (Printer){0}); }
void module_print(Text *out, const Module *m) { print_module(out, m, (Printer){0}); }
void module_print_locs(Text *out, const Module *m) { print_module(out, m, (Printer){.locs = true}); }

void module_print_remarks(Text *out, const Module *m, OpRemark *remark, void *ctx) {
    print_module(out, m, (Printer){.remark = remark, .ctx = ctx});
}
