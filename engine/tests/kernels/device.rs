//! The device itself: memory, order, limits, tuning.

use std::cell::RefCell;
use std::rc::Rc;

use napkin_engine::backend::Backend;
use napkin_engine::gpu::{Gpu, GpuOptions, Software};
use napkin_engine::program::{Binary, Compute, Program};
use napkin_engine::{DType, Error, Layout};

use crate::common::{Random, Tensor, gpu, on_every_backend};

#[test]
fn bytes_survive_the_round_trip() {
    on_every_backend(|device| {
        for bytes in [0, 1, 2, 3, 4, 5, 255, 256, 257, 1_000_003] {
            let mut random = Random::new(bytes as u64);
            let data: Vec<u8> = (0..bytes).map(|_| (random.next() * 128.0) as i8 as u8).collect();
            let storage = device.upload(&data).unwrap();
            assert_eq!(storage.size_bytes(), bytes);
            assert_eq!(
                pollster::block_on(device.download(&*storage)).unwrap(),
                data,
                "{} {bytes}",
                device.name()
            );
        }
    });
}

/// A buffer that comes back from a dropped tensor is still read by kernels that have not run yet.
#[test]
fn reused_buffers_do_not_overtake_recorded_kernels() {
    let gpu = gpu();
    let layout = Layout::contiguous(&[1000]).unwrap();
    let out = Tensor::poisoned(&gpu, layout.clone(), DType::F32);
    let zero = vec![0.0; 1000];
    let mut sum = Tensor::new(&gpu, &zero, layout.clone(), DType::F32);
    let mut other = out;
    for i in 1..=700 {
        let term = Tensor::new(&gpu, &vec![f64::from(i); 1000], layout.clone(), DType::F32);
        gpu.map(
            &Program::binary(Compute::F32, Binary::Add),
            &[sum.operand(), term.operand()],
            other.operand(),
        )
        .unwrap();
        std::mem::swap(&mut sum, &mut other);
    }
    // 700 kernels are more than the uniforms of one submission: this passes the boundary, too.
    assert_eq!(sum.read(&gpu), vec![f64::from(700 * 701 / 2); 1000]);
}

#[test]
fn too_large_an_allocation_is_an_error_value() {
    let gpu = gpu();
    let limit = gpu.info().max_binding_bytes.min(gpu.info().max_buffer_bytes) as usize;
    for bytes in [limit + 1, usize::MAX / 4, 1 << 45] {
        match gpu.allocate(bytes).map(|_| ()) {
            Err(Error::OutOfMemory { bytes: asked, .. }) => assert_eq!(asked, bytes as u128),
            other => panic!("{bytes} bytes: {other:?}"),
        }
    }
    // The device still works.
    let x = Tensor::random(&gpu, Layout::contiguous(&[8]).unwrap(), DType::F32, 1);
    assert_eq!(x.read(&gpu), x.values);
}

#[test]
fn storages_of_another_device_are_refused() {
    let (gpu, other) = (gpu(), gpu());
    let x = Tensor::random(&other, Layout::contiguous(&[8]).unwrap(), DType::F32, 1);
    let out = Tensor::poisoned(&gpu, Layout::contiguous(&[8]).unwrap(), DType::F32);
    let error = gpu.map(&Program::copy(DType::F32), &[x.operand()], out.operand()).unwrap_err();
    assert!(matches!(error, Error::Device { .. }), "{error}");
    assert!(pollster::block_on(gpu.download(&*x.storage)).is_err());
}

#[test]
fn adapters_are_listed_and_described() {
    let gpu = gpu();
    let info = gpu.info();
    assert!(info.is_software && info.device_type == "cpu" && info.backend == "vulkan", "{info:?}");
    assert!(info.has_timestamps && info.max_buffer_bytes > 0 && info.max_workgroup_invocations >= 256);
    assert!(pollster::block_on(Gpu::adapters()).iter().any(|a| a.name == info.name));
    assert!(gpu.name().contains("software"), "{}", gpu.name());
}

#[test]
fn no_adapter_is_an_error_that_says_what_to_install() {
    let options = GpuOptions { name: Some("voodoo2".to_owned()), ..GpuOptions::default() };
    let error = pollster::block_on(Gpu::open(options)).err().expect("no such card").to_string();
    assert!(error.contains("voodoo2") && error.contains("mesa-vulkan-drivers"), "{error}");
    let options = GpuOptions { software: Software::Refused, ..GpuOptions::default() };
    if let Ok(gpu) = pollster::block_on(Gpu::open(options)) {
        assert!(!gpu.info().is_software);
    }
}

#[test]
fn tuning_is_remembered_and_travels_as_text() {
    let gpu = gpu();
    let kept = Rc::<RefCell<String>>::default();
    let keep = Rc::clone(&kept);
    gpu.keep_tuning(move |text| keep.replace(text.to_owned()).clear());
    let empty = gpu.tuning();
    pollster::block_on(gpu.tune(&[(100, 100, 100), (0, 3, 3)], DType::F32)).unwrap();
    let text = gpu.tuning();
    assert_eq!(*kept.borrow(), text, "who keeps it has heard of the last change");
    let record = gpu.record();
    assert_eq!(record.chosen().count(), 1, "{text}");
    let (products, chosen) = record.chosen().next().unwrap();
    assert!(products.starts_with("m 97–384"), "{products}");
    assert!(record.checks().iter().all(|check| check.aside().is_none()), "{text}");
    assert!(record.checks().iter().any(|check| check.kernel() == chosen), "{text}");
    let fresh = crate::common::gpu();
    assert!(fresh.load_tuning(&text));
    assert_eq!(fresh.tuning(), text);
    assert!(fresh.is_tuned(100, 100, 100, DType::F32));
    assert!(!fresh.load_tuning(""));
    assert!(!fresh.load_tuning(&text.replace("llvmpipe", "other")), "another adapter");
    assert_eq!(fresh.tuning(), text, "what is not understood changes nothing");
    let broken =
        format!("{empty}m2n2k2f nothing\nm9n9k9f skinny_64x4\nnonsense\nright skinny_64x4 float31\n");
    let fresh = crate::common::gpu();
    assert!(fresh.load_tuning(&broken));
    assert_eq!(fresh.tuning(), empty, "lines that are not understood are left out");
}

/// Two programs beside each other find out different things about one adapter.
#[test]
fn what_is_told_goes_beside_what_is_known() {
    let gpu = gpu();
    let kept = Rc::<RefCell<Vec<String>>>::default();
    let keep = Rc::clone(&kept);
    gpu.keep_tuning(move |text| keep.borrow_mut().push(text.to_owned()));
    let [own, others] = ["right skinny_64x4 float32\n", "aside skinny_32x1 float32 it differs\n"]
        .map(|line| format!("{}{line}", crate::common::gpu().tuning()));
    assert!(gpu.load_tuning(&own) && kept.borrow().is_empty(), "who keeps it knows that");
    assert!(gpu.load_tuning(&others));
    assert_eq!(kept.take(), [gpu.tuning()], "neither has both");
    assert_eq!(gpu.record().checks().len(), 2);
    assert!(gpu.load_tuning(&gpu.tuning()) && kept.borrow().is_empty());
}
