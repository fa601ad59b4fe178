/* A session of cells: the REPL and notebooks.
 *
 * A workspace holds definitions (functions, kernels, structs, constants, imports), as text, and variables, as values.
 * A cell is compiled with all of them in a process of its own (contain.c): what goes wrong there, up to a crash or an
 * endless loop, leaves the workspace as it was.  When the cell ends well, its definitions and variables come back
 * through a file in memory (result.c), large arrays from the memory of its process.  A variable is passed to cells
 * that mention it; its type has the sizes of its value, so that sizes are checked while compiling. */
#ifndef DSL_WORKSPACE_H
#define DSL_WORKSPACE_H

#include "driver/driver.h"
#include "runtime/dsl.h"

#include <signal.h>
#include <sys/types.h>

/* ---- what a workspace holds */

typedef struct Leaf { DType dtype; bool is_array; dsl_value value; } Leaf; /* a scalar or an array of a variable */

/* Memory that variables of one cell share, freed with the last of them: the cell's result, and arrays apart from it */
typedef struct Room { void *at; size_t bytes; } Room;
typedef struct Blob { void *base; size_t size; VEC(Room) apart; int users; } Blob;

typedef struct Variable {
    const char *name, *type; /* type: as the user writes it, with sizes: "f64[3, 4]" */
    const char *given;       /* how the next cell gets it: "var x: f64[3, 4]", or "let n: int = 4" when that says all */
    bool literal;            /* given says all: no leaves are passed */
    bool fixed;              /* let */
    const char *layout;      /* its type with all structs spelt out: without sizes */
    Leaf *leaves;
    int nleaves;
    Blob *blob;              /* NULL: no arrays */
    int cell;                /* which defined it */
} Variable;

typedef struct Definition {
    const char *name, *what; /* what: "fn", "kernel", "struct", "const", "import" */
    const char
        *key; /* another definition with this key replaces it: the name, for functions with the parameters' types */
    const char *text;        /* indented and padded so that every place in it is the one in the cell */
    const char *label;       /* of the cell, as messages show it: "[3]" */
    const char *doc, *head;  /* head: its first line; doc may be NULL */
    bool broken;             /* no longer fits what it uses; left out until that changes */
    int lo, hi;              /* where it stands in the cell */
} Definition;

typedef struct Binding { const char *name, *type; bool gone; } Binding; /* gone: a type in it was defined anew */

/* A cell that ended well */
typedef struct Input {
    const char *label, *text;
    VEC(Binding) vars;    /* that it left */
    VEC(Definition) defs; /* those in it */
    bool has_value;       /* it left a last value, _ */
    bool again; /* what it does hangs on more than its text and the workspace: files, the clock, C functions */
    VEC(const char *) files; /* that it imports: "HASH PATH" */
} Input;

typedef struct Workspace {
    Arena *arena; /* for text */
    VEC(Definition) defs;
    VEC(Variable) vars;
    VEC(Input) inputs;        /* the cells that ended well */
    int cells;                /* tried so far */
    bool compiles;            /* machine code of a cell ran */
    VEC(Room) waiting;        /* room.c */
    const Options *options;
} Workspace;

Workspace *workspace_new(const Options *o);
void workspace_free(Workspace *w);
void workspace_reset(Workspace *w);
Definition *workspace_def(Workspace *w, const char *name); /* the last one of that name, or NULL */
Variable *workspace_var(Workspace *w, const char *name);
/* d has old's key (old's name, when one of the two is no function). */
bool definition_replaces(const Definition *d, const Definition *old);
/* Takes the place of those that d replaces. */
void workspace_define(Workspace *w, const Definition *d);
void workspace_assign(Workspace *w, const Variable *v);
void workspace_forget(Workspace *w, const char *name); /* a variable */
typedef VEC(const char *) Paths;
Paths workspace_imports(Workspace *w, Arena *a); /* the files that are imported, and those that they import */
void blob_drop(Workspace *w, Blob *b); /* one user less; NULL is ignored */
void blob_free(Workspace *w, Blob *b); /* whoever uses it */

/* ---- room.c: memory for large arrays */

/* Bytes; an array that has as many is large, and its room is a multiple. */
enum { ROOM = 4 << 20 };
Room room_take(Workspace *w, size_t bytes); /* at: NULL if there is none */
void room_leave(Workspace *w, Room r);      /* for another array */
void room_free_all(Workspace *w);           /* those that wait */

/* ---- result.c: what a cell leaves, through a file in memory */

typedef struct Result {
    VEC(Definition) defs;
    VEC(Variable) vars;      /* leaves point into the memory of the cell's process, or into blob */
    VEC(const char *) broken; /* keys of definitions that no longer fit */
    VEC(const char *) mended; /* ... that fit again */
    VEC(const char *) gone;   /* variables whose types no longer fit */
    VEC(const char *) files;  /* as in Input */
    bool again;
    bool is_compiled;         /* machine code ran */
    Blob *blob;
} Result;
/* Into fd, in the place of what is there.  Unless whole, large arrays stay where they are, for the session to fetch.
 * False: it could not be written (errno). */
bool result_write(int fd, const Result *r, bool whole);
/* From fd; text in the workspace's arena; large arrays from the memory of process cell (0: the result is whole).
 * False: there is none that is whole, or that memory cannot be read. */
bool result_read(int fd, Workspace *w, pid_t cell, Result *r);

/* ---- cell.c: one cell, in the process that contain() made */

typedef enum {
    CELL_RUN,
    CELL_TYPE,
    CELL_SHOW,
    CELL_TIME,
    CELL_LOOK
} CellMode; /* LOOK: the value is shown, nothing is left */
typedef struct Cell {
    Workspace *workspace;
    const char *label, *text; /* label: the file's name in messages */
    CellMode mode;
    const char *emit;   /* CELL_SHOW: a stage, or "c" */
    const char *only;   /* CELL_SHOW: only the functions of this name; NULL: all */
    bool echo;          /* say what type new variables have */
    bool quiet;         /* don't show the last value */
    bool keep;          /* workspace_run leaves the result open, for the caller to close */
    int result;         /* file for the result */
    int session;        /* the way to the session, which takes the result over (hand_over.c); -1: there is none */
} Cell;
/* Compiles and runs it; the exit status. */
int cell_run(Cell *c);
TextEnd cell_end(const char *text);

/* ---- hand_over.c: how a cell's process and the session meet, when it is done */

/* In the cell's process: leaves the result and waits until the session has it.  False: it could not. */
bool hand_over(const Cell *c, const Result *r);
/* In the session: waits for the result of the process, and lets it go on.  False: there is none, for it ended. */
bool take_result(const Cell *c, int cell_end, pid_t pid, Result *r);

/* ---- contain.c */

typedef struct Outcome {
    int status;     /* exit status */
    int signal;     /* that ended it, or 0 */
    double seconds;
} Outcome;
/* Runs f(ctx) in a process of its own, and beside(ctx, process) in this one, unless NULL; Ctrl-C ends the former
 * alone. */
Outcome contain(int (*f)(void *ctx), void (*beside)(void *ctx, pid_t pid), void *ctx);
/* Ctrl-C waits from now on, except in cells; gives the mask of signals before.  Whether one waits; takes it. */
sigset_t interrupts_hold(void);
bool interrupt_waits(void);
void interrupt_take(void);
/* Once a cell was compiled, what compiles stays loaded.  Not where stderr is another stream for a while: libraries keep
 * the one that they find. */
void workspace_prepare(const Workspace *w);
/* Evaluates a cell and, when it ends well, takes over what it leaves.  Says what stopped it. */
Outcome workspace_run(Cell *c);
/* Takes over what a cell left in c->result.  False: it is not whole. */
bool workspace_take(const Cell *c);

/* ---- save.c */
typedef struct LeftOut {
    int gone, unfit;
} LeftOut; /* cells: that need a variable that is gone; that do not fit the file's definitions */
/* The cells so far as a file that the checker takes: a definition that was replaced since stands there as it is now,
 * and last values that a later cell asks for as _ get a name.  Of cells that need a variable that is gone only the
 * definitions are there; what does not fit the definitions is a comment. */
const char *workspace_text(Workspace *w, Arena *a, LeftOut *out);
/* Says which cells used a definition that was replaced since: the file means the new one. */
void workspace_note_outdated(Workspace *w);

/* ---- doc.c: definitions for people */
/* The name of a function, kernel, struct, constant or import that st defines; NULL: it defines none. */
const char *definition_name(const Stmt *st);
/* Its text without a body in braces, on one line */
const char *definition_head(Session *s, const Stmt *st);
/* Shows the heads of what has this name and is no value; false: nothing. */
bool doc_head(Workspace *w, const char *name);
/* Says what a name means, with its comment, or a word of the language. */
void doc_show(Workspace *w, const char *name);

/* ---- show.c: values for people */
/* Prints the value and its type: "[0.0, 0.5, 1.0] : f64[3]"; large arrays abbreviated, with their extremes. */
void show_value(const Variable *v);

#endif
