# What complex numbers are not
let z = 1 + 2im
print(z < 2)
print(max(z, z))
let x: f64 = z
print(z // 2, z and true)
let w: c128[2] = [1, 2, 3im]
print(c64(1, 2, 3), c128(z, 1), f64(z))
print(floor(z))
kernel k(y: inout c128[n]) {
    atomic y[0] += 1im
}
fn shout(v: f64) { print(v) }
shout([1.0, 2.0])
print(f"{[z]:.3f}", sort([z]))
