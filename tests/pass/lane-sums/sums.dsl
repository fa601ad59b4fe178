# What an inner loop finds is found for the turns of a strip, and then combined: sums, extremes, several at once.  A loop
# through the bits of ints is written out instead; what asks for the sum so far, and short sums, stay as they are.
# RUN: dslc --emit=c %s | FileCheck %s
fn last(seed: u64) -> u64 {
    var s = seed
    for k in 0:100 { s = s * 6364136223846793005 + 1442695040888963407 }
    return s
}
fn hash32(seed: u32) -> u32 {
    var s = seed
    for k in 0:100 { s = (s xor u32(k)) * 16777619 }
    return s
}
# CHECK-LABEL: {{^}}uint64_t added({{[^;]*$}}
# CHECK: for (int64_t [[I:[a-z0-9]+]] = {{.*}} += 16) {
# CHECK: uint64_t [[S:[a-z0-9]+]][16];
# CHECK: for (int64_t [[K:[a-z0-9]+]] = 0; [[K]] < 100; [[K]]++) {
# CHECK: lane < 16
# CHECK: for (int64_t [[J:i[0-9]*]] = 0; [[J]] < 16; [[J]]++) {
# CHECK-NEXT: += ({{[a-z0-9]+}}[[[J]]] >> 60);
export fn added(n: int) -> u64 = sum(last(u64(i)) >> 60 for i in 0:n)
# CHECK-LABEL: {{^}}uint32_t highest({{[^;]*$}}
# CHECK: += 32) {
# CHECK: lane < 32
# CHECK: dsl_max_u32(
export fn highest(n: int) -> u32 = max(hash32(u32(i)) for i in 0:n)
fn steps(start: int) -> int {
    var x = start
    var n = 0
    while x > 1 { x = if x % 2 == 0 { x // 2 } else { 3 * x + 1 }; n += 1 }
    return n
}
# CHECK-LABEL: {{^}}int64_t longest({{[^;]*$}}
# CHECK: += 16) {
# CHECK: while ({{t[0-9]*}} > 2) {
# CHECK: lane < 16
# CHECK: dsl_max_i64(
export fn longest(n: int) -> int = max(steps(i) for i in 1:n)
fn ones(x: int) -> int {
    var n = 0
    for k in 0:40 { n += x >> k & 1 }
    return n
}
# CHECK-LABEL: {{^}}int64_t bits({{[^;]*$}}
# CHECK-NOT: lane
# CHECK: #pragma GCC unroll 40
# CHECK-NOT: lane
export fn bits(n: int) -> int = sum(ones(i) for i in 0:n)
# CHECK-LABEL: {{^}}int64_t few({{[^;]*$}}
# CHECK-NOT: lane
# CHECK: return
export fn few() -> int = sum(steps(i) for i in 0:10)
