/* What the files of pass ensembles share. */
#ifndef DSL_ENSEMBLES_H
#define DSL_ENSEMBLES_H

#include "opt/loops/loops.h"

/* ---- ensembles_bytes.c */

/* Of the arrays that a turn of the loop makes, also in the functions that it calls, in sizes known at b, before the
 * loop; NULL: some are found in the loop */
const Size *ensemble_bytes(Builder *b, Op *loop);

#endif
