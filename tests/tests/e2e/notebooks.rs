//! Notebooks of others: read with what their files have kept, run here, edited, broken and mended.

use anyhow::Result;
use napkin_tests::{Options, Page, check};
use serde_json::{Value, json};
use thirtyfour::Key;

use crate::exports::saved;
use crate::lecture::{gone, open_editor, press_with, still};
use crate::traces::give;

/// Writes a line below the first one into the editor that has the focus, and runs.
async fn write_second_line(page: &Page, text: &str) -> Result<()> {
    press_with(page, Key::Control, Key::Home).await?;
    page.press(format!("{}{}{text}", Key::End.value(), Key::Enter.value())).await?;
    press_with(page, Key::Shift, Key::Enter).await
}

fn code(source: &str, outputs: &Value) -> Value {
    json!({"cell_type": "code", "metadata": {}, "execution_count": 1, "source": source, "outputs": outputs})
}

/// What people have in notebooks, in small.
fn notebook() -> String {
    let result = |data: &Value| json!([{"output_type": "execute_result", "execution_count": 1, "metadata": {}, "data": data}]);
    let table = "<div><style scoped>.x {}</style><table border=\"1\" class=\"dataframe\"><thead><tr><th></th><th>loss</th></tr></thead>\
        <tbody><tr><th>0</th><td>0.25</td></tr></tbody></table></div>";
    let picture =
        "<svg xmlns='http://www.w3.org/2000/svg' width='40' height='20'><rect width='40' height='20'/></svg>";
    json!({"nbformat": 4, "nbformat_minor": 5, "metadata": {"language_info": {"name": "python"}}, "cells": [
        json!({"cell_type": "markdown", "metadata": {}, "attachments": {"dots.svg": {"image/svg+xml": picture}}, "source": "# Two layers\n\nThe loss is $\\frac{1}{B}\\sum_i (\\hat y_i - y_i)^2$.\n\n![dots](attachment:dots.svg)\n"}),
        code("%matplotlib inline\n!pip install torch\nimport torch", &json!([{"output_type": "stream", "name": "stdout", "text": "kept words\n"}])),
        code("x = torch.arange(12.).view(4, 3)\nx.shape", &result(&json!({"text/plain": ["torch.Size([4, 3])"]}))),
        code("import math\nn = 6 * 7\nn", &result(&json!({"text/plain": "kept number"}))),
        code("class Table:\n    def _repr_html_(self):\n        return '<table><tr><td>made here</td></tr></table>'\n\nTable()",
            &result(&json!({"text/html": table, "text/plain": "   loss"}))),
        code("1", &result(&json!({"image/svg+xml": picture, "text/plain": "<Figure>"}))),
        json!({"cell_type": "raw", "metadata": {}, "source": "kept as it is"}),
        code("total = n + 1\ntotal", &json!([])),
    ]})
    .to_string()
}

#[tokio::test]
async fn a_notebook_reads_with_what_it_has_kept_and_runs_here() -> Result<()> {
    check("notebook_run", Options::default(), async |page| {
        page.lecture("resource-accounting", "").await?;
        give(page, "drop", "two layers.ipynb", &notebook()).await?;
        page.reads("h1", "Two layers").await?;
        page.css(".document math").await?;
        page.reads(".lecture-contents", "cell 1: Two layers").await?;
        for text in ["kept words", "torch.Size([4, 3])", "kept number", "kept as it is"] {
            page.reads(".document", text).await?;
        }
        assert_eq!(page.text(".document #cell_4 td").await?, "0.25");
        assert!(!page.text(".document").await?.contains(".x {}"));
        let width = "const img = document.querySelector('#cell_5 img'); img?.scrollIntoView(); return img?.complete && img.naturalWidth;";
        page.until("a kept picture", async || Ok((page.run(width, vec![]).await? == 40).then_some(()))).await?;
        page.click(".run-here", "Run it here").await?;
        page.reads("#cell_3", "42").await?;
        page.reads("#cell_4", "made here").await?;
        page.reads("#cell_6", "43").await?;
        gone(page, ".fault, .waits").await?;
        assert!(!page.text("#cell_3").await?.contains("kept number"));
        // What was printed is compared with what the file has kept.
        page.reads(".run-here summary", "2 of 3 values").await?;
        // What depends on an edited cell follows, and what is broken is told where it is.
        open_editor(page, "cell_3").await?;
        write_second_line(page, "%time nope").await?;
        page.reads("#cell_3 .fault", "NameError").await?;
        page.reads("#cell_3 .fault", "Line 2").await?;
        page.reads("#cell_6 .waits", "cell 3").await?;
        // The editor has what is typed in the cell, magic and all, and no function around it.
        let text = page.text(".editing .cm-content").await?;
        assert!(text.contains("%time nope") && text.contains("6 * 7") && !text.contains("def "), "{text}");
        page.click("#cell_3 .fault", "Restore this cell").await?;
        gone(page, ".fault, .waits").await?;
        page.reads("#cell_6", "43").await
    })
    .await
}

/// What another cell calls stands in a cell that was changed: the change is taken back where the error is.
#[tokio::test]
async fn an_error_in_what_another_cell_defines_leads_there() -> Result<()> {
    check("notebook_blame", Options::default(), async |page| {
        let none = json!([]);
        let cells = [code("def half(x):\n    return x / 2", &none), code("%%time\nx = half(6)\nx", &none)];
        let notebook =
            json!({"nbformat": 4, "nbformat_minor": 4, "metadata": {}, "cells": cells}).to_string();
        page.lecture("resource-accounting", "").await?;
        give(page, "drop", "blame.ipynb", &notebook).await?;
        page.reads("#cell_2", "%%time").await?;
        open_editor(page, "cell_1").await?;
        write_second_line(page, "x = x.half").await?;
        page.reads("#cell_2 .fault", "Line 2 of “cell 1”").await?;
        let traceback = page.text("#cell_2 .fault").await?;
        assert!(traceback.contains("AttributeError") && !traceback.contains("main"), "{traceback}");
        page.click("#cell_2 .fault", "Undo my edit of “cell 1”").await?;
        gone(page, ".fault, .waits").await?;
        page.reads("#cell_2", "3.0").await
    })
    .await
}

/// What was written in a file is kept for whoever opens that again.
#[tokio::test]
async fn a_notebook_that_is_opened_again_has_what_was_written() -> Result<()> {
    check("notebook_kept", Options::default(), async |page| {
        for is_first in [true, false] {
            page.lecture("resource-accounting", "").await?;
            give(page, "drop", "two layers.ipynb", &notebook()).await?;
            page.reads("h1", "Two layers").await?;
            if is_first {
                open_editor(page, "cell_3").await?;
                write_second_line(page, "mine = 41").await?;
                page.reads("#cell_3", "42").await?;
                still(page).await?;
            }
            page.driver().refresh().await?;
            page.live().await?;
        }
        page.reads(".notices", "two layers.ipynb was open here").await?;
        give(page, "drop", "two layers.ipynb", &notebook()).await?;
        page.reads(".notices", "your code is kept").await?;
        assert!(!page.text(".notices").await?.contains("was open here"));
        open_editor(page, "cell_3").await?;
        page.reads(".editing .cm-content", "mine = 41").await?;
        // Another one of that name has nothing of it.
        page.driver().refresh().await?;
        page.live().await?;
        give(page, "drop", "two layers.ipynb", &notebook().replace("6 * 7", "6 * 8")).await?;
        page.reads("h1", "Two layers").await?;
        open_editor(page, "cell_3").await?;
        page.reads(".editing .cm-content", "6 * 8").await?;
        assert!(!page.text(".editing .cm-content").await?.contains("mine"));
        Ok(())
    })
    .await
}

/// The file has what was written and what was shown here, and all else as it was.
#[tokio::test]
async fn a_notebook_is_saved_with_what_was_changed() -> Result<()> {
    check("notebook_save", Options::default(), async |page| {
        page.lecture("resource-accounting", "").await?;
        give(page, "drop", "two layers.ipynb", &notebook()).await?;
        page.reads("h1", "Two layers").await?;
        let text = "const [name, blob] = window.caught; return [name, await blob.text()];";
        let save = async || -> Result<Value> {
            let [name, text]: [String; 2] =
                serde_json::from_value(saved(page, "body", "Save the notebook", text).await?)?;
            assert_eq!(name, "two layers.ipynb");
            Ok(serde_json::from_str(&text)?)
        };
        let before: Value = serde_json::from_str(&notebook())?;
        assert_eq!(save().await?, before);
        open_editor(page, "cell_3").await?;
        write_second_line(page, "n = nope").await?;
        page.reads("#cell_3 .fault", "NameError").await?;
        page.reads("#cell_6 .waits", "cell 3").await?;
        let mut after = save().await?;
        assert_eq!(after["cells"][3]["source"], "import math\nn = nope\nn = 6 * 7\nn");
        assert_eq!(after["cells"][3]["outputs"][0]["ename"], "NameError");
        assert_eq!(
            after["cells"][5]["outputs"],
            json!([{"name": "stdout", "output_type": "stream", "text": ["1\n"]}])
        );
        // What is as the file has it stays, and so does what waits.
        for cell in [0, 2, 6, 7] {
            assert_eq!(after["cells"][cell], before["cells"][cell]);
        }
        assert_eq!(after["cells"][1]["source"], before["cells"][1]["source"]);
        after["cells"] = before["cells"].clone();
        assert_eq!(after, before);
        Ok(())
    })
    .await
}

#[tokio::test]
async fn what_is_no_notebook_that_can_be_read_is_said() -> Result<()> {
    check("notebook_bad", Options::default(), async |page| {
        page.lecture("resource-accounting", "").await?;
        for (name, text, says) in [
            ("old.ipynb", json!({"nbformat": 3, "worksheets": []}).to_string(), "old.ipynb: This notebook has version 3 of the format"),
            ("r.ipynb", json!({"nbformat": 4, "metadata": {"kernelspec": {"language": "R"}}, "cells": []}).to_string(), "written in R"),
            ("half.ipynb", notebook()[..400].to_owned(), "half.ipynb: This is not JSON"),
            ("none.ipynb", "{}".to_owned(), "This is not a notebook"),
            ("a.json", notebook(), "the name of its file ends in .ipynb"),
        ] {
            give(page, "drop", name, &text).await?;
            page.reads(".notices", says).await?;
            page.reads("h1", "Resource accounting").await?;
        }
        // Text that would do something stays text.
        let hostile = json!({"nbformat": 4, "metadata": {}, "cells": [
            {"cell_type": "markdown", "metadata": {}, "source": "<script>globalThis.hit = 1</script> [a](javascript:hit=1) ![b](javascript:hit=1)\n\n\"\"\"\n\nend"},
            code("1", &json!([{"output_type": "display_data", "metadata": {}, "data": {"text/html": "<img src=x onerror='hit=1'><b onclick=hit=1>bold</b><iframe src='javascript:hit=1'></iframe>"}}])),
        ]});
        give(page, "drop", "hostile.ipynb", &hostile.to_string()).await?;
        page.reads(".document b, .document strong", "bold").await?;
        assert_eq!(page.run("return [globalThis.hit === undefined, document.querySelectorAll('.document iframe, .document script, .document img').length];", vec![]).await?, json!([true, 0]));
        Ok(())
    })
    .await
}
