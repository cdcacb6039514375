//! Choosing tiles by measuring.
