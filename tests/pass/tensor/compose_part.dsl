# A stencil of a stencil is one where launches, parallel loops and assignments to parts write all but a border: one loop
# over what is inside of both borders, and the elements beside it as they were, computed of what lies around.  Sizes at
# which borders meet, too.
# RUN: dslc --fp=reassoc --print-after=first-write --emit=par %s -o %t 2>&1 | FileCheck %s
# RUN: dslc --print-after=first-write --emit=par %s -o %t 2>&1 | FileCheck --check-prefix=STRICT %s
# RUN: dslc --fp=reassoc --choose=compose=no --print-after=first-write --emit=par %s -o %t 2>&1 | FileCheck --check-prefix=STRICT %s
# RUN: dslc --fp=reassoc --emit=c %s | FileCheck --check-prefix=C %s
# RUN: dslc --fp=fast --print-after=first-write --emit=par %s -o %t 2>&1 | FileCheck --check-prefix=FAST %s
# RUN: dslc interp %s > %t && dslc run --fp=reassoc %s > %t.2 && cmp %t %t.2
# RUN: dslc interp --stage=loops --verify-each --fp=reassoc %s > %t.2 && cmp %t %t.2
# RUN: dslc run --fp=fast %s > %t.2 && cmp %t %t.2
# STRICT-NOT: {few}
kernel lap(y: out f64[n], x: f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i > 0 and i < n - 1 { y[i] = x[i - 1] - 2 * x[i] + x[i + 1] }
}
# CHECK-LABEL: func @twice
# CHECK-NOT: island
# CHECK: [[END:%.*]] = size {size = n - 2}
# CHECK: %z = generate : f64[n]
# CHECK: ge(%i, [[FROM:%.*]]) : bool
# CHECK: lt(%i, [[END]]) : bool
# CHECK: if({{.*}}) {few} : f64 {
# CHECK-COUNT-5: extract(%x,
# CHECK-NOT: extract
# CHECK: yield
# CHECK-NOT: generate
# CHECK: return(%z)
# C-LABEL: dsl_array *twice(dsl_array *x_arr){{$}}
# C: z[i1] = x[i1 - 2] + x[i1 + 2] - (x[i1 - 1] + x[i1 + 1]) * 4.0 + x[i1] * 6.0;
export fn twice(x: f64[n]) -> f64[n] {
    var y = zeros(f64, n)
    launch lap[max(1, ceildiv(n, 256)), 256](y, x)
    var z = zeros(f64, n)
    launch lap[max(1, ceildiv(n, 256)), 256](z, y)
    return z
}
# Three: their order is that of the program, seven elements.
# CHECK-LABEL: func @thrice
# CHECK-NOT: island
# CHECK: if({{.*}}) {few} : f64 {
# CHECK-COUNT-7: extract(%x,
# CHECK-NOT: extract
# CHECK: yield
# CHECK-NOT: generate
# CHECK: return
export fn thrice(x: f64[n]) -> f64[n] {
    var y = x
    launch lap[max(1, ceildiv(n, 256)), 256](y, x)
    var z = zeros(f64, n)
    launch lap[max(1, ceildiv(n, 256)), 256](z, y)
    var u = x
    launch lap[max(1, ceildiv(n, 256)), 256](u, z)
    return u
}
# What is around: other arrays each; loops, a guard turned round, factors that are arguments
# CHECK-LABEL: func @loops
# CHECK-NOT: island
# CHECK: mul(%c, %c)
# CHECK: if({{.*}}) {few} : f64 {
# CHECK-COUNT-5: extract(%x,
# CHECK-NOT: extract
# CHECK: yield
# CHECK: extract(%b,
# CHECK: extract(%a,
# CHECK-NOT: generate
# CHECK: return
export fn loops(x: f64[n], a: f64[n], b: f64[n], c: f64) -> f64[n] {
    var y = a
    parallel for i in 1:n - 1 { y[i] = x[i] + c * (x[i - 1] - 2 * x[i] + x[i + 1]) }
    var z = b
    parallel for i in 0:n { if not (i < 1 or i + 1 >= n) { z[i] = y[i] + c * (y[i - 1] - 2 * y[i] + y[i + 1]) } }
    return z
}
# CHECK-LABEL: func @parts
# CHECK-NOT: island
# CHECK: generate : f64[n - 2]
# CHECK: if({{.*}}) {few} : f64 {
# CHECK-COUNT-5: extract(%x,
# CHECK-NOT: extract
# CHECK: yield
# CHECK-NOT: generate
# CHECK: update(%x,
# CHECK-NOT: update
# CHECK: return
export fn parts(x: f64[n]) -> f64[n] {
    var y = x
    y[1:n - 1] = x[0:n - 2] - 2 * x[1:n - 1] + x[2:n]
    var z = x
    z[1:n - 1] = y[0:n - 2] - 2 * y[1:n - 1] + y[2:n]
    return z
}
# Borders that are copied by the kernel, f32, of a plane, not the same on all sides
kernel plane_step(y: out f32[n, m], x: f32[n, m]) {
    let i = block.y * blockdim.y + thread.y
    let j = block.x * blockdim.x + thread.x
    if i < n and j < m {
        if i == 0 or i >= n - 1 or j < 1 or j == m - 1 { y[i, j] = x[i, j] }
        else { y[i, j] = x[i - 1, j] + x[i + 1, j] + x[i, j - 1] + x[i, j + 1] - f32(4) * x[i, j] }
    }
}
kernel shifted(y: out f32[n, m], x: f32[n, m]) {
    let i = block.y * blockdim.y + thread.y
    let j = block.x * blockdim.x + thread.x
    if 2 <= i and i <= n - 1 and j + 2 < m { y[i, j] = x[i - 2, j] - f32(3) * x[i, j + 2] }
}
# CHECK-LABEL: func @plane
# CHECK-NOT: island
# CHECK: if({{.*}}) {few} : f32 {
# CHECK-COUNT-13: extract(%x,
# CHECK-NOT: extract
# CHECK: yield
# CHECK-NOT: generate
# CHECK: return
export fn plane(x: f32[n, m]) -> f32[n, m] {
    var y = zeros(f32, n, m)
    launch plane_step[(max(1, ceildiv(m, 32)), max(1, ceildiv(n, 8))), (32, 8)](y, x)
    var z = zeros(f32, n, m)
    launch plane_step[(max(1, ceildiv(m, 32)), max(1, ceildiv(n, 8))), (32, 8)](z, y)
    return z
}
# CHECK-LABEL: func @sides
# CHECK-NOT: island
# CHECK: if({{.*}}) {few} : f32 {
# CHECK-COUNT-3: extract(%x,
# CHECK-NOT: extract
# CHECK: yield
# CHECK-NOT: generate
# CHECK: return
export fn sides(x: f32[n, m], a: f32[n, m]) -> f32[n, m] {
    var y = a
    launch shifted[(max(1, ceildiv(m, 32)), max(1, ceildiv(n, 8))), (32, 8)](y, x)
    var z = x
    launch shifted[(max(1, ceildiv(m, 32)), max(1, ceildiv(n, 8))), (32, 8)](z, y)
    return z
}
# CHECK-LABEL: func @along
# CHECK-NOT: island
# CHECK: if({{.*}}) {few} : f64 {
# CHECK-COUNT-9: extract(%x,
# CHECK-NOT: extract
# CHECK: yield
# CHECK-NOT: generate
# CHECK: return
export fn along(x: f64[n, m, l]) -> f64[n, m, l] {
    var y = x
    parallel for i in 1:n - 1, j in 0:m, k in 0:l { y[i, j, k] = x[i - 1, j, k] - 2 * x[i, j, k] + x[i + 1, j, k] }
    var z = y
    parallel for i in 0:n, j in 0:m, k in 1:l - 1 { z[i, j, k] = y[i, j, k - 1] - 2 * y[i, j, k] + y[i, j, k + 1] }
    return z
}
# Indices that go around, and that stop
# CHECK-LABEL: func @ring
# CHECK: generate : f64[n]
# CHECK: if({{.*}}) {few} : f64 {
# CHECK-NOT: mod
# CHECK-COUNT-5: extract(%x,
# CHECK-NOT: extract
# CHECK: yield
# CHECK-NOT: generate
# CHECK: return
export fn ring(x: f64[n]) -> f64[n] {
    let y = [x[(i + 1) % n] - 2 * x[i] + x[(i + n - 1) % n] for i in 0:n]
    return [y[(i + 1) % n] - 2 * y[i] + y[(i - 1) % n] for i in 0:n]
}
kernel wall(y: out f64[n], x: f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n { y[i] = x[min(i + 1, n - 1)] - 2 * x[i] + x[max(i - 1, 0)] }
}
# CHECK-LABEL: func @walls
# CHECK-NOT: island
# CHECK: if({{.*}}) {few} : f64 {
# CHECK-NOT: min
# CHECK-COUNT-5: extract(%x,
# CHECK-NOT: extract
# CHECK: yield
# CHECK-NOT: generate
# CHECK: return
export fn walls(x: f64[n]) -> f64[n] {
    var y = x
    launch wall[max(1, ceildiv(n, 256)), 256](y, x)
    var z = x
    launch wall[max(1, ceildiv(n, 256)), 256](z, y)
    return z
}
# Time: what is around what each turn writes is what it was before the loop, and one array is carried.
# CHECK-LABEL: func @steps
# CHECK: for({{.*}}) : f64[n] {
# CHECK-NOT: island
# CHECK: if({{.*}}) {few} : f64 {
# CHECK-COUNT-5: extract(
# CHECK-NOT: extract
# CHECK: yield
# CHECK: extract(%b,
# CHECK-NOT: generate
# CHECK: return
export fn steps(x: f64[n], b: f64[n], times: int) -> f64[n] {
    var y = b
    var z = x
    for t in 0:times {
        launch lap[max(1, ceildiv(n, 256)), 256](y, z)
        launch lap[max(1, ceildiv(n, 256)), 256](z, y)
    }
    return z
}
# Loops in loops; elements that are set in between
# CHECK-LABEL: func @rows
# CHECK-NOT: island
# CHECK: if({{.*}}) {few} : f64 {
# CHECK-COUNT-13: extract(%x,
# CHECK-NOT: extract
# CHECK: yield
# CHECK-NOT: generate
# CHECK: return
export fn rows(x: f64[n, m]) -> f64[n, m] {
    var y = x
    parallel for i in 1:n - 1 { for j in 1:m - 1 { y[i, j] = x[i - 1, j] + x[i + 1, j] + x[i, j - 1] + x[i, j + 1] - 4 * x[i, j] } }
    var z = x
    parallel for i in 1:n - 1 { for j in 1:m - 1 { z[i, j] = y[i - 1, j] + y[i + 1, j] + y[i, j - 1] + y[i, j + 1] - 4 * y[i, j] } }
    return z
}
# Loops that are not parallel by their word
# CHECK-LABEL: func @in_order
# CHECK-NOT: for(
# CHECK: if({{.*}}) {few} : f64 {
# CHECK-COUNT-13: extract(%x,
# CHECK-NOT: extract
# CHECK: yield
# CHECK-NOT: generate
# CHECK: return
export fn in_order(x: f64[n, m]) -> f64[n, m] {
    var y = x
    for i in 1:n - 1 { for j in 1:m - 1 { y[i, j] = x[i - 1, j] + x[i + 1, j] + x[i, j - 1] + x[i, j + 1] - 4 * x[i, j] } }
    var z = x
    for i in 1:n - 1 { for j in 1:m - 1 { z[i, j] = y[i - 1, j] + y[i + 1, j] + y[i, j - 1] + y[i, j + 1] - 4 * y[i, j] } }
    return z
}
# CHECK-LABEL: func @ends
# CHECK: generate : f64[n - 2]
# CHECK: if({{.*}}) {few} : f64 {
# CHECK-COUNT-5: extract(%x,
# CHECK-NOT: extract
# CHECK: yield
# CHECK-NOT: generate
# CHECK-NOT: insert
# CHECK: return
export fn ends(x: f64[n]) -> f64[n] {
    var y = x
    y[1:n - 1] = x[0:n - 2] - 2 * x[1:n - 1] + x[2:n]
    y[0] = 5
    y[n - 1] = 7
    var z = x
    z[1:n - 1] = y[0:n - 2] - 2 * y[1:n - 1] + y[2:n]
    return z
}
# Quotients by what is no number, with --fp=fast alone
kernel quotient(y: out f64[n], x: f64[n], h: f64) {
    let i = block.x * blockdim.x + thread.x
    if i > 0 and i < n - 1 { y[i] = (x[i - 1] - 2 * x[i] + x[i + 1]) / (h * h) }
}
# CHECK-LABEL: func @quotients
# CHECK-NOT: {few}
# CHECK: return
# FAST-LABEL: func @quotients
# FAST: if({{.*}}) {few} : f64 {
# FAST-COUNT-5: extract(%x,
# FAST-NOT: extract
# FAST: yield
export fn quotients(x: f64[n], h: f64) -> f64[n] {
    var y = x
    launch quotient[max(1, ceildiv(n, 256)), 256](y, x, h)
    var z = x
    launch quotient[max(1, ceildiv(n, 256)), 256](z, y, h)
    return z
}
# Not these: the array in between is wanted, is written in place, by some threads, or is more work so.
# CHECK-LABEL: func @wanted
# CHECK-NOT: {few}
# CHECK: return
export fn wanted(x: f64[n]) -> (f64[n], f64[n]) {
    var y = zeros(f64, n)
    launch lap[max(1, ceildiv(n, 256)), 256](y, x)
    var z = zeros(f64, n)
    launch lap[max(1, ceildiv(n, 256)), 256](z, y)
    return (y, z)
}
# CHECK-LABEL: func @wanted_behind
# CHECK-NOT: {few}
# CHECK: return
export fn wanted_behind(x: f64[n], times: int) -> (f64[n], f64[n]) {
    var y = x
    var z = x
    for t in 0:times {
        launch lap[max(1, ceildiv(n, 256)), 256](y, z)
        launch lap[max(1, ceildiv(n, 256)), 256](z, y)
    }
    return (y, z)
}
kernel some(y: out f64[n], x: f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i > 0 and i < n - 1 { if x[i] > 3 { y[i] = x[i - 1] - 2 * x[i] + x[i + 1] } }
}
# CHECK-LABEL: func @by_some
# CHECK-NOT: {few}
# CHECK: return
export fn by_some(x: f64[n], times: int) -> f64[n] {
    var y = x
    var z = x
    for t in 0:times {
        launch some[max(1, ceildiv(n, 256)), 256](y, z)
        launch lap[max(1, ceildiv(n, 256)), 256](z, y)
    }
    return z
}
# CHECK-LABEL: func @in_place
# CHECK-NOT: {few}
# CHECK: return
export fn in_place(x: f64[n]) -> f64[n] {
    var y = x
    parallel for i in 0:n { y[i] = 2 * y[i] + 1 }
    for i in 1:n - 1 { y[i] = y[i - 1] - 2 * y[i] + y[i + 1] }
    return y
}
# CHECK-LABEL: func @half
# CHECK-NOT: {few}
# CHECK: return
export fn half(x: f64[n]) -> f64[n] {
    var y = x
    parallel for i in 1:(n - 1) // 2 { y[i] = x[i - 1] - 2 * x[i] + x[i + 1] }
    var z = x
    parallel for i in 1:(n - 1) // 2 { z[i] = y[i - 1] - 2 * y[i] + y[i + 1] }
    return z
}
# CHECK-LABEL: func @cube
# CHECK-NOT: {few}
# CHECK: return
export fn cube(x: f64[n, m, l]) -> f64[n, m, l] {
    var y = x
    parallel for i in 1:n - 1, j in 1:m - 1, k in 1:l - 1 {
        y[i, j, k] = x[i - 1, j, k] + x[i + 1, j, k] + x[i, j - 1, k] + x[i, j + 1, k] + x[i, j, k - 1] + x[i, j, k + 1] - 6 * x[i, j, k]
    }
    var z = y
    parallel for i in 1:n - 1, j in 1:m - 1, k in 1:l - 1 {
        z[i, j, k] = y[i - 1, j, k] + y[i + 1, j, k] + y[i, j - 1, k] + y[i, j + 1, k] + y[i, j, k - 1] + y[i, j, k + 1] - 6 * y[i, j, k]
    }
    return z
}
for n in 0:9 {
    let x = [f64(i * i * i % 17) for i in 0:n]
    let a = [f64(i * 5 % 7) for i in 0:n]
    print(n, twice(x), thrice(x), loops(x, a, x + 1, 2.0), ring(x), walls(x))
    if n >= 2 { print(parts(x), ends(x), quotients(x, 2.0)) }
    print(steps(x, a, 0), steps(x, a, 1), steps(x, a, 3), wanted(x).0, wanted_behind(x, 2).0, by_some(x, 3), in_place(x), half(x))
    for m in [0, 1, 3, 4, 6, 9] {
        let p = [f32((i * 7 + j * 5) % 11) for i in 0:n, j in 0:m]
        print(plane(p), sides(p, p * f32(2)), rows([f64((i * 7 + j * 5) % 11) for i in 0:n, j in 0:m]))
        print(in_order([f64((i * 7 + j * 5) % 11) for i in 0:n, j in 0:m]))
    }
}
let c = [f64((i * 7 + j * 5 + k * 3) % 11) for i in 0:6, j in 0:5, k in 0:7]
print(cube(c), along(c), cube(ones(f64, 2, 1, 3)), along(ones(f64, 2, 1, 3)))
