//! The calculators' cells as HTML, and what typing does to them.

use napkin_sheets::{Book, Cell, Form, Texts};

fn book() -> Book {
    let mut book = Book::default();
    book.add(Cell::new("time", "Training time", &["time"]));
    book
}

fn texts(pairs: &[(&str, &str)]) -> Texts {
    pairs.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect()
}

/// The texts of every element with that class.
fn texts_of(html: &str, class: &str) -> Vec<String> {
    let start = format!("class=\"{class}\"");
    let pieces = html.split(&start).skip(1);
    pieces
        .map(|piece| {
            let inside = piece.split_once('>').map_or("", |(_, inside)| inside);
            inside.split('<').next().unwrap_or_default().to_owned()
        })
        .collect()
}

#[test]
fn a_cell_shows_what_the_lecture_reaches() {
    let html = book().html("time");
    println!("{html}");
    let exact = texts_of(&html, "figure-exact");
    assert_eq!(exact[0], "143.92659381842682 days");
    assert_eq!(exact[2], "6,300,000,000,000,000,000,000,000 FLOP");
    assert_eq!(exact[3], "43,772,313,600,000,000,000,000 FLOP/day");
    assert!(texts_of(&html, "figure-short").contains(&"3.537 M GPU-hours".to_owned()));
    assert!(html.contains("<math") && html.contains("aria-label=\"Training time\""), "{html}");
}
