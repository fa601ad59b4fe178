# dslc test and dslc bench: a line per case, the counts, the exit status.
. "$ROOT/tests/script/lib.inc"
cat >a.dsl <<'D'
fn f(x: f64) -> f64 = x * 2
fn third(x: f64[n], i: int) -> f64 = x[i]
test "doubles */ \"quoted\"" { assert f(2.0) == 4.0 }
test "wrong" { assert f(2.0) == 5.0, "not five" }
test "wrong" { assert third([1.0, 2.0], 2) == 0.0 }
bench "sum" { let x = linspace(0.0, 1.0, 1000)
    assert sum(x * x) > 0 }
print("main")
D
cat >b.dsl <<'D'
test "good" { assert true }
D
expect 1 '1 passed, 2 failed' "$DSLC" test a.dsl
expect 1 'ok doubles */ "quoted"' "$DSLC" test a.dsl
expect 1 'FAILED wrong' "$DSLC" test a.dsl
expect 1 'E0601' "$DSLC" test a.dsl
expect 1 '2 passed, 2 failed' "$DSLC" test a.dsl b.dsl
expect 0 '1 passed, 0 failed' "$DSLC" test --filter=doubles a.dsl
expect 0 '1 passed, 0 failed' "$DSLC" test b.dsl
! "$DSLC" test a.dsl 2>&1 | grep -q main
echo 'print(1' >bad.dsl
expect 1 '1 passed, 0 failed' "$DSLC" test bad.dsl b.dsl
expect 1 'E01' "$DSLC" test bad.dsl b.dsl
expect 0 'median' "$DSLC" bench a.dsl
expect 2 'E0707' "$DSLC" test
