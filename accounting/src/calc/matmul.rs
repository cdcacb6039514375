//! A product of matrices: work, data, time, MFU.

use super::fields::{B, D, DTYPE, GPU, K, SECS, SPARSE};
use super::time::peak;
use super::{Calculator, Inputs, Point, Roof, Roofline, Sheet};
use crate::forms::mfu::reached;
use crate::{Count, DType, Matmul, Result, Seconds, ridge, time_bound};

pub(super) const MATMUL: Calculator = Calculator {
    id: "matmul",
    title: "FLOPs and MFU of a product",
    about: "What a product of a B×D and a D×K matrix costs, what bounds its time on a device, and its MFU",
    example: "napkin calc matmul --b 16384 --d 32768 --k 8192 --secs 0.0322",
    fields: &[&B, &D, &K, &DTYPE, &GPU, &SPARSE, &SECS],
    compute,
};

fn compute(inputs: &Inputs) -> Result<Sheet> {
    let dtype = DType::parse(&inputs.called(&DTYPE), inputs.choice(&DTYPE)?)?;
    let product = Matmul {
        b: inputs.quantity::<Count>(&B)?,
        d: inputs.quantity::<Count>(&D)?,
        k: inputs.quantity::<Count>(&K)?,
        dtype,
    };
    let (flop, bytes, intensity) = (product.flop()?, product.bytes()?, product.intensity()?);
    let mut sheet = Sheet::default().with(
        "work",
        "",
        vec![flop.clone().into(), bytes.clone().into(), intensity.clone().into()],
    );
    let (device, peak) = peak(inputs)?;
    let bandwidth = match device.bandwidth() {
        Ok(bandwidth) => bandwidth.value("bandwidth_bytes_per_sec", "W")?,
        Err(error) => {
            sheet.note(format!("What bounds it is not told: {error}."));
            return Ok(sheet);
        }
    };
    let bound = time_bound(&flop, &bytes, &peak, &bandwidth)?;
    let rate = flop.value.to_f64() / bound.time.value.to_f64();
    sheet.note(format!(
        "On the {}, {} takes longer.",
        device.name,
        if bound.is_compute_bound() { "arithmetic" } else { "moving bytes" }
    ));
    let ridge = ridge(&peak, &bandwidth)?;
    let mut points = vec![Point {
        label: "this product, at best".to_owned(),
        intensity_flop_per_byte: intensity.value.to_f64(),
        flop_per_sec: rate,
        is_measured: false,
    }];
    sheet = sheet.with(
        "bound",
        "At best",
        vec![bound.time.into(), bound.compute.into(), bound.memory.into(), ridge.into()],
    );
    if let Some(secs) = inputs.maybe::<Seconds>(&SECS)? {
        let (actual, mfu) = reached(&flop, &secs, &peak)?;
        points.push(Point {
            label: "as measured".to_owned(),
            intensity_flop_per_byte: intensity.value.to_f64(),
            flop_per_sec: actual.value.to_f64(),
            is_measured: true,
        });
        if let Some(remark) = mfu.quantity().remark() {
            sheet.warn(remark);
        }
        sheet = sheet.with("mfu", "As measured", vec![mfu.into(), actual.into()]);
    }
    let roof = Roof {
        label: format!("{}, {dtype}", device.name),
        peak_flop_per_sec: peak.flop_per_sec().value(),
        bandwidth_bytes_per_sec: bandwidth.quantity().value(),
        is_measured: false,
    };
    Ok(sheet.with("roofline", "", Roofline { roofs: vec![roof], points }))
}
