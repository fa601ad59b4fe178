# A reduction with an operator of its own over one value (gcc 12 -O3 breaks off on the C of this)
const n = 16
var s = int(uniform(1, 1))
print(reduce(fn(p, q) => if p > q { p } else { q }, -1, s for k in 0:n))
