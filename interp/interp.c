/* The reference interpreter: runs the IR at any stage, slowly and obviously.
 *
 * It is what every other way of running a program is compared with, so it checks what others assume:
 * the shape of every tensor against its type, every access (also the proved ones), ownership at stage
 * loops; with check_races also races, reads of memory never written, and tensors that nobody released.
 *
 * This file has control, calls and the run as a whole.  The others: interp_decode.c (from operations to
 * instructions), interp_elem.c (elements), interp_tensor.c (values), interp_memory.c (islands),
 * interp_race.c (shadow memory), interp_world.c (output, files, C functions). */
#include "interp/private.h"
#include "interp/interp.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#if defined(__SANITIZE_ADDRESS__)
enum { NATIVE_STACK = 512 << 20 };
#else
enum { NATIVE_STACK = 1 << 30 };
#endif
static const int64_t ENV_CELLS = (int64_t)1 << 27; /* a gigabyte, touched on demand */

/* ---- small services */

void *interp_keep(Interp *in, size_t bytes) {
    Link *l = calloc(1, sizeof(Link) + bytes);
    if (!l) fatal_oom();
    link_in(&in->kept, l);
    return l + 1;
}

void interp_unkeep(void *p) {
    if (!p) return;
    Link *l = (Link *)p - 1;
    link_out(l);
    free(l);
}

static dsl_site *new_site(Interp *in, Span at) {
    dsl_site *site = NEW(in->arena, dsl_site);
    if (at.file < 0 || at.file >= source_count(in->session)) return site;
    Place p = source_place(in->session, at.file, at.lo);
    int line_start = at.lo;
    size_t len;
    const char *text = source_text(in->session, at.file, &len);
    line_start = (int)(p.text - text);
    int hi = at.hi < line_start + p.text_len ? at.hi : line_start + p.text_len;
    int points = hi > at.lo ? dsl_count_characters(text + at.lo, (size_t)(hi - at.lo)) : 0;
    *site = (dsl_site){source_path(in->session, at.file),
                       p.line,
                       p.col,
                       points ? points : 1,
                       source_is_library(in->session, at) ? NULL : arena_strndup(in->arena, p.text, (size_t)p.text_len),
                       NULL,
                       NULL};
    Span call;
    if (span_caller(in->session, at, &call, &site->how)) site->caller = new_site(in, call);
    return site;
}

static const dsl_site *site_of(Interp *in, const void *key, Span at) {
    dsl_site *site = map_get(&in->sites, key);
    if (!site) map_put(in->arena, &in->sites, key, site = new_site(in, at));
    return site;
}

const dsl_site *interp_op_site(Interp *in, const Op *op) { return site_of(in, op, op->span); }

const dsl_site *interp_site(Frame *fr, const Op *op) {
    fr->in->failing = fr;
    fr->in->failing_op = op;
    return interp_op_site(fr->in, op);
}

const dsl_site *interp_other_site(Interp *in, const Op *op) {
    Span at = op_place(op, A_OTHER);
    return at.file < 0 ? NULL : new_site(in, at);
}

/* splitmix64 */
uint64_t interp_random(Interp *in) {
    uint64_t z = in->random += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

static uint64_t gcd(uint64_t a, uint64_t b) { return b ? gcd(b, a % b) : a; }

Order interp_order(Interp *in, uint64_t n) {
    Order o = {n, 1, 0};
    if (!in->opts.seed || n < 2) return o;
    o.add = interp_random(in) % n;
    do o.mul = interp_random(in) % n;
    while (gcd(o.mul, n) != 1);
    return o;
}

uint64_t interp_order_at(const Order *o, uint64_t k) {
    if (o->mul == 1 && o->add == 0) return k;
    return (uint64_t)(((unsigned __int128)k * o->mul + o->add) % o->n);
}

void interp_broken(Frame *fr, const Op *op, const char *fmt, ...) {
    char why[512];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(why, sizeof why, fmt, ap);
    va_end(ap);
    Text text;
    text_init(&text, fr->in->arena);
    op_print(&text, op);
    dsl_say_error(interp_site(fr, op), "E0635", "internal error: %s", why);
    dsl_say_note(NULL, "in @%s: %s", fr->code->func->name, text_str(&text));
    dsl_stop(3);
}

void interp_no_fuel(Frame *fr) {
    if (fr->in->opts.tries) longjmp(*(jmp_buf *)fr->in->jump, INTERP_NO_FUEL);
    dsl_fail(NULL, "E0633", "stopped after %lld operations", (long long)fr->in->opts.max_steps);
}

void interp_foresee(Frame *fr, uint64_t times, const Block *b) {
    uint64_t left = (uint64_t)(fr->in->fuel > 0 ? fr->in->fuel : 0);
    bool begins = !fr->in->opts.tries || fr->in->opts.observer; /* what is observed counts as far as it comes */
    if (!begins && times > left / (uint64_t)(b->n + 1)) interp_no_fuel(fr);
}

/* ---- blocks and control */

void interp_block(Frame *fr, const Block *b) {
    const Inst *end = b->insts + b->n;
    if ((fr->in->fuel -= b->n + 1) < 0) interp_no_fuel(fr); /* an empty block takes time too */
    for (const Inst *p = b->insts; p < end; p++) interp_step(fr, p);
    if (b->nallocs) interp_free_allocs(fr, b);
}

void interp_OP_YIELD(Frame *fr, const Inst *in) {
    (void)fr, bug("%s is no instruction", op_info(in->op->code)->mnemonic);
}
void interp_OP_VJP(Frame *fr, const Inst *in) {
    (void)fr, bug("%s: pass differentiate has not run", op_info(in->op->code)->mnemonic);
}
void interp_OP_JVP(Frame *fr, const Inst *in) { interp_OP_VJP(fr, in); }
void interp_OP_STOP_GRADIENT(Frame *fr, const Inst *in) { interp_OP_VJP(fr, in); }
void interp_OP_RETURN(Frame *fr, const Inst *in) {
    (void)fr, bug("%s is no instruction", op_info(in->op->code)->mnemonic);
}

/* Tensors among init operands pass into the loop. */
static Cell take_cell(Frame *fr, const Inst *in, int i) {
    if (type_is_tensor(op_opnd(in->op, i)->type)) return (Cell){.t = interp_take(fr, in, i)};
    return interp_opnd(fr, in, i);
}

static void take_yields(Frame *fr, const Block *b, Cell *out) {
    for (int i = 0; i < b->nyield; i++) out[i] = interp_take_yield(fr, b, i);
}

static void put_args(Frame *fr, const Block *b, int first, int n, const Cell *v) {
    for (int i = 0; i < n; i++) interp_put_arg(fr, b, first + i, v[i]);
}

void interp_OP_IF(Frame *fr, const Inst *in) {
    const Block *b = in->regs[fr->env[in->a].i ? 0 : 1];
    interp_block(fr, b);
    if (!b->nyield) return;
    Cell v[b->nyield];
    take_yields(fr, b, v);
    interp_put(fr, in, v);
}

uint64_t interp_trips(Frame *fr, const Inst *in) {
    int64_t lo = fr->env[in->a].i, hi = fr->env[in->b].i, step = fr->env[in->c].i;
    if (step == 0) dsl_fail_step(interp_site(fr, in->op));
    if (interp_dtype(in, 0) == DT_U64)
        return (uint64_t)lo < (uint64_t)hi ? ((uint64_t)hi - (uint64_t)lo - 1) / (uint64_t)step + 1 : 0;
    if (step > 0) return lo < hi ? ((uint64_t)hi - (uint64_t)lo - 1) / (uint64_t)step + 1 : 0;
    return lo > hi ? ((uint64_t)lo - (uint64_t)hi - 1) / (0 - (uint64_t)step) + 1 : 0;
}

void interp_OP_FOR(Frame *fr, const Inst *in) {
    const Block *b = in->regs[0];
    int n = in->op->nres;
    Cell v[n ? n : 1];
    uint64_t trips = interp_trips(fr, in);
    uint64_t iv = fr->env[in->a].u, step = fr->env[in->c].u;
    bool shown = op_flag(in->op, A_PROGRESS);
    dsl_progress bar;
    interp_foresee(fr, trips, b);
    for (int i = 0; i < n; i++) v[i] = take_cell(fr, in, 3 + i);
    if (shown) dsl_progress_begin(&bar, (int64_t)trips);
    for (uint64_t k = 0; k < trips; k++, iv += step) {
        fr->env[b->args[0]].u = iv;
        put_args(fr, b, 1, n, v);
        interp_block(fr, b);
        take_yields(fr, b, v);
        if (shown) dsl_progress_step(&bar);
    }
    if (shown) dsl_progress_end(&bar);
    interp_put(fr, in, v);
}

/* The test gets the carried values on loan: they are kept alive here meanwhile. */
void interp_OP_WHILE(Frame *fr, const Inst *in) {
    const Block *test = in->regs[0], *body = in->regs[1];
    int n = in->op->nres;
    Cell v[n ? n : 1];
    for (int i = 0; i < n; i++) v[i] = take_cell(fr, in, i);
    for (;;) {
        for (int i = 0; i < n; i++) {
            if (fr->in->managed && type_is_tensor(in->op->res[i].type)) v[i].t->owners++;
            interp_put_arg(fr, test, i, v[i]);
        }
        interp_block(fr, test);
        for (int i = 0; i < n && fr->in->managed; i++) /* so that the body may update in place */
            if (type_is_tensor(in->op->res[i].type)) interp_set_slot(fr, test->args[i], NULL);
        if (!fr->env[test->yield[0]].i) break;
        put_args(fr, body, 0, n, v);
        interp_block(fr, body);
        take_yields(fr, body, v);
    }
    interp_put(fr, in, v);
}

static void run_side(Frame *fr, const Inst *in, int side, Cell *out, const Run *run) {
    Task *outer = fr->task, task = {run, side, 0, outer ? outer->depth + 1 : 0, outer};
    Task *lasting = fr->in->tasks ? NEW(fr->in->tasks, Task) : &task;
    *lasting = task;
    fr->task = lasting;
    interp_block(fr, in->regs[side]);
    fr->task = outer;
    take_yields(fr, in->regs[side], out);
}

void interp_OP_SPAWN(Frame *fr, const Inst *in) {
    int n = in->op->nres, split = in->regs[0]->nyield;
    Cell v[n ? n : 1];
    Run here = {.op = in->op}, *run = fr->in->tasks ? NEW(fr->in->tasks, Run) : &here;
    *run = here;
    bool second = fr->in->opts.seed && interp_random(fr->in) & 1;
    for (int k = 0; k < 2; k++) {
        int side = k ^ (int)second;
        run_side(fr, in, side, v + (side ? split : 0), run);
    }
    interp_put(fr, in, v);
}

/* ---- calls */

static Frame enter(Interp *in, const Code *code) {
    Frame f = {in, in->stack + in->stack_top, code, NULL, NULL, NULL};
    if (in->stack_top + code->nslots > ENV_CELLS)
        dsl_fail(NULL, "E0604", "the calls inside one another need too much memory");
    in->stack_top += code->nslots;
    if (code->nconsts) memcpy(f.env, code->consts, sizeof(Cell) * (size_t)code->nconsts);
    memset(f.env + code->nconsts, 0, sizeof(Cell) * (size_t)(code->nslots - code->nconsts));
    return f;
}

static void leave(Frame *f) {
    for (int i = 0; i < f->code->ntensors && f->in->managed; i++) interp_set_slot(f, f->code->tensors[i], NULL);
    f->in->stack_top -= f->code->nslots;
}

static void put_params(Frame *f, const Op *op, const Cell *args) {
    const Code *c = f->code;
    for (int i = 0; i < c->body->nargs; i++)
        if (c->param_dims[i]) interp_define_dims(f, c->param_dims[i], args[i].t);
    for (int i = 0; i < c->body->nargs; i++) {
        if (c->param_dims[i]) interp_check_dims(f, op, c->param_dims[i], args[i].t, "an argument");
        interp_put_arg(f, c->body, i, args[i]);
    }
}

static void enter_frame(Frame *fr, dsl_frame *f, const Op *call, const Func *callee) {
    Interp *in = fr->in;
    const char *how = called_words(in->session, callee->name);
    if (callee->recursive) dsl_enter_recursive(f, interp_site(fr, call), how, site_of(in, callee, callee->span));
    else dsl_enter(f, interp_site(fr, call), how);
}

void interp_OP_CALL(Frame *fr, const Inst *in) {
    const Func *callee = in->aux;
    int n = in->op->nopnds;
    Cell args[n ? n : 1], out[in->op->nres ? in->op->nres : 1];
    for (int i = 0; i < n; i++) args[i] = take_cell(fr, in, i);
    dsl_frame frame;
    enter_frame(fr, &frame, in->op, callee);
    Frame f = enter(fr->in, interp_code(fr->in, callee));
    f.task = fr->task;
    f.up = fr;
    f.call = in->op;
    put_params(&f, in->op, args);
    interp_block(&f, f.code->body);
    take_yields(&f, f.code->body, out);
    leave(&f);
    dsl_leave(&frame);
    interp_put(fr, in, out);
}

/* ---- the run */

typedef struct { Interp *in; int status; } Session1;

static void jump_out(void *ctx, int status) {
    Interp *in = ctx;
    if (in->opts.tell_where) interp_say_where(in);
    longjmp(*(jmp_buf *)in->jump, status);
}

static void free_memory(Interp *in) {
    while (in->buffers.next != &in->buffers) interp_free_buffer((Buffer *)in->buffers.next);
    while (in->kept.next != &in->kept) interp_unkeep(in->kept.next + 1);
    while (in->tensors.next != &in->tensors) {
        Tensor *t = (Tensor *)in->tensors.next;
        link_out(&t->link);
        if (t->a) dsl_release(t->a);
        free(t->undef);
        free(t);
    }
    if (in->tasks) arena_free(in->tasks);
    in->tasks = NULL;
    in->stack_top = 0;
}

/* Tensors that a program of stage loops forgot. */
static int report_leaks(Interp *in, const Func *f) {
    int n = 0;
    const Tensor *one = NULL;
    for (Link *l = in->tensors.next; l != &in->tensors; l = l->next) {
        const Tensor *t = (const Tensor *)l;
        if (!t->a) continue;
        n++;
        one = t;
    }
    if (!n) return 0;
    fflush(stdout);
    fprintf(stderr, "internal error: @%s ended with %d tensors never released; one comes from %s\n", f->name, n,
            one->born ? op_info(one->born->code)->mnemonic : "?");
    return 3;
}

/* ---- what main takes and gives */

static DType passed_as(DType t) { return t == DT_F16 || t == DT_BF16 ? DT_F32 : t; }

static Cell cell_of(DType t, const dsl_value *v) {
    return t == DT_STR ? (Cell){.text = v->as_str} : interp_load(passed_as(t), v, 0);
}

/* The caller owns the array too, so it is never updated in place. */
static Tensor *borrow_array(Frame *fr, dsl_array *a) {
    Tensor *t = interp_adopt(fr, NULL, dsl_retain(a));
    t->owners++;
    return t;
}

static void take_args(Frame *fr) {
    const Block *b = fr->code->body;
    const Region *r = fr->code->func->body;
    Cell args[b->nargs ? b->nargs : 1];
    for (int i = 0; i < b->nargs; i++) {
        const dsl_value *v = &fr->in->opts.args[i];
        const Type *t = r->args[i]->type;
        args[i] = type_is_tensor(t) ? (Cell){.t = borrow_array(fr, v->as_array)} : cell_of(t->dtype, v);
    }
    put_params(fr, NULL, args);
}

static void give_results(Frame *fr) {
    const Func *f = fr->code->func;
    Cell out[f->nres ? f->nres : 1];
    take_yields(fr, fr->code->body, out);
    for (int i = 0; i < f->nres; i++) {
        dsl_value *v = &fr->in->opts.results[i];
        const Type *t = f->res_types[i];
        if (type_is_tensor(t)) v->as_array = dsl_retain(out[i].t->a);
        else if (t->dtype == DT_STR) v->as_str = out[i].text;
        else interp_store(passed_as(t->dtype), v, 0, out[i]);
    }
}

static int run_func(Interp *in, const Func *f) {
    jmp_buf jump;
    in->jump = &jump;
    int status = setjmp(jump);
    if (status == 0) {
        Frame fr = enter(in, interp_code(in, f));
        if (in->opts.args) take_args(&fr);
        interp_block(&fr, fr.code->body);
        if (in->opts.results) give_results(&fr);
        leave(&fr);
        if (!in->managed && in->opts.check_races) status = report_leaks(in, f);
    }
    free_memory(in);
    return status;
}

static bool wanted(const Interp *in, const Func *f) {
    const char *only = in->opts.only_test;
    if (!only) return f->kind == FUNC_MAIN;
    return f->kind == FUNC_TEST && (!*only || (f->title && strstr(f->title, only)) || !strcmp(f->name, only));
}

static int run_module(Interp *in) {
    int status = 0;
    for (int i = 0; i < in->module->funcs.len; i++) {
        const Func *f = in->module->funcs.data[i];
        if (!wanted(in, f)) continue;
        int s = run_func(in, f);
        if (in->opts.only_test) printf("%s %s\n", s ? "FAILED" : "ok", f->title ? f->title : f->name);
        if (s > status) status = s;
    }
    fflush(stdout);
    return status;
}

static void *run_on_thread(void *ctx) {
    Session1 *s = ctx;
    dsl_on_fail(jump_out, s->in);
    s->status = run_module(s->in);
    dsl_on_fail(NULL, NULL);
    dsl_scratch_clear(), dsl_own_clear(); /* the thread ends */
    return NULL;
}

static void *reserve(size_t bytes) {
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED) fatal_oom();
    return p;
}

/* A large stack of its own, so that the depth limit of calls is met before the stack's end. */
static int run_deep(Interp *in) {
    Session1 s = {in, 3};
    pthread_t thread;
    pthread_attr_t attr;
    void *stack = reserve(NATIVE_STACK);
    pthread_attr_init(&attr);
    if (pthread_attr_setstack(&attr, stack, NATIVE_STACK) || pthread_create(&thread, &attr, run_on_thread, &s))
        fatal_oom();
    pthread_join(thread, NULL);
    pthread_attr_destroy(&attr);
    munmap(stack, NATIVE_STACK);
    return s.status;
}

int interp_run(Module *m, const InterpOptions *opts) {
    Interp in = {
        .module = m, .session = m->session, .arena = arena_new(), .opts = *opts, .managed = m->stage < STAGE_LOOPS};
    in.tensors = (Link){&in.tensors, &in.tensors};
    in.buffers = (Link){&in.buffers, &in.buffers};
    in.kept = (Link){&in.kept, &in.kept};
    in.fuel = opts->max_steps > 0 ? opts->max_steps : INT64_MAX;
    in.random = opts->seed;
    in.stack = reserve((size_t)ENV_CELLS * sizeof(Cell));
    int status = run_deep(&in);
    munmap(in.stack, (size_t)ENV_CELLS * sizeof(Cell));
    arena_free(in.arena);
    return status;
}
