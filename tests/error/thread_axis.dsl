kernel k(y: out f64[n]) {
    y[thread] = 1.0
    y[thread.w] = block.X + thread.size
    y[thread.x] = thread * 2
}
