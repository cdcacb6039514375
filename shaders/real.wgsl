// Arithmetic of real numbers by name, as shaders/whole.wgsl has it of whole ones. Part of kernels that combine
// elements.
fn is_nan(x: f32) -> bool {
    return (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u;
}

fn add(a: f32, b: f32) -> f32 {
    return a + b;
}

fn multiply(a: f32, b: f32) -> f32 {
    return a * b;
}

// Of NaN and another number NaN, here and below.
fn larger(a: f32, b: f32) -> f32 {
    return select(select(b, a, a > b), a, is_nan(a));
}

fn smaller(a: f32, b: f32) -> f32 {
    return select(select(b, a, a < b), a, is_nan(a));
}
