//! Signatures as PyTorch writes them: `sum(Tensor input, int[]? dim=None, bool keepdim=False, *, dtype? dtype=None)`.

/// What an argument may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Tensor,
    /// A tensor or a number.
    Operand,
    /// A list or tuple of tensors.
    Tensors,
    Int,
    /// An integer, or several.
    Ints,
    /// Several integers, as one argument each or together.
    Sizes,
    /// A number.
    Scalar,
    Bool,
    Str,
    DType,
    Device,
    Generator,
    Any,
}

#[derive(Debug)]
pub(crate) struct Parameter {
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
    /// Whether `None` is allowed.
    pub(crate) is_optional: bool,
    /// Whether it can be left out.
    pub(crate) has_default: bool,
    pub(crate) is_keyword_only: bool,
}

#[derive(Debug)]
pub(crate) struct Signature {
    pub(crate) name: &'static str,
    pub(crate) parameters: Vec<Parameter>,
}

impl Signature {
    /// Reads a signature; a part that is none stands for nothing, and a test reads all of them.
    pub(crate) fn new(text: &'static str) -> Self {
        let (name, rest) = text.split_once('(').unwrap_or((text, ""));
        let mut is_keyword_only = false;
        let mut parameters = Vec::new();
        for part in rest.trim_end_matches(')').split(',').map(str::trim).filter(|part| !part.is_empty()) {
            if part == "*" {
                is_keyword_only = true;
                continue;
            }
            let (declared, default) = match part.split_once('=') {
                Some((declared, _)) => (declared, true),
                None => (part, false),
            };
            let Some((kind, name)) = declared.trim().split_once(' ') else { continue };
            let is_optional = kind.ends_with('?');
            let Some(kind) = Kind::named(kind.trim_end_matches('?')) else { continue };
            parameters.push(Parameter { name, kind, is_optional, has_default: default, is_keyword_only });
        }
        Self { name, parameters }
    }
}

impl Kind {
    fn named(name: &str) -> Option<Self> {
        Some(match name {
            "Tensor" => Self::Tensor,
            "Operand" => Self::Operand,
            "Tensor[]" => Self::Tensors,
            "int" => Self::Int,
            "int[]" => Self::Ints,
            "int[*]" => Self::Sizes,
            "Scalar" | "float" => Self::Scalar,
            "bool" => Self::Bool,
            "str" => Self::Str,
            "dtype" => Self::DType,
            "device" => Self::Device,
            "Generator" => Self::Generator,
            "Any" => Self::Any,
            _ => return None,
        })
    }

    /// What Python calls it, for errors.
    pub(crate) fn label(self) -> &'static str {
        match self {
            Self::Tensor => "Tensor",
            Self::Operand => "Tensor or Number",
            Self::Tensors => "tuple of Tensors",
            Self::Int => "int",
            Self::Ints | Self::Sizes => "tuple of ints",
            Self::Scalar => "Number",
            Self::Bool => "bool",
            Self::Str => "str",
            Self::DType => "torch.dtype",
            Self::Device => "torch.device",
            Self::Generator => "torch.Generator",
            Self::Any => "object",
        }
    }
}
