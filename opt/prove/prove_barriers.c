/* prove-barriers: all threads of a block come to each barrier, or two of which one does not.
 *
 * needs: islands as the program wrote them; leaves everything as it was.  The conditions and loops around a barrier
 * must be the same for all threads: most are by what they are computed from (analysis/uniform.h), others are asked
 * about (ir/depend_witness.c). Two threads that go different ways would do so first at one of these places, so each may
 * take for granted that the threads agreed before.  Each place is asked about once. */
#include "analysis/depend_private.h"
#include "analysis/uniform.h"
#include "opt/prove/proof_words.h"
#include "opt/pass.h"

typedef enum { SAME, PROVED, UNKNOWN, REFUTED } Meeting; /* SAME: plainly */
typedef struct { Meeting meeting; Value *value; Verdict verdict; } Finding; /* of an operation around barriers */
typedef struct {
    Depend *depend;
    Session *session;
    const PassOptions *opts;
    Arena *arena;
    Map findings;  /* if, for, while -> Finding */
    Op *loop;      /* over threads */
    Uniform uniform;
    int count[4];
} Prover;

static void ask(Prover *p, Finding *f, Op *at, Value *v) {
    if (f->meeting == UNKNOWN || !value_varies(&p->uniform, v)) return;
    f->value = v;
    f->verdict = depend_differs(p->depend, p->loop, at, v);
    f->meeting = f->verdict.sat == ANSWER_NO ? PROVED : UNKNOWN;
}

/* Bounds that differ are no fault when the number of turns is the same; but the lowering takes one thread's for all. */
static Finding *finding_of(Prover *p, Op *op) {
    Finding *f = map_get(&p->findings, op);
    if (f) return f;
    f = NEW(p->arena, Finding);
    map_put(p->arena, &p->findings, op, f);
    if (op->code == OP_IF) ask(p, f, op, op_opnd(op, 0));
    for (int i = 0; op->code == OP_FOR && i < 3; i++) ask(p, f, op, op_opnd(op, i));
    if (op->code == OP_WHILE) ask(p, f, region_term(op->regs[0]), op_opnd(region_term(op->regs[0]), 0));
    return f;
}

/* A thread that comes to the barrier and one that turns off at op */
static Witness parting(Prover *p, Op *op, Op *barrier) {
    if (op->code == OP_FOR) return differs_witness(p->depend, p->loop, op, NULL, barrier);
    Op *at = op->code == OP_WHILE ? region_term(op->regs[0]) : op;
    return differs_witness(p->depend, p->loop, at, op_opnd(at, 0), barrier);
}

static Span place_of(const Value *v, const Op *op) {
    return v->def && v->def->span.file >= 0 ? v->def->span : op->span;
}

static void report_refuted(Prover *p, const Op *barrier, const Op *op, const Finding *f, const Witness *w) {
    Session *s = p->session;
    const char *a = say_who(p->arena, op, w->iv[0]), *b = say_who(p->arena, op, w->iv[1]);
    Diag *d = diag_report(s, barrier->span, E_BARRIER_DIVERGENT);
    diag_note(s, d, place_of(f->value, op),
              op->code != OP_IF ? "the number of turns differs between %s and %s" : "this differs between %s and %s", a,
              b);
    if (w->nfree) diag_note(s, d, NO_SPAN, "for example with %s", say_values(p->arena, w));
    diag_hint(s, d, "a barrier waits for every thread of the block: move it to where all of them come");
}

/* w: what may never happen, as it takes a value that was computed before; or nothing */
static void report_unknown(Prover *p, const Op *barrier, const Op *op, const Finding *f, const Witness *w) {
    Session *s = p->session;
    const char *what = op->code == OP_FOR     ? "the bounds of the loop differ"
                       : op->code == OP_WHILE ? "the number of turns differs"
                                              : "this differs";
    Diag *d = diag_report(s, barrier->span, E_BARRIER_UNKNOWN);
    if (w->found)
        diag_note(s, d, place_of(f->value, op), "%s between the threads of a block when %s", what,
                  say_values(p->arena, w));
    else
        diag_note(s, d, place_of(f->value, op), "%s perhaps between the threads of a block: %s", what,
                  say_why(p->arena, &f->verdict));
    diag_hint(s, d,
              "move it to where all threads come, or make the condition from sizes, block indices and elements that "
              "all threads read");
}

static void explain(Prover *p, const Op *barrier, Meeting m, int around) {
    static const char *const words[] = {
        "proved: what is around it is the same for all threads by what it is computed from",
        "proved: no two threads differ in what is around it", "unknown", "refuted"};
    p->count[m]++;
    if (!p->opts->explain_checks || barrier->span.file < 0) return;
    Place at = source_place(p->session, barrier->span.file, barrier->span.lo);
    fprintf(stderr, "%s:%d:%d: barrier: %s\n", source_path(p->session, barrier->span.file), at.line, at.col,
            around ? words[m] : "proved: nothing is around it");
}

/* Where threads certainly part, else the outermost place where they may */
static void prove_barrier(Prover *p, Op *barrier) {
    Op *around[100], *apart = NULL;
    int n = 0;
    Meeting m = SAME;
    Witness w = {0}, first = {0};
    for (Op *op = barrier->parent->owner; op != p->loop && n < 100; op = op->parent->owner) around[n++] = op;
    for (int i = n - 1; i >= 0 && m != REFUTED; i--) {
        Meeting now = finding_of(p, around[i])->meeting;
        if (now == UNKNOWN) w = parting(p, around[i], barrier);
        bool parts = now == UNKNOWN && w.found && !w.computed;
        if (parts || (now == UNKNOWN && m != UNKNOWN)) apart = around[i], first = w;
        m = parts ? REFUTED : now > m ? now : m;
    }
    if (apart) (m == REFUTED ? report_refuted : report_unknown)(p, barrier, apart, finding_of(p, apart), &first);
    explain(p, barrier, m, n);
}

static void prove_inside(Prover *p, Op *op) {
    if (op->code == OP_BARRIER && op->nopnds && op_opnd(op, 0)->region && op_opnd(op, 0)->region->owner == p->loop)
        prove_barrier(p, op);
    for (int i = 0; i < op->nregs; i++)
        for (Op *o = op->regs[i]->first; o; o = o->next) prove_inside(p, o);
}

static void prove_loop(void *ctx, Op *op) {
    Prover *p = ctx;
    if (op->code != OP_PARALLEL || !op_holds_barrier_of(op, op)) return;
    p->loop = op;
    p->uniform = uniform_new(p->arena, op);
    prove_inside(p, op);
}

static void look_for_barrier(void *ctx, Op *op) { *(bool *)ctx |= op->code == OP_BARRIER; }

void pass_prove_barriers(Module *m, const PassOptions *opts) {
    int total[4] = {0};
    for (int i = 0; i < m->funcs.len; i++) {
        Func *f = m->funcs.data[i];
        bool any = false;
        if (f->kind != FUNC_EXTERN && f->body) region_walk(f->body, look_for_barrier, &any);
        if (!any) continue;
        Prover p = {.depend = depend_new(f), .session = m->session, .opts = opts, .arena = arena_new()};
        region_walk(f->body, prove_loop, &p);
        for (int k = 0; k < 4; k++) total[k] += p.count[k];
        depend_free(p.depend);
        arena_free(p.arena);
    }
    int proved = total[SAME] + total[PROVED], n = proved + total[REFUTED] + total[UNKNOWN];
    if (opts->explain_checks && n)
        fprintf(stderr, "barriers: %d: %d proved, %d refuted, %d unknown\n", n, proved, total[REFUTED], total[UNKNOWN]);
}
