//! Tensors as text, as PyTorch's `_tensor_str.py` writes them.

use super::Tensor;
use super::values::at_once;
use crate::dtype::{Category, DType};
use crate::error::Result;
use crate::layout::{Layout, join};
use crate::scalar::Scalar;

/// `torch.set_printoptions`: how much of a tensor is written, and how.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PrintOptions {
    /// Digits after the point.
    pub precision: usize,
    /// A tensor of more elements is summarized.
    pub threshold: usize,
    /// Entries that a summary keeps at each end of a dimension.
    pub edge_items: usize,
    /// Characters per line.
    pub line_width: usize,
    /// Whether numbers have exponents; without a wish, if they are far apart.
    pub sci_mode: Option<bool>,
}

impl Default for PrintOptions {
    fn default() -> Self {
        Self { precision: 4, threshold: 1000, edge_items: 3, line_width: 80, sci_mode: None }
    }
}

const PREFIX: &str = "tensor(";

impl Tensor {
    /// `repr(tensor)`: its elements, rounded and lined up, and what else tells it from a plain tensor
    /// (device, size where there are no elements, dtype, `grad_fn` or `requires_grad`).
    ///
    /// # Errors
    /// If the device fails.
    pub async fn repr(&self) -> Result<String> {
        self.repr_with(PrintOptions::default()).await
    }

    /// The same under other options.
    ///
    /// # Errors
    /// If the device fails.
    pub async fn repr_with(&self, options: PrintOptions) -> Result<String> {
        let elements = match self.numel() {
            _ if self.device().is_meta() => "...".into(),
            0 => "[]".into(),
            _ => options.nested(&self.shown(options).await?, self.shape(), self.dtype()),
        };
        let mut text = format!("{PREFIX}{elements}");
        // As PyTorch counts: two more than the last line has by now.
        let mut line = text.len() - text.rfind('\n').map_or(0, |at| at + 1) + 2;
        for suffix in self.suffixes() {
            if line + suffix.len() + 2 > options.line_width {
                text += &format!(",\n{:indent$}{suffix}", "", indent = PREFIX.len());
                line = PREFIX.len() + suffix.len();
            } else {
                text += &format!(", {suffix}");
                line += suffix.len() + 2;
            }
        }
        Ok(text + ")")
    }

    /// The elements that are written, in row-major order.
    async fn shown(&self, options: PrintOptions) -> Result<Vec<Scalar>> {
        let (mut sizes, mut strides) = (Vec::new(), Vec::new());
        for (&size, &stride) in self.shape().iter().zip(self.layout().strides()) {
            if options.is_cut(size, self.numel()) {
                // Both ends of the dimension, and the entries of each.
                sizes.extend([2, options.edge_items]);
                strides.extend([(size - options.edge_items) * stride, stride]);
            } else {
                sizes.push(size);
                strides.push(stride);
            }
        }
        let layout = Layout::strided(&sizes, &strides, self.layout().offset())?;
        self.with_layout(layout).to_scalars().await
    }

    /// What follows the elements.
    fn suffixes(&self) -> Vec<String> {
        let is_empty = self.numel() == 0;
        let is_on_cpu = self.device().backend().device_type() == "cpu";
        let is_told_by_elements = match self.dtype() {
            dtype if dtype == DType::standard() => true,
            DType::I64 | DType::Bool => !is_empty && !self.device().is_meta(),
            _ => false,
        };
        let origin = match self.grad_fn_name() {
            Some(name) => Some(format!("grad_fn=<{name}>")),
            None => self.requires_grad().then(|| "requires_grad=True".to_owned()),
        };
        let device = (!is_on_cpu).then(|| format!("device='{}'", self.device()));
        let has_size = is_empty && self.shape().len() != 1 || self.device().is_meta();
        let comma = if self.shape().len() == 1 { "," } else { "" };
        let size = has_size.then(|| format!("size=({}{comma})", join(self.shape().iter())));
        let dtype = (!is_told_by_elements).then(|| format!("dtype={}", self.dtype()));
        [device, size, dtype, origin].into_iter().flatten().collect()
    }
}

/// As [`Tensor::repr`] writes it, where no waiting is needed: on the CPU. Elsewhere the shape, dtype and device.
impl std::fmt::Display for Tensor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let is_at_hand = self.device().backend().device_type() == "cpu";
        match is_at_hand.then(|| at_once(self.repr())).flatten() {
            Some(Ok(text)) => f.write_str(&text),
            _ => write!(f, "{self:?}"),
        }
    }
}

impl PrintOptions {
    /// Whether only the ends of a dimension of that size are written.
    fn is_cut(self, size: usize, numel: usize) -> bool {
        numel > self.threshold && size > 2 * self.edge_items
    }

    /// The elements that are written of a tensor of that shape, in the brackets of its dimensions.
    fn nested(self, shown: &[Scalar], shape: &[usize], dtype: DType) -> String {
        let numel = shape.iter().product();
        let (style, width) = self.style_of(shown, dtype);
        let mut texts: Vec<String> =
            shown.iter().map(|&value| format!("{:>width$}", style.text(value, self.precision))).collect();
        // From the rows outwards and without recursion: there may be any number of dimensions.
        for (depth, &size) in shape.iter().enumerate().rev() {
            let indent = PREFIX.len() + depth;
            let inner = shape.len() - 1 - depth;
            let (per_line, gap) = match inner {
                0 => ((self.line_width.saturating_sub(indent) / (width + 2)).max(1), " ..."),
                _ => (1, "..."),
            };
            let separator = format!(",{}{}", "\n".repeat(inner.max(1)), " ".repeat(indent + 1));
            let is_cut = self.is_cut(size, numel);
            let count = if is_cut { 2 * self.edge_items } else { size };
            if count == 0 && is_cut {
                texts = vec!["[...]".to_owned()];
                continue;
            }
            let bracketed = |items: &[String]| {
                let mut items: Vec<&str> = items.iter().map(String::as_str).collect();
                if is_cut {
                    items.insert(self.edge_items, gap);
                }
                let lines: Vec<String> = items.chunks(per_line).map(|line| line.join(", ")).collect();
                format!("[{}]", lines.join(&separator))
            };
            texts = texts.chunks(count).map(bracketed).collect();
        }
        texts.concat()
    }

    /// The style that suits the numbers, and the width of the widest.
    fn style_of(self, values: &[Scalar], dtype: DType) -> (Style, usize) {
        let widest = |style: Style, values: &[Scalar]| {
            (style, values.iter().map(|&value| style.text(value, self.precision).len()).fold(1, usize::max))
        };
        if dtype.category() != Category::Floating {
            return widest(Style::Plain, values);
        }
        // Only these count: NaN or an infinity may be wider than its column.
        let counted = |value: &Scalar| value.as_f64().is_finite() && value.as_f64() != 0.0;
        let counted: Vec<Scalar> = values.iter().copied().filter(counted).collect();
        let magnitudes = || counted.iter().map(|value| value.as_f64().abs());
        let (low, high) = (magnitudes().fold(f64::INFINITY, f64::min), magnitudes().fold(0.0, f64::max));
        let is_spread = high / low > 1e3 || high > 1e8 || low < 1e-4;
        let is_scientific = !counted.is_empty() && self.sci_mode.unwrap_or(is_spread);
        let style = match magnitudes().all(|magnitude| magnitude.fract() == 0.0) {
            _ if is_scientific => Style::Scientific,
            true => Style::Whole,
            false => Style::Fixed,
        };
        widest(style, &counted)
    }
}

/// How the numbers of one tensor are written.
#[derive(Clone, Copy)]
enum Style {
    /// Truth values and whole numbers, as Python writes them.
    Plain,
    /// Real numbers that all are whole: `3.`.
    Whole,
    /// `3.1416`
    Fixed,
    /// `3.1416e+00`
    Scientific,
}

impl Style {
    /// One number, unpadded.
    fn text(self, value: Scalar, precision: usize) -> String {
        let number = match value {
            Scalar::Bool(true) => return "True".into(),
            Scalar::Bool(false) => return "False".into(),
            Scalar::Int(whole) => return whole.to_string(),
            Scalar::Float(number) => number,
        };
        if number.is_nan() {
            return "nan".into();
        }
        match self {
            _ if number.is_infinite() => number.to_string(),
            Self::Plain | Self::Whole => format!("{number:.0}."),
            Self::Fixed => format!("{number:.precision$}"),
            Self::Scientific => {
                // Python gives the exponent a sign and two digits at least.
                let text = format!("{number:.precision$e}");
                match text.split_once('e') {
                    Some((digits, exponent)) => match exponent.strip_prefix('-') {
                        Some(exponent) => format!("{digits}e-{exponent:0>2}"),
                        None => format!("{digits}e+{exponent:0>2}"),
                    },
                    None => text,
                }
            }
        }
    }
}
