# Loops and kernels whose elements read neighbours along an outer axis: on a GPU a thread does several, and whatever the
# sizes are, each element is computed once. What is read and written in place is read in order.
fn sum2(x: f64[n, m]) -> f64 = sum(x[i, j] * f64(1 + (i * 31 + j * 17) % 101) for i in 0:n, j in 0:m)

fn five(u: f64[n, m]) -> f64[n, m] {
    var next = u
    parallel for y in 1:n - 1, x in 1:m - 1 {
        next[y, x] = u[y, x] + 0.2 * (u[y - 1, x] + u[y + 1, x] + u[y, x - 1] + u[y, x + 1] - 4 * u[y, x])
    }
    return next
}

fn five32(u: f32[n, m]) -> f32[n, m] {
    var next = u
    parallel for y in 1:n - 1, x in 1:m - 1 {
        next[y, x] = (u[y - 1, x] + u[y + 1, x] + u[y, x - 1] + u[y, x + 1]) / 4
    }
    return next
}

# The rows that a thread does lie along an axis of other arrays, too
fn turned(u: f64[n, m], k: f64[m], c: int[m, n]) -> f64[n, m] =
    [(u[i, j] + u[max(i - 1, 0), j] + u[min(i + 1, n - 1), j]) * k[j] + f64(c[j, i]) for i in 0:n, j in 0:m]

fn differences(u: f64[n, m]) -> f64[n - 1, m] = u[1:] - u[:n - 1] + 2 * u[1:]

fn seven(u: f64[n, m, k]) -> f64[n, m, k] {
    var next = u
    parallel for z in 1:n - 1, y in 1:m - 1, x in 1:k - 1 {
        next[z, y, x] = 0.4 * u[z, y, x] + 0.1 * (u[z - 1, y, x] + u[z + 1, y, x] + u[z, y - 1, x] + u[z, y + 1, x]
                                                  + u[z, y, x - 1] + u[z, y, x + 1])
    }
    return next
}

# Neighbours along the axis in the middle alone
fn middle(u: f64[n, m, k]) -> f64[n, m - 2, k] = [u[z, y, x] - 2 * u[z, y + 1, x] + u[z, y + 2, x] for z in 0:n, y in 0:m - 2, x in 0:k]

fn four(u: f64[n, m, k, q]) -> f64[n, m, k, q] {
    var next = u
    parallel for a in 0:n, b in 0:m, c in 1:k - 1, d in 0:q {
        next[a, b, c, d] = u[a, b, c - 1, d] + 3 * u[a, b, c + 1, d] + f64(a + b * d)
    }
    return next
}

# Each element by itself and its neighbours of the other colour, in place
fn colours(u0: f64[n, m]) -> f64[n, m] {
    var u = u0
    for colour in 0:2 {
        parallel for y in 1:n - 1, x in 1:m - 1 {
            if (x + y) % 2 == colour { u[y, x] = (u[y - 1, x] + u[y + 1, x] + u[y, x - 1] + u[y, x + 1]) / 4 }
        }
    }
    return u
}

# Borders by a guard in the loop; a second array is written
fn guarded(u: f64[n, m]) -> (f64[n, m], int[n, m]) {
    var next = u
    var seen = zeros(int, n, m)
    parallel for y in 0:n, x in 0:m {
        if y > 0 and y < n - 1 {
            next[y, x] = u[y - 1, x] + u[y, x] + u[y + 1, x]
        } else {
            next[y, x] = -u[y, x]
        }
        seen[y, x] += x + y
    }
    return (next, seen)
}

for n in [1, 2, 3, 5, 9, 33, 257] {
    for m in [1, 2, 5, 33, 300] {
        let u = [f64((i * m + j) * 7919 % 1009) / 1009 for i in 0:n, j in 0:m]
        let v = [f32((i * m + j) * 7919 % 1009) / 1009 for i in 0:n, j in 0:m]
        let (g, s) = guarded(u)
        let k = [f64(j % 7) for j in 0:m]
        let c = [i * 3 + j for i in 0:m, j in 0:n]
        print(n, m, sum2(five(u)), sum2([f64(e) for e in five32(v)]), sum2(turned(u, k, c)), sum2(colours(u)), sum2(g), sum(s))
        print(sum2(differences(u)))
    }
}
for n in [1, 2, 3, 8, 9, 19] {
    for m in [1, 3, 11] {
        for k in [3, 40] {
            let u = [f64(((z * m + y) * k + x) * 7919 % 1009) / 1009 for z in 0:n, y in 0:m, x in 0:k]
            let w = [f64((((z * m + y) * k + x) * 7919 + a) % 1009) / 1009 for z in 0:n, a in 0:3, y in 0:m, x in 0:k]
            print(n, m, k, sum(seven(u)), sum(four(w)))
            if m > 2 { print(sum(middle(u))) }
        }
    }
}
# Sizes that are known
let plane = [f64((i * 40 + j) * 7919 % 1009) / 1009 for i in 0:37, j in 0:40]
print(sum2(five(plane)), sum2(colours(plane)))
let cube = [f64(((z * 20 + y) * 70 + x) * 7919 % 1009) / 1009 for z in 0:19, y in 0:20, x in 0:70]
print(sum(seven(cube)), sum(middle(cube)))
