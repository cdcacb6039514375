//! What a reader has changed in a program, and how far its run is. Nothing here runs it.

use napkin_notebook::DeviceKind;
use napkin_notebook::python::{Left, Run};
use napkin_notebook::trace::{Map, Slider, Trace};

use crate::lecture::Lecture;
use crate::place::{moved, same_place};
use crate::reader::Reader;
use crate::sliders::{Scale, id};
use crate::traceback::Fault;

/// A program that runs longer is stopped.
pub const MOST_SECS: f64 = 20.0;

/// What the worker is doing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Activity {
    /// Nothing.
    #[default]
    Idle,
    /// Python is on its way: bytes so far, and in all.
    Loading(u64, Option<u64>),
    /// The program runs: steps so far.
    Running(usize),
}

/// A slider among those of all files: the path of its file, and its id there.
pub type Which = (String, String);

/// What a reader has changed, and what came of it.
#[derive(Debug, Default)]
pub struct Live {
    /// Files that the reader has written, by their paths.
    pub edits: Map<String>,
    /// The numbers of the sliders that the reader has moved, by the path of their file and by their id there.
    pub settings: Map<Map<String>>,
    /// What stands in the number field of a slider and is no number for it, and why.
    pub refused: Option<(Which, String, String)>,
    /// Whether there is to be a device called cuda.
    pub wants_gpu: bool,
    /// The GPU's name, or why there is none; nothing before a worker has looked.
    pub gpu: Option<Result<String, String>>,
    /// What the worker is doing.
    pub activity: Activity,
    /// Why the last run ended before its time.
    pub fault: Option<Fault>,
    /// Files that programs have left.
    pub left: Vec<Left>,
    /// The file that the editor shows.
    pub editing: Option<String>,
    /// The variables that the last run has moved, by the [`crate::place::key`] of their function.
    pub moved: Map<Vec<String>>,
    /// As it was read, while another run is shown.
    pub built: Option<Box<Lecture>>,
}

impl Live {
    /// Whether anything differs from what was read.
    #[must_use]
    pub fn is_changed(&self) -> bool {
        self.built.is_some() || !self.edits.is_empty() || !self.settings.is_empty()
    }
}

impl Reader {
    /// The lecture as it was read first.
    #[must_use]
    pub fn built(&self) -> &Lecture {
        self.live.built.as_deref().unwrap_or(&self.lecture)
    }

    /// The file that the program begins with.
    #[must_use]
    pub fn main(&self) -> Option<&str> {
        self.built().trace.steps.iter().find_map(|step| Some(step.stack.first()?.path.as_str()))
    }

    /// The program as the reader has changed it; nothing if the trace holds no text of it.
    #[must_use]
    pub fn program(&self, id: napkin_notebook::RequestId) -> Option<Run> {
        let main = self.main()?.to_owned();
        let mut files = self.built().trace.files.clone();
        for (path, text) in &self.live.edits.0 {
            files.set(path.as_str(), text.clone());
        }
        files.get(&main)?;
        let settings = self.live.settings.clone();
        let device = if self.live.wants_gpu { DeviceKind::Gpu } else { DeviceKind::Cpu };
        Some(Run { id, files, main, settings, device, is_traced: true, most_secs: MOST_SECS })
    }

    /// Takes what a program has done. One that failed before it came to where the reader is leaves what is shown.
    pub fn take(&mut self, trace: Trace, is_out_of_time: bool) {
        let read = |failure| Fault::read(failure, |path| self.text(path).is_some());
        self.live.fault = trace.failure.as_deref().map(read);
        if is_out_of_time {
            let message = format!("The program was stopped after {} seconds.", MOST_SECS as u32);
            self.live.fault = Some(Fault { message, ..self.live.fault.take().unwrap_or_default() });
        }
        if trace.steps.iter().all(|step| step.stack.is_empty()) {
            return;
        }
        if self.lecture.is_unrun {
            return self.begin(trace);
        }
        let lecture = Lecture::new(trace);
        let place = same_place(&self.lecture, self.step, &lecture);
        if place.is_none() && self.live.fault.is_some() {
            // It failed before it came to where the reader is: what is shown there is all that there is.
            return;
        }
        self.live.moved = moved(&self.lecture, &lecture);
        self.step = place.unwrap_or(self.step).min(lecture.last());
        let before = std::mem::replace(&mut self.lecture, lecture);
        self.live.built.get_or_insert_with(|| Box::new(before));
    }

    /// Takes the first run of a program. Files that it has not come to may be needed when it is changed.
    fn begin(&mut self, mut trace: Trace) {
        for (path, text) in std::mem::take(&mut self.lecture.trace.files).0 {
            if trace.files.get(&path).is_none() {
                trace.files.set(path, text);
            }
        }
        self.lecture = Lecture::new(trace);
        self.step = self.lecture.beginning();
    }

    /// Takes back all that was changed.
    pub fn reset(&mut self) {
        if let Some(built) = self.live.built.take() {
            self.step = same_place(&self.lecture, self.step, &built).unwrap_or(self.step).min(built.last());
            self.lecture = *built;
        }
        self.live.edits = Map::default();
        self.live.settings = Map::default();
        self.live.moved = Map::default();
        self.live.refused = None;
        self.live.fault = None;
    }

    /// A file as the reader sees it: as edited, or with the numbers of the last run.
    #[must_use]
    pub fn text(&self, path: &str) -> Option<&str> {
        let edited = self.live.edits.get(path).filter(|_| self.live.settings.get(path).is_none());
        edited.or_else(|| self.lecture.trace.files.get(path)).map(String::as_str)
    }

    /// Takes what the reader has written; numbers of sliders are part of it.
    pub fn write(&mut self, path: &str, text: &str) {
        self.live.settings.remove(path);
        if self.built().trace.files.get(path).is_some_and(|known| known == text) {
            self.live.edits.remove(path);
        } else {
            self.live.edits.set(path, text.to_owned());
        }
    }

    /// All sliders with their files.
    pub fn sliders(&self) -> impl Iterator<Item = (&str, &Slider)> {
        let files = self.lecture.trace.sliders.0.iter();
        files.flat_map(|(path, all)| all.iter().map(move |slider| (path.as_str(), slider)))
    }

    /// What a slider says now.
    #[must_use]
    pub fn setting(&self, path: &str, slider: &Slider) -> String {
        let set = self.live.settings.get(path).and_then(|own| own.get(&id(slider)));
        set.unwrap_or(&slider.value).clone()
    }

    /// Moves a slider to a place, or to what was written. Whether that is another number.
    pub fn slide(&mut self, which: &Which, to: Result<usize, &str>) -> bool {
        let found = self.sliders().find(|(path, slider)| *path == which.0 && id(slider) == which.1);
        let Some((path, slider)) = found else { return false };
        let (scale, before) = (Scale::new(slider), self.setting(path, slider));
        let is_there = matches!(to, Ok(place) if place == scale.place(&before));
        let read = match to {
            Ok(place) => Ok(scale.at(place)),
            Err(text) => scale.read(text).map_err(|(why, _)| (text.to_owned(), why)),
        };
        match read {
            Ok(value) => {
                self.live.refused = None;
                let is_other = !is_there && value != before;
                if is_other {
                    self.live.settings.or_default(&which.0).set(which.1.as_str(), value);
                    self.drop_unmoved();
                }
                is_other
            }
            Err((text, why)) => {
                self.live.refused = Some((which.clone(), text, why));
                false
            }
        }
    }

    /// What an address calls the sliders that were moved, and what it says of them: their ids, with the file's path where
    /// several files have one of that id.
    pub(crate) fn named_settings(&self) -> Vec<(String, String)> {
        let is_alone = |slider: &str| {
            let files = self.built().trace.sliders.0.iter();
            files.filter(|(_, all)| all.iter().any(|it| id(it) == slider)).count() < 2
        };
        // In the program's order: the same numbers are the same address, whichever was moved first.
        let set = |(path, slider): (&str, &Slider)| {
            let slider = id(slider);
            let value = self.live.settings.get(path)?.get(&slider)?.clone();
            Some((if is_alone(&slider) { slider } else { format!("{path}:{slider}") }, value))
        };
        self.sliders().filter_map(set).collect()
    }

    /// Takes the numbers of an address; of those that will not do there is a notice. Whether any is another one.
    pub fn set_all(&mut self, named: &[(String, String)]) -> bool {
        let mut settings: Map<Map<String>> = Map::default();
        for (name, written) in named {
            let is_named = |path: &str, slider: &Slider| {
                let own = id(slider);
                slider.name == *name || own == *name || format!("{path}:{own}") == *name
            };
            let found = self.sliders().find(|(path, slider)| is_named(path, slider));
            let Some((path, slider)) = found.map(|(path, slider)| (path.to_owned(), slider.clone())) else {
                self.notices.push(format!("There is no slider “{name}” in this lecture."));
                continue;
            };
            let value = match Scale::new(&slider).read(written) {
                Ok(value) => Some(value),
                Err((why, nearest)) => {
                    let instead = nearest.as_deref().unwrap_or(&slider.value).to_owned();
                    self.notices.push(format!("{why}: here it is {instead}."));
                    nearest
                }
            };
            if let Some(value) = value {
                settings.or_default(&path).set(id(&slider), value);
            }
        }
        let before = std::mem::replace(&mut self.live.settings, settings);
        self.drop_unmoved();
        before != self.live.settings
    }

    /// Forgets what says the same as the program itself.
    fn drop_unmoved(&mut self) {
        let built = self.live.built.as_deref().unwrap_or(&self.lecture);
        let edits = &self.live.edits;
        for (path, own) in &mut self.live.settings.0 {
            let known = built.trace.sliders.get(path).filter(|_| edits.get(path).is_none());
            own.0.retain(|(slider, value)| {
                let known = known.into_iter().flatten().find(|known| id(known) == *slider);
                known.is_none_or(|known| Scale::new(known).read(&known.value).as_ref() != Ok(value))
            });
        }
        self.live.settings.0.retain(|(_, own)| !own.is_empty());
    }
}
