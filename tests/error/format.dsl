let x = 1.5
let n = 3
let ok = true
print(f"{x:.3}")
print(f"{x:5.}")
print(f"{x:d}", f"{ok:.2f}", f"{n:x} {(n, x):d}")
print(f"{x:1000f}", f"{x:,}", f"{x:.1%}", f"{n:q}")
print(f"{[1.0, 2.0]:05d}")
print(f"{y:.2f}")
print(f"{zeros}")
kernel k(y: out f64[n]) {
    let s = f"{thread.x}"
}
let t = "x = " + x
