# RUN: run
# The factors stand before the loop; that the matrix has no inverse is said where it is solved for.
fn steps(a: f64[n, n], x0: f64[n], t: int) -> f64[n] {
    var x = x0
    for k in 0:t {
        print("turn", k)
        x = solve(a, x) + x
    }
    return x
}
let a = [[1.0, 2.0], [2.0, 4.0]]
print(steps(a, [1.0, 2.0], 0))
print(steps(a, [1.0, 2.0], len(a)))
