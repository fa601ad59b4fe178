/* Logarithms, for one type (elementary.h includes this).
 *
 * x = 2^k (1 + f), LOG_LEAST <= 1 + f < 2*LOG_LEAST.  The greatest part of the sum, k*log(2) + f, keeps what rounding
 * loses of it; log(1 + f) - f is small beside it.  |f| is less than half of log(2): so what is left of the one after
 * the other is added is exact (Sterbenz, Floating-Point Computation, 1974), in other bases as well. */

/* *k as a number, f; *inverse is 2^(1-k) where asked for.  For normal x > 0. */
DSL_INLINE REAL FN(log_split)(REAL x, REAL bias, REAL *k, REAL *inverse) {
    const WORD least = FN(to_bits)(FN(LOG_LEAST)), one = (WORD)1 << DIGITS;
    WORD u = FN(to_bits)(x) - least + (BIAS + 1) * one, e = u >> DIGITS;
    *k = FN(from_bits)(e | ((WORD)(BIAS + DIGITS) << DIGITS)) - bias;
    *inverse = FN(from_bits)((2 * BIAS + 2 - e) << DIGITS);
    return FN(from_bits)((u & (one - 1)) + least) - (REAL)1;
}

/* The same for any x > 0 */
DSL_INLINE REAL FN(log_any)(REAL x, REAL *k) {
    const REAL bias = (REAL)((WORD)1 << DIGITS) + (BIAS + 1);
    REAL unused, normal = x * (REAL)((WORD)1 << DENORMAL);
    normal = x < FN(LEAST) ? normal : x;
    return FN(log_split)(normal, x < FN(LEAST) ? bias + DENORMAL : bias, k, &unused);
}

/* What logarithms are at the ends: y for x > 0 but infinity */
DSL_INLINE REAL FN(log_ends)(REAL x, REAL y) {
    y = x > FN(MOST) ? x : y;
    y = x == 0 ? -DSL_INF(REAL) : y;
    return x >= 0 ? y : DSL_NAN(REAL);
}

/* k*log(2) + log(1 + f) + more */
DSL_INLINE REAL FN(log_sum)(REAL k, REAL f, REAL more) {
    REAL a = k * FN(LN2_HI), sum = a + f, rest = (a - sum) + f;
    return sum + (FMA(k, FN(LN2_LO), rest + more) + FN(log_rest)(f));
}

DSL_INLINE REAL FN(log)(REAL x) {
    REAL k, f = FN(log_any)(x, &k);
    return FN(log_ends)(x, FN(log_sum)(k, f, 0));
}

/* u = 1 + x loses c, which is small beside f. */
DSL_INLINE REAL FN(log1p)(REAL x) {
    const REAL bias = (REAL)((WORD)1 << DIGITS) + (BIAS + 1);
    REAL u = (REAL)1 + x, b = u - (REAL)1, c = ((REAL)1 - (u - b)) + (x - b), k, inverse;
    REAL f = FN(log_split)(u, bias, &k, &inverse), more = (c * (REAL)0.5) * inverse, sum = f + more;
    REAL y = FN(log_ends)(u, FN(log_sum)(k, sum, more - (sum - f)));
    return FN(abs)(x) < FN(TINY) ? x : y;
}

DSL_INLINE REAL FN(log2)(REAL x) {
    REAL k, f = FN(log_any)(x, &k), c = FN(LOG2E), sum = FMA(f, c, k), rest = FMA(f, c, k - sum);
    return FN(log_ends)(x, sum + FMA(c, FN(log_rest)(f), FMA(f, FN(LOG2E_LO), rest)));
}

DSL_INLINE REAL FN(log10)(REAL x) {
    REAL k, f = FN(log_any)(x, &k), c = FN(LOG10E), a = k * FN(LOG10_2_HI), sum = FMA(f, c, a),
            rest = FMA(f, c, a - sum);
    return FN(log_ends)(x, sum + FMA(c, FN(log_rest)(f), FMA(f, FN(LOG10E_LO), FMA(k, FN(LOG10_2_LO), rest))));
}
