//! Models, and the functions that they are made of.

pub mod functional;
pub mod init;
pub mod utils;

mod attention;
mod gpt;
mod linear;
mod mlp;
mod module;
mod norm;

pub use attention::{Heads, MultiheadAttention};
pub use gpt::{Block, CausalSelfAttention, Gpt, GptConfig};
pub use linear::{DeepLinear, Embedding, Linear};
pub use mlp::{Activation, Dropout, Mlp};
pub use module::{IncompatibleKeys, Mode, Module, Visitor};
pub use norm::{LayerNorm, Norm, NormKind, RMSNorm};
