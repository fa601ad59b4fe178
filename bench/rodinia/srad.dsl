# Rodinia's srad (version 2): speckle-reducing anisotropic diffusion.  A first kernel finds the coefficients of diffusion
# and the four differences of each point, a second one moves the image.
# small: n=48 m=64 steps=2 last=15
const n = 2048
const m = 2048
const steps = 2
const last = 127
const side = 16
import "inputs.dsl"

kernel coefficients(east_d: out f32[r, c], west_d: out f32[r, c], north_d: out f32[r, c], south_d: out f32[r, c], coefficient: out f32[r, c], image: f32[r, c], q0sqr: f32) {
    shared temp: f32[side, side]
    shared result: f32[side, side]
    shared north: f32[side, side]
    shared south: f32[side, side]
    shared east: f32[side, side]
    shared west: f32[side, side]
    let tx = thread.x
    let ty = thread.y
    let y0 = side * block.y
    let x0 = side * block.x
    let y = y0 + ty
    let x = x0 + tx
    north[ty, tx] = if block.y == 0 { image[0, x] } else { image[y0 - 1, x] }
    south[ty, tx] = if block.y == griddim.y - 1 { image[r - 1, x] } else { image[y0 + side, x] }
    barrier
    west[ty, tx] = if block.x == 0 { image[y, 0] } else { image[y, x0 - 1] }
    east[ty, tx] = if block.x == griddim.x - 1 { image[y, c - 1] } else { image[y, x0 + side] }
    barrier
    temp[ty, tx] = image[y, x]
    barrier
    let here = temp[ty, tx]
    let dn = (if ty == 0 { north[ty, tx] } else { temp[ty - 1, tx] }) - here
    let ds = (if ty == side - 1 { south[ty, tx] } else { temp[ty + 1, tx] }) - here
    let dw = (if tx == 0 { west[ty, tx] } else { temp[ty, tx - 1] }) - here
    let de = (if tx == side - 1 { east[ty, tx] } else { temp[ty, tx + 1] }) - here
    let g2 = (dn * dn + ds * ds + dw * dw + de * de) / (here * here)
    let l = (dn + ds + dw + de) / here
    let num = 0.5 * g2 - 1.0 / 16.0 * (l * l)
    let den = 1 + 0.25 * l
    let qsqr = num / (den * den)
    # the coefficient, equation 33, saturated
    let value = 1 / (1 + (qsqr - q0sqr) / (q0sqr * (1 + q0sqr)))
    result[ty, tx] = if value < 0 { 0 } else if value > 1 { 1 } else { value }
    barrier
    coefficient[y, x] = result[ty, tx]
    east_d[y, x] = de
    west_d[y, x] = dw
    south_d[y, x] = ds
    north_d[y, x] = dn
}

kernel diffuse(image: inout f32[r, c], east_d: f32[r, c], west_d: f32[r, c], north_d: f32[r, c], south_d: f32[r, c], coefficient: f32[r, c], lambda: f32) {
    shared south_c: f32[side, side]
    shared east_c: f32[side, side]
    shared here_c: f32[side, side]
    shared result: f32[side, side]
    shared temp: f32[side, side]
    let tx = thread.x
    let ty = thread.y
    let y0 = side * block.y
    let x0 = side * block.x
    let y = y0 + ty
    let x = x0 + tx
    temp[ty, tx] = image[y, x]
    barrier
    south_c[ty, tx] = if block.y == griddim.y - 1 { coefficient[r - 1, x] } else { coefficient[y0 + side, x] }
    barrier
    east_c[ty, tx] = if block.x == griddim.x - 1 { coefficient[y, c - 1] } else { coefficient[y, x0 + side] }
    barrier
    here_c[ty, tx] = coefficient[y, x]
    barrier
    let here = here_c[ty, tx]
    let cs = if ty == side - 1 { south_c[ty, tx] } else { here_c[ty + 1, tx] }
    let ce = if tx == side - 1 { east_c[ty, tx] } else { here_c[ty, tx + 1] }
    # divergence, equation 58, and the image, equation 61
    let divergence = here * north_d[y, x] + cs * south_d[y, x] + here * west_d[y, x] + ce * east_d[y, x]
    result[ty, tx] = temp[ty, tx] + 0.25 * lambda * divergence
    barrier
    image[y, x] = result[ty, tx]
}

fn despeckle(start: f32[r, c], steps: int, lambda: f32) -> f32[r, c] {
    var image = start
    var east = zeros(f32, r, c)
    var west = zeros(f32, r, c)
    var north = zeros(f32, r, c)
    var south = zeros(f32, r, c)
    var coefficient = zeros(f32, r, c)
    let blocks = (c // side, r // side)
    for t in 0:steps {
        let region = f64(image[0:last + 1, 0:last + 1])
        let average = mean(region)
        let spread = mean(region * region) - average * average
        let q0sqr = f32(spread / (average * average))
        launch coefficients[blocks, (side, side)](east, west, north, south, coefficient, image, q0sqr)
        launch diffuse[blocks, (side, side)](image, east, west, north, south, coefficient, lambda)
    }
    return image
}

let image = exp([fraction(i * m + j, 7919, 10007) for i in 0:n, j in 0:m])
let warm = despeckle(image, 1, 0.5)
let start = time()
let clear = despeckle(image, steps, 0.5)
let seconds = time() - start
print("check", sum(f64(clear)), weighted(clear), clear[n // 2, m // 3])
print("time", seconds)
