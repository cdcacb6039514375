//! Charts: data in, SVG out.
//!
//! A chart is a text that stands for itself as a file and follows the page's colours inside one: every mark has a
//! colour of its own and a class by which a style sheet gives it another. Colour is never alone: parts are hatched,
//! measured lines are dashed, and everything is labelled. What charts show is told as a table by the caller.
//!
//! Values that are not finite are left out, and an empty chart is an empty frame.

mod areas;
mod bars;
mod heat;
mod lines;
mod roofline;
mod scale;
mod sheet;
mod svg;

pub use areas::stacked_areas;
pub use bars::{Bar, Part, stacked_bars};
pub use heat::{heat_map, shades};
pub use lines::{Axis, Line, histogram, line_plot};
pub use roofline::roofline;
pub use sheet::{capitalised, sheet_part};

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

/// A chart, and where its values can be pointed at.
#[derive(Debug, Clone, PartialEq)]
pub struct Chart {
    /// The whole of it.
    pub svg: String,
    /// Width and height, in the units that marks are in.
    pub size: (f64, f64),
    /// Where values are, in the order in which they were given.
    pub marks: Vec<Mark>,
}

/// Where a value is drawn.
#[derive(Debug, Clone, PartialEq)]
pub struct Mark {
    /// Left edge, top, width and height; a point has no size.
    pub area: [f64; 4],
    /// The value in words.
    pub says: String,
}

/// How a number is written on an axis.
pub type Tick<'a> = &'a dyn Fn(f64) -> String;
