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
    let pairs = crate::state::query::read(&leptos::prelude::window().location().search().ok()?);
    pairs.into_iter().find(|(known, _)| known == key).map(|(_, value)| value)
}
