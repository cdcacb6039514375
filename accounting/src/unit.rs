//! Units as exponents of base units, so that a formula's unit follows from those of its parts.

use serde::{Serialize, Serializer};

/// Labels of the base units: after a number, and after a slash.
const BASES: [(&str, &str); 11] = [
    ("FLOP", "FLOP"),
    ("B", "byte"),
    ("s", "s"),
    ("day", "day"),
    ("h", "h"),
    ("param", "param"),
    ("token", "token"),
    ("GPU", "GPU"),
    ("$", "$"),
    ("W", "W"),
    ("bit", "bit"),
];

/// A product of powers of base units. Days and hours are bases of their own: a formula that goes
/// from one to the other contains the constant that does it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unit([i8; BASES.len()]);

impl Unit {
    /// A plain number.
    pub const NONE: Self = Self([0; BASES.len()]);
    /// Floating-point operations.
    pub const FLOP: Self = Self::base(0);
    /// Bytes.
    pub const BYTE: Self = Self::base(1);
    /// Seconds.
    pub const SECOND: Self = Self::base(2);
    /// Days.
    pub const DAY: Self = Self::base(3);
    /// Hours.
    pub const HOUR: Self = Self::base(4);
    /// Parameters of a model.
    pub const PARAM: Self = Self::base(5);
    /// Tokens of training data.
    pub const TOKEN: Self = Self::base(6);
    /// Devices.
    pub const GPU: Self = Self::base(7);
    /// US dollars.
    pub const DOLLAR: Self = Self::base(8);
    /// Watts.
    pub const WATT: Self = Self::base(9);
    /// Bits.
    pub const BIT: Self = Self::base(10);
    /// GPUs times hours.
    pub const GPU_HOUR: Self = Self::GPU.times(Self::HOUR);
    /// Energy.
    pub const WATT_HOUR: Self = Self::WATT.times(Self::HOUR);

    /// Whether it counts things, so that a plain number can be a number of them.
    #[must_use]
    pub fn is_count(self) -> bool {
        [Self::PARAM, Self::TOKEN, Self::GPU].contains(&self)
    }

    const fn base(index: usize) -> Self {
        let mut exponents = [0; BASES.len()];
        exponents[index] = 1;
        Self(exponents)
    }

    /// The unit of a product.
    #[must_use]
    pub const fn times(self, other: Self) -> Self {
        let Self(mut exponents) = self;
        let mut i = 0;
        while i < exponents.len() {
            exponents[i] += other.0[i];
            i += 1;
        }
        Self(exponents)
    }

    /// The unit of a quotient.
    #[must_use]
    pub const fn per(self, other: Self) -> Self {
        let Self(mut exponents) = self;
        let mut i = 0;
        while i < exponents.len() {
            exponents[i] -= other.0[i];
            i += 1;
        }
        Self(exponents)
    }

    /// The unit whose square this is.
    #[must_use]
    pub fn root(self) -> Option<Self> {
        self.0.iter().all(|exponent| exponent % 2 == 0).then(|| Self(self.0.map(|exponent| exponent / 2)))
    }

    /// "FLOP/s", "B", "days", "GPU-hours": what follows a number; `many` if that is not 1.
    #[must_use]
    pub fn label(self, many: bool) -> String {
        let plural = if many { "s" } else { "" };
        match self {
            Self::GPU_HOUR => return format!("GPU-hour{plural}"),
            Self::WATT_HOUR => return "Wh".to_owned(),
            Self::DAY | Self::PARAM | Self::TOKEN | Self::GPU | Self::BIT => {
                return self.plain_label() + plural;
            }
            _ => {}
        }
        self.plain_label()
    }

    fn plain_label(self) -> String {
        let mut label = String::new();
        for ((name, _), &exponent) in BASES.iter().zip(&self.0) {
            for _ in 0..exponent {
                if !label.is_empty() {
                    label.push('·');
                }
                label.push_str(name);
            }
        }
        for ((_, name), &exponent) in BASES.iter().zip(&self.0) {
            for _ in exponent..0 {
                label.push('/');
                label.push_str(name);
            }
        }
        label
    }
}

/// The label without a plural.
impl std::fmt::Display for Unit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.label(false))
    }
}

impl Serialize for Unit {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
