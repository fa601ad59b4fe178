/* Arguments of a program: arg steps: int = 1000.
 *
 * The program begins by telling the runtime of each (dsl_x_arg_declare) and has it read the command line
 * (dsl_x_args_read); where the argument stands, its value is asked for, and the default value given.  All are calls of
 * extern functions, so that an argument is a value of run time to all that follows.  In a session, which has no command
 * line, the default value is the value. */
#include "lower/ast/private.h"

#include <string.h>

static const Type *scalar(Fn *f, DType t) { return type_scalar(f->session, t); }
static Value *text(Fn *f, const char *s) { return build_const(&f->b, (Const){.dtype = DT_STR, .s = s}); }

/* The extern function, made at its first call */
static Op *call(Fn *f, const char *name, int n, Value *const *args, const Type *result) {
    Module *m = f->l->module;
    if (!module_find(m, name)) {
        Func *func = func_new(m, name, FUNC_EXTERN, NO_SPAN);
        for (int i = 0; i < n; i++) region_add_arg(func->body, args[i]->type, NULL);
        func->nres = result != NULL;
        func->res_types = NEWN(f->arena, const Type *, 1);
        func->res_types[0] = result;
    }
    Op *op = build_op(&f->b, OP_EXTERN, n, args, result != NULL, &result, 0);
    op_set_sym(op, A_FUNC, name);
    return op;
}

/* As it is written; "": there is none */
static const char *default_text(Fn *f, Span at) {
    size_t len;
    return at.file < 0 ? ""
                       : intern_n(f->session, source_text(f->session, at.file, &len) + at.lo, (size_t)(at.hi - at.lo));
}

static void declare(Fn *f, const Stmt *s) {
    const char *type = dtype_info(s->vars.data[0]->type->dtype)->name;
    Value *args[] = {text(f, s->names.data[0]), text(f, type), text(f, default_text(f, s->default_at)),
                     text(f, s->doc)};
    call(f, "dsl_x_arg_declare", 4, args, NULL);
}

/* The ## lines at the beginning of the file, when they stand alone: those above a declaration are about that. */
static const char *leading_comment(Fn *f, int file) {
    size_t len;
    const char *c = source_text(f->session, file, &len);
    Text t;
    text_init(&t, f->arena);
    if (!strncmp(c, "#!", 2)) c += strcspn(c, "\n"), c += *c == '\n';
    for (; !strncmp(c, "##", 2); c += *c == '\n') {
        c += 2 + (c[2] == ' ');
        size_t n = strcspn(c, "\n");
        text_printf(&t, "%s%.*s", t.len ? "\n" : "", (int)n, c);
        c += n;
    }
    return *c == '\n' || *c == '\r' || !*c ? intern(f->session, text_str(&t)) : "";
}

void lower_args_begin(Fn *f) {
    const Program *p = f->l->program;
    bool any = false;
    for (int i = 0; i < p->main.len && !p->in_session; i++) {
        if (!p->main.data[i]->is_arg) continue;
        declare(f, p->main.data[i]);
        any = true;
    }
    if (!any) return;
    Value *doc = text(f, leading_comment(f, vec_last(&p->units)->file));
    call(f, "dsl_x_args_read", 1, &doc, NULL);
}

static const char *getter(DType t) {
    if (t == DT_STR) return "dsl_x_arg_str";
    return t == DT_BOOL ? "dsl_x_arg_bool" : dtype_is_float(t) ? "dsl_x_arg_float" : "dsl_x_arg_int";
}

static DType widest(DType t) { return t == DT_STR || t == DT_BOOL ? t : dtype_is_float(t) ? DT_F64 : DT_I64; }

Value *lower_program_arg(Fn *f, const Stmt *s) {
    DType t = s->vars.data[0]->type->dtype;
    Value *value = s->a ? lower_expr(f, s->a).v[0] : zero_of(f, scalar(f, t));
    if (f->l->program->in_session) return value;
    Value *args[] = {text(f, s->names.data[0]), t == DT_STR ? value : build_cast(&f->b, value, widest(t))};
    Value *given = &call(f, getter(t), 2, args, scalar(f, widest(t)))->res[0];
    return t == DT_STR ? given : build_cast(&f->b, given, t);
}
