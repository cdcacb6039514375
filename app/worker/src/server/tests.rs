use std::cell::RefCell;
use std::rc::Rc;

use napkin_engine::measure::Machine;
use napkin_trace::{BenchModel, MatmulSpec, OptimizerKind, TrainProgress, TrainSpec, TrainState};
use pollster::block_on;

use super::*;

/// A server on the CPU, and all that it posts.
struct Client {
    server: Server,
    posted: Rc<RefCell<Vec<Message<Event>>>>,
}

impl Client {
    fn new() -> Self {
        let posted = Rc::<RefCell<Vec<Message<Event>>>>::default();
        let heard = Rc::clone(&posted);
        let post: Post = Rc::new(move |message| heard.borrow_mut().push(message.clone()));
        Self { server: Server::new(Hardware::without_gpu("the address says device=cpu"), post), posted }
    }

    fn ask(&mut self, id: RequestId, command: Command) -> Vec<Message<Event>> {
        block_on(self.server.answer(Request { id, command }));
        self.posted.take()
    }

    /// The events of request 1 that a command leads to, with all the work that follows it.
    fn events(&mut self, command: Command) -> Vec<Event> {
        let mut messages = self.ask(1, command);
        while self.server.is_busy() {
            block_on(self.server.advance());
            messages.extend(self.posted.take());
        }
        assert!(messages.iter().all(|message| message.id == Some(1)), "{messages:?}");
        messages.into_iter().map(|message| message.event).collect()
    }

    /// The reports of the session.
    fn train(&mut self, action: TrainAction) -> Vec<TrainProgress> {
        let progress = |event| match event {
            Event::Training(progress) => progress,
            other => panic!("{other:?}"),
        };
        self.events(Command::Train(action)).into_iter().map(progress).collect()
    }

    /// The sentence that a command is refused with.
    fn refusal(&mut self, command: Command) -> String {
        match &self.events(command)[..] {
            [Event::Failed(message)] => message.clone(),
            other => panic!("{other:?}"),
        }
    }
}

fn spec(learning_rate: f32, optimizer: OptimizerKind) -> TrainSpec {
    TrainSpec { dim: 16, layers: 2, batch: 4, learning_rate, optimizer, seed: 1, device: DeviceKind::Cpu }
}

fn load(learning_rate: f32, optimizer: OptimizerKind) -> TrainAction {
    TrainAction::Load(spec(learning_rate, optimizer))
}

fn survey_of(device: DeviceKind) -> Command {
    Command::Survey { device, date: "2026-11-21".into(), measurement_ms: 1 }
}

#[test]
fn a_session_learns_the_true_weights() {
    let mut client = Client::new();
    let loaded = client.train(load(0.1, OptimizerKind::Adagrad));
    assert_eq!((loaded.len(), loaded[0].step, loaded[0].state), (1, 0, TrainState::Paused));

    let stepped = client.train(TrainAction::Step);
    assert_eq!((stepped[0].step, stepped[0].losses.len()), (1, 1));

    let reports = client.train(TrainAction::Run { until_step: 1_000 });
    let last = reports.last().unwrap();
    assert_eq!((last.step, last.state), (1_000, TrainState::Paused));
    assert!(last.steps_per_sec > 0.0);
    for (i, got) in last.weights.iter().enumerate() {
        assert!((got - i as f32).abs() < 1e-3, "{got} for {i}");
    }
    let points: Vec<_> = reports.iter().flat_map(|report| &report.losses).collect();
    assert!(points.windows(2).all(|pair| pair[0].step < pair[1].step), "{points:?}");
    assert_eq!(points.last().unwrap().step, 1_000, "the last step is on the curve");
    assert!((50..300).contains(&points.len()), "{} points", points.len());
    assert!(points.last().unwrap().loss < 1e-6 * stepped[0].losses[0].loss);
}

#[test]
fn one_session_at_a_time() {
    let mut client = Client::new();
    client.train(load(0.1, OptimizerKind::Adagrad));
    let second = client.ask(2, Command::Train(load(0.1, OptimizerKind::Sgd)));
    assert!(
        matches!(&second[0], Message { id: Some(1), event: Event::Failed(why) } if why.contains("dropped"))
    );
    assert_eq!((second.len(), second[1].id), (2, Some(2)));
    assert!(client.refusal(Command::Train(TrainAction::Step)).contains("no training session"));
    assert_eq!(client.events(Command::Cancel(2)), [Event::Cancelled]);
    let after = client.ask(2, Command::Train(TrainAction::Step));
    assert!(matches!(&after[..], [Message { event: Event::Failed(_), .. }]), "{after:?}");
}

#[test]
fn a_survey_tells_every_step_and_ends_with_all_of_it() {
    let events = Client::new().events(survey_of(DeviceKind::Cpu));
    for (done, event) in events.iter().enumerate() {
        let Event::Survey(one) = event else { panic!("{event:?}") };
        assert_eq!((one.done as usize, one.of as usize), (done, events.len() - 1), "{one:?}");
        assert_eq!(one.what.is_empty(), event.is_last() && done == events.len() - 1, "{one:?}");
        let machine: Machine = serde_json::from_str(&one.record).unwrap();
        assert_eq!((machine.fma.is_empty(), machine.device.as_str()), (done == 0, "cpu"));
    }
}

#[test]
fn training_waits_for_a_survey_and_goes_on_when_it_is_cancelled() {
    let mut client = Client::new();
    client.ask(1, Command::Train(load(0.1, OptimizerKind::Adagrad)));
    client.ask(1, Command::Train(TrainAction::Run { until_step: 50 }));
    client.ask(2, survey_of(DeviceKind::Cpu));
    for _ in 0..3 {
        block_on(client.server.advance());
    }
    let measured = client.posted.take();
    assert!(measured.iter().all(|message| message.id == Some(2)), "{measured:?}");
    let other = client.ask(3, survey_of(DeviceKind::Cpu));
    assert!(matches!(&other[..], [Message { event: Event::Failed(_), .. }]), "{other:?}");
    client.ask(4, Command::Cancel(2));
    let trained = client.events(Command::Train(TrainAction::Run { until_step: 50 }));
    let Some(Event::Training(last)) = trained.last() else { panic!("{trained:?}") };
    assert_eq!(last.step, 50);
}

#[test]
fn what_cannot_be_done_is_a_sentence() {
    let (device, gpu) = (DeviceKind::Cpu, DeviceKind::Gpu);
    let sgd = spec(0.1, OptimizerKind::Sgd);
    let train = |spec| Command::Train(TrainAction::Load(spec));
    let product = |device, m, n, k, dtype: &str| {
        Command::TimeMatmul(MatmulSpec { device, m, n, k, dtype: dtype.to_owned() })
    };
    let operation = |expression: &str, dtype: &str| Command::MeasureOperation {
        device,
        expression: expression.to_owned(),
        dtype: dtype.to_owned(),
    };
    let step =
        r#"{"batch":2,"dim":4,"layers":2,"bias":false,"dtype":"fp32","optimizer":"adagrad","accumulate":1}"#;
    let count = |from, to| Command::CountStep { device, step: step.replace(from, to) };
    for (command, why) in [
        (product(device, 0, 1, 1, "float32"), "m = 0"),
        (product(device, 1, 1, 1, "float99"), "float99"),
        (product(device, 1 << 15, 1 << 15, 1 << 17, "float32"), "would take about"),
        (product(gpu, 1, 1, 1, "float32"), "device=cpu"),
        (Command::BenchStep { device: gpu, model: BenchModel::Gpt }, "device=cpu"),
        (Command::Train(TrainAction::Pause), "no training session"),
        (train(TrainSpec { device: gpu, ..sgd.clone() }), "device=cpu"),
        (train(TrainSpec { dim: 1 << 20, ..sgd.clone() }), "dim"),
        (train(TrainSpec { dim: 4096, layers: 64, ..sgd }), "1073745920 parameters"),
        (train(spec(f32::NAN, OptimizerKind::Sgd)), "lr"),
        (count("}", ""), "No step"),
        (count("adagrad", "lion"), "lion"),
        (count(":4", ":9999999"), "dim"),
        (survey_of(gpu), "device=cpu"),
        (operation("relu(", "float32"), "On the CPU: "),
        (operation("relu(8)", "float99"), "float99"),
        (operation("3x4 @ 5x6", "float32"), "mat1 and mat2"),
        (operation("relu(40000x40000)", "float32"), "cannot allocate 6.4 GB"),
    ] {
        let refusal = Client::new().refusal(command);
        assert!(refusal.contains(why), "{refusal}");
    }
}
