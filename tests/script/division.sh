# How divisions by variables are compiled: 32 bits where ranges are proved, a test for it elsewhere, none of either by constants.
. "$ROOT/tests/script/lib.inc"
shows() { # pattern of C, expression of i, d, and w: u32
    printf 'kernel k(y: inout int[n], d: int, w: u32) {\n    let i = thread.x\n    if i < n { y[i] = %s }\n}\nvar y = [int(40 * uniform(2, i)) for i in 0:40]\nlaunch k[1, 40](y, int(uniform(1, 1)) + 3, 5)\nprint(y)\n' "$2" >t.dsl
    expect 0 '' "$DSLC" --emit=c t.dsl -o -
    grep -qE -e "$1" shown || { echo "no '$1' for $2"; cat shown; exit 1; }
}
shows '\(uint32_t\)[^;]* % \(uint32_t\)' 'i % ((y[i] & 7) + 1)'
shows '\(uint32_t\)[^;]* / \(uint32_t\)' '(i + 7) // max(min(d, 100), 1)'
shows '3 % 40|\* 3\) % 40' '(3 * i) % n'
shows '\(uint32_t\)[^;]* / \(uint32_t\)' 'int(w) // (i + 1)'
shows 'dsl_mod_i64' 'i % d'
shows ' % 7' '(9 * i) % 7'
shows 'w / 3|w // 3|/ 3u' 'int(w // 3)'
