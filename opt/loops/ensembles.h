/* What the files of pass ensembles share. */
#ifndef DSL_ENSEMBLES_H
#define DSL_ENSEMBLES_H

#include "opt/loops/loops.h"

#define ENSEMBLE_MOST ((int64_t)1 << 40) /* of elements, bytes: as good as any number beyond */

/* ---- ensembles_needs.c */

/* Bytes of the arrays that a turn makes; elements of a loop in it that threads could share instead of the turns */
typedef struct { const Size *bytes, *elements; } EnsembleNeeds;

/* In sizes known at b, before the loop; false: some are found in the loop */
bool ensemble_needs(Builder *b, Op *loop, EnsembleNeeds *out);

#endif
