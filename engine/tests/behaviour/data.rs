//! Token streams and batches: files as NumPy writes them, windows as PyTorch draws them, whatever the timing.

use std::cell::Cell;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use crate::harness::{block_on, each_device};
use napkin_engine::backend::Pending;
use napkin_engine::data::{Batches, CharTokenizer, Element, MappedFile, Source, Tokens};
use napkin_engine::random::Generator;
use napkin_engine::{DType, Device, Error, Result, Tensor};
use serde::Deserialize;

#[derive(Deserialize)]
struct Golden {
    good: Vec<Good>,
    refused: Vec<Refused>,
    batches: Vec<Run>,
}

#[derive(Deserialize)]
struct Good {
    file: String,
    /// Up to 64 bits: strings in JSON.
    tokens: Vec<String>,
}

#[derive(Deserialize)]
struct Refused {
    file: String,
    why: String,
}

#[derive(Deserialize)]
struct Run {
    seed: u64,
    dtype: String,
    raw: String,
    context: usize,
    batch: usize,
    drawn: Vec<Drawn>,
}

#[derive(Deserialize, Clone, PartialEq, Debug)]
struct Drawn {
    inputs: Vec<i64>,
    targets: Vec<i64>,
}

fn golden() -> Golden {
    serde_json::from_str(include_str!("../golden/data.json")).unwrap()
}

fn bytes(hex: &str) -> Rc<[u8]> {
    (0..hex.len()).step_by(2).map(|i| u8::from_str_radix(&hex[i..i + 2], 16).unwrap()).collect()
}

fn folder() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("data");
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn mapped(name: &str, bytes: &[u8]) -> MappedFile {
    let path = folder().join(name);
    std::fs::write(&path, bytes).unwrap();
    MappedFile::open(&path).unwrap()
}

fn all(tokens: &Tokens) -> Result<Vec<i64>> {
    block_on(tokens.read(0..tokens.len()))
}

/// Why something did not work.
fn refusal<T>(result: Result<T>) -> String {
    match result {
        Err(error @ (Error::File { .. } | Error::Value { .. })) => error.to_string(),
        Err(other) => panic!("{other:?}"),
        Ok(_) => panic!("was accepted"),
    }
}

impl Run {
    fn element(&self) -> Element {
        match self.dtype.as_str() {
            "uint8" => Element::U8,
            "uint16" => Element::U16,
            "uint32" => Element::U32,
            "int32" => Element::I32,
            "int64" => Element::I64,
            other => panic!("{other}"),
        }
    }

    fn batches(&self, source: impl Source + 'static) -> Batches {
        let tokens = Tokens::raw(source, self.element()).unwrap();
        Batches::new(tokens, self.context, self.batch, Generator::new(self.seed)).unwrap()
    }

    fn next(&self, batches: &mut Batches, device: &Device) -> Result<Drawn> {
        let (inputs, targets) = block_on(batches.next(device))?;
        let ids = |tensor: &Tensor| {
            assert_eq!((tensor.shape(), tensor.dtype()), ([self.batch, self.context].as_slice(), DType::I64));
            block_on(tensor.to_scalars()).unwrap().iter().map(|value| value.as_i64()).collect()
        };
        Ok(Drawn { inputs: ids(&inputs), targets: ids(&targets) })
    }
}

#[test]
fn files_of_numpy_are_read() {
    let cases = golden().good;
    assert!(cases.len() >= 75, "{} files", cases.len());
    for (i, case) in cases.iter().enumerate() {
        let bytes = bytes(&case.file);
        let want: Vec<i64> = case.tokens.iter().map(|token| token.parse().unwrap()).collect();
        let file = mapped(&format!("{i}.npy"), &bytes);
        for tokens in [block_on(Tokens::npy(bytes.clone())), block_on(Tokens::npy(file))] {
            let tokens = tokens.unwrap();
            assert_eq!(tokens.len(), want.len() as u64);
            assert_eq!(tokens.is_empty(), want.is_empty());
            assert_eq!(all(&tokens).unwrap(), want, "file {i}");
            let middle = want.len() / 3..want.len() - want.len() / 3;
            let read = block_on(tokens.read(middle.start as u64..middle.end as u64)).unwrap();
            assert_eq!(read, want[middle]);
        }
        // Cut anywhere, it is refused.
        for length in 0..bytes.len() {
            let refused = refusal(block_on(Tokens::npy(Rc::from(&bytes[..length]))));
            assert!(refused.starts_with("memory: "), "{refused}");
        }
    }
}

#[test]
fn other_arrays_are_refused_with_the_reason() {
    for case in golden().refused {
        let refused = refusal(block_on(Tokens::npy(bytes(&case.file))));
        assert!(refused.contains(&case.why), "{refused:?} does not say {:?}", case.why);
    }
    for (head, why) in [
        (&b"PK\x03\x04 a zip of arrays"[..], "no .npy file"),
        (b"", "no .npy file"),
        (b"\x93NUMPY\x04\x00\x00\x00\x00\x00\x00\x00", "version 4"),
        (b"\x93NUMPY\x02\x00\xff\xff\xff\xff{}", "header of 4294967295 bytes"),
        (b"\x93NUMPY\x01\x00\x02\x00{}", "without descr"),
        (b"\x93NUMPY\x01\x00\x05\x00{'a':", "unknown entry 'a'"),
    ] {
        let refused = refusal(block_on(Tokens::npy(Rc::from(head))));
        assert!(refused.contains(why), "{refused:?} does not say {why:?}");
    }
}

#[test]
fn windows_begin_where_pytorch_draws_them() {
    for (i, run) in golden().batches.iter().enumerate() {
        let raw = bytes(&run.raw);
        each_device(|device| {
            let file = mapped(&format!("{i}.bin"), &raw);
            for mut batches in [run.batches(raw.clone()), run.batches(file)] {
                for drawn in &run.drawn {
                    assert_eq!(&run.next(&mut batches, device).unwrap(), drawn, "seed {}", run.seed);
                }
            }
        });
    }
}

#[test]
fn a_loader_goes_on_where_its_state_was_taken() {
    let device = Device::cpu();
    for run in golden().batches {
        let raw = bytes(&run.raw);
        let mut first = run.batches(raw.clone());
        for (delivered, drawn) in run.drawn.iter().enumerate() {
            let state = first.state();
            let mut second = run.batches(raw.clone());
            // What it had begun to read is forgotten.
            run.next(&mut second, &device).unwrap();
            second.set_state(&state).unwrap();
            assert_eq!(second.state(), state);
            for drawn in &run.drawn[delivered..] {
                assert_eq!(&run.next(&mut second, &device).unwrap(), drawn);
            }
            assert_eq!(&run.next(&mut first, &device).unwrap(), drawn);
        }
        let state = first.state();
        assert!(first.set_state(&[1, 2, 3]).is_err());
        assert_eq!(first.state(), state);
    }
}

/// Bytes that come late, or not at all.
struct Slow {
    bytes: Rc<[u8]>,
    reads: Rc<Cell<usize>>,
    fails_at: Option<usize>,
}

impl Source for Slow {
    fn name(&self) -> &'static str {
        "a slow disk"
    }

    fn size_bytes(&self) -> u64 {
        self.bytes.size_bytes()
    }

    fn read(&self, bytes: Range<u64>) -> Pending<'static, Vec<u8>> {
        let reads = self.reads.replace(self.reads.get() + 1);
        if self.fails_at == Some(reads) {
            let error = Error::File { file: self.name().into(), message: "is on fire".into() };
            return Box::pin(std::future::ready(Err(error)));
        }
        let reading = self.bytes.read(bytes);
        // Of neighbours the later one is there first.
        let delay = std::time::Duration::from_micros(if reads.is_multiple_of(2) { 900 } else { 100 });
        Box::pin(async move {
            std::thread::sleep(delay);
            reading.await
        })
    }
}

#[test]
fn the_next_batch_is_read_before_it_is_asked_for() {
    let run = &golden().batches[0];
    let reads = Rc::new(Cell::new(0));
    let mut batches = run.batches(Slow { bytes: bytes(&run.raw), reads: reads.clone(), fails_at: None });
    assert_eq!(reads.get(), 0);
    for (delivered, drawn) in run.drawn.iter().enumerate() {
        assert_eq!(&run.next(&mut batches, &Device::cpu()).unwrap(), drawn);
        assert_eq!(reads.get(), (delivered + 2) * run.batch);
    }
}

#[test]
fn a_batch_that_failed_is_tried_again() {
    let run = &golden().batches[0];
    for fails_at in 0..4 * run.batch {
        let reads = Rc::new(Cell::new(0));
        let mut batches = run.batches(Slow { bytes: bytes(&run.raw), reads, fails_at: Some(fails_at) });
        let mut failures = 0;
        for drawn in &run.drawn {
            let next = run.next(&mut batches, &Device::cpu()).or_else(|error| {
                assert_eq!(error.to_string(), "a slow disk: is on fire");
                failures += 1;
                run.next(&mut batches, &Device::cpu())
            });
            assert_eq!(&next.unwrap(), drawn, "failing at read {fails_at}");
        }
        assert_eq!(failures, 1);
    }
}

#[test]
fn a_source_that_shrinks_is_told() {
    struct Shrunk;
    impl Source for Shrunk {
        fn name(&self) -> &'static str {
            "shrunk.bin"
        }
        fn size_bytes(&self) -> u64 {
            100
        }
        fn read(&self, _: Range<u64>) -> Pending<'static, Vec<u8>> {
            Box::pin(std::future::ready(Ok(vec![0; 3])))
        }
    }
    let tokens = Tokens::raw(Shrunk, Element::U16).unwrap();
    assert_eq!(refusal(all(&tokens)), "shrunk.bin: has become shorter while it was read");
}

#[test]
fn what_cannot_be_read_is_a_sentence() {
    let ten: Rc<[u8]> = (0..10).collect();
    let raw = |element| Tokens::raw(ten.clone(), element);
    assert_eq!(refusal(raw(Element::U32)), "memory: 10 bytes are no whole number of U32 tokens of 4 bytes");
    let tokens = raw(Element::U16).unwrap();
    assert_eq!(all(&tokens).unwrap(), [0x100, 0x302, 0x504, 0x706, 0x908]);
    for range in [0..6, 5..7, 6..6, u64::MAX..u64::MAX, Range { start: 3, end: 2 }] {
        let told = format!("memory: tokens {} to {} were asked for, but it has 5", range.start, range.end);
        assert_eq!(refusal(block_on(tokens.read(range))), told);
    }
    assert!(block_on(tokens.read(5..5)).unwrap().is_empty());

    let batches = |context, batch| Batches::new(tokens.clone(), context, batch, Generator::new(0));
    let short = refusal(batches(5, 1));
    assert_eq!(
        short,
        "memory: has 5 tokens, too few for a context of 5: an input and its targets take 6 tokens"
    );
    assert!(refusal(batches(usize::MAX, 1)).contains("too few"));
    assert!(refusal(batches(0, 1)).contains("at least 1"));
    assert!(refusal(batches(1, 0)).contains("at least 1"));
    assert!(refusal(batches(4, usize::MAX)).contains("at most"));
    assert!(batches(4, 1).is_ok());
    assert!(refusal(Batches::new(Tokens::from_ids(&[]), 1, 1, Generator::new(0))).contains("has 0 tokens"));

    let missing = refusal(MappedFile::open(&folder().join("missing.bin")));
    assert!(missing.contains("missing.bin: No such file"), "{missing}");
    let message = refusal(MappedFile::open(&folder()));
    assert!(message.contains("not a regular file"), "{message}");
    let empty = mapped("empty.bin", &[]);
    let message = refusal(block_on(empty.read(0..1)));
    assert!(message.ends_with("bytes 0 to 1 were asked for, but it has 0"), "{message}");
    assert!(Tokens::raw(empty, Element::U16).unwrap().is_empty());
}

#[test]
fn characters_are_tokens_in_the_order_of_their_code_points() {
    let text = "hello, wörld ∑\n";
    let chars = CharTokenizer::new(text);
    assert_eq!(chars.vocabulary(), "\n ,dehlorwö∑");
    assert_eq!(chars.vocab_size(), 12);
    let tokens = chars.encode(text).unwrap();
    assert_eq!(tokens[..4], [5, 4, 6, 6]);
    assert_eq!(chars.decode(&tokens).unwrap(), text);
    assert_eq!(CharTokenizer::new(&chars.vocabulary()), chars);
    assert_eq!(
        refusal(chars.encode("hell yeah")),
        "encode: the character 'y' at position 5 is not in the vocabulary of 12 characters"
    );
    for token in [12, -1, i64::MAX] {
        let told = format!("decode: token {token} is not in the vocabulary of 12");
        assert_eq!(refusal(chars.decode(&[0, token])), told);
    }
    assert_eq!(CharTokenizer::new("").vocab_size(), 0);
    let stream = Tokens::from_ids(&tokens);
    assert_eq!(all(&stream).unwrap(), tokens);
}
