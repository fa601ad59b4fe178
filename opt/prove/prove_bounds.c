/* prove-bounds: marks accesses and divisions that cannot fail as `safe`, so that no check is made of them.
 *
 * needs: index arithmetic as i64 operations; leaves everything else as it was.  An access x[i, j] is safe when
 * 0 <= i < dim follows from the facts at its place (analysis/linear.h) for each axis; isl is asked about what that
 * leaves open (analysis/affine.h).  --explain-checks lists each
 * access with its verdict; --unchecked marks all of them. */
#include "analysis/affine.h"
#include "analysis/depend.h"
#include "analysis/range.h"
#include "analysis/linear.h"
#include "opt/pass.h"

#include <string.h>

typedef struct {
    Func *func;
    Linear *linear;
    Affine *affine;
    Depend *depend;
    int proved, checked, data;
    Session *session;
    const PassOptions *opts;
} Prover;

/* Few accesses come this far, so what asks isl is made when the first one does.  Inside kernels, products of sizes are
 * followed too. */
static bool isl_safe(Prover *p, Op *op) {
    if (op_around(op, OP_PARALLEL)) {
        if (!p->depend) p->depend = depend_new(p->func);
        return depend_outside(p->depend, op) == ANSWER_NO;
    }
    if (!p->affine) p->affine = affine_new(p->func, 20000);
    return affine_in_bounds(p->affine, op) == ANSWER_YES;
}

/* x[start : start + extent*step] lies inside x. */
static bool slice_inside(Prover *p, Op *op, const Type *whole, const Type *part, int first_start) {
    Linear *l = p->linear;
    const int64_t *steps = op_attr(op, A_STEPS)->ints;
    linear_at(l, op);
    for (int k = 0; k < whole->rank; k++)
        if (!linear_slice_inside(l, op, op_opnd(op, first_start + k), part->dims[k], steps[k], linear_const(l, 0),
                                 linear_size(l, whole->dims[k])))
            return false;
    return true;
}

static bool divisor_safe(Prover *p, Op *op) {
    const Type *t = op_opnd(op, 1)->type;
    if (dtype_is_float(t->dtype)) return true;
    Op *def = op_opnd(op, 1)->def;
    if (def && def->code == OP_FILL) def = op_opnd(def, 0)->def;
    if (def && def->code == OP_CONST) return op_attr(def, A_VALUE)->c.i != 0;
    if (t->kind != TY_SCALAR || t->dtype != DT_I64) return false;
    Linear *l = p->linear;
    linear_at(l, op);
    const Poly *d = linear_value(l, op_opnd(op, 1)), *one = linear_const(l, 1);
    return linear_prove(l, op, linear_sub(l, d, one)) ||
           linear_prove(l, op, linear_sub(l, linear_sub(l, linear_const(l, 0), d), one));
}

/* Why an index is no formula of indices and sizes: it comes out of memory, out of a loop in which it changes freely, or
 * may wrap */
typedef enum { NO_REASON, WRAPS, CARRIED, DATA } Reason;

static Reason reason_of(Prover *p, const Op *at, const Value *v, int depth) {
    const Op *op = v->def, *loop = op ? NULL : v->region->owner;
    if (v->type->kind != TY_SCALAR || depth > 12) return DATA;
    if (!op)
        return !loop                              ? NO_REASON
               : loop->code == OP_WHILE           ? CARRIED
               : loop->code == OP_FOR && v->index ? DATA
                                                  : NO_REASON;
    if (op->nregs || op->code == OP_CALL || op_info(op->code)->traits & TR_READ || op->code == OP_EXTRACT)
        return op->code != OP_IF ? DATA : NO_REASON;
    if (op->code == OP_CAST && dtype_is_float(op_opnd(op, 0)->type->dtype)) return DATA;
    bool narrow = v->type->dtype != DT_I64 && dtype_is_int(v->type->dtype);
    Reason worst = (narrow && op->code != OP_CONST) ||
                           (v->type->dtype == DT_I64 && !range_exact(linear_ranges(p->linear), op, at))
                       ? WRAPS
                       : NO_REASON;
    for (int i = 0; i < op->nopnds; i++) {
        Reason r = reason_of(p, at, op_opnd(op, i), depth + 1);
        if (r > worst) worst = r;
    }
    return worst;
}

static Reason reason_of_access(Prover *p, const Op *op) {
    Reason worst = NO_REASON;
    for (int i = 0; i < op->nopnds; i++) {
        if (op_opnd(op, i)->type->kind != TY_SCALAR || op_opnd(op, i)->type->dtype != DT_I64) continue;
        Reason r = reason_of(p, op, op_opnd(op, i), 0);
        if (r > worst) worst = r;
    }
    return worst;
}

static const char *say_reason(Reason r) {
    switch (r) {
    case WRAPS: return " (the index may wrap around)";
    case CARRIED: return " (the index is carried by a loop)";
    case DATA: return " (the index depends on data)";
    default: return "";
    }
}

static void explain(Prover *p, Op *op, bool safe) {
    Reason why = safe ? NO_REASON : reason_of_access(p, op);
    *(safe ? &p->proved : &p->checked) += 1;
    p->data += why >= CARRIED;
    if (op->span.file < 0) return;
    Place at = source_place(p->session, op->span.file, op->span.lo);
    const Value *array = op_opnd(op, op->code == OP_STORE || op->code == OP_ATOMIC);
    const char *name = op->code != OP_IDIV && op->code != OP_MOD ? array->name : NULL;
    fprintf(stderr, "%s:%d:%d: %s%s%s%s: %s%s\n", source_path(p->session, op->span.file), at.line, at.col,
            op_info(op->code)->mnemonic, name ? " of '" : "", name ? name : "", name ? "'" : "",
            safe ? "proved" : "checked when the program runs", say_reason(why));
}

/* x <= y or x >= y of sizes (E0607); what is proved so is dropped */
static bool size_safe(Prover *p, Op *op) {
    const Op *c = op_opnd(op, 0)->def;
    const char *code = op_sym(op, A_CODE);
    if (!c || (c->code != OP_LE && c->code != OP_GE) || !code || strcmp(code, "E0607")) return false;
    Linear *l = p->linear;
    linear_at(l, op);
    const Poly *x = linear_value(l, op_opnd(c, 0)), *y = linear_value(l, op_opnd(c, 1));
    return linear_prove(l, op, c->code == OP_LE ? linear_sub(l, y, x) : linear_sub(l, x, y));
}

static void visit(void *ctx, Op *op) {
    Prover *p = ctx;
    bool safe, division = false;
    if (op->code == OP_CHECK && size_safe(p, op)) return op_erase(op);
    if (op_flag(op, A_SAFE)) return;
    switch (op->code) {
    case OP_EXTRACT: case OP_LOAD: safe = linear_inside(p->linear, op, 0, 1) || isl_safe(p, op); break;
    case OP_STORE: case OP_ATOMIC: safe = linear_inside(p->linear, op, 1, 2) || isl_safe(p, op); break;
    case OP_INSERT: safe = linear_inside(p->linear, op, 0, 2) || isl_safe(p, op); break;
    case OP_SLICE: safe = slice_inside(p, op, op_opnd(op, 0)->type, op->res[0].type, 1); break;
    case OP_UPDATE: safe = slice_inside(p, op, op->res[0].type, op_opnd(op, 1)->type, 2); break;
    case OP_PAD: safe = slice_inside(p, op, op->res[0].type, op_opnd(op, 0)->type, 2); break;
    case OP_IDIV: case OP_MOD: safe = divisor_safe(p, op); division = true; break;
    default: return;
    }
    if (p->opts->explain_checks) explain(p, op, safe);
    if (safe || (p->opts->unchecked && !division)) op_set_flag(op, A_SAFE);
}

void pass_prove_bounds(Module *m, const PassOptions *opts) {
    int proved = 0, checked = 0, data = 0;
    for (int i = 0; i < m->funcs.len; i++) {
        Func *f = m->funcs.data[i];
        if (f->kind == FUNC_EXTERN || !f->body) continue;
        Prover p = {.func = f, .linear = linear_new(f), .session = m->session, .opts = opts};
        region_walk(f->body, visit, &p);
        linear_free(p.linear);
        affine_free(p.affine);
        depend_free(p.depend);
        proved += p.proved;
        checked += p.checked;
        data += p.data;
    }
    if (opts->explain_checks)
        fprintf(stderr,
                "bounds: %d accesses: %d proved, %d checked when the program runs (%d of them depend on data)\n",
                proved + checked, proved, checked, data);
}
