//! Programs that cannot be run to their end, typed into the editor: each has its sentence at its line, and the page goes on.

use anyhow::Result;
use napkin_tests::{Options, Page, check};

use crate::lecture::{open, ran, value, write_first_line};

/// What is typed before the first line, which is a docstring, and what the page says of it.
const PROGRAMS: [(&str, &str); 6] = [
    ("1 / 0  #", "ZeroDivisionError: division by zero"),
    ("import nowhere  #", "ModuleNotFoundError: No module named 'nowhere'"),
    ("f = lambda n: f(n + 1); f(0)  #", "RecursionError: maximum recursion depth exceeded"),
    // As 32-bit Python says it.
    ("[0] * 10**10  #", "OverflowError: cannot fit 'int' into an index-sized integer"),
    ("[0] * 10**9  #", "MemoryError"),
    ("x = [1 for y in range(3)  #", "SyntaxError: '[' was never closed"),
];

async fn goes_on(page: &Page, program: &str) -> Result<()> {
    assert!(page.text(".editing .cm-line").await?.starts_with(program), "the text survives");
    assert!(value(page, "gpu_hours").await?.contains("3.537 M"), "what was shown is shown");
    page.click(".editing", "Restore this file").await?;
    ran(page).await?;
    assert!(value(page, "gpu_hours").await?.contains("3.537 M"), "{program}: the next run is a good one");
    let none = "return document.querySelector('.fault, .cm-lintRange-error') === null;";
    assert_eq!(page.run(none, vec![]).await?, true, "{program}");
    page.click(".editing", "Close the editor").await
}

#[tokio::test]
async fn each_fault_has_its_sentence_at_its_line() -> Result<()> {
    check("faults", Options::default(), async |page| {
        open(page, "training_time", "").await?;
        for (program, sentence) in PROGRAMS {
            write_first_line(page, program).await?;
            page.reads(".fault", sentence).await?;
            page.reads(".fault", "resource-accounting.py, line 1").await?;
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
        open(page, "training_time", "").await?;
        write_first_line(page, "while 1: 1  #").await?;
        page.reads(".fault", "The program was stopped after 20 seconds.").await?;
        page.reads(".fault", "resource-accounting.py, line 1").await?;
        goes_on(page, "while 1: 1  #").await
    })
    .await
}
