//! The command line. Numbers come as text and are read by accounting, whose errors name the argument.

use clap::{Args, Parser, Subcommand};

/// Sums on a napkin for training language models, and the kernels behind them timed on this machine.
#[derive(Debug, Parser)]
#[command(name = "napkin", version, propagate_version = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Compute with closed forms, without running anything
    Calc {
        #[command(subcommand)]
        what: Calc,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum Calc {
    /// How long training takes: 6·N·D over peak, MFU and GPUs
    ///
    /// Example: napkin calc time --params 70B --tokens 15T --gpu h100-sxm --gpus 1024 --mfu 0.5
    #[command(verbatim_doc_comment)]
    Time(TimeArgs),
}

#[derive(Debug, Args)]
pub(crate) struct TimeArgs {
    /// Parameters N of the model, such as 70B or 7e10
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub(crate) params: String,
    /// Training tokens D, such as 15T
    #[arg(long, value_name = "D", allow_hyphen_values = true)]
    pub(crate) tokens: String,
    /// Device from the catalogue, such as h100-sxm; an unknown one lists all
    #[arg(long, value_name = "ID")]
    pub(crate) gpu: String,
    /// Number of devices
    #[arg(long, value_name = "COUNT", allow_hyphen_values = true)]
    pub(crate) gpus: String,
    /// Share of the peak that is reached, such as 0.5 or 50%
    #[arg(long, value_name = "SHARE", allow_hyphen_values = true)]
    pub(crate) mfu: String,
    /// Format of the products: fp32, tf32, fp16, bf16, fp8 or fp4
    #[arg(long, value_name = "DTYPE", default_value = "bf16")]
    pub(crate) dtype: String,
    /// Take the peak with 2:4 sparsity, twice the dense one; training is dense
    #[arg(long)]
    pub(crate) sparse: bool,
    /// Show the derivation with all sources
    #[arg(long)]
    pub(crate) explain: bool,
    /// Print Python that computes the days
    #[arg(long, conflicts_with_all = ["explain", "json"])]
    pub(crate) python: bool,
    /// Print JSON; with --explain including the derivation
    #[arg(long)]
    pub(crate) json: bool,
}
