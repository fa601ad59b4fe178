# RUN: run interp
# A result whose type names one size twice
fn square(k: int, l: int) -> f64[m, m] {
    return zeros(f64, k, l)
}
print(sum(square(2, 2)))
print(sum(square(2, 3)))
