/* What the suite's inputs are as arguments of the programs' functions, and their results as its outputs */
#include "modules.h"

#include "ba.h"
#include "det.h"
#include "gmm.h"
#include "hello.h"
#include "ht.h"
#include "kmeans.h"
#include "llsq.h"
#include "lse.h"
#include "lstm.h"
#include "ode.h"
#include "particle.h"
#include "saddle.h"

#include <stdlib.h>
#include <string.h>

/* Runs MODULE_FUNCTION(context, ..) as often as wanted. */
#define RUN(c, module, function, ...)                                                                                  \
    do {                                                                                                               \
        static module##_context *context;                                                                              \
        if (!context) context = module##_context_new();                                                                \
        module##_set_threads(context, (c)->threads);                                                                   \
        while (call_again(c)) {                                                                                        \
            int status = module##_##function(context, __VA_ARGS__);                                                    \
            call_done(c, status, module##_error(context));                                                             \
        }                                                                                                              \
    } while (0)

static void write_one(Call *c, double x) { call_write(c, 0, NULL, &x); }

static double bare_number(Call *c) {
    if (c->input->kind != JSON_NUMBER) c->error = "the input is no number";
    return c->input->number;
}

static void run_square(Call *c) {
    double r = 0, x = bare_number(c);
    RUN(c, hello, square, x, &r);
    write_one(c, r);
}

static void run_double(Call *c) {
    double r = 0, x = bare_number(c);
    RUN(c, hello, double, x, &r);
    write_one(c, r);
}

static void run_lse_primal(Call *c) {
    double r = 0;
    int64_t n;
    const double *x = call_floats(c, c->input, "x", &n);
    RUN(c, lse, primal, n, x, &r);
    write_one(c, r);
}

static void run_lse_gradient(Call *c) {
    int64_t n;
    double *x = call_floats(c, c->input, "x", &n), *r = call_room(c, n);
    RUN(c, lse, gradient, n, x, r);
    call_write(c, 1, &n, r);
}

static void run_llsq_primal(Call *c) {
    double r = 0;
    int64_t m, n = call_int(c, c->input, "n");
    const double *x = call_floats(c, c->input, "x", &m);
    RUN(c, llsq, primal, m, x, n, &r);
    write_one(c, r);
}

static void run_llsq_gradient(Call *c) {
    int64_t m, n = call_int(c, c->input, "n");
    double *x = call_floats(c, c->input, "x", &m), *r = call_room(c, m);
    RUN(c, llsq, gradient, m, x, n, r);
    call_write(c, 1, &m, r);
}

#define ODE(way)                                                                                                       \
    static void run_ode_##way(Call *c) {                                                                               \
        int64_t n, s = call_int(c, c->input, "s");                                                                     \
        double *x = call_floats(c, c->input, "x", &n), *r = call_room(c, n);                                           \
        RUN(c, ode, way, n, x, s, r);                                                                                  \
        call_write(c, 1, &n, r);                                                                                       \
    }
ODE(primal)
ODE(gradient)

static void run_det_primal(Call *c) {
    double r = 0;
    int64_t l = call_int(c, c->input, "ell");
    const double *a = call_floats(c, c->input, "A", NULL);
    RUN(c, det, primal, l, a, &r);
    write_one(c, r);
}

static void run_det_gradient(Call *c) {
    int64_t l = call_int(c, c->input, "ell"), n;
    double *a = call_floats(c, c->input, "A", &n), *r = call_room(c, n);
    RUN(c, det, gradient, l, a, r);
    call_write(c, 1, &n, r);
}

typedef struct { int64_t n, d, k; double *points, *centroids; } Kmeans;

static Kmeans read_kmeans(Call *c) {
    const Json *in = c->input;
    Kmeans m = {.n = call_rows(c, in, "points"), .d = call_columns(c, in, "points"),
                .k = call_rows(c, in, "centroids")};
    m.points = call_floats(c, in, "points", NULL);
    m.centroids = call_floats(c, in, "centroids", NULL);
    return m;
}

static void run_kmeans_cost(Call *c) {
    Kmeans m = read_kmeans(c);
    double r = 0;
    RUN(c, kmeans, cost, m.n, m.d, m.k, m.points, m.centroids, &r);
    write_one(c, r);
}

static void run_kmeans_dir(Call *c) {
    Kmeans m = read_kmeans(c);
    double *r = call_room(c, m.k * m.d);
    RUN(c, kmeans, dir, m.n, m.d, m.k, m.points, m.centroids, r);
    call_write(c, 2, (int64_t[]){m.k, m.d}, r);
}

typedef struct { int64_t n, d, k, strict, m; double *x, *alpha, *mu, *q, *l, gamma; } Gmm;

static Gmm read_gmm(Call *c) {
    const Json *in = c->input;
    Gmm g = {.n = call_int(c, in, "n"), .d = call_int(c, in, "d"), .k = call_int(c, in, "k")};
    g.m = call_int(c, in, "m");
    g.strict = g.d * (g.d - 1) / 2;
    g.x = call_floats(c, in, "x", NULL);
    g.alpha = call_floats(c, in, "alpha", NULL);
    g.mu = call_floats(c, in, "mu", NULL);
    g.q = call_floats(c, in, "q", NULL);
    g.l = call_floats(c, in, "l", NULL);
    g.gamma = call_number(c, in, "gamma");
    return g;
}

static void run_gmm_objective(Call *c) {
    Gmm g = read_gmm(c);
    double r = 0;
    RUN(c, gmm, objective, g.n, g.d, g.k, g.strict, g.x, g.alpha, g.mu, g.q, g.l, g.gamma, g.m, &r);
    write_one(c, r);
}

static void run_gmm_jacobian(Call *c) {
    Gmm g = read_gmm(c);
    double *alpha = call_room(c, g.k), *mu = call_room(c, g.k * g.d), *q = call_room(c, g.k * g.d),
           *l = call_room(c, g.k * g.strict);
    RUN(c, gmm, jacobian, g.n, g.d, g.k, g.strict, g.x, g.alpha, g.mu, g.q, g.l, g.gamma, g.m, alpha, mu, q, l);
    fputs("{\"alpha\": ", c->out);
    call_write(c, 1, &g.k, alpha);
    fputs(", \"mu\": ", c->out);
    call_write(c, 2, (int64_t[]){g.k, g.d}, mu);
    fputs(", \"q\": ", c->out);
    call_write(c, 2, (int64_t[]){g.k, g.d}, q);
    fputs(", \"l\": ", c->out);
    call_write(c, 2, (int64_t[]){g.k, g.strict}, l);
    fputs("}", c->out);
}

typedef struct { int64_t layers, gates, b, c; double *main, *extra, *state, *text; } Lstm;

static Lstm read_lstm(Call *c) {
    const Json *in = c->input;
    Lstm l = {.layers = call_rows(c, in, "main_params"), .gates = call_columns(c, in, "main_params"),
              .b = call_columns(c, in, "state"), .c = call_rows(c, in, "sequence")};
    l.main = call_floats(c, in, "main_params", NULL);
    l.extra = call_floats(c, in, "extra_params", NULL);
    l.state = call_floats(c, in, "state", NULL);
    l.text = call_floats(c, in, "sequence", NULL);
    return l;
}

static void run_lstm_objective(Call *c) {
    Lstm l = read_lstm(c);
    double r = 0;
    RUN(c, lstm, objective, l.layers, l.gates, 3, l.b, l.c, l.main, l.extra, l.state, l.text, &r);
    write_one(c, r);
}

static void run_lstm_jacobian(Call *c) {
    Lstm l = read_lstm(c);
    int64_t n = l.layers * l.gates + 3 * l.b;
    double *r = call_room(c, n);
    RUN(c, lstm, jacobian, l.layers, l.gates, 3, l.b, l.c, l.main, l.extra, l.state, l.text, r);
    call_write(c, 1, &n, r);
}

/* One camera, point, weight and feature stand for all. */
typedef struct { int64_t n, m, p, *seen; double *cams, *points, *w, *feature; } Ba;

static Ba read_ba(Call *c) {
    const Json *in = c->input;
    Ba b = {.n = call_int(c, in, "n"), .m = call_int(c, in, "m"), .p = call_int(c, in, "p")};
    b.cams = call_repeated(c, in, "cam", b.n);
    b.points = call_repeated(c, in, "x", b.m);
    b.w = call_repeated(c, in, "w", b.p);
    b.feature = call_repeated(c, in, "feat", b.p);
    b.seen = (int64_t *)call_room(c, 2 * b.p);
    for (int64_t i = 0; i < b.p && b.n && b.m; i++) b.seen[2 * i] = i % b.n, b.seen[2 * i + 1] = i % b.m;
    if (b.n < 1 || b.m < 1 || b.p < 1) c->error = "there is nothing to adjust";
    return b;
}

static void run_ba_objective(Call *c) {
    Ba b = read_ba(c);
    double *errors = call_room(c, 2 * b.p), *w = call_room(c, b.p);
    RUN(c, ba, objective, b.n, b.m, b.p, b.cams, b.points, b.w, b.seen, b.feature, errors, w);
    fputs("{\"reproj_error\": {\"elements\": ", c->out);
    call_write(c, 1, (int64_t[]){2}, errors);
    fprintf(c->out, ", \"repeated\": %lld}, \"w_err\": {\"element\": ", (long long)b.p);
    call_write(c, 0, NULL, w);
    fprintf(c->out, ", \"repeated\": %lld}}", (long long)b.p);
}

enum { SHOWN = 30 }; /* of the sparse matrix the suite wants the first entries, and the last */

static void run_ba_jacobian(Call *c) {
    Ba b = read_ba(c);
    ba_context *context = ba_context_new();
    int64_t rows = 0, entries = 0, *start = NULL, *column = NULL, shown[SHOWN + 1];
    double *value = NULL, values[SHOWN + 1];
    ba_set_threads(context, c->threads);
    while (call_again(c)) {
        ba_free(start), ba_free(column), ba_free(value);
        start = column = NULL, value = NULL;
        int status = ba_jacobian(context, b.n, b.m, b.p, b.cams, b.points, b.w, b.seen, b.feature, &rows, &entries,
                                 &start, &column, &value);
        call_done(c, status, "the jacobian could not be computed");
    }
    if (!c->error) {
        memset(shown, 0, sizeof shown); /* fewer rows than shown: the suite reads no further, either */
        memcpy(shown, start, sizeof *start * (size_t)(rows < SHOWN ? rows : SHOWN));
        shown[SHOWN] = start[rows - 1];
        fputs("{\"rows\": ", c->out);
        call_write_ints(c, SHOWN + 1, shown);
        memcpy(shown, column, sizeof *column * SHOWN);
        shown[SHOWN] = column[entries - 1];
        fputs(", \"cols\": ", c->out);
        call_write_ints(c, SHOWN + 1, shown);
        memcpy(values, value, sizeof *value * SHOWN);
        values[SHOWN] = value[entries - 1];
        fputs(", \"vals\": ", c->out);
        call_write(c, 1, (int64_t[]){SHOWN + 1}, values);
        fputs("}", c->out);
    }
    ba_free(start), ba_free(column), ba_free(value);
    ba_context_free(context);
}

typedef struct {
    int64_t c, t, b, v, us_count, *at, *corners, *parents;
    double *theta, *us, *points, *base, *inverse, *rest, *weights;
    bool mirrored;
} Ht;

static Ht read_ht(Call *c) {
    const Json *in = c->input, *data = call_member(c, in, "data"), *model = data ? call_member(c, data, "model") : NULL;
    Ht h = {.theta = call_floats(c, in, "theta", NULL)};
    h.us = call_floats(c, in, "us", &h.us_count);
    h.at = call_ints(c, data, "correspondences", &h.c);
    h.points = call_floats(c, data, "points", NULL);
    h.parents = call_ints(c, model, "parents", &h.b);
    h.base = call_floats(c, model, "base_relatives", NULL);
    h.inverse = call_floats(c, model, "inverse_base_absolutes", NULL);
    h.v = call_rows(c, model, "base_positions");
    h.rest = call_floats(c, model, "base_positions", NULL);
    h.weights = call_floats(c, model, "weights", NULL);
    h.t = call_rows(c, model, "triangles");
    h.corners = call_ints(c, model, "triangles", NULL);
    h.mirrored = call_number(c, model, "is_mirrored") != 0;
    return h;
}

static void run_ht_objective(Call *c) {
    Ht h = read_ht(c);
    int64_t n = 3 * h.c;
    double *r = call_room(c, n);
    if (h.us_count)
        RUN(c, ht, complicated, h.c, h.t, h.b, h.v, h.theta, h.us, h.at, h.points, h.corners, h.parents,
            h.base, h.inverse, h.rest, h.weights, h.mirrored, r);
    else
        RUN(c, ht, simple, h.c, h.b, h.v, h.theta, h.at, h.points, h.parents, h.base, h.inverse, h.rest,
            h.weights, h.mirrored, r);
    call_write(c, 1, &n, r);
}

static void run_ht_jacobian(Call *c) {
    Ht h = read_ht(c);
    int64_t n = 3 * h.c, columns = h.us_count ? 28 : 26;
    double *r = call_room(c, n * columns);
    if (h.us_count)
        RUN(c, ht, complicated_jacobian, h.c, h.t, h.b, h.v, h.theta, h.us, h.at, h.points, h.corners, h.parents,
            h.base, h.inverse, h.rest, h.weights, h.mirrored, r);
    else
        RUN(c, ht, simple_jacobian, h.c, h.b, h.v, h.theta, h.at, h.points, h.parents, h.base, h.inverse, h.rest,
            h.weights, h.mirrored, r);
    call_write(c, 2, (int64_t[]){n, columns}, r);
}

#define PARTICLE(way)                                                                                                  \
    static void run_particle_##way(Call *c) {                                                                          \
        double r = 0, w = call_number(c, c->input, "w");                                                               \
        RUN(c, particle, way, w, &r);                                                                                  \
        write_one(c, r);                                                                                               \
    }
PARTICLE(rr)
PARTICLE(rf)
PARTICLE(fr)
PARTICLE(ff)

#define SADDLE(way)                                                                                                    \
    static void run_saddle_##way(Call *c) {                                                                            \
        int64_t n;                                                                                                     \
        double *start = call_floats(c, c->input, "start", &n), r[4] = {0};                                             \
        if (n != 2) c->error = "start has two elements";                                                               \
        RUN(c, saddle, way, start, r);                                                                                 \
        call_write(c, 1, (int64_t[]){4}, r);                                                                           \
    }
SADDLE(rr)
SADDLE(rf)
SADDLE(fr)
SADDLE(ff)

static const struct { const char *module, *function; Run *run; } table[] = {
    {"hello", "square", run_square},         {"hello", "double", run_double},
    {"lse", "primal", run_lse_primal},       {"lse", "gradient", run_lse_gradient},
    {"llsq", "primal", run_llsq_primal},     {"llsq", "gradient", run_llsq_gradient},
    {"ode", "primal", run_ode_primal},       {"ode", "gradient", run_ode_gradient},
    {"det", "primal", run_det_primal},       {"det", "gradient", run_det_gradient},
    {"kmeans", "cost", run_kmeans_cost},     {"kmeans", "dir", run_kmeans_dir},
    {"gmm", "objective", run_gmm_objective}, {"gmm", "jacobian", run_gmm_jacobian},
    {"lstm", "objective", run_lstm_objective}, {"lstm", "jacobian", run_lstm_jacobian},
    {"ba", "objective", run_ba_objective},   {"ba", "jacobian", run_ba_jacobian},
    {"ht", "objective", run_ht_objective},   {"ht", "jacobian", run_ht_jacobian},
    {"particle", "rr", run_particle_rr},     {"particle", "rf", run_particle_rf},
    {"particle", "fr", run_particle_fr},     {"particle", "ff", run_particle_ff},
    {"saddle", "rr", run_saddle_rr},         {"saddle", "rf", run_saddle_rf},
    {"saddle", "fr", run_saddle_fr},         {"saddle", "ff", run_saddle_ff},
};

Run *find_function(const Json *module, const Json *function) {
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (json_is(module, table[i].module) && (!function || json_is(function, table[i].function)))
            return table[i].run;
    return NULL;
}
