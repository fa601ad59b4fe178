/* Values that the indices of a loop do not change. */
#include "opt/loops/loops.h"

bool loops_is_fixed(const Region *r, const Value *v) {
    if (!region_encloses(r, value_region(v))) return true;
    if (!v->def || v->def->nregs || !op_is_pure(v->def)) return false;
    for (int i = 0; i < v->def->nopnds; i++)
        if (!loops_is_fixed(r, op_opnd(v->def, i))) return false;
    return true;
}

Value *loops_outside(Builder *b, const Region *r, Value *v) {
    Cloner c = {.module = b->module};
    return clone_slice(&c, b, r, v);
}
