/* Checks a module against the table and against the rules of structure: counts, levels, attributes,
 * terminators, lists of uses, dominance of values and of size symbols, what islands may see.  The
 * rules of single operations are in verify_ops.c. */
#include "ir/private.h"

#include <string.h>

enum { MAX_ERRORS = 20 };

typedef struct {
    Verifier v;
    const Func *func;
    const Op *island;        /* around the ops looked at; NULL at function level */
    Arena *scratch;
    Map visible;             /* size symbol -> non-NULL while its definition dominates */
    Map defined;             /* size symbol -> non-NULL once any definition was seen */
    Map places;              /* region around -> its op that the walk is in */
    VEC(const char *) stack; /* the visible symbols, innermost last */
    const Op *at;            /* for messages of callbacks */
} Checker;

/* ---- reporting */

static const char *op_line(Session *s, const Op *op) {
    Text t;
    text_init(&t, session_arena(s));
    op_print(&t, op);
    return intern_n(s, text_str(&t), strcspn(text_str(&t), "\n"));
}

bool verify_fail(Verifier *v, const Op *op, const char *fmt, ...) {
    va_list ap;
    Text t;
    if (v->errors++ >= MAX_ERRORS) return false;
    text_init(&t, session_arena(v->session));
    va_start(ap, fmt);
    text_vprintf(&t, fmt, ap);
    va_end(ap);
    const Func *f = op->parent ? op->parent->func : NULL;
    Diag *d = diag_report(v->session, op->span, E_IR_INVALID, v->when, text_str(&t));
    diag_note(v->session, d, NO_SPAN, "in @%s: %s", f ? f->name : "?", op_line(v->session, op));
    return false;
}

static bool func_fail(Checker *c, const char *what) {
    const char *text = intern_printf(c->v.session, "@%s: %s", c->func->name, what);
    c->v.errors++;
    diag_report(c->v.session, c->func->span, E_IR_INVALID, c->v.when, text);
    return false;
}

/* ---- counts, from the names in the table: "x idx..." is one or more */

static bool count_fits(const char *names, int n) {
    int words = 0;
    for (const char *p = names; *p; words++) {
        size_t len = strcspn(p, " ");
        if (len > 3 && !memcmp(p + len - 3, "...", 3)) return n >= words;
        p += len;
        while (*p == ' ') p++;
    }
    return n == words;
}

static bool check_counts(Checker *c, const Op *op) {
    const OpInfo *info = op_info(op->code);
    if (!count_fits(info->operands, op->nopnds))
        return verify_fail(&c->v, op, "%s has operands (%s), not %d", info->mnemonic, info->operands, op->nopnds);
    if (!count_fits(info->results, op->nres))
        return verify_fail(&c->v, op, "%s has results (%s), not %d", info->mnemonic, info->results, op->nres);
    if (info->regions >= 0 && info->regions != op->nregs)
        return verify_fail(&c->v, op, "%s has %d regions, not %d", info->mnemonic, info->regions, op->nregs);
    return true;
}

/* ---- attributes */

static bool check_attrs(Checker *c, const Op *op) {
    AttrId id;
    bool optional;
    for (int i = 0; i < op->nattrs; i++)
        if (!opcode_takes(op->code, op->attrs[i].id))
            return verify_fail(&c->v, op, "attribute '%s' has no meaning here", attr_table[op->attrs[i].id].name);
    for (const char *spec = op_info(op->code)->attrs; attr_next(&spec, &id, &optional);)
        if (!optional && !op_attr(op, id))
            return verify_fail(&c->v, op, "attribute '%s' is missing", attr_table[id].name);
    return true;
}

/* ---- levels */

static bool check_level(Checker *c, const Op *op) {
    int level = c->island ? LV_ISLAND : c->v.module->stage >= STAGE_LOOPS ? LV_LOOPS : LV_HOST;
    if (op_info(op->code)->levels & level) return true;
    return verify_fail(&c->v, op, "%s may not stand %s at stage %s", op_info(op->code)->mnemonic,
                       c->island ? "inside an island" : "at function level", stage_name(c->v.module->stage));
}

/* ---- uses and dominance */

static bool is_linked(const Use *u) {
    return (u->prev ? u->prev->next == u : u->val->uses == u) && (!u->next || u->next->prev == u);
}

static bool check_uses_of(Checker *c, const Op *at, const Value *v) {
    for (const Use *u = v->uses; u; u = u->next) {
        if (u->val != v || !is_linked(u)) return verify_fail(&c->v, at, "a list of uses is broken");
        if (!u->user->parent || u->user->parent->func != c->func)
            return verify_fail(&c->v, at, "%s, which is not in this function, uses a result",
                               op_info(u->user->code)->mnemonic);
    }
    return true;
}

/* Does its definition dominate where the walk is? */
static bool is_defined(const Checker *c, const Value *v) {
    const Op *at = map_get(&c->places, value_region(v));
    return at && (!v->def || v->def->order < at->order);
}

static bool check_operand(Checker *c, const Op *op, int i) {
    const Use *u = &op->opnds[i];
    if (u->user != op || u->index != i || !is_linked(u)) return verify_fail(&c->v, op, "operand %d: broken use", i);
    if (u->val->def && !u->val->def->parent) return verify_fail(&c->v, op, "operand %d was erased", i);
    if (!is_defined(c, u->val)) return verify_fail(&c->v, op, "operand %d does not dominate its use", i);
    if (!c->island && u->val->type->kind == TY_BUF)
        return verify_fail(&c->v, op, "operand %d: a buffer outside islands", i);
    if (c->island && u->val->type->kind == TY_TENSOR)
        return verify_fail(&c->v, op, "operand %d: a tensor inside an island", i);
    return true;
}

static bool check_links(Checker *c, const Op *op) {
    for (int i = 0; i < op->nopnds; i++)
        if (!check_operand(c, op, i)) return false;
    for (int i = 0; i < op->nres; i++) {
        const Value *r = &op->res[i];
        if (r->def != op || r->index != i) return verify_fail(&c->v, op, "result %d does not know its place", i);
        if (c->island && r->type->kind == TY_TENSOR) return verify_fail(&c->v, op, "a tensor inside an island");
        if (!check_uses_of(c, op, r)) return false;
    }
    return true;
}

/* ---- size symbols */

static void define(Checker *c, const char *sym) {
    map_put(c->scratch, &c->visible, sym, c);
    map_put(c->scratch, &c->defined, sym, c);
    vec_push(c->scratch, &c->stack, sym);
}

static void leave_scope(Checker *c, int height) {
    while (c->stack.len > height) map_put(c->scratch, &c->visible, vec_pop(&c->stack), NULL);
}

static void define_bare(Checker *c, const Type *t) {
    for (int i = 0; i < t->rank; i++) {
        const char *sym = size_as_sym(t->dims[i]);
        if (sym && !map_has(&c->defined, sym)) define(c, sym);
    }
}

static void check_sym(void *ctx, const char *sym) {
    Checker *c = ctx;
    if (map_get(&c->visible, sym)) return;
    if (c->at) verify_fail(&c->v, c->at, "size symbol '%s' is not defined here", sym);
    else func_fail(c, intern_printf(c->v.session, "size symbol '%s' is not defined", sym));
}

static void check_sizes(Checker *c, const Op *at, int n, const Size *const *sizes) {
    c->at = at;
    for (int i = 0; i < n; i++) size_each_sym(sizes[i], check_sym, c);
}

static void check_symbols(Checker *c, const Op *op) {
    const Attr *sizes = op_attr(op, A_SIZE);
    if (sizes) check_sizes(c, op, sizes->n, sizes->sizes);
    for (int i = 0; i < op->nres && op_brings_sizes(op); i++) define_bare(c, op->res[i].type);
    for (int i = 0; i < op->nres; i++) check_sizes(c, op, op->res[i].type->rank, op->res[i].type->dims);
    for (int i = 0; i < op->nregs; i++)
        for (int k = 0; k < op->regs[i]->nargs; k++)
            check_sizes(c, op, op->regs[i]->args[k]->type->rank, op->regs[i]->args[k]->type->dims);
    if (op->code != OP_BIND) return;
    const char *sym = op_sym(op, A_SYM);
    if (map_has(&c->defined, sym)) verify_fail(&c->v, op, "size symbol '%s' has a second definition", sym);
    define(c, sym);
}

/* ---- regions */

static void check_region(Checker *c, const Region *r);

static bool check_terminator(Checker *c, const Op *op) {
    bool is_term = op_info(op->code)->traits & TR_TERM;
    bool last = op == op->parent->last;
    OpCode want = op->parent->owner ? OP_YIELD : OP_RETURN;
    if (is_term && !last) return verify_fail(&c->v, op, "%s before the end of its region", op_info(op->code)->mnemonic);
    if (last && op->code != want) return verify_fail(&c->v, op, "the region must end in %s", op_info(want)->mnemonic);
    return true;
}

static bool check_place(Checker *c, const Op *op, const Region *r) {
    if (op->parent != r || (op->prev ? op->prev->next != op : r->first != op) || (!op->next && r->last != op))
        return verify_fail(&c->v, op, "the list of operations is broken");
    if (op->prev && op->prev->order >= op->order) return verify_fail(&c->v, op, "order numbers do not grow");
    return true;
}

static void check_op(Checker *c, const Op *op) {
    bool sound = check_counts(c, op) && check_attrs(c, op) && check_level(c, op) && check_terminator(c, op) &&
                 check_links(c, op);
    if (!sound) return;
    check_symbols(c, op);
    if (!verify_op_types(&c->v, op)) return;
    const Op *outer = c->island;
    if (op->code == OP_ISLAND) c->island = op;
    for (int i = 0; i < op->nregs; i++) {
        const Region *r = op->regs[i];
        if (r->owner != op || r->func != c->func) verify_fail(&c->v, op, "region %d does not know its owner", i);
        else if (!r->last) verify_fail(&c->v, op, "region %d is empty", i);
        else check_region(c, r);
    }
    c->island = outer;
}

static void check_args(Checker *c, const Region *r) {
    for (int i = 0; i < r->nargs; i++) {
        const Value *a = r->args[i];
        if (a->region != r || a->index != i || a->def) func_fail(c, "a region argument does not know its place");
        if (r->owner) check_uses_of(c, r->owner, a);
    }
}

static void check_region(Checker *c, const Region *r) {
    int height = c->stack.len;
    check_args(c, r);
    for (const Op *op = r->first; op && c->v.errors < MAX_ERRORS; op = op->next) {
        if (!check_place(c, op, r)) break;
        map_put(c->scratch, &c->places, r, (void *)op);
        check_op(c, op);
    }
    map_put(c->scratch, &c->places, r, NULL);
    leave_scope(c, height);
}

/* ---- functions */

static void check_params(Checker *c) {
    const Region *r = c->func->body;
    for (int i = 0; i < r->nargs; i++) {
        if (r->args[i]->type->kind == TY_BUF) func_fail(c, "a buffer as a parameter");
        define_bare(c, r->args[i]->type);
    }
    for (int i = 0; i < r->nargs; i++) check_sizes(c, NULL, r->args[i]->type->rank, r->args[i]->type->dims);
}

/* A rule has the parameters of its function, perhaps its results, then directions: of one kind each */
static void check_rule(Checker *c, const char *name, bool vjp) {
    const Func *f = c->func, *rule = name ? module_find(f->module, name) : NULL;
    int in = func_float_params(f), out = func_float_results(f);
    if (name && (!rule || rule->kind != FUNC_FN)) func_fail(c, "a rule that is no function");
    if (!rule) return;
    int n = f->body->nargs + (vjp ? out : in);
    if (rule->nres != (vjp ? in : out) || (rule->body->nargs != n && rule->body->nargs != n + f->nres))
        func_fail(c, "a rule with other parameters or results than its function asks for");
}

static void check_func(Checker *c) {
    const Region *r = c->func->body;
    check_params(c);
    check_rule(c, c->func->vjp, true);
    check_rule(c, c->func->jvp, false);
    if (c->func->kind == FUNC_EXTERN) {
        if (r->first) func_fail(c, "an extern function with a body");
        return;
    }
    if (!r->last) func_fail(c, "the body is empty");
    else check_region(c, r);
}

bool module_verify(Module *m, const char *when) {
    int errors = 0;
    for (int i = 0; i < m->funcs.len; i++) {
        Checker c = {.v = {m->session, m, when, 0}, .func = m->funcs.data[i], .scratch = arena_new()};
        check_func(&c);
        arena_free(c.scratch);
        errors += c.v.errors;
    }
    return errors == 0;
}
