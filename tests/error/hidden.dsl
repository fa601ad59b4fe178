# the program's own mean hides those of the library, which would take a vector
fn mean(x: f64[n, m]) -> f64[m] = sum(x, axis=0) / n
print(mean([[1.0, 2.0], [3.0, 4.0]]), mean([1.0, 2.0]))
fn norm(x: f32[n]) -> f32 = max(abs(x))
fn norm(x: f32[n, m]) -> f32 = max(abs(x))
print(norm([1.0, 2.0]) + norm(zeros(f64, 2, 2)))
