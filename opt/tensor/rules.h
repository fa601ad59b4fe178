/* Rules of whole arrays.  Each builds, before op, a value equal to op's only result, and returns it; NULL: it does not
 * fit.  What they leave without uses, pass tensor erases.  Elements are the same up to the order of sums. */
#ifndef DSL_TENSOR_RULES_H
#define DSL_TENSOR_RULES_H

#include "opt/tensor/shape.h"

/* rules_part.c */
Value *rule_element(Builder *b, Op *extract);
Value *rule_columns_of_solution(Builder *b, Op *slice);

/* diagonal.c */
Value *rule_diagonal(Builder *b, Op *generate);

/* rules_calls.c */
Value *rule_sorted_twice(Builder *b, Op *op);
Value *rule_reduced_order(Builder *b, Op *reduce); /* floats: the order of the sum changes */
Value *rule_reduced_order_int(Builder *b, Op *reduce);
Value *rule_transformed_back(Builder *b, Op *call);

/* rules_product.c */
Value *rule_one_element(Builder *b, Op *extract);
Value *rule_inverse_product(Builder *b, Op *dot);

#endif
