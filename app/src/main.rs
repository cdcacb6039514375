//! In the browser, brings the page to life; natively, writes all pages as they are read first.

// The types of views are as deep as the views.
#![recursion_limit = "256"]

#[cfg(target_arch = "wasm32")]
fn main() {
    use std::sync::Arc;

    use leptos::mount::{hydrate_from, mount_to};
    use leptos::prelude::*;
    use leptos::wasm_bindgen::JsCast;
    use napkin_app::lecture::Lecture;
    use napkin_app::lecture::text_of;
    use napkin_app::{App, live, tools};

    std::panic::set_hook(Box::new(|info| {
        web_sys::console::error_1(&info.to_string().into());
    }));
    let page = document().document_element().and_then(|root| root.get_attribute("data-page"));
    let place =
        document().get_element_by_id("app").and_then(|place| place.dyn_into::<web_sys::HtmlElement>().ok());
    let (Some(page), Some(place)) = (page, place) else { return };
    // Leptos has no executor before it has taken the page over.
    js_sys::futures::spawn_local(async move {
        let address = format!("lectures/{page}.json");
        let lecture = match page == tools::NAME {
            true => Ok(None),
            false => text_of(&address).await.and_then(|text| Lecture::of_site(&text)).map(Some),
        };
        match lecture {
            Ok(lecture) => {
                let lecture = lecture.map(Arc::new);
                // What nobody has rendered before is rendered now. The page lives until its tab is closed.
                let is_written = place.has_child_nodes();
                // What comes alive at once is taken over as it was written: with all that draws it.
                let needs_parts = matches!(place.query_selector("[data-live]:not(.lazy *)"), Ok(Some(_)));
                let is_parted = cfg!(feature = "split");
                let parts = if needs_parts || !is_parted { live::fetched().await } else { None };
                let is_written = is_written && (parts.is_some() || !needs_parts);
                if !is_written {
                    place.set_inner_html("");
                }
                let app = move || view! { <App page lecture parts is_written /> };
                if is_written {
                    hydrate_from(place, app).forget();
                } else {
                    mount_to(place, app).forget();
                }
            }
            // A page that was rendered reads as it was built.
            Err(why) => {
                let why = format!("{address}: {why}.");
                web_sys::console::error_1(&why.as_str().into());
                if !place.has_child_nodes() {
                    place.set_text_content(Some(&why));
                }
            }
        }
    });
}

/// Writes every page into the folder that the argument names, from the traces in its folder `lectures`.
#[cfg(not(target_arch = "wasm32"))]
fn main() -> std::io::Result<()> {
    use std::fs;
    use std::io::Error;
    use std::path::Path;
    use std::sync::Arc;

    use leptos::prelude::*;
    use napkin_app::lecture::Lecture;
    use napkin_app::page::PAGES;
    use napkin_app::{App, live, tools};
    use napkin_site::document::written;

    const ABOUT_TOOLS: &str =
        "Calculators, drawings and machines of the lectures on tensors, memory and FLOPs, each alone.";

    let folder =
        std::env::args_os().nth(1).ok_or_else(|| Error::other("say which folder the pages go into"))?;
    let folder = Path::new(&folder);
    let read = |page: &str| {
        let path = folder.join("lectures").join(format!("{page}.json"));
        let text = fs::read_to_string(&path).map_err(|error| error.to_string());
        let lecture = text.and_then(|text| Lecture::of_site(&text));
        lecture.map(Arc::new).map_err(|why| Error::other(format!("{}: {why}", path.display())))
    };
    for (page, file, _) in PAGES {
        let lecture = (page != tools::NAME).then(|| read(page)).transpose()?;
        let (title, about) = match lecture.as_ref().map(|lecture| lecture.title()) {
            Some(title) => (title.trim_end_matches('.').to_owned(), title),
            None => ("All tools".to_owned(), ABOUT_TOOLS.to_owned()),
        };
        let is_lecture = lecture.is_some();
        let app = Owner::new().with(|| {
            view! { <App page=page.to_owned() lecture parts=live::here() is_written=true /> }.to_html()
        });
        fs::write(folder.join(file), written(page, &title, &about, &app, is_lecture))?;
    }
    Ok(())
}
