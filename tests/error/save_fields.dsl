struct P { x: f64, y: f64 }
save("p.npy", [P(1, 2), P(3, 4)])
save("t.npy", [(i, 2.0 * i) for i in 0:3])
save("x.npy", [p.x for p in [P(1, 2), P(3, 4)]])
