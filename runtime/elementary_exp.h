/* exp and what is made of it, for one type (elementary.h includes this).
 *
 * x = n*log(2) + r, |r| <= log(2)/2, log(2) in two parts (Cody and Waite, Software Manual for the Elementary Functions,
 * 1980, chapter 6); exp(r) = 1 + (r + p), p about r^2/2; 2^n goes into the exponent. */

DSL_INLINE REAL FN(abs)(REAL x) { return FN(from_bits)(FN(to_bits)(x) & (((WORD)-1) >> 1)); }
DSL_INLINE REAL FN(signed)(REAL x, REAL of) {
    return FN(from_bits)(FN(to_bits)(x) | (FN(to_bits)(of) & ~(((WORD)-1) >> 1)));
}

/* x = n*log(2) + what comes back + *lost; n is in the low bits of *power, with 2*BIAS added. */
DSL_INLINE REAL FN(exp_split)(REAL x, REAL *lost, WORD *power) {
    REAL t = FMA(x, FN(LOG2E), FN(SHIFT)), n = t - FN(SHIFT);
    REAL a = FMA(-n, FN(LN2_HI), x), r = FMA(-n, FN(LN2_LO), a);
    *lost = FMA(-n, FN(LN2_LO), a - r);
    *power = FN(to_bits)(t);
    return r;
}

/* y * 2^n, n as above: by two factors, each of which is a normal number */
DSL_INLINE REAL FN(times_power)(REAL y, WORD n) {
    WORD half = n >> 1;
    return y * FN(from_bits)(half << DIGITS) * FN(from_bits)((n - half) << DIGITS);
}

/* 2^(n-less), of a normal number */
DSL_INLINE REAL FN(power)(WORD n, WORD less) { return FN(from_bits)((n - (BIAS + less)) << DIGITS); }

DSL_INLINE REAL FN(exp2)(REAL x) {
    REAL t = x + FN(SHIFT), r = x - (t - FN(SHIFT));
    REAL y = FN(times_power)(FMA(r, FMA(r, FN(poly_exp2)(r), FN(LN2)), 1), FN(to_bits)(t));
    y = x >= FN(EXP2_MOST) ? DSL_INF(REAL) : y;
    return x < FN(EXP2_LEAST) ? 0 : y;
}

/* exp(x) = 2^n (1 + what comes back + *low) */
DSL_INLINE REAL FN(expm1_part)(REAL x, REAL *low, WORD *n) {
    REAL lost, r = FN(exp_split)(x, &lost, n), p = FN(exp_curve)(r, lost), s = r + p;
    *low = (r - s) + p;
    return s;
}

DSL_INLINE REAL FN(exp)(REAL x) {
    REAL low;
    WORD n;
    REAL s = FN(expm1_part)(x, &low, &n), one = (REAL)1 + s,
         y = FN(times_power)(one + ((((REAL)1 - one) + s) + low), n);
    y = x > FN(EXP_MOST) ? DSL_INF(REAL) : y;
    return x < FN(EXP_LEAST) ? 0 : y;
}

/* (exp(x) - 1)/2 = what comes back + *low: half, so that nothing overflows too soon */
DSL_INLINE REAL FN(expm1_half)(REAL x, REAL *low) {
    REAL rest;
    WORD n;
    REAL s = FN(expm1_part)(x, &rest, &n), half = FN(power)(n, 1), a = half - (REAL)0.5;
    REAL sum = FMA(half, s, a); /* a is 0 or the greater */
    *low = FMA(half, rest, FMA(half, s, a - sum) + ((half - a) - (REAL)0.5));
    return sum;
}

DSL_INLINE REAL FN(expm1)(REAL x) {
    REAL low, y = FN(expm1_half)(x, &low);
    y = (y + low) * 2;
    y = x > FN(EXP_MOST) ? DSL_INF(REAL) : y;
    y = x < FN(EXPM1_LEAST) ? -1 : y;
    return FN(abs)(x) < FN(TINY) ? x : y;
}

/* exp(x)/4 = what comes back + *low, for x >= 0; *inverse is exp(-x)/4 */
DSL_INLINE REAL FN(exp_quarter)(REAL x, REAL *low, REAL *inverse) {
    REAL rest;
    WORD n;
    REAL s = FN(expm1_part)(x, &rest, &n), one = (REAL)1 + s, scale = FN(power)(n, 2), high = scale * one;
    *low = scale * ((((REAL)1 - one) + s) + rest);
    *inverse = (REAL)0.0625 / high;
    return high;
}

DSL_INLINE REAL FN(cosh)(REAL x) {
    REAL low, inverse, a = FN(abs)(x), y = FN(exp_quarter)(a, &low, &inverse);
    y = (y + (low + inverse)) * 2;
    return a > FN(SINH_MOST) ? DSL_INF(REAL) : y;
}

DSL_INLINE REAL FN(sinh)(REAL x) {
    REAL low, inverse, a = FN(abs)(x), y = FN(exp_quarter)(a, &low, &inverse), z = a * a;
    y = (y + (low - inverse)) * 2;
    y = a < 1 ? FMA(a, z * FN(poly_sinh)(z), a) : y;
    y = a > FN(SINH_MOST) ? DSL_INF(REAL) : y;
    return FN(signed)(y, x);
}

/* (x + x_low)/(y + y_low) = what comes back + *low */
DSL_INLINE REAL FN(quotient)(REAL x, REAL x_low, REAL y, REAL y_low, REAL *low) {
    REAL inverse = (REAL)1 / y, q = x * inverse;
    REAL rest = FMA(-q, y, x) + FMA(-q, y_low, x_low), sum = FMA(rest, inverse, q);
    *low = FMA(rest, inverse, q - sum);
    return sum;
}

/* x*(1 + p(x^2 - 1/2)) below 1, else 1 - exp(-x^2)*q((x - 2)/(x + 2)), where x^2 keeps what rounding loses */
DSL_INLINE REAL FN(erf)(REAL x) {
    REAL a = FN(abs)(x), b = a > 6 ? 6 : a, z = b * b, lost = FMA(b, b, -z);
    REAL tail = FN(poly_erfc)((b - (REAL)2) / (b + (REAL)2));
    REAL far = FMA(-FN(exp)(-z), FMA(-lost, tail, tail), 1), near = FMA(a, FN(poly_erf)(z - (REAL)0.5), a);
    return FN(signed)(a < 1 ? near : far, x);
}

/* e/(e + 2), e = exp(2|x|) - 1 */
DSL_INLINE REAL FN(tanh)(REAL x) {
    REAL low, lost, a = FN(abs)(x), e = FN(expm1_half)(2 * (a > FN(TANH_MOST) ? FN(TANH_MOST) : a), &low);
    REAL sum = (REAL)1 + e, b = sum - (REAL)1, rest = ((REAL)1 - (sum - b)) + (e - b);
    return FN(signed)(FN(quotient)(e, low, sum, rest + low, &lost), x);
}
