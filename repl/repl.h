/* The REPL: lines in, cells evaluated. */
#ifndef DSL_REPL_H
#define DSL_REPL_H

#include "repl/workspace.h"

typedef struct Lines Lines;

typedef struct Repl {
    Workspace *workspace;
    Lines *input;
    VEC(const char *) files; /* loaded or saved: :save may replace them */
    bool terminal;  /* prompts, history, completion */
    bool done;
    int status;     /* of the worst cell */
} Repl;

/* ---- input.c: lines from a terminal (libedit; history in $XDG_STATE_HOME/dslc/history) or from a pipe */
Lines *input_open(Repl *r);
void input_close(Lines *in);
/* The next line without its end, owned by the input until the next call; NULL at the end of the input. stopped: the
 * text is given up: Ctrl-C was pressed, or the line is no text, which was reported. */
const char *input_line(Lines *in, bool more, bool *stopped);
void input_remember(Lines *in, const char *text); /* for the history */

/* ---- complete.c: names that begin with a text */
typedef struct Words { Arena *arena; VEC(const char *) list; } Words;
/* Fills w with completions of the word that ends the line; the number of its characters that are typed already. */
int complete_line(Repl *r, const char *line, Words *w);

/* ---- command.c */
typedef struct ReplCommand { const char *name, *args, *doc; } ReplCommand;
const ReplCommand *repl_commands(int *n);
/* A line that begins with a colon. */
void command_run(Repl *r, const char *line);

/* ---- repl.c */
/* The session fails as the worst of what was typed; the exit status of this. */
int repl_took(Repl *r, Outcome out);
/* Evaluates a text as the next cell; the exit status. */
int repl_evaluate(Repl *r, const char *text, CellMode mode);

#endif
