# A barrier stays one: behind a branch some passes of LLVM would make two of it where a call follows, and then the threads
# of a warp come to different ones.
# RUN: dslc --emit=ptx %s | FileCheck %s
# CHECK: .entry k{{[0-9]+}}_claims
# CHECK: bar.sync
# CHECK-NOT: bar.sync
kernel claims(own: inout int[n]) {
    shared winner: int[1]
    let t = thread.x
    if t == 0 { winner[0] = -1 }
    barrier
    let was = atomic winner[0] = t if -1
    if was == -1 { own[t] += 1 }
}
var own = [i % 2 for i in 0:40]
launch claims[1, 40](own)
print(own)
