//! Binary floating-point formats of up to 32 bits, bit by bit: one exact decoder and one correctly
//! rounding encoder serve all of them.

/// What the largest exponent field means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Specials {
    /// As in IEEE 754: fraction 0 is infinity, the rest is NaN.
    Ieee,
    /// Only the all-ones pattern is NaN, there is no infinity (the `fn` of `float8_e4m3fn`).
    FiniteNan,
    /// Every pattern is a finite number (E2M1).
    Finite,
}

/// A sign bit, exponent bits and fraction bits, and what its top exponent means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Format {
    /// Name as people write it: `fp32`, `bf16`, `E4M3`.
    pub name: &'static str,
    /// Number of exponent bits.
    pub exponent_bits: u32,
    /// Number of fraction bits.
    pub fraction_bits: u32,
    /// Meaning of the largest exponent field.
    pub specials: Specials,
}

/// What happened to a number when it was stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Rounding {
    /// The number itself is representable.
    Exact,
    /// A neighbour within half a spacing was stored.
    Inexact,
    /// A non-zero number became zero.
    Underflow,
    /// The number lies beyond the largest finite value.
    Overflow,
}

/// Limits of a format, under the names that `torch.finfo` uses.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FloatInfo {
    /// Bits per number.
    pub bits: u32,
    /// Largest finite value.
    pub max: f64,
    /// Most negative finite value.
    pub min: f64,
    /// Distance from 1 to the next larger number.
    pub eps: f64,
    /// Smallest positive normal number (`tiny`, `smallest_normal`).
    pub tiny: f64,
    /// Smallest positive number of all.
    pub smallest_subnormal: f64,
}

impl Format {
    /// IEEE binary32.
    pub const FP32: Self = Self::new("fp32", 8, 23, Specials::Ieee);
    /// The 19 bits that a tensor core keeps of an fp32 operand.
    pub const TF32: Self = Self::new("tf32", 8, 10, Specials::Ieee);
    /// IEEE binary16.
    pub const FP16: Self = Self::new("fp16", 5, 10, Specials::Ieee);
    /// The upper half of binary32.
    pub const BF16: Self = Self::new("bf16", 8, 7, Specials::Ieee);
    /// OCP FP8 for weights and activations: finite, one NaN pattern per sign.
    pub const E4M3: Self = Self::new("E4M3", 4, 3, Specials::FiniteNan);
    /// OCP FP8 for gradients, with infinities.
    pub const E5M2: Self = Self::new("E5M2", 5, 2, Specials::Ieee);
    /// OCP FP4: sixteen finite numbers.
    pub const E2M1: Self = Self::new("E2M1", 2, 1, Specials::Finite);
    /// All formats, widest first.
    pub const ALL: [Self; 7] =
        [Self::FP32, Self::TF32, Self::FP16, Self::BF16, Self::E4M3, Self::E5M2, Self::E2M1];

    const fn new(name: &'static str, exponent_bits: u32, fraction_bits: u32, specials: Specials) -> Self {
        Self { name, exponent_bits, fraction_bits, specials }
    }

    /// Bits per number, sign included.
    #[must_use]
    pub const fn bits(self) -> u32 {
        1 + self.exponent_bits + self.fraction_bits
    }

    /// What is subtracted from the exponent field: `2^(exponent_bits − 1) − 1`.
    #[must_use]
    pub const fn bias(self) -> i32 {
        (1 << (self.exponent_bits - 1)) - 1
    }

    const fn exponent_mask(self) -> u32 {
        (1 << self.exponent_bits) - 1
    }

    const fn fraction_mask(self) -> u32 {
        (1 << self.fraction_bits) - 1
    }

    const fn sign_mask(self) -> u32 {
        1 << (self.exponent_bits + self.fraction_bits)
    }

    /// Splits a pattern into sign (0 or 1), exponent field and fraction field.
    #[must_use]
    pub const fn fields(self, bits: u32) -> (u32, u32, u32) {
        (
            (bits & self.sign_mask() != 0) as u32,
            (bits >> self.fraction_bits) & self.exponent_mask(),
            bits & self.fraction_mask(),
        )
    }

    /// The value of a bit pattern, exactly; bits above [`Format::bits`] are ignored.
    #[must_use]
    pub fn decode(self, bits: u32) -> f64 {
        let (sign, exponent, fraction) = self.fields(bits);
        let top = exponent == self.exponent_mask();
        let magnitude = match self.specials {
            Specials::Ieee if top && fraction == 0 => f64::INFINITY,
            Specials::Ieee if top => f64::NAN,
            Specials::FiniteNan if top && fraction == self.fraction_mask() => f64::NAN,
            _ if exponent == 0 => {
                f64::from(fraction) * exp2(1 - self.bias() - self.fraction_bits.cast_signed())
            }
            _ => {
                f64::from(fraction | (1 << self.fraction_bits))
                    * exp2(exponent.cast_signed() - self.bias() - self.fraction_bits.cast_signed())
            }
        };
        if sign == 1 { -magnitude } else { magnitude }
    }

    /// The pattern nearest to `value`, ties to even. Too large a number becomes infinity where the
    /// format has one and the largest number where it has none: so PyTorch does for `float8_e4m3fn`
    /// since its pull request 178817 of April 2026 (`ml_dtypes` stores NaN there). NaN in a format of
    /// finite numbers only becomes −0, as in `ml_dtypes`.
    #[must_use]
    pub fn encode(self, value: f64) -> u32 {
        let sign = if value.is_sign_negative() { self.sign_mask() } else { 0 };
        if value.is_nan() {
            return match self.specials {
                Specials::Ieee => {
                    sign | (self.exponent_mask() << self.fraction_bits) | (1 << (self.fraction_bits - 1))
                }
                Specials::FiniteNan => sign | (self.sign_mask() - 1),
                Specials::Finite => self.sign_mask(),
            };
        }
        // In units of the smallest subnormal every pattern below the specials counts up by one per
        // representable number, so rounding may carry from fraction into exponent by itself.
        let magnitude = value.abs();
        let pattern = if magnitude.is_infinite() || exponent_of(magnitude) > self.bias() + 1 {
            self.max_pattern() + 1
        } else {
            let min_exponent = 1 - self.bias();
            let exponent = exponent_of(magnitude).max(min_exponent);
            let scaled = magnitude * exp2(self.fraction_bits.cast_signed() - exponent);
            // Below 2^(fraction_bits + 1), so exact in u32.
            let rounded = scaled.round_ties_even() as u32;
            ((exponent - min_exponent).cast_unsigned() << self.fraction_bits) + rounded
        };
        sign | if pattern <= self.max_pattern() {
            pattern
        } else {
            match self.specials {
                Specials::Ieee => self.exponent_mask() << self.fraction_bits,
                Specials::FiniteNan | Specials::Finite => self.max_pattern(),
            }
        }
    }

    /// The pattern of the largest finite number.
    #[must_use]
    pub const fn max_pattern(self) -> u32 {
        match self.specials {
            Specials::Ieee => (self.exponent_mask() << self.fraction_bits) - 1,
            Specials::FiniteNan => self.sign_mask() - 2,
            Specials::Finite => self.sign_mask() - 1,
        }
    }

    /// Stores `value` as PyTorch stores a Python number: rounded to fp32 first, then to this format.
    /// Returns the pattern and what became of the number.
    #[must_use]
    pub fn store(self, value: f64) -> (u32, Rounding) {
        let bits = self.encode(f64::from(value as f32));
        let kept = self.decode(bits);
        let rounding = if kept == value || (kept.is_nan() && value.is_nan()) {
            Rounding::Exact
        } else if kept == 0.0 {
            Rounding::Underflow
        } else if !kept.is_finite() || (value.abs() > self.info().max && kept.abs() == self.info().max) {
            Rounding::Overflow
        } else {
            Rounding::Inexact
        };
        (bits, rounding)
    }

    /// The next representable number above (`up`) or below that of `bits`; none beyond the finite
    /// ones and none for NaN. Zero counts once.
    #[must_use]
    pub fn neighbour(self, bits: u32, up: bool) -> Option<u32> {
        let value = self.decode(bits);
        if value.is_nan() {
            return None;
        }
        let magnitude = bits & (self.sign_mask() - 1);
        let negative = bits & self.sign_mask() != 0 && magnitude != 0;
        let (sign, magnitude) = match (negative, up) {
            (false, true) => (0, magnitude + 1),
            (true, false) => (self.sign_mask(), magnitude + 1),
            (true, true) => (self.sign_mask(), magnitude - 1),
            (false, false) if magnitude == 0 => (self.sign_mask(), 1),
            (false, false) => (0, magnitude - 1),
        };
        let sign = if magnitude == 0 { 0 } else { sign };
        (magnitude <= self.max_pattern()).then_some(sign | magnitude)
    }

    /// Limits, as `torch.finfo` names them. `eps` of E2M1 is 0.5: 1 is followed by 1.5.
    #[must_use]
    pub fn info(self) -> FloatInfo {
        let max = self.decode(self.max_pattern());
        FloatInfo {
            bits: self.bits(),
            max,
            min: -max,
            eps: exp2(-self.fraction_bits.cast_signed()),
            tiny: exp2(1 - self.bias()),
            smallest_subnormal: self.decode(1),
        }
    }
}

/// `2^n` exactly, for every n that a format of at most 32 bits can ask for.
fn exp2(n: i32) -> f64 {
    2f64.powi(n)
}

/// `floor(log2(x))` of a finite x ≥ 0, from its bits; −1023 for zero and f64 subnormals.
fn exponent_of(x: f64) -> i32 {
    ((x.to_bits() >> 52) & 0x7ff) as i32 - 1023
}
