/* Types, constants, and what stands for the values and sizes of the program. */
#include "codegen/llvm/private.h"
#include "runtime/dsl.h"

#include <string.h>

LLVMTypeRef type_in_memory(Gen *g, DType t) {
    const DTypeInfo *info = dtype_info(t);
    if (info->kind == DK_STR) return g->ptr;
    if (info->kind == DK_FLOAT && info->bytes == 8) return g->f64;
    if (info->kind == DK_FLOAT && info->bytes == 4) return g->f32;
    return LLVMIntTypeInContext(g->ctx, 8 * (unsigned)info->bytes);
}

LLVMTypeRef type_of_scalar(Gen *g, DType t) { return t == DT_BOOL ? g->i1 : type_in_memory(g, dtype_computed(t)); }

LLVMTypeRef type_of_value(Gen *g, const Type *t) { return t->kind == TY_SCALAR ? type_of_scalar(g, t->dtype) : g->ptr; }

/* ---- slots */

LLVMTypeRef type_in_slot(Gen *g, const Type *t) {
    LLVMTypeRef type = type_of_value(g, t);
    return type == g->i1 ? g->i8 : type;
}

LLVMValueRef gen_from_slot(Gen *g, const Type *t, LLVMValueRef slot) {
    LLVMTypeRef type = type_of_value(g, t);
    LLVMValueRef x = LLVMBuildLoad2(g->b, type_in_slot(g, t), slot, "");
    return type == g->i1 ? LLVMBuildTrunc(g->b, x, g->i1, "") : x;
}

void gen_to_slot(Gen *g, LLVMValueRef x, LLVMValueRef slot) {
    if (LLVMTypeOf(x) == g->i1) x = LLVMBuildZExt(g->b, x, g->i8, "");
    LLVMBuildStore(g->b, x, slot);
}

LLVMValueRef gen_bits(Gen *g, LLVMValueRef x) {
    LLVMTypeRef t = LLVMTypeOf(x);
    if (t == g->f64) return LLVMBuildBitCast(g->b, x, g->i64, "");
    if (t == g->f32) x = LLVMBuildBitCast(g->b, x, g->i32, "");
    return LLVMBuildZExt(g->b, x, g->i64, "");
}

LLVMValueRef gen_of_bits(Gen *g, LLVMValueRef bits, LLVMTypeRef t) {
    if (t == g->f64) return LLVMBuildBitCast(g->b, bits, t, "");
    if (t == g->f32) return LLVMBuildBitCast(g->b, LLVMBuildTrunc(g->b, bits, g->i32, ""), t, "");
    return LLVMBuildTrunc(g->b, bits, t, "");
}

/* ---- constants */

LLVMValueRef const_i64(Gen *g, int64_t k) { return LLVMConstInt(g->i64, (unsigned long long)k, true); }
LLVMValueRef const_i32(Gen *g, int k) { return LLVMConstInt(g->i32, (unsigned long long)k, true); }

LLVMValueRef gen_constant(Gen *g, const char *name, LLVMValueRef x) {
    LLVMValueRef global = LLVMAddGlobal(g->out, LLVMTypeOf(x), name);
    LLVMSetInitializer(global, x);
    LLVMSetLinkage(global, LLVMPrivateLinkage);
    LLVMSetGlobalConstant(global, true);
    return global;
}

LLVMValueRef const_text(Gen *g, const char *text) {
    if (!text) return LLVMConstNull(g->ptr);
    text = intern(g->session, text);
    LLVMValueRef known = map_get(&g->texts, text);
    if (known) return known;
    known = gen_constant(g, "text", LLVMConstStringInContext2(g->ctx, text, strlen(text), false));
    map_put(g->arena, &g->texts, text, known);
    return known;
}

LLVMValueRef const_of(Gen *g, const Const *c) {
    switch (dtype_info(c->dtype)->kind) {
    case DK_FLOAT: return LLVMConstReal(type_of_scalar(g, c->dtype), c->f);
    case DK_STR: return const_text(g, c->s ? c->s : "");
    default: return LLVMConstInt(type_of_scalar(g, c->dtype), (unsigned long long)c->i, true);
    }
}

/* ---- values */

static LLVMValueRef *find_value(Gen *g, const Value *v) {
    for (Fn *f = g->fn; f; f = f->outer)
        if (f->values[v->id]) return &f->values[v->id];
    bug("@%s: a value of %s is used before it is emitted", g->plan->func->name,
        v->def ? op_info(v->def->code)->mnemonic : "a region");
}

/* What fn has from the function around, by its slot of env */
static LLVMValueRef capture(Gen *g, Fn *fn, const Value *v, const char *sym, LLVMTypeRef t) {
    LLVMValueRef slot = LLVMConstInt(g->i64, (unsigned)(fn->nstate + fn->captures.len), false);
    LLVMPositionBuilderAtEnd(g->entry, fn->entry);
    LLVMValueRef at = LLVMBuildGEP2(g->entry, g->i64, fn->env, &slot, 1, ""), x = LLVMBuildLoad2(g->entry, t, at, "");
    if (g->fn->entry != fn->entry) LLVMPositionBuilderAtEnd(g->entry, g->fn->entry);
    vec_push(g->arena, &fn->captures, ((Capture){v, sym}));
    return x;
}

/* In fn, of which v is no value of its own unless it is there already */
static LLVMValueRef value_in(Gen *g, Fn *fn, const Value *v) {
    if (fn->values[v->id]) return fn->values[v->id];
    return fn->values[v->id] = capture(g, fn, v, NULL, LLVMTypeOf(*find_value(g, v)));
}

LLVMValueRef gen_value(Gen *g, const Value *v) {
    if (v->def && v->def->code == OP_CONST) return const_of(g, &op_attr(v->def, A_VALUE)->c);
    return value_in(g, g->fn, v);
}

void gen_set(Gen *g, const Value *v, LLVMValueRef x) { g->fn->values[v->id] = x; }

/* ---- sizes */

void gen_define_sym(Gen *g, const char *sym, LLVMValueRef x) { map_put(g->arena, &g->fn->syms, sym, x); }

bool gen_knows_sym(const Gen *g, const char *sym) {
    for (const Fn *f = g->fn; f; f = f->outer)
        if (map_has(&f->syms, sym)) return true;
    return false;
}

static LLVMValueRef gen_sym(Gen *g, const char *sym) {
    LLVMValueRef x = map_get(&g->fn->syms, sym);
    if (x) return x;
    if (!gen_knows_sym(g, sym)) bug("size symbol '%s' is used before its definition in @%s", sym, g->plan->func->name);
    x = capture(g, g->fn, NULL, sym, g->i64);
    gen_define_sym(g, sym, x);
    return x;
}

void gen_define_syms(Gen *g, const Type *t, const Value *v) {
    for (int i = 0; i < t->rank; i++) {
        const char *sym = size_as_sym(t->dims[i]);
        if (sym && !gen_knows_sym(g, sym))
            gen_define_sym(g, sym, gen_array_field(g, gen_value(g, v), ARRAY_DIM + 8 * i, g->i64));
    }
}

static LLVMValueRef size_call(Gen *g, const char *name, LLVMValueRef x, LLVMValueRef y) {
    return gen_call(g, name, g->i64, ARGS(x, y));
}

/* exists: an array has that size, so that sums and products that wrap around come out right (plan.h) */
static LLVMValueRef size_value(Gen *g, const Size *s, bool exists) {
    SizeNode n = size_node(g->session, s);
    if (n.op == 'c') return const_i64(g, n.c);
    if (n.op == 's') return gen_sym(g, n.sym);
    exists = exists && (n.op == '+' || n.op == '*');
    LLVMValueRef x = size_value(g, n.a, exists), y = size_value(g, n.b, exists);
    switch (n.op) {
    case '+':
        if (exists) return LLVMBuildAdd(g->b, x, y, "");
        return size_sum_fits(g->session, n.a, n.b) ? LLVMBuildNSWAdd(g->b, x, y, "")
                                                   : size_call(g, "dsl_size_add", x, y);
    case '*':
        if (exists) return LLVMBuildMul(g->b, x, y, "");
        return size_product_fits(g->session, n.a, n.b) ? LLVMBuildNSWMul(g->b, x, y, "")
                                                       : size_call(g, "dsl_size_mul", x, y);
    case '/':
        return size_quotient_truncates(g->session, s) ? LLVMBuildUDiv(g->b, x, y, "")
                                                      : size_call(g, "dsl_idiv_i64", x, y);
    case '%':
        return size_quotient_truncates(g->session, s) ? LLVMBuildURem(g->b, x, y, "")
                                                      : size_call(g, "dsl_mod_i64", x, y);
    case 'M': return size_call(g, "dsl_max_i64", x, y);
    case 'm': return size_call(g, "dsl_min_i64", x, y);
    }
    bug("size node '%c'", n.op);
}

LLVMValueRef gen_size(Gen *g, const Size *s) { return size_value(g, s, false); }

LLVMValueRef gen_array_extent(Gen *g, const Size *s) { return size_value(g, s, true); }

/* ---- memory of the generated code's own */

LLVMValueRef gen_offset(Gen *g, LLVMValueRef p, int64_t bytes) {
    LLVMValueRef k = const_i64(g, bytes);
    return LLVMBuildInBoundsGEP2(g->b, g->i8, p, &k, 1, "");
}

LLVMValueRef gen_stack(Gen *g, LLVMTypeRef t) {
    LLVMPositionBuilderAtEnd(g->entry, g->fn->entry);
    return LLVMBuildAlloca(g->entry, t, "");
}

LLVMValueRef gen_dims(Gen *g, const Type *t) {
    if (!t->rank) return LLVMConstNull(g->ptr);
    LLVMValueRef dims = gen_stack(g, LLVMArrayType2(g->i64, (uint64_t)t->rank));
    for (int i = 0; i < t->rank; i++) LLVMBuildStore(g->b, gen_size(g, t->dims[i]), gen_offset(g, dims, 8 * i));
    return dims;
}

LLVMValueRef gen_site(Gen *g, Span at) {
    LLVMValueRef k = const_i64(g, (int64_t)sizeof(dsl_site) * site_number(&g->sites, at));
    if (g->on_device) return LLVMConstIntToPtr(k, g->ptr); /* the host has the table */
    return LLVMConstGEP2(g->i8, g->site_table, &k, 1);
}
