//! MFU of a training run, by each way of counting that is in use.

use super::fields::{ARCHITECTURE, BATCH, CAUSAL, DTYPE, GPU, GPUS, RECOMPUTE, SEQUENCE, SPARSE, SPEED};
use super::time::peak;
use super::workload::{chosen, warn_of_length, workload};
use super::{Calculator, Cell, Inputs, Sheet, Table};
use crate::forms::mfu::trained;
use crate::{DType, FlopCount, Recompute, Result, Sparsity, Workload};

pub(super) const MFU: Calculator = Calculator {
    id: "mfu",
    title: "MFU of a training run",
    about: "The MFU of a run from its tokens per second, with each way of counting FLOPs and each peak beside it",
    example: "napkin calc mfu --model llama-3.1-8b --tokens-per-sec 68k --gpus 8 --gpu h100-sxm --sequence 8192",
    fields: &[&ARCHITECTURE, &SPEED, &GPUS, &GPU, &DTYPE, &SPARSE, &BATCH, &SEQUENCE, &CAUSAL, &RECOMPUTE],
    compute,
};

fn compute(inputs: &Inputs) -> Result<Sheet> {
    let model = chosen(inputs)?;
    let (device, promised) = peak(inputs)?;
    let (speed, gpus) = (inputs.value(&SPEED)?, inputs.value(&GPUS)?);
    let work = workload(inputs, !inputs.switch(&CAUSAL)?)?;
    let count = FlopCount::new(&model.architecture, &work)?;
    let (actual, mfu) = trained(&count.step, &work, &speed, &gpus, &promised)?;
    let remark = mfu.quantity().remark();
    let mut sheet = Sheet::default().with("mfu", "", vec![mfu.into(), actual.into(), count.step.into()]);
    if let Some(remark) = remark {
        sheet.warn(remark);
    }

    let dtype = DType::parse(&inputs.called(&DTYPE), inputs.choice(&DTYPE)?)?;
    let peaks = [Sparsity::Dense, Sparsity::Sparse].map(|sparsity| device.peak(dtype, sparsity).ok());
    let counted = |counts_masked, recompute| {
        FlopCount::new(&model.architecture, &Workload { counts_masked, recompute, ..work.clone() })
    };
    let plain = counted(true, Recompute::None)?;
    let rows = [
        ("6·N·D", plain.six_nd),
        ("products, masked scores too", plain.step),
        ("products, without masked scores", counted(false, Recompute::None)?.step),
        ("HFU: blocks computed again, too", counted(true, Recompute::Full)?.step),
    ];
    let mut table =
        Table::new(&["what is counted", "FLOPs of a step", "of the dense peak", "of the sparse peak"]);
    for (name, step) in rows {
        let mut cells = vec![Cell::from(&step)];
        for promised in &peaks {
            cells.push(match promised {
                Some(promised) => Cell::from(&trained(&step, &work, &speed, &gpus, promised)?.1),
                None => Cell::from("–"),
            });
        }
        table.row(name, cells);
    }
    sheet = sheet.with("conventions", "The same run, counted in each way", table);
    sheet.note("Who counts a multiplication and its addition as one, in MACs, gets half of each figure.");
    sheet.note("Training is dense: its MFU is that of the dense peak. Say with every MFU which row and which column it is.");
    warn_of_length(&mut sheet, &model, &work);
    Ok(sheet)
}
