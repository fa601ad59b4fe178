/* HDF5 files, by the HDF Group's library, which is loaded when it is asked for.
 *
 * Floats take numbers of any kind; ints take those of their own kind, bools what h5py writes for them. */
#include "runtime/files.h"

#include <stdlib.h>
#include <string.h>

typedef int64_t Id; /* of everything that is open; below 0: failed */
enum { READ = 0, TRUNCATE = 2, ALL = 0, SET = 0, INTEGER = 0, REAL = 1, TEXT = 3, ENUM = 8, MOST_AXES = 32 };

#define FUNCTIONS(F)                                                                                                   \
    F(int, open, (void))                                                                                               \
    F(int, get_libversion, (unsigned *, unsigned *, unsigned *))                                                       \
    F(int, Eset_auto2, (Id, void *, void *))                                                                           \
    F(Id, Fopen, (const char *, unsigned, Id))                                                                         \
    F(Id, Fcreate, (const char *, unsigned, Id, Id))                                                                   \
    F(int, Fclose, (Id))                                                                                               \
    F(Id, Oopen, (Id, const char *, Id))                                                                               \
    F(int, Oclose, (Id))                                                                                               \
    F(int, Iget_type, (Id))                                                                                            \
    F(int64_t, Lget_name_by_idx, (Id, const char *, int, int, uint64_t, char *, size_t, Id))                           \
    F(Id, Dget_space, (Id))                                                                                            \
    F(Id, Dget_type, (Id))                                                                                             \
    F(int, Dread, (Id, Id, Id, Id, Id, void *))                                                                        \
    F(Id, Dcreate2, (Id, const char *, Id, Id, Id, Id, Id))                                                            \
    F(int, Dwrite, (Id, Id, Id, Id, Id, const void *))                                                                 \
    F(int, Dclose, (Id))                                                                                               \
    F(Id, Aopen, (Id, const char *, Id))                                                                               \
    F(Id, Aget_space, (Id))                                                                                            \
    F(Id, Aget_type, (Id))                                                                                             \
    F(int, Aread, (Id, Id, void *))                                                                                    \
    F(int, Aclose, (Id))                                                                                               \
    F(int, Sget_simple_extent_ndims, (Id))                                                                             \
    F(int, Sget_simple_extent_dims, (Id, uint64_t *, uint64_t *))                                                      \
    F(int, Sselect_hyperslab, (Id, int, const uint64_t *, const uint64_t *, const uint64_t *, const uint64_t *))       \
    F(Id, Screate_simple, (int, const uint64_t *, const uint64_t *))                                                   \
    F(int, Sclose, (Id))                                                                                               \
    F(int, Tget_class, (Id))                                                                                           \
    F(size_t, Tget_size, (Id))                                                                                         \
    F(int, Tget_sign, (Id))                                                                                            \
    F(int, Tis_variable_str, (Id))                                                                                     \
    F(int, Tclose, (Id))                                                                                               \
    F(Id, Pcreate, (Id))                                                                                               \
    F(int, Pset_create_intermediate_group, (Id, unsigned))                                                             \
    F(int, Pclose, (Id))                                                                                               \
    F(int, free_memory, (void *))

/* Kinds of numbers in memory: the library's variables of these names */
static const char *const native[] = {
    [DSL_BOOL] = "SCHAR", [DSL_I8] = "SCHAR",  [DSL_I16] = "SHORT",  [DSL_I32] = "INT",    [DSL_I64] = "LLONG",
    [DSL_U8] = "UCHAR",   [DSL_U16] = "USHORT", [DSL_U32] = "UINT",  [DSL_U64] = "ULLONG", [DSL_F16] = NULL,
    [DSL_BF16] = NULL,    [DSL_F32] = "FLOAT", [DSL_F64] = "DOUBLE"};

typedef struct {
#define POINTER(type, name, params) type(*name) params;
    FUNCTIONS(POINTER)
#undef POINTER
    const dsl_site *at;
    const char *path;
    Id file, object, attribute, space, type; /* -1: not open */
} H5;

static void close_all(H5 *h) {
    if (h->type >= 0) h->Tclose(h->type);
    if (h->space >= 0) h->Sclose(h->space);
    if (h->attribute >= 0) h->Aclose(h->attribute);
    if (h->object >= 0) h->Oclose(h->object);
    if (h->file >= 0) h->Fclose(h->file);
    h->type = h->space = h->attribute = h->object = h->file = -1;
}

static DSL_COLD __attribute__((noreturn)) void fail(H5 *h, const char *why) {
    close_all(h);
    dsl_fail(h->at, "E0611", "'%s' is not a readable HDF5 file: %s", h->path, why);
}

static const char files[] = "libhdf5_serial.so.103 libhdf5.so.310 libhdf5_serial.so.310 libhdf5.so.200 libhdf5.so.103 "
                            "libhdf5_serial.so libhdf5.so";

static H5 library(const dsl_site *at, const char *path) {
    H5 h = {.at = at, .path = path, .file = -1, .object = -1, .attribute = -1, .space = -1, .type = -1};
    unsigned major, minor, release;
#define ROW(type, name, params) {"H5" #name, (void **)&h.name},
    DslFunction all[] = {FUNCTIONS(ROW)};
#undef ROW
    dsl_library(at, "HDF5", files, "libhdf5-103-1", all, sizeof all / sizeof *all);
    h.get_libversion(&major, &minor, &release);
    if (major < 2 && (major < 1 || minor < 10))
        dsl_fail(at, "E0619", "HDF5 1.10 is needed, and %u.%u is there", major, minor);
    h.open();
    h.Eset_auto2(0, NULL, NULL); /* we say ourselves what is wrong */
    return h;
}

/* A variable of the library, such as H5T_NATIVE_INT_g */
static Id known(const H5 *h, const char *format, const char *name) {
    char symbol[64];
    void *at;
    snprintf(symbol, sizeof symbol, format, name);
    DslFunction one = {symbol, &at};
    dsl_library(h->at, "HDF5", files, "libhdf5-103-1", &one, 1);
    return *(Id *)at;
}

static Id native_type(const H5 *h, int dtype) { return known(h, "H5T_NATIVE_%s_g", native[dtype]); }

/* ---- finding an array */

static DSL_COLD __attribute__((noreturn)) void fail_name(H5 *h, const char *part) {
    char names[600] = "", name[64];
    size_t n = 0;
    for (uint64_t k = 0; n < sizeof names - 80 && h->Lget_name_by_idx(h->file, ".", 0, 0, k, name, sizeof name, 0) >= 0;
         k++)
        n += (size_t)snprintf(names + n, sizeof names - n, "%s%s", k ? ", " : "", name);
    close_all(h);
    dsl_fail_part(h->at, h->path, part, names);
}

/* The name of the only thing that is in the file */
static void only_name(H5 *h, DslPart *part) {
    char second[8];
    bool one = h->Lget_name_by_idx(h->file, ".", 0, 0, 0, part->name, sizeof part->name, 0) >= 0 &&
               h->Lget_name_by_idx(h->file, ".", 0, 0, 1, second, sizeof second, 0) < 0;
    if (!one) fail_name(h, "");
}

static H5 open_part(const dsl_site *at, const char *path, DslPart *part, const char *text) {
    enum { DATASET = 5 };
    char room[DSL_PATH];
    H5 h = library(at, path);
    fclose(dsl_open(at, path)); /* says what is wrong if it is not there */
    h.file = h.Fopen(dsl_found(path, room), READ, 0);
    if (h.file < 0) fail(&h, "it is damaged, or of another kind");
    if (!*part->name && !*part->attribute) only_name(&h, part);
    h.object = h.Oopen(h.file, *part->name ? part->name : "/", 0);
    if (h.object < 0 || (!*part->attribute && h.Iget_type(h.object) != DATASET)) fail_name(&h, text);
    if (*part->attribute) {
        h.attribute = h.Aopen(h.object, part->attribute, 0);
        if (h.attribute < 0) fail_name(&h, text);
    }
    h.space = *part->attribute ? h.Aget_space(h.attribute) : h.Dget_space(h.object);
    h.type = *part->attribute ? h.Aget_type(h.attribute) : h.Dget_type(h.object);
    return h;
}

static void name_of_type(const H5 *h, char out[32]) {
    int class = h->Tget_class(h->type), bits = (int)h->Tget_size(h->type) * 8;
    if (class == TEXT) strcpy(out, "text");
    else if (class == ENUM) strcpy(out, "bool");
    else if (class == INTEGER || class == REAL)
        snprintf(out, 32, "%c%d", class == REAL ? 'f' : h->Tget_sign(h->type) ? 'i' : 'u', bits);
    else strcpy(out, "records");
}

/* What the numbers become in memory */
static Id memory_type(H5 *h, int dtype) {
    char has[32];
    int class = h->Tget_class(h->type);
    bool number = class == INTEGER || class == REAL, is_float = dtype == DSL_F32 || dtype == DSL_F64;
    if (dtype == DSL_BOOL && class == ENUM && h->Tget_size(h->type) == 1) return h->type;
    name_of_type(h, has);
    if ((is_float && number) || !strcmp(has, dsl_dtype_name(dtype))) return native_type(h, dtype);
    close_all(h);
    dsl_fail(h->at, "E0612", "'%s' holds %s there, but %s is needed", h->path, has, dsl_dtype_name(dtype));
}

/* ---- reading */

static dsl_array *read_slab(H5 *h, const DslSlab *s, Id type, int dtype, bool is_attribute) {
    dsl_array *a = dsl_new(h->at, dtype, s->rank, s->dim);
    int status = 0;
    if (is_attribute) status = h->Aread(h->attribute, type, a->data);
    else if (!s->axes) status = h->Dread(h->object, type, ALL, ALL, 0, a->data);
    else if (a->count) {
        Id memory = h->Screate_simple(s->axes, s->count, NULL);
        status = h->Sselect_hyperslab(h->space, SET, s->start, s->step, s->count, NULL);
        if (status >= 0) status = h->Dread(h->object, type, memory, h->space, 0, a->data);
        h->Sclose(memory);
    }
    if (status >= 0) return a;
    dsl_release(a);
    fail(h, "what it holds cannot be read");
}

dsl_array *dsl_hdf5_load(const dsl_site *at, const char *path, const char *text, int dtype, int rank) {
    DslPart part = dsl_part(at, path, text);
    H5 h = open_part(at, path, &part, text);
    uint64_t size[MOST_AXES];
    char why[256];
    DslSlab s;
    int axes = h.Sget_simple_extent_ndims(h.space);
    if (axes < 0 || axes > MOST_AXES || h.Sget_simple_extent_dims(h.space, size, NULL) < 0)
        fail(&h, "it holds no array there");
    if (!native[dtype]) fail(&h, "it has no such numbers");
    const char *bad = dsl_slab(&part, axes, size, rank, &s, why);
    if (bad) {
        close_all(&h);
        dsl_fail(at, "E0611", "'%s' has no such part of '%s': %s", path, part.name, bad);
    }
    Id type = memory_type(&h, dtype);
    if (s.rank != rank) {
        close_all(&h);
        dsl_say_rank(at, path, " there", s.rank, rank);
        dsl_stop(1);
    }
    dsl_array *a = read_slab(&h, &s, type, dtype, *part.attribute);
    close_all(&h);
    dsl_tidy_bools(a);
    return a;
}

/* A text of the library's, or one of a fixed length */
static char *read_text(H5 *h, bool is_attribute) {
    char *one = NULL, *out = NULL;
    size_t n = h->Tget_size(h->type);
    bool variable = h->Tis_variable_str(h->type) > 0;
    void *to = variable ? (void *)&one : (out = calloc(n + 1, 1));
    int status = !to            ? -1
                 : is_attribute ? h->Aread(h->attribute, h->type, to)
                                : h->Dread(h->object, h->type, ALL, ALL, 0, to);
    if (variable && one) {
        out = strdup(one);
        h->free_memory(one);
    }
    if (status >= 0 && out) return out;
    free(out);
    fail(h, "that text cannot be read");
}

char *dsl_hdf5_text(const dsl_site *at, const char *path, const char *text) {
    DslPart part = dsl_part(at, path, text);
    H5 h = open_part(at, path, &part, text);
    uint64_t size[MOST_AXES] = {1};
    int axes = h.Sget_simple_extent_ndims(h.space);
    if (axes > 0 && axes <= MOST_AXES) h.Sget_simple_extent_dims(h.space, size, NULL);
    if (h.Tget_class(h.type) != TEXT || axes > 1 || size[0] != 1) fail(&h, "no single text is there");
    char *out = read_text(&h, *part.attribute);
    close_all(&h);
    return out;
}

/* ---- writing */

typedef struct { H5 *h; DslMembers members; } Saved;

static bool has_kind(int dtype) { return native[dtype] != NULL; }

static bool write_member(const Saved *s, Id file, Id links, const DslMember *m) {
    H5 *h = s->h;
    uint64_t size[DSL_MAX_RANK];
    for (int k = 0; k < m->a->rank; k++) size[k] = (uint64_t)m->a->dim[k];
    Id type = native_type(h, m->a->dtype), space = h->Screate_simple(m->a->rank, size, NULL);
    Id set = space < 0 ? -1 : h->Dcreate2(file, m->name, type, space, links, 0, 0);
    bool ok = set >= 0 && h->Dwrite(set, type, ALL, ALL, 0, m->a->data) >= 0;
    if (set >= 0) ok &= h->Dclose(set) >= 0;
    if (space >= 0) h->Sclose(space);
    return ok;
}

static bool write_file(const char *beside, const void *what, char why[256]) {
    const Saved *s = what;
    H5 *h = s->h;
    Id links = h->Pcreate(known(h, "H5P_CLS_%s_ID_g", "LINK_CREATE")), file = h->Fcreate(beside, TRUNCATE, 0, 0);
    bool ok = file >= 0 && links >= 0 && h->Pset_create_intermediate_group(links, 1) >= 0;
    for (int i = 0; ok && i < s->members.n; i++) ok = write_member(s, file, links, &s->members.v[i]);
    if (file >= 0) ok &= h->Fclose(file) >= 0;
    if (links >= 0) h->Pclose(links);
    if (!ok) snprintf(why, 256, "HDF5 could not write it");
    return ok;
}

void dsl_hdf5_save(const dsl_site *at, const char *path, DslMembers members) {
    H5 h = library(at, path);
    Saved s = {&h, members};
    dsl_check_members(at, path, members, "@[", has_kind);
    dsl_write_by_path(at, path, write_file, &s);
}
