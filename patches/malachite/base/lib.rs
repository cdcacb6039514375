//! What RustPython asks of malachite-base, and nothing else.

pub mod num {
    pub mod basic {
        pub mod floats {
            /// A float whose zeros can be told apart.
            pub trait PrimitiveFloat {
                fn is_negative_zero(self) -> bool;
            }

            impl PrimitiveFloat for f64 {
                fn is_negative_zero(self) -> bool {
                    self == 0.0 && self.is_sign_negative()
                }
            }
        }
    }

    pub mod conversion {
        pub mod traits {
            use std::cmp::Ordering;

            use crate::rounding_modes::RoundingMode;

            /// A number that has a nearest one of another type.
            pub trait RoundingInto<T> {
                /// That number, and how it compares with this one.
                fn rounding_into(self, mode: RoundingMode) -> (T, Ordering);
            }
        }
    }
}

pub mod rounding_modes {
    /// How a number without an equal is rounded.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum RoundingMode {
        /// To the nearest; of two that are as near, to the even one.
        Nearest,
    }
}
