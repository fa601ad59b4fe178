/* The table of passes and how they are run: above all folders that hold passes. */
#ifndef DSL_PIPELINE_H
#define DSL_PIPELINE_H

#include "opt/pass.h"

typedef enum { ALWAYS, FIRST, DERIVES, AGAIN } PassWhen;
typedef enum { ANY, HOST, ALONE, RANKS, ELEMENTS, WHERE_COUNT } PassWhere;
typedef struct {
    const char *name;
    PassFn *run;
    Stage in, out;
    int level;
    PassWhen when;
    PassWhere where;
    const char *doc;
} PassInfo;
/* It is for the target that they say */
bool pass_suits(const PassInfo *p, const PassOptions *opts);
const PassInfo *pass_find(const char *name);
const PassInfo *pass_table(int *n);

/* Runs the default pipeline, as opts->edits change it, up to `until`; false when errors were reported. */
bool pipeline_run(Module *m, Stage until, const PassOptions *opts);
/* Takes the derivatives that are still to take, by the passes of the default pipeline that -O0 has for them, and leaves
 * the stage as it was; false when errors were reported. */
bool pipeline_derive(Module *m, const PassOptions *opts);

/* ---- edits.c: passes left out, repeated, moved */
/* "without-pass" "licm.2", "with-pass" "cse@fuse", "move-pass" "licm.2@fuse" (NAME.N: its N-th row of the table).
 * What is wrong with it, or NULL */
const char *pass_edit_read(Session *s, const char *kind, const char *text, PassEdit *out);
const char *pass_row_name(Session *s, int row); /* "licm.2", "fuse" */
bool pass_may_be_left_out(const PassInfo *p);

/* Runs the passes named in a comma-separated list. */
bool pipeline_run_list(Module *m, const char *list, const PassOptions *opts);

#endif
