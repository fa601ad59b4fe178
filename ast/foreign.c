/* Words of other languages: foreign.def is the list. */
#include "ast/ast.h"

#include <string.h>

#define FOREIGN(where, theirs, hint, ours) {FOREIGN_##where, theirs, hint, ours},
static const Foreign all[] = {
#include "ast/foreign.def"
};

const Foreign *foreign_find(ForeignKind where, const char *name) {
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i].where == where && !strcmp(all[i].theirs, name)) return &all[i];
    return NULL;
}

const Foreign *foreign_function(const char *name) {
    const Foreign *f = foreign_find(FOREIGN_NAME, name);
    return f ? f : foreign_find(FOREIGN_FUNCTION, name);
}
