// out = softmax(scale · x + mask) along rows, its logarithm, or their derivatives.
//
// LOG       the logarithm; BACKWARD: from the gradient g and the result y
// CAUSAL    row i of a matrix ends with element i
// SAFE      a row of nothing but −∞ gives zeros
// MASK      "none", "add", or "choose": where it is 0, x counts as −∞
//
// The kernel's own words: scale as bits.
${ROWS}
#if !BACKWARD
${LOGARITHM}

fn score(x: u32, mask: u32, column: u32, last: u32) -> T {
    var value = get_x(x, column) * bitcast<f32>(params.data[1].x);
#if MASK == "add"
    value += get_mask(mask, column);
#end
#if MASK == "choose"
    value = select(T(negative_infinity()), value, get_mask(mask, column) != T(0.0));
#end
#if CAUSAL
    value = select(value, T(negative_infinity()), elements_of(column) > Index(last));
#end
    return value;
}

// e^(value − top), 0 where the value is −∞ whatever top is.
fn power(value: T, top: f32) -> T {
#if SAFE || CAUSAL
    return select(exp(value - top), T(0.0), value == T(negative_infinity()));
#else
    return exp(value - top);
#end
}
#end

@compute @workgroup_size(${THREADS})
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) t: u32) {
    let id = params.first + group.y * params.grid_x + group.x;
    let row = ${ROW};
    let lane = ${LANE};
    if (id >= params.end || row >= params.data[0].x) {
        return;
    }
    let columns = params.data[0].y;
    let out = start_out(row);
#if CAUSAL
    let last = row % params.data[0].w;
#if VECTOR
    let seen = min(columns, last / 4u + 1u);
#else
    let seen = min(columns, last + 1u);
#end
#else
    let last = 0u;
    let seen = columns;
#end
#if BACKWARD
    let scale = bitcast<f32>(params.data[1].x);
    let g = start_g(row);
    let y = start_y(row);
    var part = T(0.0);
    for (var c = lane; c < seen; c += ${LANES}u) {
#if LOG && CAUSAL
        part += select(get_g(g, c), T(0.0), elements_of(c) > Index(last));
#end
#if LOG && !CAUSAL
        part += get_g(g, c);
#end
#if !LOG
        part += get_g(g, c) * get_y(y, c);
#end
    }
    let total = row_sum(lane, part);
    for (var c = lane; c < columns; c += ${LANES}u) {
#if LOG
        var value = (get_g(g, c) - exp(get_y(y, c)) * total) * scale;
#if CAUSAL
        value = select(value, T(0.0), elements_of(c) > Index(last));
#end
#else
        var value = (get_g(g, c) - total) * get_y(y, c) * scale;
#end
        put_out(out, c, value);
    }
#else
    let x = start_x(row);
#if MASK == "none"
    let mask = 0u;
#else
    let mask = start_mask(row);
#end
    var tops = T(negative_infinity());
    for (var c = lane; c < seen; c += ${LANES}u) {
        let value = score(x, mask, c, last);
        tops = select(tops, value, value > tops);
    }
    let top = row_max(lane, tops);
    var part = T(0.0);
    for (var c = lane; c < seen; c += ${LANES}u) {
        part += power(score(x, mask, c, last), top);
    }
    let total = row_sum(lane, part);
#if LOG
    let log_total = logarithm(total);
#end
    for (var c = lane; c < columns; c += ${LANES}u) {
        let value = score(x, mask, c, last);
#if LOG
        var result = (value - top) - log_total;
#else
        var result = power(value, top) / total;
#end
#if SAFE
        result = select(result, T(0.0), total == 0.0);
#end
        put_out(out, c, result);
    }
#end
}
