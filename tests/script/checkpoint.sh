# What derivatives keep of loops: told, limited, planned; what runs agrees with what was told.
. "$ROOT/tests/script/lib.inc"
cat >heat.dsl <<'END'
const cells = 100000
const steps = 900
fn step(u: f64[n]) -> f64[n] = [u[i] + 0.1 * (u[max(i - 1, 0)] - u[i]) - 0.01 * u[i]^3 for i in 0:n]
fn energy(u0: f64[n], steps: int) -> f64 {
    var u = u0
    for t in 0:steps { u = step(u) }
    return sum(u^2)
}
let u = sin(arange(cells) / 1000)
let g = grad(energy, wrt=u0)(u, steps)
print(sum(g), g[0], g[77])
END
sed 's/grad(energy, wrt=u0)(u, steps)/step(u)/' heat.dsl >value.dsl
cat >open.dsl <<'END'
fn power(x: f64[n], steps: int) -> f64 {
    var y = x
    for t in 0:steps { y = sin(y) }
    return sum(y)
}
fn linear(x: f64[n], steps: int) -> f64 {
    var y = x
    for t in 0:steps { y = 0.5 * y }
    return sum(y)
}
for k in 1:3 { print(grad(power, wrt=x)(rand(1, 3 * k), 2 * k), grad(linear, wrt=x)(rand(1, 3 * k), 2 * k)) }
END
expect 0 "heat.dsl:6:5: kept of 'u0', a row for each turn: 720000000 bytes" "$DSLC" check --memory heat.dsl
expect 0 "kept in all: 720000000 bytes" "$DSLC" check --memory heat.dsl
expect 0 "kept in all: 48000000 bytes" "$DSLC" check --memory --memory-limit=50MB heat.dsl
expect 0 "kept in all: 24000000 bytes" "$DSLC" check --memory --memory-limit=30MB heat.dsl
expect 0 "nothing is kept of loops" "$DSLC" check --memory --memory-limit=10MB heat.dsl # no levels fit: states as with slots
expect 1 "heat.dsl:6:5: error[E0287]" "$DSLC" check --memory-limit=2MB heat.dsl
expect 1 "error[E0288]: 'many' is no amount of memory" "$DSLC" check --memory-limit=many heat.dsl
expect 0 "bytes" "$DSLC" check --memory open.dsl
grep -q "open.dsl:3:5: kept of 'x', a row for each turn: 24\*k\*turns bytes" shown || { cat shown; exit 1; }
! grep -q "open.dsl:8" shown || { echo "a linear loop keeps something"; exit 1; }
for f in heat value; do "$DSLC" build $f.dsl -o $f.all; done
"$DSLC" build --memory-limit=50MB heat.dsl -o heat.some
"$DSLC" build --memory-limit=10MB heat.dsl -o heat.few
./heat.all >all && ./heat.some >some && ./heat.few >few && cmp all some && cmp all few
# Turns that are known when it runs: as many states as the limit holds, found then; all, some, one, and none of them
sed 's/^const steps = 900/arg steps: int = 900/; s/^const cells = 100000/arg cells: int = 100000/' heat.dsl >asked.dsl
"$DSLC" build asked.dsl -o asked.all
"$DSLC" build --memory-limit=10MB asked.dsl -o asked.some
for n in 0 1 2 3 4 5 7 100; do
    ./asked.all --steps=$n >all && ./asked.some --steps=$n >some && cmp all some
    ./asked.all --steps=$n --cells=1000 >all && ./asked.some --steps=$n --cells=1000 >some && cmp all some
done
expect 1 "asked.dsl:6:5: error[E0287]: a state of 8000000 bytes, and a turn's, do not fit into the memory limit of 10000000 bytes" \
    ./asked.some --cells=1000000
# Arrays of which no axis is as long as a size that the function knows: n + 2, 2 n
cat >halo.dsl <<'END'
fn f(a: f64[n, n]) -> f64 {
    var t = zeros(f64, n + 2, 2 * n)
    t[1:-1, :n] = a
    for k in 0:n { t = sin(t) + 0.1 * t[::-1] }
    return sum(t^2)
}
arg n: int = 40
print(sum(grad(f)(rand(1, n, n))))
END
"$DSLC" build halo.dsl -o halo.all && "$DSLC" build --memory-limit=300KB halo.dsl -o halo.some
for n in 0 1 7 40; do ./halo.all --n=$n >all && ./halo.some --n=$n >some && cmp all some; done
expect 1 "halo.dsl:4:5: error[E0287]: a state of 163200 bytes" ./halo.some --n=100
# A loop that needs more to go on from than a turn keeps: what is planned for is where segments begin, too
cat >memory.dsl <<'END'
fn swing(x0: f64[n], steps: int) -> f64 {
    var x = x0
    var (a, b, c) = (x0, x0, x0)
    for t in 0:steps {
        let now = sin(x) + 0.1 * a - 0.2 * b
        (a, b, c) = (now, a, b + c)
        x += 0.1 * now + 0.01 * c
    }
    return sum(x^2)
}
print(sum(grad(swing, wrt=x0)(rand(1, 1000), 100)))
END
expect 0 "kept in all: 400000 bytes" "$DSLC" check --memory --memory-limit=450KB memory.dsl
expect 0 "kept in all: 360000 bytes" "$DSLC" check --memory --memory-limit=380KB memory.dsl
# A `while`: how often it goes around is known behind it. The step follows the error; breaks; kernels; what is printed is
# printed once; derivatives of derivatives; indices around the end; in branches, with what is used behind them; arrays
# beside what is carried. The same bits with and without the limit, in the interpreter and compiled, and less kept
cat >adaptive.dsl <<'END'
fn rhs(y: f64[n], k: f64[n], a: f64) -> f64[n] = [a * (y[(i + 1) % n] - y[i]) - k[i] * y[i]^3 for i in 0:n]
fn solve(y0: f64[n], k: f64[n], a: f64, end: f64) -> f64 {
    var y = y0
    var (t, h) = (0.0, 0.01)
    while t < end {
        let step = min(h, end - t)
        let f = rhs(y, k, a)
        let e = y + step * f
        let heun = y + 0.5 * step * (f + rhs(e, k, a))
        let err = sqrt(mean((heun - e)^2)) + 1e-12
        if err < 1e-3 {
            y = heun
            t += step
        }
        h = step * min(2.0, max(0.3, 0.9 * sqrt(1e-3 / err)))
    }
    return sum(y^2 * k)
}
let (gy, gk, ga) = grad(solve, wrt=(y0, k, a))(1 + 0.5 * sin(arange(2000) / 10), 1 + rand(1, 2000), 0.3, 2.0)
print(sum(gy), sum(gk), ga, gy[0], gk[1999])
END
cat >breaks.dsl <<'END'
fn f(x: f32[n, m], w: f32[n, m], tol: f32) -> f32 {
    var u = x
    for k in 0:1000 {
        let v = u - 0.1 * w * (u^3 - 1)
        if max(abs(v - u)) < tol { break }
        if sum(v) < -1e30 { return 0.0 }
        u = v
    }
    return sum(u * w)
}
let (v, g) = value_and_grad(f, wrt=(x, w))(0.5 + f32(rand(1, 40, 50)), f32(0.5 + rand(2, 40, 50)), 1e-3)
print(v, sum(g[0]), sum(g[1]))
END
cat >prints.dsl <<'END'
fn f(x: f64[n], c: f64) -> f64 {
    var u = x
    var k = 0
    while sum(u^2) > 1.0 and k < 50 {
        u = c * sin(u)
        k += 1
        print("turn", k)
        assert k < 100
    }
    return sum(u) * k
}
print(grad(f, wrt=(x, c))(rand(1, 3000), 0.5)[1], grad(f, wrt=(x, c))(1e-9 * rand(1, 3000), 0.5)[1])
fn slope(x: f64[n], c: f64) -> f64 = sum(grad(f, wrt=x)(x, c)^2)
print(sum(grad(slope, wrt=x)(rand(1, 600), 0.7)), grad(slope, wrt=c)(rand(1, 600), 0.7))
END
cat >kernel.dsl <<'END'
kernel smooth(y: out f64[n], x: f64[n], c: f64[n]) {
    shared s: f64[64]
    let i = block.x * 64 + thread.x
    if i < n { s[thread.x] = x[i] }
    barrier
    if i < n { y[i] = c[i] * (s[thread.x] + s[max(thread.x - 1, 0)]) * 0.45 + 0.01 * s[thread.x]^2 }
}
fn f(x: f64[n], c: f64[n]) -> f64 {
    var u = x
    var left = 1.0
    while left > 1e-2 {
        var y = u
        launch smooth[ceildiv(n, 64), 64](y, u, c)
        left = sqrt(mean((y - u)^2))
        u = y
    }
    return sum(u * x)
}
let (a, b) = grad(f, wrt=(x, c))(rand(1, 1000), 0.8 + 0.2 * rand(2, 1000))
print(sum(a), sum(b), a[3], b[77])
END
cat >branch.dsl <<'END'
fn step(u: f64[n], c: f64) -> f64[n] = u - 0.2 * c * (u - 0.5) * u
fn f(x: f64[n], c: f64, which: int) -> f64 {
    var u = x
    var steps = 0
    if which > 0 {
        while max(abs(u - 0.5)) > 0.05 { u = step(u, c); steps += 1 }
    } else {
        while steps < 10 { u = step(u, 2*c); steps += 1; if steps == 3 { u = u[::-1] } }
        for k in 0:which + 3 { u = c * u + x }
    }
    while sum(u) > 100.0 { u = 0.9 * u * c + 0.001 * u^2 }
    return sum(u^2) * f64(steps)
}
for which in 0:2 {
    let (a, b) = grad(f, wrt=(x, c))(0.2 + rand(1, 900), 0.8, which)
    print(sum(a), a[1], b)
}
END
for f in adaptive breaks prints kernel branch; do
    for how in interp run; do
        "$DSLC" $how $f.dsl >all && "$DSLC" $how --memory-limit=100KB $f.dsl >some
        cmp all some || { echo "$how $f"; diff all some; exit 1; }
    done
    expect 0 "turns" "$DSLC" check --memory $f.dsl
    "$DSLC" check --memory --memory-limit=100KB $f.dsl >shown 2>&1
    ! grep -v "fits into the limit" shown | grep -q turns || { echo "$f"; cat shown; exit 1; }
done
cat >settle.dsl <<'END'
arg cells: int = 20000
fn settle(u0: f64[n], tol: f64) -> f64 {
    var u = u0
    var err = 1.0
    while err > tol {
        let v = [0.5 * (u[max(i - 1, 0)] + u[min(i + 1, n - 1)]) - 0.01 * u[i]^3 for i in 0:n]
        err = max(abs(v - u))
        u = v
    }
    return sum(u^2)
}
let g = grad(settle, wrt=u0)(sin(arange(cells) / 10), 1e-4)
print(sum(g), g[0], g[77])
END
"$DSLC" build settle.dsl -o settle.all && "$DSLC" build --memory-limit=5MB settle.dsl -o settle.some
./settle.all >all && ./settle.some >some && cmp all some
expect 1 "settle.dsl:5:5: error[E0287]: a state of 3200008 bytes, and a turn's, do not fit into the memory limit of 5000000 bytes; 9600024 would do" \
    ./settle.some --cells=400000
[ -x /usr/bin/time ] || exit 0
/usr/bin/time -f %M ./asked.some 2>kb >/dev/null
awk '$1 > 30000 { print "asked.some took " $1 " kB"; exit 1 }' kb
peak() { /usr/bin/time -f %M "$1" 2>&1 >/dev/null | tail -n 1; }
base=$(peak ./value.all) all=$(peak ./heat.all) some=$(peak ./heat.some)
[ $((all - base)) -gt 690000 ] && [ $((all - base)) -lt 730000 ] || { echo "all: $all, without: $base"; exit 1; }
[ $((some - base)) -lt 60000 ] || { echo "some: $some, without: $base"; exit 1; }
few=$(peak ./heat.few)
[ $((few - base)) -lt 15000 ] || { echo "few: $few, without: $base"; exit 1; }
all=$(peak ./settle.all) some=$(peak ./settle.some)
[ $((all - some)) -gt 140000 ] || { echo "settle: $all, with a limit: $some"; exit 1; }
