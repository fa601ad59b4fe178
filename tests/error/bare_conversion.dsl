# What is to be converted is shown without the parentheses around it
fn f(j: int, w: f32) -> f32 = w * (j - 3)
fn g(j: int, w: f32) -> f32 = w * ((j - 3) * (j + 2)) + ((j) - (2)) * w
fn h(j: int) -> str = (j + 1)
