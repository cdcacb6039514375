//! The lecture in the page: a trace in, HTML out.
//!
//! A [`Reader`] is a trace and a place in it. Natively its first view is written into the page as it is built; in the
//! browser `browser` keeps it true while the reader walks. Nothing here runs a program.

mod address;
#[cfg(target_arch = "wasm32")]
pub mod browser;
mod code;
mod contents;
mod controls;
mod course;
mod export;
mod face;
pub mod frame;
pub mod json;
mod lecture;
mod listing;
mod live;
mod place;
mod questions;
mod reader;
mod request;
mod search;
mod sliders;
mod source;
mod tokens;
mod traceback;
mod words;

pub use address::{Address, VERSION, check_source};
pub use contents::Entry;
pub use course::{Call, Course};
pub use export::Form;
pub use lecture::{Lecture, Variable};
pub use listing::{State, Statement, listing};
pub use live::{Activity, Live, MOST_SECS, Which};
pub use place::{moved, same_place};
pub use questions::{Question, Verdict, number};
pub use reader::{Guess, Look, Move, Reader};
pub use request::written;
pub use search::{Hit, search};
pub use sliders::{Scale, id};
pub use source::{Function, Source};
pub use tokens::{Kind, Line, Token, lines};
pub use traceback::Fault;
pub use words::{ledger, si};
