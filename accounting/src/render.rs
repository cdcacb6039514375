//! Derivations as text, as Python and as JSON.

use serde::Serialize;
use serde::ser::{SerializeStruct, Serializer};

use crate::expr::Style;
use crate::{Derivation, Expr, Input, Source, format};

impl Derivation {
    /// The formula in symbols: "6·N·D".
    #[must_use]
    pub fn formula(&self) -> String {
        self.written(Style::Symbols)
    }

    /// The formula with numbers and units: "6 FLOP/param/token × 70 B params × 15 T tokens".
    #[must_use]
    pub fn substituted(&self) -> String {
        self.written(Style::Numbers)
    }

    /// The given numbers of this step, in order of appearance.
    #[must_use]
    pub fn inputs(&self) -> Vec<&Input> {
        let mut inputs: Vec<&Input> = Vec::new();
        self.expr.leaves(&mut |leaf| {
            if let Expr::Input(input) = leaf
                && !inputs.iter().any(|known| known.name == input.name)
            {
                inputs.push(input);
            }
        });
        inputs
    }

    /// The steps that this one uses directly, in order of appearance.
    #[must_use]
    pub fn steps(&self) -> Vec<&Derivation> {
        let mut steps: Vec<&Self> = Vec::new();
        self.expr.leaves(&mut |leaf| {
            if let Expr::Step(step) = leaf
                && !steps.iter().any(|known| known.name == step.name)
            {
                steps.push(step);
            }
        });
        steps
    }

    /// Every step that leads here, each once and after those it uses; this one is the last.
    #[must_use]
    pub fn in_order(&self) -> Vec<&Derivation> {
        let mut order = Vec::new();
        self.collect(&mut order);
        order
    }

    fn collect<'a>(&'a self, order: &mut Vec<&'a Self>) {
        for step in self.steps() {
            step.collect(order);
        }
        if !order.iter().any(|known| known.name == self.name) {
            order.push(self);
        }
    }

    /// Every step with formula, numbers, result, inputs and sources, as lines of text.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut lines = Lines::default();
        for step in self.in_order() {
            let indent = " ".repeat(step.symbol.chars().count());
            for input in step.inputs() {
                let value = format::full(input.value, input.unit);
                lines.once(format!("{} = {value}  {}", input.symbol, input.title));
                lines.sources("  ", &input.sources);
            }
            lines.push(format!("{}:", step.title));
            lines.push(format!("{} = {}", step.symbol, step.formula()));
            lines.push(format!("{indent} = {}", step.substituted()));
            let (full, short) = (format::full(step.value, step.unit), step.short());
            let rounded = if full == short { String::new() } else { format!(" ≈ {short}") };
            lines.push(format!("{indent} = {full}{rounded}"));
            lines.sources("  ", &step.sources);
        }
        lines.0.join("\n")
    }

    /// Python that prints this value, to the last digit.
    #[must_use]
    pub fn to_python(&self) -> String {
        let mut lines = Lines::default();
        for step in self.in_order() {
            for input in step.inputs() {
                let value = format::python(input.value);
                lines.once(format!("{} = {value}  # {}", input.name, input.title));
                lines.sources("# ", &input.sources);
            }
            lines.push(format!("{} = {}  # {}", step.name, step.written(Style::Python), step.title));
            lines.sources("# ", &step.sources);
        }
        lines.push(format!("print({})", self.name));
        lines.0.join("\n")
    }

    fn written(&self, style: Style) -> String {
        let mut text = String::new();
        self.expr.write(style, &mut text);
        text
    }
}

#[derive(Default)]
struct Lines(Vec<String>);

impl Lines {
    fn push(&mut self, line: String) {
        self.0.push(line);
    }

    /// For what several steps share.
    fn once(&mut self, line: String) {
        if !self.0.contains(&line) {
            self.push(line);
        }
    }

    fn sources(&mut self, prefix: &str, sources: &[Source]) {
        for source in sources {
            self.once(format!("{prefix}source: {source}"));
        }
    }
}

impl Serialize for Derivation {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_struct("Derivation", 10)?;
        out.serialize_field("name", self.name)?;
        out.serialize_field("symbol", self.symbol)?;
        out.serialize_field("title", self.title)?;
        out.serialize_field("value", &self.value)?;
        out.serialize_field("unit", &self.unit)?;
        out.serialize_field("formula", &self.formula())?;
        out.serialize_field("substituted", &self.substituted())?;
        out.serialize_field("inputs", &self.inputs())?;
        out.serialize_field("steps", &self.steps())?;
        out.serialize_field("sources", &self.sources)?;
        out.end()
    }
}

impl Serialize for Input {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_struct("Input", 6)?;
        out.serialize_field("name", self.name)?;
        out.serialize_field("symbol", self.symbol)?;
        out.serialize_field("title", &self.title)?;
        out.serialize_field("value", &self.value)?;
        out.serialize_field("unit", &self.unit)?;
        out.serialize_field("sources", &self.sources)?;
        out.end()
    }
}
