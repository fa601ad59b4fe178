/* The ground everything stands on: arenas, growable vectors and text, maps, interned strings, source
 * text and spans, diagnostics, element types, symbolic sizes.  Knows nothing of the language.
 *
 * A Session owns all of it.  There are no mutable globals: two sessions in one process do not meet,
 * and freeing a session frees everything that was made in it. */
#ifndef DSL_BASE_H
#define DSL_BASE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define DSL_NORETURN __attribute__((noreturn))
#define DSL_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))

/* The greatest common divisor, the quotient rounded down and what it leaves; b is not 0, and nothing overflows. */
static inline int64_t int_gcd(int64_t a, int64_t b) {
    while (b) { int64_t t = a % b; a = b; b = t; }
    return a < 0 ? -a : a;
}
static inline int64_t int_floor_div(int64_t a, int64_t b) { return a / b - (a % b && (a < 0) != (b < 0)); }
static inline int64_t int_floor_mod(int64_t a, int64_t b) { return a % b && (a < 0) != (b < 0) ? a % b + b : a % b; }

typedef struct Session Session;

/* ---- fail.c: the two failures that are not the user's ------------------------------------------ */

/* A broken promise inside the compiler: prints "internal error" and exits with status 3. */
DSL_NORETURN void bug_at(const char *file, int line, const char *fmt, ...) DSL_PRINTF(3, 4);
#define bug(...) bug_at(__FILE__, __LINE__, __VA_ARGS__)
/* Out of memory: prints and exits with status 3. */
DSL_NORETURN void fatal_oom(void);

/* ---- arena.c: memory by lifetime ------------------------------------------------------------- */

typedef struct Arena Arena;
Arena *arena_new(void);
void arena_free(Arena *a);
/* As if new, for the next of many short uses: keeps its newest chunk. */
void arena_clear(Arena *a);
/* Zeroed, 16-byte aligned; lives until arena_free.  Never NULL. */
void *arena_alloc(Arena *a, size_t bytes);
char *arena_strndup(Arena *a, const char *s, size_t n);
char *arena_printf(Arena *a, const char *fmt, ...) DSL_PRINTF(2, 3);
#define NEW(arena, T) ((T *)arena_alloc((arena), sizeof(T)))
#define NEWN(arena, T, n) ((T *)arena_alloc((arena), sizeof(T) * (size_t)(n)))

/* ---- vec.c: growable arrays in an arena ------------------------------------------------------ */

#define VEC(T) struct { T *data; int len, cap; }
void *vec_grow_(Arena *a, void *data, int len, int *cap, size_t elem);
#define vec_push(A, V, X)                                                                      \
    do {                                                                                       \
        if ((V)->len == (V)->cap)                                                              \
            (V)->data = vec_grow_((A), (V)->data, (V)->len, &(V)->cap, sizeof *(V)->data);     \
        (V)->data[(V)->len++] = (X);                                                           \
    } while (0)
#define vec_pop(V) ((V)->data[--(V)->len])
#define vec_last(V) ((V)->data[(V)->len - 1])

/* ---- text.c: growable text -------------------------------------------------------------------- */

/* Functions of C that the library of the language calls: dsl_m_NAME only computes, dsl_x_NAME does more.
 * In the library: NAME; NULL: another function */
const char *c_name_in_library(const char *c_name);
bool c_name_computes(const char *c_name);

typedef struct {
    Arena *arena;
    char *data; /* always NUL-terminated once anything was written; may be NULL before */
    int len, cap;
} Text;
void text_init(Text *t, Arena *a);
void text_printf(Text *t, const char *fmt, ...) DSL_PRINTF(2, 3);
void text_vprintf(Text *t, const char *fmt, va_list ap);
void text_add(Text *t, const char *s, size_t n);
const char *text_str(Text *t); /* "" when empty */
/* Bytes of the code point at p (at least 1, at most n); *cp is -1 where the text is not UTF-8. */
int utf8_next(const char *p, int n, int32_t *cp);
bool bytes_read(const char *text, int64_t *out); /* "2GB", "512 MiB", "1e9": a number of bytes */

/* ---- map.c: pointer to pointer ----------------------------------------------------------------- */

typedef struct {
    const void **keys;
    void **vals;
    int len, cap;
} Map;
/* Keys are compared by address: use interned strings.  NULL is no key.  Entries lie in insertion order
 * in keys[0..len) and vals[0..len). */
void *map_get(const Map *m, const void *key); /* NULL when absent */
bool map_has(const Map *m, const void *key);
void map_put(Arena *a, Map *m, const void *key, void *val);

/* ---- session.c --------------------------------------------------------------------------------- */

Session *session_new(void);
void session_free(Session *s);
Arena *session_arena(Session *s);

/* One copy of each text per session: equal texts are equal pointers. */
const char *intern(Session *s, const char *text);
const char *intern_n(Session *s, const char *text, size_t n);
const char *intern_printf(Session *s, const char *fmt, ...) DSL_PRINTF(2, 3);

/* ---- source.c: files and spans ------------------------------------------------------------------ */

/* Half-open byte range [lo, hi) of a source file.  file < 0: no place known.  via: how it is reached where the code
 * stands, as body of a function or kernel in place of its call (span_called); 0: it is code of its own. */
typedef struct { int file, lo, hi, via; } Span;
#define NO_SPAN ((Span){-1, 0, 0, 0})
static inline Span span_join(Span a, Span b) {
    if (a.file < 0) return b;
    if (b.file < 0 || b.file != a.file) return a;
    return (Span){a.file, a.lo < b.lo ? a.lo : b.lo, a.hi > b.hi ? a.hi : b.hi, a.via};
}
/* Copies path and text; returns the file's number. */
int source_add(Session *s, const char *path, const char *text, size_t len);
/* Reads a whole file; negative (and errno) when it can't be read. */
int source_read(Session *s, const char *path);
const char *source_path(const Session *s, int file);
/* Files of the language's own library: what goes wrong in them while a program runs is shown at the user's call. */
void source_set_library(Session *s, int file);
bool source_is_library(const Session *s, Span at); /* false without a place */
const char *source_text(const Session *s, int file, size_t *len); /* NUL-terminated */
const char *source_copy(Session *s, Span at); /* the text of the range, interned */
int source_count(const Session *s);
/* The place in a body that stands for the call at `call`; what says how: "'f' was called here" (interned). */
Span span_called(Session *s, Span at, Span call, const char *what);
/* The call that a place was reached by; false: by none. */
bool span_caller(const Session *s, Span at, Span *call, const char **what);
const char *path_name(const char *path); /* the file's own name, behind the folders */
const char *path_beside(Arena *a, const char *path, const char *name); /* name as it is meant in the file at path */
typedef struct { int line, col; const char *text; int text_len; } Place; /* 1-based; the line's text */
Place source_place(const Session *s, int file, int offset);

/* ---- diag.c: what the user is told --------------------------------------------------------------- */

/* SEV_EXTRA: a warning that is given only when it is asked for */
typedef enum { SEV_ERROR, SEV_WARNING, SEV_EXTRA } Severity;
typedef enum {
#define DIAG(id, code, severity, message, explanation) id,
#include "diags.def"
#undef DIAG
    DIAG_COUNT
} DiagId;
typedef struct Diag Diag;
typedef struct { const char *id, *code; Severity severity; const char *message, *explanation; } DiagInfo;
const DiagInfo *diag_info(DiagId id);
const DiagInfo *diag_find(const char *code); /* "E0123", in either case -> row, or NULL */

/* Records a diagnostic; the message is the row's, a printf format over the arguments.  Reporting the
 * same row twice at one place is one diagnostic.  The result is never NULL. */
Diag *diag_report(Session *s, Span at, DiagId id, ...);
void diag_note(Session *s, Diag *d, Span at, const char *fmt, ...) DSL_PRINTF(4, 5);
/* Shows d at another place, its own being a note; when the same row is shown there already, d is not. */
void diag_move(Session *s, Diag *d, Span to, const char *fmt, ...) DSL_PRINTF(4, 5);
void diag_hint(Session *s, Diag *d, const char *fmt, ...) DSL_PRINTF(3, 4);
/* A text that mends it, put in the place of the range `at` (before it, when it is empty); the hints say it in words.
 * sure: the mistake is gone then, and nothing else was meant; else a guess.  Only JSON has fixes. */
void diag_fix(Session *s, Diag *d, bool sure, Span at, const char *fmt, ...) DSL_PRINTF(5, 6);
/* diag_fix.c: the text of a file with all sure fixes of what is not printed yet; how many. */
int diag_apply_fixes(Session *s, int file, Text *out);
/* What values are wrong (an index out of range, a division by 0) is no error where nobody comes: it is not reported
 * while this is on. */
void diag_in_dead_code(Session *s, bool on);
int diag_error_count(const Session *s);
bool diag_was_reported(const Session *s, DiagId id);
bool diag_error_in(const Session *s, int file);          /* an error was reported at a place in the file */
void diag_drop_warnings(Session *s, int file);           /* forgets the warnings that are not at a place in it */
int diag_count(const Session *s); /* errors and warnings since the last flush */
/* Prints what was recorded since the last flush, in source order:
 *   file:line:col: error[E0123]: message / source line / caret / notes / hint */
void diag_flush(Session *s, FILE *out, bool color);
/* The same, one JSON object per line: file, line, col, end_line, end_col, start and end in bytes, severity, code,
 * message, notes, hints, fixes */
void diag_flush_json(Session *s, FILE *out);
void diag_clear(Session *s);
/* What is reported from here on: warnings count as errors; one warning is (not) reported. False: no such warning */
void diag_warnings_as_errors(Session *s);
bool diag_set_warning(Session *s, const char *name, bool on); /* a code, or W_RACE_UNKNOWN as "race-unknown"; "all" */
bool diag_warning_as_error(Session *s, const char *name);
/* The nearest of n names by edit distance, or NULL if none is near. */
const char *spell_nearest(const char *name, const char *const *names, int n);

/* ---- dtype.c: element types ------------------------------------------------------------------------ */

typedef enum { DK_BOOL, DK_INT, DK_UINT, DK_FLOAT, DK_STR } DTypeKind;
typedef enum {
#define DTYPE(id, name, ctype, bytes, kind) id,
#include "dtypes.def"
#undef DTYPE
    DT_COUNT
} DType;
typedef struct { const char *name, *ctype; int bytes; DTypeKind kind; } DTypeInfo;
const DTypeInfo *dtype_info(DType t);
bool dtype_find(const char *name, DType *out);
static inline bool dtype_is_float(DType t) { return dtype_info(t)->kind == DK_FLOAT; }
static inline bool dtype_is_int(DType t) {
    return dtype_info(t)->kind == DK_INT || dtype_info(t)->kind == DK_UINT;
}
/* A constant of some element type. Integers (signed and unsigned) and bool in i, floats in f. */
typedef struct { DType dtype; int64_t i; double f; const char *s; } Const;

/* ---- template.c: "t = {:.3f} s", text with places for values; its own braces are doubled ----------- */

typedef struct { const char *text; int len; bool is_place; } FormatPart; /* a place: what stands behind its colon */
bool template_next(const char **at,
                   FormatPart *out); /* false at the end; a brace without a partner is text, or closed by the end */
bool template_is_whole(const char *format);           /* each brace is doubled or has its partner */
void template_add_text(Text *t, const char *s, int len);
void template_add_place(Text *t, const char *spec, int len);
int template_places(const char *format);

/* How a value is written: [<>^][+][0][width][.digits][letter]; 0 where nothing is said */
typedef struct { char align, sign, zero, type; int width, digits; } FormatSpec;
const char *spec_read(const char *text, int len, FormatSpec *out); /* NULL, or what is wrong */
bool spec_fits(const FormatSpec *spec, DType t);

/* ---- size.c: symbolic sizes ------------------------------------------------------------------------- */

/* A size is a polynomial with integer coefficients over atoms; an atom is a named symbol, or
 * floordiv(a,b), mod(a,b), max(a,b), min(a,b) of sizes.  Sizes are kept in normal form and interned:
 * two sizes that normalise alike are the same pointer.  Symbols are interned names. */
typedef struct Size Size;
const Size *size_const(Session *s, int64_t c);
const Size *size_sym(Session *s, const char *name);
const Size *size_add(Session *s, const Size *a, const Size *b);
const Size *size_sub(Session *s, const Size *a, const Size *b);
const Size *size_mul(Session *s, const Size *a, const Size *b);
const Size *size_floordiv(Session *s, const Size *a, const Size *b);
const Size *size_mod(Session *s, const Size *a, const Size *b);
const Size *size_max(Session *s, const Size *a, const Size *b);
const Size *size_min(Session *s, const Size *a, const Size *b);
bool size_is_const(const Size *a, int64_t *out); /* out may be NULL */
/* The name when the size is one bare symbol, else NULL. */
const char *size_as_sym(const Size *a);
bool size_is_natural(Session *s, const Size *a); /* plainly >= 0 for all values of its symbols, which are */
/* 1: a is provably different from b for all values of the symbols (differs by a nonzero constant);
 * 0: equal; -1: cannot tell. */
int size_differs(Session *s, const Size *a, const Size *b);
/* Replaces symbols: f returns the new size, or NULL to keep the symbol. */
typedef const Size *(*SizeSubst)(void *ctx, const char *sym);
const Size *size_subst(Session *s, const Size *a, SizeSubst f, void *ctx);
/* Value under an assignment; false when f knows no value for a symbol, or on division by zero. */
typedef bool (*SizeLookup)(void *ctx, const char *sym, int64_t *out);
bool size_eval(const Size *a, SizeLookup f, void *ctx, int64_t *out);
/* Calls f once for each symbol that occurs. */
void size_each_sym(const Size *a, void (*f)(void *ctx, const char *sym), void *ctx);
/* Text such as "2*n*m - n//2 + 1"; infix with + - * // % and max(a, b), min(a, b); reads back equal. */
void size_print(Text *t, const Size *a);
const char *size_str(Session *s, const Size *a); /* interned */
/* Walks the structure (for building code from it): op is one of 'c' constant, 's' symbol, '+', '*',
 * '/' floordiv, '%' mod, 'M' max, 'm' min.  Binary nodes have both sides. */
typedef struct { char op; int64_t c; const char *sym; const Size *a, *b; } SizeNode;
SizeNode size_node(Session *s, const Size *a);

#endif
