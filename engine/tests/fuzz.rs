//! The targets of fuzz/ on their seeds, on mutations of them and on random bytes: always the same ones, so that the
//! normal tests find what breaks them. Coverage leads libFuzzer further; see fuzz/Cargo.toml.
#![cfg(all(feature = "cpu", not(target_arch = "wasm32")))]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at the first fault")]

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use napkin_engine::random::Generator;

#[path = "../../fuzz/targets.rs"]
mod targets;

const MUTATIONS: usize = 30_000;
const RANDOM: usize = 2000;

/// Pieces that parsers look for, which single bytes seldom become.
const WORDS: [&str; 22] = [
    "->",
    "...",
    "(",
    ")",
    "[",
    "]",
    "()",
    ",",
    ":",
    "None",
    "-1",
    "0",
    "9223372036854775807",
    "_",
    "ünï",
    "1_0",
    "'descr'",
    "True",
    "\"shape\":[",
    "18446744073709551615",
    "{}",
    "\0",
];

struct Random(Generator);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0.randint(0, n.max(1) as i64, 1).unwrap()[0] as usize
    }

    fn bytes(&mut self, most: usize) -> Vec<u8> {
        let n = self.below(most);
        (0..n).map(|_| self.below(256) as u8).collect()
    }

    fn mutate(&mut self, bytes: &mut Vec<u8>, other: &[u8]) {
        let (from, to) = (self.below(bytes.len() + 1), self.below(bytes.len() + 1));
        let (from, to) = (from.min(to), from.max(to));
        match self.below(10) {
            0..3 if from < bytes.len() => bytes[from] ^= 1 << self.below(8),
            3..5 if from < bytes.len() => bytes[from] = self.below(256) as u8,
            5 => drop(bytes.drain(from..to)),
            6 => bytes.truncate(to),
            7 => {
                let part = bytes[from..to].to_vec();
                bytes.splice(to..to, part);
            }
            8 => {
                let cut = self.below(other.len() + 1);
                bytes.splice(from.., other[cut..].iter().copied());
            }
            _ => {
                let word = WORDS[self.below(WORDS.len())].as_bytes();
                bytes.splice(from..from, word.iter().copied());
            }
        }
    }
}

fn check(name: &str, target: fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/seeds").join(name);
    let mut files: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let seeds: Vec<Vec<u8>> = files.iter().map(|file| fs::read(file).unwrap()).collect();
    assert!(seeds.len() >= 5, "{} seeds", seeds.len());
    let run = |input: &[u8]| {
        if catch_unwind(AssertUnwindSafe(|| target(input))).is_err() {
            panic!("{name} panics on {:?}, that is {input:?}", String::from_utf8_lossy(input));
        }
    };
    seeds.iter().for_each(|seed| run(seed));
    let mut random = Random(Generator::new(6));
    for _ in 0..MUTATIONS {
        let mut input = seeds[random.below(seeds.len())].clone();
        for _ in 0..=random.below(3) {
            let other = random.below(seeds.len());
            random.mutate(&mut input, &seeds[other]);
        }
        run(&input);
    }
    (0..RANDOM).for_each(|_| run(&random.bytes(120)));
}

#[test]
fn view_expressions() {
    check("view_expr", targets::view_expr);
}

#[test]
fn patterns() {
    check("patterns", targets::patterns);
}

#[test]
fn checkpoints() {
    check("checkpoint", targets::checkpoint);
}

#[test]
fn traces() {
    check("trace", targets::trace);
    check("notebook", targets::notebook);
}

#[test]
fn npy_files() {
    check("npy", targets::npy);
}
