/* Common subexpressions of one function (cse.c says how). */
#ifndef DSL_CSE_H
#define DSL_CSE_H

#include "ir/ir.h"

/* As pass cse; a float that is one above it with the other sign becomes that one's negative: x - y beside y - x, where
 * nobody sees the sign of a 0. */
void cse_signs(Func *f);

#endif
