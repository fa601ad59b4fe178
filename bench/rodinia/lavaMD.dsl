# Rodinia's lavaMD: forces between the particles of neighbouring boxes.  A block of threads takes a box; it brings one
# neighbour after the other into shared memory.
# small: boxes=2 particles=20 block=32
const boxes = 4
const particles = 100
const block = 128
const all = boxes * boxes * boxes
const alpha = 0.5

struct Particle { v: f64, x: f64, y: f64, z: f64 }

kernel interact(force: inout Particle[b, p], place: Particle[b, p], charge: f64[b, p], neighbours: int[b], neighbour: int[b, 26]) {
    shared home_v: f64[particles]
    shared home_x: f64[particles]
    shared home_y: f64[particles]
    shared home_z: f64[particles]
    shared v: f64[particles]
    shared x: f64[particles]
    shared y: f64[particles]
    shared z: f64[particles]
    shared q: f64[particles]
    let bx = block.x
    let a2 = 2.0 * alpha * alpha
    var i = thread.x
    while i < particles {
        home_v[i] = place[bx, i].v
        home_x[i] = place[bx, i].x
        home_y[i] = place[bx, i].y
        home_z[i] = place[bx, i].z
        i += blockdim.x
    }
    barrier
    for k in 0:1 + neighbours[bx] {
        let pointer = if k == 0 { bx } else { neighbour[bx, k - 1] }
        i = thread.x
        while i < particles {
            v[i] = place[pointer, i].v
            x[i] = place[pointer, i].x
            y[i] = place[pointer, i].y
            z[i] = place[pointer, i].z
            q[i] = charge[pointer, i]
            i += blockdim.x
        }
        barrier
        i = thread.x
        while i < particles {
            for j in 0:particles {
                let r2 = home_v[i] + v[j] - (home_x[i] * x[j] + home_y[i] * y[j] + home_z[i] * z[j])
                let vij = exp(-(a2 * r2))
                let fs = 2 * vij
                force[bx, i].v += q[j] * vij
                force[bx, i].x += q[j] * (fs * (home_x[i] - x[j]))
                force[bx, i].y += q[j] * (fs * (home_y[i] - y[j]))
                force[bx, i].z += q[j] * (fs * (home_z[i] - z[j]))
            }
            i += blockdim.x
        }
        barrier
    }
}

## The boxes around box (x, y, z) in a fixed order; -1 beyond the edge
fn beside(l: int, k: int) -> int {
    let step = if k < 13 { k } else { k + 1 }
    let z = l // (boxes * boxes) + step // 9 - 1
    let y = l // boxes % boxes + step // 3 % 3 - 1
    let x = l % boxes + step % 3 - 1
    if min(min(x, y), z) < 0 or max(max(x, y), z) >= boxes { return -1 }
    return (z * boxes + y) * boxes + x
}

## The k-th box around l that exists; 0 if there are fewer
fn kth(l: int, k: int) -> int {
    var seen = 0
    for j in 0:26 {
        let other = beside(l, j)
        if other >= 0 {
            if seen == k { return other }
            seen += 1
        }
    }
    return 0
}

fn forces(place: Particle[b, p], charge: f64[b, p], neighbours: int[b], neighbour: int[b, 26]) -> Particle[b, p] {
    var force = [Particle(0, 0, 0, 0) for i in 0:b, j in 0:p]
    launch interact[b, 128](force, place, charge, neighbours, neighbour)
    return force
}

## As the suite: tenths from 0.1 to 1.0
fn tenth(i: int, prime: int) -> f64 = f64(i * prime % 10007 % 10 + 1) / 10

let neighbours = [sum(if beside(l, k) >= 0 { 1 } else { 0 } for k in 0:26) for l in 0:all]
let neighbour = [kth(l, k) for l in 0:all, k in 0:26]
let place = [Particle(tenth(4 * (l * particles + i), 7919), tenth(4 * (l * particles + i) + 1, 7919), tenth(4 * (l * particles + i) + 2, 7919), tenth(4 * (l * particles + i) + 3, 7919)) for l in 0:all, i in 0:particles]
let charge = [tenth(l * particles + i, 7877) for l in 0:all, i in 0:particles]
let warm = forces(place, charge, neighbours, neighbour)
let start = time()
let force = forces(place, charge, neighbours, neighbour)
let seconds = time() - start
print("check", sum(force[l, i].v for l in 0:all, i in 0:particles), sum(force[l, i].x * f64(i % 7 + 1) for l in 0:all, i in 0:particles), sum(force[l, i].y * f64(i % 7 + 1) for l in 0:all, i in 0:particles), sum(force[l, i].z * f64(i % 7 + 1) for l in 0:all, i in 0:particles))
print("time", seconds)
