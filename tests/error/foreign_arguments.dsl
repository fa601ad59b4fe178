# Calls of the library as others have them; functions of the program that hide those of the library
kernel bump(y: inout f64[n], x: f64[n]) {
    let i = thread.x
    y[i] += x[i]
}
fn clamp(x: int) -> int = x
fn sum(x: int) -> int = x
var y = zeros(f64, 8)
bump[1, 8](y, y)
plot([1.0, 2.0], [1.0, 2.0], label="x")
plot([1.0, 2.0], [1.0, 2.0], marker="o")
hist([1.0, 2.0], label="x")
print(rand(5), uniform(), arange(0.0, 1.0, 0.1), linspace(0, 1))
print(prod([1.0], dim=0))
print(clamp(1, 2, 3), clamp(x=1, lo=2), sum(i for i in 0:3))
