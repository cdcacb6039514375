// One operand: its binding, and how its elements become the numbers of the kernel and back. Included by every other
// kernel, once per operand.
//
// NAME      the operand; BINDING its number
// VECTOR    whether elements are reached four at a time: load4_NAME(i) is elements 4 i … 4 i + 3
// READ, WRITE   an input, an output, or both; ATOMIC: words of it are shared with elements that are not written
// T         what the kernel computes with: f32, i32 or vec2<u32> (see shaders/wide.wgsl); T4 four of them
// CONVERT   the function from what is stored to T, BACK the one back; empty where they are the same
// BITS      bits per element: 64, 32, 16 or 8; E, M its exponent and fraction bits, BIAS its bias
// IEEE      whether the top exponent means infinity and NaN; else only the all-ones pattern is NaN
// SCALE     value of the lowest fraction bit of a subnormal; MAX the pattern of the largest number
// WHOLE     whole numbers instead, below 32 bits without a sign; TRUTH: only 0 and 1
// FAST      f16 by the hardware's conversion, which may flush subnormals
// HALF      half4_NAME(i) is elements 4 i … 4 i + 3 as float16
#let PER = 32 / BITS
#if WRITE
#let ACCESS = "read_write"
#else
#let ACCESS = "read"
#end
#if WHOLE
#let STORED = "i32"
#else
#let STORED = "f32"
#end
#if BITS == 64
#let STORED = "vec2<u32>"
#let ELEMENT = "vec2<u32>"
#if VECTOR
#let ELEMENT = "vec4<u32>"
#end
#end
#if BITS == 32
#let ELEMENT = STORED
#if VECTOR && WHOLE
#let ELEMENT = "vec4<i32>"
#end
#if VECTOR && !WHOLE
#let ELEMENT = "vec4<f32>"
#end
#end
#if BITS < 32
#let ELEMENT = "u32"
#if VECTOR && BITS == 16
#let ELEMENT = "vec2<u32>"
#if HALF && M == 10
#let ELEMENT = "vec4<f16>"
#end
#end
#if ATOMIC
#let ELEMENT = "atomic<u32>"
#end
#end
@group(0) @binding(${BINDING}) var<storage, ${ACCESS}> ${NAME}_data: array<${ELEMENT}>;
#if BITS < 32 && READ

fn decode_${NAME}(bits: u32) -> ${STORED} {
#if WHOLE
    return i32(bits);
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
#if READ && !VECTOR

fn load_${NAME}(i: u32) -> ${T} {
#if BITS >= 32
    return ${CONVERT}(${NAME}_data[i]);
#else
#if ATOMIC
    let word = atomicLoad(&${NAME}_data[i / ${PER}u]);
#else
    let word = ${NAME}_data[i / ${PER}u];
#end
    return ${CONVERT}(decode_${NAME}((word >> (${BITS}u * (i % ${PER}u))) & ${LOW}u));
#end
}
#end
#if READ && VECTOR && HALF

fn half4_${NAME}(i: u32) -> vec4<f16> {
#if BITS == 16 && M == 10
    return ${NAME}_data[i];
#else
    return vec4<f16>(load4_${NAME}(i));
#end
}
#end
#if READ && VECTOR && !(HALF && BITS == 16 && M == 10)

fn load4_${NAME}(i: u32) -> ${T4} {
#if BITS == 64
    let low = ${NAME}_data[2u * i];
    let high = ${NAME}_data[2u * i + 1u];
    return ${T4}(${CONVERT}(low.xy), ${CONVERT}(low.zw), ${CONVERT}(high.xy), ${CONVERT}(high.zw));
#end
#if BITS == 32
    let four = ${NAME}_data[i];
#if CONVERT == ""
    return four;
#else
    return ${T4}(${CONVERT}(four.x), ${CONVERT}(four.y), ${CONVERT}(four.z), ${CONVERT}(four.w));
#end
#end
#if BITS == 16
    let words = ${NAME}_data[i];
#if FAST && M == 10
    return vec4<f32>(unpack2x16float(words.x), unpack2x16float(words.y));
#else
    return ${T4}(
        ${CONVERT}(decode_${NAME}(words.x & 0xffffu)),
        ${CONVERT}(decode_${NAME}(words.x >> 16u)),
        ${CONVERT}(decode_${NAME}(words.y & 0xffffu)),
        ${CONVERT}(decode_${NAME}(words.y >> 16u)),
    );
#end
#end
#if BITS == 8
    let word = ${NAME}_data[i];
    return ${T4}(
        ${CONVERT}(decode_${NAME}(word & 0xffu)),
        ${CONVERT}(decode_${NAME}((word >> 8u) & 0xffu)),
        ${CONVERT}(decode_${NAME}((word >> 16u) & 0xffu)),
        ${CONVERT}(decode_${NAME}(word >> 24u)),
    );
#end
}
#end
#if WRITE && BITS < 32

// To the nearest pattern, ties to even.
fn encode_${NAME}(value: ${T}) -> u32 {
#if TRUTH
#if T == "vec2<u32>"
    return select(1u, 0u, all(value == vec2<u32>(0u)));
#else
    // NaN is true, but not everywhere unequal to 0.
    return select(1u, 0u, value == ${T}(0));
#end
#else
#if WHOLE
    return bitcast<u32>(${BACK}(value)) & ${LOW}u;
#else
    let bits = bitcast<u32>(${BACK}(value));
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

fn store_${NAME}(i: u32, value: ${T}) {
#if BITS >= 32
    ${NAME}_data[i] = ${BACK}(value);
#else
    let shift = ${BITS}u * (i % ${PER}u);
    atomicAnd(&${NAME}_data[i / ${PER}u], ~(${LOW}u << shift));
    atomicOr(&${NAME}_data[i / ${PER}u], encode_${NAME}(value) << shift);
#end
}
#end
#if WRITE && VECTOR

fn store4_${NAME}(i: u32, value: ${T4}) {
#if BITS == 64
    ${NAME}_data[2u * i] = vec4<u32>(${BACK}(value.x), ${BACK}(value.y));
    ${NAME}_data[2u * i + 1u] = vec4<u32>(${BACK}(value.z), ${BACK}(value.w));
#end
#if BITS == 32
#if BACK == ""
    ${NAME}_data[i] = value;
#else
    ${NAME}_data[i] = ${ELEMENT}(${BACK}(value.x), ${BACK}(value.y), ${BACK}(value.z), ${BACK}(value.w));
#end
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
