// out = a @ b without workgroup memory, for adapters that are programs on the CPU: barriers are dear
// there, while caches make repeated loads cheap.
//
// An invocation computes TM × TN elements of out in registers and reads a and b from storage.
//
// TM, TN           tile of an invocation; a workgroup has WX × WY of them (n × m)
// A_MODE, B_MODE   how the operand is read: "along" k by vec4, "across" k by vec4, or "any" strides
// OUT_VECTOR       out is written by vec4
${PRODUCT}
${CODEC}
@compute @workgroup_size(${WX * WY})
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) t: u32) {
    let id = params.first + group.y * params.grid_x + group.x;
    if (id >= params.end) {
        return;
    }
    let tiles = params.tiles_m * params.tiles_n;
    let batch = id / tiles;
    let tile = id % tiles;
    let row = ((tile / params.tiles_n) * ${WY}u + t / ${WX}u) * ${TM}u;
    let col = ((tile % params.tiles_n) * ${WX}u + t % ${WX}u) * ${TN}u;
    if (row >= params.m || col >= params.n) {
        return;
    }
    let a_base = params.a_offset + offset_in_batch(batch, params.a_batch);
    let b_base = params.b_offset + offset_in_batch(batch, params.b_batch);

    // Rows and columns beyond the edge repeat the last one and are not written. Vector addresses are in
    // units of vec4; those that move along k by strides are kept and advanced.
#for side in 0..2
#let X = "ab"[side]
#let EXTENT = "mn"[side]
#if X == "a"
#let AT = "row"
#let SIZE = TM
#let MODE = A_MODE
#else
#let AT = "col"
#let SIZE = TN
#let MODE = B_MODE
#end
#if MODE == "along"
#for i in 0..SIZE
    let ${X}_at${i} = (${X}_base + min(${AT} + ${i}u, params.${EXTENT} - 1u) * params.${X}_across) / 4u;
#end
#end
#if MODE == "across"
    let ${X}_step = params.${X}_along / 4u;
#for g in 0..SIZE / 4
    var ${X}_at${g} = (${X}_base + min(${AT} + ${4 * g}u, params.${EXTENT} - 4u)) / 4u;
#end
#end
#if MODE == "any"
    let ${X}_step = params.${X}_along;
#for i in 0..SIZE
    var ${X}_at${i} = ${X}_base + min(${AT} + ${i}u, params.${EXTENT} - 1u) * params.${X}_across;
#end
#end
#end
#for i in 0..TM
#for j in 0..TN / 4
    var c${i}_${j} = vec4<f32>();
#end
#end
    for (var kq = 0u; kq < params.k / 4u; kq++) {
#if A_MODE == "along"
#for i in 0..TM
        let a${i} = load4_a(a_at${i} + kq);
#end
#end
#if B_MODE == "along"
#for j in 0..TN
        let bt${j} = load4_b(b_at${j} + kq);
#end
#end
#for c in 0..4
#if A_MODE == "across"
#for g in 0..TM / 4
        let a${c}_${g} = load4_a(a_at${g});
        a_at${g} += a_step;
#end
#end
#if A_MODE == "any"
#for i in 0..TM
        let a${c}_${i} = load_a(a_at${i});
        a_at${i} += a_step;
#end
#end
#for j in 0..TN / 4
#if B_MODE == "along"
        let b${c}_${j} = vec4<f32>(bt${4 * j}.${"xyzw"[c]}, bt${4 * j + 1}.${"xyzw"[c]}, bt${4 * j + 2}.${"xyzw"[c]}, bt${4 * j + 3}.${"xyzw"[c]});
#end
#if B_MODE == "across"
        let b${c}_${j} = load4_b(b_at${j});
        b_at${j} += b_step;
#end
#if B_MODE == "any"
        let b${c}_${j} = vec4<f32>(load_b(b_at${4 * j}), load_b(b_at${4 * j + 1}), load_b(b_at${4 * j + 2}), load_b(b_at${4 * j + 3}));
#for r in 0..4
        b_at${4 * j + r} += b_step;
#end
#end
#end
#end
#for i in 0..TM
#for j in 0..TN / 4
#if A_MODE == "along"
#for c in 0..4
        c${i}_${j} = fma(vec4<f32>(a${i}.${"xyzw"[c]}), b${c}_${j}, c${i}_${j});
#end
#end
#if A_MODE == "across"
#let w = "xyzw"[i % 4]
#let g = i / 4
#for c in 0..4
        c${i}_${j} = fma(vec4<f32>(a${c}_${g}.${w}), b${c}_${j}, c${i}_${j});
#end
#end
#if A_MODE == "any"
#for c in 0..4
        c${i}_${j} = fma(vec4<f32>(a${c}_${i}), b${c}_${j}, c${i}_${j});
#end
#end
#end
#end
    }
#if A_MODE != "along" && B_MODE != "along"
    for (var kk = params.k & ~3u; kk < params.k; kk++) {
#if A_MODE == "across"
#for g in 0..TM / 4
        let a_${g} = load4_a(a_at${g});
        a_at${g} += a_step;
#end
#else
#for i in 0..TM
        let a_${i} = load_a(a_at${i});
        a_at${i} += a_step;
#end
#end
#for j in 0..TN / 4
#if B_MODE == "across"
        let b_${j} = load4_b(b_at${j});
        b_at${j} += b_step;
#else
        let b_${j} = vec4<f32>(load_b(b_at${4 * j}), load_b(b_at${4 * j + 1}), load_b(b_at${4 * j + 2}), load_b(b_at${4 * j + 3}));
#for r in 0..4
        b_at${4 * j + r} += b_step;
#end
#end
#for i in 0..TM
#if A_MODE == "across"
        c${i}_${j} += a_${i / 4}.${"xyzw"[i % 4]} * b_${j};
#else
        c${i}_${j} += a_${i} * b_${j};
#end
#end
#end
    }
#end
    let out_base = params.out_offset + batch * params.m * params.n;
#for i in 0..TM
    if (row + ${i}u < params.m) {
        let at = out_base + (row + ${i}u) * params.n + col;
#for j in 0..TN / 4
#if OUT_VECTOR
        if (col + ${4 * j}u < params.n) {
#if FINISH
            c${i}_${j} = finish(c${i}_${j}, row + ${i}u, col + ${4 * j}u);
#end
            store4_out(at / 4u + ${j}u, c${i}_${j});
        }
#else
#for r in 0..4
        if (col + ${4 * j + r}u < params.n) {
#if FINISH
            c${i}_${j}.${"xyzw"[r]} = finish(c${i}_${j}.${"xyzw"[r]}, row + ${i}u, col + ${4 * j + r}u);
#end
            store_out(at + ${4 * j + r}u, c${i}_${j}.${"xyzw"[r]});
        }
#end
#end
#end
    }
#end
}
