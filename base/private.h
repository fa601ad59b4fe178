/* What the files of base/ share and nobody else sees: the inside of a session. */
#ifndef DSL_BASE_PRIVATE_H
#define DSL_BASE_PRIVATE_H

#include "base/base.h"

typedef struct { const char *text; size_t len; uint64_t hash; } Interned;
/* Open addressing; cap is a power of two, at most half full. */
typedef struct { Interned *slots; size_t len, cap; } InternTable;

typedef VEC(int) IntVec;
typedef struct { const char *path, *text; int len; bool library; IntVec line_starts; } Source;
typedef struct { Span at; const char *what; } Caller;

struct Session {
    Arena *arena;
    InternTable interned;
    VEC(Source) sources;
    VEC(Caller) callers; /* Span.via is 1 + an index */
    Map caller_index;    /* place and text -> via */
    Map joined_calls;    /* two vias -> that of both */
    VEC(Diag *) diags;
    Map placed;       /* number, file and range -> the diagnostic reported there */
    int error_count;
    bool warnings_are_errors;
    bool dead_code;   /* what is reported now is found where nobody comes */
    Map asked;        /* rows of warnings -> what was asked for: one of the three below */
    char off, on, error;
    Map sizes, atoms; /* canonical text -> Size, Atom */
    Text scratch;     /* for building one canonical text at a time */
};

typedef struct { Span at; const char *text; } Note;
typedef struct { Span at; const char *text; bool sure; } Fix;
struct Diag {
    DiagId id;
    Severity severity;
    int number; /* in order of reporting */
    Span at;
    const char *text;
    VEC(Note) notes;
    VEC(const char *) hints;
    VEC(Fix) fixes;
    bool flushed;
};
/* Those not yet printed, in source order; marks them as printed. */
Diag **diag_take_pending(Session *s, int *n);

#endif
