//! Token sources of the browser and what measures this machine, in a worker of a real one.
#![cfg(target_arch = "wasm32")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at the first fault")]

use std::cell::RefCell;

use js_sys::Array;
use napkin_engine::data::{Batches, Element, Source, Tokens};
use napkin_engine::measure::Machine;
use napkin_engine::random::Generator;
use napkin_engine::{Device, Tensor};
use napkin_notebook::{Command, DeviceKind, Event, News, OperationSpec, Request, SurveySpec};
use napkin_worker::devices::Hardware;
use napkin_worker::measuring::answer;
use napkin_worker::source::BlobSource;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};
use web_sys::{
    DedicatedWorkerGlobalScope, File, FileSystemDirectoryHandle, FileSystemFileHandle,
    FileSystemGetFileOptions, FileSystemSyncAccessHandle,
};

wasm_bindgen_test_configure!(run_in_dedicated_worker);

fn file(name: &str, bytes: &[u8]) -> File {
    let parts = Array::of1(&js_sys::Uint8Array::from(bytes));
    File::new_with_buffer_source_sequence(&parts, name).unwrap()
}

async fn opfs() -> FileSystemDirectoryHandle {
    let scope: DedicatedWorkerGlobalScope = js_sys::global().unchecked_into();
    JsFuture::from(scope.navigator().storage().get_directory()).await.unwrap().unchecked_into()
}

/// Writes a file into the page's own file system, as an importer would.
async fn store(name: &str, bytes: &[u8]) {
    let options = FileSystemGetFileOptions::new();
    options.set_create(true);
    let handle = JsFuture::from(opfs().await.get_file_handle_with_options(name, &options)).await.unwrap();
    let handle: FileSystemFileHandle = handle.unchecked_into();
    let access = JsFuture::from(handle.create_sync_access_handle()).await.unwrap();
    let access: FileSystemSyncAccessHandle = access.unchecked_into();
    access.truncate_with_u32(0).unwrap();
    assert_eq!(access.write_with_u8_array(bytes).unwrap(), bytes.len() as f64);
    access.flush().unwrap();
    access.close();
}

/// 1000 tokens of two bytes.
fn tokens() -> (Vec<i64>, Vec<u8>) {
    let ids = Generator::new(5).randint(0, 1 << 16, 1000).unwrap();
    let bytes = ids.iter().flat_map(|&id| (id as u16).to_le_bytes()).collect();
    (ids, bytes)
}

async fn ids(tensor: &Tensor) -> Vec<i64> {
    tensor.to_scalars().await.unwrap().iter().map(|value| value.as_i64()).collect()
}

/// Windows from the file are those of the tokens in memory, which native tests compare with PyTorch's.
async fn check_batches(source: BlobSource) {
    let device = Device::cpu();
    let batches = |tokens| Batches::new(tokens, 17, 3, Generator::new(9)).unwrap();
    let mut memory = batches(Tokens::from_ids(&tokens().0));
    let mut file = batches(Tokens::raw(source, Element::U16).unwrap());
    for _ in 0..5 {
        let (want, got) = (memory.next(&device).await.unwrap(), file.next(&device).await.unwrap());
        assert_eq!(ids(&got.0).await, ids(&want.0).await);
        assert_eq!(ids(&got.1).await, ids(&want.1).await);
        assert_eq!(file.state(), memory.state());
    }
}

#[wasm_bindgen_test]
async fn a_chosen_file_is_read_by_windows() {
    check_batches(BlobSource::new(file("tokens.bin", &tokens().1))).await;
}

#[wasm_bindgen_test]
async fn a_file_of_the_page_is_read_by_windows() {
    store("tokens.bin", &tokens().1).await;
    check_batches(BlobSource::in_opfs("tokens.bin").await.unwrap()).await;
}

#[wasm_bindgen_test]
async fn an_array_of_numpy_is_read() {
    let mut bytes =
        b"\x93NUMPY\x01\x00\x76\x00{'descr': '<u2', 'fortran_order': False, 'shape': (1000,), }".to_vec();
    bytes.resize(127, b' ');
    bytes.push(b'\n');
    let (want, raw) = tokens();
    bytes.extend(raw);
    let tokens = Tokens::npy(BlobSource::new(file("tokens.npy", &bytes))).await.unwrap();
    assert_eq!(tokens.read(990..1000).await.unwrap(), want[990..]);
    let cut = Tokens::npy(BlobSource::new(file("cut.npy", &bytes[..500]))).await.map(|_| ());
    assert!(cut.unwrap_err().to_string().starts_with("cut.npy: its header tells of 1000 tokens"));
}

#[wasm_bindgen_test]
async fn what_cannot_be_read_is_a_sentence() {
    let source = BlobSource::new(file("short.bin", &[1, 2, 3]));
    assert_eq!(source.read(1..3).await.unwrap(), [2, 3]);
    let outside = source.read(1..4).await.unwrap_err().to_string();
    assert_eq!(outside, "short.bin: bytes 1 to 4 were asked for, but it has 3");
    let odd = Tokens::raw(source, Element::U16).map(|_| ()).unwrap_err().to_string();
    assert!(odd.contains("3 bytes are no whole number of U16 tokens"), "{odd}");
    let missing = BlobSource::in_opfs("missing.bin").await.map(|_| ()).unwrap_err().to_string();
    assert!(missing.starts_with("missing.bin: ") && missing.contains("could not be found"), "{missing}");
}

/// A file that is removed after it was opened fails when it is read, in the browser's words.
#[wasm_bindgen_test]
async fn a_file_that_went_away_is_told() {
    store("gone.bin", &[0; 64]).await;
    let tokens = Tokens::raw(BlobSource::in_opfs("gone.bin").await.unwrap(), Element::U16).unwrap();
    let removed: JsValue = JsFuture::from(opfs().await.remove_entry("gone.bin")).await.unwrap();
    assert!(removed.is_undefined());
    let told = tokens.read(0..3).await.unwrap_err().to_string();
    assert!(told.starts_with("gone.bin: "), "{told}");
}

/// All that the worker which measures says to a request.
async fn asked(hardware: &Hardware, command: Command) -> Vec<News> {
    let said = RefCell::new(Vec::new());
    let outbox = |event: &Event, _: Option<&[f32]>| said.borrow_mut().push(event.news.clone());
    answer(hardware, Request { id: 1, command }, &outbox).await;
    said.into_inner()
}

#[wasm_bindgen_test]
async fn this_machine_is_measured() {
    let hardware = Hardware::find().await;
    for device in [DeviceKind::Cpu, DeviceKind::Gpu] {
        let survey = SurveySpec { device, date: "2026-11-21".into(), measurement_ms: 1 };
        let news = asked(&hardware, Command::Survey(survey)).await;
        let mut progress = news.iter().filter_map(|news| match news {
            News::Survey(progress) => Some(progress),
            _ => None,
        });
        let last = progress.next_back().unwrap_or_else(|| panic!("{news:?}"));
        assert!(last.what.is_empty() && last.of > 20 && last.done == last.of, "{last:?}");
        let machine: Machine = serde_json::from_str(&last.record).unwrap();
        assert_eq!((machine.device.as_str(), machine.date.as_str()), (device.id(), "2026-11-21"));
        // On a machine that is busy with something else some operations would take too long: each says so.
        let foreign = machine.skipped.iter().find(|skipped| !skipped.why.contains("would take about"));
        assert!(foreign.is_none(), "{foreign:?}");

        let operation =
            |text: &str| OperationSpec { device, expression: text.into(), dtype: "float32".into() };
        let news = asked(&hardware, Command::MeasureOperation(operation("softmax(64x65)"))).await;
        assert!(news.iter().any(|news| matches!(news, News::Operation { .. })), "{news:?}");
        let news = asked(&hardware, Command::MeasureOperation(operation("softmax("))).await;
        assert!(matches!(&news[..], [News::Failed { .. }]), "{news:?}");
    }
}
