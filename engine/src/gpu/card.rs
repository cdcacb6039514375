//! What a core of a vendor's cards has room for, and what share of its peak a tile can reach there by arithmetic.
//! docs/kernels.md shows the sums for one card of each vendor. Measuring has the last word.

use super::info::{GpuInfo, Vendor};
use super::tiles::Tile;

/// A core (streaming multiprocessor, compute unit, Xe core) and how many a common card has. Registers have 32 bits, the
/// rates are per cycle.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Card {
    pub(crate) cores: usize,
    registers: u32,
    /// An invocation can have.
    most_registers: u32,
    /// They are handed out in steps of so many.
    register_step: u32,
    workgroup_bytes: u32,
    invocations: u32,
    multiply_adds: u32,
    /// Bytes from the cache that all cores share.
    cache_rate: u32,
}

/// Registers for addresses, loop counters and what the compiler keeps.
const OTHER_REGISTERS: u32 = 24;

impl Card {
    /// A common card of the adapter's vendor; of those unknown the smallest common one.
    pub(crate) fn of(info: &GpuInfo) -> Self {
        let is_discrete = info.device_type == "discrete";
        match info.vendor {
            // Ada: 4 × 16,384 registers, 100 KB, 48 subgroups of 32.
            Vendor::Nvidia => Self {
                cores: 64,
                registers: 65_536,
                most_registers: 255,
                register_step: 8,
                workgroup_bytes: 100 << 10,
                invocations: 1536,
                multiply_adds: 128,
                cache_rate: 16,
            },
            // RDNA 3: 2 × 192 KiB of registers, half of the 128 KiB that two compute units share.
            Vendor::Amd => Self {
                cores: if is_discrete { 60 } else { 12 },
                registers: 98_304,
                most_registers: 256,
                register_step: 24,
                workgroup_bytes: 64 << 10,
                invocations: 1024,
                multiply_adds: 64,
                cache_rate: 32,
            },
            // Xe-HPG: 16 engines with 8 threads of 128 registers of 32 bytes; subgroups of 16.
            Vendor::Intel => Self {
                cores: if is_discrete { 24 } else { 8 },
                registers: 131_072,
                most_registers: 128,
                register_step: 64,
                workgroup_bytes: 128 << 10,
                invocations: 2048,
                multiply_adds: 128,
                cache_rate: 64,
            },
            // As others have measured it: 208 KiB of registers, about 60 KiB of workgroup memory.
            Vendor::Apple => Self {
                cores: 16,
                registers: 53_248,
                most_registers: 128,
                register_step: 8,
                workgroup_bytes: 60 << 10,
                invocations: 1024,
                multiply_adds: 128,
                cache_rate: 32,
            },
            Vendor::Other => Self {
                cores: 8,
                registers: 32_768,
                most_registers: 128,
                register_step: 8,
                workgroup_bytes: 32 << 10,
                invocations: 1024,
                multiply_adds: 64,
                cache_rate: 16,
            },
        }
    }

    /// Workgroups of a tile that a core holds at once; none where an invocation has too few registers.
    pub(crate) fn resident(&self, tile: Tile) -> u32 {
        let registers = registers(tile).next_multiple_of(self.register_step);
        if registers > self.most_registers {
            return 0;
        }
        let by_memory = self.workgroup_bytes.checked_div(tile.workgroup_bytes()).unwrap_or(u32::MAX);
        let by_registers = self.registers / (registers * tile.invocations());
        by_memory.min(by_registers).min(self.invocations / tile.invocations())
    }

    /// The share of the peak that a tile can reach for `batch` products of `m × n`, each core having whole workgroups
    /// to do. Nothing for kernels without workgroup memory, of which this arithmetic says nothing.
    pub(crate) fn share(&self, tile: Tile, m: usize, n: usize, batch: usize) -> f64 {
        let Tile::Tiled { bm, bn, tm, tn, .. } = tile else { return 0.0 };
        if self.resident(tile) == 0 {
            return 0.0;
        }
        let (bm, bn, tm, tn) = (f64::from(bm), f64::from(bn), f64::from(tm), f64::from(tn));
        // For one k: multiply-adds of an invocation, loads of its vectors, its part in bringing a slice in, each with
        // its store and as much again for addresses.
        let useful = tm * tn;
        let brought = (bm + bn) / 4.0 / f64::from(tile.invocations());
        let issued = useful / (useful + (tm + tn) / 4.0 + 4.0 * brought);
        let cached = bm * bn / f64::from(self.multiply_adds) / ((bm + bn) * 4.0 / f64::from(self.cache_rate));
        let workgroups = tile.workgroups(m, n) * batch;
        let inside = (m * n * batch) as f64 / (workgroups as f64 * bm * bn);
        let even = workgroups as f64 / workgroups.next_multiple_of(self.cores) as f64;
        issued * cached.min(1.0) * inside * even
    }
}

/// Registers of an invocation: its sums, a row and a column of vectors, what it brings of the next slice.
pub(crate) fn registers(tile: Tile) -> u32 {
    let others = match tile {
        Tile::Tiled { bm, bn, bk, tm, tn, .. } => tm + tn + (bm + bn) * bk / tile.invocations(),
        Tile::Register { tm, tn, .. } => 4 * tm + tn,
        Tile::Skinny { .. } | Tile::Units { .. } => 8,
    };
    let sums = match tile {
        Tile::Tiled { tm, tn, .. } | Tile::Register { tm, tn, .. } => tm * tn,
        Tile::Skinny { .. } => 8,
        // A part of the tile, held by all invocations of a subgroup together.
        Tile::Units { bm, bn, wide, high, lanes, .. } => bm * bn / (wide * high * lanes),
    };
    sums + others + OTHER_REGISTERS
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
pub(super) mod tests {
    use pollster::block_on;

    use super::*;
    use crate::gpu::tiles::TILES;
    use crate::gpu::{Gpu, GpuOptions};

    /// As an adapter of that vendor would describe itself.
    pub(in crate::gpu) fn adapter(vendor: Vendor, workgroup_bytes: u32) -> GpuInfo {
        let here = block_on(Gpu::open(GpuOptions::default())).unwrap().info().clone();
        let device_type = if vendor == Vendor::Apple { "integrated" } else { "discrete" };
        GpuInfo {
            vendor,
            device_type,
            is_software: false,
            max_workgroup_bytes: workgroup_bytes,
            max_workgroup_invocations: 1024,
            ..here
        }
    }

    #[test]
    fn the_tiles_of_each_vendor_are_those_that_docs_kernels_shows() {
        let mut missing = Vec::new();
        let doc =
            std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/kernels.md")).unwrap();
        for (vendor, bytes) in [
            (Vendor::Nvidia, 48 << 10),
            (Vendor::Amd, 64 << 10),
            (Vendor::Intel, 64 << 10),
            (Vendor::Apple, 32 << 10),
        ] {
            let info = adapter(vendor, bytes);
            let card = Card::of(&info);
            for tile in TILES.into_iter().filter(|tile| matches!(tile, Tile::Tiled { .. })) {
                let (registers, resident) = (registers(tile), card.resident(tile));
                let share = card.share(tile, 4096, 4096, 1);
                let row = format!(
                    "| {vendor:?} | {} | {registers} | {} | {resident} | {} | {:.0}% |",
                    tile.name(),
                    tile.workgroup_bytes(),
                    resident * tile.invocations(),
                    100.0 * share
                );
                if !doc.contains(&row) {
                    missing.push(row);
                }
            }
        }
        assert!(missing.is_empty(), "docs/kernels.md lacks\n{}", missing.join("\n"));
    }
}
