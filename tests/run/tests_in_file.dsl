fn half(x: f64) -> f64 = x / 2
test "halves" {
    assert half(3) == 1.5, "half of three"
}
bench "halves" {
    let x = half(3)
    assert x > 1
}
assert half(2) == 1
print("main")
