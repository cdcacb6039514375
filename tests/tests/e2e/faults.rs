//! Programs that cannot be run to their end, typed into the editor: each has its sentence at its line, and the page goes on.

use anyhow::Result;
use napkin_tests::{Options, Page, check};

use crate::lecture::{LECTURE, TIME, open_editor, shows, still, write_first_line, written};

/// What is typed as the first line of a cell, and what the page says of it.
const PROGRAMS: [(&str, &str); 6] = [
    ("1 / 0", "ZeroDivisionError: division by zero"),
    ("import nowhere", "ModuleNotFoundError: No module named 'nowhere'"),
    ("f = lambda n: f(n + 1); f(0)", "RecursionError: maximum recursion depth exceeded"),
    // As 32-bit Python says it.
    ("[0] * 10**10", "OverflowError: cannot fit 'int' into an index-sized integer"),
    ("[0] * 10**9", "MemoryError"),
    ("x = [1 for y in range(3)", "SyntaxError: '[' was never closed"),
];

/// The line that is typed, as the editor counts it: below `def` and the docstring.
const TYPED: &str = "Line 3";

async fn goes_on(page: &Page, program: &str) -> Result<()> {
    assert!(written(page).await?.contains(program), "the text survives");
    page.click(".editing", "Restore the original").await?;
    page.click(".editing", "Run what is written").await?;
    still(page).await?;
    let none = "return document.querySelector('.fault, .cm-lintRange-error') === null;";
    assert_eq!(page.run(none, vec![]).await?, true, "{program}");
    page.click(".editing", "Close the editor").await?;
    shows(page, TIME, "gpu_hours", "3.537 M").await
}

#[tokio::test]
async fn each_fault_has_its_sentence_at_its_line() -> Result<()> {
    check("faults", Options::default(), async |page| {
        page.read(LECTURE, TIME, "").await?;
        for (program, sentence) in PROGRAMS {
            open_editor(page, TIME).await?;
            write_first_line(page, program).await?;
            page.reads(".fault", sentence).await?;
            page.reads(".fault", TYPED).await?;
            page.css(".editing .cm-lintRange-error").await?;
            goes_on(page, program).await?;
        }
        Ok(())
    })
    .await
}

#[tokio::test]
async fn an_endless_loop_ends_when_its_time_is_up() -> Result<()> {
    check("fault_endless", Options::default(), async |page| {
        page.read(LECTURE, TIME, "").await?;
        open_editor(page, TIME).await?;
        write_first_line(page, "while 1: 1").await?;
        page.reads(".fault", "It was stopped after 20 seconds.").await?;
        page.reads(".fault", TYPED).await?;
        goes_on(page, "while 1: 1").await
    })
    .await
}
