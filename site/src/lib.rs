//! The built site: its files, its service worker, the text around its pages, and a server for it.

pub mod document;
pub mod files;
pub mod offline;
pub mod server;
