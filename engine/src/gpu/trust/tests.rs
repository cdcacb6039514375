//! Devices that fail, each in its own way, in place of those that are not here.

use std::cell::Cell;
use std::time::Duration;

use pollster::block_on;

use super::*;
use crate::backend::Backend;
use crate::gpu::core::Core;
use crate::gpu::tiles::TILES;
use crate::gpu::tune::tune;
use crate::gpu::{GpuInfo, GpuOptions, Software};

/// What a device does to every kernel but the plain one, or to that as well.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Fault {
    /// One element of a product is a little off.
    Lies,
    /// It leaves an element as it was.
    Omits,
    /// It writes one beside the output.
    Spills,
    /// The compiler refuses.
    Refuses,
    /// The compiler takes a minute.
    Ponders,
    /// A product takes two seconds.
    Hangs,
    /// One product takes two seconds, since somebody else has the device.
    Waits,
    /// There is no memory for a product.
    Lacks,
    /// The device goes away.
    Dies,
}

/// A device that is as it is here, but for its fault.
struct Bad {
    gpu: Gpu,
    fault: Fault,
    spares_plain: bool,
    /// What its clock is ahead.
    late: Cell<Duration>,
    /// Products of kernels at fault.
    products: Cell<usize>,
}

impl Bad {
    fn new(fault: Fault) -> Self {
        Self {
            gpu: gpu(GpuOptions::default()),
            fault,
            spares_plain: true,
            late: Cell::default(),
            products: Cell::default(),
        }
    }

    fn is_at_fault(&self, tile: Tile) -> bool {
        tile != PLAIN || !self.spares_plain
    }

    fn wait(&self, secs: u64) {
        self.late.set(self.late.get() + Duration::from_secs(secs));
    }
}

impl Bench for Bad {
    fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    fn now(&self) -> Duration {
        self.gpu.now() + self.late.get()
    }

    async fn compile(&self, tile: Tile, trial: &Trial) -> Result<()> {
        match self.fault {
            Fault::Refuses if self.is_at_fault(tile) => {
                return Err(Error::Gpu("no such register".to_owned()));
            }
            Fault::Ponders if self.is_at_fault(tile) => self.wait(70),
            _ => {}
        }
        self.gpu.compile(tile, trial).await
    }

    async fn product(&self, tile: Tile, trial: &Trial) -> Result<Vec<f64>> {
        if !self.is_at_fault(tile) {
            return self.gpu.product(tile, trial).await;
        }
        if self.fault == Fault::Dies {
            self.gpu.core.device.destroy();
        }
        let mut product = self.gpu.product(tile, trial).await?;
        let last = product.len() - MARGIN - 1;
        let before = self.products.replace(self.products.get() + 1);
        match self.fault {
            Fault::Lies => product[last] += 0.01 + product[last].abs() / 4.0,
            Fault::Omits => product[last] = f64::NAN,
            Fault::Spills => product[last + 1] = 0.0,
            Fault::Hangs => self.wait(2),
            // The first one is compiled.
            Fault::Waits if before == 1 => self.wait(2),
            Fault::Lacks => {
                return Err(Error::out_of_memory(1, "", ""));
            }
            _ => {}
        }
        Ok(product)
    }
}

fn gpu(options: GpuOptions) -> Gpu {
    block_on(Gpu::open(GpuOptions { software: Software::Required, ..options })).unwrap()
}

/// A product by whichever kernel the device chooses, and whether it is right.
fn multiplies(gpu: &Gpu, dtype: DType) -> (String, bool) {
    let trial = Trial::new(gpu, CASES[0], dtype).unwrap();
    let [a, b, out] = trial.operands();
    gpu.matmul(a, b, out).unwrap();
    let bytes = block_on(gpu.download(out.storage)).unwrap();
    let fault = trial.fault(&codec::decode(&bytes, dtype), &trial.want, 1.0);
    (gpu.matmul_kernel(a, b, out), fault.is_none())
}

#[test]
fn every_kernel_is_right_here_in_every_dtype() {
    let gpu = gpu(GpuOptions::default());
    // Compiling tiles this large takes a driver seconds; tests/kernels has them in float32.
    let is_small = |tile: &Tile| !matches!(tile, Tile::Register { tm, tn, .. } if tm * tn > 64);
    for tile in TILES.into_iter().filter(|tile| is_small(tile) && tile.fits(gpu.info())) {
        let dtypes = if tile == PLAIN { &DType::UP_TO_F32[..] } else { &[DType::F32, DType::F16][..] };
        for dtype in dtypes.iter().filter(|dtype| tile.takes(**dtype)) {
            assert!(block_on(is_right(&gpu, tile, *dtype)).unwrap(), "{tile:?} {dtype}: {}", gpu.tuning());
        }
    }
    assert!(!gpu.tuning().contains("aside") && !gpu.tuning().contains("begun"), "{}", gpu.tuning());
}

#[test]
fn a_kernel_at_fault_is_set_aside_and_the_plain_one_works() {
    for (fault, says) in [
        (Fault::Lies, "of a product is"),
        (Fault::Omits, "is NaN"),
        (Fault::Spills, "outside of its output"),
        (Fault::Refuses, "does not compile"),
        (Fault::Ponders, "compiling it took 70 s"),
        (Fault::Hangs, "took 2.0 s"),
    ] {
        let bad = Bad::new(fault);
        block_on(tune(&bad, &[(132, 140, 52)], DType::F32)).unwrap();
        let record = bad.gpu.record();
        assert_eq!(
            record.chosen().map(|(_, kernel)| kernel).collect::<Vec<_>>(),
            [PLAIN.name()],
            "{fault:?}"
        );
        let mut aside = 0;
        for check in record.checks() {
            assert_eq!(check.tile == PLAIN, check.finding == Finding::Right, "{fault:?}: {check:?}");
            if let Some(why) = check.aside() {
                assert!(why.contains(says), "{fault:?}: {why}");
                aside += 1;
            }
        }
        assert!(aside >= 1, "{fault:?}: {record:?}");
        assert_eq!(multiplies(&bad.gpu, DType::F32), (PLAIN.name(), true), "{fault:?}");
        // The next run knows.
        let next = gpu(GpuOptions::default());
        assert!(next.load_tuning(&bad.gpu.tuning()));
        assert_eq!(next.record(), record);
        assert_eq!(multiplies(&next, DType::F32), (PLAIN.name(), true), "{fault:?}");
    }
}

/// Neither a moment in which another program has the device nor full memory is held against a kernel.
#[test]
fn what_passes_is_no_fault() {
    let tile = TILES.into_iter().find(|tile| *tile != PLAIN && !tile.is_scalar()).unwrap();
    let waits = Bad::new(Fault::Waits);
    assert!(block_on(is_right(&waits, tile, DType::F32)).unwrap(), "{:?}", waits.gpu.record());
    let lacks = Bad::new(Fault::Lacks);
    let error = block_on(is_right(&lacks, tile, DType::F32)).unwrap_err();
    assert!(matches!(error, Error::OutOfMemory { .. }), "{error}");
    assert!(lacks.gpu.record().finding(tile, DType::F32).is_none(), "{:?}", lacks.gpu.record());
}

#[test]
fn what_lies_everywhere_is_trusted_nowhere() {
    let bad = Bad { spares_plain: false, ..Bad::new(Fault::Lies) };
    block_on(tune(&bad, &[(100, 100, 100)], DType::F16)).unwrap();
    let record = bad.gpu.record();
    assert_eq!(record.checks().len(), 1, "nothing is compared with a plain kernel that is wrong");
    assert!(record.checks()[0].tile == PLAIN && record.checks()[0].aside().is_some(), "{record:?}");
}

#[test]
fn a_device_that_dies_leaves_word_and_the_next_one_goes_without_that_kernel() {
    let bad = Bad::new(Fault::Dies);
    let kept = Rc::<std::cell::RefCell<Vec<String>>>::default();
    let keep = Rc::clone(&kept);
    bad.gpu.keep_tuning(move |text| keep.borrow_mut().push(text.to_owned()));
    let error = block_on(tune(&bad, &[(100, 100, 100)], DType::F32)).unwrap_err();
    assert!(matches!(error, Error::Gpu(_)), "{error}");
    assert!(bad.gpu.lost().is_some(), "{error}");
    let texts = kept.take();
    let (last, before) = texts.split_last().unwrap();
    assert!(last.contains("the device was lost"), "{last}");
    assert!(before.last().unwrap().contains("begun"), "{before:?}");
    let next = gpu(GpuOptions::default());
    assert!(next.load_tuning(last));
    let aside = next.record().checks().iter().filter(|check| check.aside().is_some()).count();
    assert_eq!(aside, 1);
    assert!(multiplies(&next, DType::F32).1);
}

/// A program that a kernel takes with it twice does not try a third time.
#[test]
fn a_check_that_never_ends_is_begun_twice() {
    let tile = TILES[0];
    let mut record = Record::default();
    let info = gpu(GpuOptions::default()).info().clone();
    for expected in [true, true, false] {
        assert_eq!(record.begin(tile, DType::F32), expected);
        record = Record::from_text(&record.to_text(&info), &info).unwrap();
    }
    assert!(record.checks()[0].aside().is_some_and(|why| why.contains("not come back")), "{record:?}");
    assert!(matches!(record.finding(tile, DType::F32), Some(Finding::Aside(_))), "{record:?}");
}

/// Two programs share a record: what one has finished is not undone by what the other has begun.
#[test]
fn a_check_that_has_begun_elsewhere_changes_nothing_that_is_known() {
    let (known, begun, other) = (TILES[0], TILES[1], TILES[2]);
    let (mut here, mut there) = (Record::default(), Record::default());
    here.set(known, DType::F32, Finding::Right);
    here.set(other, DType::F32, Finding::Right);
    for tile in [known, begun] {
        assert!(there.begin(tile, DType::F32));
    }
    there.set(other, DType::F32, Finding::Aside("it differs".to_owned()));
    let both = here.updated(there);
    assert_eq!(both.finding(known, DType::F32), Some(&Finding::Right));
    assert_eq!(both.finding(begun, DType::F32), Some(&Finding::Begun(1)));
    assert!(matches!(both.finding(other, DType::F32), Some(Finding::Aside(_))));
}

/// bfloat16 cannot be multiplied by the units that float16 is fastest by.
#[test]
fn each_kind_of_elements_is_tuned_by_itself() {
    let gpu = gpu(GpuOptions::default());
    for dtype in [DType::BF16, DType::F16, DType::F32] {
        assert!(!gpu.is_tuned(100, 100, 100, dtype), "{dtype}");
        block_on(gpu.tune(&[(100, 100, 100)], dtype)).unwrap();
        assert!(gpu.is_tuned(100, 100, 100, dtype), "{dtype}");
    }
    assert!(gpu.is_tuned(100, 100, 100, DType::F8E5M2), "it is multiplied as float16");
}

#[test]
fn what_a_compiler_refuses_is_caught_and_forgotten() {
    let gpu = gpu(GpuOptions::default());
    let core = &gpu.core;
    let scope = core.device.push_error_scope(wgpu::ErrorFilter::Validation);
    let source = || Ok("@compute @workgroup_size(1) fn main() { nothing(); }".to_owned());
    let compiled = core.kernels.get(&core.device, &core.faults, "bad kernel", &[], source);
    assert!(compiled.is_ok(), "the scope has it");
    assert!(block_on(scope.pop()).is_some());
    core.kernels.drop_named("bad ");
    assert!(core.faults.check().is_ok());
    assert!(core.kernels.get(&core.device, &core.faults, "bad kernel", &[], source).is_err());
    assert!(multiplies(&gpu, DType::F32).1);
}

/// 16 KiB of workgroup memory, 256 invocations, no timestamps, no float16 in shaders.
#[test]
fn what_webgpu_promises_everywhere_suffices() {
    let gpu = gpu(GpuOptions { baseline: true, ..GpuOptions::default() });
    let info = gpu.info();
    assert_eq!((info.max_workgroup_bytes, info.max_workgroup_invocations), (16 << 10, 256));
    assert!(!info.has_timestamps && !info.has_shader_f16);
    block_on(gpu.tune(&[(100, 100, 100)], DType::F16)).unwrap();
    for dtype in DType::UP_TO_F32 {
        assert!(multiplies(&gpu, dtype).1, "{dtype}");
    }
    assert!(!gpu.tuning().contains("aside"), "{}", gpu.tuning());
}

/// As an adapter in hardware with subgroups of that size would be served: the plain kernel first, the checked one after
/// somebody has waited.
#[test]
fn hardware_gets_a_checked_kernel_after_its_first_use() {
    for size in [4, 8, 64, 128] {
        let software = gpu(GpuOptions::default()).core;
        let info = GpuInfo { is_software: false, subgroup_sizes: (size, size), ..software.info.clone() };
        let gpu = Gpu::new(Core::new(software.device.clone(), software.queue.clone(), info));
        let trial = Trial::new(&gpu, CASES[0], DType::F32).unwrap();
        let [a, b, out] = trial.operands();
        assert_eq!(gpu.matmul_kernel(a, b, out), PLAIN.name());
        let (kernel, is_right) = multiplies(&gpu, DType::F32);
        assert!(is_right && kernel != PLAIN.name(), "{kernel}");
        assert_eq!(multiplies(&gpu, DType::F32), (kernel.clone(), true));
        // It is known by the operands of both dtypes, and set aside where it fails.
        let tile = Tile::from_name(&kernel).unwrap();
        gpu.note(|record| record.set(tile, DType::F32, Finding::Aside("it differs".to_owned())));
        let (other, is_right) = multiplies(&gpu, DType::F32);
        assert!(is_right && other != kernel, "{other}");
    }
}
