# The message of an assert that holds is never made: in a kernel's caller, in loops, with numbers, texts and arrays
fn step(r: f64, k: int, name: str) -> f64 {
    assert r <= 1e9, f"unstable: {name} r = {r:.3f} after {k:04d}"
    return 2*r
}

fn rows(a: f64[n, m], k: int) -> f64 {
    assert k < n, f"row {k} of {n}: {a[0]}"
    return sum(a[k])
}

var r = 0.01
for k in 0:10 { r = step(r, k, "x") }
print(r, rows([[1.0, 2.0], [3.0, 4.0]], 1))
