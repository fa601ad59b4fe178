/* Ints of a nest as sums: of indices, of what the nest does not change, and of atoms made of sums (solve.h). */
#include "ad/solve.h"

bool depends(const Pull *p, const Value *v) { /* on an index of the nest */
    if (!inside_root(p, v)) return false;
    if (!v->def) return true;
    if (v->def->nregs) return true;
    for (int i = 0; i < v->def->nopnds; i++)
        if (depends(p, op_opnd(v->def, i))) return true;
    return false;
}

static int64_t times(int64_t x, int64_t y) { return (int64_t)((uint64_t)x * (uint64_t)y); }
static int64_t plus(int64_t x, int64_t y) { return (int64_t)((uint64_t)x + (uint64_t)y); }

static bool add_term(Form *f, Term t) {
    for (int i = 0; i < f->n; i++) {
        Term *old = &f->term[i];
        if (old->atom != t.atom || (!t.atom && old->axis != t.axis)) continue;
        old->c = plus(old->c, t.c);
        if (!old->c) *old = f->term[--f->n];
        return true;
    }
    if (!t.c) return true;
    if (f->n == MAX_TERMS) return false;
    f->term[f->n++] = t;
    return true;
}

static bool is_i64(const Value *v) { return v->type->kind == TY_SCALAR && v->type->dtype == DT_I64; }

/* Which operand of two moves with the nest; -1: both, or the wrong one of a quotient */
static int moving(const Pull *p, const Op *op) {
    bool x = depends(p, op_opnd(op, 0)), y = depends(p, op_opnd(op, 1));
    bool quotient = op->code == OP_IDIV || op->code == OP_MOD;
    return x == y || (quotient && y) ? -1 : y;
}

static bool is_atom(const Pull *p, const Op *op) {
    OpCode c = op->code;
    bool known = c == OP_MUL || c == OP_IDIV || c == OP_MOD || c == OP_MIN || c == OP_MAX;
    return known && moving(p, op) >= 0;
}

bool is_index(const Pull *p, const Value *atom) { return atom && !atom->def && inside_root(p, atom); }
Value *moving_side(const Pull *p, const Value *atom) { return op_opnd(atom->def, moving(p, atom->def)); }
Value *fixed_side(const Pull *p, const Value *atom) { return op_opnd(atom->def, !moving(p, atom->def)); }

static bool add_value(const Pull *p, Form *f, Value *v, int64_t c) {
    const Op *op = v->def;
    int64_t k;
    if (!is_i64(v)) return false;
    if (value_const_int(v, &k)) return f->k = plus(f->k, times(c, k)), true;
    if (!depends(p, v) || !op) return add_term(f, (Term){c, v, 0});
    if (op->code == OP_NEG) return add_value(p, f, op_opnd(op, 0), times(c, -1));
    if (op->code == OP_ADD || op->code == OP_SUB) {
        int64_t second = op->code == OP_ADD ? c : times(c, -1);
        return add_value(p, f, op_opnd(op, 0), c) && add_value(p, f, op_opnd(op, 1), second);
    }
    if (op->code == OP_MUL)
        for (int i = 0; i < 2; i++)
            if (value_const_int(op_opnd(op, i), &k)) return add_value(p, f, op_opnd(op, !i), times(c, k));
    return is_atom(p, op) && add_term(f, (Term){c, v, 0});
}

bool read_form(const Pull *p, Form *f, Value *v) {
    *f = (Form){0};
    return add_value(p, f, v, 1);
}

bool form_replace(Form *f, const Value *index, const Form *of, int axis) {
    int64_t c = 0, by = 0;
    for (int i = 0; i < f->n; i++)
        if (f->term[i].atom == index) c = f->term[i].c;
    for (int i = 0; i < of->n; i++)
        if (of->term[i].atom == index) by = of->term[i].c;
    if (!c) return true;
    int64_t less = times(times(c, by), -1); /* by * index + rest = target: index = by * target - by * rest */
    bool ok = add_term(f, (Term){times(c, by), NULL, axis});
    for (int i = 0; i < of->n && ok; i++) {
        Term t = of->term[i];
        ok = add_term(f, (Term){times(less, t.c), t.atom, t.axis});
    }
    f->k = plus(f->k, times(less, of->k));
    return ok;
}
