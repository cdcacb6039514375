//! The command line. Numbers come as text and are read by accounting, whose errors name the argument.

use std::path::PathBuf;

use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use napkin_trace::python::Form;

use crate::calc::Calc;
use crate::count::Count;
use crate::device::DeviceArgs;
use crate::failure::Failure;
use crate::output;

/// Sums on a napkin for training language models, and the kernels behind them timed on this machine.
#[derive(Debug, Parser)]
#[command(name = "napkin", version, propagate_version = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Show what this machine can run on: processor, GPU adapters, limits, features
    Info(InfoArgs),
    /// Time kernels on this machine, each checked against f64
    Bench {
        #[command(subcommand)]
        what: Bench,
    },
    /// Look whether this machine computes as it should
    Doctor {
        #[command(subcommand)]
        what: Doctor,
    },
    /// Train a model on this machine
    Train {
        #[command(subcommand)]
        what: Train,
    },
    /// Measure this machine and draw its roofline, with operations below it
    ///
    /// Example: napkin roofline --under rtx-4090,h100-sxm --op "softmax(4096x4096)" --svg roofline.svg
    #[command(verbatim_doc_comment)]
    Roofline(RooflineArgs),
    /// Compute with closed forms, without running anything
    Calc {
        #[command(subcommand)]
        what: Calc,
    },
    /// Run a training step and put what it did beside the closed forms: FLOPs, memory, gradients
    Count {
        #[command(subcommand)]
        what: Box<Count>,
    },
    /// Run a Python program that uses PyTorch
    ///
    /// Example: napkin run lecture.py --set params=7e9 --trace lecture.json
    #[command(verbatim_doc_comment)]
    Run(RunArgs),
    /// Run a lecture and write its trace in the format of the package edtrace, which its viewer shows: values whole, and
    /// only the steps of the file itself
    ///
    /// Example: napkin trace lecture_01.py -o var/traces/lecture_01.json
    #[command(verbatim_doc_comment)]
    Trace(TraceArgs),
    /// Print a cell of a lecture as a script that runs by itself under PyTorch and prints what the cell shows, or a whole
    /// lecture as a notebook, as Markdown or as a deck for Anki
    ///
    /// Example: napkin export public/lectures/resource-accounting.py training_time > training_time.py
    /// Example: napkin export public/lectures/resource-accounting.py --as ipynb > resource-accounting.ipynb
    /// Example: napkin export site lecture.py -o folder
    #[command(verbatim_doc_comment)]
    Export(ExportArgs),
    /// Show a lecture of your own in the page, and again whenever it is saved
    ///
    /// Example: napkin serve lecture.py
    #[command(verbatim_doc_comment)]
    Serve(ServeArgs),
    /// Print a script that completes commands and options in a shell
    Completions {
        /// Which shell
        shell: Shell,
    },
}

#[derive(Debug, Args)]
pub(crate) struct InfoArgs {
    /// Measure one device, for about ten seconds: multiply-adds, memory, transfers, launches, products, operations
    #[arg(long)]
    pub(crate) measure: bool,
    /// Show what earlier runs have found out about the kernels of each adapter: which are used, and which are not and why
    #[arg(long, conflicts_with = "measure")]
    pub(crate) kernels: bool,
    #[command(flatten)]
    pub(crate) device: DeviceArgs,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Bench {
    /// Square matrix products
    ///
    /// Example: napkin bench matmul --n 1024,2048 --dtype f32,f16 --device gpu
    #[command(verbatim_doc_comment)]
    Matmul(MatmulArgs),
    /// A training step of a small Transformer: time, kernels, memory
    ///
    /// Example: napkin bench step --device cpu --dtype f32
    #[command(verbatim_doc_comment)]
    Step(StepArgs),
    /// Any expression; FLOPs and bytes are those that the ledger counts
    ///
    /// Example: napkin bench op 'einsum("b i d, b j d -> b i j", 8x128x64, 8x128x64)'
    #[command(verbatim_doc_comment)]
    Op(OperationArgs),
}

#[derive(Debug, Subcommand)]
pub(crate) enum Doctor {
    /// Every kernel of every family beside the same sums done one after the other in float64; prints a report to send
    ///
    /// Example: napkin doctor gpu --adapter radeon > report.txt
    #[command(verbatim_doc_comment)]
    Gpu(DoctorArgs),
}

#[derive(Debug, Args)]
pub(crate) struct DoctorArgs {
    /// Only a GPU adapter whose name contains this, as `napkin info` lists them
    #[arg(long, value_name = "NAME")]
    pub(crate) adapter: Option<String>,
    /// Ask of the adapter only what WebGPU promises of every one: its default limits, and no features
    #[arg(long)]
    pub(crate) baseline: bool,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct RooflineArgs {
    /// Devices of the catalogue whose promised roofs are laid under the measured ones, separated by commas
    #[arg(long, value_name = "IDS")]
    pub(crate) under: Option<String>,
    /// An expression to measure and place, as for `napkin bench op`; may be given several times
    #[arg(long, value_name = "EXPRESSION", allow_hyphen_values = true)]
    pub(crate) op: Vec<String>,
    /// Format of the tensors of --op
    #[arg(long, value_name = "DTYPE", default_value = "f32")]
    pub(crate) dtype: String,
    /// Take the measurements from this file, as `napkin info --measure --json` writes it, and measure only --op
    #[arg(long, value_name = "FILE")]
    pub(crate) from: Option<PathBuf>,
    /// Write the drawing to this file
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) device: DeviceArgs,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct OperationArgs {
    /// Functions of PyTorch over shapes, each a tensor of random numbers: "softmax(4096x4096)", "[8, 64] @ [64, 8] + 1"
    #[arg(value_name = "EXPRESSION", allow_hyphen_values = true)]
    pub(crate) expression: String,
    /// Format of the tensors, such as f32, f16 or bf16
    #[arg(long, value_name = "DTYPE", default_value = "f32")]
    pub(crate) dtype: String,
    /// Seconds to time it for
    #[arg(long, value_name = "SECONDS", default_value = "1", allow_hyphen_values = true)]
    pub(crate) secs: String,
    #[command(flatten)]
    pub(crate) device: DeviceArgs,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct StepArgs {
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    /// Steps to time, after two that are not
    #[arg(long, default_value = "10", allow_hyphen_values = true)]
    pub(crate) steps: String,
    #[command(flatten)]
    pub(crate) device: DeviceArgs,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct MatmulArgs {
    /// Sizes, separated by commas
    #[arg(long, value_name = "SIZES", default_value = "256,512,1024,2048,4096", allow_hyphen_values = true)]
    pub(crate) n: String,
    /// Formats of factors and result, separated by commas: f32, f16, bf16, e4m3, e5m2
    #[arg(long, value_name = "DTYPES", default_value = "f32,f16")]
    pub(crate) dtype: String,
    /// Seconds to time each product for
    #[arg(long, value_name = "SECONDS", default_value = "1", allow_hyphen_values = true)]
    pub(crate) secs: String,
    #[command(flatten)]
    pub(crate) device: DeviceArgs,
    /// Print a JSON array
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Train {
    /// A deep linear model on linear data, as on the page
    ///
    /// Example: napkin train linear --dim 16 --layers 2 --optimizer adagrad --lr 0.1 --steps 500
    #[command(verbatim_doc_comment)]
    Linear(LinearArgs),
    /// A small character-level Transformer on a text file
    ///
    /// Example: napkin train text shakespeare.txt --steps 2000 --checkpoint run.safetensors
    #[command(verbatim_doc_comment)]
    Text(Box<TextArgs>),
}

/// What moves the weights.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum OptimizerKind {
    /// p −= lr·g
    Sgd,
    /// s += g²; p −= lr·g / √(s + 1e-5)
    Adagrad,
}

impl OptimizerKind {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Sgd => "sgd",
            Self::Adagrad => "adagrad",
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct LinearArgs {
    /// Width D: inputs per point and size of each hidden layer
    #[arg(long, default_value = "16", allow_hyphen_values = true)]
    pub(crate) dim: String,
    /// Hidden layers
    #[arg(long, default_value = "2", allow_hyphen_values = true)]
    pub(crate) layers: String,
    /// Points per step
    #[arg(long, default_value = "4", allow_hyphen_values = true)]
    pub(crate) batch: String,
    /// Learning rate
    #[arg(long, default_value = "0.1", allow_hyphen_values = true)]
    pub(crate) lr: String,
    /// Update rule
    #[arg(long, value_enum, default_value = "adagrad")]
    pub(crate) optimizer: OptimizerKind,
    /// Seed of weights and data; the same seed gives the same run
    #[arg(long, default_value = "1", allow_hyphen_values = true)]
    pub(crate) seed: String,
    /// Steps to take
    #[arg(long, default_value = "500", allow_hyphen_values = true)]
    pub(crate) steps: String,
    #[command(flatten)]
    pub(crate) device: DeviceArgs,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ModelArgs {
    /// Blocks of the Transformer
    #[arg(long, default_value = "4", allow_hyphen_values = true)]
    pub(crate) layers: String,
    /// Heads of attention; they divide the width
    #[arg(long, default_value = "8", allow_hyphen_values = true)]
    pub(crate) heads: String,
    /// Width of the residual stream
    #[arg(long, default_value = "256", allow_hyphen_values = true)]
    pub(crate) dim: String,
    /// Characters that the model sees at once
    #[arg(long, default_value = "128", allow_hyphen_values = true)]
    pub(crate) context: String,
    /// Windows per backward pass
    #[arg(long, default_value = "16", allow_hyphen_values = true)]
    pub(crate) batch: String,
    /// What forward and backward compute in: f32, f16, bf16, or fp8 for the products of linear layers; parameters
    /// stay f32
    #[arg(long, value_name = "DTYPE", default_value = "f32")]
    pub(crate) dtype: String,
}

#[derive(Debug, Args)]
pub(crate) struct TextArgs {
    /// A text in UTF-8; its last tenth is held out
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    /// Backward passes per step, whose gradients are averaged
    #[arg(long, default_value = "1", allow_hyphen_values = true)]
    pub(crate) accumulate: String,
    /// Highest learning rate; a tenth of it is the last one
    #[arg(long, default_value = "1e-3", allow_hyphen_values = true)]
    pub(crate) lr: String,
    /// Steps until the highest learning rate
    #[arg(long, value_name = "STEPS", default_value = "100", allow_hyphen_values = true)]
    pub(crate) warmup: String,
    /// Steps to take in all
    #[arg(long, default_value = "1000", allow_hyphen_values = true)]
    pub(crate) steps: String,
    /// Probability with which an activation is dropped
    #[arg(long, value_name = "SHARE", default_value = "0", allow_hyphen_values = true)]
    pub(crate) dropout: String,
    /// Seed of weights, windows and dropout; the same seed gives the same run on the same device
    #[arg(long, default_value = "1", allow_hyphen_values = true)]
    pub(crate) seed: String,
    /// Write everything that the run needs to go on to this safetensors file
    #[arg(long, value_name = "FILE")]
    pub(crate) checkpoint: Option<PathBuf>,
    /// Steps between two checkpoints; the last step always writes one
    #[arg(long, value_name = "STEPS", default_value = "100", allow_hyphen_values = true)]
    pub(crate) every: String,
    /// Go on from the checkpoint
    #[arg(long, requires = "checkpoint")]
    pub(crate) resume: bool,
    /// Characters that the model writes in the end
    #[arg(long, value_name = "COUNT", default_value = "300", allow_hyphen_values = true)]
    pub(crate) sample: String,
    #[command(flatten)]
    pub(crate) device: DeviceArgs,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ProgramArgs {
    /// The program
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Change a number that the program marks with @slider: name=value or function.name=value
    #[arg(long, value_name = "NAME=VALUE", value_parser = setting)]
    pub(crate) set: Vec<(String, String)>,
    #[command(flatten)]
    pub(crate) device: DeviceArgs,
    /// What the program finds in `sys.argv`
    #[arg(last = true, value_name = "ARGUMENT")]
    pub(crate) arguments: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    #[command(flatten)]
    pub(crate) program: ProgramArgs,
    /// Write down what each statement does, in this JSON file
    #[arg(long, value_name = "FILE")]
    pub(crate) trace: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct TraceArgs {
    #[command(flatten)]
    pub(crate) program: ProgramArgs,
    /// The file to write; without it var/traces/NAME.json, where a viewer looks for it
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(crate) struct ExportArgs {
    #[command(subcommand)]
    pub(crate) what: Option<What>,
    /// The lecture
    #[arg(value_name = "FILE", required = true)]
    pub(crate) file: Option<PathBuf>,
    /// The function that the cell is; without it, the names of all cells are printed
    #[arg(value_name = "CELL")]
    pub(crate) cell: Option<String>,
    /// The whole lecture, as this; only a deck for Anki has the answers to its questions
    #[arg(long = "as", value_name = "FORM", value_enum, conflicts_with = "cell")]
    pub(crate) form: Option<LectureForm>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum What {
    /// Write a folder that any static host can serve: the lecture, live and without a network
    ///
    /// Example: napkin export site lecture.py -o folder
    #[command(verbatim_doc_comment)]
    Site(SiteArgs),
}

#[derive(Debug, Args)]
pub(crate) struct SiteArgs {
    /// The lecture: a program, a recorded trace, or a folder with one of them
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// The folder to write: a new one, or one that this command has written
    #[arg(short, long, value_name = "FOLDER")]
    pub(crate) output: PathBuf,
    /// The built site; without it that of the checkout which this program was compiled in
    #[arg(long, value_name = "FOLDER")]
    pub(crate) site: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct ServeArgs {
    /// The lecture: a program, a recorded trace, or a folder with one of them
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Port to listen on [default: 8080, or a free one when 8080 is taken]
    #[arg(long)]
    pub(crate) port: Option<u16>,
    /// Open the page in the default browser
    #[arg(long)]
    pub(crate) open: bool,
    /// The built site; without it that of the checkout which this program was compiled in
    #[arg(long, value_name = "FOLDER")]
    pub(crate) site: Option<PathBuf>,
}

/// What a whole lecture is written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum LectureForm {
    /// A Jupyter notebook that runs under PyTorch
    Ipynb,
    /// Prose, code and values
    Markdown,
    /// Questions and answers for Anki's File → Import
    Anki,
}

impl From<LectureForm> for Form {
    fn from(form: LectureForm) -> Self {
        match form {
            LectureForm::Ipynb => Self::Notebook,
            LectureForm::Markdown => Self::Markdown,
            LectureForm::Anki => Self::Anki,
        }
    }
}

fn setting(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("it is name=value")?;
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}

/// Writes the script that completes commands and options.
pub(crate) fn completions(shell: Shell) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "napkin", &mut script);
    output::print(&String::from_utf8_lossy(&script))
}

#[cfg(test)]
mod tests {
    use clap::{Command, CommandFactory};

    use super::Cli;

    /// The commands that `doc` does not name.
    fn missing(command: &Command, path: &str, doc: &str) -> Vec<String> {
        let inner = |command: &Command| {
            let (name, path) = (command.get_name(), format!("{path} {}", command.get_name()));
            let is_named = doc.contains(&path) || doc.contains(&format!("`{name}`"));
            let is_told = command.has_subcommands() || is_named;
            let inner = missing(command, &path, doc);
            inner.into_iter().chain((!is_told).then_some(path)).collect::<Vec<_>>()
        };
        command.get_subcommands().flat_map(inner).collect()
    }

    #[test]
    fn docs_cli_names_every_command() {
        let missing = missing(&Cli::command(), "napkin", include_str!("../../docs/cli.md"));
        assert!(missing.is_empty(), "docs/cli.md lacks {missing:?}");
    }
}
