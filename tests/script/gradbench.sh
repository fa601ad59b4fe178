# The programs of GradBench: their own tests, gradients against differences and closed forms, and the adapter that speaks the
# suite's protocol.
. "$ROOT/tests/script/lib.inc"
how=-O1
[ ! -f "$ROOT/build/libdslllvm.so" ] || how=--jit
for f in "$ROOT"/bench/gradbench/*.dsl; do expect 0 " 0 failed" "$DSLC" test "$how" "$f"; done

LEVEL=-O0 DSLC="$DSLC" expect 0 "" "$ROOT/bench/gradbench/build.sh" made
cat >messages <<'END'
{"id": 0, "kind": "start", "eval": "llsq"}
{"id": 1, "kind": "define", "module": "llsq"}
{"id": 2, "kind": "evaluate", "module": "llsq", "function": "gradient", "input": {"x": [1, 0.5], "n": 3, "min_runs": 2, "min_seconds": 0}}
{"id": 3, "kind": "analysis", "of": 2, "valid": true}
{"id": 4, "kind": "evaluate", "module": "gmm", "function": "jacobian", "input": {"d": 2, "k": 1, "n": 1, "x": [[1, 2]], "m": 0, "gamma": 1.0, "alpha": [0.5], "mu": [[1, 2]], "q": [[0, 0]], "l": [[0]]}}
{"id": 5, "kind": "evaluate", "module": "hello", "function": "double", "input": 3.5}
{"id": 6, "kind": "evaluate", "module": "lse", "function": "primal", "input": {"n": 2}}
{"id": 7, "kind": "evaluate", "module": "lse", "function": "third", "input": {}}
{"id": 8, "kind": "define", "module": "none"}
{"id": 9, "kind": "evaluate", "module": "ba", "function": "jacobian", "input": {"n": 1, "m": 1, "p": 1, "cam": [0, 0, 0, 0, 0, 0, 2, 3, 4, 0, 0], "x": [1, 1, 2], "w": 0.5, "feat": [0, 0]}}
END
made/adapter <messages | sed 's/"nanoseconds": [0-9]*/"nanoseconds": T/g; s/\[-0\]/[0]/g' >answers
cat >wanted <<'END'
{"id": 0, "tool": "dslc"}
{"id": 1, "success": true}
{"id": 2, "success": true, "output": [3, -1], "timings": [{"name": "evaluate", "nanoseconds": T}, {"name": "evaluate", "nanoseconds": T}]}
{"id": 3}
{"id": 4, "success": true, "output": {"alpha": [0], "mu": [[0, 0]], "q": [[0, 0]], "l": [[0]]}, "timings": [{"name": "evaluate", "nanoseconds": T}]}
{"id": 5, "success": true, "output": 7, "timings": [{"name": "evaluate", "nanoseconds": T}]}
{"id": 6, "success": false, "error": "a member of the input is missing"}
{"id": 7, "success": false, "error": "there is no such function"}
{"id": 8, "success": false, "error": "there is no such module"}
END
head -n 9 answers | diff wanted - || exit 1
grep -q '"id": 9, "success": true, "output": {"rows": \[0, 15, 30, 31, ' answers || { tail -n 1 answers; exit 1; }
