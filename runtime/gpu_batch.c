/* Loops that launch the same kernels in each turn: a turn's launches are kept until somebody looks at an array, or the
 * turn ends, and are handed to the driver together, as a graph, which takes a fraction of the time that so many
 * launches take.
 *
 * What is kept between two looks is a batch.  A batch has its place in the turn, by number.  One that has the kernels,
 * blocks and threads of what was at its place in the turn before becomes a graph; the next turn runs the graph again
 * whose parameters are the same, of a few that there are (arrays that change places come back to where they were), or
 * writes its own into the one that was not used for longest.
 *
 * The graph's nodes are made one by one, each behind the last: the driver does not record the stream that launches are
 * on, the default one, and so it is known which node is which launch.  NVIDIA, CUDA Driver API, Graph Management. */
#include "runtime/gpu_batch.h"
#include "runtime/gpu_driver.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CALLS = 256, MOST_VALUES = 8192, PLACES = 16, GRAPHS = 4, FEWEST = 2 };

typedef struct { int n; dsl_gpu_call *calls; uint64_t *values; } List;

typedef struct { void *graph, *exec, **nodes; List list; int64_t used; } Graph;

/* What came at a place of the turn */
typedef struct { List last; int ngraphs; Graph graphs[GRAPHS]; } Place;

typedef struct Steps { Place places[PLACES]; } Steps;

static struct {
    bool there;
#define FUNCTION(name, params) int (*name) params;
    DSL_GPU_GRAPH_FUNCTIONS(FUNCTION)
#undef FUNCTION
    dsl_gpu_steps *loop; /* whose turn it is, or NULL */
    int place;           /* of the next batch */
    bool running;
    int ncalls, nvalues;
    dsl_gpu_call calls[MOST_CALLS];
    uint64_t values[MOST_VALUES];
    int64_t clock;
    dsl_gpu_batch done;
} batch;

void dsl_gpu_batch_open(void *library) {
    const char *said = getenv("DSL_GPU_GRAPHS");
    batch.there = !(said && !strcmp(said, "no"));
#define FUNCTION(name, params)                           \
    *(void **)&batch.name = dlsym(library, #name);       \
    batch.there = batch.there && batch.name;
    DSL_GPU_GRAPH_FUNCTIONS(FUNCTION)
#undef FUNCTION
}

bool dsl_gpu_batch_takes(void) { return batch.there && batch.loop; }

dsl_gpu_batch dsl_gpu_batch_done(void) { return batch.done; }

bool dsl_gpu_batch_add(const dsl_gpu_call *call) {
    int64_t n = call->kernel->nparams;
    if (batch.ncalls == MOST_CALLS || batch.nvalues + n > MOST_VALUES) return false;
    dsl_gpu_call *to = &batch.calls[batch.ncalls++];
    *to = *call;
    to->values = batch.values + batch.nvalues;
    memcpy(to->values, call->values, sizeof *to->values * (size_t)n);
    batch.nvalues += (int)n;
    return true;
}

/* ---- lists of launches */

static int64_t values_of(const List *l) {
    int64_t n = 0;
    for (int i = 0; i < l->n; i++) n += l->calls[i].kernel->nparams;
    return n;
}

static void free_list(List *l) {
    free(l->calls);
    free(l->values);
    *l = (List){0};
}

/* A copy of what is kept; false: there is no memory */
static bool copy_kept(List *l) {
    List c = {batch.ncalls, malloc(sizeof *c.calls * (size_t)batch.ncalls),
              malloc(sizeof *c.values * (size_t)(batch.nvalues + 1))};
    if (!c.calls || !c.values) return free_list(&c), false;
    memcpy(c.calls, batch.calls, sizeof *c.calls * (size_t)batch.ncalls);
    memcpy(c.values, batch.values, sizeof *c.values * (size_t)batch.nvalues);
    uint64_t *at = c.values;
    for (int i = 0; i < c.n; at += c.calls[i++].kernel->nparams) c.calls[i].values = at;
    free_list(l);
    *l = c;
    return true;
}

static bool same_shape(const dsl_gpu_call *x, const dsl_gpu_call *y) {
    return x->function == y->function && !memcmp(x->blocks, y->blocks, sizeof x->blocks) &&
           !memcmp(x->threads, y->threads, sizeof x->threads) && x->shared == y->shared;
}

static bool kept_has_shape(const List *l) {
    if (l->n != batch.ncalls) return false;
    for (int i = 0; i < l->n; i++)
        if (!same_shape(&l->calls[i], &batch.calls[i])) return false;
    return true;
}

static bool same_values(const dsl_gpu_call *x, const dsl_gpu_call *y) {
    return !memcmp(x->values, y->values, sizeof *x->values * (size_t)x->kernel->nparams);
}

static bool kept_is(const List *l) {
    return kept_has_shape(l) && !memcmp(l->values, batch.values, sizeof *l->values * (size_t)values_of(l));
}

/* ---- graphs */

static void free_graph(Graph *g) {
    if (g->exec) batch.cuGraphExecDestroy(g->exec);
    if (g->graph) batch.cuGraphDestroy(g->graph);
    free(g->nodes);
    free_list(&g->list);
    *g = (Graph){0};
}

/* params: room for a pointer to each of the call's values */
static dsl_gpu_node node_of(const dsl_gpu_call *c, void **params) {
    for (int64_t i = 0; i < c->kernel->nparams; i++) params[i] = &c->values[i];
    dsl_gpu_launching_is(c->kernel);
    return (dsl_gpu_node){c->function,   c->blocks[0],  c->blocks[1], c->blocks[2], c->threads[0],
                          c->threads[1], c->threads[2], c->shared,    params,       NULL};
}

/* 0, or why the driver does not make it */
static int build(Graph *g) {
    void *params[DSL_GPU_MOST_PARAMS];
    int error = copy_kept(&g->list) ? batch.cuGraphCreate(&g->graph, 0) : CU_OUT_OF_MEMORY;
    g->nodes = calloc((size_t)g->list.n + 1, sizeof *g->nodes);
    if (!g->nodes) error = CU_OUT_OF_MEMORY;
    for (int i = 0; i < g->list.n && !error; i++) {
        dsl_gpu_node node = node_of(&g->list.calls[i], params);
        error = batch.cuGraphAddKernelNode(&g->nodes[i], g->graph, i ? &g->nodes[i - 1] : NULL, i > 0, &node);
    }
    return error ? error : batch.cuGraphInstantiateWithFlags(&g->exec, g->graph, 0);
}

/* The graph's launches get the parameters of those that are kept. */
static int rewrite(Graph *g) {
    void *params[DSL_GPU_MOST_PARAMS];
    int error = 0;
    for (int i = 0; i < g->list.n && !error; i++) {
        dsl_gpu_call *to = &g->list.calls[i];
        if (same_values(to, &batch.calls[i])) continue;
        memcpy(to->values, batch.calls[i].values, sizeof *to->values * (size_t)to->kernel->nparams);
        dsl_gpu_node node = node_of(to, params);
        error = batch.cuGraphExecKernelNodeSetParams(g->exec, g->nodes[i], &node);
    }
    return error;
}

/* The one to run: with these parameters, or a new one, or the one that was not used for longest; NULL: graphs do not
 * work */
static Graph *graph_for(Place *p) {
    Graph *oldest = p->graphs;
    for (int i = 0; i < p->ngraphs; i++) {
        if (kept_is(&p->graphs[i].list)) return &p->graphs[i];
        if (p->graphs[i].used < oldest->used) oldest = &p->graphs[i];
    }
    bool new = p->ngraphs < GRAPHS;
    Graph *g = new ? &p->graphs[p->ngraphs++] : oldest;
    if (!(new ? build(g) : rewrite(g))) return g;
    batch.there = false;
    return NULL;
}

static void forget_graphs(Place *p) {
    while (p->ngraphs) free_graph(&p->graphs[--p->ngraphs]);
}

/* ---- batches */

static Place *next_place(void) {
    if (!batch.loop || batch.place >= PLACES || batch.ncalls < FEWEST) return NULL;
    if (!batch.loop->kept) batch.loop->kept = calloc(1, sizeof(Steps));
    Steps *s = batch.loop->kept;
    return s ? &s->places[batch.place++] : NULL;
}

/* Whether a graph has done it */
static bool run_graph(Place *p) {
    if (!kept_has_shape(&p->last)) {
        forget_graphs(p);
        copy_kept(&p->last);
        return false;
    }
    Graph *g = graph_for(p);
    if (!g || batch.cuGraphLaunch(g->exec, NULL)) return batch.there = false;
    g->used = ++batch.clock;
    batch.done.replays++, batch.done.replayed += batch.ncalls;
    return true;
}

static void run_kept(void submit(const dsl_gpu_call *call)) {
    Place *p = next_place();
    if (!p || !run_graph(p))
        for (int i = 0; i < batch.ncalls; i++) submit(&batch.calls[i]);
}

/* Called again from inside, one of them has failed: the others do not run. */
void dsl_gpu_batch_run(void submit(const dsl_gpu_call *call)) {
    batch.running = !batch.running;
    if (batch.running) run_kept(submit);
    batch.running = false;
    batch.ncalls = batch.nvalues = 0;
}

void dsl_gpu_turn(dsl_gpu_steps *loop) {
    dsl_gpu_settle();
    batch.loop = loop;
    batch.place = 0;
}

void dsl_gpu_turns_end(void) {
    dsl_gpu_settle();
    batch.loop = NULL;
}
