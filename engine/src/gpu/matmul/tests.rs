//! The text of every kernel, as far as it can be looked at without a device.

use naga::back::{hlsl, msl, spv};
use naga::valid::{Capabilities, ModuleInfo, ValidationFlags, Validator};

use super::*;
use crate::gpu::tiles::TILES;

/// Every way in which a kernel reads and writes.
fn variants(tile: Tile, dtypes: [DType; 3]) -> Vec<Variant<'static>> {
    let modes = [Mode::Along, Mode::Across, Mode::Any];
    let any = Variant {
        tile,
        a_mode: Mode::Any,
        b_mode: Mode::Any,
        out_vector: false,
        dtypes,
        rows: 0,
        along: false,
        finish: None,
    };
    if let Tile::Skinny { deep, .. } = tile {
        let along: &[bool] = if deep > 1 { &[false, true] } else { &[false] };
        let of = |rows| along.iter().map(move |&along| Variant { rows, along, ..any });
        return [1, 2, 4, 8].into_iter().flat_map(of).collect();
    }
    let both = modes.into_iter().flat_map(|a_mode| modes.map(|b_mode| (a_mode, b_mode)));
    let with =
        |(a_mode, b_mode)| [false, true].map(|out_vector| Variant { a_mode, b_mode, out_vector, ..any });
    both.flat_map(with).collect()
}

/// What a kernel multiplies.
fn dtypes(tile: Tile) -> [DType; 3] {
    let dtype = if tile.takes(DType::F32) { DType::F32 } else { DType::F16 };
    [dtype, dtype, DType::F32]
}

fn validate(variant: &Variant<'_>) -> (naga::Module, ModuleInfo) {
    validate_for(variant, true)
}

fn validate_for(variant: &Variant<'_>, by_vectors: bool) -> (naga::Module, ModuleInfo) {
    let (name, source) = (variant.name(), variant.source(by_vectors).unwrap());
    let module = naga::front::wgsl::parse_str(&source)
        .unwrap_or_else(|error| panic!("{name}: {}", error.emit_to_string(&source)));
    // With nothing but what every adapter has, which is to read two float16 of a word; matrix units apart.
    let has = match variant.tile {
        Tile::Units { .. } => {
            Capabilities::SHADER_FLOAT16 | Capabilities::SUBGROUP | Capabilities::COOPERATIVE_MATRIX
        }
        _ => Capabilities::empty(),
    };
    let info = Validator::new(ValidationFlags::all(), has | Capabilities::SHADER_FLOAT16_IN_FLOAT32)
        .validate(&module)
        .unwrap_or_else(|error| panic!("{name}: {}", error.emit_to_string(&source)));
    (module, info)
}

#[test]
fn every_kernel_passes_validation_and_becomes_spir_v() {
    for tile in TILES {
        for variant in variants(tile, dtypes(tile)) {
            let (module, info) = validate(&variant);
            let options = spv::Options { lang_version: (1, 3), ..spv::Options::default() };
            let words = spv::write_vec(&module, &info, &options, None);
            assert!(words.is_ok_and(|words| words[0] == 0x0723_0203), "{}", variant.name());
            // What the tile says of itself is what the kernel takes.
            let shared = module.global_variables.iter().map(|(_, variable)| variable);
            let shared = shared.filter(|variable| variable.space == naga::AddressSpace::WorkGroup);
            let bytes: u32 =
                shared.map(|variable| module.types[variable.ty].inner.size(module.to_ctx())).sum();
            let is_full = match tile {
                // Rows of b are fewer across k.
                Tile::Units { .. } => variant.a_mode != Mode::Across && variant.b_mode == Mode::Along,
                _ => variant.rows == 0 || variant.rows == 8,
            };
            let says =
                if is_full { bytes == tile.workgroup_bytes() } else { bytes <= tile.workgroup_bytes() };
            let nothing_shared = matches!(tile, Tile::Skinny { deep: 1, .. }) && bytes == 0;
            assert!(says || nothing_shared, "{}: {bytes} bytes", variant.name());
            let [x, y, z] = module.entry_points[0].workgroup_size;
            assert_eq!(x * y * z, tile.invocations(), "{}", variant.name());
        }
    }
}

#[test]
fn narrow_dtypes_pass_validation_in_every_family() {
    for name in ["tiled_32x32x16_4x4", "register_4x4_8x8", "skinny_64x4"] {
        let tile = Tile::from_name(name).unwrap();
        for dtype in &DType::UP_TO_F32[1..] {
            for variant in
                variants(tile, [*dtype, *dtype, DType::F32]).iter().chain(&variants(tile, [*dtype; 3]))
            {
                // Narrow elements are written by fours.
                if variant.out_vector || variant.dtypes[2] == DType::F32 {
                    validate(variant);
                }
            }
        }
    }
}

/// Metal and DirectX 12 are not here; their languages are.
#[test]
fn one_variant_of_every_kernel_becomes_metal_and_hlsl() {
    for tile in TILES {
        let variants = variants(tile, dtypes(tile));
        let variant = &variants[variants.len() - 1];
        let (module, info) = validate_for(variant, false);
        if let Tile::Units { .. } = tile {
            // Metal's functions for such matrices take pointers to single numbers.
            let shared = module.global_variables.iter().map(|(_, variable)| variable);
            for variable in shared.filter(|variable| variable.space == naga::AddressSpace::WorkGroup) {
                let base = match module.types[variable.ty].inner {
                    naga::TypeInner::Array { base, .. } => &module.types[base].inner,
                    ref other => other,
                };
                assert!(matches!(base, naga::TypeInner::Scalar(_)), "{}: {base:?}", variant.name());
            }
        }
        let options =
            msl::Options { lang_version: (2, 4), fake_missing_bindings: true, ..msl::Options::default() };
        let text = msl::write_string(&module, &info, &options, &msl::PipelineOptions::default());
        assert!(text.is_ok_and(|(text, _)| text.contains("kernel void")), "{}", variant.name());
        if let Tile::Units { .. } = tile {
            // DirectX has no such matrices.
            continue;
        }
        let (mut text, options) = (String::new(), hlsl::Options::default());
        let pipeline = hlsl::PipelineOptions::default();
        let written = hlsl::Writer::new(&mut text, &options, &pipeline).write(&module, &info, None);
        assert!(written.is_ok() && text.contains("numthreads"), "{}: {written:?}", variant.name());
    }
}
