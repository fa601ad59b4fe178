/* What C sees of a program's exported functions.
 *
 * Sizes come first, each once; then the parameters, then the results.  A tuple is its parts, one after the other. */
#include "export/export.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- names of parameters */

/* Words of C and C++ and macros of their headers */
static bool is_taken_word(const char *name) {
    static const char *const words[] = {
        "alignas",
        "alignof",
        "char16_t",
        "char32_t",
        "char8_t",
        "co_await",
        "co_return",
        "co_yield",
        "consteval",
        "constinit",
        "const_cast",
        "dynamic_cast",
        "reinterpret_cast",
        "static_cast",
        "static_assert",
        "thread_local",
        "int8_t",
        "int16_t",
        "int32_t",
        "int64_t",
        "uint8_t",
        "uint16_t",
        "uint32_t",
        "uint64_t",
        "size_t",
        "and",
        "and_eq",
        "asm",
        "assert",
        "auto",
        "bitand",
        "bitor",
        "bool",
        "break",
        "case",
        "catch",
        "char",
        "class",
        "compl",
        "complex",
        "concept",
        "const",
        "constexpr",
        "context",
        "continue",
        "decltype",
        "default",
        "delete",
        "do",
        "double",
        "else",
        "enum",
        "errno",
        "explicit",
        "export",
        "extern",
        "false",
        "float",
        "for",
        "friend",
        "goto",
        "if",
        "inline",
        "int",
        "linux",
        "long",
        "mutable",
        "namespace",
        "new",
        "noexcept",
        "not",
        "not_eq",
        "nullptr",
        "operator",
        "or",
        "or_eq",
        "private",
        "protected",
        "public",
        "register",
        "requires",
        "restrict",
        "return",
        "short",
        "signed",
        "sizeof",
        "static",
        "stderr",
        "stdin",
        "stdout",
        "struct",
        "switch",
        "template",
        "this",
        "throw",
        "true",
        "try",
        "typedef",
        "typeid",
        "typename",
        "typeof",
        "union",
        "unix",
        "unsigned",
        "using",
        "virtual",
        "void",
        "volatile",
        "wchar_t",
        "while",
        "xor",
        "xor_eq",
        "I",
        "NULL",
        "EOF",
        "NAN",
        "INFINITY",
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!strcmp(words[i], name)) return true;
    return !strncmp(name, "dsl_", 4) || !strncmp(name, "DSL_", 4) || name[0] == '_';
}

/* Types of the header */
static bool is_type_name(const Interface *x, const char *name) {
    size_t n = strlen(x->name);
    if (strncmp(name, x->name, n) != 0 || name[n] != '_') return false;
    for (int i = 0; i < x->structs.len; i++)
        if (!strcmp(x->structs.data[i]->decl->name, name + n + 1)) return true;
    return !strcmp(name + n + 1, "context") || !strcmp(name + n + 1, "status");
}

/* An identifier of C that is not in `used`, and now is. */
static const char *fresh(const Interface *x, Map *used, const char *wanted) {
    char copy[64];
    size_t n = 0;
    for (; wanted[n] && n + 1 < sizeof copy; n++)
        copy[n] = isalnum((unsigned char)wanted[n]) && (unsigned char)wanted[n] < 128 ? wanted[n] : '_';
    copy[n] = 0;
    const char *base = intern_printf(x->session, "%s%s", isdigit((unsigned char)copy[0]) || copy[0] == '_' ? "v" : "",
                                     copy),
               *name = base;
    if (is_taken_word(base) || is_type_name(x, base)) name = base = intern_printf(x->session, "%s_", base);
    for (int k = 2; map_has(used, name); k++) name = intern_printf(x->session, "%s_%d", base, k);
    map_put(x->arena, used, name, used);
    return name;
}

/* ---- slots */

static void add_slots(const Interface *x, SlotVec *slots, Map *used, const FType *t, const char *name) {
    if (t->kind != FT_TUPLE) {
        vec_push(x->arena, slots, ((Slot){fresh(x, used, name), t}));
        return;
    }
    for (int i = 0; i < t->nfields; i++)
        add_slots(x, slots, used, t->fields[i], intern_printf(x->session, "%s_%d", name, i));
}

SlotVec interface_fields(const Interface *x, const FType *type) {
    SlotVec fields = {0};
    Map used = {0};
    for (int i = 0; i < type->nfields; i++) add_slots(x, &fields, &used, type->fields[i], type->names[i]);
    return fields;
}

const char *interface_struct_name(const Interface *x, const FType *type) {
    return intern_printf(x->session, "%s_%s", x->name, type->decl->name);
}

const char *interface_c_type(DType t) {
    return t == DT_F16 || t == DT_BF16 ? "uint16_t" : t == DT_STR ? "const char *" : dtype_info(t)->ctype;
}

bool interface_is_inline(const FType *t) {
    for (int i = 0; i < t->rank; i++)
        if (!size_is_const(t->dims[i], NULL)) return false;
    return true;
}

/* ---- sizes */

typedef struct { const Exported *f; bool all; } Known;

static void look_known(void *ctx, const char *sym) {
    Known *k = ctx;
    k->all &= map_has(&k->f->syms, sym);
}

bool interface_size_is_known(const Exported *f, const Size *s) {
    Known k = {f, true};
    size_each_sym(s, look_known, &k);
    return k.all;
}

bool interface_shape_is_known(const Exported *f, const FType *array) {
    for (int i = 0; i < array->rank; i++)
        if (!interface_size_is_known(f, array->dims[i])) return false;
    return true;
}

static const char *quotient(const Interface *x, const char *function, const char *a, const char *b, bool b_is_const) {
    if (b_is_const) return intern_printf(x->session, "%s(%s, %s)", function, a, b);
    return intern_printf(x->session, "(%s == 0 ? (dsl_fail_divzero(NULL), 0) : %s(%s, %s))", b, function, a, b);
}

const char *interface_size(const Interface *x, const Exported *f, const Size *s) {
    SizeNode n = size_node(x->session, s);
    if (n.op == 'c') return intern_printf(x->session, "%lld", (long long)n.c);
    if (n.op == 's') return map_get(&f->syms, n.sym);
    const char *a = interface_size(x, f, n.a), *b = interface_size(x, f, n.b);
    switch (n.op) {
    case '/': return quotient(x, "dsl_idiv_i64", a, b, size_is_const(n.b, NULL));
    case '%': return quotient(x, "dsl_mod_i64", a, b, size_is_const(n.b, NULL));
    case 'M': return intern_printf(x->session, "dsl_max_i64(%s, %s)", a, b);
    case 'm': return intern_printf(x->session, "dsl_min_i64(%s, %s)", a, b);
    case '+': return intern_printf(x->session, "dsl_size_add(%s, %s)", a, b);
    case '*': return intern_printf(x->session, "dsl_size_mul(%s, %s)", a, b);
    default: return intern_printf(x->session, "(%s %c %s)", a, n.op, b);
    }
}

static bool has_out_size(const Exported *f, const Size *s) {
    for (int i = 0; i < f->out_sizes.len; i++)
        if (f->out_sizes.data[i].size == s) return true;
    return false;
}

/* Sizes of t that are known only after the call; `name` says whose they are. */
static void add_out_sizes(const Interface *x, Exported *f, Map *used, const FType *t, const char *name) {
    for (int i = 0; t->kind == FT_STRUCT && i < t->nfields; i++)
        add_out_sizes(x, f, used, t->fields[i], intern_printf(x->session, "%s_%s", name, t->names[i]));
    for (int i = 0; t->kind == FT_ARRAY && i < t->rank; i++) {
        const Size *s = t->dims[i];
        if (interface_size_is_known(f, s) || has_out_size(f, s)) continue;
        const char *sym = size_as_sym(s),
                   *wanted = intern_printf(x->session, t->rank > 1 ? "%s_size%d" : "%s_size", name, i);
        if (sym && isalpha((unsigned char)sym[0]) && !strchr(sym, '.')) wanted = sym;
        vec_push(x->arena, &f->out_sizes, ((OutSize){fresh(x, used, wanted), s}));
    }
}

/* ---- structs */

static void add_structs(Interface *x, const FType *t) {
    if (t->kind == FT_ARRAY) add_structs(x, t->elem);
    if (t->kind != FT_STRUCT && t->kind != FT_TUPLE) return;
    for (int i = 0; i < t->nfields; i++) add_structs(x, t->fields[i]);
    for (int i = 0; i < x->structs.len; i++)
        if (t->kind == FT_TUPLE || x->structs.data[i]->decl == t->decl) return;
    if (t->kind == FT_STRUCT) vec_push(x->arena, &x->structs, t);
}

/* ---- functions */

static void read_structs(Interface *x, const Exported *f) {
    for (int i = 0; i < f->inst->params.len; i++) add_structs(x, f->inst->params.data[i]->type);
    add_structs(x, f->inst->ret);
}

static void read_function(Interface *x, Exported *f) {
    Map used = {0};
    const Inst *inst = f->inst;
    for (int i = 0; i < inst->sizes.len; i++) {
        const Var *v = inst->sizes.data[i];
        const char *name = fresh(x, &used, v->name);
        vec_push(x->arena, &f->sizes, name);
        map_put(x->arena, &f->syms, v->sym, (void *)(uintptr_t)name);
    }
    for (int i = 0; i < inst->params.len; i++) {
        const Var *v = inst->params.data[i];
        add_slots(x, &f->in, &used, v->type, v->name);
        if (v->sym && v->type->kind == FT_SCALAR)
            map_put(x->arena, &f->syms, v->sym, (void *)(uintptr_t)vec_last(&f->in).name);
    }
    if (inst->ret->kind == FT_UNIT) return;
    add_slots(x, &f->out, &used, inst->ret, "result");
    for (int i = 0; i < f->out.len; i++) add_out_sizes(x, f, &used, f->out.data[i].type, f->out.data[i].name);
}

/* Takes the name of d for `what`; false when it is taken. */
static bool take_name(const Interface *x, Map *taken, const Decl *d, const char *what) {
    const char *name = intern(x->session, d->name), *other = map_get(taken, name);
    if (!other) return map_put(x->arena, taken, name, (void *)(uintptr_t)what), true;
    Diag *diag = diag_report(x->session, d->name_span, E_EXPORT_NAME, d->name, other);
    diag_hint(x->session, diag, "give it another name");
    return false;
}

static bool has_texts(const FType *t) {
    bool any = t->kind == FT_ARRAY && t->elem->kind == FT_SCALAR && t->elem->dtype == DT_STR;
    if (t->kind == FT_ARRAY) any |= has_texts(t->elem);
    bool parts = t->kind == FT_TUPLE || t->kind == FT_STRUCT;
    for (int i = 0; parts && i < t->nfields; i++) any |= has_texts(t->fields[i]);
    return any;
}

/* Arrays of texts would belong to two sides at once. */
static bool check_texts(const Interface *x) {
    bool ok = true;
    for (int i = 0; i < x->funcs.len; i++) {
        const Inst *inst = x->funcs.data[i]->inst;
        bool texts = has_texts(inst->ret);
        for (int k = 0; k < inst->params.len; k++) texts |= has_texts(inst->params.data[k]->type);
        if (!texts) continue;
        diag_hint(x->session,
                  diag_report(x->session, inst->decl->name_span, E_EXPORT_NAME, inst->decl->name,
                              "it takes or gives an array of texts"),
                  "give one text, and take it apart: split(names, \",\")");
        ok = false;
    }
    return ok;
}

/* The names behind `waves_` */
static bool check_names(const Interface *x) {
    static const char *const ours[] = {"context", "context_new", "context_free", "set_threads",
                                       "error",   "error_code",  "free",         "status"};
    Map taken = {0};
    bool ok = true;
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
        map_put(x->arena, &taken, intern(x->session, ours[i]),
                (void *)(uintptr_t) "every library has a function or type of this name");
    for (int i = 0; i < x->structs.len; i++)
        ok &= take_name(x, &taken, x->structs.data[i]->decl, "C sees a struct of this name");
    for (int i = 0; i < x->funcs.len; i++)
        ok &= take_name(x, &taken, x->funcs.data[i]->inst->decl,
                        "another exported function has this name, and C has no overloads");
    return ok & check_texts(x);
}

static int by_place(const void *a, const void *b) {
    const Exported *f = *(Exported *const *)a, *g = *(Exported *const *)b;
    return (f->inst->decl->span.lo > g->inst->decl->span.lo) - (f->inst->decl->span.lo < g->inst->decl->span.lo);
}

static const char *capitals(Session *s, const char *name) {
    char *copy = arena_printf(session_arena(s), "%s", name);
    for (char *p = copy; *p; p++) *p = (char)toupper((unsigned char)*p);
    return copy;
}

/* Statements are for who runs the file: like those of an imported one they are left out. */
static void note_statements(const Options *o, const Program *p) {
    if (!p->main.len) return;
    Diag *d = diag_report(o->session, p->main.data[0]->span, W_LIBRARY_STATEMENTS);
    diag_hint(o->session, d, "functions see consts; what else they need are parameters");
}

Interface *interface_read(const Options *o, const Program *p, const char *name) {
    Session *s = o->session;
    Interface *x = NEW(session_arena(s), Interface);
    *x = (Interface){.session = s, .arena = session_arena(s), .name = name, .capital = capitals(s, name)};
    int file = vec_last(&p->units)->file;
    for (int i = 0; i < p->insts.len; i++) {
        const Inst *inst = p->insts.data[i];
        if (!inst->decl || !inst->decl->is_export || inst->decl->span.file != file) continue;
        Exported *f = NEW(x->arena, Exported);
        *f = (Exported){.inst = inst, .c_name = intern_printf(s, "%s_%s", name, inst->decl->name)};
        vec_push(x->arena, &x->funcs, f);
    }
    if (!x->funcs.len) {
        diag_hint(s, diag_report(s, NO_SPAN, E_NO_EXPORT, o->inputs.data[0]),
                  "write `export fn name(...)` for what others may call");
        return NULL;
    }
    qsort(x->funcs.data, (size_t)x->funcs.len, sizeof *x->funcs.data, by_place);
    for (int i = 0; i < x->funcs.len; i++) read_structs(x, x->funcs.data[i]); /* no parameter is called like a type */
    for (int i = 0; i < x->funcs.len; i++) read_function(x, x->funcs.data[i]);
    note_statements(o, p);
    return check_names(x) ? x : NULL;
}
