# -W: by name and by code, all of them, as errors; what is only given when asked for.
. "$ROOT/tests/script/lib.inc"
cat >w.dsl <<'X'
fn f(x: f64) -> f64 {
    let y = x
    let z = sin(x)
    for i in 0:3 { let z = 2.0 * i
        print(z) }
    if z == cos(x) { print("equal") }
    if z == 0.0 { print("zero") }
    return z
}
print(f(1.0))
X
expect 0 'w.dsl:2:9: warning[W0201]' "$DSLC" check w.dsl
! grep -q 'W0206\|W0207' shown || { echo "given without being asked for"; exit 1; }
expect 0 '' "$DSLC" check -Wno-unused w.dsl
! grep -q warning shown || { cat shown; exit 1; }
expect 0 '' "$DSLC" check -Wno-w0201 w.dsl
! grep -q warning shown || { cat shown; exit 1; }
expect 0 'w.dsl:4:24: warning[W0207]' "$DSLC" check -Wshadow w.dsl
! grep -q W0206 shown || { cat shown; exit 1; }
expect 0 'w.dsl:6:8: warning[W0206]' "$DSLC" check -Wall w.dsl
[ "$(grep -c W0206 shown)" = 1 ] || { cat shown; exit 1; }
expect 1 'error[W0201]' "$DSLC" check -Werror=unused w.dsl
expect 0 'warning[W0201]' "$DSLC" check -Werror=unread w.dsl
expect 1 'error[W0207]' "$DSLC" check -Werror -Wshadow w.dsl
expect 2 "does not take 'no-such'" "$DSLC" check -Wno-such w.dsl
expect 0 'E0601: index' "$DSLC" explain e0601
# Programs that are meant to be right get no warning by default.
for f in "$ROOT"/examples/*.dsl "$ROOT"/bench/*.dsl "$ROOT"/stdlib/*.dsl "$ROOT"/tests/run/*.dsl; do
    quiet=$(sed -n '1s/^# dslc run \(\(-Wno-[a-z-]* \)*\).*/\1/p' "$f")
    "$DSLC" check $quiet "$f" 2>shown >/dev/null </dev/null
    ! grep 'W02[01]\|W050[589]\|W0510' shown || { echo "$f"; exit 1; }
done
