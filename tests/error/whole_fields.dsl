struct P { x: f64, y: f64 }
print(whole([P(1, 2), P(3, 4)]))
print(whole([(i, 2.0 * i) for i in 0:3]))
