//! Memory that training holds from step to step: weights, gradients, optimizer state.

use super::transformer::Sizes;
use crate::models::Architecture;
use crate::papers::{self, Paper, reason};
use crate::{Bytes, Derived, Expr, Params, Result, Unit, Value};

/// What moves the weights.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Optimizer {
    /// p −= lr·g
    Sgd,
    /// One momentum.
    Momentum,
    /// One sum of squares.
    AdaGrad,
    /// One mean of squares.
    RmsProp,
    /// Two moments.
    AdamW,
    /// Two moments in 8 bits, in blocks of 256 with a float32 scale each.
    AdamW8bit,
    /// One momentum for the matrices of blocks, AdamW for the rest.
    Muon,
}

impl Optimizer {
    /// Numbers that it remembers of a parameter; of Muon, of an element of the matrices that it moves.
    pub(super) const fn numbers(self) -> f64 {
        match self {
            Self::Sgd => 0.0,
            Self::Momentum | Self::AdaGrad | Self::RmsProp | Self::Muon => 1.0,
            Self::AdamW | Self::AdamW8bit => 2.0,
        }
    }

    /// Bytes of state per parameter, as a formula, if an element of it has so many.
    fn state(self, element_bytes: f64) -> (Expr, Paper) {
        let bytes = |value: f64| Expr::constant(value, Unit::BYTE.per(Unit::PARAM));
        let plain = || self.numbers() * bytes(element_bytes);
        match self {
            Self::Sgd => (bytes(0.0), reason("plain descent remembers nothing")),
            Self::Momentum => (plain(), reason("one momentum per parameter")),
            Self::AdaGrad => (plain(), reason("one sum of squared gradients per parameter")),
            Self::RmsProp => (plain(), reason("one mean of squared gradients per parameter")),
            Self::AdamW => (plain(), papers::ADAM),
            Self::AdamW8bit => (self.numbers() * (bytes(1.0) + bytes(4.0) / 256.0), papers::DETTMERS),
            Self::Muon => (plain(), papers::MUON),
        }
    }
}

/// The formats in which training keeps things; bytes of an element.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Formats {
    /// Weights that products read.
    pub weight_bytes: f64,
    /// Gradients.
    pub gradient_bytes: f64,
    /// A copy of the weights that the optimizer moves; 0 for none.
    pub master_bytes: f64,
    /// Optimizer state, where the optimizer does not fix it.
    pub state_bytes: f64,
}

/// Memory that does not depend on batch and sequence.
#[derive(Debug, Clone)]
pub struct StaticMemory {
    /// Weights that products read.
    pub weights: Derived<Bytes>,
    /// Gradients.
    pub gradients: Derived<Bytes>,
    /// The copy that the optimizer moves, if there is one.
    pub master: Option<Derived<Bytes>>,
    /// Optimizer state.
    pub state: Derived<Bytes>,
    /// What the optimizer keeps: its state, and the copy.
    pub kept: Derived<Bytes>,
    /// All of it.
    pub total: Derived<Bytes>,
}

impl StaticMemory {
    /// The memory of so many parameters; Muon asks the architecture which of them are matrices of blocks.
    ///
    /// # Errors
    /// If it is too large.
    pub fn new(
        params: &Value<Params>,
        architecture: Option<&Architecture>,
        formats: Formats,
        optimizer: Optimizer,
    ) -> Result<Self> {
        Self::of(params, architecture.map(Sizes::new).as_ref(), formats, optimizer)
    }

    /// As [`StaticMemory::new`], of a model or of a stage of one.
    pub(super) fn of(
        params: &Value<Params>,
        sizes: Option<&Sizes<'_>>,
        formats: Formats,
        optimizer: Optimizer,
    ) -> Result<Self> {
        let bytes = |value: f64| Expr::constant(value, Unit::BYTE.per(Unit::PARAM));
        let weights =
            Derived::new("weight_bytes", "M_w", "weights", params.expr() * bytes(formats.weight_bytes), &[])?;
        let gradients = Derived::new(
            "gradient_bytes",
            "M_g",
            "gradients",
            params.expr() * bytes(formats.gradient_bytes),
            &[],
        )?;
        let master = (formats.master_bytes > 0.0).then(|| {
            let copy = params.expr() * bytes(formats.master_bytes);
            Derived::new("master_bytes", "M_m", "float32 copy of the weights", copy, &[papers::MICIKEVICIUS])
        });
        let master = master.transpose()?;
        let (per_param, paper) = optimizer.state(formats.state_bytes);
        let state = match (optimizer, sizes) {
            (Optimizer::Muon, Some(sizes)) => {
                let matrices: Derived<Params> = Derived::new(
                    "muon_params",
                    "N_muon",
                    "parameters in matrices of blocks, which Muon moves",
                    sizes.block_matrices(),
                    &[papers::MUON],
                )?;
                let rest = params.expr() - &matrices;
                per_param * &matrices + Optimizer::AdamW.state(formats.state_bytes).0 * rest
            }
            _ => per_param * params,
        };
        let state = Derived::new("optimizer_bytes", "M_o", "optimizer state", state, &[paper])?;
        let kept = match &master {
            None => state.clone(),
            Some(master) => Derived::new(
                "kept_bytes",
                "M_k",
                "optimizer state and the copy of the weights",
                state.expr() + master,
                &[],
            )?,
        };
        let total = Derived::new(
            "static_bytes",
            "M_s",
            "weights, gradients and optimizer state",
            weights.expr() + &gradients + &kept,
            &[],
        )?;
        Ok(Self { weights, gradients, master, state, kept, total })
    }
}

impl Sizes<'_> {
    /// Elements of the matrices of all blocks.
    fn block_matrices(&self) -> Expr {
        let mut sum = self.layers() * self.attention_weights();
        if self.of.dense_layers() > 0 {
            sum = sum + self.dense_layers() * self.mlp_weights(&self.of.mlp, &self.d_ff());
        }
        if let Some(experts) = &self.of.experts {
            let layers = self.expert_layers(experts);
            let one = self.mlp_weights(&experts.mlp, &self.d_expert(experts));
            sum = sum + &layers * self.expert_count(experts) * (one + self.d_model());
            if experts.shared_d_ff > 0 {
                sum = sum + layers * self.mlp_weights(&experts.mlp, &self.d_shared(experts));
            }
        }
        sum
    }
}
