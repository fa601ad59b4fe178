# Loops that look for the first index: what they find, and what they leave when there is nothing
kernel locate(at: out i64[n], y: out f64[n], edges: f64[m], x: f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n {
        var index = m - 1
        var value = -1.0
        for k in 0:m {
            if edges[k] * 2 >= x[i] + 1 {
                index = k
                value = edges[k] - x[i]
                break
            }
        }
        at[i] = index
        y[i] = value
    }
}

fn first_multiple(x: int[n], of: int) -> int {
    for k in 0:n {
        if x[k] % of == 0 { return k }
    }
    return -1
}

for m in 0:4 {
    let edges = [f64(k * k) for k in 0:m * 33 + 1]
    let x = [f64(i * 97 % 1000) * 3 for i in 0:50]
    var at = zeros(int, 50)
    var y = zeros(f64, 50)
    launch locate[4, 16](at, y, edges, x)
    print(at, y)
}
let x = [i * i + 1 for i in 0:200]
print(first_multiple(x, 1), first_multiple(x, 2), first_multiple(x, 3), first_multiple(x, 997), first_multiple(x, 30977))
