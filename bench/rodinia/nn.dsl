# Rodinia's nn: the records of storms nearest to a place.  A kernel finds all distances, the nearest few are then picked.
# small: n=300 block=64
import "inputs.dsl"
const n = 1000000
const nearest = 10
const block = 256

struct Place { lat: f32, lng: f32 }

kernel euclid(distances: out f32[n], places: Place[n], lat: f32, lng: f32) {
    let id = blockdim.x * (griddim.x * block.y + block.x) + thread.x
    if id < n {
        distances[id] = sqrt((lat - places[id].lat) * (lat - places[id].lat) + (lng - places[id].lng) * (lng - places[id].lng))
    }
}

fn pick(places: Place[n], lat: f32, lng: f32) -> (int[nearest], f32[nearest]) {
    var distances = zeros(f32, n)
    launch euclid[ceildiv(n, block), block](distances, places, lat, lng)
    var order = zeros(int, nearest)
    var found = zeros(f32, nearest)
    for k in 0:nearest {
        let best = argmin(distances)
        order[k] = best
        found[k] = distances[best]
        distances[best] = 1e30
    }
    return (order, found)
}

let places = [Place(7 + 57 * fraction(i, 7919, 10007), 358 * fraction(i, 7877, 10009)) for i in 0:n]
let (warm, warm_found) = pick(places, 30, 90)
let start = time()
let (order, found) = pick(places, 30, 90)
let seconds = time() - start
print("check", order[0], sum(f64(found)), f64(found[nearest - 1]))
print("time", seconds)
