struct Body { x: f64, y: f64, mass: f64 }
struct Pair { a: Body, b: Body }
fn centre(b: Body[n]) -> (f64, f64) {
    let m = sum(b[i].mass for i in 0:n)
    return (sum(b[i].x * b[i].mass for i in 0:n) / m, sum(b[i].y * b[i].mass for i in 0:n) / m)
}
var sun = Body(0, 0, 3)
sun.mass = 2
let all = [Body(x=f64(i), y=1, mass=sun.mass) for i in 0:3]
print(centre(all))
var p = Pair(sun, Body(1, 2, 3))
p.b.x += 10
p.a = p.b
print(p.a.x, p.b.y, p.a.mass)
var bodies = all
bodies[1] = Body(5, 5, 5)
bodies[2].x = 7
print(bodies[0].x, bodies[1].mass, bodies[2].x, bodies[2].y, all[1].mass)
struct State { u: f64[n], t: int }
fn step(s: State) -> State {
    var r = s
    r.u[0] += 1
    r.t += 1
    return r
}
let s = step(step(State(zeros(f64, 3), 0)))
print(s.u, s.t)

# How they are printed
struct Inner { at: (int, f64), spin: bool }
struct Outer { name: str, inner: Inner, table: f64[2, 2] }
struct Spin { at: int, up: bool }
let inner = Inner((1, 2.5), true)
let outer = Outer("top", inner, [[1.0, 2.0], [3.0, 4.0]])
let spins = [Spin(i, i > 1) for i in 0:3]
print(inner, (inner, (7,)))
print(outer)
print(spins, spins[1], spins[0:2])
print([(i, i / 2) for i in 0:3], shape([1, 2]))
print(f"{inner} {{{(1, -2.0):+.2f}}} {spins}", f"{(spins[2].at, 1.5):6.1f}")
assert inner.spin, f"not {inner}"
