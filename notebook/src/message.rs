//! The envelope of every message.

use serde::{Deserialize, Serialize};

use crate::{
    BenchResult, BenchSpec, CountSpec, Curve, Devices, MatmulSpec, MatmulTiming, OperationSpec,
    SurveyProgress, SurveySpec, TrainAction, TrainProgress,
};

/// Grows with every change of these types that an older worker would misread. The worker's first words
/// carry it; a page that finds another number there has a stale file in its cache.
pub const VERSION: u32 = 4;

/// Matches answers to questions. The page counts them up; 0 is never used.
pub type RequestId = u64;

/// Page to worker.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Request {
    /// Repeated in every answer.
    pub id: RequestId,
    /// What to do.
    pub command: Command,
}

/// What the page can ask for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Command {
    /// Time one product of random matrices; answered by [`News::Matmul`].
    TimeMatmul(MatmulSpec),
    /// Time the product of two reproducible square matrices and send the result along; answered by
    /// [`News::Bench`] with a transferred `Float32Array`.
    BenchMatmul(BenchSpec),
    /// What an earlier worker found about this GPU's kernels, as it told it in [`News::Tuned`]. No answer;
    /// a text of another GPU is ignored.
    UseTuning {
        /// The text.
        text: String,
    },
    /// Draw the loss curve; answered by [`News::Drawing`] with a transferred `ImageBitmap`.
    DrawCurve(Curve),
    /// Steer the training session; every change is reported by [`News::Training`] under the id of the
    /// request that loaded the session.
    Train(TrainAction),
    /// Finish what is under way and then stand still, so that another worker can measure; answered by [`News::Held`].
    /// What is asked for meanwhile waits.
    Hold,
    /// Go on after [`Command::Hold`]; no answer.
    Release,
    /// Measure a device; answered by [`News::Survey`] before each measurement and after the last. Only the worker that
    /// measures knows how.
    Survey(SurveySpec),
    /// Time an expression; answered by [`News::Operation`]. Only the worker that measures knows how.
    MeasureOperation(OperationSpec),
    /// Run a training step and count what it does; answered by [`News::Counted`]. Only the worker that measures knows how.
    CountStep(CountSpec),
}

/// Worker to page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// The request that this answers; none for news that nobody asked for.
    pub id: Option<RequestId>,
    /// What happened.
    pub news: News,
}

/// What the worker can say.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum News {
    /// The first words of a worker; nothing may be sent to it before them.
    Ready {
        /// The worker's [`VERSION`].
        version: u32,
        /// What it can compute on.
        devices: Devices,
    },
    /// Answer to [`Command::TimeMatmul`].
    Matmul(MatmulTiming),
    /// Answer to [`Command::BenchMatmul`].
    Bench(BenchResult),
    /// Answer to [`Command::DrawCurve`].
    Drawing,
    /// The state of the training session.
    Training(TrainProgress),
    /// Answer to [`Command::Hold`].
    Held,
    /// How far a survey is.
    Survey(SurveyProgress),
    /// Answer to [`Command::MeasureOperation`].
    Operation {
        /// The engine's record of it as JSON.
        record: String,
    },
    /// Answer to [`Command::CountStep`].
    Counted {
        /// The engine's record of it as JSON.
        record: String,
    },
    /// The request could not be carried out; the worker lives on.
    Failed {
        /// A sentence for the reader.
        message: String,
    },
    /// Which kernels are the fastest on this GPU, worth keeping for the next visit.
    Tuned {
        /// For [`Command::UseTuning`].
        text: String,
    },
    /// The GPU went away (driver reset, suspended machine). Work on it fails until the worker is replaced.
    GpuLost {
        /// The browser's reason, as a sentence.
        message: String,
    },
    /// The worker is in no state to go on and must be replaced.
    Crashed {
        /// What it died of, as a sentence.
        message: String,
    },
}

impl News {
    /// Whether the request that this answers gets no further answer.
    #[must_use]
    pub fn is_last(&self) -> bool {
        match self {
            Self::Training(_) => false,
            Self::Survey(progress) => progress.what.is_empty(),
            _ => true,
        }
    }
}

/// A request or event as bytes.
///
/// # Errors
/// Never for the types of this crate: only maps of unknown length cannot be written.
pub fn encode(message: &impl Serialize) -> Result<Vec<u8>, String> {
    postcard::to_allocvec(message).map_err(|error| error.to_string())
}

/// The request or event that the bytes are.
///
/// # Errors
/// If they are none, as from a build with other types.
pub fn decode<T: for<'a> Deserialize<'a>>(bytes: &[u8]) -> Result<T, String> {
    postcard::from_bytes(bytes).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{DeviceInfo, DeviceKind, LossPoint, OptimizerKind, TrainSpec, TrainState};

    fn round_trip<T: Serialize + for<'a> Deserialize<'a> + PartialEq + std::fmt::Debug>(value: &T) {
        let bytes = encode(value).unwrap();
        assert_eq!(&decode::<T>(&bytes).unwrap(), value, "{bytes:?}");
        assert!(decode::<T>(&bytes[..bytes.len() - 1]).is_err(), "cut short, {value:?} is nothing");
    }

    #[test]
    fn every_request_survives_the_wire() {
        let spec = TrainSpec {
            dim: 16,
            layers: 2,
            batch: 4,
            learning_rate: 0.01,
            optimizer: OptimizerKind::Adagrad,
            seed: u64::MAX,
            device: DeviceKind::Gpu,
        };
        let product = MatmulSpec { device: DeviceKind::Cpu, m: 3, n: 17, k: 64, dtype: "bfloat16".into() };
        let bench = BenchSpec { device: DeviceKind::Gpu, n: 128, seed_a: 1, seed_b: 2 };
        for command in [
            Command::TimeMatmul(product),
            Command::BenchMatmul(bench),
            Command::UseTuning { text: "napkin\n\"tuning\"".into() },
            Command::DrawCurve(Curve {
                points: vec![LossPoint { step: 1, loss: 0.5 }],
                size: [640, 320],
                scale: 1.5,
                colours: [[255; 3], [0; 3], [1, 2, 3], [47, 67, 176]],
            }),
            Command::Train(TrainAction::Load(spec)),
            Command::Train(TrainAction::Run { until_step: 2_000 }),
            Command::Train(TrainAction::Pause),
            Command::Train(TrainAction::Step),
            Command::Hold,
            Command::Release,
            Command::Survey(SurveySpec {
                device: DeviceKind::Cpu,
                date: "2026-11-21".into(),
                measurement_ms: 60,
            }),
            Command::MeasureOperation(OperationSpec {
                device: DeviceKind::Gpu,
                expression: "softmax(8×8)".into(),
                dtype: "float32".into(),
            }),
        ] {
            round_trip(&Request { id: 7, command });
        }
    }

    #[test]
    fn every_event_survives_the_wire() {
        let info = DeviceInfo {
            kind: DeviceKind::Gpu,
            name: "SwiftShader".into(),
            software: true,
            features: vec!["timestamp-query".into()],
        };
        let cpu = DeviceInfo {
            kind: DeviceKind::Cpu,
            name: "CPU (SIMD)".into(),
            software: false,
            features: vec![],
        };
        let progress = TrainProgress {
            step: 3,
            losses: vec![LossPoint { step: 3, loss: 1e-30 }],
            weights: vec![0.1, -3.5],
            true_weights: vec![0.0, 1.0],
            steps_per_sec: 12.5,
            state: TrainState::Diverged { step: 2 },
        };
        for news in [
            News::Ready { version: VERSION, devices: Devices { cpu: cpu.clone(), gpu: Ok(info) } },
            News::Ready { version: VERSION, devices: Devices { cpu, gpu: Err("no adapter".into()) } },
            News::Drawing,
            News::Training(progress),
            News::Held,
            survey("a product"),
            News::Operation { record: "{}".into() },
            News::Failed { message: "m must be at least 1".into() },
        ] {
            round_trip(&Event { id: Some(u64::MAX), news });
        }
    }

    fn survey(what: &str) -> News {
        News::Survey(SurveyProgress {
            what: what.into(),
            done: 1,
            of: 2,
            record: "{\"date\": \"today\"}".into(),
        })
    }

    #[test]
    fn only_training_and_surveys_go_on() {
        assert!(News::Held.is_last() && News::Failed { message: String::new() }.is_last());
        assert!(!survey("a product").is_last() && survey("").is_last());
    }
}
