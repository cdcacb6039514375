//! What a program does, on its way to the page: gathered for a moment, since each message costs.

use std::rc::Rc;
use std::time::Duration;

use napkin_notebook::RequestId;
use napkin_notebook::python::{Event, Stream};
use napkin_notebook::trace::Step;
use web_time::Instant;

/// Takes an event, and bytes that travel beside it.
pub type Post = Rc<dyn Fn(&Event, Option<&[u8]>)>;

/// How long something may wait for more.
const PAUSE: Duration = Duration::from_millis(50);

/// Of one run.
pub struct Outbox {
    post: Post,
    id: RequestId,
    sent: usize,
    steps: Vec<Step>,
    written: Option<(Stream, String)>,
    last: Instant,
}

impl Outbox {
    /// An empty one.
    pub fn new(post: Post, id: RequestId) -> Self {
        Self { post, id, sent: 0, steps: Vec::new(), written: None, last: Instant::now() }
    }

    /// A step of which all is known.
    pub fn step(&mut self, step: Step) {
        self.steps.push(step);
        self.send_if_due();
    }

    /// What was written; what goes to another stream than before does not overtake it.
    pub fn write(&mut self, stream: Stream, text: &str) {
        match &mut self.written {
            Some((known, all)) if *known == stream => all.push_str(text),
            _ => {
                self.send_written();
                self.written = Some((stream, text.to_owned()));
            }
        }
        self.send_if_due();
    }

    /// Posts what has waited long enough.
    pub fn send_if_due(&mut self) {
        if self.last.elapsed() >= PAUSE {
            self.send();
        }
    }

    /// Posts all.
    pub fn send(&mut self) {
        self.send_written();
        if !self.steps.is_empty() {
            let steps = std::mem::take(&mut self.steps);
            let from = self.sent;
            self.sent += steps.len();
            (self.post)(&Event::Steps { id: self.id, from, steps }, None);
        }
        self.last = Instant::now();
    }

    fn send_written(&mut self) {
        if let Some((stream, text)) = self.written.take() {
            (self.post)(&Event::Output { id: self.id, stream, text }, None);
        }
    }
}
