# On a GPU columns that are long, and not many, are reduced by teams in chunks of 1024, then by a thread for each; such sums
# stay apart from what reads them. Of many columns, or short ones, each has a thread.
# RUN: dslc --emit=loops --target=cuda %s | FileCheck %s
# CHECK: @bias
# CHECK: parallel(%{{.*}}, %{{.*}}) {kind = plain, team}
# CHECK: reduce({{.*}}team}
# CHECK: store({{.*}}, %partial
# CHECK: kind = plain}
# CHECK: for(
# CHECK: exp(
# CHECK: @many
# CHECK-NOT: team
# CHECK: @short
# CHECK-NOT: team
# CHECK: @rows
# CHECK: kind = plain, team}
export fn bias(a: f32[5000, 16], b: f32[16]) -> f32[16] {
    let s = sum(a, axis=0)
    return [exp(-b[j] - s[j]) for j in 0:16]
}
export fn many(a: f32[5000, 20000]) -> f32[20000] = sum(a, axis=0)
export fn short(a: f32[200, 16]) -> f32[16] = sum(a, axis=0)
export fn rows(a: f32[16, 5000]) -> f32[16] = sum(a, axis=1)
