/* Pictures as arrays: .png, .pgm, .ppm.  Row 0 is at the top.
 *
 * A matrix is a gray picture; an array with three axes has channels along the last: gray, gray and how opaque, red
 * green blue, and how opaque.  u8 and u16 are the numbers in the file, floats are from 0, dark, to 1. */
#include "runtime/files.h"

#include <stdlib.h>
#include <string.h>

bool dsl_is_raster(const char *path) { return dsl_ends_in(path, ".png .ppm .pgm .pnm"); }

static bool is_float(int dtype) { return dtype == DSL_F32 || dtype == DSL_F64; }

/* ---- reading */

static DSL_COLD __attribute__((noreturn)) void fail_kind(const dsl_site *at, const char *path, DslRaster r, int dtype,
                                                         int rank) {
    const char *type = r.bytes == 2 ? "u16" : "u8";
    free(r.data);
    if (!is_float(dtype) && dtype != (r.bytes == 2 ? DSL_U16 : DSL_U8)) {
        dsl_say_error(at, "E0612", "'%s' holds %s, but %s is needed", path, type, dsl_dtype_name(dtype));
        dsl_say_hint("load it as %s, or as f64: from 0, dark, to 1", type);
    } else {
        dsl_say_error(at, "E0613", "'%s' holds a picture of %d channels, but an array with %d ax%s is needed", path,
                      r.channels, rank, rank == 1 ? "is" : "es");
        dsl_say_hint("channels are the last axis: let p: %s[h, w, c] = load(\"%s\")", dsl_dtype_name(dtype), path);
    }
    dsl_stop(1);
}

static DslRaster read_raster(const dsl_site *at, const char *path, int *most) {
    char room[256];
    size_t n;
    DslRaster r;
    unsigned char *bytes = dsl_read_all(at, path, &n);
    bool png = n > 0 && *bytes == 0x89;
    const char *why = png ? dsl_png_read(at, bytes, n, &r) : dsl_pnm_read(bytes, n, &r, most, room);
    free(bytes);
    if (why) dsl_fail(at, "E0611", "'%s' is not a readable picture: %s", path, why);
    if (png) *most = r.bytes == 2 ? 65535 : 255;
    return r;
}

static double value(const DslRaster *r, int64_t i) {
    return r->bytes == 2 ? ((const uint16_t *)(const void *)r->data)[i] : r->data[i];
}

dsl_array *dsl_raster_load(const dsl_site *at, const char *path, int dtype, int rank) {
    int most = 255;
    DslRaster r = read_raster(at, path, &most);
    bool fits = is_float(dtype) || dtype == (r.bytes == 2 ? DSL_U16 : DSL_U8);
    if (!fits || !(rank == 3 || (rank == 2 && r.channels == 1))) fail_kind(at, path, r, dtype, rank);
    int64_t dim[3] = {r.rows, r.columns, r.channels};
    dsl_array *a = dsl_new(at, dtype, rank, dim);
    if (!is_float(dtype)) memcpy(a->data, r.data, (size_t)(a->count * r.bytes));
    for (int64_t i = 0; is_float(dtype) && i < a->count; i++) {
        double x = value(&r, i) / most;
        if (dtype == DSL_F64) ((double *)a->data)[i] = x;
        else ((float *)a->data)[i] = (float)x;
    }
    free(r.data);
    return a;
}

/* ---- writing */

typedef struct { const dsl_site *at; const char *path; DslRaster r; } Saved;

/* From 0 to 1 into 0 to 255; nan is dark */
static unsigned char shade(double x) { return (unsigned char)(x > 0 ? (x < 1 ? x * 255 + 0.5 : 255) : 0); }

static bool to_bytes(const dsl_array *a, unsigned char *out) {
    for (int64_t i = 0; i < a->count; i++) {
        switch (a->dtype) {
        case DSL_BOOL: out[i] = ((bool *)a->data)[i] ? 255 : 0; break;
        case DSL_F32: out[i] = shade((double)((float *)a->data)[i]); break;
        case DSL_F64: out[i] = shade(((double *)a->data)[i]); break;
        default: return false;
        }
    }
    return true;
}

static bool write_raster(FILE *f, const void *what) {
    const Saved *s = what;
    return dsl_ends_in(s->path, ".png") ? dsl_png_write(s->at, f, &s->r) : dsl_pnm_write(f, &s->r);
}

static DSL_COLD __attribute__((noreturn)) void fail_save(const dsl_site *at, const char *path, const char *why) {
    dsl_say_error(at, "E0614", "cannot write '%s': %s", path, why);
    dsl_say_hint("a picture is u8[h, w], u16[h, w], bool[h, w], floats from 0 to 1, or has a third axis of channels");
    dsl_stop(1);
}

static const char *check_shape(const char *path, const dsl_array *a) {
    bool png = dsl_ends_in(path, ".png");
    int64_t channels = a->rank == 3 ? a->dim[2] : 1;
    if (a->rank < 2 || a->rank > 3) return "a picture has rows and columns, and perhaps channels";
    if (a->dim[0] < 1 || a->dim[1] < 1 || a->dim[0] > 1 << 30 || a->dim[1] > 1 << 30) return "a picture has pixels";
    if (channels < 1 || channels > 4) return "a picture has 1 to 4 channels";
    if (!png && channels != 1 && channels != 3) return ".pgm and .ppm have 1 or 3 channels";
    if (!png && channels != (dsl_ends_in(path, ".pgm") ? 1 : dsl_ends_in(path, ".ppm") ? 3 : channels))
        return channels == 1 ? "a .ppm has 3 channels, gray is .pgm" : "a .pgm is gray, colours are .ppm";
    return NULL;
}

void dsl_raster_save(const dsl_site *at, const char *path, const dsl_array *a) {
    const char *why = check_shape(path, a);
    bool as_is = a->dtype == DSL_U8 || a->dtype == DSL_U16;
    if (why) fail_save(at, path, why);
    if (dsl_ends_in(path, ".png")) dsl_crc32(at, NULL, 0, 0); /* zlib is there, before a file is begun */
    Saved s = {
        at, path, {a->dim[0], a->dim[1], a->rank == 3 ? (int)a->dim[2] : 1, a->dtype == DSL_U16 ? 2 : 1, a->data}};
    if (!as_is) s.r.data = malloc((size_t)a->count);
    if (!s.r.data) fail_save(at, path, "there is not enough memory");
    if (!as_is && !to_bytes(a, s.r.data)) {
        free(s.r.data);
        fail_save(at, path, "its numbers are no shades");
    }
    dsl_write(at, path, write_raster, &s); /* where that fails, the program ends */
    if (!as_is) free(s.r.data);
}
