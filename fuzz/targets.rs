//! What each target does with its bytes. A fault is a panic: of the code that is tried, or of an assertion here.

use std::rc::Rc;

use napkin_engine::checkpoint::{Checkpoint, Weights};
use napkin_engine::data::{Batches, Tokens, npy as header};
use napkin_engine::einops::{self, Reduction};
use napkin_engine::random::Generator;
use napkin_engine::view_expr::{self, Stage};
use napkin_engine::{DType, Device, Error, Layout, Tensor};
use napkin_trace::prepare::prepare;
use napkin_trace::{notebook, trace};
use pollster::block_on;

/// A view expression: read, then applied to layouts of several ranks.
pub fn view_expr(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let expr = match view_expr::parse(&text) {
        Ok(expr) => expr,
        Err(Error::Parse { position, .. }) => return assert!(position <= text.len()),
        Err(other) => panic!("{other:?} is no error of a parser"),
    };
    for shape in [&[][..], &[16], &[2, 3], &[1, 0, 5], &[4, 4, 4], &[1, 1, 1, 1, 1]] {
        let Ok(start) = Layout::contiguous(shape) else { continue };
        let mut storage = start.numel();
        for stage in expr.trace(&start).unwrap_or_default() {
            if let Stage::Copy { from, to } = &stage {
                assert_eq!(from.numel(), to.numel());
                storage = to.numel();
            }
            let layout = stage.layout();
            assert!(layout.storage_end() <= storage, "{layout:?} leaves a storage of {storage}");
            let indices = layout.storage_indices().take(1000);
            assert_eq!(indices.filter(|&index| index < storage).count(), layout.numel().min(1000));
        }
    }
}

/// A pattern of einops or an equation of einsum, the operation by the first byte, applied to small tensors.
pub fn patterns(data: &[u8]) {
    let Some((&choice, text)) = data.split_first() else { return };
    let text = String::from_utf8_lossy(text);
    // Numbers are sizes: what they ask for must be quick to make.
    let numbers = text.split(|c: char| !c.is_ascii_digit()).filter_map(|digits| digits.parse::<f64>().ok());
    if text.len() > 200 || numbers.map(|number| number.max(1.0)).product::<f64>() > 1e4 {
        return;
    }
    let device = Device::cpu();
    let tensor = |shape: &[usize]| Tensor::ones(shape, DType::F32, &device);
    let sizes = [("a", 2), ("h", 2), ("w", 3)];
    let sizes = &sizes[..usize::from(choice / 16) % 4];
    for shape in [&[][..], &[6], &[2, 3], &[0, 2], &[2, 3, 4]] {
        let (Ok(x), Ok(y)) = (tensor(shape), tensor(&[3, 2])) else { continue };
        let made = match choice % 16 {
            0 => einops::rearrange(&x, &text, sizes),
            1 => einops::repeat(&x, &text, sizes),
            2 => einops::reduce(&x, &text, Reduction::Sum, sizes),
            3 => einops::reduce(&x, &text, Reduction::Max, sizes),
            4 => einops::einsum(&text, &[&x]),
            5 => einops::einsum(&text, &[&x, &y]),
            6 => einops::torch_einsum(&text, &[&x]),
            7 => einops::torch_einsum(&text, &[&x, &y]),
            _ => einops::torch_einsum(&text, &[&y, &x, &y]),
        };
        match made {
            Ok(out) => assert_eq!(block_on(out.to_vec()).map(|values| values.len()), Ok(out.numel())),
            Err(Error::Parse { position, .. }) => assert!(position <= text.len()),
            Err(_) => {}
        }
    }
}

/// A checkpoint. A header of another length is told of, and the right checksum is put in, so that what comes after
/// is tried too.
pub fn checkpoint(data: &[u8]) {
    let _ = Checkpoint::from_bytes("fuzz", data.to_vec());
    let _ = block_on(Weights::from_bytes("fuzz", data));
    let mut bytes = data.to_vec();
    if let Some((length, rest)) = bytes.split_first_chunk_mut::<8>() {
        let end = rest.iter().rposition(|&byte| byte == b'}').map_or(0, |at| at + 1);
        let padding = rest[end..].iter().take_while(|&&byte| byte == b' ').count();
        *length = ((end + padding) as u64).to_le_bytes();
    }
    if let Err(Error::File { message, .. }) = Checkpoint::from_bytes("fuzz", bytes.clone())
        && let Some(sums) = message.strip_prefix("has been altered: its checksum is ")
        && let Some((right, wrong)) = sums.split_once(", it was ")
        && wrong.len() == right.len()
        && let Some(at) = bytes.windows(wrong.len()).position(|window| window == wrong.as_bytes())
    {
        bytes[at..at + right.len()].copy_from_slice(right.as_bytes());
    }
    let Ok(file) = Checkpoint::from_bytes("fuzz", bytes) else { return };
    let names = file.names();
    for name in names.iter().map(String::as_str).chain(["step", "random.data"]) {
        let _ = (file.value(name), file.number::<u64>(name), file.blob(name));
        let mut generator = Generator::new(1);
        let before = generator.state();
        if file.blob(name).is_ok_and(|state| generator.set_state(state).is_err()) {
            assert!(generator.state() == before, "a refused state has changed the generator");
        }
    }
    for dtype in [DType::F32, DType::U8] {
        let tensors = names
            .iter()
            .take(3)
            .map(|name| Tensor::ones(&[2], dtype, &Device::cpu()).map(|tensor| (name.clone(), tensor)));
        let Ok(tensors) = tensors.collect::<Result<Vec<_>, _>>() else { continue };
        if block_on(file.load(&tensors)).is_err() {
            for (_, tensor) in &tensors {
                assert_eq!(
                    block_on(tensor.to_vec()),
                    Ok(vec![1.0, 1.0]),
                    "a refused file has changed a tensor"
                );
            }
        }
    }
}

/// A trace in any format, with its prose: what is read can be written, and is then read as the same.
pub fn trace(data: &[u8]) {
    let Ok(mut trace) = trace::read(&String::from_utf8_lossy(data)) else { return };
    let _ = trace::check_places(&trace);
    trace.steps.iter_mut().flat_map(|step| &mut step.renderings).for_each(prepare);
    if let Ok(written) = serde_json::to_string(&trace) {
        assert!(trace::read(&written).is_ok_and(|again| again.steps.len() == trace.steps.len()));
    }
}

/// A notebook, with its prose: what is read names lines that are there, and says the same if it is read again.
pub fn notebook(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let Ok(mut trace) = notebook::read(&text, "a.ipynb") else { return };
    assert_eq!(trace::check_places(&trace), Ok(()));
    assert_eq!(notebook::source(&text, "a.ipynb").ok().as_ref(), trace.files.get("a.ipynb"));
    trace.steps.iter_mut().flat_map(|step| &mut step.renderings).for_each(prepare);
}

/// A .npy file: its header, its tokens, and a batch of them.
pub fn npy(data: &[u8]) {
    let _ = header::parse(data);
    let Ok(tokens) = block_on(Tokens::npy(Rc::<[u8]>::from(data))) else { return };
    let read = block_on(tokens.read(0..tokens.len()));
    assert_eq!(read.map(|tokens| tokens.len() as u64), Ok(tokens.len()));
    if let Ok(mut batches) = Batches::new(tokens, 3, 2, Generator::new(0)) {
        assert!(block_on(batches.next(&Device::cpu())).is_ok());
    }
}
