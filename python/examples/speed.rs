//! How fast Python is here: `cargo run --profile native -p napkin-python --example speed`.
//!
//! Statements per second of three loops, as `napkin run` has them, with something that may stop them, and beyond what is
//! recorded; statements that are recorded; what one operation on a small tensor takes; and a training step beside the same
//! step in Rust. The fastest of nine samples, each short, so that what else runs on the machine counts little.

use std::cell::RefCell;
use std::error::Error;
use std::rc::Rc;
use std::time::Instant;

use napkin_engine::nn::Linear;
use napkin_engine::nn::functional::{LossReduction, mse_loss};
use napkin_engine::optim::{Optimizer, Rule};
use napkin_engine::random::Generator;
use napkin_engine::{Device, Tensor};
use napkin_python::{Options, Session, Stream};

/// What runs, and how many statements that is.
const LOOPS: [(&str, &str, u32); 3] = [
    (
        "a loop over integers",
        "x = i = 0\n    while i < 50_000:\n        x = x + i\n        y = x % 7\n        i = i + 1",
        200_000,
    ),
    ("calls of a function", "x = 0\n    for i in range(25_000):\n        x = add(x, i)", 100_000),
    (
        "objects, a list and a dict",
        "known, all = {}, []\n    for i in range(10_000):\n        point = Point(i)\n        known[i & 255] = point\n        all.append(point.x)\n        last = all[-1]",
        60_000,
    ),
];

/// Lines that are recorded, each with variables of a few kinds around it.
const RECORDED: [(&str, &str, u32); 2] = [
    (
        "numbers and a dict",
        "total, known = 0, {}\n    for i in range(600):\n        square = i * i\n        total = total + square\n        known[i % 7] = total\n        half = total / 2",
        3_000,
    ),
    (
        "tensors and a list",
        "x, all = torch.ones(4), []\n    for i in range(600):\n        y = x * i\n        z = y + x\n        all.append(i)\n        name = str(i)",
        3_000,
    ),
];

/// An expression, and what is there before.
const OPERATIONS: [(&str, &str); 8] = [
    ("x + y", "x, y = torch.ones(4), torch.ones(4)"),
    ("x.add(y)", "x, y = torch.ones(4), torch.ones(4)"),
    ("x + y, x.requires_grad", "x, y = torch.ones(4, requires_grad=True), torch.ones(4)"),
    ("x * 2.0", "x = torch.ones(4)"),
    ("x @ y", "x, y = torch.ones(2, 2), torch.ones(2, 2)"),
    ("x.sum()", "x = torch.ones(4)"),
    ("x[0]", "x = torch.ones(4)"),
    ("x.shape", "x = torch.ones(4)"),
];
const CALLS: u32 = 2_000;

const STEPS: u32 = 20;
const MODEL: &str = "model = nn.Sequential(nn.Linear(32, 64), nn.ReLU(), nn.Linear(64, 8))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
x, y = torch.randn(64, 32), torch.randn(64, 8)";
const TRAINING: &str = "for _ in range(20):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()";

/// How often each is timed.
const SAMPLES: usize = 9;

fn main() -> Result<(), Box<dyn Error>> {
    let written = Rc::new(RefCell::new(String::new()));
    let heard = written.clone();
    let options = Options {
        write: Rc::new(move |stream, text| match stream {
            Stream::Output => heard.borrow_mut().push_str(text),
            Stream::Error => eprint!("{text}"),
        }),
        ..Options::default()
    };
    let interruptible = Options { interrupt: Some(Rc::new(|| false)), ..options.clone() };
    let session = Session::with_library(options.clone());
    let run = |options: &Options, is_traced: bool, program: &str| -> Result<f64, Box<dyn Error>> {
        session.give(options.clone());
        match is_traced {
            true => session.trace(program, "speed.py").1?,
            false => session.run(program, "speed.py")?,
        }
        Ok(written.take().trim().parse()?)
    };
    println!("statements per second, in millions: plain, interruptible, beyond what is recorded");
    for (name, body, statements) in LOOPS {
        let timed = program("", body, SAMPLES);
        let beyond = format!("for _ in range(20_001):\n    pass\n{timed}");
        let rate = |secs: f64| f64::from(statements) / secs / 1e6;
        let plain = rate(run(&options, false, &timed)?);
        let interrupted = rate(run(&interruptible, false, &timed)?);
        let beyond = rate(run(&interruptible, true, &beyond)?);
        println!("  {name:28} {plain:6.2} {interrupted:6.2} {beyond:6.2}");
    }
    println!("recorded statements per second");
    for (name, body, statements) in RECORDED {
        // More would be beyond what is recorded.
        let secs = run(&options, true, &program("", body, 5))?;
        println!("  {name:28} {:8.0}", f64::from(statements) / secs);
    }
    println!("microseconds of an operation");
    for (name, before) in OPERATIONS {
        let expression = name.split(',').next().unwrap_or(name);
        let body = |expression: &str| format!("for _ in range({CALLS}):\n        {expression}");
        let empty = run(&options, false, &program(before, &body("x"), SAMPLES))?;
        let secs = run(&options, false, &program(before, &body(expression), SAMPLES))?;
        println!("  {name:28} {:6.2}", (secs - empty) / f64::from(CALLS) * 1e6);
    }
    let python = run(&options, false, &program(MODEL, TRAINING, SAMPLES))?;
    let rust = rust_secs()?;
    let micros = |secs: f64| secs / f64::from(STEPS) * 1e6;
    println!(
        "a training step of two layers: {:.1} µs, in Rust {:.1} µs, {:.2} times as long",
        micros(python),
        micros(rust),
        python / rust
    );
    Ok(())
}

/// A program that prints the shortest time of so many runs of `body` after `before`.
fn program(before: &str, body: &str, samples: usize) -> String {
    format!(
        "import torch
from torch import nn
import time
def add(a, b):
    c = a + b
    return c
class Point:
    def __init__(self, x):
        self.x = x
{before}
def main():
    {body}
def timed():
    start = time.perf_counter()
    main()
    return time.perf_counter() - start
print(min(timed() for _ in range({samples})))
"
    )
}

/// The same training in Rust.
fn rust_secs() -> Result<f64, Box<dyn Error>> {
    let (mut generator, device) = (Generator::new(1), Device::cpu());
    let first = Linear::new(32, 64, true, &mut generator, &device)?;
    let second = Linear::new(64, 8, true, &mut generator, &device)?;
    let params =
        [&first, &second].into_iter().flat_map(|layer| [Some(layer.weight.clone()), layer.bias.clone()]);
    let rule = Rule::Sgd { momentum: 0.0, dampening: 0.0, nesterov: false, weight_decay: 0.0 };
    let mut optimizer = Optimizer::new(params.flatten().collect(), rule, 0.01)?;
    let x = Tensor::randn(&[64, 32], &mut generator, &device)?;
    let y = Tensor::randn(&[64, 8], &mut generator, &device)?;
    let mut samples = Vec::new();
    for _ in 0..SAMPLES {
        let start = Instant::now();
        for _ in 0..STEPS {
            optimizer.zero_grad();
            let out = second.forward(&first.forward(&x)?.relu()?)?;
            mse_loss(&out, &y, LossReduction::Mean)?.backward()?;
            optimizer.step()?;
        }
        samples.push(start.elapsed().as_secs_f64());
    }
    Ok(samples.into_iter().fold(f64::INFINITY, f64::min))
}
