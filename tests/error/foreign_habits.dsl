# What other languages do with texts, ranges, masks and sizes
kernel k(y: out f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n { y[i] = 1.0 }
}
let name = "wave"
if name == "wave" { print(1) }
print(len(name), name[0], int("42"))
for x in 0.0:0.1:1.0 { print(x) }
let a = [i for i in 0:2.5]
let xs = [1.0, -2.0]
print(xs[xs > 0])
print(full(3, 0.5), full((2, 2), 1.0))
print(sum([[1, 2], [3, 4]], axis=1, keepdims=true))
var y = zeros(f64, 100)
launch k[len(y) / 16, 16](y)
