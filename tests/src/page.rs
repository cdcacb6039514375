//! What a test does with the page: find things by the names that a screen reader says, read, click, wait.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};
use thirtyfour::TypingData;
use thirtyfour::prelude::*;
use xtask::tools::Script;

use crate::browser::Options;
use crate::site;

/// How long a test waits for what must come.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// The page of all tools.
const TOOLS: &str = "tools.html";

/// The pages of the lectures, by their names.
const LECTURES: [(&str, &str); 2] =
    [("resource-accounting", "index.html"), ("arithmetic-intensity", "arithmetic-intensity.html")];

/// Waits in a script until the page has drawn what it heard so far: a task after those that are waiting.
pub const SETTLED: &str = "
    const settled = () => new Promise(done => {
        const {port1, port2} = new MessageChannel();
        port1.onmessage = done;
        port2.postMessage(null);
    });";

/// The page in one browser.
pub struct Page {
    driver: WebDriver,
}

impl Page {
    pub(crate) fn new(driver: WebDriver) -> Self {
        Self { driver }
    }

    /// The browser itself.
    pub fn driver(&self) -> &WebDriver {
        &self.driver
    }

    /// Sends a DevTools command.
    ///
    /// # Errors
    /// When the browser refuses it.
    pub async fn devtools(&self, command: &str, params: Value) -> Result<Value> {
        self.driver.cdp().send_raw(command, params).await.with_context(|| command.to_owned())
    }

    /// Sets viewport, colour scheme and scripting, whether the site may be kept, and whether there is idle time.
    ///
    /// # Errors
    /// When the browser refuses.
    pub async fn emulate(&self, options: Options) -> Result<()> {
        let (width, height) = options.viewport;
        let metrics = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false});
        self.devtools("Emulation.setDeviceMetricsOverride", metrics).await?;
        let scheme = if options.dark { "dark" } else { "light" };
        let media = json!({"media": "", "features": [{"name": "prefers-color-scheme", "value": scheme}]});
        self.devtools("Emulation.setEmulatedMedia", media).await?;
        let scripting = json!({"value": !options.javascript});
        self.devtools("Emulation.setScriptExecutionDisabled", scripting).await?;
        if !options.keeps_site {
            let script = "navigator.serviceWorker.register = () => new Promise(() => {});";
            self.devtools("Page.addScriptToEvaluateOnNewDocument", json!({"source": script})).await?;
        }
        if !options.is_idle {
            let script = "window.requestIdleCallback = () => 0;";
            self.devtools("Page.addScriptToEvaluateOnNewDocument", json!({"source": script})).await?;
        }
        Ok(())
    }

    /// Opens the page of all tools with `query` (such as `?cell=flops`) behind its address, and waits until it answers.
    ///
    /// # Errors
    /// When the page has not been built or does not come to life.
    pub async fn open(&self, query: &str) -> Result<()> {
        self.go(&format!("{TOOLS}{query}")).await?;
        self.live().await
    }

    /// Opens what is at `path` of the built site.
    ///
    /// # Errors
    /// When the page has not been built or does not load.
    pub async fn go(&self, path: &str) -> Result<()> {
        self.driver.goto(format!("{}{path}", site::address()?)).await?;
        Ok(())
    }

    /// Opens a lecture to read, with `more` (such as `?s.training_time.params=1e9`) behind its address.
    ///
    /// # Errors
    /// When there is no such lecture, or the page does not come to life.
    pub async fn lecture(&self, name: &str, more: &str) -> Result<()> {
        let file = LECTURES.iter().find(|(known, _)| *known == name);
        let (_, file) = file.with_context(|| format!("there is no lecture {name}"))?;
        self.go(&format!("{file}{more}")).await?;
        self.live().await
    }

    /// Opens a lecture to read at a cell, with `query` in the address.
    ///
    /// # Errors
    /// When the page does not come to life, or has no such cell.
    pub async fn read(&self, lecture: &str, cell: &str, query: &str) -> Result<()> {
        self.lecture(lecture, &format!("{query}#{cell}")).await?;
        self.wake(cell).await
    }

    /// Opens a lecture at the last step of a function, to step on from there.
    ///
    /// # Errors
    /// When the lecture has no such function, or the page does not come to life.
    pub async fn step(&self, lecture: &str, function: &str) -> Result<()> {
        let trace = fs::read_to_string(xtask::dist().join("lectures").join(format!("{lecture}.json")))?;
        let trace: Value = serde_json::from_str(&trace)?;
        let is_of = |step: &Value| {
            step["stack"]
                .as_array()
                .and_then(|stack| stack.last()?["function_name"].as_str().map(|name| name == function))
                == Some(true)
        };
        let found = trace["steps"].as_array().and_then(|steps| steps.iter().rposition(is_of));
        let found = found.with_context(|| format!("no {function} in {lecture}"))?;
        self.lecture(lecture, &format!("?v=3&step={found}")).await?;
        self.css(".lecture.is-stepping").await.map(drop)
    }

    /// Waits until the page has taken over from what was rendered at build time.
    ///
    /// # Errors
    /// When it does not come to that.
    pub async fn live(&self) -> Result<()> {
        self.css("html[data-live]").await.map(drop)
    }

    /// Brings a cell or a tool into sight by its id, and waits until it answers.
    ///
    /// # Errors
    /// When there is none, or it stays asleep.
    pub async fn wake(&self, id: &str) -> Result<()> {
        self.until(&format!("{id}, awake"), async || {
            let script = "const part = document.getElementById(arguments[0]);
                const asleep = [...part?.querySelectorAll('.lazy:not([data-awake])') ?? []];
                const lazy = asleep.find(it => it.checkVisibility() || it.matches('.is-far'));
                lazy?.scrollIntoView({block: 'start', behavior: 'instant'});
                return part !== null && lazy === undefined;";
            Ok((self.run(script, vec![json!(id)]).await? == true).then_some(()))
        })
        .await
    }

    /// Shows the page as it goes on a sheet of A4 between its margins.
    ///
    /// # Errors
    /// When the browser refuses.
    pub async fn on_paper(&self, is_dark: bool) -> Result<()> {
        let metrics = json!({"width": 688, "height": 1000, "deviceScaleFactor": 1, "mobile": false});
        self.devtools("Emulation.setDeviceMetricsOverride", metrics).await?;
        let scheme = if is_dark { "dark" } else { "light" };
        let features = json!([{"name": "prefers-color-scheme", "value": scheme}]);
        self.devtools("Emulation.setEmulatedMedia", json!({"media": "print", "features": features})).await?;
        // What a browser says before it prints.
        self.run("dispatchEvent(new Event('beforeprint'));", vec![]).await.map(drop)
    }

    /// Waits until the worker of the page of all tools computes, and the tool that the address names answers.
    ///
    /// # Errors
    /// When it does not come to that.
    pub async fn ready(&self) -> Result<()> {
        self.until("answer of the worker", async || {
            let text =
                self.run("return document.querySelector('.device summary')?.textContent ?? '';", vec![]);
            let text = text.await?;
            let text = text.as_str().unwrap_or_default();
            Ok((!text.is_empty() && !text.contains("loading")).then_some(()))
        })
        .await?;
        let named = "const told = new URLSearchParams(location.search);
            const id = told.get('embed') ?? told.get('cell');
            return document.getElementById(id) ? id : null;";
        match self.run(named, vec![]).await?.as_str() {
            Some(id) => self.wake(id).await,
            None => Ok(()),
        }
    }

    /// Asks to be shown all that a lecture wants guessed first, where the reader is.
    ///
    /// # Errors
    /// When the browser fails.
    pub async fn show_answers(&self) -> Result<()> {
        let script = "document.querySelectorAll('.show-answer').forEach(button => button.click());";
        self.run(script, vec![]).await.map(drop)
    }

    /// The ids of the cells, in order.
    ///
    /// # Errors
    /// When the browser is gone.
    pub async fn cells(&self) -> Result<Vec<String>> {
        let ids = self.run("return [...document.querySelectorAll('main .cell')].map(e => e.id);", vec![]);
        Ok(serde_json::from_value(ids.await?)?)
    }

    /// Runs `script` as the body of a function and returns what it returns.
    ///
    /// # Errors
    /// When the script throws.
    pub async fn run(&self, script: &str, args: Vec<Value>) -> Result<Value> {
        let result = self.driver.execute(script, args).await.with_context(|| script.to_owned())?;
        Ok(result.json().clone())
    }

    /// Runs `script` as the body of an async function and returns what it resolves to.
    ///
    /// # Errors
    /// When the script throws, or the promise is rejected.
    pub async fn run_async(&self, script: &str, args: Vec<Value>) -> Result<Value> {
        let whole = format!(
            "const done = arguments[arguments.length - 1];
             (async function() {{ {script} }}).apply(null, arguments)
                 .then(value => done({{value}}), error => done({{error: String(error && error.stack || error)}}));"
        );
        let result = self.driver.execute_async(whole, args).await.with_context(|| script.to_owned())?;
        match result.json().get("error") {
            Some(error) => bail!("{script}\nthrows {error}"),
            None => Ok(result.json()["value"].clone()),
        }
    }

    /// The element within `scope` (a CSS selector) that has this role and this accessible name.
    ///
    /// # Errors
    /// When it does not come, or there are several.
    pub async fn named(&self, scope: &str, role: &str, name: &str) -> Result<WebElement> {
        let what = format!("{role} “{name}” in {scope}");
        self.until(&what, async || match self.all_named(scope, role, name).await?.as_slice() {
            [] => Ok(None),
            [one] => Ok(Some(one.clone())),
            several => bail!("{} elements are {what}", several.len()),
        })
        .await
    }

    /// All elements within `scope` that have this role and this accessible name.
    ///
    /// # Errors
    /// When the browser refuses.
    pub async fn all_named(&self, scope: &str, role: &str, name: &str) -> Result<Vec<WebElement>> {
        let script = "const [scope, role, name] = arguments;
            const root = document.querySelector(scope);
            if (!window.TestingLibraryDom) return null;
            return root ? TestingLibraryDom.queryAllByRole(root, role, {name}) : [];";
        let args = vec![json!(scope), json!(role), json!(name)];
        let mut found = self.driver.execute(script, args.clone()).await?;
        if found.json().is_null() {
            self.run(&Script::TestingLibrary.source()?, vec![]).await?;
            found = self.driver.execute(script, args).await?;
        }
        Ok(found.elements()?)
    }

    /// The first element for a CSS selector.
    ///
    /// # Errors
    /// When it does not come.
    pub async fn css(&self, selector: &str) -> Result<WebElement> {
        self.until(selector, async || Ok(self.driver.find_all(By::Css(selector)).await?.into_iter().next()))
            .await
    }

    /// The visible text of the first element for a CSS selector.
    ///
    /// # Errors
    /// When there is no such element.
    pub async fn text(&self, selector: &str) -> Result<String> {
        Ok(self.css(selector).await?.text().await?)
    }

    /// Waits until the text of `selector` contains `wanted`.
    ///
    /// # Errors
    /// When it does not come to that.
    pub async fn reads(&self, selector: &str, wanted: &str) -> Result<()> {
        let mut last = String::new();
        let start = Instant::now();
        while start.elapsed() < PATIENCE {
            // The element may be replaced while it is read.
            last = self.text(selector).await.unwrap_or_default();
            if last.contains(wanted) {
                return Ok(());
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        bail!("{selector} never reads “{wanted}”, but “{last}”")
    }

    /// Replaces what an input holds, as a reader would type it.
    ///
    /// # Errors
    /// When the element takes no keys.
    pub async fn type_into(&self, input: &WebElement, text: &str) -> Result<()> {
        let select_all = "arguments[0].focus(); arguments[0].select();";
        self.driver.execute(select_all, vec![input.to_json()?]).await?;
        if text.is_empty() {
            input.send_keys(Key::Delete + "").await?;
        } else {
            input.send_keys(text).await?;
        }
        Ok(())
    }

    /// Replaces what an input holds at once, as pasting does: no half of the text is ever there.
    ///
    /// # Errors
    /// When the browser is gone.
    pub async fn paste_into(&self, input: &WebElement, text: &str) -> Result<()> {
        let script = "const [input, text] = arguments;
            input.value = text;
            input.dispatchEvent(new Event('input', {bubbles: true}));";
        self.run(script, vec![input.to_json()?, json!(text)]).await?;
        Ok(())
    }

    /// Types into the number or text field of that name within `scope`, and leaves it.
    ///
    /// # Errors
    /// When there is no such field.
    pub async fn fill(&self, scope: &str, name: &str, text: &str) -> Result<WebElement> {
        let field = self.named(scope, "textbox", name).await?;
        self.type_into(&field, text).await?;
        Ok(field)
    }

    /// Chooses an option of the list of that name within `scope` by its value.
    ///
    /// # Errors
    /// When there is no such list or option.
    pub async fn choose(&self, scope: &str, name: &str, value: &str) -> Result<()> {
        let list = self.named(scope, "combobox", name).await?;
        let script = "const [list, value] = arguments;
            list.value = value;
            list.dispatchEvent(new Event('change', {bubbles: true}));
            return list.value === value;";
        let done = self.run(script, vec![list.to_json()?, json!(value)]).await?;
        if done != true {
            bail!("{name} has no option {value}");
        }
        Ok(())
    }

    /// Clicks the button of that name within `scope`.
    ///
    /// # Errors
    /// When there is no such button, or it is disabled.
    pub async fn click(&self, scope: &str, name: &str) -> Result<()> {
        let button = self.named(scope, "button", name).await?;
        if !self.is_enabled(&button).await? {
            bail!("button “{name}” in {scope} is disabled");
        }
        // In the middle: a sticky header may cover the edge. What moves while the click comes is clicked where it has gone.
        let script = "arguments[0].scrollIntoView({block: 'center', behavior: 'instant'});";
        let start = Instant::now();
        loop {
            self.run(script, vec![button.to_json()?]).await?;
            let Err(error) = button.click().await else { return Ok(()) };
            if !error.to_string().contains("was intercepted") || start.elapsed() > Duration::from_secs(2) {
                bail!(error);
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// Whether a button does something. One that is blocked for a while says so, and keeps the focus.
    ///
    /// # Errors
    /// When the browser is gone.
    pub async fn is_enabled(&self, button: &WebElement) -> Result<bool> {
        Ok(button.is_enabled().await? && button.attr("aria-disabled").await?.is_none())
    }

    /// Waits until the focus is on a button, or a verdict, that reads `wanted`.
    ///
    /// # Errors
    /// When it does not come to that.
    pub async fn focused(&self, wanted: &str) -> Result<()> {
        self.until(&format!("focus on “{wanted}”"), async || {
            let script = "const at = document.activeElement;
                return at?.matches('button, .verdict') ? at.textContent : null;";
            let text = self.run(script, vec![]).await?;
            Ok(text.as_str().is_some_and(|text| text.contains(wanted)).then_some(()))
        })
        .await
    }

    /// What the page says is wrong with a field; empty while nothing is.
    ///
    /// # Errors
    /// When the field names no message.
    pub async fn message_of(&self, field: &WebElement) -> Result<String> {
        let script = "const field = arguments[0];
            return document.getElementById(field.getAttribute('aria-describedby')).textContent.trim();";
        let text = self.run(script, vec![field.to_json()?]).await?;
        Ok(text.as_str().unwrap_or_default().to_owned())
    }

    /// The exact value of the figure of that name within `scope`, or the sentence in its place.
    ///
    /// # Errors
    /// When there is no such figure.
    pub async fn figure(&self, scope: &str, name: &str) -> Result<String> {
        let group = self.named(scope, "group", name).await?;
        let script = "const group = arguments[0];
            return (group.querySelector('.figure-exact') ?? group.querySelector('.figure-none')).textContent.trim();";
        let text = self.run(script, vec![group.to_json()?]).await?;
        Ok(text.as_str().context("no text")?.to_owned())
    }

    /// Presses keys with the focus where it is.
    ///
    /// # Errors
    /// When the browser refuses.
    pub async fn press(&self, keys: impl Into<TypingData>) -> Result<()> {
        self.driver.action_chain().send_keys(keys).perform().await?;
        Ok(())
    }

    /// The part of the address behind the page of all tools.
    ///
    /// # Errors
    /// When the browser shows another page.
    pub async fn query(&self) -> Result<String> {
        let url = self.driver.current_url().await?;
        let query = url.as_str().strip_prefix(site::address()?).and_then(|path| path.strip_prefix(TOOLS));
        Ok(query.with_context(|| format!("{url} is not the page"))?.to_owned())
    }

    /// Waits until `probe` has something.
    ///
    /// # Errors
    /// When the probe fails, or nothing comes.
    pub async fn until<T>(&self, what: &str, probe: impl AsyncFn() -> Result<Option<T>>) -> Result<T> {
        let start = Instant::now();
        while start.elapsed() < PATIENCE {
            if let Some(value) = probe().await? {
                return Ok(value);
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        bail!("no {what} within {} s", PATIENCE.as_secs())
    }

    /// Level and text of what the console has got since the last call.
    ///
    /// # Errors
    /// When the browser is gone.
    pub async fn console(&self) -> Result<Vec<(String, String)>> {
        let log = self.driver.get_log("browser").await.context("the console cannot be read")?;
        Ok(log.into_iter().map(|entry| (entry.level, entry.message)).collect())
    }

    /// Writes a picture of one element, all of it.
    ///
    /// # Errors
    /// When there is no such element or the file cannot be written.
    pub async fn screenshot_of(&self, selector: &str, file: &Path) -> Result<()> {
        self.css(selector).await?;
        let script = "const box = document.querySelector(arguments[0]).getBoundingClientRect();
            return {x: box.x + scrollX, y: box.y + scrollY, width: box.width, height: box.height, scale: 1};";
        let clip = self.run(script, vec![json!(selector)]).await?;
        let params = json!({"clip": clip, "captureBeyondViewport": true});
        let picture = self.devtools("Page.captureScreenshot", params).await?;
        let picture = BASE64_STANDARD.decode(picture["data"].as_str().context("no picture")?)?;
        fs::write(file, picture).with_context(|| format!("cannot write {}", file.display()))
    }

    /// Writes a picture of the viewport.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub async fn screenshot(&self, file: &Path) -> Result<PathBuf> {
        fs::write(file, self.driver.screenshot_as_png().await?)
            .with_context(|| format!("cannot write {}", file.display()))?;
        Ok(file.to_path_buf())
    }
}
