//! How a worker is started, and the client of the compute worker.

mod bench;
mod compute;
mod job;
mod module_worker;

pub use compute::{Answer, ComputeWorker, WorkerStatus, gpu_tuning, use_compute_worker};
pub use job::Job;
pub use module_worker::ModuleWorker;
