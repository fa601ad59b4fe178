/* What the files of pass partition share. */
#ifndef DSL_RANKS_PASS_H
#define DSL_RANKS_PASS_H

#include "ir/index.h"
#include "ir/ranks.h"
#include "opt/pass.h"

/* ---- calls.c: functions that loops call */

/* Func -> what calls it, of those that an island calls, at any depth: they run in threads, and not in all processes. */
Map ranks_called_inside(Arena *a, const Module *m);
/* It only computes with numbers: it makes no arrays, and the world sees nothing of it. */
bool ranks_is_scalar(const Func *f);

/* ---- merge.c: parted loops that read one array ask for its rows together. */
void ranks_merge(Func *f);

#endif
