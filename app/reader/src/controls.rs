//! What changes the program, as HTML: sliders, the editor's frame, what runs and what came of it.

use maud::{Markup, html};
use napkin_accounting::decimal;
use napkin_notebook::trace::Slider;

use crate::export::Form;
use crate::live::Activity;
use crate::reader::Reader;
use crate::sliders::{Scale, id};
use crate::words;

impl Reader {
    /// What runs, with what stops it and takes it back.
    pub(crate) fn runner(&self) -> Markup {
        let live = &self.live;
        html! {
            div.runner role="group" aria-label="Run" {
                @if live.activity == Activity::Idle {
                    button type="button" data-do="run" aria-keyshortcuts="Shift+Enter" { "Run" }
                } @else {
                    button.is-main type="button" data-do="stop" { "Stop" }
                    span #progress .progress { (self.progress()) }
                }
                @if live.is_changed() { button type="button" data-do="reset" { "Reset" } }
                (self.devices())
                p.state role="status" { (self.state()) }
            }
            @if let Some(fault) = &live.fault {
                div.fault role="alert" {
                    p { (fault.message)
                        @if let Some((path, line)) = &fault.place {
                            " " button type="button" data-do="edit" data-of=(path) { (path) ", line " (line) }
                        }
                    }
                    @if !fault.traceback.is_empty() {
                        details { summary { "Traceback" } pre.traceback { (fault.traceback) } }
                    }
                }
            }
            @if !live.left.is_empty() {
                details.left {
                    summary { "Files that the program has left: " (live.left.len()) }
                    ul { @for file in &live.left {
                        li { code { (file.path) } " " (words::si(file.bytes as f64, "B")) " "
                            button type="button" data-do="download" data-of=(file.path) { "Download" } }
                    } }
                }
            }
        }
    }

    /// How far the worker is, in words.
    #[must_use]
    pub fn progress(&self) -> String {
        let mb = |bytes: u64| decimal::fixed(bytes as f64 / 1e6, 1);
        match self.live.activity {
            Activity::Idle => String::new(),
            Activity::Loading(0, _) => "Python is loading".to_owned(),
            Activity::Loading(bytes, Some(total)) => {
                format!("Python is loading: {} of {} MB", mb(bytes), mb(total))
            }
            Activity::Loading(bytes, None) => format!("Python is loading: {} MB", mb(bytes)),
            Activity::Running(0) => "running".to_owned(),
            Activity::Running(steps) => format!("running, step {steps}"),
        }
    }

    /// What differs from the lecture as it was read; it changes with a run, not while one goes on.
    fn state(&self) -> String {
        let live = &self.live;
        let mut parts = Vec::new();
        match live.edits.0.len() {
            0 => {}
            1 => parts
                .push(format!("{} is edited.", live.edits.0.first().map_or("", |(path, _)| path.as_str()))),
            count => parts.push(format!("{count} files are edited.")),
        }
        match live.settings.0.iter().map(|(_, own)| own.0.len()).sum() {
            0 => {}
            1 => parts.push("1 slider is moved.".to_owned()),
            count => parts.push(format!("{count} sliders are moved.")),
        }
        match live.moved.0.iter().map(|(_, names)| names.len()).sum() {
            0 if live.built.is_some() && live.activity == Activity::Idle => {
                parts.push("It has run: no value differs from before.".to_owned());
            }
            0 => {}
            1 => parts.push("1 variable has another value than before.".to_owned()),
            count => parts.push(format!("{count} variables have other values than before.")),
        }
        parts.join(" ")
    }

    fn devices(&self) -> Markup {
        let Some(gpu) = &self.live.gpu else { return html! {} };
        let choice = |is_gpu: bool, label: &str| {
            html! {
                label {
                    input type="radio" name="device" value=(if is_gpu { "gpu" } else { "cpu" })
                        checked[self.live.wants_gpu == is_gpu];
                    span { (label) }
                }
            }
        };
        html! {
            @match gpu {
                Ok(name) => fieldset.device {
                    legend.visually-hidden { "Device" }
                    (choice(false, "CPU"))
                    (choice(true, &format!("GPU: {name}")))
                },
                Err(why) => p.device-note { "CPU. " (why) },
            }
        }
    }

    /// The slider of a line.
    pub(crate) fn slider(&self, path: &str, slider: &Slider) -> Markup {
        let which = (path.to_owned(), id(slider));
        let (scale, value) = (Scale::new(slider), self.setting(path, slider));
        let refused = self.live.refused.as_ref().filter(|(known, ..)| *known == which);
        html! {
            div.slider data-slider=(which.1) data-path=(path) {
                label { span { code { (slider.name) } }
                    input type="range" min="0" max=(scale.last()) value=(scale.place(&value)) aria-valuetext=(value);
                }
                label { span.visually-hidden { (slider.name) ", number" }
                    input type="text" inputmode="decimal" autocomplete="off" size="9"
                        value=(refused.map_or(&value, |(_, text, _)| text))
                        aria-invalid=[refused.map(|_| "true")];
                }
                @if let Some((.., why)) = refused { p.message role="status" { (why) "." } }
            }
        }
    }

    /// What surrounds the editor; the editor itself is the browser's.
    pub(crate) fn editor(&self) -> Markup {
        let Some(path) = &self.live.editing else { return html! {} };
        html! {
            section.editing data-key="editing" aria-label={ "Editor of " (path) } {
                p.choices {
                    code { (path) }
                    button.is-main type="button" data-do="run" aria-keyshortcuts="Shift+Enter" { "Run what is written" }
                    @if self.live.edits.get(path).is_some() {
                        button type="button" data-do="restore" data-of=(path) { "Restore this file" }
                    }
                    button type="button" data-do="leave" aria-keyshortcuts="Escape" { "Close the editor" }
                }
                div #editor {}
            }
        }
    }

    /// The forms that the cell can be taken away in.
    pub(crate) fn take_away(&self) -> Markup {
        html! {
            details.take-away {
                summary { "Take away" }
                p.choices {
                    @for (id, label, _) in Form::ALL {
                        button type="button" data-do="take" data-of=(id) { (label) }
                    }
                }
            }
        }
    }

    /// What a fault says at its line.
    pub(crate) fn fault_at(&self, path: &str, lines: std::ops::RangeInclusive<u32>) -> Markup {
        let fault = self.live.fault.as_ref().filter(|fault| {
            fault.place.as_ref().is_some_and(|(known, line)| known == path && lines.contains(line))
        });
        html! { @if let Some(fault) = fault { p.message.fault-line { (fault.message) } } }
    }
}
