/* Sums of products that are matrix products. */
#ifndef DSL_PRODUCT_H
#define DSL_PRODUCT_H

#include "ir/ir.h"

/* Those that are computed for each index of owner, a comprehension or reduction at function level, become elements of
 * products before it.  False: there are none.  With owner, which may be gone then, in a branch of its own, where only
 * the program's run tells whether it is worth it */
bool raise_products(Op *owner);

#endif
