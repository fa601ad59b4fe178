/* Element types: the table of dtypes.def and the search by name. */
#include "base/base.h"

#include <string.h>

static const DTypeInfo table[] = {
#define DTYPE(id, name, ctype, bytes, kind) [id] = {name, ctype, bytes, kind},
#include "dtypes.def"
#undef DTYPE
};

const DTypeInfo *dtype_info(DType t) {
    if ((unsigned)t >= DT_COUNT) bug("no element type %d", (int)t);
    return &table[t];
}

bool dtype_find(const char *name, DType *out) {
    for (int i = 0; i < DT_COUNT; i++)
        if (!strcmp(table[i].name, name)) {
            *out = (DType)i;
            return true;
        }
    return false;
}
