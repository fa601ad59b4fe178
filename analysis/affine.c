/* Values to isl_pw_aff, conditions to isl_set, by walking definitions.
 *
 * The space of an operation has one set dimension per induction variable around it and parameters added as they
 * turn up, named after the value's number or the size symbol; isl aligns parameters by name.  NULL results mean
 * "not affine" and pass through, as isl itself does. */
#include "analysis/affine.h"
#include "analysis/range.h"

#include <isl/aff.h>
#include <isl/ctx.h>
#include <isl/id.h>
#include <isl/local_space.h>
#include <isl/options.h>
#include <isl/space.h>
#include <isl/val.h>

enum { DEFAULT_CAP = 200000, MAX_DEPTH = 100 };
enum { MOST_CONDITIONS = 1000 /* bools that are made of others twice grow without end */ };

struct Affine {
    Func *func;
    const Region *outside; /* its loops, and those around it, are not counted; NULL: there are none */
    Session *session;
    isl_ctx *ctx;
    unsigned long cap;
    bool together; /* cap is that of all questions */
    Ranges *ranges;
    Map bound; /* size symbols defined by `bind`: until it has run they may be negative */
};
typedef VEC(Value *) ValueVec;
typedef struct {
    Affine *a;
    Op *at;
    ValueVec ivs;
    isl_space *space;
    bool exact;
    bool alone; /* asked is for each instance by itself: what is bound in a loop around is one number */
    bool box;   /* read is the extent of an array, which has no place in the loops */
    int depth, conditions;
} Reader;

static isl_pw_aff *read_value(Reader *r, Value *v);
static isl_set *condition(Reader *r, Value *c, bool truth);

/* ---- induction variables and parameters */

/* Number of induction variables among a region's arguments (they come first). */
static int region_ivs(const Region *r) {
    const Op *op = r->owner;
    if (!op) return 0;
    switch (op->code) {
    case OP_PARALLEL: return r->nargs;
    case OP_FOR: return 1;
    case OP_GENERATE: case OP_REDUCE: case OP_SCAN: return r == op->regs[0] ? r->nargs : 0;
    default: return 0;
    }
}

static bool region_repeats(const Region *r) {
    return r->owner && (op_info(r->owner->code)->traits & TR_LOOP || region_ivs(r));
}

static void find_ivs(Reader *r, Region *reg) {
    if (!reg || reg == r->a->outside) return;
    find_ivs(r, reg->owner ? reg->owner->parent : NULL);
    for (int i = 0; i < region_ivs(reg); i++) vec_push(session_arena(r->a->session), &r->ivs, reg->args[i]);
}

/* Whether what is computed in reg is the same for all iterations of the loops that are counted. */
static bool is_invariant(const Reader *r, const Region *reg) {
    const Region *outside = r->a->outside;
    if (outside && region_encloses(reg, outside)) return true;
    for (; reg; reg = reg->owner ? reg->owner->parent : NULL)
        if (region_repeats(reg) && region_encloses(reg, r->at->parent)) return false;
    return true;
}

static isl_pw_aff *constant(Reader *r, int64_t c) {
    isl_local_space *ls = isl_local_space_from_space(isl_space_copy(r->space));
    return isl_pw_aff_from_aff(isl_aff_val_on_domain(ls, isl_val_int_from_si(r->a->ctx, c)));
}

/* v: what stands for it in the program; NULL: the size of that symbol, behind "s_" or "b_" */
static isl_pw_aff *parameter(Reader *r, const char *name, Value *v) {
    isl_id *id = isl_id_alloc(r->a->ctx, name, v);
    isl_space *sp = isl_space_insert_dims(isl_space_copy(r->space), isl_dim_param, 0, 1);
    sp = isl_space_set_dim_id(sp, isl_dim_param, 0, isl_id_copy(id));
    return isl_pw_aff_from_aff(isl_aff_param_on_domain_space_id(sp, id));
}

/* It has one value in all that is asked about. */
static bool is_bound_once(const Reader *r, const Op *bind) { return r->alone || is_invariant(r, bind->parent); }

/* What is bound in a loop is what it is bound to: another number in each turn. */
static isl_pw_aff *symbol(Reader *r, const char *sym) {
    const Op *bind = map_get(&r->a->bound, sym);
    if (bind && !is_bound_once(r, bind))
        return !r->box && region_encloses(bind->parent, r->at->parent) ? read_value(r, op_opnd(bind, 0)) : NULL;
    return parameter(r, intern_printf(r->a->session, bind ? "b_%s" : "s_%s", sym), NULL);
}

/* ---- sizes and values */

static isl_pw_aff *product(isl_pw_aff *x, isl_pw_aff *y) { /* affine if one side is constant */
    if (!x || !y || (!isl_pw_aff_is_cst(x) && !isl_pw_aff_is_cst(y))) {
        isl_pw_aff_free(x);
        isl_pw_aff_free(y);
        return NULL;
    }
    return isl_pw_aff_mul(x, y);
}

/* Floor quotient (or remainder) by a constant; NULL unless it is positive. */
static isl_pw_aff *quotient(Reader *r, isl_pw_aff *x, int64_t c, bool remainder) {
    if (c <= 0) {
        isl_pw_aff_free(x);
        return NULL;
    }
    isl_val *by = isl_val_int_from_si(r->a->ctx, c);
    return remainder ? isl_pw_aff_mod_val(x, by) : isl_pw_aff_floor(isl_pw_aff_scale_down_val(x, by));
}

static isl_pw_aff *read_size(Reader *r, const Size *s) {
    SizeNode n = size_node(r->a->session, s);
    if (n.op == 'c') return constant(r, n.c);
    if (n.op == 's') return symbol(r, n.sym);
    int64_t c = 0;
    isl_pw_aff *x = read_size(r, n.a);
    if (n.op == '/' || n.op == '%') return size_is_const(n.b, &c), quotient(r, x, c, n.op == '%');
    isl_pw_aff *y = read_size(r, n.b);
    switch (n.op) {
    case '+': return isl_pw_aff_add(x, y);
    case '*': return product(x, y);
    case 'M': return isl_pw_aff_max(x, y);
    default: return isl_pw_aff_min(x, y);
    }
}

/* c ? x : y, where c is affine and known exactly. */
static isl_pw_aff *choice(Reader *r, Op *op) {
    bool exact = r->exact;
    r->exact = true;
    isl_set *yes = condition(r, op_opnd(op, 0), true), *no = condition(r, op_opnd(op, 0), false);
    bool known = yes && no && r->exact;
    r->exact = exact;
    isl_pw_aff *x = known ? read_value(r, op_opnd(op, 1)) : NULL, *y = x ? read_value(r, op_opnd(op, 2)) : NULL;
    if (x && y) return isl_pw_aff_union_add(isl_pw_aff_intersect_domain(x, yes), isl_pw_aff_intersect_domain(y, no));
    isl_set_free(yes);
    isl_set_free(no);
    isl_pw_aff_free(x);
    return NULL;
}

/* By a constant: the same as a product, or a floor quotient, by a power of two. */
static isl_pw_aff *shifted(Reader *r, Op *op) {
    int64_t k;
    if (!value_const_int(op_opnd(op, 1), &k) || k < 0 || k > 30) return NULL;
    isl_pw_aff *x = read_value(r, op_opnd(op, 0));
    if (op->code == OP_SHR) return quotient(r, x, (int64_t)1 << k, false);
    return product(x, constant(r, (int64_t)1 << k));
}

/* x & 2^k - 1: x modulo 2^k */
static isl_pw_aff *masked(Reader *r, Op *op) {
    int64_t c;
    if (!value_const_int(op_opnd(op, 1), &c) || c < 0 || c >= INT32_MAX || (c & (c + 1))) return NULL;
    return quotient(r, read_value(r, op_opnd(op, 0)), c + 1, true);
}

static isl_pw_aff *read_op(Reader *r, Op *op) {
    if (!range_exact(r->a->ranges, op, r->at)) return NULL;
    if (op->code == OP_SELECT) return choice(r, op);
    if (op->code == OP_SHL || op->code == OP_SHR) return shifted(r, op);
    if (op->code == OP_CONST) return constant(r, op_attr(op, A_VALUE)->c.i);
    if (op_size_is_local(op)) return NULL;
    if (op->code == OP_SIZE) return read_size(r, op_attr(op, A_SIZE)->sizes[0]);
    if (op->code == OP_AND) return masked(r, op);
    bool known = op->code == OP_ADD || op->code == OP_SUB || op->code == OP_MUL || op->code == OP_NEG ||
                 op->code == OP_MIN || op->code == OP_MAX || op->code == OP_IDIV || op->code == OP_MOD;
    if (!known) return NULL;
    isl_pw_aff *x = read_value(r, op_opnd(op, 0));
    if (op->code == OP_IDIV || op->code == OP_MOD) {
        int64_t by = 0;
        value_const_int(op_opnd(op, 1), &by);
        return quotient(r, x, by, op->code == OP_MOD);
    }
    isl_pw_aff *y = op->nopnds > 1 ? read_value(r, op_opnd(op, 1)) : NULL;
    switch (op->code) {
    case OP_ADD: return isl_pw_aff_add(x, y);
    case OP_SUB: return isl_pw_aff_sub(x, y);
    case OP_MUL: return product(x, y);
    case OP_NEG: return isl_pw_aff_neg(x);
    case OP_MIN: return isl_pw_aff_min(x, y);
    default: return isl_pw_aff_max(x, y);
    }
}

static const char *bound_symbol(const Reader *r, const Value *v) {
    for (const Use *u = v->uses; u; u = u->next)
        if (u->user->code == OP_BIND && is_bound_once(r, u->user)) return op_sym(u->user, A_SYM);
    return NULL;
}

static isl_pw_aff *read_value(Reader *r, Value *v) {
    if (v->type->kind != TY_SCALAR || v->type->dtype != DT_I64 || r->depth > MAX_DEPTH) return NULL;
    for (int i = 0; i < r->ivs.len; i++)
        if (r->ivs.data[i] == v) {
            isl_local_space *ls = isl_local_space_from_space(isl_space_copy(r->space));
            return isl_pw_aff_from_aff(isl_aff_var_on_domain(ls, isl_dim_set, (unsigned)i));
        }
    r->depth++;
    isl_pw_aff *p = v->def ? read_op(r, v->def) : NULL;
    r->depth--;
    if (p || !is_invariant(r, value_region(v))) return p;
    const char *sym = bound_symbol(r, v);
    return sym ? symbol(r, sym) : parameter(r, intern_printf(r->a->session, "v_%p", (void *)v), v);
}

/* ---- conditions and domains */

static isl_set *compare(Reader *r, Op *op, bool truth) {
    isl_pw_aff *x = read_value(r, op_opnd(op, 0)), *y = read_value(r, op_opnd(op, 1));
    if (!x || !y) {
        isl_pw_aff_free(x);
        isl_pw_aff_free(y);
        return NULL;
    }
    switch (op->code) {
    case OP_LT: return truth ? isl_pw_aff_lt_set(x, y) : isl_pw_aff_ge_set(x, y);
    case OP_LE: return truth ? isl_pw_aff_le_set(x, y) : isl_pw_aff_gt_set(x, y);
    case OP_GT: return truth ? isl_pw_aff_gt_set(x, y) : isl_pw_aff_le_set(x, y);
    case OP_GE: return truth ? isl_pw_aff_ge_set(x, y) : isl_pw_aff_lt_set(x, y);
    case OP_EQ: return truth ? isl_pw_aff_eq_set(x, y) : isl_pw_aff_ne_set(x, y);
    default: return truth ? isl_pw_aff_ne_set(x, y) : isl_pw_aff_eq_set(x, y);
    }
}

static isl_set *everywhere(const Reader *r) { return isl_set_universe(isl_space_copy(r->space)); }

/* Where c goes that way, and v, which it brings, is true (or false) */
static isl_set *brought(Reader *r, Value *c, bool way, Value *v, bool truth) {
    isl_set *goes = condition(r, c, way), *holds = condition(r, v, truth);
    if (!goes || !holds) r->exact = false;
    return isl_set_intersect(goes ? goes : everywhere(r), holds ? holds : everywhere(r));
}

/* Of `x and y` where y is computed only if x holds, and the like */
static isl_set *chosen(Reader *r, Value *c, Value *x, Value *y, bool truth) {
    return isl_set_union(brought(r, c, true, x, truth), brought(r, c, false, y, truth));
}

/* Where c is true (or false); conjuncts that are not affine are left out; NULL: nothing is known. */
static isl_set *condition(Reader *r, Value *c, bool truth) {
    Op *op = c->def;
    if (!op || c->type->kind != TY_SCALAR || r->conditions++ > MOST_CONDITIONS) return NULL;
    switch (op->code) {
    case OP_AND: case OP_OR: {
        isl_set *x = condition(r, op_opnd(op, 0), truth), *y = condition(r, op_opnd(op, 1), truth);
        if ((op->code == OP_AND) == truth) {
            if (!x || !y) r->exact = false;
            return x && y ? isl_set_intersect(x, y) : x ? x : y;
        }
        if (x && y) return isl_set_union(x, y);
        isl_set_free(x);
        isl_set_free(y);
        return NULL;
    }
    case OP_NOT: return condition(r, op_opnd(op, 0), !truth);
    case OP_CONST: return value_is_const_int(c, truth) ? everywhere(r) : isl_set_empty(isl_space_copy(r->space));
    case OP_SELECT: return chosen(r, op_opnd(op, 0), op_opnd(op, 1), op_opnd(op, 2), truth);
    case OP_IF: {
        Value *x = op_opnd(region_term(op->regs[0]), c->index), *y = op_opnd(region_term(op->regs[1]), c->index);
        return chosen(r, op_opnd(op, 0), x, y, truth);
    }
    case OP_LT: case OP_LE: case OP_GT: case OP_GE: case OP_EQ: case OP_NE: return compare(r, op, truth);
    default: return NULL;
    }
}

static isl_set *restrict_to(Reader *r, isl_set *dom, isl_set *by) {
    if (by) return isl_set_intersect(dom, by);
    r->exact = false;
    return dom;
}

static isl_set *in_range(Reader *r, isl_set *dom, Value *iv, isl_pw_aff *lo, isl_pw_aff *hi) {
    isl_pw_aff *i = read_value(r, iv);
    dom = restrict_to(r, dom, lo ? isl_pw_aff_ge_set(isl_pw_aff_copy(i), lo) : NULL);
    return restrict_to(r, dom, hi ? isl_pw_aff_lt_set(i, hi) : (isl_pw_aff_free(i), NULL));
}

static isl_set *of_for(Reader *r, isl_set *dom, Op *op) {
    int64_t step = 0;
    value_const_int(op_opnd(op, 2), &step);
    Value *iv = op->regs[0]->args[0];
    /* counting down or unknown: between the bounds, either way, is all that is said */
    if (step <= 0 || !range_counts(r->a->ranges, op, r->at)) {
        r->exact = false;
        return dom;
    }
    isl_pw_aff *lo = read_value(r, op_opnd(op, 0));
    if (step > 1 && lo) {
        isl_pw_aff *off = isl_pw_aff_sub(read_value(r, iv), isl_pw_aff_copy(lo));
        off = isl_pw_aff_mod_val(off, isl_val_int_from_si(r->a->ctx, step));
        dom = isl_set_intersect(dom, isl_pw_aff_zero_set(off));
    }
    return in_range(r, dom, iv, lo, read_value(r, op_opnd(op, 1)));
}

static isl_set *of_region(Reader *r, isl_set *dom, Region *reg) {
    Op *op = reg->owner;
    switch (op->code) {
    case OP_FOR: return of_for(r, dom, op);
    case OP_IF: return restrict_to(r, dom, condition(r, op_opnd(op, 0), reg == op->regs[0]));
    case OP_WHILE: r->exact = false; return dom;
    default:
        for (int i = 0; i < region_ivs(reg); i++) {
            isl_pw_aff *hi = op->code == OP_PARALLEL || op->code == OP_REDUCE ? read_value(r, op_opnd(op, i))
                                                                             : read_size(r, op->res[0].type->dims[i]);
            dom = in_range(r, dom, reg->args[i], constant(r, 0), hi);
        }
        return dom;
    }
}

/* Sizes of tensors that exist are never negative. */
static isl_set *symbols_nonneg(isl_set *dom) {
    isl_size n = isl_set_dim(dom, isl_dim_param);
    for (int i = 0; i < n; i++) {
        const char *name = isl_set_get_dim_name(dom, isl_dim_param, (unsigned)i);
        if (name && name[0] == 's') dom = isl_set_lower_bound_si(dom, isl_dim_param, (unsigned)i, 0);
    }
    return dom;
}

void affine_begin(Affine *a) {
    if (!a->together) isl_ctx_reset_operations(a->ctx);
    isl_ctx_set_max_operations(a->ctx, a->cap);
}

bool affine_end(Affine *a) {
    bool all_known = isl_ctx_last_error(a->ctx) == isl_error_none;
    isl_ctx_set_max_operations(a->ctx, 0);
    if (!all_known) isl_ctx_reset_error(a->ctx);
    return all_known;
}

static Reader reader_new(Affine *a, Op *op) {
    Reader r = {.a = a, .at = op, .exact = true};
    find_ivs(&r, op->parent);
    r.space = isl_space_set_alloc(a->ctx, 0, (unsigned)r.ivs.len);
    affine_begin(a);
    return r;
}

static void reader_end(Reader *r) {
    isl_space_free(r->space);
    affine_end(r->a);
}

static isl_set *read_domain(Reader *r) {
    isl_set *dom = isl_set_universe(isl_space_copy(r->space));
    for (Region *reg = r->at->parent; reg && reg != r->a->outside && reg->owner; reg = reg->owner->parent)
        dom = of_region(r, dom, reg);
    return symbols_nonneg(dom);
}

/* ---- accesses */

static bool access_operands(const Op *op, int *container, int *first) {
    switch (op->code) {
    case OP_EXTRACT: case OP_LOAD: case OP_SLICE: *container = 0; *first = 1; return true;
    case OP_INSERT: case OP_UPDATE: *container = 0; *first = 2; return true;
    case OP_STORE: case OP_ATOMIC: *container = 1; *first = 2; return true;
    default: return false;
    }
}

static isl_set *read_extent(Reader *r, const Type *t) {
    isl_set *box = isl_set_universe(isl_space_set_alloc(r->a->ctx, 0, (unsigned)t->rank));
    isl_space *outer = r->space;
    r->space = isl_set_get_space(box), r->box = true;
    for (int k = 0; k < t->rank; k++) {
        isl_local_space *ls = isl_local_space_from_space(isl_space_copy(r->space));
        isl_pw_aff *e = isl_pw_aff_from_aff(isl_aff_var_on_domain(ls, isl_dim_set, (unsigned)k));
        isl_pw_aff *dim = read_size(r, t->dims[k]);
        box = isl_set_intersect(box, isl_pw_aff_ge_set(isl_pw_aff_copy(e), constant(r, 0)));
        box = dim ? isl_set_intersect(box, isl_pw_aff_lt_set(e, dim)) : (isl_pw_aff_free(e), isl_set_free(box));
    }
    isl_space_free(r->space);
    r->space = outer, r->box = false;
    return box;
}

/* From where a part begins to all that it has along this axis; NULL: by steps, or unknown */
static isl_map *read_along(Reader *r, isl_map *first, const Op *op, int axis) {
    const Type *part = op->code == OP_SLICE ? op->res[0].type : op_opnd(op, 1)->type;
    int64_t n;
    if (size_is_const(part->dims[axis], &n) && n == 1) return first;
    if (op_attr(op, A_STEPS)->ints[axis] != 1) return isl_map_free(first);
    isl_pw_aff *size = read_size(r, part->dims[axis]);
    isl_map *offsets = size ? isl_map_from_pw_aff(size) : NULL;
    if (!offsets) return isl_map_free(first);
    offsets = isl_map_apply_range(offsets, isl_map_read_from_str(r->a->ctx, "{ [n] -> [i] : 0 <= i < n }"));
    isl_map *both = isl_map_flat_range_product(first, offsets);
    return isl_map_apply_range(both, isl_map_read_from_str(r->a->ctx, "{ [first, offset] -> [first + offset] }"));
}

static isl_map *read_access(Reader *r) {
    int container, first;
    if (!access_operands(r->at, &container, &first)) return NULL;
    bool part = r->at->code == OP_SLICE || r->at->code == OP_UPDATE;
    int end = part ? r->at->nopnds : op_index_end(r->at);
    isl_map *map = NULL;
    for (int k = first; k < end; k++) {
        isl_pw_aff *i = read_value(r, op_opnd(r->at, k));
        isl_map *axis = i ? isl_map_from_pw_aff(i) : NULL;
        if (axis && part) axis = read_along(r, axis, r->at, k - first);
        if (!axis) return isl_map_free(map);
        map = map ? isl_map_flat_range_product(map, axis) : axis;
    }
    return map;
}

/* ---- questions */

int affine_depth(const Affine *a, const Region *r) {
    int n = 0;
    for (; r && r != a->outside; r = r->owner ? r->owner->parent : NULL) n += region_ivs(r);
    return n;
}

Value *affine_iv(const Affine *a, const Op *op, int i) {
    const Region *r = op->parent;
    while (affine_depth(a, r) - region_ivs(r) > i) r = r->owner->parent;
    return r->args[i - (affine_depth(a, r) - region_ivs(r))];
}

void affine_within(Affine *a, const Op *op) { a->outside = op->parent; }

isl_set *affine_domain(Affine *a, Op *op, bool *exact) {
    Reader r = reader_new(a, op);
    isl_set *dom = read_domain(&r);
    if (exact) *exact = r.exact;
    reader_end(&r);
    return dom;
}

isl_set *affine_everywhere(Affine *a, const Op *op) {
    return isl_set_universe(isl_space_set_alloc(a->ctx, 0, (unsigned)affine_depth(a, op->parent)));
}

isl_set *affine_condition(Affine *a, Op *op, Value *c, bool truth, bool *exact) {
    Reader r = reader_new(a, op);
    isl_set *holds = condition(&r, c, truth);
    *exact = holds && r.exact;
    reader_end(&r);
    return holds;
}

isl_map *affine_access(Affine *a, Op *op) {
    Reader r = reader_new(a, op);
    isl_map *map = read_access(&r);
    reader_end(&r);
    return map;
}

static isl_set *touched_by(Affine *a, Op *op, bool exact) {
    bool is_exact;
    isl_map *access = affine_access(a, op);
    isl_set *domain = access ? affine_domain(a, op, &is_exact) : NULL;
    if (domain && (is_exact || !exact)) return isl_set_apply(domain, access);
    isl_map_free(access);
    isl_set_free(domain);
    return NULL;
}

isl_set *affine_touched(Affine *a, Op *const *ops, int n, bool exact) {
    isl_set *all = NULL;
    for (int i = 0; i < n; i++) {
        isl_set *one = touched_by(a, ops[i], exact);
        if (!one) return isl_set_free(all), NULL;
        all = all ? isl_set_union(all, one) : one;
    }
    return all;
}

bool affine_apart(Affine *a, isl_set *x, isl_set *y) {
    if (!x || !y) return false;
    affine_begin(a);
    isl_bool apart = isl_set_is_disjoint(x, y);
    return affine_end(a) && apart == isl_bool_true;
}

isl_set *affine_extent(Affine *a, Op *op, const Type *t) {
    Reader r = reader_new(a, op);
    isl_set *box = read_extent(&r, t);
    reader_end(&r);
    return box;
}

Answer affine_in_bounds(Affine *a, Op *op) {
    int container, first;
    if (!access_operands(op, &container, &first)) return ANSWER_UNKNOWN;
    Reader r = reader_new(a, op);
    r.alone = true;
    isl_map *access = read_access(&r);
    isl_set *touched = access ? isl_set_apply(read_domain(&r), access) : NULL;
    isl_set *outside = touched ? isl_set_subtract(touched, read_extent(&r, op_opnd(op, container)->type)) : NULL;
    if (outside) outside = symbols_nonneg(outside);
    isl_bool empty = outside ? isl_set_is_empty(outside) : isl_bool_error;
    isl_set_free(outside);
    bool exact = r.exact;
    reader_end(&r);
    if (empty == isl_bool_true) return ANSWER_YES;
    return empty == isl_bool_false && exact ? ANSWER_NO : ANSWER_UNKNOWN;
}

static void note_bind(void *ctx, Op *op) {
    Affine *a = ctx;
    if (op->code == OP_BIND) map_put(session_arena(a->session), &a->bound, op_sym(op, A_SYM), op);
}

Affine *affine_new(Func *f, unsigned long max_operations) {
    Affine *a = NEW(session_arena(f->module->session), Affine);
    a->func = f;
    a->session = f->module->session;
    a->ctx = isl_ctx_alloc();
    a->ranges = ranges_new(f->module->session);
    a->cap = max_operations ? max_operations : DEFAULT_CAP;
    region_walk(f->body, note_bind, a);
    isl_options_set_on_error(a->ctx, ISL_ON_ERROR_CONTINUE);
    return a;
}

void affine_together(Affine *a) {
    a->together = true;
    isl_ctx_reset_operations(a->ctx);
}

void affine_free(Affine *a) {
    if (!a) return;
    isl_ctx_free(a->ctx);
    ranges_free(a->ranges);
}
