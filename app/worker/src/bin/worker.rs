//! The worker for browsers without relaxed SIMD.

fn main() {
    napkin_worker::start();
}
