# Arguments of programs: executables, run and interp alike; values that do not fit; help; none declared; sessions have the defaults
. "$ROOT/tests/script/lib.inc"
cat >wave.dsl <<'EOF3'
## Simulates a wave.
## It is short.

arg steps: int = 1000  ## how many
## the size of a step
arg dt: f64 = 0.5
arg verbose: bool = false ## say more
arg quiet: bool = true
arg out_file: str = "u.npy"
arg small: u8 = 3
arg less: i8 = -3
arg single: f32 = 1.5
arg wide: u64 = 7
print(steps, dt, verbose, quiet, out_file, small, less, single, wide)
print(sum([f64(i) for i in 0:steps]))
save(out_file, [dt, dt])
assert not verbose, f"steps {steps} of {out_file}"
EOF3
"$DSLC" build wave.dsl -o wave || exit 1
says() { # text, arguments: printed alike by each way to run it
    text=$1
    shift
    expect 0 "$text" ./wave "$@"
    expect 0 "$text" "$DSLC" run wave.dsl -- "$@"
    expect 0 "$text" "$DSLC" interp wave.dsl -- "$@"
    expect 0 "$text" "$DSLC" interp --stage=loops wave.dsl -- "$@"
}
fails() { # text, arguments
    text=$1
    shift
    expect 2 "$text" ./wave "$@"
    expect 2 "$text" "$DSLC" run wave.dsl -- "$@"
    expect 2 "$text" "$DSLC" interp wave.dsl -- "$@"
    ! grep -q '^1000' shown || { echo "it ran"; exit 1; }
}
says '1000 0.5 false true u.npy 3 -3 1.5 7'
says '5 0.001 false false u.npy 3 -3 1.5 7' --steps=5 --dt 1e-3 --no-quiet
says '16 -2.0 false true a b.npy 16 -128 2.0 18446744073709551615' --steps 0x10 --dt -2 --out-file="a b.npy" --small 0b1_0000 --less=-128 --single=2 --wide=18446744073709551615
says '2000 inf false true --x.npy 3 -3 nan 7' --steps=2e3 --dt=inf --out_file --x.npy --single=nan --verbose=no
says '7 0.5 false true u.npy 3 -3 1.5 7' --steps=3 --threads=2 --steps=7
[ -s "a b.npy" ] && [ -s ./--x.npy ] || { ls; exit 1; }
expect 1 'assertion failed: steps 9 of v.npy' ./wave --verbose --steps=9 --out-file=v.npy

fails "there is no argument '--step'" --step=5
fails 'did you mean --steps?' --setps 5
fails "there is no argument '5'" 5
fails 'values are given by name' 5
fails "there is no argument '--no-steps'" --no-steps
fails "there is no argument '--'" --
fails "there is no argument '-x'" -x
fails "there is no argument '--no-verbose'" --no-verbose=1
fails "--steps takes an int, not '5.5'" --steps=5.5
fails "--steps takes an int, not ''" --steps=
fails "--steps takes an int, not '1_'" --steps=1_
fails "--steps takes an int, not '9223372036854775808'" --steps=9223372036854775808
fails "--steps takes an int, not '1e30'" --steps=1e30
fails "--small takes an int from 0 to 255, not '256'" --small=256
fails "--small takes an int from 0 to 255, not '-1'" --small -1
fails "--less takes an int from -128 to 127, not '128'" --less 128
fails "--dt takes a number, not '1.0x'" --dt=1.0x
fails "--dt takes a number, not '1e999'" --dt=1e999
fails "--single takes a number, not '1e39'" --single=1e39
fails "--verbose takes true or false, not 'maybe'" --verbose=maybe
fails '--steps needs a value: --steps=INT' --steps
fails '--steps needs a value: --steps=INT' --steps --verbose
fails 'it is: how many' --steps

for ask in --help -h; do
    says 'Simulates a wave.
It is short.' $ask
    says '  --steps=INT             how many (default: 1000)' $ask
    says '  --dt=NUMBER             the size of a step (default: 0.5)' $ask
    says '  --verbose, --no-verbose say more (default: false)' $ask
    says '  --out_file=TEXT         (default: "u.npy")' $ask
    says '  --threads=N ' $ask
done
expect 0 'usage: ./wave [ARGUMENTS]' ./wave -h
expect 0 'usage: dslc run wave.dsl -- [ARGUMENTS]' "$DSLC" run wave.dsl -- -h
if [ -w /dev/full ]; then
    ./wave --help >/dev/full 2>shown && { echo "help to a full device"; exit 1; }
fi

# An argument is no reason to compile.  (In a cache of its own: other tests fill the common one meanwhile.)
XDG_CACHE_HOME=$PWD/cache
export XDG_CACHE_HOME
"$DSLC" run wave.dsl -- --steps=11 >/dev/null
n=$(ls "$XDG_CACHE_HOME"/dslc | wc -l)
"$DSLC" run wave.dsl -- --steps=13 >/dev/null
[ "$(ls "$XDG_CACHE_HOME"/dslc | wc -l)" = "$n" ] || { echo "compiled again"; exit 1; }

# Required ones
printf 'arg n: int ## how many\narg name: str\narg b: bool\nprint(n, name, b)\n' >need.dsl
for how in run interp; do
    expect 2 '--n must be given' "$DSLC" $how need.dsl
    expect 2 '  it is: how many' "$DSLC" $how need.dsl
    expect 2 'usage: dslc run need.dsl -- --n=INT --name=TEXT --b=BOOL [ARGUMENTS]' "$DSLC" $how need.dsl -- --name=x
    expect 2 '--b must be given' "$DSLC" $how need.dsl -- --name=x --n 3
    expect 0 '3 x false' "$DSLC" $how need.dsl -- --name=x --n 3 --no-b
    expect 0 'how many (required)' "$DSLC" $how need.dsl -- --help
done

# Programs without any
echo 'print(1)' >none.dsl
"$DSLC" build none.dsl -o none || exit 1
for how in ./none "$DSLC run none.dsl --" "$DSLC interp none.dsl --"; do
    expect 0 1 $how
    expect 2 "there is no argument '--steps'" $how --steps=3
    expect 2 'the program declares no arguments; a line of it does: arg steps: int = 1' $how --steps=3
    expect 2 "there is no argument 'x'" $how x
    expect 0 'threads' $how --help
done
expect 0 1 ./none --threads=2

# Sessions, tests, libraries, checks
printf 'arg steps: int = 4 ## how many\nsteps * 2\nlet x = zeros(f64, steps)\nlen(x)\narg name: str\n' >s.repl
"$DSLC" repl <s.repl >shown 2>&1
grep -q '^8' shown && grep -q '^4' shown && grep -qF "argument 'name' has no value: a session has no command line" shown || { cat shown; exit 1; }
cat >book.dsl <<'EOF3'
# %% One
arg steps: int = 4
arg name: str = "x"
# %% Two
print(steps, name)
fn f(x: int) -> int = x + 1
test "f" { assert f(1) == 2 }
bench "f" { assert f(1) == 2 }
export fn g(x: f64) -> f64 = x
EOF3
"$DSLC" notebook --update book.dsl >shown 2>&1 && grep -q '4 x' book.out || { cat shown book.out; exit 1; }
expect 0 '1 passed' "$DSLC" test book.dsl
expect 0 '' "$DSLC" check book.dsl
expect 0 '' "$DSLC" build --lib book.dsl -o made/
expect 0 '6 y' "$DSLC" run book.dsl -- --name y --steps=6
expect 0 'arg steps: int = 4' "$DSLC" --emit=ast book.dsl
