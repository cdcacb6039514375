//! The cache of keys and values that reading a text token by token keeps.

use super::transformer::Sizes;
use crate::models::Architecture;
use crate::models::architecture::Attention;
use crate::papers;
use crate::{Bytes, Derived, Expr, Result, Unit};

/// The cache of keys and values.
#[derive(Debug, Clone)]
pub struct KvCache {
    /// Bytes per token of one sequence.
    pub per_token: Derived<Bytes>,
    /// Bytes of all sequences.
    pub total: Derived<Bytes>,
}

impl KvCache {
    /// The cache of `batch` sequences of `tokens` tokens with elements of so many bytes.
    ///
    /// # Errors
    /// If it is too large.
    pub fn new(architecture: &Architecture, batch: u64, tokens: u64, element_bytes: f64) -> Result<Self> {
        let sizes = Sizes::new(architecture);
        let element = Expr::constant(element_bytes, Unit::BYTE);
        let (width, paper) = match &architecture.attention {
            // Keys and values of every group.
            Attention::Grouped(grouped) => (2.0 * sizes.kv_width(grouped), papers::GQA),
            // The latent and the shared key with positions.
            Attention::Latent(latent) => (sizes.kv_rank(latent) + sizes.d_rope(latent), papers::DEEPSEEK_V2),
        };
        let per_token = Derived::new(
            "kv_bytes_per_token",
            "K_1",
            "cache per token",
            sizes.layers() * width.clone() * element.clone(),
            &[paper],
        )?;
        let batch = Expr::size("batch", "b", "sequences", batch);
        let length = Expr::size("sequence", "s", "tokens of a sequence", tokens);
        let cached = match sizes.windowed(&length, tokens) {
            Some(windowed) => batch * windowed * (width * element),
            None => batch * length * &per_token,
        };
        let total = Derived::new("kv_bytes", "K", "cache of keys and values", cached, &[papers::POPE])?;
        Ok(Self { per_token, total })
    }

    /// What one of so many devices has of it that share every matrix: a head of keys and values at least, and a latent whole.
    ///
    /// # Errors
    /// If it is too large.
    pub fn of_device(&self, architecture: &Architecture, tensor: &Expr) -> Result<Derived<Bytes>> {
        let sizes = Sizes::new(architecture);
        let held = match &architecture.attention {
            Attention::Grouped(grouped) => self.total.expr() / tensor.clone().min(sizes.kv_heads(grouped)),
            Attention::Latent(_) => self.total.expr(),
        };
        Derived::new("kv_bytes_per_gpu", "k", "cache of keys and values on a device", held, &[papers::VLLM])
    }
}
