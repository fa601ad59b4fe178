# A check in a filtered reduction stays behind the size of what the filter leaves.
fn chosen(y: int[m], z: i64[n, m], w: int[n]) -> int {
    var a = y
    var h: int = 1
        for j4 in (int(w[0]) & 7):(int(w[(i64(sum(z[k5, 0] for k5 in 0:n if k5 > 3)) % (n))]) & 15) {
            for j7 in j4:n {
                a[(max(z[j7 + 1, 0] for k8 in 0:n if k8 > 5) % (m))] = 1
            }
    }
    return ((h) + int(a[0]))
}
print(chosen([1, 2], [[1, 2], [3, 4], [5, 6]], [0, 0, 0]))
