/* NetCDF files, classic ones and NetCDF-4, by Unidata's library, which is loaded when it is asked for.
 *
 * Floats take the numbers of any variable: what stands for missing ones is nan, and packed ones are unpacked, as
 * the CF conventions say (scale_factor, add_offset, _FillValue, missing_value).  Ints and bools take what is there. */
#include "runtime/files.h"

#include <stdlib.h>
#include <string.h>

enum { READ = 0, CLOBBER_4 = 0x1000, MOST_DIMS = 1024, NAME = 257 };
enum { BYTE = 1, CHAR, SHORT, INT, FLOAT, DOUBLE, UBYTE, USHORT, UINT, INT64, UINT64, STRING };

static const int type_of[] = {[DSL_BOOL] = BYTE, [DSL_I8] = BYTE, [DSL_I16] = SHORT, [DSL_I32] = INT, [DSL_I64] = INT64,
                              [DSL_U8] = UBYTE, [DSL_U16] = USHORT, [DSL_U32] = UINT, [DSL_U64] = UINT64,
                              [DSL_F16] = 0, [DSL_BF16] = 0, [DSL_F32] = FLOAT, [DSL_F64] = DOUBLE};
static const char *const names_of[] = {"",   "i8",  "text", "i16", "i32", "f32",  "f64",
                                       "u8", "u16", "u32",  "i64", "u64", "texts"};

#define FUNCTIONS(F)                                                                                                   \
    F(int, open, (const char *, int, int *))                                                                           \
    F(int, close, (int))                                                                                               \
    F(const char *, strerror, (int))                                                                                   \
    F(int, inq_varid, (int, const char *, int *))                                                                      \
    F(int, inq_grp_full_ncid, (int, const char *, int *))                                                              \
    F(int, inq_nvars, (int, int *))                                                                                    \
    F(int, inq_varname, (int, int, char *))                                                                            \
    F(int, inq_var, (int, int, char *, int *, int *, int *, int *))                                                    \
    F(int, inq_dimlen, (int, int, size_t *))                                                                           \
    F(int, get_vars, (int, int, const size_t *, const size_t *, const ptrdiff_t *, void *))                            \
    F(int, get_vars_double, (int, int, const size_t *, const size_t *, const ptrdiff_t *, double *))                   \
    F(int, inq_att, (int, int, const char *, int *, size_t *))                                                         \
    F(int, get_att, (int, int, const char *, void *))                                                                  \
    F(int, get_att_double, (int, int, const char *, double *))                                                         \
    F(int, free_string, (size_t, char **))                                                                             \
    F(int, create, (const char *, int, int *))                                                                         \
    F(int, def_dim, (int, const char *, size_t, int *))                                                                \
    F(int, def_var, (int, const char *, int, int, const int *, int *))                                                 \
    F(int, enddef, (int))                                                                                              \
    F(int, put_var, (int, int, const void *))

typedef struct {
#define POINTER(type, name, params) type(*name) params;
    FUNCTIONS(POINTER)
#undef POINTER
    const dsl_site *at;
    const char *path;
    int file, group, variable; /* file: 0 when it is not open; variable -1: the file itself, of which attributes are */
} Nc;

static Nc library(const dsl_site *at, const char *path) {
    Nc n = {.at = at, .path = path};
#define ROW(type, name, params) {"nc_" #name, (void **)&n.name},
    DslFunction all[] = {FUNCTIONS(ROW)};
#undef ROW
    dsl_library(at, "NetCDF", "libnetcdf.so.19 libnetcdf.so libnetcdf.so.22 libnetcdf.so.18", "libnetcdf19", all,
                sizeof all / sizeof *all);
    return n;
}

static DSL_COLD __attribute__((noreturn)) void fail(Nc *n, const char *why) {
    char text[300];
    snprintf(text, sizeof text, "%s", why);
    n->close(n->file);
    dsl_fail(n->at, "E0611", "'%s' is not a readable NetCDF file: %s", n->path, text);
}

static void check(Nc *n, int status) {
    if (status) fail(n, n->strerror(status));
}

/* ---- finding a variable */

static DSL_COLD __attribute__((noreturn)) void fail_name(Nc *n, const char *part) {
    char names[600] = "", name[NAME];
    int count = 0;
    size_t at = 0;
    n->inq_nvars(n->group, &count);
    for (int k = 0; k < count && at < sizeof names - 80 && !n->inq_varname(n->group, k, name); k++)
        at += (size_t)snprintf(names + at, sizeof names - at, "%s%.60s", k ? ", " : "", name);
    n->close(n->file);
    dsl_fail_part(n->at, n->path, part, names);
}

/* group/group/variable */
static void find_variable(Nc *n, const DslPart *part, const char *text) {
    char name[sizeof part->name];
    strcpy(name, part->name);
    char *slash = strrchr(name, '/'), *last = slash ? slash + 1 : name;
    int count = 0;
    n->group = n->file;
    if (slash && slash > name) {
        *slash = 0;
        if (n->inq_grp_full_ncid(n->file, name, &n->group)) fail_name(n, text);
    }
    n->variable = -1;
    if (!*last && *part->attribute) return;
    if (!*last && !n->inq_nvars(n->group, &count) && count == 1) n->variable = 0;
    else if (!*last || n->inq_varid(n->group, last, &n->variable)) fail_name(n, text);
}

static Nc open_file(const dsl_site *at, const char *path) {
    char room[DSL_PATH];
    Nc n = library(at, path);
    fclose(dsl_open(at, path)); /* says what is wrong if it is not there */
    int status = n.open(dsl_found(path, room), READ, &n.file);
    if (status) dsl_fail(at, "E0611", "'%s' is not a readable NetCDF file: %s", path, n.strerror(status));
    return n;
}

static void check_type(Nc *n, int type, int dtype) {
    bool is_float = dtype == DSL_F32 || dtype == DSL_F64;
    bool number = type >= BYTE && type <= UINT64 && type != CHAR;
    if ((is_float && number) || type_of[dtype] == type) return;
    const char *has = type >= BYTE && type <= STRING ? names_of[type] : "records";
    n->close(n->file);
    dsl_fail(n->at, "E0612", "'%s' holds %s there, but %s is needed", n->path, has, dsl_dtype_name(dtype));
}

static void check_rank(Nc *n, int has, int rank) {
    if (has == rank) return;
    n->close(n->file);
    dsl_say_rank(n->at, n->path, " there", has, rank);
    dsl_stop(1);
}

/* ---- reading */

/* A number that an attribute gives, if it does */
static bool number_of(Nc *n, const char *name, double *x) {
    int type;
    size_t length;
    return !n->inq_att(n->group, n->variable, name, &type, &length) && length == 1 && type != CHAR && type != STRING &&
           !n->get_att_double(n->group, n->variable, name, x);
}

static void unpack(Nc *n, double *x, int64_t count) {
    double scale = 1, offset = 0, fill = 0, missing = 0;
    bool packed = number_of(n, "scale_factor", &scale) | number_of(n, "add_offset", &offset);
    bool fills = number_of(n, "_FillValue", &fill), misses = number_of(n, "missing_value", &missing);
    for (int64_t i = 0; (packed || fills || misses) && i < count; i++) {
        bool none = (fills && x[i] == fill) || (misses && x[i] == missing);
        x[i] = none ? NAN : packed ? x[i] * scale + offset : x[i];
    }
}

static dsl_array *read_floats(Nc *n, const DslSlab *s, const size_t *start, const size_t *count, const ptrdiff_t *step,
                              int dtype) {
    dsl_array *wide = dsl_new(n->at, DSL_F64, s->rank, s->dim), *a = wide;
    int status = n->get_vars_double(n->group, n->variable, start, count, step, wide->data);
    if (status) {
        dsl_release(wide);
        check(n, status);
    }
    unpack(n, wide->data, wide->count);
    if (dtype == DSL_F64) return wide;
    a = dsl_new(n->at, dtype, s->rank, s->dim);
    for (int64_t i = 0; i < a->count; i++) ((float *)a->data)[i] = (float)((double *)wide->data)[i];
    dsl_release(wide);
    return a;
}

static dsl_array *read_variable(Nc *n, const DslPart *part, int dtype, int rank) {
    int type, axes, dims[MOST_DIMS];
    uint64_t size[MOST_DIMS];
    char why[256];
    DslSlab s;
    check(n, n->inq_var(n->group, n->variable, NULL, &type, &axes, dims, NULL));
    check_type(n, type, dtype);
    for (int k = 0; k < axes; k++) {
        size_t length;
        check(n, n->inq_dimlen(n->group, dims[k], &length));
        size[k] = length;
    }
    const char *bad = dsl_slab(part, axes, size, rank, &s, why);
    if (bad) {
        n->close(n->file);
        dsl_fail(n->at, "E0611", "'%s' has no such part of '%s': %s", n->path, part->name, bad);
    }
    check_rank(n, s.rank, rank);
    size_t start[DSL_MAX_RANK], count[DSL_MAX_RANK];
    ptrdiff_t step[DSL_MAX_RANK];
    for (int k = 0; k < axes; k++) start[k] = s.start[k], count[k] = s.count[k], step[k] = (ptrdiff_t)s.step[k];
    if (dtype == DSL_F32 || dtype == DSL_F64) return read_floats(n, &s, start, count, step, dtype);
    dsl_array *a = dsl_new(n->at, dtype, s.rank, s.dim);
    int status = n->get_vars(n->group, n->variable, start, count, step, a->data);
    if (status) {
        dsl_release(a);
        check(n, status);
    }
    return a;
}

static void find_attribute(Nc *n, const DslPart *part, const char *text, int *type, size_t *length) {
    if (!n->inq_att(n->group, n->variable, part->attribute, type, length)) return;
    n->close(n->file);
    dsl_fail_part(n->at, n->path, text, "");
}

static dsl_array *read_attribute(Nc *n, const DslPart *part, const char *text, int dtype, int rank) {
    int type;
    size_t length;
    find_attribute(n, part, text, &type, &length);
    check_type(n, type, dtype);
    check_rank(n, 1, rank);
    int64_t dim[1] = {(int64_t)length};
    dsl_array *a = dsl_new(n->at, dtype, 1, dim), *wide = dtype == DSL_F32 ? dsl_new(n->at, DSL_F64, 1, dim) : NULL;
    if (wide) {
        n->get_att_double(n->group, n->variable, part->attribute, wide->data);
        for (size_t i = 0; i < length; i++) ((float *)a->data)[i] = (float)((double *)wide->data)[i];
        dsl_release(wide);
    } else if (dtype == DSL_F64) n->get_att_double(n->group, n->variable, part->attribute, a->data);
    else n->get_att(n->group, n->variable, part->attribute, a->data);
    return a;
}

dsl_array *dsl_netcdf_load(const dsl_site *at, const char *path, const char *text, int dtype, int rank) {
    DslPart part = dsl_part(at, path, text);
    Nc n = open_file(at, path);
    find_variable(&n, &part, text);
    dsl_array *a =
        *part.attribute ? read_attribute(&n, &part, text, dtype, rank) : read_variable(&n, &part, dtype, rank);
    n.close(n.file);
    dsl_tidy_bools(a);
    return a;
}

char *dsl_netcdf_text(const dsl_site *at, const char *path, const char *text) {
    DslPart part = dsl_part(at, path, text);
    Nc n = open_file(at, path);
    int type;
    size_t length;
    char *one = NULL, *out = NULL;
    find_variable(&n, &part, text);
    if (!*part.attribute) fail(&n, "texts are attributes: load(path, \"name@units\")");
    find_attribute(&n, &part, text, &type, &length);
    if (type == CHAR) {
        out = calloc(length + 1, 1);
        if (out) check(&n, n.get_att(n.group, n.variable, part.attribute, out));
    } else if (type == STRING && length == 1) {
        check(&n, n.get_att(n.group, n.variable, part.attribute, &one));
        out = one ? strdup(one) : NULL;
        n.free_string(1, &one);
    } else fail(&n, "that attribute is no text");
    n.close(n.file);
    return out ? out : calloc(1, 1);
}

/* ---- writing */

typedef struct { Nc *n; DslMembers members; } Saved;

static bool has_kind(int dtype) { return type_of[dtype] != 0; }

/* A saved vector of this length stands for the points of an axis, if the array has no other axis of that name. */
static const char *axis_name(const DslMembers *m, int64_t size, const dsl_array *a, int axis, char room[64]) {
    bool first = true;
    for (int k = 0; k < axis; k++) first &= a->dim[k] != size;
    for (int i = 0; first && i < m->n; i++)
        if (m->v[i].a->rank == 1 && m->v[i].a->count == size) return m->v[i].name;
    snprintf(room, 64, first ? "n%lld" : "n%lld_%d", (long long)size, axis);
    return room;
}

/* The dimension, made if it is not there */
static int dimension(const Nc *n, int file, const char *name, int64_t size, int *id, char (*known)[NAME], int *ids,
                     int *count) {
    for (int k = 0; k < *count; k++)
        if (!strcmp(known[k], name)) return *id = ids[k], 0;
    int status = n->def_dim(file, name, (size_t)size, id);
    if (status) return status;
    snprintf(known[*count], NAME, "%s", name);
    ids[(*count)++] = *id;
    return 0;
}

static int define(const Saved *s, int file, int *variables) {
    enum { MOST = 64 };
    char known[MOST][NAME], room[64];
    int ids[MOST], count = 0, status = 0, dims[DSL_MAX_RANK];
    for (int i = 0; !status && i < s->members.n; i++) {
        const dsl_array *a = s->members.v[i].a;
        for (int k = 0; !status && k < a->rank; k++)
            status = dimension(s->n, file, axis_name(&s->members, a->dim[k], a, k, room), a->dim[k], &dims[k], known,
                               ids, &count);
        if (!status)
            status = s->n->def_var(file, s->members.v[i].name, type_of[a->dtype], a->rank, dims, &variables[i]);
    }
    return status ? status : s->n->enddef(file);
}

static bool write_file(const char *beside, const void *what, char why[256]) {
    const Saved *s = what;
    int file, variables[16], status = s->n->create(beside, CLOBBER_4, &file);
    if (!status) {
        status = define(s, file, variables);
        for (int i = 0; !status && i < s->members.n; i++)
            if (s->members.v[i].a->count) status = s->n->put_var(file, variables[i], s->members.v[i].a->data);
        int closed = s->n->close(file);
        if (!status) status = closed;
    }
    if (status) snprintf(why, 256, "%s", s->n->strerror(status));
    return !status;
}

void dsl_netcdf_save(const dsl_site *at, const char *path, DslMembers members) {
    Nc n = library(at, path);
    Saved s = {&n, members};
    dsl_check_members(at, path, members, "/@[", has_kind);
    dsl_write_by_path(at, path, write_file, &s);
}
