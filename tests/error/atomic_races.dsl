# Two kinds of updates race, and an update with a plain read
fn f(n: int) -> int[2] {
    var a = zeros(int, 2)
    parallel for i in 0:n {
        atomic a[0] += 1
        let m = atomic a[0] max= 1
        a[1] = m
    }
    return a
}
print(f(3))
