//! The lecture's reader: a module for the page; natively, what writes the page as it is read first.

#[cfg(target_arch = "wasm32")]
fn main() {
    napkin_reader::browser::start();
}

/// Writes target/prerender/lecture.html from the traces in target/prerender/lectures.
#[cfg(not(target_arch = "wasm32"))]
fn main() -> std::io::Result<()> {
    use std::fs;
    use std::io::Error;
    use std::path::Path;

    use napkin_reader::frame::{Listed, page};
    use napkin_reader::{Lecture, Reader};

    /// Those that have a trace, in the order in which they are to be read.
    const LECTURES: [&str; 2] = ["resource-accounting", "arithmetic-intensity"];

    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/prerender");
    let mut lectures = Vec::new();
    for name in LECTURES {
        let path = folder.join("lectures").join(format!("{name}.json"));
        let text = fs::read_to_string(&path)
            .map_err(|error| Error::other(format!("{}: {error}", path.display())))?;
        let lecture =
            Lecture::read(&text).map_err(|why| Error::other(format!("{}: {why}", path.display())))?;
        lectures.push((name, lecture));
    }
    let listed: Vec<Listed> = lectures
        .iter()
        .map(|(name, lecture)| Listed { name: (*name).to_owned(), title: lecture.title() })
        .collect();
    let Some((name, lecture)) = lectures.into_iter().next() else { return Ok(()) };
    let mut reader = Reader::new(lecture);
    reader.name = Some(("lecture".to_owned(), name.to_owned()));
    fs::write(folder.join("lecture.html"), page(&listed, &reader))
}
