//! What a program did, statement by statement.
//!
//! The format is a superset of that in which published lectures are traced: what such a viewer reads has its names and
//! shapes here, and what those traces leave out has a default. It travels as JSON.

mod drawing;
mod foreign;

pub use drawing::{Card, Case, Choice, Drawing, Histogram, Plot, Points, Product, Question, Table, Training};
pub use foreign::{MOST_BYTES, check_places, read};
pub use serde_json::Value as Json;

use std::ops::AddAssign;

use serde::{Deserialize, Serialize};

/// Names with values, in the order in which they were written.
pub type Map<T> = indexmap::IndexMap<String, T>;

/// What stands for everything that a trace left out.
pub const REST: &str = "…";

/// A program that ran, or the part of it that was recorded.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Trace {
    /// The text of each file by its path.
    pub files: Map<String>,
    /// Lines that are not shown, counted from 1, by the path of their file.
    #[serde(default)]
    pub hidden_line_numbers: Map<Vec<u32>>,
    /// In the order in which they happened.
    pub steps: Vec<Step>,
    /// The numbers that a reader may change, by the path of their file.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub sliders: Map<Vec<Slider>>,
    /// What a reader is asked before it is shown, by the path of its file.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub predictions: Map<Vec<Prediction>>,
    /// Sentences about directives that mean nothing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// Python's traceback, if the program ended with one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
    /// Whether the program went on after what was recorded.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub truncated: bool,
    /// Whether somebody else has recorded it, elsewhere.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_recorded: bool,
}

/// A statement that ran. One that calls traced functions is two steps: before them without values, and after them.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Step {
    /// Where the program is, outermost first.
    pub stack: Vec<StackElement>,
    /// Variables that the statement asks to show, as they are after it; `null` for those to be shown no more.
    #[serde(default)]
    pub env: Map<Option<Value>>,
    /// What it draws.
    #[serde(default)]
    pub renderings: Vec<Rendering>,
    /// What it wrote to standard output.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub stdout: String,
    /// What it wrote to standard error.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub stderr: String,
    /// Local variables that are new or have another value than before the statement; `null` for those deleted.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub changed: Map<Option<Value>>,
    /// What it made devices do, by their names in PyTorch.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub ledger: Map<LedgerDelta>,
    /// Whether it is of a run before the last one, which has not come to it.
    #[serde(skip)]
    pub is_old: bool,
}

/// A place on the call stack.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct StackElement {
    /// The file.
    pub path: String,
    /// The first line of the statement, counted from 1.
    pub line_number: u32,
    /// The function, `<module>` outside all.
    pub function_name: String,
    /// That line without its indentation.
    pub code: Option<String>,
    /// The last line of the statement, if it has several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end_line_number: Option<u32>,
}

/// A value of Python, cut where it is long.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Value {
    /// Its class, with the module unless that is `builtins`.
    #[serde(rename = "type")]
    pub kind: String,
    /// Numbers and texts as they are (whole numbers beyond 2^53, and floats that are not finite, as text); of lists
    /// and dicts the values, each with its type; of a tensor nested lists of its first elements. `…` stands for what
    /// was left out.
    pub contents: Json,
    /// `torch.float32`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dtype: Option<String>,
    /// Size of each dimension.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shape: Option<Vec<usize>>,
    /// Elements from one to the next in each dimension.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stride: Option<Vec<usize>>,
    /// Elements before the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offset: Option<usize>,
    /// Tensors of one step that share memory have the same number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub storage: Option<u32>,
    /// `cpu` or `cuda:0`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device: Option<String>,
    /// Whether a gradient is asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub requires_grad: Option<bool>,
}

impl Value {
    /// A value within another; what has no type with it gets the one that JSON knows.
    pub fn nested(json: &Json) -> Self {
        if json.get("contents").is_some()
            && let Ok(typed) = Self::deserialize(json)
        {
            return typed;
        }
        let kind = match json {
            Json::Null => "NoneType",
            Json::Bool(_) => "bool",
            Json::Number(number) if number.is_f64() => "float",
            Json::Number(_) => "int",
            Json::String(_) => "str",
            Json::Array(_) => "list",
            Json::Object(_) => "dict",
        };
        Self { kind: kind.to_owned(), contents: json.clone(), ..Self::default() }
    }
}

/// Something to draw.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Rendering {
    /// `markdown`, `card`, `lines` and so on.
    #[serde(rename = "type")]
    pub kind: String,
    /// What the drawing needs.
    #[serde(default)]
    pub data: Json,
    /// Properties of CSS by their names in JavaScript: `fontFamily`.
    #[serde(default, skip_serializing_if = "Json::is_null")]
    pub style: Json,
    /// A reference.
    #[serde(default)]
    pub external_link: Json,
    /// A place in the code.
    #[serde(default)]
    pub internal_link: Json,
    /// What whoever made the trace has read for whoever shows it: Markdown as a tree, what is wrong with a question.
    #[serde(default, skip_serializing_if = "Json::is_null")]
    pub prepared: Json,
}

/// The difference between two readings of a ledger.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LedgerDelta {
    /// Kernels run.
    pub ops: u64,
    /// FLOPs of matrix products.
    pub flops: u64,
    /// Bytes read by kernels.
    pub read_bytes: u64,
    /// Bytes written by kernels.
    pub written_bytes: u64,
    /// By how many bytes more or fewer are held, by what they are held for; without those that stayed the same.
    pub allocated: Map<i64>,
}

impl AddAssign for LedgerDelta {
    fn add_assign(&mut self, other: Self) {
        self.ops += other.ops;
        self.flops += other.flops;
        self.read_bytes += other.read_bytes;
        self.written_bytes += other.written_bytes;
        for (name, bytes) in other.allocated {
            *self.allocated.entry(name).or_default() += bytes;
        }
        self.allocated.retain(|_, bytes| *bytes != 0);
    }
}

/// A number that a reader may change.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Slider {
    /// The line of the assignment, counted from 1.
    pub line_number: u32,
    /// The function that it is in, empty outside all.
    pub function_name: String,
    /// What is assigned to.
    pub name: String,
    /// As the file has it.
    pub value: String,
    /// Smallest value.
    pub min: f64,
    /// Largest value.
    pub max: f64,
    /// Between two values; none if any will do.
    pub step: Option<f64>,
}

/// A question about a value before it is shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Prediction {
    /// The line of the assignment, counted from 1.
    pub line_number: u32,
    /// The function that it is in, empty outside all.
    pub function_name: String,
    /// The variable that is asked for.
    pub name: String,
    /// The question.
    pub question: String,
    /// What to choose from; if empty, a number is asked for.
    pub choices: Vec<String>,
}
