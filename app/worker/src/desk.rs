//! Answers requests, one after the other.

use napkin_engine::Error;
use napkin_notebook::{Command, Event, News, Request, RequestId, TrainAction};

use crate::devices::{Hardware, explain};
use crate::session::Session;
use crate::timing;

/// Where answers go: the event, and bulk numbers that travel beside it.
pub type Outbox = Box<dyn Fn(&Event, Option<&[f32]>)>;

/// The worker's state between two requests.
pub struct Desk {
    hardware: Hardware,
    session: Option<Session>,
    outbox: Outbox,
}

impl Desk {
    /// A desk with nothing on it.
    #[must_use]
    pub fn new(hardware: Hardware, outbox: Outbox) -> Self {
        Self { hardware, session: None, outbox }
    }

    /// Whether [`Desk::advance`] has something to do.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        self.session.as_ref().is_some_and(Session::is_running)
    }

    /// Carries a request out and answers it.
    pub async fn answer(&mut self, request: Request) {
        let id = request.id;
        let tuning = self.hardware.tuning();
        match request.command {
            Command::TimeMatmul(spec) => match timing::time_matmul(&self.hardware, spec).await {
                Ok(timing) => self.post(id, News::Matmul(timing)),
                Err(message) => self.fail(id, message),
            },
            Command::BenchMatmul(spec) => match timing::bench_matmul(&self.hardware, spec).await {
                Ok((result, product)) => {
                    (self.outbox)(&Event { id: Some(id), news: News::Bench(result) }, Some(&product));
                }
                Err(message) => self.fail(id, message),
            },
            // Need a browser, so they are not the desk's.
            Command::DrawCurve(_) | Command::Hold => {
                self.fail(id, "This takes a browser.".to_owned());
            }
            Command::Release => return,
            Command::Survey(_) | Command::MeasureOperation(_) | Command::CountStep(_) => {
                self.fail(id, "Measuring is done by a worker of its own.".to_owned());
            }
            Command::UseTuning { text } => return self.hardware.use_tuning(&text),
            Command::Train(action) => self.train(id, action).await,
        }
        if let Some(text) = self.hardware.tuning().filter(|text| tuning.as_ref() != Some(text)) {
            self.announce(News::Tuned { text });
        }
        self.report_loss();
    }

    /// A chunk of the running session, and its report when one is due.
    pub async fn advance(&mut self) {
        let Some(session) = &mut self.session else { return };
        match session.advance().await {
            Ok(true) => self.report().await,
            Ok(false) => {}
            Err(error) => self.drop_session(&error),
        }
        self.report_loss();
    }

    /// The page replaces the worker when it hears this.
    fn report_loss(&self) {
        if let Some(message) = self.hardware.lost() {
            self.announce(News::GpuLost { message });
        }
    }

    async fn train(&mut self, id: RequestId, action: TrainAction) {
        if let TrainAction::Load(spec) = &action {
            // The old session's memory is free before the new one asks for its own.
            self.session = None;
            let loaded = self.hardware.device(spec.device).and_then(|device| {
                Session::new(id, spec, device).map_err(|error| explain(spec.device, &error))
            });
            match loaded {
                Ok(session) => self.session = Some(session),
                Err(message) => return self.fail(id, message),
            }
        }
        let Some(session) = &mut self.session else {
            return self.fail(id, "There is no training session: load one first.".to_owned());
        };
        match action {
            TrainAction::Load(_) => {}
            TrainAction::Run { until_step } => session.run(until_step),
            TrainAction::Pause => session.pause(),
            TrainAction::Step => {
                if let Err(error) = session.step().await {
                    return self.drop_session(&error);
                }
            }
        }
        self.report().await;
    }

    async fn report(&mut self) {
        let Some(session) = &mut self.session else { return };
        let id = session.id();
        match session.report().await {
            Ok(progress) => self.post(id, News::Training(progress)),
            Err(error) => self.drop_session(&error),
        }
    }

    /// A session whose device failed cannot be trusted any more.
    fn drop_session(&mut self, error: &Error) {
        if let Some(session) = self.session.take() {
            self.fail(session.id(), explain(session.device(), error));
        }
    }

    fn fail(&self, id: RequestId, message: String) {
        self.post(id, News::Failed { message });
    }

    fn announce(&self, news: News) {
        (self.outbox)(&Event { id: None, news }, None);
    }

    fn post(&self, id: RequestId, news: News) {
        (self.outbox)(&Event { id: Some(id), news }, None);
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::rc::Rc;

    use napkin_notebook::{BenchSpec, DeviceKind, OptimizerKind, TrainProgress, TrainSpec, TrainState};
    use pollster::block_on;

    use super::*;

    /// A desk on the CPU, and all that it says.
    struct Office {
        desk: Desk,
        said: Rc<RefCell<Vec<(Event, usize)>>>,
    }

    impl Office {
        fn open() -> Self {
            let said = Rc::<RefCell<Vec<(Event, usize)>>>::default();
            let heard = Rc::clone(&said);
            let outbox: Outbox = Box::new(move |event, numbers| {
                heard.borrow_mut().push((event.clone(), numbers.map_or(0, <[f32]>::len)));
            });
            Self { desk: Desk::new(Hardware::without_gpu("the address says device=cpu"), outbox), said }
        }

        fn ask(&mut self, id: RequestId, command: Command) -> Vec<(Event, usize)> {
            block_on(self.desk.answer(Request { id, command }));
            self.said.take()
        }

        /// The reports of session 1 that an action leads to, with the chunks that follow it.
        fn train(&mut self, action: TrainAction) -> Vec<TrainProgress> {
            let mut events = self.ask(1, Command::Train(action));
            while self.desk.is_busy() {
                block_on(self.desk.advance());
                events.extend(self.said.take());
            }
            let progress = |(event, _): (Event, usize)| match event {
                Event { id: Some(1), news: News::Training(progress) } => progress,
                other => panic!("{other:?}"),
            };
            events.into_iter().map(progress).collect()
        }
    }

    fn spec(learning_rate: f32, optimizer: OptimizerKind) -> TrainSpec {
        TrainSpec { dim: 16, layers: 2, batch: 4, learning_rate, optimizer, seed: 1, device: DeviceKind::Cpu }
    }

    #[test]
    fn a_session_learns_the_true_weights() {
        let mut office = Office::open();
        let loaded = office.train(TrainAction::Load(spec(0.1, OptimizerKind::Adagrad)));
        assert_eq!((loaded.len(), loaded[0].step, loaded[0].state), (1, 0, TrainState::Paused));
        let truth: Vec<f32> = (0..16).map(|i| i as f32).collect();
        assert_eq!(loaded[0].true_weights, truth);

        let stepped = office.train(TrainAction::Step);
        assert_eq!((stepped[0].step, stepped[0].losses.len()), (1, 1));

        let reports = office.train(TrainAction::Run { until_step: 1_000 });
        let last = reports.last().unwrap();
        assert_eq!((last.step, last.state), (1_000, TrainState::Paused));
        assert!(last.steps_per_sec > 0.0);
        for (got, want) in last.weights.iter().zip(&truth) {
            assert!((got - want).abs() < 1e-3, "{got} for {want}");
        }
        let points: Vec<_> = reports.iter().flat_map(|report| &report.losses).collect();
        assert!(points.windows(2).all(|pair| pair[0].step < pair[1].step), "{points:?}");
        assert_eq!(points.last().unwrap().step, 1_000, "the last step is on the curve");
        assert!((50..300).contains(&points.len()), "{} points", points.len());
        assert!(points.last().unwrap().loss < 1e-6 * stepped[0].losses[0].loss);
    }

    #[test]
    fn the_same_seed_gives_the_same_curve_however_it_is_cut_into_runs() {
        let losses = |runs: &[u64]| {
            let mut office = Office::open();
            office.train(TrainAction::Load(spec(0.1, OptimizerKind::Adagrad)));
            let mut last = Vec::new();
            for &until_step in runs {
                last = office.train(TrainAction::Run { until_step });
            }
            let last = last.last().unwrap().clone();
            (last.step, last.weights)
        };
        assert_eq!(losses(&[300]), losses(&[7, 100, 300]));
    }

    #[test]
    fn a_diverged_session_says_so_and_takes_no_more_steps() {
        let mut office = Office::open();
        office.train(TrainAction::Load(spec(0.01, OptimizerKind::Sgd)));
        let last = office.train(TrainAction::Run { until_step: 1_000 }).pop().unwrap();
        let TrainState::Diverged { step } = last.state else { panic!("{last:?}") };
        assert!(step < 100 && last.weights.is_empty(), "{last:?}");
        let after = office.train(TrainAction::Step).pop().unwrap();
        assert_eq!((after.step, after.state), (last.step, last.state));
    }

    #[test]
    fn what_cannot_be_done_is_answered_under_its_id() {
        let mut office = Office::open();
        let mut failure = |command| match &office.ask(9, command)[..] {
            [(Event { id: Some(9), news: News::Failed { message } }, 0)] => message.clone(),
            other => panic!("{other:?}"),
        };
        assert!(failure(Command::Train(TrainAction::Pause)).contains("no training session"));
        let no_gpu = TrainSpec { device: DeviceKind::Gpu, ..spec(0.1, OptimizerKind::Sgd) };
        assert!(failure(Command::Train(TrainAction::Load(no_gpu))).contains("device=cpu"));
        let huge = TrainSpec { dim: 1 << 20, ..spec(0.1, OptimizerKind::Sgd) };
        assert!(failure(Command::Train(TrainAction::Load(huge))).contains("dim"));
        let large = TrainSpec { dim: 4096, layers: 64, ..spec(0.1, OptimizerKind::Sgd) };
        assert!(failure(Command::Train(TrainAction::Load(large))).contains("1073745920 parameters"));
        let not_a_number = spec(f32::NAN, OptimizerKind::Sgd);
        assert!(failure(Command::Train(TrainAction::Load(not_a_number))).contains("lr"));
    }

    #[test]
    fn the_benchmark_sends_its_product_along() {
        let mut office = Office::open();
        let spec = BenchSpec { device: DeviceKind::Cpu, n: 8, seed_a: 1, seed_b: 2 };
        let events = office.ask(3, Command::BenchMatmul(spec));
        assert!(matches!(&events[..], [(Event { id: Some(3), news: News::Bench(_) }, 64)]), "{events:?}");
    }
}
