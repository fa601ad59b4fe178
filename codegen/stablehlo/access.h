/* Where accesses go, for all iterations at once. */
#ifndef DSL_STABLEHLO_ACCESS_H
#define DSL_STABLEHLO_ACCESS_H

#include "codegen/stablehlo/private.h"

/* What one index goes through: one known place; start, start + step, .. along axes, the first one slowest; these from a
 * base on that only the program knows, or one place that it knows; or anything */
typedef enum { AT_PLACE, AT_STEPS, AT_WINDOW, AT_ANY } AlongKind;
typedef struct {
    AlongKind kind;
    int64_t start, step, count, reach; /* reach: how many elements from the first to the last */
    int n, axis[MOST_AXES];
    const Ten *index;
} Along;
typedef struct { int rank; Along at[HLO_RANK]; } Access;

/* ---- access.c */
Along access_along(const Hlo *h, const Ten *index); /* of a linear one, or anything */
/* Of x at the indices; axes that x has become its first dims */
Access access_of(Hlo *h, const Ten *x, const Ten *const *index);
int access_axes(const Access *a, int *out);
int access_uses(const Access *a, int axis); /* in how many indices it stands */
/* Parts of x along its dims say it: no index goes anywhere, no axis stands in two */
bool access_is_part(const Access *a, const Ten *x);
bool access_has_window(const Access *a, int64_t longer); /* with more elements than that */
bool access_is_known(const Access *a, int axis);         /* indices in which the axis stands are linear */
Access access_at(Hlo *h, const Access *a, int axis, int64_t place);
int access_walk(const Hlo *h, const Access *a, int *axes, int64_t *size); /* its axes in the order of the dims */
/* An array of the axes, whose last dim holds the indices of the dims named */
const Ten *access_indices(Hlo *h, const Access *a, int n, const int64_t *dims, int naxes, const int *axes);
/* A scalar along axes from an array whose dims are these axes, in any order; its inverse */
const Ten *axes_from_dims(Hlo *h, const Ten *x, int n, const int *axes);
const Ten *axes_to_dims(Hlo *h, const Ten *v, int n, const int *axes);
/* The part of x that begins at `at`, windows where the program says; shift: what stands in front of x */
const Ten *part_read(Hlo *h, const Ten *x, const Access *a, const int64_t *at, const int64_t *shift,
                     const int64_t *size);
const Ten *part_written(Hlo *h, const Ten *x, const Ten *part, const Access *a, const int64_t *at);
const Ten *ten_zero(Hlo *h, DType t);
bool ten_is_empty(const Ten *x);

/* ---- read.c */
bool access_goes_around(Hlo *h, const Ten *index, int64_t dim, int64_t *begin, const Ten **along);
/* x from `begin` on along a dim, then what is in front of it */
const Ten *ten_rotated(Hlo *h, const Ten *x, int dim, int64_t begin);

/* ---- elements.c */
/* Which element of an array that is known by its elements; negative: it is not, or the place is not known */
int64_t element_place(const Ten *x, const Ten *const *index);

#endif
