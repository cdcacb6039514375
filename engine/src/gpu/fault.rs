//! Errors that the driver reports on its own, kept until a call can hand them on.

use std::sync::{Arc, Mutex, PoisonError};

use crate::error::{Error, Result};

#[derive(Default)]
struct State {
    first: Option<Error>,
    lost: Option<String>,
    /// The latest allocation, in bytes: an out-of-memory report does not say which one failed.
    allocating_bytes: u64,
    device: String,
}

/// The faults of one device.
#[derive(Clone, Default)]
pub(crate) struct Faults(Arc<Mutex<State>>);

impl Faults {
    /// Watches `device`, so that none of its errors is fatal.
    pub(crate) fn watch(device: &wgpu::Device, name: String) -> Self {
        let faults = Self::default();
        faults.with(|s| s.device = name);
        let (lost, uncaptured) = (faults.clone(), faults.clone());
        device.set_device_lost_callback(move |_, message| lost.with(|s| s.lost = Some(message)));
        device.on_uncaptured_error(Arc::new(move |error| uncaptured.record(&error)));
        faults
    }

    pub(crate) fn allocating(&self, bytes: u64) {
        self.with(|s| s.allocating_bytes = bytes);
    }

    fn record(&self, error: &wgpu::Error) {
        self.with(|s| {
            let error = match error {
                wgpu::Error::OutOfMemory { .. } => {
                    let bytes = s.allocating_bytes.into();
                    Error::out_of_memory(bytes, s.device.clone(), "it has less memory than that left")
                }
                other => Error::Gpu(other.to_string()),
            };
            s.first.get_or_insert(error);
        });
    }

    /// # Errors
    /// The first fault since the last check; once the device is lost, always that.
    pub(crate) fn check(&self) -> Result<()> {
        self.with(|s| match (&s.lost, s.first.take()) {
            (Some(message), _) => Err(Error::Gpu(format!("the device was lost: {message}"))),
            (None, Some(error)) => Err(error),
            (None, None) => Ok(()),
        })
    }

    /// Why the device is lost, if it is.
    pub(crate) fn lost(&self) -> Option<String> {
        self.with(|s| s.lost.clone())
    }

    fn with<T>(&self, act: impl FnOnce(&mut State) -> T) -> T {
        act(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests {
    use crate::checkpoint::{Checkpoint, Contents};
    use crate::gpu::storage::GpuStorage;
    use crate::gpu::{Gpu, GpuOptions};
    use crate::train::{LinearConfig, LinearTask};
    use crate::{DType, Device, Error, Tensor};
    use pollster::block_on;

    fn gpu() -> Gpu {
        block_on(Gpu::open(GpuOptions::default())).unwrap()
    }

    /// Everything that is asked of a device that has gone is an error; what lies elsewhere is as it was.
    fn check(gpu: &Gpu, lose: impl FnOnce()) {
        let device = Device::new(gpu.clone());
        let folder = std::env::temp_dir().join(format!("napkin-lost-{}-{:p}", std::process::id(), gpu));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("run.safetensors");
        let x = Tensor::from_slice(&[1.0, 2.0, 3.0, 4.0], &[2, 2], DType::F32, &device).unwrap();
        let rule = crate::optim::Rule::SGD;
        let config = LinearConfig { dim: 4, layers: 1, batch: 2, lr: 0.1, rule, seed: 1 };
        let mut task = LinearTask::new(config, &device).unwrap();
        task.step().unwrap();
        let contents = || Contents { tensors: vec![("model.x".into(), x.clone())], ..Contents::default() };
        block_on(contents().save(&path)).unwrap();
        let saved = std::fs::read(&path).unwrap();

        lose();
        let is_fault = |result: Result<(), Error>, what: &str| {
            assert!(matches!(result, Err(Error::Gpu(_))), "{what}: {result:?}");
        };
        is_fault(block_on(x.to_vec()).map(drop), "reading");
        is_fault(block_on(device.synchronize()), "waiting");
        let stepped = task.step().and_then(|()| block_on(task.loss()).map(drop));
        is_fault(stepped, "a training step");
        is_fault(block_on(contents().save(&path)), "saving");
        let multiplied = x.matmul(&x).and_then(|y| block_on(y.to_vec()).map(drop));
        is_fault(multiplied, "a product");

        assert!(std::fs::read(&path).unwrap() == saved, "the checkpoint has changed");
        let cpu = Tensor::zeros(&[2, 2], DType::F32, &Device::cpu()).unwrap();
        let file = Checkpoint::open(&path).unwrap();
        block_on(file.load(&[("model.x".into(), cpu.clone())])).unwrap();
        assert_eq!(block_on(cpu.to_vec()).unwrap(), [1.0, 2.0, 3.0, 4.0]);
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_lost_device_is_an_error_and_takes_nothing_with_it() {
        let gpu = gpu();
        check(&gpu, || gpu.core.faults.with(|s| s.lost = Some("unplugged".to_owned())));
        assert_eq!(gpu.lost().as_deref(), Some("unplugged"));
    }

    /// As in a browser, which says at the next wait that a buffer has no memory.
    #[test]
    fn a_buffer_that_had_no_memory_is_not_used_again() {
        let gpu = gpu();
        let core = &gpu.core;
        let id = |storage: &GpuStorage| storage.block().unwrap().id;
        let before = core.allocate(4096).unwrap();
        block_on(core.synchronize()).unwrap();
        let (kept, lacking) = (id(&before), core.allocate(8192).unwrap());
        let refused = id(&lacking);
        let error = Error::out_of_memory(8192, "here", "there is no more");
        core.faults.with(|s| s.first = Some(error.clone()));
        assert_eq!(block_on(core.synchronize()), Err(error));
        drop((before, lacking));
        assert_eq!(id(&core.allocate(4096).unwrap()), kept);
        assert_ne!(id(&core.allocate(8192).unwrap()), refused);
    }

    #[test]
    fn a_destroyed_device_is_an_error_too() {
        let gpu = gpu();
        check(&gpu, || gpu.core.device.destroy());
    }
}
