//! Checkpoints: Python's are read, Python reads ours, and of a bad one nothing is taken.

use std::fs;
use std::path::{Path, PathBuf};

use crate::figures::dtype;
use crate::harness::{block_on, each_device};
use napkin_engine::checkpoint::{Checkpoint, Contents, Weights};
use napkin_engine::random::Generator;
use napkin_engine::{DType, Device, Error, Result, Scalar, Tensor};
use safetensors::SafeTensors;
use serde::Deserialize;
use serde_json::json;

const PYTHONS: &[u8] = include_bytes!("../golden/checkpoint.safetensors");

#[derive(Deserialize)]
struct Golden {
    tensors: Vec<Stored>,
    values: std::collections::BTreeMap<String, String>,
}

#[derive(Deserialize)]
struct Stored {
    name: String,
    dtype: String,
    shape: Vec<usize>,
    bytes: String,
}

fn golden() -> Golden {
    serde_json::from_str(include_str!("../golden/checkpoint.json")).unwrap()
}

impl Golden {
    /// A place for each tensor.
    fn places(&self, device: &Device) -> Vec<(String, Tensor)> {
        let tensors = self.tensors.iter().filter(|stored| !stored.name.starts_with("random."));
        let place = |stored: &Stored| Tensor::empty(&stored.shape, dtype(&stored.dtype), device).unwrap();
        tensors.map(|stored| (stored.name.clone(), place(stored))).collect()
    }
}

/// A folder of this test's own, empty.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn entries(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
    let mut names: Vec<_> = names.map(|name| name.into_string().unwrap()).collect();
    names.sort();
    names
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn read(bytes: &[u8]) -> Result<Checkpoint> {
    Checkpoint::from_bytes("test", bytes.to_vec())
}

fn refusal<T>(result: Result<T>) -> String {
    match result {
        Err(error @ (Error::File { .. } | Error::Value { .. })) => error.to_string(),
        Err(other) => panic!("{other:?}"),
        Ok(_) => panic!("was accepted"),
    }
}

/// A safetensors file of these bytes, with no regard to the rules.
fn raw(header: &serde_json::Value, data: &[u8]) -> Vec<u8> {
    let header = header.to_string();
    [&(header.len() as u64).to_le_bytes(), header.as_bytes(), data].concat()
}

fn floats(values: &[f32], device: &Device) -> Tensor {
    Tensor::from_slice(values, &[values.len()], DType::F32, device).unwrap()
}

fn contents(tensors: &[(&str, &Tensor)]) -> Contents {
    let tensors = tensors.iter().map(|&(name, tensor)| (name.to_owned(), tensor.clone())).collect();
    Contents { tensors, ..Contents::default() }
}

fn named(tensors: &[(&str, &Tensor)]) -> Vec<(String, Tensor)> {
    contents(tensors).tensors
}

/// Every dtype, with NaNs and denormal numbers of all patterns, goes through tensors of each device and is then
/// in our file as it was in Python's. golden/checkpoint.py reads the file that stays.
#[test]
fn pythons_file_becomes_ours_bit_by_bit() {
    let golden = golden();
    let python = read(PYTHONS).unwrap();
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("checkpoint.safetensors");
    each_device(|device| {
        let tensors = golden.places(device);
        block_on(python.load(&tensors)).unwrap();
        let blobs = vec![("random.data".to_owned(), python.blob("random.data").unwrap().to_vec())];
        let values = golden.values.clone().into_iter().collect();
        block_on(Contents { tensors, blobs, values }.save(&path)).unwrap();

        let ours = fs::read(&path).unwrap();
        let file = SafeTensors::deserialize(&ours).unwrap();
        assert_eq!(file.len(), golden.tensors.len());
        for stored in &golden.tensors {
            let tensor = file.tensor(&stored.name).unwrap();
            assert_eq!(tensor.shape(), stored.shape);
            assert_eq!(hex(tensor.data()), stored.bytes, "{} on {device}", stored.name);
        }
        let ours = Checkpoint::open(&path).unwrap();
        assert_eq!(ours.value("crc32").unwrap(), python.value("crc32").unwrap());
        assert_eq!(ours.names(), python.names());
        for (key, value) in &golden.values {
            assert_eq!(ours.value(key).unwrap(), value);
        }
        assert_eq!(ours.number::<u64>("step").unwrap(), 120);
    });
}

#[test]
fn views_are_saved_and_filled_without_their_neighbours() {
    each_device(|device| {
        let base = |dtype| {
            let values: Vec<Scalar> = (0..35).map(|i| Scalar::Int(i % 2)).collect();
            Tensor::from_scalars(&values, &[5, 7], dtype, device).unwrap()
        };
        for dtype in DType::ALL {
            type View = fn(&Tensor) -> Result<Tensor>;
            let views: [(&str, View); 5] = [
                ("whole", |x| Ok(x.clone())),
                ("transposed", |x| x.transpose(0, 1)),
                ("columns", |x| x.slice(1, Some(1), None, 2)),
                ("rows", |x| x.narrow(0, 1, 3)),
                ("one", |x| x.select(0, 2)?.select(0, 3)),
            ];
            for (name, view) in views {
                let (from, to) = (base(dtype), base(dtype));
                let file = block_on(contents(&[("x", &view(&from).unwrap())]).to_bytes()).unwrap();
                let before = block_on(to.to_scalars()).unwrap();
                let shape = view(&to).unwrap().shape().to_vec();
                let ones = vec![Scalar::Int(1); shape.iter().product()];
                let other = Tensor::from_scalars(&ones, &shape, dtype, device).unwrap();
                let ones = block_on(contents(&[("x", &other)]).to_bytes()).unwrap();
                block_on(read(&ones).unwrap().load(&named(&[("x", &view(&to).unwrap())]))).unwrap();
                let filled = block_on(view(&to).unwrap().to_scalars()).unwrap();
                assert!(filled.iter().all(|value| value.as_f64() == 1.0), "{name} of {dtype} on {device}");
                // And back: now all of it is as it was.
                block_on(read(&file).unwrap().load(&named(&[("x", &view(&to).unwrap())]))).unwrap();
                assert_eq!(block_on(to.to_scalars()).unwrap(), before, "{name} of {dtype} on {device}");
            }
        }
    });
}

/// Packed parameters share a storage: each is written at its place.
#[test]
fn packed_parameters_are_filled_one_by_one() {
    each_device(|device| {
        let parts = [floats(&[1.0, 2.0, 3.0], device), floats(&[4.0; 8], device), floats(&[5.0], device)];
        let packed = Tensor::pack(&parts).unwrap();
        let names = ["model.a", "model.b", "model.c"];
        let members = |tensors: &[Tensor]| -> Vec<(String, Tensor)> {
            names.iter().zip(tensors).map(|(name, tensor)| ((*name).to_owned(), tensor.clone())).collect()
        };
        let file = Contents { tensors: members(&packed), ..Contents::default() };
        let file = read(&block_on(file.to_bytes()).unwrap()).unwrap();
        let empty = [3, 8, 1].map(|n| floats(&vec![0.0; n], device));
        let target = Tensor::pack(&empty).unwrap();
        block_on(file.load(&members(&target))).unwrap();
        for (got, want) in target.iter().zip(&parts) {
            assert_eq!(block_on(got.to_vec()).unwrap(), block_on(want.to_vec()).unwrap());
        }
    });
}

#[test]
fn loading_is_a_write_that_autograd_sees() {
    each_device(|device| {
        let x = floats(&[1.0, 2.0], device);
        let file = block_on(contents(&[("x", &x)]).to_bytes()).unwrap();
        x.set_requires_grad(true).unwrap();
        let y = x.mul(&x).unwrap().sum().unwrap();
        block_on(read(&file).unwrap().load(&named(&[("x", &x)]))).unwrap();
        let error = y.backward().unwrap_err().to_string();
        assert!(error.contains("modified by an inplace operation"), "{error}");
    });
}

#[test]
fn a_generator_goes_on() {
    let mut generator = Generator::new(3);
    generator.randn(5);
    let blobs = vec![("random.data".to_owned(), generator.state())];
    let file = block_on(Contents { blobs, ..Contents::default() }.to_bytes()).unwrap();
    let mut other = Generator::new(0);
    other.set_state(read(&file).unwrap().blob("random.data").unwrap()).unwrap();
    assert_eq!(other.randn(20), generator.randn(20));
}

#[test]
fn every_cut_and_every_changed_byte_is_found() {
    for length in 0..PYTHONS.len() {
        let refused = refusal(read(&PYTHONS[..length]));
        let is_told =
            refused.contains("truncated") || (length < 9 && refused.contains("no safetensors file"));
        assert!(is_told, "{length}: {refused}");
    }
    let longer = [PYTHONS, b"!"].concat();
    assert!(refusal(read(&longer)).contains("1 bytes more than its header tells of"));
    for place in 0..PYTHONS.len() {
        for bit in 0..8 {
            let mut bytes = PYTHONS.to_vec();
            bytes[place] ^= 1 << bit;
            let refused = refusal(read(&bytes));
            assert!(refused.starts_with("test: "), "byte {place}, bit {bit}: {refused}");
        }
    }
    let mut last = PYTHONS.to_vec();
    *last.last_mut().unwrap() ^= 0x10;
    assert!(refusal(read(&last)).contains("has been altered: its checksum is"));
}

#[test]
fn foreign_files_are_refused_with_the_reason() {
    let tensor = json!({"dtype": "U8", "shape": [2], "data_offsets": [0, 2]});
    let ours = |version: &str| json!({"format": "napkin-checkpoint", "version": version});
    let cases = [
        (Vec::new(), "no safetensors file"),
        (b"PK\x03\x04 and then the rest of a zip".to_vec(), "no safetensors file"),
        (raw(&json!([1, 2]), b""), "no safetensors file"),
        (raw(&json!({"x": 3}), b""), "no safetensors file"),
        (raw(&json!({"x": tensor}), b"ab"), "no checkpoint of Napkin"),
        (raw(&json!({"__metadata__": {"format": "pt"}, "x": tensor}), b"ab"), "no checkpoint of Napkin"),
        (
            raw(&json!({"__metadata__": ours("2"), "x": tensor}), b"ab"),
            "is a checkpoint of version 2; version 1 is read",
        ),
        (raw(&json!({"__metadata__": ours("1"), "x": tensor}), b"ab"), "no checksum"),
        (raw(&json!({"__metadata__": ours("1"), "x": tensor}), b"a"), "truncated"),
    ];
    for (bytes, why) in cases {
        let refused = refusal(read(&bytes));
        assert!(refused.contains(why), "{refused:?} does not say {why:?}");
    }
    // Sizes that are each possible and together are not: the library's own reader overflows here.
    let each = (usize::MAX / 8) as u64;
    let huge: serde_json::Map<_, _> = (0..8)
        .map(|i| {
            (
                i.to_string(),
                json!({"dtype": "U8", "shape": [each], "data_offsets": [i * each, (i + 1) * each]}),
            )
        })
        .collect();
    assert!(refusal(read(&raw(&huge.into(), b""))).contains("truncated"));

    let folder = folder("foreign");
    let told = |name: &str| refusal(Checkpoint::open(&folder.join(name)));
    assert!(told("missing").contains("missing: No such file"));
    assert!(told("").contains("not a regular file"));
    fs::write(folder.join("empty"), "").unwrap();
    assert!(told("empty").contains("no safetensors file"));
}

#[test]
fn another_model_is_refused_and_nothing_is_changed() {
    each_device(|device| {
        let [a, b] = [floats(&[1.0, 2.0], device), floats(&[3.0], device)];
        let file = contents(&[("model.a", &a), ("model.b", &b), ("optimizer.a", &a)]);
        let file = read(&block_on(file.to_bytes()).unwrap()).unwrap();
        let mine = floats(&[-1.0, -2.0], device);
        let half = Tensor::zeros(&[1], DType::F16, device).unwrap();
        let wide = Tensor::zeros(&[1, 3], DType::F32, device).unwrap();
        let broadcast = Tensor::zeros(&[1], DType::F32, device).unwrap().expand(&[2]).unwrap();
        let cases: [(&[(&str, &Tensor)], &str); 6] = [
            (&[("model.a", &mine)], "Unexpected key(s) in state_dict: \"model.b\""),
            (
                &[("model.a", &mine), ("model.b", &b), ("model.c", &b)],
                "Missing key(s) in state_dict: \"model.c\"",
            ),
            (
                &[("model.a", &mine), ("model.b", &wide)],
                "size mismatch for model.b: copying a param with shape torch.Size([1]) from checkpoint, the shape \
                 in current model is torch.Size([1, 3]).",
            ),
            (
                &[("model.a", &mine), ("model.b", &half)],
                "dtype mismatch for model.b: F32 in checkpoint, torch.float16 in current model.",
            ),
            (&[("optimizer.a", &broadcast)], "optimizer.a refers to a memory location more than once"),
            (&[("a", &mine)], "Missing key(s) in state_dict: \"a\""),
        ];
        for (tensors, why) in cases {
            let refused = refusal(block_on(file.load(&named(tensors))));
            assert!(refused.starts_with("test: Error(s) in loading state_dict:\n\t"), "{refused}");
            assert!(refused.contains(why), "{refused:?} does not say {why:?}");
            assert_eq!(block_on(mine.to_vec()).unwrap(), [-1.0, -2.0]);
        }
        assert!(refusal(file.blob("model.a")).contains("a tensor 'model.a' where bytes were expected"));
        assert!(refusal(file.blob("random")).contains("has no bytes 'random'"));
        assert!(refusal(file.value("step")).contains("has no value 'step'"));
        assert!(
            refusal(file.number::<u64>("format")).contains("'format' = 'napkin-checkpoint': invalid digit")
        );
        // A group by itself is enough.
        block_on(file.load(&named(&[("optimizer.a", &mine)]))).unwrap();
        assert_eq!(block_on(mine.to_vec()).unwrap(), [1.0, 2.0]);
    });
}

#[test]
fn names_are_given_once() {
    let x = floats(&[1.0], &Device::cpu());
    let twice = contents(&[("x", &x), ("x", &x)]);
    assert_eq!(refusal(block_on(twice.to_bytes())), "checkpoint: the name 'x' is taken");
    let blobs = vec![("x".to_owned(), vec![1])];
    assert!(
        refusal(block_on(Contents { blobs, ..contents(&[("x", &x)]) }.to_bytes())).contains("'x' is taken")
    );
    assert!(refusal(block_on(contents(&[("__metadata__", &x)]).to_bytes())).contains("is taken"));
    for key in ["format", "version", "crc32"] {
        let values = vec![(key.to_owned(), String::new())];
        assert!(
            refusal(block_on(Contents { values, ..Contents::default() }.to_bytes())).contains("is taken")
        );
    }
}

#[test]
fn the_old_file_survives_what_fails() {
    let folder = folder("replaced");
    let path = folder.join("run.safetensors");
    let device = Device::cpu();
    let save = |value: f32, path: &Path| block_on(contents(&[("x", &floats(&[value], &device))]).save(path));
    let value = |file: &Checkpoint| {
        let x = floats(&[0.0], &device);
        block_on(file.load(&named(&[("x", &x)]))).unwrap();
        block_on(x.to_vec()).unwrap()[0]
    };
    save(1.0, &path).unwrap();
    let open = Checkpoint::open(&path).unwrap();
    // What a killed run left is in nobody's way.
    fs::create_dir(folder.join("run.safetensors.part")).unwrap();
    fs::write(folder.join("run.safetensors.part/run.safetensors"), "half of a file").unwrap();
    save(2.0, &path).unwrap();
    assert_eq!(entries(&folder), ["run.safetensors"]);
    assert_eq!(value(&Checkpoint::open(&path).unwrap()), 2.0);
    // Who has the old one open keeps it.
    assert_eq!(value(&open), 1.0);

    // A file of somebody else's where ours would be made: it stays, and so does the checkpoint.
    fs::write(folder.join("run.safetensors.part"), "mine").unwrap();
    assert!(refusal(save(3.0, &path)).contains("run.safetensors: "));
    assert_eq!(fs::read(folder.join("run.safetensors.part")).unwrap(), b"mine");
    assert_eq!(value(&Checkpoint::open(&path).unwrap()), 2.0);
    fs::remove_file(folder.join("run.safetensors.part")).unwrap();

    // A folder of that name cannot be replaced, and what was made for it goes.
    fs::create_dir_all(folder.join("taken/inside")).unwrap();
    assert!(refusal(save(3.0, &folder.join("taken"))).contains("taken: "));
    assert_eq!(entries(&folder), ["run.safetensors", "taken"]);
    assert!(refusal(save(3.0, &folder.join("missing/run"))).contains("missing/run: No such file"));
    assert!(refusal(save(3.0, Path::new("/"))).contains("/: is not the name of a file"));
}

#[test]
fn weights_are_a_file_for_others() {
    each_device(|device| {
        let strided =
            floats(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], device).view(&[2, 3]).unwrap().transpose(0, 1).unwrap();
        let half = floats(&[0.5, -1.5, 0.25], device).to_dtype(DType::BF16).unwrap();
        let none = Tensor::empty(&[0, 4], DType::I64, &Device::cpu()).unwrap();
        let tensors = named(&[("half", &half), ("strided", &strided), ("none", &none)]);
        let values = vec![("format".to_owned(), "pt".to_owned())];
        let bytes = block_on(Weights { tensors, values: values.clone() }.to_bytes()).unwrap();
        // The library itself reads them, the largest elements first.
        let theirs = SafeTensors::deserialize(&bytes).unwrap();
        assert_eq!(theirs.tensor("strided").unwrap().shape(), [3, 2]);
        let want: Vec<u8> = [1.0f32, 4.0, 2.0, 5.0, 3.0, 6.0].iter().flat_map(|x| x.to_le_bytes()).collect();
        assert_eq!(theirs.tensor("strided").unwrap().data(), want);
        let ours = block_on(Weights::from_bytes("file", &bytes)).unwrap();
        let names: Vec<&str> = ours.tensors.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!((names, ours.values), (vec!["none", "strided", "half"], values));
        let read = |at: usize| block_on(ours.tensors[at].1.to_vec()).unwrap();
        assert_eq!((read(1), read(2)), (vec![1.0, 4.0, 2.0, 5.0, 3.0, 6.0], vec![0.5, -1.5, 0.25]));
        // No checkpoint, but a checkpoint is a file of weights too.
        assert!(refusal(Checkpoint::from_bytes("file", bytes.clone())).contains("no checkpoint of Napkin"));
        for end in 0..bytes.len() {
            assert!(block_on(Weights::from_bytes("file", &bytes[..end])).is_err(), "cut at {end}");
        }
    });
    assert_eq!(block_on(Weights::from_bytes("file", PYTHONS)).unwrap().tensors.len(), golden().tensors.len());
    let header = json!({"x": {"dtype": "U16", "shape": [2], "data_offsets": [0, 4]}});
    let foreign = block_on(Weights::from_bytes("file", &raw(&header, &[0; 4])));
    assert!(refusal(foreign).contains("'x' of dtype U16"));
    let twice = vec![("x".to_owned(), floats(&[1.0], &Device::cpu())); 2];
    let twice = Weights { tensors: twice, values: Vec::new() };
    assert!(refusal(block_on(twice.to_bytes())).contains("'x' is taken"));
}
