# Rows of a table (*.def): awk -f tools/columns.awk -v macro=OP -v column=12 -v rows=3 -v seed=1 FILE prints the file with that
# column altered in so many rows, chosen at random: each gets what stands there in another row (a text that all rows have
# alike, one more word).  What was altered goes to stderr.  Without `column` it prints the macros of the file, and how many
# columns each has.
function skip_text(at) { # behind a text that begins here
    for (at++; substr(s, at, 1) != "\""; at++) if (substr(s, at, 1) == "\\") at++
    return at + 1
}
function skip_comment(at) { return at + 3 + index(substr(s, at + 2), "*/") }
function trimmed(from, to) { # [from, to) without blanks around
    while (from < to && substr(s, from, 1) ~ /[ \n\t]/) from++
    while (to > from && substr(s, to - 1, 1) ~ /[ \n\t]/) to--
    begin = from; return substr(s, from, to - from)
}
function read_row(name, at,   depth, c, from, n) { # from behind its parenthesis
    row[++count] = name
    for (from = at; ; at++) {
        c = substr(s, at, 1)
        if (c == "") { print "columns.awk: " name " is never closed" >"/dev/stderr"; exit 2 }
        if (c == "\"") { at = skip_text(at) - 1; continue }
        if (c ~ /[(\[{]/) depth++
        if (depth == 0 && (c == "," || c == ")")) {
            cell[count, ++n] = trimmed(from, at); place[count, n] = begin
            from = at + 1
        }
        if (c ~ /[)\]}]/ && --depth < 0) break
    }
    if (n > columns[name]) columns[name] = n
    return at + 1
}
function read_rows(   at, c, word) {
    for (at = 1; at <= length(s); ) {
        c = substr(s, at, 1)
        if (substr(s, at, 2) == "/*") at = skip_comment(at)
        else if (c == "#") { while (substr(s, at, 1) != "\n" || substr(s, at - 1, 1) == "\\") at++ }
        else if (c ~ /[A-Z]/) {
            word = substr(s, at, 60); match(word, /^[A-Z_0-9a-z]+/)
            word = substr(word, 1, RLENGTH); at += RLENGTH
            if (substr(s, at, 1) == "(") at = read_row(word, at + 1)
        } else at++
    }
}
function other_than(r,   k, n, some) {
    for (k = 1; k <= count; k++)
        if (row[k] == macro && (k, column) in cell && cell[k, column] != cell[r, column]) some[++n] = cell[k, column]
    if (n) return some[1 + int(rand() * n)]
    return cell[r, column] ~ /^"/ ? "\"another \" " cell[r, column] : ""
}
function alter(   k, n, r, t, mine, new, chosen) {
    srand(seed)
    for (k = 1; k <= count; k++) if (row[k] == macro && (k, column) in cell) mine[++n] = k
    for (k = 1; k <= rows && n; k++) {
        r = 1 + int(rand() * n); t = mine[r]; mine[r] = mine[n--]
        if ((new = other_than(t)) != "") { chosen[t] = new; told = told (told ? "; " : "") cell[t, 1] ": " cell[t, column] " -> " new }
    }
    for (k = 1; k <= count; k++) if (k in chosen) {
        out = out substr(s, done + 1, place[k, column] - done - 1) chosen[k]
        done = place[k, column] - 1 + length(cell[k, column])
    }
    printf "%s%s", out, substr(s, done + 1)
    print told >"/dev/stderr"
}
{ s = s $0 "\n" }
END {
    read_rows()
    if (column) alter()
    else for (name in columns) print name, columns[name]
}
