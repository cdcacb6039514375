//! Charts: plain data in, SVG out.
//!
//! A chart is a text that stands for itself as a file and follows the page's colours inside one: every mark has a
//! colour of its own and a class by which a style sheet gives it another. Colour is never alone: parts are hatched,
//! measured lines are dashed, and everything is labelled. Numbers on axes are written by the caller; so is the table
//! that says the same in words.
//!
//! Values that are not finite are left out, and an empty chart is an empty frame.

mod areas;
mod bars;
mod heat;
mod lines;
mod roofline;
mod scale;
mod svg;

pub use areas::{Band, Layer, Level, stacked_areas};
pub use bars::{Bar, Part, stacked_bars};
pub use heat::{HeatRow, heat_map, shades};
pub use lines::{Axis, Line, histogram, line_plot};
pub use roofline::{Point, Roof, roofline};

/// What every chart has.
#[derive(Debug, Clone, Copy)]
pub struct Caption<'a> {
    /// Begins the ids of hatchings, and is unique in the page.
    pub id: &'a str,
    /// What it shows: its name for who cannot see it.
    pub title: &'a str,
    /// What there is to see, in a sentence.
    pub description: &'a str,
    /// Width in CSS pixels; the text is made for it.
    pub width: f64,
}

/// How a number is written on an axis.
pub type Tick<'a> = &'a dyn Fn(f64) -> String;
