# Names of NumPy, Julia and MATLAB; what the library keeps to itself (_put, _hermite) is not offered
let x = [1.0, nan]
print(nanmean(x), nanstd(x), np.nanmedian(x))
print(flip(x), expand_dims(x, 0), amin(x), put(x, 0, 1.0), hermite(x))
print(digitize(x, x), interp1d(x, x), setdiff1d(x, x), logical_and(x, x), sigmoid(x))
print(arcsinh(x), savez("x.npz", x), imshow(x), triu(x), first(x), cummax(x))
eps = 1e-3
print(count + last)
