//! Sums of float32 in the order of PyTorch's vector code, so that they are rounded alike: eight lanes, of each lane four
//! sums side by side, and of these sixteen addends at a time.

const WIDTH: usize = 8;
const SIDES: usize = 4;
const STEPS: usize = 16;

/// Of at most 1024 numbers; beyond, PyTorch adds up in more stages than these.
pub(super) fn sum(row: &[f32]) -> f32 {
    if row.len() < WIDTH {
        let [sum] = lanes(row.as_chunks::<1>().0);
        return sum;
    }
    let (rows, rest) = row.as_chunks::<WIDTH>();
    let rest = rest.iter().fold(0.0, |sum, x| sum + x);
    lanes(rows).iter().fold(rest, |sum, x| sum + x)
}

fn add<const N: usize>(sums: &mut [f32; N], row: &[f32; N]) {
    sums.iter_mut().zip(row).for_each(|(sum, x)| *sum += x);
}

fn lanes<const N: usize>(rows: &[[f32; N]]) -> [f32; N] {
    let (fours, rest) = rows.as_chunks::<SIDES>();
    let (blocks, last) = fours.as_chunks::<STEPS>();
    let steps = |fours: &[[[f32; N]; SIDES]]| {
        let mut sums = [[0.0; N]; SIDES];
        fours.iter().for_each(|four| sums.iter_mut().zip(four).for_each(|(sum, row)| add(sum, row)));
        sums
    };
    let mut whole = [[0.0; N]; SIDES];
    for block in blocks {
        whole.iter_mut().zip(&steps(block)).for_each(|(sum, part)| add(sum, part));
    }
    let mut sums = steps(last);
    sums.iter_mut().zip(&whole).for_each(|(sum, part)| add(sum, part));
    rest.iter().for_each(|row| add(&mut sums[0], row));
    let [mut sum, others @ ..] = sums;
    others.iter().for_each(|other| add(&mut sum, other));
    sum
}
