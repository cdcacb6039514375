//! Seeded random numbers, the same as those of PyTorch's CPU generator.
