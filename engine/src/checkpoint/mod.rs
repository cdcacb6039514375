//! Checkpoints: one safetensors file with everything that a run needs to go on.
//!
//! Tensors lie in it under their names (`model.…`, `optimizer.…`), states of generators and other bytes as
//! uint8 tensors, and everything else as texts in `__metadata__`. There are also:
//!
//! | key | value |
//! |---|---|
//! | `format` | `napkin-checkpoint` |
//! | `version` | `1` |
//! | `crc32` | of all else, 8 hexadecimal digits (see `checksum`) |

mod read;
mod weights;
mod write;

pub use read::Checkpoint;
pub use weights::Weights;
pub use write::Contents;

use safetensors::Dtype;

use crate::dtype::DType;

/// Bytes before the header: its length. It is padded to a multiple of as many.
const LENGTH: usize = size_of::<u64>();

/// Keys of `__metadata__` that are not the writer's.
const FORMAT: &str = "format";
const VERSION: &str = "version";
const CRC32: &str = "crc32";

const FORMAT_NAME: &str = "napkin-checkpoint";
const FORMAT_VERSION: &str = "1";

// Elements are stored as safetensors has them.
const _: () = assert!(cfg!(target_endian = "little"), "checkpoints are little-endian");

/// What safetensors calls a dtype.
fn dtype_in_file(dtype: DType) -> Dtype {
    match dtype {
        DType::F64 => Dtype::F64,
        DType::F32 => Dtype::F32,
        DType::F16 => Dtype::F16,
        DType::BF16 => Dtype::BF16,
        DType::F8E4M3FN => Dtype::F8_E4M3,
        DType::F8E5M2 => Dtype::F8_E5M2,
        DType::I64 => Dtype::I64,
        DType::I32 => Dtype::I32,
        DType::I16 => Dtype::I16,
        DType::I8 => Dtype::I8,
        DType::U8 => Dtype::U8,
        DType::Bool => Dtype::BOOL,
    }
}

/// A tensor as it is in a file.
struct Stored<'a> {
    name: &'a str,
    dtype: Dtype,
    shape: &'a [usize],
    bytes: &'a [u8],
}

/// CRC-32 (that of zlib) of `name␀dtype␀shape␀` and the bytes of every tensor, then of `key␀value␀` of every
/// entry of `__metadata__` but `crc32` itself, both in the order of their names; a shape is written `2,3`.
fn checksum<'a>(mut tensors: Vec<Stored>, entries: impl Iterator<Item = (&'a str, &'a str)>) -> String {
    tensors.sort_unstable_by_key(|tensor| tensor.name);
    let mut entries: Vec<_> = entries.filter(|(key, _)| *key != CRC32).collect();
    entries.sort_unstable();
    let mut hasher = crc32fast::Hasher::new();
    for Stored { name, dtype, shape, bytes } in tensors {
        let shape: Vec<String> = shape.iter().map(ToString::to_string).collect();
        hasher.update(format!("{name}\0{dtype}\0{}\0", shape.join(",")).as_bytes());
        hasher.update(bytes);
    }
    for (key, value) in entries {
        hasher.update(format!("{key}\0{value}\0").as_bytes());
    }
    format!("{:08x}", hasher.finalize())
}
