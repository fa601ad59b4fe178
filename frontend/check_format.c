/* Formatted texts, f"t = {t:.3f}": what may stand in a place, and whether its format fits.  An array is written element
 * by element, a tuple or struct field by field, each in the format of the place. */
#include "frontend/check.h"

/* A type of t's parts that the format is not for, or NULL */
static const FType *misfit(const FormatSpec *spec, const FType *t) {
    switch (t->kind) {
    case FT_SCALAR: return spec_fits(spec, t->dtype) ? NULL : t;
    case FT_ARRAY: return misfit(spec, t->elem);
    case FT_TUPLE: case FT_STRUCT:
        for (int i = 0; i < t->nfields; i++) {
            const FType *bad = misfit(spec, t->fields[i]);
            if (bad) return bad;
        }
        return NULL;
    default: return NULL;
    }
}

static const char *fitting(const FType *t) {
    if (t->dtype == DT_STR || t->dtype == DT_BOOL) return "only a width and one of < > ^ go with it: {x:>10}";
    return dtype_is_float(t->dtype) ? "floats take f, e and g: {x:.3f}; whole ones can be written {int(x):d}"
                                    : "ints take d and x, or f, e and g";
}

static void check_place(Check *c, const Expr *e, const FormatPart *p) {
    FormatSpec spec;
    const char *wrong = spec_read(p->text, p->len, &spec);
    const char *text = arena_printf(c->a, "%.*s", p->len, p->text);
    if (wrong) {
        Diag *d = report(c, e->span, E_FORMAT, text);
        diag_hint(c->s, d, "%s", wrong);
        return;
    }
    const FType *bad = misfit(&spec, e->type);
    if (p->len && e->type->kind == FT_ARRAY && is_complex(c, e->type)) {
        diag_hint(c->s, report(c, e->span, E_FORMAT_TYPE, text, ftype_str(c->s, e->type)),
                  "of an array of complex numbers each part has a format: {z.re:%s} {z.im:%s}", text, text);
        return;
    }
    if (bad) diag_hint(c->s, report(c, e->span, E_FORMAT_TYPE, text, ftype_str(c->s, bad)), "%s", fitting(bad));
}

/* The message of an assert is made when it fails, of numbers also by what stops a kernel. */
static bool is_made_later(const Check *c, const Expr *e) {
    for (int i = 0; i < e->args.len; i++)
        if (e->args.data[i]->type->kind != FT_SCALAR) return false;
    return e == c->message && e->args.len;
}

Expr *check_format(Check *c, Expr *e) {
    const char *at = e->name;
    int k = 0;
    for (FormatPart p; template_next(&at, &p);) {
        if (!p.is_place) continue;
        Expr *value = unflex(c, check_value(c, e->args.data[k], NULL));
        if (is_error(value)) return error_expr(e);
        check_place(c, value, &p);
        bool numbers = !p.len && value->type->kind == FT_ARRAY && is_complex(c, value->type);
        e->args.data[k++] = numbers ? complex_text(c, value) : value;
    }
    if (!is_made_later(c, e)) not_device(c, "make texts", e->span);
    e->type = ftype_scalar(c->s, DT_STR);
    return e;
}
