//! Quantities: numbers that cannot be mixed up.
//!
//! ```compile_fail
//! use napkin_accounting::{Params, Tokens};
//! let nonsense = Params::new(70e9) + Tokens::new(15e12);
//! ```

use std::ops::{Add, Div, Mul, Sub};

use crate::{Rule, Unit, format};

/// A number with a unit that is known when the program is compiled.
pub trait Quantity: Copy {
    /// Its unit.
    const UNIT: Unit;
    /// What a person who types one has to keep to.
    const RULE: Rule;
    /// The quantity of that many units.
    fn new(value: f64) -> Self;
    /// How many units it is.
    fn value(self) -> f64;
}

macro_rules! quantities {
    ($($(#[$doc:meta])+ $name:ident: $unit:expr, $rule:ident;)+) => {$(
        $(#[$doc])+
        #[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
        pub struct $name(f64);

        impl $name {
            /// That many.
            #[must_use]
            pub const fn new(value: f64) -> Self {
                Self(value)
            }

            /// How many.
            #[must_use]
            pub const fn value(self) -> f64 {
                self.0
            }
        }

        impl Quantity for $name {
            const UNIT: Unit = $unit;
            const RULE: Rule = Rule::$rule;

            fn new(value: f64) -> Self {
                Self(value)
            }

            fn value(self) -> f64 {
                self.0
            }
        }

        impl Add for $name {
            type Output = Self;
            fn add(self, other: Self) -> Self {
                Self(self.0 + other.0)
            }
        }

        impl Sub for $name {
            type Output = Self;
            fn sub(self, other: Self) -> Self {
                Self(self.0 - other.0)
            }
        }

        impl Mul<f64> for $name {
            type Output = Self;
            fn mul(self, factor: f64) -> Self {
                Self(self.0 * factor)
            }
        }

        /// The ratio of two of a kind is a plain number.
        impl Div for $name {
            type Output = f64;
            fn div(self, other: Self) -> f64 {
                self.0 / other.0
            }
        }

        /// For people: four significant digits, SI prefix, unit.
        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(&format::short(self.0, Self::UNIT))
            }
        }
    )+};
}

quantities! {
    /// Floating-point operations: work.
    Flop: Unit::FLOP, Positive;
    /// Floating-point operations per second: speed.
    FlopPerSec: Unit::FLOP.per(Unit::SECOND), Positive;
    /// Floating-point operations per day.
    FlopPerDay: Unit::FLOP.per(Unit::DAY), Positive;
    /// Bytes.
    Bytes: Unit::BYTE, Positive;
    /// Bytes per second.
    BytesPerSec: Unit::BYTE.per(Unit::SECOND), Positive;
    /// Arithmetic intensity.
    FlopPerByte: Unit::FLOP.per(Unit::BYTE), Positive;
    /// Seconds.
    Seconds: Unit::SECOND, Positive;
    /// Days.
    Days: Unit::DAY, Positive;
    /// One GPU for one hour, or any other product of the two.
    GpuHours: Unit::GPU_HOUR, Positive;
    /// Parameters of a model.
    Params: Unit::PARAM, Positive;
    /// Tokens of training data.
    Tokens: Unit::TOKEN, Positive;
    /// Devices.
    Gpus: Unit::GPU, Whole;
    /// A size of a tensor's dimension.
    Count: Unit::NONE, Whole;
    /// Model FLOPs utilization: the share of the promised FLOP/s that is reached.
    Mfu: Unit::NONE, Positive;
}

macro_rules! products {
    ($($a:ident * $b:ident = $c:ident;)+) => {$(
        impl Mul<$b> for $a {
            type Output = $c;
            fn mul(self, other: $b) -> $c {
                $c(self.0 * other.0)
            }
        }

        impl Div<$a> for $c {
            type Output = $b;
            fn div(self, other: $a) -> $b {
                $b(self.0 / other.0)
            }
        }

        impl Div<$b> for $c {
            type Output = $a;
            fn div(self, other: $b) -> $a {
                $a(self.0 / other.0)
            }
        }
    )+};
}

products! {
    FlopPerSec * Seconds = Flop;
    FlopPerDay * Days = Flop;
    BytesPerSec * Seconds = Bytes;
    FlopPerByte * Bytes = Flop;
    FlopPerByte * BytesPerSec = FlopPerSec;
}

impl Bytes {
    /// In binary units: "74.51 GiB".
    #[must_use]
    pub fn display_binary(self) -> String {
        format::binary_bytes(self.0)
    }
}
