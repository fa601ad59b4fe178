# Sums side by side for numbers of columns that end anywhere in a vector, and what is changed in place
fn layer(x: f32[4, 6, 112], w: f32[8, 4, 3]) -> f32[8, 6, 110] =
    [sum(w[o, c, q] * x[c, i, j + q] for c in 0:4, q in 0:3) for o in 0:8, i in 0:6, j in 0:110]
fn narrow(x: f32[4, 6, 39], w: f32[8, 4, 3]) -> f32[8, 6, 37] =
    [max(f32(o) + sum(w[o, c, q] * x[c, i, j + q] for c in 0:4, q in 0:3), f32(0)) for o in 0:8, i in 0:6, j in 0:37]
fn columns66(a: f64[n, 66]) -> f64[66] = sum(a, axis=0)
fn columns69(a: f64[n, 69]) -> f64[69] = sum(a, axis=0)
fn columns70(a: f32[n, 70]) -> f32[70] = sum(a, axis=0)
fn products(a: f64[n, k], b: f64[k, 75]) -> f64[n, 75] =
    [sum(a[i, l] * b[l, j] for l in 0:k) for i in 0:n, j in 0:75]
fn products_int(a: i32[n, k], b: i32[k, 75]) -> int[n, 75] =
    [sum(int(a[i, l]) * b[l, j] for l in 0:k) for i in 0:n, j in 0:75]
fn onto(a: f64[n, 70], to: f64[70]) -> f64[70] {
    var y = to
    parallel for j in 0:70 {
        var s = y[j]
        for i in 0:n { s += a[i, j] * y[j] }
        y[j] = s
    }
    return y
}
fn added(a: f64[n, 70], to: f64[70]) -> f64[70] {
    var y = to
    y += [sum(a[i, j] * f64(i) for i in 0:n) for j in 0:70]
    return y
}

let x = [f32((c * 31 + i * 17 + j * 7) % 23) / 7 for c in 0:4, i in 0:6, j in 0:112]
let w = [f32((o * 5 + c * 3 + q) % 11) / 3 - 1 for o in 0:8, c in 0:4, q in 0:3]
let y = layer(x, w)
print(sum(f64(y)), y[7, 5, 109], y[0, 0, 95], y[3, 2, 94])
let z = narrow(x[:, :, 0:39], w)
print(sum(f64(z)), z[7, 5, 36], z[1, 1, 31])
for n in [1, 9, 100] {
    let a = [f64((i * 31 + j * 17) % 23) / 7 for i in 0:n, j in 0:75]
    print(n, columns66(a[:, 0:66])[62:66], columns69(a[:, 0:69])[60:69])
    print(columns70([f32(a[i, j]) for i in 0:n, j in 0:70])[61:70])
    let b = [f64((i * 13 + j * 29) % 19) / 3 for i in 0:20, j in 0:75]
    let c = [f64((i * 7 + j) % 5) for i in 0:n, j in 0:20]
    let p = products(c, b)
    print(sum(p), p[n - 1, 60:75])
    print(sum(products_int([i32(i + j) for i in 0:n, j in 0:20], [i32(i - j) for i in 0:20, j in 0:75])))
    print(onto(a[:, 0:70] / 50, b[1, 0:70])[60:70], added(a[:, 0:70], b[2, 0:70])[60:70])
}
