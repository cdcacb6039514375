//! What a program does, on its way to the page: gathered for a moment, since each message costs, and without what the page
//! has already.

use std::rc::Rc;
use std::time::Duration;

use napkin_trace::python::{Event, Part};
use napkin_trace::trace::Step;
use napkin_trace::{Message, RequestId};
use web_time::Instant;

/// Takes a message, and bytes that travel beside it.
pub type Post = Rc<dyn Fn(&Message<Event>, Option<&[u8]>)>;

/// How long something may wait for more.
const PAUSE: Duration = Duration::from_millis(50);
/// How long all but the cell in sight waits first: a hand that moves a slider takes the run back before that, and the page
/// has taken in nothing for it. A page that takes longer than this for a move would be given more to do, and be slower still.
const HOLD: Duration = Duration::from_millis(250);

/// Of one run.
pub struct EventBatch {
    post: Post,
    id: RequestId,
    /// The steps that the page has.
    known: Vec<Rc<Step>>,
    /// The one of them that comes next if all is as it was.
    next: usize,
    /// All steps so far.
    pub steps: Vec<Rc<Step>>,
    parts: Vec<Part>,
    /// When it may be posted.
    due: Instant,
}

impl EventBatch {
    /// An empty one; `known` are the steps that the page has.
    pub fn new(post: Post, id: RequestId, known: Vec<Rc<Step>>) -> Self {
        let due = Instant::now() + HOLD;
        Self { post, id, known, next: 0, steps: Vec::new(), parts: Vec::new(), due }
    }

    /// A step of which all is known.
    pub fn step(&mut self, step: &Rc<Step>) {
        self.steps.push(step.clone());
        match (self.find(step), self.parts.last_mut()) {
            (Some(at), Some(Part::Same { from, count })) if *from + *count == at => *count += 1,
            (Some(at), _) => self.parts.push(Part::Same { from: at, count: 1 }),
            (None, Some(Part::New(steps))) => steps.push(Step::clone(step)),
            (None, _) => self.parts.push(Part::New(vec![Step::clone(step)])),
        }
    }

    /// Where the page has that step, if it does.
    fn find(&mut self, step: &Rc<Step>) -> Option<usize> {
        // Something may have been left out, or have come in between.
        let further = self.known.get(self.next..)?;
        let at = self.next + further.iter().position(|known| known.stack == step.stack)?;
        self.next = at + 1;
        (Rc::ptr_eq(&self.known[at], step) || self.known[at] == *step).then_some(at)
    }

    /// Posts what has waited long enough.
    pub fn send_if_due(&mut self) {
        if Instant::now() >= self.due {
            self.send();
        }
    }

    /// Posts all.
    pub fn send(&mut self) {
        if !self.parts.is_empty() {
            let event = Event::Steps(std::mem::take(&mut self.parts));
            (self.post)(&Message { id: Some(self.id), event }, None);
        }
        self.due = self.due.max(Instant::now() + PAUSE);
    }

    /// Posts an event of its own, at once.
    pub fn post(&mut self, event: Event) {
        (self.post)(&Message { id: Some(self.id), event }, None);
    }
}
