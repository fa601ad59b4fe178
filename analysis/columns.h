/* Where what reductions read lies: along rows or along columns of arrays. */
#ifndef DSL_COLUMNS_H
#define DSL_COLUMNS_H

#include "ir/ir.h"

/* Reads of a reduction: beside each other for its own (last) index, for an index around */
typedef struct { int along, beside; } ReadsLie;
ReadsLie reduce_reads(const Op *reduce, const Value *outer);

/* The reduction that the comprehension is, but for what is computed before, of columns that are long, and not so many
 * that a GPU had a thread for each; else NULL */
Op *long_columns(const Op *generate);

#endif
