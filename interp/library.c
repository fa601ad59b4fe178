/* Linear algebra, by the functions that compiled programs call (runtime/blas.c). */
#include "interp/private.h"

#include <string.h>

static const dsl_array *array_of(Frame *fr, const Inst *in, int i) { return interp_defined(fr, in, i)->a; }

static void put_array(Frame *fr, const Inst *in, dsl_array *a) {
    interp_put_tensor(fr, in, interp_adopt(fr, in->op, a));
}

static void put_two(Frame *fr, const Inst *in, dsl_array *x, dsl_array *y) {
    Cell r[2] = {{.t = interp_adopt(fr, in->op, x)}, {.t = interp_adopt(fr, in->op, y)}};
    interp_put(fr, in, r);
}

void interp_OP_TRISOLVE(Frame *fr, const Inst *in) {
    const Op *op = in->op;
    put_array(fr, in, dsl_trisolve(interp_site(fr, op), array_of(fr, in, 0), array_of(fr, in, 1), op_flag(op, A_UPPER),
                                   op_flag(op, A_TRANSPOSED), op_flag(op, A_UNIT)));
}

void interp_OP_CHOL_FACTOR(Frame *fr, const Inst *in) {
    put_array(fr, in, dsl_chol_factor(interp_site(fr, in->op), array_of(fr, in, 0)));
}

void interp_OP_CHOLESKY(Frame *fr, const Inst *in) {
    put_array(fr, in, dsl_cholesky(interp_site(fr, in->op), array_of(fr, in, 0)));
}

void interp_OP_EIGH(Frame *fr, const Inst *in) {
    dsl_array *w, *v;
    dsl_eigh(interp_site(fr, in->op), array_of(fr, in, 0), &w, &v);
    put_two(fr, in, w, v);
}

/* ---- LU */

static const char *word_of(const Op *op, const char *usual) {
    const char *asked = op_sym(op, A_MSG);
    return asked ? asked : usual;
}

void interp_OP_LU_FACTOR(Frame *fr, const Inst *in) {
    dsl_array *f, *order;
    dsl_lu_factor(interp_site(fr, in->op), array_of(fr, in, 0), &f, &order);
    put_two(fr, in, f, order);
}

void interp_OP_LU_PARTS(Frame *fr, const Inst *in) {
    dsl_array *l, *u;
    dsl_lu_parts(interp_site(fr, in->op), array_of(fr, in, 0), array_of(fr, in, 1), &l, &u);
    put_two(fr, in, l, u);
}

void interp_OP_LU_SOLVE(Frame *fr, const Inst *in) {
    put_array(fr, in, dsl_lu_solve(interp_site(fr, in->op), array_of(fr, in, 0), array_of(fr, in, 1),
                                   array_of(fr, in, 2), op_flag(in->op, A_TRANSPOSED), word_of(in->op, "solve")));
}

void interp_OP_LU_INV(Frame *fr, const Inst *in) {
    put_array(fr, in, dsl_lu_inv(interp_site(fr, in->op), array_of(fr, in, 0), array_of(fr, in, 1),
                                 word_of(in->op, "inv")));
}

typedef double OfFactor(const dsl_site *, const dsl_array *, const dsl_array *);

/* The factors are the last operands. */
static void put_number(Frame *fr, const Inst *in, OfFactor *f) {
    const dsl_array *a = array_of(fr, in, in->op->nopnds - 2), *order = array_of(fr, in, in->op->nopnds - 1);
    double x = f(interp_site(fr, in->op), a, order);
    fr->env[in->r] = a->dtype == DSL_F64 ? (Cell){.f = x} : (Cell){.s = (float)x};
}

void interp_OP_LU_DET(Frame *fr, const Inst *in) { put_number(fr, in, dsl_lu_det); }
void interp_OP_LU_LOGDET(Frame *fr, const Inst *in) { put_number(fr, in, dsl_lu_logdet); }
void interp_OP_LU_SIGN(Frame *fr, const Inst *in) { put_number(fr, in, dsl_lu_sign); }

void interp_OP_BLAS(Frame *fr, const Inst *in) {
    static const struct { const char *name; Handler *run; } table[] = {
        {"gemm", interp_OP_DOT}, {"trisolve", interp_OP_TRISOLVE}, {"eigh", interp_OP_EIGH},
        {"chol_factor", interp_OP_CHOL_FACTOR}, {"cholesky", interp_OP_CHOLESKY},
        {"lu_factor", interp_OP_LU_FACTOR}, {"lu_solve", interp_OP_LU_SOLVE}, {"lu_inv", interp_OP_LU_INV},
        {"lu_det", interp_OP_LU_DET}, {"lu_logdet", interp_OP_LU_LOGDET}, {"lu_sign", interp_OP_LU_SIGN},
        {"lu_parts", interp_OP_LU_PARTS}};
    const char *name = op_sym(in->op, A_NAME);
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (name && !strcmp(table[i].name, name)) {
            table[i].run(fr, in);
            return;
        }
    bug("blas: no function '%s'", name ? name : "");
}
