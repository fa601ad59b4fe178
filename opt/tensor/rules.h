/* Rules of whole arrays.  Each builds, before op, a value equal to op's only result, and returns it; NULL: it does not
 * fit.  What they leave without uses, pass tensor erases.  Elements are the same up to the order of sums. */
#ifndef DSL_TENSOR_RULES_H
#define DSL_TENSOR_RULES_H

#include "opt/pass.h"

/* rules_part.c: slice and extract */
Value *rule_part(Builder *b, Op *op);

/* rules_product.c: dot, transpose, reduce and generate */
Value *rule_transposed_operand(Builder *b, Op *dot);
Value *rule_transposed_product(Builder *b, Op *transpose);
Value *rule_vector_first(Builder *b, Op *dot);
Value *rule_scaled_operand(Builder *b, Op *dot);
Value *rule_sum_of_product(Builder *b, Op *reduce);
Value *rule_one_element(Builder *b, Op *extract);

/* Whether nothing but op uses v, which stands in its region */
bool only_for(const Value *v, const Op *op);

#endif
