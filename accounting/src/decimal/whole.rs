//! Whole numbers of any size.

use std::cmp::Ordering;

/// A whole number of any size, its lowest 32 bits first and none of the highest zero.
#[derive(Clone)]
pub(super) struct Whole(Vec<u32>);

impl Whole {
    pub(super) fn multiply_add(&mut self, factor: u32, term: u32) {
        let mut carry = u64::from(term);
        for part in &mut self.0 {
            carry += u64::from(*part) * u64::from(factor);
            *part = carry as u32;
            carry >>= u32::BITS;
        }
        if carry != 0 {
            self.0.push(carry as u32);
        }
    }

    pub(super) fn shift_left(&mut self, bits: u64) {
        (0..bits).for_each(|_| self.multiply_add(2, 0));
    }

    pub(super) fn bits(&self) -> i64 {
        let highest = self.0.last().map_or(0, |part| u32::BITS - part.leading_zeros());
        i64::try_from(self.0.len()).unwrap_or(i64::MAX) * i64::from(u32::BITS)
            - i64::from(u32::BITS - highest)
    }

    pub(super) fn compare(&self, other: &Self) -> Ordering {
        let by_length = self.0.len().cmp(&other.0.len());
        by_length.then_with(|| self.0.iter().rev().cmp(other.0.iter().rev()))
    }

    /// Divides by ten and gives the rest.
    fn divide_by_ten(&mut self) -> u8 {
        let mut rest = 0;
        for part in self.0.iter_mut().rev() {
            let above = rest << u32::BITS | u64::from(*part);
            *part = (above / 10) as u32;
            rest = above % 10;
        }
        while self.0.last() == Some(&0) {
            self.0.pop();
        }
        rest as u8
    }

    /// Its decimal digits, the highest first; none for 0.
    pub(super) fn into_digits(mut self) -> Vec<u8> {
        let mut digits = Vec::new();
        while !self.0.is_empty() {
            digits.push(self.divide_by_ten());
        }
        digits.reverse();
        digits
    }

    /// `other` must not be larger.
    pub(super) fn subtract(&mut self, other: &Self) {
        let mut borrow = false;
        for (i, part) in self.0.iter_mut().enumerate() {
            let (first, below) = part.overflowing_sub(other.0.get(i).copied().unwrap_or(0));
            let (second, below_too) = first.overflowing_sub(u32::from(borrow));
            (*part, borrow) = (second, below || below_too);
        }
        while self.0.last() == Some(&0) {
            self.0.pop();
        }
    }
}

impl From<u64> for Whole {
    fn from(value: u64) -> Self {
        let mut whole = Self(vec![value as u32]);
        if let Ok(high @ 1..) = u32::try_from(value >> u32::BITS) {
            whole.0.push(high);
        }
        whole
    }
}
