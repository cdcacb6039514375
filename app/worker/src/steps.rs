//! Timed training steps on numbers that can be made in JavaScript as well, so that other libraries train the same model.
//!
//! Matrices begin as mulberry32 in [−1/8, 1/8), seeded by their place among the parameters, from 1; biases as 0, weights
//! of norms as 1. Every step takes the same batch.

use napkin_engine::autograd::no_grad;
use napkin_engine::nn::functional::{LossReduction, mse_loss};
use napkin_engine::nn::{Activation, DeepLinear, Gpt, GptConfig, Mlp, Mode, Module};
use napkin_engine::optim::{Optimizer, Rule};
use napkin_engine::random::Generator;
use napkin_engine::{DType, Device, Error, Result, Scalar, Tensor};
use napkin_trace::{BenchModel, DeviceKind, StepTimes};
use web_time::Instant;

use crate::devices::{Hardware, explain};
use crate::timing::fill;

/// Losses that are read and told.
const LOSSES: usize = 10;
/// Samples, and how long one lasts about.
const SAMPLES: usize = 9;
const SAMPLE_SECS: f64 = 0.25;
const MOST_STEPS: usize = 8192;
/// Seeds of the inputs and of the targets.
const DATA: [u32; 2] = [101, 102];

const WIDTH: usize = 64;
const BATCH: usize = 64;
const VOCABULARY: usize = 65;
const CONTEXT: usize = 64;
const SEQUENCES: usize = 8;

const ADAM: Rule = Rule::Adam { betas: [0.9, 0.999], eps: 1e-8, weight_decay: 0.0 };

/// Times steps of a model, and gives its first losses.
pub async fn bench_step(
    hardware: &Hardware,
    kind: DeviceKind,
    model: BenchModel,
) -> Result<StepTimes, String> {
    let device = hardware.device(kind)?;
    times(model, &device).await.map_err(|error| explain(kind, &error))
}

async fn times(model: BenchModel, device: &Device) -> Result<StepTimes> {
    let mut training = Training::of(model, device)?;
    let mut losses = Vec::new();
    for _ in 0..LOSSES {
        losses.push(training.steps(1).await?);
    }
    // As many as a sample takes; on the way the browser comes to compile for speed.
    let mut steps = 1;
    loop {
        let start = Instant::now();
        training.steps(steps).await?;
        if start.elapsed().as_secs_f64() >= SAMPLE_SECS || steps >= MOST_STEPS {
            break;
        }
        steps *= 2;
    }
    let mut ms = Vec::new();
    for _ in 0..SAMPLES {
        let start = Instant::now();
        training.steps(steps).await?;
        ms.push(start.elapsed().as_secs_f64() * 1e3 / steps as f64);
    }
    Ok(StepTimes { ms, losses, adapter: device.backend().name() })
}

/// A model between two steps.
struct Training {
    loss: Box<dyn Fn() -> Result<Tensor>>,
    optimizer: Optimizer,
}

impl Training {
    fn of(model: BenchModel, device: &Device) -> Result<Self> {
        // What it draws is replaced.
        let generator = &mut Generator::new(0);
        let numbers = |shape: &[usize], seed| {
            let values: Vec<f32> = fill(shape.iter().product(), seed).collect();
            Tensor::from_slice(&values, shape, DType::F32, device)
        };
        match model {
            BenchModel::Linear => {
                let [x, y] = [numbers(&[BATCH, WIDTH], DATA[0])?, numbers(&[BATCH], DATA[1])?];
                let model = DeepLinear::new(WIDTH, 2, generator, device)?;
                let loss = move |model: &DeepLinear| mse_loss(&model.forward(&x)?, &y, LossReduction::Mean);
                Self::new(model, Rule::SGD, 0.01, loss)
            }
            BenchModel::Mlp => {
                let [x, y] = [numbers(&[BATCH, WIDTH], DATA[0])?, numbers(&[BATCH, WIDTH], DATA[1])?];
                let model = Mlp::new(WIDTH, 4 * WIDTH, Activation::Relu, false, true, generator, device)?;
                let loss = move |model: &Mlp| {
                    mse_loss(&model.forward(&x, &mut Mode::Eval)?, &y, LossReduction::Mean)
                };
                Self::new(model, ADAM, 1e-3, loss)
            }
            BenchModel::Gpt => {
                let tokens = |seed| {
                    let token = |x: f32| ((f64::from(x) + 1.0) / 2.0 * VOCABULARY as f64) as i64;
                    let tokens: Vec<_> =
                        fill(SEQUENCES * CONTEXT, seed).map(|x| Scalar::Int(token(x))).collect();
                    Tensor::from_scalars(&tokens, &[SEQUENCES, CONTEXT], DType::I64, device)
                };
                let [x, y] = [tokens(DATA[0])?, tokens(DATA[1])?];
                let config = GptConfig::new(VOCABULARY, CONTEXT, 2, 4, WIDTH);
                let model = Gpt::new(config, generator, device)?;
                Self::new(model, ADAM, 1e-3, move |model: &Gpt| model.loss(&x, &y, &mut Mode::Eval))
            }
        }
    }

    fn new<M: Module + 'static>(
        mut model: M,
        rule: Rule,
        lr: f32,
        loss: impl Fn(&M) -> Result<Tensor> + 'static,
    ) -> Result<Self> {
        model.pack()?;
        no_grad(|| {
            (1..).zip(model.named_parameters()).try_for_each(|(seed, (name, parameter))| {
                let count = parameter.numel();
                let values: Vec<f32> = match parameter.shape().len() {
                    1 => vec![if name.ends_with("bias") { 0.0 } else { 1.0 }; count],
                    _ => fill(count, seed).map(|x| x / 8.0).collect(),
                };
                let values = Tensor::from_slice(&values, parameter.shape(), DType::F32, parameter.device())?;
                parameter.copy_(&values)
            })
        })?;
        let optimizer = Optimizer::new(model.parameters(), rule, lr)?;
        Ok(Self { loss: Box::new(move || loss(&model)), optimizer })
    }

    /// Takes so many steps, at least one, and waits for the loss of the last.
    async fn steps(&mut self, count: usize) -> Result<f32> {
        let mut last = None;
        for _ in 0..count {
            self.optimizer.zero_grad();
            let loss = (self.loss)()?;
            loss.backward()?;
            self.optimizer.step()?;
            last = Some(loss.detach());
        }
        match last {
            Some(loss) => Ok(loss.item().await?.as_f64() as f32),
            None => Err(Error::Value { op: "bench", message: "no step was asked for".to_owned() }),
        }
    }
}
