/* Making modules, functions and operations.
 *
 * Everything is allocated in the module's arena and never freed before it.  An operand slot is the use
 * of its value: it is linked into the value's list where it lies, so slots move only through
 * op_grow_opnds (edit.c). */
#include "ir/private.h"
#include "runtime/dsl.h"

#include <string.h>

Module *module_new(Session *s) {
    Arena *a = arena_new();
    Module *m = NEW(a, Module);
    m->session = s;
    m->arena = a;
    return m;
}

void module_free(Module *m) {
    if (m) arena_free(m->arena);
}

Region *region_new(Module *m, Op *owner, Func *func) {
    Region *r = NEW(m->arena, Region);
    r->owner = owner;
    r->func = func;
    return r;
}

Func *func_new(Module *m, const char *name, FuncKind kind, Span at) {
    Func *f = NEW(m->arena, Func);
    f->module = m;
    f->name = intern(m->session, name);
    f->kind = kind;
    f->span = at;
    f->body = region_new(m, NULL, f);
    vec_push(m->arena, &m->funcs, f);
    return f;
}

Region *func_begin_anew(Func *f) {
    Region *was = f->body;
    f->body = region_new(f->module, NULL, f);
    return was;
}

Func *module_find(const Module *m, const char *name) {
    for (int i = 0; i < m->funcs.len; i++)
        if (m->funcs.data[i]->name == name) return m->funcs.data[i];
    for (int i = 0; i < m->funcs.len; i++)
        if (!strcmp(m->funcs.data[i]->name, name)) return m->funcs.data[i];
    return NULL;
}

const Func *func_vjp(const Func *f) { return f->vjp ? module_find(f->module, f->vjp) : NULL; }
const Func *func_jvp(const Func *f) { return f->jvp ? module_find(f->module, f->jvp) : NULL; }

int func_float_results(const Func *f) {
    int floats = 0;
    for (int i = 0; i < f->nres; i++) floats += dtype_is_float(f->res_types[i]->dtype);
    return floats;
}

int func_float_params(const Func *f) {
    int floats = 0;
    for (int i = 0; i < f->body->nargs; i++) floats += dtype_is_float(f->body->args[i]->type->dtype);
    return floats;
}

bool rule_takes_results(const Func *f, const Func *rule) {
    bool vjp = f->vjp && rule == func_vjp(f);
    int directions = vjp ? func_float_results(f) : func_float_params(f);
    return rule->body->nargs > f->body->nargs + directions;
}

bool module_takes_arguments(const Module *m) { return module_find(m, "dsl_x_args_read") != NULL; }

const char *func_c_name(const Func *f) {
    const char *dot = strchr(f->name, '.');
    return dot ? intern_n(f->module->session, f->name, (size_t)(dot - f->name)) : f->name;
}

static const char kernel_prefix[] = "kernel.";

const char *kernel_func_name(Session *s, const char *kernel) { return intern_printf(s, "%s%s", kernel_prefix, kernel); }

const char *func_kernel_name(const Func *f) {
    size_t n = strlen(kernel_prefix);
    return strncmp(f->name, kernel_prefix, n) ? NULL : f->name + n;
}

const char *called_words(Session *s, const char *func_name) {
    int len = (int)strcspn(func_name, ".");
    if (!strncmp(func_name, "lambda", (size_t)len)) return intern(s, "the function was called here");
    return intern_printf(s, "'%.*s' was called here", len, func_name);
}

Value *region_add_arg(Region *r, const Type *t, const char *name) {
    Arena *a = r->func->module->arena;
    if (r->nargs == r->arg_cap) r->args = vec_grow_(a, r->args, r->nargs, &r->arg_cap, sizeof *r->args);
    Value *v = NEW(a, Value);
    v->type = t;
    v->region = r;
    v->index = r->nargs;
    v->name = name;
    r->args[r->nargs++] = v;
    return v;
}

Value *region_add_buf(Region *r, const Type *tensor, const char *name) {
    Session *s = r->func->module->session;
    return region_add_arg(r, type_buf(s, tensor->dtype, tensor->rank, tensor->dims, SPACE_GLOBAL), name);
}

void region_remove_arg(Region *r, int i) {
    for (int k = i + 1; k < r->nargs; k++) {
        r->args[k - 1] = r->args[k];
        r->args[k - 1]->index = k - 1;
    }
    r->nargs--;
}

/* ---- where to build */

Builder builder_at_end(Module *m, Region *r, Span at) { return (Builder){m, r, NULL, at}; }
Builder builder_before(Op *op) { return (Builder){op->parent->func->module, op->parent, op, op->span}; }
Builder builder_after(Op *op) { return (Builder){op->parent->func->module, op->parent, op->next, op->span}; }

/* ---- the general constructor */

Op *build_op(Builder *b, OpCode c, int nopnds, Value *const *opnds, int nres, const Type *const *res, int nregs) {
    Arena *a = b->module->arena;
    Op *op = NEW(a, Op);
    op->code = c;
    op->span = b->span;
    op->derived = b->module->deriving || (b->before && b->before->derived); /* what replaces one is one */
    op->nopnds = op->opnd_cap = nopnds;
    op->opnds = nopnds ? NEWN(a, Use, nopnds) : NULL;
    for (int i = 0; i < nopnds; i++) use_link(&op->opnds[i], op, i, opnds[i]);
    op->nres = nres;
    op->res = nres ? NEWN(a, Value, nres) : NULL;
    for (int i = 0; i < nres; i++) {
        op->res[i].type = res[i];
        op->res[i].def = op;
        op->res[i].index = i;
    }
    op->nregs = nregs;
    op->regs = nregs ? NEWN(a, Region *, nregs) : NULL;
    for (int i = 0; i < nregs; i++) op->regs[i] = region_new(b->module, op, b->region->func);
    op_insert(op, b->region, b->before);
    return op;
}

static Value *one(Builder *b, OpCode c, int nopnds, Value *const *opnds, const Type *res) {
    return &build_op(b, c, nopnds, opnds, 1, &res, 0)->res[0];
}

/* ---- constants and sizes */

/* The value that the dtype can hold. */
static Const normal(Const c) {
    switch (dtype_info(c.dtype)->kind) {
    case DK_FLOAT:
        return (Const){.dtype = c.dtype, .f = const_round(c.dtype, c.f)};
    case DK_BOOL: return (Const){.dtype = c.dtype, .i = c.i != 0};
    case DK_STR: return (Const){.dtype = c.dtype, .s = c.s};
    default: return (Const){.dtype = c.dtype, .i = const_wrap(c.dtype, c.i)};
    }
}

double const_round(DType t, double f) {
    switch (t) {
    case DT_F16: return (double)dsl_f16_to_f32(dsl_f32_to_f16((float)f));
    case DT_BF16: return (double)dsl_bf16_to_f32(dsl_f32_to_bf16((float)f));
    case DT_F32: return (double)(float)f;
    default: return f;
    }
}

int64_t const_wrap(DType t, int64_t i) {
    switch (t) {
    case DT_BOOL: return i != 0;
    case DT_I8: return (int8_t)(uint8_t)(uint64_t)i;
    case DT_I16: return (int16_t)(uint16_t)(uint64_t)i;
    case DT_I32: return (int32_t)(uint32_t)(uint64_t)i;
    case DT_U8: return (uint8_t)i;
    case DT_U16: return (uint16_t)i;
    case DT_U32: return (uint32_t)i;
    default: return i;
    }
}

Value *build_const(Builder *b, Const c) {
    Value *v = one(b, OP_CONST, 0, NULL, type_scalar(b->module->session, c.dtype));
    op_set_const(v->def, A_VALUE, normal(c));
    return v;
}

Value *build_int(Builder *b, int64_t v) { return build_const(b, (Const){.dtype = DT_I64, .i = v}); }
Value *build_float(Builder *b, DType t, double v) { return build_const(b, (Const){.dtype = t, .f = v}); }
Value *build_bool(Builder *b, bool v) { return build_const(b, (Const){.dtype = DT_BOOL, .i = v}); }

Value *build_size(Builder *b, const Size *size) {
    int64_t c;
    if (size_is_const(size, &c)) return build_int(b, c);
    Value *v = one(b, OP_SIZE, 0, NULL, type_scalar(b->module->session, DT_I64));
    const Size **sizes = NEWN(b->module->arena, const Size *, 1);
    sizes[0] = size;
    op_set_attr(v->def, (Attr){.id = A_SIZE, .n = 1, .sizes = sizes});
    return v;
}

Value *build_threads(Builder *b) { return one(b, OP_THREADS, 0, NULL, type_scalar(b->module->session, DT_I64)); }

Value *build_shared(Builder *b, DType t, int rank, const Size *const *dims, const char *name) {
    Session *s = b->module->session;
    Value *v = one(b, OP_ALLOC, 0, NULL, type_buf(s, t, rank, dims, SPACE_SHARED));
    v->name = name ? intern(s, name) : NULL;
    return v;
}

Value *build_bind(Builder *b, Value *v, const char *sym) {
    op_set_sym(build_op(b, OP_BIND, 1, &v, 0, NULL, 0), A_SYM, sym);
    return v;
}

/* ---- elementwise */

static const Type *elementwise_type(Builder *b, OpCode c, const Value *x) {
    return op_info(c)->traits & TR_BOOL ? type_with_dtype(b->module->session, x->type, DT_BOOL) : x->type;
}

Value *build_unary(Builder *b, OpCode c, Value *x) { return one(b, c, 1, &x, elementwise_type(b, c, x)); }

Value *build_binary(Builder *b, OpCode c, Value *x, Value *y) {
    Value *opnds[] = {x, y};
    return one(b, c, 2, opnds, elementwise_type(b, c, x));
}

Value *build_select(Builder *b, Value *cond, Value *x, Value *y) {
    Value *opnds[] = {cond, x, y};
    return one(b, OP_SELECT, 3, opnds, x->type);
}

Value *build_cast(Builder *b, Value *x, DType t) {
    return x->type->dtype == t ? x : one(b, OP_CAST, 1, &x, type_with_dtype(b->module->session, x->type, t));
}

/* ---- elements */

enum { MAX_ACCESS = MAX_RANK + 2 };

static Op *access(Builder *b, OpCode c, Value *v, Value *object, int n, Value *const *idx, const Type *res) {
    Value *opnds[MAX_ACCESS];
    int k = 0;
    if (n > MAX_RANK) bug("%s with %d indices", op_info(c)->mnemonic, n);
    if (v) opnds[k++] = v;
    opnds[k++] = object;
    for (int i = 0; i < n; i++) opnds[k++] = idx[i];
    return build_op(b, c, k, opnds, res ? 1 : 0, &res, 0);
}

Value *build_extract(Builder *b, Value *tensor, int n, Value *const *idx) {
    return &access(b, OP_EXTRACT, NULL, tensor, n, idx, type_elem(b->module->session, tensor->type))->res[0];
}

Value *build_load(Builder *b, Value *buf, int n, Value *const *idx) {
    return &access(b, OP_LOAD, NULL, buf, n, idx, type_elem(b->module->session, buf->type))->res[0];
}

Op *build_store(Builder *b, Value *v, Value *buf, int n, Value *const *idx) {
    return access(b, OP_STORE, v, buf, n, idx, NULL);
}

/* ---- control */

void build_yield(Builder *b, int n, Value *const *vals) { build_op(b, OP_YIELD, n, vals, 0, NULL, 0); }
void build_return(Builder *b, int n, Value *const *vals) { build_op(b, OP_RETURN, n, vals, 0, NULL, 0); }

Op *build_for(Builder *b, Value *lo, Value *hi, Value *step, int n, Value *const *init) {
    Arena *a = b->module->arena;
    Value **opnds = NEWN(a, Value *, n + 3);
    const Type **types = NEWN(a, const Type *, n + 1);
    opnds[0] = lo, opnds[1] = hi, opnds[2] = step;
    for (int i = 0; i < n; i++) {
        opnds[i + 3] = init[i];
        types[i] = init[i]->type;
    }
    Op *op = build_op(b, OP_FOR, n + 3, opnds, n, types, 1);
    region_add_arg(op->regs[0], lo->type, NULL);
    for (int i = 0; i < n; i++) region_add_arg(op->regs[0], types[i], init[i]->name);
    return op;
}

Op *build_parallel(Builder *b, int n, Value *const *extents, LoopKind kind) {
    Op *op = build_op(b, OP_PARALLEL, n, extents, 0, NULL, 1);
    op_set_loop(op, kind);
    for (int i = 0; i < n; i++) region_add_arg(op->regs[0], type_scalar(b->module->session, DT_I64), NULL);
    return op;
}

Op *build_if(Builder *b, Value *cond, int nres, const Type *const *res) {
    return build_op(b, OP_IF, 1, &cond, nres, res, 2);
}

/* ---- names of sizes */

/* Length of sym without a suffix ".s12" of an earlier fresh name. */
static int stem_length(const char *sym) {
    const char *dot = strrchr(sym, '.');
    bool fresh = dot && dot[1] == 's' && dot[2] && strspn(dot + 2, "0123456789") == strlen(dot + 2);
    return (int)(fresh ? dot - sym : (ptrdiff_t)strlen(sym));
}

const char *module_fresh_sym(Module *m, const char *base) {
    return intern_printf(m->session, "%.*s.s%d", stem_length(base), base, m->next_sym++);
}

/* ---- attributes */

void op_set_attr(Op *op, Attr a) {
    for (int i = 0; i < op->nattrs; i++)
        if (op->attrs[i].id == a.id) {
            op->attrs[i] = a;
            return;
        }
    if (op->nattrs == op->attr_cap) {
        Arena *arena = op->parent->func->module->arena;
        int cap = op->attr_cap ? 2 * op->attr_cap : 2;
        Attr *more = NEWN(arena, Attr, cap);
        if (op->nattrs) memcpy(more, op->attrs, (size_t)op->nattrs * sizeof *more);
        op->attrs = more;
        op->attr_cap = cap;
    }
    op->attrs[op->nattrs++] = a;
}

void op_copy_attrs(Op *to, const Op *from) {
    for (int i = 0; i < from->nattrs; i++) op_set_attr(to, from->attrs[i]);
}

void op_set_flag(Op *op, AttrId id) { op_set_attr(op, (Attr){.id = id}); }

void op_set_sym(Op *op, AttrId id, const char *s) {
    op_set_attr(op, (Attr){.id = id, .s = intern(op->parent->func->module->session, s)});
}

void op_set_const(Op *op, AttrId id, Const c) { op_set_attr(op, (Attr){.id = id, .c = c}); }

void op_set_ints(Op *op, AttrId id, int n, const int64_t *v) {
    int64_t *copy = NEWN(op->parent->func->module->arena, int64_t, n);
    if (n) memcpy(copy, v, (size_t)n * sizeof *copy);
    op_set_attr(op, (Attr){.id = id, .n = n, .ints = copy});
}

void op_set_consts(Op *op, AttrId id, int n, const Const *v) {
    Const *copy = NEWN(op->parent->func->module->arena, Const, n);
    if (n) memcpy(copy, v, (size_t)n * sizeof *copy);
    op_set_attr(op, (Attr){.id = id, .n = n, .consts = copy});
}

void op_remove_attr(Op *op, AttrId id) {
    for (int i = 0; i < op->nattrs; i++)
        if (op->attrs[i].id == id) {
            memmove(&op->attrs[i], &op->attrs[i + 1], (size_t)(op->nattrs - i - 1) * sizeof *op->attrs);
            op->nattrs--;
            return;
        }
}

void op_set_combine(Op *op, Combine kind) { op_set_attr(op, (Attr){.id = A_COMBINE, .i = kind}); }

void op_set_loop(Op *op, LoopKind kind) { op_set_attr(op, (Attr){.id = A_LOOP, .i = kind}); }

const Attr *op_attr(const Op *op, AttrId id) {
    for (int i = 0; i < op->nattrs; i++)
        if (op->attrs[i].id == id) return &op->attrs[i];
    return NULL;
}

Combine op_combine(const Op *op) {
    const Attr *a = op_attr(op, A_COMBINE);
    return a ? (Combine)a->i : COMBINE_NONE;
}

LoopKind op_loop(const Op *op) {
    const Attr *a = op_attr(op, A_LOOP);
    return a ? (LoopKind)a->i : LOOP_NONE;
}

bool op_flag(const Op *op, AttrId id) { return op_attr(op, id) != NULL; }

void op_set_place(Op *op, AttrId id, Span at) {
    if (at.file >= 0) op_set_ints(op, id, 3, (const int64_t[]){at.file, at.lo, at.hi});
}

Span op_place(const Op *op, AttrId id) {
    const Attr *a = op_attr(op, id);
    const Session *s = op->parent->func->module->session;
    if (!a || a->n != 3 || a->ints[0] < 0 || a->ints[0] >= source_count(s)) return NO_SPAN;
    size_t len;
    source_text(s, (int)a->ints[0], &len);
    if (a->ints[1] < 0 || a->ints[1] > a->ints[2] || a->ints[2] > (int64_t)len) return NO_SPAN;
    return (Span){(int)a->ints[0], (int)a->ints[1], (int)a->ints[2], 0};
}

const char *op_sym(const Op *op, AttrId id) {
    const Attr *a = op_attr(op, id);
    return a ? a->s : NULL;
}

Value *build_empty(Builder *b, const Type *t, const char *name) {
    Value *v = &build_op(b, OP_EMPTY, 0, NULL, 1, &t, 0)->res[0];
    v->name = name;
    return v;
}

static const Size *matrix_dim(const Type *t, bool last) { return t->rank < 2 ? NULL : t->dims[t->rank - 2 + last]; }

bool dot_turns(const Op *op, int i) {
    const Attr *trans = op_attr(op, A_TRANS);
    return trans && trans->ints[i];
}

Value *build_dot(Builder *b, Value *x, Value *y, const int64_t *trans) {
    Session *s = b->module->session;
    const Size *dims[MAX_RANK], *rows = matrix_dim(x->type, trans && trans[0]);
    const Size *columns = matrix_dim(y->type, !(trans && trans[1]));
    int rank = 0;
    for (; rank < x->type->rank - 2; rank++) dims[rank] = x->type->dims[rank];
    if (rows) dims[rank++] = rows;
    if (columns) dims[rank++] = columns;
    const Type *t = rank ? type_tensor(s, x->type->dtype, rank, dims) : type_scalar(s, x->type->dtype);
    Op *op = build_op(b, OP_DOT, 2, (Value *[]){x, y}, 1, &t, 0);
    if (trans) op_set_ints(op, A_TRANS, 2, trans);
    return &op->res[0];
}

Op *build_when(Builder *b, Value *cond, Builder *in) {
    Op *choice = build_if(b, cond, 0, NULL);
    Span at = b->span;
    for (int side = 1; side >= 0; side--) {
        *in = builder_at_end(b->module, choice->regs[side], at);
        build_yield(in, 0, NULL);
    }
    in->before = region_term(choice->regs[0]);
    return choice;
}

Op *build_island(Builder *b, int n, Value *const *opnds, const int64_t *modes) {
    const Type **types = NEWN(b->module->arena, const Type *, n + 1);
    int nres = 0;
    for (int i = 0; i < n; i++)
        if (modes[i]) types[nres++] = opnds[i]->type;
    Op *island = build_op(b, OP_ISLAND, n, opnds, nres, types, 1);
    op_set_ints(island, A_MODES, n, modes);
    for (int i = 0; i < n; i++) region_add_buf(island->regs[0], opnds[i]->type, opnds[i]->name);
    return island;
}

Value *island_result(const Op *island, int i) {
    int r = 0;
    for (int k = 0; k < i; k++) r += op_attr(island, A_MODES)->ints[k] != 0;
    return &island->res[r];
}

Value *island_reads(Op *island, Value *tensor) {
    const Attr *modes = op_attr(island, A_MODES);
    int n = island->nopnds;
    int64_t *more = NEWN(island->parent->func->module->arena, int64_t, n + 1); /* zeros */
    for (int i = 0; i < n; i++) more[i] = modes->ints[i];
    op_add_opnd(island, tensor);
    op_set_ints(island, A_MODES, n + 1, more);
    return region_add_buf(island->regs[0], tensor->type, tensor->name);
}

Op *build_plain_parallel(Builder *b, int n, Value *const *extents, Builder *in) {
    Op *loop = build_parallel(b, n, extents, LOOP_PLAIN);
    Builder end = builder_at_end(b->module, loop->regs[0], b->span);
    build_yield(&end, 0, NULL);
    *in = builder_before(region_term(loop->regs[0]));
    in->span = b->span;
    return loop;
}

void build_dims(Builder *b, const Type *t, Value **out) {
    for (int i = 0; i < t->rank; i++) out[i] = build_size(b, t->dims[i]);
}

/* ---- constants */

const Const *value_const(const Value *v) {
    return v->def && v->def->code == OP_CONST ? &op_attr(v->def, A_VALUE)->c : NULL;
}

bool value_const_int(const Value *v, int64_t *out) {
    const Const *c = value_const(v);
    if (!c || dtype_is_float(c->dtype) || c->dtype == DT_STR) return false;
    if (out) *out = c->i;
    return true;
}

bool value_is_const_int(const Value *v, int64_t what) {
    int64_t c;
    return value_const_int(v, &c) && c == what;
}

bool value_same_int(const Value *x, const Value *y) {
    int64_t i;
    if (x == y) return true;
    if (value_const_int(x, &i)) return value_is_const_int(y, i);
    bool sizes = x->def && y->def && x->def->code == OP_SIZE && y->def->code == OP_SIZE;
    return sizes && op_attr(x->def, A_SIZE)->sizes[0] == op_attr(y->def, A_SIZE)->sizes[0];
}

bool const_same(const Const *x, const Const *y) {
    return x->dtype == y->dtype && x->i == y->i && x->s == y->s && !memcmp(&x->f, &y->f, sizeof x->f);
}

bool value_is_fixed(const Value *v) { return v->def && (v->def->code == OP_CONST || v->def->code == OP_SIZE); }

Value *build_fill(Builder *b, Value *x, const Type *t) { return &build_op(b, OP_FILL, 1, &x, 1, &t, 0)->res[0]; }

Value *build_zero(Builder *b, const Type *t) {
    Value *zero = build_const(b, (Const){.dtype = t->dtype});
    return type_is_tensor(t) ? build_fill(b, zero, t) : zero;
}

Value *build_part(Builder *b, Value *x, const Type *t, int axis, const Size *at) {
    Value *start[MAX_RANK];
    int64_t steps[MAX_RANK];
    for (int i = 0; i < t->rank; i++) start[i] = i == axis ? build_size(b, at) : build_int(b, 0), steps[i] = 1;
    return slice_safe(b, x, t, start, steps);
}

Value *build_concat(Builder *b, int n, Value *const *parts, int axis) {
    Session *s = b->module->session;
    const Type *first = parts[0]->type;
    const Size *dims[MAX_RANK], *sum = size_const(s, 0);
    for (int k = 0; k < n; k++) sum = size_add(s, sum, parts[k]->type->dims[axis]);
    for (int i = 0; i < first->rank; i++) dims[i] = i == axis ? sum : first->dims[i];
    const Type *t = type_tensor(s, first->dtype, first->rank, dims);
    Op *op = build_op(b, OP_CONCAT, n, (Value **)parts, 1, &t, 0);
    op_set_ints(op, A_AXES, 1, (int64_t[]){axis});
    return &op->res[0];
}

/* ---- what is proved: no check */

static Value *safe(Value *v) {
    op_set_flag(v->def, A_SAFE);
    return v;
}

Value *extract_safe(Builder *b, Value *x, int n, Value *const *idx) { return safe(build_extract(b, x, n, idx)); }
Value *load_safe(Builder *b, Value *buf, int n, Value *const *idx) { return safe(build_load(b, buf, n, idx)); }
Value *idiv_safe(Builder *b, Value *x, Value *y) { return safe(build_binary(b, OP_IDIV, x, y)); }
Value *imod_safe(Builder *b, Value *x, Value *y) { return safe(build_binary(b, OP_MOD, x, y)); }

Op *store_safe(Builder *b, Value *v, Value *buf, int n, Value *const *idx) {
    Op *store = build_store(b, v, buf, n, idx);
    op_set_flag(store, A_SAFE);
    return store;
}

Value *slice_safe(Builder *b, Value *x, const Type *t, Value *const *start, const int64_t *steps) {
    Value *opnds[MAX_RANK + 1] = {x};
    for (int i = 0; i < t->rank; i++) opnds[i + 1] = start[i];
    Op *op = build_op(b, OP_SLICE, t->rank + 1, opnds, 1, &t, 0);
    op_set_ints(op, A_STEPS, t->rank, steps);
    return safe(&op->res[0]);
}

Value *update_safe(Builder *b, Value *x, Value *part, Value *const *start, const int64_t *steps) {
    Value *opnds[MAX_RANK + 2] = {x, part};
    for (int i = 0; i < x->type->rank; i++) opnds[i + 2] = start[i];
    Op *op = build_op(b, OP_UPDATE, x->type->rank + 2, opnds, 1, &x->type, 0);
    op_set_ints(op, A_STEPS, x->type->rank, steps);
    return safe(&op->res[0]);
}

Value *insert_safe(Builder *b, Value *x, Value *v, int n, Value *const *idx) {
    Value *opnds[MAX_RANK + 2] = {x, v};
    for (int i = 0; i < n; i++) opnds[2 + i] = idx[i];
    return safe(&build_op(b, OP_INSERT, 2 + n, opnds, 1, &x->type, 0)->res[0]);
}

Op *atomic_safe(Builder *b, Combine kind, Value *v, Value *buf, int n, Value *const *idx) {
    Value *opnds[MAX_RANK + 2] = {v, buf};
    for (int i = 0; i < n; i++) opnds[2 + i] = idx[i];
    Op *op = build_op(b, OP_ATOMIC, 2 + n, opnds, 0, NULL, 0);
    op_set_combine(op, kind);
    op_set_flag(op, A_SAFE);
    return op;
}

Value *build_reshaped(Builder *b, Value *x, const Type *t) {
    if (x->type == t) return x;
    Value *r = one(b, OP_RESHAPE, 1, &x, t);
    op_set_flag(r->def, A_SAFE);
    return r;
}

Op *build_lu_factor(Builder *b, Value *a) {
    const Type *types[] = {a->type, type_tensor(b->module->session, DT_I64, 1, a->type->dims)};
    return build_op(b, OP_LU_FACTOR, 1, &a, 2, types, 0);
}

Value *build_lu_solve(Builder *b, Value *f, Value *p, Value *rhs, bool transposed) {
    Op *op = build_op(b, OP_LU_SOLVE, 3, (Value *[]){f, p, rhs}, 1, &rhs->type, 0);
    if (transposed) op_set_flag(op, A_TRANSPOSED);
    return &op->res[0];
}

Value *build_transpose(Builder *b, Value *x, const int64_t *perm) {
    const Size *dims[MAX_RANK];
    for (int i = 0; i < x->type->rank; i++) dims[i] = x->type->dims[perm[i]];
    const Type *t = type_tensor(b->module->session, x->type->dtype, x->type->rank, dims);
    Op *op = build_op(b, OP_TRANSPOSE, 1, &x, 1, &t, 0);
    op_set_ints(op, A_PERM, x->type->rank, perm);
    return &op->res[0];
}
