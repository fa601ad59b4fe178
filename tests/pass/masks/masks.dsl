# Iterations around a while: blocks of lanes, each with a while that goes on as long as more than a few
# lanes do, and a loop that does the turns that are left.  Wide values have 16
# lanes, narrow ones 32.  Not where the while reads arrays, divides by what is no power of two, carries what no vector
# holds, or runs for few iterations.
# RUN: dslc --emit=c %s | FileCheck %s
fn steps(start: int) -> int {
    var x = start
    var n = 0
    while x > 1 { x = if x % 2 == 0 { x // 2 } else { 3 * x + 1 }; n += 1 }
    return n
}
# CHECK-LABEL: {{^}}dsl_array *collatz({{[^;]*$}}
# The turns that fill no block
# CHECK: while ({{[a-z0-9]+}} > 1) {
# CHECK: int64_t [[X:[a-z0-9]+]][16];
# CHECK: int64_t [[N:[a-z0-9]+]][16];
# CHECK: #pragma omp simd
# CHECK-NEXT: for (int64_t lane = 0; lane < 16; lane++) {
# CHECK: while ([[ON:t[0-9]*]] > 2) {
# CHECK: DSL_LANES
# CHECK-NEXT: for (int64_t lane = 0; lane < 16; lane++) {
# CHECK: [[X]][lane] = [[C:[a-z0-9]+]] ?
# CHECK: [[N]][lane] = [[C]] ?
# CHECK: += ([[C]] ? 1 : 0);
# CHECK: for (int64_t lane = 0; lane < 16; lane++) {
# CHECK: while ({{[a-z0-9]+}} > 1) {
export fn collatz(a: int[n]) -> int[n] = [steps(a[i]) for i in 0:n]
fn fits(a: u32) -> u32 {
    var x = a
    while x > 1000 { x = if x & 1 == 0 { x - (x >> 3) } else { x >> 1 } }
    return x
}
# CHECK-LABEL: {{^}}dsl_array *narrow({{[^;]*$}}
# CHECK: uint32_t {{[a-z0-9]+}}[32];
# CHECK: lane < 32
# CHECK: int32_t {{[a-z0-9]+}} = 0;
export fn narrow(a: u32[n]) -> u32[n] = [fits(a[i]) for i in 0:n]
fn escape(cx: f64, cy: f64) -> int {
    var x = 0.0
    var y = 0.0
    var k = 0
    while k < 100 and x * x + y * y <= 4 {
        let t = x * x - y * y + cx
        y = 2 * x * y + cy
        x = t
        k += 1
    }
    return k
}
# What is the same for a row is computed once for the block.
# CHECK-LABEL: {{^}}dsl_array *picture({{[^;]*$}}
# CHECK: while ({{[a-z0-9]+}} < 100 &&
# CHECK: const double [[CY:[a-z0-9]+]] = {{.*}} * 0.01;
# CHECK: lane < 16
# CHECK: while ({{t[0-9]*}} > 2) {
# CHECK: * 2.0 * {{.*}} + [[CY]];
export fn picture(n: int, m: int) -> int[n, m] = [escape(j * 0.02, i * 0.01) for i in 0:n, j in 0:m]
# A flag that ends a loop is an int of the lane.
fn first(a: int) -> int {
    var found = 0
    for k in 1:100 {
        if (a * k + found) & 255 == 77 { found = k; break }
        found += 3
    }
    return found
}
# CHECK-LABEL: {{^}}dsl_array *ends({{[^;]*$}}
# CHECK: lane < 16
export fn ends(n: int) -> int[n] = [first(i) for i in 0:n]
# One that looks for the first of its turns makes vectors of these.
fn place(a: int) -> int {
    for k in 1:100 {
        if (a * k) & 255 == 77 { return k }
    }
    return 0
}
# CHECK-LABEL: {{^}}dsl_array *places({{[^;]*$}}
# CHECK-NOT: lane
# CHECK: {{^}}dsl_array *reads({{[^;]*$}}
export fn places(n: int) -> int[n] = [place(i) for i in 0:n]
# CHECK-NOT: lane
# CHECK: {{^}}dsl_array *divides({{[^;]*$}}
export fn reads(a: int[n], next: int[m]) -> int[n] = [follow(a[i], next) for i in 0:n]
fn follow(a: int, next: int[m]) -> int {
    var x = a
    while next[x] > x { x = next[x] }
    return x
}
# CHECK-NOT: lane
# CHECK: {{^}}dsl_array *few({{[^;]*$}}
export fn divides(a: int[n]) -> int[n] = [divisor(a[i], i) for i in 0:n]
fn divisor(a: int, b: int) -> int {
    var x = a
    var y = b
    while y != 0 { let r = x % y; x = y; y = r }
    return x
}
# CHECK-NOT: lane
# CHECK: {{^}}dsl_array *light({{[^;]*$}}
export fn few(a: int[8]) -> int[8] = [steps(a[i]) for i in 0:8]
# A turn of little work takes less time than a vector's turn.
fn wrapped(a: int) -> int {
    var x = a
    while x > 1000 { x = x - 1000 }
    return x
}
# CHECK-NOT: lane
export fn light(a: int[n]) -> int[n] = [wrapped(a[i]) for i in 0:n]
