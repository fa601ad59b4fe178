# Shared arrays of structs and of tuples: each field is an array of its own
struct Body { x: f64, y: f64, mass: f64 }
kernel forces(a: inout Body[n], b: Body[n]) {
    shared tile: Body[4]
    shared two: (f64, int)[4]
    let t = thread.x
    let i = block.x * 4 + t
    var me = if i < n { b[i] } else { Body(0, 0, 0) }
    for k in 0:ceildiv(n, 4) {
        let j = k * 4 + t
        tile[t] = if j < n { b[j] } else { Body(0, 0, 0) }
        two[t] = (f64(j), j)
        barrier
        for q in 0:4 { 
            me.x += tile[q].mass * tile[q].x
            me.y += two[q].0 + two[q].1
        }
        barrier
    }
    tile[t].mass = me.x
    barrier
    me.mass += tile[3 - t].mass
    if i < n { a[i] = me }
}
let b = [Body(f64(i), 1, 2 + i % 3) for i in 0:10]
var a = b
launch forces[3, 4](a, b)
print(a.x, a.y, a.mass)
