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
[ -x /usr/bin/time ] || exit 0
/usr/bin/time -f %M ./asked.some 2>kb >/dev/null
awk '$1 > 30000 { print "asked.some took " $1 " kB"; exit 1 }' kb
peak() { /usr/bin/time -f %M "$1" 2>&1 >/dev/null | tail -n 1; }
base=$(peak ./value.all) all=$(peak ./heat.all) some=$(peak ./heat.some)
[ $((all - base)) -gt 690000 ] && [ $((all - base)) -lt 730000 ] || { echo "all: $all, without: $base"; exit 1; }
[ $((some - base)) -lt 60000 ] || { echo "some: $some, without: $base"; exit 1; }
few=$(peak ./heat.few)
[ $((few - base)) -lt 15000 ] || { echo "few: $few, without: $base"; exit 1; }
