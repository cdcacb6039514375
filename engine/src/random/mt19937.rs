//! The Mersenne Twister: M. Matsumoto and T. Nishimura, "Mersenne Twister: a 623-dimensionally
//! equidistributed uniform pseudo-random number generator", ACM TOMACS 8(1), 1998.

/// Words of state.
pub(super) const N: usize = 624;
const M: usize = 397;

/// State in the terms of PyTorch's engine, which its saved states spell out.
#[derive(Clone)]
pub(super) struct Mt19937 {
    pub(super) words: Box<[u32; N]>,
    /// The word that is drawn next; `N` once all have been drawn, 0 after seeding.
    pub(super) next: usize,
    /// One more than the words that can be drawn before the state must be twisted.
    pub(super) left: usize,
}

impl Mt19937 {
    pub(super) fn new(seed: u32) -> Self {
        let mut words = Box::new([seed; N]);
        for i in 1..N {
            let before = words[i - 1];
            words[i] = 1_812_433_253u32.wrapping_mul(before ^ (before >> 30)).wrapping_add(i as u32);
        }
        Self { words, next: 0, left: 1 }
    }

    /// Whether drawing from such a state stays within its words.
    pub(super) fn is_valid(next: usize, left: usize) -> bool {
        matches!((next, left), (0, 1)) || (next <= N && left > 0 && left == N + 1 - next)
    }

    pub(super) fn bits32(&mut self) -> u32 {
        self.left -= 1;
        if self.left == 0 {
            self.twist();
        }
        let mut y = self.words[self.next];
        self.next += 1;
        y ^= y >> 11;
        y ^= (y << 7) & 0x9d2c_5680;
        y ^= (y << 15) & 0xefc6_0000;
        y ^ (y >> 18)
    }

    pub(super) fn bits64(&mut self) -> u64 {
        let high = u64::from(self.bits32());
        (high << 32) | u64::from(self.bits32())
    }

    fn twist(&mut self) {
        let words = &mut self.words;
        for i in 0..N {
            let y = (words[i] & 0x8000_0000) | (words[(i + 1) % N] & 0x7fff_ffff);
            let odd = if y & 1 == 1 { 0x9908_b0df } else { 0 };
            words[i] = words[(i + M) % N] ^ (y >> 1) ^ odd;
        }
        (self.next, self.left) = (0, N);
    }
}
