kernel k(y: out f64[n]) {
    atomic y[0] /= 2
    atomic y[0] mean= 1
    launch k(y)
    launch k[1](y)
    launch k[(1, 1, 1, 1), 2](y)
    launch k[1, 2](y=y)
    launch k<<<1, 2>>>(y)
}
