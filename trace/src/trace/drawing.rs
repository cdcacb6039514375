//! What the kinds of drawings need, read from a trace.

use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer};
use serde_json::json;

use super::{Json, Map, REST, Rendering, Value};

/// A drawing of a kind that is known, with the data that its kind has.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Drawing {
    /// Prose, as it was typed; read, it is in [`Rendering::prepared`].
    Markdown(String),
    /// What a value shows itself as, in HTML; read, it is in [`Rendering::prepared`], as far as it is prose or a table.
    Html(String),
    /// Prose for whoever speaks, not for whoever listens.
    Note(String),
    /// Something to try, to answer or to remember.
    Card(Card),
    /// Sign, exponent and fraction of a number.
    Bits {
        /// A number; as text if JSON has none such.
        value: Json,
        /// The format's name in lectures.
        format: String,
    },
    /// What formats reach.
    NumberLine {
        /// By their names in lectures.
        #[serde(deserialize_with = "listed")]
        formats: Vec<String>,
    },
    /// A calculator with some of its fields filled in.
    Calculator(Question),
    /// A training step that is counted, with some of its sizes.
    Count(Question),
    /// The machine that the reader sits at.
    Machine {},
    /// A model to train.
    Training(Training),
    /// A product to time.
    Product(Product),
    /// The address of an image.
    Image(String),
    /// The address of a video.
    Video(String),
    /// A chart as Vega-Lite describes it.
    Plot(Json),
    /// The title of where [`Rendering::external_link`] leads.
    Link(Option<String>),
    /// Lines over two axes.
    Lines(Plot),
    /// How many elements of a tensor are how large.
    Histogram(Histogram),
    /// Rows.
    Table(Table),
    /// Bytes held on each device, by what for.
    Memory(Map<Map<f64>>),
    /// A tensor in colours.
    Heat {
        /// Of at most two dimensions.
        tensor: Value,
    },
    /// Tensors over their storages.
    Strides {
        /// One at least.
        #[serde(deserialize_with = "listed")]
        tensors: Vec<Value>,
        /// What the lecture calls them, as far as it does.
        #[serde(default)]
        names: Vec<String>,
    },
}

impl Drawing {
    /// The calculator that a drawing asks, by its id, and what it asks.
    #[must_use]
    pub fn question(&self) -> Option<(String, &Question)> {
        match self {
            Self::Calculator(question) => Some((question.which.clone(), question)),
            Self::Count(question) => Some((format!("count-{}", question.which), question)),
            _ => None,
        }
    }
}

/// Prose under a heading, and what the reader may choose from.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Card {
    /// `Check yourself` and the like.
    pub head: String,
    /// Markdown.
    pub text: String,
    /// In their order; none if nothing is asked.
    pub choices: Vec<Choice>,
    /// The function of the same file that the reader is to complete.
    #[serde(default)]
    pub function: Option<String>,
}

/// One choice of a card.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Choice {
    /// As it stands on its button.
    pub text: String,
    /// What to say to whoever chooses it; Markdown.
    pub why: String,
    /// Where there is a right one and a wrong one.
    #[serde(default)]
    pub is_right: Option<bool>,
    /// Where the check of an exercise has failed: the last call of the reader's function.
    #[serde(default)]
    pub case: Option<Case>,
}

/// A call of a function that a reader completes, in short Python.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Case {
    /// Function and arguments.
    pub call: String,
    /// The value that it returned, if it did.
    #[serde(default)]
    pub came: Option<String>,
    /// The class and the message of the error that it raised, if it did.
    #[serde(default)]
    pub raised: Option<String>,
}

/// What is asked of a calculator.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
pub struct Question {
    /// Its name.
    pub which: String,
    /// Numbers, texts and flags by the names of its options in Python.
    #[serde(default)]
    pub options: serde_json::Map<String, Json>,
}

/// A deep linear model on linear data, and how to train it.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Training {
    /// Width.
    pub dim: usize,
    /// Square layers before the head.
    pub layers: usize,
    /// Examples per step.
    pub batch: usize,
    /// Learning rate.
    pub lr: f64,
    /// `sgd` or `adagrad`.
    pub optimizer: String,
    /// Of weights and data.
    pub seed: u64,
    /// How many steps a run takes.
    pub steps: u64,
}

/// A product `(m, k) @ (k, n)`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Product {
    /// Rows of the result.
    pub m: usize,
    /// Elements in each dot product.
    pub k: usize,
    /// Columns of the result.
    pub n: usize,
    /// `float32`, or another of PyTorch's names.
    pub dtype: String,
}

/// Lines over two axes.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Plot {
    /// Points by the name of their line.
    pub series: Map<Points>,
    /// Above it.
    #[serde(default)]
    pub title: String,
    /// What the axis across is of.
    #[serde(default)]
    pub xlabel: String,
    /// What the axis up is of.
    #[serde(default)]
    pub ylabel: String,
    /// The letters of the axes that are logarithmic.
    #[serde(default)]
    pub log: String,
}

/// The points of a line: two numbers each, as text where they are not finite.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Points(#[serde(deserialize_with = "listed")] pub Vec<Vec<Json>>);

/// How the elements of a tensor are distributed.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Histogram {
    /// Above it.
    #[serde(default)]
    pub title: String,
    /// One more than counts.
    pub edges: Vec<f64>,
    /// Elements between two edges.
    pub counts: Vec<f64>,
    /// Elements that are no number.
    #[serde(default)]
    pub nan: f64,
    /// Elements that are not finite.
    #[serde(default)]
    pub infinite: f64,
}

/// Rows of cells.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Table {
    /// Above it.
    #[serde(default)]
    pub title: String,
    /// Heads of the columns.
    #[serde(deserialize_with = "listed")]
    pub columns: Vec<String>,
    /// Cells of each row.
    #[serde(deserialize_with = "listed")]
    pub rows: Vec<Vec<Json>>,
}

impl Rendering {
    /// What to draw, if its kind is known and its data is that of its kind.
    pub fn drawing(&self) -> Option<Drawing> {
        let drawing = serde_json::from_value(json!({ (&*self.kind): self.data })).ok()?;
        let is_drawable = match &drawing {
            Drawing::Heat { tensor } => tensor.shape.is_some(),
            Drawing::Strides { tensors, .. } => {
                !tensors.is_empty() && tensors.iter().all(|tensor| tensor.shape.is_some())
            }
            _ => true,
        };
        is_drawable.then_some(drawing)
    }
}

/// A list without the mark of what was left out of it.
fn listed<'de, D: Deserializer<'de>, T: DeserializeOwned>(deserializer: D) -> Result<Vec<T>, D::Error> {
    let items = Vec::<Json>::deserialize(deserializer)?;
    let known = items.into_iter().filter(|item| item != REST);
    known.map(|item| serde_json::from_value(item).map_err(Error::custom)).collect()
}
