/* Which private arrays mem2reg makes values of, if all indices are constants. */
#ifndef DSL_OPT_MEM2REG_H
#define DSL_OPT_MEM2REG_H

#include "ir/ir.h"

int promotable_elements(const Type *t); /* how many there are; 0: too many, or not known */

#endif
