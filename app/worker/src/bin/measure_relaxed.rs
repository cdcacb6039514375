//! The worker that measures, for browsers with relaxed SIMD: the same program, built with the feature `relaxed-simd`.

fn main() {
    napkin_worker::start_measuring();
}
