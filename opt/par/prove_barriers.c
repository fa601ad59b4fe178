/* prove-barriers: all threads of a block come to each barrier, or two of which one does not.
 *
 * needs: islands as the program wrote them; leaves everything as it was.  The conditions and loops around a barrier must be the
 * same for all threads: most are by what they are computed from (ir/uniform.h), others are asked about (ir/depend_witness.c).
 * Two threads that go different ways would do so first at one of these places, so each may take for granted that
 * the threads agreed before.  Each place is asked about once. */
#include "ir/depend_private.h"
#include "ir/uniform.h"
#include "opt/par/proof_words.h"
#include "opt/pass.h"

typedef enum { SAME, PROVED, REFUTED, UNKNOWN } Meeting; /* SAME: plainly */
typedef struct { Meeting meeting; Value *value; Verdict verdict; Witness witness; } Finding; /* of an operation around barriers */
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
    if (f->meeting > PROVED || !value_varies(&p->uniform, v)) return;
    f->value = v;
    f->verdict = depend_differs(p->depend, p->loop, at, v, at->code == OP_FOR ? NULL : &f->witness);
    f->meeting = f->verdict.sat == ANSWER_NO ? PROVED : f->witness.found ? REFUTED : UNKNOWN;
}

/* Bounds that differ are no fault when the number of turns is the same; but the lowering takes one thread's for all. */
static void ask_bounds(Prover *p, Finding *f, Op *op) {
    for (int i = 0; i < 3; i++) ask(p, f, op, op_opnd(op, i));
    if (f->meeting != UNKNOWN) return;
    depend_differs(p->depend, p->loop, op, NULL, &f->witness);
    if (f->witness.found) f->meeting = REFUTED;
}

static Finding *finding_of(Prover *p, Op *op) {
    Finding *f = map_get(&p->findings, op);
    if (f) return f;
    f = NEW(p->arena, Finding);
    map_put(p->arena, &p->findings, op, f);
    if (op->code == OP_IF) ask(p, f, op, op_opnd(op, 0));
    if (op->code == OP_FOR) ask_bounds(p, f, op);
    if (op->code == OP_WHILE) ask(p, f, region_term(op->regs[0]), op_opnd(region_term(op->regs[0]), 0));
    return f;
}

static Span place_of(const Value *v, const Op *op) { return v->def && v->def->span.file >= 0 ? v->def->span : op->span; }

static void report(Prover *p, const Op *barrier, const Op *op, const Finding *f) {
    Session *s = p->session;
    Span at = place_of(f->value, op);
    bool turns = op->code != OP_IF;
    if (f->meeting == REFUTED) {
        const char *a = say_who(p->arena, op, f->witness.iv[0]), *b = say_who(p->arena, op, f->witness.iv[1]);
        Diag *d = diag_report(s, barrier->span, E_BARRIER_DIVERGENT);
        diag_note(s, d, at, turns ? "the number of turns differs between %s and %s" : "this differs between %s and %s", a, b);
        if (f->witness.nfree) diag_note(s, d, NO_SPAN, "for example with %s", say_values(p->arena, &f->witness));
        diag_hint(s, d, "a barrier waits for every thread of the block: move it to where all of them come");
        return;
    }
    Diag *d = diag_report(s, barrier->span, E_BARRIER_UNKNOWN);
    diag_note(s, d, at, "%s perhaps between the threads of a block: %s",
              op->code == OP_FOR ? "the bounds of the loop differ" : turns ? "the number of turns differs" : "this differs", say_why(p->arena, &f->verdict));
    diag_hint(s, d, "move it to where all threads come, or make the condition from sizes, block indices and elements that all threads read");
}

static void explain(Prover *p, const Op *barrier, Meeting m, int around) {
    static const char *const words[] = {"proved: what is around it is the same for all threads by what it is computed from",
                                        "proved: no two threads differ in what is around it", "refuted", "unknown"};
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
    for (Op *op = barrier->parent->owner; op != p->loop && n < 100; op = op->parent->owner) around[n++] = op;
    for (int i = n - 1; i >= 0 && m != REFUTED; i--) {
        Meeting now = finding_of(p, around[i])->meeting;
        if (now == REFUTED || (now == UNKNOWN && m != UNKNOWN)) apart = around[i];
        m = now == REFUTED || now > m ? now : m;
    }
    if (apart) report(p, barrier, apart, finding_of(p, apart));
    explain(p, barrier, m, n);
}

static void prove_inside(Prover *p, Op *op) {
    if (op->code == OP_BARRIER && op->nopnds && op_opnd(op, 0)->region && op_opnd(op, 0)->region->owner == p->loop) prove_barrier(p, op);
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
