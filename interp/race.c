/* Shadow memory: who used each element last, and whether two uses can meet.
 *
 * A task is one iteration of one execution of a parallel (or one side of a spawn) between two barriers;
 * tasks form a tree.  Two of them run at the same time when, where their paths part, they are different
 * iterations of the same execution with the same number of barriers behind them. */
#include "interp/private.h"

#include <string.h>

typedef struct { const Task *task; const Op *op; } Use1;
/* Two readers, two atomic users and two that compare and swap, which run at the same time, are enough: a later writer
 * of their parallel meets at least one of them. */
struct Shadow { Use1 write, read[2], atomic[2], swap[2]; };

Shadow *interp_shadow_new(Interp *in, int64_t count) {
    return interp_keep(in, sizeof(Shadow) * (size_t)(count ? count : 1));
}

static bool concurrent(const Task *a, const Task *b) {
    if (!a || !b) return false;
    while (a->depth > b->depth) a = a->parent;
    while (b->depth > a->depth) b = b->parent;
    if (a == b) return false;
    while (a->parent != b->parent) {
        a = a->parent;
        b = b->parent;
    }
    return a->run == b->run && a->iter != b->iter && a->epoch == b->epoch;
}

/* ---- words */

static const char *word_of(const Op *op) {
    if (op->code == OP_SPAWN) return "branch";
    return op_loop(op) == LOOP_PLAIN ? "iteration" : loop_word(op_loop(op));
}

/* Coordinates: of blocks and threads x first, as kernels see them; else as the loops are written. */
static void describe_one(Text *out, const Task *t) {
    const Op *op = t->run->op;
    int n = op->code == OP_SPAWN ? 1 : op->nopnds;
    int64_t idx[MAX_RANK], rest = t->iter;
    for (int i = n - 1; i >= 0; i--) {
        int64_t extent = i ? t->run->extent[i] : INT64_MAX;
        idx[i] = rest % extent;
        rest /= extent;
    }
    bool reversed = strcmp(word_of(op), "iteration") != 0;
    text_printf(out, "%s %s", word_of(op), n > 1 ? "(" : "");
    for (int i = 0; i < n; i++) text_printf(out, "%s%lld", i ? ", " : "", (long long)idx[reversed ? n - 1 - i : i]);
    if (n > 1) text_add(out, ")", 1);
}

void interp_describe_task(Text *out, const Task *t) {
    if (t->parent) {
        interp_describe_task(out, t->parent);
        text_add(out, ", ", 2);
    }
    describe_one(out, t);
}

const char *interp_describe_element(Interp *in, const Buffer *b, int64_t at) {
    int64_t idx[MAX_RANK];
    Text t;
    text_init(&t, in->arena);
    for (int i = b->rank - 1; i >= 0; i--) {
        idx[i] = at % b->dim[i];
        at /= b->dim[i];
    }
    text_add(&t, "element [", 9);
    for (int i = 0; i < b->rank; i++) text_printf(&t, "%s%lld", i ? ", " : "", (long long)idx[i]);
    text_add(&t, "]", 1);
    if (b->name) text_printf(&t, " of '%s'", b->name);
    return text_str(&t);
}

static const char *words_of(Interp *in, const Task *t) {
    Text text;
    text_init(&text, in->arena);
    interp_describe_task(&text, t);
    return text_str(&text);
}

static const char *verb(const Op *op) {
    return op->code == OP_LOAD ? "reads" : op->code == OP_ATOMIC ? "updates" : "writes";
}

static DSL_COLD DSL_NORETURN void report(Frame *fr, const Op *op, const Buffer *b, int64_t at, const Use1 *other) {
    Interp *in = fr->in;
    const char *me = words_of(in, fr->task), *them = words_of(in, other->task);
    dsl_say_error(interp_op_site(in, op), "E0630", "data race on %s: %s %s it while %s %s it",
                  interp_describe_element(in, b, at), me, verb(op), them, verb(other->op));
    dsl_say_note(interp_op_site(in, other->op), "%s %s it here", them, verb(other->op));
    dsl_say_hint("let each thread use its own elements, put a barrier between, or update with `atomic`");
    dsl_stop(1);
}

/* ---- accesses */

/* Keeps (task, op) in two places: in the one it follows, else in the free one. */
static void remember(Use1 slot[2], const Task *task, const Op *op) {
    if (!slot[0].task || !concurrent(slot[0].task, task)) slot[0] = (Use1){task, op};
    else if (!slot[1].task || !concurrent(slot[1].task, task)) slot[1] = (Use1){task, op};
}

/* Updates of one kind may come in any order; those of two kinds not.  A compare-and-swap goes with all. */
static bool same_kind(const Op *a, const Op *b) { return !b || op_combine(a) == op_combine(b); }

void interp_shadow_access(Frame *fr, const Op *op, const Buffer *b, int64_t at, Access how) {
    Shadow *s = &b->shadow[at];
    const Task *me = fr->task;
    const Use1 *met = NULL;
    if (concurrent(s->write.task, me)) met = &s->write;
    for (int i = 0; i < 2; i++) {
        if (how != ACC_READ && concurrent(s->read[i].task, me)) met = &s->read[i];
        bool updates = how == ACC_ATOMIC || how == ACC_SET;
        if (how != ACC_SWAP && !(updates && same_kind(op, s->atomic[i].op)) && concurrent(s->atomic[i].task, me))
            met = &s->atomic[i];
        if (how != ACC_SWAP && !updates && concurrent(s->swap[i].task, me)) met = &s->swap[i];
    }
    if (met) report(fr, op, b, at, met);
    if (how == ACC_WRITE) s->write = (Use1){me, op};
    else remember(how == ACC_READ ? s->read : how == ACC_SWAP ? s->swap : s->atomic, me, op);
}
