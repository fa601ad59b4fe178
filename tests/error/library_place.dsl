# RUN: run interp
# what goes wrong in the library is shown at the call
fn worst(x: f64[n]) -> int = argmax(x) + argmax(x + 1)
print(worst([1.0, 2.0]))
print(worst(zeros(f64, 0)))
