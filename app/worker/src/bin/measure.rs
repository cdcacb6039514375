//! The worker that measures, for browsers without relaxed SIMD.

fn main() {
    napkin_worker::start_measuring();
}
