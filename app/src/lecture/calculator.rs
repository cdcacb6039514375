//! A calculator bound to the lecture around it: its fields and the sliders of the same cell that have their names are one
//! value.

use leptos::context::Provider;
use leptos::prelude::*;
use napkin_accounting::calc::{calculator as named, start_texts};
use napkin_trace::trace::{Drawing, Question, Rendering, Slider};

use super::model::{SliderRange, number};
use super::run::use_run;
use super::state::use_lecture;
use crate::components::RenderingView;
use crate::components::calculator::Calculators;

/// A rendering that is a calculator; the ids in it begin with `id`. File and function are those of its statement.
pub fn calculator(rendering: Rendering, id: String, path: String, function: String) -> AnyView {
    if let Some(Drawing::Calculator(question)) = rendering.drawing()
        && let Ok(texts) = start_texts(&question.which, &question.options)
    {
        let calculators = Calculators::provide(texts).in_address(&id);
        bind(calculators, &question, &path, &function);
        return view! { <Provider value=calculators><RenderingView rendering id /></Provider> }.into_any();
    }
    view! { <RenderingView rendering id /> }.into_any()
}

/// Makes each field to which the lecture gives a slider's value follow that slider, and the slider the field.
fn bind(calculators: Calculators, question: &Question, path: &str, function: &str) {
    let (state, run) = (use_lecture(), use_run());
    let given = |name: &str| {
        let mut options = question.options.keys();
        let option = options.find(|option| option.eq_ignore_ascii_case(name))?.replace('_', "-");
        Some(named(&question.which)?.field(&option)?.key)
    };
    let sliders: Vec<Slider> = state.lecture.with_untracked(|lecture| {
        let all = lecture.trace.sliders.get(path).into_iter().flatten();
        all.filter(|slider| slider.function_name == function).cloned().collect()
    });
    for slider in sliders {
        let Some(key) = given(slider.name.rsplit('.').next().unwrap_or_default()) else { continue };
        let built = untrack(|| state.built(path, &slider)).unwrap_or_default();
        // Where the calculator begins with another number it is about another example.
        if !calculators.start().get(key).is_some_and(|start| is_same(start, &built)) {
            continue;
        }
        let slider = StoredValue::new((path.to_owned(), slider));
        let setting = Memo::new(move |_| slider.with_value(|(path, slider)| state.setting(path, slider)));
        let field = Memo::new(move |_| calculators.text(key).unwrap_or_default());
        Effect::new(move |before: Option<(String, String)>| {
            let now = (setting.get(), field.get());
            let (setting_before, field_before) = before.unwrap_or_else(|| (built.clone(), now.1.clone()));
            if is_same(&now.0, &now.1) {
                // One of them has just followed the other.
            } else if !is_same(&setting_before, &now.0) {
                calculators.set(key, &now.0);
            } else if field_before != now.1 {
                let (path, slider) = slider.get_value();
                if let Ok(value) = SliderRange::new(&slider).read(&now.1) {
                    state.set_slider(&path, &slider, value);
                    run.run_cell(path, slider.function_name);
                }
            }
            now
        });
    }
}

/// Whether two texts are the same number.
fn is_same(one: &str, other: &str) -> bool {
    one == other || number(one).is_some_and(|one| Some(one) == number(other))
}
