#!/bin/sh
# tools/error_pages.sh DSLC DIR: writes a page for each diagnostic to DIR, and their index: what `dslc explain` says, and the
# shortest program of the tests that gives it, with the message.  `make docs` runs it; tests/script/error_pages.sh compares.
dslc=$1 dir=$2
cd "$(dirname "$0")/.." || exit 1
export LC_ALL=C
"$dslc" explain $("$dslc" explain | cut -d' ' -f1) | awk -v dir="$dir" -v goldens="$(echo tests/error/*.err tests/syntax/*.err)" '
function read_all(path,   line, text) { # and how many lines in `lines`
    for (lines = 0; (getline line <path) > 0; lines++) text = text line "\n"
    close(path)
    return text
}
# The shortest program for each code, and the first message of that code in what it gives
function index_goldens(   n, file, i, k, line, code, source, program, messages, part) {
    n = split(goldens, file, " ")
    for (i = 1; i <= n; i++) {
        source = file[i]; sub(/err$/, "dsl", source)
        program = read_all(source)
        if (!lines) continue
        split("", messages); code = ""
        while ((getline line <file[i]) > 0) {
            if (match(line, /(error|warning)\[[EW][0-9]+\]:/)) {
                code = substr(line, RSTART, RLENGTH); gsub(/^[a-z]*\[|\]:$/, "", code)
                part = !(code in messages)
            }
            if (code != "" && part) messages[code] = messages[code] line "\n"
            if (code != "" && !part) continue
        }
        close(file[i])
        for (k in messages)
            if (!(k in size) || length(program) < size[k]) { size[k] = length(program); from[k] = source; shown[k] = program; height[k] = lines; message[k] = messages[k] }
    }
}
# Signs of Markdown in prose stay what they are; in backquotes they do anyway.
function prose(line,   n, i, out, piece) {
    n = split(line, piece, "`")
    for (i = 1; i <= n; i++) {
        if (!quoted) gsub(/[*_<>\[\]\\]/, "\\\\&", piece[i])
        if (i < n) quoted = !quoted
        out = out piece[i] (i < n ? "`" : "")
    }
    return out
}
function finish() {
    if (page == "") return
    if (code in from) {
        print "\n## Example\n\n`" from[code] "`" (height[code] <= 30 ? ":\n\n```\n" shown[code] "```\n\ngives" : " gives") ":\n\n```text\n" message[code] "```" >page
    }
    close(page)
}
BEGIN { index_goldens(); list = dir "/README.md"; print "# Diagnostics\n\nWhat the compiler and running programs say, by code; `dslc explain E0201` prints the same. Written by `make docs` from base/diags.def and the tests." >list }
/^[EW]0[0-9][0-9][0-9]: / {
    finish()
    code = substr($0, 1, 5); page = dir "/" code ".md"; quoted = 0
    block = substr(code, 2, 2)
    if (block != was) {
        print "\n## " block "xx: " (block == "01" ? "text and syntax" : block == "02" ? "names and types" : block == "03" ? "sizes and shapes" : block == "04" ? "kernels and parallelism" : block == "05" ? "proofs" : block == "06" ? "while the program runs" : block == "07" ? "files and the command line" : "files of the intermediate representation") "\n" >list
        was = block
    }
    print "- [" code "](" code ".md) " prose(substr($0, 8)) >list
    quoted = 0
    print "# " code ": " prose(substr($0, 8)) >page
    quoted = 0
    next
}
/^  [^ ]/ { $0 = "  " $0 }
{ if ($0 == "") quoted = 0; print ($0 ~ /^    / ? $0 : prose($0)) >page }
END { finish() }'
