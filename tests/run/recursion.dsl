fn ack(m: int, n: int) -> int {
    if m == 0 { return n + 1 }
    if n == 0 { return ack(m - 1, 1) }
    return ack(m - 1, ack(m, n - 1))
}
fn total(x: f64[n]) -> f64 {
    if n == 0 { return 0 }
    if n == 1 { return x[0] }
    let h = n // 2
    return total(x[0:h]) + total(x[h:])
}
print(ack(2, 3), total([f64(i) for i in 0:13]))
