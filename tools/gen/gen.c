/* gen SEED [--size K] [--lines N] [--races] [--nests K] [--grads K] [--products K] [--known]: a random program on
 * stdout, always the same for the same arguments.
 *
 * Without --lines: a small program that touches many corners, prints what it computed, and is meant to be
 * run on every backend.  With --races: kernels that are racy or not, and say so (race.c).  With --nests: K functions of
 * nested loops (nests.c); with --grads: derivatives of K functions (derivatives.c).  With --lines: at least N lines,
 * larger functions, to measure the compiler itself.  With --known sizes are numbers, and numbers alone are printed, as
 * --emit=stablehlo needs it. */
#include "tools/gen/gen.h"

#include <stdlib.h>
#include <string.h>

static void consts(Gen *g) {
    static const int64_t sizes[] = {1, 2, 3, 5, 7, 8, 12, 16, 17, 31, 33, 40};
    for (int i = (int)between(g, 1, 4); i > 0; i--) {
        snprintf(g->consts[g->nconsts].name, sizeof g->consts[0].name, "N%d", g->nconsts);
        g->consts[g->nconsts].v = sizes[below(g, sizeof sizes / sizeof *sizes)];
        line(g, "const N%d = %lld", g->nconsts, (long long)g->consts[g->nconsts].v);
        g->nconsts++;
    }
    for (int i = (int)between(g, 0, 2); i > 0; i--) {
        const char *value = literal(g, F64).s;
        line(g, "const c%d = %s", g->nfloats, value);
        g->nfloats++;
    }
}

static void structs(Gen *g) {
    for (int i = (int)below(g, 3); i > 0; i--) {
        Struct *s = &g->structs[g->nstructs++];
        const char *fields = "";
        snprintf(s->name, sizeof s->name, "%s", fresh(g, "S"));
        s->nfields = (int)between(g, 1, 4);
        for (int k = 0; k < s->nfields; k++) {
            s->field[k] = any_elem(g);
            fields = fmt("%s%s%c: %s", fields, k ? ", " : "", 'a' + k, elem_name(s->field[k]));
        }
        line(g, "struct %s { %s }", s->name, fields);
    }
}

static void units(Gen *g, int n) {
    for (int i = 0; i < n; i++) {
        switch (below(g, 8)) {
        case 0: case 1: fn_scalar(g); break;
        case 2: case 3: fn_array(g); break;
        case 4: fn_templates(g); break;
        default: kernel_write(g);
        }
        line(g, "%s", "");
    }
}

/* Functions that no random call chose, so that all of the program takes part */
static void call_the_rest(Gen *g) {
    for (int i = 0; i < g->nfns; i++) {
        const Fn *f = &g->fns[i];
        if (g->fn_seen[i] || f->cost + g->work > 2 * g->budget) continue;
        Size bind[8];
        for (int k = 0; k < 8; k++) bind[k].sym = -2;
        const char *args = call_args(g, f, bind, 1);
        if (!args) continue;
        line(g, "print(\"%s\", %s(%s)%s)", f->name, f->name, args, f->nret > 1 ? "[0]" : "");
        g->work += f->cost;
    }
}

/* No more numbers than print shows */
static void print_known(Gen *g, const Var *v) {
    if (!v->rank || volume(g, v->rank, v->dim) <= 900) line(g, "print(%s)", v->name);
    else line(g, "print(sum(%s(%s)))", is_float(v->t) ? "f64" : "int", v->name);
}

static void print_all(Gen *g) {
    for (const Var *v = g->vars; v < g->vars + g->nvars; v++) {
        if (v->suffix || v->ranged) continue;
        if (g->known) print_known(g, v);
        else if ((!v->rank || volume(g, v->rank, v->dim) <= 20) && chance(g, 30)) print_formatted(g, v);
        else if (!v->rank) line(g, "print(\"%s\", %s)", v->name, v->name);
        else if (volume(g, v->rank, v->dim) <= 80 || is_int(v->t)) line(g, "print(\"%s\", %s)", v->name, v->name);
        else if (v->t == BOOL || v->t == F16 || v->t == BF16) line(g, "print(\"%s\", %s)", v->name, v->name);
        else
            line(g, "print(\"%s\", sum(%s), max(%s), %s[%s])", v->name, v->name, v->name, v->name,
                 v->rank == 1 ? "0:1" : "0");
    }
}

/* Arrays and scalars to work with, of values the compiler does not know */
static void sources(Gen *g) {
    for (int i = (int)between(g, 2, 4); i > 0; i--) {
        Elem t = any_number(g);
        int rank = chance(g, 60) ? 1 : 2;
        Size dim[2];
        for (int k = 0; k < rank; k++) dim[k] = size_const(g->consts[below(g, (uint32_t)g->nconsts)].v);
        const char *name = fresh(g, "a"), *at = rank == 1 ? "i" : "i * 7 + j";
        const char *value = is_float(t) ? fmt("%s(8 * uniform(%d, %s) - 4)", elem_name(t), (int)below(g, 100), at)
                                        : fmt("%s(int(random_bits(%d, %s)) %% %d)", elem_name(t), (int)below(g, 100),
                                              at, chance(g, 50) ? 10 : 1000003);
        bool mut = chance(g, 60);
        line(g, "%s %s = [%s for i in 0:%s%s]", mut ? "var" : "let", name, value, size_text(g, dim[0]),
             rank == 1 ? "" : fmt(", j in 0:%s", size_text(g, dim[1])));
        var_add(g, name, t, rank, dim, mut, is_float(t) ? 16 : 0);
    }
    if (chance(g, 40) && !g->known) { /* a size that only shows when the program runs */
        int64_t v = g->consts[below(g, (uint32_t)g->nconsts)].v;
        const char *name = fresh(g, "m"), *a = fresh(g, "a");
        line(g, "let %s = int(%lld.5 + 0.1 * uniform(1, 1))", name, (long long)v);
        Size s = size_sym(sym_new(g, name, v, v));
        range_add(g, name, s, size_plus(s, 1));
        line(g, "var %s = [8 * uniform(2, i) - 4 for i in 0:%s]", a, name);
        var_add(g, a, F64, 1, &s, true, 16);
    }
    for (int i = (int)between(g, 1, 2); i > 0; i--) {
        const char *name = fresh(g, "s");
        line(g, "var %s = %s", name, chance(g, 50) ? fmt("int(100 * uniform(3, %d))", i) : fmt("%d", i));
        var_add(g, name, I64, 0, NULL, true, 0);
    }
}

static void main_part(Gen *g, int n) {
    g->main = g->host = true;
    g->mult = 1;
    sources(g);
    for (int i = 0; i < n; i++) {
        if (chance(g, 12)) main_templates(g);
        else if (g->nkernels && chance(g, 25)) kernel_launch(g, &g->kernels[below(g, (uint32_t)g->nkernels)]);
        else statements(g, 1, 3);
        if (over_budget(g)) break;
    }
}

static void small_program(Gen *g) {
    consts(g);
    structs(g);
    line(g, "%s", "");
    units(g, 1 + (int)below(g, (uint32_t)g->size + 1));
    g->budget = 60000;
    main_part(g, 4 + 2 * g->size);
    for (int i = 0; i < g->nkernels && !over_budget(g); i++)
        if (chance(g, 60)) kernel_launch(g, &g->kernels[i]);
    call_the_rest(g);
    print_all(g);
}

static void long_program(Gen *g, int lines) {
    consts(g);
    structs(g);
    line(g, "%s", "");
    while (g->lines < lines * 7 / 10 && g->nfns < MAX_FNS && g->nkernels < MAX_FNS) units(g, 1);
    g->budget = g->work + 20000;
    main_part(g, 20);
    for (int i = 0; i < g->nkernels; i++) {
        g->budget = g->work + 20000;
        kernel_launch(g, &g->kernels[i]);
    }
    while (g->lines < lines * 95 / 100) {
        g->budget = g->work + 20000;
        int mark = g->nvars;
        open_block(g, "if %s", condition(g, 1).s);
        statements(g, 8, 3);
        g->nvars = mark;
        close_block(g, "");
    }
    g->budget = g->work + 100000000;
    call_the_rest(g);
    print_all(g);
}

static int usage(void) {
    fputs("usage: gen SEED [--size 1..10] [--lines N] [--races] [--nests K] [--grads K] [--products K] [--known]\n",
          stderr);
    return 2;
}

int main(int argc, char **argv) {
    if (argc < 2) return usage();
    Gen *g = calloc(1, sizeof *g);
    if (!g) return 1;
    int lines = 0, nests = 0, grads = 0, products = 0;
    bool races = false;
    g->rng = strtoull(argv[1], NULL, 10) * 0x9E3779B97F4A7C15u + 1;
    g->size = 1 + (int)below(g, 6);
    for (int i = 2; i < argc; i++) {
        if (i + 1 < argc && !strcmp(argv[i], "--size")) g->size = atoi(argv[++i]);
        else if (i + 1 < argc && !strcmp(argv[i], "--lines")) lines = atoi(argv[++i]);
        else if (i + 1 < argc && !strcmp(argv[i], "--nests")) nests = atoi(argv[++i]);
        else if (i + 1 < argc && !strcmp(argv[i], "--grads")) grads = atoi(argv[++i]);
        else if (i + 1 < argc && !strcmp(argv[i], "--products")) products = atoi(argv[++i]);
        else if (!strcmp(argv[i], "--races")) races = true;
        else if (!strcmp(argv[i], "--known")) g->known = true;
        else return free(g), usage();
    }
    if (g->size < 1 || g->size > 10) return free(g), usage();
    if (lines) g->size = 6;
    if (grads && g->size > 3) g->size -= 3;
    if (!races) line(g, "# gen %s", argv[1]);
    if (races) race_program(g, argv[1]);
    else if (nests) nests_program(g, nests);
    else if (grads) derivatives_program(g, grads);
    else if (products) products_program(g, products);
    else if (lines) long_program(g, lines);
    else small_program(g);
    fwrite(g->out, 1, g->out_len, stdout);
    free(g->out);
    texts_free();
    free(g);
    return 0;
}
