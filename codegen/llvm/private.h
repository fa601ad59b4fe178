/* What the files of codegen/llvm share.
 *
 * Scalars are values of LLVM (bool: i1; halves: float, as they are computed), tensors pointers to dsl_array, buffers
 * pointers to their first element.  The body of a loop that threads share is a function of its own, body(lo, hi, env):
 * what it uses of the function around it stands in env, a slot of 8 bytes each. */
#ifndef DSL_LLVM_PRIVATE_H
#define DSL_LLVM_PRIVATE_H

#include "codegen/llvm/llvm.h"
#include "codegen/plan.h"

#include <llvm-c/Core.h>
#include <llvm-c/TargetMachine.h>

typedef struct Gen Gen;
typedef struct Fn Fn;
typedef struct Kernel Kernel;
typedef struct Debug Debug;

/* A module, and what has been declared in it */
typedef struct { LLVMModuleRef out; Map funcs, texts; } Unit;

/* A value or a size symbol of the function around */
typedef struct { const Value *value; const char *sym; } Capture;
typedef VEC(Capture) CaptureVec;

/* A function of LLVM that is being written */
struct Fn {
    Fn *outer;              /* whose loop's body this is, or NULL */
    LLVMValueRef fn;
    LLVMValueRef *values;   /* by value->id */
    Map syms;               /* size symbol -> LLVMValueRef */
    LLVMValueRef env;
    CaptureVec captures;
    int nstate;             /* slots of env before the captures: unit.c */
    LLVMMetadataRef scope, at; /* for a debugger: what the function is there, and the place that is being written */
    LLVMBasicBlockRef entry, body, resume; /* entry: stack memory and what env holds; resume: where outer stopped */
};

/* The part of a program that is for a GPU, of device.c; missing: a function that there is not on it, or NULL */
typedef VEC(KernelNote) KernelNotes;
typedef struct {
    LLVMTargetMachineRef machine;
    LLVMModuleRef module;
    const char *missing;
    KernelNotes notes; /* in the session's memory */
} Device;

struct Gen {
    Session *session;
    Arena *arena;
    const Module *module;
    const LlvmOptions *opts;
    LLVMContextRef ctx;
    LLVMModuleRef out;
    LLVMBuilderRef b, entry; /* entry: at the end of fn->entry */
    LLVMTypeRef i1, i8, i16, i32, i64, f32, f64, ptr, nothing;
    Map funcs;              /* Func -> LLVMValueRef */
    Map texts;              /* interned -> LLVMValueRef */
    Sites sites;
    Debug *debug;           /* NULL: nobody asks for lines */
    LLVMValueRef site_table; /* stands for the table until all places are known */
    int islands;
    /* for a GPU: the other of the two modules; which one out is; functions that kernels call; what the host has for
     * launches; a function for each check */
    Unit other;
    bool on_device;
    VEC(Func *) wanted;
    int kernels;
    Device *device;
    LLVMValueRef tables;
    VEC(LLVMValueRef) checks;
    VEC(LLVMValueRef) variants; /* vector functions that calls may become */
    Kernel *kernel;         /* the launch whose threads' code is being written, or NULL */
    VEC(LLVMValueRef) units;  /* unit.c */
    LLVMValueRef slots;     /* stands for theirs until all are known */
    bool in_unit;           /* in a loop that is one; an island begins anew */
    LLVMValueRef group;     /* of the accesses in a loop whose iterations are independent, or NULL */
    /* the current function */
    Plan *plan;
    Fn *fn;
    Ranges *ranges;
    CheckedVec checked;
    LLVMValueRef *scopes;   /* by value->id: of a buffer, the accesses that may touch it; the others, below */
    LLVMValueRef *others;
};

/* How each op is emitted: emit.def */
typedef void GenFn(Gen *g, Op *op);
#define LLVM_OP(id, fn) void fn(Gen *g, Op *op);
#include "codegen/llvm/emit.def"
#undef LLVM_OP

/* ---- types and values: value.c */
LLVMTypeRef type_of_scalar(Gen *g, DType t);
LLVMTypeRef type_in_memory(Gen *g, DType t);
LLVMTypeRef type_of_value(Gen *g, const Type *t);
LLVMTypeRef type_in_slot(Gen *g, const Type *t); /* a value in memory, as C has it: of a bool a byte */
LLVMValueRef const_i64(Gen *g, int64_t k);
LLVMValueRef const_i32(Gen *g, int k);
LLVMValueRef const_of(Gen *g, const Const *c);
LLVMValueRef const_text(Gen *g, const char *text); /* NULL: a null pointer */
LLVMValueRef gen_constant(Gen *g, const char *name, LLVMValueRef x); /* x in memory that nobody writes */
LLVMValueRef gen_value(Gen *g, const Value *v);
static inline LLVMValueRef gen_opnd(Gen *g, const Op *op, int i) { return gen_value(g, op_opnd(op, i)); }
void gen_set(Gen *g, const Value *v, LLVMValueRef x);
LLVMValueRef gen_size(Gen *g, const Size *s);
LLVMValueRef gen_array_extent(Gen *g, const Size *s); /* of an array that exists: needs no look at overflow */
void gen_define_sym(Gen *g, const char *sym, LLVMValueRef x);
bool gen_knows_sym(const Gen *g, const char *sym);
void gen_define_syms(Gen *g, const Type *t,
                     const Value *v); /* those of t that have no definition yet: the sizes of the tensor v */
LLVMValueRef gen_site(Gen *g, Span at);
LLVMValueRef gen_stack(Gen *g, LLVMTypeRef t);  /* for the whole function */
LLVMValueRef gen_offset(Gen *g, LLVMValueRef p, int64_t bytes);
LLVMValueRef gen_dims(Gen *g, const Type *t);   /* int64_t[] */
LLVMValueRef gen_from_slot(Gen *g, const Type *t, LLVMValueRef slot);
void gen_to_slot(Gen *g, LLVMValueRef x, LLVMValueRef slot);
LLVMValueRef gen_bits(Gen *g, LLVMValueRef x); /* of a scalar, as an i64 */
LLVMValueRef gen_of_bits(Gen *g, LLVMValueRef bits, LLVMTypeRef t);

/* ---- calls: call.c.  Functions of the runtime, declared when they are first called */
LLVMValueRef gen_call(Gen *g, const char *name, LLVMTypeRef result, int n, LLVMValueRef *args);
unsigned gen_attribute(const char *name); /* its number */
void gen_extend(Gen *g, LLVMValueRef call, int i, DType t); /* argument i, of dtype t, arrives as C passes it */
LLVMValueRef gen_call_of(Gen *g, const char *name, DType result, DType t, int n,
                         LLVMValueRef *args); /* with args of dtype t */
/* Depends on the arguments alone. */
LLVMValueRef gen_call_pure(Gen *g, const char *name, DType result, DType t, int n, LLVMValueRef *args);
LLVMValueRef gen_intrinsic(Gen *g, const char *name, LLVMTypeRef overload, int n, LLVMValueRef *args);
#define ARGS(...) (int)(sizeof((LLVMValueRef[]){__VA_ARGS__}) / sizeof(LLVMValueRef)), (LLVMValueRef[]){__VA_ARGS__}
void gen_fail_if(Gen *g, LLVMValueRef bad, const char *name, int n,
                 LLVMValueRef *args); /* calls what does not return */
LLVMBasicBlockRef gen_block(Gen *g, const char *name);
void gen_at(Gen *g, LLVMBasicBlockRef block);

/* ---- regions: flow.c */
void gen_region(Gen *g, const Region *r); /* without its terminator */
LLVMValueRef gen_elementwise(Gen *g, const Op *op, DType t, LLVMValueRef *x);
LLVMValueRef gen_loop_begin(Gen *g, LLVMValueRef n, LLVMBasicBlockRef *header); /* 0 <= index < n */
LLVMValueRef gen_progress_begin(Gen *g, const Op *loop); /* its bar; NULL: it has none */
void gen_loop_end(Gen *g, LLVMValueRef index, LLVMBasicBlockRef header);

/* ---- turn.c: where a turn of op, a loop, begins, and behind its last one */
void gen_turn(Gen *g, const Op *op);
void gen_turns_end(Gen *g, const Op *op);

/* ---- debug.c: with -g */
void gen_debug_begin(Gen *g);
void gen_debug_end(Gen *g);
void gen_debug_function(Gen *g, Fn *f); /* f is begun: what is written next is at its place */
void gen_debug_place(Gen *g, Span at);  /* ... at this one */
void gen_debug_back(Gen *g);            /* ... where g->fn stopped */

/* ---- vector.c */
void gen_vector_variants(Gen *g, const char *name, LLVMValueRef call); /* of an elementary function */
void gen_keep_variants(Gen *g);                                        /* at the end of the module */

/* ---- parallel.c */
/* What the body of a loop needs of this function, as it finds it in its env */
LLVMValueRef gen_env(Gen *g, const Fn *body);
/* The indices of the first axes of the loop, of which `whole` counts all combinations */
void gen_split_index(Gen *g, const Op *loop, int axes, LLVMValueRef whole);
void gen_share_turns(Gen *g, Op *op); /* of a for, if its plan says so */
LLVMValueRef gen_iterations(Gen *g, const Op *loop, int axes);

/* ---- kernel.c: launches of a GPU, and what only their threads do */
void gen_launch(Gen *g, Op *op);
bool gen_in_kernel(Gen *g, Op *op); /* a loop over the threads of a block; false: it is another one */
bool gen_is_shared(const Gen *g, const Op *alloc); /* memory of a block */
LLVMValueRef gen_shared(Gen *g, const Op *alloc);
LLVMValueRef gen_shared_room(Gen *g, LLVMValueRef bytes); /* bytes: a multiple of 4 */
void gen_kernel_fails(Gen *g); /* what is written next may fail */

LLVMValueRef gen_lane(Gen *g); /* the simulator's thread */
/* A kernel that trusts memory (codegen/trust.c) ends where one before it has failed: at the first operation for which
 * that matters, which is about to be written.  What is known in a region is not known behind it. */
void gen_trust(Gen *g, const Op *op);
LLVMValueRef gen_untrusted(const Gen *g);
void gen_untrusted_again(Gen *g, LLVMValueRef untrusted);

/* ---- team.c: threads of a GPU that do an iteration together */
typedef struct Team {
    LLVMValueRef member; /* which of them this is; NULL: each thread is on its own */
    bool apart;          /* in what they share out among them: each does a part */
} Team;
Team *gen_team(Gen *g);  /* kernel.c: of the kernel that is being written; NULL: none */
bool gen_in_team(Gen *g, Op *op); /* a loop that they share out; false: it is another one */
void gen_team_meets(Gen *g, Span at); /* what one of them wrote before, the others see behind */

/* ---- team_rows.c: rows of a team that are in shared memory meanwhile */
enum { MOST_ROWS = 4 };
typedef struct {
    const Value *buf;
    const Op *access;              /* one of it */
    int64_t stride, chunk;         /* bytes from one team's to the next, 0: not known yet; copied at a time */
    bool in, out;                  /* it is read before, written behind */
    LLVMValueRef near, far, place; /* in shared memory; in the array; which of the two it is */
    LLVMValueRef end;              /* bytes that are copied */
} Row;
typedef struct {
    Row row[MOST_ROWS];
    int n, teams;      /* teams: of a block, if there are rows */
    bool some_unknown; /* lengths are known only as the program runs */
    LLVMValueRef near; /* then: they are in shared memory */
} Rows;
Rows gen_rows(const Gen *g, const Op *team);
LLVMValueRef gen_rows_bytes(Gen *g, const Rows *rows); /* of shared memory */
void gen_rows_begin(Gen *g, const Op *op, Rows *rows, LLVMValueRef team); /* team: which one of its block */
void gen_rows_end(Gen *g, const Rows *rows, Span at);
LLVMValueRef gen_row_place(const Rows *rows, const Value *buf); /* NULL: it is where it is; rows: or NULL */
const Rows *gen_kernel_rows(const Gen *g); /* kernel.c: of the kernel that is being written, or NULL */

/* ---- device.c: the module for a GPU */
void gen_switch(Gen *g); /* what is written next goes into the other module */
void gen_device_functions(Gen *g); /* those that kernels call */
void gen_device_barrier(Gen *g);
LLVMValueRef gen_device_shared(Gen *g, uint64_t bytes);
bool gen_device_copies(const Gen *g); /* it copies to shared memory while threads go on: compute capability 8.0 */
void gen_device_copy(Gen *g, LLVMValueRef to, LLVMValueRef from, int64_t bytes); /* 4, 8 or 16, aligned */
void gen_device_copied(Gen *g); /* waits for what this thread copies */
void gen_device_meet(Gen *g); /* the threads of a team wait for each other */
LLVMValueRef gen_device_shuffle(Gen *g, LLVMValueRef x, LLVMValueRef from); /* x of that one of the team; 32 bits */
/* OP_SIGNAL and OP_AWAIT; of who awaits, the thread ends where one has failed */
void gen_device_signal(Gen *g, LLVMValueRef box, LLVMValueRef bits);
LLVMValueRef gen_device_await(Gen *g, LLVMValueRef box);
void gen_device_check(Gen *g, Op *op); /* which does not hold */
LLVMValueRef gen_device_failed(Gen *g); /* whether a kernel before this one has */
/* A dsl_gpu_kernel; shadow: or NULL */
typedef struct {
    const char *name;
    int nparams;
    const char *kinds;
    bool dynamic, fails, team;
    LLVMValueRef shadow;
} DeviceKernel;
LLVMValueRef gen_device_kernel(Gen *g, const DeviceKernel *k);
/* blocks: so many at a time are to have room in a multiprocessor; 0: as ptxas likes */
void gen_device_entry(Gen *g, const char *name, const Fn *body, const char *kinds, int threads, int blocks, bool meet);
void gen_device_tables(Gen *g);
LLVMModuleRef gen_device_finish(Gen *g, const char **missing); /* missing: a function that there is not, or NULL */

/* ---- loads_first.c */
#define DEVICE_QUOTIENT "dsl_quotient_" /* functions that divide (runtime/gpu/device.c), till loads stand before them */
void llvm_loads_first(LLVMModuleRef m); /* of a module of kernels, when it is optimized */

/* ---- product.c: launches that are matrix products */
bool gen_is_product(const Op *launch);
bool gen_in_product(const Gen *g); /* kernel.c: in the kernel of one, whose loops fill the registers as they are */
/* A dsl_gpu_product of the launch, f its kernel; NULL: it is none */
LLVMValueRef gen_product(Gen *g, const Op *launch, const Fn *f);

/* ---- home.c: where arrays are, for a program that uses a GPU */
void gen_home(Gen *g, const Op *op);  /* before an operation of the host's looks at its operands */
const char *gen_on_gpu(const Gen *g, const Op *op); /* the name of what does an extern or a view there, or NULL */
void gen_home_of(Gen *g, LLVMValueRef array, bool writes);
void gen_look(Gen *g); /* whether a launch has failed */
void gen_fresh(Gen *g, LLVMValueRef array); /* which nobody has written */
void gen_given(Gen *g, LLVMValueRef array); /* an argument of a cell */
LLVMValueRef gen_unique(Gen *g, LLVMValueRef array);
LLVMValueRef gen_written(Gen *g, const Op *island, int operand); /* all of it may be written over: no copy then */
LLVMValueRef gen_element(Gen *g, LLVMValueRef data, DType t, LLVMValueRef p); /* at p, as in memory */
void gen_poke(Gen *g, LLVMValueRef data, DType t, LLVMValueRef p, LLVMValueRef x);
bool gen_is_apart(const Gen *g, const Value *buf); /* the host reads and writes its elements by these */

/* ---- host.c */
void gen_check_failure(Gen *g, Op *op); /* ends the block */
void gen_bind_to(Gen *g, const Op *bind, LLVMValueRef x); /* its size is x */

/* ---- hint.c: what LLVM is told of loops */
LLVMValueRef gen_access_group(Gen *g);
void gen_loop_hint(Gen *g, LLVMBasicBlockRef header, const LoopPlan *p,
                   LLVMValueRef group); /* of the loop that was ended last */
void gen_loop_lanes(Gen *g, LLVMBasicBlockRef header); /* vectors are made of its turns */
void gen_loop_stays(Gen *g, LLVMBasicBlockRef header); /* its body is not written out several times */
void gen_loop_unrolled(Gen *g, LLVMBasicBlockRef header, int turns);
unsigned gen_metadata_kind(Gen *g, const char *name);

/* ---- memory.c */
int64_t gen_elements(const Type *t); /* of a type whose sizes are constants */
void gen_check_index(Gen *g, const Op *op, int first);
LLVMValueRef gen_index(Gen *g, const Type *t, const Use *idx); /* row-major */
LLVMValueRef gen_from_memory(Gen *g, DType t, LLVMValueRef x);
LLVMValueRef gen_to_memory(Gen *g, DType t, LLVMValueRef x);
LLVMValueRef gen_array_field(Gen *g, LLVMValueRef array, int64_t offset, LLVMTypeRef t);
enum { ARRAY_DIM = 16, ARRAY_DATA = 88 };

/* ---- module.c */
LLVMValueRef gen_func(Gen *g, const Func *f);
void gen_function(Gen *g, Func *f);
Fn *gen_fn_begin(Gen *g, LLVMValueRef fn, Fn *outer);
void gen_fn_end(Gen *g, Fn *fn); /* the end of fn's body is written; g goes on in fn->outer, where that stopped */
LLVMModuleRef llvm_module(Session *s, const Module *m, const LlvmOptions *o, LLVMContextRef ctx,
                          LLVMTargetMachineRef machine, Device *device); /* device: NULL where there is none */
Device *llvm_device_begin(Device *d, const LlvmOptions *o); /* d, or NULL where o is for none */
void llvm_device_ptx(Session *s, Device *d, LlvmCode *code);
void llvm_device_end(Device *d);

/* ---- unit.c */
/* Makes fn the next unit, where there are tiers. */
LLVMValueRef gen_unit(Gen *g, LLVMValueRef fn);
/* What is called for fn: where it is a unit, the best there is at that time */
LLVMValueRef gen_unit_code(Gen *g, LLVMValueRef fn);
void gen_unit_call(Gen *g, LLVMValueRef fn, int n, LLVMValueRef *args);
/* In the unit fn: the code behind it is for when there is a better one; then the block where it goes on without, where
 * the caller continues.  NULL: there is never a better one, and nothing was emitted. */
LLVMBasicBlockRef gen_unit_leave(Gen *g, LLVMValueRef fn, LLVMValueRef *better);
/* A loop as a unit.  state: what it begins with; within, what it has come to; at its end its results, then what stands
 * for them outside; NULL where it has none. */
typedef struct LoopUnit { LLVMValueRef fn; Fn *made; int n; LLVMValueRef *start; } LoopUnit;
bool gen_opens_unit(const Gen *g); /* a loop here is one */
LoopUnit gen_unit_begin(Gen *g, int n, LLVMValueRef *state);
void gen_unit_turn(Gen *g, const LoopUnit *u, LLVMValueRef *state);
void gen_unit_end(Gen *g, const LoopUnit *u, LLVMValueRef *state);
void gen_slots(Gen *g); /* at the end of the module */
#define SLOTS "dsl_slots"

/* ---- entry.c */
const char *llvm_entry(EmitKind kind); /* the name of what is looked up */
void gen_entry(Gen *g, const FuncVec *funcs);

/* Bitcode as a part of this file, from NAME to NAME_end */
#define BITCODE(NAME, FILE)                                                                                      \
    __asm__(".section .rodata\n" #NAME ":\n.incbin \"" FILE "\"\n" #NAME "_end:\n.byte 0\n.previous\n");             \
    extern const char NAME[] __attribute__((visibility("hidden"))), NAME##_end[] __attribute__((visibility("hidden")))

/* ---- optimize.c */
void llvm_optimize(LLVMModuleRef m, LLVMTargetMachineRef machine, int level); /* level 0: nothing */
void llvm_run(LLVMModuleRef m, LLVMTargetMachineRef machine, const char *passes);
void llvm_run_passes(LLVMModuleRef m, LLVMTargetMachineRef machine, int level);
LLVMModuleRef llvm_bitcode(LLVMContextRef ctx, const char *begin, const char *end);
void llvm_link_bitcode(LLVMModuleRef m, LLVMModuleRef part); /* what m calls of it; part is gone */

#endif
