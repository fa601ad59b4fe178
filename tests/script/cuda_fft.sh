# Fourier transforms of arrays on a GPU, with drivers and libraries that are none (tests/gpu/fake_*.c): by cuFFT arrays
# stay there; without it, or where it fails, they come home, and the bits are those of the processor.
. "$ROOT/tests/script/cuda.inc"
fake_driver
cc -std=c11 -D_GNU_SOURCE -shared -fPIC -o fake/libcublas.so.13 "$ROOT/tests/gpu/fake_cublas.c" || exit 1
cc -std=c11 -D_GNU_SOURCE -shared -fPIC -o fake/libcufft.so.12 "$ROOT/tests/gpu/fake_cufft.c" -lm || exit 1
cat >t.dsl <<'D'
fn at(k: int, n: int) -> f64 = sin(f64(k * 7 % n)) + 0.1 * f64(k % 5)
fn say(what: str, z: c128[n, m]) { print(f"{what} {sum([z.re[i, j] * f64((i * 3 + j * 5) % 11) for i in 0:n, j in 0:m]):.6f} {sum([z.im[i, j] * f64((i + j * 7) % 13) for i in 0:n, j in 0:m]):.6f}") }
fn each(n: int, m: int) {
    let x = [at(i * m + j, n * m) for i in 0:n, j in 0:m]
    let z = c128(x, [at(i + j * n + 3, n * m) for i in 0:n, j in 0:m])
    say("rows", fft(z))
    say("columns", fft(z, axis=0))
    say("back", ifft(z))
    say("there and back", ifft(fft(z)) - z)
    say("real", rfft(x))
    let cube = fft(reshape(z, n // 4, 4, m), axis=1)
    say("middle", reshape(cube, n, m))
}
each(1024, 64)
each(1100, 60)
let line = [at(i, 999) for i in 0:3000]
let back = irfft(rfft(line), 3000)
print(f"{sum(abs(back - line)):.6f}")
D
correct=$("$DSLC" interp t.dsl) || exit 1
run() { # words that it says, FAKE_.. or DSL_..
    rm -f log
    expect 0 "$1" env LD_LIBRARY_PATH="$PWD/fake" DSL_GPU_SHADOW=1 FAKE_CUDA_LOG=log $2 "$DSLC" run --no-tune --target=cuda ${3:-} t.dsl
    cat shown >told
}
same() { grep -v '^gpu:' told | sed 's/-0[.]000000/0.000000/g' >got; echo "$correct" | sed 's/-0[.]000000/0.000000/g' | cmp -s - got || { echo "$correct" | diff - got; exit 1; }; }
many() { [ "$(grep -c "^$1" log)" -ge "$2" ] || { echo "few: $1"; sort log | uniq -c | sort -n | tail; exit 1; }; }
few() { [ "$(grep -c "^$1" log)" = 0 ] || { echo "some: $1"; sort log | uniq -c | sort -n | tail; exit 1; }; }

run "rows" "" --explain-transfers
same
many 'exec 69 64 stride 1 batch 1024' 2
many 'exec 69 1024 stride 64 batch 64' 1
many 'exec 6a 64 stride 1 batch 1024' 1
many 'exec 69 4 stride 64 batch 64' 256
few 'back [0-9]\{6\}'
few 'to [0-9]\{6\}'
grep -q '^gpu: ' told || { cat told; exit 1; }

for fake in DSL_CUFFT=no FAKE_CUFFT_FAIL=plan FAKE_CUFFT_FAIL=exec FAKE_CUBLAS_FAIL=copy FAKE_CUBLAS_FAIL=create; do
    run "rows" "$fake"
    same
    many 'back [0-9]\{6\}' 4
done

# An inverse of real numbers, more plans than are kept, and derivatives
cat >t.dsl <<'D'
fn power(x: f64[n, m]) -> f64 {
    let z = rfft(x)
    return sum(z.re^2 + z.im^2)
}
for k in 0:11 {
    let x = [sin(f64(i * 3 + j + k)) for i in 0:2048, j in 0:32 + k]
    print(f"{power(x):.4f} {sum(abs(grad(power)(x))):.4f}")
}
D
correct=$("$DSLC" interp t.dsl) || exit 1
run "" ""
same
many destroy 3
many 'exec 6c' 5
