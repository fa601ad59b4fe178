/* FILE.model: what was faster for which programs, and rules made of it for programs that were not tuned. */
#ifndef DSL_MODEL_H
#define DSL_MODEL_H

#include "driver/driver.h"
#include "opt/features.h"

/* One setting on one program: its time to that of the program as usual */
typedef struct { const char *key, *value; double ratio; } Trial;
/* A program that was measured.  Settings that are not among the trials make no difference to it. */
typedef struct {
    const char *name;
    Features features;
    VEC(Trial) trials;
} Lesson;
/* If the feature is at least (below: less than) `limit`, the setting is taken; ratio: what it brought to so many
 * programs that were not looked at for the rule */
typedef struct {
    const char *key, *value;
    FeatureId feature;
    bool below;
    int64_t limit;
    double ratio;
    int programs;
    Span at;
} Rule;
typedef struct {
    VEC(Lesson) lessons;
    VEC(Rule) rules;
    const char *stale; /* why it is not to be used, or NULL */
} Model;

/* ---- model.c */
/* False: reported.  Of what is not there nothing comes when it may be missing. */
bool model_read(const Options *o, const char *path, bool may_be_missing, Model *out);
bool model_write(const Options *o, const char *path, const Model *m);
/* The rules of o->model that are for inputs[0], in order.  False: reported */
typedef VEC(const Rule *) Advice;
bool model_advice(const Options *o, Advice *out);
/* Adds them, behind what the command line says.  False: reported */
bool model_apply(Options *o);
Features program_features(const Options *o, bool *ok); /* nothing is reported */

/* ---- rules.c */
/* The rules that the lessons support, those that bring most first */
void model_find_rules(Arena *a, Model *m);

#endif
