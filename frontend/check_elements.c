/* for x in over: x is an element of the array, or a row where it has several axes. */
#include "frontend/check.h"

static void report_no_array(Check *c, const Expr *over) {
    Diag *d = report(c, over->span, E_LOOP_RANGE);
    const char *text = source_copy(c->s, over->span);
    diag_note(c->s, d, over->span, "this is %s", ftype_str(c->s, over->type));
    if (type_is_int(over->type)) {
        diag_hint(c->s, d, "write 0:%s", text);
        diag_fix(c->s, d, false, over->span, "0:%s", text);
    }
    else diag_hint(c->s, d, "write 0:n, or an array: [1, 2], a[1:], x - y");
}

bool check_over(Check *c, Gen *g) {
    Expr *over = g->over = unflex(c, check_value(c, g->over, NULL));
    if (is_error(over)) return false;
    if (over->type->kind != FT_ARRAY) return report_no_array(c, over), false;
    g->extent = over->type->dims[0];
    g->step_value = 1;
    return true;
}

const FType *over_element(Check *c, const Gen *g) {
    const FType *t = g->over->type;
    return t->rank > 1 ? ftype_array(c->s, t->elem, t->rank - 1, t->dims + 1) : t->elem;
}
