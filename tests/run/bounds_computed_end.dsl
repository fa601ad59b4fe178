# A loop that ends at a computed number may stay inside: no overrun is certain.
let a = [int(i) for i in 0:8]
let m = int(8.5 + 0.1 * uniform(1, 1))
var b = zeros(f64, m)
var s = zeros(int, 4)
for e in 0:m {
    parallel for p in 0:4 { s[p] += a[e] }
}
print(b, s)
