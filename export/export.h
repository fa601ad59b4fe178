/* Libraries: what the files of this folder share.
 *
 * interface.c reads from the checked program what C sees of each exported function; header.c and wrap.c write that
 * down, as the header and as the C functions behind it; package.c makes the library of it. */
#ifndef DSL_EXPORT_H
#define DSL_EXPORT_H

#include "driver/driver.h"

/* A parameter of a C function: a number, a text, an array of numbers or structs, a struct.  Of a struct: a field. */
typedef struct Slot { const char *name; const FType *type; } Slot;
typedef VEC(Slot) SlotVec;

typedef struct OutSize { const char *name; const Size *size; } OutSize; /* a size known after the call */

typedef struct Exported {
    const Inst *inst;
    const char *c_name;     /* waves_step */
    VEC(const char *) sizes; /* names of the parameters that are sizes */
    SlotVec in, out;
    VEC(OutSize) out_sizes;
    Map syms;               /* size symbol -> name of the C parameter that has it */
} Exported;

typedef struct Interface {
    Session *session;
    Arena *arena;
    const char *name, *capital; /* waves, WAVES */
    VEC(Exported *) funcs;      /* in the order of the file */
    VEC(const FType *) structs; /* those they mention, the inner ones first */
} Interface;

/* ---- interface.c.  NULL: reported. */
Interface *interface_read(const Options *o, const Program *p, const char *name);
/* The fields of a struct; those of tuples in it stand for the tuples. */
SlotVec interface_fields(const Interface *x, const FType *type);
const char *interface_struct_name(const Interface *x, const FType *type); /* waves_Body */
const char *interface_c_type(DType t);                                  /* of an element in the caller's memory */
bool interface_is_inline(const FType *t); /* of a struct's field: an array that is part of the struct */
const char *interface_size(const Interface *x, const Exported *f, const Size *s); /* in C */
bool interface_size_is_known(const Exported *f, const Size *s);  /* before the call */
bool interface_shape_is_known(const Exported *f, const FType *array);

/* ---- header.c, wrap.c */
void header_write(Text *out, const Interface *x);
void wrap_write(Text *out, const Interface *x);
/* "int waves_step(waves_context *context, int64_t n, ...)" */
void header_signature(Text *out, const Interface *x, const Exported *f);
/* The functions that every library has: calls f for each, with its declaration and its body. */
typedef void CommonFn(void *ctx, const char *doc, const char *declaration, const char *body);
void header_each_common(const Interface *x, CommonFn *f, void *ctx);

/* ---- package.c: build --lib */
int library_build(const Options *o);

#endif
