# Halves in kernels and comprehensions: what is computed of them is f32, and rounds where it is stored
kernel axpy(y: inout f16[n], x: f16[n], a: f16) {
    let i = block.x * blockdim.x + thread.x
    if i < n { y[i] = f16(a * x[i] + y[i]) }
}
kernel count(h: inout bf16[2], x: bf16[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n { atomic h[i % 2] max= bf16(exp(x[i]) - 1) }
}
let x = [f16(i / 3) for i in 0:40]
var y = full(f16(0.1), 40)
launch axpy[2, 32](y, x, f16(1.7))
print(y, sqrt(x)[3:8], sum(x * x))
let z = [bf16(i % 7 * 0.3) for i in 0:50]
var h = zeros(bf16, 2)
launch count[1, 64](h, z)
parallel for i in 0:2 { h[i] = bf16(h[i] / 3) }
print(h, tanh(z)[0:7], f32(max(z)))
