/* Values for people: as print shows them, with the type behind, and for large arrays the extremes. */
#include "repl/workspace.h"

#include <string.h>

enum { LARGE = 1000 };

static void print_leaf(const Leaf *l) {
    const dsl_value *v = &l->value;
    if (l->is_array) {
        dsl_print_array(v->as_array);
        return;
    }
    switch (l->dtype) {
    case DT_BOOL: dsl_print_bool(v->as_bool); return;
    case DT_I8: dsl_print_i64(v->as_i8); return;
    case DT_I16: dsl_print_i64(v->as_i16); return;
    case DT_I32: dsl_print_i64(v->as_i32); return;
    case DT_I64: dsl_print_i64(v->as_i64); return;
    case DT_U8: dsl_print_u64(v->as_u8); return;
    case DT_U16: dsl_print_u64(v->as_u16); return;
    case DT_U32: dsl_print_u64(v->as_u32); return;
    case DT_U64: dsl_print_u64(v->as_u64); return;
    case DT_F64: dsl_print_f64(v->as_f64); return;
    case DT_STR: dsl_print_str(v->as_str); return;
    default: dsl_print_f32(v->as_f32);
    }
}

static double element(const dsl_array *a, int64_t i) {
    switch (a->dtype) {
    case DSL_F64: return ((const double *)a->data)[i];
    case DSL_F32: return (double)((const float *)a->data)[i];
    case DSL_F16: return (double)dsl_f16_to_f32(((const dsl_f16 *)a->data)[i]);
    case DSL_BF16: return (double)dsl_bf16_to_f32(((const dsl_bf16 *)a->data)[i]);
    case DSL_I64: return (double)((const int64_t *)a->data)[i];
    case DSL_I32: return ((const int32_t *)a->data)[i];
    case DSL_I16: return ((const int16_t *)a->data)[i];
    case DSL_I8: return ((const int8_t *)a->data)[i];
    case DSL_U64: return (double)((const uint64_t *)a->data)[i];
    case DSL_U32: return ((const uint32_t *)a->data)[i];
    case DSL_U16: return ((const uint16_t *)a->data)[i];
    default: return ((const uint8_t *)a->data)[i];
    }
}

static const char *extremes(Arena *arena, const dsl_array *a) {
    double lo = INFINITY, hi = -INFINITY;
    int64_t nans = 0;
    for (int64_t i = 0; i < a->count; i++) {
        double x = element(a, i);
        nans += isnan(x);
        if (x < lo) lo = x;
        if (x > hi) hi = x;
    }
    char l[DSL_FLOAT_TEXT], h[DSL_FLOAT_TEXT];
    if (dtype_is_float((DType)a->dtype)) dsl_format_f64(l, lo), dsl_format_f64(h, hi);
    else snprintf(l, sizeof l, "%.0f", lo), snprintf(h, sizeof h, "%.0f", hi);
    if (nans == a->count) return ", all nan";
    return arena_printf(arena, nans ? ", %s to %s, %lld nan" : ", %s to %s", l, h, (long long)nans);
}

/* The next n characters of *layout, which is then behind them */
static void print_name(const char **layout, size_t n) {
    for (; n > 0; n--, ++*layout) dsl_print_str((char[]){**layout, 0});
}

/* What *layout begins with: a leaf, or "Point(x:f64,y:f64[1],)", tuples without the names.  The axes of arrays of
 * structs stand behind and say nothing more: each leaf is an array. */
static void print_part(const char **layout, const Leaf **leaf) {
    size_t name = strcspn(*layout, ",()");
    if ((*layout)[name] != '(') {
        *layout += name;
        print_leaf((*leaf)++);
        return;
    }
    print_name(layout, name + 1);
    int fields = 0;
    bool named = false;
    for (; **layout != ')'; ++*layout) {
        if (fields++) dsl_print_str(", ");
        size_t field = strcspn(*layout, ":,()");
        if ((*layout)[field] == ':') {
            print_name(layout, field);
            dsl_print_str("=");
            named = ++*layout;
        }
        print_part(layout, leaf);
    }
    dsl_print_str(fields == 1 && !named ? ",)" : ")");
    *layout += 1 + strcspn(*layout + 1, ",)");
}

void show_value(const Variable *v) {
    Arena *a = arena_new();
    const char *more = "", *layout = v->layout;
    const Leaf *leaf = v->leaves;
    print_part(&layout, &leaf);
    if (v->nleaves == 1 && v->leaves[0].is_array && v->leaves[0].value.as_array->count > LARGE)
        more = extremes(a, v->leaves[0].value.as_array);
    dsl_print_str(arena_printf(a, " : %s%s", v->type, more));
    dsl_print_end(NULL);
    arena_free(a);
}
