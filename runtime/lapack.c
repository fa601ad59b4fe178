/* Decompositions by LAPACK, which comes with OpenBLAS (blas.c): what the library's functions of these names take apart.
 *
 * LAPACK sees a matrix of rows as its transpose; where that would change the answer it is transposed.  Several results
 * are one vector, one after the other. */
#include "runtime/gen.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct { const dsl_site *at; const char *what; int info; double *work; int lwork, *iwork; } Job;

static void *memory(size_t n, size_t bytes) {
    void *p = malloc(n ? n * bytes : 1);
    if (!p) dsl_fail(dsl_current_site(), "E0603", "not enough memory for a decomposition");
    return p;
}

static int axis_of(const Job *job, int64_t n) {
    if (n > INT_MAX / 4)
        dsl_fail(job->at, "E0619", "%s: a matrix axis of %lld is too long for this operation", job->what, (long long)n);
    return (int)n;
}

static void need_finite(const Job *job, const dsl_array *a) {
    for (int64_t i = 0; i < a->count; i++)
        if (!isfinite(((const double *)a->data)[i]))
            dsl_fail(job->at, "E0618", "%s: the matrix holds NaN or infinity", job->what);
}

/* The size that LAPACK asked for, in work[0] */
static void give_work(Job *job, double wanted) {
    job->lwork = (int)wanted;
    job->work = memory((size_t)job->lwork, sizeof(double));
}

static void end(Job *job) {
    free(job->work);
    free(job->iwork);
    if (job->info > 0) dsl_fail(job->at, "E0618", "%s: the iteration did not converge", job->what);
}

static dsl_array *vector(const Job *job, int64_t n) { return dsl_new(job->at, DSL_F64, 1, &n); }

static double *copy_of(const dsl_array *a) {
    double *p = memory((size_t)a->count, sizeof(double));
    if (a->count) memcpy(p, a->data, (size_t)a->count * sizeof(double));
    return p;
}

/* ---- singular values: of the transpose A' = V S U', whose factors stand as rows of what is asked for */

typedef void Gesdd(const char *jobz, const int *m, const int *n, double *a, const int *lda, double *s, double *u,
                   const int *ldu, double *vt, const int *ldvt, double *work, const int *lwork, int *iwork, int *info,
                   size_t len);

/* stdlib: u[m, k], s[k], vt[k, n] of a[m, n] */
dsl_array *dsl_m_svd(const dsl_array *a) {
    Job job = {.at = dsl_current_site(), .what = "svd", .lwork = -1};
    int m = axis_of(&job, a->dim[0]), n = axis_of(&job, a->dim[1]), k = m < n ? m : n;
    need_finite(&job, a);
    dsl_array *out = vector(&job, (int64_t)m * k + k + (int64_t)k * n);
    double *u = out->data, *s = u + (int64_t)m * k, *vt = s + k, wanted = 0;
    if (!k) return out;
    Gesdd *gesdd = (Gesdd *)dsl_lapack(job.at, "dgesdd_");
    double *copy = copy_of(a);
    job.iwork = memory(8 * (size_t)k, sizeof(int));
    gesdd("S", &n, &m, copy, &n, s, vt, &n, u, &k, &wanted, &job.lwork, job.iwork, &job.info, 1);
    give_work(&job, wanted);
    gesdd("S", &n, &m, copy, &n, s, vt, &n, u, &k, job.work, &job.lwork, job.iwork, &job.info, 1);
    free(copy);
    end(&job);
    return out;
}

/* ---- A = Q R: A' = L Q' */

typedef void Gelqf(const int *m, const int *n, double *a, const int *lda, double *tau, double *work, const int *lwork,
                   int *info);
typedef void Orglq(const int *m, const int *n, const int *k, double *a, const int *lda, const double *tau, double *work,
                   const int *lwork, int *info);

static void factor(Job *job, double *a, int m, int n, double *tau) {
    Gelqf *gelqf = (Gelqf *)dsl_lapack(job->at, "dgelqf_");
    double wanted = 0;
    gelqf(&n, &m, a, &n, tau, &wanted, &job->lwork, &job->info);
    give_work(job, wanted);
    gelqf(&n, &m, a, &n, tau, job->work, &job->lwork, &job->info);
    free(job->work);
    job->work = NULL;
    job->lwork = -1;
}

/* stdlib: q[m, k], r[k, n] of a[m, n] */
dsl_array *dsl_m_qr(const dsl_array *a) {
    Job job = {.at = dsl_current_site(), .what = "qr", .lwork = -1};
    int m = axis_of(&job, a->dim[0]), n = axis_of(&job, a->dim[1]), k = m < n ? m : n;
    need_finite(&job, a);
    dsl_array *out = vector(&job, (int64_t)m * k + (int64_t)k * n);
    double *q = out->data, *r = q + (int64_t)m * k, wanted = 0;
    if (!k) return out;
    Orglq *orglq = (Orglq *)dsl_lapack(job.at, "dorglq_");
    double *copy = copy_of(a), *tau = memory((size_t)k, sizeof(double));
    factor(&job, copy, m, n, tau);
    for (int i = 0; i < k; i++)
        for (int j = 0; j < n; j++) r[(int64_t)i * n + j] = j < i ? 0 : copy[(int64_t)i * n + j];
    orglq(&k, &m, &k, copy, &n, tau, &wanted, &job.lwork, &job.info);
    give_work(&job, wanted);
    orglq(&k, &m, &k, copy, &n, tau, job.work, &job.lwork, &job.info);
    for (int i = 0; i < m; i++) memcpy(q + (int64_t)i * k, copy + (int64_t)i * n, (size_t)k * sizeof(double));
    free(copy);
    free(tau);
    end(&job);
    return out;
}

/* ---- eigenvalues of any square matrix */

typedef void Geev(const char *jobvl, const char *jobvr, const int *n, double *a, const int *lda, double *wr, double *wi,
                  double *vl, const int *ldvl, double *vr, const int *ldvr, double *work, const int *lwork, int *info,
                  size_t len1, size_t len2);

/* Column j of v stands as row j of `rows`; a pair of conjugates is two rows, the real and the imaginary part. */
static void put_vectors(const double *rows, const double *wi, int n, double *re, double *im) {
    for (int j = 0; j < n; j++) {
        bool first = wi[j] > 0, second = wi[j] < 0;
        const double *x = rows + (int64_t)(second ? j - 1 : j) * n, *y = first    ? x + n
                                                                         : second ? rows + (int64_t)j * n
                                                                                  : NULL;
        for (int i = 0; i < n; i++) {
            re[(int64_t)i * n + j] = x[i];
            im[(int64_t)i * n + j] = !y ? 0 : second ? -y[i] : y[i];
        }
    }
}

/* stdlib: real and imaginary parts of the values, n each, and of the vectors, which are columns, n * n each */
dsl_array *dsl_m_eig(const dsl_array *a) {
    Job job = {.at = dsl_current_site(), .what = "eig", .lwork = -1};
    int n = axis_of(&job, a->dim[0]);
    need_finite(&job, a);
    dsl_array *out = vector(&job, 2 * (int64_t)n + 2 * (int64_t)n * n);
    double *wr = out->data, *wi = wr + n, *re = wi + n, *im = re + (int64_t)n * n, wanted = 0;
    if (!n) return out;
    Geev *geev = (Geev *)dsl_lapack(job.at, "dgeev_");
    double *t = memory((size_t)a->count, sizeof(double)), *rows = memory((size_t)a->count, sizeof(double));
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) t[(int64_t)j * n + i] = ((const double *)a->data)[(int64_t)i * n + j];
    geev("N", "V", &n, t, &n, wr, wi, NULL, &n, rows, &n, &wanted, &job.lwork, &job.info, 1, 1);
    give_work(&job, wanted);
    geev("N", "V", &n, t, &n, wr, wi, NULL, &n, rows, &n, job.work, &job.lwork, &job.info, 1, 1);
    if (!job.info) put_vectors(rows, wi, n, re, im);
    free(t);
    free(rows);
    end(&job);
    return out;
}

/* ---- banded systems */

typedef void Gbsv(const int *n, const int *kl, const int *ku, const int *nrhs, double *ab, const int *ldab, int *piv,
                  double *b, const int *ldb, int *info);

/* stdlib: x of the matrix whose diagonals are the rows of bands, the uppermost first: bands[upper + i - j, j] is a[i,
 * j] */
dsl_array *dsl_m_solve_banded(const dsl_array *bands, const dsl_array *b, int64_t lower) {
    Job job = {.at = dsl_current_site(), .what = "solve_banded"};
    int n = axis_of(&job, b->dim[0]), rows = axis_of(&job, bands->dim[0]), kl = (int)lower, ku = rows - 1 - kl,
        ld = rows + kl, one = 1;
    dsl_array *out = vector(&job, n);
    if (!n) return out;
    Gbsv *gbsv = (Gbsv *)dsl_lapack(job.at, "dgbsv_");
    double *ab = memory((size_t)ld * (size_t)n, sizeof(double));
    int *piv = memory((size_t)n, sizeof(int));
    memset(ab, 0, (size_t)ld * (size_t)n * sizeof(double));
    for (int j = 0; j < n; j++)
        for (int r = 0; r < rows; r++) ab[(int64_t)j * ld + kl + r] = ((const double *)bands->data)[(int64_t)r * n + j];
    memcpy(out->data, b->data, (size_t)n * sizeof(double));
    gbsv(&n, &kl, &ku, &one, ab, &ld, piv, out->data, &n, &job.info);
    free(ab);
    free(piv);
    if (job.info > 0) dsl_fail(job.at, "E0615", "%s: the matrix is singular", job.what);
    return out;
}
