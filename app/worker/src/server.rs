//! Answers requests, one after the other.

use std::rc::Rc;

use napkin_engine::Error;
use napkin_engine::gpu::Gpu;
use napkin_engine::measure::{Limits, expression};
use napkin_engine::train::counted::Spec;
use napkin_trace::{Command, DeviceKind, Event, Message, Request, RequestId, TrainAction};

use crate::devices::{Hardware, explain};
use crate::steps;
use crate::survey::Survey;
use crate::timing;
use crate::training::Session;

#[cfg(test)]
mod tests;

/// Posts a message to the page.
pub type Post = Rc<dyn Fn(&Message<Event>)>;

/// The worker's state between two requests.
pub struct Server {
    hardware: Hardware,
    session: Option<Session>,
    survey: Option<Survey>,
    post: Post,
}

impl Server {
    /// A server that has nothing to do yet.
    pub fn new(hardware: Hardware, post: Post) -> Self {
        if let Ok(gpu) = &hardware.gpu {
            // The page keeps what is found out about the GPU's kernels.
            let post = post.clone();
            gpu.keep_tuning(move |text| post(&Message { id: None, event: Event::Tuned(text.to_owned()) }));
        }
        Self { hardware, session: None, survey: None, post }
    }

    /// Whether [`Server::advance`] has something to do.
    pub fn is_busy(&self) -> bool {
        self.survey.is_some() || self.session.as_ref().is_some_and(Session::is_running)
    }

    /// Carries a request out and answers it.
    pub async fn answer(&mut self, Request { id, command }: Request<Command>) {
        let hardware = &self.hardware;
        let event = match command {
            Command::TimeMatmul(spec) => timing::time_matmul(hardware, spec).await.map(Event::Matmul),
            Command::BenchMatmul { device, n, seeds } => {
                timing::bench_matmul(hardware, device, n, seeds).await.map(Event::Bench)
            }
            Command::BenchStep { device, model } => {
                steps::bench_step(hardware, device, model).await.map(Event::BenchStep)
            }
            Command::UseTuning(text) => {
                if let Ok(gpu) = &hardware.gpu {
                    gpu.load_tuning(&text);
                }
                return;
            }
            Command::Train(action) => self.train(id, action).await,
            Command::Survey { .. } if self.survey.is_some() => {
                Err("This machine is being measured already.".to_owned())
            }
            Command::Survey { device, date, measurement_ms } => {
                let begun = Survey::new(id, hardware, device, date, measurement_ms);
                begun.and_then(|survey| self.survey.insert(survey).progress()).map(Event::Survey)
            }
            Command::MeasureOperation { device, expression, dtype } => {
                operation(hardware, device, &expression, &dtype).await.map(Event::Operation)
            }
            Command::CountStep { device, step } => count(hardware, device, &step).await.map(Event::Counted),
            Command::Cancel(request) => {
                self.survey.take_if(|survey| survey.id == request);
                self.session.take_if(|session| session.id == request);
                Ok(Event::Cancelled)
            }
        };
        self.reply(id, event);
        self.report_loss();
    }

    /// One measurement of the survey, else a chunk of the running session, with the report when one is due.
    pub async fn advance(&mut self) {
        if let Some(mut survey) = self.survey.take() {
            let id = survey.id;
            let progress = survey.advance().await.and_then(|()| survey.progress());
            if progress.as_ref().is_ok_and(|progress| !progress.what.is_empty()) {
                self.survey = Some(survey);
            }
            self.reply(id, progress.map(Event::Survey));
        } else if let Some(session) = &mut self.session {
            let id = session.id;
            match session.advance().await {
                Ok(Some(progress)) => self.reply(id, Ok(Event::Training(progress))),
                Ok(None) => {}
                Err(error) => {
                    let event = self.drop_session(&error);
                    self.reply(id, event);
                }
            }
        }
        self.report_loss();
    }

    async fn train(&mut self, id: RequestId, action: TrainAction) -> Result<Event, String> {
        if let TrainAction::Load(spec) = &action {
            // The old session's memory is free before the new one asks for its own.
            if let Some(old) = self.session.take() {
                self.reply(old.id, Err("Another training loop began, and this one was dropped.".to_owned()));
            }
            let device = self.hardware.device(spec.device)?;
            let session = Session::new(id, spec, &device).map_err(|error| explain(spec.device, &error))?;
            self.session = Some(session);
        }
        let Some(session) = self.session.as_mut().filter(|session| session.id == id) else {
            return Err("There is no training session: load one first.".to_owned());
        };
        match session.act(&action).await {
            Ok(progress) => Ok(Event::Training(progress)),
            Err(error) => self.drop_session(&error),
        }
    }

    /// A session whose device failed cannot be trusted any more.
    fn drop_session(&mut self, error: &Error) -> Result<Event, String> {
        let session = self.session.take();
        Err(session.map_or_else(|| error.to_string(), |session| explain(session.device, error)))
    }

    /// Tells the page if the GPU has gone.
    fn report_loss(&self) {
        if let Some(why) = self.hardware.gpu.as_ref().ok().and_then(Gpu::lost) {
            (self.post)(&Message { id: None, event: Event::GpuLost(why) });
        }
    }

    fn reply(&self, id: RequestId, event: Result<Event, String>) {
        (self.post)(&Message { id: Some(id), event: event.unwrap_or_else(Event::Failed) });
    }
}

/// Times an expression and gives its record as JSON.
async fn operation(hardware: &Hardware, kind: DeviceKind, text: &str, dtype: &str) -> Result<String, String> {
    let (dtype, device) = (timing::dtype(dtype)?, hardware.device(kind)?);
    let timed = expression(&device, text, dtype, &Limits::default()).await;
    let record = timed.map_err(|error| explain(kind, &error))?;
    serde_json::to_string(&record).map_err(|error| error.to_string())
}

/// Runs a training step with the ledger on and gives its record as JSON.
async fn count(hardware: &Hardware, kind: DeviceKind, step: &str) -> Result<String, String> {
    let asked: Spec = serde_json::from_str(step).map_err(|error| format!("No step: {error}"))?;
    let step = asked.step().map_err(|error| error.to_string())?;
    let counted = step.count(&hardware.device(kind)?).await;
    let record = counted.map_err(|error| explain(kind, &error))?;
    serde_json::to_string(&record).map_err(|error| error.to_string())
}
