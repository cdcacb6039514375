//! Which kernel a product starts with, and whether it has k in parts. Measuring has the last word.

use super::card::Card;
use super::info::GpuInfo;
use super::tiles::{PLAIN, SKINNY_ROWS, TILES, Tile};

/// Sensible kernels for `batch` products of `m × n` on an adapter that has not been tuned, the best first, the plain
/// one last.
pub(crate) fn untuned(info: &GpuInfo, m: usize, n: usize, batch: usize) -> Vec<Tile> {
    let mut candidates: Vec<Tile> = if info.is_software {
        // Large tiles need fewer loads, which are what such an adapter is slow at; small products need
        // several workgroups.
        let name = match (m.min(n), m * n) {
            (0..=2, _) => "skinny_32x1",
            (_, 0x1_0000..) => "register_16x32_4x4",
            (_, size) if size * batch >= 0x2000 => "register_16x16_4x4",
            _ => "register_4x8_8x8",
        };
        Tile::from_name(name).into_iter().collect()
    } else if m.min(n) <= SKINNY_ROWS {
        TILES.into_iter().filter(|tile| tile.is_scalar()).collect()
    } else {
        let card = Card::of(info);
        let share = |tile: Tile| card.share(tile, m, n, batch);
        let mut tiled: Vec<Tile> = TILES.into_iter().filter(|tile| share(*tile) > 0.0).collect();
        tiled.sort_by(|a, b| share(*b).total_cmp(&share(*a)));
        tiled
    };
    candidates.retain(|tile| tile.fits(info));
    candidates.push(PLAIN);
    candidates
}

/// A kernel, and whether products of it have k in parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Plan {
    pub(crate) tile: Tile,
    /// Parts of k are products of their own, added up in the end: few workgroups become many.
    pub(crate) is_split: bool,
}

impl From<Tile> for Plan {
    fn from(tile: Tile) -> Self {
        Self { tile, is_split: false }
    }
}

/// No part of k is shorter.
const SHORTEST_PART: usize = 256;

impl Plan {
    /// `split_tiled_64x64x16_4x4`
    pub(crate) fn name(self) -> String {
        let name = self.tile.name();
        if self.is_split { format!("split_{name}") } else { name }
    }

    pub(crate) fn from_name(name: &str) -> Option<Self> {
        let rest = name.strip_prefix("split_");
        Some(Self { tile: Tile::from_name(rest.unwrap_or(name))?, is_split: rest.is_some() })
    }

    /// The kernel for that product, with k in parts where whole products leave half of the cores without work.
    pub(crate) fn filling(info: &GpuInfo, tile: Tile, [m, n, k]: [usize; 3], batch: usize) -> Self {
        let is_split = !info.is_software
            && 2 * tile.workgroups(m, n) * batch <= Card::of(info).cores
            && Self::part(info, tile, [m, n, k], batch) < k;
        Self { tile, is_split }
    }

    /// How much of k a part has, so that all parts together keep the cores busy twice over.
    pub(crate) fn part(info: &GpuInfo, tile: Tile, [m, n, k]: [usize; 3], batch: usize) -> usize {
        let workgroups = (tile.workgroups(m, n) * batch).max(1);
        let parts = (2 * Card::of(info).cores).div_ceil(workgroups);
        k.div_ceil(parts).max(SHORTEST_PART).next_multiple_of(16)
    }
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests {
    use super::*;
    use crate::gpu::Vendor;
    use crate::gpu::card::tests::adapter;

    #[test]
    fn small_products_get_small_tiles_and_what_does_not_fit_is_left_out() {
        let largest = |info: &GpuInfo, n: usize| untuned(info, n, n, 1)[0];
        let area = |tile: Tile| match tile {
            Tile::Tiled { bm, bn, .. } => bm * bn,
            other => panic!("{other:?} for hardware"),
        };
        for vendor in [Vendor::Nvidia, Vendor::Amd, Vendor::Intel, Vendor::Apple, Vendor::Other] {
            let info = adapter(vendor, 48 << 10);
            assert!(area(largest(&info, 96)) < area(largest(&info, 4096)), "{vendor:?}");
            // A batch fills the cores as a large product does.
            assert!(area(untuned(&info, 128, 128, 4096)[0]) >= area(largest(&info, 128)), "{vendor:?}");
            assert!(matches!(untuned(&info, 4, 4096, 1)[0], Tile::Skinny { .. }), "{vendor:?}");
            let little = adapter(vendor, 16 << 10);
            for tile in untuned(&little, 4096, 4096, 1) {
                assert!(tile.fits(&little), "{vendor:?} {tile:?}");
            }
            let none = adapter(vendor, 0);
            assert_eq!(untuned(&none, 4096, 4096, 1), [PLAIN], "{vendor:?}");
        }
    }

    /// A workgroup has as many subgroups as parts of a tile only where subgroups are no larger than it expects.
    #[test]
    fn matrix_units_are_for_subgroups_that_fit() {
        let here = adapter(Vendor::Amd, 64 << 10);
        let both = vec![8, 16];
        for (size, sizes, fitting) in
            [(4, &both, 4), (8, &both, 4), (32, &both, 4), (64, &both, 1), (128, &both, 0), (32, &vec![], 0)]
        {
            let info = GpuInfo { matrix_units: sizes.clone(), subgroup_sizes: (4, size), ..here.clone() };
            let units =
                TILES.into_iter().filter(|tile| matches!(tile, Tile::Units { .. }) && tile.fits(&info));
            assert_eq!(units.count(), fitting, "{size}");
        }
    }

    #[test]
    fn long_and_thin_products_get_parts_that_fill_the_cores() {
        let info = adapter(Vendor::Nvidia, 48 << 10);
        let tile = Tile::from_name("tiled_64x64x16_4x4").unwrap();
        let parts = |sizes: [usize; 3]| {
            let plan = Plan::filling(&info, tile, sizes, 1);
            plan.is_split.then(|| sizes[2].div_ceil(Plan::part(&info, tile, sizes, 1)))
        };
        assert_eq!(parts([64, 64, 1 << 16]), Some(128));
        assert_eq!(parts([256, 256, 1 << 14]), Some(8));
        assert_eq!(parts([64, 64, 256]), None, "too short");
        assert_eq!(parts([4096, 4096, 4096]), None, "full already");
        let software = GpuInfo { is_software: true, ..info.clone() };
        assert!(!Plan::filling(&software, tile, [64, 64, 1 << 16], 1).is_split);
    }
}
