// Numbers as keys without a sign that have their order, for kernels that compare them. Zeros are equal.
//
// T      f32, i32 or vec2<u32>; K its key, u32 or vec2<u32>
// FLIP   whether the order is turned round
// NAN    the key of NaN
#if T == "f32"
fn key_of(x: f32) -> u32 {
    let bits = bitcast<u32>(x);
    if ((bits & 0x7fffffffu) > 0x7f800000u) {
        return ${NAN};
    }
    let positive = select(bits, 0u, (bits & 0x7fffffffu) == 0u) | 0x80000000u;
    let key = select(positive, ~bits, (bits >> 31u) == 1u && bits != 0x80000000u);
    return ${FLIP}key;
}
#end
#if T == "i32"
fn key_of(x: i32) -> u32 {
    return ${FLIP}(bitcast<u32>(x) ^ 0x80000000u);
}
#end
#if T == "vec2<u32>"
fn key_of(x: vec2<u32>) -> vec2<u32> {
    return ${FLIP}(x ^ vec2<u32>(0u, 0x80000000u));
}

fn key_before(a: vec2<u32>, b: vec2<u32>) -> bool {
    return select(a.y < b.y, a.x < b.x, a.y == b.y);
}
#else

fn key_before(a: u32, b: u32) -> bool {
    return a < b;
}
#end
