//! What the end-to-end tests share: the built page on a static server, a browser, and a page in it.

pub mod browser;
pub mod long_trace;
pub mod page;
pub mod site;

pub use browser::{Options, WebGpu, alone, check};
pub use page::Page;
