/* Between coarsen.c and coarsen_neighbours.c */
#ifndef DSL_COARSEN_H
#define DSL_COARSEN_H

#include "opt/pass.h"

/* The launches of an island of a GPU whose threads read neighbours that they have in common */
void coarsen_neighbours(const PassOptions *opts, Op *island);

#endif
