// out = (x − mean) · rstd · weight + bias along rows, or its derivative by x.
//
// CENTRED   whether there is a mean; WEIGHT, BIAS: whether there are those
// BACKWARD  from the gradient g, x, rstd and mean
//
// The kernel's own words: eps as bits.
${ROWS}
@compute @workgroup_size(${THREADS})
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) t: u32) {
    let id = params.first + group.y * params.grid_x + group.x;
    let row = ${ROW};
    let lane = ${LANE};
    if (id >= params.end || row >= params.data[0].x) {
        return;
    }
    let columns = params.data[0].y;
    let count = f32(params.data[0].z);
    let out = start_out(row);
    let x = start_x(row);
#if WEIGHT
    let weight = start_weight(row);
#end
#if BACKWARD
    let g = start_g(row);
    let rstd = load_rstd(start_rstd(row));
#if CENTRED
    let mean = load_mean(start_mean(row));
#else
    let mean = 0.0;
#end
    var products = T(0.0);
    var sums = T(0.0);
    for (var c = lane; c < columns; c += ${LANES}u) {
        var u = get_g(g, c);
#if WEIGHT
        u *= get_weight(weight, c);
#end
        products += u * ((get_x(x, c) - mean) * rstd);
        sums += u;
    }
    let along = row_sum(lane, products) / count;
#if CENTRED
    let level = row_sum(lane, sums) / count;
#else
    let level = 0.0;
#end
    for (var c = lane; c < columns; c += ${LANES}u) {
        var u = get_g(g, c);
#if WEIGHT
        u *= get_weight(weight, c);
#end
        put_out(out, c, rstd * ((u - level) - ((get_x(x, c) - mean) * rstd) * along));
    }
#else
#if BIAS
    let bias = start_bias(row);
#end
#if CENTRED
    var sums = T(0.0);
    for (var c = lane; c < columns; c += ${LANES}u) {
        sums += get_x(x, c);
    }
    let mean = row_sum(lane, sums) / count;
#else
    let mean = 0.0;
#end
    var squares = T(0.0);
    for (var c = lane; c < columns; c += ${LANES}u) {
        let away = get_x(x, c) - mean;
        squares += away * away;
    }
    let rstd = 1.0 / sqrt(row_sum(lane, squares) / count + bitcast<f32>(params.data[1].x));
    for (var c = lane; c < columns; c += ${LANES}u) {
        var value = (get_x(x, c) - mean) * rstd;
#if WEIGHT
        value *= get_weight(weight, c);
#end
#if BIAS
        value += get_bias(bias, c);
#end
        put_out(out, c, value);
    }
    if (lane == 0u) {
        store_rstd(start_rstd(row), rstd);
#if CENTRED
        store_mean(start_mean(row), mean);
#end
    }
#end
}
