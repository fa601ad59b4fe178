# A library whose loops are the runtime's own (transforms.c).
export fn there_and_back(x: f64[n]) -> f64[n] = irfft(rfft(x), n)
