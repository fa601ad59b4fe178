#include "opt/par/origin.h"

#include <isl/set.h>

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

static bool find_axis(Affine *a, isl_pw_multi_aff *all, int k, AffineForm *out) {
    affine_begin(a);
    isl_pw_aff *axis = isl_pw_aff_coalesce(isl_pw_multi_aff_get_pw_aff(all, k));
    *out = affine_simplest(axis);
    isl_pw_aff_free(axis);
    return affine_end(a) && out->base;
}

bool element_find(Affine *a, isl_map *element, ElementPlace *out) {
    affine_begin(a);
    bool found = isl_map_is_single_valued(element) == isl_bool_true;
    isl_pw_multi_aff *all = found ? isl_pw_multi_aff_from_map(isl_map_coalesce(isl_map_copy(element))) : NULL;
    int rank = all ? isl_pw_multi_aff_dim(all, isl_dim_out) : 0;
    found = affine_end(a) && rank > 0;
    for (int k = 0; k < rank && found; k++) found = find_axis(a, all, k, &out->of[k]);
    isl_pw_multi_aff_free(all);
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
