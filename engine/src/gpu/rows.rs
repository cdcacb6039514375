//! Kernels of whole rows: dispatches of shaders/softmax.wgsl, norm.wgsl, norm_parameters.wgsl and
//! cross_entropy.wgsl.

use std::fmt::Write as _;

use super::alarm;
use super::core::{Core, Dispatch};
use super::map::scratch;
use super::operand::{Binding, Collapsed, Number, storage, uniforms, word};
use super::reduce::reduce;
use super::template::{Variables, expand};
use crate::backend::{Operand, Reduction};
use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::layout::Layout;
use crate::rows::{Frame, Operands, Place, Rows};

/// Invocations per workgroup where each has a row of its own.
const THREADS: usize = 64;

/// Rows that shaders/norm_parameters.wgsl sums up before it begins another part.
const CHUNK: usize = 64;

/// An operand by its name in the shader.
struct Named<'a> {
    name: &'static str,
    operand: Operand<'a>,
    place: Place,
    is_output: bool,
    /// One element per row, or one for all.
    is_splat: bool,
}

/// A kernel to be launched, with its operands in the order of their bindings.
struct Launch<'a> {
    op: Rows,
    frame: Frame,
    named: Vec<Named<'a>>,
    file: &'static str,
    source: &'static str,
    /// Conditions of the template, and what makes a variant of its own.
    flags: Vec<(&'static str, bool)>,
    own_words: [u32; 4],
}

impl<'a> Launch<'a> {
    fn add(&mut self, name: &'static str, operand: Option<Operand<'a>>, is_output: bool) -> Result<()> {
        if let Some(operand) = operand {
            let place = self.frame.place(self.op, operand)?;
            let is_splat = place.column == 0;
            self.named.push(Named { name, operand, place, is_output, is_splat });
        }
        Ok(())
    }

    fn inputs(&mut self, names: &[&'static str], operands: &Operands<'a>) -> Result<()> {
        names.iter().enumerate().try_for_each(|(at, name)| self.add(name, operands.optional(at), false))
    }

    fn outputs(&mut self, names: &[&'static str], operands: &Operands<'a>) -> Result<()> {
        names.iter().enumerate().try_for_each(|(at, name)| self.add(name, Some(operands.output(at)?), true))
    }

    fn has(&self, name: &str) -> bool {
        self.named.iter().any(|named| named.name == name)
    }
}

pub(crate) fn rows(
    core: &Core,
    op: Rows,
    inputs: &[Option<Operand<'_>>],
    outputs: &[Operand<'_>],
) -> Result<()> {
    let operands = Operands::new(op, inputs, outputs);
    let frame = Frame::of(op, operands.input(0)?)?;
    let (file, source) = match op {
        Rows::Softmax(_) | Rows::SoftmaxBackward(_) => ("softmax", shader!("softmax")),
        Rows::Norm { .. } | Rows::NormBackward => ("norm", shader!("norm")),
        Rows::NormParameters => ("norm_parameters", shader!("norm_parameters")),
        Rows::CrossEntropy(_) | Rows::CrossEntropyBackward(_) => ("cross_entropy", shader!("cross_entropy")),
    };
    let mut launch =
        Launch { op, frame, named: Vec::new(), file, source, flags: Vec::new(), own_words: [0; 4] };
    match op {
        Rows::Softmax(how) | Rows::SoftmaxBackward(how) => {
            let is_backward = matches!(op, Rows::SoftmaxBackward(_));
            launch.inputs(if is_backward { &["g", "y"] } else { &["x", "mask"] }, &operands)?;
            launch.outputs(&["out"], &operands)?;
            launch.flags = vec![
                ("BACKWARD", is_backward),
                ("LOG", how.is_log),
                ("CAUSAL", how.is_causal),
                ("SAFE", how.is_safe),
            ];
            launch.own_words[0] = (how.scale as f32).to_bits();
        }
        Rows::Norm { centred, eps } => {
            launch.inputs(&["x", "weight", "bias"], &operands)?;
            launch.outputs(&["out", "rstd", "mean"][..if centred { 3 } else { 2 }], &operands)?;
            launch.own_words[0] = (eps as f32).to_bits();
        }
        Rows::NormBackward => {
            launch.inputs(&["g", "x", "rstd", "mean", "weight"], &operands)?;
            launch.outputs(&["out"], &operands)?;
        }
        Rows::NormParameters => {
            launch.inputs(&["g", "x", "rstd", "mean"], &operands)?;
            return parameters(core, launch, &operands);
        }
        Rows::CrossEntropy(how) | Rows::CrossEntropyBackward(how) => {
            if matches!(op, Rows::CrossEntropy(_)) {
                launch.inputs(&["x", "labels", "weight"], &operands)?;
                launch.outputs(&["loss", "share", "top", "logs"], &operands)?;
            } else {
                launch.inputs(&["x", "labels", "top", "logs", "g", "weight"], &operands)?;
                launch.outputs(&["out"], &operands)?;
            }
            launch.flags = vec![("SMOOTH", how.label_smoothing != 0.0)];
            let spread = how.label_smoothing / launch.frame.columns as f64;
            let label = how.ignore_index as u64;
            launch.own_words = [
                label as u32,
                (label >> 32) as u32,
                (how.label_smoothing as f32).to_bits(),
                (spread as f32).to_bits(),
            ];
            if launch.frame.columns == 0 && launch.frame.rows() > 0 {
                return Err(Error::Shape { op: "cross_entropy", message: "there is no class".into() });
            }
        }
    }
    let is_backward = matches!(op, Rows::NormBackward | Rows::CrossEntropyBackward(_));
    if file != "softmax" {
        launch.flags.push(("BACKWARD", is_backward));
        launch.flags.extend(
            [("WEIGHT", "weight"), ("BIAS", "bias"), ("CENTRED", "mean")]
                .map(|(flag, name)| (flag, launch.has(name))),
        );
    }
    let lanes = lanes(core, launch.frame.columns);
    let per_group = if lanes == 1 { THREADS } else { 1 };
    let workgroups = launch.frame.rows().div_ceil(per_group);
    launch.dispatch(core, lanes, workgroups)
}

/// Invocations per row: about four elements each, but no fewer than run together anyway.
fn lanes(core: &Core, columns: usize) -> usize {
    let alone = if core.info.is_software { 256 } else { 32 };
    if columns <= alone { 1 } else { (columns / 4).next_power_of_two().clamp(32, 256) }
}

/// Derivatives by weight and bias: sums of parts, then sums of those.
fn parameters<'a>(core: &Core, mut launch: Launch<'a>, operands: &Operands<'a>) -> Result<()> {
    let (rows, columns) = (launch.frame.rows(), launch.frame.columns);
    if rows == 0 || columns == 0 {
        return Ok(());
    }
    let outputs: Vec<Operand<'_>> = (0..2).map_while(|at| operands.output(at).ok()).collect();
    let parts = rows.div_ceil(CHUNK);
    let layout = Layout::contiguous(&[parts, columns])?;
    let buffers =
        outputs.iter().map(|_| scratch(core, Number::F32, parts * columns)).collect::<Result<Vec<_>>>()?;
    let partial: Vec<Operand<'_>> = (buffers.iter())
        .map(|buffer| Operand { storage: &**buffer, layout: &layout, dtype: DType::F32 })
        .collect();
    // The kernel writes them by itself, part by part.
    let place = Place { offset: 0, strides: vec![0; launch.frame.lead.len()], column: 0 };
    launch.flags = vec![("CENTRED", launch.has("mean")), ("BIAS", outputs.len() > 1)];
    let mut launch = Launch { named: launch.named, ..launch };
    for (name, &operand) in ["dweight", "dbias"].into_iter().zip(&partial) {
        launch.named.push(Named { name, operand, place: place.clone(), is_output: true, is_splat: true });
    }
    launch.dispatch(core, 1, parts * columns.div_ceil(THREADS))?;
    for (&partial, &out) in partial.iter().zip(&outputs) {
        reduce(core, Reduction::Sum, 1.0, partial, &[0], out)?;
    }
    Ok(())
}

impl Launch<'_> {
    fn dispatch(&self, core: &Core, lanes: usize, workgroups: usize) -> Result<()> {
        let op = self.op.name();
        let w = |value: usize| word(op, value);
        let mut buffers =
            self.named.iter().map(|n| storage(core, op, n.operand)).collect::<Result<Vec<_>>>()?;
        let (rows, columns) = (self.frame.rows(), self.frame.columns);
        if rows == 0 || columns == 0 {
            return Ok(());
        }
        let vector = self.file != "norm_parameters" && self.vectorizes();
        let step = if vector { 4 } else { 1 };
        let strides: Vec<_> = self.named.iter().map(|n| n.place.strides.clone()).collect();
        let lead = Collapsed::new(&self.frame.lead, &strides);
        let mut data = vec![w(rows)?, w(columns / step)?, w(columns)?, w(self.frame.height())?];
        data.extend(self.own_words);
        for &size in &lead.shape {
            data.push(w(size)?);
        }
        for (named, strides) in self.named.iter().zip(&lead.strides) {
            data.push(w(named.place.offset)?);
            for &stride in strides.iter().chain([&named.place.column]) {
                data.push(w(stride)?);
            }
        }
        let (params, words4) = uniforms(op, &data, format_args!("{} dimensions", lead.shape.len()))?;
        let mut name = format!("{} {} {words4} {lanes} {vector}", self.file, lead.shape.len());
        for (flag, value) in &self.flags {
            let _ = write!(name, " {flag}={value}");
        }
        for named in &self.named {
            let _ = write!(name, " {} {} {}", named.name, named.operand.dtype, named.is_splat);
        }
        let mut access: Vec<bool> = self.named.iter().map(|n| n.is_output).collect();
        let alarm = if self.reports() { Some(core.alarm()?) } else { None };
        if let Some(alarm) = &alarm {
            buffers.push(alarm);
            access.push(true);
        }
        let kernel = core.kernels.get(&core.device, &core.faults, &name, &access, || {
            self.wgsl(lead.shape.len(), words4, lanes, vector)
        })?;
        core.dispatch(Dispatch {
            kernel: &kernel,
            buffers: &buffers,
            params,
            workgroups: workgroups as u64,
            flops: 16 * rows as u64 * columns as u64,
        })
    }

    /// Whether groups of four columns are whole words of every operand.
    fn vectorizes(&self) -> bool {
        let aligned = |n: &usize| n.is_multiple_of(4);
        aligned(&self.frame.columns)
            && self.named.iter().all(|named| {
                let place = &named.place;
                named.is_splat
                    || (place.column == 1 && aligned(&place.offset) && place.strides.iter().all(aligned))
            })
    }

    fn wgsl(&self, lead: usize, words4: usize, lanes: usize, vector: bool) -> Result<String> {
        let mut text = String::new();
        for (at, named) in self.named.iter().enumerate() {
            let is_whole = named.operand.dtype == DType::I64;
            let binding = Binding {
                vector: vector && !named.is_splat,
                write: named.is_output,
                number: if is_whole { Number::I64 } else { Number::F32 },
                ..Binding::default()
            };
            text += &binding.declare(named.name, at, named.operand.dtype)?;
            let variables = Variables::default()
                .with("NAME", named.name)
                .with("OPERAND", at)
                .with("LEAD", lead)
                .with("VECTOR", vector)
                .with("SPLAT", named.is_splat)
                .with("WRITE", named.is_output)
                .with("WHOLE", is_whole);
            text += &expand("row_operand", shader!("row_operand"), &variables)?;
        }
        let mut variables = Variables::default()
            .with("WORDS4", words4)
            .with("LANES", lanes)
            .with("THREADS", if lanes == 1 { THREADS } else { lanes })
            .with("CHUNK", CHUNK)
            .with("ROW", if lanes == 1 { "id * 64u + t" } else { "id" })
            .with("LANE", if lanes == 1 { "0u" } else { "t" })
            .with("VECTOR", vector)
            .with("REAL", Number::F32.arithmetic(false)?)
            .with("OPERANDS", text)
            .with("ALARM", if self.reports() { alarm::declare(self.named.len())? } else { String::new() })
            .with("LOGARITHM", shader!("logarithm"))
            .with("MASK", self.mask());
        for &(flag, value) in &self.flags {
            variables = variables.with(flag, value);
        }
        let rows = expand("rows", shader!("rows"), &variables)?;
        expand(self.file, self.source, &variables.with("ROWS", rows))
    }

    /// Whether the kernel looks at labels for the first time, which may be no classes.
    fn reports(&self) -> bool {
        matches!(self.op, Rows::CrossEntropy(_))
    }

    fn mask(&self) -> &'static str {
        match self.named.iter().find(|named| named.name == "mask") {
            None => "none",
            Some(mask) if mask.operand.dtype == DType::Bool => "choose",
            Some(_) => "add",
        }
    }
}
