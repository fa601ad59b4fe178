/* The command line: what was asked for, and the steps every sub-command shares. */
#ifndef DSL_DRIVER_H
#define DSL_DRIVER_H

#include "ast/ast.h"
#include "ir/ir.h"
#include "opt/pass.h"

enum { EXIT_OK = 0, EXIT_DIAGNOSED = 1, EXIT_USAGE = 2, EXIT_INTERNAL = 3, EXIT_NO_GPU = 4 };

enum { MOST_VARIED = 16 }; /* values of one --vary */

typedef enum { WHEN_AUTO, WHEN_ALWAYS, WHEN_NEVER } When;

/* Code in memory, by LLVM: where it is the usual; at once, then optimized; optimized; at once; never */
typedef enum { JIT_AUTO, JIT_TIERED, JIT_OPTIMIZED, JIT_QUICK, JIT_NO } Jit;

typedef struct Options Options;
/* A sub-command: a row of commands.def */
typedef struct { const char *name; int (*run)(const Options *o); const char *args, *doc; } Command;

struct Options {
    Session *session;
    const Command *command;
    VEC(const char *) inputs;    /* arguments that are not options, in order */
    VEC(const char *) prog_args; /* after `--`: for the program that is run */
    CheckOptions check;          /* -I, -D */
    PassOptions pass;            /* -O, --fp, --unchecked, --verify-each, ... */
    VEC(const char *) warnings;  /* -W */
    VEC(const char *) link;      /* --link: C files, objects, libraries */
    const char *output;          /* -o; "-" is stdout; NULL: not given */
    const char *emit;            /* --emit=STAGE; NULL: not given */
    VEC(Coarsening) coarsen;     /* what pass.coarsen is made of */
    const char *passes;          /* --passes=LIST: instead of the default pipeline; NULL: not given */
    const char *stage;           /* interp: the stage to run at */
    const char *cc;              /* --cc; NULL: not given */
    const char *cpu;             /* --cpu: a name that the C compiler knows (-march); NULL: this machine's */
    const char *target;          /* cpu, sim, cuda, mpi; NULL: cpu */
    const char *measure;         /* tune: the word before the seconds that count; NULL: those of the whole run */
    const char *model;           /* FILE.model: settings where there is no FILE.tune; NULL: none */
    const char *learn;           /* tune: the FILE.model to be made; NULL: none */
    const char *errors, *cost;   /* accuracy: numbers; NULL: not given */
    const char *filter;          /* test, bench: only names that contain it */
    int64_t threads, seed, max_steps, thread_cost, budget, port, processes;
    VEC(const char *) sizes;     /* --emit=stablehlo: NAME=N */
    VEC(const char *) functions; /* --emit=stablehlo: these alone */
    VEC(const char *) vary;      /* tune: NAME=V,V */
    bool compare, update, watch;    /* notebook */
    bool no_tune, lib, debug, fix, keep_c, werror, json, bisect, where, stop_on_error, help, version, races, proofs;
    int color;                   /* When */
    bool explain_choices;        /* which settings of FILE.tune or FILE.model are used, and why */
    bool explain_kernel;         /* check: what kernels take of a GPU */
    bool explain_messages;       /* run: which lines had processes send what */
    bool explain_transfers;      /* run: how much went to the GPU and back */
    int jit;                     /* Jit */
    const Options *host;         /* with --target=cuda: those of the processor's half of an executable; NULL: these */
};

/* ---- warnings.c */
/* Sets what -W says in o->session; false: *unknown is no warning. */
bool warnings_apply(const Options *o, const char **unknown);
/* A session of its own, with the warnings that were asked for; what o holds must outlive it. */
void options_renew(Options *o);

/* ---- tuning.c: how launches are coarsened, and what FILE.tune says */
/* "x:2,y:4" or "KERNEL=x:2,y:4"; false when text is neither. */
bool coarsening_parse(Session *s, const char *kind, const char *text, Coarsening *out);
/* "with-pass" "cse@fuse": one more change of the pipeline; false: it is none. */
bool pass_edit_add(Options *o, const char *kind, const char *text);
bool pass_edit_is(const char *key); /* a setting of this kind */
/* Adds one setting, as in FILE.tune: "coarsen-thread" "k=y:4", "coarsen-block", "cc", "threads", "define" "NAME=VALUE".
 * What the command line says about the same stays. False when it is no setting. */
bool tuning_apply(Options *o, const char *key, const char *value, Span at);
/* Reports that this is none, as E_TUNE_SYNTAX, with what it might be. */
Diag *tuning_no_setting(const Options *o, Span at, const char *key, const char *value);
void tuning_settings(FILE *out);  /* what there is, a line each */
/* Adds what FILE.tune of inputs[0] says, with --target=cuda FILE.cuda.tune, if it is there and was made for this
 * program on this machine; else what o->model says.  False: reported. */
bool tuning_load(Options *o);
const char *tuning_path(const Options *o);
const char *tuning_machine(const Options *o);    /* "AMD EPYC, 2 cores"; with --target=cuda the GPU's name, or NULL */
const char *tuning_source(const Options *o);     /* names the text of inputs[0] as it is now; NULL: it cannot be read */

/* ---- load.c: what the sub-commands share.  NULL or false: reported already, the caller returns 1. */
/* Adds inputs[0] to the session; its number, negative after reporting. */
int input_read(const Options *o);
/* Reads, parses and checks the .dsl file inputs[0]. */
Program *frontend_load(const Options *o);
/* Whether inputs[0] would pass the checker with this text; nothing is reported. */
Program *text_check(const Options *o, Session *s, const char *text, size_t len); /* in a session of its own; or NULL */
bool text_compiles(const Options *o, const char *text, size_t len);
/* Its IR, verified.  The caller frees it. */
Module *program_lower(const Options *o, Program *p);
/* The program at a stage: from inputs[0], a .dsl file, or a .ir file at that stage or an earlier one.
 * The caller frees it. */
Module *compile_to(const Options *o, Stage stage);
bool input_is_ir(const char *path);
/* Prints the diagnostics recorded so far to stderr; the exit status they call for. */
int diagnostics_flush(const Options *o);
/* Writes beside the target and renames, so that nobody sees half a file; "-" is stdout. */
bool output_write(const Options *o, const char *path, const char *text, size_t len);
bool same_file(const char *a, const char *b); /* both are there, and are one */
bool is_special_file(
    const char *path); /* a device, a pipe, a folder: written to, never replaced; reading may never end */
/* Nobody wants a source replaced by what is made of it: path is none that was named or has been read. False: reported.
 */
bool output_spares_sources(const Options *o, const char *path);
/* Before long work: whether a file can be written there. */
bool output_possible(const Options *o, const char *path);

/* The words of the program that is run: its name, what stands behind --, NULL */
char **program_argv(const Options *o);
/* Where what belongs to dslc may lie: beside the binary (the build folder), or where it was installed: PREFIX/bin,
 * PREFIX/lib/dslc */
void own_folders(Session *s, const char *folders[2]);
/* The folder of a source: what its program loads may lie there (runtime/files.c).  home_export: for the executable that
 * this process becomes */
const char *home_of(Session *s, const char *input);
void home_export(const Options *o, const char *input);

/* ---- emit.c: --emit=STAGE, to stdout or -o */
int emit_stage(const Options *o);

/* ---- memory.c: --emit=llvm */
bool emit_llvm_text(const Options *o, Text *out);
bool emit_ptx_text(const Options *o, Text *out);

/* ---- kernels.c: --explain-kernel, to stdout */
/* What each kernel for a GPU takes of it, moves and computes; false: reported */
bool explain_kernels(const Options *o);

/* ---- launches.c */
/* Reports launches of a known size that no GPU takes, of a program for one at stage loops. */
void check_launches(const Options *o, const Module *m);

/* ---- gpu.c */
bool cpu_is_known(const Options *o); /* the processor of --cpu, if there is one; false: reported */
bool gpu_is_known(const Options *o); /* that of --cpu=sm_90, if there is one; false: reported */

/* ---- link.c */
/* Loads what --link names into this process, for the interpreter; false: reported. */
bool link_load(const Options *o);

/* ---- bisect.c: --bisect */
int bisect_run(const Options *o);

/* ---- explain.c: what diagnostics mean */
int cmd_explain(const Options *o);

#endif
