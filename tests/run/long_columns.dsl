# Reductions of long columns: on a GPU teams do them in chunks (lower/reduce_device.c), with the bits of the tree
fn noise(i: int) -> f64 = f64((i * 7919 + 13) % 10007) / 10007.0 - 0.5
let a = [f32(noise(i * 16 + j)) for i in 0:4096, j in 0:16]
print(sum(a, axis=0))
let b = [noise(i * 5 + j) for i in 0:1030, j in 0:5]
print(sum(b, axis=0), max(b, axis=0), min(b * b, axis=0), prod(1 + b / 1000, axis=0))
let c = [noise(i * 99 + j * 7 + k) for i in 0:2000, j in 0:7, k in 0:3]
print(sum(c, axis=0))
print(sum(c, axis=1)[5, 1])
let d = [i * j % 7 for i in 0:70000, j in 0:3]
print(sum(d, axis=0))
print(sum([noise(i * 3 + j) for i in 0:70001, j in 0:3], axis=0))
let e = [noise(i * 300 + j) for i in 0:257, j in 0:300]
print(sum(sum(e, axis=0)), [sum(e[i, j] * e[i, 0] for i in 0:257) for j in 0:300][7])
print([sum(a[i, at] * f32(at + i) for i in 0:4096) for at in 0:16])
print(mean(b, axis=0))
