//! The matmul kernels to choose from, by name.

use std::fmt;

use super::info::GpuInfo;
use crate::dtype::DType;

/// A kernel of shaders/matmul_*.wgsl with its tile sizes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Tile {
    /// Through workgroup memory: a tile of `bm` × `bn`, as many `slices` of `bk` at a time, `tm` × `tn` per invocation.
    Tiled { bm: u32, bn: u32, bk: u32, slices: u32, tm: u32, tn: u32 },
    /// Registers only: `tm` × `tn` per invocation, `wx` × `wy` invocations (n × m) per workgroup.
    Register { tm: u32, tn: u32, wx: u32, wy: u32 },
    /// By matrix units of `unit` × `unit`: a tile of `bm` × `bn`, slices of `bk`, `wide` × `high` subgroups (n × m) of at
    /// most `lanes` invocations.
    Units { unit: u32, bm: u32, bn: u32, bk: u32, wide: u32, high: u32, lanes: u32 },
    /// Few rows or columns: `wide` elements per workgroup, `deep` invocations along k for each.
    Skinny { wide: u32, deep: u32 },
}

/// Rows (or columns) up to which [`Tile::Skinny`] reads its larger operand only once.
pub(crate) const SKINNY_ROWS: usize = 8;

/// What every adapter can run, and what others are compared with before they are used: few registers, no workgroup
/// memory, one addition after the other.
pub(crate) const PLAIN: Tile = Tile::Register { tm: 8, tn: 8, wx: 8, wy: 8 };

/// Every kernel that is offered. Tests run each of them; tuning tries those that fit the adapter.
pub(crate) const TILES: [Tile; 19] = [
    Tile::Tiled { bm: 128, bn: 256, bk: 16, slices: 1, tm: 8, tn: 16 },
    Tile::Tiled { bm: 128, bn: 128, bk: 16, slices: 1, tm: 8, tn: 8 },
    Tile::Tiled { bm: 128, bn: 64, bk: 16, slices: 1, tm: 8, tn: 8 },
    Tile::Tiled { bm: 128, bn: 64, bk: 16, slices: 2, tm: 8, tn: 8 },
    Tile::Tiled { bm: 64, bn: 64, bk: 16, slices: 1, tm: 8, tn: 8 },
    Tile::Tiled { bm: 64, bn: 64, bk: 16, slices: 1, tm: 4, tn: 4 },
    Tile::Tiled { bm: 32, bn: 32, bk: 16, slices: 1, tm: 4, tn: 4 },
    Tile::Register { tm: 8, tn: 8, wx: 8, wy: 8 },
    Tile::Register { tm: 16, tn: 32, wx: 4, wy: 4 },
    Tile::Register { tm: 16, tn: 16, wx: 4, wy: 4 },
    Tile::Register { tm: 4, tn: 8, wx: 8, wy: 8 },
    Tile::Register { tm: 4, tn: 4, wx: 8, wy: 8 },
    Tile::Register { tm: 32, tn: 32, wx: 4, wy: 1 },
    Tile::Skinny { wide: 64, deep: 4 },
    Tile::Skinny { wide: 32, deep: 1 },
    Tile::Units { unit: 16, bm: 128, bn: 256, bk: 32, wide: 4, high: 2, lanes: 32 },
    Tile::Units { unit: 16, bm: 128, bn: 128, bk: 32, wide: 2, high: 2, lanes: 32 },
    Tile::Units { unit: 16, bm: 64, bn: 64, bk: 32, wide: 2, high: 2, lanes: 64 },
    Tile::Units { unit: 8, bm: 64, bn: 64, bk: 32, wide: 2, high: 2, lanes: 32 },
];

impl Tile {
    /// The kernel's name as reports and tuning files have it: `tiled_128x64x16_8x8`, and `tiled_128x64x16x2_8x8` with
    /// two slices.
    pub(crate) fn name(self) -> String {
        match self {
            Self::Tiled { bm, bn, bk, slices: 1, tm, tn } => format!("tiled_{bm}x{bn}x{bk}_{tm}x{tn}"),
            Self::Tiled { bm, bn, bk, slices, tm, tn } => {
                format!("tiled_{bm}x{bn}x{bk}x{slices}_{tm}x{tn}")
            }
            Self::Register { tm, tn, wx, wy } => format!("register_{tm}x{tn}_{wx}x{wy}"),
            Self::Skinny { wide, deep } => format!("skinny_{wide}x{deep}"),
            Self::Units { unit, bm, bn, bk, lanes, .. } => format!("units_{bm}x{bn}x{bk}_{unit}_{lanes}"),
        }
    }

    pub(crate) fn from_name(name: &str) -> Option<Self> {
        TILES.into_iter().find(|t| t.name() == name)
    }

    /// Whether it reads and writes one element at a time, whatever the strides.
    pub(crate) fn is_scalar(self) -> bool {
        matches!(self, Self::Skinny { .. })
    }

    pub(crate) fn invocations(self) -> u32 {
        match self {
            Self::Tiled { bm, bn, tm, tn, .. } => bm * bn / (tm * tn),
            Self::Register { wx, wy, .. } => wx * wy,
            Self::Skinny { wide, deep } => wide * deep,
            Self::Units { wide, high, lanes, .. } => wide * high * lanes,
        }
    }

    /// Whether an epilogue may be written out for every element of an invocation: beyond this many, compiling it
    /// takes a driver longer than a second kernel ever costs.
    pub(crate) fn takes_epilogue(self) -> bool {
        match self {
            Self::Tiled { tm, tn, .. } | Self::Register { tm, tn, .. } => tm * tn <= 64,
            Self::Skinny { .. } => true,
            // Written out once for each matrix of a subgroup.
            Self::Units { unit, bm, bn, wide, high, .. } => bm * bn / (wide * high * unit * unit) <= 16,
        }
    }

    pub(crate) fn workgroup_bytes(self) -> u32 {
        match self {
            // Each row of a slice has one vec4 of padding.
            Self::Tiled { bm, bn, bk, slices, .. } => slices * bk * (bm + bn + 8) * 4,
            Self::Register { .. } => 0,
            Self::Skinny { wide, deep } => SKINNY_ROWS as u32 * wide * deep * 4,
            Self::Units { unit, bm, bn, bk, wide, high, .. } => {
                // Rows of a slice have 8 elements more, and there are most of them where they lie along k.
                2 * (bm + bn) * (bk + 8) + 4 * wide * high * unit * unit
            }
        }
    }

    /// Whether it multiplies elements of that dtype: matrix units take what float16 holds.
    pub(crate) fn takes(self, dtype: DType) -> bool {
        !matches!(self, Self::Units { .. }) || matches!(dtype, DType::F16 | DType::F8E4M3FN | DType::F8E5M2)
    }

    /// Whether the adapter's limits allow it.
    pub(crate) fn fits(self, info: &GpuInfo) -> bool {
        let has_units = match self {
            Self::Units { unit, lanes, .. } => {
                info.matrix_units.contains(&unit) && info.subgroup_sizes.1 <= lanes
            }
            _ => true,
        };
        has_units
            && self.invocations() <= info.max_workgroup_invocations
            && self.workgroup_bytes() <= info.max_workgroup_bytes
    }

    /// Whether measuring it can pay: a program that acts as a GPU has no workgroup memory to gain from,
    /// and hardware has no registers for tiles that only such a program holds.
    pub(crate) fn worth_trying(self, info: &GpuInfo) -> bool {
        let can_win = match self {
            Self::Tiled { .. } | Self::Units { .. } => !info.is_software,
            Self::Register { tm, tn, .. } => info.is_software || tm * tn <= 64,
            Self::Skinny { .. } => true,
        };
        can_win && self.fits(info)
    }

    /// What a workgroup computes of an output: rows and columns. A skinny one has so many of those `rows`, and reads the
    /// other operand `along` k or across it.
    pub(crate) fn block(self, rows: usize, along: bool) -> (usize, usize) {
        let (rows, columns) = match self {
            Self::Tiled { bm, bn, .. } | Self::Units { bm, bn, .. } => (bm, bn),
            Self::Register { tm, tn, wx, wy } => (tm * wy, tn * wx),
            Self::Skinny { wide, deep } => return (rows, if along { deep } else { wide } as usize),
        };
        (rows as usize, columns as usize)
    }

    /// About how many workgroups an output of `m × n` takes.
    pub(crate) fn workgroups(self, m: usize, n: usize) -> usize {
        // The long side of a skinny one is that of columns.
        let (m, n) = if self.is_scalar() { (m.min(n), m.max(n)) } else { (m, n) };
        let (rows, columns) = self.block(SKINNY_ROWS, false);
        m.div_ceil(rows) * n.div_ceil(columns)
    }
}

/// The largest extents of the orders of magnitude by which products are told apart; the last has none.
const BOUNDS: [usize; 4] = [8, 96, 384, 1536];

/// Elements that the same kernels take, and as fast.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Elements {
    /// 32 bits.
    F32,
    /// bfloat16, which no matrix units take.
    BF16,
    /// What float16 holds.
    F16,
}

impl Elements {
    const ALL: [Self; 3] = [Self::F32, Self::BF16, Self::F16];

    fn of(dtype: DType) -> Self {
        match dtype {
            DType::BF16 => Self::BF16,
            DType::F16 | DType::F8E4M3FN | DType::F8E5M2 => Self::F16,
            _ => Self::F32,
        }
    }

    const fn letter(self) -> char {
        match self {
            Self::F32 => 'f',
            Self::BF16 => 'b',
            Self::F16 => 'h',
        }
    }
}

/// Products that are tuned together: each extent by its order of magnitude, and what their elements are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct ShapeClass {
    m: u8,
    n: u8,
    k: u8,
    elements: Elements,
}

impl ShapeClass {
    pub(crate) fn new(m: usize, n: usize, k: usize, dtype: DType) -> Self {
        let bucket = |extent: usize| BOUNDS.iter().filter(|&&bound| extent > bound).count() as u8;
        Self { m: bucket(m), n: bucket(n), k: bucket(k), elements: Elements::of(dtype) }
    }

    pub(crate) fn name(self) -> String {
        format!("m{}n{}k{}{}", self.m, self.n, self.k, self.elements.letter())
    }

    pub(crate) fn from_name(name: &str) -> Option<Self> {
        let digits: Vec<u8> = name.bytes().filter(u8::is_ascii_digit).map(|b| b - b'0').collect();
        let &[m, n, k] = digits.as_slice() else { return None };
        let elements = Elements::ALL.into_iter().find(|elements| name.ends_with(elements.letter()))?;
        let class = Self { m, n, k, elements };
        (class.name() == name && [m, n, k].iter().all(|&b| b <= 4)).then_some(class)
    }
}

impl fmt::Display for ShapeClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let extent = |bucket: u8| match bucket {
            0 => "1–8".to_owned(),
            4 => format!("{}–", BOUNDS[3] + 1),
            bucket => format!("{}–{}", BOUNDS[bucket as usize - 1] + 1, BOUNDS[bucket as usize]),
        };
        let elements = match self.elements {
            Elements::F32 => "32 bits",
            Elements::BF16 => "bfloat16",
            Elements::F16 => "float16 or 8 bits",
        };
        write!(f, "m {}, n {}, k {}, {elements}", extent(self.m), extent(self.n), extent(self.k))
    }
}

#[cfg(test)]
mod tests {
    use super::{DType, ShapeClass, TILES, Tile};

    #[test]
    fn names_round_trip() {
        for tile in TILES {
            assert_eq!(Tile::from_name(&tile.name()), Some(tile));
        }
        assert_eq!(Tile::from_name("tiled_1x1x1_1x1"), None);
        for (m, n, k, dtype) in
            [(1, 8, 9, DType::F16), (96, 97, 384, DType::F32), (1537, 1536, 0, DType::BF16)]
        {
            let class = ShapeClass::new(m, n, k, dtype);
            assert_eq!(ShapeClass::from_name(&class.name()), Some(class));
        }
        for bad in ["", "m1n1", "m9n1k1f", "m1n1k1", "x1n1k1f"] {
            assert_eq!(ShapeClass::from_name(bad), None, "{bad}");
        }
    }

    #[test]
    fn tiles_are_whole() {
        for tile in TILES {
            if let Tile::Tiled { bm, bn, bk, tm, tn, .. } = tile {
                assert!(bm % (4 * tm) == 0 && bn % (8 * tn) == 0 && bk % 4 == 0, "{tile:?}");
                assert!(tm % 4 == 0 && tn % 4 == 0, "{tile:?}");
            }
            if let Tile::Units { bm, bn, bk, .. } = tile {
                let vectors = 4 * tile.invocations();
                assert!(bk <= bm.min(bn) && bm * bk % vectors == 0 && bn * bk % vectors == 0, "{tile:?}");
            }
            assert!(tile.invocations() <= 256, "{tile:?} exceeds what WebGPU guarantees");
        }
    }
}
