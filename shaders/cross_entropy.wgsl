// The cross-entropy of rows of logits and their labels, or its derivative by the logits.
//
// WEIGHT    whether classes have weights; SMOOTH: whether a part of the target goes to all of them
// BACKWARD  from the gradient g, and what the forward kernel kept: the largest logit and ln Σ e^(x − top)
//
// Labels are int64, two words each, the lower first. The kernel's own words: the label that is ignored; the smoothing
// and what of it goes to one class, as bits. A label that is neither ignored nor a class is reported, and its loss is
// NaN.
${ROWS}
${ALARM}
${LOGARITHM}

@compute @workgroup_size(${THREADS})
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) t: u32) {
    let id = params.first + group.y * params.grid_x + group.x;
    let row = ${ROW};
    let lane = ${LANE};
    if (id >= params.end || row >= params.data[0].x) {
        return;
    }
    let columns = params.data[0].y;
    let x = start_x(row);
    let label = load_labels(start_labels(row));
    let is_ignored = all(label == params.data[1].xy);
    let is_class = label.y == 0u && label.x < params.data[0].z;
    let keep = 1.0 - bitcast<f32>(params.data[1].z);
    let spread = bitcast<f32>(params.data[1].w);
    // What is no class is not looked up.
    let own = select(0u, label.x, is_class);
#if WEIGHT
    let weight = start_weight(row);
    let share = one_weight(weight, own);
#else
    let share = 1.0;
#end
#if BACKWARD
    let top = load_top(start_top(row));
    let logs = load_logs(start_logs(row));
    let g = select(select(bitcast<f32>(params.nan), load_g(start_g(row)), is_class), 0.0, is_ignored);
#if SMOOTH && WEIGHT
    var sums = T(0.0);
    for (var c = lane; c < columns; c += ${LANES}u) {
        sums += get_weight(weight, c);
    }
    let all_classes = spread * row_sum(lane, sums);
#end
#if SMOOTH && !WEIGHT
    let all_classes = spread * f32(params.data[0].z);
#end
#if !SMOOTH
    let all_classes = 0.0;
#end
    let slope = g * (keep * share + all_classes);
    let out = start_out(row);
    for (var c = lane; c < columns; c += ${LANES}u) {
        var value = slope * exp((get_x(x, c) - top) - logs);
#if SMOOTH && WEIGHT
        value -= g * spread * get_weight(weight, c);
#end
#if SMOOTH && !WEIGHT
        value -= T(g * spread);
#end
        value -= select(T(0.0), T(g * keep * share), elements_of(c) == Index(own));
        // Not even what is not finite comes through an ignored row.
        put_out(out, c, select(value, T(0.0), is_ignored));
    }
#else
    var tops = T(negative_infinity());
    for (var c = lane; c < columns; c += ${LANES}u) {
        let value = get_x(x, c);
        tops = select(tops, value, value > tops);
    }
    let top = row_max(lane, tops);
    var part = T(0.0);
    for (var c = lane; c < columns; c += ${LANES}u) {
        part += exp(get_x(x, c) - top);
    }
    let logs = logarithm(row_sum(lane, part));
    var loss = keep * share * ((top - one_x(x, own)) + logs);
#if SMOOTH
    var rest = T(0.0);
    for (var c = lane; c < columns; c += ${LANES}u) {
#if WEIGHT
        rest += get_weight(weight, c) * ((top - get_x(x, c)) + logs);
#else
        rest += (top - get_x(x, c)) + logs;
#end
    }
    loss += spread * row_sum(lane, rest);
#end
    if (lane == 0u) {
        if (!is_class && !is_ignored) {
            report_label(label);
        }
        store_loss(start_loss(row), select(select(bitcast<f32>(params.nan), loss, is_class), 0.0, is_ignored));
        store_share(start_share(row), select(share, 0.0, is_ignored));
        store_top(start_top(row), top);
        store_logs(start_logs(row), logs);
    }
#end
}
