//! What a drawing is saved as: its numbers, its picture.

use js_sys::{Array, Function, Promise, Reflect};
use leptos::prelude::*;
use leptos::task::spawn_local;
use leptos::wasm_bindgen::{JsCast, JsValue};
use napkin_charts::Chart;
use web_sys::{Blob, HtmlAnchorElement, Url};

use super::grid::Grid;
use crate::page::{Announcer, use_announcer};

/// Buttons that save the numbers of a drawing, and the drawing if it is a picture; files are called after the title.
#[component]
pub fn Export(grid: Grid, #[prop(optional)] picture: Option<Chart>) -> impl IntoView {
    let announcer = use_announcer();
    let name = StoredValue::new(file_name(&grid.title));
    let file = move |end: &str| name.with_value(|name| format!("{name}.{end}"));
    let pictures = picture.map(|picture| {
        let picture = StoredValue::new(picture);
        let save_svg = move |_| picture.with_value(|it| save(announcer, &file("svg"), &it.svg));
        let save_png = move |_| {
            let Chart { svg, size: (width, height), .. } = picture.get_value();
            let arguments = Array::of3(&svg.into(), &width.into(), &height.into());
            save_picture(announcer, file("png"), "png", arguments);
        };
        view! {
            <button type="button" on:click=save_svg>"Save as SVG"</button>
            <button type="button" on:click=save_png>"Save as PNG"</button>
        }
    });
    view! {
        <details class="take-away">
            <summary>"Export"</summary>
            <p class="buttons">
                <button type="button" on:click=move |_| save(announcer, &file("csv"), grid.csv())>
                    "Save as CSV"
                </button>
                {pictures}
            </p>
        </details>
    }
}

/// A title as a file's name: letters, digits and dashes.
pub fn file_name(title: &str) -> String {
    let words = title.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
    let name = words.map(str::to_lowercase).collect::<Vec<_>>().join("-");
    if name.is_empty() { "drawing".to_owned() } else { name }
}

/// Hands a text or bytes to the browser as a file, which asks or keeps it as the reader has told it to.
pub fn save(announcer: Announcer, name: &str, content: impl Into<JsValue>) {
    // Whatever the sequence is said to be of, a browser takes both.
    hand_over(announcer, name, Blob::new_with_str_sequence(&Array::of1(&content.into())));
}

/// Saves what a function of picture.js makes.
pub fn save_picture(announcer: Announcer, name: String, function: &'static str, arguments: Array) {
    spawn_local(async move { hand_over(announcer, &name, draw(function, &arguments).await) });
}

async fn draw(function: &str, arguments: &Array) -> Result<Blob, JsValue> {
    let module = import("picture.js").await?;
    let draw: Function = Reflect::get(&module, &function.into())?.dyn_into()?;
    draw.apply(&JsValue::NULL, arguments)?.dyn_into::<Promise>()?.await?.dyn_into()
}

/// A module beside the page, which is fetched now.
///
/// # Errors
/// With the browser's, if it cannot be had.
pub async fn import(file: &str) -> Result<JsValue, JsValue> {
    let import = Function::new_with_args("file", "return import(new URL(file, document.baseURI))");
    import.call1(&JsValue::NULL, &file.into())?.dyn_into::<Promise>()?.await
}

/// Has the browser save a file, and says whether it does.
fn hand_over(announcer: Announcer, name: &str, blob: Result<Blob, JsValue>) {
    let saved = blob.and_then(|blob| {
        let address = Url::create_object_url_with_blob(&blob)?;
        let link: HtmlAnchorElement = document().create_element("a")?.unchecked_into();
        link.set_href(&address);
        link.set_download(name);
        link.click();
        Url::revoke_object_url(&address)
    });
    announcer.say(match saved {
        Ok(()) => format!("{name} is saved."),
        Err(_) => format!("This browser does not save {name}."),
    });
}
