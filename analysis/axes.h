/* Which of a launch's thread axes lies along warps of a GPU */
#ifndef DSL_AXES_H
#define DSL_AXES_H

#include "ir/ir.h"

/* launch: a loop over blocks, threads: that over its threads, or NULL.  Neighbours in a warp are to be the threads
 * along y: arrays are read along y, and no memory is shared. */
bool axes_turn(const Op *launch, const Op *threads);

#endif
