/* prove-races: two threads that touch one element at one time, or the proof that there are none.
 *
 * needs: islands as the program wrote them (nothing removed); leaves everything as it was.  Each parallel is asked for
 * its pairs of accesses that nothing orders (analysis/depend_phase.c); those that may meet are searched for two threads
 * that certainly do.  One message for each array of a parallel: an error when the race is there for all sizes, a
 * warning when it takes particular values, or when nobody can tell. */
#include "analysis/depend_private.h"
#include "analysis/linear.h"
#include "opt/prove/proof_words.h"
#include "opt/pass.h"

#include <string.h>

typedef struct {
    int proved, refuted, unknown, data;
} Count; /* data: of the unknown, those that depend on elements of arrays */
typedef struct { Pair pair; Verdict verdict; Witness witness; } Finding;
typedef struct {
    Func *func;
    Depend *depend;
    Proved *proved;
    Linear *linear;
    Session *session;
    const PassOptions *opts;
    Arena *arena;
    Map findings; /* array -> the worst Finding */
    Map outside;  /* block of statements, axis, end and size -> Outside */
    Map left;     /* array -> Left */
    bool any_launch; /* of a kernel alone, that nothing launches yet */
    Count *total;
} Prover;

/* ---- words */


static const char *verb(const Op *op) {
    return op->code == OP_LOAD ? "reads" : op->code == OP_ATOMIC ? "updates" : "writes";
}

static const char *say_element(Prover *p, const Value *buf, const int64_t *index) {
    Text t;
    text_init(&t, p->arena);
    text_printf(&t, "%s[", buf->name ? buf->name : "");
    for (int i = 0; i < buf->type->rank; i++) text_printf(&t, "%s%lld", i ? ", " : "", (long long)index[i]);
    text_printf(&t, "]");
    return text_str(&t);
}

/* ---- messages */

static void hint(Prover *p, Diag *d, const Pair *pair) {
    Session *s = p->session;
    LoopKind of = op_loop(pair->a.loop);
    const char *update = say_update(s, pair->a.op, pair->b.op), *each = of == LOOP_THREAD ? "each thread" : "each";
    bool both_update = pair->a.op->code != OP_LOAD && pair->b.op->code != OP_LOAD;
    const char *what = of == LOOP_THREAD ? "put a barrier between the two, or let each thread use elements of its own"
                                         : "read from another array than is written";
    if (update) what = intern_printf(s, "let %s update elements of its own, or write `%s`", each, update);
    else if (both_update)
        what = intern_printf(s, "let %s write elements of its own, or update with `atomic`", each);
    diag_hint(s, d, "%s%s",
              of == LOOP_THREAD  ? ""
              : of == LOOP_BLOCK ? "blocks run in any order and no barrier orders them: "
                                 : "iterations run in any order: ",
              what);
}

/* The write comes first; of two, the later in the text. */
static bool b_leads(const Pair *p) {
    if (p->a.op->code == OP_LOAD || p->b.op->code == OP_LOAD) return p->a.op->code == OP_LOAD;
    return p->b.op->span.lo > p->a.op->span.lo;
}

static void report_race(Prover *p, const Pair *pair, const Witness *w) {
    Session *s = p->session;
    bool swap = b_leads(pair);
    const Op *x = swap ? pair->b.op : pair->a.op, *y = swap ? pair->a.op : pair->b.op;
    const char *me = say_who(p->arena, x, w->iv[swap]), *them = say_who(p->arena, y, w->iv[!swap]),
               *what = array_name(op_buffer(x));
    const char *element = say_element(p, op_buffer(x), w->index), *values = say_values(p->arena, w);
    Diag *d = w->always ? diag_report(s, x->span, E_RACE, what, me, verb(x), element, them, verb(y))
                        : diag_report(s, x->span, W_RACE_WHEN, what, values, me, verb(x), element, them, verb(y));
    diag_note(s, d, y->span, "%s %s it here", them, verb(y));
    if (w->always && w->nfree) diag_note(s, d, NO_SPAN, "for example with %s", values);
    hint(p, d, pair);
}

/* A loop of the library, which stands at its call once it is part of the caller: so do its accesses */
static bool is_library_loop(const Session *s, const Op *access, const Op *loop) {
    const Span a = access->span, b = loop->span;
    return source_is_library(s, a) || (a.file == b.file && a.lo == b.lo && a.hi == b.hi && a.via == b.via);
}

/* Of the library's own loops nobody who calls them could say more. */
static void report_unknown(Prover *p, const Pair *pair, const Verdict *v) {
    Session *s = p->session;
    bool swap = b_leads(pair);
    const Op *x = swap ? pair->b.op : pair->a.op, *y = swap ? pair->a.op : pair->b.op;
    if (is_library_loop(s, x, pair->a.loop)) return;
    Diag *d = diag_report(s, x->span, W_RACE_UNKNOWN, array_name(op_buffer(x)));
    const char *other = op_loop(pair->a.loop) == LOOP_PLAIN ? "another iteration" : "another thread";
    const char *why = pair->loose && v->exact
                          ? "in some turns of a loop a barrier may lie between the two, in others not"
                          : say_why(p->arena, v);
    diag_note(s, d, y->span, "%s perhaps %s the same element here: %s", other, verb(y), why);
    const char *update = say_update(s, x, y);
    if (update) diag_hint(s, d, "if elements may coincide, write `%s`", update);
    else diag_hint(s, d, "if elements may coincide, update with `atomic`, or read from another array than is written");
}

static void explain(Prover *p, const Op *loop, const Value *buf, Span at, Count n, const char *verdict) {
    if (!p->opts->explain_checks || at.file < 0) return;
    Place place = source_place(p->session, at.file, at.lo);
    fprintf(stderr, "%s:%d:%d: races of %s on '%s': %s (pairs: %d; %d proved, %d refuted, %d unknown)\n",
            source_path(p->session, at.file), place.line, place.col,
            op_loop(loop) == LOOP_THREAD  ? "threads"
            : op_loop(loop) == LOOP_BLOCK ? "blocks"
                                     : "iterations",
            array_name(buf), verdict, n.proved + n.refuted + n.unknown, n.proved, n.refuted, n.unknown);
}

/* ---- one parallel, one array */

/* Errors before what takes values before what is unknown */
static int weight(const Finding *f) { return !f ? 0 : f->witness.found ? f->witness.always ? 3 : 2 : 1; }

static Finding *prove_buffer(Prover *p, Op *loop, const Value *buf, const PairVec *pairs) {
    Count n = {0};
    Finding *worst = NULL;
    Span at = loop->span;
    for (int i = 0; i < pairs->len; i++) {
        Finding f = {.pair = pairs->data[i]};
        if (op_buffer(f.pair.a.op) != buf) continue;
        if (f.pair.a.op->code != OP_LOAD && !(n.proved + n.refuted + n.unknown)) at = f.pair.a.op->span;
        f.verdict = pair_solve_once(p->depend, p->proved, &f.pair);
        if (f.verdict.sat == ANSWER_NO) { n.proved++; continue; }
        if (weight(worst) < 3) f.witness = pair_witness(p->depend, &f.pair);
        if (f.witness.found) n.refuted++;
        else n.unknown++, n.data += f.verdict.data;
        if (weight(&f) <= weight(worst)) continue;
        if (!worst) worst = NEW(p->arena, Finding);
        *worst = f;
    }
    explain(p, loop, buf, at, n, weight(worst) > 1 ? "refuted" : worst ? "unknown" : "proved");
    p->total->proved += n.proved;
    p->total->refuted += n.refuted;
    p->total->unknown += n.unknown;
    p->total->data += n.data;
    return worst;
}

/* What is found for an array is told once: threads of a block are easier to see than blocks. */
static void keep(Prover *p, const Value *buf, Finding *f) {
    if (weight(f) > weight(map_get(&p->findings, buf))) map_put(p->arena, &p->findings, buf, f);
}

static void prove_loop(Prover *p, Op *op) {
    PairVec pairs = {0};
    Map seen = {0};
    pairs_of(p->depend, p->arena, op, NULL, &pairs);
    for (int i = 0; i < pairs.len; i++) {
        Value *buf = op_buffer(pairs.data[i].a.op);
        if (map_has(&seen, buf)) continue;
        map_put(p->arena, &seen, buf, buf);
        keep(p, buf, prove_buffer(p, op, buf, &pairs));
    }
}

static void prove_inside(Prover *p, Op *op) { /* inner loops first */
    for (int i = 0; i < op->nregs; i++)
        for (Op *o = op->regs[i]->first; o; o = o->next) prove_inside(p, o);
    if (op->code == OP_PARALLEL) prove_loop(p, op);
}

static void report_all(Prover *p) {
    for (int i = 0; i < p->findings.len; i++) {
        const Finding *f = p->findings.vals[i];
        if (!f) continue;
        if (p->any_launch && weight(f) < 3) continue; /* a launch may be meant for which it is well */
        if (f->witness.found) report_race(p, &f->pair, &f->witness);
        else report_unknown(p, &f->pair, &f->verdict);
    }
}

/* ---- accesses that are outside of their arrays whatever happens */

/* Accesses of one block of statements that leave arrays of one size at one end: one guard mends them all, so they are
 * one error. */
typedef struct { Diag *d; Span at; const Op *other; const char *does; int more; } Outside;

static const char *outside_key(Prover *p, const Op *op, int axis, bool below, int64_t extent) {
    return intern_printf(p->session, "%p %d %d %lld", (const void *)op->parent, axis, below, (long long)extent);
}

static bool one_more(Prover *p, Outside *o, const Op *op, const char *element) {
    if (!o || (op->span.file == o->at.file && op->span.lo == o->at.lo)) return o != NULL;
    if (!o->more++) {
        o->other = op;
        o->does = intern_printf(p->session, "%s %s", verb(op), element);
    }
    return true;
}

/* What is told of one array: the first errors, then how many more there are */
enum { TOLD = 2 };
typedef struct { Diag *d; int told, more; } Left;

static Left *left_of(Prover *p, const Value *buf) {
    Left *l = map_get(&p->left, buf);
    if (!l) map_put(p->arena, &p->left, buf, l = NEW(p->arena, Left));
    return l;
}

static void note_others(Prover *p) {
    for (int i = 0; i < p->outside.len; i++) {
        const Outside *o = p->outside.vals[i];
        if (o->more == 1) diag_note(p->session, o->d, o->other->span, "the same here: it %s", o->does);
        if (o->more > 1)
            diag_note(p->session, o->d, o->other->span, "the same here: it %s; and at %d more places of this block",
                      o->does, o->more - 1);
    }
    for (int i = 0; i < p->left.len; i++) {
        const Left *l = p->left.vals[i];
        if (l->more)
            diag_note(p->session, l->d, NO_SPAN, "and %d more %s of '%s'", l->more, l->more > 1 ? "accesses" : "access",
                      array_name(p->left.keys[i]));
    }
}

/* The k-th index of an access as it is written, or NULL */
static const char *index_text(Prover *p, const Op *op, int k) {
    enum { LONGEST = 40 };
    size_t len;
    if (op->span.file < 0) return NULL;
    const char *text = source_text(p->session, op->span.file, &len) + op->span.lo,
               *end = text + (op->span.hi - op->span.lo);
    const char *at = memchr(text, '[', (size_t)(end - text)), *start = at ? at + 1 : end;
    int depth = 0;
    for (const char *c = start; c < end; c++) {
        bool closes = *c == ']' || *c == ')', ends = !depth && (*c == ',' || closes);
        if (*c == ':' || *c == '\n' || c - start > LONGEST) return NULL; /* slices, long indices */
        depth += (*c == '[' || *c == '(') - closes;
        if (!ends) continue;
        while (start < c && *start == ' ') start++;
        if (!k--) return start < c ? arena_strndup(p->arena, start, (size_t)(c - start)) : NULL;
        if (closes) return NULL;
        start = c + 1;
    }
    return NULL;
}

/* The size of an axis as it is written where the access is: a kernel does not see the sizes of those who launch it. */
static const char *size_in_words(Prover *p, const Op *op, const Value *buf, int k) {
    const Op *island = op_around(op, OP_ISLAND);
    bool own = !island || !op_sym(island, A_NAME) || p->any_launch || buf->type->space != SPACE_GLOBAL;
    if (own || !buf->name) return size_str(p->session, buf->type->dims[k]);
    return buf->type->rank == 1 ? arena_printf(p->arena, "len(%s)", buf->name)
                                : arena_printf(p->arena, "size(%s, %d)", buf->name, k);
}

static void hint_guard(Prover *p, Diag *d, const Op *op, const Value *buf, int k, bool below) {
    const char *index = index_text(p, op, k), *size = size_in_words(p, op, buf, k);
    if (!index) index = arena_printf(p->arena, "the index along axis %d", k);
    if (below) diag_hint(p->session, d, "guard the access: if %s >= 0 { ... }", index);
    else
        diag_hint(p->session, d, "guard the access: if %s < %s { ... }%s", index, size,
                  buf->type->space == SPACE_SHARED ? "; or make the array larger" : "");
}

/* How the program comes there: the launch, calls, the condition that decides */
static void note_way(Prover *p, Diag *d, const Op *op, const When *when) {
    Span call, at = op->span;
    for (const char *how; span_caller(p->session, at, &call, &how); at = call)
        diag_note(p->session, d, call, "%s", how);
    if (!when->condition) return;
    const Op *c = op_opnd(when->condition, 0)->def;
    diag_note(p->session, d, c && c->span.file >= 0 ? c->span : when->condition->span, "only when this %s",
              when->holds ? "holds" : "does not hold");
}

static void prove_access(void *ctx, Op *op) {
    Prover *p = ctx;
    Value *buf;
    int first;
    if (!access_parts(op, &buf, &first) || op_flag(op, A_SAFE)) return;
    Op *loop = outermost_parallel(op);
    if (!loop || linear_inside(p->linear, op, first - 1, first)) return;
    Witness w = access_witness(p->depend, loop, op);
    if (!w.found || !w.always) return;
    When when = proof_when(p->arena, p->func->module, p->func, op);
    if (when.never) return;
    int k = 0;
    while (k < buf->type->rank && w.index[k] >= 0 && w.index[k] < w.extent[k]) k++;
    if (k == buf->type->rank) return;
    const char *element = say_element(p, buf, w.index), *key = outside_key(p, op, k, w.index[k] < 0, w.extent[k]);
    Left *left = left_of(p, buf);
    if (one_more(p, map_get(&p->outside, key), op, element)) return;
    if (left->told++ >= TOLD) {
        left->more++;
        return;
    }
    Diag *d = diag_report(p->session, op->span, when.condition ? W_BOUNDS_WHEN : E_BOUNDS,
                          say_who(p->arena, op, w.iv[0]), verb(op), element, k, array_name(buf),
                          (long long)w.extent[k]);
    Outside *o = NEW(p->arena, Outside);
    *o = (Outside){.d = d, .at = op->span};
    left->d = d;
    map_put(p->arena, &p->outside, key, o);
    if (w.nfree) diag_note(p->session, d, NO_SPAN, "for example with %s", say_values(p->arena, &w));
    note_way(p, d, op, &when);
    hint_guard(p, d, op, buf, k, w.index[k] < 0);
}

static void look_for_parallel(void *ctx, Op *op) { *(bool *)ctx |= op->code == OP_PARALLEL; }

/* told: races and accesses that leave are reported, of what the program says */
static Count prove_module(Module *m, const PassOptions *opts, bool told) {
    Count total = {0};
    for (int i = 0; i < m->funcs.len; i++) {
        Func *f = m->funcs.data[i];
        bool any = false;
        if (f->kind != FUNC_EXTERN && f->body) region_walk(f->body, look_for_parallel, &any);
        if (!any) continue;
        Prover p = {.func = f,
                    .depend = depend_new(f),
                    .linear = linear_new(f),
                    .session = m->session,
                    .opts = opts,
                    .arena = arena_new(),
                    .total = &total,
                    .any_launch = func_kernel_name(f) != NULL};
        p.proved = proved_new(p.arena);
        for (Op *op = f->body->first; op; op = op->next) prove_inside(&p, op);
        if (told) report_all(&p);
        if (told) region_walk(f->body, prove_access, &p);
        if (told) note_others(&p);
        depend_free(p.depend);
        linear_free(p.linear);
        arena_free(p.arena);
    }
    return total;
}

static void print_count(const char *what, Count n) {
    fprintf(stderr, "%s: %d pairs of accesses: %d proved, %d refuted, %d unknown (%d of them depend on data)\n", what,
            n.proved + n.refuted + n.unknown, n.proved, n.refuted, n.unknown, n.data);
}

void pass_prove_races(Module *m, const PassOptions *opts) {
    Count total = prove_module(m, opts, true);
    if (opts->explain_checks) print_count("races", total);
}

/* The same of what derivatives are made of, which nobody wrote: it is told, not reported. */
void pass_prove_adjoints(Module *m, const PassOptions *opts) {
    if (opts->explain_checks) print_count("races with derivatives", prove_module(m, opts, false));
}
