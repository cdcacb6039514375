//! The editor by itself: what it tells, what it shows, and how one gets out of it by keyboard.

use anyhow::Result;
use napkin_tests::{Options, Page, check};
use serde_json::json;
use thirtyfour::Key;

use crate::appearance::no_violation;
use crate::lecture::{open_editor, written};

async fn mount(page: &Page, options: &str) -> Result<()> {
    page.go("tools.html").await?;
    page.live().await?;
    let script = format!(
        "const {{mount}} = await import(new URL('./editor.js', document.baseURI).href);
         const place = document.createElement('div');
         const after = Object.assign(document.createElement('button'), {{id: 'after', textContent: 'After'}});
         document.querySelector('main').prepend(place, after);
         globalThis.told = [];
         const tell = what => text => told.push([what, text ?? null]);
         const all = {{label: 'Lines of the lecture', onChange: tell('change'), onRun: tell('run'), {options}}};
         globalThis.editor = mount(place, 'x = 1\\nif x:\\n    y = 2', all);
         editor.focus();"
    );
    page.run_async(&script, vec![]).await.map(drop)
}

async fn told(page: &Page) -> Result<serde_json::Value> {
    page.run("return told.splice(0);", vec![]).await
}

#[tokio::test]
async fn it_tells_what_the_reader_does() -> Result<()> {
    check("editor_tells", Options::default(), async |page| {
        mount(page, "onLeave: tell('leave')").await?;
        page.named("main", "textbox", "Lines of the lecture").await?;
        page.press(Key::End + "0").await?;
        let text = "x = 10\nif x:\n    y = 2";
        assert_eq!(told(page).await?, json!([["change", text]]));
        let shift_enter = page.driver().action_chain().key_down(Key::Shift).send_keys(Key::Enter + "");
        shift_enter.key_up(Key::Shift).perform().await?;
        assert_eq!(told(page).await?, json!([["run", text]]), "and no new line");
        // A new line below a colon is indented by four, and Tab by four more.
        page.run("editor.setText('for i in range(3):');", vec![]).await?;
        assert_eq!(told(page).await?, json!([]), "the page knows what it does itself");
        page.press(Key::Control + Key::End).await?;
        page.driver().action_chain().key_up(Key::Control).perform().await?;
        page.press(Key::Enter + Key::Tab + "pass").await?;
        assert_eq!(page.run("return editor.text();", vec![]).await?, "for i in range(3):\n        pass");
        page.press(Key::Escape + "").await?;
        let heard = told(page).await?;
        assert_eq!(heard.as_array().and_then(|all| all.last()), Some(&json!(["leave", null])));
        page.run("editor.destroy();", vec![]).await?;
        assert_eq!(page.run("return document.querySelector('.cm-editor');", vec![]).await?, json!(null));
        Ok(())
    })
    .await
}

#[tokio::test]
async fn escape_and_tab_go_on() -> Result<()> {
    check("editor_tab", Options::default(), async |page| {
        mount(page, "").await?;
        page.press(Key::Escape + Key::Tab).await?;
        assert_eq!(page.run("return document.activeElement.id;", vec![]).await?, "after");
        assert_eq!(told(page).await?, json!([]), "and change nothing");
        Ok(())
    })
    .await
}

#[tokio::test]
async fn a_fault_is_underlined_at_its_line() -> Result<()> {
    for dark in [false, true] {
        check("editor_fault", Options { dark, ..Options::default() }, async |page| {
            mount(page, "").await?;
            for (line, words) in [(3, "y = 2"), (2, "if x:"), (99, "y = 2"), (0, "x = 1")] {
                page.run("editor.mark(arguments[0], 'NameError: name z');", vec![json!(line)]).await?;
                page.reads(".cm-lintRange-error", words).await?;
                let marked = "return [...document.querySelectorAll('.cm-lintRange-error')].map(e => e.textContent).join('');";
                assert_eq!(page.run(marked, vec![]).await?, words, "{line}");
            }
            no_violation(page).await?;
            page.run("editor.clear();", vec![]).await?;
            let none = "return document.querySelector('.cm-lintRange-error');";
            assert_eq!(page.run(none, vec![]).await?, json!(null));
            // The page's colours, not the library's.
            let script = "const of = element => getComputedStyle(element).color;
                const probe = document.body.appendChild(document.createElement('i'));
                probe.style.color = 'var(--accent)';
                const keyword = [...document.querySelectorAll('.cm-line span')].find(e => e.textContent === 'if');
                return of(keyword) === of(probe);";
            assert_eq!(page.run(script, vec![]).await?, true);
            Ok(())
        })
        .await?;
    }
    Ok(())
}

#[tokio::test]
async fn a_fault_comes_into_sight_once() -> Result<()> {
    check("editor_far", Options::default(), async |page| {
        mount(page, "").await?;
        let script = "const scroller = document.querySelector('.cm-scroller');
            scroller.parentElement.style.height = '200px';
            editor.setText('x = 1\\n'.repeat(300));
            const frame = () => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
            const seen = [];
            const mark = async line => {
                editor.mark(line, 'NameError: name z');
                await frame();
                const fault = document.querySelector('.cm-lintRange-error')?.getBoundingClientRect();
                const around = scroller.getBoundingClientRect();
                seen.push(fault !== undefined && fault.top >= around.top && fault.bottom <= around.bottom);
            };
            await frame();
            await mark(200);
            await mark(3);
            // Marked again where it was, after the reader has gone elsewhere.
            scroller.scrollTop = 3000;
            await frame();
            await mark(3);
            return [...seen, scroller.scrollTop];";
        assert_eq!(page.run_async(script, vec![]).await?, json!([true, true, false, 3000]));
        Ok(())
    })
    .await
}

#[tokio::test]
async fn it_holds_the_code_of_its_cell_and_leaves_the_prose() -> Result<()> {
    check("editor_cell", Options::default(), async |page| {
        page.read("resource-accounting", "optimizers", "").await?;
        let prose = "return [...document.querySelectorAll('#optimizers .prose')].filter(it => it.checkVisibility()).length;";
        let before = page.run(prose, vec![]).await?;
        open_editor(page, "optimizers").await?;
        let text = written(page).await?;
        assert!(text.starts_with("def optimizers("), "{text}");
        assert_eq!(page.run(prose, vec![]).await?, before);
        let lines = "return document.querySelectorAll('#optimizers .statement > .line').length;";
        assert_eq!(page.run(lines, vec![]).await?, 0, "the code is in the editor");
        let is_inside = "return document.querySelector('.cm-editor').getBoundingClientRect().right
            < document.querySelector('#optimizers').getBoundingClientRect().right;";
        assert_eq!(page.run(is_inside, vec![]).await?, true, "long lines scroll inside the editor");
        // The keys are its own: nobody steps, nothing opens.
        page.press("s/g").await?;
        page.reads(".editing .cm-content", "s/g").await?;
        assert_eq!(page.run("return document.querySelectorAll('dialog[open], .is-stepping').length;", vec![]).await?, 0);
        page.click(".editing", "Restore the original").await?;
        page.until("the original", async || Ok((!written(page).await?.contains("s/g")).then_some(()))).await?;
        page.click(".editing", "Close the editor").await?;
        page.until("code", async || Ok((page.run(lines, vec![]).await?.as_u64() > Some(5)).then_some(()))).await
    })
    .await
}
