//! A model across devices: what each holds, and what they send each other.

use super::activations::{Activations, Keeping};
use super::flops::{Recompute, Workload};
use super::params::ParamCount;
use super::static_memory::{Formats, Optimizer, StaticMemory};
use super::transformer::Sizes;
use crate::models::Architecture;
use crate::models::architecture::Attention;
use crate::papers::{self, Paper, reason};
use crate::{Bytes, BytesPerSec, Derived, Expr, Params, Ratio, Result, Seconds, Unit, Value};

/// How a model is spread.
#[derive(Debug, Clone)]
pub struct Layout {
    /// Copies of the model.
    pub data: Expr,
    /// Devices that share every matrix.
    pub tensor: Expr,
    /// Stages of a pipeline.
    pub pipeline: Expr,
    /// Devices over which experts are spread, out of the copies.
    pub expert: Expr,
    /// What the copies do not keep for themselves: 0 to 3.
    pub zero: u8,
    /// Whether tensor parallelism also splits the sequence between its products.
    pub splits_sequence: bool,
    /// Batches that a pipeline has under way in a step.
    pub microbatches: Expr,
}

/// A step of training.
#[derive(Debug, Clone)]
pub struct Training<'a> {
    /// Of which model.
    pub architecture: &'a Architecture,
    /// How weights, gradients and optimizer state are kept.
    pub formats: Formats,
    /// What moves the weights.
    pub optimizer: Optimizer,
    /// What goes through the model at once: a microbatch.
    pub work: Workload,
    /// How activations are kept.
    pub keeping: Keeping,
}

/// What one device holds.
#[derive(Debug, Clone)]
pub struct Shard<'a> {
    /// Weights.
    pub weights: Derived<Bytes>,
    /// Gradients.
    pub gradients: Derived<Bytes>,
    /// Optimizer state, with the float32 copy where there is one.
    pub state: Derived<Bytes>,
    /// Weights and gradients that ZeRO's stage 3 has whole for a moment.
    pub gathered: Option<Derived<Bytes>>,
    /// Activations and temporary buffers at the peak.
    pub activations: Derived<Bytes>,
    /// All of it.
    pub total: Derived<Bytes>,
    /// Its stage, or the whole model.
    part: Part<'a>,
}

/// A stage of the pipeline, or the whole model.
#[derive(Debug, Clone)]
struct Part<'a> {
    sizes: Sizes<'a>,
    memory: StaticMemory,
    /// The share of its parameters that lies in experts, if these are spread.
    expert_share: Option<Derived<Ratio>>,
    /// The share of its parameters that tensor parallelism does not split.
    whole_share: Option<Derived<Ratio>>,
}

impl Part<'_> {
    /// What a device of a tensor-parallel group has of `whole`.
    fn in_group(&self, whole: &Derived<Bytes>, tensor: &Expr) -> Expr {
        match &self.whole_share {
            None => whole.expr() / tensor,
            Some(share) => whole.expr() * ((1.0 - share.expr()) / tensor + share),
        }
    }

    /// The same of what lies in spread experts of that share, and of all other.
    fn in_and_out(&self, whole: &Derived<Bytes>, tensor: &Expr, experts: &Derived<Ratio>) -> (Expr, Expr) {
        let others = 1.0 - experts.expr();
        let others = match &self.whole_share {
            None => whole.expr() * others / tensor,
            Some(share) => whole.expr() * ((others - share) / tensor + share),
        };
        (whole.expr() * experts / tensor, others)
    }
}

/// What one device sends in a step, and how long that takes if nothing hides it.
#[derive(Debug, Clone)]
pub struct Traffic {
    /// Which kind of parallelism it is for.
    pub title: &'static str,
    /// Bytes that a device sends.
    pub bytes: Derived<Bytes>,
    /// Over its link.
    pub time: Derived<Seconds>,
}

impl Shard<'_> {
    /// The stage whose device it is: "first stage"; nothing where there is one stage only.
    #[must_use]
    pub fn stage(&self) -> Option<&'static str> {
        let stage = self.part.sizes.stage.as_ref()?;
        Some(if stage.is_first { "first stage" } else { "last stage" })
    }
}

fn is_alone(ways: &Expr) -> bool {
    ways.value().is_some_and(|ways| ways == 1.0)
}

impl Layout {
    /// What the device holds that holds most. In a pipeline that is one of the first stage, which has the embedding and the
    /// most microbatches under way, or one of the last, which has the head; those between have blocks only.
    ///
    /// # Errors
    /// If it is too large.
    pub fn shard<'a>(&self, step: &Training<'a>) -> Result<Shard<'a>> {
        if is_alone(&self.pipeline) {
            return self.shard_of(step, Sizes::new(step.architecture));
        }
        let of =
            |is_first| self.shard_of(step, Sizes::of_stage(step.architecture, &self.pipeline, is_first)?);
        let (first, last) = (of(true)?, of(false)?);
        Ok(if first.total.value.to_f64() > last.total.value.to_f64() { first } else { last })
    }

    fn shard_of<'a>(&self, training: &Training<'a>, sizes: Sizes<'a>) -> Result<Shard<'a>> {
        let part = self.part(training, sizes)?;
        let split = |whole: &Derived<Bytes>, from_stage: u8| match &part.expert_share {
            _ if self.zero >= from_stage => part.in_group(whole, &self.tensor) / &self.data,
            // The copies of an expert are as many fewer as the devices that experts are spread over.
            Some(share) => {
                let (experts, others) = part.in_and_out(whole, &self.tensor, share);
                others + experts / &self.expert
            }
            None => part.in_group(whole, &self.tensor),
        };
        let step = |name, symbol, title: &'static str, expr, papers: &[Paper]| {
            Derived::<Bytes>::new(name, symbol, title, expr, papers)
        };
        let memory = &part.memory;
        let weights =
            step("weight_bytes_per_gpu", "m_w", "weights", split(&memory.weights, 3), &[papers::ZERO])?;
        let gradients =
            step("gradient_bytes_per_gpu", "m_g", "gradients", split(&memory.gradients, 2), &[papers::ZERO])?;
        let state = split(&memory.kept, 1);
        let state = step(
            "optimizer_bytes_per_gpu",
            "m_o",
            "optimizer state, with its copy of the weights",
            state,
            &[papers::ZERO],
        )?;
        let activations = step(
            "activation_bytes_per_gpu",
            "m_a",
            "activations and temporary buffers",
            self.activations(training, &part.sizes)?,
            &[papers::KORTHIKANTI, papers::NARAYANAN],
        )?;
        let gathered = self.gathered(training, &part.sizes)?;
        let total = weights.expr() + &gradients + &state + &activations;
        let total = gathered.iter().fold(total, |total, gathered| total + gathered);
        let total = step("bytes_per_gpu", "m", "memory of a device", total, &[])?;
        Ok(Shard { weights, gradients, state, gathered, activations, total, part })
    }

    /// What stage 3 of ZeRO, as FSDP, has whole while a block is at work: its weights, those of the next, which are on their
    /// way, and its gradients. A matrix of the vocabulary may be more than a block.
    fn gathered(&self, training: &Training<'_>, sizes: &Sizes<'_>) -> Result<Option<Derived<Bytes>>> {
        if self.zero < 3 || is_alone(&self.data) {
            return Ok(None);
        }
        let block = sizes.block_params(&self.expert)?;
        let largest: Derived<Params> = Derived::new(
            "unit_params",
            "n_u",
            "parameters that are gathered together at most: a block, or a matrix of the vocabulary",
            block.expr().max(&sizes.embedding_params()?),
            &[],
        )?;
        let bytes = |of: f64| Expr::constant(of, Unit::BYTE.per(Unit::PARAM));
        let weights = (largest.expr() + &block) * bytes(training.formats.weight_bytes);
        let gradients = largest.expr() * bytes(training.formats.gradient_bytes);
        Derived::new(
            "gathered_bytes_per_gpu",
            "m_u",
            "weights of two blocks and gradients of one, gathered for a moment",
            (weights + gradients) / &self.tensor,
            &[papers::FSDP],
        )
        .map(Some)
    }

    fn part<'a>(&self, training: &Training<'a>, sizes: Sizes<'a>) -> Result<Part<'a>> {
        let (params, experts) = match &sizes.stage {
            Some(_) => sizes.stage_params()?,
            None => {
                let count = ParamCount::new(training.architecture)?;
                let experts = count.experts().cloned();
                (count.total, experts)
            }
        };
        let memory = StaticMemory::of(&(&params).into(), Some(&sizes), training.formats, training.optimizer)?;
        let experts = experts.filter(|_| !is_alone(&self.expert));
        let expert_share = experts.map(|experts| {
            let share = experts.expr() / &params;
            Derived::new("expert_share", "x", "share of the parameters in experts", share, &[papers::GSHARD])
        });
        let whole = if is_alone(&self.tensor) { None } else { sizes.whole_params()? };
        let whole_share = whole.map(|whole| {
            let share = whole.expr() / &params;
            let title = "share of the parameters that tensor parallelism does not split";
            Derived::new("whole_share", "y", title, share, &[papers::MEGATRON])
        });
        Ok(Part {
            sizes,
            memory,
            expert_share: expert_share.transpose()?,
            whole_share: whole_share.transpose()?,
        })
    }

    /// What a device keeps of activations at the peak.
    fn activations(&self, training: &Training<'_>, sizes: &Sizes<'_>) -> Result<Expr> {
        let Training { work, keeping, .. } = training;
        let all = Activations::new(training.architecture, work, *keeping)?;
        // Blocks, as often as they are kept.
        let blocks = match &sizes.stage {
            // As many microbatches are under way as there are stages behind, with this one.
            Some(stage) if stage.is_first => self.microbatches.clone().min(&self.pipeline) * sizes.layers(),
            _ => sizes.layers(),
        };
        let peak = match &sizes.stage {
            None => all.peak,
            Some(stage) => {
                let beside = if stage.is_first { all.busy } else { all.head.expr().max(&all.busy) };
                Derived::new(
                    "stage_peak_bytes",
                    "A_p",
                    "activations and temporary buffers of the stage at the peak",
                    &blocks * &all.block + beside,
                    &[papers::NARAYANAN],
                )?
            }
        };
        let peak = peak.expr();
        let Some(inputs) = self.replicated(sizes, &blocks, work, *keeping) else {
            return Ok(peak / &self.tensor);
        };
        let inputs: Derived<Bytes> = Derived::new(
            "replicated_bytes",
            "A_rep",
            "what every device of a tensor-parallel group keeps whole: norms, inputs of products, latents, and of keys and \
             values a head at least",
            inputs,
            &[papers::KORTHIKANTI, papers::MEGATRON],
        )?;
        let inputs = inputs.expr().min(peak.clone());
        Ok(inputs.clone() + (peak - inputs) / &self.tensor)
    }

    /// The bubble of the pipeline: the share of a step in which a stage waits, (p − 1) / m of the work.
    ///
    /// # Errors
    /// If there are no microbatches.
    pub fn bubble(&self) -> Result<Derived<Ratio>> {
        Derived::new(
            "pipeline_bubble",
            "β",
            "pipeline bubble, over the time of the work",
            (&self.pipeline - 1.0) / &self.microbatches,
            &[papers::NARAYANAN],
        )
    }

    /// What the device of a shard sends in a step of all microbatches.
    ///
    /// # Errors
    /// If it is too large.
    pub fn traffic(
        &self,
        training: &Training<'_>,
        shard: &Shard<'_>,
        within: &Value<BytesPerSec>,
        between: &Value<BytesPerSec>,
    ) -> Result<Vec<Traffic>> {
        let part = &shard.part;
        let Part { sizes, memory, expert_share, .. } = part;
        let (work, architecture) = (&training.work, training.architecture);
        let mut all = Vec::new();
        let mut push = |title,
                        names: [&'static str; 2],
                        symbols: [&'static str; 2],
                        bytes: Expr,
                        link: &Value<BytesPerSec>,
                        papers: &[Paper]| {
            let bytes: Derived<Bytes> = Derived::new(
                names[0],
                symbols[0],
                format!("{title}: bytes that a device sends"),
                bytes,
                papers,
            )?;
            let time = Derived::new(
                names[1],
                symbols[1],
                format!("{title}: time over its link"),
                bytes.expr() / link,
                &[reason("bandwidth alone; latency and what computation hides are left out")],
            )?;
            all.push(Traffic { title, bytes, time });
            Ok::<(), crate::Error>(())
        };
        let ring = |ways: &Expr| (ways - 1.0) / ways;
        if !is_alone(&self.data) {
            // Gradients are summed and spread again in two halves. From stage 1 on weights are gathered in place of the second,
            // from stage 2 on gradients are spread for every microbatch, and in stage 3 weights are gathered for each, twice.
            let sent = |held: &dyn Fn(&Derived<Bytes>) -> Expr| {
                let (gradients, weights) = (held(&memory.gradients), held(&memory.weights));
                match self.zero {
                    0 => 2.0 * gradients,
                    1 => gradients + weights,
                    2 => &self.microbatches * gradients + weights,
                    _ => &self.microbatches * (gradients + 2.0 * weights),
                }
            };
            push(
                "data parallel",
                ["data_parallel_bytes", "data_parallel_secs"],
                ["q_d", "t_d"],
                match expert_share {
                    None => ring(&self.data) * sent(&|whole| part.in_group(whole, &self.tensor)),
                    Some(share) => {
                        let copies = &self.data / &self.expert;
                        let experts = sent(&|whole| part.in_and_out(whole, &self.tensor, share).0);
                        let others = sent(&|whole| part.in_and_out(whole, &self.tensor, share).1);
                        ring(&self.data) * others + ring(&copies) * experts / &self.expert
                    }
                },
                between,
                &[papers::PATARASUK, papers::ZERO],
            )?;
        }
        // Forward, backward, and forward again if whole blocks are.
        let passes = if work.recompute == Recompute::Full { 3.0 } else { 2.0 };
        let element = Expr::constant(training.keeping.element_bytes, Unit::BYTE);
        let activation = || work.positions() * sizes.d_model() * &element;
        // Between stages and on the way to experts; a group that splits the sequence has parts of it.
        let sent = || if self.splits_sequence { activation() / &self.tensor } else { activation() };
        if !is_alone(&self.tensor) {
            // Two all-reduces forward, two when it runs again and two backward in every block of the stage, each twice the
            // ring's share.
            let reduces = 2.0 * passes * sizes.layers() * (2.0 * ring(&self.tensor));
            push(
                "tensor parallel",
                ["tensor_parallel_bytes", "tensor_parallel_secs"],
                ["q_t", "t_t"],
                reduces * activation() * &self.microbatches,
                within,
                &[papers::SHOEYBI, papers::KORTHIKANTI],
            )?;
        }
        if !is_alone(&self.pipeline) {
            push(
                "pipeline",
                ["pipeline_bytes", "pipeline_secs"],
                ["q_p", "t_p"],
                2.0 * sent() * &self.microbatches,
                between,
                &[papers::NARAYANAN],
            )?;
        }
        if let Some(experts) = architecture.experts.as_ref().filter(|_| !is_alone(&self.expert)) {
            // Tokens go to their experts and come back, in every pass.
            let trips = 2.0 * passes * sizes.expert_layers(experts) * sizes.experts_per_token(experts);
            push(
                "expert parallel",
                ["expert_parallel_bytes", "expert_parallel_secs"],
                ["q_e", "t_e"],
                trips * ring(&self.expert) * sent() * &self.microbatches,
                between,
                &[papers::GSHARD],
            )?;
        }
        Ok(all)
    }
}

impl Layout {
    /// What of so many blocks tensor parallelism does not split; nothing where it splits all. Norms' inputs, the inputs of
    /// the first products of both halves and latents are whole unless the sequence is split; where whole blocks are
    /// computed again the inputs of these, and all of the one at work. Of keys and values every device has a head at least.
    fn replicated(
        &self,
        sizes: &Sizes<'_>,
        blocks: &Expr,
        work: &Workload,
        keeping: Keeping,
    ) -> Option<Expr> {
        let element = || Expr::constant(keeping.element_bytes, Unit::BYTE);
        let inputs = || (sizes.of.norm.per_layer as f64 + 2.0) * sizes.d_model();
        let mut widths: Vec<Expr> = (!self.splits_sequence).then(inputs).into_iter().collect();
        match &sizes.of.attention {
            Attention::Latent(latent) if !self.splits_sequence => widths.push(2.0 * sizes.latents(latent)),
            Attention::Grouped(grouped) if self.tensor.value()?.to_f64() > grouped.kv_heads as f64 => {
                // With it, the rest being split, every device has a head of both.
                let missing = (&self.tensor - sizes.kv_heads(grouped)) / (&self.tensor - 1.0);
                widths.push(2.0 * sizes.d_head(grouped) * missing);
            }
            _ => {}
        }
        let each = widths.into_iter().reduce(|sum, width| sum + width)? * element();
        let each = if keeping.has_dropout && !self.splits_sequence {
            each + 2.0 * sizes.d_model() * Expr::constant(1.0, Unit::BYTE)
        } else {
            each
        };
        Some(match work.recompute {
            Recompute::Full if self.splits_sequence => work.positions() * each,
            // The input of the block at work is one of those that are kept.
            Recompute::Full => work.positions() * ((blocks - 1.0) * sizes.d_model() * element() + each),
            _ => blocks * work.positions() * each,
        })
    }
}
