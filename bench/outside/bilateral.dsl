# Bilateral filter of a grey image: a mean of 5 by 5 pixels, weighted by distance and by difference of brightness
const height = 512
const width = 768
const radius = 2

kernel bilateral(smooth: out f32[h, w], image: f32[h, w], near: f32[2 * radius + 1, 2 * radius + 1]) {
    let x = block.x * blockdim.x + thread.x
    let y = block.y * blockdim.y + thread.y
    if x < w and y < h {
        let centre = image[y, x]
        var total = f32(0)
        var weight = f32(0)
        for dy in -radius:radius + 1 {
            for dx in -radius:radius + 1 {
                let v = image[clamp(y + dy, 0, h - 1), clamp(x + dx, 0, w - 1)]
                let k = near[dy + radius, dx + radius] * exp(-50 * (v - centre)^2)
                total += k * v
                weight += k
            }
        }
        smooth[y, x] = total / weight
    }
}

let near = [f32(exp(-f64((i - radius)^2 + (j - radius)^2) / 4.5)) for i in 0:2 * radius + 1, j in 0:2 * radius + 1]
let image = [f32(f64((y * width + x) * 7919 % 10007) / 10007) for y in 0:height, x in 0:width]
var smooth = zeros(f32, height, width)
let grid = (ceildiv(width, 32), ceildiv(height, 8))
launch bilateral[grid, (32, 8)](smooth, image, near)
let start = time()
launch bilateral[grid, (32, 8)](smooth, image, near)
let seconds = time() - start
print("check", sum(f64(smooth)), smooth[height // 2, width // 3])
print("time", seconds)
