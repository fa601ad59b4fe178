# What a PolyBench program says at its end: for each array of results a checksum and, when it is small, its elements.

## Weighted, so that elements that changed places show
fn checksum(x: f64[count]) -> f64 = sum(x[i] * f64(1 + i % 13) for i in 0:count)

fn report(x: f64[count]) {
    print("check", checksum(x))
    if count <= 1000 {
        for i in 0:count { print("check", x[i]) }
    }
}
fn report(x: f64[rows, cols]) { report(reshape(x, rows * cols)) }
fn report(x: f64[planes, rows, cols]) { report(reshape(x, planes * rows * cols)) }
