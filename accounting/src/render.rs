//! Derivations as documents: text, Python, Markdown, TeX, MathML and JSON.

use serde::Serialize;
use serde::ser::{SerializeStruct, Serializer};

use crate::notation::{self, MathMl, Numbers, Python, Symbols, Tex, plain_symbol};
use crate::{Derivation, Expr, Input, Source, format};

impl Derivation {
    /// The formula in symbols: "6·N·D".
    #[must_use]
    pub fn formula(&self) -> String {
        notation::write(&self.expr, &Symbols)
    }

    /// The formula with numbers and units: "6 FLOP/param/token × 70 B params × 15 T tokens".
    #[must_use]
    pub fn substituted(&self) -> String {
        notation::write(&self.expr, &Numbers)
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
        if order.iter().any(|known| known.name == self.name) {
            return;
        }
        for step in self.steps() {
            step.collect(order);
        }
        order.push(self);
    }

    /// Every given number that leads here, each once.
    #[must_use]
    pub fn all_inputs(&self) -> Vec<&Input> {
        let mut all: Vec<&Input> = Vec::new();
        for input in self.in_order().into_iter().flat_map(Self::inputs) {
            if !all.iter().any(|known| known.name == input.name) {
                all.push(input);
            }
        }
        all
    }

    /// Every source of a formula or number that leads here, each once.
    #[must_use]
    pub fn all_sources(&self) -> Vec<&Source> {
        let mut all: Vec<&Source> = Vec::new();
        for step in self.in_order() {
            let given = step.inputs().into_iter().flat_map(|input| &input.sources);
            for source in given.chain(&step.sources) {
                if !all.contains(&source) {
                    all.push(source);
                }
            }
        }
        all
    }

    /// "C = 6·N·D"
    #[must_use]
    pub fn equation(&self) -> String {
        format!("{} = {}", plain_symbol(self.symbol), self.formula())
    }

    /// The same as MathML Core, in a line of text.
    #[must_use]
    pub fn equation_in_mathml(&self) -> String {
        let formula = notation::write(&self.expr, &MathMl::Symbols);
        format!("<math>{}<mo>=</mo>{formula}</math>", notation::mathml_symbol(self.symbol))
    }

    /// The symbols of its formula, each with what it means: "N" and "parameters".
    #[must_use]
    pub fn symbols(&self) -> Vec<(&'static str, String)> {
        let mut told: Vec<(&'static str, String)> = Vec::new();
        self.expr.leaves(&mut |leaf| {
            let (symbol, title) = match leaf {
                Expr::Input(input) => (input.symbol, &*input.title),
                Expr::Step(step) => (step.symbol, &*step.title),
                _ => return,
            };
            if !told.iter().any(|(known, meaning)| *known == symbol && meaning == title) {
                told.push((symbol, title.to_owned()));
            }
        });
        told
    }

    /// Every step with formula, numbers, result, inputs and sources, as lines of text.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut lines = Lines::default();
        for step in self.in_order() {
            let symbol = plain_symbol(step.symbol);
            let indent = " ".repeat(symbol.chars().count());
            for input in step.inputs() {
                let value = format::full(input.value, input.unit);
                let said = input.provenance.map_or_else(String::new, |it| format!(", {}", it.words()));
                lines.once(format!("{} = {value}  {}{said}", plain_symbol(input.symbol), input.title));
                lines.sources("  ", &input.sources);
            }
            lines.push(format!("{}:", step.title));
            let (formula, substituted, full) = (step.formula(), step.substituted(), step.full());
            lines.push(format!("{symbol} = {formula}"));
            if ![&formula, &full].contains(&&substituted) {
                lines.push(format!("{indent} = {substituted}"));
            }
            if full != formula {
                lines.push(format!("{indent} = {full}{}", step.rounded(&full)));
            }
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
            let formula = notation::write(&step.expr, &Python);
            lines.push(format!("{} = {formula}  # {}", step.name, step.title));
            lines.sources("# ", &step.sources);
        }
        lines.push(format!("print({})", self.name));
        if lines.0.iter().any(|line| line.contains("math.")) {
            lines.0.insert(0, "import math".to_owned());
        }
        lines.0.join("\n")
    }

    /// A list of steps in Markdown, with TeX between dollar signs.
    #[must_use]
    pub fn to_markdown(&self) -> String {
        let mut lines = Lines::default();
        for step in self.in_order() {
            lines.push(format!("**{}**\n", step.title));
            lines.push(format!("$$\n{}\n$$\n", step.tex_equation(" = ")));
            for input in step.inputs() {
                lines.once(format!(
                    "- ${}$ = {}: {}",
                    notation::tex_symbol(input.symbol),
                    format::full(input.value, input.unit),
                    input.title
                ));
                for source in &input.sources {
                    lines.once(format!("  - {}", source.to_markdown()));
                }
            }
            for source in &step.sources {
                lines.once(format!("- {}", source.to_markdown()));
            }
            if !step.inputs().is_empty() || !step.sources.is_empty() {
                lines.push(String::new());
            }
        }
        lines.0.join("\n")
    }

    /// An `align*` environment with one step per line, for amsmath.
    #[must_use]
    pub fn to_tex(&self) -> String {
        let mut lines = Lines::default();
        lines.push(r"\begin{align*}".to_owned());
        for step in self.in_order() {
            for input in step.inputs() {
                lines.once(format!(
                    r"{} &= {} && \text{{{}}} \\",
                    notation::tex_symbol(input.symbol),
                    notation::tex_number(input.value, input.unit),
                    notation::tex_text(&input.title)
                ));
            }
            let title = notation::tex_text(&step.title);
            lines.push(format!(r"{} && \text{{{title}}} \\", step.tex_equation(" &= ")));
        }
        lines.push(r"\end{align*}".to_owned());
        lines.0.join("\n")
    }

    /// This step alone: symbol, formula, numbers and value, as one equation.
    fn tex_equation(&self, equals: &str) -> String {
        let symbols = notation::write(&self.expr, &Tex::Symbols);
        let numbers = notation::write(&self.expr, &Tex::Numbers);
        let value = notation::tex_number(self.value, self.unit);
        let mut sides = vec![notation::tex_symbol(self.symbol) + equals + &symbols];
        sides.extend((numbers != symbols).then_some(numbers).filter(|numbers| *numbers != value));
        sides.extend((value != symbols).then_some(value));
        sides.join(" = ")
    }

    /// This step alone as a `<math>` element: symbol, formula, numbers and value on a line each.
    #[must_use]
    pub fn to_mathml(&self) -> String {
        let symbols = notation::write(&self.expr, &MathMl::Symbols);
        let numbers = notation::write(&self.expr, &MathMl::Numbers);
        let value = notation::mathml_number(self.value, self.unit);
        let mut lines = vec![(notation::mathml_symbol(self.symbol), symbols.clone())];
        lines.extend((numbers != symbols && numbers != value).then(|| (String::new(), numbers)));
        lines.extend((value != symbols).then(|| (String::new(), value)));
        let row = |(left, right): &(String, String)| {
            format!("<mtr><mtd>{left}</mtd><mtd><mo>=</mo></mtd><mtd>{right}</mtd></mtr>")
        };
        let rows: String = lines.iter().map(row).collect();
        format!(
            "<math xmlns=\"http://www.w3.org/1998/Math/MathML\" display=\"block\"><mtable \
             columnalign=\"right center left\">{rows}</mtable></math>"
        )
    }

    fn full(&self) -> String {
        format::full(self.value, self.unit)
    }

    fn rounded(&self, full: &str) -> String {
        let short = self.short();
        if full == short { String::new() } else { format!(" ≈ {short}") }
    }
}

impl Source {
    /// A link where there is an address.
    #[must_use]
    pub fn to_markdown(&self) -> String {
        let title =
            if self.url.is_empty() { self.title.clone() } else { format!("[{}]({})", self.title, self.url) };
        let about = [&self.date, &self.note];
        let about: Vec<&str> =
            about.iter().filter(|text| !text.is_empty()).map(|text| text.as_str()).collect();
        if about.is_empty() { title } else { format!("{title} ({})", about.join("; ")) }
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

/// One step: those that it uses are told by name.
impl Serialize for Derivation {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let uses: Vec<&str> = self.steps().iter().map(|step| step.name).collect();
        let mut out = serializer.serialize_struct("Derivation", 10)?;
        out.serialize_field("name", self.name)?;
        out.serialize_field("symbol", self.symbol)?;
        out.serialize_field("title", &self.title)?;
        out.serialize_field("value", &self.value)?;
        out.serialize_field("unit", &self.unit)?;
        out.serialize_field("formula", &self.formula())?;
        out.serialize_field("substituted", &self.substituted())?;
        out.serialize_field("inputs", &self.inputs())?;
        out.serialize_field("uses", &uses)?;
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
