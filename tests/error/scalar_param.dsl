# A parameter that is one value cannot be made `out`.
kernel step(y: out f64[n], turns: int, t: f64) {
    turns = 3
    t += 1
    y[thread.x] = t + turns
}
