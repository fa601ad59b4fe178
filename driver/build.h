/* From a program to an executable: emit C, find a C compiler, compile, keep the result. */
#ifndef DSL_BUILD_H
#define DSL_BUILD_H

#include "codegen/c/emit.h"
#include "codegen/llvm/llvm.h"
#include "driver/driver.h"
#include "runtime/dsl.h"

/* ---- hash.c: for the cache; not against enemies */
typedef struct { uint64_t a, b; } Hash;
Hash hash_bytes(Hash seed, const void *data, size_t n);
Hash hash_text(Hash seed,
               const char *s); /* with its end, so that "ab" "c" is not "a" "bc"; NULL is a text of its own */
enum { HASH_DIGITS = 32 };
const char *hash_str(Session *s, Hash h); /* so many hex digits */
void hash_digits(Hash h, char text[HASH_DIGITS + 1]);

/* ---- cc.c */
typedef struct {
    const char *cc;       /* path of the compiler */
    const char *cc_args;  /* words that come first, from `CC="gcc -m64"` or `CC="ccache gcc"`; NULL: none */
    const char *behind;   /* path of the compiler that cc only wraps (gcc of ccache), else cc */
    const char *include;  /* folder of gen.h and dsl.h */
    const char *lib;      /* folder of libdslrt.a */
    Hash identity;        /* of compiler, flags, runtime and this dslc */
    bool compiler_error;  /* cc_compile: the compiler refused what we wrote */
    Map externs;          /* name -> Span of the extern fn, for what the linker misses */
    const char *object;   /* cc_compile: more machine code for the executable, or NULL; of gpu.c */
    size_t object_size;
    bool shared;          /* cc_compile: makes a library to be loaded by this process, which has the runtime */
} Toolchain;
typedef VEC(const char *) Argv; /* a command; the last is NULL */
/* False: reported. */
bool cc_find(const Options *o, Toolchain *t);
bool cc_is_there(const Options *o); /* nothing is reported */
bool cc_is_usual(const Options *o, const char *name); /* the compiler of this name is the one taken anyway */
/* Makes exe (written in place) from C text. False: reported; when compiler_error is set the C file is
 * kept, and this is an internal error. */
bool cc_compile(const Options *o, Toolchain *t, const char *c_text, const char *exe);

Hash own_identity(Session *s); /* of this dslc with its plugin, and of the processor */

/* Parts of that, for link.c: the compiler; with its flags; one more word; running it (the exit status, what it
 * says into a file; -1: not started); a message for what the linker misses (false: it misses nothing). */
void cc_compiler(const Options *o, const Toolchain *t, Argv *v);
void cc_command(const Options *o, const Toolchain *t, Argv *v);
void cc_arg(const Options *o, Argv *v, const char *word);
int cc_execute(const Argv *v, const char *errors);
bool cc_report_known(const Options *o, const Toolchain *t,
                     const char *errors); /* what the user can mend; false: nothing known */
const char *cc_find_program(Session *s, const char *name); /* as a shell finds it; NULL when it does not */
void cc_note_externs(Session *s, const Module *m, Toolchain *t); /* where the program declares them */
const char *cc_openmp_library(const Toolchain *t); /* -lgomp */
bool cc_write_file(const char *path, const char *text);

/* ---- link.c: --link.  False: reported. */
/* Checks what is named and adds it to t->identity. */
bool link_identity(const Options *o, Toolchain *t);
/* Compiles the C files among it into the folder dir. */
bool link_compile(const Options *o, const Toolchain *t, const char *dir);
/* The words that link it; then what link_compile left in dir goes. */
void link_arguments(const Options *o, const char *dir, Argv *v);
/* Of them, those that become part of the program, or those that it needs when it runs (-l, .so). */
void link_static_arguments(const Options *o, const char *dir, Argv *v);
void link_shared_arguments(const Options *o, Argv *v);
void link_clean(const Options *o, const char *dir);

/* ---- emit.c */
EmitOptions emit_options(const Options *o, EmitKind kind);

/* ---- plugin.c: what holds LLVM */
const LlvmPlugin *plugin_load(const Options *o); /* NULL: reported */
const char *plugin_path(Session *s);             /* NULL: it is not there */
void plugin_prepare(Session *s); /* loads it, so that it is there in the processes that this one makes */

/* ---- memory.c: --jit */
LlvmOptions llvm_options(const Options *o, EmitKind kind);
LlvmCode kernels_make(const Options *o); /* for a GPU; no ptx: reported */
typedef struct MemoryProgram {
    EmitKind kind;
    void *entry;          /* NULL: reported, with the exit status */
    const LlvmPlugin *plugin;
    LlvmTiers *tiers;
    bool takes_arguments, explain_transfers;
    int status;
} MemoryProgram;
bool memory_is_wanted(const Options *o); /* by --jit, or since there is no C compiler but LLVM */
/* The program inputs[0], its tests or its benches.  May start this process anew (dsl_restart_if_crowded): is called
 * before anything is printed. */
MemoryProgram memory_make(const Options *o, EmitKind kind);
int memory_run(const MemoryProgram *p, char **argv); /* argv: the program's, ending with NULL; the exit status */

/* ---- gpu.c: executables for a GPU, too */
const char *cpu_named(const Options *o); /* of --cpu=x86-64-v3,sm_90 the processor, and the GPU; NULL: none */
const char *gpu_named(const Options *o);
/* The name of what code is made for where a GPU is of capability `version` (86: 8.6): itself, or the last before it
 * that is known; NULL: it is too old */
const char *gpu_of_capability(int version);
bool gpu_has_shadow(void);            /* kernels for the simulator go along, for a driver that is none */
Options gpu_left_out(const Options *o); /* the same program for the processor alone, as its C is */
/* With --target=cuda: what the executable has besides its C, into t.  False: reported */
bool gpu_part(const Options *o, Toolchain *t);

/* ---- gpu_device.c */
/* What code is made for on this machine's GPU ("sm_90"), whose driver this process has from here on, or, `apart`, those
 * processes have that it makes; NULL: reported, for EXIT_NO_GPU */
const char *gpu_architecture(const Options *o, bool apart);
/* With --target=cuda: o says for which GPU code is made, if it did not: this machine's.  An exit status, if not
 * EXIT_OK, then it is reported. */
int gpu_choose(Options *o);
const char *gpu_device_name(Session *s); /* "NVIDIA H100"; NULL: there is none */

/* ---- cell_code.c: a cell at stage loops as machine code, by LLVM or by a C compiler, as o->jit says and as they are
 * there */
typedef struct CellCode {
    void (*run)(const dsl_value *args, dsl_value *results); /* NULL: reported, with the exit status */
    bool is_new; /* it was made just now */
    int status;
    const LlvmPlugin *plugin;
    LlvmTiers *tiers;
} CellCode;
void cell_code_end(const CellCode *c); /* it has run: the module may go */
/* A session begins: what --jit and --target ask for is there, and o says for which GPU cells are.  An exit status, if
 * not EXIT_OK, then it is reported. */
int cell_code_begin(Options *o);
CellCode cell_code(const Options *o, const Module *m);
bool cell_code_possible(const Options *o);
bool cell_code_is_quick(const Options *o); /* milliseconds, not a C compiler's time */
/* What the processes that this one makes would each do before cell_code */
void cell_code_prepare(const Options *o);

/* ---- cache.c */
typedef struct {
    const char *path; /* the executable */
    const char *temp_dir; /* not NULL: there was no cache; the caller removes path and this folder when done */
    bool is_new;      /* it was made just now */
    int status;       /* when path is NULL: the exit status after what was reported */
} Executable;
/* The executable of the program inputs[0]: from the cache, or compiled. */
Executable executable_get(const Options *o, const char *input, EmitKind kind);
void executable_drop(const Executable *x);
/* Whether --keep-c may write there: no file is, or C that dslc made.  False: reported. */
bool keep_c_allowed(const Options *o, const char *path);
/* The shared library of a cell at stage loops, and the source files that its messages name; it is dropped alike. */
Executable library_get(const Options *o, const Module *m, EmitFiles *files);
/* The folder and those above it, where they are missing; false with errno */
bool folders_make(Session *s, const char *path);
/* The folder; NULL: there is none that we may write. */
const char *cache_dir(Session *s);
/* All that the results of a cell depend on besides its texts and values;
 * false: there is no compiler for what is linked. */
bool cache_identity(const Options *o, Hash *h);
Hash hash_contents(const char *text, size_t n);
bool file_unchanged(Session *s, const char *path,
                    const char *hash); /* its contents have this hash, as hash_str says it */
/* Whole file, NUL-terminated, or NULL with errno */
char *file_read(Arena *a, const char *path, size_t *len);

/* ---- store.c: the files of that folder */
char *store_read(const char *path, size_t *n); /* to be freed; NULL: it is not there, or not whole */
bool store_seal(const char *path);             /* what is in the file is whole from now on */
void store_write(const char *path, const char *data, size_t n); /* beside, sealed, then renamed; or not at all */
/* Drops what others left, and, when there are many files, those that were not used for long. */
void store_clean(const char *dir);
LlvmCache *objects_open(const Options *o); /* NULL: there is no folder */

/* ---- temp.c */
/* A new folder for temporary files, which the caller removes; if the process ends before, it goes with what is in it.
 * NULL: reported */
const char *temp_dir_new(const Options *o);
/* Under another name it stays when this process ends. */
const char *temp_dir_keep(const Options *o, const char *dir);

/* ---- race.c: which of several executables is faster */
enum { RACE_TURNS = 16, RACE_REPEATS = 100 };
typedef struct {
    Executable exe;
    int64_t threads;          /* 0: as many as it likes */
    bool out;                 /* fails, prints something else, or is far behind */
    int turns;
    double ratio[RACE_TURNS]; /* of its time to that of what ran beside it */
} Racer;
typedef struct {
    const Options *o;
    const char *dir;          /* for outputs */
    char *output;             /* what all have to print */
    double seconds[4];        /* of the first runs */
    int repeats;              /* runs that are timed as one; more than RACE_REPEATS: too short to be compared */
} Race;
double seconds_now(void);
double median(const double *x, int n);           /* n <= RACE_TURNS */
/* Runs w some times to see what it prints, and which lines of that change. What is wrong with it, or NULL */
const char *race_begin(Race *r, const Racer *w);
double race_run(const Race *r, const Racer *w, char **output); /* seconds of `repeats` runs; negative when one failed */
/* All in turn with `beside`, so many times; earlier turns are forgotten. */
void race_turns(const Race *r, const Racer *beside, Racer *ways, int n, int turns);
double racer_ratio(const Racer *w);              /* the median */
bool racer_surely_faster(const Racer *w, double ratio); /* its median is less, and not by chance (a sign test) */

#endif
