# Default values of fields are checked where they stand, used or not.
struct P { x: int = "a", y: i8 = 300 }
struct Q { v: f64 = 1, b: bool = 2, n: u8 = -1 }
struct Fine { v: f64 = 1, f: f32 = 0.5, n: int = -3, name: str = "x", flag: bool = true }
print(Fine())
