//! How a worker is started, and the client of the compute worker.

mod bench;
mod compute;
mod job;
mod module_worker;

pub use compute::{Answer, ComputeWorker, WorkerStatus, gpu_tuning, use_compute_worker};
pub use job::Job;
pub use module_worker::ModuleWorker;

/// The value of a key of the address's query; empty where the key has none.
pub fn query_value(key: &str) -> Option<String> {
    let query = leptos::prelude::window().location().search().ok()?;
    web_sys::UrlSearchParams::new_with_str(&query).ok()?.get(key)
}
