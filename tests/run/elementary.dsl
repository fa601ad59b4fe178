# Elementary functions: the same bits interpreted and compiled; in vectors of any length as alone; constants, halves, sums.
fn all(x: f64[n]) -> f64[18, n] {
    var y = zeros(f64, 18, n)
    y[0, :] = exp(x)
    y[1, :] = exp2(x)
    y[2, :] = expm1(x)
    y[3, :] = log(x)
    y[4, :] = log2(x)
    y[5, :] = log10(x)
    y[6, :] = log1p(x)
    y[7, :] = asin(x)
    y[8, :] = acos(x)
    y[9, :] = atan(x)
    y[10, :] = sinh(x)
    y[11, :] = cosh(x)
    y[12, :] = tanh(x)
    y[13, :] = sin(x)
    y[14, :] = cos(x)
    y[15, :] = tan(x)
    y[16, :] = x^x
    y[17, :] = abs(x)^(x[::-1] / 2)
    return y
}
fn all32(x: f32[n]) -> f32[18, n] {
    var y = zeros(f32, 18, n)
    y[0, :] = exp(x)
    y[1, :] = exp2(x)
    y[2, :] = expm1(x)
    y[3, :] = log(x)
    y[4, :] = log2(x)
    y[5, :] = log10(x)
    y[6, :] = log1p(x)
    y[7, :] = asin(x)
    y[8, :] = acos(x)
    y[9, :] = atan(x)
    y[10, :] = sinh(x)
    y[11, :] = cosh(x)
    y[12, :] = tanh(x)
    y[13, :] = sin(x)
    y[14, :] = cos(x)
    y[15, :] = tan(x)
    y[16, :] = x^x
    y[17, :] = abs(x)^(x[::-1] / 2)
    return y
}

# One at a time: loops that end when they like are no vectors.
fn one(x: f64, other: f64, at: int) -> f64 {
    var y = x
    var k = 0
    while k < 1 {
        if at == 0 { y = exp(x) }
        if at == 1 { y = exp2(x) }
        if at == 2 { y = expm1(x) }
        if at == 3 { y = log(x) }
        if at == 4 { y = log2(x) }
        if at == 5 { y = log10(x) }
        if at == 6 { y = log1p(x) }
        if at == 7 { y = asin(x) }
        if at == 8 { y = acos(x) }
        if at == 9 { y = atan(x) }
        if at == 10 { y = sinh(x) }
        if at == 11 { y = cosh(x) }
        if at == 12 { y = tanh(x) }
        if at == 13 { y = sin(x) }
        if at == 14 { y = cos(x) }
        if at == 15 { y = tan(x) }
        if at == 16 { y = x^x }
        if at == 17 { y = abs(x)^(other / 2) }
        k += 1
    }
    return y
}
fn one32(x: f32, other: f32, at: int) -> f32 {
    var y = x
    var k = 0
    while k < 1 {
        if at == 0 { y = exp(x) }
        if at == 1 { y = exp2(x) }
        if at == 2 { y = expm1(x) }
        if at == 3 { y = log(x) }
        if at == 4 { y = log2(x) }
        if at == 5 { y = log10(x) }
        if at == 6 { y = log1p(x) }
        if at == 7 { y = asin(x) }
        if at == 8 { y = acos(x) }
        if at == 9 { y = atan(x) }
        if at == 10 { y = sinh(x) }
        if at == 11 { y = cosh(x) }
        if at == 12 { y = tanh(x) }
        if at == 13 { y = sin(x) }
        if at == 14 { y = cos(x) }
        if at == 15 { y = tan(x) }
        if at == 16 { y = x^x }
        if at == 17 { y = abs(x)^(other / 2) }
        k += 1
    }
    return y
}

fn differ(a: f64, b: f64) -> bool = a != b and not (isnan(a) and isnan(b))

fn check(x: f64[n]) {
    let y = all(x)
    let z = f32(x)
    let y32 = all32(z)
    var bad = 0
    for f in 0:18 { for i in 0:n {
        if differ(y[f, i], one(x[i], x[n - 1 - i], f)) or differ(f64(y32[f, i]), f64(one32(z[i], z[n - 1 - i], f))) { bad += 1 }
    } }
    print(n, bad)
}

let inf = 1.0 / 0.0
let ends = [0.0, -0.0, inf, -inf, 0.0 / 0.0, 1.0, -1.0, 5e-324, -1e-310, 1e-300, 1e308, -1e308, 709.78, 709.79, -745.1, -745.2, 710.47, 710.48, 1e-20]
check(ends)
for f in 0:18 { for i in 0:19 { print(f, ends[i], one(ends[i], ends[18 - i], f), one32(f32(ends[i]), f32(ends[18 - i]), f)) } }
for k in [1, 2, 3, 5, 7, 8, 9, 15, 16, 17, 31, 33, 100] {
    let x = [f64((i * 7919 + k * 104729) % 20011) / 1000 - 8 for i in 0:k]
    check(x)
    check(1 / x)
    check(x * 1e9)
    print(one(x[0], 2.5, k % 18), one32(f32(x[0]), 2.5, k % 18))
}
print(exp(1.0), log(2.0), tanh(0.5), log10(1000.0), log2(8.0), exp2(0.5), exp2(10.0), asin(1.0), acos(-1.0), atan(1.0))
const folded = 2.5^0.3 + sin(1.0)
var base = 2.5
print(folded, base^0.3 + sin(base - 1.5), sin(1e22), cos(1e300), tan(1e9), sin(f32(1e30)))
print(exp(f16(1.5)), tanh(bf16(0.25)), log(f16(10)))
fn score(x: f64[n]) -> f64 = sum(tanh(x) * 2 + log1p(exp(-x)) + sin(x) * abs(x)^1.5)
fn score32(x: f32[n]) -> f32 = sum(tanh(x) * 2 + log1p(exp(-x)) + sin(x) * abs(x)^1.5)
for n in 1:40 { print(score([f64(i) / 7 - 2 for i in 0:n]), score32([f32(i) / 7 - 2 for i in 0:n])) }
