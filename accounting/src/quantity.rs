//! Quantities: numbers that cannot be mixed up. Formulas over them are checked by unit (`derivation.rs`).
//!
//! ```compile_fail
//! use napkin_accounting::{Params, Tokens};
//! let params: Params = Tokens::new(15e12);
//! ```

use std::ops::Mul;

use crate::{Number, Rule, Unit, format};

/// A number with a unit that is known when the program is compiled.
pub trait Quantity: Copy {
    /// Its unit.
    const UNIT: Unit;
    /// What a person who types one has to keep to.
    const RULE: Rule;
    /// The quantity of that many units.
    fn of(number: Number) -> Self;
    /// How many units it is.
    fn number(self) -> Number;
}

macro_rules! quantities {
    ($($(#[$doc:meta])+ $name:ident: $unit:expr, $rule:ident;)+) => {$(
        $(#[$doc])+
        #[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
        pub struct $name(Number);

        impl $name {
            /// That many.
            #[must_use]
            pub fn new(value: f64) -> Self {
                Self(value.into())
            }

            /// How many, as a double.
            #[must_use]
            pub fn value(self) -> f64 {
                self.0.to_f64()
            }
        }

        impl Quantity for $name {
            const UNIT: Unit = $unit;
            const RULE: Rule = Rule::$rule;

            fn of(number: Number) -> Self {
                Self(number)
            }

            fn number(self) -> Number {
                self.0
            }
        }

        impl Mul<f64> for $name {
            type Output = Self;
            fn mul(self, factor: f64) -> Self {
                Self::new(self.value() * factor)
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
    /// The speed of each of several devices.
    FlopPerSecPerGpu: Unit::FLOP.per(Unit::SECOND).per(Unit::GPU), Positive;
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
    /// A ratio that belongs to nothing else.
    Ratio: Unit::NONE, Positive;
    /// US dollars.
    Dollars: Unit::DOLLAR, Positive;
    /// What one device costs for one hour.
    DollarsPerGpuHour: Unit::DOLLAR.per(Unit::GPU_HOUR), Positive;
    /// Power of one device.
    WattsPerGpu: Unit::WATT.per(Unit::GPU), Positive;
    /// Energy.
    WattHours: Unit::WATT_HOUR, Positive;
    /// What training keeps for every parameter.
    BytesPerParam: Unit::BYTE.per(Unit::PARAM), Positive;
    /// Size of an element.
    Bits: Unit::BIT, Positive;
    /// Speed of reading or writing a text.
    TokensPerSec: Unit::TOKEN.per(Unit::SECOND), Positive;
}

impl Bytes {
    /// In binary units: "74.51 GiB".
    #[must_use]
    pub fn display_binary(self) -> String {
        format::binary_bytes(self.0)
    }
}
