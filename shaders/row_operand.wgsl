// One operand of a kernel of rows: how its elements are read or written, and where its rows start. Included once per
// operand, behind its codec.
//
// NAME    the operand; OPERAND its number
// LEAD    dimensions before the last, after merging
// VECTOR  whether columns are reached four at a time; SPLAT: one element for all columns of a row
// WRITE   an output; WHOLE: whole numbers, of which there is one per row
//
// A column is one element, or with VECTOR a group of four.
#let P = 8 + LEAD + OPERAND * (LEAD + 2)
#let S = P + 1 + LEAD

fn start_${NAME}(row: u32) -> u32 {
    var rest = row;
    var at = params.data[${P / 4}].${"xyzw"[P % 4]};
#for q in 0..LEAD
#let d = LEAD - 1 - q
#let w = 8 + d
#let s = P + 1 + d
#if d == 0
    at += rest * params.data[${s / 4}].${"xyzw"[s % 4]};
#else
    at += (rest % params.data[${w / 4}].${"xyzw"[w % 4]}) * params.data[${s / 4}].${"xyzw"[s % 4]};
    rest /= params.data[${w / 4}].${"xyzw"[w % 4]};
#end
#end
    return at;
}
#if !WRITE && !WHOLE

fn get_${NAME}(start: u32, column: u32) -> T {
#if SPLAT
    return T(load_${NAME}(start));
#else
#if VECTOR
    return load4_${NAME}(start / 4u + column);
#else
    return load_${NAME}(start + column * params.data[${S / 4}].${"xyzw"[S % 4]});
#end
#end
}

// One element, whatever a column is.
fn one_${NAME}(start: u32, at: u32) -> f32 {
#if SPLAT
    return load_${NAME}(start);
#else
#if VECTOR
    return load4_${NAME}((start + at) / 4u)[at % 4u];
#else
    return load_${NAME}(start + at * params.data[${S / 4}].${"xyzw"[S % 4]});
#end
#end
}
#end
#if WRITE && !SPLAT

fn put_${NAME}(start: u32, column: u32, value: T) {
#if VECTOR
    store4_${NAME}(start / 4u + column, value);
#else
    store_${NAME}(start + column * params.data[${S / 4}].${"xyzw"[S % 4]}, value);
#end
}
#end
