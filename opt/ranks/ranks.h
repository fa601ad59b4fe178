/* What the files of pass partition share. */
#ifndef DSL_RANKS_PASS_H
#define DSL_RANKS_PASS_H

#include "ir/index.h"
#include "opt/pass.h"

/* ---- merge.c: parted loops that read one array ask for its rows together. */
void ranks_merge(Func *f);

#endif
