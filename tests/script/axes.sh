# An axis that an array has not stops the program, whichever of the library's functions is asked.
. "$ROOT/tests/script/lib.inc"
for call in 'std(a, axis=2)' 'median(a, axis=-3)' 'argmax(a, axis=2)' 'sort(a, axis=2)' 'argsort(a, axis=2)' 'repeat(a, 2, axis=2)' 'fft(c128(a), axis=2)'; do
    both 1 "there is no axis $(expr "$call" : '.*axis=\(-*[23]\)') of an array with 2 axes" "let a = [[1.0, 2.0], [3.0, 4.0]]
print($call)"
done
both 1 "there is no axis 3 of an array with 3 axes" 'print(fft(c128([[[1.0, 2.0]]]), axis=3))'
for call in 'std(v, axis=1)' 'median(v, axis=-2)' 'argmin(v, axis=1)' 'sort(v, axis=1)'; do
    both 1 "the only axis of a vector is 0" "let v = [1.0, 2.0]
print($call)"
done
