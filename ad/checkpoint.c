/* Checkpoints: a loop that keeps some of its states, and computes those between two of them anew.
 *
 * A loop of n turns becomes one over segments of k turns around one over the turns of a segment.  In reverse the outer
 * one keeps a state for each segment, and the inner one, which stands in a loop, runs again to keep those of its
 * segment (control.c): n / k + k states instead of n, for one more run forward; with d such levels d * n^(1/d), for
 * d - 1 runs.  Values are computed as before, so derivatives have the same bits.
 * With slots=s the turns are parted as revolve.c says.
 *
 * Loops ask for it (`for t in checkpoint(0:n)`), or get it where what is kept would exceed half of the machine's
 * memory, or --memory-limit: a copy is reversed to see what that is.  Where no number of levels fits, turns are parted
 * as with slots; so are those of a `while`, and of a `for` whose turns or sizes nobody knows before it runs. */
#include "ad/checkpoint.h"
#include "opt/pass.h"

#include <math.h>
#include <unistd.h>

enum { MOST_LEVELS = 6, LITTLE = 4096 };

/* ---- bytes */

/* The turns of a loop that are known when compiling; -1: others */
static int64_t known_turns(const Op *loop) {
    const Const *c[3] = {0};
    if (loop->code != OP_FOR) return -1;
    for (int i = 0; i < 3; i++) c[i] = value_const(op_opnd(loop, i));
    if (!c[0] || !c[1] || !c[2] || !c[2]->i) return -1;
    double n = ceil(((double)c[1]->i - (double)c[0]->i) / (double)c[2]->i);
    return n < 0 ? 0 : n < 0x1p62 ? (int64_t)n : -1;
}

static const Region *region_of_turns(const Op *loop) { return loop->regs[loop->nregs - 1]; }

/* A row of a tape: a state; -1: its sizes are not known */
static double row_bytes(const Type *t, int first) {
    double bytes = dtype_info(t->dtype)->bytes;
    for (int i = first; i < t->rank; i++) {
        int64_t n;
        if (!size_is_const(t->dims[i], &n)) return -1;
        bytes *= (double)n;
    }
    return bytes;
}

double kept_bytes(const Kept *k) {
    double row = row_bytes(k->type, 1);
    int64_t n;
    if (row < 0 || !k->rows || !size_is_const(k->rows, &n)) return -1;
    return row * (double)n;
}

double memory_of_machine(void) { return (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE); }

/* ---- rows of tapes, for people and plans */

const Size *rows_of_loop(Ad *ad, const Op *loop) {
    Session *s = ad->module->session;
    const Region *body = region_of_turns(loop);
    const Size *most = map_get(ad->most, body);
    int64_t n = known_turns(loop);
    if (most) return most;
    if (n >= 0) return size_const(s, n);
    if (loop->code != OP_FOR || !counts_up(op_opnd(loop, 0), op_opnd(loop, 2))) return size_sym(s, intern(s, "turns"));
    const Value *hi = op_opnd(loop, 1);
    if (hi->def && hi->def->code == OP_SIZE) return op_attr(hi->def, A_SIZE)->sizes[0];
    return size_sym(s, intern(s, hi->name ? hi->name : "turns"));
}

/* ---- the loop becomes two */

static Value *ceiling(Builder *b, Value *x, Value *y) {
    return build_unary(b, OP_NEG, idiv_safe(b, build_unary(b, OP_NEG, x), y));
}

/* Turns of a segment where there are `levels` levels: n^((levels - 1) / levels), at least 1 */
static Value *segment_turns(Builder *b, Value *n, int levels) {
    Value *share = build_float(b, DT_F64, (levels - 1.0) / levels),
          *root = build_binary(b, OP_POW, build_cast(b, n, DT_F64), share);
    Value *k = build_cast(b, build_unary(b, OP_CEIL, root), DT_I64);
    return build_binary(b, OP_MAX, k, build_int(b, 1));
}

static int64_t segment_of(int64_t n, int levels) {
    int64_t k = (int64_t)ceil(pow((double)n, (levels - 1.0) / levels));
    return k < 1 ? 1 : k;
}

/* The loop itself goes into the outer one, for the turns of a segment: from turn `first` on.  So its body stays what it
 * is, down to the order in which values are used, in which their adjoints are added. */
static void into_segment(Builder *b, Op *loop, Value *first, Value *count, Value *const *carried) {
    Value *lo = op_opnd(loop, 0), *step = op_opnd(loop, 2), *from = first, *to = build_binary(b, OP_ADD, first, count);
    if (!counts_up(lo, step)) {
        from = build_binary(b, OP_ADD, lo, build_binary(b, OP_MUL, from, step));
        to = build_binary(b, OP_ADD, lo, build_binary(b, OP_MUL, to, step));
    }
    op_set_opnd(loop, 0, from);
    op_set_opnd(loop, 1, to);
    for (int i = 0; i < loop->nres; i++) op_set_opnd(loop, 3 + i, carried[i]);
    op_move_range(loop, loop, b->region, NULL);
}

/* Uses of v become uses of by, in their order */
void replace_in_order(Ad *ad, Value *v, Value *by) {
    VEC(Use *) uses = {0};
    for (Use *u = v->uses; u; u = u->next) vec_push(ad->arena, &uses, u);
    for (int i = uses.len - 1; i >= 0; i--) op_set_opnd(uses.data[i]->user, uses.data[i]->index, by);
}

/* levels: how many loops it becomes; most: turns at most, or -1; every: turns of a segment, or 0 */
static void strip_mine(Ad *ad, Op *loop, int levels, int64_t most, int64_t every) {
    Builder b = builder_before(loop);
    Session *s = ad->module->session;
    int n = loop->nres;
    int64_t turns = known_turns(loop), k = every ? every : most >= 0 ? segment_of(most, levels) : -1;
    Value *count = turns >= 0 ? build_int(&b, turns)
                              : build_count(&b, op_opnd(loop, 0), op_opnd(loop, 1), op_opnd(loop, 2));
    Value *per = k > 0 ? build_int(&b, k) : segment_turns(&b, count, levels);
    Value *segments = turns >= 0 ? build_int(&b, (turns + k - 1) / k) : ceiling(&b, count, per);
    Value **init = NEWN(ad->arena, Value *, n + 1), **out = NEWN(ad->arena, Value *, n + 1);
    for (int i = 0; i < n; i++) init[i] = op_opnd(loop, 3 + i);
    Op *outer = build_for(&b, build_int(&b, 0), segments, build_int(&b, 1), n, init);
    Region *r = outer->regs[0];
    for (int i = 0; i < n; i++) {
        init[i] = r->args[1 + i], out[i] = &loop->res[i];
        init[i]->name = loop->regs[0]->args[1 + i]->name;
        replace_in_order(ad, out[i], &outer->res[i]);
    }
    Builder in = builder_at_end(b.module, r, loop->span);
    Value *first = build_binary(&in, OP_MUL, r->args[0], per);
    Value *rest = build_binary(&in, OP_MIN, per, build_binary(&in, OP_SUB, count, first));
    into_segment(&in, loop, first, rest, init);
    build_yield(&in, n, out);
    map_put(ad->module->arena, ad->most, loop->regs[0],
            (void *)(uintptr_t)(k > 0 ? size_const(s, k) : size_sym(s, intern(s, "segment"))));
    const Size *rows = most >= 0 && k > 0 ? size_const(s, (most + k - 1) / k) : size_sym(s, intern(s, "segments"));
    map_put(ad->module->arena, ad->most, r, (void *)(uintptr_t)rows);
    if (levels > 2 && !every) strip_mine(ad, loop, levels - 1, k, 0);
}

/* ---- which loops */

/* ends: tapes have a last row, of what a loop gives; kept: what is kept of the turns of each, once that is known */
typedef struct { Ad *ad; VEC(Op *) list; bool ends; KeptList *kept; } Loops;

static void find_loops(Loops *l, const Region *r) {
    for (Op *o = r->first; o; o = o->next) {
        if (o->code == OP_FOR || (o->code == OP_WHILE && l->ad->limit > 0)) vec_push(l->ad->arena, &l->list, o);
        bool goes_on = o->code == OP_FOR || o->code == OP_WHILE || o->code == OP_IF || o->code == OP_SPAWN;
        for (int i = 0; goes_on && i < o->nregs; i++) find_loops(l, o->regs[i]);
    }
}

/* What a loop may keep for each turn at most: bytes, as a size, and as a number; -1: it is none that is known */
static const Size *carried_size(Ad *ad, const Op *loop) {
    Session *s = ad->module->session;
    const Size *bytes = size_const(s, 0);
    for (int i = 0; i < loop->nres; i++) {
        const Type *t = loop->res[i].type;
        bytes = size_add(s, bytes, size_mul(s, type_elements(s, t), size_const(s, dtype_info(t->dtype)->bytes)));
    }
    return bytes;
}

static double carried_bytes(Ad *ad, const Op *loop) {
    int64_t n;
    return size_is_const(carried_size(ad, loop), &n) ? (double)n : -1;
}

/* What is kept for each turn of the loops, by reversing a copy; -1: not known */
static double *rows_kept(Ad *ad, Op *vjp, Loops *l) {
    double *rows = NEWN(ad->arena, double, l->list.len + 1);
    l->kept = NEWN(ad->arena, KeptList, l->list.len + 1);
    const Region **of = NEWN(ad->arena, const Region *, l->list.len + 1);
    Ad trial = {.module = ad->module, .arena = ad->arena, .trying = true, .most = ad->most};
    Cloner c = {.module = ad->module};
    Builder b = builder_before(vjp);
    Op *copy = clone_op(&c, &b, vjp);
    for (int i = 0; i < l->list.len; i++) {
        Op *loop = l->list.data[i];
        if (loop->nres) of[i] = region_of_turns(clone_value(&c, &loop->res[0])->def);
    }
    reverse_vjp(&trial, copy);
    for (int k = 0; k < trial.kept.len; k++)
        for (int i = 0; i < l->list.len; i++) {
            double row = row_bytes(trial.kept.data[k].type, 1);
            if (trial.kept.data[k].of != of[i]) continue;
            if (rows[i] >= 0) rows[i] = row < 0 ? -1 : rows[i] + row;
            vec_push(ad->arena, &l->kept[i], trial.kept.data[k]);
            l->ends |= trial.kept.data[k].end;
        }
    op_erase(copy);
    return rows;
}

/* What is kept where a segment of the loop begins: all that its turns go on from, which may be more than a turn keeps.
 * Found by reversing a copy in two levels; `row`, what a turn keeps, if that is not known. */
static double border_kept(Ad *ad, Op *vjp, Op *loop, double row) {
    Ad trial = {.module = ad->module, .arena = ad->arena, .trying = true, .most = ad->most};
    Cloner c = {.module = ad->module};
    Builder b = builder_before(vjp);
    if (!loop->nres) return row;
    Op *copy = clone_op(&c, &b, vjp), *inner = clone_value(&c, &loop->res[0])->def;
    strip_mine(&trial, inner, 2, known_turns(loop), 0);
    const Region *outer = inner->parent;
    double bytes = 0;
    active_mark(&trial, copy->regs[0]);
    reverse_vjp(&trial, copy);
    for (int k = 0; k < trial.kept.len; k++) {
        double more = trial.kept.data[k].of == outer ? row_bytes(trial.kept.data[k].type, 1) : 0;
        if (more < 0) bytes = -1;
        if (bytes >= 0) bytes += more;
    }
    op_erase(copy);
    return bytes < row ? row : bytes;
}

/* What a loop keeps of a turn, and where a segment begins; ends: each tape has one more row */
typedef struct { double row, border; bool ends; } Rows;

static double bytes_of_levels(int64_t n, Rows kept, int d) {
    return ((d - 1) * kept.border + kept.row) * (ceil(pow((double)n, 1.0 / d)) + kept.ends);
}

/* The fewest levels by which n turns fit; those with the fewest bytes where none do */
static int levels_for(int64_t n, Rows kept, double budget) {
    int best = 2;
    for (int d = 2; d <= MOST_LEVELS; d++) {
        double bytes = bytes_of_levels(n, kept, d);
        if (bytes <= budget) return d;
        if (bytes < bytes_of_levels(n, kept, best)) best = d;
    }
    return best;
}

static bool revolve_in(Ad *ad, Op *loop, int64_t slots) {
    Builder b = builder_before(loop);
    return revolve(ad, loop, build_int(&b, slots));
}

static bool is_inner(const Op *loop) {
    for (const Op *o = loop->parent->owner; o && o->code != OP_VJP; o = o->parent->owner)
        if (o->code == OP_FOR || o->code == OP_WHILE) return true;
    return false;
}

/* Not of loops that keep little of a turn, as those along the elements of an array: their calls would take longer than
 * what they do. */
static bool revolve_within(Ad *ad, Op *loop, double row, const KeptList *kept) {
    if ((known_turns(loop) >= 0 && row >= 0) || (row >= 0 && row < LITTLE) || is_inner(loop)) return false;
    return revolve_unless_fits(ad, loop, carried_size(ad, loop), kept);
}

/* n turns into what fits: levels, or, where no number of levels does, as many states as there is room for.
 * The calls that hold a state hold as much again (measured: heat in 100000 cells, 2 to 20 slots). */
static void fit_turns(Ad *ad, Op *loop, int64_t n, int64_t every, Rows kept, double budget) {
    int levels = levels_for(n, kept, budget);
    double slots = floor((budget - kept.row) / (2 * kept.border));
    bool few = bytes_of_levels(n, kept, levels) > budget && slots >= 1 && !every;
    if (!few || !revolve_in(ad, loop, (int64_t)slots)) strip_mine(ad, loop, levels, n, every);
}

void plan_checkpoints(Ad *ad, Op *vjp) {
    Loops l = {.ad = ad};
    active_mark(ad, vjp->regs[0]);
    find_loops(&l, vjp->regs[0]);
    double budget = ad->limit > 0 ? ad->limit : memory_of_machine() / 2, *rows = NULL;
    for (int i = 0; i < l.list.len; i++) {
        const Op *loop = l.list.data[i];
        const Attr *asked = op_attr(loop, A_CHECKPOINT);
        double most = (double)known_turns(loop) * carried_bytes(ad, loop);
        bool open = ad->limit > 0 && (known_turns(loop) < 0 || carried_bytes(ad, loop) < 0);
        if (!rows && (asked ? asked->ints[1] > 0 : most > budget || open)) rows = rows_kept(ad, vjp, &l);
    }
    for (int i = l.list.len - 1; i >= 0; i--) { /* the inner ones first */
        Op *loop = l.list.data[i];
        const Attr *asked = op_attr(loop, A_CHECKPOINT);
        int64_t n = known_turns(loop), every = asked ? asked->ints[0] : 0;
        double row = rows ? rows[i] : -1, fits = asked && asked->ints[1] ? (double)asked->ints[1] : budget;
        bool known = n >= 0 && row >= 0, bounded = !asked || asked->ints[1];
        if (asked && asked->ints[2] && revolve_in(ad, loop, asked->ints[2])) continue;
        if (!asked && rows && ad->limit > 0 && revolve_within(ad, loop, row, &l.kept[i])) continue;
        if (loop->code == OP_WHILE) continue;
        if (!asked && !(known && (double)(n + l.ends) * row > budget)) continue;
        if (asked && bounded && known && (double)(n + l.ends) * row <= fits) continue;
        Rows kept = {.row = row, .ends = l.ends};
        if (bounded && known) {
            kept.border = border_kept(ad, vjp, loop, row);
            fit_turns(ad, loop, n, every, kept, fits);
        } else strip_mine(ad, loop, 2, n, every);
        op_remove_attr(loop, A_CHECKPOINT);
    }
}
