//! What has been found out about an adapter's kernels: which of them multiply right there, and which are the fastest.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::info::GpuInfo;
use super::plan::Plan;
use super::tiles::{ShapeClass, Tile};
use crate::dtype::DType;

/// First word of a record's text; a new meaning of its lines gets a new number.
const FORMAT: &str = "napkin-tuning-3";

/// What was checked is good for these sources of the kernels only, and for what writes them out.
const SOURCES: u64 = hash(&[
    include_str!("matmul.rs"),
    include_str!("operand.rs"),
    include_str!("template.rs"),
    include_str!("tiles.rs"),
    shader!("matmul"),
    shader!("matmul_tiled"),
    shader!("matmul_register"),
    shader!("matmul_skinny"),
    shader!("matmul_units"),
    shader!("codec"),
]);

/// A check that was begun so often and never ended is not begun again.
const MOST_BEGUN: u32 = 2;

/// What is known of a kernel with operands of one dtype.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Finding {
    /// Its products are those of the plain kernel.
    Right,
    /// It is not used, and why.
    Aside(String),
    /// So many checks have begun and not ended: one goes on, or took the program with it.
    Begun(u32),
}

/// A kernel that was compared with the plain one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check {
    pub(crate) tile: Tile,
    /// Of its operands.
    pub dtype: DType,
    pub(crate) finding: Finding,
}

impl Check {
    /// The kernel's name.
    #[must_use]
    pub fn kernel(&self) -> String {
        self.tile.name()
    }

    /// Why the kernel is not used; nothing where it is right.
    #[must_use]
    pub fn aside(&self) -> Option<&str> {
        match &self.finding {
            Finding::Right => None,
            Finding::Aside(why) => Some(why),
            Finding::Begun(_) => Some("it was tried and has not come back"),
        }
    }
}

/// What has been found out about an adapter's kernels.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Record {
    tuned: BTreeMap<ShapeClass, Plan>,
    checks: Vec<Check>,
}

impl Record {
    /// Reads what [`Record::to_text`] wrote. A text of another adapter or driver, of other kernels or of another format
    /// gives none; lines that are not understood are left out.
    #[must_use]
    pub fn from_text(text: &str, info: &GpuInfo) -> Option<Self> {
        let mut lines = text.lines();
        if lines.next() != Some(heading().as_str()) || lines.next() != Some(info.tuning_key().as_str()) {
            return None;
        }
        let mut record = Self::default();
        for line in lines {
            let words: Vec<&str> = line.splitn(4, ' ').collect();
            match words[..] {
                [class, kernel] => {
                    let plan = Plan::from_name(kernel).filter(|plan| plan.tile.fits(info));
                    if let (Some(class), Some(plan)) = (ShapeClass::from_name(class), plan) {
                        record.tuned.insert(class, plan);
                    }
                }
                [word, kernel, dtype, ref rest @ ..] => {
                    let rest = rest.first().copied().unwrap_or_default();
                    let finding = match word {
                        "right" => Some(Finding::Right),
                        "aside" => Some(Finding::Aside(rest.to_owned())),
                        "begun" => rest.parse().ok().map(Finding::Begun),
                        _ => None,
                    };
                    if let (Some(tile), Some(dtype), Some(finding)) =
                        (Tile::from_name(kernel), DType::from_name(dtype), finding)
                    {
                        record.set(tile, dtype, finding);
                    }
                }
                _ => {}
            }
        }
        Some(record)
    }

    /// This, and what another has found out since.
    #[must_use]
    pub fn updated(mut self, newer: Self) -> Self {
        self.tuned.extend(newer.tuned);
        for Check { tile, dtype, finding } in newer.checks {
            // A check that has only begun there may have ended here.
            let is_settled = matches!(self.finding(tile, dtype), Some(Finding::Right | Finding::Aside(_)));
            if !(is_settled && matches!(finding, Finding::Begun(_))) {
                self.set(tile, dtype, finding);
            }
        }
        self
    }

    /// As a text for a file or the browser's storage.
    #[must_use]
    pub fn to_text(&self, info: &GpuInfo) -> String {
        let mut text = format!("{}\n{}\n", heading(), info.tuning_key());
        for (class, plan) in &self.tuned {
            let _ = writeln!(text, "{} {}", class.name(), plan.name());
        }
        for Check { tile, dtype, finding } in &self.checks {
            let (word, rest) = match finding {
                Finding::Right => ("right", String::new()),
                Finding::Aside(why) => ("aside", why.replace(['\n', '\r'], " ")),
                Finding::Begun(times) => ("begun", times.to_string()),
            };
            let line = format!("{word} {} {} {rest}", tile.name(), dtype.name());
            let _ = writeln!(text, "{}", line.trim_end());
        }
        text
    }

    /// Which products a kernel was chosen for by measuring, in words, and the kernel.
    pub fn chosen(&self) -> impl Iterator<Item = (String, String)> {
        self.tuned.iter().map(|(class, plan)| (class.to_string(), plan.name()))
    }

    /// The kernels that were compared with the plain one, by the dtypes of their operands.
    #[must_use]
    pub fn checks(&self) -> &[Check] {
        &self.checks
    }

    pub(crate) fn tuned(&self, class: ShapeClass) -> Option<Plan> {
        self.tuned.get(&class).copied()
    }

    pub(crate) fn choose(&mut self, class: ShapeClass, plan: Plan) {
        self.tuned.insert(class, plan);
    }

    pub(crate) fn finding(&self, tile: Tile, dtype: DType) -> Option<&Finding> {
        self.checks
            .iter()
            .find(|check| (check.tile, check.dtype) == (tile, dtype))
            .map(|check| &check.finding)
    }

    pub(crate) fn set(&mut self, tile: Tile, dtype: DType, finding: Finding) {
        self.forget(tile, dtype);
        self.checks.push(Check { tile, dtype, finding });
    }

    /// As if the kernel had not been tried.
    pub(crate) fn forget(&mut self, tile: Tile, dtype: DType) {
        self.checks.retain(|check| (check.tile, check.dtype) != (tile, dtype));
    }

    /// Notes that a check begins. False where that came to no end before: then the kernel is set aside.
    pub(crate) fn begin(&mut self, tile: Tile, dtype: DType) -> bool {
        let finding = match self.finding(tile, dtype) {
            Some(Finding::Begun(times @ MOST_BEGUN..)) => {
                Finding::Aside(format!("it was tried {times} times and has not come back"))
            }
            Some(Finding::Begun(times)) => Finding::Begun(times + 1),
            _ => Finding::Begun(1),
        };
        let may_begin = matches!(finding, Finding::Begun(_));
        self.set(tile, dtype, finding);
        may_begin
    }
}

fn heading() -> String {
    format!("{FORMAT} {SOURCES:016x}")
}

/// FNV-1a.
const fn hash(texts: &[&str]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut text = 0;
    while text < texts.len() {
        let bytes = texts[text].as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            hash = (hash ^ bytes[at] as u64).wrapping_mul(0x0100_0000_01b3);
            at += 1;
        }
        text += 1;
    }
    hash
}
