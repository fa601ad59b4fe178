# Blocks race unless they have one thread, for which the kernel may be meant: no error. Blocks that race whenever there are two: an error.
kernel apart(y: inout f64[n]) {
    let i = block.x + thread.x
    if i < n { y[i] += i }
}
fn counted(x: f64[n], threads: int) -> f64[n] {
    var y = x
    launch apart[n, threads](y)
    return y
}
kernel together(y: inout f64[n]) { if thread.x < n { y[thread.x] += block.x + 1 } }
fn raised(x: f64[n], blocks: int) -> f64[n] {
    var y = x
    launch together[blocks, n](y)
    return y
}
