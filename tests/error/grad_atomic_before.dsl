kernel places(y: inout f64[1], z: out f64[n], x: f64[n]) {
    let before = atomic y[0] += x[thread.x]
    z[thread.x] = before
}
fn total(x: f64[n]) -> f64 {
    var y = zeros(f64, 1)
    var z = zeros(f64, n)
    launch places[1, n](y, z, x)
    return sum(z)
}
print(jvp(total)([1.0, 2.0], [1.0, 1.0]))
