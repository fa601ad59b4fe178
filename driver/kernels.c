/* dslc check --explain-kernel FILE: for each kernel of a GPU what it takes of a multiprocessor, from ptxas where that
 * is, and what it moves and computes, from the IR.
 *
 * How many threads run at a time: NVIDIA, CUDA C++ Programming Guide, technical specifications by compute capability;
 * registers are given out to warps by 256.  Which side of the roofline: Williams, Waterman, Patterson: Roofline: an
 * insightful visual performance model for multicore architectures, CACM 52, 2009. */
#include "codegen/often.h"
#include "driver/build.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WARP = 32, REGISTERS = 65536, REGISTER_UNIT = 256, RESERVED = 1024 };

/* Of a multiprocessor: threads, blocks, bytes of shared memory; of a device that has them: operations of f64 and of f32
 * in the time of one byte from its memory */
typedef struct {
    const char *name, *device;
    int threads, blocks, shared;
    double balance64, balance32;
} Machine;
static const Machine machines[] = {
    {"sm_70", "V100", 2048, 32, 96 << 10, 8.7, 17},   {"sm_75", "T4", 1024, 16, 64 << 10, 0.8, 25},
    {"sm_80", "A100", 2048, 32, 164 << 10, 6.2, 12.5}, {"sm_86", "RTX 3090", 1536, 16, 100 << 10, 0.6, 38},
    {"sm_89", "RTX 4090", 1536, 24, 100 << 10, 1.3, 82}, {"sm_90", "H100", 2048, 32, 228 << 10, 10, 20},
};

/* The one named, or the last before it */
static const Machine *machine_of(const char *name) {
    const Machine *m = machines + 2;
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++)
        if (!strcmp(name, machines[i].name)) m = &machines[i];
    return m;
}

/* ---- ptxas: what it says of a kernel */

typedef struct { bool known; int registers, shared, spills; } Taken;

static const char *ptxas_path(Session *s) {
    const char *home = getenv("CUDA_HOME"), *path = getenv("PATH");
    const char *folders = intern_printf(s, "%s%s%s:/usr/local/cuda/bin", path ? path : "", home ? ":" : "",
                                        home ? intern_printf(s, "%s/bin", home) : "");
    for (size_t n; *folders; folders += n + (folders[n] == ':')) {
        n = strcspn(folders, ":");
        const char *file = n ? intern_printf(s, "%.*s/ptxas", (int)n, folders) : NULL;
        if (file && !access(file, X_OK)) return file;
    }
    return NULL;
}

/* What it prints of the kernels, or NULL: there is none, or it fails */
static const char *ptxas_says(const Options *o, const char *arch, const char *ptx) {
    Session *s = o->session;
    const char *ptxas = ptxas_path(s), *dir = ptxas ? temp_dir_new(o) : NULL;
    if (!dir) return NULL;
    const char *in = intern_printf(s, "%s/kernels.ptx", dir), *said = intern_printf(s, "%s/said", dir);
    Argv v = {0};
    cc_arg(o, &v, ptxas);
    cc_arg(o, &v, intern_printf(s, "-arch=%s", arch));
    cc_arg(o, &v, "-v");
    cc_arg(o, &v, in);
    cc_arg(o, &v, "-o");
    cc_arg(o, &v, intern_printf(s, "%s/kernels.cubin", dir));
    cc_arg(o, &v, NULL);
    size_t n;
    bool ok = cc_write_file(in, ptx) && !cc_execute(&v, said);
    return ok ? file_read(session_arena(s), said, &n) : NULL;
}

/* The number before the word, after `from` and before the next kernel */
static int number_before(const char *from, const char *end, const char *word) {
    const char *at = strstr(from, word), *digit = at;
    if (!at || at > end) return 0;
    while (digit > from && (digit[-1] < '0' || digit[-1] > '9')) digit--;
    while (digit > from && digit[-1] >= '0' && digit[-1] <= '9') digit--;
    return atoi(digit);
}

static Taken taken_by(Session *s, const char *said, const char *kernel) {
    Taken t = {false, 0, 0, 0};
    const char *at = said ? strstr(said, intern_printf(s, "Compiling entry function '%s'", kernel)) : NULL;
    if (!at) return t;
    const char *next = strstr(at + 1, "Compiling entry function"), *end = next ? next : at + strlen(at);
    t.known = true;
    t.registers = number_before(at, end, "registers");
    t.shared = number_before(at, end, "bytes smem");
    t.spills = number_before(at, end, "bytes spill stores") + number_before(at, end, "bytes spill loads");
    return t;
}

/* ---- how many threads run at a time */

static int up_to(int x, int unit) { return (x + unit - 1) / unit * unit; }

typedef struct { int blocks; const char *limit; } Room;

static void at_most(Room *r, int blocks, const char *what) {
    if (blocks < r->blocks) *r = (Room){blocks, what};
}

static Room room_for(const Machine *m, const Taken *t, int threads) {
    int warps = (threads + WARP - 1) / WARP;
    Room r = {m->blocks, "the number of blocks"};
    at_most(&r, m->threads / (warps * WARP), "the number of threads");
    if (t->registers) at_most(&r, REGISTERS / up_to(t->registers * WARP, REGISTER_UNIT) / warps, "registers");
    if (t->shared) at_most(&r, m->shared / (t->shared + RESERVED), "shared memory");
    return r;
}

static void say_taken(const KernelNote *k, const Machine *m, const Taken *t) {
    if (!t->known) {
        printf("    %s: registers and spills are not known: there is no ptxas, which is in the CUDA toolkit\n",
               m->name);
        return;
    }
    printf("    %s: %d registers, ", m->name, t->registers);
    if (k->dynamic) printf("shared memory as it is launched, ");
    else if (t->shared) printf("%d bytes of shared memory, ", t->shared);
    if (t->spills) printf("%d bytes spilled", t->spills);
    else printf("nothing spilled");
    if (!k->threads || k->dynamic) {
        printf("\n");
        return;
    }
    Room r = room_for(m, t, k->threads);
    int share = 100 * r.blocks * k->threads / m->threads;
    printf("; %d %% of a multiprocessor's threads at a time", share);
    printf(share < 100 ? ", by %s\n" : "\n", r.limit);
}

/* ---- what it moves and computes */

enum { LONG_FORMULA = 48, LARGE = 1 << 17, SMALL_PART = 64 };

/* The terms of n that are more than a small part of all, where sizes are large */
static const Size *main_terms(Session *s, const Size *n, int64_t all) {
    SizeNode node = size_node(s, n);
    int64_t value;
    if (node.op == '+') return size_add(s, main_terms(s, node.a, all), main_terms(s, node.b, all));
    return often_value(n, LARGE, &value) && llabs(value) < all / SMALL_PART ? size_const(s, 0) : n;
}

static const char *operations_str(Session *s, const Size *n) {
    const char *text = size_str(s, n);
    int64_t all;
    if (strlen(text) <= LONG_FORMULA || !often_value(n, LARGE, &all)) return text;
    const Size *most = main_terms(s, n, all);
    return most == n ? text : intern_printf(s, "about %s", size_str(s, most));
}

/* How accesses lie for threads beside each other */
static void say_accesses(const KernelWork *w) {
    static const char *const word[LIES_COUNT] = {"the same for all", "coalesced", "strided", "gathered"};
    static const Lies order[LIES_COUNT] = {LIES_BESIDE, LIES_STRIDED, LIES_GATHERED, LIES_SAME};
    const char *before = "    accesses: ";
    for (int i = 0; i < LIES_COUNT; i++) {
        if (!w->lie[order[i]]) continue;
        printf("%s%d %s", before, w->lie[order[i]], word[order[i]]);
        before = ", ";
    }
    if (*before == ',') printf("\n");
}

static void say_work(Session *s, const KernelWork *w, const Machine *m) {
    int64_t moved, done;
    printf("    reads %s bytes, writes %s; %s operations%s\n", size_str(s, w->reads), size_str(s, w->writes),
           operations_str(s, w->operations),
           w->guessed ? ", a loop whose turns are not known taken as one turn" : "");
    say_accesses(w);
    if (!often_value(size_add(s, w->reads, w->writes), OFTEN_SAMPLE, &moved) || moved <= 0) return;
    if (!often_value(w->operations, OFTEN_SAMPLE, &done)) return;
    bool wide = dtype_info(w->floats)->bytes == 8;
    bool fixed = size_is_const(w->reads, NULL) && size_is_const(w->writes, NULL);
    double balance = wide ? m->balance64 : m->balance32, ratio = (double)done / (double)moved;
    printf("    %.2g operations for a byte%s: %s is the limit (%s of %s: %.3g)\n", ratio,
           fixed ? "" : ", where sizes are 4096", ratio < balance ? "memory" : "arithmetic", wide ? "f64" : "f32",
           m->device, balance);
}

static void say_lines(const char *text) {
    for (size_t n; text && *text; text += n + (text[n] == '\n')) {
        n = strcspn(text, "\n");
        printf("    %.*s\n", (int)n, text);
    }
}

static void say_kernel(const Options *o, const KernelNote *k, const Machine *m, const char *said) {
    Taken t = taken_by(o->session, said, k->name);
    if (k->at.file >= 0) {
        Place p = source_place(o->session, k->at.file, k->at.lo);
        printf("%s:%d:%d: ", source_path(o->session, k->at.file), p.line, p.col);
    }
    printf("%s, ", k->name);
    if (k->threads) printf("blocks of %d threads\n", k->threads);
    else printf("blocks as it is launched\n");
    say_taken(k, m, &t);
    say_work(o->session, &k->work, m);
    say_lines(k->says);
}

/* In order of the source; of one place as they were made */
static int by_place(const void *x, const void *y) {
    const KernelNote *a = x, *b = y;
    if (a->at.file != b->at.file) return a->at.file < b->at.file ? -1 : 1;
    if (a->at.lo != b->at.lo) return a->at.lo < b->at.lo ? -1 : 1;
    return a->number - b->number;
}

bool explain_kernels(const Options *o) {
    Options with = *o;
    with.target = "cuda", with.pass.device = with.pass.unordered = true;
    LlvmCode code = kernels_make(&with);
    if (!code.ptx) return false;
    const char *named = gpu_named(o), *arch = named ? named : "sm_80";
    const char *said = ptxas_says(o, arch, code.ptx);
    KernelNote *notes = NEWN(session_arena(o->session), KernelNote, code.nnotes + 1);
    for (int i = 0; i < code.nnotes; i++) notes[i] = code.notes[i];
    qsort(notes, (size_t)code.nnotes, sizeof *notes, by_place);
    for (int i = 0; i < code.nnotes; i++) say_kernel(o, &notes[i], machine_of(arch), said);
    if (!code.nnotes) printf("there is no kernel in it\n");
    return true;
}
