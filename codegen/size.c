/* How the value of a symbolic size is computed: where plain arithmetic does, and where it could leave 64 bits. */
#include "codegen/plan.h"
#include "runtime/dsl.h"

#include <math.h>

static const double FITS = 9e18;

/* The greatest magnitude that s has, its symbols being sizes */
static double size_most(Session *s, const Size *a) {
    SizeNode n = size_node(s, a);
    if (n.op == 'c') return fabs((double)n.c);
    if (n.op == 's') return (double)DSL_MAX_EXTENT;
    double x = size_most(s, n.a), y = size_most(s, n.b);
    return n.op == '+' ? x + y : n.op == '*' ? x * y : n.op == '/' ? x : x > y ? x : y;
}

bool size_sum_fits(Session *s, const Size *a, const Size *b) {
    return size_most(s, a) < FITS && size_most(s, b) < FITS;
}

bool size_product_fits(Session *s, const Size *a, const Size *b) { return size_most(s, a) * size_most(s, b) < FITS; }

bool size_quotient_truncates(Session *s, const Size *quotient) {
    int64_t k;
    return size_is_const(size_node(s, quotient).b, &k) && k > 0 && size_is_natural(s, quotient);
}
