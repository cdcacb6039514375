//! Measures this machine's devices for the page, and whatever expression a reader types.

use napkin_engine::DType;
use napkin_engine::cpu::Cpu;
use napkin_engine::measure::{self, Limits, Options, Probe, Survey};
use napkin_engine::train::counted::Spec;
use napkin_notebook::{
    Command, CountSpec, DeviceKind, Event, News, OperationSpec, Request, SurveyProgress, SurveySpec,
};
use serde::Serialize;

use crate::devices::{Hardware, explain};

/// Memory that a survey takes at a time: more than most caches hold, and less than a telephone has.
const CPU_BYTES: u64 = 256 << 20;
const GPU_BYTES: u64 = 512 << 20;

/// Carries a request out and answers it.
pub async fn answer(hardware: &Hardware, request: Request, outbox: &dyn Fn(&Event, Option<&[f32]>)) {
    let id = request.id;
    let post = |news| outbox(&Event { id: Some(id), news }, None);
    let tuning = hardware.tuning();
    let outcome = match request.command {
        Command::Survey(spec) => survey(hardware, &spec, &|progress| post(News::Survey(progress))).await,
        Command::MeasureOperation(spec) => {
            operation(hardware, &spec).await.map(|record| post(News::Operation { record }))
        }
        Command::CountStep(spec) => count(hardware, &spec).await.map(|record| post(News::Counted { record })),
        Command::UseTuning { text } => return hardware.use_tuning(&text),
        _ => Err("This worker only measures.".to_owned()),
    };
    if let Err(message) = outcome {
        post(News::Failed { message });
    }
    let announce = |news| outbox(&Event { id: None, news }, None);
    if let Some(text) = hardware.tuning().filter(|text| tuning.as_ref() != Some(text)) {
        announce(News::Tuned { text });
    }
    if let Some(message) = hardware.lost() {
        announce(News::GpuLost { message });
    }
}

/// Measures a device; `tell` hears of every measurement before it is made, and of the end.
async fn survey(hardware: &Hardware, spec: &SurveySpec, tell: &dyn Fn(SurveyProgress)) -> Result<(), String> {
    let device = hardware.device(spec.device)?;
    let processor = Cpu::new();
    let probe: &dyn Probe = match spec.device {
        DeviceKind::Cpu => &processor,
        DeviceKind::Gpu => hardware.gpu()?,
    };
    let mut options = Options::new(spec.date.clone(), hardware.describe().get(spec.device)?.name.clone());
    options.memory_bytes = match spec.device {
        DeviceKind::Cpu => CPU_BYTES,
        DeviceKind::Gpu => GPU_BYTES,
    };
    options.measurement_secs = f64::from(spec.measurement_ms) / 1e3;
    let mut survey = Survey::new(device, probe, options);
    let mut done = 0;
    while let Some(next) = survey.next() {
        tell(SurveyProgress {
            what: next.what,
            done,
            of: next.of as u32,
            record: to_json(survey.machine())?,
        });
        survey.step().await.map_err(|error| explain(spec.device, &error))?;
        done += 1;
    }
    tell(SurveyProgress { what: String::new(), done, of: done, record: to_json(survey.machine())? });
    Ok(())
}

/// Times an expression.
async fn operation(hardware: &Hardware, spec: &OperationSpec) -> Result<String, String> {
    let dtype =
        DType::from_name(&spec.dtype).ok_or_else(|| format!("There is no dtype named {:?}.", spec.dtype))?;
    let device = hardware.device(spec.device)?;
    let timed = measure::expression(device, &spec.expression, dtype, &Limits::default()).await;
    to_json(&timed.map_err(|error| explain(spec.device, &error))?)
}

/// Runs a training step with the ledger on.
async fn count(hardware: &Hardware, spec: &CountSpec) -> Result<String, String> {
    let asked: Spec = serde_json::from_str(&spec.step).map_err(|error| format!("No step: {error}"))?;
    let step = asked.step().map_err(|error| error.to_string())?;
    let counted = step.count(hardware.device(spec.device)?).await;
    to_json(&counted.map_err(|error| explain(spec.device, &error))?)
}

/// Records are plain data, which can always be written.
fn to_json(record: &impl Serialize) -> Result<String, String> {
    serde_json::to_string(record).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use napkin_engine::measure::{Machine, Operation};
    use pollster::block_on;

    use super::*;

    fn ask(command: Command) -> Vec<News> {
        let hardware = Hardware::without_gpu("the address says device=cpu");
        let said = RefCell::new(Vec::new());
        let outbox = |event: &Event, _: Option<&[f32]>| {
            assert_eq!(event.id, Some(7));
            said.borrow_mut().push(event.news.clone());
        };
        block_on(answer(&hardware, Request { id: 7, command }, &outbox));
        said.into_inner()
    }

    fn failure(command: Command) -> String {
        match &ask(command)[..] {
            [News::Failed { message }] => message.clone(),
            other => panic!("{other:?}"),
        }
    }

    fn survey_of(device: DeviceKind) -> Command {
        Command::Survey(SurveySpec { device, date: "2026-11-21".into(), measurement_ms: 1 })
    }

    fn operation_of(device: DeviceKind, expression: &str, dtype: &str) -> Command {
        Command::MeasureOperation(OperationSpec {
            device,
            expression: expression.into(),
            dtype: dtype.into(),
        })
    }

    #[test]
    fn a_survey_tells_every_step_and_ends_with_all_of_it() {
        let news = ask(survey_of(DeviceKind::Cpu));
        let progress: Vec<&SurveyProgress> = news
            .iter()
            .map(|news| match news {
                News::Survey(progress) => progress,
                other => panic!("{other:?}"),
            })
            .collect();
        for (done, one) in progress.iter().enumerate() {
            assert_eq!((one.done as usize, one.of as usize), (done, progress.len() - 1), "{one:?}");
            assert_eq!(one.what.is_empty(), done == progress.len() - 1, "{one:?}");
        }
        let machines: Vec<Machine> =
            progress.iter().map(|one| serde_json::from_str(&one.record).unwrap()).collect();
        assert!(machines[0].fma.is_empty() && machines[1].fma.len() == 1);
        let machine = machines.last().unwrap();
        assert_eq!((machine.date.as_str(), machine.device.as_str()), ("2026-11-21", "cpu"));
        assert_eq!(machine.adapter, Hardware::without_gpu("").describe().cpu.name);
        assert!(!machine.products.is_empty() && machine.operations.len() > 5);
    }

    #[test]
    fn an_expression_is_timed() {
        let news = ask(operation_of(DeviceKind::Cpu, " softmax(64x65) ", "bfloat16"));
        let [News::Operation { record }] = &news[..] else { panic!("{news:?}") };
        let operation: Operation = serde_json::from_str(record).unwrap();
        assert_eq!((operation.expression.as_str(), operation.dtype.as_str()), ("softmax(64x65)", "bfloat16"));
        assert_eq!(operation.shape, [64, 65]);
    }

    #[test]
    fn a_step_is_counted() {
        let step = r#"{"batch":2,"dim":4,"layers":2,"bias":false,"dtype":"fp32","optimizer":"adagrad","accumulate":1}"#;
        let asked =
            |step: &str| Command::CountStep(CountSpec { device: DeviceKind::Cpu, step: step.to_owned() });
        let news = ask(asked(step));
        let [News::Counted { record }] = &news[..] else { panic!("{news:?}") };
        let record: serde_json::Value = serde_json::from_str(record).unwrap();
        assert_eq!(record["parameters"], 36);
        assert!(failure(asked("{")).starts_with("No step"));
        assert!(failure(asked(&step.replace("adagrad", "lion"))).contains("lion"));
        assert!(failure(asked(&step.replace(":4", ":9999999"))).contains("dim"));
    }

    #[test]
    fn what_cannot_be_measured_is_a_sentence() {
        assert!(failure(survey_of(DeviceKind::Gpu)).contains("device=cpu"));
        let of = |expression, dtype| failure(operation_of(DeviceKind::Cpu, expression, dtype));
        assert!(of("relu(", "float32").starts_with("On the CPU: "));
        assert!(of("relu(8)", "float99").contains("float99"));
        assert!(of("3x4 @ 5x6", "float32").contains("mat1 and mat2"));
        assert!(of("relu(40000x40000)", "float32").contains("bytes"));
        assert!(failure(Command::Hold).contains("only measures"));
    }
}
