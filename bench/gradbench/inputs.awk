# awk -f inputs.awk -v module=lse -v size="n=40000" -v seconds=0.3: an input of GradBench for a module, random but the same each time
function number() { return rand() }
function normal() { return sqrt(-2 * log(1 - rand())) * cos(6.283185307179586 * rand()) }
function value(kind) { return kind == "bit" ? int(2 * rand()) : kind == "normal" ? normal() : number() }
function vector(n, kind, i) {
    printf "["
    for (i = 0; i < n; i++) printf "%s%.17g", i ? "," : "", value(kind)
    printf "]"
}
function matrix(n, m, kind, i) {
    printf "["
    for (i = 0; i < n; i++) { if (i) printf ","; vector(m, kind) }
    printf "]"
}
function near_one(n, i, j, k) { # n matrices of 4 x 4
    printf "["
    for (k = 0; k < n; k++) {
        printf "%s[", k ? "," : ""
        for (i = 0; i < 4; i++) {
            printf "%s[", i ? "," : ""
            for (j = 0; j < 4; j++) printf "%s%.17g", j ? "," : "", i == 3 ? (j == 3) : (i == j) + 0.1 * normal()
            printf "]"
        }
        printf "]"
    }
    printf "]"
}
function ints(n, m, top, i, j) { # n rows of m below top; m = 0: numbers
    printf "["
    for (i = 0; i < n; i++) {
        printf i ? "," : ""
        if (m) printf "["
        for (j = 0; j < (m ? m : 1); j++) printf "%s%d", j ? "," : "", int(top * rand())
        if (m) printf "]"
    }
    printf "]"
}
function hand(c, i) {
    printf "\"theta\":"; vector(26, "normal")
    printf ",\"us\":"; matrix(c, 2)
    printf ",\"data\":{\"correspondences\":"; ints(c, 0, 1084)
    printf ",\"points\":"; matrix(c, 3, "normal")
    printf ",\"model\":{\"bone_count\":22,\"bone_names\":["
    for (i = 0; i < 22; i++) printf "%s\"b%d\"", i ? "," : "", i
    printf "],\"parents\":["
    for (i = 0; i < 22; i++) printf "%s%d", i ? "," : "", i - 1
    printf "],\"base_relatives\":"; near_one(22)
    printf ",\"inverse_base_absolutes\":"; near_one(22)
    printf ",\"base_positions\":["
    for (i = 0; i < 544; i++) printf "%s[%.17g,%.17g,%.17g,1]", i ? "," : "", normal(), normal(), normal()
    printf "],\"weights\":"; matrix(544, 22)
    printf ",\"triangles\":"; ints(1084, 3, 544)
    printf ",\"is_mirrored\":false}}"
}
BEGIN {
    srand(7)
    count = split(size, part, ",")
    for (i = 1; i <= count; i++) { split(part[i], two, "="); s[two[1]] = two[2] }
    if (module == "hello") { print 1.5; exit }
    printf "{\"min_runs\":3,\"min_seconds\":%s,", seconds
    if (module == "lse") { printf "\"x\":"; vector(s["n"]) }
    if (module == "llsq") { printf "\"n\":%d,\"x\":", s["n"]; vector(128) }
    if (module == "det") { printf "\"ell\":%d,\"A\":", s["l"]; vector(s["l"] * s["l"]) }
    if (module == "ode") { printf "\"s\":%d,\"x\":", s["s"]; vector(s["n"]) }
    if (module == "kmeans") { printf "\"points\":"; matrix(s["n"], s["d"]); printf ",\"centroids\":"; matrix(s["k"], s["d"]) }
    if (module == "gmm") {
        d = s["d"]; k = s["k"]
        printf "\"d\":%d,\"k\":%d,\"n\":1000,\"m\":0,\"gamma\":1.0,\"x\":", d, k; matrix(1000, d, "normal")
        printf ",\"alpha\":"; vector(k, "normal")
        printf ",\"mu\":"; matrix(k, d)
        printf ",\"q\":"; matrix(k, d, "normal")
        printf ",\"l\":"; matrix(k, d * (d - 1) / 2, "normal")
    }
    if (module == "lstm") {
        printf "\"main_params\":"; matrix(2 * s["l"], 56)
        printf ",\"extra_params\":"; matrix(3, 14)
        printf ",\"state\":"; matrix(2 * s["l"], 14)
        printf ",\"sequence\":"; matrix(s["c"], 14, "bit")
    }
    if (module == "ba") {
        printf "\"n\":%d,\"m\":%d,\"p\":%d,\"cam\":", s["n"], s["m"], s["p"]
        printf "[0.01,-0.02,0.03,-0.1,-0.2,-1.5,400.0,-0.01,0.02,-0.3,0.1],\"x\":[-0.6,0.5,-1.2],\"w\":0.7,\"feat\":[-330.0,260.0]"
    }
    if (module == "ht") hand(s["c"])
    if (module == "particle") printf "\"w\":0.0"
    if (module == "saddle") printf "\"start\":[1.0,1.0]"
    print "}"
}
