/* Size symbols that are known: `bind %k {sym = k}` of a constant, or of an expression of other sizes that
 * cannot be negative, makes k another name for it; so does a second bind of an int, or of the greater of it and 0,
 * under the first, and a retype to f64[m], where m comes up, one for the size of its operand.  All types and sizes of
 * the function get the expression itself, so that extents become constants and shapes compare equal. */
#include "analysis/range.h"
#include "ir/index.h"
#include "opt/par/fold.h"

typedef struct { Func *func; Arena *scratch; Map sizes, defined; VEC(Op *) binds; bool any; } Known;

static const Size *known_size(void *ctx, const char *sym) { return map_get(&((Known *)ctx)->sizes, sym); }

typedef struct { const char *sym; bool found; } Search;
static void is_sym(void *ctx, const char *sym) { ((Search *)ctx)->found |= ((Search *)ctx)->sym == sym; }

/* Callers know the function's results by its symbols: those keep their names. */
static bool is_in_signature(const Func *f, const char *sym) {
    Search s = {sym, false};
    for (int i = 0; i < f->nres; i++)
        for (int k = 0; k < f->res_types[i]->rank; k++) size_each_sym(f->res_types[i]->dims[k], is_sym, &s);
    return s.found;
}

static void define(Known *k, const char *sym, const Size *size) {
    map_put(k->scratch, &k->defined, sym, k);
    if (!size || is_in_signature(k->func, sym)) return;
    map_put(k->scratch, &k->sizes, sym, (void *)(uintptr_t)size);
    k->any = true;
}

/* The symbols that come up in type; from: of the operand, whose sizes they are, or NULL */
static void define_type(Known *k, const Type *type, const Type *from) {
    Session *s = k->func->module->session;
    for (int i = 0; i < type->rank; i++) {
        const char *sym = size_as_sym(type->dims[i]);
        if (sym && !map_has(&k->defined, sym))
            define(k, sym, from ? size_subst(s, from->dims[i], known_size, k) : NULL);
    }
}

/* The size that v, an int, was bound to in a region around op; the walk comes to binds in order. */
static const Size *bound_before(Known *k, const Value *v, const Op *op) {
    for (const Use *u = v->uses; u; u = u->next) {
        const Op *bind = u->user;
        const char *sym = bind->code == OP_BIND && bind != op ? op_sym(bind, A_SYM) : NULL;
        if (!sym || !map_has(&k->defined, sym) || !region_encloses(bind->parent, op->parent)) continue;
        const Size *size = map_get(&k->sizes, sym);
        return size ? size : size_sym(k->func->module->session, sym);
    }
    return NULL;
}

/* Of max(v, 0) and max(-v, 0), too: what is bound is not negative. */
static const Size *bound_size(Known *k, const Value *v, const Op *op) {
    int64_t c;
    const Op *def = v->def;
    const Size *size = bound_before(k, v, op);
    if (size || !def || def->code != OP_MAX || !value_const_int(op_opnd(def, 1), &c) || c) return size;
    const Op *neg = op_opnd(def, 0)->def;
    if ((size = bound_before(k, op_opnd(def, 0), op)) || !neg || neg->code != OP_NEG) return size;
    return bound_before(k, op_opnd(neg, 0), op) ? size_const(k->func->module->session, 0) : NULL;
}

static void collect(void *ctx, Op *op) {
    Known *k = ctx;
    Session *s = k->func->module->session;
    if (op->code == OP_RETYPE && op_opnd(op, 0)->type->rank == op->res[0].type->rank)
        define_type(k, op->res[0].type, op_opnd(op, 0)->type);
    else if (op->code != OP_BIND)
        for (int i = 0; i < op->nres; i++) define_type(k, op->res[i].type, NULL);
    if (op->code != OP_BIND || is_in_signature(k->func, op_sym(op, A_SYM))) return;
    const Size *size = value_size(s, op_opnd(op, 0), false);
    int64_t c;
    if (size) size = size_subst(s, size, known_size, k); /* binds before this one are known already */
    else size = bound_size(k, op_opnd(op, 0), op);
    bool far = size && size_is_const(size, &c) && !range_is_near(c); /* the program ends at the bind */
    define(k, op_sym(op, A_SYM), size && !far && size_is_natural(s, size) ? size : NULL);
    if (map_has(&k->sizes, op_sym(op, A_SYM))) vec_push(k->scratch, &k->binds, op);
}

void func_subst_sizes(Func *f, SizeSubst subst, void *ctx) {
    Session *s = f->module->session;
    for (int i = 0; i < f->body->nargs; i++) f->body->args[i]->type = type_subst(s, f->body->args[i]->type, subst, ctx);
    for (int i = 0; i < f->nres; i++) f->res_types[i] = type_subst(s, f->res_types[i], subst, ctx);
    region_subst_sizes(f->body, subst, ctx);
}

bool fold_binds(Func *f) {
    Known k = {.func = f, .scratch = arena_new()};
    for (int i = 0; i < f->body->nargs; i++) define_type(&k, f->body->args[i]->type, NULL);
    region_walk(f->body, collect, &k);
    for (int i = 0; i < k.binds.len; i++) op_erase(k.binds.data[i]);
    if (k.any) func_subst_sizes(f, known_size, &k);
    arena_free(k.scratch);
    return k.any;
}
