# A reduction in a kernel over an element that no thread changes: both leave the kernel
kernel k(y: inout f32[n], x: f32[n]) {
    let i = thread.x
    var least = min(x[0] for k in 0:n)
    if i < n { y[i] = least + sum(x[j] * x[1] for j in 0:n) }
}
var y = zeros(f32, 4)
launch k[1, 4](y, [f32(3), 1, 4, 2])
print(y)
