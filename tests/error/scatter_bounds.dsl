# RUN: run interp
# One index among many is outside: the message is the same whoever comes to it.
kernel add(y: inout f64[m], at: int[n], w: f64) {
    let i = block.x * blockdim.x + thread.x
    if i < n { atomic y[at[i]] += w * i }
}

let n = 150000
var y = zeros(f64, 50000)
launch add[ceildiv(n, 256), 256](y, [(i * 7919) % 50000 for i in 0:n], 0.5)
print(sum(y))
launch add[ceildiv(n, 256), 256](y, [if i == 77777 { 50000 } else { (i * 7919) % 50000 } for i in 0:n], 0.5)
print("never")
