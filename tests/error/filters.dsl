# Conditions of comprehensions that cannot be
let x = [1, 2, 3]
var y = zeros(int, 3)
parallel for i in 0:3 { y[i] = sum([v for v in x if v > i]) }
print([v for v in x if v], sum(v for v in x if q > 1), sum(x for v in x if v > 0))
