/* What the files of fuse share. */
#ifndef DSL_FUSE_H
#define DSL_FUSE_H

#include "ir/index.h"
#include "opt/pass.h"

/* Work in comprehensions that does not depend on all indices is done once, before them. */
void hoist_work(Region *r);

#endif
