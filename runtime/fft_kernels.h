/* A step of a transform in vectors of LANES; included for each width (fft_steps.c).  Forward: w = exp(-2 pi i / r).
 * No fused products: the bits are the same on all machines. */
typedef double NAME(V) __attribute__((vector_size(LANES * 8), aligned(8), may_alias));
#define V NAME(V)
#define AT(p) (*(const V *)(p))
#define INLINE TARGET static inline __attribute__((always_inline))

INLINE void NAME(two)(V *re, V *im) {
    V br = re[0] - re[1], bi = im[0] - im[1];
    re[0] += re[1], im[0] += im[1];
    re[1] = br, im[1] = bi;
}

INLINE void NAME(three)(V *re, V *im) {
    const double half = 0.5, high = 0.86602540378443864676;
    V sr = re[1] + re[2], si = im[1] + im[2], dr = (re[1] - re[2]) * high, di = (im[1] - im[2]) * high;
    V mr = re[0] - sr * half, mi = im[0] - si * half;
    re[0] += sr, im[0] += si;
    re[1] = mr + di, im[1] = mi - dr;
    re[2] = mr - di, im[2] = mi + dr;
}

INLINE void NAME(four)(V *re, V *im) {
    V ar = re[0] + re[2], ai = im[0] + im[2], br = re[0] - re[2], bi = im[0] - im[2];
    V cr = re[1] + re[3], ci = im[1] + im[3], dr = re[1] - re[3], di = im[1] - im[3];
    re[0] = ar + cr, im[0] = ai + ci;
    re[1] = br + di, im[1] = bi - dr;
    re[2] = ar - cr, im[2] = ai - ci;
    re[3] = br - di, im[3] = bi + dr;
}

INLINE void NAME(five)(V *re, V *im) {
    const double c1 = 0.30901699437494742410, s1 = 0.95105651629515357212;
    const double c2 = -0.80901699437494742410, s2 = 0.58778525229247312917;
    V ar = re[1] + re[4], ai = im[1] + im[4], br = re[2] + re[3], bi = im[2] + im[3];
    V dr = re[1] - re[4], di = im[1] - im[4], er = re[2] - re[3], ei = im[2] - im[3];
    V pr = re[0] + (ar * c1 + br * c2), pi = im[0] + (ai * c1 + bi * c2);
    V qr = re[0] + (ar * c2 + br * c1), qi = im[0] + (ai * c2 + bi * c1);
    V tr = dr * s1 + er * s2, ti = di * s1 + ei * s2, ur = dr * s2 - er * s1, ui = di * s2 - ei * s1;
    re[0] += ar + br, im[0] += ai + bi;
    re[1] = pr + ti, im[1] = pi - tr;
    re[4] = pr - ti, im[4] = pi + tr;
    re[2] = qr + ui, im[2] = qi - ur;
    re[3] = qr - ui, im[3] = qi + ur;
}

INLINE void NAME(eight)(V *re, V *im) {
    const double h = 0.70710678118654752440;
    V er[4] = {re[0], re[2], re[4], re[6]}, ei[4] = {im[0], im[2], im[4], im[6]};
    V or[4] = {re[1], re[3], re[5], re[7]}, oi[4] = {im[1], im[3], im[5], im[7]};
    NAME(four)(er, ei);
    NAME(four)(or, oi);
    V ar = (or[1] + oi[1]) * h, ai = (oi[1] - or[1]) * h, br = (oi[3] - or[3]) * h, bi = (or[3] + oi[3]) * -h;
    re[0] = er[0] + or[0], im[0] = ei[0] + oi[0], re[4] = er[0] - or[0], im[4] = ei[0] - oi[0];
    re[1] = er[1] + ar, im[1] = ei[1] + ai, re[5] = er[1] - ar, im[5] = ei[1] - ai;
    re[2] = er[2] + oi[2], im[2] = ei[2] - or[2], re[6] = er[2] - oi[2], im[6] = ei[2] + or[2];
    re[3] = er[3] + br, im[3] = ei[3] + bi, re[7] = er[3] - br, im[7] = ei[3] - bi;
}

/* An odd radix: sums and differences of what lies opposite */
INLINE void NAME(odd)(V *re, V *im, const Pair own, const int r) {
    V ar[MAX_PRIME / 2 + 1], ai[MAX_PRIME / 2 + 1], br[MAX_PRIME / 2 + 1], bi[MAX_PRIME / 2 + 1];
    const V xr = re[0], xi = im[0];
    for (int j = 1; j <= r / 2; j++) {
        ar[j] = re[j] + re[r - j], ai[j] = im[j] + im[r - j];
        br[j] = re[j] - re[r - j], bi[j] = im[j] - im[r - j];
        re[0] += ar[j], im[0] += ai[j];
    }
    for (int k = 1; k <= r / 2; k++) {
        V pr = xr, pi = xi, qr = br[1] * own.im[k], qi = bi[1] * own.im[k];
        for (int j = 1; j <= r / 2; j++) pr += ar[j] * own.re[j * k % r], pi += ai[j] * own.re[j * k % r];
        for (int j = 2; j <= r / 2; j++) qr += br[j] * own.im[j * k % r], qi += bi[j] * own.im[j * k % r];
        re[k] = pr - qi, im[k] = pi + qr;
        re[r - k] = pr + qi, im[r - k] = pi - qr;
    }
}

INLINE void NAME(butterfly)(V *re, V *im, const Factor *f, const int r) {
    switch (r) {
    case 2: NAME(two)(re, im); break;
    case 3: NAME(three)(re, im); break;
    case 4: NAME(four)(re, im); break;
    case 5: NAME(five)(re, im); break;
    case 8: NAME(eight)(re, im); break;
    default: NAME(odd)(re, im, f->own, r);
    }
}

/* Of columns, those that come next: the processor would not guess them */
INLINE void NAME(fetch)(const Pair p, const int64_t row, const int64_t at, const int r, const bool to_write) {
    for (int j = 0; j < r; j++) {
        if (to_write) __builtin_prefetch(p.re + j * row + at, 1), __builtin_prefetch(p.im + j * row + at, 1);
        else __builtin_prefetch(p.re + j * row + at, 0), __builtin_prefetch(p.im + j * row + at, 0);
    }
}

/* Neighbours in vectors */
INLINE void NAME(rows)(const Step *t, const int r, const bool last) {
    const Factor *f = t->factor;
    const int64_t m = last ? 1 : f->m, jump = m * t->x_row, end = t->s > LANES ? t->s - LANES : 0;
    for (int64_t p = 0; p < m; p++) {
        const Pair x = pair_at(t->x, p * t->x_row), y = pair_at(t->y, p * r * t->y_row);
        for (int64_t q = 0; q < t->s; q += LANES) {
            const int64_t at = q < end ? q : end, to = at / WIDE * t->y_group + at % WIDE;
            V re[MAX_PRIME], im[MAX_PRIME];
            if (t->x_row > t->s) NAME(fetch)(x, jump, at + WIDE, r, false);
            if (t->y_group > WIDE) NAME(fetch)(y, t->y_row, to + WIDE, r, true);
            re[0] = AT(x.re + at), im[0] = AT(x.im + at);
#pragma GCC unroll 8
            for (int j = 1; j < r; j++) re[j] = AT(x.re + j * jump + at), im[j] = AT(x.im + j * jump + at);
            NAME(butterfly)(re, im, f, r);
            *(V *)(y.re + to) = re[0];
            *(V *)(y.im + to) = im[0];
#pragma GCC unroll 8
            for (int k = 1; k < r; k++) {
                V a = re[k], b = im[k];
                if (!last) {
                    const double c = f->roots.re[(k - 1) * m + p], s = f->roots.im[(k - 1) * m + p];
                    a = re[k] * c - im[k] * s;
                    b = re[k] * s + im[k] * c;
                }
                *(V *)(y.re + k * t->y_row + to) = a;
                *(V *)(y.im + k * t->y_row + to) = b;
            }
        }
    }
}

/* Rows in vectors: s is 1 */
INLINE void NAME(first)(const Step *t, const int r) {
    const Factor *f = t->factor;
    const int64_t m = f->m;
    for (int64_t p = 0; p < m; p += LANES) {
        const int64_t at = p < m - LANES ? p : m - LANES;
        V re[MAX_PRIME], im[MAX_PRIME];
        re[0] = AT(t->x.re + at), im[0] = AT(t->x.im + at);
#pragma GCC unroll 8
        for (int j = 1; j < r; j++) re[j] = AT(t->x.re + j * m + at), im[j] = AT(t->x.im + j * m + at);
        NAME(butterfly)(re, im, f, r);
#pragma GCC unroll 8
        for (int k = 1; k < r; k++) {
            const V c = AT(f->roots.re + (k - 1) * m + at), s = AT(f->roots.im + (k - 1) * m + at);
            const V x = re[k] * c - im[k] * s;
            im[k] = re[k] * s + im[k] * c;
            re[k] = x;
        }
        for (int i = 0; i < LANES; i++)
#pragma GCC unroll 8
            for (int k = 0; k < r; k++) {
                t->y.re[(at + i) * r + k] = re[k][i];
                t->y.im[(at + i) * r + k] = im[k][i];
            }
    }
}

INLINE void NAME(radix)(const Step *t, const int r) {
    if (t->s == 1) NAME(first)(t, r);
    else if (t->factor->m == 1) NAME(rows)(t, r, true);
    else NAME(rows)(t, r, false);
}

TARGET static void NAME(step)(const Step *t) {
    switch (t->factor->radix) {
    case 2: NAME(radix)(t, 2); break;
    case 3: NAME(radix)(t, 3); break;
    case 4: NAME(radix)(t, 4); break;
    case 5: NAME(radix)(t, 5); break;
    case 8: NAME(radix)(t, 8); break;
    default: NAME(radix)(t, t->factor->radix);
    }
}

#undef V
#undef AT
#undef INLINE
#undef NAME
#undef TARGET
#undef LANES
