/* What the files of pass ensembles share. */
#ifndef DSL_ENSEMBLES_H
#define DSL_ENSEMBLES_H

#include "analysis/linear.h"
#include "opt/loops/loops.h"

#define ENSEMBLE_MOST ((int64_t)1 << 40) /* of elements, bytes: as good as any number beyond */

/* ---- ensembles_needs.c */

/* Bytes of the arrays that a turn makes; elements of a loop in it that threads could share instead of the turns */
typedef struct { const Size *bytes, *elements; } EnsembleNeeds;

/* In sizes known at b, before the loop; false: some are found in the loop */
bool ensemble_needs(Builder *b, Op *loop, EnsembleNeeds *out);

/* ---- ensembles_ranks.c */

/* Of an array that is carried, turn k touches the rows step*k + first .. step*k + first + width - 1, and no other turn
 * does; forth: step > 0; width NULL: its places are not rows */
typedef struct { const Poly *step, *first, *width; bool forth; } EnsembleRows;

/* Processes share the turns of the loop: those of a process are stretches of it, and arrays that it carries are then at
 * home where they were written.  What it reads besides all get.  rows: of each array */
void ensemble_part(Linear *l, Op *loop, const EnsembleRows *rows);

#endif
