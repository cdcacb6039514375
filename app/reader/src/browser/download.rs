//! Hands files to the reader.

use js_sys::{Array, Promise};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, HtmlAnchorElement, Url};

use super::{document, later, module, say};

/// A browser has begun to save by then.
const SAVED_MS: i32 = 10_000;

/// Saves bytes or a text as a file. The browser asks the reader where, or knows.
pub(super) fn save(name: &str, content: &JsValue) {
    let saved = || {
        let blob = Blob::new_with_buffer_source_sequence(&Array::of1(content))
            .or_else(|_| Blob::new_with_str_sequence(&Array::of1(content)));
        let url = Url::create_object_url_with_blob(&blob.ok()?).ok()?;
        let link = document()?.create_element("a").ok()?.dyn_into::<HtmlAnchorElement>().ok()?;
        link.set_href(&url);
        link.set_download(name);
        link.click();
        later(SAVED_MS, move || drop(Url::revoke_object_url(&url)));
        Some(())
    };
    match saved() {
        Some(()) => say(&format!("{name} is saved.")),
        None => say(&format!("This browser does not save {name}.")),
    }
}

/// Saves what the page shows as a picture in the form that the file's name ends with.
pub(super) async fn picture(file: String) {
    let drawn = async {
        let draw = module("picture.js", "draw").await?;
        let promise = draw.call1(&JsValue::NULL, &JsValue::from_str(&file)).ok()?;
        JsFuture::from(promise.dyn_into::<Promise>().ok()?).await.ok()
    };
    match drawn.await {
        Some(blob) => save(&file, &blob),
        None => say(&format!("This browser does not draw {file}.")),
    }
}
