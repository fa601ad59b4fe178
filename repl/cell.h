/* What the files of a cell share: cell_read.c, cell_notes.c, cell_values.c, cell_outside.c, cell.c. */
#ifndef DSL_CELL_H
#define DSL_CELL_H

#include "repl/workspace.h"

typedef struct Run {
    Cell *cell;
    Workspace *w;
    Options o;
    Session *s;
    Unit *unit;      /* the cell's statements behind the definitions */
    int first;       /* of its own statements */
    int file;
    VEC(int) files, var_files; /* of each definition, each variable; -1: left out */
    bool *skip, *skip_var;     /* of these: no longer right */
    Program *program;
    Result result;
    struct { double compile, run; } times; /* seconds; compile 0: nothing was */
} Run;

static inline Arena *arena_of(const Run *r) { return session_arena(r->s); }

/* ---- cell_read.c */
/* Reads and checks the cell with all definitions that fit it; collects its own.  False: reported. */
bool cell_read(Run *r);
/* One of its definitions replaces old. */
bool cell_replaces(const Run *r, const Definition *old);
Definition definition_of(Run *r, const Stmt *st);

/* ---- cell_notes.c */
/* Which earlier definitions now mean something else, or nothing, once the cell ended well */
void note_changes(Run *r);
/* Which definitions the cell would have replaced, had it ended well */
void note_unchanged(const Run *r);
/* Whoever misses a definition that was left out should know why. */
void note_left_out(const Run *r);

/* ---- cell_values.c */
/* The leaves of x are those of a value of this type. */
bool value_fits(Run *r, const Variable *x, const FType *type);
/* The values that main takes, in order */
dsl_value *cell_arguments(Run *r);
/* The variables that main's results, in order, are the values of; and function values, that have none */
void collect_variables(Run *r, const Func *main_func, const dsl_value *results);

/* ---- cell_outside.c */
void collect_outside(Run *r, const Module *m);

#endif
