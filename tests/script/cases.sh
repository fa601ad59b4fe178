# Test and bench blocks: several to a file, of any name; failures; imported ones are left alone.
. "$ROOT/tests/script/lib.inc"
cat >cases.dsl <<'END'
fn test_1(x: int) -> int = x + 1
test "first" { assert test_1(1) == 2 }
test "second" { assert test_1(2) == 3, "not three" }
test "second" { assert test_1(3) == 4 }
bench "one" { assert test_1(1) == 2 }
bench "two" { assert test_1(2) == 3 }
print("script")
END
expect 0 "3 passed, 0 failed" "$DSLC" test cases.dsl
! grep -q script shown || { echo "the script ran"; exit 1; }
expect 0 "1 passed, 0 failed" "$DSLC" test --filter=first cases.dsl
expect 0 "two" "$DSLC" bench cases.dsl
expect 0 "script" "$DSLC" run cases.dsl
echo 'import "cases.dsl"
test "own" { assert test_1(1) == 3 }' >imports.dsl
expect 1 "0 passed, 1 failed" "$DSLC" test imports.dsl
