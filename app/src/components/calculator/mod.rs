//! Calculators: fields with sliders, figures that open on how they come about, charts, exports.
//!
//! What is assumed and what follows from it is [`Calculators`], without a browser; the components show it. The closed
//! forms are those of `napkin_accounting`, computed on the page's own thread as soon as a field changes.

mod answer_section;
mod calculators;
mod changes;
mod control;
mod custom_record;
mod derivation;
mod fields;
mod figures;
mod group;
mod list_field;
mod wording;

#[cfg(test)]
mod tests;

use leptos::html::Div;
use leptos::prelude::*;
use napkin_accounting::calc;

pub use calculators::{Calculators, SHARED, Texts, use_calculators};
pub use derivation::{DerivationDialog, Derivations, derivation};

use answer_section::AnswerSection;
use fields::Fields;
use group::Group;

use crate::components::resize::on_resize;
use crate::state::Scope;

/// Calculators that share their fields, and their answers, over the [`Calculators`] in the context. The scope in the context
/// is their place in the page.
#[component]
pub fn Calculator(
    /// Its name: `time`; several have spaces between them.
    #[prop(into)]
    id: String,
) -> impl IntoView {
    let members: Vec<_> = id.split(' ').filter_map(calc::calculator).collect();
    let group = Group::new(use_context().map_or(id, Scope::prefix), members);
    let state = group.calculators;
    let node = NodeRef::<Div>::new();
    node.on_load(move |element| on_resize(&element.clone(), move || group.measure(&element)));
    let is_changed = Memo::new(move |_| group.shown().is_changed(&group.members()));
    let reset = move |_| {
        if is_changed.get_untracked() {
            state.reset(&group.members());
        }
    };
    let answers = group.members().into_iter().map(|calculator| view! { <AnswerSection group calculator/> });
    view! {
        <div class="sheet-place" data-cell=group.id() node_ref=node>
            <section class="part part-inputs">
                <h3>"Assumptions"</h3>
                <Fields group/>
                <div class="under-controls">
                    // Whoever cannot see it hears it where they typed.
                    <p class="moves">{move || group.sentence()}</p>
                    // It keeps the focus when it has done its work.
                    <button type="button" aria-disabled=move || (!is_changed.get()).then_some("true") on:click=reset>
                        {if state.start().is_empty() { "Back to the defaults" } else { "Back to the start" }}
                    </button>
                </div>
            </section>
            {answers.collect_view()}
        </div>
    }
}
