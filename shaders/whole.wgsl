// Arithmetic of whole numbers with PyTorch's meaning: it wraps around, and quotients are rounded as their names say.
// By 0 the quotient is 0 and the rest the dividend; kernels that divide report it.
//
// WIDE     64 bits, as shaders/wide.wgsl has them; else i32
// REPORT   whether there is report_zero() to call
#if WIDE
#let T = "vec2<u32>"
#let ZERO = "vec2<u32>(0u)"
#let ONE = "vec2<u32>(1u, 0u)"
fn is_true(x: vec2<u32>) -> bool {
    return (x.x | x.y) != 0u;
}

fn is_below_zero(x: vec2<u32>) -> bool {
    return (x.y >> 31u) == 1u;
}

fn is_below(a: vec2<u32>, b: vec2<u32>) -> bool {
    return select(bitcast<i32>(a.y) < bitcast<i32>(b.y), a.x < b.x, a.y == b.y);
}

fn is_even(x: vec2<u32>) -> bool {
    return (x.x & 1u) == 0u;
}

fn halved(x: vec2<u32>) -> vec2<u32> {
    return vec2<u32>((x.x >> 1u) | (x.y << 31u), x.y >> 1u);
}

fn negative(x: vec2<u32>) -> vec2<u32> {
    return wide_negative(x);
}

fn add(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    let low = a.x + b.x;
    return vec2<u32>(low, a.y + b.y + select(0u, 1u, low < a.x));
}

fn subtract(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    return vec2<u32>(a.x - b.x, a.y - b.y - select(0u, 1u, a.x < b.x));
}

fn multiply(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    // The low words by halves: their product has 64 bits.
    let a_low = a.x & 0xffffu;
    let a_high = a.x >> 16u;
    let b_low = b.x & 0xffffu;
    let b_high = b.x >> 16u;
    let middle = a_high * b_low + ((a_low * b_low) >> 16u);
    let other = a_low * b_high + (middle & 0xffffu);
    let high = a_high * b_high + (middle >> 16u) + (other >> 16u);
    return vec2<u32>(a.x * b.x, high + a.x * b.y + a.y * b.x);
}

// Of numbers without sign, b not 0: the quotient, and the rest in zw. By digits of 16 bits where b has no more, else bit
// by bit.
fn divided(a: vec2<u32>, b: vec2<u32>) -> vec4<u32> {
    if ((a.y | b.y) == 0u) {
        return vec4<u32>(a.x / b.x, 0u, a.x % b.x, 0u);
    }
    if (b.y == 0u && b.x < 0x10000u) {
        let first = a.y / b.x;
        let second = ((a.y % b.x) << 16u) | (a.x >> 16u);
        let third = ((second % b.x) << 16u) | (a.x & 0xffffu);
        return vec4<u32>(((second / b.x) << 16u) | (third / b.x), first, third % b.x, 0u);
    }
    var quotient = a;
    var left = vec2<u32>(0u);
    for (var i = 0; i < 64; i++) {
        left = vec2<u32>((left.x << 1u) | (quotient.y >> 31u), (left.y << 1u) | (left.x >> 31u));
        quotient = vec2<u32>(quotient.x << 1u, (quotient.y << 1u) | (quotient.x >> 31u));
        if (left.y > b.y || (left.y == b.y && left.x >= b.x)) {
            left = subtract(left, b);
            quotient.x |= 1u;
        }
    }
    return vec4<u32>(quotient, left);
}

fn bits_of_both(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    return a & b;
}

fn bits_of_either(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    return a | b;
}

fn bits_of_one(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    return a ^ b;
}

// Nothing is left beyond the last bit.
fn shifted_left(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    if (b.y != 0u || b.x >= 64u) {
        return vec2<u32>(0u);
    }
    let by = b.x & 31u;
    let over = select(a.x >> (32u - by), 0u, by == 0u);
    return select(vec2<u32>(a.x << by, (a.y << by) | over), vec2<u32>(0u, a.x << by), b.x >= 32u);
}

// The sign comes in at the top.
fn shifted_right(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    let high = bitcast<i32>(a.y);
    let sign = bitcast<u32>(high >> 31u);
    if (b.y != 0u || b.x >= 64u) {
        return vec2<u32>(sign);
    }
    let by = b.x & 31u;
    let over = select(a.y << (32u - by), 0u, by == 0u);
    let moved = bitcast<u32>(high >> by);
    return select(vec2<u32>((a.x >> by) | over, moved), vec2<u32>(moved, sign), b.x >= 32u);
}

// Towards 0.
fn quotient(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    if (!is_true(b)) {
#if REPORT
        report_zero();
#end
        return b;
    }
    let parts = divided(absolute(a), absolute(b));
    return select(parts.xy, negative(parts.xy), is_below_zero(a) != is_below_zero(b));
}
#else
#let T = "i32"
#let ZERO = "0i"
#let ONE = "1i"
fn is_true(x: i32) -> bool {
    return x != 0;
}

fn is_below_zero(x: i32) -> bool {
    return x < 0;
}

fn is_below(a: i32, b: i32) -> bool {
    return a < b;
}

fn is_even(x: i32) -> bool {
    return (x & 1) == 0;
}

fn halved(x: i32) -> i32 {
    return x >> 1u;
}

fn negative(x: i32) -> i32 {
    return -x;
}

fn add(a: i32, b: i32) -> i32 {
    return a + b;
}

fn subtract(a: i32, b: i32) -> i32 {
    return a - b;
}

fn multiply(a: i32, b: i32) -> i32 {
    return a * b;
}

fn bits_of_both(a: i32, b: i32) -> i32 {
    return a & b;
}

fn bits_of_either(a: i32, b: i32) -> i32 {
    return a | b;
}

fn bits_of_one(a: i32, b: i32) -> i32 {
    return a ^ b;
}

// Nothing is left beyond the last bit.
fn shifted_left(a: i32, b: i32) -> i32 {
    return select(0, a << (bitcast<u32>(b) & 31u), bitcast<u32>(b) < 32u);
}

// The sign comes in at the top.
fn shifted_right(a: i32, b: i32) -> i32 {
    return a >> min(bitcast<u32>(b), 31u);
}

// Towards 0. The smallest number by −1 wraps around.
fn quotient(a: i32, b: i32) -> i32 {
    if (b == 0) {
#if REPORT
        report_zero();
#end
        return 0;
    }
    if (b == -1) {
        return -a;
    }
    return a / b;
}
#end

fn truth(value: bool) -> ${T} {
    return select(${ZERO}, ${ONE}, value);
}

fn choose(condition: ${T}, a: ${T}, b: ${T}) -> ${T} {
    return select(b, a, is_true(condition));
}

fn absolute(x: ${T}) -> ${T} {
    return select(x, negative(x), is_below_zero(x));
}

fn signum(x: ${T}) -> ${T} {
    return select(truth(is_true(x)), negative(${ONE}), is_below_zero(x));
}

fn rectified(x: ${T}) -> ${T} {
    return select(x, ${ZERO}, is_below_zero(x));
}

fn inverse(x: ${T}) -> ${T} {
    return truth(!is_true(x));
}

fn nothing(x: ${T}) -> ${T} {
    return ${ZERO};
}

// With the sign of a.
fn fmod(a: ${T}, b: ${T}) -> ${T} {
    return subtract(a, multiply(quotient(a, b), b));
}

// With the sign of b.
fn remainder(a: ${T}, b: ${T}) -> ${T} {
    let rest = fmod(a, b);
    return select(rest, add(rest, b), is_true(rest) && is_true(b) && is_below_zero(rest) != is_below_zero(b));
}

fn floor_divide(a: ${T}, b: ${T}) -> ${T} {
    let whole = quotient(a, b);
    let rest = subtract(a, multiply(whole, b));
    let down = is_true(rest) && is_true(b) && is_below_zero(rest) != is_below_zero(b);
    return subtract(whole, truth(down));
}

// By squaring; to a negative power only 1 and −1 are whole, and the rest is 0.
fn power(base: ${T}, exponent: ${T}) -> ${T} {
    let minus = negative(${ONE});
    if (is_below_zero(exponent)) {
        let alternating = select(minus, ${ONE}, is_even(exponent));
        return select(select(${ZERO}, alternating, equals(base, minus)), ${ONE}, equals(base, ${ONE}));
    }
    var left = exponent;
    var square = base;
    var result = ${ONE};
    for (var i = 0; i < 64; i++) {
        if (!is_true(left)) {
            break;
        }
        result = select(multiply(result, square), result, is_even(left));
        square = multiply(square, square);
        left = halved(left);
    }
    return result;
}

fn equals(a: ${T}, b: ${T}) -> bool {
    return !is_true(subtract(a, b));
}

fn larger(a: ${T}, b: ${T}) -> ${T} {
    return select(a, b, is_below(a, b));
}

fn smaller(a: ${T}, b: ${T}) -> ${T} {
    return select(b, a, is_below(a, b));
}

fn equal(a: ${T}, b: ${T}) -> ${T} {
    return truth(equals(a, b));
}

fn unequal(a: ${T}, b: ${T}) -> ${T} {
    return truth(!equals(a, b));
}

fn below(a: ${T}, b: ${T}) -> ${T} {
    return truth(is_below(a, b));
}

fn not_above(a: ${T}, b: ${T}) -> ${T} {
    return truth(!is_below(b, a));
}

fn above(a: ${T}, b: ${T}) -> ${T} {
    return truth(is_below(b, a));
}

fn not_below(a: ${T}, b: ${T}) -> ${T} {
    return truth(!is_below(a, b));
}

fn both(a: ${T}, b: ${T}) -> ${T} {
    return truth(is_true(a) && is_true(b));
}

fn either(a: ${T}, b: ${T}) -> ${T} {
    return truth(is_true(a) || is_true(b));
}

fn one_of(a: ${T}, b: ${T}) -> ${T} {
    return truth(is_true(a) != is_true(b));
}
