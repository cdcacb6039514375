//! A lecture that is being read: what it is, where its reader is, what the reader has answered and changed.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use leptos::prelude::*;
use napkin_trace::trace::{Map, Slider, StackElement};

use super::model::{Lecture, Move, Question, SliderRange, Task, function_key, slider_id, tasks};

use crate::components::{Guess, Guesses, Pictures, Verdict};
use crate::state::{Values, use_values};
pub use edits::{Change, Version, named};

/// What the keys of sliders begin with, in addresses.
pub const SLIDERS: &str = "s.";

/// Where a lecture comes from: how an address finds it again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// A lecture of this site, by its name.
    Site(String),
    /// A trace that was fetched from an address.
    Trace(String),
    /// A file of the reader's, which no address names: what tells it from others.
    File(String),
}

/// What an address says of a slider that cannot be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    key: String,
    /// The nearest number that can be, if it is another than that of the lecture.
    nearest: Option<String>,
    sentence: String,
}

/// A lecture that is being read; a copy is the same.
#[derive(Clone, Copy)]
pub struct LectureState {
    /// What is read: as it was built, or as it ran last.
    pub lecture: RwSignal<Arc<Lecture>>,
    /// As it was before the reader changed anything.
    pub original: RwSignal<Arc<Lecture>>,
    pub origin: RwSignal<Origin>,
    /// What there is to answer and to solve, whatever ran since.
    pub tasks: Memo<Vec<Task>>,
    /// Whether one cell is shown, line by line; else all of them, one below the other.
    pub is_stepping: RwSignal<bool>,
    /// Whether one part is shown, in large letters, whole or line by line.
    pub is_presenting: RwSignal<bool>,
    /// The step of the trace that a reader who steps is at.
    pub step: RwSignal<usize>,
    /// The part in sight of a reader who scrolls, by number.
    pub part: RwSignal<usize>,
    /// The code itself where else its drawings stand.
    pub is_raw: RwSignal<bool>,
    pub shows_variables: RwSignal<bool>,
    /// Whether what speakers note for themselves is shown.
    pub shows_notes: RwSignal<bool>,
    /// By the id of the question, the text of the card, or the function of the exercise, with the code that solved it.
    pub guesses: RwSignal<BTreeMap<String, Guess>>,
    /// Exercises whose verdict the reader wants to know, by the keys of their functions.
    pub asked: RwSignal<BTreeSet<String>>,
    /// Cells that the reader has stayed at, by their names in addresses.
    pub read: RwSignal<BTreeSet<String>>,
    /// What was said before somebody began to present.
    pub aside: StoredValue<BTreeMap<String, Guess>>,
    /// The window with what to say about each part.
    pub notes_window: RwSignal<Option<web_sys::Window>, LocalStorage>,
    /// What a lecturer has noted on parts, by their names in addresses.
    pub notes: RwSignal<BTreeMap<String, String>>,
    /// What the reader has written in place of functions, by their keys.
    pub edits: RwSignal<BTreeMap<String, String>>,
    /// The open editors, by the keys of their functions, and the line that one of them is asked to show.
    pub editors: RwSignal<BTreeSet<String>>,
    pub asked_line: RwSignal<Option<(String, u32)>>,
    /// What stood there before, and ran or was taken back, the oldest first.
    pub versions: RwSignal<BTreeMap<String, Vec<Version>>>,
    /// Where the pictures of the lecture are.
    pub pictures: RwSignal<Pictures>,
    pub values: Values,
}

impl LectureState {
    /// A reader at the beginning of a lecture, in the context of the page.
    pub fn provide(lecture: Arc<Lecture>, origin: Origin) -> Self {
        let original = RwSignal::new(lecture.clone());
        let state = Self {
            step: RwSignal::new(lecture.first_stop(None)),
            original,
            tasks: Memo::new(move |_| original.with(|lecture| tasks(lecture))),
            lecture: RwSignal::new(lecture),
            origin: RwSignal::new(origin),
            is_stepping: RwSignal::new(false),
            is_presenting: RwSignal::new(false),
            part: RwSignal::new(0),
            is_raw: RwSignal::new(false),
            shows_variables: RwSignal::new(true),
            shows_notes: RwSignal::new(false),
            guesses: RwSignal::default(),
            asked: RwSignal::default(),
            read: RwSignal::default(),
            aside: StoredValue::default(),
            notes_window: RwSignal::new_local(None),
            notes: RwSignal::default(),
            edits: RwSignal::default(),
            editors: RwSignal::default(),
            asked_line: RwSignal::default(),
            versions: RwSignal::default(),
            pictures: RwSignal::default(),
            values: use_values(),
        };
        provide_context(state);
        provide_context::<Signal<Pictures>>(state.pictures.into());
        provide_context(Guesses(state.guesses));
        state
    }

    /// Takes another lecture in place of this one.
    pub fn open(self, lecture: Arc<Lecture>, origin: Origin) {
        // There is nothing to read yet of what has not run.
        self.note_stepping(lecture.is_unrun);
        self.step.set(lecture.first_stop(None));
        self.part.set(0);
        // The same lecture, run for the first time, is still read.
        if self.origin.get_untracked() != origin {
            self.erase();
            self.notes.set(BTreeMap::new());
        }
        self.edits.set(BTreeMap::new());
        self.versions.set(BTreeMap::new());
        self.original.set(lecture.clone());
        self.lecture.set(lecture);
        self.origin.set(origin);
    }

    /// The part that the reader is at, in either mode; tracked.
    pub fn current_part(self) -> usize {
        if self.is_stepping.get() {
            self.lecture.with(|lecture| lecture.part_at(self.step.get()))
        } else {
            self.part.get()
        }
    }

    /// Steps at a place, which the browser's history remembers.
    pub fn go_to_step(self, step: usize) {
        self.values.push();
        self.move_to_step(step);
    }

    /// Steps at a place without a new entry of the history, as while a slider moves.
    pub fn move_to_step(self, step: usize) {
        self.step.set(step.min(self.lecture.with_untracked(|lecture| lecture.last())));
        self.note_stepping(true);
        self.values.set("step", Some(self.step.get_untracked().to_string()));
    }

    /// Goes to a part, in the mode that the reader is in.
    pub fn go_to_part(self, part: usize) {
        if self.is_stepping.get_untracked() {
            self.go_to_step(self.lecture.get_untracked().first_stop(Some(part)));
        } else {
            self.part.set(part);
        }
    }

    /// Changes between reading and stepping; the reader stays where they are.
    pub fn set_stepping(self, is_stepping: bool) {
        if self.is_stepping.get_untracked() == is_stepping {
            return;
        }
        let (part, step) = (untrack(|| self.current_part()), self.step.get_untracked());
        self.values.push();
        if is_stepping {
            // Who has stepped in this part before goes on there.
            let lecture = self.lecture.get_untracked();
            let is_here = lecture.part_at(step) == part;
            self.move_to_step(if is_here { step } else { lecture.first_stop(Some(part)) });
        } else {
            self.part.set(part);
            self.is_stepping.set(false);
            // Who reads is where the page is scrolled.
            self.values.set("step", None);
        }
    }

    /// Moves on; whether there is somewhere to go.
    pub fn go(self, to: Move) -> bool {
        if !self.is_stepping.get_untracked() {
            self.set_stepping(true);
            return true;
        }
        let lecture = self.lecture.get_untracked();
        // Of a cell that stands alone in another page, only its own steps and those of what it calls can be gone to.
        let alone = self.embedded_cell().and_then(|anchor| lecture.part_named(&anchor));
        let call = alone.map(|part| &lecture.calls.calls[lecture.parts[part].call]);
        let is_allowed = |step: &usize| call.is_none_or(|call| (call.first..=call.last).contains(step));
        let target = lecture.target(self.step.get_untracked(), to).filter(is_allowed);
        if let Some(target) = target {
            self.go_to_step(target);
        }
        target.is_some()
    }

    /// The part that stands alone inside another page, by its name.
    pub fn embedded_cell(self) -> Option<String> {
        untrack(|| self.values.text("embed")).filter(|name| !name.is_empty())
    }

    /// Whether the address names a trace that is not read yet, which all else in it is about; tracked.
    pub fn awaits_trace(self) -> bool {
        self.origin.with(|origin| matches!(origin, Origin::Site(_))) && self.values.text("trace").is_some()
    }

    /// Takes the step that the address says the reader is at, or the nearest; whoever is at none reads.
    pub fn take_step(self, written: Option<String>) {
        let Some(written) = written else {
            return self.note_stepping(false);
        };
        let Ok(step) = written.parse::<i128>() else {
            self.values.set("step", None);
            let sentence = format!("The address asks for the step “{written}”, which is not a number.");
            return self.values.notice(sentence);
        };
        let lecture = self.lecture.get_untracked();
        let last = lecture.last();
        let mut nearest = usize::try_from(step.max(0)).unwrap_or(usize::MAX).min(last);
        if nearest as i128 != step {
            nearest = lecture.stop_before(nearest);
            self.values.set("step", Some(nearest.to_string()));
            self.values.notice(format!("There is no step {written}: this is step {nearest} of {last}."));
        }
        // Between two cells there is nothing to see: the line before is what the link was made at.
        let is_between = lecture.progress(nearest).lines == 0;
        self.step.set(if is_between { lecture.stop_before(nearest) } else { nearest });
        self.note_stepping(true);
    }

    /// Notes whether the reader steps. The same once more is no news: what is drawn for it has the focus, perhaps.
    fn note_stepping(self, is_stepping: bool) {
        if self.is_stepping.get_untracked() != is_stepping {
            self.is_stepping.set(is_stepping);
        }
    }
}

/// Questions.
impl LectureState {
    /// Whether a value of a line waits for a guess: the one that is asked for, wherever it is shown, and all that comes
    /// below the question; tracked.
    pub fn is_locked(self, place: &StackElement, line: u32, name: &str) -> bool {
        self.has_open_question(place, |it| it.prediction.name == name || it.prediction.line_number < line)
    }

    /// Whether a guess is still to be made above a line of a function: what the line gives may give the answer away.
    pub fn awaits_guess(self, place: &StackElement, line: u32) -> bool {
        self.has_open_question(place, |it| it.prediction.line_number < line)
    }

    /// Whether there is such a question in a function, and no guess at it yet.
    fn has_open_question(self, place: &StackElement, is_it: impl Fn(&Question) -> bool) -> bool {
        let is_open = |it: &Question| self.guesses.with(|guesses| !guesses.contains_key(&it.id));
        self.lecture.with(|it| it.questions.iter().any(|it| it.is_in(place) && is_it(it) && is_open(it)))
    }

    /// Takes a guess; none at all is the wish to be shown.
    ///
    /// # Errors
    /// With a sentence, if the text can be no guess.
    pub fn guess(self, question: &Question, text: Option<&str>) -> Result<(), String> {
        let text = text.map(str::trim);
        let verdict = text.map_or(Ok(Verdict::Shown), |text| question.judge(text))?;
        Guesses(self.guesses).say(question.id.clone(), text.unwrap_or_default().to_owned(), verdict);
        Ok(())
    }

    /// Of some tasks how many are done rightly, how many are done, and how many there are; tracked.
    pub fn score(self, is_it: impl Fn(&Task) -> bool) -> (usize, usize, usize) {
        let (tasks, guesses, edits) = (self.tasks.read(), self.guesses.read(), self.edits.read());
        let tasks = tasks.iter().filter(|task| is_it(task));
        // What has solved an exercise counts as long as it stands there.
        let stands = |task: &Task, guess: &Guess| {
            let code = task.exercise.as_ref().map(|path| edits.get(&function_key(path, &task.id)));
            code.is_none_or(|code| code == Some(&guess.text))
        };
        let done = tasks.clone().filter_map(|task| guesses.get(&task.id).filter(|guess| stands(task, guess)));
        let right = done.clone().filter(|guess| guess.verdict == Verdict::Right).count();
        (right, done.count(), tasks.count())
    }

    /// Whether something was read, answered or solved; tracked.
    pub fn has_progress(self) -> bool {
        !(self.guesses.read().is_empty() && self.read.read().is_empty())
    }

    /// Forgets what was read, answered and solved.
    pub fn erase(self) {
        self.guesses.set(BTreeMap::new());
        self.read.set(BTreeSet::new());
    }
}

/// What the reader has changed.
impl LectureState {
    /// Whether anything differs from what was read first; tracked.
    pub fn is_changed(self) -> bool {
        self.edits.with(|edits| !edits.is_empty()) || !self.values.group(SLIDERS).is_empty()
    }

    /// What a slider says; tracked.
    pub fn setting(self, path: &str, slider: &Slider) -> String {
        let key = self.original.with(|original| slider_key(original, path, slider));
        let read =
            |text: String| SliderRange::new(slider).read(&text).map_or_else(|(_, nearest)| nearest, Some);
        self.values.text(&key).and_then(read).unwrap_or_else(|| slider.value.clone())
    }

    /// Moves a slider to a number, as Python writes it.
    pub fn set_slider(self, path: &str, slider: &Slider, value: String) {
        let built = untrack(|| self.built(path, slider));
        let is_edited =
            self.edits.with_untracked(|edits| edits.contains_key(&function_key(path, &slider.function_name)));
        let is_built =
            built.is_some_and(|built| SliderRange::new(slider).read(&built).as_ref() == Ok(&value));
        let key = self.original.with_untracked(|original| slider_key(original, path, slider));
        self.values.set(&key, (is_edited || !is_built).then_some(value));
    }

    /// What a slider says in the lecture as it was before the reader changed anything; tracked.
    pub fn built(self, path: &str, slider: &Slider) -> Option<String> {
        self.original.with(|original| {
            let mut sliders = original.trace.sliders.get(path)?.iter();
            Some(sliders.find(|it| slider_id(it) == slider_id(slider))?.value.clone())
        })
    }

    /// The numbers of all sliders that are moved, by the path of their file and by their id there, and what the address says
    /// of sliders and cannot have; tracked.
    pub fn settings(self) -> (Map<Map<String>>, Vec<Refused>) {
        let lecture = self.original.get();
        let (mut settings, mut refused): (Map<Map<String>>, Vec<Refused>) = Default::default();
        for (name, written) in self.values.group(SLIDERS) {
            let all = lecture.trace.sliders.iter();
            let mut all = all.flat_map(|(path, sliders)| sliders.iter().map(move |slider| (path, slider)));
            let key = format!("{SLIDERS}{name}");
            let is_named = |(path, slider): &(&String, &Slider)| {
                name.ends_with(&slider_id(slider)) && slider_key(&lecture, path, slider) == key
            };
            let Some((path, slider)) = all.find(is_named) else {
                let sentence = format!("There is no slider “{name}” in this lecture.");
                refused.push(Refused { key, nearest: None, sentence });
                continue;
            };
            let read = SliderRange::new(slider).read(&written);
            if let Err((why, nearest)) = &read {
                let instead = nearest.as_deref().unwrap_or(&slider.value);
                let sentence = format!("{why}: here it is {instead}.");
                let nearest = nearest.clone().filter(|nearest| *nearest != slider.value);
                refused.push(Refused { key, nearest, sentence });
            }
            if let Some(value) = read.map_or_else(|(_, nearest)| nearest, Some) {
                settings.entry(path.clone()).or_default().insert(slider_id(slider), value);
            }
        }
        (settings, refused)
    }

    /// Puts right what the address says of a slider, and tells the reader.
    pub fn put_right(self, Refused { key, nearest, sentence }: Refused) {
        self.values.set(&key, nearest);
        self.values.notice(sentence);
    }

    /// What addresses call the sliders of a part, by its number; tracked.
    pub fn slider_keys(self, part: usize) -> Vec<String> {
        self.original.with(|original| {
            let Some(part) = original.parts.get(part) else { return Vec::new() };
            let all = original.trace.sliders.get(&part.path).into_iter().flatten();
            let own = all.filter(|slider| slider.function_name == part.function);
            own.map(|slider| slider_key(original, &part.path, slider)).collect()
        })
    }
}

/// What addresses call a slider: its id, with the path of its file where several files have one of that id.
fn slider_key(lecture: &Lecture, path: &str, slider: &Slider) -> String {
    let id = slider_id(slider);
    let has_one = |(_, all): &(&String, &Vec<Slider>)| all.iter().any(|it| slider_id(it) == id);
    let is_alone = lecture.trace.sliders.iter().filter(has_one).count() < 2;
    if is_alone { format!("{SLIDERS}{id}") } else { format!("{SLIDERS}{path}:{id}") }
}

/// The lecture of the page.
pub fn use_lecture() -> LectureState {
    expect_context()
}

mod edits;
#[cfg(test)]
pub mod tests;
