/* Files that programs load and save: shared by those that know a format (npy.c and others). */
#ifndef DSL_FILES_H
#define DSL_FILES_H

#include "runtime/dsl.h"

#include <stdio.h>

enum { DSL_PATH = 4096 };
/* The file that is read under this name */
const char *dsl_found(const char *path, char room[DSL_PATH]);
/* Opened for reading; E0610: it cannot be */
FILE *dsl_open(const dsl_site *at, const char *path);
typedef bool DslWriter(FILE *f, const void *what); /* false: errno tells why */
/* Writes beside the target and renames; E0614: it cannot be written */
void dsl_write(const dsl_site *at, const char *path, DslWriter *write, const void *what);
/* The same for libraries that write files themselves, at `beside`; false: `why` tells */
typedef bool DslPathWriter(const char *beside, const void *what, char why[256]);
void dsl_write_by_path(const dsl_site *at, const char *path, DslPathWriter *write, const void *what);
/* The bytes of a file, which the caller frees, and a NUL behind them; E0610: it cannot be read */
unsigned char *dsl_read_all(const dsl_site *at, const char *path, size_t *n);
/* E0613: the array has so many axes, where it is named as `where` says, and others are wanted; the caller stops */
DSL_COLD void dsl_say_rank(const dsl_site *at, const char *path, const char *where, int has, int wanted);
/* Whether path ends in one of the words, which are parted by blanks: ".png .pgm" */
bool dsl_ends_in(const char *path, const char *words);

/* What is saved in a file of several arrays */
typedef struct DslMember { const char *name; const dsl_array *a; } DslMember;
typedef struct DslMembers { const DslMember *v; int n; bool small; } DslMembers; /* small: compressed */
/* No name twice, none that is empty or has a character of `not`; has_kind: whether such numbers can be in the file,
 * NULL: all can; E0614 */
void dsl_check_members(const dsl_site *at, const char *path, DslMembers members, const char *not,
                       bool (*has_kind)(int dtype));

/* ---- library.c: libraries that are loaded when they are asked for; E0619: one is not there */
typedef struct DslFunction { const char *name; void **to; } DslFunction;
/* The first of the files that is there (parted by blanks), and its functions; package: Debian's, for the hint */
void *dsl_library(const dsl_site *at, const char *what, const char *files, const char *package,
                  const DslFunction *functions, int n);

/* ---- zlib.c */
uint32_t dsl_crc32(const dsl_site *at, const unsigned char *p, size_t n, uint32_t before);
/* n bytes at p, deflated; raw: without zlib's head and sum.  The caller frees them; NULL: no memory */
unsigned char *dsl_deflate(const dsl_site *at, const unsigned char *p, size_t n, bool raw, size_t *made);
/* Fills all m bytes at `to`; NULL, or what is wrong */
const char *dsl_inflate(const dsl_site *at, const unsigned char *p, size_t n, bool raw, unsigned char *to, size_t m);
enum { DSL_MOST_INFLATED = 1032 }; /* times as many bytes as there are; more is no honest size */

/* ---- npz.c: a .zip of .npy files */
dsl_array *dsl_npz_load(const dsl_site *at, const char *path, const char *member, int dtype, int rank);
void dsl_npz_save(const dsl_site *at, const char *path, DslMembers members);

/* ---- npy.c: what stands in memory, of `path` in messages; pairs: complex numbers.  Frees the bytes. */
dsl_array *dsl_npy_from(const dsl_site *at, const char *path, unsigned char *bytes, size_t n, int dtype, int rank,
                        bool pairs);
/* Of an array of bools as it was read any byte but 0 is true; others are left alone */
void dsl_tidy_bools(dsl_array *a);
/* count numbers of so many bytes, each turned around */
void dsl_swap_bytes(unsigned char *p, int64_t count, int bytes);
/* The head of the file of a; its length, at most 512 */
size_t dsl_npy_head(char out[512], const dsl_array *a);

/* ---- part.c: what load names inside a file: "name", "name@attribute", "name[0:10, :, -1]" */
typedef struct DslPart {
    char name[256], attribute[128];
    const char *ranges; /* behind '['; NULL: all */
} DslPart;
DslPart dsl_part(const dsl_site *at, const char *path, const char *text);
/* Whether complex numbers are wanted, as pairs: stdlib/complex.dsl marks the part.  name: the length of what stands
 * before the mark */
bool dsl_wants_pairs(const char *part, size_t *name);
/* What is read along each axis; an index drops its axis */
typedef struct DslSlab {
    int axes, rank; /* of the file's array, of the result */
    uint64_t start[DSL_MAX_RANK], count[DSL_MAX_RANK], step[DSL_MAX_RANK];
    int64_t dim[DSL_MAX_RANK]; /* of the result */
} DslSlab;
/* Of an array with these sizes the part, as an array of so many axes; NULL, or what is wrong, in `why` */
const char *dsl_slab(const DslPart *part, int axes, const uint64_t *size, int rank, DslSlab *out, char why[256]);
/* E0611: a file has no such part; names: what it has */
DSL_COLD __attribute__((noreturn)) void dsl_fail_part(const dsl_site *at, const char *path, const char *part,
                                                      const char *names);

/* ---- netcdf.c, hdf5.c: files of arrays with names, by their libraries */
dsl_array *dsl_netcdf_load(const dsl_site *at, const char *path, const char *part, int dtype, int rank);
void dsl_netcdf_save(const dsl_site *at, const char *path, DslMembers members);
char *dsl_netcdf_text(const dsl_site *at, const char *path, const char *part); /* the caller frees it */
dsl_array *dsl_hdf5_load(const dsl_site *at, const char *path, const char *part, int dtype, int rank);
void dsl_hdf5_save(const dsl_site *at, const char *path, DslMembers members);
char *dsl_hdf5_text(const dsl_site *at, const char *path, const char *part);

/* ---- raw.c: numbers one after the other, as they lie in memory */
bool dsl_is_raw(const char *path);
dsl_array *dsl_raw_load(const dsl_site *at, const char *path, const char *part, int dtype, int rank);
void dsl_raw_save(const dsl_site *at, const char *path, const dsl_array *a);

/* ---- raster.c, png.c, pnm.c: pictures as arrays */
typedef struct DslRaster { int64_t rows, columns; int channels, bytes; unsigned char *data; } DslRaster;
/* Of each channel of each pixel 1 or 2 bytes (in the machine's order), row by row from the top.  most: the value of
 * full light.  NULL, or what is wrong; then data is freed. */
const char *dsl_png_read(const dsl_site *at, const unsigned char *p, size_t n, DslRaster *r);
const char *dsl_pnm_read(const unsigned char *p, size_t n, DslRaster *r, int *most, char why[256]);
/* Numbers of PNG, high bytes first, and its chunks: 4 letters, what stands in two pieces, a checksum */
uint32_t dsl_png_number(const unsigned char *p); /* of 4 bytes */
void dsl_png_put(unsigned char *p, uint32_t x, int bytes);
bool dsl_png_chunk(const dsl_site *at, FILE *f, const char *kind, const unsigned char *p, size_t n,
                   const unsigned char *q, size_t m);
bool dsl_png_write(const dsl_site *at, FILE *f, const DslRaster *r);
bool dsl_pnm_write(FILE *f, const DslRaster *r);
bool dsl_is_raster(const char *path);
dsl_array *dsl_raster_load(const dsl_site *at, const char *path, int dtype, int rank);
void dsl_raster_save(const dsl_site *at, const char *path, const dsl_array *a);

#endif
