# -D: constants from the command line.
. "$ROOT/tests/script/lib.inc"
echo 'const n = 3
const h = 0.5
const debug = false
const k: f32 = 1.0
const name = "x"
let v = 2
print(n, h, debug, k, name, v)' >a.dsl
"$DSLC" check -D n=7 -D h=2 -D debug=true -D k=3 a.dsl || { echo "check failed"; exit 1; }
"$DSLC" check -D n=-7 -D h=1e-3 a.dsl || { echo "check failed"; exit 1; }
expect 1 "E0751" "$DSLC" check -D n=2.5 a.dsl
expect 1 "E0751" "$DSLC" check -D n=three a.dsl
expect 1 "E0751" "$DSLC" check -D debug=1 a.dsl
expect 1 "E0751" "$DSLC" check -D name=5 a.dsl
expect 1 "E0750" "$DSLC" check -D v=3 a.dsl
expect 1 "did you mean 'debug'" "$DSLC" check -D debgu=true a.dsl
