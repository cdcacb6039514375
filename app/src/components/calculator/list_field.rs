//! Lists to choose from: of choices, or of devices and models with a place for one that the reader describes.

use leptos::ev::DragEvent;
use leptos::prelude::*;
use leptos::task::spawn_local;
use leptos::web_sys::{FileList, HtmlInputElement};
use napkin_accounting::calc::Kind;
use napkin_trace::trace::Map;

use super::control::Control;
use super::{custom_record, wording};

/// The list, and below it the reader's own record where there is one.
#[component]
pub(super) fn ListField(control: Control) -> impl IntoView {
    let field = control.field;
    let is_custom = Memo::new(move |_| control.state.with(|state| state.is_custom));
    let chosen = Memo::new(move |_| match is_custom.get() {
        true => custom_record::ID,
        false => control.state.with(|state| wording::option(field, &state.assumed).map_or("", |(id, _)| id)),
    });
    let option = move |(id, name): (&'static str, &'static str)| {
        view! { <option value=id selected=move || chosen.get() == id>{name}</option> }
    };
    let is_of_records = !matches!(field.kind, Kind::Choice(_));
    let offered = wording::offered(field).into_iter();
    let options = if is_of_records {
        let mut makers = Map::<Vec<_>>::default();
        for (id, name) in offered {
            let maker = name.split(|c: char| !c.is_alphabetic()).next().unwrap_or(name);
            makers.entry(maker.to_owned()).or_default().push(option((id, name)));
        }
        makers.insert("Elsewhere".to_owned(), vec![option((custom_record::ID, "your own …"))]);
        let group = |(maker, members)| view! { <optgroup label=maker>{members}</optgroup> };
        makers.into_iter().map(group).collect_view().into_any()
    } else {
        offered.map(option).collect_view().into_any()
    };
    view! {
        <select
            id=control.id()
            data-field=(!is_of_records).then_some(field.key)
            data-pick=is_of_records.then_some(field.key)
            autocomplete="off"
            prop:value=chosen
            aria-invalid=move || control.is_bad().to_string()
            aria-describedby=control.message_id()
            on:change=move |event| {
                control.group.calculators.choose(field, &event_target_value(&event));
            }
        >
            {matches!(field.kind, Kind::Model).then(|| option(("", "none")))}
            {options}
        </select>
        {move || is_custom.get().then(|| view! { <CustomRecord control/> })}
    }
}

#[component]
fn CustomRecord(control: Control) -> impl IntoView {
    let field = control.field;
    let id = format!("{}-custom", control.id());
    // A file that cannot be read leaves the field as it was.
    let read = move |files: Option<FileList>| {
        let Some(file) = files.and_then(|files| files.get(0)) else { return };
        spawn_local(async move {
            if let Some(text) = file.text().await.ok().and_then(|text| text.as_string()) {
                control.type_text(&text);
            }
        });
    };
    let drop_file = move |event: DragEvent| {
        let files = event.data_transfer().and_then(|data| data.files()).filter(|files| files.length() > 0);
        if files.is_some() {
            // Otherwise the browser leaves the page for the file.
            event.prevent_default();
            read(files);
        }
    };
    let what = match field.kind {
        Kind::Model => ": a config.json of Hugging Face.",
        _ => ": a record as in the catalogue, rates in FLOP/s.",
    };
    view! {
        <label class="visually-hidden" for=id.clone()>
            {format!("Your own {}, in JSON", field.label)}
        </label>
        <textarea
            class="is-code"
            id=id.clone()
            data-field=field.key
            rows="9"
            spellcheck="false"
            autocomplete="off"
            prop:value=move || control.state.with(|state| state.text.clone())
            aria-invalid=move || control.is_bad().to_string()
            aria-describedby=control.message_id()
            on:input=move |event| control.type_text(&event_target_value(&event))
            on:dragover=|event| event.prevent_default()
            on:drop=drop_file
        ></textarea>
        <p class="hint">
            "Paste, drop or "
            <label class="file">
                "open a file"
                <input
                    class="visually-hidden"
                    type="file"
                    accept=".json,application/json"
                    on:change=move |event| read(event_target::<HtmlInputElement>(&event).files())
                />
            </label>
            {what}
        </p>
    }
}
