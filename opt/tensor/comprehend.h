/* Arrays that are written in part, as comprehensions. */
#ifndef DSL_COMPREHEND_H
#define DSL_COMPREHEND_H

#include "ir/ir.h"

/* The comprehension of what op makes, whose only result is an array: op itself if it is one; before op, of an insert,
 * and where all but a border of the array is written, of an update, a pad, an island of one parallel nest, or a loop
 * that carries the array, each turn of which writes an element of its own.  op stays.  around: what holds the elements
 * of the border, if not what op says; NULL: that.  Returns NULL if it is nothing of the kind. */
Op *comprehend(Op *op, Value *around);

/* The same of an island, in which loops may add up floats: they become sums, whose order is another. */
Op *comprehend_sums(Op *island);

#endif
