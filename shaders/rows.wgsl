// What kernels of rows have in common. A row is worked on by LANES invocations, which take every LANES-th column and
// then meet in a tree, in the same order on every run; or by one of 64 that work on as many rows.
//
// LANES     1 or a power of two; VECTOR: a column is a group of four elements
// OPERANDS  shaders/row_operand.wgsl for each; REAL: shaders/real.wgsl
//
// data: rows, columns, elements per row, rows of a matrix; four words of the kernel's own; the sizes of the leading
// dimensions; then offset, leading strides and column stride of each operand.
struct Params {
    first: u32, grid_x: u32, end: u32, nan: u32,
    data: array<vec4<u32>, ${WORDS4}>,
}
@group(1) @binding(0) var<uniform> params: Params;
#if VECTOR
alias T = vec4<f32>;
alias Index = vec4<u32>;
#else
alias T = f32;
alias Index = u32;
#end
#if LANES > 1
var<workgroup> lane_parts: array<f32, ${LANES}>;
#end
${REAL}
${OPERANDS}
fn negative_infinity() -> f32 {
    return bitcast<f32>(params.nan ^ 0x80400000u);
}

// Which elements a column is.
fn elements_of(column: u32) -> Index {
#if VECTOR
    return 4u * column + vec4<u32>(0u, 1u, 2u, 3u);
#else
    return column;
#end
}

// The sum of what all lanes of a row have.
fn row_sum(lane: u32, value: T) -> f32 {
#if VECTOR
    let own = (value.x + value.y) + (value.z + value.w);
#else
    let own = value;
#end
#if LANES > 1
    lane_parts[lane] = own;
    workgroupBarrier();
    for (var half = ${LANES / 2}u; half > 0u; half /= 2u) {
        if (lane < half) {
            lane_parts[lane] += lane_parts[lane + half];
        }
        workgroupBarrier();
    }
    let total = lane_parts[0];
    workgroupBarrier();
    return total;
#else
    return own;
#end
}

// The largest of what all lanes of a row have.
fn row_max(lane: u32, value: T) -> f32 {
    let low = negative_infinity();
#if VECTOR
    let own = larger(larger(larger(larger(low, value.x), value.y), value.z), value.w);
#else
    let own = larger(low, value);
#end
#if LANES > 1
    lane_parts[lane] = own;
    workgroupBarrier();
    for (var half = ${LANES / 2}u; half > 0u; half /= 2u) {
        if (lane < half) {
            lane_parts[lane] = larger(lane_parts[lane], lane_parts[lane + half]);
        }
        workgroupBarrier();
    }
    let top = lane_parts[0];
    workgroupBarrier();
    return top;
#else
    return own;
#end
}
