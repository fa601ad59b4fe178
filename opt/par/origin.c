#include "opt/par/origin.h"

#include <isl/constraint.h>
#include <isl/set.h>

enum { MAX_MATTER = 32 };

/* ---- values */

bool origin_same_loops(const Region *r, const Op *at) {
    for (; r && !region_encloses(r, at->parent); r = r->owner->parent)
        if (!r->owner || r->owner->code != OP_IF) return false;
    return r;
}

static bool add(Arena *arena, OriginVec *out, Origin o) {
    Op *made = o.value->def;
    bool branches = made && made->code == OP_IF, chooses = made && made->code == OP_SELECT;
    if ((!branches && !chooses) || !origin_same_loops(made->parent, o.at)) {
        vec_push(arena, out, o);
        return true;
    }
    if (o.nways == MAX_WAYS) return false;
    Origin yes = o, no = o;
    yes.way[yes.nways].made = no.way[no.nways].made = made;
    yes.way[yes.nways++].truth = true;
    no.way[no.nways++].truth = false;
    yes.value = branches ? op_opnd(region_term(made->regs[0]), o.value->index) : op_opnd(made, 1);
    no.value = branches ? op_opnd(region_term(made->regs[1]), o.value->index) : op_opnd(made, 2);
    return add(arena, out, yes) && add(arena, out, no);
}

bool origins_of(Arena *arena, Op *at, Value *v, OriginVec *out) {
    return add(arena, out, (Origin){.at = at, .value = v});
}

/* ---- relations */

/* Further dimensions: what is inside of the loops around r counts these, too. */
static unsigned inner_loops(const Affine *a, const Origin *o, const Region *r) {
    return (unsigned)(affine_depth(a, o->at->parent) - affine_depth(a, r));
}

isl_set *origin_where(Affine *a, const Origin *o) {
    bool all_exact = true, exact;
    isl_set *all = affine_everywhere(a, o->at);
    for (int i = 0; i < o->nways && all; i++) {
        Op *made = o->way[i].made;
        isl_set *part = affine_condition(a, made, op_opnd(made, 0), o->way[i].truth, &exact);
        all_exact &= exact;
        if (part) part = isl_set_add_dims(part, isl_dim_set, inner_loops(a, o, made->parent));
        all = part ? isl_set_intersect(all, part) : (isl_set_free(all), NULL);
    }
    return all_exact ? all : (isl_set_free(all), NULL);
}

isl_map *origin_access(Affine *a, const Origin *o, Op *load) {
    isl_map *m = affine_access(a, load);
    return m ? isl_map_add_dims(m, isl_dim_in, inner_loops(a, o, load->parent)) : NULL;
}

/* ---- elements */

/* Axes one by one: what makes pieces along one axis makes none of the others. */
static isl_map *axis_of(isl_map *element, unsigned k) {
    unsigned behind = (unsigned)isl_map_dim(element, isl_dim_out) - k - 1;
    isl_map *m = isl_map_project_out(isl_map_copy(element), isl_dim_out, k + 1, behind);
    return isl_map_project_out(m, isl_dim_out, 0, k);
}

typedef struct { bool of[MAX_MATTER]; } Matter;

static isl_stat note_constraint(isl_constraint *c, void *ctx) {
    Matter *matter = ctx;
    bool says = isl_constraint_involves_dims(c, isl_dim_out, 0, 1) != isl_bool_false;
    for (unsigned i = 0; says && i < MAX_MATTER && (int)i < isl_constraint_dim(c, isl_dim_in); i++)
        matter->of[i] |= isl_constraint_involves_dims(c, isl_dim_in, i, 1) != isl_bool_false;
    isl_constraint_free(c);
    return isl_stat_ok;
}

static isl_stat note_piece(isl_basic_map *m, void *ctx) {
    isl_stat read = isl_basic_map_foreach_constraint(m, note_constraint, ctx);
    isl_basic_map_free(m);
    return read;
}

/* Without the induction variables that do not matter: their bounds would make pieces, too.  What is left is more than
 * m; is it a function, it is m's. */
static isl_map *of_what_matters(isl_map *m) {
    Matter matter = {{false}};
    isl_map_foreach_basic_map(m, note_piece, &matter);
    for (unsigned i = 0; i < MAX_MATTER && (int)i < isl_map_dim(m, isl_dim_in); i++)
        if (!matter.of[i]) m = isl_map_eliminate(m, isl_dim_in, i, 1);
    return isl_map_coalesce(m);
}

static bool is_function(isl_map *m) { return isl_map_is_single_valued(m) == isl_bool_true; }

static isl_map *as_function(isl_map *m) {
    isl_map *less = of_what_matters(isl_map_copy(m));
    if (!is_function(less)) {
        isl_map_free(less);
        return m = isl_map_coalesce(m), is_function(m) ? m : isl_map_free(m);
    }
    isl_map_free(m);
    return less;
}

static bool find_axis(Affine *a, isl_map *element, unsigned k, AffineForm *out) {
    affine_begin(a);
    isl_map *m = as_function(axis_of(element, k));
    isl_pw_multi_aff *all = m ? isl_pw_multi_aff_from_map(m) : NULL;
    isl_pw_aff *axis = all ? isl_pw_aff_coalesce(isl_pw_multi_aff_get_pw_aff(all, 0)) : NULL;
    if (axis) *out = affine_simplest(axis);
    isl_pw_aff_free(axis);
    isl_pw_multi_aff_free(all);
    return affine_end(a) && out->base;
}

bool element_find(Affine *a, isl_map *element, ElementPlace *out) {
    int rank = isl_map_dim(element, isl_dim_out);
    bool found = rank > 0;
    for (int k = 0; k < rank && found; k++) found = find_axis(a, element, (unsigned)k, &out->of[k]);
    return found;
}

void element_free(ElementPlace *p) {
    for (int k = 0; k < TENSOR_RANK; k++) affine_form_free(&p->of[k]);
}

bool element_has_quotients(const ElementPlace *p) {
    for (int k = 0; k < TENSOR_RANK; k++)
        if (p->of[k].base && isl_aff_dim(p->of[k].base, isl_dim_div) > 0) return true;
    return false;
}

Value *element_read(const Affine *a, Builder *b, const Op *at, const Op *like, const ElementPlace *p) {
    Value *index[TENSOR_RANK];
    int rank = like->nopnds - 1; /* behind the array */
    for (int k = 0; k < rank; k++) index[k] = affine_build(a, b, at, &p->of[k]);
    return like->code == OP_LOAD ? load_safe(b, op_opnd(like, 0), rank, index)
                                 : extract_safe(b, op_opnd(like, 0), rank, index);
}
