/* The world outside: printing, checks, files, C functions. */
#include "interp/private.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- sizes and checks */

void interp_OP_CONST(Frame *fr, const Inst *in) {
    (void)fr, bug("%s is no instruction", op_info(in->op->code)->mnemonic);
}

void interp_OP_SIZE(Frame *fr, const Inst *in) { fr->env[in->r].i = interp_size(fr, in->aux); }

void interp_OP_THREADS(Frame *fr, const Inst *in) { fr->env[in->r].i = 1; }

/* One process alone: it does all iterations, and has all rows. */
void interp_OP_PART(Frame *fr, const Inst *in) { fr->env[in->r].i = 0; }
void interp_OP_SHARE(Frame *fr, const Inst *in) { fr->env[in->r].i = fr->env[in->r + 1].i = 0; }
void interp_OP_NEED(Frame *fr, const Inst *in) { (void)fr, (void)in; }
void interp_OP_COLUMNS(Frame *fr, const Inst *in) { (void)fr, (void)in; }
void interp_OP_OWN(Frame *fr, const Inst *in) { (void)fr, (void)in; }
void interp_OP_EXCHANGE(Frame *fr, const Inst *in) {
    int64_t extent = fr->env[in->a].i;
    fr->env[in->r].i = 0, fr->env[in->r + 1].i = extent;
}
void interp_OP_ALLGATHER(Frame *fr, const Inst *in) { (void)fr, (void)in; }

void interp_OP_BIND(Frame *fr, const Inst *in) {
    int64_t n = fr->env[in->a].i;
    if (n < 0 || n > DSL_MAX_EXTENT) dsl_fail_size(interp_site(fr, in->op), n);
    fr->env[*(const int *)in->aux].i = n;
}

static dsl_arg arg_of(DType t, Cell v) {
    dsl_arg a = {.dtype = (int32_t)t};
    if (t == DT_STR) a.u.s = v.text;
    else if (t == DT_F64) a.u.f = v.f;
    else if (dtype_is_float(t)) a.u.f = (double)v.s;
    else a.u.i = v.i;
    return a;
}

static void print_scalar(DType t, Cell v) {
    switch (dtype_info(t)->kind) {
    case DK_BOOL: dsl_print_bool(v.i != 0); return;
    case DK_INT: dsl_print_i64(v.i); return;
    case DK_UINT: dsl_print_u64(v.u); return;
    case DK_STR: dsl_print_str(v.text); return;
    case DK_FLOAT:
        if (t == DT_F64) dsl_print_f64(v.f);
        else dsl_print_f32(v.s);
    }
}

static void print_operand(Frame *fr, const Inst *in, int i) {
    if (type_is_tensor(op_opnd(in->op, i)->type)) dsl_print_array(interp_defined(fr, in, i)->a);
    else print_scalar(interp_dtype(in, i), interp_opnd(fr, in, i));
}

static void print_part(const FormatPart *p) {
    char text[p->len + 1];
    memcpy(text, p->text, (size_t)p->len);
    text[p->len] = 0;
    dsl_print_str(text);
}

static void print_place(Frame *fr, const Inst *in, int i, const FormatPart *p) {
    FormatSpec s;
    spec_read(p->text, p->len, &s);
    dsl_print_as((dsl_format){
        .align = s.align, .sign = s.sign, .zero = s.zero, .type = s.type, .width = s.width, .digits = s.digits});
    print_operand(fr, in, i);
}

/* The operands from k on, in the places of the format */
static void gather(Frame *fr, const Inst *in, int k) {
    const char *at = op_sym(in->op, A_FORMAT);
    for (FormatPart p; at && template_next(&at, &p);)
        if (p.is_place) print_place(fr, in, k++, &p);
        else print_part(&p);
    for (; k < in->op->nopnds; k++) {
        if (k) dsl_print_sep();
        print_operand(fr, in, k);
    }
}

void interp_OP_PRINT(Frame *fr, const Inst *in) {
    gather(fr, in, 0);
    dsl_print_end(interp_site(fr, in->op));
}

void interp_OP_FORMAT(Frame *fr, const Inst *in) {
    gather(fr, in, 0);
    fr->env[in->r].text = dsl_print_text(interp_site(fr, in->op));
}

/* Its message is made when it is needed. */
void interp_OP_CHECK(Frame *fr, const Inst *in) {
    if (DSL_LIKELY(fr->env[in->a].i)) return;
    bool formatted = op_sym(in->op, A_FORMAT) != NULL;
    int n = formatted ? 1 : in->op->nopnds - 1;
    dsl_arg args[n + 1];
    if (formatted) {
        gather(fr, in, 1);
        args[0] = arg_of(DT_STR, (Cell){.text = dsl_print_text(interp_site(fr, in->op))});
    }
    for (int i = 0; i < n && !formatted; i++) args[i] = arg_of(interp_dtype(in, i + 1), interp_opnd(fr, in, i + 1));
    dsl_fail_args(interp_site(fr, in->op), op_sym(in->op, A_CODE), op_sym(in->op, A_MSG), n, args);
}

/* The sizes that the result's type asks of an array from outside: new names take theirs from it, first. */
static void wanted_dims(Frame *fr, const Inst *in, const dsl_array *a, int rank, int64_t *dim) {
    for (int i = 0; i < rank; i++)
        if (in->dims[0][i].define) fr->env[in->dims[0][i].slot].i = dim[i] = a->dim[i];
    for (int i = 0; i < rank; i++)
        if (!in->dims[0][i].define) dim[i] = interp_size(fr, in->dims[0][i].size);
}

void interp_OP_LOADFILE(Frame *fr, const Inst *in) {
    const Type *t = in->op->res[0].type;
    const dsl_site *at = interp_site(fr, in->op);
    dsl_array *a = dsl_load(at, fr->env[in->opnds[0]].text, in->op->nopnds > 1 ? fr->env[in->opnds[1]].text : "",
                            (int)t->dtype, t->rank);
    int64_t dim[MAX_RANK];
    wanted_dims(fr, in, a, t->rank, dim);
    interp_put_tensor(fr, in, interp_adopt(fr, in->op, dsl_retype(at, a, dim, "load", NULL)));
}

/* ---- C functions
 *
 * Called without a library for it: on the machines we know, integers and pointers go into one row of
 * registers and floats into another, each in order, whatever lies between; integers beyond these registers go onto the
 * stack in order.  So one call that passes the integers first and then the floats serves every signature, as long as
 * the registers for floats suffice. */

enum { MAX_INTS = 12, MAX_FLOATS = 8 };

typedef struct { int64_t i[MAX_INTS]; Cell f[MAX_FLOATS]; int ni, nf; } Args;

static DSL_NORETURN void fail_extern(Frame *fr, const Inst *in, const char *why) {
    dsl_say_error(interp_site(fr, in->op), "E0634", "extern function '%s': %s", ((const Func *)in->aux)->name, why);
    dsl_say_hint("the interpreter knows only the library's own C functions: compile the program instead");
    dsl_stop(1);
}

static void add_arg(Frame *fr, const Inst *in, Args *a, int k) {
    DType t = interp_dtype(in, k);
    bool tensor = type_is_tensor(op_opnd(in->op, k)->type), in_float_row = !tensor && (t == DT_F64 || t == DT_F32);
    Cell v = interp_opnd(fr, in, k);
    if (in_float_row ? a->nf == MAX_FLOATS : a->ni == MAX_INTS) fail_extern(fr, in, "too many arguments");
    if (in_float_row) a->f[a->nf++] = v;
    else if (tensor) a->i[a->ni++] = (int64_t)(intptr_t)interp_defined(fr, in, k)->a;
    else if (t == DT_F16) a->i[a->ni++] = dsl_f32_to_f16(v.s);
    else if (t == DT_BF16) a->i[a->ni++] = dsl_f32_to_bf16(v.s);
    else a->i[a->ni++] = v.i;
}

#define INTS int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t
#define FLOATS double, double, double, double, double, double, double, double
#define PASS \
    a->i[0], a->i[1], a->i[2], a->i[3], a->i[4], a->i[5], a->i[6], a->i[7], a->i[8], a->i[9], a->i[10], a->i[11], \
        a->f[0].f, a->f[1].f, a->f[2].f, a->f[3].f, a->f[4].f, a->f[5].f, a->f[6].f, a->f[7].f

/* The value as C returned it, made a cell. */
static Cell narrow(DType t, int64_t v) {
    switch (t) {
    case DT_BOOL: return (Cell){.i = (v & 255) != 0};
    case DT_F16: return (Cell){.s = dsl_f16_to_f32((dsl_f16)v)};
    case DT_BF16: return (Cell){.s = dsl_bf16_to_f32((dsl_bf16)v)};
    default: return interp_load(t, &v, 0);
    }
}

static Cell call_c(void *f, const Args *a, DType t) {
    if (t == DT_F64) return (Cell){.f = ((double (*)(INTS, FLOATS))f)(PASS)};
    if (t == DT_F32) return (Cell){.s = ((float (*)(INTS, FLOATS))f)(PASS)};
    int64_t r = ((int64_t (*)(INTS, FLOATS))f)(PASS);
    return t == DT_STR ? (Cell){.text = (const char *)(intptr_t)r} : narrow(t, r);
}

static dsl_array *returned_array(Frame *fr, const Inst *in, dsl_array *a) {
    const Type *t = in->op->res[0].type;
    const dsl_site *at = interp_site(fr, in->op);
    int64_t dim[MAX_RANK];
    dsl_extern_result(at, a, (int)t->dtype, t->rank);
    wanted_dims(fr, in, a, t->rank, dim);
    return dsl_retype(at, a, dim, ((const Func *)in->aux)->name, NULL);
}

void interp_OP_EXTERN(Frame *fr, const Inst *in) {
    const Func *callee = in->aux;
    void *f = dlsym(RTLD_DEFAULT, func_c_name(callee));
    if (!f) fail_extern(fr, in, "there is no such C function here");
    if (in->op->nres > 1) fail_extern(fr, in, "more than one result");
    Args args = {.ni = 0};
    for (int k = 0; k < in->op->nopnds; k++) add_arg(fr, in, &args, k);
    dsl_calls(interp_site(fr, in->op), func_c_name(callee));
    bool tensor = in->op->nres && type_is_tensor(in->op->res[0].type);
    Cell r = call_c(f, &args, in->op->nres && !tensor ? in->op->res[0].type->dtype : DT_I64);
    dsl_called();
    if (tensor) r.t = interp_adopt(fr, in->op, returned_array(fr, in, (dsl_array *)(intptr_t)r.i));
    interp_put(fr, in, &r);
}
