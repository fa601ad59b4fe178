/* What is written where in a source file, and what that means elsewhere: the tree's half of find.c. */
#ifndef DSL_ACCURACY_WRITTEN_H
#define DSL_ACCURACY_WRITTEN_H

#include "ast/ast.h"

enum { LEVEL_ANY, LEVEL_SUM, LEVEL_PRODUCT, LEVEL_NEG, LEVEL_POWER, LEVEL_ATOM };
typedef struct { const char *text; int level; } Source; /* how tightly it binds */

/* The expression of a place; ctx: the number of its function */
typedef struct { Expr *e; int ctx; } Written;
typedef struct Writing Writing;
Writing *writing_of(Session *s, Arena *a, int file, const Program *p);
const Written *written_at(const Writing *w, Span at); /* NULL: none of the file */
/* Expressions of floats that the checker has computed, and that are no part of another: calls f with each. */
void written_constants(const Writing *w, void (*f)(void *ctx, const Written *x), void *ctx);
Expr *written_let(const Writing *w, const Expr *name); /* what stands in its `let`; or NULL */
void written_names(Expr *e, void (*f)(void *ctx, Expr *e), void *ctx); /* calls f with all parts of e */
/* Conversions that the checker made are taken off. */
Expr *written_bare(Expr *e);
/* On one line; of another type than the expression's, with the conversion.  No text: it has a comment */
Source written_source(const Writing *w, Expr *e);
const char *written_between(const Writing *w, int lo, int hi); /* on one line; NULL: it has a comment */
int written_level(const Expr *e);
int written_room(const Writing *w, const Expr *e); /* how tightly what stands in its place must bind */
/* stable: it is the same anywhere else in function ctx; costly: it calls something, or computes an array; named: it
 * has names, whose values may be others another time */
typedef struct { bool stable, costly, named; } Meaning;
Meaning written_meaning(const Writing *w, int ctx, Expr *e);

#endif
