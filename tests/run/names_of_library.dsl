# What the checker writes as calls of the library means these, whatever the program calls so itself.
fn arange(low: int, high: int) -> int[2] = [low, -high]
fn _c_add(a: c128, b: c128) -> c128 = a - b
fn _jacobian_1_1(a: int) -> int = a
let nonzero = 1
print([x for x in 0:5 if x > 1], arange(0, 5), nonzero)
let c128 = 2.0
let z = [1im, 2 + 1im]
print(sum(z), sum([z, z], axis=0), z + z, c128, _jacobian_1_1(3))
print(jacobian(fn(x: f64[2]) => x * x)([1.0, 2.0]))
fn of_any(x: T[n]) -> T[found] {
    let arange = 7
    let reached = fn(v) => [k + arange for k in 0:3 if k != v]
    print(reached(1))
    return [v for v in x if v > 1]
}
print(of_any([1, 2, 3]))
