fn f(x: f64) -> f64 {
    if x > 0 {
        return 1
    return 0
}

print(f(1))
