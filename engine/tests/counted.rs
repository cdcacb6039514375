#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at the first fault")]
mod harness;
use harness::{block_on, each_device};
use napkin_engine::DType;
use napkin_engine::train::counted::*;

#[test]
fn explore() {
    each_device(|device| {
        for dtype in [DType::F32, DType::BF16, DType::F16] {
            let training = Training { dtype, ..Training::default() };
            let c = block_on(LinearStep { dim: 17, layers: 3, batch: 5, bias: true, training }.count(device)).unwrap();
            println!("{device} {dtype} worst {} {:?}\n highest {:?}\n before {:?} after {:?} peak {:?}", c.worst_error, c.gradients, c.highest, c.before, c.after, c.at_peak);
            for o in &c.operations { println!("   {:?} {} {} {} {}", o.stage, o.part, o.name, o.calls, o.flops); }
            for checkpointing in [false, true] {
            let c = block_on(TransformerStep { layers: 2, heads: 3, dim: 24, vocab: 33, context: 17, batch: 5, checkpointing, training }.count(device)).unwrap();
            println!("{device} {dtype} ck {checkpointing} worst {} {:?}\n highest {:?}\n before {:?} after {:?} peak {:?}", c.worst_error, c.gradients, c.highest, c.before, c.after, c.at_peak);
            for o in &c.operations { println!("   {:?} {} {} {} {}", o.stage, o.part, o.name, o.calls, o.flops); }
            for p in &c.timeline { println!("      {} {:?} {} {} act {} tmp {}", p.at, p.stage, p.part, p.operation, p.held.activations, p.held.temporary); }
            }
        }
    });
}
