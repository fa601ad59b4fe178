/* atan, asin, acos, for one type (elementary.h includes this). */

/* With t = |x|: atan(t), pi/4 + atan((t - 1)/(t + 1)) or pi/2 + atan(-1/t), where the polynomial's argument is least */
DSL_INLINE REAL FN(atan)(REAL x) {
    REAL t = FN(abs)(x), lost, less = t - (REAL)1, more = t + (REAL)1;
    REAL less_low = t - (less + (REAL)1), b = more - t, more_low = (t - (more - b)) + ((REAL)1 - b);
    REAL num = t > FN(TAN_PI_8) ? less : t, num_low = t > FN(TAN_PI_8) ? less_low : 0;
    REAL den = t > FN(TAN_PI_8) ? more : 1, den_low = t > FN(TAN_PI_8) ? more_low : 0;
    REAL base = t > FN(TAN_PI_8) ? FN(PI_4) : 0, base_low = t > FN(TAN_PI_8) ? FN(PI_4_LO) : 0;
    num = t > FN(COT_PI_8) ? -1 : num, num_low = t > FN(COT_PI_8) ? 0 : num_low;
    den = t > FN(COT_PI_8) ? t : den, den_low = t > FN(COT_PI_8) ? 0 : den_low;
    base = t > FN(COT_PI_8) ? FN(PI_2) : base, base_low = t > FN(COT_PI_8) ? FN(PI_2_LO) : base_low;
    REAL q = FN(quotient)(num, num_low, den, den_low, &lost), z = q * q, sum = base + q, rest = (base - sum) + q;
    REAL y = sum + FMA(q, z * FN(poly_atan)(z), rest + (lost + base_low));
    y = t > FN(MOST) ? FN(PI_2) : y;
    return FN(signed)(t != t ? t : y, x);
}

/* asin(s) = *s + *s_low + what comes back: s = |x| up to 1/2, else sqrt((1 - |x|)/2) */
DSL_INLINE REAL FN(asin_part)(REAL a, REAL *s, REAL *s_low) {
    REAL w = FMA(a, (REAL)-0.5, (REAL)0.5), root = SQRT(w), lost = FMA(-root, root, w) / (2 * root);
    REAL z = a > (REAL)0.5 ? w : a * a;
    *s = a > (REAL)0.5 ? root : a;
    *s_low = a > (REAL)0.5 ? lost : 0;
    *s_low = a == 1 ? 0 : *s_low;
    return *s * (z * FN(poly_asin)(z));
}

/* pi/2 - 2*asin(sqrt((1 - x)/2)) above 1/2 */
DSL_INLINE REAL FN(asin)(REAL x) {
    REAL a = FN(abs)(x), s, low, p = FN(asin_part)(a, &s, &low), sum = FN(PI_4) - s, rest = (FN(PI_4) - sum) - s;
    REAL y = 2 * (sum + (rest + (FN(PI_4_LO) - (low + p))));
    y = a > (REAL)0.5 ? y : s + p;
    y = a > 1 ? DSL_NAN(REAL) : y;
    return FN(signed)(y, x);
}

/* pi/2 - asin(x); 2*asin(sqrt((1 - x)/2)) above 1/2, pi less that of |x| below -1/2 */
DSL_INLINE REAL FN(acos)(REAL x) {
    REAL a = FN(abs)(x), s, low, p = FN(asin_part)(a, &s, &low) + low;
    REAL v = x < 0 ? -s : s, more = x < 0 ? -p : p;
    v = a > (REAL)0.5 ? s : v, more = a > (REAL)0.5 ? p : more;
    REAL sum = FN(PI_2) - v, rest = (FN(PI_2) - sum) - v, y = sum + (rest + (FN(PI_2_LO) - more));
    REAL large = 2 * (x < 0 ? y : s + p);
    y = a > (REAL)0.5 ? large : y;
    return a > 1 ? DSL_NAN(REAL) : y;
}
