fn main() { print("hi") }
