# Numbers without order for the inputs: a mixing of the bits of i (Steele, Lea, Flood 2014, section 4; constants of xxHash's
# avalanche), in arithmetic that wraps around and is the same in C.
fn mix(i: int) -> u32 {
    var h = u32(i) * 2654435761
    h = (h xor h >> 15) * 2246822519
    h = (h xor h >> 13) * 3266489917
    return h xor h >> 16
}

## A number in [0, 1), a multiple of 2^-24
fn unit(h: u32) -> f32 = f32(f64(h >> 8) / 16777216.0)
