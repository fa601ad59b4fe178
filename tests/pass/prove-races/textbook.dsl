# Scans, sorts and sums of textbooks: offsets that are doubled and halved, partners by xor.  No pair of accesses is left open.
# RUN: for p in scan_blelloch scan_hillis sort_bitonic sort_odd_even sum_trees butterfly; do dslc check --explain-checks $(dirname %s)/../../run/$p.dsl; done 2>&1 | FileCheck %s
# RUN: dslc check --explain-checks $(dirname %s)/../../run/scan_blelloch.dsl 2>&1 | FileCheck --check-prefix=SCAN %s
# CHECK-NOT: unknown (
# CHECK-NOT: warning
# CHECK: races: {{[0-9]+}} pairs
# SCAN: s': proved (pairs: 17
# SCAN: 59 proved, 0 checked
