/* Size symbols that the regions of an operation define: each belongs to one run of its region, and has one definition
 * in the function.  A copy of a region needs names of its own for them. */
#include "ir/ir.h"

bool op_brings_sizes(const Op *op) {
    return op->code == OP_LOADFILE || op->code == OP_CALL || op->code == OP_EXTERN || op->code == OP_RETYPE ||
           op->code == OP_VIEW || op->code == OP_JVP; /* what a jvp stands for may be such a call */
}

static bool has_axis(const Type *t, const char *sym) {
    for (int i = 0; i < t->rank; i++)
        if (size_as_sym(t->dims[i]) == sym) return true;
    return false;
}

static bool knows(const Op *op, const char *sym) {
    if (op->code == OP_BIND) return op_sym(op, A_SYM) == sym;
    for (int i = 0; i < op->nres && op_brings_sizes(op); i++)
        if (has_axis(op->res[i].type, sym)) return true;
    return false;
}

/* Whether sym is defined before op, in the regions around it */
static bool is_known_at(const Op *op, const char *sym) {
    for (const Region *r = op->parent; r; op = r->owner, r = op ? op->parent : NULL) {
        for (const Op *o = r->first; o != op; o = o->next)
            if (knows(o, sym)) return true;
        for (int i = 0; i < r->nargs; i++)
            if (has_axis(r->args[i]->type, sym)) return true;
    }
    return false;
}

static void forget_unknown(void *ctx, const char *sym) {
    const Op **at = ctx;
    if (*at && !is_known_at(*at, sym)) *at = NULL;
}

bool size_is_known_at(const Op *op, const Size *size) {
    size_each_sym(size, forget_unknown, &op);
    return op != NULL;
}

static void each_sym_of_type(const Type *t, void (*f)(void *ctx, const char *sym), void *ctx) {
    for (int i = 0; i < t->rank; i++) size_each_sym(t->dims[i], f, ctx);
}

void op_each_sym(const Op *op, void (*f)(void *ctx, const char *sym), void *ctx) {
    const Attr *sizes = op_attr(op, A_SIZE);
    for (int i = 0; sizes && i < sizes->n; i++) size_each_sym(sizes->sizes[i], f, ctx);
    for (int i = 0; i < op->nres; i++) each_sym_of_type(op->res[i].type, f, ctx);
    for (int k = 0; k < op->nregs; k++)
        for (int i = 0; i < op->regs[k]->nargs; i++) each_sym_of_type(op->regs[k]->args[i]->type, f, ctx);
}

typedef struct { void (*f)(void *ctx, const char *sym); void *ctx; } Visit;

static void each_defined(const Op *op, const Visit *v) {
    if (op->code == OP_BIND) return v->f(v->ctx, op_sym(op, A_SYM));
    for (int i = 0; i < op->nres && op_brings_sizes(op); i++)
        for (int k = 0; k < op->res[i].type->rank; k++) {
            const char *sym = size_as_sym(op->res[i].type->dims[k]);
            if (sym && !is_known_at(op, sym)) v->f(v->ctx, sym);
        }
}

static void found(void *ctx, const char *sym) { *(bool *)ctx |= sym != NULL; }

bool op_defines_sizes(const Op *op) {
    bool any = false;
    each_defined(op, &(Visit){found, &any});
    return any;
}

/* ---- new names */

static void rename_size(void *ctx, const char *sym) {
    SizeNames *n = ctx;
    if (map_has(&n->names, sym)) return;
    const char *fresh = module_fresh_sym(n->module, sym);
    map_put(n->module->arena, &n->names, sym, (void *)(uintptr_t)size_sym(n->module->session, fresh));
}

static void rename_defined(void *ctx, Op *op) { each_defined(op, &(Visit){rename_size, ctx}); }

SizeNames region_new_names(Region *r) {
    SizeNames n = {.module = r->func->module};
    region_walk(r, rename_defined, &n);
    return n;
}

const Size *size_new_name(void *ctx, const char *sym) { return map_get(&((SizeNames *)ctx)->names, sym); }

/* ---- in place */

typedef struct { Module *module; SizeSubst subst; void *ctx; } Subst;

static void subst_attrs(const Subst *k, Op *op) {
    const Attr *a = op_attr(op, A_SIZE);
    if (!a) return;
    const Size **sizes = NEWN(k->module->arena, const Size *, a->n);
    for (int i = 0; i < a->n; i++) sizes[i] = size_subst(k->module->session, a->sizes[i], k->subst, k->ctx);
    op_set_attr(op, (Attr){.id = A_SIZE, .n = a->n, .sizes = sizes});
}

static void subst_op(void *ctx, Op *op) {
    const Subst *k = ctx;
    Session *s = k->module->session;
    for (int i = 0; i < op->nres; i++) op->res[i].type = type_subst(s, op->res[i].type, k->subst, k->ctx);
    for (int r = 0; r < op->nregs; r++)
        for (int i = 0; i < op->regs[r]->nargs; i++) {
            Value *arg = op->regs[r]->args[i];
            arg->type = type_subst(s, arg->type, k->subst, k->ctx);
        }
    subst_attrs(k, op);
}

void region_subst_sizes(Region *r, SizeSubst subst, void *ctx) {
    Subst k = {r->func->module, subst, ctx};
    region_walk(r, subst_op, &k);
}

static void rename_bind(void *ctx, Op *op) {
    const Size *fresh = op->code == OP_BIND ? size_new_name(ctx, op_sym(op, A_SYM)) : NULL;
    if (fresh) op_set_sym(op, A_SYM, size_as_sym(fresh));
}

void op_rename_sizes(Op *op) {
    for (int i = 0; i < op->nregs; i++) {
        SizeNames n = region_new_names(op->regs[i]);
        if (!n.names.len) continue;
        region_subst_sizes(op->regs[i], size_new_name, &n);
        region_walk(op->regs[i], rename_bind, &n);
    }
}
