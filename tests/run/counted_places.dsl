# Counters that change in some turns, and what is asserted: bounds that are proved so (tests/pass/prove-bounds/counts.dsl)
fn chosen(x: f64[n], t: f64) -> (f64[n], int) {
    var out = zeros(f64, n)
    var k = 0
    for i in 0:n {
        if x[i] > t { out[k] = x[i]; k += 1 }
    }
    return (out, k)
}
fn both_ends(x: f64[n]) -> f64[n] {
    var out = zeros(f64, n)
    var lo = 0
    var hi = n - 1
    for i in 0:n {
        if x[i] < 0 { out[lo] = x[i]; lo += 1 } else { out[hi] = x[i]; hi -= 1 }
    }
    return out
}
fn runs(x: int[n]) -> (int, int) {
    var most = 0
    var count = 0
    var i = 0
    while i < n {
        var j = i + 1
        while j < n and x[j] == x[i] { j += 1 }
        if j - i > most { most = j - i }
        count += 1
        i = j
    }
    return (most, count)
}
fn merged(x: f64[n], y: f64[m]) -> f64[n + m] {
    var out = zeros(f64, n + m)
    var i = 0
    var j = 0
    for k in 0:n + m {
        if i < n and (j >= m or x[i] <= y[j]) { out[k] = x[i]; i += 1 } else { out[k] = y[j]; j += 1 }
    }
    return out
}
fn common(x: f64[n], y: f64[m]) -> f64[n + m] {
    var out = zeros(f64, n + m)
    var i = 0
    var j = 0
    var k = 0
    while i < n and j < m {
        if x[i] <= y[j] { out[k] = x[i]; i += 1 } else { out[k] = y[j]; j += 1 }
        k += 1
    }
    return out
}
fn parted(x: f64[n]) -> f64[n] {
    var out = x
    var lo = 0
    var hi = n - 1
    for k in 0:n {
        if out[lo] < 0 { lo += 1 } else { let t = out[lo]; out[lo] = out[hi]; out[hi] = t; hi -= 1 }
    }
    return out
}
fn either(x: f64[n], a: int, b: int) -> f64 {
    return if (a == 0 or b > a) and b <= n and n > 0 and a >= 0 { x[a] } else { 0.0 }
}
fn shifted(x: f64[n], y: f64[m], k: int, turns: int) -> (f64[n], f64, f64) {
    let a = [2 * v for v in x]
    assert m == n + 1, f"of {m} elements"
    let b = [y[i + 1] + a[i] for i in 0:n]
    var s = 0.0
    var c = 0.0
    for t in 0:turns {
        s += x[t % n]
        assert k >= 0 and k < m, f"k is {k}"
        s += y[k] * s
        c += if s > 0 { y[k] } else { 1.0 }
    }
    return (b, s, c)
}
print(chosen([3.0, -1.0, 4.0, 0.5, 2.0], 1.0), chosen(zeros(f64, 0), 1.0), both_ends([1.0, -2.0, 3.0, -4.0]))
print(runs([1, 1, 2, 3, 3, 3]), runs(zeros(int, 0)), merged([1.0, 3.0], [2.0, 4.0, 5.0]))
print(shifted([1.0, 2.0], [3.0, 4.0, 5.0], 2, 3))
print(shifted([1.0, 2.0], [3.0, 4.0, 5.0], 1000000000000, 0))
print(common([1.0, 3.0], [2.0, 4.0, 5.0]), parted([1.0, -2.0, 3.0, -4.0]), either([1.0, 2.0], 1, 2), either([1.0], 0, -5))
