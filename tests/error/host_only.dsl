extern fn c_function(x: f64) -> f64
kernel k(y: out f64[n]) {
    print(y)
    launch k[1, 4](y)
    spawn { }
    let a: f64[n] = load("a.npy")
    y[0] = c_function(1.0)
    parallel for i in 0:n { y[i] = 1.0 }
}
var y = zeros(f64, 4)
parallel for i in 0:4 {
    print(i)
    y[i] = c_function(1.0)
    spawn { }
    parallel for j in 0:4 { }
    launch k[1, 1](y)
}
kernel says(y: out f64[n]) {
    print(f"{n}", load("x.npy"))
}
