struct Body { x: f64, n: int }

fn label(k: int, t: f64) -> str = f"step {k:03d} at {t:.2f} s"

let t = 1.25
let e = -0.00012345
let n = 42
print(f"t = {t:.3f}  E = {e:10.4e}|")
print(f"{t}", f"{n}", f"{true}", "plain", 7)
print(f"[{t:8.2f}] [{t:<8.2f}] [{t:^8.2f}] [{t:+.1f}] [{t:08.2f}] [{-t:08.2f}] [{-t:+08.1f}]")
print(f"[{n:5}] [{n:<5d}] [{n:^5}] [{n:+d}] [{n:05d}] [{-n:05d}] [{n:x}] [{-n:x}] [{n:06x}] [{n:.2f}] [{n:e}]")
let zero = 0.0
let bad = zero / zero
print(f"[{bad:6.2f}] [{1 / zero:06.1f}] [{-1 / zero:+g}] [{-zero:.1f}] [{-zero}] [{bad:+f}] [{bad}] [{1e300:.1e}] [{1e300:g}]")
print(f"{1e308:.2f}")
let name = "é"
print(f"[{true:6}] [{false:>6}] [{name:4}] [{name:>4}] [{name:^5}]")
print(f"{{braces}} {n}{n} \u{e9}\t\"quoted\"")
let x = [1.0, -2.5, 1000.125]
print(f"{x}")
print(f"{x:.2f} {x:8.1e} {[1, 20, 300]:d} {[1, 20, 300]:5} {[true, false]:6}")
print(f"{[[1.0, 2.0], [bad, 4.0]]:.3f}")
print(f"{(1, 2.5)} {(1, 2.5):.2f}", Body(1, 2), f"{Body(1.5, 2)}")
print(f"{f32(0.1)} {f32(0.1):.3g} {u64(18446744073709551615)} {i8(-128):x} {u64(18446744073709551615):.3e}")
print(f"{x[1] + 2:.1f} {sum(x):.4f} {if n > 3 { 1 } else { 2 }} {x[1:3]:.0f}")
for k in 0:3 {
    let s = label(k, 0.5 * k)
    print(s, "|", f"<{s:>24}>")
}
var which = "none"
for k in 0:20 {
    if k % 7 == 3 { which = f"k{k}" }
}
print(which, f"no places", f"", f"{zeros(f64, 0):.2f}")
assert n == 42, f"n is {n}"
fn check(k: int) {
    assert k < 3, f"k is {k:03d}"
}
check(2)
