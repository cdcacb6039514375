// The derivatives of a normalisation by weight and bias, summed over CHUNK rows at a time: one invocation per column
// and part. The parts, one row of dweight and dbias each, are then summed up by shaders/reduce.wgsl.
//
// CENTRED   whether there is a mean; BIAS: whether dbias is wanted
${ROWS}
@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) t: u32) {
    let id = params.first + group.y * params.grid_x + group.x;
    let columns = params.data[0].y;
    let blocks = (columns + 63u) / 64u;
    let column = (id % blocks) * 64u + t;
    let begin = (id / blocks) * ${CHUNK}u;
    let rows = params.data[0].x;
    if (id >= params.end || begin >= rows || column >= columns) {
        return;
    }
    var weight = 0.0;
    var bias = 0.0;
    for (var row = begin; row < min(rows, begin + ${CHUNK}u); row++) {
        let g = get_g(start_g(row), column);
#if CENTRED
        let away = get_x(start_x(row), column) - load_mean(start_mean(row));
#else
        let away = get_x(start_x(row), column);
#end
        weight += g * (away * load_rstd(start_rstd(row)));
        bias += g;
    }
    let at = (id / blocks) * columns + column;
    store_dweight(at, weight);
#if BIAS
    store_dbias(at, bias);
#end
}
