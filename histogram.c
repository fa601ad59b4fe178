/* Made by dslc. */
#include "gen.h"

/* Places in the source, for messages */
static const dsl_site site[] = {
    {"bench/histogram.dsl", 13, 9, 46, "let x = [f64(i * 7919 % 10007) / 10007.0 for i in 0:n]"},
    {"bench/histogram.dsl", 14, 9, 16, "var h = zeros(int, bins)"},
    {"bench/histogram.dsl", 9, 9, 40, "        atomic h[min(int(x[i] * m), m - 1)] += 1"},
    {"stdlib/io.dsl", 33, 20, 12, "fn time() -> f64 = dsl_x_time()"},
    {"bench/histogram.dsl", 19, 16, 35, "print(\"check\", sum(h[i] * (i % 7) for i in 0:bins))"},
};

double dsl_x_time(void);
static void script(void);

static void script(void)
{
    /* histogram.dsl:13: let x = [f64(i * 7919 % 10007) / 10007.0 for i in 0:n] */
    dsl_array *x_arr = dsl_new(&site[0], DSL_F64, 1, (int64_t[]){10000000});
    {
        double *restrict x = x_arr->data;
        #pragma omp parallel for simd schedule(static)
        for (int64_t i = 0; i < 10000000; i++) {
            x[i] = (double)(i * 7919 % 10007) / 10007.0;
        }
    }
    /* histogram.dsl:14: var h = zeros(int, bins) */
    dsl_array *h_arr = dsl_new(&site[1], DSL_I64, 1, (int64_t[]){256});
    {
        int64_t *restrict h = h_arr->data;
        #pragma omp simd
        for (int64_t i = 0; i < 256; i++) {
            h[i] = 0;
        }
    }
    /* histogram.dsl:15: launch count[ceildiv(n, 256), 256](h, x) */
    h_arr = dsl_unique(h_arr);
    {
        int64_t *restrict h = h_arr->data;
        const double *restrict x = x_arr->data;
        #pragma omp parallel for schedule(static) reduction(+: h[0:256])
        for (int64_t i = 0; i < 10000000; i++) {
            /* histogram.dsl:9: atomic h[min(int(x[i] * m), m - 1)] += 1 */
            const int64_t t = dsl_min_i64(dsl_cast_f64_i64(x[i] * 256.0), 255);
            dsl_check_index(&site[2], 0, t, 256);
            h[t] += 1;
        }
    }
    /* io.dsl:33: fn time() -> f64 = dsl_x_time() */
    dsl_set_site(&site[3]);
    const double start = dsl_x_time();
    /* histogram.dsl:17: for r in 0:reps { launch count[ceildiv(n, 256), 256](h, x) } */
    for (int64_t r = 0; r < 5; r++) {
        h_arr = dsl_unique(h_arr);
        {
            int64_t *restrict h = h_arr->data;
            const double *restrict x = x_arr->data;
            #pragma omp parallel for schedule(static) reduction(+: h[0:256])
            for (int64_t i = 0; i < 10000000; i++) {
                /* histogram.dsl:9: atomic h[min(int(x[i] * m), m - 1)] += 1 */
                const int64_t t = dsl_min_i64(dsl_cast_f64_i64(x[i] * 256.0), 255);
                dsl_check_index(&site[2], 0, t, 256);
                h[t] += 1;
            }
        }
    }
    /* histogram.dsl:17: for r in 0:reps { launch count[ceildiv(n, 256), 256](h, x) } */
    dsl_release(x_arr);
    /* io.dsl:33: fn time() -> f64 = dsl_x_time() */
    dsl_set_site(&site[3]);
    const double t = dsl_x_time();
    /* histogram.dsl:18: let seconds = (time() - start) / reps */
    const double seconds = (t - start) / 5.0;
    /* histogram.dsl:19: print("check", sum(h[i] * (i % 7) for i in 0:bins)) */
    dsl_array *tmp_arr = dsl_new(&site[4], DSL_I64, 1, (int64_t[]){1});
    {
        int64_t *restrict tmp = tmp_arr->data;
        const int64_t *restrict h = h_arr->data;
        _Alignas(64) int64_t lane[8] = {0};
        for (int64_t i = 0; i < 256; i += 8) {
            #pragma omp simd
            for (int64_t l = 0; l < 8; l++) {
                const int64_t t1 = i + l;
                lane[l] += h[t1] * (t1 % 7);
            }
        }
        tmp[0] = lane[0] + lane[4] + (lane[2] + lane[6]) + (lane[1] + lane[5] + (lane[3] + lane[7]));
    }
    dsl_release(h_arr);
    const int64_t t1 = DSL_ELEM(int64_t, tmp_arr, 0);
    dsl_release(tmp_arr);
    dsl_print_str("check");
    dsl_print_sep();
    dsl_print_i64(t1);
    dsl_print_end();
    /* histogram.dsl:20: print("time", seconds) */
    dsl_print_str("time");
    dsl_print_sep();
    dsl_print_f64(seconds);
    dsl_print_end();
}

int main(int argc, char **argv)
{
    dsl_init(&argc, &argv);
    script();
    dsl_finish();
    return 0;
}
