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

#endif
