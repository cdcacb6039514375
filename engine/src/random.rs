//! Seeded random numbers, the same as those of PyTorch's CPU generator: a Mersenne Twister
//! (Matsumoto and Nishimura 1998, mt19937) and PyTorch's ways from its bits to numbers.

const N: usize = 624;
const M: usize = 397;

/// PyTorch's CPU generator.
pub struct Generator {
    state: Box<[u32; N]>,
    next: usize,
    /// The second of a pair of normal numbers, kept for the next draw of a single one.
    spare_normal: Option<f64>,
}

impl Generator {
    /// `torch.Generator().manual_seed(seed)`; the twister takes the lower 32 bits.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        let mut state = Box::new([0u32; N]);
        state[0] = seed as u32;
        for i in 1..N {
            let before = state[i - 1];
            state[i] = 1_812_433_253u32.wrapping_mul(before ^ (before >> 30)).wrapping_add(i as u32);
        }
        Self { state, next: N, spare_normal: None }
    }

    fn bits32(&mut self) -> u32 {
        if self.next == N {
            self.twist();
        }
        let mut y = self.state[self.next];
        self.next += 1;
        y ^= y >> 11;
        y ^= (y << 7) & 0x9d2c_5680;
        y ^= (y << 15) & 0xefc6_0000;
        y ^ (y >> 18)
    }

    fn twist(&mut self) {
        let s = &mut self.state;
        for i in 0..N {
            let y = (s[i] & 0x8000_0000) | (s[(i + 1) % N] & 0x7fff_ffff);
            let odd = if y & 1 == 1 { 0x9908_b0df } else { 0 };
            s[i] = s[(i + M) % N] ^ (y >> 1) ^ odd;
        }
        self.next = 0;
    }

    fn bits64(&mut self) -> u64 {
        let high = u64::from(self.bits32());
        (high << 32) | u64::from(self.bits32())
    }

    /// One float32 of `torch.rand`: 24 random bits over 2^24.
    fn uniform(&mut self) -> f32 {
        (self.bits32() & 0xff_ffff) as f32 / 16_777_216.0
    }

    /// One float64 uniform number: 53 random bits over 2^53.
    fn uniform64(&mut self) -> f64 {
        (self.bits64() & ((1 << 53) - 1)) as f64 / 9_007_199_254_740_992.0
    }

    /// `torch.rand(n)`: float32 from [0, 1).
    pub fn rand(&mut self, n: usize) -> Vec<f32> {
        (0..n).map(|_| self.uniform()).collect()
    }

    /// `torch.randn(n)`: float32 normal numbers. Below 16 values PyTorch draws them one by one in
    /// float64; from 16 on it fills blocks of 16 with uniform numbers and transforms them in pairs.
    pub fn randn(&mut self, n: usize) -> Vec<f32> {
        if n < 16 {
            return (0..n).map(|_| self.normal() as f32).collect();
        }
        let mut out = self.rand(n);
        let whole = n - n % 16;
        out[..whole].chunks_exact_mut(16).for_each(box_muller);
        if whole < n {
            // The last block is drawn anew and overlaps the one before it.
            let last = self.rand(16);
            out[n - 16..].copy_from_slice(&last);
            box_muller(&mut out[n - 16..]);
        }
        out
    }

    /// One normal number; two come from one pair of uniform ones (Box and Muller 1958).
    fn normal(&mut self) -> f64 {
        if let Some(spare) = self.spare_normal.take() {
            return spare;
        }
        let (u1, u2) = (self.uniform64(), self.uniform64());
        let r = (-2.0 * (1.0 - u2).ln()).sqrt();
        let theta = 2.0 * std::f64::consts::PI * u1;
        self.spare_normal = Some(r * theta.sin());
        r * theta.cos()
    }
}

/// Sixteen uniform numbers become normal ones: number j with number j + 8.
fn box_muller(block: &mut [f32]) {
    let (left, right) = block.split_at_mut(8);
    for (a, b) in left.iter_mut().zip(right) {
        let radius = (-2.0 * (1.0 - *a).ln()).sqrt();
        let theta = 2.0 * std::f32::consts::PI * *b;
        (*a, *b) = (radius * theta.cos(), radius * theta.sin());
    }
}
