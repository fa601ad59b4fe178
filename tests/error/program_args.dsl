arg scale: f64[3] = [1.0, 2.0, 3.0]
arg threads: int = 4
arg a: int = 1
arg a: int = 2
arg b: u8 = 300
arg c: int = "x"
arg d: strr = "x"
arg f: (int, int) = (1, 2)
print(a, b, c)
