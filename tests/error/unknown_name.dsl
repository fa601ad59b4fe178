let count = 3
fn area(radius: f64) -> f64 { return 3.14 * raduis^2 }
print(area(2.0), cuont, print2(1))
