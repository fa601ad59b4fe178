/* Formulas: what the files of the translator share.
 *   math.c            rows, scripts, what a character and a command mean     math_symbols.def   the commands
 *   math_build.c      what has parts: fractions, roots, fences, tables       math_alphabet.c    letters in other faces
 */
#ifndef DSL_NOTEBOOK_MATH_H
#define DSL_NOTEBOOK_MATH_H

#include "notebook/write.h"

/* Of atoms, as in Knuth, The TeXbook, chapter 17, as far as spaces depend on them; then what only commands are. */
typedef enum {
    NOTHING,
    LETTER,
    UPRIGHT,
    ORDINARY,
    BINARY,
    RELATION,
    OPEN,
    CLOSE,
    BAR,
    PUNCT,
    FENCED,
    SUM,
    INTEGRAL,
    FUNCTION,
    LIMIT,
    SPACE,
    ACCENT,
    OVER,
    UNDER,
    FONT,
    STYLE,
    TEXT,
    FRACTION,
    BINOMIAL,
    ROOT,
    STACK,
    LEFT,
    BEGIN,
    OPERATOR_NAME,
    SIZED,
    PHANTOM,
    NOT,
    MODULO,
    SUBSTACK,
    TAG,
    BOXED
} MathKind;

typedef struct Symbol { MathKind kind; const char *name, *text; } Symbol;
typedef struct Atom { MathKind kind; const char *xml; bool limits; } Atom; /* limits: scripts go above and below */

typedef struct Tex {
    Arena *arena;
    const char *at, *end;
    char font;      /* of math_alphabet.c; 0: as usual */
    int depth;
    bool in_option; /* a ] ends the row */
    bool in_script; /* no space is around operators there */
    bool bad;       /* it is no formula: shown as its source */
    const char *unknown; /* the first command that is not known, or NULL */
} Tex;

/* ---- math.c */
const char *math_row(Tex *t);               /* up to what ends it; one element */
const char *math_argument(Tex *t);          /* a group, a command or a character */
Atom math_nucleus(Tex *t, MathKind before); /* without its scripts */
Atom math_function(Tex *t, MathKind kind, const char *name); /* FUNCTION or LIMIT */
const Symbol *math_command(const Tex *t, int *len); /* that stands here; len 0: none; NULL: unknown */
bool math_skip(Tex *t, const char *text);   /* if it comes next, after spaces */
bool math_raw(Tex *t, const char **text, int *len); /* the inside of {...} as written; false: bad */
const char *math_fence_at(Tex *t);          /* as text; "" for the empty one */

/* ---- math_build.c */
Atom math_built(Tex *t, const Symbol *s);
const char *math_table(Tex *t, const char *align, bool display); /* align: l, c, r for the columns, over and over */

/* ---- math_alphabet.c: the letter or digit c in a face; c when it has none */
int32_t math_letter(char font, int32_t c);

#endif
