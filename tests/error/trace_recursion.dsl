# RUN: run interp
# a call that repeats itself is told once
fn inside(n: int) -> int {
    return inside(n + 1) + 1
}
print(inside(1))
