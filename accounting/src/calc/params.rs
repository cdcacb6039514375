//! Parameters of a model, by component.

use super::fields::ARCHITECTURE;
use super::workload::chosen;
use super::{Calculator, Cell, ChosenModel, Inputs, Sheet, Stacks, Table};
use crate::{Derived, Number, ParamCount, Params, Ratio, Result, format};

pub(super) const PARAMS: Calculator = Calculator {
    id: "params",
    title: "Parameters",
    about: "The parameters of a model by component, exactly; with experts also those that a token meets",
    example: "napkin calc params --model llama-3.1-70b",
    fields: &[&ARCHITECTURE],
    compute,
};

fn compute(inputs: &Inputs) -> Result<Sheet> {
    let model = chosen(inputs)?;
    let count = ParamCount::new(&model.architecture)?;
    let has_experts = model.architecture.experts.is_some();
    let mut table = Table::new(if has_experts {
        &["component", "parameters", "share", "a token meets"]
    } else {
        &["component", "parameters", "share"]
    });
    let cells = |total: &Derived<Params>, active: &Derived<Params>| {
        let mut cells = vec![Cell::from(total), Cell::from(share(total, &count.total))];
        cells.extend(has_experts.then(|| Cell::from(active)));
        cells
    };
    for part in &count.components {
        table.row(part.title, cells(&part.total, &part.active));
    }
    table.total(model.name.clone(), cells(&count.total, &count.active));
    let mut figures = vec![count.total.clone().into()];
    if has_experts {
        figures.push(count.active.clone().into());
    }
    figures.push(count.multiplied.clone().into());
    let parts = count.components.iter().filter(|part| part.total.value != 0.0);
    let bar = (model.name.clone(), parts.map(|part| part.total.clone().into()).collect());
    let mut sheet = Sheet::default()
        .with("params", "", figures)
        .with("components", "By component", table)
        .with("shares", "", Stacks { bars: vec![bar], limit: None });
    about_model(&mut sheet, &model, &count);
    Ok(sheet)
}

/// "12.3%"
pub(super) fn share(part: &impl AsNumber, whole: &impl AsNumber) -> String {
    let share = part.number().to_f64() / whole.number().to_f64() * 100.0;
    if share.is_finite() { format!("{}%", format::short(share, crate::Unit::NONE)) } else { "–".to_owned() }
}

/// What has a value.
pub(super) trait AsNumber {
    fn number(&self) -> Number;
}

impl<Q> AsNumber for Derived<Q> {
    fn number(&self) -> Number {
        self.value
    }
}

/// What the catalogue says of a model beside its count.
fn about_model(sheet: &mut Sheet, model: &ChosenModel, count: &ParamCount) {
    let Some(record) = &model.record else { return };
    if let Some(published) = &record.parameters {
        let stated = format::short(published.published.value, crate::Unit::PARAM);
        sheet.note(format!(
            "Published for {}: {stated} ({}).",
            model.name,
            published.published.mark.describe()
        ));
        let ratio = Ratio::new(count.total.value.to_f64() / published.published.value);
        if !(0.95..=1.05).contains(&ratio.value()) {
            sheet.warn(format!("The count is {ratio} times the published figure."));
        }
    }
    for remark in &record.remarks {
        sheet.note(remark.clone());
    }
}
