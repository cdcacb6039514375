//! What the ledger says memory is held for, and parameters that lie side by side.
// Sizes that only 64 bits hold.
#![cfg(target_pointer_width = "64")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at the first fault")]

mod harness;

use harness::{block_on, each_device};
use napkin_engine::ledger::{ByTag, Tag};
use napkin_engine::nn::utils::clip_grad_norm_;
use napkin_engine::random::Generator;
use napkin_engine::{DType, Device, Result, Tensor};

fn random(shape: &[usize], seed: u64, device: &Device) -> Tensor {
    let values = Generator::new(seed).randn(shape.iter().product());
    Tensor::from_slice(&values, shape, DType::F32, device).unwrap()
}

/// Two layers of odd sizes and a bias that is used twice.
fn parameters(device: &Device) -> Vec<Tensor> {
    [&[5, 8][..], &[3], &[8, 3], &[1]]
        .iter()
        .zip(0..)
        .map(|(shape, seed)| random(shape, seed, device))
        .collect()
}

fn loss(x: &Tensor, p: &[Tensor]) -> Result<Tensor> {
    let hidden = x.matmul(&p[0])?.tanh()?;
    let out = hidden.matmul(&p[2])?.add(&p[1])?.mul(&p[3])?.add(&p[3])?;
    out.mul(&out)?.sum()
}

fn tags(device: &Device) -> ByTag {
    device.ledger().totals().allocated
}

fn values(tensors: &[Tensor]) -> Vec<Vec<f32>> {
    tensors.iter().map(|t| block_on(t.to_vec()).unwrap()).collect()
}

#[test]
fn every_byte_has_its_tag() {
    each_device(|device| {
        let before = tags(device);
        let held = |tag| tags(device).of(tag) - before.of(tag);
        let p = Tensor::pack(&parameters(device)).unwrap();
        assert_eq!([held(Tag::Temporary), held(Tag::Gradient)], [4 * 68, 4 * 68]);
        p.iter().for_each(|p| p.set_requires_grad(true).unwrap());
        assert_eq!([held(Tag::Temporary), held(Tag::Parameter)], [0, 4 * 68]);
        let x = random(&[7, 5], 9, device);
        let loss = loss(&x, &p).unwrap();
        // The input; the hidden layer, which tanh and the product keep; what the two multiplications keep.
        assert_eq!(held(Tag::Activation), 4 * (7 * 5 + 7 * 8 + 7 * 3 + 7 * 3));
        loss.backward().unwrap();
        assert_eq!(held(Tag::Activation), 0);
        assert_eq!(held(Tag::Gradient), 4 * 68);
        drop((p, loss, x));
        assert_eq!(tags(device), before);
    });
}

#[test]
fn the_peak_says_what_it_was_made_of() {
    let device = Device::new(napkin_engine::cpu::Cpu::new());
    let p = random(&[10], 0, &device);
    p.set_requires_grad(true).unwrap();
    let y = p.mul(&p).unwrap().sum().unwrap();
    y.backward().unwrap();
    let totals = device.ledger().totals();
    let sum: u64 = Tag::ALL.iter().map(|&tag| totals.at_peak.of(tag)).sum();
    assert_eq!(sum, totals.peak_bytes);
    assert_eq!(totals.at_peak.of(Tag::Parameter), 40);
    assert!(totals.peak_bytes > totals.allocated_bytes);
}

#[test]
fn packed_parameters_learn_what_others_learn() {
    each_device(|device| {
        let x = random(&[7, 5], 9, device);
        let loose = parameters(device);
        loose.iter().for_each(|p| p.set_requires_grad(true).unwrap());
        let packed = Tensor::pack(&loose).unwrap();
        assert!(packed.iter().all(|p| p.shares_storage_with(&packed[0]) && p.requires_grad() && p.is_leaf()));
        assert_eq!(values(&packed), values(&loose));
        // Twice, so that the second gradient meets the first.
        for _ in 0..2 {
            for p in [&loose, &packed] {
                loss(&x, p).unwrap().backward().unwrap();
            }
        }
        let gradients = |p: &[Tensor]| p.iter().map(|p| p.grad().unwrap()).collect::<Vec<_>>();
        assert_eq!(values(&gradients(&packed)), values(&gradients(&loose)), "{device}");
        assert!(gradients(&packed).iter().all(|g| g.shares_storage_with(&gradients(&packed)[0])));

        device.ledger().reset();
        let norms = [&loose, &packed].map(|p| {
            let before = device.ledger().totals().ops;
            let norm = block_on(clip_grad_norm_(p, 0.5).unwrap().item()).unwrap().as_f64();
            (norm, device.ledger().totals().ops - before)
        });
        assert!((norms[0].0 - norms[1].0).abs() < 1e-4 * norms[0].0, "{norms:?}");
        assert!(norms[1].1 < norms[0].1, "side by side they need fewer kernels: {norms:?}");

        // A gradient that is dropped begins anew, in its place.
        packed.iter().for_each(Tensor::zero_grad);
        loose.iter().for_each(Tensor::zero_grad);
        for p in [&loose, &packed] {
            loss(&x, p).unwrap().backward().unwrap();
        }
        assert_eq!(values(&gradients(&packed)), values(&gradients(&loose)));
    });
}

#[test]
fn what_cannot_be_packed_is_refused() {
    let device = Device::cpu();
    let (a, b) = (random(&[2], 0, &device), Tensor::zeros(&[2], DType::F16, &device).unwrap());
    assert!(Tensor::pack(&[a.clone(), b]).is_err());
    a.set_requires_grad(true).unwrap();
    assert!(Tensor::pack(&[a.exp().unwrap()]).is_err());
    assert!(Tensor::pack(&[]).unwrap().is_empty());
}

/// Makes a tensor that no machine has room for, and the words for its bytes, its shape and its dtype.
type Huge = (fn(&Device) -> Result<Tensor>, &'static str);

#[test]
fn what_memory_does_not_hold_is_named_with_its_bytes_its_tensor_and_the_limit() {
    const N: usize = 1_000_000_000_000;
    fn one(on: &Device) -> Result<Tensor> {
        Tensor::ones(&[1], DType::F32, on)
    }
    let cases: [Huge; 8] = [
        (
            |on| Tensor::zeros(&[N], DType::F32, on),
            "4 TB for a tensor of shape [1000000000000], torch.float32",
        ),
        (
            |on| Tensor::empty(&[1 << 20, 1 << 21], DType::F64, on),
            "17.59 TB for a tensor of shape [1048576, 2097152], torch.float64",
        ),
        (
            |on| Tensor::ones(&[N, 3], DType::F16, on),
            "6 TB for a tensor of shape [1000000000000, 3], torch.float16",
        ),
        (
            |on| Tensor::arange(0, N as i64, 1, None, on),
            "8 TB for a tensor of shape [1000000000000], torch.int64",
        ),
        (
            |on| Tensor::randn(&[N], &mut Generator::new(0), on),
            "4 TB for a tensor of shape [1000000000000], torch.float32",
        ),
        (
            |on| one(on)?.expand(&[2, N as isize])?.exp(),
            "8 TB for a tensor of shape [2, 1000000000000], torch.float32",
        ),
        (
            |on| one(on)?.expand(&[N as isize])?.to_dtype(DType::BF16),
            "2 TB for a tensor of shape [1000000000000], torch.bfloat16",
        ),
        (|on| one(on)?.repeat(&[N]), "4 TB for a tensor of shape [1000000000000, 1], torch.float32"),
    ];
    each_device(|device| {
        for (make, words) in cases {
            let said = make(device).unwrap_err().to_string();
            let limit = said.strip_prefix(&format!("cannot allocate {words} on "));
            let (_, limit) = limit.and_then(|it| it.rsplit_once(": ")).unwrap_or_else(|| panic!("{said}"));
            let has_unit = ["kB", "MB", "GB", "TB"].iter().any(|unit| limit.contains(unit));
            assert!(has_unit || limit == "the system has no block of that size", "{said}");
        }
        let said = |made: Result<Tensor>| made.unwrap_err().to_string();
        assert_eq!(
            said(Tensor::empty(&[1 << 30, 1 << 30], DType::F32, device)),
            "a tensor of shape [1073741824, 1073741824] has 2^53 elements or more, 4.612 EB in float32: make one of its \
             sizes smaller, fewer can be numbered here"
        );
        assert_eq!(
            said(Tensor::arange(0, 1_000_000_000_000_000_000i64, 1, None, device)),
            "arange: from 0 to 1000000000000000000 in steps of 1 there are 1000000000000000000 elements; a tensor has at \
             most 9007199254740991 here"
        );
        let empty = Tensor::zeros(&[2, 0], DType::F32, device).unwrap();
        assert_eq!(
            said(empty.repeat(&[usize::MAX, 1])),
            "repeat: a dimension of size 2, repeated 18446744073709551615 times, has more than the 9007199254740991 \
             elements that can be numbered here"
        );
    });
}
