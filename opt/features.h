/* A program as a vector of numbers with names (features.def), by which programs are compared. */
#ifndef DSL_FEATURES_H
#define DSL_FEATURES_H

#include "ir/ir.h"

typedef enum {
#define FEATURE(id, name, doc) id,
#include "opt/features.def"
#undef FEATURE
    FEATURE_COUNT
} FeatureId;
typedef struct { const char *name, *doc; } FeatureInfo;
typedef struct { int64_t of[FEATURE_COUNT]; } Features;

const FeatureInfo *feature_info(FeatureId id);
bool feature_find(const char *name, FeatureId *out);
/* Of a module at stage ir; tests and benches of the program do not count. */
Features features_of(Module *m);

#endif
