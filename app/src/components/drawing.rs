//! Drawings of a trace that are no prose: from the data to their components.

use leptos::prelude::*;
use napkin_accounting::calc::start_texts;
use napkin_trace::trace::{Drawing, Question, Value};

use super::calculator::{Calculator, Calculators, Texts};
use super::charts::{HistogramView, MemoryView, PlotView};
use super::count::Count;
use super::dtypes::{Bits, NumberLine, format_named};
use super::grid::Grid;
use super::heat::HeatView;
use super::machine::Machine;
use super::mfu::Mfu;
use super::number::number_of;
use super::product::{DTYPES, Product};
use super::strides::{Model, Strides};
use super::table::TableFigure;
use super::tensor::TensorView;
use super::training_loop::TrainingLoop;
use super::value::DataView;
use super::vega::VegaView;

/// A drawing; the ids in it begin with `id`.
pub fn drawing(drawing: Drawing, id: String) -> AnyView {
    match drawing {
        Drawing::Lines(plot) => view! { <PlotView plot id /> }.into_any(),
        Drawing::Plot(spec) => view! { <VegaView spec id /> }.into_any(),
        Drawing::Histogram(of) => view! { <HistogramView of id /> }.into_any(),
        Drawing::Table(table) => {
            let grid = Grid::new(&table.title, &table.columns, table.rows);
            view! { <TableFigure grid /> }.into_any()
        }
        Drawing::Memory(held) => view! { <MemoryView held id /> }.into_any(),
        Drawing::Heat { tensor } => view! { <HeatView tensor /> }.into_any(),
        Drawing::NumberLine { formats } => view! { <NumberLine formats /> }.into_any(),
        Drawing::Strides { tensors, names } => strides(tensors, &names),
        Drawing::Bits { value, format } => match (number_of(&value), format_named(&format)) {
            (Some(number), Some(format)) => view! { <Bits number format /> }.into_any(),
            // In a format of more than 32 bits, or that nobody knows, it stands as it is.
            _ => view! { <p><DataView data=value /> {format!(" in {format}")}</p> }.into_any(),
        },
        Drawing::Calculator(question) => {
            let (id, title) = (question.which.clone(), format!("Calculator: {}", question.which));
            ask(&question.which, title, &question, || match id.as_str() {
                "mfu" => view! { <Mfu /> }.into_any(),
                _ => view! { <Calculator id /> }.into_any(),
            })
        }
        Drawing::Count(question) => {
            let model = question.which.clone();
            let title = format!("A step of a {model} model, counted");
            let id = format!("count-{model}");
            ask(&id, title, &question, || view! { <Count model /> }.into_any())
        }
        Drawing::Machine {} => {
            Calculators::provide(Texts::new());
            view! { <Machine /> }.into_any()
        }
        Drawing::Training(start) => view! { <TrainingLoop start /> }.into_any(),
        Drawing::Product(of) => {
            let dtype = DTYPES.iter().find(|(_, torch)| *torch == of.dtype).map_or("fp32", |(id, _)| id);
            let sizes = [("b", of.m.to_string()), ("d", of.k.to_string()), ("k", of.n.to_string())];
            let texts = sizes.into_iter().chain([("dtype", dtype.to_owned())]);
            Calculators::provide(texts.map(|(key, text)| (key.to_owned(), text)).collect());
            view! { <Product /> }.into_any()
        }
        // Prose and pictures are the page's own.
        _ => ().into_any(),
    }
}

/// What computes with the lecture's numbers in its fields, or why it cannot.
fn ask(id: &str, title: String, question: &Question, view: impl FnOnce() -> AnyView) -> AnyView {
    // Whoever provides calculators has found that they can answer.
    if use_context::<Calculators>().is_some() {
        return view();
    }
    match start_texts(id, &question.options) {
        Ok(texts) => {
            Calculators::provide(texts);
            view()
        }
        Err(error) => view! {
            <section class="calculator" aria-label=title.clone()>
                <p class="calculator-head">{title.clone()}</p>
                <p class="remark is-warning">{error.to_string()}</p>
            </section>
        }
        .into_any(),
    }
}

/// Tensors to explore; where it is not told how they lie in memory, their elements.
fn strides(tensors: Vec<Value>, names: &[String]) -> AnyView {
    let name = |at: usize| names.get(at).cloned().unwrap_or_else(|| format!("t{}", at + 1));
    let named = tensors.into_iter().enumerate().map(|(at, tensor)| (name(at), tensor));
    let named: Vec<(String, Value)> = named.collect();
    match Model::of_trace(&named) {
        Some(start) => view! { <Strides start /> }.into_any(),
        None => {
            let views = named.into_iter().map(|(name, tensor)| view! { <TensorView name tensor /> });
            view! { <figure class="drawing">{views.collect_view()}</figure> }.into_any()
        }
    }
}
