//! A training run whose process is killed, at any step and in the middle of writing, resumes from its checkpoint
//! and ends where the run that was left alone ends, bit by bit.
#![cfg(all(feature = "cpu", not(target_arch = "wasm32")))]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at the first fault")]

use std::env;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use napkin_engine::checkpoint::{Checkpoint, Contents};
use napkin_engine::data::{Batches, Element, MappedFile, Tokens};
use napkin_engine::nn::functional::{LossReduction, mse_loss};
use napkin_engine::nn::{DeepLinear, Module};
use napkin_engine::optim::{Optimizer, Rule};
use napkin_engine::random::Generator;
use napkin_engine::{DType, Device, Result, Tensor};
use pollster::block_on;
use safetensors::SafeTensors;

const STEPS: u64 = 60;
const STEPS_PER_CHECKPOINT: u64 = 4;
const CONTEXT: usize = 192;
const BATCH: usize = 4;

/// Set for the processes that this test starts.
const FOLDER: &str = "NAPKIN_TEST_RUN";

/// Everything that a run has at a step.
struct Run {
    model: DeepLinear,
    optimizer: Optimizer,
    data: Batches,
    noise: Generator,
    step: u64,
}

impl Run {
    fn new(tokens: &Path) -> Result<Self> {
        let device = Device::cpu();
        let model = DeepLinear::new(CONTEXT, 3, &mut Generator::new(1), &device)?;
        let rule = Rule::AdamW { betas: [0.9, 0.999], eps: 1e-8, weight_decay: 0.01 };
        let optimizer = Optimizer::new(model.weights().to_vec(), rule, 1e-3)?;
        let tokens = Tokens::raw(MappedFile::open(tokens)?, Element::U16)?;
        let data = Batches::new(tokens, CONTEXT, BATCH, Generator::new(2))?;
        Ok(Self { model, optimizer, data, noise: Generator::new(3), step: 0 })
    }

    /// The model guesses the first target from its inputs and a little noise, whose generator keeps a spare
    /// normal number.
    fn step(&mut self) -> Result<()> {
        let device = Device::cpu();
        let (inputs, targets) = block_on(self.data.next(&device))?;
        let scaled = |x: &Tensor| x.to_dtype(DType::F32)?.mul(1.0 / 256.0);
        let noise = Tensor::from_slice(&self.noise.randn(3), &[3, 1, 1], DType::F32, &device)?.mean()?;
        let loss = mse_loss(
            &self.model.forward(&scaled(&inputs)?.add(&noise)?)?,
            &scaled(&targets.select(1, 0)?)?,
            LossReduction::Mean,
        )?;
        self.optimizer.zero_grad();
        loss.backward()?;
        self.optimizer.step()?;
        self.step += 1;
        Ok(())
    }

    /// Everything that is filled when a checkpoint is read.
    fn tensors(&mut self) -> Vec<(String, Tensor)> {
        let named = |group: &str, all: Vec<(String, Tensor)>| -> Vec<(String, Tensor)> {
            all.into_iter().map(|(name, tensor)| (format!("{group}.{name}"), tensor)).collect()
        };
        let model = named("model", self.model.state_dict());
        [model, named("optimizer", self.optimizer.state_dict().tensors)].concat()
    }

    fn save(&mut self, path: &Path) -> Result<()> {
        let blobs = vec![
            ("random.data".to_owned(), self.data.state()),
            ("random.noise".to_owned(), self.noise.state()),
        ];
        let numbers = self.optimizer.state_dict().numbers.into_iter();
        let mut values: Vec<_> =
            numbers.map(|(name, number)| (format!("optimizer.{name}"), number.to_string())).collect();
        values.push(("step".to_owned(), self.step.to_string()));
        block_on(Contents { tensors: self.tensors(), blobs, values }.save(path))
    }

    fn resume(&mut self, path: &Path) -> Result<()> {
        let file = Checkpoint::open(path)?;
        let mut optimizer = self.optimizer.state_dict();
        for (name, number) in &mut optimizer.numbers {
            *number = file.number(&format!("optimizer.{name}"))?;
        }
        self.step = file.number("step")?;
        block_on(file.load(&self.tensors()))?;
        self.optimizer.load_state_dict(&optimizer)?;
        self.data.set_state(file.blob("random.data")?)?;
        self.noise.set_state(file.blob("random.noise")?)
    }
}

/// What the child does: goes on from the checkpoint if there is one, and says what it is about to do.
fn train(folder: &Path) {
    let path = folder.join("run.safetensors");
    let mut run = Run::new(&folder.join("tokens.bin")).unwrap();
    if path.exists() {
        run.resume(&path).unwrap();
    }
    let say = |what: &str, step: u64| {
        println!("@{what} {step}");
        std::io::stdout().flush().unwrap();
    };
    say("resumed", run.step);
    while run.step < STEPS {
        run.step().unwrap();
        say("step", run.step);
        if run.step.is_multiple_of(STEPS_PER_CHECKPOINT) {
            say("saving", run.step);
            run.save(&path).unwrap();
        }
    }
}

/// A process that trains, and what it says.
struct Process {
    child: Child,
    lines: std::io::Lines<BufReader<std::process::ChildStdout>>,
}

impl Process {
    fn start(folder: &Path) -> Self {
        let mut child = Command::new(env::current_exe().unwrap())
            .args(["--exact", "a_killed_run_ends_as_if_it_had_been_left_alone", "--nocapture"])
            .env(FOLDER, folder)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        Self { child, lines }
    }

    /// Waits until it says so; `None` when it has ended.
    fn hear(&mut self, what: &str) -> Option<u64> {
        self.lines.by_ref().find_map(|line| {
            // The harness writes the name of the test into the same line.
            let line = line.unwrap();
            line.split_once(&format!("@{what} ")).map(|(_, step)| step.parse().unwrap())
        })
    }

    /// SIGKILL: it does nothing more.
    fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    fn finish(mut self) {
        while self.lines.next().is_some() {}
        assert!(self.child.wait().unwrap().success());
    }
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("killed").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    let tokens = Generator::new(0).randint(0, 256, 3000).unwrap();
    let tokens: Vec<u8> = tokens.iter().flat_map(|&token| (token as u16).to_le_bytes()).collect();
    fs::write(folder.join("tokens.bin"), tokens).unwrap();
    folder
}

/// Values of a checkpoint by name, in order.
type Named<T> = Vec<(String, T)>;

/// Everything in a checkpoint: its values and its bytes.
fn everything(folder: &Path) -> (Named<String>, Named<Vec<u8>>) {
    let bytes = fs::read(folder.join("run.safetensors")).unwrap();
    let (_, header) = SafeTensors::read_metadata(&bytes).unwrap();
    let mut values: Vec<_> = header.metadata().clone().unwrap().into_iter().collect();
    values.sort();
    let file = SafeTensors::deserialize(&bytes).unwrap();
    let mut tensors: Vec<_> =
        file.iter().map(|(name, tensor)| (name.to_owned(), tensor.data().to_vec())).collect();
    tensors.sort();
    (values, tensors)
}

#[test]
fn a_killed_run_ends_as_if_it_had_been_left_alone() {
    if let Some(folder) = env::var_os(FOLDER) {
        return train(Path::new(&folder));
    }
    let alone = folder("alone");
    Process::start(&alone).finish();
    let want = everything(&alone);
    assert_eq!(want.0.iter().find(|(key, _)| key == "step").unwrap().1, STEPS.to_string());

    let killed = folder("killed");
    let part = killed.join("run.safetensors.part");
    // Where it stops is random and the same every time; when exactly, the machine decides.
    let mut dice = Generator::new(4);
    let (mut kills, mut cut_short) = (0, 0);
    for round in 0.. {
        assert!(round < 200, "{cut_short} of {kills} kills came in the middle of writing");
        let mut process = Process::start(&killed);
        let start = process.hear("resumed").unwrap();
        if kills >= 8 && cut_short >= 3 {
            process.finish();
            break;
        }
        let is_at_step = kills < 5 && round % 2 == 0 && start + 2 * STEPS_PER_CHECKPOINT < STEPS;
        if is_at_step {
            let steps = dice.randint(1, 2 * STEPS_PER_CHECKPOINT.cast_signed(), 1).unwrap()[0];
            for _ in 0..steps {
                process.hear("step").unwrap();
            }
        } else {
            // The last checkpoint is as good as any to be cut short.
            process.hear("saving").unwrap();
            while !part.exists() && process.child.try_wait().unwrap().is_none() {
                std::hint::spin_loop();
            }
        }
        process.kill();
        kills += 1;
        cut_short += usize::from(part.join("run.safetensors").exists());
        if let Some(step) = fs::exists(killed.join("run.safetensors")).unwrap().then(|| {
            Checkpoint::open(&killed.join("run.safetensors")).unwrap().number::<u64>("step").unwrap()
        }) {
            assert!(step >= start, "step {step} after {start}");
            if step == STEPS {
                // Nothing is left to train: once more from the beginning.
                assert_eq!(everything(&killed), want);
                fs::remove_file(killed.join("run.safetensors")).unwrap();
            }
        }
    }
    assert_eq!(everything(&killed), want, "after {kills} kills");
    assert!(!part.exists());
    println!("{kills} kills, {cut_short} of them in the middle of writing");
}
