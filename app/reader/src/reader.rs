//! A lecture, and where its reader is.

use napkin_notebook::trace::{Map, StackElement};

use crate::address::{Address, VERSION};
use crate::lecture::Lecture;
use crate::live::Live;
use crate::questions::{Question, Verdict};

/// What a reader does to get on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Move {
    /// To the next step.
    Next,
    /// To the step before.
    Back,
    /// To the next step, past what this one calls.
    Over,
    /// To the step before, past what that one called.
    BackOver,
    /// Out of the function.
    Out,
}

impl Move {
    /// By its name in the page.
    #[must_use]
    pub fn of_id(id: &str) -> Option<Self> {
        Some(match id {
            "next" => Self::Next,
            "back" => Self::Back,
            "over" => Self::Over,
            "back-over" => Self::BackOver,
            "out" => Self::Out,
            _ => return None,
        })
    }
}

/// How the code is shown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Look {
    /// The code itself where else its drawings stand.
    pub is_raw: bool,
    /// Lines that are still to come, faintly.
    pub shows_coming: bool,
    /// No variables.
    pub hides_variables: bool,
    /// What speakers note for themselves.
    pub shows_notes: bool,
}

/// A guess at the answer to a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Guess {
    /// What the reader wrote or chose.
    pub text: String,
    /// How good it is.
    pub verdict: Verdict,
}

/// A lecture, and where its reader is.
#[derive(Debug, Default)]
pub struct Reader {
    /// What is read.
    pub lecture: Lecture,
    /// What an address calls it: `lecture` or `trace`, and the name; nothing of a file that was opened.
    pub name: Option<(String, String)>,
    /// The number of the step.
    pub step: usize,
    /// How it is shown.
    pub look: Look,
    /// By the id of the question.
    pub guesses: Map<Guess>,
    /// A guess that is none, and why: the question, what was written, the sentence.
    pub refused: Option<(String, String, String)>,
    /// What was wrong with the address or a file.
    pub notices: Vec<String>,
    /// What the reader has changed, and what came of it.
    pub live: Live,
    others: Vec<(String, String)>,
}

impl Reader {
    /// A reader at the beginning of a lecture.
    #[must_use]
    pub fn new(lecture: Lecture) -> Self {
        Self { step: lecture.beginning(), lecture, ..Self::default() }
    }

    /// Goes where an address leads.
    pub fn arrive(&mut self, address: &Address) {
        self.others.clone_from(&address.others);
        let course = &self.lecture.course;
        let alone = self.alone_call();
        let (step, notice) = address.step(self.lecture.last());
        let start = || alone.map_or_else(|| self.lecture.beginning(), |call| course.landing(call));
        self.step = step.unwrap_or_else(start);
        if let (Some(function), None) = (self.alone(), alone) {
            self.notices.push(format!("The lecture has no cell “{function}”: this is all of it."));
        }
        self.notices.extend(notice);
        self.live.wants_gpu = self.others.iter().any(|(name, value)| name == "device" && value == "gpu");
    }

    /// The function that stands alone in somebody's page, without the lecture around it.
    fn alone(&self) -> Option<&str> {
        let (_, function) = self.others.iter().find(|(name, _)| name == "embed")?;
        Some(function.as_str()).filter(|function| !function.is_empty())
    }

    /// Its call, by number.
    fn alone_call(&self) -> Option<usize> {
        let function = self.alone()?;
        self.lecture.course.calls.iter().position(|call| call.function == function)
    }

    /// Whether a step can be gone to: of a cell that stands alone only its own can, and those of what it calls.
    fn is_open(&self, step: usize) -> bool {
        let alone = self.alone_call().map(|at| &self.lecture.course.calls[at]);
        alone.is_none_or(|call| (call.first..=call.last).contains(&step))
    }

    /// Which device the program is to have; the address says so, too.
    pub fn choose_device(&mut self, wants_gpu: bool) {
        self.live.wants_gpu = wants_gpu;
        self.others.retain(|(name, _)| name != "device");
        if wants_gpu {
            self.others.push(("device".to_owned(), "gpu".to_owned()));
        }
    }

    /// What the address says of where the reader is.
    #[must_use]
    pub fn address(&self) -> Address {
        let named =
            |kind: &str| self.name.as_ref().filter(|(known, _)| known == kind).map(|(_, name)| name.clone());
        Address {
            lecture: named("lecture"),
            trace: named("trace"),
            step: Some(self.step.to_string()),
            version: Some(VERSION.to_owned()),
            sliders: self.named_settings(),
            others: self.others.clone(),
        }
    }

    /// Where a move leads; nowhere at the ends.
    #[must_use]
    pub fn target(&self, to: Move) -> Option<usize> {
        let course = &self.lecture.course;
        let step = match to {
            Move::Next => Some(self.step + 1).filter(|step| *step <= self.lecture.last()),
            Move::Back => self.step.checked_sub(1),
            Move::Over => course.over(self.step),
            Move::BackOver => course.back_over(self.step),
            Move::Out => course.out(self.step),
        };
        step.filter(|step| self.is_open(*step))
    }

    /// Goes to a step, or to the last one. Whether that is another one.
    pub fn go(&mut self, step: usize) -> bool {
        let before = std::mem::replace(&mut self.step, step.min(self.lecture.last()));
        before != self.step
    }

    /// Whether a value of a line waits for a guess: the one that is asked for, wherever it is shown, and all that comes
    /// below the question.
    #[must_use]
    pub fn is_locked(&self, place: &StackElement, line: u32, name: &str) -> bool {
        self.open_questions(place).any(|it| it.prediction.name == name) || self.awaits_guess(place, line)
    }

    /// Whether a guess is still to be made above a line of a function: what the line gives may give the answer away.
    #[must_use]
    pub fn awaits_guess(&self, place: &StackElement, line: u32) -> bool {
        self.open_questions(place).any(|it| it.prediction.line_number < line)
    }

    /// The questions in a function that have no guess yet.
    fn open_questions(&self, place: &StackElement) -> impl Iterator<Item = &Question> {
        let is_open = |it: &&Question| it.is_in(place) && self.guesses.get(&it.id).is_none();
        self.lecture.questions.iter().filter(is_open)
    }

    /// Takes a guess; none at all is the wish to be shown. What can be no guess is kept with its sentence.
    pub fn guess(&mut self, id: &str, text: Option<&str>) {
        let Some(question) = self.lecture.questions.iter().find(|question| question.id == id) else { return };
        let judged = match text.map(str::trim) {
            None => Ok((String::new(), Verdict::Shown)),
            Some(text) => question.judge(text).map(|verdict| (text.to_owned(), verdict)),
        };
        match judged {
            Ok((text, verdict)) => {
                self.refused = None;
                self.guesses.set(id, Guess { text, verdict });
            }
            Err(why) => {
                self.refused = Some((id.to_owned(), text.unwrap_or_default().to_owned(), why));
            }
        }
    }

    /// Of the questions that are answered how many are right, and how many there are in all.
    #[must_use]
    pub fn score(&self) -> (usize, usize, usize) {
        let guesses: Vec<&Guess> =
            self.lecture.questions.iter().filter_map(|question| self.guesses.get(&question.id)).collect();
        let right = guesses.iter().filter(|guess| guess.verdict == Verdict::Right).count();
        (right, guesses.len(), self.lecture.questions.len())
    }

    /// What a browser is to keep of the guesses: a line each.
    #[must_use]
    pub fn kept(&self) -> String {
        let line = |(id, guess): &(String, Guess)| format!("{id}\t{}\t{}\n", guess.verdict.id(), guess.text);
        self.guesses.0.iter().map(line).collect()
    }

    /// Takes what a browser has kept; what is none of it is left out.
    pub fn recall(&mut self, kept: &str) {
        for line in kept.lines() {
            let mut parts = line.splitn(3, '\t');
            let (Some(id), Some(verdict), Some(text)) = (parts.next(), parts.next(), parts.next()) else {
                continue;
            };
            let is_asked = self.lecture.questions.iter().any(|question| question.id == id);
            if let Some(verdict) = Verdict::of_id(verdict).filter(|_| is_asked) {
                self.guesses.set(id, Guess { text: text.to_owned(), verdict });
            }
        }
    }
}
