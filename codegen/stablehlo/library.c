/* Functions of the library that are C elsewhere: sorting, Fourier transforms. */
#include "codegen/stablehlo/private.h"

static const Ten *operand(Hlo *h, const Op *op, int i) { return ten_of(h, op_opnd(op, i)); }
static void result(Hlo *h, const Op *op, const Ten *t) {
    hlo_define(h, op->res[0].type, t);
    hlo_set(h, &op->res[0], t);
}

/* ---- sorting */

/* Ascending, NaN last; as ints of floats would be, so -0 becomes 0 before */
static const Ten *sort_key(Hlo *h, const Ten *x) {
    return dtype_is_float(x->dtype) ? ten_binary(h, "stablehlo.add", x, ten_const(h, (Const){.dtype = x->dtype}))
                                    : ten_written(h, x);
}

static const char *sort_order(const Ten *x) {
    DTypeKind k = dtype_info(x->dtype)->kind;
    return k == DK_FLOAT ? "TOTALORDER" : k == DK_INT ? "SIGNED" : "UNSIGNED";
}

/* NaN of any sign behind all numbers */
static const Ten *positive_nan(Hlo *h, const Ten *x) {
    const Ten *nan = ten_const(h, (Const){.dtype = x->dtype, .f = __builtin_nan("")});
    return dtype_is_float(x->dtype) ? ten_select(h, ten_compare(h, "NE", x, x), nan, x) : x;
}

static void lib_argsort(Hlo *h, const Op *op) {
    int from = h->naxes, axis;
    const Ten *x = positive_nan(h, sort_key(h, operand(h, op, 0)));
    axis = axis_open(h, x->dim[0]);
    const Ten *at = ten_close(h, ten_alike(h, ten_axis(h, axis), x), from);
    axes_shut(h, 1);
    const char *e = hlo_element(x->dtype), *r = hlo_fresh(h), *tx = ten_type(h, x), *ti = ten_type(h, at);
    hlo_line(h, "%s:2 = \"stablehlo.sort\"(%s, %s) <{dimension = %d, is_stable = true}> ({", r, x->ssa, at->ssa,
             x->naxes);
    hlo_line(h, "^bb0(%%x: tensor<%s>, %%y: tensor<%s>, %%i: tensor<i64>, %%j: tensor<i64>):", e, e);
    hlo_line(h, "  %%less = stablehlo.compare LT, %%x, %%y, %s : (tensor<%s>, tensor<%s>) -> tensor<i1>", sort_order(x),
             e, e);
    hlo_line(h, "  stablehlo.return %%less : tensor<i1>");
    hlo_line(h, "}) : (%s, %s) -> (%s, %s)", tx, ti, tx, ti);
    result(h, op, ten_like(h, DT_I64, at, arena_printf(h->arena, "%s#1", r)));
}

/* The first place where a is not less, by halving */
static void lib_searchsorted(Hlo *h, const Op *op) {
    const Ten *a = operand(h, op, 0), *v = operand(h, op, 1), *lo = ten_int(h, 0), *hi = ten_int(h, a->dim[0]);
    int from = h->naxes, axis = axis_open(h, v->dim[0]);
    const Ten *sought = ten_open(h, v, 1, &axis), *two = ten_int(h, 2);
    for (int64_t n = a->dim[0]; n > 0; n /= 2) {
        const Ten *open = ten_compare(h, "LT", lo, hi),
                  *mid = ten_binary(h, "stablehlo.divide", ten_add(h, lo, hi), two);
        const Ten *less = ten_and(h, open, ten_compare(h, "LT", ten_read(h, a, &mid), sought));
        const Ten *not_less = ten_and(h, open, ten_not(h, less));
        lo = ten_select(h, less, ten_add(h, mid, ten_int(h, 1)), lo);
        hi = ten_select(h, not_less, mid, hi);
    }
    const Ten *r = ten_close(h, ten_widen(h, lo, 1, &axis), from);
    axes_shut(h, 1);
    result(h, op, r);
}

/* ---- Fourier transforms, along the last dim: the text alone knows complex numbers */

static const char *complex_type(Hlo *h, const Ten *t) {
    Text s;
    const char *type = ten_type(h, t), *last = strrchr(type, 'x');
    text_init(&s, h->arena);
    if (!last) return "tensor<complex<f64>>";
    text_add(&s, type, (size_t)(last - type + 1));
    text_printf(&s, "complex<%s>>", hlo_element(t->dtype));
    return text_str(&s);
}

static const char *complex_of(Hlo *h, const Ten *re, const Ten *im) {
    return hlo_op(h, "stablehlo.complex %s, %s : %s", re->ssa, im->ssa, complex_type(h, re));
}

static const Ten *part_of(Hlo *h, const char *part, const char *z, const Ten *like) {
    return ten_like(h, like->dtype, like,
                    hlo_op(h, "stablehlo.%s %s : (%s) -> %s", part, z, complex_type(h, like), ten_type(h, like)));
}

/* Real and imaginary parts behind each other along a new first dim */
static const Ten *both_parts(Hlo *h, const Ten *re, const Ten *im) {
    int64_t dim[HLO_RANK] = {1};
    for (int i = 0; i < re->rank; i++) dim[i + 1] = re->dim[i];
    const Ten *part[2] = {ten_reshape(h, re, re->rank + 1, dim), ten_reshape(h, im, re->rank + 1, dim)};
    return ten_concat(h, 2, part, 0);
}

static void alike(Hlo *h, const Ten **x, const Ten **y) {
    *x = ten_alike(h, *x, *y);
    *y = ten_alike(h, *y, *x);
}

/* re[m, n, k], im[m, n, k], along n */
static void lib_fft(Hlo *h, const Op *op) {
    const int64_t turn[] = {0, 2, 1};
    const Ten *re = ten_transpose(h, operand(h, op, 0), turn), *im = ten_transpose(h, operand(h, op, 1), turn);
    int64_t inverse;
    alike(h, &re, &im);
    if (!ten_known_int(operand(h, op, 2), &inverse)) {
        hlo_unsupported(h, op, "a Fourier transform whose direction is not known");
        return;
    }
    const char *z = complex_of(h, re, im), *t = complex_type(h, re);
    z = hlo_op(h, "stablehlo.fft %s, type = %s, length = [%lld] : (%s) -> %s", z, inverse ? "IFFT" : "FFT",
               (long long)re->dim[2], t, t);
    result(h, op, both_parts(h, ten_transpose(h, part_of(h, "real", z, re), turn),
                             ten_transpose(h, part_of(h, "imag", z, re), turn)));
}

/* x[m, n] to [2, 1, m, n // 2 + 1] */
static void lib_rfft(Hlo *h, const Op *op) {
    const Ten *x = ten_written(h, operand(h, op, 0));
    Ten *half = ten_like(h, x->dtype, x, NULL);
    half->dim[1] = x->dim[1] / 2 + 1;
    const char *z = hlo_op(h, "stablehlo.fft %s, type = RFFT, length = [%lld] : (%s) -> %s", x->ssa,
                           (long long)x->dim[1], ten_type(h, x), complex_type(h, half));
    const Ten *both = both_parts(h, part_of(h, "real", z, half), part_of(h, "imag", z, half));
    result(h, op, ten_reshape(h, both, 4, (int64_t[]){2, 1, x->dim[0], half->dim[1]}));
}

/* re[m, k], im[m, k], n to [m, n] */
static void lib_irfft(Hlo *h, const Op *op) {
    const Ten *re = ten_written(h, operand(h, op, 0)), *im = ten_written(h, operand(h, op, 1));
    int64_t n;
    alike(h, &re, &im);
    if (!ten_known_int(operand(h, op, 2), &n)) {
        hlo_fail(h, op->span, E_HLO_SIZE, "the length of a transform");
        hlo_unsupported(h, op, "");
        return;
    }
    Ten *r = ten_like(h, re->dtype, re, NULL);
    r->dim[1] = n;
    const char *z = complex_of(h, re, im);
    r->ssa = hlo_op(h, "stablehlo.fft %s, type = IRFFT, length = [%lld] : (%s) -> %s", z, (long long)n,
                    complex_type(h, re), ten_type(h, r));
    result(h, op, r);
}

static const struct { const char *name; void (*write)(Hlo *h, const Op *op); } known[] = {
    {"dsl_m_argsort", lib_argsort}, {"dsl_m_searchsorted", lib_searchsorted},
    {"dsl_m_fft", lib_fft}, {"dsl_m_rfft", lib_rfft}, {"dsl_m_irfft", lib_irfft},
};

void hlo_extern(Hlo *h, const Op *op, const char *word) {
    const char *name = func_c_name(module_find(h->module, op_sym(op, A_FUNC))), *own = c_name_in_library(name);
    (void)word;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (!strcmp(known[i].name, name)) {
            known[i].write(h, op);
            return;
        }
    hlo_unsupported(h, op, arena_printf(h->arena, "'%s'", own ? own : name));
}
