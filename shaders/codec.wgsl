// One operand: its binding, and how its elements become f32 and back. Included by every other kernel,
// once per operand.
//
// NAME      the operand; BINDING its number
// VECTOR    whether elements are reached four at a time: load4_NAME(i) is elements 4 i … 4 i + 3
// WRITE     an output; ATOMIC: words of it are shared with elements that are not written
// BITS      bits per element: 32, 16 or 8; E, M its exponent and fraction bits, BIAS its bias
// IEEE      whether the top exponent means infinity and NaN; else only the all-ones pattern is NaN
// SCALE     value of the lowest fraction bit of a subnormal; MAX the pattern of the largest number
// WHOLE     numbers from 0 to 255 instead; TRUTH: only 0 and 1
// FAST      f16 by the hardware's conversion, which may flush subnormals
#let PER = 32 / BITS
#if WRITE
#let ACCESS = "read_write"
#else
#let ACCESS = "read"
#end
#if BITS == 32
#if VECTOR
@group(0) @binding(${BINDING}) var<storage, ${ACCESS}> ${NAME}_data: array<vec4<f32>>;
#else
@group(0) @binding(${BINDING}) var<storage, ${ACCESS}> ${NAME}_data: array<f32>;
#end
#else
#if ATOMIC
@group(0) @binding(${BINDING}) var<storage, ${ACCESS}> ${NAME}_data: array<atomic<u32>>;
#else
#if VECTOR && BITS == 16
@group(0) @binding(${BINDING}) var<storage, ${ACCESS}> ${NAME}_data: array<vec2<u32>>;
#else
@group(0) @binding(${BINDING}) var<storage, ${ACCESS}> ${NAME}_data: array<u32>;
#end
#end
#end
#if BITS != 32 && !WRITE

fn decode_${NAME}(bits: u32) -> f32 {
#if WHOLE
    return f32(bits);
#else
#if BITS == 16 && M == 7
    return bitcast<f32>(bits << 16u);
#else
    let exponent = (bits >> ${M}u) & ${EMASK}u;
    let fraction = bits & ${FMASK}u;
    var magnitude = ((exponent + ${127 - BIAS}u) << 23u) | (fraction << ${23 - M}u);
    if (exponent == 0u) {
        magnitude = bitcast<u32>(f32(fraction) * ${SCALE});
    }
#if IEEE
    if (exponent == ${EMASK}u) {
        magnitude = 0x7f800000u | (fraction << ${23 - M}u);
    }
#else
    if ((bits & ${EMASK * (FMASK + 1) + FMASK}u) == ${EMASK * (FMASK + 1) + FMASK}u) {
        magnitude = 0x7fc00000u;
    }
#end
    return bitcast<f32>(((bits >> ${E + M}u) << 31u) | magnitude);
#end
#end
}
#end
#if !WRITE && !VECTOR

fn load_${NAME}(i: u32) -> f32 {
#if BITS == 32
    return ${NAME}_data[i];
#else
    return decode_${NAME}((${NAME}_data[i / ${PER}u] >> (${BITS}u * (i % ${PER}u))) & ${LOW}u);
#end
}
#end
#if !WRITE && VECTOR

fn load4_${NAME}(i: u32) -> vec4<f32> {
#if BITS == 32
    return ${NAME}_data[i];
#end
#if BITS == 16
    let words = ${NAME}_data[i];
#if FAST && M == 10
    return vec4<f32>(unpack2x16float(words.x), unpack2x16float(words.y));
#else
    return vec4<f32>(
        decode_${NAME}(words.x & 0xffffu),
        decode_${NAME}(words.x >> 16u),
        decode_${NAME}(words.y & 0xffffu),
        decode_${NAME}(words.y >> 16u),
    );
#end
#end
#if BITS == 8
    let word = ${NAME}_data[i];
    return vec4<f32>(
        decode_${NAME}(word & 0xffu),
        decode_${NAME}((word >> 8u) & 0xffu),
        decode_${NAME}((word >> 16u) & 0xffu),
        decode_${NAME}(word >> 24u),
    );
#end
}
#end
#if WRITE && BITS != 32

// To the nearest pattern, ties to even.
fn encode_${NAME}(value: f32) -> u32 {
#if TRUTH
    return select(0u, 1u, value != 0.0);
#else
#if WHOLE
    return u32(i32(value)) & 0xffu;
#else
    let bits = bitcast<u32>(value);
    let sign = (bits >> 31u) << ${E + M}u;
    let magnitude = bits & 0x7fffffffu;
    if (magnitude > 0x7f800000u) {
#if IEEE
        return sign | ${EMASK * (FMASK + 1) + (FMASK + 1) / 2}u;
#else
        return sign | ${EMASK * (FMASK + 1) + FMASK}u;
#end
    }
    // Normal in the narrow format: take the difference of the biases off, then round the fraction.
    var from_bits = magnitude - min(magnitude, ${(127 - BIAS) * 8388608}u);
    var drop = ${23 - M}u;
#if BIAS != 127
    let exponent = i32(magnitude >> 23u) - 127;
    if (exponent < ${MIN_EXPONENT}) {
        from_bits = (magnitude & 0x7fffffu) | 0x800000u;
        drop = u32(clamp(${23 - M} + ${MIN_EXPONENT} - exponent, 1, 25));
    }
#end
    let rounded = (from_bits + (1u << (drop - 1u)) - 1u + ((from_bits >> drop) & 1u)) >> drop;
#if IEEE
    return sign | min(rounded, ${MAX + 1}u);
#else
    return sign | min(rounded, ${MAX}u);
#end
#end
#end
}
#end
#if WRITE && !VECTOR

fn store_${NAME}(i: u32, value: f32) {
#if BITS == 32
    ${NAME}_data[i] = value;
#else
    let shift = ${BITS}u * (i % ${PER}u);
    atomicAnd(&${NAME}_data[i / ${PER}u], ~(${LOW}u << shift));
    atomicOr(&${NAME}_data[i / ${PER}u], encode_${NAME}(value) << shift);
#end
}
#end
#if WRITE && VECTOR

fn store4_${NAME}(i: u32, value: vec4<f32>) {
#if BITS == 32
    ${NAME}_data[i] = value;
#end
#if BITS == 16
    ${NAME}_data[i] = vec2<u32>(
        encode_${NAME}(value.x) | (encode_${NAME}(value.y) << 16u),
        encode_${NAME}(value.z) | (encode_${NAME}(value.w) << 16u),
    );
#end
#if BITS == 8
    ${NAME}_data[i] = encode_${NAME}(value.x) | (encode_${NAME}(value.y) << 8u)
        | (encode_${NAME}(value.z) << 16u) | (encode_${NAME}(value.w) << 24u);
#end
}
#end
